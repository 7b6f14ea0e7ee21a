"""The figures of the overview: what a run came to, with intervals. Source: scoring.md section 4, docs/statistics.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mivas.errors import MivasError
from mivas.score import (
    Figures,
    bootstrap_pass_at_1,
    counted,
    import_statistics,
    summarise,
    tally_tasks,
    wilson_interval,
)

DIFFICULTIES = ("easy", "medium", "hard")
GATE_SETS = ("T", "H", "D", "TH", "TD", "HD", "THD")
SEED = 0
"""Of the intervals: the same rows give the same ones."""
LATENCY_STEP_MS = 250
LATENCY_STEPS = 16
"""Bars of a histogram; the last one holds everything above."""
_TIMES = ("response_latency_ms", "dead_air_after_tool_ms", "handoff_gap_ms", "yield_ms", "talk_over_ms")


def run_figures(rows: Sequence[Mapping[str, Any]], trials: int) -> dict[str, Any]:
    """All the overview says about one run.

    Args:
        rows: verdict lines, each with `difficulty` and `audio_condition` of its task where they are known, and
            `caller_fault` of its record.
        trials: trials a task, the largest k of pass^k.
    """
    summary = summarise(rows, largest_k=max(trials, 1))
    by_pack: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_pack.setdefault(str(row.get("pack")), []).append(row)
    return {
        "marks": dict(summary.overall.marks),
        "trials": summary.overall.trials,
        "tasks": summary.overall.tasks,
        "overall": _rate(counted(rows)),
        "cross_industry": summary.cross_industry_pass_at_1 if len(summary.packs) > 1 else None,
        "packs": {pack: _pack(figures, by_pack[pack]) for pack, figures in summary.packs.items()},
        "gates": gate_failures(rows),
        "verdicts": dict(summary.overall.handoff_verdicts),
        "faults": dict(Counter(str(row["caller_fault"]) for row in rows if row.get("caller_fault")).most_common()),
        "voids": dict(Counter(str(row["void_reason"]) for row in rows if row.get("void_reason")).most_common()),
        "missing": Counter(
            name for row in rows if row.get("mark") == "FAIL" for name in (row.get("tools") or {}).get("missing") or ()
        ).most_common(8),
        "times": _times(rows),
        "bands": dict(summary.overall.bands),
    }


def _pack(figures: Figures, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "trials": figures.trials,
        "tasks": figures.tasks,
        "marks": dict(figures.marks),
        "rate": _rate(rows),
        "gates": [figures.gates.tools, figures.gates.handoff, figures.gates.database],
        "difficulty": {level: _rate([row for row in rows if row.get("difficulty") == level]) for level in DIFFICULTIES},
        "pass_hat_k": [
            {"k": k, "value": one.value, "complete": one.complete, "tasks": [one.tasks_with_enough_trials, one.tasks]}
            for k, one in figures.pass_hat_k.items()
        ],
    }


def _rate(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """pass@1 with an interval: by task where trials repeat, Wilson's where each task has one or `stats` is missing."""
    tallies = [tally for tally in tally_tasks(rows).values() if tally.trials]
    trials, passes = sum(tally.trials for tally in tallies), sum(tally.passes for tally in tallies)
    interval = None
    if any(tally.trials > 1 for tally in tallies) and _has_statistics():
        import numpy as np

        interval = bootstrap_pass_at_1(tallies, np.random.default_rng(SEED))
    elif all(tally.trials == 1 for tally in tallies) or len(tallies) == 1:
        interval = wilson_interval(trials, passes)
    return {
        "value": passes / trials if trials else None,
        "passes": passes,
        "trials": trials,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "method": interval.method if interval else None,
    }


def _has_statistics() -> bool:
    try:
        import_statistics()
    except MivasError:
        return False
    return True


def gate_failures(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many failed calls failed which gates together, by the letters of the gates.

    >>> gate_failures([{"mark": "FAIL", "tools": {"passed": False}, "handoff": {"passed": True}}])["T"]
    1
    """
    counted = Counter(
        "".join(
            letter
            for letter, gate in (("T", "tools"), ("H", "handoff"), ("D", "database"))
            if (row.get(gate) or {}).get("passed") is False
        )
        for row in rows
        if row.get("mark") == "FAIL"
    )
    return {gates: counted[gates] for gates in GATE_SETS}


def _times(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Percentiles of what a spoken run measured; None for one without sound."""
    calls = [found for row in rows if (found := (row.get("diagnostics") or {}).get("interaction"))]
    if not calls:
        return None
    pooled = {name: sorted(_values(calls, name)) for name in _TIMES}
    return {
        "calls": len(calls),
        "goodbyes_cut": sum(bool(call.get("goodbye_cut")) for call in calls),
        "rows": {name: _percentiles(values) for name, values in pooled.items()},
        "histogram": _histogram(pooled["response_latency_ms"]),
    }


def _values(calls: Iterable[Mapping[str, Any]], name: str) -> Iterable[float]:
    for call in calls:
        value = call.get(name)
        yield from value if isinstance(value, list | tuple) else () if value is None else (value,)


def _percentiles(values: Sequence[float]) -> dict[str, float | None]:
    """Nearest rank: a value that was measured, never one between two."""
    found: dict[str, float | None] = {"count": len(values)}
    for share in (50, 90, 95):
        found[f"p{share}"] = values[max(0, -(-len(values) * share // 100) - 1)] if values else None
    return found


def _histogram(values: Iterable[float]) -> list[int]:
    bars = [0] * LATENCY_STEPS
    for value in values:
        bars[min(int(value // LATENCY_STEP_MS), LATENCY_STEPS - 1)] += 1
    return bars
