"""International draughts on 10x10, twenty men a side.

Variant: the rules of the World Draughts Federation (fmjd.org, "Official FMJD rules for international draughts 100").

- A man moves one square diagonally forward. It captures forward and backward, by jumping over an adjacent enemy piece
  onto the empty square behind it.
- A king moves any number of empty squares diagonally. It captures by jumping over the first piece in its way, an enemy,
  and lands on any of the empty squares behind it.
- A player who can capture must capture, and as many pieces as possible; a king counts as one. The whole chain of
  captures is one move. The captured pieces leave the board when the chain is complete. A chain may cross an empty
  square more than once, but may not jump over a piece twice.
- A man whose move ends on the last row becomes a king. A man that only visits the last row during a chain does not.
- A player who cannot move loses. A position that comes back is a draw, and so are ``no_progress`` plies in a row
  without a capture or a man's move (0 means no limit; 50 is the rule of 25 moves).

Chains that begin and end alike and capture the same pieces are one move, whatever their order.

MAX is White, starts at the bottom, and moves first. `zermelo.games.draughts_board` defines the numbers of the actions.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
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
from zermelo.games.draughts_board import (
    BOARD,
    DARK,
    MAX_LAST_ROW,
    MIN_LAST_ROW,
    STEPS,
    captured_by,
    clicks,
    read_move,
    written,
)
from zermelo.parameters import checked

CENTRE = sum(1 << BOARD.bit_of(square) for square in (22, 23, 24, 27, 28, 29))
WIN = 10000


class Capturer(NamedTuple):
    """A piece that may capture, and the board around it."""

    start: int
    """Where the piece stands, as a bit."""
    king: int
    """The same if the piece is a king, else 0."""
    theirs: int
    """The pieces that it may capture."""
    empty: int
    """The squares where it may stand, ``start`` included."""


class Chain(NamedTuple):
    """Captures of one piece in a row, in a form that `shortened` can undo."""

    square: int
    """Where the piece stands now, as a bit."""
    captured: int
    """The captured pieces, which are still on the board."""
    turns: int
    """A leading 1, and two bits for each capture: its direction, an index into `STEPS`."""
    approaches: int
    """Three bits for each capture: the number of empty squares that a king crossed before the captured piece.

    A player has at most 20 pieces, so a chain needs at most 60 bits.
    """


def mine_and_theirs(state: Position) -> tuple[int, int]:
    """Return the pieces of the player to move, and those of the opponent."""
    if state.player == MAX:
        return state.max_pieces, state.min_pieces
    return state.min_pieces, state.max_pieces


def goers(mine: int, kings: int, player: int, direction: int) -> int:
    """Return which of the player's own pieces (``mine``) may step in a direction, an index into `STEPS`."""
    forward = direction >= 2 if player == MAX else direction < 2
    return mine if forward else mine & kings


def can_move(state: Position) -> bool:
    """Return whether the player to move has a move. A king that can move has a move to the next square or over it."""
    mine, theirs = mine_and_theirs(state)
    empty = DARK & ~(mine | theirs)
    for direction in range(4):
        movers = goers(mine, state.kings, state.player, direction)
        if steppers(movers, empty, STEPS[direction]) or jumpers(mine, theirs, empty, STEPS[direction]):
            return True
    return False


def extended(chain: Chain, capturer: Capturer, direction: int) -> Chain:
    """Return the chain with one more capture, in the first possible direction from ``direction`` on, or else itself."""
    while direction < 4:
        step = STEPS[direction]
        piece, approach = shifted(chain.square, step), 0
        while capturer.king and piece & capturer.empty:
            piece, approach = shifted(piece, step), approach + 1
        landing = shifted(piece, step)
        if piece & capturer.theirs & ~chain.captured and landing & capturer.empty:
            turns, approaches = chain.turns << 2 | direction, chain.approaches << 3 | approach
            return Chain(landing, chain.captured | piece, turns, approaches)
        direction += 1
    return chain


def shortened(chain: Chain) -> Chain:
    """Return the chain without its last capture."""
    step = STEPS[chain.turns & 3]
    piece = shifted(chain.square, -step)
    while not piece & chain.captured:
        piece = shifted(piece, -step)
    square = shifted(piece, -step * (1 + (chain.approaches & 7)))
    return Chain(square, chain.captured ^ piece, chain.turns >> 2, chain.approaches >> 3)


