"""The games that a server offers: those of the registry, and the one named when it was started.

A visitor names a game only by a key of this dictionary, never by a file or a module.
"""

import inspect
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Final

from zermelo.errors import BadParameter, UnknownGame, ZermeloError
from zermelo.game import Factory, Game
from zermelo.games import USUAL
from zermelo.parameters import ParameterInfo, parameters_of
from zermelo.registry import factories, find_factory, make_game
from zermelo.ui.web.gallery import title_of

KEPT: Final = 16
"""Games that are kept after they were made; those asked for last."""
MOST_GAMES: Final = 50
"""Games of different code that a server compiles. Each takes some 30 MB for good, for Numba cannot unload machine code:
with what else a server needs they come to less than 2 GB."""


class Shelf:
    """Games by name.

    Parameters
    ----------
    first
        What the command line names: the game of the first page, and the only file that is ever read.
    solved
        The parameters that there is a solved table for, by the name of the game.
    """

    def __init__(self, first: str = USUAL, solved: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self._factories: dict[str, Factory] = dict(factories())
        self.first = first
        self.solved = solved or {}
        if first not in self._factories:
            self._factories = {first: find_factory(first), **self._factories}
        self._made: OrderedDict[tuple[str, tuple[tuple[str, str], ...]], Game] = OrderedDict()
        self._lock, self._reading = Lock(), Lock()
        self._lacks: dict[str, str | None] = {}
        self._titles: dict[str, str] = {}
        self.version = 0
        """How often the file named on the command line was read again."""
        self.fault: Exception | None = None
        """Why there is no game in it, since it was saved."""
        self._saved = self._time_of_file()

    @property
    def is_from_file(self) -> bool:
        """Whether the first game lies in a file that may be saved again."""
        return self._saved is not None

    def _time_of_file(self) -> int | None:
        path = Path(self.first.partition(":")[0])
        return path.stat().st_mtime_ns if path.suffix == ".py" and path.is_file() else None

    def read_again(self) -> None:
        """Read the file named on the command line again if it was saved since.

        If it holds no game any more, the game of before stays, and `fault` says why.
        """
        with self._reading:
            saved = self._time_of_file()
            if saved is None or saved == self._saved:
                return
            self._saved, self.fault = saved, None
            self.version += 1
            try:
                factory = find_factory(self.first)
            except Exception as error:
                self.fault = error
                return
            with self._lock:
                self._factories[self.first] = factory
                for key in [key for key in self._made if key[0] == self.first]:
                    del self._made[key]
            self._lacks.pop(self.first, None)
            self._titles.pop(self.first, None)

    def names(self) -> list[str]:
        """Return the names of all games that can be made: some need a package that may not be installed."""
        return [name for name in self._factories if self.lacks(name) is None]

    def lacks(self, name: str) -> str | None:
        """Return why a game cannot be made with its usual parameters; None if it can."""
        if name not in self._lacks:
            try:
                make_game(name)
            except ZermeloError as error:
                self._lacks[name] = str(error)
            else:
                self._lacks[name] = None
        return self._lacks[name]

    def parameters(self, name: str) -> list[ParameterInfo]:
        """The parameters of a game."""
        return list(parameters_of(self._factory(name)))

    def summary(self, name: str) -> str:
        """Return a game in a sentence."""
        return (self._factory(name).__doc__ or "").strip().partition("\n")[0]

    def title(self, name: str) -> str:
        """Return what people call a game."""
        if name not in self._titles:
            self._titles[name] = title_of(self.game(name), name, self.summary(name), {})
        return self._titles[name]

    def rules(self, name: str) -> str:
        """Return what a game's module says about its rules, or else the factory."""
        factory = self._factory(name)
        module = inspect.getmodule(factory)
        return inspect.cleandoc((module and module.__doc__) or factory.__doc__ or "")

    def game(self, name: str, parameters: Mapping[str, str] | None = None) -> Game:
        """Return the game of that name; the same object for the same parameters.

        Raises
        ------
        UnknownGame
            It is not on the shelf.
        BadParameter
            A parameter does not exist or is out of range.
        """
        infos = {info.name: info for info in parameters_of(self._factory(name))}
        wanted = {one: str(value).lower() for one, value in (parameters or {}).items()}
        for one in wanted:
            if one not in infos:
                raise BadParameter(f"The game {name} has no parameter {one!r}; it has {', '.join(infos) or 'none'}.")
        key = (name, tuple(sorted((one, str(infos[one].parse(value))) for one, value in wanted.items())))
        with self._lock:
            if key not in self._made:
                self._made[key] = make_game(name, wanted)
            self._made.move_to_end(key)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return self._made[key]

    def _factory(self, name: str) -> Factory:
        if name not in self._factories:
            raise UnknownGame(f"There is no game called {name!r} here; there are {', '.join(self._factories)}.")
        return self._factories[name]
