"""Chess: mate the king.

Variant: the FIDE Laws of Chess (handbook.fide.com), but draws are automatic: by a position for the third time, by 50
moves without a capture or a pawn's move, and by too few men to mate. MAX is White. ``start`` numbers the positions of
Chess960. ``size`` 5 is Gardner's minichess, 6 the chess of Los Alamos: no double step, no castling; 6 has no bishops.

An action is ``origin + 64 * target + 4096 * promotion``. Squares are numbered as in `zermelo.games.chess_board`;
``promotion`` is what a pawn becomes: 0 nothing, 2 a knight, 3 a bishop, 4 a rook, 5 a queen. To castle, the king moves
to the square of his rook.

Legal moves are found without making and unmaking them: a man that shields its king stays on their line, a king in check
is protected by men that capture the checker or step between, and a king's steps and captures en passant are looked at
one by one.
"""

from collections.abc import Callable, Iterator
from typing import Annotated

from zermelo.bits import complement, lowest, lowest_index, mask, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.errors import BadParameter
from zermelo.game import MAX, Game
from zermelo.games.chess_board import (
    ABOVE,
    BELOW,
    BISHOP,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    LIGHT,
    QUEEN,
    RANK,
    ROOK,
    UNCOUNTED,
    State,
    View,
    attackers,
    between,
    bishop_attacks,
    can_step,
    kind_of,
    king_home,
    kings,
    line_through,
    quiet_pawns,
    rank_between,
    rook_attacks,
    rook_home,
    sides,
    upside_down,
    with_clock,
    without_en_passant,
)
from zermelo.games.chess_endings import pack, placements, symmetries_of, unpack
from zermelo.games.chess_evaluation import evaluation
from zermelo.games.chess_exchange import SWITCHES, exchange, in_check, passed
from zermelo.games.chess_fen import USUAL, fen, first_position, read_fen
from zermelo.games.chess_notation import Rules, as_960, read_move, san
from zermelo.games.chess_pgn import read_games, tags_of
from zermelo.games.chess_picture import drawing, picture
from zermelo.parameters import checked

WIN = 100_000
FIFTY_MOVES = 100
"""The number of plies without a capture or a pawn's move that makes a draw."""
NEVER = 1 << 20


