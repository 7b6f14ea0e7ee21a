"""Every error code of the care line: the seed alone makes it, it says something, and it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.industries.customer_support import handlers

Step = tuple[str, dict[str, Any]]

WRONG: Step = ("verify_identity", {"postal_code": "00000", "card_last4": "0000"})
ON_FILE: Step = ("identify_customer", {"phone": "541-555-0188"})
OFFER = {"sku": "SKU-AUD-7720", "competitor": "Rivertide", "competitor_price": 479.99}
MOVE: Step = ("quote_delivery_change", {"new_date": "2026-08-18"})
RETURN: Step = ("quote_return", {})
CANCELLING = {"proration_acknowledged": True, "confirmation_token": "KE-CXL-7708"}
BENCH: Step = ("book_service_appointment", {"service_type": "bench"})


def token(text: str, **more: Any) -> dict[str, Any]:
    return {"confirmation_token": text} | more


# (code, who is verified, steps before, the refused call, words its message has to carry)
REFUSALS: list[tuple[str, str | None, list[Step], Step, str]] = [
    ("IDENTITY_NOT_VERIFIED", None, [], ("get_order", {}), "who I am speaking with"),
    ("NO_RECORD_SELECTED", None, [], WRONG, "record"),
    ("VERIFICATION_MISMATCH", None, [ON_FILE], WRONG, "both once more"),
    ("VERIFICATION_FAILED", None, [ON_FILE, WRONG], WRONG, "person"),
    ("UNKNOWN_ORDER", "marcus", [], ("get_order", {"order_number": "KE-0000000"}), "number again"),
    ("UNKNOWN_ITEM", "felix", [], ("quote_return", {"sku": "kettle"}), "product's name"),
    ("INVALID_DATE", "dana", [], ("quote_delivery_change", {"new_date": "soon"}), "month and the day"),
    ("INVALID_ARGUMENTS", "felix", [], ("quote_price_match", OFFER | {"competitor_price": "cheap"}), "price"),
    ("NO_SUCH_POLICY", None, [], ("get_policy", {}), "policy"),
    ("NO_SUCH_FEE", None, [], ("get_fee", {}), "fee"),
    ("NO_DELIVERY_SCHEDULED", "marcus", [], ("quote_delivery_change", {"order_number": "laptop"}), "delivery"),
    ("DATE_UNAVAILABLE", "dana", [], ("quote_delivery_change", {"new_date": "2026-08-09"}), "Sundays"),
    ("DATE_UNAVAILABLE", "dana", [], ("quote_delivery_change", {"new_date": "2026-08-01"}), "tomorrow"),
    ("DATE_UNAVAILABLE", "dana", [], ("quote_delivery_change", {"new_date": "2026-10-01"}), "60 days"),
    ("ORDER_ALREADY_SHIPPED", "owen", [], ("cancel_order", {}), "return"),
    ("MARKETPLACE_SELLER_POLICY", "tomas", [], ("quote_return", {}), "Northwind Supply Co|only took the order|person"),
    (
        "PRICE_MATCH_ALREADY_USED",
        "felix",
        [("quote_price_match", OFFER), ("confirm_price_match", token("KE-PM-2286"))],
        ("quote_price_match", OFFER),
        "one for each item",
    ),
    ("PRICE_MATCH_EXCLUDED", "felix", [], ("quote_price_match", OFFER | {"sku": "TV"}), "open box"),
    ("PRICE_MATCH_EXCLUDED", "felix", [], ("quote_price_match", OFFER | {"in_stock": False}), "stock"),
    ("PRICE_MATCH_WINDOW_CLOSED", "glen", [], ("quote_price_match", OFFER), "14 days"),
    (
        "NOT_A_QUALIFIED_COMPETITOR",
        "felix",
        [],
        ("quote_price_match", OFFER | {"competitor": "Grimwald's"}),
        "Rivertide",
    ),
    ("PRICE_NOT_LOWER", "felix", [], ("quote_price_match", OFFER | {"competitor_price": 549.99}), "not lower"),
    ("NOT_RETURNABLE", "glen", [], RETURN, "July 15, 2026|14 days|3 days"),
    ("NOT_RETURNABLE", "dana", [], RETURN, "not been delivered"),
    ("DISCLOSURE_REQUIRED", "priya", [RETURN], ("confirm_return", token("KE-RTN-4417")), "restocking fee"),
    ("DISCLOSURE_REQUIRED", "dana", [], ("confirm_membership_cancellation", {}), "refund and the end date"),
    ("NO_SUCH_RMA", "amina", [], ("create_return_label", {}), "no return"),
    (
        "HAZMAT_NO_LABEL",
        "amina",
        [RETURN, ("confirm_return", token("KE-RTN-4417"))],
        ("create_return_label", {}),
        "household hazardous waste",
    ),
    ("NO_REFUNDS", "amina", [], ("get_refund_status", {}), "refund"),
    ("HAZMAT_NO_SERVICE", "amina", [], BENCH, "household hazardous waste"),
    ("RECALLED_NO_SERVICE", "victor", [], BENCH, "recall"),
    ("NO_SUCH_SLOT", "grace", [], ("book_service_appointment", {"service_type": "in-home"}), "bench|home|remotely"),
    ("NO_APPOINTMENTS", "grace", [], ("cancel_service_appointment", {}), "appointment"),
    ("UNKNOWN_APPOINTMENT", "grace", [BENCH, BENCH], ("cancel_service_appointment", {}), "more than one"),
    ("ALREADY_TOTAL", "grace", [], ("quote_membership_upgrade", {}), "Total"),
    ("NO_MEMBERSHIP", "marcus", [], ("quote_membership_cancellation", {}), "no paid membership"),
    ("NO_SUCH_CHARGE", None, [], ("check_subscription_charge", {"amount": 399.99}), "no such charge"),
    ("NO_OUTBOUND_CONTACT", None, [], ("check_outbound_contact", {}), "no record"),
    ("TOKEN_NOT_HELD", "dana", [], ("confirm_delivery_change", token("KE-DLV-3390")), "no open quote"),
    ("TOKEN_NOT_HELD", "dana", [MOVE], ("confirm_delivery_change", {}), ""),
    ("TOKEN_WRONG_KIND", "dana", [MOVE], ("confirm_price_match", token("KE-DLV-3390")), "something else"),
    (
        "TOKEN_ALREADY_USED",
        "dana",
        [MOVE, ("confirm_delivery_change", token("KE-DLV-3390"))],
        ("confirm_delivery_change", token("KE-DLV-3390")),
        "already",
    ),
    (
        "TOKEN_CUSTOMER_MISMATCH",
        "dana",
        [
            MOVE,
            ("identify_customer", {"phone": "541-555-0171"}),
            ("verify_identity", {"postal_code": "97035", "card_last4": "1156"}),
        ],
        ("confirm_delivery_change", token("KE-DLV-3390")),
        "another account",
    ),
]
UNREACHABLE = {"NO_ORDERS"}
"""Everybody in the seed has an order; test_references takes them away."""


def test_the_table_makes_every_code_there_is() -> None:
    folder = Path(handlers.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    written = set(re.findall(r"\"([A-Z]+(?:_[A-Z]+)+)\"", source)) | {"INVALID_ARGUMENTS"}
    assert {code for code, *_ in REFUSALS} == written - UNREACHABLE
    assert len(written) == 38


@pytest.mark.parametrize(
    ("code", "who", "before", "refused", "words"),
    [pytest.param(*case, id=f"{case[0]} {number}") for number, case in enumerate(REFUSALS)],
)
def test_a_refusal_has_its_code_says_why_and_changes_nothing(
    desk: Any, verified: Callable[[Any, str], Any], code: str, who: str | None, before: list[Step], refused: Step,
    words: str,
) -> None:  # fmt: skip
    if who is not None:
        verified(desk, who)
    for step in before:
        desk.post(*step)
    untouched = desk.state()
    envelope = desk.post(*refused)
    assert (envelope["ok"], envelope["error_code"]) == (False, code)
    for word in words.split("|"):
        assert word in envelope["caller_safe_message"]
    assert (envelope["data"] is not None) is (code in {"MARKETPLACE_SELLER_POLICY", "PRICE_MATCH_EXCLUDED"})
    assert desk.state() == untouched
    assert desk.broken() == []


CONFIRMS = {
    "confirm_return": "KE-RTN-4417",
    "confirm_price_match": "KE-PM-2286",
    "confirm_delivery_change": "KE-DLV-3390",
    "confirm_membership_upgrade": "KE-UPG-5512",
    "confirm_membership_cancellation": "KE-CXL-7708",
}


@pytest.mark.parametrize("tool", CONFIRMS)
@pytest.mark.parametrize("kind", CONFIRMS)
def test_a_token_confirms_its_own_kind_alone(caller: Callable[[str], Any], tool: str, kind: str) -> None:
    desk = caller("felix")
    desk.look(
        "INSERT INTO holds VALUES (?, ?, 'cust_felix', '{\"restock_fee_cents\": 0}', '', 1)",
        CONFIRMS[kind],
        {"confirm_membership_upgrade": "upgrade", "confirm_membership_cancellation": "cancel"}.get(
            kind, kind.removeprefix("confirm_")
        ),
    )
    code = desk.refused(tool, **token(CONFIRMS[kind], proration_acknowledged=True))
    assert code == ("TOKEN_ALREADY_USED" if tool == kind else "TOKEN_WRONG_KIND")
    other = next(text for name, text in CONFIRMS.items() if name != kind)
    assert desk.refused(tool, **token(other, proration_acknowledged=True)) == "TOKEN_NOT_HELD"


def test_a_quote_of_the_same_kind_takes_the_place_of_a_spent_one_of_somebody_else(
    caller: Callable[[str], Any], verified: Callable[[Any, str], Any]
) -> None:
    desk = caller("dana")
    desk("quote_membership_cancellation")
    desk("confirm_membership_cancellation", **CANCELLING)
    verified(desk, "felix")("quote_membership_cancellation")
    (hold,) = desk.state()["holds"]
    assert (hold["customer_id"], hold["consumed"]) == ("cust_felix", 0)


@pytest.mark.parametrize("arguments", [{"extra": 1}, {"order_number": ["KE-4471209"]}, {"order_number": {"a": 1}}])
def test_odd_arguments_are_read_as_text_and_extra_ones_ignored(
    caller: Callable[[str], Any], arguments: dict[str, Any]
) -> None:
    assert caller("dana")("get_order", **arguments)["order_number"] == "KE-4471209"
