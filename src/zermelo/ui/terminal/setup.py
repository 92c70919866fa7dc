"""Before a game: what the command line says, and questions for the rest, one at a time."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from rich.console import Console
from rich.text import Text

from zermelo.errors import ZermeloError
from zermelo.game import MAX, Game
from zermelo.games import USUAL
from zermelo.parameters import parameters_of
from zermelo.play.levels import meanings
from zermelo.play.players import make_player
from zermelo.play.settings import LEVELS, PlayerOptions
from zermelo.registry import factories, find_factory
from zermelo.textbook.systems import ALGORITHMS, DEPTH, Settings
from zermelo.ui.loading import load_game

T = TypeVar("T")
TWO_TABLES: Final = (
    "The sound table tells bounds from values; the handout's takes some bounds for values, which gives the published "
    "counts and can lose a drawn game (docs/explanation/errata.md)."
)


@dataclass(frozen=True)
class Setup:
    """A game and who plays it, as the command line names them."""

    source: str
    parameters: dict[str, str] = field(default_factory=dict)
    max: str | None = None
    min: str | None = None
    options: PlayerOptions = field(default_factory=PlayerOptions)
    show_table: bool = False

    def make_game(self) -> Game:
        """Return the game; errors are those of `zermelo.ui.loading.load_game`."""
        return load_game(self.source, self.parameters)


def ask(console: Console, question: str, default: str, read: Callable[[str], T]) -> T:
    """Ask until the answer can be read; an empty answer means the default.

    ``read`` turns text into the answer and raises `ZermeloError` or ValueError, with what would be right, where it
    cannot. End of input and Ctrl-C go to the caller.
    """
    while True:
        text = console.input(Text(f"{question} [{default}] ")).strip() or default
        try:
            return read(text)
        except (ZermeloError, ValueError) as error:
            console.print(str(error), style="red", markup=False, highlight=False)


def read_choice(*choices: str) -> Callable[[str], str]:
    """Return a reader that takes one of the choices, or an unambiguous beginning of one."""

    def read(text: str) -> str:
        found = [choice for choice in choices if choice == text.lower()]
        found = found or [choice for choice in choices if choice.startswith(text.lower())]
        if len(found) != 1:
            raise ValueError(f"{text!r} is none of {', '.join(choices)}.")
        return found[0]

    return read


def ask_yes_no(console: Console, question: str, default: bool = False) -> bool:
    """Ask a yes-or-no question."""
    return ask(console, question, "y" if default else "n", read_choice("yes", "no")) == "yes"


def ask_setup(console: Console, said: Setup) -> Setup:
    """Ask which game, its parameters, which algorithm, who moves first, and whether to show the table."""

    def read_game(text: str) -> str:
        find_factory(text)
        return text

    console.print("Games: " + ", ".join(factories()) + ", or a file such as my_game.py", highlight=False, markup=False)
    source = ask(console, "Which game?", USUAL, read_game)
    setup = _ask_parameters(console, replace(said, source=source))
    if said.max is None and said.min is None:
        setup = _ask_players(console, setup)
    return replace(setup, show_table=ask_yes_no(console, "Show the table (debugging information)?"))


def _ask_parameters(console: Console, setup: Setup) -> Setup:
    """Ask for each parameter that was not given, until together they make a game."""
    given = setup.parameters
    factory = find_factory(setup.source)
    for info in parameters_of(factory):  # refuse first what no answer can put right
        if info.name in given:
            info.parse(given[info.name])
    while True:
        parameters = dict(given)
        for info in parameters_of(factory):
            if info.name not in given:
                default = str(info.default).lower()
                parameters[info.name] = str(ask(console, f"{info.name}?", default, info.parse)).lower()
        asked = replace(setup, parameters=parameters)
        try:
            asked.make_game()
        except ZermeloError as error:
            if parameters == given:
                raise
            console.print(str(error), style="red", markup=False, highlight=False)
        else:
            return asked


def _ask_players(console: Console, setup: Setup) -> Setup:
    game = setup.make_game()

    def read_algorithm(text: str) -> str:
        name = read_choice(*ALGORITHMS, "engine")(text)
        make_player(name, game, setup.options)
        return name

    default = "alpha-beta" if game.evaluate is None else "timed"
    question = f"Which algorithm for the computer ({', '.join(ALGORITHMS)}), or engine?"
    computer = ask(console, question, default, read_algorithm)
    options = _ask_table(console, computer, setup.options)
    options = _ask_settings(console, computer, _ask_level(console, game, computer, options))
    person_first = ask(console, "Who moves first, you or the computer?", "you", read_choice("you", "computer")) == "you"
    person_is_max = person_first == (game.to_move(game.initial) == MAX)
    max_player, min_player = ("human", computer) if person_is_max else (computer, "human")
    return replace(setup, max=max_player, min=min_player, options=options)


def _ask_table(console: Console, computer: str, options: PlayerOptions) -> PlayerOptions:
    """Ask which table to use, if there are two, and say how they differ."""
    if computer not in ("alpha-beta", "heuristic") or options.handout:
        return options
    console.print(TWO_TABLES, highlight=False, soft_wrap=True)
    question = f"{computer}, sound, or {computer}, exactly as in the handout (sound, handout)?"
    table = ask(console, question, "sound", read_choice("sound", "handout"))
    return replace(options, handout=table == "handout")


def _ask_level(console: Console, game: Game, computer: str, options: PlayerOptions) -> PlayerOptions:
    """Ask for a level, if the player has levels and no given setting overrides them; say what measured ones mean."""
    if computer not in LEVELS or options.level or any((options.depth, options.width, options.seconds)):
        return options
    words = meanings(game) if computer == "engine" else []
    for number, meaning in enumerate(words, start=1):
        console.print(f"  {number:2}  {meaning}", highlight=False, soft_wrap=True)
    numbers = [str(number + 1) for number in range(len(words))]
    levels = ", ".join([*LEVELS[computer], *numbers])
    question = f"Which level ({levels}), or own to choose its settings?"
    level = ask(console, question, "hard", read_choice(*LEVELS[computer], *numbers, "own"))
    return options if level == "own" else replace(options, level=level)


def _ask_settings(console: Console, computer: str, options: PlayerOptions) -> PlayerOptions:
    """Ask for the depth, width or seconds that the algorithm takes, unless they were given."""
    if computer not in LEVELS or options.level:
        return options
    questions = {
        "depth": ("How many plies deep?", str(DEPTH)),
        "width": ("How many moves wide?", str(Settings.width)),
        "seconds": ("How many seconds for each move?", f"{Settings.seconds:g}"),
    }
    concerns = {"path": ("depth", "width"), "timed": ("seconds",)}.get(computer, ("depth",))
    said: dict[str, Any] = {
        name: ask(console, *questions[name], _setting_reader(name))
        for name in concerns
        if getattr(options, name) is None
    }
    return replace(options, **said)


def _setting_reader(name: str) -> Callable[[str], float]:
    """Return a reader of a depth, a width or seconds, which checks them as `Settings` does."""

    def read(text: str) -> float:
        try:
            value: Any = float(text) if name == "seconds" else int(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a number.") from None
        Settings(**{name: value})
        return float(value) if name == "seconds" else int(value)

    return read
