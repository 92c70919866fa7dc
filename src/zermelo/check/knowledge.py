"""Checks of what a game tells engines and solvers besides the rules: hints, passes, keys, symmetries, swaps, tiers."""

from typing import Any

from zermelo.check.inspector import Inspector, Position
from zermelo.game import Game, State

_OF_ACTION = {
    "order": "higher for what is to be tried first",
    "proof_order": "higher for what a proof is to try first",
    "gain": "what an exchange wins, 0 if nothing is taken",
}
"""The functions that give an int for each action, and what the int is."""


def check_hints(inspector: Inspector, position: Position) -> None:
    """Check that ORDER, PROOF_ORDER and GAIN give an int for each legal action."""
    for name, meaning in _OF_ACTION.items():
        if getattr(inspector.game, name) is None:
            continue
        for action in position.legal:
            hint = inspector.ask(position, name, position.state, action)
            if not isinstance(hint, int):
                sentence = f"{name} gives {hint!r} for the action {action!r}."
                inspector.find(name, position, sentence, f"It must be an int, {meaning}.")


def check_pass(inspector: Inspector, position: Position) -> None:
    """Check that URGENT gives a bool, and that the other player is to move after a pass."""
    if position.terminal is not False:
        return
    if inspector.game.urgent is not None:
        threat = inspector.ask(position, "urgent", position.state)
        if not isinstance(threat, int):
            inspector.find("urgent", position, f"urgent gives {threat!r}.", "It must be True or False.")
    if inspector.game.null_state is not None:
        passed = inspector.ask(position, "null_state", position.state)
        if passed != position.state:
            mover = inspector.ask(position, "to_move", passed)
            if mover != -inspector.ask(position, "to_move", position.state):
                sentence = f"null_state gives {passed!r}, where the same player is to move."
                inspector.find("null_state", position, sentence, "Let it give the state with the other player to move.")


def check_subsets(inspector: Inspector, position: Position) -> None:
    """Check that sufficient and noisy actions are legal, and that there is at least one sufficient action."""
    for name in ("sufficient_actions", "noisy_actions"):
        if getattr(inspector.game, name) is None or position.terminal is not False:
            continue
        some = inspector.ask(position, name, position.state)
        wrong = [action for action in some if action not in position.legal]
        if wrong:
            sentence = f"{name} yields {wrong[0]!r}, which is not legal here."
            inspector.find(name, position, sentence, f"Let {name} yield only what actions yields.")
        elif not some and name == "sufficient_actions":
            sentence = "sufficient_actions yields nothing, and the game is not over."
            inspector.find(name, position, sentence, "Let it yield at least one action that keeps the value.")


def check_bounds(inspector: Inspector, position: Position) -> None:
    """Check that BOUNDS gives a pair, the lower bound first."""
    if inspector.game.bounds is None or position.terminal is not False:
        return
    pair = inspector.ask(position, "bounds", position.state)
    if not isinstance(pair, tuple) or len(pair) != 2 or not pair[0] <= pair[1]:
        sentence = f"bounds gives {pair!r}."
        inspector.find("bounds", position, sentence, "It must be (low, high) with low <= high.")


def check_window_bounds(inspector: Inspector, position: Position) -> None:
    """Check that WINDOW-BOUNDS gives a pair, the lower bound first, whatever the window."""
    game = inspector.game
    if game.window_bounds is None or position.terminal is not False:
        return
    for alpha in windows(game):
        pair = inspector.ask(position, "window_bounds", position.state, alpha)
        if not isinstance(pair, tuple) or len(pair) != 2 or not pair[0] <= pair[1]:
            sentence = f"window_bounds gives {pair!r} for alpha {alpha}."
            inspector.find("window_bounds", position, sentence, "It must be (low, high) with low <= high.")
            return


def windows(game: Game) -> tuple[int, ...]:
    """Return a few alphas to ask WINDOW-BOUNDS for: at the ends of the utilities and around their middle."""
    low, high = game.utility_range
    middle = (low + high) // 2
    return tuple(sorted({low, middle - 1, middle, high - 1}))


def check_symmetries(inspector: Inspector, position: Position) -> None:
    """Check that symmetric states have the same player to move, the same number of actions, and the same utility."""
    if inspector.game.symmetries is None or position.terminal is None:
        return
    here = _outline(inspector, position, position.state)
    for other in inspector.ask(position, "symmetries", position.state):
        there = _outline(inspector, position, other)
        for what, mine, its in zip(("to_move", "is_terminal", "utility", "actions"), here, there, strict=True):
            if mine != its:
                sentence = f"symmetries yields {other!r}, where {what} says {its} and not {mine} as here."
                advice = "Let symmetries yield only states that play exactly alike; turn or mirror every field."
                inspector.find("symmetries", position, sentence, advice)
                return


