"""Intervals against closed forms, the library's own, and how often they hold the truth. Source: docs/statistics.md."""

from __future__ import annotations

import doctest
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mivas.errors import InputError
from mivas.score import (
    Interval,
    TaskTally,
    _interval,
    bootstrap_pass_at_1,
    bootstrap_pass_hat_k,
    tally_tasks,
    wilson_interval,
)

TALLIES = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.builds(TaskTally, trials=st.just(n), passes=st.integers(0, n))),
    min_size=2,
    max_size=20,
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def ends(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high


@pytest.mark.parametrize(
    ("passes", "trials", "low", "high"),
    [
        # statsmodels 0.15.0, proportion_confint(method="wilson")
        (0, 10, 0.0, 0.27753279986288926),
        (10, 10, 0.7224672001371106, 1.0),
        (216, 360, 0.5485949303747125, 0.6492934582475488),
        (1, 2, 0.09453120573423068, 0.9054687942657693),
        (3, 72, 0.014270807466925196, 0.11549276741316117),
    ],
)
def test_wilson_equals_statsmodels(passes: int, trials: int, low: float, high: float) -> None:
    assert ends(wilson_interval(trials, passes)) == pytest.approx((low, high), abs=1e-6)


@given(trials=st.integers(1, 2000), share=st.floats(0, 1), level=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_equals_scipy_and_contains_the_rate(trials: int, share: float, level: float) -> None:
    passes = round(share * trials)
    low, high = ends(wilson_interval(trials, passes, level))
    reference = stats.binomtest(passes, trials).proportion_ci(level, method="wilson")
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-9)
    assert 0 <= low <= passes / trials <= high <= 1


def test_no_trial_has_no_interval() -> None:
    assert wilson_interval(0, 0) is None
    assert bootstrap_pass_at_1([], rng()) is None
    assert bootstrap_pass_hat_k([TaskTally(trials=2, passes=1)] * 3, 5, rng()) is None


@pytest.mark.parametrize(("trials", "passes", "level"), [(3, 4, 0.95), (3, -1, 0.95), (3, 1, 0.0), (3, 1, 1.0)])
def test_impossible_counts_are_refused(trials: int, passes: int, level: float) -> None:
    with pytest.raises(ValueError, match="need 0 <= passes"):
        wilson_interval(trials, passes, level)


@pytest.mark.parametrize(
    "tasks",
    [
        pytest.param([TaskTally(trials=5, passes=3)], id="one task"),
        pytest.param([TaskTally(trials=5, passes=5)] * 8, id="all alike"),
        pytest.param([TaskTally(trials=5, passes=5), TaskTally(trials=0, passes=0)], id="one scored"),
    ],
)
def test_tasks_that_do_not_vary_have_no_bootstrap_interval(tasks: list[TaskTally]) -> None:
    assert bootstrap_pass_at_1(tasks, rng()) is None
    assert bootstrap_pass_hat_k(tasks, 2, rng()) is None


@settings(max_examples=40, deadline=None)
@given(tasks=TALLIES)
def test_a_bootstrap_interval_contains_its_figure(tasks: list[TaskTally]) -> None:
    at_1 = bootstrap_pass_at_1(tasks, rng())
    if at_1 is not None:
        assert at_1.low <= sum(t.passes for t in tasks) / sum(t.trials for t in tasks) <= at_1.high
    hat_1 = bootstrap_pass_hat_k(tasks, 1, rng())
    if hat_1 is not None:
        assert hat_1.low <= sum(t.passes / t.trials for t in tasks) / len(tasks) <= hat_1.high


def test_the_same_seed_gives_the_same_interval() -> None:
    tasks = [TaskTally(trials=trials, passes=trials % 4) for trials in range(4, 60)]
    assert bootstrap_pass_at_1(tasks, rng(7)) == bootstrap_pass_at_1(tasks, rng(7))
    assert bootstrap_pass_at_1(tasks, rng(7)) != bootstrap_pass_at_1(tasks, rng(8))


def test_alike_trials_within_a_task_widen_the_interval() -> None:
    tasks = [TaskTally(trials=5, passes=5)] * 36 + [TaskTally(trials=5, passes=0)] * 36
    low, high = ends(bootstrap_pass_at_1(tasks, rng()))
    wilson = ends(wilson_interval(360, 180))
    assert high - low > 2 * (wilson[1] - wilson[0])
    # 72 draws of all or nothing: a normal interval with n = tasks
    assert (low, high) == pytest.approx((0.5 - 1.96 * (0.25 / 72) ** 0.5, 0.5 + 1.96 * (0.25 / 72) ** 0.5), abs=0.02)


def test_nineteen_in_twenty_bootstrap_intervals_hold_the_truth() -> None:
    chance = rng(20)
    held, rounds = 0, 200
    for _ in range(rounds):
        rates = chance.beta(0.8, 0.8, size=72)  # tasks are easy or hard, the true mean is a half
        tasks = [TaskTally(trials=5, passes=int(passes)) for passes in chance.binomial(5, rates)]
        low, high = ends(bootstrap_pass_at_1(tasks, chance))
        held += low <= 0.5 <= high
    assert 0.90 <= held / rounds <= 0.99


def test_tallies_count_scored_trials_by_task() -> None:
    rows = [
        {"pack": "p", "task_id": "b", "trial": 0, "mark": "pass"},
        {"pack": "p", "task_id": "b", "trial": 1, "mark": "VOID"},
        {"pack": "p", "task_id": "a", "trial": 0, "mark": "wait"},
        {"pack": "p", "task_id": "x", "trial": 0, "mark": "MISS"},
        {"pack": "p", "task_id": None, "trial": 0, "mark": "FAIL"},
    ]
    assert tally_tasks(rows) == {("p", "a"): TaskTally(trials=0, passes=0), ("p", "b"): TaskTally(trials=1, passes=1)}
    assert list(tally_tasks(rows)) == [("p", "a"), ("p", "b")]


def test_a_trial_given_twice_is_refused() -> None:
    row = {"pack": "p", "task_id": "a", "trial": 0, "mark": "pass"}
    with pytest.raises(InputError, match="p/a: trial 0 stands twice"):
        tally_tasks([row, row])


def test_the_door_does_not_import_the_library() -> None:
    code = "import sys, mivas.score; mivas.score.wilson_interval(3, 1); print({'scipy', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_missing_library_is_one_line_naming_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(Exception, match=r"^extra stats: comparing runs needs scipy; pip install 'mivas\[stats\]'$"):
        bootstrap_pass_at_1([TaskTally(trials=1, passes=1)], rng())


def test_examples() -> None:
    assert doctest.testmod(_interval).failed == 0
