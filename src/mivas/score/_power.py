"""How small a difference a paired comparison can show, and what a comparison says in plain words.

Source: docs/statistics.md; Cohen 1988, chapter 2 (paired t test, noncentral t).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import sqrt
from typing import Literal

from mivas.score._interval import LEVEL, import_statistics

POWER = 0.8
"""Chance of finding a difference that is there; the usual choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The smallest true difference that would be found in four comparisons of five."""

    value: float | None
    """As a share (0.1 is 10 points); None when so few tasks can't show any."""
    tasks: int
    spread: float
    """Standard deviation of the per-task differences that `value` rests on."""
    basis: Literal["observed", "worst case"]
    """Whether `spread` was seen in the runs, or, where too few tasks differ to see one, the largest chance makes."""


def minimum_detectable_difference(
    tasks: int, spread: float, *, power: float = POWER, level: float = LEVEL
) -> float | None:
    """Smallest true mean difference that a two-sided paired t test over tasks finds with the given power.

    Args:
        tasks: pairs, one a task.
        spread: standard deviation of the per-task differences, above 0; see `chance_spread` for planning.
    Returns: None when no difference up to 1 would show; with fewer than 6 tasks even a clean sweep has p > 0.05.
    Raises: ValueError: spread not above 0. MivasError when the extra `stats` isn't installed.
    >>> round(minimum_detectable_difference(72, chance_spread(5)), 3)
    0.106
    """
    if spread <= 0:
        raise ValueError(f"need a spread above 0, got {spread=}")
    if tasks < fewest_differing_tasks(level):
        return None
    effect = _standard_error_units(tasks, power, level) * spread / sqrt(tasks)
    return effect if effect <= 1 else None


def fewest_differing_tasks(level: float = LEVEL) -> int:
    """Tasks that must differ, all the same way, before a sign-flip test by task can find anything.

    n differing tasks have 2^n outcomes, so the two-sided p can't fall under 2 / 2^n.
    >>> fewest_differing_tasks()
    6
    """
    return next(tasks for tasks in count(1) if 2.0 ** (1 - tasks) + level < 1)


def chance_spread(trials: int, pass_rate: float = 0.5) -> float:
    """Standard deviation of a per-task difference in pass@1 between two equally good agents: sqrt(2 p (1 - p) / k).

    Args:
        trials: k, trials per task on each side, 1 or more.
        pass_rate: p, the same for every task; a half is the worst case.
    >>> round(chance_spread(5), 4)
    0.3162
    """
    if trials < 1 or not 0 <= pass_rate <= 1:
        raise ValueError(f"need trials >= 1 and a pass rate in 0..1, got {trials=}, {pass_rate=}")
    return sqrt(2 * pass_rate * (1 - pass_rate) / trials)


def say_difference(
    difference: float | None, p: float | None, detectable: Detectable | None, k: int, level: float = LEVEL
) -> str:
    """What a comparison says, in one sentence.

    Args:
        difference: B minus A; None when nothing could be compared.
        p: of the paired test.
        detectable: what could have been found.
        k: trials per task.
    >>> say_difference(-0.083, 0.004, None, 5)
    'A is better, by 8.3 points.'
    >>> seen = Detectable(value=0.104, tasks=72, spread=0.31, basis="observed")
    >>> say_difference(0.02, 0.6, seen, 5)
    'Indistinguishable at this k: a difference under 10.4 points would not show with 5 trials of 72 tasks.'
    """
    if difference is None or p is None:
        return "Unknown: no task has enough scored trials on both sides."
    if p + level < 1 and difference:
        return f"{'B' if difference > 0 else 'A'} is better, by {abs(difference) * 100:.1f} points."
    if detectable is None:
        return "Indistinguishable at this k."
    size = f"{_count(k, 'trial')} of {_count(detectable.tasks, 'task')}"
    if detectable.value is None:
        return f"Indistinguishable at this k: {size} can't show any difference."
    return (
        f"Indistinguishable at this k: a difference under {detectable.value * 100:.1f} points "
        f"would not show with {size}."
    )


def _standard_error_units(tasks: int, power: float, level: float) -> float:
    """Noncentrality at which the t test with tasks - 1 degrees of freedom has the power."""
    stats = import_statistics()
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    critical = float(stats.t.ppf((1 + level) / 2, tasks - 1))
    # Only the right direction counts as found; the wrong one has a chance of 1 in 10,000 there.
    return float(brentq(lambda units: stats.nct.sf(critical, tasks - 1, units) - power, 0.0, critical + 5))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
