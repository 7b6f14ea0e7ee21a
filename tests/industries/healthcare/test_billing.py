"""Billing desk: lines, explanations, links, financing, reviews. Nothing here changes a balance."""

from __future__ import annotations

from typing import Any

import pytest


def lines(desk: Any) -> list[tuple[str, int]]:
    return [(item["line_item_id"], item["amount_cents"]) for item in desk("get_account_balance")["line_items"]]


@pytest.mark.parametrize(
    ("balance", "expected"),
    [
        (0, []),
        (1, [("li_visit", 1)]),
        (4999, [("li_visit", 4999)]),
        (5000, [("li_noshow", 5000)]),
        (5001, [("li_noshow", 5000), ("li_visit", 1)]),
        (12500, [("li_noshow", 5000), ("li_visit", 7500)]),
        (48000, [("li_noshow", 5000), ("li_visit", 43000)]),
        (-100, []),
    ],
)
def test_a_balance_is_split_into_fee_and_rest(desk: Any, balance: int, expected: list[tuple[str, int]]) -> None:
    desk.verified().write("UPDATE patients SET balance_cents = ? WHERE id = 'pat_jordan_lee'", balance)
    data = desk("get_account_balance")
    assert data["balance_cents"] == balance
    assert type(data["balance_cents"]) is int
    assert [(item["line_item_id"], item["amount_cents"]) for item in data["line_items"]] == expected
    for item in data["line_items"]:
        assert set(item) == {"line_item_id", "description", "amount_cents"}
        assert item["description"]
        assert type(item["amount_cents"]) is int


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Jordan Lee", [("li_noshow", 5000), ("li_visit", 7500)]),
        ("Maria Alvarez", [("li_noshow", 5000), ("li_visit", 43000)]),
        ("Alice Romano", [("li_noshow", 5000), ("li_visit", 27000)]),
        ("Sam Nguyen", []),
        ("Leo Park", []),
    ],
)
def test_each_patient_starts_with_these_lines(desk: Any, name: str, expected: list[tuple[str, int]]) -> None:
    assert lines(desk.verified(name)) == expected


def test_a_new_fee_lands_in_the_visit_line(desk: Any) -> None:
    desk.verified("Maria Alvarez")
    cancel = {"appointment_id": 2, "cancellation_reason_code": "other", "fee_disclosed_and_accepted": True}
    desk("cancel_appointment", **cancel)
    assert lines(desk) == [("li_noshow", 5000), ("li_visit", 55500)]


@pytest.mark.parametrize(
    ("line_item", "words"), [("li_noshow", "fifty dollar|notice window|review"), ("li_visit", "deductible|copay|claim")]
)
def test_a_line_has_its_approved_words_for_anyone(desk: Any, line_item: str, words: str) -> None:
    data = desk("explain_charge", line_item_id=line_item)
    assert set(data) == {"line_item_id", "approved_script"}
    for word in words.split("|"):
        assert word in data["approved_script"]


@pytest.mark.parametrize("line_item", ["LI_VISIT", " li_visit", "li_noshow ", 5, ["li_visit"]])
def test_a_line_is_named_to_the_letter(desk: Any, line_item: Any) -> None:
    assert desk.refused("explain_charge", line_item_id=line_item) == "UNKNOWN_LINE_ITEM"


@pytest.mark.parametrize(
    ("amount", "echoed"), [({}, None), ({"amount_cents": ""}, None), ({"amount_cents": 12500}, 12500)]
)
def test_a_payment_link_is_logged_and_leaves_the_balance(desk: Any, amount: dict[str, Any], echoed: int | None) -> None:
    patients = desk.state()["patients"]
    link = {"mobile_e164": "+12125550100"} | amount
    for _ in range(2):
        data = desk("send_payment_link", **link)
        assert data == {"sent": True, "channel": "sms", "mobile_e164": "+12125550100", "amount_cents": echoed}
    assert desk.events() == [("payment_link", link)] * 2
    assert desk.state()["patients"] == patients


@pytest.mark.parametrize(
    ("amount", "eligible"), [(24999, False), (25000, True), (25001, True), ("30000", True), (0, False), (-5, False)]
)
def test_financing_starts_at_two_hundred_fifty_dollars_inclusive(desk: Any, amount: Any, eligible: bool) -> None:
    data = desk("offer_financing", amount_cents=amount)
    assert (data["eligible"], data["provider"]) == (eligible, "CareCredit")
    assert (data["note"] is None) == eligible
    assert eligible or "two hundred fifty dollars" in data["note"]
    assert desk.events() == []


@pytest.mark.parametrize(
    ("name", "eligible"),
    [("Jordan Lee", False), ("Maria Alvarez", True), ("Alice Romano", True), ("Sam Nguyen", False)],
)
def test_without_an_amount_the_balance_read_last_counts(desk: Any, name: str, eligible: bool) -> None:
    desk.verified(name)("get_account_balance")
    assert desk("offer_financing")["eligible"] is eligible
    assert desk("offer_financing", amount_cents="")["eligible"] is eligible


@pytest.mark.parametrize(
    ("service", "eligible"), [("botox", True), ("filler", True), ("microneedling", True), ("chemical_peel", False)]
)
def test_without_an_amount_the_low_quote_counts(desk: Any, service: str, eligible: bool) -> None:
    desk("quote_cosmetic_service", service=service)
    assert desk("offer_financing")["eligible"] is eligible


def test_the_amount_spoken_last_counts_and_an_unknown_treatment_leaves_it(desk: Any) -> None:
    desk("quote_cosmetic_service", service="botox")
    desk("quote_cosmetic_service", service="chemical_peel")
    desk("quote_cosmetic_service", service="laser")
    assert desk("offer_financing")["eligible"] is False
    desk.verified("Maria Alvarez")("get_account_balance")
    assert desk("offer_financing")["eligible"] is True


def test_summary_and_explicit_amounts_are_not_remembered(desk: Any) -> None:
    desk.verified("Maria Alvarez")("get_patient_summary")
    desk("offer_financing", amount_cents=90000)
    assert desk.refused("offer_financing") == "INVALID_ARGUMENTS"


def test_a_fee_review_is_opened_and_promised_in_words(desk: Any) -> None:
    patients = desk.state()["patients"]
    data = desk("request_fee_waiver", fee_line_item_id="li_noshow", why="hospital")
    assert data["review_opened"] is True
    assert data["sla"] == "two business days"
    assert "two business days" in data["spoken_commitment"]
    assert desk.events() == [("fee_waiver_request", {"fee_line_item_id": "li_noshow", "why": "hospital"})]
    assert desk.state()["patients"] == patients
