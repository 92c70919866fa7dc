"""Statistics of matches: they agree with published figures, and with what simulated matches show."""

import csv
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.atlas.facts import TABLES
from zermelo.errors import BadParameter
from zermelo.lab import elo, llr
from zermelo.lab.pentanomial import SCORES, Floats, moments, normalized_elo, score_of_elo, shares_of
from zermelo.lab.ratings import Results, probabilities, rate
from zermelo.lab.sprt import MODELS, Model, Sprt, exit_chance, likeliest

FILE = TABLES / "llr.tsv"
SHARES = np.array([0.05, 0.2, 0.5, 0.2, 0.05])
Counts = st.lists(st.integers(0, 1000), min_size=5, max_size=5)


def published() -> list[dict[str, str]]:
    """Rows of counts, hypotheses and figures."""
    with FILE.open() as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


@pytest.mark.parametrize("row", published(), ids=str)
def test_published_figures(row: dict[str, str]) -> None:
    counts = [int(row[kind]) for kind in ("LL", "LD_DL", "LW_DD_WL", "DW_WD", "WW")]
    elo0, elo1 = float(row["elo0"]), float(row["elo1"])
    assert llr(counts, elo0, elo1) == pytest.approx(float(row["llr_logistic"]), rel=1e-9, abs=0)
    assert llr(counts, elo0, elo1, model="normalized") == pytest.approx(float(row["llr_normalized"]), rel=1e-9, abs=0)
    assert elo(counts) == pytest.approx(
        tuple(float(row[name]) for name in ("elo", "elo95", "los")), rel=1e-6, abs=1e-300
    )


@given(Counts, st.floats(-50, 50), st.floats(0.5, 50), st.sampled_from(MODELS))
def test_exchanging_the_players_turns_signs(counts: list[int], middle: float, half: float, model: Model) -> None:
    turned = counts[::-1]
    there, back = elo(counts), elo(turned)
    assert back.elo == pytest.approx(-there.elo, abs=1e-6)
    assert back.half_width == pytest.approx(there.half_width, rel=1e-6)
    assert back.los == pytest.approx(1 - there.los, abs=1e-9)
    forward = llr(counts, middle - half, middle + half, model)
    assert llr(turned, -middle + half, -middle - half, model) == pytest.approx(forward, rel=1e-6, abs=1e-6)


@given(Counts, st.floats(-100, 100), st.sampled_from(MODELS))
def test_hypotheses_are_met_and_nothing_nearby_explains_the_result_better(
    counts: list[int], difference: float, model: Model
) -> None:
    """The distribution fitted to a hypothesis obeys it; any other that does so makes the result less likely."""
    _, shares = shares_of(np.array([count + 1.0 for count in counts]))
    fitted = likeliest(shares, difference, model)
    assert fitted.sum() == pytest.approx(1)
    assert (fitted > 0).all()
    mean, deviation = moments(fitted)
    if model == "logistic":
        assert mean == pytest.approx(score_of_elo(difference))
        # Moves that keep the sum and the mean.
        for move in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]):
            other = fitted + np.array(move) * 1e-3 * fitted.min()
            assert shares @ np.log(other) <= shares @ np.log(fitted)
    else:
        # Fishtest's own iteration, which this follows step by step, stops after ten rounds.
        assert (mean - 0.5) / deviation == pytest.approx(difference * math.log(10) / 800 * math.sqrt(2), abs=1e-3)


def test_a_walk_leaves_the_bounds_as_often_as_theory_says() -> None:
    assert exit_chance(1e-12, -3, 3) == pytest.approx(0.5)
    assert exit_chance(1.0, -math.log(19), math.log(19)) == pytest.approx(0.95)
    assert exit_chance(-1.0, -math.log(19), math.log(19)) == pytest.approx(0.05)
    assert exit_chance(1e4, -3, 3) == pytest.approx(1)
    assert exit_chance(-1e4, -3, 3) == pytest.approx(0)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_error_rates_and_lengths_of_simulated_tests(model: Model) -> None:
    """2,000 tests under each hypothesis: wrong verdicts within binomial intervals, lengths as in theory."""
    many, rate = 2000, 0.05
    chooser = np.random.default_rng(7)
    most = 40.0 if model == "logistic" else 80.0  # in Elo; normalized Elo is about twice as much at this share of draws
    test = Sprt(0, most, model=model, alpha=rate, beta=rate)
    for difference, wrong in ((0.0, 1), (most, -1)):
        shares = likeliest(SHARES, difference, model)
        ended, verdicts = simulated(test, shares, many, chooser)
        errors = int((verdicts == wrong).sum())
        accepted = test.acceptance(shares.tolist())
        expected = accepted if wrong == 1 else 1 - accepted  # below 5 %, since a walk ends a little beyond a bound
        assert many * expected - spread(expected, many) <= errors <= many * rate + spread(rate, many)
        assert expected < rate
        assert ended.mean() == pytest.approx(test.expected_pairs(shares.tolist()), rel=0.08)


def spread(rate: float, many: int) -> float:
    """How far a count is from its mean at most, in 999 of 1,000 runs."""
    return 3.29 * math.sqrt(rate * (1 - rate) * many)


def simulated(test: Sprt, shares: Floats, many: int, chooser: np.random.Generator) -> tuple[Floats, Floats]:
    """How many pairs each of many tests takes, and their verdicts: 1 for accepting elo1, -1 for rejecting it."""
    counts = np.zeros((many, 5))
    ended, verdicts = np.zeros(many), np.zeros(many)
    going = np.arange(many)
    while len(going):
        counts[going] += chooser.multinomial(1, shares, size=len(going))
        ratios = test.llrs(counts[going])
        over = (ratios >= test.upper).astype(int) - (ratios <= test.lower)
        ended[going[over != 0]] = counts[going[over != 0]].sum(axis=1)
        verdicts[going[over != 0]] = over[over != 0]
        going = going[over == 0]
    return ended, verdicts


