"""The games that OpenSpiel has, too: how its moves are written here, and whether its rules are the same.

    python benchmarks/openspiel_games.py [--games checkers kalah] [--number 100]

plays random games by both rules at once. It stops where the moves are not the same ones, and counts the games that end
by one side's rules alone, and those that both end with different results.

A move of ours may be several actions of OpenSpiel's: each jump of a chain in checkers is one, and so is the taking of a
man in nine men's morris. `Pair` goes on after each of them with the moves that begin like this. The rules are the same,
but for this:

- OpenSpiel draws checkers after 40 plies without a jump, and lets positions come back. `jumping` has these rules, too.
- OpenSpiel draws nine men's morris after 200 turns, and lets positions come back. Here they may, too, but our player
  does not know the limit. Before version 2.0.1, OpenSpiel had no steps onto the first point, and so the moves differ.
- OpenSpiel's kalah is ours without ``empty_capture``.
- OpenSpiel's oware ends once a player has more than half of the seeds, so its winner is the same.
- Chess ends when a position stands for the third time, and oware when one comes back. Our rules do so, too, but not
  `Game.is_terminal`, which sees no earlier position: such games end here by OpenSpiel's rules.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import pyspiel

from results import Sheet, add_save
from zermelo.game import Action, Game, State
from zermelo.games import (
    breakthrough,
    checkers,
    chess,
    clobber,
    connect,
    dots_and_boxes,
    hex,
    kalah,
    mnk,
    nine_mens_morris,
    othello,
    oware,
    pentago,
)
from zermelo.games.dark_squares import CountedState
from zermelo.games.nine_mens_morris import NAMES

Parts = tuple[str, ...]
"""Our move, as a text for each of OpenSpiel's actions."""


def plain(text: str) -> str:
    """Return a move without signs that only one side writes."""
    return re.sub(r"[-x+#*= ]", "", text)


def same(text: str) -> str:
    """Return the action as OpenSpiel writes it."""
    return text


def mirrored(text: str) -> str:
    """Return a move of breakthrough, where OpenSpiel's first player moves down."""
    file, rank, other, onto = tuple(text[:4])
    return f"{file}{9 - int(rank)}{other}{9 - int(onto)}"


def turned(text: str) -> str:
    """Return a move of clobber on a board whose columns OpenSpiel counts from the other side."""
    return "".join(chr(ord("a") + ord("h") - ord(letter)) if letter.isalpha() else letter for letter in text)


def on_rows(rows: int) -> Callable[[str], str]:
    """Return a writer of cells that OpenSpiel counts by row and column, from the top."""

    def write(text: str) -> str:
        row, column = map(int, re.findall(r"\d+", text))
        return f"{chr(ord('a') + column)}{rows - row}"

    return write


def line(text: str) -> str:
    """Return a line of dots and boxes."""
    kind, row, column = re.findall(r"[hv]|\d+", text.partition("(")[2])
    return f"{kind}{row}.{column}"


