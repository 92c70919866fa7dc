import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
from zermelo.errors import ZermeloError
from zermelo.games import chess
from zermelo.games.chess import State
from zermelo.textbook.perft import perft


@pytest.fixture(scope="module")
def game():
    pytest.importorskip("chess", reason="the package chess is not installed")
    return chess()


@pytest.mark.parametrize("depth", range(4))
def test_perft_is_the_published_one(game, depth):
    published = {int(row["depth"]): int(row["chess"]) for row in facts.rows("perft.tsv") if row["chess"]}
    assert perft(game, game.initial, depth) == published[depth]


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_random_positions_keep_their_promises(game, data):
    state = positions.random_state(game, data, 120)
    positions.keeps_its_promises(game, state)
    for action in game.legal_actions(state):
        assert game.parse_action(state, game.show_action(state, action)) == action


def test_moves_are_read_as_people_write_them(game):
    knight = game.read_action(game.initial, "Nf3")
    assert game.parse_action(game.initial, "g1f3") == knight
    assert game.show_action(game.initial, knight) == "Nf3"
    assert game.to_text(game.play(game.initial, knight)).startswith("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b")


def test_en_passant_counts_only_where_it_is_possible(game):
    state = game.play(game.initial, game.read_action(game.initial, "e4"))
    assert state == State("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -", 0)
    state = game.from_text("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
    assert game.play(state, game.read_action(state, "d4")).position.endswith("b - d3")


def test_a_position_that_comes_back_has_the_key_it_had(game):
    state = game.initial
    for name in ("Nf3", "Nf6", "Ng1", "Ng8"):
        state = game.play(state, game.read_action(state, name))
    assert state.quiet == 4
    assert game.key(state) == game.key(game.initial)
    assert game.repetition == "draw"


@pytest.mark.parametrize(
    ("fen", "utility"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -10000),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", 10000),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/8/3RK3/8/8 w - - 100 90", 0),
    ],
    ids=["mate", "mate at the last moment", "stalemate", "no men to mate with", "fifty moves"],
)
def test_how_games_end(game, fen, utility):
    state = game.from_text(fen)
    assert game.is_terminal(state)
    assert game.utility(state) == utility
    assert game.legal_actions(state) == []


def test_a_pawn_may_become_four_pieces(game):
    state = game.from_text("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    names = {game.show_action(state, action): action for action in game.legal_actions(state)}
    clicks = game.board(state).clicks
    # a7 is cell 8 and a8 cell 0; the rook, bishop and knight stand on a7, a6 and a5 as if in a menu.
    assert {name: clicks[names[name]] for name in ("a8=Q", "a8=R", "a8=B", "a8=N")} == {
        "a8=Q": (8, 0, 0),
        "a8=R": (8, 0, 8),
        "a8=B": (8, 0, 16),
        "a8=N": (8, 0, 24),
    }
    ranked = sorted(names, key=lambda name: -game.order(state, names[name]))
    assert ranked[0] == "a8=Q"


def test_the_picture(game):
    assert game.draw(game.initial).splitlines()[0] == "8 r n b q k b n r"
    assert game.draw(game.initial).splitlines()[-1] == "  a b c d e f g h"


NONSENSE = ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/K7 z - - 0 1", "K7/k7/8/8/8/8/8/8 w"]


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_text_is_refused(game, text):
    with pytest.raises(ValueError, match=r"is not a FEN|is not a possible position"):
        game.from_text(text)
    with pytest.raises(ValueError, match="is not a legal move"):
        game.parse_action(game.initial, text)


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(ZermeloError, match=r"pip install 'zermelo\[chess\]'"):
        chess()
