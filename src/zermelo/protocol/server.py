"""``zermelo engine``: a player as a program that others control, under UGI or UCI.

Two threads share the work. One reads lines and answers at once what can be answered at once. The other compiles and
searches, one request after the other; the first thread ends a search at ``stop``. So ``ugi`` is answered before
anything is compiled, and ``isready`` is answered during a search.
"""

import os
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Final

from zermelo.errors import BadParameter, ZermeloError, in_a_line
from zermelo.game import Action, Game, State
from zermelo.protocol.commands import Go, read_go, read_option
from zermelo.protocol.position import NO_MOVE, Position, Writer, read_position, write_coordinates, write_move
from zermelo.protocol.thinkers import EngineThinker, Thinker

Say = Callable[[str], None]
Request = Callable[[], None]
LONGEST: Final = 1 << 20
"""Characters of a line; a longer one is refused."""
_GRACE: Final = 1.0
"""Seconds that a thinker which cannot be stopped has at the end of the program."""


class Server:
    """A player of one game that obeys lines of UGI or UCI.

    Parameters
    ----------
    game
        The rules.
    say
        Called with each line of the answer, from either thread.
    name
        Of the program, with its version.
    thinker
        What chooses the moves; the compiled engine if None.
    variant
        What programs that speak UCI call the game; its own name if empty.
    """

    def __init__(self, game: Game, say: Say, name: str, thinker: Thinker | None = None, variant: str = "") -> None:
        self.game, self.name = game, name
        self._print = say
        self._printing = threading.Lock()
        self._form = game
        self._position: Position | None = Position(game)
        self._write: Writer = write_move
        self._variant = variant or game.name
        engine_ranges = {"hash": (64, 1, most_hash()), "threads": (1, 1, os.cpu_count() or 1)}
        self._thinker = thinker or EngineThinker(game, engine_ranges)
        self._closed = False
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        self._search: Search | None = None
        self._worker = threading.Thread(target=self._work, name="zermelo-engine", daemon=True)

    def serve(self, lines: Iterable[str]) -> None:
        """Obey lines until ``quit``, or until there are no more."""
        self._worker.start()
        try:
            for line in lines:
                if not self.obey(line) or self._closed:
                    break
        finally:
            self._stop()
            self._requests.put(None)
            self._worker.join(None if self._thinker.obeys_stop else _GRACE)

    def obey(self, line: str) -> bool:
        """Obey one line; whether to go on."""
        if len(line) > LONGEST:
            self._explain(f"A line has {len(line):,} characters; at most {LONGEST:,} are read.")
            return True
        words = line.split()
        if not words:
            return True
        name, rest = words[0], words[1:]
        if name == "quit":
            return False
        command = self._commands().get(name)
        if command is None:
            self._explain(f"There is no command {name[:40]!r}; there are {', '.join(self._commands())} and quit.")
            return True
        try:
            command(rest)
        except ZermeloError as error:
            self._explain(str(error))
        except Exception as error:  # the rules of a user's game failed
            self._explain(f"{line[:80]!r} failed: {in_a_line(error)}.")
        return True

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            "ugi": lambda _: self._introduce("ugiok"),
            "uci": lambda _: self._introduce("uciok"),
            "isready": lambda _: self._ready(),
            "uginewgame": lambda _: self._new_game(),
            "ucinewgame": lambda _: self._new_game(),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._stop(),
            "query": self._query,
        }

    # What is answered at once.

    def _introduce(self, end: str) -> None:
        if end == "uciok" and self.game.from_text is None:
            raise BadParameter(f"UCI needs positions as text, which {self.game.name} does not have; send ugi.")
        self._write = write_coordinates if end == "uciok" else write_move
        options = [
            f"option name {name.capitalize()} type spin default {usual} min {least} max {most}"
            for name, (usual, least, most) in self._thinker.ranges.items()
        ]
        options += [f"option name {name.title()} type button" for name in self._thinker.buttons]
        if end == "uciok":
            options.append(f"option name UCI_Variant type combo default {self._variant} var {self._variant}")
            options += [f"option name {name} type check default false" for name in self.game.uci_forms]
        self.say(f"id name {self.name} ({self.game!r})", "id author the authors of zermelo", *options, end)

    def _query(self, words: list[str]) -> None:
        position = self._position
        if position is None:
            self._explain("There is no position; the last one could not be read.")
            return
        question = " ".join(words)
        if question == "gameover":
            self.say(f"response {str(position.is_over).lower()}")
        elif question == "p1turn":
            self.say(f"response {str(position.first_moves).lower()}")
        elif question == "result":
            self.say(f"response {position.outcome}")
        else:
            self._explain(f"There is no query {question[:40]!r}; there are gameover, p1turn and result.")

    def _set_position(self, words: list[str]) -> None:
        known, self._position = self._position, None  # a move for the position before would be worse than none
        known = known if known and known.game is self._form else None
        self._position = read_position(self._form, words, known)

    # What the worker does.

    def _ready(self) -> None:
        """Compile, unless a search is under way: then all is compiled."""
        search = self._search
        if search is not None and search.begun and not search.ended.is_set():
            self.say("readyok")
            return
        self._requests.put(self._compile)

    def _compile(self) -> None:
        self._try(self._thinker.prepare)
        self.say("readyok")

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except ZermeloError as error:
            self._explain(str(error))
        except Exception as error:  # the rules of a user's game failed
            self._explain(f"The rules failed: {in_a_line(error)}.")

    def _new_game(self) -> None:
        self._position = Position(self._form)
        self._requests.put(lambda: self._try(self._thinker.new_game))

    def _set_option(self, words: list[str]) -> None:
        name, value = read_option(words)
        ranges, buttons = self._thinker.ranges, self._thinker.buttons
        if name.lower() in buttons:
            self._requests.put(lambda: self._try(self._thinker.new_game))
            return
        if name.lower() == "uci_variant" and value == self._variant:
            return
        for form in self.game.uci_forms:
            if name.lower() == form.lower():
                self._set_form(form, value)
                return
        if name.lower() not in ranges:
            *most, last = [*map(str.capitalize, ranges), *map(str.title, buttons)]
            there_are = f"there are {', '.join(most)} and {last}" if most else f"there is {last}"
            self._explain(f"There is no option {name[:40]!r}; {there_are}.")
            return
        _, least, most_value = ranges[name.lower()]
        if not (value.isascii() and value.isdecimal() and len(value) <= 10 and least <= int(value) <= most_value):
            self._explain(f"{name} cannot be {value[:40]!r}; it must be a whole number from {least} to {most_value}.")
            return
        self._requests.put(lambda: self._try(lambda: self._thinker.change(name.lower(), int(value))))

    def _set_form(self, name: str, value: str) -> None:
        if value not in ("true", "false"):
            raise BadParameter(f"{name} cannot be {value[:40]!r}; it must be true or false.")
        self._form = self.game.uci_forms[name]() if value == "true" else self.game
        self._position = Position(self._form)

    def _go(self, words: list[str]) -> None:
        go, unknown = read_go(words)
        if unknown:
            self._explain(f"go knows no {unknown[0][:40]!r}; it is ignored.")
        if self._search is not None and self._search.goes_on:
            self._explain("A search is under way; send stop first.")
            return
        search = Search(self._position, go)
        self._search = search
        self._requests.put(lambda: self._run(search))

    def _stop(self) -> None:
        if self._search is not None:
            self._search.stop()

    def _run(self, search: "Search") -> None:
        best = NO_MOVE
        try:
            best = search.run(self._thinker, self.say, self._written) or NO_MOVE
        except ZermeloError as error:
            self._explain(str(error))
        except Exception as error:  # the rules of a user's game failed
            self._explain(f"The search failed: {in_a_line(error)}.")
        search.ended.set()
        self.say(f"bestmove {best}")

    def _written(self, _: Game, state: State, action: Action) -> str:
        return self._write(self._form, state, action)

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            request()

    # Saying.

    def say(self, *lines: str) -> None:
        """Print lines together, whichever thread prints; nothing more once nobody reads them."""
        with self._printing:
            try:
                if not self._closed:
                    self._print("\n".join(lines))
            except OSError:
                self._closed = True

    def _explain(self, sentence: str) -> None:
        self.say(f"info string {' '.join(sentence.split())}")


