"""What every desk can do: bring in a person."""

from __future__ import annotations

from typing import Any

import pytest


def test_an_escalation_needs_nobody_identified(desk: Any) -> None:
    answer = {"escalation_id": 1, "transferred": True, "reason_code": "identity_failed"}
    assert desk("escalate_to_human", reason_code="identity_failed") == answer
    assert desk.state()["escalations"] == [
        {"id": 1, "caller_id": "", "reason_code": "identity_failed", "created_at": "2027-01-05 09:30:15"}
    ]


def test_an_escalation_belongs_to_the_caller_who_was_identified(client: Any) -> None:
    client("escalate_to_human", reason_code="caller_request")
    client("escalate_to_human", reason_code="caller_request")
    assert [(row["id"], row["caller_id"]) for row in client.state()["escalations"]] == [(1, "c_004"), (2, "c_004")]


@pytest.mark.parametrize("code", ["no_such_code", "", "CONFLICT"])
def test_a_reason_is_kept_as_it_was_given(desk: Any, code: str) -> None:
    assert desk("escalate_to_human", reason_code=code)["reason_code"] == code


@pytest.mark.parametrize("tool", ["end_call", "transfer_to_screening", "transfer_to_intake", "no_such_tool"])
def test_what_the_harness_carries_out_is_unknown_to_the_service(desk: Any, tool: str) -> None:
    answer = desk.service.call_tool(desk.call_id, tool, {})
    assert answer.status == 404
    assert set(answer.json) == {"detail"}
