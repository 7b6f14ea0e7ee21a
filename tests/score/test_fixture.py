"""A fixture qualifies a harness: it stands in a figure of its own, and in none over several packs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mivas.score import compare, counted, summarise


def row(pack: str, suite: str, mark: str, task: str = "T") -> dict[str, Any]:
    gate = {"passed": mark == "pass"}
    return {
        "key": f"{pack}/{task}/0", "pack": pack, "suite": suite, "task_id": task, "trial": 0, "mark": mark,
        "tools": gate, "handoff": {**gate, "verdict": "exact"}, "database": gate,
    }  # fmt: skip


ROWS = [row("control", "fixture", "pass"), row("shop", "shop-1", "FAIL"), row("clinic", "clinic-1", "pass")]


def test_no_figure_over_packs_counts_it() -> None:
    summary = summarise(ROWS, largest_k=1)
    assert (summary.overall.trials, summary.overall.tasks, summary.overall.pass_at_1) == (2, 2, 0.5)
    assert summary.cross_industry_pass_at_1 == 0.5
    assert summary.packs["control"].pass_at_1 == 1.0


def test_alone_it_is_what_there_is() -> None:
    assert summarise(ROWS[:1]).overall.pass_at_1 == 1.0
    assert counted(ROWS[:1]) == ROWS[:1]
    assert counted([]) == []


def test_a_comparison_over_packs_leaves_it_out() -> None:
    pytest.importorskip("scipy")
    other = [row("control", "fixture", "FAIL"), *ROWS[1:]]
    found = compare(ROWS, other, k=1, rng=np.random.default_rng(0))
    assert found.overall.pass_at_1.difference == 0
    assert found.overall.pass_at_1.tasks == 2
    assert found.packs["control"].pass_at_1.difference == -1.0
