import random
import zlib
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import facts
from zermelo.games import nine_mens_morris
from zermelo.games.nine_mens_morris import State
from zermelo.textbook.perft import perft

GAME = nine_mens_morris()
POINTS = [
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
]
LINES = [
    [POINTS[place] for place in (i, j, k)]
    for i, j, k in (
        *((n, n + 1, n + 2) for n in range(0, 24, 3)),
        *((21, 9, 0), (18, 10, 3), (15, 11, 6), (22, 19, 16), (7, 4, 1), (17, 12, 8), (20, 13, 5), (23, 14, 2)),
    )
]


class Naive:
    """A second implementation of the rules, with names of points and sets of men."""

    def __init__(self, text, flying=True):
        board, self.turn, white, black = text.split(" ")
        self.men = {letter: {p for p, piece in zip(POINTS, board, strict=True) if piece == letter} for letter in "WB"}
        self.hand = {"W": int(white), "B": int(black)}
        self.flying = flying

    def text(self):
        board = "".join("W" if p in self.men["W"] else "B" if p in self.men["B"] else "." for p in POINTS)
        return f"{board} {self.turn} {self.hand['W']} {self.hand['B']}"

    def over(self):
        return any(len(self.men[c]) + self.hand[c] < 3 for c in "WB") or not self.moves()

    def moves(self):
        me, enemy = self.turn, "WB"[self.turn == "W"]
        free = [p for p in POINTS if p not in self.men["W"] | self.men["B"]]
        if self.hand[me]:
            bare = [(None, p) for p in free]
        elif self.flying and len(self.men[me]) == 3:
            bare = [(o, p) for o in self.men[me] for p in free]
        else:
            pairs = [(a, b) for line in LINES for a, b in (line[:2], line[1:])]
            pairs += [(b, a) for a, b in pairs]
            bare = [(o, p) for o, p in pairs if o in self.men[me] and p in free]
        found = []
        for origin, target in bare:
            after = self.men[me] - {origin} | {target}
            if any(target in line and set(line) <= after for line in LINES):
                milled = {p for line in LINES if set(line) <= self.men[enemy] for p in line}
                for prey in (self.men[enemy] - milled) or self.men[enemy]:
                    found.append((origin, target, prey))
            else:
                found.append((origin, target, None))
        return found

    def after(self, move):
        origin, target, prey = move
        child = Naive(self.text(), self.flying)
        me, enemy = self.turn, "WB"[self.turn == "W"]
        child.men[me] = self.men[me] - {origin} | {target}
        child.men[enemy] = self.men[enemy] - {prey}
        child.hand[me] -= origin is None
        child.turn = enemy
        return child


def naive_perft(node, depth):
    if depth == 0:
        return 1
    if node.over():
        return 0
    return sum(naive_perft(node.after(move), depth - 1) for move in node.moves())


def test_perft_from_the_empty_board():
    counts = [perft(GAME, GAME.initial, depth) for depth in range(4)]
    assert counts == [1, 24, 24 * 23, 24 * 23 * 22]
    assert counts[:3] == [naive_perft(Naive(GAME.to_text(GAME.initial)), depth) for depth in range(3)]


@pytest.mark.parametrize("flying", [False, True])
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_moves_and_perft_agree_with_the_second_generator(flying, seed):
    game = nine_mens_morris(flying)
    rng = random.Random(seed)
    states = conforming.play(game, seed, 100)
    for state in states:
        node = Naive(game.to_text(state), flying)
        assert game.is_terminal(state) == node.over()
        legal = game.legal_actions(state)
        below = sorted(game.to_text(game.result(state, action)) for action in legal)
        assert below == ([] if node.over() else sorted(node.after(move).text() for move in node.moves()))
    for state in rng.sample(states[6:], 2):
        assert perft(game, state, 2) == naive_perft(Naive(game.to_text(state), flying), 2)


def test_perft_where_a_player_flies():
    state = GAME.from_text("WW...........W..BB.B...B B 0 0")
    assert [perft(GAME, state, depth) for depth in (1, 2, 3)] == [
        naive_perft(Naive(GAME.to_text(state)), depth) for depth in (1, 2, 3)
    ]


def test_the_recorded_game():
    """In OpenSpiel, taking a man is a move of its own."""
    (row,) = [row for row in facts.rows("playthroughs.tsv") if row["game"] == "nine_mens_morris"]
    listed = {int(ply): (int(count), crc) for ply, count, crc in (item.split(":") for item in row["legal"].split(","))}
    moves = row["moves"].split("|")
    state, ply, checked = GAME.initial, 0, 0
    while ply < len(moves):
        spelled = {}
        for action in GAME.legal_actions(state):
            origin, target, taken = action // 625, action // 25 % 25, action % 25
            first = f"Point {target}" if origin == 24 else f"Move {origin} -> {target}"
            spelled[first, None if taken == 24 else f"Point {taken}"] = action
        parts = [sorted({first for first, _ in spelled}), sorted(s for f, s in spelled if f == moves[ply] and s)]
        for ahead, names in enumerate(parts):
            if ply + ahead in listed and names:
                digest = f"{zlib.crc32(' '.join(names).encode()):08x}"
                assert (len(names), digest) == listed[ply + ahead]
                checked += 1
        taking = bool(parts[1])
        state = GAME.result(state, spelled[moves[ply], moves[ply + 1] if taking else None])
        ply += 2 if taking else 1
    assert checked == len(listed)
    assert GAME.is_terminal(state)
    assert GAME.utility(state) == 1000 * int(row["value"])


