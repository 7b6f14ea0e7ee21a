"""From events and the service's log to the run result. Source: scoring.md 3.1, formats.md 5, failure modes 54, 55."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.line import CallEnded, Event, Handoff, Note, Speech, ToolFinished, ToolStarted
from mivas.run import run_result
from mivas.run._evidence import mismatches, scope_violations, service_notes
from mivas.state import LoggedCall

GOOD = {"ok": True, "data": {}}


def started(ref: str, name: str, t_ms: int = 0, kind: Any = "industry", **arguments: Any) -> ToolStarted:
    return ToolStarted(t_ms=t_ms, node="n", call_ref=ref, kind=kind, name=name, arguments=arguments)


def finished(ref: str, name: str, output: Any = GOOD, in_scope: bool = True) -> ToolFinished:
    return ToolFinished(t_ms=9, node="n", call_ref=ref, name=name, output=output, latency_ms=0, in_scope=in_scope)


def logged(key: str | None, tool: str, output: Any = GOOD, **arguments: Any) -> LoggedCall:
    return LoggedCall(node="n", tool=tool, arguments=arguments, output=output, idempotency_key=key)


def moved(ref: str) -> Handoff:
    return Handoff(t_ms=9, node="n", from_="n", to="m", call_ref=ref)


def calls(events: list[Event], log: list[LoggedCall]) -> dict[str, list[Any]]:
    result = run_result("c", events, log)
    return {group["name"]: group["actual"] for group in result["tool_calls"]}


def test_one_group_a_tool_one_element_a_call() -> None:
    events = [
        started("1", "look", 10, q=1), finished("1", "look"),
        started("2", "book", 20), finished("2", "book"),
        started("3", "look", 30, q=2), finished("3", "look"),
    ]  # fmt: skip
    found = calls(events, [logged("1", "look", q=1), logged("2", "book"), logged("3", "look", q=2)])
    assert found == {
        "look": [
            {"parameters": {"q": 1}, "output": GOOD, "start_offset_ms": 10},
            {"parameters": {"q": 2}, "output": GOOD, "start_offset_ms": 30},
        ],
        "book": [{"parameters": {}, "output": GOOD, "start_offset_ms": 20}],
    }
    assert mismatches(events, [logged("1", "look", q=1), logged("2", "book"), logged("3", "look", q=2)]) == []


def test_a_transfer_counts_once_as_its_tool() -> None:
    events = [started("1", "to_m", 5, "handoff"), finished("1", "to_m", {"success": True}), moved("1")]
    assert calls(events, []) == {"to_m": [{"parameters": {}, "output": {"success": True}, "start_offset_ms": 5}]}


def test_a_transfer_that_moved_nothing_is_no_evidence() -> None:
    refused = finished("1", "to_m", {"success": False, "error": "no"}, in_scope=False)
    assert calls([started("1", "to_m", 5, "handoff"), refused], []) == {}


def test_a_transfer_sent_again_and_refused_is_counted_once() -> None:
    events = [
        started("1", "to_m", 5, "handoff"), finished("1", "to_m", {"success": True}), moved("1"),
        started("1", "to_m", 50, "handoff"), finished("1", "to_m", {"success": False}, in_scope=False),
    ]  # fmt: skip
    assert [one["output"] for one in calls(events, [])["to_m"]] == [{"success": True}]
    assert [one["t_ms"] for one in scope_violations(events)] == [50]


def test_hanging_up_counts_when_it_was_carried_out() -> None:
    ended = [started("1", "end_call", 5, "session"), finished("1", "end_call", {"success": True})]
    again = [started("2", "end_call", 6, "session"), finished("2", "end_call", {"success": False})]
    assert len(calls(ended + again, [])["end_call"]) == 1


def test_a_human_transfer_needs_the_services_word() -> None:
    claimed = [started("1", "fetch_person", 5, "session"), finished("1", "fetch_person", {"success": True})]
    assert calls(claimed, []) == {}
    assert calls(claimed, [logged("1", "fetch_person", {"success": True})]).keys() == {"fetch_person"}
    assert len(mismatches(claimed, [])) == 1


@pytest.mark.parametrize(
    ("log", "note"),
    [
        pytest.param([logged("1", "look", q=2)], "with other arguments", id="arguments"),
        pytest.param([logged("1", "book", q=1)], "logged as book", id="name"),
        pytest.param([logged("1", "look", {"ok": False}, q=1)], "answered otherwise", id="answer"),
    ],
)
def test_where_they_disagree_the_service_wins_and_a_note_says_so(log: list[LoggedCall], note: str) -> None:
    events = [started("1", "look", 7, q=1), finished("1", "look")]
    ((name, (element,)),) = calls(events, log).items()
    assert (name, element["parameters"], element["output"]) == (log[0].tool, log[0].arguments, log[0].output)
    assert element["start_offset_ms"] == 7
    (written,) = service_notes(events, log, 99)
    assert (written.code, written.t_ms) == ("evidence_mismatch", 99)
    assert note in written.text


def test_a_call_only_the_service_knows_is_evidence_without_a_time() -> None:
    log = [logged("9", "look", q=1), logged(None, "look", q=2)]
    assert [one["start_offset_ms"] for one in calls([], log)["look"]] == [None, None]
    assert len(mismatches([], log)) == 2


def test_a_call_only_the_harness_knows_is_no_evidence_and_is_noted() -> None:
    events = [started("1", "look"), finished("1", "look")]
    assert calls(events, []) == {}
    assert mismatches(events, []) == ["look (1) is in the harness's record only"]


@pytest.mark.parametrize("output", [{"success": False, "error": "ToolsUnreachable: x"}, {"detail": "unknown tool"}])
def test_a_call_that_the_harness_says_failed_needs_no_witness(output: Any) -> None:
    assert mismatches([started("1", "look"), finished("1", "look", output)], []) == []


def test_a_call_cut_off_before_its_answer_counts_as_the_service_saw_it() -> None:
    events: list[Event] = [started("1", "book", 7)]
    assert calls(events, [logged("1", "book")])["book"][0]["output"] == GOOD
    assert mismatches(events, [logged("1", "book")]) == []
    assert calls(events, []) == {}


def test_a_call_the_service_deduplicated_is_counted_once() -> None:
    events = [started("1", "book", 7), finished("1", "book"), started("1", "book", 8), finished("1", "book")]
    assert len(calls(events, [logged("1", "book")])["book"]) == 1


def test_a_refused_call_out_of_scope_is_a_violation_and_no_evidence() -> None:
    events = [started("1", "book", 7), finished("1", "book", {"success": False}, in_scope=False)]
    assert calls(events, []) == {}
    assert scope_violations(events) == [{"tool": "book", "node": "n", "t_ms": 7}]


def test_an_observed_call_out_of_scope_is_a_violation_and_evidence() -> None:
    events = [started("1", "book", 7), finished("1", "book", in_scope=False)]
    assert calls(events, [logged("1", "book")]).keys() == {"book"}
    assert len(scope_violations(events)) == 1


@pytest.mark.parametrize(
    ("by", "status"),
    [("agent", "COMPLETED"), ("caller", "COMPLETED"), ("limit", "COMPLETED"), ("harness", "SYSTEM_ERROR"),
     ("provider", "SYSTEM_ERROR")],
)  # fmt: skip
def test_how_a_call_ended_makes_its_status(by: Any, status: str) -> None:
    events = [CallEnded(t_ms=1, by=by, reason=""), Note(t_ms=1, code="evidence_mismatch", text="")]
    assert run_result("c", events, [])["status"] == status


def test_a_call_without_an_end_is_an_error() -> None:
    assert run_result("c", [], [])["status"] == "ERROR"


def test_the_transcript_keeps_who_said_what() -> None:
    events = [
        Speech(t_ms=0, role="agent", text="Hello.", start_ms=0, end_ms=1),
        Speech(t_ms=1, role="caller", text="Hi.", start_ms=1, end_ms=2),
    ]
    assert run_result("c", events, [])["transcript"] == [
        {"role": "AGENT", "text": "Hello."}, {"role": "CALLER", "text": "Hi."},
    ]  # fmt: skip
