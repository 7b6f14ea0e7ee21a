"""What the files of a suite say about each other. Source: scoring.md 8, formats.md 2."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import CallerFile, Pack, SolutionFile, Suite, Task, load_pack, load_suite
from mivas.suite import RELEASE_CASES, suite_findings, task_text

OURS = Path(__file__).parents[1] / "suites" / "healthcare"
PACK = load_pack("healthcare")
TASKS = load_suite(PACK, OURS).tasks


def suite(*tasks: Task) -> Suite:
    return Suite(name="toy-1", pack_id=PACK.id, tasks={task.task_id: task for task in tasks})


def changed(task: Task, task_id: str | None = None, **keys: Any) -> Task:
    """The same case with other keys in its `task.json`."""
    raw = {**task.raw, **keys}
    return replace(task, task_id=task_id or task.task_id, raw=raw, file=type(task.file).model_validate(raw))


def clone(task: Task, suffix: str = "-BG", **keys: Any) -> Task:
    metadata = {**task.raw["metadata"], "audio_condition": "background_noise"}
    return changed(task, task.task_id + suffix, task_name="x", metadata=metadata, **keys)


def told(*tasks: Task, release: bool | None = None, pack: Pack = PACK) -> list[str]:
    return [f"{found.where}: {found.what}" for found in suite_findings(pack, suite(*tasks), release=release)]


def with_solution(task: Task, change: Callable[[dict[str, Any]], None]) -> Task:
    assert task.solution is not None
    solution = task.solution.model_dump(mode="json", by_alias=True)
    for step in solution["steps"]:
        step.update({key: value for key, value in list(step.items()) if value is not None})
        for key in [key for key, value in step.items() if value is None]:
            del step[key]
    change(solution)
    return replace(task, solution=SolutionFile.model_validate(solution))


def test_our_own_suite_hangs_together() -> None:
    assert told(*TASKS.values()) == []


class TestClones:
    SOURCE = TASKS["C1-E1"]

    def test_a_clone_differs_in_its_line_only(self) -> None:
        assert told(self.SOURCE, clone(self.SOURCE), clone(self.SOURCE, "-SIG")) == []

    def test_traits_may_stand_in_another_order(self) -> None:
        assert told(self.SOURCE, clone(self.SOURCE, traits=self.SOURCE.raw["traits"][::-1])) == []

    @pytest.mark.parametrize("key", ["intent", "exp_tool_calls", "exp_handoff_path", "exp_db_state", "traits"])
    def test_a_drifted_clone_is_told(self, key: str) -> None:
        empty: Mapping[str, Any] = {"intent": "Something else.", "exp_db_state": {}}
        found = told(self.SOURCE, clone(self.SOURCE, **{key: empty.get(key, [])}))
        assert f"C1-E1-BG {key}: differs from C1-E1" in found

    def test_another_solution_or_program_is_told(self) -> None:
        other = TASKS["C2-E1"]
        drifted = replace(clone(self.SOURCE), solution=other.solution, caller=other.caller)
        found = told(self.SOURCE, drifted)
        assert {"C1-E1-BG solution.json: differs from C1-E1", "C1-E1-BG caller.json: differs from C1-E1"} <= set(found)

    def test_a_clone_of_nothing_is_told(self) -> None:
        assert told(clone(self.SOURCE)) == ["C1-E1-BG: repeats C1-E1, which isn't there"]


class TestCounts:
    def released(self) -> list[Task]:
        base = TASKS["C2-E1"]  # expects nothing, so that only counts are looked at
        tasks = []
        for category in ("A", "B", "C", "D", "E", "F"):
            for letter, difficulty, count in (("E", "easy", 2), ("M", "medium", 4), ("H", "hard", 4)):
                for number in range(1, count + 1):
                    metadata = {
                        "category": category, "category_slug": category, "difficulty": difficulty,
                        "audio_condition": "perfect",
                    }  # fmt: skip
                    tasks.append(changed(base, f"{category}-{letter}{number}", metadata=metadata))
            tasks += [clone(tasks[-10], "-BG"), clone(tasks[-10], "-SIG")]
        return tasks

    def test_a_released_suite_has_its_counts(self) -> None:
        tasks = self.released()
        assert len(tasks) == RELEASE_CASES
        assert told(*tasks) == []

    @pytest.mark.parametrize(
        ("missing", "what"),
        [
            ("B-M4", "suite toy-1, category B: has 3 medium cases"),
            ("B-E1-SIG", "suite toy-1, category B: has the audio clones B-E1-BG"),
        ],
    )
    def test_a_missing_case_is_told(self, missing: str, what: str) -> None:
        found = told(*(task for task in self.released() if task.task_id != missing), release=True)
        assert found == ["suite toy-1: has 71 cases in 6 categories", what]

    def test_a_small_suite_needs_no_counts_unless_asked(self) -> None:
        assert told(TASKS["C1-E1"]) == []
        assert len(told(TASKS["C1-E1"], release=True)) == 5


@pytest.mark.parametrize(
    ("metadata", "what"),
    [
        ({"category": "C1", "category_slug": "other"}, "category C1 has several slugs"),
        (
            {"category": "C9", "category_slug": "new-patient-access"},
            "slug new-patient-access stands for several categories",
        ),
    ],
)
def test_category_and_slug_go_together(metadata: dict[str, str], what: str) -> None:
    other = changed(TASKS["C1-M1"], metadata={**TASKS["C1-M1"].raw["metadata"], **metadata})
    assert told(TASKS["C1-E1"], other) == [f"metadata.category_slug: {what}"]


@pytest.mark.parametrize(("day", "exists"), [("2026-02-29", False), ("2028-02-29", True), ("2026-13-01", False)])
def test_dates_are_on_the_calendar(day: str, exists: bool) -> None:
    task = changed(TASKS["C1-E1"], traits=[{"trait_name": "date_of_birth", "value": day}])
    assert told(task) == ([] if exists else [f"C1-E1/task.json: no calendar has {day}"])


@pytest.mark.parametrize(
    ("name", "fine"),
    [("Ann Lee", True), ("Mary-Jo O'Neil", True), ("José de la Cruz", True), ("Ann", False), ("Ann Lee 2", False)],
)
def test_a_customer_is_a_person(name: str, fine: bool) -> None:
    assert (told(changed(TASKS["C1-E1"], customer_name=name)) == []) is fine


def test_each_locked_reply_has_one_condition() -> None:
    task = TASKS["C1-E1"]
    assert task.caller is not None
    pins = task.caller.pins
    fewer = task.caller.model_copy(update={"pins": (*pins[1:], pins[-1])})
    found = told(replace(task, caller=fewer))
    assert found == [
        "C1-E1/caller.json pins: reply 0 has no condition",
        f"C1-E1/caller.json pins: reply {pins[-1].index} has 2 conditions",
    ]


class TestProvenance:
    def test_a_value_out_of_nowhere_is_told(self) -> None:
        def change(solution: dict[str, Any]) -> None:
            for step in solution["steps"]:
                if step.get("call") == "capture_insurance_update":
                    step["arguments"]["member_id"] = "BQ40817265"

        task = with_solution(TASKS["C3-H1"], change)
        found = [line for line in told(task) if "capture_insurance_update.member_id" in line]
        assert len(found) == 1
        assert "'BQ40817265' comes from no fact" in found[0]

    def test_an_argument_that_nobody_sends_is_told(self) -> None:
        def change(solution: dict[str, Any]) -> None:
            for step in solution["steps"]:
                if step.get("call") == "run_eligibility_check":
                    del step["arguments"]["service_date"]

        found = told(with_solution(TASKS["C3-H1"], change))
        assert any("service_date: the solution never sends it" in line for line in found)

    def test_published_values_need_no_caller(self) -> None:
        """An enum, a truth value and a number of the prompt stand in the solutions of our suite as literals."""
        assert TASKS["C1-M1"].solution is not None
        assert told(TASKS["C1-M1"]) == []

    def test_a_task_without_solution_is_not_asked(self) -> None:
        assert told(replace(TASKS["C1-E1"], solution=None)) == []


def test_our_task_files_are_in_the_one_spelling() -> None:
    for task_id in TASKS:
        file = OURS / task_id / "task.json"
        text = file.read_text(encoding="utf-8")
        assert task_text(json.loads(text)) == text, task_id


def test_a_program_is_optional() -> None:
    assert isinstance(TASKS["C1-E1"].caller, CallerFile)
    assert told(replace(TASKS["C1-E1"], caller=None)) == []