def following(chain: Chain, capturer: Capturer) -> Chain:
    """Return the next chain of a search of all chains, depth first; the empty chain comes first and after the last."""
    longer = extended(chain, capturer, 0)
    while longer.turns == chain.turns and chain.captured:
        direction = chain.turns & 3
        beyond = shifted(chain.square, STEPS[direction])
        if capturer.king and beyond & capturer.empty:
            return Chain(beyond, chain.captured, chain.turns, chain.approaches)
        chain = shortened(chain)
        longer = extended(chain, capturer, direction + 1)
    return longer


def is_first(chain: Chain, capturer: Capturer) -> bool:
    """Return whether the search finds no chain earlier that ends alike and captures the same pieces."""
    if chain.captured & (chain.captured - 1) == 0:
        return True
    limited = Capturer(capturer.start, capturer.king, chain.captured, capturer.empty)
    other = following(Chain(capturer.start, 0, 1, 0), limited)
    while other.captured != chain.captured or other.square != chain.square:
        other = following(other, limited)
    return other.turns == chain.turns and other.approaches == chain.approaches


def capturer_of(start: int, theirs: int, kings: int, empty: int) -> Capturer:
    """Return the piece that stands on ``start``, a bit, and the board around it."""
    return Capturer(start, kings & start, theirs, empty | start)


def capturers(mine: int, theirs: int, kings: int, empty: int) -> int:
    """Return which pieces of the player to move can capture."""
    found = 0
    for direction in range(4):
        found |= jumpers(mine, theirs, empty, STEPS[direction])
    kings &= mine & ~found
    while kings:
        start = kings & -kings
        chain = Chain(start, 0, 1, 0)
        if extended(chain, capturer_of(start, theirs, start, empty), 0).captured:
            found |= start
        kings ^= start
    return found


def most_captures(starters: int, theirs: int, kings: int, empty: int) -> int:
    """Return how many pieces the longest chain of any of the ``starters`` captures."""
    most = 0
    while starters:
        start = starters & -starters
        capturer = capturer_of(start, theirs, kings, empty)
        chain = following(Chain(start, 0, 1, 0), capturer)
        while chain.captured:
            most = max(most, popcount(chain.captured))
            chain = following(chain, capturer)
        starters ^= start
    return most


def to_move(state: Position) -> int:
    return state.player


def actions(state: Position) -> Iterator[int]:
    kings = state.kings
    mine, theirs = mine_and_theirs(state)
    empty = DARK & ~(mine | theirs)
    starters = capturers(mine, theirs, kings, empty)
    if not starters:
        for direction in range(4):
            movers = steppers(goers(mine, kings, state.player, direction), empty, STEPS[direction])
            while movers:
                start = movers & -movers
                square = shifted(start, STEPS[direction])
                while square & empty:
                    yield lowest_index(square) << 6 | lowest_index(start)
                    square = shifted(square, STEPS[direction]) if kings & start else 0
                movers ^= start
    most = most_captures(starters, theirs, kings, empty)
    while starters:
        start = starters & -starters
        capturer = capturer_of(start, theirs, kings, empty)
        chain = following(Chain(start, 0, 1, 0), capturer)
        while chain.captured:
            if popcount(chain.captured) == most and is_first(chain, capturer):
                yield chain.captured << 7 | lowest_index(chain.square) << 6 | lowest_index(start)
            chain = following(chain, capturer)
        starters ^= start


def urgent(state: Position) -> bool:
    """Return whether the player to move must capture: EVAL counts pieces, of which some are about to go."""
    mine, theirs = mine_and_theirs(state)
    return capturers(mine, theirs, state.kings, DARK & ~(mine | theirs)) != 0


def moved(state: Position, action: int) -> tuple[int, int, int, int]:
    """Return MAX's pieces, MIN's pieces and all kings after ``action``, and whether it was progress.

    Progress is 1 if a man moved or pieces were captured, else 0.
    """
    start, square, captured = 1 << (action & 63), 1 << (action >> 6 & 63), captured_by(action)
    king = square if state.kings & start else square & (MAX_LAST_ROW if state.player == MAX else MIN_LAST_ROW)
    kings = state.kings & ~(start | captured) | king
    progress = 1 if captured or not state.kings & start else 0
    if state.player == MAX:
        return state.max_pieces & ~start | square, state.min_pieces & ~captured, kings, progress
    return state.max_pieces & ~captured, state.min_pieces & ~start | square, kings, progress


def result_plain(state: State, action: int) -> State:
    max_pieces, min_pieces, kings, _ = moved(state, action)
    return State(max_pieces, min_pieces, kings, -state.player)


