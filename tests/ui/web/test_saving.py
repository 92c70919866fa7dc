"""A saved game keeps its variations and its clocks, as a record and as PGN."""

import io
from dataclasses import replace
from typing import Any

import pytest

from zermelo.errors import RecordError
from zermelo.game import MAX, MIN, Game
from zermelo.lab.clocks import TimeControl
from zermelo.play.record import Record
from zermelo.ui.web import links
from zermelo.ui.web.game_clock import GameClock
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting


def sit(moves: str = "") -> Sitting:
    return Sitting.begin(Shelf(), links.Position("connect", max="human", min="human", moves=moves))


def test_variations_are_saved_and_taken_up_again() -> None:
    sitting = sit("3,3,2")
    sitting.go_to(1)
    sitting.play(0)
    sitting.play(0)
    sitting.go_to(2)
    sitting.play(1)  # a variation of a variation
    sitting.go_to(0)
    sitting.play(3)
    sitting.undo()
    record = Record.from_text(sitting.record().to_text())
    resumed = Sitting.resume(Shelf(), record)
    assert resumed.moves() == sitting.moves()
    assert resumed.variations.lines(sitting.match.actions) == sitting.variations.lines(sitting.match.actions)
    assert [resumed.others(ply) for ply in range(len(resumed.moves()))] == [
        sitting.others(ply) for ply in range(len(sitting.moves()))
    ]
    assert resumed.record().to_text() == record.to_text()


def test_clocks_are_saved_and_stand_until_the_next_move() -> None:
    now = [0.0]
    sitting = sit()
    sitting.clock = GameClock(TimeControl(base=60, increment=2), now=lambda: now[0])
    for column in (3, 3, 2):
        sitting.run_clock()
        now[0] += 5
        sitting.play(column)
    sitting.run_clock()
    now[0] += 1
    record = Record.from_text(sitting.record().to_text())
    assert record.clock == {"base": 60, "increment": 2, "max": 57.0, "min": 56.0, "left": [None, 57.0, 57.0]}
    resumed = Sitting.resume(Shelf(), record)
    assert resumed.clock is not None
    resumed.run_clock()
    assert (resumed.clock.left(MAX), resumed.clock.left(MIN), resumed.clock.side) == (57.0, 56.0, 0)
    resumed.play(2)
    resumed.run_clock()
    assert resumed.clock.side == MAX
    assert resumed.position().clock == "1+2"
    now[0] += 100
    assert sitting.look_at_clock()
    late = Sitting.resume(Shelf(), sitting.record())
    assert (late.flagged, late.resigned, late.outcome()) == (MIN, 0, "max")
    assert sitting.record().clock is not None
    for wrong in ({"base": 1e9}, {"base": 0}):
        with pytest.raises(RecordError, match="cannot be taken up: The clock is"):
            Sitting.resume(Shelf(), replace(record, clock=record.clock | wrong))


def test_a_game_of_chess_is_saved_as_pgn_with_variations_and_clocks() -> None:
    pgn = pytest.importorskip("chess.pgn", reason="the extra chess is not installed")
    now = [0.0]
    sitting = Sitting.begin(Shelf(), links.Position("chess", max="human", min="human"))
    sitting.clock = GameClock(TimeControl(base=3725, increment=0), now=lambda: now[0])

    def play(*moves: str) -> None:
        for move in moves:
            sitting.run_clock()
            now[0] += 10.25
            sitting.play(sitting.game.read_action(sitting.state, move))
        sitting.run_clock()

    play("e4", "e5", "Nf3", "Nc6")
    for ply, moves in ((1, ["c5", "Nf3", "d6"]), (3, ["e6"]), (0, ["d4"]), (0, ["e4"]), (1, ["e5", "Nf3", "Nf6"])):
        sitting.go_to(ply)
        play(*moves)
    sitting.resign()
    text = sitting.pgn()
    game = pgn.read_game(io.StringIO(text))
    assert game.errors == []
    assert game.headers["Result"] == "0-1"
    assert [node.san() for node in game.mainline()] == sitting.moves() == ["e4", "e5", "Nf3", "Nf6"]
    found = []

    def walk(node: Any, moves: list[str]) -> None:
        if not node.variations:
            found.append(moves)
        for one in node.variations:
            walk(one, [*moves, one.san()])

    walk(game, [])
    kept = [written(sitting.game, line) for line in sitting.variations.lines(sitting.match.actions)]
    assert sorted(found) == sorted([*kept, sitting.moves()])
    assert {"e4 c5 Nf3 d6", "e4 c5 Nf3 e6", "d4", "e4 e5 Nf3 Nc6"} == {" ".join(line) for line in kept}
    clocks = [node.clock() for node in game.mainline()]
    assert clocks[0] is None
    assert clocks[1:] == [pytest.approx(left, abs=0.11) for left in sitting.clock.after_moves(4)[1:]]


def written(game: Game, line: list[Any]) -> list[str]:
    """Moves as people write them."""
    state, moves = game.initial, []
    for action in line:
        moves.append(game.show_action(state, action))
        state = game.result(state, action)
    return moves
