"""Figures of the overview: what is unknown stays unknown, what failed together is counted together."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.report.site._figures import LATENCY_STEPS, run_figures


def row(task: str, mark: str, trial: int = 0, *, failed: str = "", **parts: Any) -> dict[str, Any]:
    gates = {"tools": "T", "handoff": "H", "database": "D"}
    scored = mark in ("pass", "FAIL")
    return {
        "pack": "shop", "task_id": task, "trial": trial, "mark": mark, "difficulty": "easy",
        "audio_condition": "perfect", "caller_fault": None, "void_reason": "no_agent_turn" if mark == "VOID" else None,
        **{gate: {"passed": letter not in failed if scored else None} for gate, letter in gates.items()},
    } | parts  # fmt: skip


def test_gates_that_failed_together_are_counted_together() -> None:
    rows = [
        row("A", "FAIL", failed="T"),
        row("B", "FAIL", failed="TD"),
        row("C", "FAIL", failed="TD"),
        row("D", "pass"),
    ]
    found = run_figures(rows, 1)["gates"]
    assert {gates: count for gates, count in found.items() if count} == {"T": 1, "TD": 2}


def test_void_calls_count_in_no_rate() -> None:
    rate = run_figures([row("A", "pass"), row("B", "VOID")], 1)["overall"]
    assert (rate["passes"], rate["trials"], rate["value"]) == (1, 1, 1.0)


def test_nothing_scored_is_unknown_not_zero() -> None:
    rate = run_figures([row("A", "VOID")], 1)["overall"]
    assert (rate["value"], rate["low"], rate["method"]) == (None, None, None)
    assert run_figures([], 1)["overall"]["value"] is None


def test_one_trial_a_task_gets_the_interval_of_wilson() -> None:
    rate = run_figures([row(str(n), "pass" if n < 3 else "FAIL", failed="" if n < 3 else "T") for n in range(6)], 1)
    assert rate["overall"]["method"] == "wilson"
    assert rate["overall"]["low"] < 0.5 < rate["overall"]["high"]


def test_repeated_trials_are_drawn_by_task() -> None:
    pytest.importorskip("scipy")
    rows = [row(str(n), "pass" if n % 2 else "FAIL", trial) for n in range(8) for trial in range(3)]
    rate = run_figures(rows, 3)["overall"]
    assert rate["method"] == "cluster bootstrap by task"
    assert run_figures(rows, 3)["overall"] == rate


def test_pass_hat_k_runs_to_the_number_of_trials() -> None:
    rows = [row("A", "pass", trial) for trial in range(3)]
    cells = run_figures(rows, 3)["packs"]["shop"]["pass_hat_k"]
    assert [(cell["k"], cell["value"], cell["complete"]) for cell in cells] == [(k, 1.0, True) for k in (1, 2, 3)]


def test_a_run_without_sound_has_no_times() -> None:
    assert run_figures([row("A", "pass")], 1)["times"] is None


def test_times_are_pooled_over_calls_and_every_one_is_in_the_histogram() -> None:
    heard = {"response_latency_ms": [100, 9_000], "dead_air_after_tool_ms": [], "handoff_gap_ms": [], "yield_ms": []}
    rows = [
        row("A", "pass", diagnostics={"interaction": {**heard, "talk_over_ms": 20, "goodbye_cut": True}}),
        row("B", "pass", diagnostics={"interaction": {**heard, "talk_over_ms": 40, "goodbye_cut": False}}),
    ]
    times = run_figures(rows, 1)["times"]
    assert times["rows"]["response_latency_ms"] == {"count": 4, "p50": 100, "p90": 9_000, "p95": 9_000}
    assert times["rows"]["yield_ms"] == {"count": 0, "p50": None, "p90": None, "p95": None}
    assert times["rows"]["talk_over_ms"]["count"] == 2
    assert (times["histogram"][0], times["histogram"][LATENCY_STEPS - 1], sum(times["histogram"])) == (2, 2, 4)
    assert (times["calls"], times["goodbyes_cut"]) == (2, 1)


def test_faults_and_voids_are_told_by_name() -> None:
    rows = [row("A", "pass", caller_fault="gave_up"), row("B", "VOID")]
    found = run_figures(rows, 1)
    assert (found["faults"], found["voids"]) == ({"gave_up": 1}, {"no_agent_turn": 1})
