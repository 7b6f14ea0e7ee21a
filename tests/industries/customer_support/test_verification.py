"""Whose record it is, and proof of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.pack import Pack
from mivas.state import StateService


def found(desk: Any, **hints: Any) -> str | None:
    """Whose record was found, told by an escalation, which carries it."""
    data = desk("identify_customer", **hints)
    assert set(data) == {"record_found", "next_step"}
    desk("escalate_to_human", reason_code="caller_request")
    customer_id = desk.state()["escalations"][-1]["customer_id"]
    assert data["record_found"] is bool(customer_id)
    return customer_id or None


@pytest.mark.parametrize(
    ("hints", "customer"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"full_name": "Dana Whitlock"}, "cust_dana", id="name alone"),
        pytest.param({"full_name": "  dana   WHITLOCK "}, "cust_dana", id="any case and spaces"),
        pytest.param({"full_name": "Dona Whitloch"}, "cust_dana", id="a slip in each word"),
        pytest.param({"full_name": "Dana Witlok"}, "cust_dana", id="two slips in a longer word"),
        pytest.param({"full_name": "Dona Witlok Whitlock"}, "cust_dana", id="only the outer words count"),
        pytest.param({"full_name": "Dona Wittlok"}, None, id="three slips"),
        pytest.param({"full_name": "Dena Whitlock"}, "cust_dana", id="one slip in a short word"),
        pytest.param({"full_name": "Deno Whitlock"}, None, id="two slips in a short word"),
        pytest.param({"full_name": "Dana"}, None, id="first name alone"),
        pytest.param({"full_name": "D4na Wh1tlock"}, "cust_dana", id="figures fall out"),
        pytest.param({"phone": "541-555-0188"}, "cust_dana", id="phone"),
        pytest.param({"phone": "+1 (541) 555-0188"}, "cust_dana", id="phone with country code"),
        pytest.param({"phone": "0188"}, "cust_dana", id="last four of the phone"),
        pytest.param({"phone": "999-999-0188"}, "cust_dana", id="wrong area code"),
        pytest.param({"phone": "188"}, None, id="three digits"),
        pytest.param({"phone": 5415550188}, "cust_dana", id="phone as a number"),
        pytest.param({"phone": "541-555-0188", "full_name": "Glen Aldridge"}, "cust_glen", id="name rescues the phone"),
        pytest.param({"phone": "541-555-0188", "full_name": "Nobody Here"}, None, id="name must fit the phone"),
        pytest.param({"phone": "541-555-9999", "full_name": "Owen Tsai"}, "cust_owen", id="wrong phone, right name"),
        pytest.param({"order_number": "KE-4471209"}, "cust_dana", id="order number"),
        pytest.param({"order_number": "1209", "full_name": "Glen Aldridge"}, "cust_dana", id="order beats name"),
        pytest.param({"order_number": "209"}, None, id="three digits of an order"),
        pytest.param({"order_number": "KE-9999999", "phone": "0104"}, "cust_marcus", id="unknown order, then phone"),
        pytest.param({"order_number": "the fridge"}, None, id="words are no order number here"),
        pytest.param({"full_name": None, "phone": "", "order_number": "  "}, None, id="blanks"),
    ],
)
def test_a_record_is_found_by_order_then_phone_then_name(desk: Any, hints: Any, customer: str | None) -> None:
    assert found(desk, **hints) == customer


def test_identification_writes_no_table(desk: Any) -> None:
    before = desk.state()
    desk("identify_customer", full_name="Dana Whitlock")
    assert desk.state() == before


@pytest.mark.parametrize(
    ("postal_code", "card_last4", "passes"),
    [
        ("97330", "4417", True),
        (" 9-7-3-3-0 ", "four 4 4 1 7", True),
        (97330, 4417, True),
        ("97330", "4111 1111 1111 4417", True),
        ("97330-0001", "4417", False),
        ("9733", "4417", False),
        ("97330", "417", False),
        ("97330", "", False),
        ("", "4417", False),
        (None, None, False),
        ("97331", "4417", False),
        ("97330", "4418", False),
    ],
)
def test_both_proofs_must_match(desk: Any, postal_code: Any, card_last4: Any, passes: bool) -> None:
    desk("identify_customer", full_name="Dana Whitlock")
    proof = {"postal_code": postal_code, "card_last4": card_last4}
    if passes:
        assert desk("verify_identity", **proof) == {"verified": True, "name": "Dana Whitlock", "tier": "total"}
    else:
        assert desk.refused("verify_identity", **proof) == "VERIFICATION_MISMATCH"


def test_two_misses_lock_until_the_record_is_looked_up_again(desk: Any) -> None:
    wrong, right = {"postal_code": "0", "card_last4": "0"}, {"postal_code": "97330", "card_last4": "4417"}
    assert desk.refused("verify_identity", **right) == "NO_RECORD_SELECTED"
    desk("identify_customer", phone="0188")
    assert desk.refused("verify_identity", **wrong) == "VERIFICATION_MISMATCH"
    assert desk.refused("verify_identity", **wrong) == "VERIFICATION_FAILED"
    assert desk.refused("verify_identity", **right) == "VERIFICATION_FAILED"
    assert desk.refused("get_customer_summary") == "IDENTITY_NOT_VERIFIED"
    desk("identify_customer", phone="0188")
    desk("verify_identity", **right)
    desk("get_customer_summary")


def test_a_later_miss_does_not_undo_success_and_looking_up_does(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    for code in ("VERIFICATION_MISMATCH", "VERIFICATION_FAILED"):
        assert desk.refused("verify_identity", postal_code="0", card_last4="0") == code
    desk("get_customer_summary")
    desk("identify_customer", full_name="Nobody Here")
    assert desk.refused("get_customer_summary") == "IDENTITY_NOT_VERIFIED"
    assert desk.refused("verify_identity", postal_code="97330", card_last4="4417") == "NO_RECORD_SELECTED"


def test_what_was_proved_survives_a_restart(
    reopening: Callable[[], StateService], people: dict[str, tuple[str, str, str, str]]
) -> None:
    name, _, postal_code, card_last4 = people["grace"]
    service = reopening()
    service.call_tool("a", "identify_customer", {"full_name": name})
    service.call_tool("a", "verify_identity", {"postal_code": postal_code, "card_last4": card_last4})
    assert reopening().call_tool("a", "get_customer_summary", {}).json["ok"] is True


def test_the_summary_is_the_accounts_first_page(caller: Callable[[str], Any]) -> None:
    desk = caller("nadia")
    desk("book_service_appointment", sku="SKU-DRN-4400", service_type="in_home")
    desk("book_service_appointment", sku="SKU-DRN-4400", service_type="bench")
    desk("book_service_appointment", sku="SKU-DRN-4400", service_type="remote")
    desk("cancel_service_appointment", appointment_id="3")
    assert desk("get_customer_summary") == {
        "name": "Nadia Grant",
        "tier": "total",
        "card_last4": "7735",
        "membership_start": "2026-06-01",
        "orders": [
            {"order_number": "KE-4500001", "order_date": "2026-07-30", "status": "scheduled", "fulfillment": "kestrel",
             "delivered_date": None, "delivery_date": "2026-08-03"},
            {"order_number": "KE-4492551", "order_date": "2026-07-23", "status": "delivered", "fulfillment": "kestrel",
             "delivered_date": "2026-07-26", "delivery_date": None},
        ],
        "open_service_appointments": [
            {"id": 2, "date": "2026-08-03", "service_type": "bench"},
            {"id": 1, "date": "2026-08-05", "service_type": "in_home"},
        ],
    }  # fmt: skip


def test_without_a_membership_the_start_is_null(caller: Callable[[str], Any]) -> None:
    assert caller("marcus")("get_customer_summary")["membership_start"] is None


@pytest.mark.parametrize("name", ["glen", "tomas", "felix", "victor", "amina", "owen", "selina", "rosalind", "priya"])
def test_everybody_can_prove_who_they_are(caller: Callable[[str], Any], name: str) -> None:
    assert caller(name)("get_customer_summary")["orders"]


def test_gated_tools_ask_before_they_read_an_argument(desk: Any, pack: Pack) -> None:
    open_to_all = {
        "search_kb",
        "get_store_info",
        "get_policy",
        "get_fee",
        "identify_customer",
        "verify_identity",
        "check_subscription_charge",
        "check_outbound_contact",
        "report_scam_contact",
        "escalate_to_human",
    }
    gated = pack.posted_tools - open_to_all
    assert len(gated) == 22
    desk("identify_customer", full_name="Dana Whitlock")
    before = desk.state()
    for tool in sorted(gated):
        assert desk.refused(tool, new_date=[], competitor_price={}, confirmation_token=7) == "IDENTITY_NOT_VERIFIED"
    assert desk.state() == before


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("scam_report", "scam_report"), (" Caller Request ", "caller_request"), ("RECALL", "recall"),
        ("caller-request", "out_of_scope"), ("", "out_of_scope"), (None, "out_of_scope"), (7, "out_of_scope"),
        ("angry", "out_of_scope"),
    ],
)  # fmt: skip
def test_an_escalation_keeps_a_known_reason_and_the_identified_customer(desk: Any, said: Any, stored: str) -> None:
    data = desk("escalate_to_human", reason_code=said)
    assert data == {"escalation_id": 1, "transferred": True, "reason_code": stored}
    desk("identify_customer", phone="0127")
    assert desk("escalate_to_human", reason_code=said)["escalation_id"] == 2
    assert desk.state()["escalations"] == [
        {"id": 1, "customer_id": "", "reason_code": stored},
        {"id": 2, "customer_id": "cust_glen", "reason_code": stored},
    ]
