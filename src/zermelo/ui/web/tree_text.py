"""A game with its variations as a text: in a link, and in Portable Game Notation (PGN).

In a link the moves stand one after the other, with commas between them. Brackets hold what was also played in a
position, before the move that went on from there: in ``e4(c5,Nf3)e5`` Black answered e4 with c5 once, and at last with
e5. In PGN, brackets stand behind the move that they replace: ``1. e4 e5 (1... c5 2. Nf3)``.
"""

import re
from collections.abc import Iterable
from typing import Final

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import Action, Game, State
from zermelo.ui.web.variations import Branches, Variations

MOST_MOVES: Final = 2_000
"""Moves that a text may have, with those of its variations."""
MOST_NESTED: Final = 100
"""Brackets within brackets that a text may have."""
_WORDS: Final = re.compile(r"[()]|[^(),\s]+")
_PGN: Final = re.compile(
    r"\{[^}]*\}|;[^\n]*|^%[^\n]*|^\[[^\n]*\]\s*$|\$\d+|\d+\.+|[()]|[^\s(){};]+",
    re.MULTILINE,
)
"""The words of a PGN: comments, escaped lines, tags, glyphs, numbers of moves, brackets, and moves or results."""
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")


def write_tree(game: Game, start: State, variations: Variations, main: list[Action]) -> str:
    """Return all lines that were played from ``start`` as the text of a link; ``main`` is the line of the game.

    Moves are as people write them, or numbers, where what people write has commas, brackets or spaces.
    """
    words: list[tuple[str, str]] = []
    todo: list[tuple[str, str] | tuple[State, Branches, int]] = [(start, variations.branches, 0)]
    while todo:
        item = todo.pop()
        if len(item) == 2:
            words.append(item)
            continue
        state, branches, ply = item  # ply is -1 beside the main line
        usual = next(reversed(branches), None) if ply < 0 else None
        last = main[ply] if 0 <= ply < len(main) else usual
        parts: list[tuple[str, str] | tuple[State, Branches, int]] = []
        for action in sorted(branches, key=lambda one: one == last):  # the others keep their order
            is_last = action == last
            move = (game.show_action(state, action), str(action))
            behind = (game.result(state, action), branches[action], ply + 1 if is_last and ply >= 0 else -1)
            parts += [move, behind] if is_last else [("(", "("), move, behind, (")", ")")]
        todo += reversed(parts)
    has_signs = any(set(" ,()") & set(shown) for shown, _ in words if shown not in ("(", ")"))
    text = ",".join(number if has_signs else shown for shown, number in words)
    return text.replace("(,", "(").replace(",)", ")").replace(",(", "(").replace("),", ")")


def read_tree(game: Game, text: str, start: State) -> tuple[list[Action], list[list[Action]]]:
    """Return the line of the game, and the other lines, of a link's text.

    Raises
    ------
    BadParameter
        A move is not legal where it stands, a bracket has no partner, or there are too many moves.
    """
    return _read(game, _WORDS.findall(text), start, back=0, called="variations of the link")


def read_pgn_tree(game: Game, text: str, start: State) -> list[list[Action]]:
    """Return the lines of the variations of the first game in a PGN.

    Raises
    ------
    BadParameter
        As `read_tree`.
    """
    main, lines = _read(game, _words_of_pgn(text), start, back=1, called="variations of the PGN")
    return [*lines, main]


def _words_of_pgn(text: str) -> Iterable[str]:
    """Yield the moves and brackets of the first game in a PGN."""
    depth = 0
    for word in _PGN.findall(text):
        if word[0] in "{;%[$" or re.fullmatch(r"\d+\.+", word):
            continue
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word in _RESULTS:
            if depth:
                continue
            return
        move = word.rstrip("!?")
        if move:
            yield move


def _read(
    game: Game, words: Iterable[str], start: State, *, back: int, called: str
) -> tuple[list[Action], list[list[Action]]]:
    """Return the main line and the others; a bracket takes so many moves ``back``."""
    line: list[Action] = []
    states, lines, count = [start], [], 0
    outer: list[tuple[int, list[Action], list[State]]] = []
    floor = 0
    """The number of moves before the innermost bracket."""
    for word in words:
        if word == "(":
            place = len(line) - back
            if place < floor:
                raise BadParameter(f"The {called} have a bracket before the move that it replaces.")
            if len(outer) == MOST_NESTED:
                raise BadParameter(f"The {called} have more than {MOST_NESTED} brackets within each other.")
            outer.append((floor, line[place:], states[place + 1 :]))
            del line[place:], states[place + 1 :]
            floor = place
        elif word == ")":
            if not outer:
                raise BadParameter(f"The {called} have a closing bracket without an opening one.")
            if len(line) > floor:
                lines.append(list(line))
            place = floor
            floor, moves, behind = outer.pop()
            line[place:], states[place + 1 :] = moves, behind
        else:
            count += 1
            if count > MOST_MOVES:
                raise BadParameter(f"The {called} have more than {MOST_MOVES:,} moves.")
            try:
                line.append(game.read_action(states[-1], word))
            except IllegalAction as error:
                raise BadParameter(f"The {called} cannot be played. Move {count}: {error}") from None
            states.append(game.result(states[-1], line[-1]))
    if outer:
        raise BadParameter(f"The {called} have an opening bracket without a closing one.")
    return line, lines
