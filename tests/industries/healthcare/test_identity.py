"""Identity desk: masked look-up, the proof, the lock, and a chart's first page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

JORDAN = {"full_name": "Jordan Lee", "dob": "1990-04-12"}
WRONG = JORDAN | {"dob": "1990-12-04"}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        pytest.param({}, [], id="no filter finds nobody"),
        pytest.param({"first_name": "  ", "zip": ""}, [], id="blank filters are no filters"),
        pytest.param({"first_name": " jordan "}, ["pat_jordan_lee"], id="names in any case, trimmed"),
        pytest.param({"first_name": "Jord"}, [], id="no prefix"),
        pytest.param({"zip": "10016"}, ["pat_jordan_lee", "pat_maria_alvarez"], id="several, by id"),
        pytest.param({"zip": "10016", "last_name": "LEE"}, ["pat_jordan_lee"], id="every filter counts"),
        pytest.param({"zip": "11201", "last_name": "LEE"}, [], id="filters that disagree"),
        pytest.param({"dob": " 1985-11-03 "}, ["pat_sam_nguyen"], id="birthday trimmed"),
        pytest.param({"dob": "1985-11-3"}, [], id="birthday to the letter"),
        pytest.param({"phone": "+12125550100"}, [], id="no look-up by number"),
        pytest.param({"first_name": 5}, [], id="a number is nobody's name"),
    ],
)
def test_a_candidate_fits_every_filter_given(desk: Any, filters: dict[str, Any], found: list[str]) -> None:
    data = desk("identify_patient", **filters)
    assert [candidate["patient_id"] for candidate in data["candidates"]] == found
    assert data["count"] == len(found)


def test_a_candidate_is_masked(desk: Any) -> None:
    masked = {"patient_id": "pat_maria_alvarez", "first_name": "Maria", "last_initial": "A", "dob_year": "1972"}
    assert desk("identify_patient", first_name="maria")["candidates"] == [masked]


def test_looking_somebody_up_proves_nothing(desk: Any) -> None:
    desk("identify_patient", first_name="jordan", last_name="lee", dob="1990-04-12", zip="10016")
    assert desk.refused("get_patient_summary") == "NOT_VERIFIED"


@pytest.mark.parametrize(
    ("arguments", "is_match"),
    [
        pytest.param(JORDAN, True, id="as on the chart"),
        pytest.param(JORDAN | {"full_name": "  jORDAN   lee "}, True, id="any case, any spacing"),
        pytest.param(JORDAN | {"full_name": "Jordan Q. Van Lee"}, True, id="what stands between doesn't matter"),
        pytest.param(JORDAN | {"full_name": "Lee Jordan"}, False, id="turned round"),
        pytest.param(JORDAN | {"full_name": "Jordan"}, False, id="one word never matches two"),
        pytest.param(JORDAN | {"full_name": "Jordan Leigh"}, False, id="misspelt"),
        pytest.param(JORDAN | {"dob": " 1990-04-12"}, False, id="birthday to the letter"),
        pytest.param(WRONG, False, id="day and month exchanged"),
        pytest.param(JORDAN | {"second_factor": "10016"}, True, id="right ZIP"),
        pytest.param(JORDAN | {"second_factor": "0100"}, True, id="right last four of the phone"),
        pytest.param(JORDAN | {"second_factor": "5550"}, False, id="wrong second factor"),
        pytest.param(JORDAN | {"second_factor": ""}, True, id="blank second factor is none"),
        pytest.param(JORDAN | {"second_factor": None}, True, id="null second factor is none"),
        pytest.param(JORDAN | {"full_name": 7}, False, id="a number is nobody's name"),
    ],
)
def test_outer_names_birthday_and_a_given_second_factor_have_to_agree(
    desk: Any, arguments: dict[str, Any], is_match: bool
) -> None:
    envelope = desk.post("verify_identity", arguments)
    if is_match:
        assert envelope["data"] == {"verified": True, "patient_id": "pat_jordan_lee"}
    else:
        assert envelope["error_code"] == "NO_MATCH"


def test_the_third_miss_still_answers_and_the_fourth_attempt_is_locked_out(desk: Any) -> None:
    codes = [desk.refused("verify_identity", **WRONG) for _ in range(4)]
    assert codes == ["NO_MATCH"] * 3 + ["IDENTITY_LOCKED"]
    assert desk.refused("verify_identity", **JORDAN) == "IDENTITY_LOCKED"
    assert desk.refused("verify_identity") == "IDENTITY_LOCKED"


def test_a_success_forgives_earlier_misses(desk: Any) -> None:
    for _ in range(2):
        for _ in range(2):
            assert desk.refused("verify_identity", **WRONG) == "NO_MATCH"
        desk("verify_identity", **JORDAN)


def test_missing_arguments_are_no_attempt(desk: Any) -> None:
    for _ in range(5):
        assert desk.refused("verify_identity", full_name="Jordan Lee") == "INVALID_ARGUMENTS"
    desk("verify_identity", **JORDAN)


def test_a_later_miss_or_lock_doesnt_undo_an_earlier_success(desk: Any) -> None:
    desk.verified()
    for _ in range(4):
        desk.refused("verify_identity", **WRONG)
    assert desk("get_patient_summary")["patient_id"] == "pat_jordan_lee"


def test_a_later_success_moves_the_pin_to_that_chart(desk: Any) -> None:
    desk.verified("Jordan Lee").verified("Sam Nguyen")
    assert desk("get_patient_summary")["patient_id"] == "pat_sam_nguyen"
    assert desk.refused("cancel_appointment", appointment_id="1", cancellation_reason_code="other") == "NOT_FOUND"


def test_one_calls_proof_is_no_other_calls_proof(next_desk: Callable[[], Any]) -> None:
    next_desk().verified()
    assert next_desk().refused("get_account_balance") == "NOT_VERIFIED"


def test_verifying_writes_no_row(desk: Any) -> None:
    seed = desk.state()
    desk("verify_identity", **JORDAN)
    desk("get_patient_summary")
    assert desk.state() == seed


def test_misses_pin_and_amounts_survive_a_restart(own_desk: Any, reopened: Callable[[Any], Any]) -> None:
    own_desk.verified("Alice Romano")("get_account_balance")
    for _ in range(3):
        own_desk.refused("verify_identity", **WRONG)
    desk = reopened(own_desk)
    assert desk.refused("verify_identity", **JORDAN) == "IDENTITY_LOCKED"
    assert desk("get_patient_summary")["patient_id"] == "pat_alice_romano"
    assert desk("offer_financing")["eligible"] is True
    desk.service.close()


def test_session_memory_never_shows_in_the_state(desk: Any) -> None:
    desk.verified()("get_account_balance")
    assert list(desk.state()) == ["patients", "locations", "providers", "appointments", "waitlist", "tool_events"]


def test_the_summary_is_the_chart_without_its_numbers(desk: Any) -> None:
    summary = desk.verified()("get_patient_summary")
    visit = desk.visit(1)
    assert summary == {
        "patient_id": "pat_jordan_lee",
        "name": "Jordan Lee",
        "language": "en",
        "home_office": "Park Avenue",
        "upcoming_appointments": [visit],
        "balance_cents": 12500,
        "insurance": {"carrier": "Aetna", "plan_name": "Open Access Elect Choice", "member_id_last4": "6789"},
        "portal_active": False,
        "open_orders": [],
        "clinical_flags": [],
    }
    assert list(visit) == [
        "id", "patient_id", "location_id", "provider_id", "appointment_type_code", "start", "end", "description",
        "status", "created_at",
    ]  # fmt: skip


def test_upcoming_visits_are_the_booked_ones_by_start(desk: Any, slot: Callable[..., dict[str, Any]]) -> None:
    desk.verified()
    desk("book_appointment", **slot(index=2))
    desk("book_appointment", **slot(index=1))
    desk("cancel_appointment", appointment_id=4, cancellation_reason_code="other")
    assert [row["id"] for row in desk("get_patient_summary")["upcoming_appointments"]] == [1, 5]


def test_unknown_office_and_member_id_are_null(desk: Any) -> None:
    desk.verified().write("UPDATE patients SET home_office_id = NULL, member_id = NULL WHERE id = 'pat_jordan_lee'")
    summary = desk("get_patient_summary")
    assert summary["home_office"] is None
    assert summary["insurance"]["member_id_last4"] is None
