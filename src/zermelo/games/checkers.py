"""English checkers (draughts) on 8x8, twelve men a side.

Variant: the rules of the World Checkers Draughts Federation (wcdf.net, "Rules of draughts").

- A man moves one square diagonally forward; a king moves one square diagonally in any direction.
- A piece captures by jumping over an adjacent enemy piece onto the empty square behind it. A player who can jump must
  jump, but may choose among the jumps. A piece that can jump on must do so: the whole chain is one move. The captured
  pieces leave the board when the chain is complete, and no piece is jumped twice.
- A man that reaches the last row becomes a king, and its move ends there.
- A player who cannot move loses. A position that comes back is a draw, and so are ``no_progress`` plies in a row
  without a jump or a man's move (0 means no limit; 80 is the 40-move rule).

MAX is Black, starts at the top, and moves first. `zermelo.games.dark_squares` defines the bits of the board, and
`zermelo.games.checkers_board` the numbers of the actions.
"""

from collections.abc import Iterator
from typing import Annotated

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.games.checkers_board import (
    BOARD,
    DARK,
    MAX_LAST_ROW,
    MIN_LAST_ROW,
    STEPS,
    TOP,
    picture,
    read_move,
    written,
)
from zermelo.games.dark_squares import (
    CountedState,
    Position,
    State,
    jumpers,
    packed,
    shifted,
    steppers,
    uncounted,
    unpacked,
)
from zermelo.parameters import checked

MAX_HOME = 0b1111_0_1111_1111
MIN_HOME = 0b1111_1111_0_1111 << 22
WIN = 10000


def goers(mine: int, kings: int, player: int, direction: int) -> int:
    """Return which of the player's own pieces (``mine``) may move in a direction, an index into `STEPS`."""
    forward = direction < 2 if player == MAX else direction >= 2
    return mine if forward else mine & kings


def can_move(state: Position) -> bool:
    """Return whether the player to move has a move."""
    player = state.player
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    empty = DARK & ~(mine | theirs)
    for direction in range(4):
        movers = goers(mine, state.kings, player, direction)
        if steppers(movers, empty, STEPS[direction]) or jumpers(movers, theirs, empty, STEPS[direction]):
            return True
    return False


def to_move(state: Position) -> int:
    return state.player


def actions(state: Position) -> Iterator[int]:
    player, kings = state.player, state.kings
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    empty = DARK & ~(mine | theirs)
    starters = 0
    for direction in range(4):
        starters |= jumpers(goers(mine, kings, player, direction), theirs, empty, STEPS[direction])
    if not starters:
        for direction in range(4):
            movers = steppers(goers(mine, kings, player, direction), empty, STEPS[direction])
            while movers:
                yield (4 | direction) << 7 | lowest_index(movers) << 1
                movers &= movers - 1
    while starters:
        # Find every chain of jumps, depth first. The route is also the stack: backtracking undoes its last jump.
        origin = lowest_index(starters)
        start = 1 << origin
        square, left, route, direction, grown = start, theirs, 1, 0, False
        while True:
            while direction < 4 and not jumpers(
                goers(square, square if kings & start else 0, player, direction), left, empty | start, STEPS[direction]
            ):
                direction += 1
            if direction < 4:
                left ^= shifted(square, STEPS[direction])
                square = shifted(square, 2 * STEPS[direction])
                route = route << 2 | direction
                direction, grown = 0, True
                continue
            if grown:
                yield route << 7 | origin << 1 | 1
                grown = False
            if route == 1:
                break
            direction = route & 3
            route >>= 2
            square = shifted(square, -2 * STEPS[direction])
            left ^= shifted(square, STEPS[direction])
            direction += 1
        starters &= starters - 1


def moved(state: Position, action: int) -> tuple[int, int, int, int]:
    """Return the mover's pieces, the opponent's pieces and all kings after ``action``, and whether it was progress.

    Progress is 1 if a man moved or pieces were jumped, else 0.
    """
    player, kings = state.player, state.kings
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    start = 1 << (action >> 1 & 63)
    route = action >> 7
    place = 0
    while route >> place > 1:
        place += 2
    square = start
    while place:
        place -= 2
        step = STEPS[route >> place & 3]
        square = shifted(square, step)
        if action & 1:
            theirs &= ~square
            square = shifted(square, step)
    progress = 1 if action & 1 or not kings & start else 0
    crowned = square & (MAX_LAST_ROW if player == MAX else MIN_LAST_ROW)
    king = square if kings & start else crowned
    mine = mine & ~start | square
    return mine, theirs, kings & ~start & (mine | theirs) | king, progress


def result_plain(state: State, action: int) -> State:
    mine, theirs, kings, _ = moved(state, action)
    if state.player == MAX:
        return State(mine, theirs, kings, MIN)
    return State(theirs, mine, kings, MAX)


