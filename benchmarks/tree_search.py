"""Tree search, or the engine, against OpenSpiel's MCTS in C++, at equal time: random openings, sides exchanged.

    python benchmarks/tree_search.py [--games connect hex] [--pairs 10] [--seconds 0.1] [--options rave=1] [--engine]

OpenSpiel's bot (UCT with its usual constant 2, one random game a simulation, proven values backed up) is limited by
simulations and not by time. So both sides may make as many as their last move would have made in the given seconds of
the processor, and the engine as many nodes; the table shows what they took. Each side has one thread.
"""

import argparse
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pyspiel

from results import Sheet, add_save
from zermelo import Engine
from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.game import MAX, Action, Game, State
from zermelo.games import breakthrough, chess, clobber, connect, dots_and_boxes, hex, mnk, othello, oware, pentago

Writer = Callable[[str], str]
OPENING: Final = 4
"""Random plies at the beginning of each pair of games."""
UCT: Final = 2.0
PASS: Final = "pass"


def same(text: str) -> str:
    """Return the move as OpenSpiel writes it."""
    return text


def mirrored(text: str) -> str:
    """Return a move of breakthrough, where OpenSpiel's first player moves down."""
    file, rank, other, onto = tuple(text[:4])
    return f"{file}{9 - int(rank)}{other}{9 - int(onto)}"


def turned(text: str) -> str:
    """Return a move of clobber on a board whose columns OpenSpiel counts from the other side."""
    return "".join(chr(ord("a") + ord("h") - ord(letter)) if letter.isalpha() else letter for letter in text)


def on_rows(rows: int) -> Writer:
    """Return a writer of cells that OpenSpiel counts by row and column, from the top."""

    def write(text: str) -> str:
        row, column = map(int, re.findall(r"\d+", text))
        return f"{chr(ord('a') + column)}{rows - row}"

    return write


def line(text: str) -> str:
    """Return a line of dots and boxes."""
    kind, row, column = re.findall(r"[hv]|\d+", text.partition("(")[2])
    return f"{kind}{row}.{column}"


GAMES: Final[dict[str, tuple[Callable[[], Game], str, Writer]]] = {
    "breakthrough": (breakthrough, "breakthrough", mirrored),
    "chess": (chess, "chess", same),
    "clobber": (clobber, "clobber(rows=5,columns=6)", same),
    "clobber8": (lambda: clobber(8, 8), "clobber(rows=8,columns=8)", turned),
    "connect": (connect, "connect_four", lambda text: text[1:]),
    "dots_and_boxes": (dots_and_boxes, "dots_and_boxes(num_rows=3,num_cols=3)", line),
    "gomoku": (lambda: mnk(15, 15, 5), "mnk(m=15,n=15,k=5)", on_rows(15)),
    "hex": (hex, "hex(board_size=11)", same),
    "hex7": (lambda: hex(7), "hex(board_size=7)", same),
    "oware": (oware, "oware", same),
    "othello": (othello, "othello", same),
    "pentago": (pentago, "pentago", same),
}
"""Our game, OpenSpiel's, and how its moves are written here."""


def plain(text: str) -> str:
    """Return a move without signs that only one side writes."""
    return re.sub(r"[-x+#*= ]", "", text)


@dataclass
class Side:
    """What one side has used in all games."""

    simulations: int = 0
    moves: int = 0
    seconds: float = 0.0
    speed: float = 1000.0
    """Simulations a second, in the last move that was not proven at once."""
    asked: int = 2
    """Simulations that the last move was allowed."""

    def limit(self, seconds: float) -> int:
        """Return how many simulations the next move may make."""
        self.asked = max(2, int(self.speed * seconds))
        return self.asked

    def add(self, simulations: int, seconds: float) -> None:
        """Count a move."""
        if 2 * simulations >= self.asked:  # a proof that ends a search at once tells no speed
            self.speed = max(50.0, simulations / max(seconds, 1e-4))
        self.simulations, self.moves, self.seconds = (
            self.simulations + simulations,
            self.moves + 1,
            self.seconds + seconds,
        )

    def __str__(self) -> str:
        many = max(1, self.moves)
        return f"{self.simulations / many:,.0f} in {self.seconds / many:.3f} s"


