"""Clock, stop, node limits and bad input."""

import threading
import time
from dataclasses import replace

import pytest

from loops import loop_game
from reference import random_states
from zermelo import Engine
from zermelo.compiled.apart import machine_code_runs
from zermelo.engine.job import OUT_OF_NODES
from zermelo.engine.line import principal_variation
from zermelo.engine.tree.playouts import count_playouts
from zermelo.errors import BadParameter, TerminalState
from zermelo.games import breakthrough, connect, tictactoe


@pytest.fixture(scope="module")
def engine():
    return Engine(connect(), table_mb=8)


def test_time_ends_a_search_with_the_last_whole_iteration(engine):
    found = engine.search(seconds=0.3)
    assert found.stopped_by == "time" and not found.proven
    assert found.depth >= 4 and found.action in range(7)


def test_time_ends_a_proof_with_a_bound(engine):
    found = engine.prove(seconds=0.3)
    assert found.stopped_by == "time" and not found.proven and found.bound in ("lower", "upper")


def test_limits_leave_a_question_undecided(engine):
    found = engine.decide(1, nodes=2000)
    assert found.stopped_by == "nodes" and not found.proven and found.nodes <= 2001


def test_nodes_end_a_search(engine):
    engine.clear()
    found = engine.search(nodes=5000)
    assert found.stopped_by == "nodes" and found.nodes <= 5001 and found.depth >= 1


def test_depth_ends_a_search(engine):
    found = engine.search(depth=5)
    assert found.stopped_by == "depth" and found.depth == 5


def test_stop_from_another_thread(engine):
    for question in (engine.search, engine.prove, lambda: engine.decide(1)):
        timer = threading.Timer(0.3, engine.stop)
        timer.start()
        assert question().stopped_by == "interrupted"
        timer.join()


def test_control_c_ends_a_search_and_hands_back_what_it_has(engine, monkeypatch):
    import zermelo.engine.runner as runner

    real, calls = runner._next, []

    def interrupt_once(news, deadline):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(news, deadline)

    monkeypatch.setattr(runner, "_next", interrupt_once)
    found = engine.search(progress=lambda _: None)  # so that it hears of each iteration
    assert found.stopped_by == "interrupted" and found.depth >= 1


def test_threads_begin_when_all_of_them_are_started(engine, monkeypatch):
    """To start a thread takes long while others are at work on all processors."""
    import zermelo.engine.runner as runner

    started, seen = [], []

    class Noting(runner.Call):
        def start(self):
            super().start()
            started.append(self)

    monkeypatch.setattr(runner, "Call", Noting)
    jobs = [{"stop": 0} for _ in range(8)]
    assert runner.run(jobs, lambda number, say: seen.append(len(started)), None, print, wait_for_all=True) is None
    assert seen == [8] * 8


def test_a_search_does_not_wait_for_threads_that_return_late():
    """Those that have no processor return later; the next use of the workspaces waits for them."""
    import zermelo.engine.runner as runner

    slow, late, returned = threading.Event(), [], []

    def work(number, _say):
        if number > 0:
            slow.wait(60)
        returned.append(number)

    jobs = [{"stop": 0} for _ in range(4)]
    assert runner.run(jobs, work, None, print, late=late) is None
    assert returned == [0] and len(late) == 4 and all(job["stop"] for job in jobs)
    slow.set()
    runner.wait_for(late)
    assert sorted(returned) == [0, 1, 2, 3] and all(call.returned.is_set() for call in late)


def test_a_search_hears_what_the_other_threads_have_found(monkeypatch):
    """They are told to stop when the first returns, and have a moment to say what they know; Ctrl-C is not lost."""
    import zermelo.engine.runner as runner

    def work(number, say):
        while number > 0 and not jobs[number]["stop"]:
            time.sleep(0.001)
        say(number)

    monkeypatch.setattr(runner, "LINGER", 60)
    jobs, heard = [{"stop": 0} for _ in range(4)], []
    assert runner.run(jobs, work, None, heard.append, late=[]) is None
    assert heard[0] == 0 and sorted(heard) == [0, 1, 2, 3]

    def interrupt(number):
        if number > 0:
            raise KeyboardInterrupt

    jobs, late = [{"stop": 0} for _ in range(2)], []
    assert runner.run(jobs, work, None, interrupt, late=late) == "interrupted"
    runner.wait_for(late)


def test_the_thread_that_returns_first_tells_why_a_search_ended():
    """The others have been told to stop, and may not know it yet."""
    slow, team = threading.Event(), Engine(tictactoe(), threads=2, table_mb=1)._team

    def work(number, _say):
        if number > 0:
            slow.wait(60)
        else:
            team.jobs[0]["status"] = OUT_OF_NODES

    assert team.run(work, None) == "nodes"
    slow.set()
    team._rest()


def test_kernels_keep_a_limit_of_time_that_nobody_else_watches(engine, monkeypatch):
    import zermelo.engine.runner as runner

    def patient(news, _deadline):
        return news.get(timeout=60)

    engine.search(nodes=1)
    monkeypatch.setattr(runner, "_next", patient)
    for ask in (engine.search, engine.prove, engine.mcts):
        assert ask(seconds=0.02).stopped_by == "time"
    assert engine.decide(1, seconds=0.02).stopped_by == "time"
    assert count_playouts(engine.game, seconds=0.02).stopped_by == "time"


