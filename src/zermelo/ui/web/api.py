"""The interface for programs: JSON over HTTP under ``/api``, bounded in depth, time and number.

A position is a game, its parameters (``rows=4,columns=4``) and the moves that lead to it (``3,3,2``). Errors are
problem JSON (RFC 9457). A search ends when its client goes away.
"""

from http import HTTPStatus
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from zermelo.errors import TerminalState, UnknownGame, ZermeloError
from zermelo.game import MAX, Game, State
from zermelo.ui.terminal import show
from zermelo.ui.web import schemas
from zermelo.ui.web.analysis import Analysis, best_first
from zermelo.ui.web.desk import GONE, Desk, client_of, while_wanted
from zermelo.ui.web.engines import TooManyGames
from zermelo.ui.web.gamescrafters import solve
from zermelo.ui.web.lanes import Busy
from zermelo.ui.web.limits import METHODS
from zermelo.ui.web.links import LONGEST
from zermelo.ui.web.queries import check_request, found
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.streams import EVENTS, analysis_events
from zermelo.ui.web.workshop import Workshop

MOST_SECONDS: Final = 10.0
MOST_DEPTH: Final = 40

STATUSES: Final[dict[type[Exception], int]] = {UnknownGame: 404, TerminalState: 409, Busy: 503, TooManyGames: 503}
"""The status for each kind of error; 422 for all others."""

GameName = Annotated[str, Path(max_length=200, description="A game of `/api/games`.")]
ParametersText = Annotated[
    str, Query(max_length=200, description="Parameters that differ from the usual ones.", examples=["rows=4,columns=4"])
]
MovesText = Annotated[str, Query(max_length=LONGEST, description="The moves made so far.", examples=["3,3,2"])]
PositionText = Annotated[
    str,
    Query(max_length=400, description="Where the moves begin, in the game's notation; at the start if not said."),
]


def asked(
    request: Request,
    game: GameName,
    parameters: ParametersText = "",
    moves: MovesText = "",
    position: PositionText = "",
) -> tuple[Game, State]:
    """Return the game and the position that a request asks about."""
    return found(request.app.state.shelf, game, parameters, moves, position)


Asked = Annotated[tuple[Game, State], Depends(asked)]
Seconds = Annotated[float, Query(gt=0, le=MOST_SECONDS, description="Time for the search.")]
Depth = Annotated[int | None, Query(ge=1, le=MOST_DEPTH, description="Plies to look ahead at most.")]
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": schemas.Problem, "content": {"application/problem+json": {}}, "description": text}
    for status, text in (
        (400, "The request is refused."),
        (404, "There is no such game, or the position is not solved."),
        (409, "The game is over there."),
        (422, "A parameter or a move makes no sense."),
        (503, "Too many searches of this client wait, the rules are being compiled, or too many games were compiled."),
    )
}

STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {EVENTS: {}}, "description": "Events with the JSON of an analysis."}
}