def result_counted(state: CountedState, action: int) -> CountedState:
    mine, theirs, kings, progress = moved(state, action)
    quiet = 0 if progress else state.quiet + 1
    if state.player == MAX:
        return CountedState(mine, theirs, kings, MIN, quiet)
    return CountedState(theirs, mine, kings, MAX, quiet)


def evaluate(state: Position) -> int:
    """Count 100 for a man, 140 for a king, 2 for each row that a man has advanced, 6 for a man on its first row.

    The absolute value is at most 12 * 140.
    """
    max_men, min_men = state.max_pieces & ~state.kings, state.min_pieces & ~state.kings
    value = 100 * (popcount(max_men) - popcount(min_men))
    value += 140 * (popcount(state.max_pieces & state.kings) - popcount(state.min_pieces & state.kings))
    value += 6 * (popcount(max_men & MIN_LAST_ROW) - popcount(min_men & MAX_LAST_ROW))
    for row in range(8):
        squares = 0b1111 << (4 * row + row // 2)
        value += 2 * (row * popcount(max_men & squares) - (7 - row) * popcount(min_men & squares))
    return value


def order(state: Position, action: int) -> int:
    """Long chains first, then promotions."""
    mine, _, kings, _ = moved(state, action)
    before = state.max_pieces if state.player == MAX else state.min_pieces
    chain = 0
    while action & 1 and action >> 7 + 2 * chain > 1:
        chain += 1
    return 4 * chain + 2 * (popcount(mine & kings) - popcount(before & state.kings))


def key(state: State) -> int:
    pieces = (state.max_pieces << TOP + 1 | state.min_pieces) << TOP + 1 | state.kings
    return pieces << 1 | (state.player == MAX)


def tier(state: Position) -> int:
    """Pieces taken come first, then the rows that men have advanced; a king counts as 8 rows."""
    gone = 8 * popcount(state.kings)
    for row in range(1, 8):
        squares = 0b1111 << (4 * row + row // 2)
        gone += row * popcount(state.max_pieces & ~state.kings & squares)
        squares = 0b1111 << (4 * (7 - row) + (7 - row) // 2)
        gone += row * popcount(state.min_pieces & ~state.kings & squares)
    return 512 * (24 - popcount(state.max_pieces | state.min_pieces)) + gone


def pack(state: State) -> int:
    """Pack up to eight pieces into one int as `packed` does; return -1 if there are more."""
    return -1 if popcount(state.max_pieces | state.min_pieces) > 8 else packed(state, 5, 9)


def unpack(word: int) -> State:
    """Return the state that `pack` made the int from."""
    return unpacked(word, 5, 9)


def placements(text: str) -> Iterator[State]:
    """Yield every way to place the pieces that a text such as ``KMk`` names, as `DarkBoard.placements` does."""
    return BOARD.placements(text, 8)


def format_action(state: Position, action: int) -> str:
    return written(action)


def parse_action(state: Position, text: str) -> int:
    return read_move(text, list(actions(state)))


def checkers(no_progress: Annotated[int, range(1001)] = 0) -> Game:
    """English checkers: kings, chains of jumps; a player who cannot move loses."""
    parameters = checked(checkers, no_progress=no_progress)

    def is_terminal(state: CountedState) -> bool:
        if no_progress > 0 and state.quiet >= no_progress:
            return True
        return not can_move(state)

    def utility(state: Position) -> int:
        """A player who cannot move has lost, even if the limit on plies without progress is reached."""
        return 0 if can_move(state) else -WIN * state.player

    def is_terminal_plain(state: State) -> bool:
        return not can_move(state)

    def plies_left(state: CountedState) -> int:
        """Return how many plies are left until the limit."""
        return max(0, no_progress - state.quiet)

    def from_text(text: str) -> Position:
        """Read a FEN; raise ValueError if the text is not one."""
        return BOARD.read(text, no_progress)

    def board(state: Position) -> Board:
        over = is_terminal(state) if isinstance(state, CountedState) else is_terminal_plain(state)
        return picture(state, [] if over else list(actions(state)))

    initial = (MAX_HOME, MIN_HOME, 0, MAX)
    return Game(
        name="checkers",
        parameters=parameters,
        initial=CountedState(*initial, 0) if no_progress else State(*initial),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result_counted if no_progress else result_plain,
        is_terminal=is_terminal if no_progress else is_terminal_plain,
        utility=utility,
        evaluate=evaluate,
        order=order,
        key=None if no_progress else key,
        swap=BOARD.swap,
        repetition="draw",
        position=uncounted if no_progress else None,
        plies_left=plies_left if no_progress else None,
        tier=tier,
        placements=None if no_progress else placements,
        pack=None if no_progress else pack,
        unpack=None if no_progress else unpack,
        draw=BOARD.draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=BOARD.to_text,
        from_text=from_text,
        board=board,
        sides=("Black", "White"),
        switches={"reductions": True, "malus": True, "follow_ups": True, "countermoves": True},
    )
