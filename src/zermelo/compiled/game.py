"""`CompiledGame`: a game with every optional function filled in, and the Numba type that stands for it.

Numba specialises machine code by the types of arguments, so each game has a type of its own. The name of the type
contains the game's *code fingerprint*, a hash of all that the game adds to machine code. Two games with the same
fingerprint share their code. A changed rule, helper, parameter or library version changes the fingerprint.
"""

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final, TypeVar
from weakref import WeakSet

from llvmlite import ir
from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

import zermelo.compiled.lanes
import zermelo.compiled.vectors  # noqa: F401  rules may call what it registers
from zermelo.compiled.helpers import register
from zermelo.compiled.listing import counting, filling
from zermelo.compiled.reach import digest
from zermelo.compiled.states import state_type
from zermelo.contract import RULES
from zermelo.errors import Indescribable, NotCompilable
from zermelo.game import Action, Game, State

OPTIONAL: Final = (
    "evaluate",
    "order",
    "proof_order",
    "key",
    "bounds",
    "window_bounds",
    "symmetries",
    "sufficient_actions",
    "noisy_actions",
    "gain",
    "null_state",
    "urgent",
    "tier",
    "is_stopped",
    "position",
    "plies_left",
    "pack",
    "unpack",
)
"""The optional functions that compiled code may call."""
VALUE_LIMIT: Final = 1 << 20
"""Absolute values of utilities must be less than this, so that a value and a remoteness fit into 32 bits."""
FUNCTIONS: Final = (*RULES, *OPTIONAL, "repetition")
"""Every function that kernels may call."""

FEATURES: Final = "features"
"""A function that only learned evaluations call. It counts for the code of a game that has it, and for no other."""

LISTS: Final = ("actions", "sufficient_actions", "noisy_actions")
"""The functions that yield actions."""

UNNAMED: Final = "unnamed-"
"""The prefix of the code fingerprint of a game whose rules cannot be described; its code is never kept on disk."""
_unnamed: Final = itertools.count()
Constant = TypeVar("Constant")


