"""When a search under a clock has thought long enough."""

from zermelo.engine.deepening import Iteration
from zermelo.engine.patience import Patience
from zermelo.protocol.commands import RESERVE, Go


def iteration(depth, action):
    return Iteration(depth, 0, False, (action,))


def ends_at(actions, effort=0.5):
    """The least seconds, in steps of 0.01, at which the search ends after iterations with these best actions."""
    for hundredths in range(1, 1000):
        patience = Patience(1.0)
        over = [patience.is_over(iteration(depth, action), 9, effort, 0.0) for depth, action in enumerate(actions)]
        assert not any(over)
        if patience.is_over(iteration(len(actions), actions[-1]), 9, effort, hundredths / 100):
            return hundredths / 100
    raise AssertionError("it never ends")


def test_a_settled_choice_ends_the_search_early():
    settled, new, changed = ends_at([1] * 9), ends_at([1]), ends_at([1] * 8 + [2])
    assert 0.2 < settled < 0.6 < new < 1.5 and changed == new
    assert ends_at([1] * 4, effort=0.9) < ends_at([1] * 4, effort=0.5) < ends_at([1] * 4, effort=0.1)


def test_a_single_action_needs_no_search():
    assert Patience(1.0).is_over(iteration(1, 5), 1, 1.0, 0.0)


def test_without_an_optimum_nothing_ends_the_search():
    patience = Patience(None)
    assert not any(patience.is_over(iteration(depth, 5), 1, 1.0, 1e9) for depth in range(20))


def test_a_clock_gives_a_share_and_a_most():
    limits = Go(first_time=60_000, second_time=1000, first_increment=0).limits(True)
    assert limits.seconds == (60_000 - RESERVE) / 40_000 and limits.most_seconds == 4 * limits.seconds
    limits = Go(first_time=60_000, second_time=1000, first_increment=0).limits(False)
    assert limits.seconds == (1000 - RESERVE) / 40_000 and limits.most_seconds == 4 * limits.seconds
    nearly_out = Go(first_time=100, first_increment=1000).limits(True)
    assert nearly_out.seconds == nearly_out.most_seconds == 0.02  # a fifth of what is left


def test_a_time_for_the_move_is_a_limit():
    limits = Go(move_time=1000, depth=3, nodes=7).limits(True)
    assert limits.seconds == 0.98 and limits.most_seconds is None and (limits.depth, limits.nodes) == (3, 7)
    assert Go(infinite=True, first_time=60_000).limits(True).most_seconds is None
