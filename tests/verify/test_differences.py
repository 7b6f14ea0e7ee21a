"""Where the public description and the older reference differ, the description is followed: one test a row.

Source: scoring.md 2. S8 is tested in tests/score/test_pass_rate.py, S14 also against the handlers in
test_alias_parity.py, S12 with the export, S16 and S17 with the suites they speak of.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mivas.verify import Verdict

Judge = Callable[..., Verdict]


def meets(judge: Judge, pack: str, tool: str, wanted: Any, sent: Any, seen: Any = None) -> bool:
    return judge(pack, expected=[(tool, wanted)], actual=[(tool, sent, seen or {})]).combined is True


@pytest.mark.parametrize(
    ("heard", "same"),
    [
        ("Vertex", False),
        ("e", False),
        ("Vertex Logistics", True),
        ("Vertex Logistic", True),
        ("Vortex Logistics", True),
    ],
)
def test_s1_an_opposing_party_is_heard_word_by_word(judge: Judge, heard: str, same: bool) -> None:
    wanted, sent = {"opposing_party": "Vertex Logistics"}, {"opposing_party": heard}
    assert meets(judge, "legal", "check_conflict", wanted, sent) is same


def test_s1_a_doubled_letter_is_no_other_party(judge: Judge) -> None:
    wanted, sent = {"opposing_party": "Pellham Transit"}, {"opposing_party": "Pelham Transit"}
    assert meets(judge, "legal", "check_conflict", wanted, sent)


@pytest.mark.parametrize(
    ("name", "heard", "same"),
    [
        pytest.param("Daniel Okonkwo", "Daniel Oconquo", True, id="sounds alike"),
        pytest.param("new cases intake", "New cases", False, id="a word less"),
    ],
)
def test_s2_a_recipient_is_heard_word_by_word_by_both_gates(judge: Judge, name: str, heard: str, same: bool) -> None:
    sent = {"for_whom": heard, "message": "call me"}
    assert meets(judge, "legal", "take_message", {"for_whom": name}, sent) is same
    locked, dumped = {"messages": [{"id": 1, "for_whom": name}]}, {"messages": [{"id": 1, "for_whom": heard}]}
    assert judge("legal", locked=locked, state=dumped).database.passed is same


@pytest.mark.parametrize(
    ("sent", "same"),
    [
        pytest.param({"full_name": "Somebody Else", "phone": "1"}, True, id="any spelling"),
        pytest.param({"phone": "1"}, False, id="absent"),
        pytest.param({"full_name": " ", "phone": "1"}, False, id="blank"),
        pytest.param({"full_name": None, "phone": "1"}, False, id="null"),
    ],
)
def test_s3_a_legal_callers_name_must_only_be_there(judge: Judge, sent: Any, same: bool) -> None:
    assert meets(judge, "legal", "lookup_caller", {"full_name": "Rita Chen"}, sent) is same
    assert not meets(judge, "healthcare", "lookup", {"full_name": "Rita Chen"}, {"full_name": "Somebody Else"})


def test_s4_alternatives_are_an_or(judge: Judge) -> None:
    wanted = {"priority": {"any_of": ["urgent", "stat"]}, "queue": "billing"}
    for priority, same in (("stat", True), ("URGENT", True), ("routine", False)):
        sent = {"priority": priority, "queue": "billing", "callback_number": "+12125550100"}
        assert meets(judge, "healthcare", "create_callback_task", wanted, sent) is same


def test_s5_prose_that_is_sent_must_say_something(judge: Judge) -> None:
    wanted = {"practice_area": "consumer", "summary": "x"}
    for summary, same in (("anything", True), (" ", False), ("", False)):
        sent = {"practice_area": "consumer", "summary": summary, "state": "CA"}
        assert meets(judge, "legal", "record_intake", wanted, sent) is same
    assert meets(judge, "legal", "record_intake", wanted, {"practice_area": "consumer", "state": "CA"})
    assert meets(judge, "legal", "add_intake_note", {"note": "x"}, {"note": ""}), "a lone blank is a hit by name"


def test_s6_why_something_is_sent_back_is_ignored(judge: Judge) -> None:
    def state(reason: str, cents: int = 7999, consumed: int = 1) -> dict[str, Any]:
        payload = json.dumps({"sku": "SKU-1", "reason": reason, "refund_cents": cents})
        return {
            "rmas": [{"rma_number": "RMA-1", "reason": reason, "refund_cents": cents}],
            "holds": [{"token": "T", "payload": payload, "consumed": consumed}],
        }

    judged = {
        "another reason": judge("customer-support", locked=state("a"), state=state("b")),
        "another amount": judge("customer-support", locked=state("a"), state=state("b", cents=1)),
        "another column": judge("customer-support", locked=state("a"), state=state("b", consumed=0)),
    }
    assert {name: verdict.database.passed for name, verdict in judged.items()} == {
        "another reason": True, "another amount": False, "another column": False,
    }  # fmt: skip


def test_s7_nothing_expected_scores_one_even_when_a_forbidden_call_fails_the_gate(judge: Judge) -> None:
    verdict = judge("healthcare", actual=[("send_sms", {"mobile_e164": "+12125550100"})])
    assert verdict.tools is not None
    assert (verdict.tools.score, verdict.tools.passed, verdict.combined) == (1.0, False, False)


@pytest.mark.parametrize("pack", ["healthcare", "legal", "customer-support"])
def test_s9_an_empty_path_passes_whatever_happened(judge: Judge, pack: str, rules: Any) -> None:
    hop = sorted(rules(pack)[0].transfer_set)[0]
    verdict = judge(pack, actual=[(hop,)])
    assert verdict.handoff is not None
    assert (verdict.handoff.verdict, verdict.handoff.score, verdict.combined) == ("none_required", 1.0, True)


def test_s10_no_judges_word_counts_and_all_three_gates_must_pass(judge: Judge) -> None:
    opinion = {"goal_success": False, "judge_goal": "no", "tests_passed": False}
    assert judge("healthcare", result=opinion).mark == "pass"
    praise = {"goal_success": True, "judge_goal": "yes", "tests_passed": True}
    assert judge("healthcare", expected=["find_slots"], result=praise).mark == "FAIL"
    assert judge("healthcare", path=["transfer_to_billing"], result=praise).mark == "FAIL"
    assert judge("healthcare", locked={"patients": [{"id": 1}]}, state={}, result=praise).mark == "FAIL"


@pytest.mark.parametrize(
    ("pack", "ignored", "compared"),
    [
        ("healthcare", ("locations", "providers", "tool_events"), 3),
        ("legal", ("callers",), 7),
        ("customer-support", ("stores", "fees", "policies", "kb"), 15),
    ],
)
def test_s11_only_tables_that_tools_write_are_compared(
    judge: Judge, rules: Any, pack: str, ignored: tuple[str, ...], compared: int
) -> None:
    tables = rules(pack)[0].tables
    assert len(tables) == compared
    assert not set(ignored) & set(tables)
    assert judge(pack, locked={}, state={name: [{"id": 1}] for name in ignored}).database.passed is True


ORDER = {"ok": True, "data": {"order_number": "ke-4471209"}}
PARITY = [
    pytest.param("legal", "record_intake", "state", "CA", "California", None, True, id="a state's name"),
    pytest.param("legal", "record_intake", "state", "DC", "district of columbia", None, True, id="the district's"),
    pytest.param("legal", "check_jurisdiction", "state", "CA", "California", None, False, id="not for a check"),
    pytest.param("legal", "check_practice_area", "practice_area", "auto_accident", "Car Accident", None, True,
                 id="an area's other name"),
    pytest.param("legal", "check_practice_area", "practice_area", "workers_comp", "workmans comp", None, False,
                 id="no apostrophe, no alias"),
    pytest.param("legal", "record_intake", "incident_date", "2026-05-03", "2026-5-3", None, False,
                 id="a date has none"),
    pytest.param("customer-support", "get_order", "order_number", "KE-4471209", "4471209", None, True, id="no prefix"),
    pytest.param("customer-support", "get_order", "order_number", "KE-4471209", "1209", None, True, id="last four"),
    pytest.param("customer-support", "get_order", "order_number", "KE-4471209", "209", None, False, id="last three"),
    pytest.param("customer-support", "get_order", "order_number", "KE-4471209", "the fridge", {"output": ORDER}, True,
                 id="named by the answer"),
    pytest.param("customer-support", "get_order", "order_number", "KE-4471209", "the fridge",
                 {"output": {**ORDER, "ok": False}}, False, id="a refusal names nothing"),
    pytest.param("customer-support", "book_service_appointment", "service_type", "bench", "Drop off", None, True,
                 id="a service's other name"),
    pytest.param("customer-support", "book_service_appointment", "service_type", "in_home", "in-home", None, False,
                 id="a hyphen is no alias"),
    pytest.param("customer-support", "escalate_to_human", "reason_code", "caller_request", "Caller request", None, True,
                 id="a code with spaces"),
    pytest.param("healthcare", "find_slots", "window_start", "2026-08-24T09:00", "2026-08-24 09:00:30Z", None, True,
                 id="a time with seconds"),
    pytest.param("healthcare", "create_callback_task", "callback_number", "+12125550100", "(212) 555-0100", None, True,
                 id="a national number"),
]  # fmt: skip


@pytest.mark.parametrize(("pack", "tool", "key", "wanted", "sent", "seen", "same"), PARITY)
def test_s13_what_the_environment_honours_is_met_and_listed(
    judge: Judge, pack: str, tool: str, key: str, wanted: str, sent: str, seen: Any, same: bool
) -> None:
    verdict = judge(pack, expected=[(tool, {key: wanted})], actual=[(tool, {key: sent}, seen or {})])
    assert verdict.combined is same
    listed = ({"tool": tool, "key": key, "expected": wanted, "actual": sent},)
    assert verdict.diagnostics.parity_aliases == (listed if same else ())


def test_s13_a_states_name_is_no_alias_in_a_row(judge: Judge) -> None:
    locked, dumped = {"intakes": [{"id": 1, "state": "CA"}]}, {"intakes": [{"id": 1, "state": "California"}]}
    assert judge("legal", locked=locked, state=dumped).database.passed is False


def test_s14_an_office_is_named_by_its_exact_name(judge: Judge) -> None:
    wanted = {"location_id": "loc_park_ave"}
    assert meets(judge, "healthcare", "list_locations", wanted, {"location_id": " PARK AVENUE "})
    assert not meets(judge, "healthcare", "list_locations", wanted, {"location_id": "Park Avenue office in Manhattan"})


@pytest.mark.parametrize("key", ["phone", "mobile_e164", "Phone2", "callback_number"])
def test_s15_phones_are_compared_by_their_digits(judge: Judge, key: str) -> None:
    for sent, same in (("212.555.0100", True), ("1 (212) 555-0100", True), ("2125550101", False)):
        verdict = judge("healthcare", expected=[("t", {key: "+12125550100"})], actual=[("t", {key: sent})], schemas={})
        assert verdict.combined is same


def test_s18_extra_hops_on_an_empty_path_cost_the_discount(judge: Judge) -> None:
    verdict = judge("healthcare", actual=[("transfer_to_human",)], discount=0.25)
    assert (verdict.r_eval, verdict.r_train) == (1, 0.25)
    assert judge("healthcare", discount=0.25).r_train == 1.0
