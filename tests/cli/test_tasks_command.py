"""`mivas tasks build` and `mivas tasks lint`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).parents[1] / "suites" / "healthcare"


@pytest.fixture
def copied(tmp_path: Path) -> Any:
    """`copied(task_id)`: a suite of that case alone; returns its folder."""

    def copy(task_id: str) -> Path:
        shutil.copytree(SUITE / task_id, tmp_path / "suite" / task_id)
        return tmp_path / "suite"

    return copy


class TestBuild:
    def test_a_state_that_differs_is_found_and_rebuilt(self, mivas: Any, copied: Any) -> None:
        folder = copied("C2-H1")
        file = folder / "C2-H1" / "task.json"
        right = file.read_text()
        file.write_text(right.replace('"balance_cents": 60500', '"balance_cents": 48000'))
        code, out, _ = mivas("tasks", "build", "healthcare", "--tasks", str(folder), "--check")
        assert (code, "C2-H1/task.json: exp_db_state differs" in out) == (1, True)
        assert mivas("tasks", "build", "healthcare", "--tasks", str(folder))[:2] == (0, f"wrote {file}\n")
        assert file.read_text() == right
        assert mivas("tasks", "build", "healthcare", "--tasks", str(folder), "--check")[:2] == (0, "")

    def test_a_solution_that_fails_its_own_lock_builds_nothing(self, mivas: Any, copied: Any) -> None:
        folder = copied("C1-E1")
        file = folder / "C1-E1" / "task.json"
        wrong = json.loads(file.read_text())
        wrong["exp_tool_calls"][1]["parameters"]["location_id"] = "loc_park_ave"
        wrong["exp_db_state"] = {}
        file.write_text(json.dumps(wrong))
        code, out, _ = mivas("tasks", "build", "healthcare", "--tasks", str(folder))
        assert (code, "the solution proves nothing: check_plan_accepted: location_id" in out) == (1, True)
        assert json.loads(file.read_text())["exp_db_state"] == {}

    @pytest.mark.parametrize("expected", [True, False])
    def test_a_refused_step_aborts_unless_it_is_expected(self, mivas: Any, copied: Any, expected: bool) -> None:
        folder = copied("C1-E1")
        file = folder / "C1-E1" / "solution.json"
        solution = json.loads(file.read_text())
        refused = {
            "call": "check_plan_accepted",
            "arguments": {"carrier": "other", "location_id": "nowhere"},
            "expect": {"ok": not expected},
        }
        solution["steps"].append(refused)
        file.write_text(json.dumps(solution))
        code, out, _ = mivas("tasks", "build", "healthcare", "--tasks", str(folder))
        assert code == (0 if expected else 1)
        assert ("is refused with UNKNOWN_LOCATION, which the solution doesn't expect" in out) is not expected

    def test_only_the_named_cases_are_built(self, mivas: Any) -> None:
        code, out, err = mivas("tasks", "build", "healthcare", "--tasks", str(SUITE), "--only", "R-*", "--check")
        assert (code, out, err) == (0, "", "3 cases, 0 to mend\n")

    def test_what_is_no_folder_of_tasks_is_refused(self, mivas: Any, tmp_path: Path) -> None:
        row = json.loads((SUITE / "C1-E1" / "task.json").read_text()) | {"task_id": "C1-E1"}
        (tmp_path / "tasks.jsonl").write_text(json.dumps(row) + "\n")
        code, _, err = mivas("tasks", "build", "healthcare", "--tasks", str(tmp_path))
        assert (code, "isn't a folder of <task_id>/task.json" in err) == (2, True)

    def test_no_case_is_refused(self, mivas: Any) -> None:
        code, _, err = mivas("tasks", "build", "healthcare", "--tasks", str(SUITE), "--only", "X*")
        assert (code, "no case is left" in err) == (2, True)


class TestLint:
    def test_our_suite_is_clean(self, mivas: Any) -> None:
        assert mivas("tasks", "lint", "healthcare", "--tasks", str(SUITE))[:2] == (0, "0 findings in 12 cases\n")

    def test_a_defect_is_told_with_its_spot(self, mivas: Any, copied: Any) -> None:
        folder = copied("C1-E1")
        file = folder / "C1-E1" / "task.json"
        file.write_text(file.read_text().replace('"customer_name": "', '"customer_name": "7'))
        code, out, _ = mivas("tasks", "lint", "healthcare", "--tasks", str(folder), "--json")
        (found,) = json.loads(out)["findings"]
        assert (code, found["where"]) == (1, "C1-E1/task.json customer_name")

    def test_a_release_has_its_counts(self, mivas: Any) -> None:
        code, out, _ = mivas("tasks", "lint", "healthcare", "--tasks", str(SUITE), "--release")
        assert (code, "has 12 cases in 6 categories" in out) == (1, True)