def test_workspaces_are_not_used_again_before_late_threads_have_returned():
    engine, order = Engine(tictactoe(), threads=2, table_mb=1), []
    slow, team = threading.Event(), engine._team

    def return_late():
        slow.wait(60)
        order.append("returned")

    def use(change):
        team._late.append(threading.Thread(target=return_late))
        team._late[0].start()
        threading.Timer(0.05, slow.set).start()
        change()
        order.append("used")
        slow.clear()

    uses = (
        lambda: team.start("proof", None),
        lambda: team.share(True),
        lambda: team.leave_out(True),
        lambda: team.run(lambda number, say: None, None),
        team.forget_proofs,
        engine.clear,
    )
    for change in uses:
        use(change)
        team._rest()
    assert order == ["returned", "used"] * len(uses)


def test_an_error_of_a_thread_waits_for_no_other():
    import zermelo.engine.runner as runner

    slow, late = threading.Event(), []

    def work(number, _say):
        if number == 0:
            raise OverflowError
        slow.wait(60)

    with pytest.raises(OverflowError):
        runner.run([{"stop": 0} for _ in range(2)], work, None, print, late=late)
    slow.set()
    runner.wait_for(late)
    assert len(late) == 2


def test_progress_tells_of_each_iteration(engine):
    seen = []
    engine.search(depth=6, progress=seen.append)
    assert [found.depth for found in seen] == [1, 2, 3, 4, 5, 6]


def test_clear_forgets_everything(engine):
    engine.clear()
    first = engine.search(depth=9)
    engine.clear()
    again = engine.search(depth=9)
    assert first.nodes == again.nodes and first.value == again.value


def test_fresh_proofs_do_not_depend_on_earlier_ones(engine):
    """Each takes the nodes that it takes alone; proofs that are not fresh take fewer."""
    game = connect()
    states = [random_states(game, 12, range(16, 22), seed=3)[number] for number in (0, 10)]

    def nodes(states, fresh):
        engine.clear()
        engine.prove_many(states, fresh=fresh)
        return engine._team.counts()["nodes"]

    first, second = (nodes([state], True) for state in states)
    assert first > 100 and second > 100
    assert nodes([*states, *states], True) == 2 * (first + second)
    assert nodes([*states, *states], False) < 1.1 * (first + second)


@pytest.mark.parametrize("number", [0, -1, float("nan")])
@pytest.mark.parametrize("limit", ["seconds", "nodes", "depth"])
def test_limits_must_be_positive(engine, limit, number):
    with pytest.raises(BadParameter, match=f"The limit {limit} is {number}; it must be more than 0"):
        engine.search(**{limit: number})


@pytest.mark.parametrize("number", [2.5, float("inf")])
@pytest.mark.parametrize("limit", ["nodes", "depth"])
def test_what_is_counted_is_a_whole_number(engine, limit, number):
    with pytest.raises(BadParameter, match=f"The limit {limit} is {number}; it must be a whole number"):
        engine.search(**{limit: number})


def test_a_whole_number_may_be_a_float(engine):
    engine.clear()
    assert engine.search(nodes=5e3).nodes <= 5001 and engine.search(depth=3.0).depth == 3


def test_an_error_of_a_callback_ends_the_search(engine):
    class Unexpected(Exception):
        pass

    def fail(_result):
        raise Unexpected

    engine.search(depth=1)  # now a thread waits for the next search
    before = threading.active_count()
    with pytest.raises(Unexpected):
        engine.search(progress=fail)
    assert threading.active_count() <= before and not machine_code_runs()
    assert engine.search(depth=5).depth == 5


def test_a_finished_game_has_nothing_to_search(engine):
    game = connect()
    with pytest.raises(TerminalState):
        engine.search(game.replay([0, 1, 0, 1, 0, 1, 0]))


def test_bad_parameters():
    with pytest.raises(BadParameter, match="killer_whales"):
        Engine(tictactoe(), killer_whales=True)
    with pytest.raises(BadParameter, match="threads"):
        Engine(tictactoe(), threads=0)
    with pytest.raises(BadParameter, match="come back"):
        Engine(loop_game(0)).prove_many([loop_game(0).initial])
    with pytest.raises(BadParameter, match="come back"):
        Engine(loop_game(0)).decide(1)


def test_ctrl_c_while_a_result_is_drawn_ends_the_search_with_it(engine):
    drawn = []

    def interrupted(result):
        drawn.append(result)
        if len(drawn) == 1:
            raise KeyboardInterrupt

    engine.clear()
    found = engine.search(progress=interrupted)
    assert found.stopped_by == "interrupted" and found.depth >= 1 and not found.proven


def test_a_thread_reads_the_principal_variation_with_its_own_workspace():
    """Another thread may be searching: its stack and its path must stay as they are."""
    engine = Engine(connect(), threads=2, table_mb=1)
    found = engine.search(depth=6)
    first, second = engine._team.jobs
    first.path[:] = first.actions[:] = -7
    line = principal_variation(engine._team.game, second, engine.game.initial, found.action)
    assert len(line) > 1
    assert (first.path == -7).all() and (first.actions == -7).all()


def test_a_proof_looks_for_its_move_within_the_limit_of_nodes():
    """The bounds of the game prove the value at the root. To find a move that keeps it takes 2,211 nodes more."""
    game = replace(breakthrough(4, 5), proof_order=None)
    engine = Engine(game, table_mb=1)
    found = engine.prove(game.from_text("bbbb|.bb.|bwb.|.www|ww.w b"), nodes=100, quickest=False)
    assert found.proven and found.nodes == 1
    assert engine._team.counts()["nodes"] <= 101


def test_an_optimum_ends_a_search_early(engine):
    found = engine.search(seconds=60, optimum=0.01)
    assert found.stopped_by == "time" and found.seconds < 20 and not found.proven