def add_api(app: FastAPI, shelf: Shelf, workshop: Workshop) -> None:
    """Serve the interface under ``/api``."""
    app.state.shelf = shelf
    router = APIRouter(prefix="/api", responses=PROBLEMS, tags=["zermelo"], dependencies=[Depends(check_request)])

    @router.get("/games")
    def games() -> list[schemas.GameInfo]:
        """The games that can be asked about, with their parameters."""
        return [_game_info(shelf, name) for name in shelf.names()]

    @router.get("/games/{game}/actions")
    def actions(place: Asked) -> schemas.Position:
        """A position and its legal actions."""
        return _position(*place)

    _add_analyses(router, workshop)

    @router.get("/games/{game}/solved")
    async def solved(
        request: Request,
        place: Asked,
        seconds: Seconds = 2.0,
    ) -> schemas.SolvedPosition:
        """The solved value of a position, as GamesCrafters' clients expect it: from a solved table, else from a proof.

        A proof has to be done within the time, for the position and for each of its moves; else the answer is 404.
        """
        rules, state = place
        desk = Desk(workshop, rules, client_of(request))
        answer = await while_wanted(request, solve(desk, state, seconds))
        if answer is None:
            raise HTTPException(404, "This position is not solved, and no proof was found in the time given.")
        return answer

    @router.api_route("/{rest:path}", methods=list(METHODS), include_in_schema=False)
    def nothing(request: Request, rest: str) -> None:
        asked = {**request.scope, "method": "GET"}
        if request.method != "GET" and any(route.matches(asked)[0] is Match.FULL for route in router.routes[:-1]):
            raise HTTPException(405, "This address answers GET and HEAD only.", {"Allow": "GET, HEAD"})
        raise HTTPException(404, "There is nothing at this address; /openapi.json says what there is.")

    app.include_router(router)
    app.add_exception_handler(ZermeloError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


def _add_analyses(router: APIRouter, workshop: Workshop) -> None:
    """Serve analyses, at once and as a stream."""

    @router.get("/games/{game}/analysis")
    async def analysis(
        request: Request,
        place: Asked,
        seconds: Seconds = 1.0,
        depth: Depth = None,
    ) -> schemas.AnalysisResult:
        """What a search within the limits finds of a position, or its solved table, if there is one."""
        rules, state = place
        _require_going_on(rules, state)
        desk = Desk(workshop, rules, client_of(request))
        answer = await while_wanted(request, desk.analyse(state, seconds, depth))
        if answer is None:
            raise HTTPException(404, "The search found nothing within its limits.")
        return _analysed(rules, state, answer)

    @router.get("/games/{game}/analysis/stream", response_class=StreamingResponse, responses=STREAM)
    async def stream(
        request: Request,
        place: Asked,
        seconds: Seconds = 1.0,
        depth: Depth = None,
    ) -> StreamingResponse:
        """The same analysis while it goes on, as server-sent events.

        Each event `analysis` holds what is found so far, as the address without `/stream` answers it. The last event
        is `done`, or `problem` if nothing was found; close the connection then, or a browser asks again.
        """
        rules, state = place
        _require_going_on(rules, state)
        desk = Desk(workshop, rules, client_of(request))
        await while_wanted(request, desk.prepare())
        events = analysis_events(
            lambda say: desk.analyse(state, seconds, depth, say),
            lambda answer: _analysed(rules, state, answer).model_dump_json(),
        )
        return StreamingResponse(events, media_type=EVENTS, headers={"Cache-Control": "no-store"})


def _game_info(shelf: Shelf, name: str) -> schemas.GameInfo:
    parameters = [
        schemas.Parameter(
            name=info.name,
            type="bool" if info.kind is bool else "int",
            default=info.default,
            minimum=info.allowed.start if info.allowed else None,
            maximum=info.allowed[-1] if info.allowed else None,
        )
        for info in shelf.parameters(name)
    ]
    return schemas.GameInfo(name=name, title=shelf.title(name), summary=shelf.summary(name), parameters=parameters)


def _position(game: Game, state: State) -> schemas.Position:
    over = game.is_terminal(state)
    clicks = {} if game.board is None or over else game.board(state).clicks
    return schemas.Position(
        game=game.name,
        parameters=dict(game.parameters),
        position=game.show_state(state),
        board=game.draw(state),
        player=None if over else role_of(game.to_move(state)),
        terminal=over,
        utility=game.utility(state) if over else None,
        actions=[
            schemas.LegalAction(action=game.show_action(state, action), clicks=list(clicks[action]) if clicks else None)
            for action in game.legal_actions(state)
        ],
    )


def role_of(side: int) -> Literal["MAX", "MIN"]:
    """Return what programs call a side."""
    return "MAX" if side == MAX else "MIN"


def _analysed(game: Game, state: State, found: Analysis) -> schemas.AnalysisResult:
    player = game.to_move(state)
    return schemas.AnalysisResult(
        position=game.show_state(state),
        player=role_of(player),
        source=found.source,
        value=found.value,
        bound=found.bound,
        proven=found.proven,
        remoteness=found.remoteness,
        depth=found.depth,
        nodes=found.nodes,
        seconds=found.seconds,
        line=show.line(game, state, found.line),
        other_lines=[show.line(game, state, line) for line in found.others],
        actions=[
            schemas.AnalysedAction(
                action=game.show_action(state, move.action),
                value=move.value,
                remoteness=move.remoteness,
                proven=move.proven,
            )
            for move in best_first(found, player)
        ],
    )


def _require_going_on(game: Game, state: State) -> None:
    if game.is_terminal(state):
        raise TerminalState("The game is over in this position; there is nothing to analyse.")


def problem(status: int, detail: str) -> JSONResponse:
    """Return an error as problem JSON."""
    title = "Client Closed Request" if status == GONE else HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, media_type="application/problem+json")


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 422)
    return problem(status, str(error))


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
