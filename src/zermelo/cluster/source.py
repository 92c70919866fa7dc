"""Sending a game to other machines.

The driver sends the name and the parameters of a registered game. Each machine makes the game from its own rules, and
`zermelo.cluster.greet` compares the fingerprints. Of any other game, the driver sends the functions, pickled. If they
come from a file that the user named, it also sends the file's text, which fingerprints need.
"""

import linecache
import sys
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ClusterError
from zermelo.game import Game
from zermelo.registry import FILE_MODULE, factories
from zermelo.solver.model.problem import knowledge_of


@dataclass(frozen=True)
class GameSource:
    """All that another process needs to make a game."""

    name: str
    parameters: dict[str, int]
    pickled: bytes = b""
    """The game, pickled by cloudpickle; empty for a registered game."""
    texts: dict[str, str] = field(default_factory=dict)
    """The texts of the source files, by file name."""

    def make(self) -> Game:
        """Make the game, and return it."""
        if not self.pickled:
            return factories()[self.name](**self.parameters)
        from ray import cloudpickle

        for file, text in self.texts.items():
            if not linecache.getlines(file):
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        game: Game = cloudpickle.loads(self.pickled)
        return game


def source_of(game: Game) -> GameSource:
    """Return all that another process needs to make a game."""
    parameters = dict(game.parameters)
    known = factories()
    if game.name in known:
        try:
            twin = known[game.name](**parameters)
        except Exception:  # another game of the same name may have other parameters
            twin = None
        if twin is not None and _same(twin, game):
            return GameSource(game.name, parameters)
    return _pickled(game, parameters)


def check_rules(game: Game, here: str, there: str) -> None:
    """Check that a node has the driver's rules of a game.

    Parameters
    ----------
    here, there
        The game's fingerprint on this node, and on the driver's machine.

    Raises
    ------
    ClusterError
        They differ.
    """
    if here != there:
        raise ClusterError(
            f"A node has rules of {game!r} with the fingerprint {here}, and this machine {there}; install the same "
            "zermelo on all nodes."
        )


def _same(twin: Game, game: Game) -> bool:
    """Return whether two games have the same initial state, and fingerprints that give the same tables."""
    fingerprints = twin.fingerprint == game.fingerprint and knowledge_of(twin) == knowledge_of(game)
    return fingerprints and twin.initial == game.initial


def _pickled(game: Game, parameters: dict[str, int]) -> GameSource:
    """Return the source of a game that is not registered: its functions, and the texts of the user's files."""
    import ray

    cloudpickle: Any = ray.cloudpickle
    modules = {getattr(item, "__module__", "") for item in vars(game).values() if callable(item)}
    modules |= {type(game.initial).__module__}
    texts: dict[str, str] = {}
    for name in modules:
        module: Any = sys.modules.get(name)
        if module is not None and name.startswith(FILE_MODULE):
            cloudpickle.register_pickle_by_value(module)
            texts[module.__file__] = "".join(linecache.getlines(module.__file__))
    return GameSource(game.name, parameters, cloudpickle.dumps(game), texts)