def chess(start: Annotated[int, range(960)] = USUAL, size: Annotated[int, range(5, 9)] = 8) -> Game:
    """Chess, Chess960, and chess on 5x5 and 6x6: mate the king."""
    parameters = checked(chess, start=start, size=size)
    if size == 7 or (size != 8 and start != USUAL):
        raise BadParameter(f"Chess has no board of size {size} with start {start}; sizes 5 and 6 have one start only.")
    inside = sum(RANK >> (8 - size) << 8 * rank for rank in range(size))
    board_squares, walls = mask(inside), mask(inside ^ (1 << 64) - 1)
    last_ranks = mask(RANK | RANK << 8 * (size - 1))
    third_rank, sixth_rank = (RANK << 16, RANK << 40) if size == 8 else (0, 0)  # where a pawn may take its second step
    has_bishops = size != 6

    def to_move(state: State) -> int:
        return state.player

    def pinned(state: State, king: int, mine: int, theirs: int) -> int:
        """Return the men that shield their king from a rook, bishop or queen."""
        occupied = mine | theirs | walls
        near_straight, near_diagonal = rook_attacks(king, occupied) & mine, bishop_attacks(king, occupied) & mine
        pinners = rook_attacks(king, occupied & ~near_straight) & state.straight_sliders
        pinners = (pinners | bishop_attacks(king, occupied & ~near_diagonal) & state.diagonal_sliders) & theirs
        shields = 0
        while pinners:
            shields |= between(king, lowest_index(pinners)) & (near_straight | near_diagonal)
            pinners &= pinners - 1
        return shields

    def pawn_targets(state: State, origin: int, occupied: int, theirs: int) -> int:
        """Return where a pawn can move and capture, en passant excepted."""
        man = shift_left(1, origin)
        if state.player == MAX:
            step = shift_left(man, 8) & ~occupied
            return step | shift_left(step & third_rank, 8) & ~occupied | ABOVE[origin] & theirs
        step = shift_right(man, 8) & ~occupied
        return step | shift_right(step & sixth_rank, 8) & ~occupied | BELOW[origin] & theirs

    def en_passant_is_safe(state: State, origin: int, king: int, mine: int, theirs: int) -> bool:
        """Return whether the king is safe after the pawn on ``origin`` has captured en passant."""
        taken = shift_right(state.en_passant, 8) if state.player == MAX else shift_left(state.en_passant, 8)
        occupied = (mine | theirs | walls) & ~taken & ~shift_left(1, origin) | state.en_passant
        return attackers(state, king, occupied, theirs & ~taken) == 0

    def king_targets(state: State, view: View) -> int:
        """Return where the king can step."""
        occupied = view.occupied & ~shift_left(1, view.king)
        steps, safe = KING_STEPS[view.king] & view.goals, 0
        while steps:
            step = lowest(steps)
            steps &= steps - 1
            if attackers(state, lowest_index(step), occupied, view.theirs) == 0:
                safe |= step
        return safe

    def castling_rooks(state: State, king: int, mine: int, theirs: int) -> int:
        """Return the rooks with which a king, who is not in check, can castle."""
        found, rooks = 0, state.castling & mine
        while rooks:
            rook = lowest_index(rooks)
            rooks &= rooks - 1
            others = (mine | theirs) & ~shift_left(1, king) & ~shift_left(1, rook)
            path = rank_between(king, king_home(king, rook))
            free = (path | rank_between(rook, rook_home(king, rook))) & others == 0
            while free and path:
                free = attackers(state, lowest_index(path), others, theirs) == 0
                path &= path - 1
            if free:
                found |= shift_left(1, rook)
        return found

    def view_of(state: State, noisy: bool) -> View:
        """Return what decides where men can go: anywhere, or only on noisy actions."""
        mine, theirs = sides(state)
        occupied = mine | theirs | walls
        king = lowest_index(kings(state) & mine)
        checks = attackers(state, king, occupied, theirs)
        goals = theirs if noisy else complement(mine) & board_squares
        rescue, men = board_squares, mine & ~quiet_pawns(state, theirs, last_ranks) if noisy else mine
        if checks & (checks - 1):
            men = shift_left(1, king)
        elif checks:
            rescue = checks | between(king, lowest_index(checks))
        shields = pinned(state, king, mine, theirs)
        return View(mine, theirs, occupied, king, checks, shields, men, goals, goals | last_ranks, rescue)

    def targets_of(state: State, origin: int, view: View) -> int:
        """Return where a man can go, castling excepted."""
        man = shift_left(1, origin)
        if man & state.pawns:
            targets = pawn_targets(state, origin, view.occupied, view.theirs) & view.pawn_goals & view.rescue
            if (ABOVE[origin] if state.player == MAX else BELOW[origin]) & state.en_passant:
                targets &= ~state.en_passant
                if en_passant_is_safe(state, origin, view.king, view.mine, view.theirs):
                    targets |= state.en_passant
        elif origin == view.king:
            return king_targets(state, view)
        elif man & state.knights:
            targets = KNIGHT_STEPS[origin] & view.goals & view.rescue
        else:
            targets = 0
            if man & state.diagonal_sliders:
                targets = bishop_attacks(origin, view.occupied)
            if man & state.straight_sliders:
                targets |= rook_attacks(origin, view.occupied)
            targets &= view.goals & view.rescue
        return targets & line_through(view.king, origin) if man & view.shields else targets

    def listing(noisy: bool) -> Callable[[State], Iterator[int]]:
        """Return ACTIONS, or only captures and promotions to a queen."""

        def actions(state: State) -> Iterator[int]:
            view = view_of(state, noisy)
            men = view.men
            while men:
                origin = lowest_index(men)
                pawn = shift_left(1, origin) & state.pawns
                men &= men - 1
                targets = targets_of(state, origin, view)
                if not noisy and origin == view.king and state.castling & view.mine and not view.checks:
                    targets |= castling_rooks(state, origin, view.mine, view.theirs)
                first, end = (KNIGHT, QUEEN + 1) if pawn and targets & last_ranks else (0, 1)
                while targets:
                    target, captures = lowest_index(targets), lowest(targets) & view.theirs
                    targets &= targets - 1
                    for promotion in range(first, end):
                        if not has_bishops and promotion == BISHOP:
                            continue
                        if not noisy or captures or promotion in (0, QUEEN):
                            yield origin | target << 6 | promotion << 12

        return actions

    actions, noisy_actions = listing(noisy=False), listing(noisy=True)

    def result(state: State, action: int) -> State:
        origin, target, promotion = action & 63, action >> 6 & 63, action >> 12
        man, goal = shift_left(1, origin), shift_left(1, target)
        mine, theirs = sides(state)
        if mine & goal:
            return castled(state, origin, target)
        pawn = man & state.pawns
        gone = theirs & goal
        if pawn and goal & state.en_passant:
            gone = shift_right(goal, 8) if state.player == MAX else shift_left(goal, 8)
        touched = man | gone | goal
        is_diagonal = man & state.diagonal_sliders or promotion in (BISHOP, QUEEN)
        is_straight = man & state.straight_sliders or promotion >= ROOK
        castling = state.castling & ~touched
        if man & kings(state):
            castling &= theirs
        mine, theirs = mine & ~man | goal, theirs & ~gone
        after = State(
            mine if state.player == MAX else theirs,
            theirs if state.player == MAX else mine,
            state.pawns & ~touched | (goal if pawn and promotion == 0 else 0),
            state.knights & ~touched | (goal if man & state.knights or promotion == KNIGHT else 0),
            state.diagonal_sliders & ~touched | (goal if is_diagonal else 0),
            state.straight_sliders & ~touched | (goal if is_straight else 0),
            castling,
            shift_left(1, (origin + target) >> 1) if pawn and abs(target - origin) == 16 else 0,
            -state.player,
            clock_after(state, bool(pawn or gone)),
        )
        return with_legal_en_passant(after) if after.en_passant else after

    def castled(state: State, king: int, rook: int) -> State:
        """Return the state after the king has castled with a rook."""
        gone = shift_left(1, king) | shift_left(1, rook)
        corner = shift_left(1, rook_home(king, rook))
        came = shift_left(1, king_home(king, rook)) | corner
        white, black = state.white, state.black
        if state.player == MAX:
            white = white & ~gone | came
        else:
            black = black & ~gone | came
        return State(
            white,
            black,
            state.pawns,
            state.knights,
            state.diagonal_sliders,
            state.straight_sliders & ~gone | corner,
            state.castling & (state.black if state.player == MAX else state.white),
            0,
            -state.player,
            clock_after(state, False),
        )

    def clock_after(state: State, resets: bool) -> int:
        """Return the halfmove clock after a move; captures and moves of pawns reset it."""
        if state.halfmove_clock == UNCOUNTED:
            return UNCOUNTED
        return 0 if resets else state.halfmove_clock + 1

    def with_legal_en_passant(state: State) -> State:
        """Return a state without its passed square if no capture there is legal."""
        mine, theirs = sides(state)
        square = lowest_index(state.en_passant)
        pawns = (BELOW[square] if state.player == MAX else ABOVE[square]) & mine & state.pawns
        king, legal = lowest_index(kings(state) & mine), 0
        while pawns:
            if en_passant_is_safe(state, lowest_index(pawns), king, mine, theirs):
                legal = state.en_passant
            pawns &= pawns - 1
        return without_en_passant(state) if legal == 0 else state

    def is_stopped(state: State) -> bool:
        """Return whether fifty moves, or the men that are left, make a draw: a lone minor piece, or like bishops."""
        if state.halfmove_clock >= FIFTY_MOVES:
            return True
        if state.pawns | state.straight_sliders:
            return False
        if state.knights == 0:
            return state.diagonal_sliders & LIGHT == 0 or state.diagonal_sliders & ~LIGHT == 0
        return popcount(state.knights | state.diagonal_sliders) == 1

    def can_move(state: State) -> bool:
        for _ in actions(state):
            return True
        return False

    def is_terminal(state: State) -> bool:
        return is_stopped(state) or not (can_step(state, walls) or can_move(state))

    def utility(state: State) -> int:
        """Return a loss for a player in check who cannot move, even if 50 moves are over; else a draw."""
        mine, theirs = sides(state)
        king = lowest_index(kings(state) & mine)
        if attackers(state, king, mine | theirs | walls, theirs) == 0 or can_move(state):
            return 0
        return -WIN * state.player

    def order(state: State, action: int) -> int:
        """Put captures of valuable men by less valuable ones first, then promotions."""
        origin, goal = shift_left(1, action & 63), shift_left(1, action >> 6 & 63)
        gain = action >> 12
        if goal & (state.black if state.player == MAX else state.white):
            gain += 8 * kind_of(state, goal) - kind_of(state, origin) + 8
        return gain

    def gain(state: State, action: int) -> int:
        """Return what the exchange that begins with a move wins, in hundredths of a pawn."""
        return exchange(state, action, walls)

    def null_state(state: State) -> State:
        return passed(state, walls)

    def urgent(state: State) -> bool:
        """Return whether the player to move is in check."""
        return in_check(state, walls)

    def position(state: State) -> State:
        """Return the state with its halfmove clock uncounted."""
        return with_clock(state, UNCOUNTED)

    def plies_left(state: State) -> int:
        """Return how many plies are left until fifty moves make a draw; a great number if they are not counted."""
        return NEVER if state.halfmove_clock == UNCOUNTED else max(0, FIFTY_MOVES - state.halfmove_clock)

    def tier(state: State) -> int:
        """Count captures, and the steps of pawns; a pawn that is gone has made six."""
        white, black = state.pawns & state.white, upside_down(state.pawns & state.black, size)
        steps = 6 * (2 * size - popcount(state.pawns))
        for rank in range(2, size - 1):
            here = RANK << 8 * rank
            steps += (rank - 1) * (popcount(white & here) + popcount(black & here))
        return steps + 4 * size - popcount(state.white | state.black)

    rules = Rules(size, walls, start != USUAL, actions, result, with_legal_en_passant)

    def swap(state: State) -> State:
        """Return the position with colours exchanged and the ranks in reverse order."""
        white, black, *words = (upside_down(word, size) for word in state[:-2])
        return State._make((black, white, *words, -state.player, state.halfmove_clock))

    def to_text(state: State) -> str:
        """Write a FEN, whose last number is always 1, since a state does not count moves."""
        return fen(rules, state)

    def from_text(text: str) -> State:
        """Read a FEN; raise ValueError, with what is wrong, for other text and for impossible positions."""
        return read_fen(rules, text)

    def format_action(state: State, action: int) -> str:
        """Write standard algebraic notation: ``Nf3``, ``exd8=Q+``."""
        return san(rules, state, action)

    def parse_action(state: State, text: str) -> int:
        """Read a legal move in standard algebraic notation, ``Nf3``, or in UCI's, ``g1f3``."""
        return read_move(rules, state, text)

    def board(state: State) -> Board:
        return picture(rules, state, [] if is_terminal(state) else actions(state))

    return Game(
        name="chess",
        parameters=parameters,
        initial=from_text(first_position(size, start)),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluation(size),
        order=order,
        noisy_actions=noisy_actions,
        gain=gain,
        null_state=null_state,
        urgent=urgent,
        switches=SWITCHES,
        swap=swap,
        is_stopped=is_stopped,
        position=position,
        plies_left=plies_left,
        placements=lambda text: placements(text, size),
        pack=pack,
        unpack=unpack,
        symmetries=symmetries_of(size),
        tier=tier,
        repetition="draw",
        occurrences=3,
        draw=lambda state: drawing(size, state),
        format_action=format_action,
        parse_action=parse_action,
        to_text=to_text,
        text_words=("side to move", "rights to castle", "en passant", "plies since progress", "number of the move"),
        from_text=from_text,
        pgn_tags=lambda state: tags_of(rules, state),
        read_pgn=lambda text: read_games(rules, text),
        uci_forms={"UCI_Chess960": lambda: as_960(chess)} if size == 8 and start == USUAL else {},
        board=board,
        sides=("White", "Black"),
    )
