"""Smallest differences that show, and plain words. Source: docs/statistics.md."""

from __future__ import annotations

import doctest
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.score import Detectable, _power, chance_spread, minimum_detectable_difference, say_difference


@pytest.mark.parametrize(
    ("tasks", "effect"),
    [  # statsmodels 0.15.0, TTestPower().solve_power(nobs=tasks, alpha=0.05, power=0.8)
        (6, 1.4345451395319289),
        (12, 0.8886543444414026),
        (36, 0.48024185367388483),
        (72, 0.3347179877739395),
        (216, 0.19148130138743374),
    ],
)
def test_the_effect_equals_statsmodels(tasks: int, effect: float) -> None:
    value = minimum_detectable_difference(tasks, 0.5)
    assert value == pytest.approx(effect * 0.5, rel=1e-5)


def test_it_tends_to_the_normal_formula() -> None:
    value = minimum_detectable_difference(20_000, 0.4)
    assert value == pytest.approx((1.959964 + 0.841621) * 0.4 / sqrt(20_000), rel=1e-3)


def test_a_true_difference_of_that_size_is_found_four_times_in_five() -> None:
    from scipy import stats

    value = minimum_detectable_difference(30, 0.3)
    samples = np.random.default_rng(5).normal(value, 0.3, size=(4000, 30))
    found = stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize("tasks", range(1, 6))
def test_under_six_tasks_nothing_can_show(tasks: int) -> None:
    assert minimum_detectable_difference(tasks, 0.01) is None


def test_a_difference_above_all_can_not_show() -> None:
    assert minimum_detectable_difference(6, 0.75) is None


@settings(max_examples=30, deadline=None)
@given(tasks=st.integers(6, 300), trials=st.integers(1, 50))
def test_more_tasks_and_more_trials_show_smaller_differences(tasks: int, trials: int) -> None:
    here = minimum_detectable_difference(tasks, chance_spread(trials) / 10)
    assert here is not None
    assert (minimum_detectable_difference(tasks + 5, chance_spread(trials) / 10) or 0) < here
    assert (minimum_detectable_difference(tasks, chance_spread(trials + 1) / 10) or 0) < here


@pytest.mark.parametrize("spread", [0.0, -1.0])
def test_no_spread_is_refused(spread: float) -> None:
    with pytest.raises(ValueError, match="need a spread above 0"):
        minimum_detectable_difference(72, spread)


@pytest.mark.parametrize(("trials", "rate"), [(0, 0.5), (1, -0.1), (1, 1.1)])
def test_an_impossible_plan_is_refused(trials: int, rate: float) -> None:
    with pytest.raises(ValueError, match="need trials >= 1"):
        chance_spread(trials, rate)


def detectable(value: float | None, tasks: int = 72) -> Detectable:
    return Detectable(value=value, tasks=tasks, spread=0.3, basis="observed")


@pytest.mark.parametrize(
    ("difference", "p", "can_show", "k", "sentence"),
    [
        (0.05, 0.04, detectable(0.04), 5, "B is better, by 5.0 points."),
        (-0.05, 0.04, detectable(0.04), 5, "A is better, by 5.0 points."),
        (0.05, 0.05, detectable(0.104), 5,
         "Indistinguishable at this k: a difference under 10.4 points would not show with 5 trials of 72 tasks."),
        (0.0, 1.0, detectable(0.3, 1), 1,
         "Indistinguishable at this k: a difference under 30.0 points would not show with 1 trial of 1 task."),
        (1.0, 0.5, detectable(None, 2), 3,
         "Indistinguishable at this k: 3 trials of 2 tasks can't show any difference."),
        (None, None, None, 5, "Unknown: no task has enough scored trials on both sides."),
    ],
)  # fmt: skip
def test_plain_words(
    difference: float | None, p: float | None, can_show: Detectable | None, k: int, sentence: str
) -> None:
    assert say_difference(difference, p, can_show, k) == sentence


def test_examples() -> None:
    assert doctest.testmod(_power).failed == 0
