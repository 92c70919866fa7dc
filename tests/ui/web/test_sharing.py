"""Those who share a game: their names, and what each may do. No browser is needed."""

import pytest

from screens import Screen
from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN
from zermelo.ui.web import controls, links
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.sharing import LONGEST_NAME, NOBODY, Audience, SharedGames, check_wish, read_name
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting


def sit(max_: str, min_: str) -> Sitting:
    return Sitting.begin(Shelf(), links.Position("tictactoe", {}, max_, min_))


def test_a_name_is_one_short_line() -> None:
    assert read_name("  Ada\n\tL.\x00 ") == "Ada L."
    assert len(read_name("x" * 100)) == LONGEST_NAME


def test_a_name_stands_at_the_side_of_its_visitor() -> None:
    first, second, third = Screen(), Screen(), Screen()
    audience = Audience(first)
    first.name = "Ada"
    assert audience.names(sit("random", "human")) == {MIN: "Ada"}
    assert audience.names(sit("human", "human")) == {}  # one visitor plays both sides
    first.side = MIN
    audience.seat(second)
    audience.seat(third)
    second.name, third.name = "<Bob>", "Eve"
    assert (second.side, third.side) == (MAX, NOBODY)
    sitting = sit("human", "human")
    assert audience.names(sitting) == {MIN: "Ada", MAX: "<Bob>"}
    assert "&lt;Bob&gt;</button>" in controls.seat(sitting, MAX, "", audience.names(sitting)[MAX])
    game = LiveGame(sitting, None, audience)  # type: ignore[arg-type]
    SharedGames().leave(game, audience, second)
    assert game.names == {MIN: "Ada"}


def test_each_visitor_reads_you_at_their_own_side() -> None:
    sitting = sit("human", "human")
    assert ">You</button>" in controls.seat(sitting, MAX, "", is_own=True)
    assert ">You</button>" not in controls.seat(sitting, MIN, "")
    assert ">Ada</button>" in controls.seat(sitting, MAX, "", "Ada", is_own=True)


def test_men_that_were_missing_from_the_start_are_not_captured() -> None:
    game = Shelf().game("chess", {})
    start = game.from_text("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    sitting = Sitting.begin(Shelf(), links.Position("chess", {}, "human", "human", position=game.to_text(start)))
    assert [_score_of(sitting, side) for side in (MAX, MIN)] == ["", ""]
    sitting.play(game.parse_action(start, "exd5"))
    assert [_score_of(sitting, side) for side in (MAX, MIN)] == ["♟", ""]


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [
        ("checkers", "B:W18,23:B9,15", "15x22"),
        ("breakthrough", "........|........|..bb....|...w....|........|........|........|ww...... w", "d5xc6"),
        ("minicheckers", "......|......|.o....|x.....|......|...... x", "a3xc5"),
        ("minicheckers", ".o.o.o|o...o.|.o.o.o|x.....|......|...... x", "a3xc5"),  # 8 men; 6 are usual
    ],
)
def test_numbers_of_captured_men_begin_where_the_game_does(name: str, position: str, move: str) -> None:
    game = Shelf().game(name, {})
    start = game.from_text(position)
    assert all("captured" in score for score in game.board(start).scores)  # of the usual men
    sitting = Sitting.begin(Shelf(), links.Position(name, {}, "human", "human", position=game.to_text(start)))
    assert [_score_of(sitting, side) for side in (MAX, MIN)] == ["", ""]
    sitting.play(game.read_action(start, move))
    assert [_score_of(sitting, side) for side in (MAX, MIN)] == ["1 captured", ""]


def test_a_usual_game_counts_all_captured_men() -> None:
    sitting = Sitting.begin(Shelf(), links.Position("checkers", {}, "human", "human"))
    for move in ("11-15", "22-18", "15x22", "25x18"):
        sitting.play(sitting.game.read_action(sitting.state, move))
    assert [_score_of(sitting, side) for side in (MAX, MIN)] == ["1 captured", "1 captured"]


def _score_of(sitting: Sitting, side: int) -> str:
    strip = controls.seat(sitting, side, "")
    return strip.partition('<span class="score">')[2].partition("</span>")[0]


def test_who_watches_changes_nothing_and_nobody_gives_up_for_another() -> None:
    for wish in ("cell", "resign", "undo", "again", "players", "load", "goto"):
        with pytest.raises(IllegalAction, match="You watch this game"):
            check_wish(wish, NOBODY, MAX)
    for wish in ("cell", "ask", "resign"):
        with pytest.raises(IllegalAction, match="the other player's turn"):
            check_wish(wish, MIN, MAX)
        check_wish(wish, MAX, MAX)
        check_wish(wish, 0, MAX)
    check_wish("flip", NOBODY, MAX)
    check_wish("again", MIN, 0)
