"""The interface for programs: JSON over HTTP under ``/api``, bounded in depth, time and number.

A position is a game, its parameters (``rows=4,columns=4``) and the moves that lead to it (``3,3,2``). Errors are
problem JSON (RFC 9457). A search ends when its client goes away.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from zermelo.errors import BadParameter, NotCompilable, TerminalState, UnknownGame, ZermeloError
from zermelo.game import MAX, Game, State
from zermelo.play.moves import read_moves
from zermelo.textbook.explain import state_text
from zermelo.ui import show
from zermelo.ui.web import shapes
from zermelo.ui.web.analysis import Analysis, MoveValue, best_first
from zermelo.ui.web.judging import name_of, sign
from zermelo.ui.web.lanes import Busy
from zermelo.ui.web.links import LONGEST
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.thinking import Workshop

MOST_SECONDS: Final = 10.0
MOST_DEPTH: Final = 40
MOST_WAITING: Final = 8
"""Searches of one client that may wait for their turn; more are told to come back later."""
PATIENCE: Final = 30.0
"""Seconds that a request waits for its game's rules to be compiled; later ones find them ready."""
GONE: Final = 499
"""The status, which nobody reads, for a client that went away."""
UNKNOWN: Final = -100
"""The remoteness that is finite and not known, in GamesCrafters' shape."""
ENDLESS: Final = -200
"""And that of a draw without an end."""
Answer = TypeVar("Answer")

GameName = Annotated[str, Path(max_length=200, description="A game of `/api/games`.")]
ParametersText = Annotated[
    str, Query(max_length=200, description="Parameters that differ from the usual ones.", examples=["rows=4,columns=4"])
]
MovesText = Annotated[str, Query(max_length=LONGEST, description="The moves made so far.", examples=["3,3,2"])]
Seconds = Annotated[float, Query(gt=0, le=MOST_SECONDS, description="Time for the search.")]
Depth = Annotated[int | None, Query(ge=1, le=MOST_DEPTH, description="Plies to look ahead at most.")]
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": shapes.Problem, "content": {"application/problem+json": {}}, "description": text}
    for status, text in (
        (400, "The request is refused."),
        (404, "There is no such game, or the position is not solved."),
        (409, "The game is over there."),
        (422, "A parameter or a move makes no sense."),
        (503, "Too many searches of this client are waiting, or the rules are still being compiled."),
    )
}


