"""Was it us? Charges, contacts, reports, without an identity check."""

from __future__ import annotations

from typing import Any

import pytest

PRIYA = {"phone": "541-555-0119"}


@pytest.mark.parametrize(
    "contact",
    [
        {"phone": "5415550119"}, {"phone": "+1 541 555 0119"}, {"phone": "555-0119"}, {"phone": "999 555 0119"},
        {"email": " PRIYA.Raman@example.test "}, {"phone": "0", "email": "priya.raman@example.test"},
    ],
)  # fmt: skip
def test_a_member_is_found_by_seven_digits_or_email(desk: Any, contact: dict[str, str]) -> None:
    assert desk("check_subscription_charge", **contact) == {
        "has_active_subscription": True, "plan": "Kestrel Plus", "annual_price": "$29.99",
        "next_renewal": "2027-01-20", "billed_by": "Kestrel Electronics, to the card on file",
    }  # fmt: skip


@pytest.mark.parametrize(
    "contact",
    [
        {}, {"phone": "0119"}, {"phone": "550119"}, {"phone": ""}, {"email": ""}, {"phone": None, "email": None},
        {"phone": "541-555-0133"}, {"email": "rosalind.baptiste@example.test"}, {"email": "nobody@example.test"},
    ],
)  # fmt: skip
def test_no_record_and_no_membership_are_the_same_answer(desk: Any, contact: dict[str, Any]) -> None:
    assert desk.refused("check_subscription_charge", **contact, amount=399.99) == "NO_SUCH_CHARGE"


@pytest.mark.parametrize(
    ("amount", "matches"),
    [
        (29.99, True), ("29.99", True), (29.994, True), (29.996, False), (399.99, False), (0, False), (30, False),
        ("$29.99", None), (None, None), ("", None), ("about thirty", None), ([], None),
    ],
)  # fmt: skip
def test_an_amount_is_held_against_the_price(desk: Any, amount: Any, matches: bool | None) -> None:
    data = desk("check_subscription_charge", **PRIYA, amount=amount)
    assert data.get("amount_matches") is matches
    assert ("script" in data) is (matches is False)
    if matches is False:
        for part in ("Kestrel Plus", "$29.99", "January 20, 2027", "scam", "gift cards"):
            assert part in data["script"]


@pytest.mark.parametrize(
    ("contact", "channels"),
    [
        ({"phone": "541-555-0188"}, ["sms"]), ({"email": "Grace.Okonkwo@example.test"}, ["email"]),
        ({"phone": "5550188", "email": "grace.okonkwo@example.test"}, ["sms", "email"]), ({"phone": "0188"}, None),
        ({"phone": "541-555-0133"}, None), ({}, None), ({"email": " "}, None),
    ],
)  # fmt: skip
def test_our_own_messages_are_on_record(desk: Any, contact: dict[str, str], channels: list[str] | None) -> None:
    if channels is None:
        assert desk.refused("check_outbound_contact", **contact) == "NO_OUTBOUND_CONTACT"
        return
    data = desk("check_outbound_contact", **contact)
    assert [row["channel"] for row in data["contacts"]] == channels
    assert data["count"] == len(channels)
    assert all(set(row) == {"channel", "date", "summary"} for row in data["contacts"])


def test_a_report_keeps_what_was_said(desk: Any) -> None:
    data = desk(
        "report_scam_contact", phone="(541) 555-0133", email=" Rosalind@Example.test ", channel=" Email ",
        claimed_brand=" TechCrew ", amount=399.99, payment_requested=" Gift Cards ", remote_access_given=False,
        money_sent=True,
    )  # fmt: skip
    assert (data["report_id"], data["status"]) == (1, "reported")
    assert data["note"]
    assert desk.state()["scam_reports"] == [
        {"id": 1, "phone": "5415550133", "email": "Rosalind@Example.test", "channel": "email",
         "claimed_brand": "TechCrew", "amount_text": "399.99", "payment_requested": "gift cards",
         "remote_access_given": 0, "money_sent": 1}
    ]  # fmt: skip


@pytest.mark.parametrize("nothing", [{}, dict.fromkeys(
    ("phone", "email", "channel", "claimed_brand", "amount", "payment_requested", "remote_access_given", "money_sent")
)])  # fmt: skip
def test_a_report_is_never_refused(desk: Any, nothing: dict[str, Any]) -> None:
    for _ in range(2):
        desk("report_scam_contact", **nothing)
    empty = {
        "phone": "", "email": "", "channel": "unknown", "claimed_brand": "", "amount_text": "",
        "payment_requested": "", "remote_access_given": 0, "money_sent": 0,
    }  # fmt: skip
    assert desk.state()["scam_reports"] == [{"id": 1} | empty, {"id": 2} | empty]


@pytest.mark.parametrize(("amount", "kept"), [(0, ""), ("0", "0"), (" $399.99 ", "$399.99"), (400, "400"), ([], "")])
def test_amounts_are_kept_as_they_were_said(desk: Any, amount: Any, kept: str) -> None:
    desk("report_scam_contact", channel="sms", amount=amount)
    assert desk.state()["scam_reports"][0]["amount_text"] == kept


@pytest.mark.parametrize(
    ("access", "money", "first"),
    [
        (False, False, ["number"]), (True, False, ["device", "number"]), (False, True, ["bank", "number"]),
        (True, True, ["bank", "device", "number"]), ("false", 0, ["device", "number"]),
    ],
)  # fmt: skip
def test_steps_begin_with_what_is_most_urgent(desk: Any, access: Any, money: Any, first: list[str]) -> None:
    data = desk("report_scam_contact", channel="phone", remote_access_given=access, money_sent=money)
    steps = data["next_steps"]
    assert len(steps) == len(first) + 1
    for word, step in zip(first, steps, strict=False):
        assert word in step
    assert "reportfraud.ftc.gov" in steps[-1]
