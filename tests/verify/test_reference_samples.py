"""Perfect trials of the public sample tasks pass, and no expected call or hop can be left out."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mivas
from mivas.pack._scoring import Scoring, read_scoring
from mivas.verify import Verdict, verify

SAMPLES = Path(os.environ.get("MIVAS_REFERENCE") or "../shared/reference") / "tasks" / "healthcare"
PATHS = sorted(SAMPLES.glob("*/task.json"))
SCORING = Path(mivas.__file__).parent / "industries" / "healthcare" / "scoring.json"

pytestmark = pytest.mark.skipif(not PATHS, reason="sample tasks of the public release are not here")


@pytest.fixture(params=PATHS, ids=lambda path: path.parent.name)
def task(request: pytest.FixtureRequest) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def scoring() -> Scoring:
    return read_scoring(SCORING)


def judged(task: dict[str, Any], calls: list[dict[str, Any]], scoring: Scoring) -> Verdict:
    groups = [
        {"name": call["name"], "actual": [{**call, "start_offset_ms": at}]}
        for at, call in reversed([*enumerate(calls)])
    ]
    state = copy.deepcopy(task["exp_db_state"])
    for row in (row for rows in state.values() for row in reversed(rows)):
        row.update(created_at="2026-08-19 12:00:00", description="worded otherwise")
    return verify(task=task, result={"tool_calls": groups}, state=state, scoring=scoring, tool_schemas={})


def one_left_out(calls: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    for at, call in enumerate(calls):
        yield call, calls[:at] + calls[at + 1 :]


def test_a_perfect_trial_passes(task: dict[str, Any], scoring: Scoring) -> None:
    verdict = judged(task, task["exp_tool_calls"], scoring)
    assert (verdict.mark, verdict.reasons) == ("pass", ())
    assert verdict.handoff is not None
    assert verdict.handoff.verdict == "exact"
    assert verdict.r_train == 1.0


def test_any_expected_call_left_out_fails_the_tool_gate(task: dict[str, Any], scoring: Scoring) -> None:
    for call, rest in one_left_out(task["exp_tool_calls"]):
        verdict = judged(task, rest, scoring)
        assert verdict.tools is not None
        assert not verdict.tools.passed
        assert call["name"] in verdict.tools.missing


def test_any_expected_hop_left_out_fails_the_handoff_gate(task: dict[str, Any], scoring: Scoring) -> None:
    for call, rest in one_left_out(task["exp_tool_calls"]):
        verdict = judged(task, rest, scoring)
        assert verdict.handoff is not None
        assert verdict.handoff.passed is (call["name"] not in task["exp_handoff_path"])


def test_any_changed_value_in_a_compared_table_fails_the_database_gate(task: dict[str, Any], scoring: Scoring) -> None:
    for at, row in enumerate(task["exp_db_state"]["patients"]):
        state = copy.deepcopy(task["exp_db_state"])
        state["patients"][at]["balance_cents"] = row["balance_cents"] + 1
        verdict = verify(task=task, result={}, state=state, scoring=scoring, tool_schemas={})
        assert verdict.database.passed is False
        assert any(
            reason.code == "value_differs" and reason.text.startswith(f"patients: balance_cents of row {row['id']}")
            for reason in verdict.reasons
        )