class CompiledGame:
    """A game as kernels take it: its functions, and a safe default for each function that it lacks.

    Parameters
    ----------
    game
        The game. Its states are NamedTuples of ints, or of tuples of ints; its actions are ints.
    open_words
        For a learned evaluation that sees open squares: the numbers of the ints of a state whose bits are squares. See
        `zermelo.compiled.seen.open_squares`.
    network, tables
        Whether kernels ask a learned evaluation, or solved tables. The machine code of others has neither, which saves
        a sixth of the functions of a search.

    Raises
    ------
    NotCompilable
        Machine code cannot hold the state, an action or the range of utilities.
    """

    def __init__(
        self, game: Game, open_words: tuple[int, ...] = (), network: bool = False, tables: bool = False
    ) -> None:
        self.game, self.open_words = game, open_words
        self.has_network, self.has_tables = network, tables
        self.initial = game.initial
        self.state_type = state_type(game.initial, f"The state of {game!r}")
        _check_action(game)
        self.utility_range = game.utility_range
        low, high = game.utility_range
        if max(-low, high) >= VALUE_LIMIT:
            raise NotCompilable(f"{game!r} has utilities as large as {max(-low, high)}; they must stay below 2**20.")
        self.to_move, self.actions, self.result = game.to_move, game.actions, game.result
        self.is_terminal, self.utility = game.is_terminal, game.utility
        self.evaluate = game.evaluate or constant(min(max(low, 0), high))
        self.order = game.order or no_hint
        self.proof_order = game.proof_order or self.order
        self.has_proof_order = game.proof_order is not None or game.order is not None
        self.bounds = game.bounds or constant((low, high))
        self.window_bounds, self.has_window_bounds = game.window_bounds, game.window_bounds is not None
        self.has_previews = bool(game.switches.get("previews"))
        self.symmetries = game.symmetries or no_states
        self.sufficient_actions = game.sufficient_actions or game.actions
        self.noisy_actions = game.noisy_actions or no_actions
        self.gain = game.gain or no_hint
        self.null_state = game.null_state or the_state
        self.urgent = game.urgent or constant(False)
        self.has_gain, self.has_urgent = game.gain is not None, game.urgent is not None
        self.has_null_state = game.null_state is not None
        self.key = game.key if game.key is not None and _fits_a_word(game) else None
        self.tier = game.tier or constant(0)
        self.is_stopped = game.is_stopped or constant(False)
        self.position, self.has_counters = game.position, game.position is not None
        self.plies_left = game.plies_left or constant(0)
        packs = game.pack is not None and game.unpack is not None
        self.pack, self.unpack = (game.pack, game.unpack) if packs else (None, None)
        self.features = game.features
        self.exact_keys = self.key is not None or self.state_type == types.int64
        self.can_repeat = game.repetition is not None
        self.path_dependent = callable(game.repetition) and not game.cycles_agree
        self.repetition = game.repetition if callable(game.repetition) else constant(game.endless_value)
        try:
            self.code = code_fingerprint(self)
        except Indescribable:
            self.code = f"{UNNAMED}{next(_unnamed)}"
        self.type: GameType | None = None
        """Its type for Numba, once that was asked for: each call of a kernel asks."""
        self.agrees = False
        """Whether a comparison has found that compiled and interpreted rules agree; see `compiled.agreement`."""

    def tells_remoteness(self, value: int) -> bool:
        """Return whether a search that proves this value also finds the right remoteness.

        It does not for values between 0 and the value of endless play. There a player who delays the end can repeat
        positions any number of times first, and a search lets a position come back only once.
        """
        if not self.can_repeat or self.path_dependent:
            return True
        if callable(self.game.repetition):
            return False
        endless = self.game.endless_value
        return not (0 < value < endless or endless < value < 0)

    def functions(self) -> Iterator[Callable[..., Any]]:
        """Yield every function that kernels may call."""
        return (getattr(self, name) for name in (*FUNCTIONS, FEATURES) if getattr(self, name) is not None)

    def rewritten(self) -> Iterator[Callable[..., int]]:
        """Yield the functions that were made from generators, which kernels may call, too."""
        return (function for function in (*self.fillings.values(), *self.countings.values()) if function is not None)

    @cached_property
    def fillings(self) -> dict[str, Callable[..., int] | None]:
        """The generators of actions by name, as functions that fill an array; None if one cannot be rewritten."""
        made = {function: filling(function) for function in {getattr(self, name) for name in LISTS}}
        return {name: made[getattr(self, name)] for name in LISTS}

    @cached_property
    def countings(self) -> dict[str, Callable[..., int] | None]:
        """The generators of actions by name, as functions that count; None if one cannot be rewritten."""
        return {name: counting(getattr(self, name)) for name in LISTS}


def constant(value: Constant) -> Callable[[State], Constant]:
    """Return a function of a state that always returns ``value``."""

    def the_same(state: State) -> Constant:
        return value

    return the_same


def no_hint(state: State, action: Action) -> int:
    """Return 0, the default of ``order`` and ``gain``: all actions are equal."""
    return 0


def the_state(state: State) -> State:
    """Return the state, the default of ``null_state``."""
    return state


def no_states(state: State) -> Iterator[State]:
    """Yield nothing, the default of ``symmetries``."""
    for _ in range(0):
        yield state


def no_actions(state: State) -> Iterator[Action]:
    """Yield nothing, the default of ``noisy_actions``."""
    for action in range(0):  # Numba has no yield from
        yield action


