"""EVAL of chess: each term does what its name says, and the board's halves and sides are alike."""

import chess as chess_package
import numpy as np
import pytest

import reference
from zermelo.games import chess
from zermelo.games.chess_evaluation import FULL, both_sides, distance, phase_of, sum_of_terms, worth_of_sides
from zermelo.games.chess_weights import HALF, WEIGHTS, Weights, score

GAME = chess()
SIZES = {
    "knight_moves": 9,
    "bishop_moves": 14,
    "rook_moves": 15,
    "queen_moves": 28,
    "passed": 8,
    "danger": 32,
    "connected": 8,
    "checks": 4,
    "threat": 5,
    "supported": 8,
    "stop_open": 8,
    "way_open": 8,
    "hanging": 6,
    "safe_checks": 8,
}


def value(fen: str) -> int:
    """Return EVAL of a position, without the network's correction."""
    assert GAME.from_text is not None
    return sum_of_terms(WEIGHTS, 8)(GAME.from_text(fen))


def middle_and_end(scored: int) -> tuple[int, int]:
    """Return the two values of a score."""
    end = (scored + HALF // 2) // HALF
    return scored - end * HALF, end


def counted(fen: str, term: str) -> int:
    """Return how often the entries of a table count for White."""
    zeros = {name: (0,) * len(table) for name, table in WEIGHTS._asdict().items()}
    ones = Weights(**{**zeros, term: (1,) * len(getattr(WEIGHTS, term))})
    assert GAME.from_text is not None
    return worth_of_sides(ones, 8)(*both_sides(GAME.from_text(fen), 8))[0]


@pytest.mark.parametrize(
    ("term", "fen", "count"),
    [
        ("isolated", "4k3/8/8/8/8/8/P1PP4/4K3 w - - 0 1", 1),
        ("doubled", "4k3/8/8/8/P7/8/P7/4K3 w - - 0 1", 1),
        ("connected", "4k3/8/8/8/3P4/2P1P3/8/4K3 w - - 0 1", 1),
        ("connected", "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", 2),
        ("passed", "4k3/8/p7/8/1P2P3/8/8/4K3 w - - 0 1", 1),
        ("blocked", "4k3/8/8/4r3/4P3/8/8/4K3 w - - 0 1", 1),
        ("bishop_pair", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", 1),
        ("open_file", "4k3/p7/8/8/8/8/1P6/R2RK3 w - - 0 1", 1),
        ("half_open_file", "4k3/p7/8/8/8/8/1P6/R2RK3 w - - 0 1", 1),
        ("checks", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("threat", "4k3/8/8/2n1rp2/3P2P1/8/8/4K3 w - - 0 1", 2),
        ("threat", "4k3/8/8/4r3/8/3N4/8/4K3 w - - 0 1", 1),
        ("threat", "4k3/1p6/b1b5/8/8/8/8/R3K3 w - - 0 1", 0),
        ("threat", "4k3/8/b1b5/8/8/8/8/R3K3 w - - 0 1", 1),
        ("supported", "7k/8/8/3R4/4P3/8/8/7K w - - 0 1", 1),
        ("supported", "7k/8/8/8/4P3/8/8/3R3K w - - 0 1", 0),
        ("way_open", "7k/8/8/P7/8/8/8/7K w - - 0 1", 1),
        ("way_open", "1k6/8/8/P7/8/8/8/7K w - - 0 1", 0),
        ("stop_open", "1k6/8/8/P7/8/8/8/7K w - - 0 1", 1),
        ("stop_open", "8/1k6/8/P7/8/8/8/7K w - - 0 1", 0),
        ("loose", "6k1/8/8/8/8/8/P6P/B6K w - - 0 1", 2),
        ("hanging", "k7/8/8/1p5n/8/8/8/1R2K2R w - - 0 1", 2),
        ("hanging", "8/8/8/kp5n/7q/8/8/KR5R w - - 0 1", 1),
        ("safe_checks", "7k/8/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("safe_checks", "7k/r7/8/8/8/8/8/R3K3 w - - 0 1", 0),
        ("safe_checks", "7k/8/8/8/7N/8/8/R1BQK3 w - - 0 1", 4),
        ("safe_checks", "6k1/8/8/6N1/8/6P1/6PQ/6K1 w - - 0 1", 1),
        ("safe_checks", "6k1/8/8/8/6N1/6P1/6PQ/6K1 w - - 0 1", 1),
        ("safe_checks", "6k1/8/8/8/8/6P1/6PQ/6K1 w - - 0 1", 0),
        ("crowded", "7k/R7/8/8/8/8/8/K5Q1 w - - 0 1", 1),
        ("crowded", "6rk/R7/8/8/8/8/8/K5Q1 w - - 0 1", 0),
        ("space", "7k/8/8/8/8/8/8/N2RK3 w - - 0 1", 4),
    ],
)
def test_each_term_counts_what_its_name_says(term: str, fen: str, count: int) -> None:
    assert counted(fen, term) == count


@pytest.mark.parametrize(("term", "entries"), [("hanging", (0, 3)), ("safe_checks", (2, 6))])
def test_some_terms_count_apart_for_the_side_to_move(term: str, entries: tuple[int, int]) -> None:
    zeros = {name: (0,) * len(table) for name, table in WEIGHTS._asdict().items()}
    assert GAME.from_text is not None
    for entry in range(len(getattr(WEIGHTS, term))):
        one = tuple(int(place == entry) for place in range(len(getattr(WEIGHTS, term))))
        worth = worth_of_sides(Weights(**{**zeros, term: one}), 8)
        for mover in "wb":
            state = GAME.from_text(f"7k/8/8/p7/8/8/8/RR2K3 {mover} - - 0 1")
            assert worth(*both_sides(state, 8))[0] == int(entry == entries[mover == "w"])


ROOK_WAYS, BISHOP_WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
CHECKS = {"N": (), "B": BISHOP_WAYS, "R": ROOK_WAYS, "Q": ROOK_WAYS + BISHOP_WAYS}
TERMS = ("loose", "hanging", "crowded", "space", "safe_checks", "supported", "stop_open", "way_open")


def checking_squares(board: chess_package.Board, king: int, kind: str) -> set[int]:
    """The squares from which a man of that kind would give check, found step by step."""
    if kind == "N":
        return set(chess_package.SquareSet(chess_package.BB_KNIGHT_ATTACKS[king]))
    found = set()
    for right, up in CHECKS[kind]:
        file, rank = king % 8 + right, king // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            found.add(8 * rank + file)
            if board.piece_at(8 * rank + file):
                break
            file, rank = file + right, rank + up
    return found


def counts_of_terms(board: chess_package.Board, mine: bool) -> dict[str, list[int]]:
    """How often the terms of what both sides attack count for a side, asked of the package ``chess``."""
    found = {name: [0] * len(getattr(WEIGHTS, name)) for name in TERMS}
    men, moves, rival = board.piece_map(), int(board.turn == mine), board.king(not mine)
    assert rival is not None
    far = range(32, 64) if mine else range(32)

    def attackers(side: bool, square: int) -> list[str]:
        """The men of a side that attack a square; pawns together count as one."""
        kinds = [men[place].symbol().upper() for place in board.attackers(side, square)]
        return [kind for kind in kinds if kind != "P"] + ["P"] * ("P" in kinds)

    def safe(square: int) -> bool:
        own, others = attackers(mine, square), attackers(not mine, square)
        return not others or (others == ["K"] and len(own) > 1)

    for square, man in men.items():
        kind, own, others = man.symbol().upper(), attackers(mine, square), attackers(not mine, square)
        if man.color == mine and kind != "K":
            found["loose"][0] += not own
        if man.color != mine and kind != "K":
            found["hanging"][3 * moves + "P..NB.RQ".index(kind) // 3] += bool(own and not others)
        if man.color == mine and kind == "P":
            ahead = [place for place in range(64) if (place // 8 > square // 8 if mine else place // 8 < square // 8)]
            near = [place for place in ahead if abs(place % 8 - square % 8) <= 1]
            way = [place for place in ahead if place % 8 == square % 8]
            pawns = {place: other.color for place, other in men.items() if other.symbol() in "pP"}
            if any(pawns.get(place) == (not mine) for place in near) or any(pawns.get(place) == mine for place in way):
                continue
            row, stop = (square // 8 if mine else 7 - square // 8), square + (8 if mine else -8)
            found["supported"][row] += bool(attackers(mine, stop))
            if not attackers(not mine, stop):
                open_way = not any(attackers(not mine, place) for place in way)
                found["way_open" if open_way else "stop_open"][row] += 1
    for square in chess_package.SQUARES:
        own, others = attackers(mine, square), attackers(not mine, square)
        found["space"][0] += bool(square in far and own and not others)
        beside = chess_package.square_distance(square, rival) == 1
        found["crowded"][0] += beside and len(own) > 1 and others == ["K"]
    for number, kind in enumerate(CHECKS):
        goals = checking_squares(board, rival, kind) - {place for place, man in men.items() if man.color == mine}
        found["safe_checks"][4 * moves + number] = any(
            kind in attackers(mine, square) and safe(square) for square in goals
        )
    return found


def test_what_both_sides_attack_counts_as_the_package_chess_says() -> None:
    """Of random positions, many of them with few men. Each entry counts with a digit of its own."""
    places = {name: len(getattr(WEIGHTS, name)) for name in TERMS}
    digits = iter(1 << 8 * number for number in range(sum(places.values())))
    weights = {name: (0,) * len(table) for name, table in WEIGHTS._asdict().items()}
    weights |= {name: tuple(next(digits) for _ in range(size)) for name, size in places.items()}
    worth, seen = worth_of_sides(Weights(**weights), 8), set()
    assert GAME.to_text is not None
    for state in reference.random_states(GAME, 150, range(300), 7):
        board = chess_package.Board(GAME.to_text(state))
        for sums, mine in zip(worth(*both_sides(state, 8)), (True, False), strict=True):
            wanted = [count for counts in counts_of_terms(board, mine).values() for count in counts]
            assert list(sums.to_bytes(len(wanted), "little")) == wanted, board.fen()
            seen.update(np.flatnonzero(wanted).tolist())
    assert len(seen) > 0.7 * sum(places.values())


def test_the_phase_goes_from_the_middle_game_to_the_ending() -> None:
    assert phase_of(GAME.initial) == FULL
    assert GAME.from_text is not None
    assert phase_of(GAME.from_text("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")) == 0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"),
        ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1"),
    ],
)
def test_what_every_player_knows(better: str, worse: str) -> None:
    assert value(better) > value(worse)


def test_the_two_halves_of_the_board_mirror_each_other() -> None:
    assert value("4k3/8/8/8/2N5/8/8/4K3 w - - 0 1") == value("3k4/8/8/8/5N2/8/8/3K4 w - - 0 1")


def test_the_tables_have_an_entry_for_each_case() -> None:
    for name, table in WEIGHTS._asdict().items():
        assert len(table) == SIZES.get(name, 64 if name.endswith("_squares") else len(table))
        assert all(max(map(abs, middle_and_end(entry))) < HALF // 32 for entry in table)  # 16 of them fit into a score


def test_a_score_holds_two_values() -> None:
    pairs = [(-7, 3), (12, -40), (0, 0), (-1, -1)]
    total = sum(score(*pair) for pair in pairs)
    assert middle_and_end(total) == tuple(np.sum(pairs, axis=0))


def test_the_distance_is_that_of_a_king() -> None:
    assert [distance(0, other) for other in (0, 9, 7, 63, 16)] == [0, 1, 7, 7, 2]
