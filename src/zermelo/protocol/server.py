"""``zermelo engine``: the compiled engine as a program that others control, under UGI or UCI.

Two threads share the work. One reads lines and answers at once what can be answered at once. The other compiles and
searches, one request after the other; the first thread ends a search at ``stop``. So ``ugi`` is answered before
anything is compiled, and ``isready`` is answered during a search.
"""

import os
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from zermelo.errors import BadParameter, ZermeloError, in_a_line
from zermelo.game import Game, State
from zermelo.protocol.commands import Go, read_go, read_option
from zermelo.protocol.position import Position, read_position, write_move
from zermelo.result import SearchResult

if TYPE_CHECKING:
    from zermelo.engine import Engine

Say = Callable[[str], None]
Request = Callable[[], None]
LONGEST: Final = 1 << 20
"""Characters of a line; a longer one is refused."""
NO_MOVE: Final = "(none)"
"""What follows ``bestmove`` where there is no legal move, or no position."""


class Server:
    """An engine for one game that obeys lines of UGI or UCI.

    Parameters
    ----------
    game
        The rules.
    say
        Called with each line of the answer, from either thread.
    name
        Of the program, with its version.
    """

    def __init__(self, game: Game, say: Say, name: str) -> None:
        self.game, self.name = game, name
        self._print = say
        self._printing = threading.Lock()
        self._position: Position | None = Position(game)
        self._engine: Engine | None = None
        self._ranges = {"hash": (64, 1, most_hash()), "threads": (1, 1, os.cpu_count() or 1)}
        """Usual, least and most values of the options."""
        self._settings = {name: usual for name, (usual, _, _) in self._ranges.items()}
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
            self._worker.join()

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
        options = [
            f"option name {name.capitalize()} type spin default {usual} min {least} max {most}"
            for name, (usual, least, most) in self._ranges.items()
        ]
        about = [f"id name {self.name} ({self.game!r})", "id author the authors of zermelo"]
        self.say(*about, *options, "option name Clear Hash type button", end)

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
        self._position = None  # a move for the position before would be worse than none
        self._position = read_position(self.game, words)

    # What the worker does.

    def _ready(self) -> None:
        """Compile, unless a search is under way: then all is compiled."""
        if self._search is not None and self._search.begun:
            self.say("readyok")
            return
        self._requests.put(self._compile)

    def _compile(self) -> None:
        try:
            engine = self._made()
            if not self.game.is_terminal(self.game.initial):
                engine.search(self.game.initial, nodes=1)
        except ZermeloError as error:
            self._explain(str(error))
        except Exception as error:  # the rules of a user's game failed
            self._explain(f"The rules failed: {in_a_line(error)}.")
        self.say("readyok")

    def _made(self) -> "Engine":
        """The engine, made when first needed: that takes half a second, and compilation some more."""
        if self._engine is None:
            from zermelo.engine import Engine

            self._engine = Engine(self.game, threads=self._settings["threads"], table_mb=self._settings["hash"])
        return self._engine

    def _new_game(self) -> None:
        self._position = Position(self.game)
        self._requests.put(self._forget)

    def _forget(self) -> None:
        if self._engine is not None:
            self._engine.clear()

    def _set_option(self, words: list[str]) -> None:
        name, value = read_option(words)
        if name.lower() == "clear hash":
            self._requests.put(self._forget)
            return
        if name.lower() not in self._ranges:
            self._explain(f"There is no option {name[:40]!r}; there are Hash, Threads and Clear Hash.")
            return
        _, least, most = self._ranges[name.lower()]
        if not (value.isascii() and value.isdecimal() and len(value) < 10 and least <= int(value) <= most):
            self._explain(f"{name} cannot be {value[:40]!r}; it must be a whole number from {least} to {most}.")
            return
        self._requests.put(lambda: self._change(name.lower(), int(value)))

    def _change(self, name: str, value: int) -> None:
        self._settings[name] = value
        self._engine = None

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
            best = search.run(self._made, self.say) or NO_MOVE
        except ZermeloError as error:
            self._explain(str(error))
        except Exception as error:  # the rules of a user's game failed
            self._explain(f"The search failed: {in_a_line(error)}.")
        search.ended.set()
        self.say(f"bestmove {best}")

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
        self._engine: Engine | None = None

    @property
    def goes_on(self) -> bool:
        """Whether it has neither ended nor been told to."""
        return not (self.ended.is_set() or self._stopped.is_set())

    def stop(self) -> None:
        """End the search, whether it has begun or not."""
        self._stopped.set()
        if self._engine is not None:
            self._engine.stop()

    def run(self, made: Callable[[], "Engine"], say: Callable[[str], None]) -> str | None:
        """Search; returns the best move as text, None where there is none.

        Parameters
        ----------
        made
            Gives the engine.
        say
            Receives a line of ``info`` for each iteration.
        """
        position, go = self.position, self.go
        if position is None or position.is_over:
            self._wait_for_stop()
            return None
        game, state = position.game, position.state
        engine = made()

        latest: SearchResult | None = None

        def tell(result: SearchResult) -> None:
            nonlocal latest
            if self._stopped.is_set():
                engine.stop()
            latest = result
            say(info_line(game, state, result))

        engine.search(state, nodes=1)  # compiles, which no clock counts
        self._engine, self.begun = engine, True
        nodes = 1 if self._stopped.is_set() else go.nodes
        result = engine.search(
            state, seconds=go.seconds(position.first_moves), depth=go.depth, nodes=nodes, progress=tell
        )
        if latest is None or (latest.value, latest.action) != (result.value, result.action):
            say(info_line(game, state, result))
        self._wait_for_stop()
        return write_move(game, state, result.action)

    def _wait_for_stop(self) -> None:
        """After ``go infinite`` nothing is answered before ``stop``."""
        if self.go.infinite:
            self._stopped.wait()


def info_line(game: Game, state: State, result: SearchResult) -> str:
    """What a search has found, as UCI writes it: the score is the mover's.

    A proven win or loss of a game without margins is a ``mate`` in so many moves of the mover; any other score is in
    units of the game's own EVAL.
    """
    player = game.to_move(state)
    score = f"cp {result.value * player}"
    if result.proven and result.remoteness is not None and result.value and game.outcomes == "wdl":
        moves = (result.remoteness + 1) // 2
        score = f"mate {moves if result.value * player > 0 else -moves}"
    milliseconds = round(result.seconds * 1000)
    speed = f" nps {round(result.nodes / result.seconds)}" if result.seconds > 0 else ""
    line = []
    for action in result.principal_variation:
        line.append(write_move(game, state, action))
        state = game.result(state, action)
    return (
        f"info depth {result.depth or 0} score {score} nodes {result.nodes}{speed} time {milliseconds}"
        f" pv {' '.join(line)}".rstrip()
    )