def numbered(text: str) -> str:
    """Return a step or jump of checkers in the numbers of PDN, from the side of OpenSpiel's first player."""
    cells = re.findall("([a-h])([1-8])", text)
    return "-".join(str(4 * int(rank) - "abcdefgh".index(file) // 2) for file, rank in cells)


def jumps(text: str) -> Parts:
    """Return the jumps of a chain in checkers, or the one step."""
    squares = re.findall(r"\d+", text)
    return tuple(start + end for start, end in pairwise(squares))


def pit(text: str) -> str:
    """Return a pit of kalah, which OpenSpiel numbers around the board from North's store."""
    return ".ABCDEF.abcdef"[int(text)]


def points(text: str) -> str:
    """Return the points of nine men's morris, which OpenSpiel numbers as we do."""
    return "".join(NAMES[int(number)] for number in re.findall(r"\d+", text))


def taking(text: str) -> Parts:
    """Return a move of nine men's morris, and then the man that it takes."""
    return tuple(plain(part) for part in text.split("x"))


def jumping() -> Game:
    """Return checkers in which a man's move is no progress, as in OpenSpiel."""
    game = checkers(no_progress=40)
    ours = game.result

    def result(state: CountedState, action: int) -> CountedState:
        max_pieces, min_pieces, kings, player, _ = ours(state, action)
        return CountedState(max_pieces, min_pieces, kings, player, 0 if action & 1 else state.quiet + 1)

    return endless(replace(game, result=result))


def endless(game: Game) -> Game:
    """Return the game without an end for positions that come back."""
    return replace(game, occurrences=1000)


@dataclass(frozen=True)
class Peer:
    """A game of ours, and OpenSpiel's."""

    make: Callable[[], Game]
    name: str
    """OpenSpiel's name, with parameters."""
    write: Callable[[str], str] = same
    """Takes OpenSpiel's text of an action, and returns ours, apart from signs."""
    split: Callable[[str], Parts] = lambda text: (plain(text),)
    """Takes our text of a move, and returns those of OpenSpiel's actions."""
    first: int = 0
    """OpenSpiel's number of the player who is MAX here."""


GAMES: Final = {
    "breakthrough": Peer(breakthrough, "breakthrough", mirrored),
    "checkers": Peer(jumping, "checkers", numbered, jumps),
    "chess": Peer(chess, "chess", first=1),
    "clobber": Peer(clobber, "clobber(rows=5,columns=6)"),
    "clobber8": Peer(lambda: clobber(8, 8), "clobber(rows=8,columns=8)", turned),
    "connect": Peer(connect, "connect_four", lambda text: text[1:]),
    "dots_and_boxes": Peer(dots_and_boxes, "dots_and_boxes(num_rows=3,num_cols=3)", line),
    "dots_and_boxes5": Peer(lambda: dots_and_boxes(5, 5), "dots_and_boxes(num_rows=5,num_cols=5)", line),
    "gomoku": Peer(lambda: mnk(15, 15, 5), "mnk(m=15,n=15,k=5)", on_rows(15)),
    "hex": Peer(hex, "hex(board_size=11)"),
    "hex7": Peer(lambda: hex(7), "hex(board_size=7)"),
    "kalah": Peer(lambda: kalah(empty_capture=False), "mancala", pit),
    "nine_mens_morris": Peer(lambda: endless(nine_mens_morris()), "nine_mens_morris", points, taking),
    "oware": Peer(oware, "oware"),
    "othello": Peer(othello, "othello"),
    "pentago": Peer(pentago, "pentago"),
}


class Pair:
    """The same position on both sides."""

    def __init__(self, game: Game, peer: Peer) -> None:
        self.game, self.peer = game, peer
        self.states: list[State] = [game.initial]
        self.other = pyspiel.load_game(peer.name).new_initial_state()
        self.begun: Parts = ()
        """The actions of OpenSpiel's that began a move of ours."""

    @property
    def state(self) -> State:
        """Our position."""
        return self.states[-1]

    def is_over(self) -> bool:
        """Whether the game is over by either rules."""
        return bool(self.game.is_terminal(self.state) or self.other.is_terminal())

    def ours(self) -> float:
        """The result for MAX by our rules, when they end the game: 1, 0 or -1."""
        value = self.game.utility(self.state)
        return float((value > 0) - (value < 0))

    def theirs(self) -> float:
        """The result for MAX by OpenSpiel's rules, when they end the game."""
        return float(self.other.returns()[self.peer.first])

    def value(self) -> float:
        """The result for MAX: ours, if the game is over by our rules."""
        return self.ours() if self.game.is_terminal(self.state) else self.theirs()

    def parts(self, action: Action) -> Parts:
        """Return OpenSpiel's texts for our move."""
        return self.peer.split(self.game.show_action(self.state, action))

    def others(self) -> dict[str, int]:
        """Return OpenSpiel's legal actions by their texts."""
        write = self.peer.write
        return {plain(write(self.other.action_to_string(one))): one for one in self.other.legal_actions()}

    def play(self, action: Action) -> None:
        """Play a move of ours."""
        for part in self.parts(action):
            self.step(self.others()[part])

    def step(self, other: int) -> None:
        """Play an action of OpenSpiel's, which may be only a part of a move of ours."""
        place, others = len(self.begun), self.others()
        moves = {self.parts(one): one for one in self.game.legal_actions(self.state)}
        moves = {parts: one for parts, one in moves.items() if parts[:place] == self.begun}
        texts = {parts[place] for parts in moves}
        if texts != others.keys() or len(others) != len(self.other.legal_actions()):
            raise SystemExit(f"The moves differ: {sorted(texts)} here, {sorted(others)} there.\n{self.other}")
        self.begun += (next(text for text, one in others.items() if one == other),)
        self.other.apply_action(other)
        if self.begun in moves:
            self.states.append(self.game.result(self.state, moves[self.begun]))
            self.begun = ()


def compare(name: str, number: int, sheet: Sheet) -> None:
    """Play random games by both rules, and print a row."""
    peer = GAMES[name]
    game, counts, plies = peer.make(), Counter[str](), 0
    for seed in range(number):
        chooser, pair = random.Random(seed), Pair(game, peer)
        while not pair.is_over():
            pair.play(chooser.choice(game.legal_actions(pair.state)))
        plies += len(pair.states) - 1
        if not game.is_terminal(pair.state):
            counts["theirs"] += 1
        elif not pair.other.is_terminal():
            counts["ours"] += 1
        else:
            counts["differ"] += pair.ours() != pair.theirs()
    sheet.row(name, number, plies, counts["ours"], counts["theirs"], counts["differ"])


def main() -> None:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=sorted(GAMES), default=sorted(GAMES), metavar="GAME")
    parser.add_argument("--number", type=int, default=100, help="of random games")
    add_save(parser)
    options = parser.parse_args()
    columns = ("random games", "plies", "end by our rules alone", "by OpenSpiel's alone", "results that differ")
    sheet = Sheet("openspiel_rules", {"game": ""} | dict.fromkeys(columns, ","))
    for name in options.games:
        compare(name, options.number, sheet)
    sheet.save(options.save, merge=options.games != sorted(GAMES))


if __name__ == "__main__":
    main()
