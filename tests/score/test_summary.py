"""Figures over tasks and packs. Source: scoring.md section 4."""

from __future__ import annotations

from typing import Any

import pytest

import mivas.score as door
from mivas.score import summarise


def row(pack: str, task: str | None, mark: str, **gates: Any) -> dict[str, Any]:
    return {"pack": pack, "task_id": task, "mark": mark, **gates}


def trials(pack: str, task: str, passes: int, fails: int, voids: int = 0) -> list[dict[str, Any]]:
    return [row(pack, task, "pass")] * passes + [row(pack, task, "FAIL")] * fails + [row(pack, task, "VOID")] * voids


WORKED = trials("p", "A", 5, 0) + trials("p", "B", 3, 2) + trials("p", "C", 1, 1, 3)


def test_the_worked_aggregate() -> None:
    figures = summarise(WORKED).packs["p"]
    assert figures.pass_at_1 == pytest.approx(9 / 12), "pooled, not the mean of tasks"
    assert figures.pass_hat_k[2].value == pytest.approx((1 + 0.3 + 0) / 3)
    five = figures.pass_hat_k[5]
    assert (five.value, five.tasks_with_enough_trials, five.tasks, five.complete) == (0.5, 2, 3, False)
    assert figures.pass_hat_k[2].complete
    assert figures.bands == {"always": 1, "never": 0, "mixed": 2, "partial": 0}
    assert figures.trials == 15
    assert figures.marks == {"pass": 9, "FAIL": 3, "VOID": 3, "MISS": 0, "wait": 0}


def test_the_cross_industry_mean_weighs_packs_alike() -> None:
    rows = trials("a", "t", 216, 144) + trials("b", "t", 150, 150, 60) + trials("c", "t", 252, 108)
    summary = summarise(rows, largest_k=1)
    assert [summary.packs[pack].pass_at_1 for pack in "abc"] == pytest.approx([0.6, 0.5, 0.7])
    assert summary.cross_industry_pass_at_1 == pytest.approx(0.6)
    assert summary.overall.pass_at_1 == pytest.approx(618 / 1020)


def test_a_pack_without_a_scored_trial_has_no_score_and_blocks_the_mean() -> None:
    summary = summarise(trials("a", "t", 1, 0) + trials("b", "t", 0, 0, 2))
    assert summary.packs["b"].pass_at_1 is None
    assert summary.packs["b"].pass_hat_k[1].value is None
    assert summary.packs["b"].bands["partial"] == 1
    assert summary.cross_industry_pass_at_1 is None
    assert summary.overall.pass_at_1 == 1.0


def test_tasks_of_the_same_name_in_two_packs_are_two_tasks() -> None:
    overall = summarise(trials("a", "t", 2, 0) + trials("b", "t", 0, 2)).overall
    assert overall.tasks == 2
    assert overall.pass_hat_k[2].value == 0.5


def test_a_row_without_a_task_counts_as_a_trial_of_none() -> None:
    figures = summarise([row("a", None, "MISS"), row("a", "x", "MISS"), row("a", "t", "pass")]).packs["a"]
    assert (figures.trials, figures.tasks, figures.pass_at_1) == (3, 1, 1.0)


def celled(pack: str, difficulty: str | None, passes: int, fails: int, voids: int = 0) -> list[dict[str, Any]]:
    own = {} if difficulty is None else {"difficulty": difficulty, "audio_condition": "perfect"}
    return [{**one, **own} for one in trials(pack, f"{difficulty}", passes, fails, voids)]


def test_a_difficulty_cell_is_pooled_in_its_pack_and_a_mean_over_packs() -> None:
    rows = [
        *celled("a", "easy", 9, 1), *celled("a", "easy", 0, 10), *celled("a", "hard", 1, 3, voids=9),
        *celled("b", "easy", 1, 0), *celled("b", "hard", 0, 0, voids=2), *celled("b", None, 5, 5),
    ]  # fmt: skip
    summary = summarise(rows)
    assert summary.packs["a"].by_difficulty == {"easy": 0.45, "medium": None, "hard": 0.25}
    assert summary.packs["b"].by_difficulty == {"easy": 1.0, "medium": None, "hard": None}
    assert summary.cross_industry_by_difficulty == {"easy": pytest.approx(0.725), "medium": None, "hard": None}
    assert summary.packs["a"].by_audio_condition["perfect"] == pytest.approx(10 / 24)
    assert summary.packs["a"].by_audio_condition["bad_signal"] is None
    assert summary.cross_industry_by_audio_condition["perfect"] == pytest.approx((10 / 24 + 1) / 2)


def test_rows_that_name_no_difficulty_leave_every_cell_unknown() -> None:
    summary = summarise(WORKED)
    assert set(summary.packs["p"].by_difficulty.values()) == {None}
    assert set(summary.cross_industry_by_difficulty.values()) == {None}
    assert summarise([]).cross_industry_by_audio_condition == {
        "perfect": None, "background_noise": None, "bad_signal": None,
    }  # fmt: skip


HAT = {5: (1, 1, 1, 1, 1), 4: (0.8, 0.6, 0.4, 0.2, 0), 3: (0.6, 0.3, 0.1, 0, 0), 2: (0.4, 0.1, 0, 0, 0),
       1: (0.2, 0, 0, 0, 0), 0: (0, 0, 0, 0, 0)}  # fmt: skip


@pytest.mark.parametrize("passes", HAT)
def test_box_6_the_table_of_metrics_comes_out_of_verdict_rows(passes: int) -> None:
    figures = summarise(trials("p", "t", passes, 5 - passes, voids=1)).packs["p"]
    assert [figures.pass_hat_k[k].value for k in range(1, 6)] == pytest.approx(HAT[passes])
    assert figures.pass_at_1 == pytest.approx(passes / 5)
    assert figures.bands[{5: "always", 0: "never"}.get(passes, "mixed")] == 1
    assert all(figures.pass_hat_k[k].complete for k in range(1, 6))


def gated(mark: str, tools: Any, handoff: Any, database: Any, verdict: Any) -> dict[str, Any]:
    return row(
        "a", "t", mark,
        tools={"passed": tools}, handoff={"passed": handoff, "verdict": verdict}, database={"passed": database},
    )  # fmt: skip


def test_gate_rates_and_handoff_verdicts_are_over_scored_trials() -> None:
    figures = summarise(
        [
            gated("pass", True, True, True, "exact"),
            gated("pass", True, True, None, "none_required"),
            gated("FAIL", False, True, False, "in_order_with_extras"),
            gated("FAIL", False, False, None, "incomplete"),
            gated("VOID", None, None, None, None),
        ]
    ).packs["a"]
    assert (figures.gates.tools, figures.gates.handoff) == (0.5, 0.75)
    assert figures.gates.database == 0.5, "only where it was compared"
    assert figures.handoff_verdicts == {"exact": 1, "none_required": 1, "in_order_with_extras": 1, "incomplete": 1}


def test_nothing_known_is_none_not_zero() -> None:
    empty = summarise([])
    assert empty.packs == {}
    assert empty.overall.pass_at_1 is None
    assert empty.overall.gates.tools is None
    assert empty.overall.pass_hat_k[1].value is None
    assert empty.cross_industry_pass_at_1 is None


def test_the_door_shows_what_it_promises() -> None:
    assert set(door.__all__) == {name for name in vars(door) if not name.startswith("_")}