def add_api(app: FastAPI, shelf: Shelf, workshop: Workshop) -> None:
    """Serve the interface under ``/api``."""
    router = APIRouter(prefix="/api", responses=PROBLEMS, tags=["zermelo"])

    def found(game: str, parameters: str, moves: str) -> tuple[Game, State]:
        rules = shelf.game(game, _pairs(parameters))
        return rules, rules.replay(read_moves(rules, moves))

    @router.get("/games")
    def games() -> list[shapes.GameInfo]:
        """Every game of the shelf, with its parameters."""
        return [_game_info(shelf, name) for name in shelf.names()]

    @router.get("/games/{game}/actions")
    def actions(game: GameName, parameters: ParametersText = "", moves: MovesText = "") -> shapes.Position:
        """A position and its legal actions."""
        rules, state = found(game, parameters, moves)
        return _position(rules, state)

    @router.get("/games/{game}/analysis")
    async def analysis(
        request: Request,
        game: GameName,
        parameters: ParametersText = "",
        moves: MovesText = "",
        seconds: Seconds = 1.0,
        depth: Depth = None,
    ) -> shapes.AnalysisResult:
        """What a search within the limits finds of a position, or its solved table, if there is one."""
        rules, state = await asyncio.to_thread(found, game, parameters, moves)
        _require_going_on(rules, state)
        desk = _Desk(workshop, rules, client_of(request))
        answer = await _while_wanted(request, desk.analyse(state, seconds, depth))
        if answer is None:
            raise HTTPException(404, "The search found nothing within its limits.")
        return _analysed(rules, state, answer)

    @router.get("/games/{game}/solved")
    async def solved(
        request: Request,
        game: GameName,
        parameters: ParametersText = "",
        moves: MovesText = "",
        seconds: Seconds = 2.0,
    ) -> shapes.SolvedPosition:
        """The solved value of a position, as GamesCrafters' clients expect it: from a solved table, else from a proof.

        A proof has to be done within the time, for the position and for each of its moves; else the answer is 404.
        """
        rules, state = await asyncio.to_thread(found, game, parameters, moves)
        desk = _Desk(workshop, rules, client_of(request))
        answer = await _while_wanted(request, _solve(desk, state, seconds))
        if answer is None:
            raise HTTPException(404, "This position is not solved, and no proof was found in the time given.")
        return answer

    @router.api_route("/{rest:path}", methods=["GET", "POST", "PUT", "DELETE", "PATCH"], include_in_schema=False)
    def nothing(rest: str) -> None:
        raise HTTPException(404, "There is nothing at this address; /openapi.json says what there is.")

    app.include_router(router)
    app.add_exception_handler(ZermeloError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


def _pairs(text: str) -> dict[str, str]:
    """``rows=4,columns=4`` as names and texts."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadParameter(f"{part!r} is not a parameter; write name=value, with commas between.")
        found[name.strip()] = value.strip()
    return found


def client_of(request: Request) -> str:
    """Whom searches for a program are for: its address. Programs and pages of one machine take turns."""
    return f"program {request.client.host if request.client else ''}"


class _Desk:
    """Analyses of one game for one client, within what a request may take."""

    def __init__(self, workshop: Workshop, game: Game, client: str) -> None:
        self.workshop, self.game, self.client = workshop, game, client

    async def analyse(self, state: State, seconds: float, depth: int | None = None) -> Analysis | None:
        """What is known of a position after so many seconds, beside those for which the request waits its turn."""
        await self.prepare()
        return await self.workshop.analyse(
            self.game, state, seconds, lambda _: None, depth, self.client, most=MOST_WAITING
        )

    async def prepare(self) -> None:
        """Wait, but not for ever, until the rules are compiled; a solved game needs none."""
        if self.game.fingerprint in self.workshop.tables:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                with suppress(NotCompilable):  # then a textbook search answers
                    await self.workshop.engines.prepare(self.game, self.client, MOST_WAITING)
        except TimeoutError:
            detail = f"The rules of {self.game!r} are still being compiled; try again in a few seconds."
            raise HTTPException(503, detail, {"Retry-After": "5"}) from None


async def _while_wanted(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Do ``work`` while the client waits for it; the search ends when nobody does."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=0.2)
            if not task.done() and await request.is_disconnected():
                raise HTTPException(GONE, "The client went away.")
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _solve(desk: _Desk, state: State, seconds: float) -> shapes.SolvedPosition | None:
    """A position and its moves with values that are proven, each with its remoteness where it is known."""
    game, loop = desk.game, asyncio.get_running_loop()
    await desk.prepare()
    deadline = loop.time() + seconds

    async def proven(state: State) -> MoveValue | None:
        if game.is_terminal(state):
            return MoveValue(None, game.utility(state), 0)
        left = deadline - loop.time()
        answer = await desk.analyse(state, left) if left > 0 else None
        if answer is None or not answer.proven:
            return None
        has_no_end = answer.source == "table" and answer.remoteness is None
        return MoveValue(None, answer.value, ENDLESS if has_no_end else answer.remoteness)

    here = await proven(state)
    if here is None:
        return None
    player, moves = game.to_move(state), []
    for action in game.legal_actions(state):
        child = game.result(state, action)
        worth = await proven(child)
        if worth is None:
            return None
        moves.append((action, child, worth))
    return _solved(game, state, here, player, moves)


def _solved(
    game: Game, state: State, here: MoveValue, player: int, moves: list[tuple[Any, State, MoveValue]]
) -> shapes.SolvedPosition:
    counts = game.outcomes == "margin"

    def remoteness(worth: MoveValue) -> int:
        return UNKNOWN if worth.remoteness is None else worth.remoteness

    def rank(move: tuple[Any, State, MoveValue]) -> tuple[int, int]:
        gain, far = player * move[2].value, remoteness(move[2])
        return -(gain if counts else sign(gain)), -far if gain < 0 else far

    moves = sorted(moves, key=rank)
    first: dict[int, int] = {}
    for _, _, worth in moves:
        first.setdefault(sign(worth.value), remoteness(worth))
    return shapes.SolvedPosition(
        position=state_text(game, state),
        positionValue=_value(player * here.value, here.remoteness),
        remoteness=remoteness(here),
        winby=player * here.value if counts else None,
        moves=[
            shapes.SolvedMove(
                move=game.show_action(state, action),
                moveValue=_value(player * worth.value, worth.remoteness),
                deltaRemoteness=abs(remoteness(worth) - first[sign(worth.value)]),
                position=state_text(game, child),
                positionValue=_value(game.to_move(child) * worth.value, worth.remoteness),
                remoteness=remoteness(worth),
                winby=game.to_move(child) * worth.value if counts else None,
            )
            for action, child, worth in moves
        ],
    )


def _value(gain: int, remoteness: int | None) -> shapes.Value:
    if remoteness == ENDLESS:
        return "draw"
    return "win" if gain > 0 else "lose" if gain < 0 else "tie"


def _game_info(shelf: Shelf, name: str) -> shapes.GameInfo:
    parameters = [
        shapes.Parameter(
            name=info.name,
            type="bool" if info.kind is bool else "int",
            default=info.default,
            minimum=info.allowed.start if info.allowed else None,
            maximum=info.allowed[-1] if info.allowed else None,
        )
        for info in shelf.parameters(name)
    ]
    return shapes.GameInfo(name=name, summary=shelf.summary(name), parameters=parameters)


def _position(game: Game, state: State) -> shapes.Position:
    over = game.is_terminal(state)
    clicks = {} if game.board is None or over else game.board(state).clicks
    return shapes.Position(
        game=game.name,
        parameters=dict(game.parameters),
        position=state_text(game, state),
        board=game.draw(state),
        player=None if over else name_of(game.to_move(state)),  # type: ignore[arg-type]
        terminal=over,
        utility=game.utility(state) if over else None,
        actions=[
            shapes.LegalAction(move=game.show_action(state, action), clicks=list(clicks[action]) if clicks else None)
            for action in game.legal_actions(state)
        ],
    )


def _analysed(game: Game, state: State, found: Analysis) -> shapes.AnalysisResult:
    player = game.to_move(state)
    return shapes.AnalysisResult(
        position=state_text(game, state),
        player="MAX" if player == MAX else "MIN",
        source=found.source,  # type: ignore[arg-type]
        value=found.value,
        bound=found.bound,
        proven=found.proven,
        remoteness=found.remoteness,
        depth=found.depth,
        nodes=found.nodes,
        seconds=found.seconds,
        line=show.line(game, state, found.line),
        moves=[
            shapes.AnalysedMove(move=game.show_action(state, move.action), value=move.value, remoteness=move.remoteness)
            for move in best_first(found, player)
        ],
    )


def _require_going_on(game: Game, state: State) -> None:
    if game.is_terminal(state):
        raise TerminalState("The game is over in this position; there is nothing to analyse.")


def problem(status: int, detail: str) -> JSONResponse:
    """An error as problem JSON."""
    title = "Client Closed Request" if status == GONE else HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, media_type="application/problem+json")


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    kinds: tuple[tuple[type[Exception], int], ...] = ((UnknownGame, 404), (TerminalState, 409), (Busy, 503))
    return problem(next((status for kind, status in kinds if isinstance(error, kind)), 422), str(error))


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    wrong = error.errors() if isinstance(error, RequestValidationError) else []
    said = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in wrong)
    return problem(422, f"The request makes no sense: {said}.")


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        return problem(500, "Something went wrong.")
    answer = problem(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer
