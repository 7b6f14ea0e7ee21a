"""The pack's own cases: what they touch together is what its page says, and a ticket reads as its caller dictates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mivas.pack import Pack, Suite, Task, load_suite
from mivas.probe import Coverage, coverage_of


@pytest.fixture(scope="module")
def suite(pack: Pack) -> Suite:
    return load_suite(pack)


@pytest.fixture(scope="module")
def covered(pack: Pack, suite: Suite) -> Coverage:
    return coverage_of(pack, suite)


@pytest.fixture(scope="module")
def page(pack: Pack) -> str:
    return (Path(pack.folder) / "README.md").read_text(encoding="utf-8")


def codes(table: str) -> set[str]:
    """Error codes in the first cells of a table's rows."""
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {code for cell in rows for code in re.findall(r"`([A-Z_]+)`", cell)}


@pytest.mark.parametrize("kind", ["tools", "arguments", "edges"])
def test_nothing_of_the_graph_and_the_catalogue_is_left_out(covered: Coverage, kind: str) -> None:
    assert covered[kind].missing == ()


def test_the_page_sorts_every_code_that_no_case_touches(covered: Coverage, page: str) -> None:
    touched, _, untouched = page.partition("**What no case touches.**")
    untouched = untouched.partition("**Texts the gates compare.**")[0]
    assert codes(untouched) == set(covered["error_codes"].missing)
    met = touched.partition("**Refusals a caller can bring about**")[2]
    assert codes(met) == covered["error_codes"].touched


def test_who_books_a_visit_dictates_the_ticket(suite: Suite) -> None:
    """Rows are compared to the letter, so the words must stand in what the caller says (decision 0014)."""
    tickets = {
        task_id: {row["issue"] for row in visits}
        for task_id, task in suite.tasks.items()
        if (visits := task.raw["exp_db_state"]["service_appointments"])
    }
    assert sorted(tickets) == ["T3-H1", "T3-H3", "T3-H4", "T3-M3"]
    for task_id, issues in tickets.items():
        (issue,) = issues
        assert 2 <= len(issue.split()) <= 3
        assert any(issue in line for line in lines(suite.tasks[task_id])), f"{task_id}: nobody says {issue!r}"


def lines(task: Task) -> list[str]:
    """What the caller of a case may say of itself: opening, goals, locked replies."""
    assert task.caller is not None
    asked = [line for goal in task.caller.goals for line in goal.ask]
    return [task.caller.opening, *asked, *(reply["response_value"] for reply in task.raw["scripted_responses"])]
