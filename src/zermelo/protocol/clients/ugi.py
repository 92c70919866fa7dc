"""A foreign program under UGI or UCI."""

import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.protocol.clients.client import Client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Fault
from zermelo.protocol.position import NO_MOVE, write_coordinates, write_move
from zermelo.protocol.process import Process
from zermelo.protocol.scores import MATE
from zermelo.registry import factories, make_game

Dialect = Literal["ugi", "uci"]
_SECOND_TRY: Final = 3.0
"""Seconds after which a program that has not answered ``ugi`` is greeted in UCI."""
_MOST_SEED: Final = 2**31 - 1


class UgiClient(Client):
    """A running program that speaks UGI or UCI.

    Parameters
    ----------
    process, game
        As `Client`.
    options
        Values of the program's own options, by name.

    Attributes
    ----------
    dialect
        The protocol that the program answered.
    offered
        The options that the program offers, by their names in small letters: the rest of the line that offers each.

    Raises
    ------
    Fault
        It does not say ``ugiok``, ``uciok`` or ``readyok`` in time, or lacks one of the options.
    """

    def __init__(self, process: Process, game: Game, options: Mapping[str, str] | None = None) -> None:
        super().__init__(process, game)
        self.offered: dict[str, str] = {}
        self._written: list[tuple[State, Action]] = []
        self._moves: list[str] = []
        self.dialect = self._greet()
        for name, value in (options or {}).items():
            if name.lower() not in self.offered:
                raise BadParameter(f"{process.name} has no option {name!r}.")
            self._set(name, value)
        if self._plays_variants and not {"uci_variant", "variant"} & {name.lower() for name in options or {}}:
            self._set("UCI_Variant", game.name)
        self._is_chess960 = "uci_chess960" in self.offered and not _has_usual_start(game)
        if self._is_chess960:
            self._set("UCI_Chess960", "true")
        self._ready()

    def new_game(self, seed: int) -> None:  # noqa: D102
        if "seed" in self.offered:
            self._set("Seed", str(seed % (_most(self.offered["seed"]) + 1)))
        self.process.send(f"{self.dialect}newgame")
        self._ready()

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        state = states[-1]
        moves = self._texts(states, actions)
        self.process.send(f"position {self._place(states[0])}" + (f" moves {' '.join(moves)}" if moves else ""))
        began = time.monotonic()
        self.process.send(write_go(go, self.dialect))
        found: dict[str, int] = {}
        sentence = ""
        for line in self.talk(go, state, "stop"):
            words = line.split()
            if words[:1] == ["info"]:
                found |= read_info(words[1:])
                sentence = " ".join(words[2:]) if words[1:2] == ["string"] else sentence
            elif words[:1] == ["bestmove"]:
                break
        seconds = time.monotonic() - began
        if len(words) < 2:
            raise Fault("protocol", f"{self.process.name} said bestmove without a move.")
        if words[1] == NO_MOVE and sentence:
            raise Fault("crash", f"{self.process.name} named no move: {sentence}")
        return Answer(self.legal(state, words[1]), seconds, found.get("score"), found.get("depth"), found.get("nodes"))

    def _texts(self, states: Sequence[State], actions: Sequence[Action]) -> list[str]:
        """The moves of the game so far as text; those of the request before need not be written again."""
        known = self._written
        write = write_coordinates if self.dialect == "uci" else write_move
        same = [done == now for done, now in zip(known, zip(states, actions, strict=False), strict=False)]
        del known[same.index(False) if False in same else len(same) :]
        for state, action in zip(states[len(known) : -1], actions[len(known) :], strict=True):
            known.append((state, action))
            self._moves[len(known) - 1 :] = [write(self.game, state, action)]
        return self._moves[: len(known)]

    def _greet(self) -> Dialect:
        process, end = self.process, time.monotonic() + self.process.limits.start_seconds
        dialects: list[Dialect] = ["ugi", "uci"]
        try:
            process.send(dialects.pop(0))
            while time.monotonic() < end:
                until = min(end, time.monotonic() + _SECOND_TRY) if dialects else end
                try:
                    words = process.read(until).split()
                except Fault as fault:
                    if fault.kind != "hang" or not dialects:
                        raise
                    process.send(dialects.pop())
                    continue
                if dialects and "unknown" in map(str.lower, words[:2]):
                    process.send(dialects.pop())
                if words[:2] == ["option", "name"]:
                    name, _, rest = " ".join(words[2:]).partition(" type ")
                    self.offered[name.lower()] = rest
                if words[:1] == ["ugiok"]:
                    return "ugi"
                if words[:1] == ["uciok"]:
                    return "uci"
        except Fault as fault:
            raise Fault("start", f"{process.name} said neither ugiok nor uciok. {fault}") from None
        raise Fault("start", f"{process.name} talks, but said neither ugiok nor uciok in time.")

    def _ready(self) -> None:
        self.process.send("isready")
        self.process.wait_for(lambda line: line == "readyok", self.process.limits.ready_seconds)

    def _set(self, name: str, value: str) -> None:
        self.process.send(f"setoption name {name} value {value}")

    @property
    def _plays_variants(self) -> bool:
        """Whether the program offers to play a game of this name, as engines for variants of chess do."""
        return f" var {self.game.name} " in f"{self.offered.get('uci_variant', '')} "

    def _place(self, start: State) -> str:
        is_usual = start == self.game.initial and not self._is_chess960
        if is_usual or self.game.to_text is None:
            return "startpos"
        return f"fen {self.game.to_text(start)}"


def _has_usual_start(game: Game) -> bool:
    """Whether a game begins as its parameters have it by default, which is the position that ``startpos`` means."""
    return game.name not in factories() or make_game(game.name).initial == game.initial


def _most(option: str) -> int:
    """The greatest value of an option, as the program describes it."""
    name, _, text = option.partition(" max ")
    return int(text) if name and text.isdecimal() and len(text) < 10 and int(text) else _MOST_SEED


def write_go(go: Go, dialect: Dialect) -> str:
    """The line that asks for a move within limits."""
    first, second = ("p1", "p2") if dialect == "ugi" else ("w", "b")
    words: list[str | int] = ["go"]
    if go.first_time is not None and go.second_time is not None:
        words += [f"{first}time", go.first_time, f"{second}time", go.second_time]
        words += [f"{first}inc", go.first_increment, f"{second}inc", go.second_increment]
    limits = {"movestogo": go.moves_to_go, "movetime": go.move_time, "depth": go.depth, "nodes": go.nodes}
    for name, limit in limits.items():
        if limit is not None:
            words += [name, limit]
    return " ".join(map(str, words))


def read_info(words: Sequence[str]) -> dict[str, int]:
    """Depth, score and nodes of a line of ``info``, as far as they are there and are numbers."""
    found: dict[str, int] = {}
    for name, text in pairwise(words):
        if name in ("string", "pv"):
            break
        if name in ("depth", "nodes", "cp", "mate") and text.removeprefix("-").isdecimal() and len(text) < 20:
            found[name] = int(text)
    if "mate" in found:
        moves = found.pop("mate")
        found["score"] = MATE - moves if moves > 0 else -MATE - moves
    elif "cp" in found:
        found["score"] = found.pop("cp")
    found.pop("cp", None)
    return found