def test_a_man_in_a_mill_is_safe_unless_all_are():
    # W closes a7-d7-g7; B has a mill on the third row and one man more.
    state = GAME.from_text("WW....BBB......W....B..W W 1 0")
    assert "g7xf2" in [GAME.show_action(state, action) for action in GAME.actions(state)]
    assert "g7xc5" not in [GAME.show_action(state, action) for action in GAME.actions(state)]
    state = GAME.from_text("WW....BBB......W.......W W 1 0")
    assert "g7xc5" in [GAME.show_action(state, action) for action in GAME.actions(state)]


def test_a_player_without_a_move_or_with_two_men_has_lost():
    stuck, two = GAME.from_text("BWB......W....W......BWB B 0 0"), GAME.from_text("WW.......W...........BB. B 0 0")
    assert GAME.is_terminal(stuck)
    assert GAME.is_terminal(two)
    assert GAME.utility(stuck) == GAME.utility(two) == 1000
    shut_in = GAME.from_text("WBW......B....B......WB. W 0 0")
    assert not GAME.is_terminal(shut_in)  # three men fly
    assert nine_mens_morris(flying=False).utility(shut_in) == -1000


def test_the_picture():
    assert GAME.draw(GAME.play(GAME.initial, GAME.read_action(GAME.initial, "a7"))).splitlines()[0] == "7 W-----.-----."
    assert GAME.draw(GAME.initial).splitlines()[3] == "4 .-.-.   .-.-."


@pytest.mark.parametrize(
    "text", ["", "W", "." * 24, "." * 24 + " W 9", "." * 24 + " W 0 0", "W" * 24 + " W 0 0", "." * 23 + "x W 9 9"]
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        GAME.from_text(text)


def images(points):
    """All sixteen symmetric images of the board, as where each point goes: by rings, and steps around a ring."""
    rings = [
        [POINTS.index(name) for name in ring]
        for ring in (
            ("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
            ("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
            ("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
        )
    ]
    for swapped in (False, True):
        for sign in (1, -1):
            for step in range(0, 8, 2):
                places = [0] * points
                for number, ring in enumerate(rings):
                    for around, point in enumerate(ring):
                        places[point] = rings[2 - number if swapped else number][(sign * around + step) % 8]
                yield places


def moved(men, places):
    return sum(1 << places[point] for point in range(24) if men >> point & 1)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32))
def test_symmetries_are_all_that_the_board_has(seed):
    for state in conforming.play(GAME, seed, 40)[::5]:
        expected = {
            state._replace(max_men=moved(state.max_men, places), min_men=moved(state.min_men, places))
            for places in images(24)
        }
        assert {state, *GAME.symmetries(state)} == expected
        assert GAME.unpack(GAME.pack(state)) == state


@pytest.mark.parametrize("text", ["0-0", "1-1", "2-1", "0-3", "3-1"])
def test_one_placement_of_each_set_of_symmetric_ones(text):
    mine, theirs = map(int, text.split("-"))
    least = {
        min(
            GAME.pack(State(sum(1 << places[p] for p in own), sum(1 << places[p] for p in other), 0, 0, player))
            for places in images(24)
        )
        for own in combinations(range(24), mine)
        for other in combinations([point for point in range(24) if point not in own], theirs)
        for player in (1, -1)
    }
    found = GAME.placements(text)
    assert len(found) == len(least)
    assert set(found.tolist()) == least


@pytest.mark.parametrize("text", ["3-3", "4-3"])
def test_the_number_of_placements_by_burnside(text):
    """W. Burnside's lemma: the mean, over all symmetries, of the number of placements that each leaves as they are."""
    mine, theirs = map(int, text.split("-"))
    total = 0
    for places in images(24):
        # A placement that stays has whole cycles of points: one polynomial in x and y for each cycle.
        fixed = {(0, 0): 1}
        for length in cycles(places):
            more = Counter(fixed)
            for (x, y), count in fixed.items():
                more[x + length, y] += count
                more[x, y + length] += count
            fixed = more
        total += fixed.get((mine, theirs), 0)
    assert total % 16 == 0
    assert len(GAME.placements(text)) == 2 * total // 16


def cycles(places):
    """The lengths of the cycles of a permutation."""
    left = set(range(len(places)))
    while left:
        point = left.pop()
        length = 1
        while (point := places[point]) in left:
            left.remove(point)
            length += 1
        yield length