class Bot:
    """OpenSpiel's tree search, which takes about so many seconds a move."""

    def __init__(self, game: Any, seconds: float, seed: int) -> None:
        self.game, self.seconds, self.seed = game, seconds, seed
        self.used = Side()

    def choose(self, state: Any) -> int:
        """Return the action to play."""
        limit = self.used.limit(self.seconds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        policy: Any = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(self.game, evaluator, UCT, limit, 1000, True, self.seed, False, policy)
        self.seed += 1
        start = time.process_time()
        root = bot.mcts_search(state)
        took = time.process_time() - start
        self.used.add(root.explore_count, took)
        return int(root.best_child().action)


class Pair:
    """The same position on both sides."""

    def __init__(self, game: Game, theirs: Any, write: Writer) -> None:
        self.game, self.write = game, write
        self.states: list[State] = [game.initial]
        self.other = theirs.new_initial_state()

    @property
    def state(self) -> State:
        """Our position."""
        return self.states[-1]

    def is_over(self) -> bool:
        """Whether the game is over by either rules."""
        return bool(self.game.is_terminal(self.state) or self.other.is_terminal())

    def value(self) -> float:
        """The result for the first player: 1, 0 or -1."""
        if self.game.is_terminal(self.state):
            value = self.game.utility(self.state)
            return float((value > 0) - (value < 0))
        return float(self.other.returns()[self.first()])

    def first(self) -> int:
        """OpenSpiel's number of the player who is MAX here."""
        return 1 if self.other.get_game().get_type().short_name == "chess" else 0

    def play(self, action: Action | None = None, other: int | None = None) -> None:
        """Play a move, given as ours or as theirs."""
        texts = {plain(self.game.show_action(self.state, one)): one for one in self.game.legal_actions(self.state)}
        others = {plain(self.write(self.other.action_to_string(one))): one for one in self.other.legal_actions()}
        if texts.keys() != others.keys():
            raise SystemExit(f"The moves differ: {sorted(texts)} here, {sorted(others)} there.\n{self.other}")
        if action is None:
            action = next(texts[text] for text, one in others.items() if one == other)
        else:
            other = others[plain(self.game.show_action(self.state, action))]
        self.states.append(self.game.result(self.state, action))
        self.other.apply_action(other)


class Player:
    """Our player: tree search with the given options, or the engine."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        given = {key: float(value) for key, _, value in (part.partition("=") for part in options.options)}
        self.engine = Engine(game) if options.engine else None
        self.tree = None if options.engine else TreeSearch(game, **given)  # type: ignore[arg-type]
        if self.engine is not None:
            self.engine.search(nodes=1)
        if self.tree is not None:
            self.tree.prepare()

    def clear(self, seed: int) -> None:
        """Forget the game before."""
        if self.engine is not None:
            self.engine.clear()
        if self.tree is not None:
            self.tree.clear(seed)

    def search(self, states: list[State], limit: int) -> Any:
        """Return what it finds about the last of some states with so many simulations or nodes."""
        if self.engine is not None:
            return self.engine.search(states[-1], nodes=limit, before=states[:-1])
        assert self.tree is not None
        return self.tree.search(states[-1], playouts=limit, before=states[:-1])


def play(name: str, options: argparse.Namespace, sheet: Sheet) -> None:
    """Play the pairs of games of one game, and print a row."""
    make, peer, write = GAMES[name]
    game, theirs = make(), pyspiel.load_game(peer)
    player, bot, used = Player(game, options), Bot(theirs, options.seconds, 1), Side()
    counts = {1.0: 0, 0.0: 0, -1.0: 0}
    for number in range(2 * options.pairs):
        chooser, pair = random.Random(number // 2), Pair(game, theirs, write)
        for _ in range(OPENING):
            pair.play(chooser.choice(game.legal_actions(pair.state)))
        ours = MAX if number % 2 else -MAX
        player.clear(number)
        while not pair.is_over():
            if game.to_move(pair.state) == ours:
                start = time.process_time()
                found = player.search(pair.states, used.limit(options.seconds))
                used.add(found.nodes, time.process_time() - start)
                pair.play(found.action)
            else:
                pair.play(other=bot.choose(pair.other))
        counts[pair.value() * ours] += 1
    score = (counts[1.0] + counts[0.0] / 2) / (2 * options.pairs)
    sheet.row(name, counts[1.0], counts[0.0], counts[-1.0], f"{100 * score:.0f} %", str(used), str(bot.used))


def main() -> None:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=sorted(GAMES), default=sorted(GAMES), metavar="GAME")
    parser.add_argument("--pairs", type=int, default=10, help="pairs of games, sides exchanged")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each move")
    parser.add_argument("--engine", action="store_true", help="play with the engine")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=NUMBER", help="of our tree search")
    add_save(parser)
    options = parser.parse_args()
    counts = dict.fromkeys(("won", "drawn", "lost"), ",")
    work = "nodes a move" if options.engine else "simulations a move"
    others = dict.fromkeys(("score", work, "OpenSpiel's"), "")
    sheet = Sheet("engine_and_mcts" if options.engine else "tree_search", {"game": ""} | counts | others)
    for name in options.games:
        play(name, options, sheet)
    sheet.save(options.save, merge=options.games != sorted(GAMES))


if __name__ == "__main__":
    main()
