"""Finding games: by name, among zermelo's and those of other installed packages, or in a file.

Another package registers a game with the entry-point group ``zermelo.games``::

    [project.entry-points."zermelo.games"]
    hexapawn = "my_package.hexapawn:hexapawn"

A name that zermelo itself uses stays zermelo's.
"""

import copyreg
import difflib
import importlib.util
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_type_hints

from zermelo.errors import BadParameter, GameFileError, Indescribable, UnknownGame, ZermeloError, in_a_line
from zermelo.fingerprint import fingerprint
from zermelo.game import Factory, Game
from zermelo.parameters import parameters_of

GROUP: Final = "zermelo.games"
FILE_MODULE: Final = "zermelo_file_"
"""The prefix of the module names of files that `load_file` reads."""


def factories() -> dict[str, Factory]:
    """The factory of every registered game, by name, sorted.

    Raises
    ------
    GameFileError
        The entry point of another package cannot be loaded; the message names it.
    """
    from importlib.metadata import entry_points

    from zermelo import games

    found: dict[str, Factory] = {}
    for entry in entry_points(group=GROUP):
        try:
            found[entry.name] = entry.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a module may raise SystemExit, or what it likes
            raise GameFileError(
                f"The game {entry.name!r} is registered as {entry.value!r}, which cannot be loaded: {in_a_line(error)}."
            ) from error
    found |= {name: getattr(games, name) for name in games.__all__}
    return dict(sorted(found.items()))


def find_factory(source: str) -> Factory:
    """The factory that ``source`` names: a registered game, ``my_game.py`` or ``my_game.py:factory``.

    Raises
    ------
    UnknownGame
        No such name; the message offers the nearest ones.
    GameFileError
        The file is missing, fails to import, or does not hold one game.
    """
    path, _, name = source.partition(":")
    if path.endswith(".py"):
        return _factory_in_file(Path(path), name)
    from zermelo import games

    if source in games.__all__:  # whatever state other packages are in
        own: Factory = getattr(games, source)
        return own
    known = factories()
    if source in known:
        return known[source]
    if "/" in source:
        raise UnknownGame(f"There is no game called {source!r}; the name of a file with a game ends in .py.")
    near = difflib.get_close_matches(source, known, n=3, cutoff=0.4)
    offer = f"did you mean {' or '.join(near)}?" if near else f"known games are {', '.join(known)}."
    raise UnknownGame(f"There is no game called {source!r}; {offer}")


def make_game(source: str | Path, parameters: Mapping[str, Any] | None = None, /, **named: Any) -> Game:
    """The game that ``source`` names: ``make_game("connect", rows=4, columns=4)``.

    Parameters
    ----------
    source
        A registered game, ``my_game.py`` or ``my_game.py:factory``.
    parameters, named
        Its parameters, as a mapping or by name; each as text, as on a command line, or of its own type.

    Raises
    ------
    BadParameter
        A parameter does not exist, is given twice, does not parse or is out of range.
    UnknownGame, GameFileError
        As `find_factory`.
    """
    if not isinstance(source, str | Path):
        raise UnknownGame(f"{source!r} is no name of a game; write a name, such as 'connect', or a file, 'my_game.py'.")
    factory = find_factory(str(source))
    known = {info.name: info for info in parameters_of(factory)}
    values = {}
    for name, value in _merged(parameters, named).items():
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadParameter(f"The game {source} has no parameter {name!r}; {has}.")
        values[name] = known[name].parse(value)
    return _call(factory, str(source), values)


