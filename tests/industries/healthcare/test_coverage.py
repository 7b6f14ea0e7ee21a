"""Coverage desk beyond acceptance: the payer's figures and a new card."""

from __future__ import annotations

from typing import Any

import pytest

JORDAN = {"carrier": "aetna", "member_id": "W123456789", "dob": "1990-04-12", "service_date": "2026-08-24"}
FIGURES = {"copay_cents": 3000, "deductible_remaining_cents": 25000, "coinsurance_pct": 20, "plan_active": True}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="as on the card"),
        pytest.param({"member_id": "  W123456789 "}, id="member id trimmed"),
        pytest.param({"carrier": " AETNA."}, id="carrier slugged"),
        pytest.param({"service_date": "whenever"}, id="day of the visit not checked"),
        pytest.param(
            {"carrier": "oscar", "member_id": "O778899001", "dob": "1995-09-08"},
            id="a plan we can't confirm has figures",
        ),
    ],
)
def test_a_known_member_gets_the_same_figures_without_verification(desk: Any, changes: dict[str, Any]) -> None:
    seed = desk.state()
    asked = JORDAN | changes
    assert desk("run_eligibility_check", **asked) == FIGURES | {"service_date": asked["service_date"]}
    assert desk.state() == seed


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"member_id": "w123456789"}, id="member id in another case"),
        pytest.param({"dob": "1990-4-12"}, id="birthday to the letter"),
        pytest.param({"carrier": "cigna"}, id="another carrier"),
        pytest.param({"dob": "1972-06-30"}, id="somebody else's birthday"),
    ],
)
def test_anything_else_is_no_answer_from_the_payer(desk: Any, changes: dict[str, Any]) -> None:
    assert desk.refused("run_eligibility_check", **JORDAN | changes) == "PAYER_UNAVAILABLE"


def test_a_new_card_is_kept_as_sent_and_the_plan_name_goes_stale(desk: Any) -> None:
    before = desk.verified().patient("pat_jordan_lee")
    card = {"carrier": "cigna", "member_id": "C445566778", "group_number": "G77", "subscriber_relationship": "spouse"}
    data = desk("capture_insurance_update", **card)
    assert data.pop("note")
    assert data == {"updated": True, "card_upload_link_sent": True}
    assert desk.patient("pat_jordan_lee") == before | {"carrier": "cigna", "member_id": "C445566778"}
    assert desk.events() == [("insurance_update", {"patient_id": "pat_jordan_lee"} | card)]


def test_two_holders_of_one_member_id_are_told_apart_by_birthday(desk: Any) -> None:
    desk.verified()("capture_insurance_update", carrier="cigna", member_id="C445566778")
    asked = JORDAN | {"carrier": "cigna", "member_id": "C445566778"}
    assert desk("run_eligibility_check", **asked)["plan_active"] is True
    assert desk("run_eligibility_check", **asked | {"dob": "1972-06-30"})["plan_active"] is True


def test_a_card_is_overwritten_and_logged_each_time(desk: Any) -> None:
    desk.verified("Sam Nguyen")
    for carrier in ("Aetna ", "UHC"):
        desk("capture_insurance_update", carrier=carrier, member_id="X1")
    assert desk.patient("pat_sam_nguyen")["carrier"] == "UHC"
    assert [payload["carrier"] for _, payload in desk.events()] == ["Aetna ", "UHC"]


def test_a_chart_without_carrier_counts_as_other(desk: Any) -> None:
    desk.write("UPDATE patients SET carrier = NULL WHERE id = 'pat_jordan_lee'")
    assert desk.refused("run_eligibility_check", **JORDAN) == "PAYER_UNAVAILABLE"
    assert desk("run_eligibility_check", **JORDAN | {"carrier": "other"})["plan_active"] is True


def test_a_value_the_chart_cant_hold_writes_nothing(desk: Any) -> None:
    seed = desk.verified().state()
    assert desk.refused("capture_insurance_update", carrier=["cigna"], member_id="C1") == "INVALID_ARGUMENTS"
    assert desk.state() == seed