def _check_action(game: Game) -> None:
    """Require that the first action of the initial state is an int; other faults show when the rules are called.

    Raises
    ------
    NotCompilable
        It is not an int.
    """
    action = next(iter([] if game.is_terminal(game.initial) else game.actions(game.initial)), 0)
    if not isinstance(action, int):
        kind = type(action).__name__
        raise NotCompilable(
            f"The actions of {game!r} are of type {kind}, such as {action!r}; compiled games have ints as actions. "
            "Number them, and let format_action write them as people do; the game still plays with zermelo.textbook."
        )


def _fits_a_word(game: Game, plies: int = 60) -> bool:
    """Return whether the keys along a random game fit into 64 bits; if not, a hash takes the place of `key`."""
    chooser, state = random.Random(0), game.initial
    for _ in range(plies):
        key = game.key(state) if game.key is not None else 0
        if not -(1 << 63) <= key < 1 << 64:
            return False
        legal = game.legal_actions(state)
        if not legal:
            break
        state = game.result(state, chooser.choice(legal))
    return True


def code_fingerprint(game: CompiledGame) -> str:
    """Return a hash, in 16 hexadecimal digits, of what a game adds to the machine code of any kernel.

    Raises
    ------
    Indescribable
        The rules depend on something that cannot be written down.
    """
    functions = {name: getattr(game, name) for name in FUNCTIONS}
    if game.features is not None:
        functions[FEATURES] = game.features
    known: tuple[object, ...] = (game.can_repeat, game.path_dependent, game.has_proof_order, game.has_gain)
    known += (game.has_null_state, game.has_urgent, game.has_previews, game.open_words)
    known += (game.has_network, game.has_tables)
    return digest(functions, str(game.state_type), game.utility_range, *known)


class GameType(types.Type):
    """The Numba type of one game. A value of this type holds nothing, since the type determines the game."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(name=f"Game({code})")

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return GameType, (self.code,)

    @property
    def rules(self) -> CompiledGame:
        """A living game of this type."""
        return next(iter(_games[self.code]))


_games: defaultdict[str, WeakSet[CompiledGame]] = defaultdict(WeakSet)
"""The living games of each type. Numba needs the rules of a type, not of a game, so this dict finds a game by its type.
Any game of the type will do, since all of them share their machine code. The sets hold games only weakly, so that a
game can be freed when nobody else holds it."""
_COMPILED: Final = "_compiled"
"""The attribute of a `Game` that holds its `CompiledGame`, one for each `Asked`; all are freed together."""
Asked = tuple[tuple[int, ...], bool, bool]
"""The arguments of `compiled` after the game."""


def compiled(game: Game, open_words: tuple[int, ...] = (), network: bool = False, tables: bool = False) -> CompiledGame:
    """Return ``game`` as kernels take it; every call with the same arguments returns the same object.

    Raises
    ------
    NotCompilable
        As in `CompiledGame`.
    """
    held: dict[Asked, CompiledGame] = vars(game).setdefault(_COMPILED, {})
    asked = (open_words, network, tables)
    if asked not in held:
        made = CompiledGame(game, *asked)
        for function in (*made.functions(), *made.rewritten()):
            register(function)
        held[asked] = made
    return held[asked]


def code_of(game: Game) -> str:
    """Return the code fingerprint of ``game``. It registers nothing with Numba, which would keep it for ever.

    Raises
    ------
    NotCompilable
        As in `CompiledGame`.
    """
    held: dict[Asked, CompiledGame] = vars(game).get(_COMPILED, {})
    return (held.get(((), False, False)) or CompiledGame(game)).code


@typeof_impl.register(CompiledGame)
def _typeof(game: CompiledGame, _context: object) -> GameType:
    if game.type is None:
        _games[game.code].add(game)
        game.type = GameType(game.code)
    return game.type


register_model(GameType)(models.OpaqueModel)


@unbox(GameType)
def unbox_game(_type: GameType, _object: ir.Value, context: Any) -> NativeValue:
    """Return an empty value, which stands for a game in machine code.

    ``context`` is Any, since Numba's class of it is private.
    """
    return NativeValue(context.context.get_dummy_value())