def most_hash() -> int:
    """MiB that the tables may take: half of the machine's memory, where the system tells how much that is."""
    try:
        return max(64, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 21)
    except (AttributeError, ValueError, OSError):
        return 1024


class Search:
    """One search that was asked for.

    Parameters
    ----------
    position
        Where to search from; None where there is no position.
    go
        The limits.
    """

    def __init__(self, position: Position | None, go: Go) -> None:
        self.position, self.go = position, go
        self.ended = threading.Event()
        self.begun = False
        self._stopped = threading.Event()
        self._thinker: Thinker | None = None

    @property
    def goes_on(self) -> bool:
        """Whether it has neither ended nor been told to."""
        return not (self.ended.is_set() or self._stopped.is_set())

    def stop(self) -> None:
        """End the search, whether it has begun or not."""
        self._stopped.set()
        if self._thinker is not None:
            self._thinker.stop()

    def run(self, thinker: Thinker, say: Say, write: Writer = write_move) -> str | None:
        """Search; returns the best move as text, None where there is none.

        Parameters
        ----------
        thinker
            What searches.
        say
            Receives lines of ``info``.
        write
            Writes moves.
        """
        position, go = self.position, self.go
        if position is None or position.game.is_terminal(position.state):
            self._wait_for_stop()
            return None
        thinker.prepare()  # compiles, which no clock counts
        self._thinker, self.begun = thinker, True
        best = thinker.think(position, go, self._stopped, say, write)
        self._wait_for_stop()
        return best

    def _wait_for_stop(self) -> None:
        """After ``go infinite`` nothing is answered before ``stop``."""
        if self.go.infinite:
            self._stopped.wait()
