"""What the engine is told of chess: exchanges against a slow twin, passing, and check."""

import random

import pytest

from zermelo import Engine
from zermelo.games import chess
from zermelo.games.chess_exchange import WORTH

GAME = chess()
package = pytest.importorskip("chess", reason="the package chess is not installed")


def exchange(board, square, side, at_stake):
    """What ``side`` wins by capturing the man on a square, worth ``at_stake``, or by not capturing it."""
    takers = sorted(board.attackers(side, square), key=lambda taker: WORTH[board.piece_type_at(taker)])
    if not takers:
        return 0
    after, kind = board.copy(stack=False), board.piece_type_at(takers[0])
    after.remove_piece_at(takers[0])
    after.set_piece_at(square, package.Piece(kind, side))
    if kind == package.KING and after.attackers(not side, square):
        return 0
    return max(0, at_stake - exchange(after, square, not side, WORTH[kind]))


def slow_gain(board, move):
    """The exchange that begins with a move, man by man on a board."""
    won = WORTH[package.PAWN] if board.is_en_passant(move) else WORTH[board.piece_type_at(move.to_square) or 0]
    if board.is_castling(move):
        return 0
    kind = move.promotion or board.piece_type_at(move.from_square)
    if move.promotion:
        won += WORTH[kind] - WORTH[package.PAWN]
    after = board.copy(stack=False)
    after.push(move)
    return won - exchange(after, move.to_square, after.turn, WORTH[kind])


def test_gain_is_the_exchange_man_by_man():
    chooser, signs = random.Random(5), set()
    for _ in range(12):
        board, state = package.Board(), GAME.initial
        while not GAME.is_terminal(state) and board.ply() < 120:
            for action in GAME.actions(state):
                move = board.parse_san(GAME.show_action(state, action))
                gain = GAME.gain(state, action)
                assert gain == slow_gain(board, move), (board.fen(), move)
                signs.add((gain > 0) - (gain < 0))
            captures = list(GAME.noisy_actions(state))
            action = chooser.choice(captures if captures and chooser.random() < 0.4 else list(GAME.actions(state)))
            board.push_san(GAME.show_action(state, action))
            state = GAME.result(state, action)
    assert signs == {-1, 0, 1}


@pytest.mark.parametrize(
    "fen, move, gain",
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -220),
        ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c8=Q", 875),
        ("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "cxd8=Q+", 1375),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("4k3/8/4p3/8/8/8/8/R3K3 w - - 0 1", "Rd1", 0),
        ("4k3/8/4p3/8/8/8/8/R3K3 w - - 0 1", "Ra5", 0),
        ("4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1", "Ra5", -500),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ],
)
def test_gain_of_known_positions(fen, move, gain):
    """The first two are examples of the chess programming wiki (chessprogramming.org), "SEE - The Swap Algorithm"."""
    state = GAME.from_text(fen)
    assert GAME.gain(state, GAME.read_action(state, move)) == gain


def test_nobody_passes_in_check_or_without_pieces():
    for fen, may_pass in [
        ("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", False),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", False),
        ("4k3/4p3/8/8/8/8/4P3/B3K3 w - - 0 1", False),
        ("4k3/4p3/8/8/8/8/4P3/BN2K3 w - - 0 1", True),
        ("4k3/4p3/8/8/8/8/4P3/R3K3 w - - 0 1", True),
        ("r3k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", False),
    ]:
        state = GAME.from_text(fen)
        passed = GAME.null_state(state)
        assert (passed != state) == may_pass
        if may_pass:
            assert GAME.to_text(passed) == fen.replace(" w ", " b ").replace(" 0 1", " 1 1")


@pytest.fixture(scope="module")
def engine():
    return Engine(GAME, table_mb=8)


def test_zugzwang(engine):
    """With pawns only, nobody passes; with pieces, a pass may hide a zugzwang, and nothing is called proven."""
    state = GAME.from_text("8/8/1p1k4/p1pPp3/P1P1P3/1P1K4/8/8 w - - 0 1")
    assert engine.search(state, depth=9).nodes == Engine(GAME, table_mb=8, null_move=False).search(state, depth=9).nodes
    found = engine.search(GAME.from_text("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"), nodes=20_000)
    assert not found.proven and "null_move" in found.unsound


@pytest.mark.parametrize(
    "fen, moves",
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ],
)
def test_mates_are_proven_with_prunings_on(engine, fen, moves):
    engine.clear()
    state = GAME.from_text(fen)
    found, exact = engine.search(state, nodes=400_000), engine.prove(state, nodes=4_000_000)
    assert found.unsound and not exact.unsound
    assert found.proven and exact.proven and found.value == exact.value
    within = found.ends_within if found.remoteness is None else found.remoteness
    assert within >= exact.remoteness == 2 * moves - 1
