"""A game with its variations as a link, and as a PGN: the same tree comes back."""

import random
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import BadParameter
from zermelo.ui.web import links
from zermelo.ui.web.pasting import pasted
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.tree_text import MOST_MOVES, MOST_NESTED, read_pgn_tree, read_tree

SHELF = Shelf()
GAMES = ("connect", "kalah", "checkers", "oware", "hex", "nim", "pentago", "konane", "chess")
USUAL = links.opening(SHELF)


def begin(game: str, position: str = "") -> Sitting:
    return Sitting.begin(SHELF, links.Position(game, max="human", min="human", position=position))


def grow(sitting: Sitting, seed: int, count: int) -> Sitting:
    """Make moves, step back, and undo, as chance has it."""
    chance = random.Random(seed)
    for _ in range(count):
        does = chance.random()
        if does < 0.25:
            sitting.go_to(chance.randint(0, len(sitting.match.actions)))
        elif does < 0.35 and sitting.can_undo:
            sitting.undo()
        elif sitting.can_move:
            sitting.play(chance.choice(sitting.game.legal_actions(sitting.state)))
    return sitting


def opened(query: str) -> Sitting:
    return Sitting.begin(SHELF, links.read(parse_qsl(query), USUAL))


@settings(max_examples=30)
@given(st.sampled_from(GAMES), st.integers(0, 1 << 30), st.integers(0, 40))
def test_a_link_brings_the_same_tree_back(game: str, seed: int, count: int) -> None:
    sitting = grow(begin(game), seed, count)
    again = opened(sitting.link())
    assert again.variations.branches == sitting.variations.branches
    assert (again.match.actions, again.here) == (sitting.match.actions, sitting.here)
    assert again.link() == sitting.link()


@settings(max_examples=15)
@given(st.integers(0, 1 << 30), st.integers(0, 40), st.booleans())
def test_a_pgn_brings_the_same_tree_back(seed: int, count: int, begins_late: bool) -> None:
    pytest.importorskip("chess.pgn", reason="the extra chess is not installed")
    start = "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R b KQkq - 4 9" if begins_late else ""
    sitting = grow(begin("chess", start), seed, count)
    text = sitting.pgn()
    again = Sitting.begin(SHELF, pasted(SHELF, sitting.game, sitting.position(0), text))
    assert again.variations.branches == sitting.variations.branches
    assert again.match.actions == (sitting.match.actions or sitting.variations.line([]))
    assert again.match.states[0] == sitting.match.states[0]


def test_brackets_hold_what_was_played_before_the_move_that_follows_them() -> None:
    sitting = begin("chess")
    for ply, moves in ((0, "e4 e5 Nf3"), (1, "c5 Nf3"), (1, "e5 Nf3")):
        sitting.go_to(ply)
        for move in moves.split():
            sitting.play(sitting.game.read_action(sitting.state, move))
    assert sitting.tree() == "e4(c5,Nf3)e5,Nf3"
    sitting.undo()
    assert sitting.tree() == "e4(c5,Nf3)e5(Nf3)"  # what was taken back stands behind the end
    assert "tree=e4(c5,Nf3)e5(Nf3)&max=human" in sitting.link()
    assert "tree" not in begin("chess").link()
    main = opened("game=connect&max=human&min=human&moves=3&tree=3,2,1")
    assert (main.here, len(main.match.actions), main.is_live) == (1, 3, False)


def test_a_pgn_of_others_is_read_with_its_variations() -> None:
    pytest.importorskip("chess.pgn", reason="the extra chess is not installed")
    text = """[Event "a (b"]
[White "x"]

1. e4 $1 {a comment (with brackets) 1. d4} e5?! (1... c5 $6 2. Nf3! (2. c3 d5) 2... d6) (1...e6; (a rest of a line
2. d4) 2. Nf3 *

[Event "another"]

1. d4 (1. c4) d5 *
"""
    sitting = begin("chess")
    read = Sitting.begin(SHELF, pasted(SHELF, sitting.game, sitting.position(0), text))
    assert read.moves() == ["e4", "e5", "Nf3"]
    assert read.tree() == "e4(c5(c3,d5)Nf3,d6)(e6,d4)e5,Nf3"


WRONG = {
    "3,(2": "an opening bracket without",
    "3,2)": "a closing bracket without",
    "3,(9)2": "cannot be played. Move 2: '9' is not a legal action",
    "(" * (MOST_NESTED + 1): f"more than {MOST_NESTED} brackets within each other",
    "3,2": "are not the first moves of its variations",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_variations_are_refused_in_one_sentence(text: str) -> None:
    position = replace(USUAL, game="connect", moves="4", tree=text, min="human")
    with pytest.raises(BadParameter, match=WRONG[text]) as refused:
        Sitting.begin(SHELF, position)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["1. d4 d5 (1... Nf6 2. c4) 2. c4 *", "1.d4 {a comment} d5 (1...Nf6 2.c4) 2.c4 0-1"])
def test_a_pgn_without_tags_is_read(text: str) -> None:
    sitting = begin("chess")
    read = Sitting.begin(SHELF, pasted(SHELF, sitting.game, sitting.position(0), text))
    assert read.tree() == "d4(Nf6,c4)d5,c4"


def test_long_texts_are_refused() -> None:
    game = begin("connect").game
    with pytest.raises(BadParameter, match=f"more than {MOST_MOVES:,} moves"):
        read_tree(game, "(3)" * (MOST_MOVES + 1), game.initial)
    with pytest.raises(BadParameter, match="characters of variations"):
        links.read([("game", "connect"), ("tree", "3," * links.LONGEST)], USUAL)
    with pytest.raises(BadParameter, match="a page takes at most 40,000"):
        pasted(SHELF, game, USUAL, "x" * 50_000)
    with pytest.raises(BadParameter, match="a bracket before the move that it replaces"):
        read_pgn_tree(game, "(1. 3) *", game.initial)
