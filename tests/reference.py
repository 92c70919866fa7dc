"""Slow and obvious twins of the clever functions; every search and solver must agree with them.

Nothing here has a table, a window or an order of its own.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from zermelo.game import MAX, Action, Game, State

if TYPE_CHECKING:  # most tests need no compiler
    from zermelo.learn import Evaluation


def minimax_value(game: Game, state: State) -> int:
    """The value of a state by the definition alone."""
    if game.is_terminal(state):
        return game.utility(state)
    values = [minimax_value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def solve(game: Game, start: State) -> dict[State, int]:
    """The value of every state that can be reached from ``start``, in a game without loops."""
    values: dict[State, int] = {}

    def value(state: State) -> int:
        if state not in values:
            if game.is_terminal(state):
                values[state] = game.utility(state)
            else:
                below = [value(game.result(state, action)) for action in game.actions(state)]
                values[state] = max(below) if game.to_move(state) == MAX else min(below)
        return values[state]

    value(start)
    return values


def best_actions(game: Game, state: State, values: dict[State, int]) -> list[Action]:
    """Every action that keeps the value of a state, in the handout's order."""
    return [action for action in game.actions(state) if values[game.result(state, action)] == values[state]]


def cut_off_value(game: Game, state: State, is_cutoff: Callable[[State, int], bool], depth: int = 0) -> int:
    """The value of a state if IS-CUTOFF stops the search and EVAL gives the values there; depth counts up."""
    if game.is_terminal(state):
        return game.utility(state)
    if is_cutoff(state, depth):
        assert game.evaluate is not None
        return game.evaluate(state)
    values = [cut_off_value(game, game.result(state, a), is_cutoff, depth + 1) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def narrow_value(game: Game, state: State, depth: int, width: int) -> int:
    """The value of a state looking at the ``width`` moves of each position that EVAL or UTILITY likes best."""
    assert game.evaluate is not None

    def rating(state: State) -> int:
        return game.utility(state) if game.is_terminal(state) else game.evaluate(state)  # type: ignore[misc]

    if game.is_terminal(state) or depth == 0:
        return rating(state)
    player = game.to_move(state)
    children = [game.result(state, action) for action in game.actions(state)]
    children = sorted(children, key=lambda child: -player * rating(child))[:width]
    values = [narrow_value(game, child, depth - 1, width) for child in children]
    return max(values) if player == MAX else min(values)


def two_methods(
    game: Game, state: State, depth: int, window: tuple[float, float], limits: tuple[int, int], player: int, max_: bool
) -> tuple[float, list[Action], State | None]:
    """The handout's minimaxMax (``max_``) or minimaxMin, a line of its pseudocode a line: value, path, situation.

    ``limits`` are maxDepthSearch and maxWidthSearch, ``player`` is who stands at the root.
    """
    assert game.evaluate is not None

    def rate_position(state: State) -> int:
        return player * (game.utility(state) if game.is_terminal(state) else game.evaluate(state))  # type: ignore[misc]

    (alpha, beta), (max_depth, max_width) = window, limits
    if depth == max_depth or game.is_terminal(state):
        return rate_position(state), [], None
    successors = [(action, game.result(state, action)) for action in game.actions(state)]
    mover = game.to_move(state)
    successors.sort(key=lambda successor: rate_position(successor[1]) * (-1 if mover == player else 1))
    best_path: list[Action] = []
    best_situation: State | None = None
    cutoff = False
    for action, situation in successors[:max_width]:
        if not cutoff:
            maximizing = game.to_move(situation) == player
            value, path, _ = two_methods(game, situation, depth + 1, (alpha, beta), limits, player, maximizing)
            if (value > alpha) if max_ else (value < beta):
                if max_:
                    alpha = value
                else:
                    beta = value
                best_path, best_situation = [action, *path], situation
            if alpha >= beta:
                cutoff = True
    return (alpha if max_ else beta), best_path, best_situation


def reachable(game: Game, start: State) -> set[State]:
    """Every state that play can come to."""
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in found:
                    found.add(child)
                    waiting.append(child)
    return found


def lines(game: Game, state: State) -> Iterator[list[Action]]:
    """Every game that can be played from a state, as actions."""
    if game.is_terminal(state):
        yield []
        return
    for action in game.actions(state):
        for rest in lines(game, game.result(state, action)):
            yield [action, *rest]


def lines_on(text: str, run: int) -> Iterator[str]:
    """What lies on each line of ``run`` cells of a picture, cell by cell."""
    rows = text.split("|")
    height, width = len(rows), len(rows[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(run)]
                if all(0 <= r < height and 0 <= c < width for r, c in cells):
                    yield "".join(rows[r][c] for r, c in cells)


def line_winner(text: str, run: int) -> str | None:
    """Which of X and O has a line; looks along every line of a picture, cell by cell."""
    return next((piece for piece in "XO" if piece * run in lines_on(text, run)), None)


def depth_limited(game: Game, state: State, depth: int) -> int:
    """Minimax value with EVAL ``depth`` plies below."""
    return cut_off_value(game, state, lambda _, searched: searched >= depth)


def quiet_value(game: Game, state: State) -> int:
    """EVAL, or the value that the player to move reaches with noisy actions, played out."""
    assert game.evaluate is not None and game.noisy_actions is not None
    if game.is_terminal(state):
        return game.utility(state)
    values = [game.evaluate(state)]
    values += [quiet_value(game, game.result(state, action)) for action in game.noisy_actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def quietly_limited(game: Game, state: State, depth: int) -> int:
    """Minimax value with `quiet_value` ``depth`` plies below."""
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return quiet_value(game, state)
    values = [quietly_limited(game, game.result(state, action), depth - 1) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def threatened_limited(game: Game, start: State, limit: int) -> int:
    """`quietly_limited`, one ply deeper under a threat; past the horizon a threat is met with any action, and noisy
    actions that lose in the exchange are left out."""
    evaluate, noisy, urgent, gain = game.evaluate, game.noisy_actions, game.urgent, game.gain
    assert evaluate is not None and noisy is not None and urgent is not None and gain is not None

    @cache
    def value(state: State, depth: int) -> int:
        if game.is_terminal(state):
            return game.utility(state)
        threat = urgent(state)
        depth += threat and depth >= 0
        values, tried = [], list(game.actions(state))
        if depth <= 0 and not threat:
            values, tried = [evaluate(state)], [action for action in noisy(state) if gain(state, action) >= 0]
        values += [value(game.result(state, action), max(-1, depth - 1)) for action in tried]
        return max(values) if game.to_move(state) == MAX else min(values)

    return value(start, limit)


def bounded_limited(game: Game, start: State, limit: int) -> int:
    """`depth_limited`, where a state below the start whose ``bounds`` leave one value has that value."""
    evaluate, bounds = game.evaluate, game.bounds
    assert evaluate is not None and bounds is not None

    def value(state: State, depth: int) -> int:
        if game.is_terminal(state):
            return game.utility(state)
        low, high = bounds(state)
        if low == high and depth < limit:
            return low
        if depth == 0:
            return evaluate(state)
        values = [value(game.result(state, action), depth - 1) for action in game.actions(state)]
        return max(values) if game.to_move(state) == MAX else min(values)

    return value(start, limit)


def with_remoteness(game: Game, start: State) -> dict[State, tuple[int, int]]:
    """Value and plies to the end of every state reachable without loops.

    Value comes first; then MAX hurries above 0 and delays below, MIN the other way round; at 0 the mover hurries.
    """
    known: dict[State, tuple[int, int]] = {}

    def look(state: State) -> tuple[int, int]:
        if state not in known:
            if game.is_terminal(state):
                known[state] = (game.utility(state), 0)
            else:
                player = game.to_move(state)
                below = [look(game.result(state, action)) for action in game.actions(state)]
                value = max(v * player for v, _ in below) * player
                plies = [remoteness for v, remoteness in below if v == value]
                known[state] = (value, 1 + (max(plies) if value * player < 0 else min(plies)))
        return known[state]

    look(start)
    return known


def loop_values(game: Game, start: State) -> dict[State, int]:
    """The value of every reachable state of a game with loops, if endless play is worth ``endless_value``.

    For each utility t: from where can MAX force the end at t or more, or, where endless play is worth t, avoid less?
    """
    states = reachable(game, start)
    ends = {state: game.utility(state) for state in states if game.is_terminal(state)}
    children = {s: [game.result(s, a) for a in game.actions(s)] for s in states if s not in ends}
    values = dict.fromkeys(states, min([*ends.values(), game.endless_value]))
    for goal in sorted({*ends.values(), game.endless_value}):
        chaser = MAX if goal > game.endless_value else -MAX
        caught = {state for state, value in ends.items() if (value >= goal) == (chaser == MAX)}
        grown = True
        while grown:
            new = {
                state
                for state, below in children.items()
                if state not in caught
                and (any if game.to_move(state) == chaser else all)(child in caught for child in below)
            }
            caught |= new
            grown = bool(new)
        for state in states:
            if (state in caught) == (chaser == MAX):
                values[state] = goal
    return values


def history_outcome(game: Game, state: State, before: tuple[State, ...] = ()) -> tuple[int, int | None]:
    """The value and remoteness of a match that has come to ``state`` through the states ``before``.

    The match ends where a state comes back; such an end has no remoteness. Nor has any end at the value 0.
    """
    if game.is_terminal(state):
        return game.utility(state), 0 if game.utility(state) else None
    if state in before:
        return game.repetition(state) if callable(game.repetition) else game.endless_value, None
    player = game.to_move(state)

    def preference(outcome: tuple[int, int | None]) -> tuple[int, float]:
        value, plies = outcome
        distance = float("inf") if plies is None else plies
        return player * value, -distance if player * value > 0 else distance

    below = [history_outcome(game, game.result(state, action), (*before, state)) for action in game.actions(state)]
    value, plies = max(below, key=preference)
    return value, None if plies is None else plies + 1


def random_states(game: Game, count: int, plies: range, seed: int = 0) -> list[State]:
    """States that random play comes to, not terminal, after a number of plies drawn from ``plies``."""
    chooser, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial
        for _ in range(chooser.choice(plies)):
            if not game.is_terminal(state):
                state = game.result(state, chooser.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            found.append(state)
    return found


def outcomes(
    game: Game,
    starts: list[State],
    endless: Callable[[State], int] = lambda state: 0,
    tier: Callable[[State], int] = lambda state: 0,
) -> dict[State, tuple[int, int | None]]:
    """Value and remoteness of every reachable state, in games with loops too, by repeated passes over all states.

    ``endless`` is what play without end is worth, the same for all states of one ``tier``.
    """
    children: dict[State, list[State]] = {}
    waiting = list(starts)
    while waiting:
        state = waiting.pop()
        if state not in children:
            children[state] = [] if game.is_terminal(state) else [game.result(state, a) for a in game.actions(state)]
            waiting += children[state]
    values: dict[State, int] = {}
    for number in sorted({tier(state) for state in children}, reverse=True):
        group = {state: below for state, below in children.items() if tier(state) == number}
        values |= _values_within(game, group, values, endless(next(iter(group))))
    return dict(zip(values, zip(values.values(), _remoteness(game, children, values), strict=True), strict=True))


def _values_within(
    game: Game, children: dict[State, list[State]], known: dict[State, int], endless: int
) -> dict[State, int]:
    """The values of states, if the values of some of their children are known."""
    ends = {child: known[child] for below in children.values() for child in below if child in known}
    ends |= {state: game.utility(state) for state, below in children.items() if not below}
    values = {state: ends.get(state, endless) for state in children}
    for side in (1, -1):
        better = [end for end in set(ends.values()) if side * (end - endless) > 0]
        for value in sorted(better, key=lambda end: side * end):
            goals = {state for state, end in ends.items() if side * (end - value) >= 0}
            for state in _forced(game, children, goals, side):
                if state in children:
                    values[state] = ends.get(state, value)
    return values


def _forced(game: Game, children: dict[State, list[State]], goals: set[State], side: int) -> set[State]:
    """The states from which the player ``side`` can force play into the goals."""
    forced = set(goals)
    while True:
        more = set()
        for state, below in children.items():
            if below and state not in forced:
                enough = any if game.to_move(state) == side else all
                if enough(child in forced for child in below):
                    more.add(state)
        if not more:
            return forced
        forced |= more


def _remoteness(game: Game, children: dict[State, list[State]], values: dict[State, int]) -> list[int | None]:
    plies: dict[State, int] = {state: 0 for state, below in children.items() if not below}
    for ply in range(1, len(children) + 1):
        settled = {}
        for state, below in children.items():
            if state in plies:
                continue
            same = [child for child in below if values[child] == values[state]]
            hurries = values[state] * game.to_move(state) >= 0
            if same and (any if hurries else all)(child in plies for child in same):
                settled[state] = ply
        if not settled:
            break
        plies |= settled
    return [plies.get(state) for state in values]


WORD = (1 << 64) - 1


def meetings(moves: Sequence[tuple[int, int, int, float]]) -> tuple[float, float, float]:
    """All moves, and for each the other moves to the same position, once and in pairs, as three samples tell.

    Each row has a move's goal, the position it leaves, its sample, and how many moves it stands for there. No two rows
    are of one move and one sample. The sums run over ordered pairs and triples of different moves to the same goal,
    each of another sample. Three samples make six ordered pairs of samples and six ordered triples, which all tell the
    same.
    """

    def apart(*chosen: tuple[int, int, int, float]) -> bool:
        goals, parents, samples, _ = zip(*chosen, strict=True)
        return len(set(goals)) == 1 and len(set(parents)) == len(set(samples)) == len(chosen)

    total = sum(weight for *_, weight in moves) / 3
    pairs = [pair for pair in product(moves, repeat=2) if apart(*pair)]
    triples = [(*pair, last) for pair in pairs for last in moves if apart(*pair, last)]
    others = sum(math.prod(weight for *_, weight in pair) for pair in pairs) / 6
    twice = sum(math.prod(weight for *_, weight in triple) for triple in triples) / 6
    return total, others / total, twice / total


def leb128(number: int) -> bytes:
    """A number of 0 or more, seven bits in each byte, the lowest first; all bytes but the last have the eighth bit."""
    return bytes([number]) if number < 128 else bytes([number % 128 + 128]) + leb128(number // 128)


def random_words(seed: int, number: int) -> Iterator[int]:
    """The pseudorandom numbers of a random game, below 2**32: xorshift64* from a hash of the seed and its number."""

    def mixed(word: int) -> int:
        for distance in (32, 29):
            word = (word ^ (word >> distance)) * 0x9E3779B97F4A7C15 & WORD
        return word

    word = mixed(mixed(seed ^ 0x5851F42D4C957F2D) ^ (number + 1))
    while True:
        word ^= word << 13 & WORD
        word ^= word >> 7
        word ^= word << 17 & WORD
        yield (word * 0x2545F4914F6CDD1D & WORD) >> 32


def random_game(game: Game, state: State, words: Iterator[int], limit: int) -> tuple[State, int]:
    """The last state of a game of random actions, and its plies, which are at most ``limit``."""
    plies = 0
    while plies < limit and not game.is_terminal(state):
        legal = list(game.actions(state))
        state = game.result(state, legal[next(words) * len(legal) >> 32])
        plies += 1
    return state, plies


@dataclass
class TreeNode:
    """A node of a Monte Carlo tree: bounds of its value, its visits, and the sum of their rewards for MAX."""

    action: Action
    low: int
    high: int
    heuristic: float = 0.0
    visits: int = 0
    total: float = 0.0
    amaf_visits: int = 0
    amaf_total: float = 0.0
    children: list["TreeNode"] = field(default_factory=list)


class MonteCarloTree:
    """Monte Carlo tree search as its sources describe it: one object a node, every rule spelt out."""

    def __init__(
        self,
        game: Game,
        root: State,
        words: Iterator[int],
        before: tuple[State, ...] = (),
        *,
        exploration: float = 0.5,
        rave: bool = False,
        sufficient: bool = True,
        minimax: float = 0.0,
        prior: float = 0.0,
        growth: int = 0,
        room: int = 1 << 40,
        plies: int = 2000,
        typical: float = 1.0,
    ) -> None:
        self.game, self.start, self.words, self.before = game, root, words, before
        self.exploration, self.rave, self.minimax, self.prior = exploration, rave, minimax, prior
        self.sufficient = sufficient
        self.growth, self.room, self.plies, self.typical = growth, room, plies, typical
        self.used = 1
        self.margin = 0.25 if game.outcomes == "margin" else 0.0
        self.root = TreeNode(None, *game.utility_range)

    def reward(self, value: int) -> float:
        """What a utility is worth: the result, and in games of margins a little of the margin, too."""
        largest = max(1, *map(abs, self.game.utility_range))
        return (1.0 - self.margin) * float((value > 0) - (value < 0)) + self.margin * (value / largest)

    def is_decided(self, node: TreeNode) -> bool:
        """Whether the bounds of a node leave one reward."""
        return self.reward(node.low) == self.reward(node.high)

    def search(self, playouts: int) -> None:
        """Simulate so often, or until the root is decided."""
        for _ in range(playouts):
            if self.is_decided(self.root):
                return
            self.simulate()

    def simulate(self) -> None:
        """One simulation: down the tree, a random game, and up again."""
        game, state, path, states = self.game, self.start, [self.root], [self.start]
        played: list[tuple[Action, int]] = []
        grown = False
        while True:
            node = path[-1]
            if node is not self.root and self.is_decided(node):
                value, after = self.reward(node.low), []
                break
            if not node.children:
                enough = self.growth + self.room // (self.room - self.used) - 1
                if grown or (node is not self.root and node.visits < enough):
                    value, after = self.random_end(state)
                    break
                grown = True
                self.expand(node, state, [*self.before, *states])
                for above, one in zip(path[::-1], states[::-1], strict=True):
                    self.learn(above, game.to_move(one))
                continue
            node = self.select(node, game.to_move(state))
            played.append((node.action, game.to_move(state)))
            state = game.result(state, node.action)
            path.append(node)
            states.append(state)
        for node in path:
            node.visits += 1
            node.total += value
        if self.rave:
            for ply, node in enumerate(path[:-1]):
                later = {*played[ply:], *after}
                for child in node.children:
                    if (child.action, game.to_move(states[ply])) in later:
                        child.amaf_visits += 1
                        child.amaf_total += value

    def random_end(self, state: State) -> tuple[float, list[tuple[Action, int]]]:
        """The reward of a random game, and its actions with their players."""
        played = []
        while len(played) < self.plies and not self.game.is_terminal(state):
            known = self.game.sufficient_actions if self.sufficient else None
            legal = list((known or self.game.actions)(state))
            played.append((legal[next(self.words) * len(legal) >> 32], self.game.to_move(state)))
            state = self.game.result(state, played[-1][0])
        if self.game.is_terminal(state):
            return self.reward(self.game.utility(state)), played
        return self.reward(self.come_back(state)), played

    def come_back(self, state: State) -> int:
        """The value of a position that has come back, or of play that does not end there."""
        return self.game.repetition(state) if callable(self.game.repetition) else self.game.endless_value

    def expand(self, node: TreeNode, state: State, seen: list[State]) -> None:
        """Give a node its children, each with what is known of it."""
        game = self.game
        actions = list((game.sufficient_actions or game.actions)(state))
        for place in range(len(actions)):  # in random order
            other = place + (next(self.words) * (len(actions) - place) >> 32)
            actions[place], actions[other] = actions[other], actions[place]
        for action in actions:
            child = game.result(state, action)
            low, high = game.utility_range if game.bounds is None else game.bounds(child)
            if game.is_terminal(child):
                low = high = game.utility(child)
            elif game.repetition is not None and game.position_of(child) in map(game.position_of, seen):
                low = high = self.come_back(child)
            made = TreeNode(action, low, high)
            if self.minimax or self.prior:
                assert game.evaluate is not None
                if self.is_decided(made):
                    made.heuristic = self.reward(low)
                else:
                    made.heuristic = game.evaluate(child) / (abs(game.evaluate(child)) + self.typical)
            node.children.append(made)
        self.used += len(node.children)

    def learn(self, node: TreeNode, side: int) -> None:
        """Narrow the bounds of a node by those of its children, and take over the best child's heuristic."""
        best = max if side == MAX else min
        node.low = max(node.low, best(child.low for child in node.children))
        node.high = min(node.high, best(child.high for child in node.children))
        node.heuristic = best(child.heuristic for child in node.children)

    def select(self, node: TreeNode, side: int) -> TreeNode:
        """The child with the greatest upper confidence bound, among those that are not proven to be worse."""
        low, high = self.game.utility_range
        worst = self.reward(low if side == MAX else high) * side

        def ends(one: TreeNode) -> tuple[float, float]:
            return min(ends := (side * self.reward(one.low), side * self.reward(one.high))), max(ends)

        known = ends(node)[0]
        hopeful = [
            child
            for child in node.children
            if not (ends(child)[1] <= known and (ends(child)[0] < known or known == worst))
        ]
        return max(hopeful or node.children[:1], key=lambda child: self.bound(child, node, side))

    def bound(self, child: TreeNode, node: TreeNode, side: int) -> float:
        """The upper confidence bound of a child for the player to move at its parent."""
        if self.is_decided(child):
            return side * self.reward(child.low)
        visits = max(1, node.visits)
        mean = side * node.total / visits
        if child.visits + self.prior > 0:
            mean = side * (child.total + self.prior * child.heuristic) / (child.visits + self.prior)
        if self.rave and child.amaf_visits:
            part = math.sqrt(1000.0 / (3.0 * child.visits + 1000.0))
            mean += part * (side * child.amaf_total / child.amaf_visits - mean)
        if self.minimax:
            mean += self.minimax * (side * child.heuristic - mean)
        return mean + self.exploration * math.sqrt(math.log(visits)) / math.sqrt(max(1, child.visits))


def learned_value(evaluation: "Evaluation", game: Game, state: State) -> float:
    """What a learned evaluation thinks of a state, for the player to move, from -1 to 1."""
    cells, seen = evaluation.cells, state
    if game.to_move(state) != MAX and game.swap is not None:
        seen = game.swap(state)
    words = [*_ints_of(seen), *([] if game.features is None else game.features(seen))]
    if cells.open_words:
        words.append(open_squares(game, seen, cells.open_words))
    symbols = []
    for group in cells.groups:
        for bit in group.bits:
            code = sum((words[word] >> bit & 1) << place for place, word in enumerate(group.words))
            symbols.append(group.codes.index(code) if code in group.codes else 0)
    for count in cells.counts:
        number = (words[count.word] >> count.shift) % (1 << count.bits) if count.bits < 64 else words[count.word]
        symbols.append(min(max(number - count.low, 0), count.symbols - 1))
    start = 0 if game.swap is not None or game.to_move(state) == MAX else len(evaluation.weights) // 2
    total = 0
    for images in evaluation.tuples:
        sizes = [cells.symbols[cell] for cell in images[0]]
        for image in images:
            index = sum(symbols[cell] * math.prod(sizes[:place]) for place, cell in enumerate(image))
            total += int(evaluation.weights[start + index])
        start += math.prod(sizes)
    return math.tanh(total / 4096)


def expected_result(
    game: Game,
    player: int,
    mine: Callable[[State], list[Action]] | None,
    its: Callable[[State], list[Action]],
    errs: float,
) -> float:
    """What ``player`` gets on average from the initial state, against an opponent that errs.

    Both choose evenly among the actions that their functions return. If ``mine`` is None, the player chooses best. Of
    the opponent's actions, a share ``errs`` is chosen evenly among all.
    """

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)

    @cache
    def expected(state: State) -> float:
        if game.is_terminal(state):
            return player * game.utility(state)
        after = {action: expected(game.result(state, action)) for action in game.actions(state)}
        if game.to_move(state) != player:
            return (1 - errs) * mean([after[one] for one in its(state)]) + errs * mean(list(after.values()))
        return max(after.values()) if mine is None else mean([after[one] for one in mine(state)])

    return expected(game.initial)


def open_squares(game: Game, state: State, words: Sequence[int]) -> int:
    """The squares that are empty and that the player to move can fill with his next action."""
    squares = 0
    for bit in range(64):
        if not _is_taken(state, words, bit):
            children = [game.result(state, action) for action in game.actions(state)]
            squares |= any(_is_taken(child, words, bit) for child in children) << bit
    return squares


def _is_taken(state: State, words: Sequence[int], bit: int) -> bool:
    """Whether one of the chosen ints of a state has the bit."""
    ints = list(_ints_of(state))
    return any(ints[word] >> bit & 1 for word in words)


def _ints_of(state: State) -> Iterator[int]:
    """The ints of a state."""
    if isinstance(state, tuple):
        for field in state:
            yield from _ints_of(field)
    else:
        yield state