def _outline(inspector: Inspector, position: Position, state: State) -> tuple[Any, ...]:
    """Return a state's player to move, whether it is terminal, its utility if so, and its number of actions."""
    ask = inspector.ask
    over = bool(ask(position, "is_terminal", state))
    utility = ask(position, "utility", state) if over else None
    return ask(position, "to_move", state), over, utility, 0 if over else len(ask(position, "actions", state))


def check_swap(inspector: Inspector, position: Position) -> None:
    """Check that SWAP exchanges the players and negates every value, and that SWAP done twice changes nothing."""
    game, ask, state = inspector.game, inspector.ask, position.state
    if game.swap is None or position.terminal is None:
        return
    other = ask(position, "swap", state)
    back = ask(position, "swap", other)
    if back != state:
        advice = "Let swap exchange every field that belongs to a player."
        inspector.find("swap", position, f"swap, done twice, gives {back!r} and not {state!r}.", advice)
        return
    mine, its = _outline(inspector, position, state), _outline(inspector, position, other)
    mover, over, utility, many = mine
    if position.terminal is False and its[0] != -mover:
        fault = f"to_move says {its[0]} before and after"
    elif its[1] != over or its[3] != many:
        fault = f"there are {many} actions before and {its[3]} after, or the game is over in one of the two only"
    elif utility is not None and its[2] != -utility:
        fault = f"utility gives {utility} before and {its[2]} after"
    else:
        _check_swapped_evaluation(inspector, position, other)
        return
    advice = "Let swap exchange the players and all that is theirs, so that every value is negated."
    inspector.find("swap", position, f"swap does not exchange the players: {fault}.", advice)


def _check_swapped_evaluation(inspector: Inspector, position: Position, other: State) -> None:
    """Check that exchanging the players negates EVAL."""
    if inspector.game.evaluate is None or position.terminal:
        return
    mine = inspector.ask(position, "evaluate", position.state)
    its = inspector.ask(position, "evaluate", other)
    if mine != -its:
        sentence = f"evaluate gives {mine}, and {its} with colours exchanged."
        advice = "EVAL must be from MAX's point of view, whoever is to move: exchanging colours negates it."
        inspector.find("evaluate view", position, sentence, advice)


def check_tier(inspector: Inspector, position: Position) -> None:
    """Check that the tier is an int, and that no action lowers it."""
    if inspector.game.tier is None:
        return
    tier = inspector.ask(position, "tier", position.state)
    if not isinstance(tier, int):
        inspector.find("tier", position, f"tier gives {tier!r}.", "It must be an int that no move lowers.")
        return
    for action, child in zip(position.legal, position.children, strict=False):
        below = inspector.ask(position, "tier", child.state)
        if isinstance(below, int) and below < tier:
            sentence = f"The tier falls from {tier} to {below} with the action {action!r}."
            inspector.find("tier", position, sentence, "No move may lower the tier; count what only ever grows.")


def check_pack(inspector: Inspector, position: Position) -> None:
    """Check that a state is the same after it is packed and unpacked."""
    game = inspector.game
    if game.pack is None or game.unpack is None:
        return
    packed = inspector.ask(position, "pack", position.state)
    if isinstance(packed, int) and packed < 0:  # the game has no room for this state
        return
    back = inspector.ask(position, "unpack", packed)
    if back != position.state:
        sentence = f"pack gives {packed!r}, which unpack makes {back!r} and not {position.state!r}."
        inspector.find("pack", position, sentence, "Let pack keep all that the state holds.")


def check_key(inspector: Inspector, position: Position, known: dict[int, Position]) -> None:
    """Check that the key is an int, and that no other state has the same key; ``known`` holds the keys so far."""
    if inspector.game.key is None:
        return
    key = inspector.ask(position, "key", position.state)
    if not isinstance(key, int):
        inspector.find("key", position, f"key gives {key!r}.", "It must be an int.")
        return
    other = known.setdefault(key, position)
    if other.state != position.state:
        sentence = f"The key {key} belongs to this state, {position.state!r}, and to {other.state!r}."
        advice = "Let key hold all that the state holds, each field in bits of its own, whose turn it is too."
        inspector.find("key", position, sentence, advice)


CHECKS = (
    check_hints,
    check_pass,
    check_subsets,
    check_bounds,
    check_window_bounds,
    check_symmetries,
    check_swap,
    check_tier,
    check_pack,
)
