"""Figures of a run: per pack and over all packs, from its verdict rows. Source: scoring.md section 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Literal, TypeAlias

from mivas.score._pass_rate import pass_at_1, pass_hat_k

Row: TypeAlias = Mapping[str, Any]
"""A verdict line (cli.md) with its pack: pack, task_id, mark, tools, handoff, database; difficulty and audio_condition
where they are known."""
Band: TypeAlias = Literal["always", "never", "mixed", "partial"]

FIXTURE = "fixture"
"""Suite of tasks that qualify a harness and are never scored (scoring.md, packs)."""
MARKS = ("pass", "FAIL", "VOID", "MISS", "wait")
HANDOFF_VERDICTS = ("exact", "none_required", "in_order_with_extras", "incomplete")
DIFFICULTIES = ("easy", "medium", "hard")
AUDIO_CONDITIONS = ("perfect", "background_noise", "bad_signal")
BANDS: tuple[Band, ...] = ("always", "never", "mixed", "partial")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassHatK:
    """pass^k over tasks, and how many tasks could say anything about it."""

    value: float | None
    """Unweighted mean over the tasks with k scored trials or more; None when there is none."""
    tasks_with_enough_trials: int
    tasks: int

    @property
    def complete(self) -> bool:
        """Whether every task had enough trials: only then is the figure fit for a headline."""
        return 0 < self.tasks == self.tasks_with_enough_trials


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRates:
    """Share of scored trials that cleared a gate; None when no trial was judged by it."""

    tools: float | None
    handoff: float | None
    database: float | None
    """Over the trials whose database was compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a set of trials amounts to."""

    trials: int
    """Rows, whatever their mark."""
    marks: Mapping[str, int]
    tasks: int
    pass_at_1: float | None
    """Pooled: passes over scored trials."""
    pass_hat_k: Mapping[int, PassHatK]
    gates: GateRates
    handoff_verdicts: Mapping[str, int]
    by_difficulty: Mapping[str, float | None]
    """Pooled pass@1 of the easy, medium and hard tasks; None where no trial is known to belong and was scored."""
    by_audio_condition: Mapping[str, float | None]
    """The same for perfect, background_noise and bad_signal."""
    bands: Mapping[str, int]
    """Tasks by consistency: always, never, mixed, or partial (no scored trial)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Figures per pack and over all of them."""

    packs: Mapping[str, Figures]
    """By pack id, in order of first appearance."""
    overall: Figures
    """The rows that count, pooled; tasks of different packs are different tasks."""
    cross_industry_pass_at_1: float | None
    """Unweighted mean of the packs' pass@1; None while one of them has none."""
    cross_industry_by_difficulty: Mapping[str, float | None]
    """Unweighted mean of the packs' cells; None while one of them has none."""
    cross_industry_by_audio_condition: Mapping[str, float | None]


@dataclass(slots=True)
class _Tally:
    trials: int = 0
    passes: int = 0


def summarise(rows: Iterable[Row], *, largest_k: int = 5) -> Summary:
    """Work out the figures of a run.

    Args:
        rows: one verdict object per trial, each with its `pack`.
        largest_k: pass^k is given for k = 1..largest_k.
    """
    by_pack: dict[str, list[Row]] = {}
    for row in rows:
        by_pack.setdefault(str(row.get("pack")), []).append(row)
    packs = {pack: _figures(own, largest_k) for pack, own in by_pack.items()}
    pooled = counted(row for own in by_pack.values() for row in own)
    industries = [packs[pack] for pack in dict.fromkeys(str(row.get("pack")) for row in pooled)]
    return Summary(
        packs=packs,
        overall=_figures(pooled, largest_k),
        cross_industry_pass_at_1=_mean_if_known([figures.pass_at_1 for figures in industries]),
        cross_industry_by_difficulty={
            cell: _mean_if_known([figures.by_difficulty[cell] for figures in industries]) for cell in DIFFICULTIES
        },
        cross_industry_by_audio_condition={
            cell: _mean_if_known([figures.by_audio_condition[cell] for figures in industries])
            for cell in AUDIO_CONDITIONS
        },
    )


