"""How a game is sent to other machines.

A registered game is sent by name and parameters: each node makes it from its own rules, and the nodes compare
fingerprints. Any other game is sent as its functions, with the text of their source files, which fingerprints need.
"""

import linecache
import sys
from dataclasses import dataclass, field
from typing import Any

from zermelo.game import Game
from zermelo.registry import FILE_MODULE, factories
from zermelo.solver.model.problem import knowledge_of


@dataclass(frozen=True)
class GameSource:
    """What another process needs to make a game."""

    name: str
    parameters: dict[str, int]
    pickled: bytes = b""
    """The game by cloudpickle; empty for a registered game."""
    texts: dict[str, str] = field(default_factory=dict)
    """The texts of source files, by the files' names."""

    def make(self) -> Game:
        """Make the game."""
        if not self.pickled:
            return factories()[self.name](**self.parameters)
        from ray import cloudpickle

        for file, text in self.texts.items():
            if not linecache.getlines(file):
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        game: Game = cloudpickle.loads(self.pickled)
        return game


def source_of(game: Game) -> GameSource:
    """Return what must be sent of a game."""
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


def _same(twin: Game, game: Game) -> bool:
    """Whether two games have the same initial state and the same tables."""
    fingerprints = twin.fingerprint == game.fingerprint and knowledge_of(twin) == knowledge_of(game)
    return fingerprints and twin.initial == game.initial


def _pickled(game: Game, parameters: dict[str, int]) -> GameSource:
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
