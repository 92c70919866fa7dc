"""Learned evaluations: n-tuple networks, as searches ask them.

An n-tuple network (Bledsoe and Browning 1959; Lucas 2008 for games) looks at tuples of cells. What the cells of a tuple
hold makes an index into a table of weights, and the sum of all weights found is what the network thinks of a position.
Tuples that are each other's image by a symmetry share their table. `zermelo.learn` says what cells are, and learns the
weights.

The *plan* of a network is one array of ints: a header, and after it the tables that say how to read the cells of a
state and which cells make a tuple. So one kernel serves all networks of a game.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from zermelo.bits import lowest_index
from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame, GameType, compiled
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.rules import evaluate
from zermelo.compiled.seen import seen_words
from zermelo.compiled.word64 import item_at, multiply, shorts_at, words_at
from zermelo.engine.job import Job
from zermelo.errors import BadParameter
from zermelo.game import MAX, Game, Player, State

Plan = NDArray[np.int64]


Sight: TypeAlias = Any
"""What a thread has seen last of a game, with MAX and with MIN to move: ``words``, of shape (2, words), the states;
``symbols``, of shape (2, cells), what their cells show; ``places``, of shape (2, tuples), where the weights of their
tuples stand; ``totals``, of shape (2,), the sums of these weights; and ``known``, of shape (2,), 1 if there was such a
state. Searches have these arrays in a record and learning has them in a NamedTuple, hence Any."""


class Network(Protocol):
    """A learned evaluation, as an engine takes it."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the rules and features that it belongs to (`Game.seen_fingerprint`)."""

    @property
    def open_words(self) -> tuple[int, ...]:
        """By which ints of a state it sees open squares (`zermelo.compiled.seen.open_squares`); empty if by none."""

    @property
    def switches(self) -> Mapping[str, int]:
        """The switches of the engine with which it plays best, where they differ from the game's own."""

    @property
    def plan(self) -> Plan:
        """How to read a state, and which tuples to look at."""

    @property
    def weights(self) -> NDArray[np.int16]:
        """All weights, in units of 1 / `UNIT`."""


PLAN_LENGTH: Final = 0
SETS: Final = 1
WEIGHTS: Final = 2
REACH: Final = 3
GROUPS: Final = 4
COUNTS: Final = 5
TUPLES: Final = 6
CELLS: Final = 7
AT_GROUPS: Final = 8
AT_COUNTS: Final = 9
AT_MEMBERS: Final = 10
AT_STRIDES: Final = 11
AT_OFFSETS: Final = 12
AT_SQUASH: Final = 13
SEEN: Final = 14
AT_USES: Final = 15
HEADER: Final = 16
"""The header: the length of the plan, the sets of weights (2 if each player has one of his own), the weights of a set,
the greatest evaluation; how many groups, counts, tuples and cells of a tuple there are; where the tables begin; how
many cells there are in all; and where, for each cell of each view, the uses begin: a list of the tuples that hold the
cell, each with its stride there."""
GROUP: Final = 7
"""Ints of a group: its first cell, how many cells it has, where their bits stand, how many words it has, where these
stand, where MAX's decoding of codes to symbols stands, which MIN's follows, and where the cell of each bit stands, -1
for none."""
COUNT: Final = 7
"""Ints of a count: its cell, its word, the value of symbol 0, how many symbols it has, where its decoding stands, the
lowest bit of the number in the word, and a mask for its bits."""

UNIT: Final = 1 << 12
"""The weight 1 as an int."""
STEP_BITS: Final = 3
SQUASHED: Final = 4 * UNIT >> STEP_BITS
"""The squashing function is the hyperbolic tangent. It has an entry for every eighth unit from 0 to 4."""
WHOLE: Final = 1 << 16
"""What the squashing function tends to."""


def fitting_network(network: Network | None, game: Game) -> Network | None:
    """Return a learned evaluation, if any, that was learned for the rules of ``game``.

    Raises
    ------
    BadParameter
        It was learned for other rules.
    """
    if network is not None and network.fingerprint != game.seen_fingerprint:
        raise BadParameter(f"The evaluation was learned for other rules than those of {game!r}; learn it anew.")
    return network


def compiled_with(game: Game, network: Network | None, tables: bool = False) -> CompiledGame:
    """Return ``game`` as kernels take it that ask a learned evaluation, if there is one, and perhaps solved tables.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        The evaluation was learned for other rules.
    """
    fitting_network(network, game)
    return compiled(game, network.open_words if network is not None else (), network is not None, tables)


def point_to(network: Network | None, workspace: Any) -> None:
    """Note in the workspace of a thread where a learned evaluation stands, if there is one; somebody must keep it."""
    if network is not None:
        workspace["plan_address"] = network.plan.ctypes.data
        workspace["weights_address"] = network.weights.ctypes.data


def static_score(game: CompiledGame, state: State, side: Player, job: Job) -> int:
    """The static evaluation as a score for ``side``, who is to move: the learned one if there is one, else EVAL."""
    if game.has_network:
        return network_score(game, state, side, job)
    return side * evaluate(game, state) * job.scale


@overload(static_score, strict=False, jit_options=PART)
def _static_score(game: GameType, state: types.Type, side: types.Type, job: types.Type) -> Body:
    if game.rules.has_network:
        return lambda game, state, side, job: network_score(game, state, side, job)
    return lambda game, state, side, job: side * evaluate(game, state) * job.scale


@subkernel
def network_score(game: CompiledGame, state: State, side: Player, job: Job) -> int:
    """What the learned evaluation thinks of a state, as a score for ``side``, who is to move."""
    plan = words_at(job.plan_address, words_at(job.plan_address, 1)[PLAN_LENGTH])
    weights = shorts_at(job.weights_address, plan[SETS] * plan[WEIGHTS])
    total = look(game, plan, weights, state, side, job)
    return squashed(plan, total) * plan[REACH] * job.scale // WHOLE


@subkernel
def look(game: CompiledGame, plan: Plan, weights: NDArray[Any], state: State, side: Player, sight: Sight) -> Any:
    """The sum of the weights for a state, for ``side``, who is to move; their places stay in sight.

    Of the tuples, it looks only at those with a cell that has changed since it last saw a state with the same player to
    move, if it has seen one since `forget_states`.
    """
    view, words = 0 if side == MAX else 1, seen_words(game, state)
    if sight.known[view]:
        look_again(plan, weights, words, view, sight)
    else:
        look_at_all(plan, weights, words, view, sight)
    for number in range(len(words)):
        sight.words[view, number] = words[number]
    return sight.totals[view]


@subkernel
def forget_states(sight: Sight) -> None:
    """Forget the states that the network saw: other weights are about to be asked."""
    sight.known[:] = 0


@subkernel
def look_at_all(plan: Plan, weights: NDArray[Any], words: tuple[int, ...], view: int, sight: Sight) -> None:
    """Look at every cell and every tuple."""
    symbols, total = sight.symbols[view], sight.totals[view] * 0
    read_cells(plan, words, view, symbols)
    for number in range(plan[TUPLES]):
        place = weight_index(plan, symbols, view, number)
        sight.places[view, number] = place
        total += item_at(weights, place)
    sight.totals[view], sight.known[view] = total, 1


@subkernel
def look_again(plan: Plan, weights: NDArray[Any], words: tuple[int, ...], view: int, sight: Sight) -> None:
    """Look at the cells that have changed."""
    for group in range(plan[GROUPS]):
        row = plan[AT_GROUPS] + group * GROUP
        size, at_words, decoding, at_cells = plan[row + 3], plan[row + 4], plan[row + 5], plan[row + 6]
        decoding += view << size
        changed = 0
        for place in range(size):
            word = plan[at_words + place]
            changed |= words[word] ^ int(sight.words[view, word])
        while changed:
            bit = lowest_index(changed)
            changed = multiply(changed & (changed - 1), 1)  # interpreted, that keeps 64 bits
            code = 0
            for place in range(size):
                code |= ((words[plan[at_words + place]] >> bit) & 1) << place
            note_symbol(plan, weights, view, plan[at_cells + bit], plan[decoding + code], sight)
    for number in range(plan[COUNTS]):
        row = plan[AT_COUNTS] + number * COUNT
        if words[plan[row + 1]] != sight.words[view, plan[row + 1]]:
            note_symbol(plan, weights, view, plan[row], symbol_of_count(plan, row, words, view), sight)


@subkernel
def symbol_of_count(plan: Plan, row: int, words: tuple[int, ...], view: int) -> int:
    """The symbol of the count whose ints begin at ``row`` of the plan."""
    word, low, known, decoding = words[plan[row + 1]], plan[row + 2], plan[row + 3], plan[row + 4]
    number = (word >> plan[row + 5]) & plan[row + 6]
    return int(plan[decoding + view * known + min(max(number - low, 0), known - 1)])


@subkernel
def note_symbol(plan: Plan, weights: NDArray[Any], view: int, cell: int, symbol: int, sight: Sight) -> None:
    """Look at the tuples that hold a cell, which has a new symbol; cell -1 is none."""
    if cell < 0 or symbol == sight.symbols[view, cell]:
        return
    change = symbol - sight.symbols[view, cell]
    sight.symbols[view, cell] = symbol
    row = plan[AT_USES] + view * plan[SEEN] + cell
    pairs = plan[AT_USES] + 2 * plan[SEEN] + 1
    places, total = sight.places[view], sight.totals[view]
    for use in range(item_at(plan, row), item_at(plan, row + 1)):
        number, stride = item_at(plan, pairs + 2 * use), item_at(plan, pairs + 2 * use + 1)
        place = item_at(places, number)
        total -= item_at(weights, place)
        place += change * stride
        places[number] = place
        total += item_at(weights, place)
    sight.totals[view] = total


@subkernel
def read_cells(plan: Plan, words: tuple[int, ...], view: int, symbols: NDArray[np.int64]) -> None:
    """Write the symbol of each cell to ``symbols``; ``view`` is 0 if MAX is to move, and 1 if MIN is."""
    for group in range(plan[GROUPS]):
        row = plan[AT_GROUPS] + group * GROUP
        first, cells, at_bits, size, at_words, decoding = (
            plan[row], plan[row + 1], plan[row + 2], plan[row + 3], plan[row + 4], plan[row + 5]
        )  # fmt: skip
        for cell in range(cells):
            symbols[first + cell] = 0
        for place in range(size):
            word = words[plan[at_words + place]]
            for cell in range(cells):
                symbols[first + cell] |= ((word >> item_at(plan, at_bits + cell)) & 1) << place
        decoding += view << size
        for cell in range(first, first + cells):
            symbols[cell] = item_at(plan, decoding + item_at(symbols, cell))
    for number in range(plan[COUNTS]):
        row = plan[AT_COUNTS] + number * COUNT
        symbols[plan[row]] = symbol_of_count(plan, row, words, view)


@subkernel
def weight_index(plan: Plan, symbols: NDArray[np.int64], view: int, number: int) -> int:
    """The place of the weight of a tuple's content."""
    tuples, cells = plan[TUPLES], plan[CELLS]
    index = plan[plan[AT_OFFSETS] + number] + (plan[WEIGHTS] if view == 1 and plan[SETS] == 2 else 0)
    member, stride = plan[AT_MEMBERS] + (view * tuples + number) * cells, plan[AT_STRIDES] + number * cells
    for place in range(cells):
        index += item_at(symbols, item_at(plan, member + place)) * item_at(plan, stride + place)
    return index


@subkernel
def sum_of(plan: Plan, symbols: NDArray[np.int64], view: int, weights: NDArray[Any]) -> Any:
    """The sum of the weights of all tuples, for the player to move.

    The types are Any, since weights are ints in a search and floats in learning.
    """
    total = 0
    for number in range(plan[TUPLES]):
        total += item_at(weights, weight_index(plan, symbols, view, number))
    return total


@subkernel
def squashed(plan: Plan, total: int) -> int:
    """The hyperbolic tangent of a sum of weights, in units of 1 / `WHOLE`."""
    size = min(abs(total), ((SQUASHED - 1) << STEP_BITS) - 1)
    at = plan[AT_SQUASH] + (size >> STEP_BITS)
    low, part = plan[at], size & ((1 << STEP_BITS) - 1)
    found = low + ((plan[at + 1] - low) * part >> STEP_BITS)
    return found if total >= 0 else -found
