"""The contract of a game: a frozen record of pure functions.

The names are those of the handouts (and of Russell & Norvig): TO-MOVE, ACTIONS, RESULT,
IS-TERMINAL, UTILITY, EVAL, IS-CUTOFF. Every value in a public place is from MAX's point of view.

Glossary
    state      a NamedTuple of ints, or of short tuples of ints, for games that are to be
               compiled; any hashable object otherwise
    action     an int for compiled games, anything hashable otherwise
    parameter  an int or bool that the factory of a game closes over: ``rows`` of ``connect``
    factory    the function that makes a `Game` from its parameters
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from zermelo import notation
from zermelo.board import Board
from zermelo.contract import OPTIONAL, RULES, naming_missing_rules
from zermelo.display import fault_of_sides, html_picture, save_picture
from zermelo.errors import BadGame, IllegalAction, Indescribable
from zermelo.fingerprint import fingerprint
from zermelo.weights import Weights, bound, fault_of_weights, unbound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

State: TypeAlias = Any
Action: TypeAlias = Any
Player: TypeAlias = int
"""MAX (+1) or MIN (-1)."""
Parameters: TypeAlias = Mapping[str, int]
"""Names and values of a game's parameters; yes/no parameters are bools."""
Factory: TypeAlias = "Callable[..., Game]"

MAX: Final = 1
MIN: Final = -1
ROLES: Final = {MAX: "MAX", MIN: "MIN"}
"""The names of the sides in programs, whatever people call them."""


