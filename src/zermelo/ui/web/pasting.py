"""What a visitor pastes, as a game: a link, a position, a game in PGN, or a list of moves."""

import re
from contextlib import suppress
from dataclasses import replace
from urllib.parse import parse_qsl

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import Game
from zermelo.notation import split_moves
from zermelo.play.match import Match
from zermelo.play.moves import write_moves
from zermelo.ui.web import links
from zermelo.ui.web.links import Position
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.tree_text import read_pgn_tree, write_tree
from zermelo.ui.web.variations import Variations

LONGEST = 40_000
"""Characters of a text that is pasted."""


def pasted(shelf: Shelf, game: Game, now: Position, text: str) -> Position:
    """Return what a text means: a link to any game, or a position, a PGN or moves of ``game``.

    Parameters
    ----------
    shelf, game
        The games of the server, and the one that is played.
    now
        The game, its parameters and players; they stay unless the text is a link.
    text
        What was pasted.

    Raises
    ------
    BadParameter
        It is none of these.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadParameter(f"The text has {len(text):,} characters; a page takes at most {LONGEST:,}.")
    start = replace(now, moves="", tree="", position="")
    if "game=" in text:
        return links.read(parse_qsl(text.partition("?")[2] or text), links.opening(shelf))
    if game.read_pgn is not None and text.startswith("["):
        position, moves, tree = _first_of_pgn(game, text)
        return replace(start, position=position, moves=moves, tree=tree)
    first = text.partition("\n")[0].partition(";")[0].partition("%")[0].strip()
    if game.from_text is not None:
        for line in (text, first):
            try:
                return replace(start, position=game.show_state(game.from_text(line)))
            except ValueError:
                continue
    try:
        return replace(start, moves=_moves(game, text))
    except IllegalAction as error:
        if game.read_pgn is not None and re.match(r"\d+\.", text):  # a PGN without tags
            position, moves, tree = _first_of_pgn(game, text)
            return replace(start, position=position, moves=moves, tree=tree)
        raise BadParameter(
            f"{text[:60]!r} is no position, link or list of moves of {game.name}: {error} "
            f"A position of this game reads {game.show_state(game.initial)!r}."
        ) from None


def _first_of_pgn(game: Game, text: str) -> tuple[str, str, str]:
    """Return the position, the moves and the variations of the first game in a PGN."""
    assert game.read_pgn is not None
    try:
        state, actions = game.read_pgn(text)[0]
    except (ValueError, IndexError) as error:
        raise BadParameter(f"The PGN cannot be read: {str(error).rstrip('.') or 'it holds no game'}.") from None
    position = "" if state == game.initial else game.show_state(state)
    tree = Variations()
    for line in [*read_pgn_tree(game, text, state), actions] if "(" in text else []:
        tree.add(line)
    written = write_tree(game, state, tree, actions)
    moves = []
    for action in actions:
        moves.append(game.show_action(state, action))
        state = game.result(state, action)
    return position, ",".join(moves), written


def _moves(game: Game, text: str) -> str:
    """Return the moves of a list, without the numbers of moves, as a link has them.

    A move that people write with spaces ends at a comma, at the end of the line, or at the number of the next move.
    """
    parts = [part.strip() for part in re.split(r",|\n|(?:^|(?<=\s))\d+\.+(?=\s)", text)]
    words = [word for word in split_moves(text.replace("\n", " ")) if not re.fullmatch(r"\d+\.+", word)]
    with suppress(IllegalAction):
        return write_moves(Match(game, "human", "human", list(filter(None, parts))))
    game.replay(words)  # whose errors say which move is wrong
    return write_moves(Match(game, "human", "human", words))