def counted(rows: Iterable[Row]) -> list[Row]:
    """The rows that a figure over several packs counts: those of a fixture leave it, unless there is nothing else.

    >>> [row["pack"] for row in counted([{"pack": "a", "suite": "fixture"}, {"pack": "b", "suite": "b-1"}])]
    ['b']
    """
    kept = list(rows)
    return [row for row in kept if row.get("suite") != FIXTURE] or kept


def band(trials: int, passes: int) -> Band:
    """How consistently a task passed.

    >>> band(5, 5), band(5, 2), band(3, 0), band(0, 0)
    ('always', 'mixed', 'never', 'partial')
    """
    if trials == 0:
        return "partial"
    if passes == trials:
        return "always"
    return "mixed" if passes else "never"


def _figures(rows: Sequence[Row], largest_k: int) -> Figures:
    marks = Counter(str(row.get("mark")) for row in rows)
    scored = [row for row in rows if row.get("mark") in ("pass", "FAIL")]
    tasks = _tallies(rows)
    bands = Counter(band(task.trials, task.passes) for task in tasks)
    verdicts = Counter(_inside(row, "handoff", "verdict") for row in scored)
    return Figures(
        trials=len(rows),
        marks={mark: marks[mark] for mark in MARKS},
        tasks=len(tasks),
        pass_at_1=pass_at_1(len(scored), marks["pass"]),
        pass_hat_k={k: _pass_hat_k(tasks, k) for k in range(1, largest_k + 1)},
        gates=GateRates(
            tools=_rate(scored, "tools"), handoff=_rate(scored, "handoff"), database=_rate(scored, "database")
        ),
        handoff_verdicts={verdict: verdicts[verdict] for verdict in HANDOFF_VERDICTS},
        by_difficulty={cell: _cell(scored, "difficulty", cell) for cell in DIFFICULTIES},
        by_audio_condition={cell: _cell(scored, "audio_condition", cell) for cell in AUDIO_CONDITIONS},
        bands={name: bands[name] for name in BANDS},
    )


def _tallies(rows: Iterable[Row]) -> list[_Tally]:
    """Scored trials and passes of each task. A row without a task (MISS) belongs to none."""
    tallies: dict[tuple[Any, Any], _Tally] = {}
    for row in rows:
        if row.get("mark") == "MISS" or row.get("task_id") is None:
            continue
        tally = tallies.setdefault((row.get("pack"), row["task_id"]), _Tally())
        tally.trials += row.get("mark") in ("pass", "FAIL")
        tally.passes += row.get("mark") == "pass"
    return list(tallies.values())


def _pass_hat_k(tasks: Sequence[_Tally], k: int) -> PassHatK:
    values = [pass_hat_k(task.trials, task.passes, k) for task in tasks]
    known = [value for value in values if value is not None]
    return PassHatK(value=_mean(known), tasks_with_enough_trials=len(known), tasks=len(tasks))


def _cell(scored: Iterable[Row], key: str, value: str) -> float | None:
    """Pooled pass@1 of the scored rows that have that value."""
    marks = [row["mark"] for row in scored if row.get(key) == value]
    return pass_at_1(len(marks), marks.count("pass"))


def _rate(scored: Iterable[Row], gate: str) -> float | None:
    judged = [passed for row in scored if (passed := _inside(row, gate, "passed")) is not None]
    return sum(judged) / len(judged) if judged else None


def _inside(row: Row, gate: str, key: str) -> Any:
    part = row.get(gate)
    return part.get(key) if isinstance(part, Mapping) else None


def _mean_if_known(values: Sequence[float | None]) -> float | None:
    """Unweighted mean; None when one of the values is unknown or there is none."""
    known = [value for value in values if value is not None]
    return _mean(known) if len(known) == len(values) else None


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
