"""The JSON of the interface for programs, which ``/openapi.json`` describes."""

from typing import Any, Literal

from pydantic import BaseModel, Field

Side = Literal["MAX", "MIN"]
ValueOf = Literal["MAX"]
"""Whose the values of an answer are, except where the shape is another project's."""


class Parameter(BaseModel):
    """One parameter of a game."""

    name: str
    type: Literal["int", "bool"]
    default: int | bool
    minimum: int | None = None
    maximum: int | None = None


class GameInfo(BaseModel):
    """A game of the shelf."""

    name: str
    title: str = Field(description="What people call it.")
    summary: str
    parameters: list[Parameter]


class LegalAction(BaseModel):
    """An action that is legal in a position."""

    action: str = Field(description="As people write it, and as `moves` takes it.")
    clicks: list[int] | None = Field(None, description="The cells whose clicks mean it.")


class Position(BaseModel):
    """A position and what may be played in it."""

    game: str
    parameters: dict[str, int | bool]
    position: str = Field(description="The state on one line.")
    board: str = Field(description="The state as a picture in plain text.")
    player: Side | None = Field(description="Who is to move; null where the game is over.")
    terminal: bool
    utility: int | None = Field(None, description="For MAX, where the game is over.")
    value_of: ValueOf = Field(default="MAX", description="Whose the utility is, whoever is to move.")
    actions: list[LegalAction]


class AnalysedAction(BaseModel):
    """A legal action and its value for MAX."""

    action: str = Field(description="As people write it.")
    value: int = Field(description="For MAX, whoever is to move: above 0 is good for MAX.")
    remoteness: int | None = Field(
        None, description="Plies to the end, this action counted; null where it is not known."
    )
    proven: bool = Field(description="Whether the value is a proof; else it is an estimate.")


class AnalysisResult(BaseModel):
    """What a bounded search, or a solved table, says of a position; values are for MAX."""

    position: str
    player: Side
    source: Literal["engine", "textbook", "table"] = Field(description="Who says so.")
    value: int = Field(description="For MAX, whoever is to move: above 0 is good for MAX.")
    value_of: ValueOf = Field(
        default="MAX", description="Whose the values are, here and in `actions`, whoever is to move."
    )
    bound: Literal["exact", "lower", "upper", "estimate"] = Field(
        description="Whether the value is exact, at least or at most so much, or an estimate."
    )
    proven: bool = Field(description="Whether it is a proof; else it is an estimate.")
    remoteness: int | None = Field(description="Plies to the end; null where it is not known.")
    depth: int | None = Field(description="Plies searched; null for a table.")
    nodes: int = Field(description="Nodes visited.")
    seconds: float = Field(description="Time taken.")
    line: list[str] = Field(description="The principal variation, as actions.")
    other_lines: list[list[str]] = Field(
        description="The lines of the two next best actions, which begin them; empty while a search goes on, and if it "
        "has less than 2 seconds."
    )
    actions: list[AnalysedAction] = Field(description="Every legal action, the best for the player to move first.")


Value = Literal["win", "tie", "draw", "lose"]


class SolvedMove(BaseModel):
    """A move, and the position after it, in the shape of GamesCrafters' Universal Web API, with `value_of` besides."""

    move: str
    moveValue: Value = Field(  # noqa: N815 - their name
        description="The outcome for the player who moves: `value_of` of the position before."
    )
    deltaRemoteness: int = Field(description="How far its remoteness is from the best move's of its value.")  # noqa: N815
    position: str
    positionValue: Value = Field(description="The outcome for the player to move there.")  # noqa: N815
    remoteness: int = Field(
        description="Of the position after it; -100 where it is finite and unknown, -200 for a draw."
    )
    winby: int | None = Field(None, description="What the player to move there wins by, in games that count.")
    value_of: Side = Field(description="Whose `positionValue` and `winby` are: the player to move there.")


class SolvedPosition(BaseModel):
    """A solved position, in the shape of GamesCrafters' Universal Web API, with `value_of` besides."""

    position: str
    positionValue: Value = Field(description="The outcome for the player to move.")  # noqa: N815
    remoteness: int = Field(description="Plies to the end; -100 where it is finite and unknown, -200 for a draw.")
    winby: int | None = Field(None, description="What the player to move wins by, in games that count.")
    value_of: Side = Field(
        description="Whose `positionValue`, `winby` and `moveValue` of each move are: the player to move."
    )
    moves: list[SolvedMove]


class Problem(BaseModel):
    """What was wrong (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    extra: Any = None