def test_intervals_of_elo_cover_the_truth() -> None:
    chooser = np.random.default_rng(3)
    for difference in (0.0, 60.0):
        shares = likeliest(SHARES, difference, "logistic")
        mean, deviation = moments(shares)
        normalized = (mean - 0.5) / deviation * 800 / math.log(10) / math.sqrt(2)
        covered, covered_normalized = 0, 0
        for counts in chooser.multinomial(400, shares, size=1500).tolist():
            found = elo(counts)
            covered += bool(abs(found.elo - difference) <= found.half_width)
            estimate, half_width = normalized_elo(counts)
            covered_normalized += bool(abs(estimate - normalized) <= half_width)
        assert 0.93 <= covered / 1500 <= 0.97
        assert 0.93 <= covered_normalized / 1500 <= 0.97


def test_intervals_of_ratings_cover_the_truth() -> None:
    """Six players, twenty games of each with each other and each side, 300 times."""
    chooser = np.random.default_rng(5)
    truth = dict(zip("ABCDEF", (120.0, 60.0, 20.0, -10.0, -70.0, -120.0), strict=True))
    covered = covered_first = 0
    for _ in range(300):
        found = rate(
            Results(one, other, *chooser.multinomial(20, probabilities(truth[one] - truth[other], 40, 0.3)).tolist())
            for one in truth
            for other in truth
            if one != other
        )
        for player, rating, half_width in zip(found.players, found.elo, found.half_widths, strict=True):
            covered += bool(abs(rating - truth[player]) <= half_width)
        covered_first += bool(abs(found.first_move - 40) <= 1.96 * found.first_move_error)
    assert 0.93 <= covered / 1800 <= 0.97
    assert 0.92 <= covered_first / 300 <= 0.98


def test_likelihoods_of_superiority_between_equals_are_uniform() -> None:
    """Where two players are equally strong, a likelihood below 10 % occurs in 10 % of matches and tournaments."""
    chooser = np.random.default_rng(8)
    shares = likeliest(SHARES, 0, "logistic")
    of_matches = [elo(counts).los for counts in chooser.multinomial(200, shares, size=2000).tolist()]
    of_tournaments = []
    for _ in range(400):
        found = rate(
            Results(one, other, *chooser.multinomial(15, probabilities(0, 40, 0.3)).tolist())
            for one in "ABC"
            for other in "ABC"
            if one != other
        )
        of_tournaments.append(found.los("A", "B"))
        for one, other in (("A", "B"), ("B", "C"), ("C", "A")):
            assert found.los(one, other) == pytest.approx(1 - found.los(other, one))
            assert found.los(*sorted((one, other), key=found.players.index)) >= 0.5
    for found_los in (of_matches, of_tournaments):
        for share in (0.1, 0.5, 0.9):
            below = sum(los < share for los in found_los) / len(found_los)
            assert abs(below - share) <= spread(share, len(found_los)) / len(found_los)


def test_two_players_are_rated_as_their_match_is() -> None:
    """Without draws, and with both sides played equally often, ratings agree with the Elo of the match."""
    found = rate([Results("a", "b", 600, 0, 400), Results("b", "a", 400, 0, 600)])
    assert found.players == ("a", "b")
    assert found.elo[0] - found.elo[1] == pytest.approx(elo([160, 0, 480, 0, 360]).elo, abs=0.2)
    assert found.first_move == pytest.approx(0, abs=1e-6)
    assert found.los("a", "b") > 0.999999
    assert found.los("a", "b") + found.los("b", "a") == pytest.approx(1)


def test_ratings_are_finite_whatever_the_results() -> None:
    found = rate([Results("winner", "loser", 10, 0, 0), Results("draws", "alone", 0, 5, 0)])
    assert np.isfinite(found.elo).all()
    assert np.isfinite(found.half_widths).all()
    assert found.players[0] == "winner"
    assert found.players[-1] == "loser"
    assert found.half_widths.min() > 200
    assert found.elo.sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("counts", [[1, 2, 3], [1, 2, 3, 4, -1], [1, 2, 3, 4, math.nan]])
def test_counts_that_cannot_be_are_refused(counts: list[float]) -> None:
    with pytest.raises(BadParameter, match="five numbers of at least 0"):
        elo(counts)


def test_hypotheses_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadParameter, match="no model 'glicko'"):
        llr([1, 2, 3, 2, 1], 0, 5, "glicko")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="must be the smaller one"):
        Sprt(5, 0)
    with pytest.raises(BadParameter, match=r"alpha is 0\.5"):
        Sprt(0, 5, alpha=0.5)
    with pytest.raises(BadParameter, match="so far from 0"):
        Sprt(300, 900, model="normalized")
    with pytest.raises(BadParameter, match="finite"):
        llr([1, 2, 3, 2, 1], 0, math.inf)


def test_games_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadParameter, match="no games"):
        rate([])
    with pytest.raises(BadParameter, match="against itself"):
        rate([Results("a", "a", 1, 0, 0)])
    with pytest.raises(BadParameter, match="counts from 0"):
        rate([Results("a", "b", 1, -1, 0)])


def test_scores_are_those_of_the_kinds_of_pair() -> None:
    assert SCORES.tolist() == [0, 0.25, 0.5, 0.75, 1]
