"""The law firm's spellings of kinds of case and states go to the handlers and to the verifier alike.

Source: scoring.md 3.5.3. Handlers and verifier read one table, and this file would notice a second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.pack import load_pack
from mivas.state import StateService, open_on_folder
from mivas.verify import Verdict

Judge = Callable[..., Verdict]
Honoured = Callable[[str, dict[str, Any]], dict[str, Any]]
PACK = load_pack("legal")
CALL_ID = "parity"
FORMS = settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

MATTER = {"practice_area": "auto_accident", "state": "CA", "incident_date": "2026-05-15", "summary": "rear-ended"}
# Each tool with what it needs beside the kind of case.
TOOLS = {
    "check_practice_area": {},
    "check_jurisdiction": {"state": "CA"},
    "calculate_filing_deadline": {"state": "CA", "incident_date": "2026-05-15"},
    "record_intake": MATTER,
    "find_evaluation_slots": {"state": "CA", "earliest_date": ""},
    "hold_evaluation": {"slot_id": "s_110"},
}
NOT_TAKEN = {"criminal", "family", "immigration", "bankruptcy", "patent"}


def spellings(table: str) -> list[tuple[str, str]]:
    """(spelling, canonical name), each name as a spelling of itself included."""
    known = PACK.scoring.aliases[table].spellings
    return sorted({**known, **{name: name for name in known.values()}}.items())


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateService]:
    opened = open_on_folder(PACK, tmp_path_factory.mktemp("service"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def honoured(service: StateService) -> Honoured:
    """Answer of a tool to an identified caller."""
    service.call_tool(CALL_ID, "lookup_caller", {"full_name": "Renee Whitmore", "phone": "2145550163"})

    def ask(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return dict(service.call_tool(CALL_ID, tool, arguments).json)

    return ask


def met(judge: Judge, tool: str, expected: dict[str, Any], sent: dict[str, Any], answer: dict[str, Any]) -> bool:
    lock = (tool, expected, {"output": {"ok": True}})
    return judge("legal", expected=[lock], actual=[(tool, sent, {"output": answer})]).combined is True


def any_form(spelling: str, form: Random) -> str:
    """Another case, other marks between words, spaces around."""
    words = "".join(form.choice(" -_") if mark in " _" else mark for mark in spelling)
    cased = "".join(mark.upper() if form.random() < 0.5 else mark for mark in words)
    return form.choice(["", " "]) + cased + form.choice(["", "  "])


@FORMS
@pytest.mark.parametrize("tool", TOOLS)
@given(form=st.integers().map(Random))
def test_every_spelling_of_a_kind_of_case_goes_to_both(
    tool: str, honoured: Honoured, judge: Judge, form: Random
) -> None:
    for spelling, code in spellings("practice_area"):
        sent = {**TOOLS[tool], "practice_area": any_form(spelling, form)}
        answer = honoured(tool, sent)
        if tool == "calculate_filing_deadline" and code in NOT_TAKEN:
            assert answer["error_code"] == "HTTP_404"
            continue
        assert answer["ok"] is True
        assert answer["data"].get("practice_area", code) == code
        assert met(judge, tool, {"practice_area": code}, sent, answer)


@FORMS
@given(form=st.integers().map(Random))
def test_a_spelling_kept_in_a_hold_covers_the_expected_row(
    service: StateService, honoured: Honoured, judge: Judge, form: Random
) -> None:
    for spelling, code in spellings("practice_area"):
        honoured("hold_evaluation", {"slot_id": "s_110", "practice_area": any_form(spelling, form)})
        locked = {"holds": [{"token": "HR-EVAL-3092", "kind": "evaluation", "practice_area": code, "consumed": 0}]}
        assert judge("legal", locked=locked, state={"holds": service.state(CALL_ID)["holds"]}).database.passed is True


@FORMS
@given(form=st.integers().map(Random))
def test_every_spelling_of_a_state_goes_to_both_for_an_intake(
    service: StateService, honoured: Honoured, judge: Judge, form: Random
) -> None:
    for spelling, code in spellings("state"):
        letters = (letter.upper() if form.random() < 0.5 else letter for letter in spelling)
        spelt = "".join(letter + form.choice(["", "", "", " ", ".", "-"]) for letter in letters)
        sent = {**MATTER, "state": spelt}
        answer = honoured("record_intake", sent)
        assert answer["ok"] is True
        assert met(judge, "record_intake", {"state": code}, sent, answer)
    stored = [row["state"] for row in service.state(CALL_ID)["intakes"]]
    codes = [code for _, code in spellings("state")]
    assert stored[-len(codes) :] == codes


@pytest.mark.parametrize("tool", ["check_jurisdiction", "calculate_filing_deadline", "find_evaluation_slots"])
def test_a_states_full_name_goes_to_neither_where_only_codes_are_understood(
    tool: str, honoured: Honoured, judge: Judge
) -> None:
    sent = {**TOOLS[tool], "practice_area": "auto_accident", "state": "California"}
    answer = honoured(tool, sent)
    served = answer["ok"] and (answer["data"].get("licensed") or answer["data"].get("count"))
    assert not served
    assert not met(judge, tool, {"state": "CA"}, sent, answer)


@pytest.mark.parametrize("spelt", ["workmans comp", "car  accident", "autos", "tax"])
def test_what_is_no_spelling_is_missed_by_both(spelt: str, honoured: Honoured, judge: Judge) -> None:
    sent = {"practice_area": spelt}
    answer = honoured("check_practice_area", sent)
    assert answer["ok"] is False
    assert not met(judge, "check_practice_area", {"practice_area": "auto_accident"}, sent, answer)
