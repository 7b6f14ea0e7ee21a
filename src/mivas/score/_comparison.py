"""Paired comparison of two runs, task by task. Source: docs/statistics.md; scoring.md section 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import TYPE_CHECKING, Any, TypeAlias

from mivas.score._interval import (
    LEVEL,
    NO_SPREAD,
    RESAMPLES,
    Interval,
    TaskKey,
    TaskTally,
    bootstrap,
    import_statistics,
    tally_tasks,
)
from mivas.score._pass_rate import pass_hat_k
from mivas.score._power import (
    Detectable,
    chance_spread,
    fewest_differing_tasks,
    minimum_detectable_difference,
    say_difference,
)
from mivas.score._summary import Row, counted

if TYPE_CHECKING:
    import numpy as np

Pair: TypeAlias = tuple[TaskTally, TaskTally]
"""One task in run A and in run B."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One figure in two runs, over the tasks that both can say something about."""

    a: float | None
    b: float | None
    difference: float | None
    """B minus A; None without a common task."""
    interval: Interval | None
    """Of the difference; None with fewer than two tasks, or when all tasks differ alike."""
    p: float | None
    """Chance of a difference this large if A and B were the same: sign-flip permutation test by task, two-sided."""
    tasks: int
    """Tasks compared."""
    detectable: Detectable | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeComparison:
    """What changed in one pack, or over all."""

    pass_at_1: Change
    """Pooled, over tasks with a scored trial on both sides."""
    pass_hat_k: Change
    """Mean over tasks with k scored trials on both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Run B against run A."""

    k: int
    packs: Mapping[str, ScopeComparison]
    overall: ScopeComparison
    """All tasks pooled."""
    only_in_a: tuple[str, ...]
    """`pack/task` that B has no row of."""
    only_in_b: tuple[str, ...]
    unscored: tuple[str, ...]
    """`pack/task` in both, but without a scored trial on one side."""


def compare(
    rows_a: Sequence[Row], rows_b: Sequence[Row], *, k: int, rng: np.random.Generator, level: float = LEVEL
) -> Comparison:
    """Compare two sets of verdict rows, paired by (pack, task); trials of a task are replicates.

    `check_comparable` says whether the two may be compared at all.

    Args:
        rows_a: one verdict object per trial, each with its `pack`.
        k: pass^k is compared at this k.
        rng: the same generator state gives the same figures.
    Raises: InputError: a trial stands twice. MivasError: the extra `stats` isn't installed.
    """
    a, b = tally_tasks(rows_a), tally_tasks(rows_b)
    common = {task: (a[task], b[task]) for task in a if task in b}
    scored = {task: pair for task, pair in common.items() if pair[0].trials and pair[1].trials}
    packs = sorted({pack for pack, _ in common})
    industries = {row.get("pack") for row in counted([*rows_a, *rows_b])}
    return Comparison(
        k=k,
        packs={
            pack: _scope([pair for (own, _), pair in scored.items() if own == pack], k, rng, level) for pack in packs
        },
        overall=_scope([pair for (own, _), pair in scored.items() if own in industries], k, rng, level),
        only_in_a=_names(a.keys() - b.keys()),
        only_in_b=_names(b.keys() - a.keys()),
        unscored=_names(common.keys() - scored.keys()),
    )


def _names(tasks: set[TaskKey]) -> tuple[str, ...]:
    return tuple("/".join(task) for task in sorted(tasks))


def _scope(pairs: Sequence[Pair], k: int, rng: np.random.Generator, level: float) -> ScopeComparison:
    return ScopeComparison(
        pass_at_1=_pass_at_1_change(pairs, k, rng, level), pass_hat_k=_pass_hat_k_change(pairs, k, rng, level)
    )


def _pass_at_1_change(pairs: Sequence[Pair], k: int, rng: np.random.Generator, level: float) -> Change:
    import_statistics()
    import numpy as np

    # Run A's tasks, then run B's: an array of places says which trials make up a side.
    tallies = [a for a, _ in pairs] + [b for _, b in pairs]
    passes = np.array([tally.passes for tally in tallies])
    trials = np.array([tally.trials for tally in tallies])
    rates = [(a.passes / a.trials, b.passes / b.trials) for a, b in pairs]
    chance = max((chance_spread(min(a.trials, b.trials)) for a, b in pairs), default=1.0)
    return _change(
        rates, lambda places, axis: passes[places].sum(axis) / trials[places].sum(axis), chance, k, rng, level
    )


def _pass_hat_k_change(pairs: Sequence[Pair], k: int, rng: np.random.Generator, level: float) -> Change:
    import_statistics()
    import numpy as np

    rates = [
        (rate_a, rate_b)
        for a, b in pairs
        if (rate_a := pass_hat_k(a.trials, a.passes, k)) is not None
        and (rate_b := pass_hat_k(b.trials, b.passes, k)) is not None
    ]
    both = np.array([a for a, _ in rates] + [b for _, b in rates])
    # With n = k one task is one draw: it passes all k or it doesn't.
    return _change(rates, lambda places, axis: both[places].mean(axis), chance_spread(1), k, rng, level)


def _change(
    rates: Sequence[tuple[float, float]],
    figure: Callable[..., Any],
    worst_spread: float,
    k: int,
    rng: np.random.Generator,
    level: float,
) -> Change:
    """Difference, interval, p and power of a figure.

    Args:
        rates: the figure of each task, in A and in B.
        figure: of the tasks at an integer array of places: A's at 0..n-1, B's at n..2n-1.
        worst_spread: of the per-task differences, where too few tasks differ to show one.
    """
    import numpy as np

    tasks = len(rates)
    if tasks == 0:
        sentence = say_difference(None, None, None, k, level)
        return Change(
            a=None, b=None, difference=None, interval=None, p=None, tasks=0, detectable=None, sentence=sentence
        )
    places = np.arange(tasks)
    a, b = (float(figure(side, -1)) for side in (places, places + tasks))
    p = _p_value(tasks, figure, rng)
    detectable = _detectable(rates, worst_spread, level)
    return Change(
        a=a,
        b=b,
        difference=b - a,
        interval=bootstrap(tasks, lambda drawn, axis: figure(drawn + tasks, axis) - figure(drawn, axis), rng, level),
        p=p,
        tasks=tasks,
        detectable=detectable,
        sentence=say_difference(b - a, p, detectable, k, level),
    )


def _p_value(tasks: int, figure: Callable[..., Any], rng: np.random.Generator) -> float:
    """If the runs were alike, each task's two results could as well be swapped. Exact for few tasks."""
    if tasks == 1:
        return 1.0  # both outcomes are as extreme; the library wants two pairs
    stats = import_statistics()
    import numpy as np

    result = stats.permutation_test(
        (np.arange(tasks), np.arange(tasks) + tasks),
        lambda a, b, axis: figure(b.astype(int), axis) - figure(a.astype(int), axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        rng=rng,
    )
    return float(result.pvalue)


def _detectable(rates: Sequence[tuple[float, float]], worst_spread: float, level: float) -> Detectable:
    differences = [b - a for a, b in rates]
    differing = sum(abs(difference) > NO_SPREAD for difference in differences)
    spread = stdev(differences) if len(differences) > 1 else worst_spread
    observed = differing >= fewest_differing_tasks(level) and spread > NO_SPREAD
    if not observed:
        spread = max(spread, worst_spread)
    return Detectable(
        value=minimum_detectable_difference(len(rates), spread, level=level),
        tasks=len(rates),
        spread=spread,
        basis="observed" if observed else "worst case",
    )
