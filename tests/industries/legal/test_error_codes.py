"""Every error code of the firm, with what makes it, what it says, and that it changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

Step = tuple[str, dict[str, Any]]

LOOK_UP: Step = ("lookup_caller", {"full_name": "Renee Whitmore", "phone": "2145550163"})
HOLD: Step = ("hold_evaluation", {"slot_id": "s_110", "practice_area": "auto_accident"})
CONFIRM: Step = ("confirm_evaluation", {"confirmation_token": "HR-EVAL-3092"})
MATTER = {"practice_area": "auto_accident", "state": "CA", "incident_date": "2026-05-15", "summary": "rear-ended"}
DEADLINE = {"state": "CA", "practice_area": "auto_accident", "incident_date": "2026-05-15"}
SEARCH = {"practice_area": "auto_accident", "state": "CA", "earliest_date": ""}
CANCEL = {"evaluation_id": "ev_001", "reason": "caller_request"}

# (code, tool, arguments, steps before, words the message has to carry)
REFUSALS: list[tuple[str, str, dict[str, Any], list[Step], str]] = [
    (
        "HTTP_404",
        "lookup_caller",
        {"full_name": "Al", "phone": "2145550163"},
        [],
        "first and last name|ten digit|staff",
    ),
    ("HTTP_400", "get_caller_matters", {}, [], "full name|ten digit"),
    ("HTTP_400", "take_message", {"for_whom": "a", "message": "b"}, [], "full name"),
    ("HTTP_400", "record_intake", MATTER, [], "full name"),
    ("HTTP_400", "add_intake_note", {"note": "a"}, [], "full name"),
    ("HTTP_400", "send_intake_packet", {"channel": "sms"}, [], "full name"),
    ("HTTP_400", "request_records_authorization", {"provider": "a"}, [], "full name"),
    ("HTTP_400", *HOLD, [], "full name"),
    ("HTTP_400", "hold_cancellation", CANCEL, [], "full name"),
    ("HTTP_400", "get_case_status", {"matter_id": "m_91"}, [], "full name"),
    ("HTTP_404", "check_practice_area", {"practice_area": "tax"}, [], "kind of case"),
    ("HTTP_404", "calculate_filing_deadline", DEADLINE | {"state": "IL"}, [], "attorney"),
    ("HTTP_400", "calculate_filing_deadline", DEADLINE | {"incident_date": "May"}, [], "month|day|year"),
    ("HTTP_400", "record_intake", MATTER | {"state": "PR"}, [LOOK_UP], "state|two letter"),
    ("HTTP_400", "record_intake", MATTER | {"incident_date": "May"}, [LOOK_UP], "month|day|year"),
    ("INVALID_ARGUMENTS", "record_intake", MATTER | {"caller_id": "c_new"}, [LOOK_UP], "speaking with"),
    ("HTTP_404", "get_attorney", {"attorney_id": "a_1"}, [], "attorney"),
    ("HTTP_404", "hold_evaluation", HOLD[1] | {"slot_id": "s_1"}, [LOOK_UP], "openings again"),
    ("HTTP_404", "hold_evaluation", HOLD[1] | {"practice_area": "tax"}, [LOOK_UP], "kind of case"),
    ("HTTP_400", *CONFIRM, [LOOK_UP], "hold|read it back"),
    ("HTTP_400", "confirm_cancellation", {"confirmation_token": "HR-CANC-7715"}, [LOOK_UP, HOLD], "hold"),
    ("HTTP_409", *CONFIRM, [LOOK_UP, HOLD, CONFIRM], "already|hold it again"),
    ("HTTP_409", "confirm_cancellation", CONFIRM[1], [LOOK_UP, HOLD, CONFIRM], "already"),
    ("HTTP_404", "get_case_status", {"matter_id": "m_91"}, [LOOK_UP], "no status|case manager"),
    ("INVALID_ARGUMENTS", "take_message", {"for_whom": 5, "message": "b"}, [LOOK_UP], "once more"),
    ("INVALID_ARGUMENTS", "check_conflict", {"opposing_party": 5}, [], ""),
    ("INVALID_ARGUMENTS", "find_evaluation_slots", SEARCH | {"earliest_date": 20260811}, [], ""),
    ("INVALID_ARGUMENTS", "calculate_filing_deadline", DEADLINE | {"incident_date": "2026-05-15T10:00Z"}, [], ""),
    ("INVALID_ARGUMENTS", "get_attorney", {"attorney_id": 10}, [], ""),
    ("INVALID_ARGUMENTS", "get_case_status", {"matter_id": ["m_91"]}, [LOOK_UP], ""),
    ("INVALID_ARGUMENTS", "hold_evaluation", HOLD[1] | {"slot_id": {}}, [LOOK_UP], ""),
    ("INVALID_ARGUMENTS", "hold_cancellation", CANCEL | {"evaluation_id": 1}, [LOOK_UP], ""),
    ("INVALID_ARGUMENTS", "hold_cancellation", CANCEL | {"reason": True}, [LOOK_UP], ""),
    ("INVALID_ARGUMENTS", "confirm_evaluation", {"confirmation_token": 3092}, [], ""),
    ("INVALID_ARGUMENTS", "escalate_to_human", {"reason_code": ["conflict"]}, [], ""),
]

# Required arguments of each tool, and whether a null counts as missing there.
REQUIRED: dict[str, tuple[dict[str, Any], bool]] = {
    "lookup_caller": (LOOK_UP[1], True),
    "take_message": ({"for_whom": "a", "message": "b"}, True),
    "check_conflict": ({"opposing_party": "Cedarlane Market"}, False),
    "check_practice_area": ({"practice_area": "auto"}, False),
    "check_jurisdiction": ({"state": "CA", "practice_area": "auto"}, False),
    "calculate_filing_deadline": (DEADLINE, False),
    "record_intake": ({"practice_area": "auto_accident"}, True),
    "add_intake_note": ({"note": "a"}, True),
    "send_intake_packet": ({"channel": "sms"}, True),
    "request_records_authorization": ({"provider": "a"}, True),
    "get_attorney": ({"attorney_id": "a_10"}, False),
    "find_evaluation_slots": (SEARCH, False),
    "hold_evaluation": (HOLD[1], False),
    "confirm_evaluation": (CONFIRM[1], True),
    "hold_cancellation": (CANCEL, False),
    "confirm_cancellation": (CONFIRM[1], True),
    "get_case_status": ({"matter_id": "m_91"}, False),
    "escalate_to_human": ({"reason_code": "conflict"}, True),
}
MISSING = [(tool, key) for tool, (arguments, _) in REQUIRED.items() for key in arguments]


def test_the_table_makes_every_code_and_no_other() -> None:
    assert {code for code, *_ in REFUSALS} == {"HTTP_400", "HTTP_404", "HTTP_409", "INVALID_ARGUMENTS"}


@pytest.mark.parametrize(
    ("code", "tool", "arguments", "before", "words"),
    [pytest.param(*case, id=f"{case[0]} {case[1]} {number}") for number, case in enumerate(REFUSALS)],
)
def test_a_refusal_has_its_code_says_what_next_and_changes_nothing(
    desk: Any, code: str, tool: str, arguments: dict[str, Any], before: list[Step], words: str
) -> None:
    for step in before:
        desk(step[0], **step[1])
    untouched = desk.state()
    envelope = desk.post(tool, arguments)
    assert (envelope["ok"], envelope["data"], envelope["error_code"]) == (False, None, code)
    for word in words.split("|"):
        assert word in envelope["caller_safe_message"]
    assert desk.state() == untouched
    assert desk.broken() == []


@pytest.mark.parametrize(("tool", "key"), MISSING)
def test_an_absent_argument_is_named(known: Any, tool: str, key: str) -> None:
    untouched = known.state()
    given = {name: value for name, value in REQUIRED[tool][0].items() if name != key}
    envelope = known.post(tool, given)
    assert envelope["error_code"] == "INVALID_ARGUMENTS"
    assert key.replace("_", " ") in envelope["caller_safe_message"]
    assert known.state() == untouched


@pytest.mark.parametrize(("tool", "key"), MISSING)
def test_a_null_is_missing_only_where_the_sheet_says_so(known: Any, tool: str, key: str) -> None:
    arguments, null_is_missing = REQUIRED[tool]
    envelope = known.post(tool, arguments | {key: None})
    assert (envelope["error_code"] == "INVALID_ARGUMENTS") is null_is_missing
    assert known.broken() == []


@pytest.mark.parametrize("tool", [tool for tool, *_ in MISSING])
def test_arguments_nobody_declared_are_ignored(known: Any, tool: str) -> None:
    assert known.post(tool, {"colour": "red"})["error_code"] == "INVALID_ARGUMENTS"
    assert known.broken() == []


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        pytest.param("take_message", {}, "HTTP_400", id="caller before arguments"),
        pytest.param("record_intake", {"caller_id": "c_001"}, "HTTP_400", id="caller before a foreign id"),
        pytest.param("hold_evaluation", {}, "HTTP_400", id="caller before slot"),
        pytest.param("hold_cancellation", {}, "HTTP_400", id="caller before evaluation"),
        pytest.param("get_case_status", {}, "INVALID_ARGUMENTS", id="matter before caller, here only"),
        pytest.param(
            "calculate_filing_deadline", DEADLINE | {"state": "IL", "incident_date": None}, "HTTP_404",
            id="period before date",
        ),
    ],
)  # fmt: skip
def test_checks_come_in_their_order(desk: Any, tool: str, arguments: dict[str, Any], code: str) -> None:
    assert desk.refused(tool, **arguments) == code


def test_a_failed_write_leaves_nothing_behind(known: Any) -> None:
    known(*HOLD[:1], **HOLD[1])
    before = known.state()
    assert known.refused("hold_evaluation", slot_id="s_999", practice_area="auto") == "HTTP_404"
    assert known.refused("hold_cancellation", evaluation_id=1, reason="caller_request") == "INVALID_ARGUMENTS"
    assert known.state() == before
