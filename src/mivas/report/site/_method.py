"""What the method page says in figures: worked by the same functions and data that score a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mivas.report.site._material import SitePack, WorkedExample
from mivas.score import pass_at_k, pass_hat_k, summarise, wilson_interval

TRIALS = 5


def method_values(packs: Sequence[SitePack], examples: Sequence[WorkedExample]) -> dict[str, Any]:
    """Values of the page."""
    return {
        "examples": examples,
        "trials": TRIALS,
        "pass_table": [
            {
                "passes": passes,
                "hat": [pass_hat_k(TRIALS, passes, k) for k in range(1, TRIALS + 1)],
                "at": [pass_at_k(TRIALS, passes, k) for k in (2, 3)],
            }
            for passes in range(TRIALS, -1, -1)
        ],
        "aggregate": _aggregate(),
        "intervals": [(passes, trials, wilson_interval(trials, passes)) for trials, passes in ((72, 36), (72, 72))],
        "rules": [_rules(one) for one in packs],
    }


def _aggregate() -> dict[str, Any]:
    """Three tasks, one of them half void: why pass@1 is pooled and pass^k is not."""
    plan = {"A": ["pass"] * 5, "B": ["pass"] * 3 + ["FAIL"] * 2, "C": ["pass", "FAIL", "VOID", "VOID", "VOID"]}
    rows = [
        {"pack": "example", "task_id": task, "trial": trial, "mark": mark}
        for task, marks in plan.items()
        for trial, mark in enumerate(marks)
    ]
    figures = summarise(rows).overall
    return {
        "tasks": [
            (task, marks.count("pass"), marks.count("pass") + marks.count("FAIL")) for task, marks in plan.items()
        ],
        "pass_at_1": figures.pass_at_1,
        "hat": {k: (one.value, one.tasks_with_enough_trials, one.tasks) for k, one in figures.pass_hat_k.items()},
    }


def _rules(one: SitePack) -> dict[str, Any]:
    scoring = one.pack.scoring
    return {
        "pack": one.pack.id,
        "title": one.pack.title,
        "transfers": sorted(scoring.transfer_set),
        "forbidden": list(scoring.forbidden_unless_expected),
        "prose": sorted(scoring.prose_keys),
        "presence": sorted(scoring.presence_keys),
        "skipped": sorted(scoring.skip_keys),
        "tables": [(name, rule.rule, sorted(rule.drop)) for name, rule in scoring.tables.items()],
        "equality": [
            (rule.key if match == "exact" else f"…{rule.key}", rule.kind, rule.tool)
            for match, rules in (
                ("exact", [rule for rules in scoring.exact_rules.values() for rule in rules]),
                ("suffix", scoring.suffix_rules),
            )
            for rule in rules
        ],
    }