@naming_missing_rules
@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Game:
    """The rules of one two-player, zero-sum, perfect-information game.

    Parameters
    ----------
    name
        The name of the factory, as the registry knows it.
    initial
        The state in which a game starts.
    utility_range
        ``(low, high)``: every utility lies within; the first window of the handout that asks for one.
    outcomes
        ``"wdl"``: every win beats every draw beats every loss, whatever the number, and
        |EVAL| < |UTILITY of any win|. ``"margin"``: the number is what counts, and EVAL stays
        strictly inside the range.
    to_move, actions, result, is_terminal, utility
        The rules. ``actions`` yields the legal actions of a state that is not terminal, in the
        handout's order; ``utility`` is asked of terminal states only.
    parameters
        What the factory was called with.
    evaluate
        EVAL: an int from MAX's point of view, asked of states that are not terminal.
    weights
        The numbers of EVAL, which ``zermelo tune`` looks for: a NamedTuple of ints, or of tuples of ints. The game is
        then given ``evaluate(state, weights)``, and everybody else calls ``evaluate(state)``.
    features
        ``features(state)``: what a learned evaluation is to see of a state besides its squares, a tuple of small ints.
    is_cutoff
        IS-CUTOFF(state, depth): whether a heuristic search stops here, ``depth`` plies from its root.
    order
        ``order(state, action)``: a hint, higher is tried first; good for the player to move.
    proof_order
        ``proof_order(state, action)``: as ``order``, for proofs. Left out, proofs use ``order``.
    key
        ``key(state)``: an injective int.
    draw
        ``draw(state)``: a picture in plain text.
    format_action, parse_action
        ``format_action(state, action)`` is the action as people write it;
        ``parse_action(state, text)`` its inverse, ValueError where the text means nothing, or several actions: a
        message of the form ``'15x31' may mean ...`` is what people read.
    from_text, to_text
        A state on one line of text and back, in the notation of the field where it has one; ``from_text`` raises
        ValueError, with what would be right, where the text means no state.
    text_words
        What the words of such a text after the first are called, for people who set a position up:
        ``("side to move", "castling")``.
    pgn_tags, read_pgn
        ``pgn_tags(state)``: the tags by which Portable Game Notation tells that a game began in a state; a game that
        has them is written in PGN. ``read_pgn(text)``: the games in a text, each as the state in which it began and a
        list of actions; ValueError, with what is wrong, where one cannot be played.
    uci_forms
        The same game for programs that turn on an option of UCI, by the option's name: functions that return it with
        positions and moves written as the option wants them, ``{"UCI_Chess960": ...}``.
    board
        ``board(state)``: the picture as data, a `zermelo.board.Board`.
    sides
        What people call MAX and MIN: ``("Red", "Yellow")``.
    colours
        The colours of the pieces of MAX and MIN, as ``#rrggbb``. If left out, a side that is named after a colour (Red,
        Orange, Yellow, Blue, White or Black) has that colour, and any other the usual one.
    swap
        ``swap(state)``: colours exchanged, so that every value is negated; EVAL must agree.
    repetition
        Absent where no position can come back; ``"draw"``; or a function that gives the value of
        a state come back to.
    occurrences
        How often a position must stand on the board to end a match: 2, if a match ends at the first return, or 3, as in
        chess. For searches and solved tables the first return is the end in any case.
    endless_value
        The value of play that never ends, for games that allow it.
    cycles_agree
        A promise that ``repetition``, where it is a function, gives all positions of a cycle the same value, so that no
        value depends on the moves before. Searches may then use what they know of a position wherever they meet it.
    noisy_actions
        ``noisy_actions(state)``: legal actions after which EVAL is not to be trusted yet, such as captures.
    is_stopped
        ``is_stopped(state)``: whether the game is over although there may be moves left, as after fifty moves of chess
        without a capture. `is_terminal` is true there, too. Perft goes on, and ``actions`` yields the moves.
    position
        ``position(state)``: the state without its counters, such as the plies since the last capture. A state comes
        back if its position does. Left out, the position is the state.
    plies_left
        ``plies_left(state)``: no counter ends the game before so many plies are played.
    gain
        ``gain(state, action)``: what the exchange that begins with an action wins, in EVAL's units, negative if it
        loses; at most 0 for an action that takes nothing. Only actions with a positive ``order`` may win.
    null_state
        ``null_state(state)``: the state after the player to move has passed, or ``state`` itself where it would tell
        nothing, such as where a player may be better off by passing.
    urgent
        ``urgent(state)``: whether the player to move faces a threat that EVAL does not see, such as check.
    switches
        The engine's switches that play best in this game, by name (`zermelo.engine.switches.Switches`).
    pack, unpack
        ``pack(state)``: an injective int of at most 63 bits, for solved tables, negative for states that it has no room
        for; ``unpack`` is its inverse.
    placements
        ``placements(text)``: every way to place the men that the text names, for tables of endings, as states or as an
        array of what ``pack`` gives for each, which may have only the least of symmetric ones; ValueError, with what
        would be right, where it names none.
    plies_to_end
        ``plies_to_end(state, value)``: after how many plies a game that ends with this utility is over, counted from
        ``state``; None where the utility does not tell.
    window_bounds
        ``window_bounds(state, alpha)``: as ``bounds``, but it need only tell whether the value is more than ``alpha``.
    sufficient_actions, bounds, symmetries, tier
        Optional knowledge for engines and solvers; see ``docs/reference/functions.md``.

    Raises
    ------
    BadGame
        A function of the rules is missing, or a field is of the wrong kind.
    """

    name: str
    initial: State
    utility_range: tuple[int, int]
    to_move: Callable[[State], Player]
    actions: Callable[[State], Iterable[Action]]
    result: Callable[[State, Action], State]
    is_terminal: Callable[[State], bool]
    utility: Callable[[State], int]
    outcomes: Literal["wdl", "margin"] = "wdl"
    parameters: Parameters = field(default_factory=dict)
    evaluate: Callable[..., int] | None = None
    weights: Weights | None = None
    features: Callable[[State], tuple[int, ...]] | None = None
    is_cutoff: Callable[[State, int], bool] | None = None
    order: Callable[[State, Action], int] | None = None
    proof_order: Callable[[State, Action], int] | None = None
    key: Callable[[State], int] | None = None
    pack: Callable[[State], Any] | None = None
    unpack: Callable[[Any], State] | None = None
    symmetries: Callable[[State], Iterable[State]] | None = None
    swap: Callable[[State], State] | None = None
    sufficient_actions: Callable[[State], Iterable[Action]] | None = None
    noisy_actions: Callable[[State], Iterable[Action]] | None = None
    gain: Callable[[State, Action], int] | None = None
    null_state: Callable[[State], State] | None = None
    urgent: Callable[[State], bool] | None = None
    bounds: Callable[[State], tuple[int, int]] | None = None
    window_bounds: Callable[[State, int], tuple[int, int]] | None = None
    plies_to_end: Callable[[State, int], int | None] | None = None
    tier: Callable[[State], int] | None = None
    is_stopped: Callable[[State], bool] | None = None
    position: Callable[[State], State] | None = None
    plies_left: Callable[[State], int] | None = None
    placements: Callable[[str], "Iterable[State] | NDArray[np.int64]"] | None = None
    draw: Callable[[State], str] = str
    format_action: Callable[[State, Action], str] | None = None
    parse_action: Callable[[State, str], Action] | None = None
    from_text: Callable[[str], State] | None = None
    to_text: Callable[[State], str] | None = None
    text_words: tuple[str, ...] = ()
    pgn_tags: Callable[[State], Mapping[str, str]] | None = None
    read_pgn: Callable[[str], list[tuple[State, list[Action]]]] | None = None
    uci_forms: Mapping[str, Callable[[], "Game"]] = field(default_factory=dict)
    board: Callable[[State], Board] | None = None
    sides: tuple[str, str] = ("MAX", "MIN")
    colours: tuple[str, str] | None = None
    repetition: Literal["draw"] | Callable[[State], int] | None = None
    occurrences: int = 2
    endless_value: int = 0
    cycles_agree: bool = False
    switches: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        fault = self._fault()
        if fault:
            raise BadGame(f"The game {self.name!r} has {fault}.")
        self._bind()

    def _bind(self) -> None:
        """Let EVAL use the weights."""
        if self.weights is not None and self.evaluate is not None:
            object.__setattr__(self, "evaluate", bound(self.evaluate, self.weights))

    def _fault(self) -> str:
        """What is wrong with one of the fields, and what would be right; empty if nothing is wrong."""
        bounds = self.utility_range
        if not (isinstance(bounds, tuple) and len(bounds) == 2 and all(isinstance(end, int) for end in bounds)):
            return f"utility_range {bounds!r}; it must be a tuple of two ints, (low, high)"
        if bounds[0] > bounds[1]:
            return f"utility_range {bounds}; it must be (low, high) with low <= high"
        if self.outcomes not in ("wdl", "margin"):
            return f"outcomes {self.outcomes!r}; it must be 'wdl' or 'margin'"
        if not (self.repetition is None or self.repetition == "draw" or callable(self.repetition)):
            return f"repetition {self.repetition!r}; it must be 'draw' or a function of a state, or be left out"
        if not isinstance(self.occurrences, int) or self.occurrences < 2:
            return f"occurrences {self.occurrences!r}; it must be an int, 2 or more"
        if not isinstance(self.endless_value, int):
            return f"endless_value {self.endless_value!r}; it must be an int"
        if not isinstance(self.parameters, Mapping):
            return f"parameters {self.parameters!r}; it must be a dict of what the factory was called with"
        if not isinstance(self.switches, Mapping):
            return f"switches {self.switches!r}; it must be a dict of switches of the engine and their values"
        if not (isinstance(self.uci_forms, Mapping) and all(map(callable, self.uci_forms.values()))):
            return f"uci_forms {self.uci_forms!r}; it must be a dict of functions that return a game"
        if not isinstance(self.name, str):
            return f"name {self.name!r}; it must be a str"
        for name in OPTIONAL:
            if not callable(getattr(self, name)) and (name == "draw" or getattr(self, name) is not None):
                return f"{name} {getattr(self, name)!r}; it must be a function, or be left out"
        fault = "" if self.weights is None else fault_of_weights(self.weights, self.evaluate)
        return fault or fault_of_sides(self.sides, self.colours)

    def __getstate__(self) -> dict[str, Any]:
        """The fields, and nothing that was computed from them since: a copy is made of these."""
        held = {one.name: getattr(self, one.name) for one in fields(self)}
        if self.weights is not None and self.evaluate is not None:
            held["evaluate"] = unbound(self.evaluate)
        return held

    def __setstate__(self, held: dict[str, Any]) -> None:
        vars(self).update(held)
        self._bind()

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.name}({arguments})"

    def _repr_html_(self) -> str:
        return f"<div>{html_picture(self, self.initial)}</div><code>{escape(repr(self))}</code>"

    def save(self, path: str | Path, state: State | None = None) -> None:
        """Write the picture of the initial state, or of ``state``, to an SVG file.

        Raises
        ------
        BadParameter
            The game has no ``board``, or the file cannot be written.
        """
        save_picture(self, self.initial if state is None else state, path)

    @cached_property
    def fingerprint(self) -> str:
        """What the rules are, as 16 hexadecimal digits, equal in every process.

        It covers the initial state, the rules, ``key``, the parameters and every helper that they call;
        comments, docstrings and annotations do not count.

        Raises
        ------
        Indescribable
            The rules depend on something that cannot be written down, such as a generator or an open file.
        """
        rules = {rule: getattr(self, rule) for rule in sorted((*RULES, "key"))}
        try:
            return fingerprint((self.initial, dict(sorted(self.parameters.items())), rules))
        except Indescribable as error:
            raise Indescribable(
                f"The rules of {self!r} have no fingerprint: {error}. "
                "Let rules depend only on constants, on tables and objects made of them, and on functions."
            ) from None

    @property
    def seen_fingerprint(self) -> str:
        """What a learned evaluation belongs to: the fingerprint of the rules and, if there are any, of ``features``."""
        return self.fingerprint if self.features is None else fingerprint((self.fingerprint, self.features))

    def legal_actions(self, state: State) -> list[Action]:
        """The legal actions of ``state`` in the handout's order; none if the game is over."""
        return [] if self.is_terminal(state) else list(self.actions(state))

    def legal_action(self, state: State, action: Action | str) -> Action:
        """The legal action that is ``action``, or that ``action`` means as a text.

        Raises
        ------
        IllegalAction
            It is none of the legal actions, which the message names.
        """
        legal = self.legal_actions(state)
        if action in legal:
            return legal[legal.index(action)]
        if isinstance(action, str):
            return self.read_action(state, action)
        raise IllegalAction(f"{action} is not a legal action here; {notation.named(self, state, legal)}.")

    def play(self, state: State, action: Action | str) -> State:
        """The state after ``action``, which must be legal: an action, or its text as people write it.

        Raises
        ------
        IllegalAction
            ``action`` is not among the legal ones, which the message names.
        """
        return self.result(state, self.legal_action(state, action))

    def replay(self, actions: Iterable[Action | str] | str, state: State | None = None) -> State:
        """The state after ``actions``, from the initial state or from ``state``.

        Parameters
        ----------
        actions
            Actions or their texts; or one text with commas or spaces between the actions: ``"b2-a3 c5-d4"``.
        state
            Where to start.

        Raises
        ------
        IllegalAction
            One of them is not legal; the message says which one.
        """
        state = self.initial if state is None else state
        for number, action in enumerate(notation.split_moves(actions), start=1):
            try:
                state = self.play(state, action)
            except IllegalAction as error:
                raise IllegalAction(f"Action {number}: {error}") from None
        return state

    def position_of(self, state: State) -> State:
        """The state without its counters: a state comes back if this does."""
        return state if self.position is None else self.position(state)

    def side_name(self, side: Player) -> str:
        """What people call MAX, or MIN: ``Red``."""
        return self.sides[0 if side == MAX else 1]

    def side_title(self, side: Player) -> str:
        """The name of a side and, if that is not the role, which of the two it is: ``Red (MAX)``."""
        name, role = self.side_name(side), ROLES[side]
        return name if name == role else f"{name} ({role})"

    def show_action(self, state: State, action: Action) -> str:
        """``action`` as people write it."""
        return str(action) if self.format_action is None else self.format_action(state, action)

    def show_state(self, state: State) -> str:
        """``state`` on one line: in the game's notation if it has one, else its fields as Python writes them."""
        if self.to_text is not None:
            return self.to_text(state)
        return str(tuple(state) if isinstance(state, tuple) else state)

    def read_action(self, state: State, text: str) -> Action:
        """The legal action that ``text`` means: as `show_action` writes it, ``parse_action`` reads it, or its number.

        If the game writes actions as whole numbers of its own, a number is such a text and never the action itself.

        Raises
        ------
        IllegalAction
            The text means no action, one that is not legal here, or several.
        """
        return notation.read_action(self, state, text)
