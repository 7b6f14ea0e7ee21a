"""Intervals around pass@1 and pass^k. Source: docs/statistics.md; Wilson 1927; Efron 1979, tasks as clusters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mivas.errors import InputError, MivasError
from mivas.score._pass_rate import pass_hat_k
from mivas.score._summary import Row

if TYPE_CHECKING:
    import numpy as np

TaskKey: TypeAlias = tuple[str, str]
"""(pack, task id): tasks of different packs are different tasks."""

LEVEL = 0.95
RESAMPLES = 9_999
"""Draws of a bootstrap or permutation: moves the third digit of an interval, and p can fall to 0.0002."""
NO_SPREAD = 1e-12
"""Below this a spread is rounding error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a figure may well lie."""

    low: float
    high: float
    level: float
    """Confidence, 0..1."""
    method: Literal["wilson", "cluster bootstrap by task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTally:
    """What the scored trials (pass or FAIL) of one task came to."""

    trials: int
    passes: int


def tally_tasks(rows: Iterable[Row]) -> dict[TaskKey, TaskTally]:
    """Scored trials and passes of each task that has a row, sorted by key; a task may have no scored trial.

    A MISS, or a row without a task, belongs to none. Raises InputError when one trial of a task stands twice.
    """
    marks: dict[TaskKey, list[str]] = {}
    seen: set[Hashable] = set()
    for row in rows:
        if row.get("mark") == "MISS" or row.get("task_id") is None:
            continue
        task = (str(row.get("pack")), str(row["task_id"]))
        trial = row.get("trial")
        if trial is not None and (task, trial) in seen:
            raise InputError(f"trial {trial} stands twice", where="/".join(task), mend="give each trial's verdict once")
        seen.add((task, trial))
        marks.setdefault(task, []).append(str(row.get("mark")))
    return {
        task: TaskTally(trials=own.count("pass") + own.count("FAIL"), passes=own.count("pass"))
        for task, own in sorted(marks.items())
    }


def wilson_interval(trials: int, passes: int, level: float = LEVEL) -> Interval | None:
    """Wilson score interval of pass@1 over pooled trials; None when there is no trial.

    Assumes independent trials of one pass rate. Trials of one task resemble each other, so over several tasks it is too
    narrow; `bootstrap_pass_at_1` doesn't assume this.

    Args:
        trials: trials marked pass or FAIL.
        passes: how many of them passed, 0..trials.
    Raises: ValueError: passes outside 0..trials, or level outside 0..1.
    >>> interval = wilson_interval(360, 216)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.5486, 0.6493)
    """
    if not 0 <= passes <= trials or not 0 < level < 1:
        raise ValueError(f"need 0 <= passes <= trials and 0 < level < 1, got {passes=}, {trials=}, {level=}")
    if trials == 0:
        return None
    # Written out, not taken from scipy: every run may show it, and importing scipy takes longer than a short run.
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate = passes / trials
    centre = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    low = 0.0 if passes == 0 else centre - half
    high = 1.0 if passes == trials else centre + half
    return Interval(low=low, high=high, level=level, method="wilson")


def bootstrap_pass_at_1(tasks: Sequence[TaskTally], rng: np.random.Generator, level: float = LEVEL) -> Interval | None:
    """Interval of pooled pass@1: whole tasks are drawn with replacement, each with its trials; percentiles.

    Args:
        tasks: tasks without a scored trial are left out.
        rng: the same generator state gives the same interval.
    Returns: None with fewer than two tasks, or when every task has the same rate: then drawing tasks tells nothing.
    Raises: MivasError when the extra `stats` isn't installed.
    """
    import_statistics()
    import numpy as np

    scored = [task for task in tasks if task.trials]
    passes = np.array([task.passes for task in scored])
    trials = np.array([task.trials for task in scored])
    return bootstrap(len(scored), lambda drawn, axis: passes[drawn].sum(axis) / trials[drawn].sum(axis), rng, level)


def bootstrap_pass_hat_k(
    tasks: Sequence[TaskTally], k: int, rng: np.random.Generator, level: float = LEVEL
) -> Interval | None:
    """Interval of pass^k, the mean over tasks with k scored trials or more. Otherwise as `bootstrap_pass_at_1`."""
    import_statistics()
    import numpy as np

    rates = np.array([rate for task in tasks if (rate := pass_hat_k(task.trials, task.passes, k)) is not None])
    return bootstrap(len(rates), lambda drawn, axis: rates[drawn].mean(axis), rng, level)


def bootstrap(tasks: int, figure: Callable[..., Any], rng: np.random.Generator, level: float) -> Interval | None:
    """Percentile interval of a figure of drawn tasks.

    Args:
        tasks: how many there are; they are drawn by place, 0..tasks-1.
        figure: takes an integer array of places and the axis to work along.
    """
    stats = import_statistics()
    import numpy as np

    if tasks < 2:
        return None
    result = stats.bootstrap(
        (np.arange(tasks),),
        lambda drawn, axis: figure(drawn.astype(int), axis),
        n_resamples=RESAMPLES,
        confidence_level=level,
        method="percentile",
        vectorized=True,
        rng=rng,
    )
    if np.ptp(result.bootstrap_distribution) < NO_SPREAD:
        return None
    low, high = (float(end) for end in result.confidence_interval)
    return Interval(low=low, high=high, level=level, method="cluster bootstrap by task")


def import_statistics() -> Any:
    """`scipy.stats`, imported where it is used: it takes seconds. Raises MivasError when it isn't installed."""
    try:
        from scipy import stats  # type: ignore[import-untyped]
    except ImportError:
        raise MivasError("comparing runs needs scipy", where="extra stats", mend="pip install 'mivas[stats]'") from None
    return stats
