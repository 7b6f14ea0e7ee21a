"""Allergy services: preparation, observation, return visits, and one booking each."""

from __future__ import annotations

from typing import Any

import pytest

SERVICES = [
    ("skin_testing", 0, "antihistamines|seven days", 0),
    ("patch_testing", 0, "dry|steroid|week", 2),
    ("food_challenge", 240, "fasting|four hours", 0),
    ("allergy_shot", 30, "", 0),
    ("drops_pickup", 0, "", 0),
    ("asthma_eval", 0, "inhaler|six hours|safe", 0),
    ("immunotherapy_buildup", 30, "", 1),
]


@pytest.mark.parametrize(("service", "observation", "prep", "visits"), SERVICES)
def test_a_service_brings_its_preparation_observation_and_return_visits(
    desk: Any, service: str, observation: int, prep: str, visits: int
) -> None:
    data = desk("schedule_allergy_service", service=service, location_id="Brooklyn Heights")
    assert data["idempotent"] is False
    assert data["observation_minutes_after"] == observation
    assert bool(data["prep_instructions"]) is bool(prep)
    for words in filter(None, prep.split("|")):
        assert words in data["prep_instructions"]
    assert len(data["linked_return_visits"]) == visits
    row = desk.visit(4)
    assert data["appointment"] == row
    minutes = 9 * 60 + 30 + observation
    assert (row["start"], row["end"]) == ("2026-08-24T09:00", f"2026-08-24T{minutes // 60:02}:{minutes % 60:02}")
    assert row["appointment_type_code"] == f"ALLERGY_{service.upper()}"
    assert (row["provider_id"], row["patient_id"], row["status"]) == ("prov_ruiz", None, "booked")
    assert service in row["description"]
    assert set(data) == {
        "appointment", "idempotent", "prep_instructions", "observation_minutes_after", "linked_return_visits", "note",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("window", "start"),
    [
        pytest.param({"window_start": "2026-08-24T09:01"}, "2026-08-25T11:30", id="first start after the bound"),
        pytest.param(
            {"window_start": "2026-08-25T11:30", "window_end": "2026-08-25T12:30"},
            "2026-08-25T11:30",
            id="both ends included",
        ),
        pytest.param(
            {"window_start": "2026-08-25T11:30", "window_end": "2026-08-25T12:29"}, None, id="observation has to fit"
        ),
        pytest.param({"window_end": "2026-08-24"}, None, id="a date means its midnight"),
        pytest.param({"window_start": "", "window_end": None}, "2026-08-24T09:00", id="empty bounds are none"),
    ],
)
def test_the_earliest_time_that_fits_the_window_is_booked(desk: Any, window: dict[str, Any], start: str | None) -> None:
    arguments = {"service": "allergy_shot", "location_id": "loc_park_ave"} | window
    if start is None:
        assert desk.refused("schedule_allergy_service", **arguments) == "NO_AVAILABILITY"
    else:
        assert desk("schedule_allergy_service", **arguments)["appointment"]["start"] == start


def test_a_held_service_is_given_back_before_the_window_is_read(desk: Any) -> None:
    shot = {"service": "allergy_shot", "location_id": "loc_park_ave"}
    first = desk("schedule_allergy_service", **shot)
    once = desk.state()
    again = desk("schedule_allergy_service", **shot, window_start="next spring", window_end=[])
    assert again["idempotent"] is True
    assert again["appointment"] == first["appointment"]
    assert again["prep_instructions"] == first["prep_instructions"]
    assert desk.state() == once


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"service": "drops_pickup"}, id="another service"),
        pytest.param({"location_id": "loc_windermere"}, id="another office"),
    ],
)
def test_another_service_or_office_is_another_booking(desk: Any, other: dict[str, Any]) -> None:
    shot = {"service": "allergy_shot", "location_id": "loc_park_ave"}
    desk("schedule_allergy_service", **shot)
    assert desk("schedule_allergy_service", **shot | other)["appointment"]["id"] == 5


def test_another_patient_is_another_booking(desk: Any) -> None:
    shot = {"service": "allergy_shot", "location_id": "loc_park_ave"}
    assert desk("schedule_allergy_service", **shot)["appointment"]["id"] == 4
    for name, row_id in (("Leo Park", 5), ("Sam Nguyen", 6), ("Leo Park", 5)):
        assert desk.verified(name)("schedule_allergy_service", **shot)["appointment"]["id"] == row_id


def test_a_cancelled_service_can_be_booked_again(desk: Any) -> None:
    shot = {"service": "allergy_shot", "location_id": "loc_park_ave"}
    desk.verified("Leo Park")("schedule_allergy_service", **shot)
    desk("cancel_appointment", appointment_id=4, cancellation_reason_code="illness")
    assert desk("schedule_allergy_service", **shot)["appointment"]["id"] == 5
    move = {"appointment_id": 4, "new_start": "2026-08-24T09:00", "new_end": "2026-08-24T10:00"}
    assert desk.refused("reschedule_appointment", **move) == "INVALID_ARGUMENTS"
    assert desk.visit(4)["status"] == "cancelled"


@pytest.mark.parametrize(
    ("service", "known"), [(" ALLERGY_SHOT ", True), ("allergy shot", False), ("shot", False), (3, False)]
)
def test_a_service_is_trimmed_and_lower_cased_but_spaces_stay(desk: Any, service: Any, known: bool) -> None:
    arguments = {"service": service, "location_id": "loc_park_ave"}
    if known:
        assert (
            desk("schedule_allergy_service", **arguments)["appointment"]["appointment_type_code"]
            == "ALLERGY_ALLERGY_SHOT"
        )
    else:
        assert desk.refused("schedule_allergy_service", **arguments) == "UNKNOWN_SERVICE"