def result_counted(state: CountedState, action: int) -> CountedState:
    max_pieces, min_pieces, kings, progress = moved(state, action)
    return CountedState(max_pieces, min_pieces, kings, -state.player, 0 if progress else state.quiet + 1)


def evaluate(state: Position) -> int:
    """Count 100 for a man, 300 for a king, 2 for each row that a man has advanced, 4 for a man in the centre.

    The absolute value is at most 20 * 300.
    """
    max_men, min_men = state.max_pieces & ~state.kings, state.min_pieces & ~state.kings
    value = 100 * (popcount(max_men) - popcount(min_men))
    value += 300 * (popcount(state.max_pieces & state.kings) - popcount(state.min_pieces & state.kings))
    value += 4 * (popcount(max_men & CENTRE) - popcount(min_men & CENTRE))
    return value + 2 * (rows_advanced(max_men, MAX) - rows_advanced(min_men, MIN))


def rows_advanced(men: int, player: int) -> int:
    """Return how many rows the ``men`` of a player have advanced, all together."""
    rows = 0
    for row in range(10):
        squares = 0b11111 << (5 * row + row // 2)
        rows += (9 - row if player == MAX else row) * popcount(men & squares)
    return rows


def order(state: Position, action: int) -> int:
    """Captures first, those of kings before others, then promotions."""
    _, _, kings, _ = moved(state, action)
    captured = captured_by(action)
    crowned = popcount(kings) - popcount(state.kings & ~captured)
    return 4 * popcount(captured) + 2 * popcount(captured & state.kings) + 2 * crowned


def tier(state: Position) -> int:
    """Pieces taken come first, then the rows that men have advanced; a king counts as 10 rows."""
    gone = 10 * popcount(state.kings)
    gone += rows_advanced(state.max_pieces & ~state.kings, MAX) + rows_advanced(state.min_pieces & ~state.kings, MIN)
    return 512 * (40 - popcount(state.max_pieces | state.min_pieces)) + gone


def pack(state: State) -> int:
    """Pack up to seven pieces into one int as `packed` does; return -1 if there are more."""
    return -1 if popcount(state.max_pieces | state.min_pieces) > 7 else packed(state, 6, 11)


def unpack(word: int) -> State:
    """Return the state that `pack` made the int from."""
    return unpacked(word, 6, 11)


def placements(text: str) -> Iterator[State]:
    """Yield every way to place the pieces that a text such as ``KMk`` names, as `DarkBoard.placements` does."""
    return BOARD.placements(text, 7)


def format_action(state: Position, action: int) -> str:
    several = popcount(captured_by(action)) > 1  # other moves do not begin and end alike
    return written(list(actions(state)) if several else [action])[action]


def parse_action(state: Position, text: str) -> int:
    return read_move(text, list(actions(state)))


def draughts(no_progress: Annotated[int, range(1001)] = 0) -> Game:
    """International draughts: flying kings, the longest chain; a player who cannot move loses."""
    parameters = checked(draughts, no_progress=no_progress)

    def is_terminal(state: CountedState) -> bool:
        if no_progress > 0 and state.quiet >= no_progress:
            return True
        return not can_move(state)

    def is_terminal_plain(state: State) -> bool:
        return not can_move(state)

    def utility(state: Position) -> int:
        """A player who cannot move has lost, even if the limit on plies without progress is reached."""
        return 0 if can_move(state) else -WIN * state.player

    def plies_left(state: CountedState) -> int:
        """Return how many plies are left until the limit."""
        return max(0, no_progress - state.quiet)

    def from_text(text: str) -> Position:
        """Read a FEN; raise ValueError if the text is not one."""
        state = BOARD.read(text, no_progress)
        if max(popcount(state.max_pieces), popcount(state.min_pieces)) > BOARD.men:
            raise ValueError(f"{text!r} has more than {BOARD.men} pieces of one player")
        return state

    def board(state: Position) -> Board:
        over = is_terminal(state) if isinstance(state, CountedState) else is_terminal_plain(state)
        return BOARD.picture(state, {} if over else clicks(list(actions(state))))

    initial = (BOARD.board_of(31, 50), BOARD.board_of(1, 20), 0, MAX)
    return Game(
        name="draughts",
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
        urgent=urgent,
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
        sides=("White", "Black"),
        switches={"reductions": True, "malus": True, "follow_ups": True, "countermoves": True},
    )
