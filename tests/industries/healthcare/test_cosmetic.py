"""Cosmetic desk: prices, and the policy before a consult."""

from __future__ import annotations

from typing import Any

import pytest

CONSULT = {
    "service_interest": ["botox", "filler"],
    "location_id": "loc_park_ave",
    "provider_id": "prov_chen",
    "start": "2026-08-24T09:00",
    "policy_acknowledged": True,
}


@pytest.mark.parametrize(
    ("service", "low", "high"),
    [
        ("botox", 30000, 60000),
        ("filler", 60000, 120000),
        ("chemical_peel", 20000, 40000),
        (" Chemical Peel ", 20000, 40000),
        ("MICRONEEDLING", 35000, 70000),
    ],
)
def test_a_treatment_has_a_range_in_cents(desk: Any, service: str, low: int, high: int) -> None:
    data = desk("quote_cosmetic_service", service=service)
    assert data.pop("note")
    assert data == {"service": service, "price_range": {"low_cents": low, "high_cents": high}}


@pytest.mark.parametrize("service", ["laser", "botox filler", " ", 3, ["botox"]])
def test_an_unlisted_treatment_has_no_price(desk: Any, service: Any) -> None:
    data = desk("quote_cosmetic_service", service=service)
    assert data.pop("note")
    assert data == {"service": service, "price_range": None}


@pytest.mark.parametrize("arguments", [{}, CONSULT | {"policy_acknowledged": False}, {"policy_acknowledged": ""}])
def test_the_policy_comes_before_any_other_check(desk: Any, arguments: dict[str, Any]) -> None:
    seed = desk.state()
    data = desk("book_cosmetic_consult", **arguments)
    assert data["status"] == "policy_disclosure_required"
    assert data["note"]
    deposit, move, lost, rest = data["policy_lines"]
    assert "one hundred twenty-five dollars" in deposit
    assert "seventy-two hours" in move
    assert "seventy-two hours" in lost
    assert "deposit" in lost
    assert "at the visit" in rest
    assert not any(character.isdigit() for line in data["policy_lines"] for character in line)
    assert desk.state() == seed


def test_a_consult_is_half_an_hour_with_a_deposit_that_isnt_posted(desk: Any) -> None:
    data = desk.verified("Sam Nguyen")("book_cosmetic_consult", **CONSULT)
    row = desk.visit(4)
    assert data == {"appointment": row, "status": "booked", "deposit_cents": 12500}
    assert row["description"].endswith("botox, filler")
    del row["description"]
    assert row == {
        "id": 4,
        "patient_id": "pat_sam_nguyen",
        "location_id": "loc_park_ave",
        "provider_id": "prov_chen",
        "appointment_type_code": "COS_CONSULT",
        "start": "2026-08-24T09:00",
        "end": "2026-08-24T09:30",
        "status": "booked",
        "created_at": "2027-01-05 09:30:15",
    }
    assert desk.patient("pat_sam_nguyen")["balance_cents"] == 0
    assert desk.events() == []


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-08-24T09:00:30", "2026-08-24T09:30"),
        (" 2026-08-24 23:45+02:00", "2026-08-25T00:15"),
        ("2026-08-24", "2026-08-24T00:30"),
        ("1999-01-01T00:00Z", "1999-01-01T00:30"),
    ],
)
def test_the_start_is_stored_as_sent_and_the_end_in_minutes(desk: Any, start: str, end: str) -> None:
    row = desk("book_cosmetic_consult", **CONSULT | {"start": start})["appointment"]
    assert (row["start"], row["end"]) == (start, end)


def test_a_consult_can_be_booked_again_and_by_anyone(desk: Any) -> None:
    rows = [desk("book_cosmetic_consult", **CONSULT)["appointment"] for _ in range(2)]
    assert [(row["id"], row["patient_id"]) for row in rows] == [(4, None), (5, None)]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"provider_id": "prov_patel"}, id="a provider from elsewhere"),
        pytest.param({"slot_id": "slot_loc_windermere_9"}, id="slot ignored"),
        pytest.param({"location_id": " PARK avenue "}, id="office by name"),
        pytest.param({"service_interest": "laser"}, id="interest as text"),
        pytest.param({"service_interest": []}, id="no interest"),
        pytest.param({"policy_acknowledged": "false"}, id="any true flag"),
    ],
)
def test_slot_provider_and_interest_arent_matched(desk: Any, changes: dict[str, Any]) -> None:
    row = desk("book_cosmetic_consult", **CONSULT | changes)["appointment"]
    assert row["location_id"] == "loc_park_ave"
    assert row["provider_id"] == changes.get("provider_id", "prov_chen")


def test_a_late_consult_of_ones_own_costs_the_cosmetic_fee(desk: Any) -> None:
    desk.verified("Sam Nguyen")("book_cosmetic_consult", **CONSULT | {"start": "2026-08-22T11:59:30"})
    cancel = {"appointment_id": 4, "cancellation_reason_code": "other", "fee_disclosed_and_accepted": True}
    assert desk("cancel_appointment", **cancel)["fee_charged_cents"] == 12500
