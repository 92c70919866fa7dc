import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import facts
import positions
import recorded
import reference
from zermelo.errors import BadParameter
from zermelo.game import MAX
from zermelo.games import othello
from zermelo.textbook.perft import perft

GAME = othello()
PERFT = {int(row["depth"]): int(row["othello8"]) for row in facts.rows("perft.tsv") if row["othello8"]}
FFO = [line for line in (facts.DATA / "ffo.obf").read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("depth", range(8))
def test_perft_is_the_published_one(depth):
    assert perft(GAME, GAME.initial, depth) == PERFT[depth]


def test_perft_compiled_is_the_published_one():
    compiled = pytest.importorskip("zermelo.compiled")
    assert [compiled.perft(GAME, GAME.initial, depth) for depth in (8, 9)] == [PERFT[8], PERFT[9]]
    # 228 lines end at ply 9 with a colour wiped out. The published count adds them once more at depth 10, by a pass.
    assert compiled.perft(GAME, GAME.initial, 10) == PERFT[10] - 228


@pytest.mark.parametrize("empties_to_winner", [False, True])
def test_on_4x4_the_second_player_wins_11_to_3(empties_to_winner):
    game = othello(4, empties_to_winner)
    values = reference.solve(game, game.initial)
    assert values[game.initial] == (-10 if empties_to_winner else -8)
    assert len({game.key(state) for state in values}) == len(values)
    for state in list(values)[:: len(values) // 500]:
        for view in game.symmetries(state):
            assert values.get(view, values[state]) == values[state]


def test_the_recorded_game():
    assert recorded.agree(GAME, "othello", lambda number, _state: number) > 5


@pytest.mark.parametrize("line", FFO, ids=lambda line: str(FFO.index(line) + 1))
def test_the_legal_moves_of_the_ffo_positions(line):
    text, *moves = [part.strip() for part in line.split(";") if part.strip()]
    state = GAME.from_text(text + ";")
    assert GAME.to_text(state) == text
    published = {move.split(":")[0].lower() for move in moves}
    assert {GAME.show_action(state, action) for action in GAME.legal_actions(state)} == published


@pytest.mark.slow
def test_the_ffo_positions_have_the_published_scores():
    engine = pytest.importorskip("zermelo.engine").Engine(GAME, table_mb=128)
    for line in FFO[:10]:
        text, *moves = [part.strip() for part in line.split(";") if part.strip()]
        state = GAME.from_text(text)
        result = engine.search(state)
        assert result.proven
        assert result.value * GAME.to_move(state) == max(int(move.split(":")[1]) for move in moves)


def naive_result(text, size, place):
    """The board after a disc at ``place``, disc by disc from its text, or None where it turns nothing over."""
    board, turn = text.split(" ")
    enemy = "O" if turn == "X" else "X"
    squares = {(i // size, i % size): piece for i, piece in enumerate(board)}
    if squares[place] != "-":
        return None
    turned = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            line, row, column = [], place[0] + down, place[1] + right
            while (down or right) and squares.get((row, column)) == enemy:
                line.append((row, column))
                row, column = row + down, column + right
            if squares.get((row, column)) == turn:
                turned += line
    after = squares | dict.fromkeys([*turned, place], turn)
    return "".join(after.values()) if turned else None


@settings(max_examples=40)
@given(size=st.sampled_from([4, 6, 8]), empties_to_winner=st.booleans(), seed=st.integers(0, 2**32))
def test_bounds_are_the_value_of_the_last_three_squares(size, empties_to_winner, seed):
    game = othello(size, empties_to_winner)
    for state in conforming.play(game, seed):
        empty = game.to_text(state)[: size * size].count("-")
        if empty <= 3 and not game.is_terminal(state):
            value = reference.minimax_value(game, state)
            assert game.bounds(state) == (value, value)
        elif empty > 3:
            assert game.bounds(state) == (-size * size, size * size)


@settings(max_examples=20)
@given(size=st.sampled_from([4, 6, 8]), empties_to_winner=st.booleans(), seed=st.integers(0, 2**32), data=st.data())
def test_window_bounds_tell_whether_the_value_of_the_last_five_squares_is_more(size, empties_to_winner, seed, data):
    game = othello(size, empties_to_winner)
    low, high = game.utility_range
    for state in conforming.play(game, seed):
        empty = game.to_text(state)[: size * size].count("-")
        alpha = data.draw(st.integers(low, high - 1))
        if empty > 5:
            assert game.window_bounds(state, alpha) == (low, high)
        elif not game.is_terminal(state):
            value = reference.minimax_value(game, state)
            least, most = game.window_bounds(state, alpha)
            assert least <= value <= most
            assert least > alpha or most <= alpha


@settings(max_examples=20)
@given(size=st.sampled_from([4, 6, 8]), seed=st.integers(0, 2**32))
def test_order_agrees_with_a_look_at_the_picture(size, seed):
    game = othello(size)
    ends, rim = (0, size - 1), (0, 1, size - 2, size - 1)
    squares = [(row, column) for row in range(size) for column in range(size)]
    for state in conforming.play(game, seed):
        if game.is_terminal(state) or game.legal_actions(state) == [size * size]:
            continue
        board = game.to_text(state)
        empty = [place for place, piece in zip(squares, board, strict=False) if piece == "-"]
        for action in game.legal_actions(state):
            row, column = squares[action]
            child = naive_result(board, size, (row, column)) + (" O" if board[-1] == "X" else " X")
            replies = [place for place in squares if naive_result(child, size, place)]
            quarter = [1 for r, c in empty if (2 * r < size, 2 * c < size) == (2 * row < size, 2 * column < size)]
            worth = -2 * sum(2 if r in ends and c in ends else 1 for r, c in replies) + len(quarter) % 2
            if row in rim and column in rim:
                worth += 1 if row in ends and column in ends else -1
            assert game.order(state, action) == worth


@settings(max_examples=50)
@given(data=st.data())
def test_a_random_game_agrees_with_a_look_at_its_picture(data):
    size = data.draw(st.sampled_from([4, 6, 8]))
    game = othello(size, data.draw(st.booleans()))
    state = game.initial
    for _ in range(2 * size * size):
        positions.keeps_its_promises(game, state)
        text = game.to_text(state)
        squares = [(row, column) for row in range(size) for column in range(size)]
        after = [naive_result(text, size, place) for place in squares]
        if game.is_terminal(state):
            discs = text[:-1].count("X") - text[:-1].count("O")
            empties = text.count("-") if game.parameters["empties_to_winner"] else 0
            assert game.utility(state) == discs + empties * ((discs > 0) - (discs < 0))
            break
        legal = game.legal_actions(state)
        assert legal == ([i for i, board in enumerate(after) if board] or [size * size])
        action = data.draw(st.sampled_from(legal))
        state = game.result(state, action)
        assert game.to_text(state)[:-2] == (after[action] if action < size * size else text[:-2])
    else:
        pytest.fail("a disc is laid in every second ply at least: no game is this long")


@settings(max_examples=30)
@given(data=st.data())
def test_all_views_of_a_board_are_alike(data):
    game = othello(4)
    state = positions.random_state(game, data, 12)
    views = [state, *game.symmetries(state)]
    assert len(views) == 8
    assert {frozenset([view, *game.symmetries(view)]) for view in views} == {frozenset(views)}
    assert len({len(game.legal_actions(view)) for view in views}) == 1
    assert len({game.is_terminal(view) or game.evaluate(view) for view in views}) == 1


def test_who_cannot_turn_anything_over_passes():
    game = othello(4)
    state = game.from_text("-OOX------------ O")
    assert game.legal_actions(state) == [16]
    assert game.show_action(state, 16) == "pass"
    assert game.read_action(state, "PASS") == 16
    assert game.board(state).clicks == {16: ()}
    child = game.play(state, 16)
    assert game.to_move(child) == MAX
    assert [game.show_action(child, action) for action in game.legal_actions(child)] == ["a1"]


def test_empty_squares_go_to_the_winner_if_so_agreed():
    text = "XXX-----------O- X"
    assert othello(4, False).utility(othello(4).from_text(text)) == 2
    assert othello(4, True).utility(othello(4).from_text(text)) == 14


def test_the_picture():
    assert othello(4).draw(othello(4).initial) == "\n".join(
        ["  a b c d", "1 . . . . 1", "2 . O X . 2", "3 . X O . 3", "4 . . . . 4", "  a b c d"]
    )


@pytest.mark.parametrize(
    "text", ["", "X", "-" * 64, "-" * 63 + " X", "-" * 64 + " Z", "Z" * 64 + " X", "-" * 64 + " X O"]
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match="is not 64 characters"):
        GAME.from_text(text)
    with pytest.raises(ValueError, match="is not a square"):
        GAME.parse_action(GAME.initial, text)


@pytest.mark.parametrize("size", [3, 5, 7, 9, True])
def test_odd_and_large_boards_are_refused(size):
    with pytest.raises(BadParameter, match="The parameter size is"):
        othello(size)