def _merged(parameters: Mapping[str, Any] | None, named: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a mapping and those given by name."""
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        raise BadParameter(f"The parameters are {given!r}; give them by name: make_game('connect', rows=4).")
    for name in named:
        if name in given:
            raise BadParameter(f"The parameter {name} is given twice; give it once.")
    return {**given, **named}


def _call(factory: Factory, source: str, values: Mapping[str, Any]) -> Game:
    try:
        game = factory(**values)
    except (ZermeloError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a factory may raise SystemExit, or what it likes
        raise GameFileError(f"Making the game {source} failed: {_blame(error)}") from error
    if not isinstance(game, Game):
        raise GameFileError(f"{source} returned a {type(game).__name__}; it must return a zermelo Game.")
    return game


def _factory_in_file(path: Path, name: str) -> Factory:
    module = load_file(path)
    candidates = {name: item for name, item in vars(module).items() if _makes_game(item, module)}
    if name:
        if not hasattr(module, name):
            has = f"it has {', '.join(candidates)}" if candidates else "and no other function that returns a Game"
            raise GameFileError(f"{path} has no function {name!r}; {has}.")
        chosen = getattr(module, name)
        return _as_factory(chosen)
    if len(candidates) == 1:
        return _as_factory(next(iter(candidates.values())))
    if not candidates:
        raise GameFileError(
            f"{path} holds no game; it needs a function annotated '-> Game', or name one with {path}:function."
        )
    raise GameFileError(f"{path} holds several games; choose one: {', '.join(f'{path}:{one}' for one in candidates)}.")


def _as_factory(item: object) -> Factory:
    if isinstance(item, Game):
        return lambda: item
    if callable(item):
        return item
    raise GameFileError(f"A {type(item).__name__} is neither a Game nor a function that returns one.")


def _makes_game(item: object, module: ModuleType) -> bool:
    """Whether ``item`` is a game, or a function of that module that says it returns one."""
    if isinstance(item, Game):
        return True
    if not callable(item) or isinstance(item, type) or getattr(item, "__module__", "") != module.__name__:
        return False
    try:
        return get_type_hints(item).get("return") is Game
    except Exception:  # hints that name what is not there are no reason to refuse the file
        return False


def load_file(path: Path) -> ModuleType:
    """Import a Python file by its path; running it is the caller's decision.

    Raises
    ------
    GameFileError
        The file cannot be read, or importing it fails; the message names the line.
    """
    try:
        if not path.is_file():
            raise GameFileError(f"There is no file {path}.")
        content = path.read_bytes()
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror}.") from None
    if b"\0" in content:  # of which each version of Python complains in other words
        raise GameFileError(f"{path} cannot be imported: it holds null bytes, as no Python source does.")
    name = f"{FILE_MODULE}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameFileError(f"{path} cannot be imported; it must be a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # a file may raise SystemExit, or what it likes
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise GameFileError(f"{path} cannot be imported: {_blame(error)}") from error
    return module


def blame_file(error: BaseException) -> str | None:
    """An error as one line, if it came from a file that `load_file` read; None for other errors."""
    trace = error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith(FILE_MODULE):
            return _blame(error)
        trace = trace.tb_next
    return None


def sentence_of(error: BaseException) -> str | None:
    """An error as a sentence: one of zermelo's own, or of a user's file; None for others, which are bugs of zermelo."""
    if isinstance(error, ZermeloError):
        return str(error)
    blame = blame_file(error)
    return None if blame is None else f"The game's own code failed: {blame}"


def _blame(error: BaseException) -> str:
    """An error in a user's file as one line: the place, the class and the message."""
    if isinstance(error, SyntaxError):
        where = "" if error.lineno is None else f"line {error.lineno}: "
        return f"{where}SyntaxError: {error.msg}."
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}: " if frames else ""
    return f"{where}{in_a_line(error)}."


def _reduce(game: Game) -> Any:
    """How a game is pickled: by name and parameters if these make the same game, else by its fields."""
    own = fingerprint_of_all(game)
    try:
        twin = make_game(game.name, game.parameters)
    except ZermeloError:
        twin = None
    if twin is not None and own is not None and fingerprint_of_all(twin) == own:
        return make_game, (game.name, dict(game.parameters))
    return object.__reduce_ex__(game, 2)


def fingerprint_of_all(game: Game) -> str | None:
    """A fingerprint of all fields of a game; None if they cannot be described."""
    try:
        return fingerprint(dict(sorted(game.__getstate__().items())))
    except Indescribable:
        return None


copyreg.pickle(Game, _reduce)
