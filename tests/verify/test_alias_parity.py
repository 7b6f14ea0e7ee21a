"""What the environment honours, the grader can't miss: every spelling goes to the handlers and to the verifier.

Source: scoring.md 3.5.3 and its checklist's fifth box. Other worlds have a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.pack import load_pack
from mivas.state import StateService, open_on_folder
from mivas.verify import Verdict

Judge = Callable[..., Verdict]
PACK = load_pack("healthcare")
CALLERS = count(1)
MARKS = st.sampled_from(["", "", "", " ", "-", ".", "_", "&", "/"])
A_CALL = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# What each tool needs beside the argument that is spelt, with the argument's canonical value where one call needs it.
PLAN = {"carrier": "aetna", "location_id": "loc_park_ave"}
WAITING = {"appointment_type_code": "NP_MED", "earliest": "2026-08-24"}
WINDOW = {"location_ids": ["loc_park_ave"]}
CARD = {"member_id": "ABC12345"}


def table(name: str) -> list[tuple[str, str]]:
    """(spelling, canonical name): every entry of an alias table, each name as a spelling of itself included."""
    spellings = PACK.scoring.aliases[name].spellings
    return sorted({**spellings, **{name: name for name in spellings.values()}}.items())


OFFICES = [
    pytest.param(tool, key, base, spelling, name, id=f"{tool} {spelling}")
    for tool, key, base in [
        ("check_plan_accepted", "location_id", PLAN),
        ("list_locations", "location_id", {}),
        ("find_slots", "location_ids", {}),
        ("join_waitlist", "location_ids", WAITING),
        ("schedule_allergy_service", "location_id", {"service": "allergy_shot"}),
    ]
    for spelling, name in table("office")
]
CARRIERS = [
    pytest.param(tool, base, spelling, name, id=f"{tool} {spelling}")
    for tool, base in [("check_plan_accepted", PLAN), ("capture_insurance_update", CARD)]
    for spelling, name in table("carrier")
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateService]:
    opened = open_on_folder(PACK, tmp_path_factory.mktemp("service"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def honoured(service: StateService) -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    """Answer of a tool to a verified patient, in a call of its own."""

    def ask(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        call_id = f"c{next(CALLERS)}"
        who = {"full_name": "Jordan Lee", "dob": "1990-04-12", "zip": "10016"}
        assert service.call_tool(call_id, "verify_identity", who).json["ok"] is True
        return dict(service.call_tool(call_id, tool, arguments).json)

    return ask


def met(judge: Judge, tool: str, expected: dict[str, Any], sent: dict[str, Any], answer: dict[str, Any]) -> bool:
    lock = (tool, expected, {"output": {"ok": True}})
    return judge("healthcare", expected=[lock], actual=[(tool, sent, {"output": answer})]).combined is True


def any_case(text: str, data: st.DataObject) -> str:
    return "".join(mark.upper() if data.draw(st.booleans()) else mark for mark in text)


@A_CALL
@pytest.mark.parametrize(("tool", "key", "base", "spelling", "name"), OFFICES)
@given(data=st.data())
def test_every_office_spelling_goes_to_both(
    tool: str, key: str, base: Any, spelling: str, name: str, honoured: Any, judge: Judge, data: st.DataObject
) -> None:
    spelt = data.draw(st.sampled_from(["", " "])) + any_case(spelling, data) + data.draw(st.sampled_from(["", "  "]))
    whole = key == "location_ids"
    sent = {**base, key: [spelt] if whole else spelt}
    answer = honoured(tool, sent)
    assert answer["ok"] is True
    assert met(judge, tool, {key: [name] if whole else name}, sent, answer)


@A_CALL
@pytest.mark.parametrize(("tool", "base", "spelling", "name"), CARRIERS)
@given(data=st.data())
def test_every_carrier_spelling_goes_to_both(
    tool: str, base: Any, spelling: str, name: str, honoured: Any, judge: Judge, data: st.DataObject
) -> None:
    spelt = "".join(mark + data.draw(MARKS) for mark in any_case(spelling, data))
    sent = {**base, "carrier": spelt}
    answer = honoured(tool, sent)
    assert answer["ok"] is True
    if tool == "check_plan_accepted":
        assert answer["data"]["carrier"] == name
    assert met(judge, tool, {"carrier": name}, sent, answer)


TIMES = st.sampled_from(["2026-09-01T09:00", "2026-09-01T00:00"])
SPELT_TIMES = ["{}", "{}:00", "{}:59", "{}:30.5", "{}Z", "{}:00Z", "{}-04:00", "{}:00+0530", "{}-04:00Z", " {} "]


@A_CALL
@pytest.mark.parametrize(
    ("tool", "key", "base"),
    [
        pytest.param("find_slots", "window_start", WINDOW, id="window_start"),
        pytest.param("find_slots", "window_end", WINDOW, id="window_end"),
        pytest.param("reschedule_appointment", "new_start", {"new_end": "2026-09-01T10:00"}, id="new_start"),
        pytest.param("reschedule_appointment", "new_end", {"new_start": "2026-09-01T08:00"}, id="new_end"),
    ],
)
@given(time=TIMES, form=st.sampled_from(SPELT_TIMES), gap=st.sampled_from("T "), data=st.data())
def test_every_spelling_of_a_time_goes_to_both(
    tool: str, key: str, base: Any, time: str, form: str, gap: str, data: Any, honoured: Any, judge: Judge,
    appointment_id: int,
) -> None:  # fmt: skip
    spelt = form.format(time.replace("T", gap))
    if time.endswith("T00:00") and data.draw(st.booleans()):
        spelt = data.draw(st.sampled_from(["2026-09-01", " 2026-09-01 ", "2026-09-01Z"]))
    sent = {**base, key: spelt} | ({"appointment_id": appointment_id} if tool.startswith("reschedule") else {})
    answer = honoured(tool, sent)
    assert answer["ok"] is True
    assert met(judge, tool, {key: time}, sent, answer)


@pytest.fixture(scope="module")
def appointment_id(service: StateService) -> int:
    rows = service.state("c0")["appointments"]
    return next(int(row["id"]) for row in rows if row["patient_id"] == "pat_jordan_lee")


@pytest.mark.parametrize("form", ["{}", "{}:00", "{}:00-04:00"])
def test_every_spelling_of_a_slots_time_goes_to_both(form: str, honoured: Any, judge: Judge) -> None:
    slot = honoured("find_slots", WINDOW)["data"]["slots"][0]
    offered = {key: slot[key] for key in ("slot_id", "location_id", "provider_id", "start", "end")}
    wanted = {**offered, "appointment_type_code": "NP_MED"}
    sent = {**wanted, "start": form.format(slot["start"]), "end": form.format(slot["end"])}
    answer = honoured("book_appointment", sent)
    assert answer["ok"] is True
    assert met(judge, "book_appointment", wanted, sent, answer)


@pytest.mark.parametrize("spelt", ["+12125550147", "212-555-0147", "(212) 555 0147", "1 212 555 0147", "2125550147"])
def test_every_spelling_of_a_callback_number_goes_to_both(spelt: str, honoured: Any, judge: Judge) -> None:
    sent = {"callback_number": spelt, "queue": "billing"}
    answer = honoured("create_callback_task", sent)
    assert answer["ok"] is True
    assert met(judge, "create_callback_task", {**sent, "callback_number": "+12125550147"}, sent, answer)


def test_s14_an_office_by_more_than_its_name_is_refused_by_both(honoured: Any, judge: Judge) -> None:
    sent = {**PLAN, "location_id": "Park Avenue office in Manhattan"}
    answer = honoured("check_plan_accepted", sent)
    assert answer["ok"] is False
    assert not met(judge, "check_plan_accepted", PLAN, sent, answer)
