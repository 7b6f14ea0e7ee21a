"""Scheduling desk: classifying, openings, booking, moving, cancelling, waiting, texting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Offer = Callable[..., dict[str, Any]]
ALL_OFFICES = ["loc_park_ave", "loc_brooklyn_heights", "loc_windermere"]


# Classifying


@pytest.mark.parametrize(
    ("arguments", "code", "credential", "minutes", "urgency", "constraints"),
    [
        pytest.param({"visit_class": "mohs"}, "MOHS_CONSULT", "MD", 45, "urgent", 1, id="Mohs"),
        pytest.param({"visit_class": "allergy"}, "ALLERGY_EVAL", "MD", 40, "routine", 1, id="allergy"),
        pytest.param(
            {"visit_class": "medical", "is_new_patient": True}, "NP_MED", "MD_OR_PA", 30, "routine", 0, id="new"
        ),
        pytest.param({"visit_class": "medical"}, "MED_FOLLOWUP", "MD_OR_PA", 20, "routine", 0, id="seen before"),
        pytest.param({"visit_class": "  MOHS "}, "MOHS_CONSULT", "MD", 45, "urgent", 1, id="trimmed, any case"),
        pytest.param(
            {"visit_class": "mohs", "urgency": " Routine"}, "MOHS_CONSULT", "MD", 45, "routine", 1, id="urgency wins"
        ),
        pytest.param(
            {"visit_class": "allergy", "urgency": "asap"}, "ALLERGY_EVAL", "MD", 40, "routine", 1, id="unknown urgency"
        ),
        pytest.param(
            {"visit_class": "mohs", "is_new_patient": True}, "MOHS_CONSULT", "MD", 45, "urgent", 1, id="new for Mohs"
        ),
    ],
)
def test_a_request_becomes_a_visit_type(
    desk: Any, arguments: dict[str, Any], code: str, credential: str, minutes: int, urgency: str, constraints: int
) -> None:
    data = desk("classify_visit_request", **arguments)
    assert len(data.pop("constraints")) == constraints
    assert data == {
        "appointment_type_code": code,
        "visit_class": arguments["visit_class"].strip().lower(),
        "required_credential": credential,
        "duration_min": minutes,
        "urgency": urgency,
        "is_new_patient": bool(arguments.get("is_new_patient")),
    }


@pytest.mark.parametrize(
    ("flag", "code"),
    [
        ("false", "NP_MED"),
        (1, "NP_MED"),
        ([0], "NP_MED"),
        (0, "MED_FOLLOWUP"),
        ("", "MED_FOLLOWUP"),
        (None, "MED_FOLLOWUP"),
    ],
)
def test_flags_are_read_by_truthiness(desk: Any, flag: Any, code: str) -> None:
    data = desk("classify_visit_request", visit_class="medical", is_new_patient=flag)
    assert (data["appointment_type_code"], data["is_new_patient"]) == (code, code == "NP_MED")


# Openings


def test_each_office_offers_three_half_hours_with_its_provider(desk: Any) -> None:
    data = desk("find_slots", location_ids=["loc_park_ave"])
    assert data["count"] == 3
    assert data["slots"][0] == {
        "slot_id": "slot_loc_park_ave_1",
        "location_id": "loc_park_ave",
        "location": "Park Avenue",
        "provider_id": "prov_chen",
        "provider": "Dr. Amy Chen, MD, FAAD",
        "start": "2026-08-24T09:00",
        "end": "2026-08-24T09:30",
    }
    assert [(slot["start"], slot["end"]) for slot in data["slots"][1:]] == [
        ("2026-08-25T11:30", "2026-08-25T12:00"),
        ("2026-08-26T14:00", "2026-08-26T14:30"),
    ]


@pytest.mark.parametrize(
    ("max_results", "count"),
    [(None, 6), (0, 6), ("", 6), (1, 1), ("2", 2), (9, 9), (400, 9), (-3, 6)],
)
def test_six_openings_unless_told_otherwise(desk: Any, max_results: Any, count: int) -> None:
    data = desk("find_slots", location_ids=ALL_OFFICES, max_results=max_results)
    assert data["count"] == len(data["slots"]) == count


def test_openings_come_in_the_order_asked_for_and_as_often(desk: Any) -> None:
    data = desk(
        "find_slots", location_ids=["windermere", "loc_nowhere", 7, "loc_park_ave", "windermere"], max_results=12
    )
    ids = [slot["slot_id"] for slot in data["slots"]]
    assert ids == [f"slot_loc_{office}_{i}" for office in ("windermere", "park_ave", "windermere") for i in (1, 2, 3)]


@pytest.mark.parametrize(
    ("window", "indexes"),
    [
        pytest.param({"window_start": "2026-08-24T09:00"}, [1, 2, 3], id="start included"),
        pytest.param({"window_start": "2026-08-24T09:01"}, [2, 3], id="a minute late"),
        pytest.param({"window_end": "2026-08-26T14:30"}, [1, 2, 3], id="end included"),
        pytest.param({"window_end": "2026-08-26T14:29"}, [1, 2], id="a minute early"),
        pytest.param({"window_end": "2026-08-25"}, [1], id="a date means its midnight"),
        pytest.param({"window_start": "2026-08-25"}, [2, 3], id="from a date on"),
        pytest.param({"window_start": "", "window_end": None}, [1, 2, 3], id="empty bounds are none"),
        pytest.param({"window_start": " 2026-08-24 09:00:59+05:00 "}, [1, 2, 3], id="seconds and offset dropped"),
        pytest.param({"window_start": "2026-08-24T09:01Z"}, [2, 3], id="Z dropped, not converted"),
        pytest.param({"window_start": "2026-08-27"}, [], id="nothing left"),
    ],
)
def test_a_window_includes_both_its_ends_and_keeps_the_numbers(
    desk: Any, window: dict[str, Any], indexes: list[int]
) -> None:
    slots = desk("find_slots", location_ids=["loc_windermere"], **window)["slots"]
    assert [slot["slot_id"] for slot in slots] == [f"slot_loc_windermere_{index}" for index in indexes]


def test_no_office_means_no_opening(desk: Any) -> None:
    assert desk("find_slots", location_ids=[]) == {"slots": [], "count": 0}


def test_a_bare_text_is_read_letter_by_letter(desk: Any) -> None:
    assert desk("find_slots", location_ids="loc_park_ave") == {"slots": [], "count": 0}


# Booking


@pytest.mark.parametrize("office", ["park_ave", "brooklyn_heights", "windermere"])
@pytest.mark.parametrize("index", [1, 2, 3])
def test_every_offer_can_be_booked(desk: Any, slot: Offer, office: str, index: int) -> None:
    arguments = slot(office, index)
    data = desk("book_appointment", **arguments)
    row = desk.state()["appointments"][-1]
    assert data == {"appointment": row, "status": "booked"}
    assert row["description"]
    assert {key: row[key] for key in arguments if key != "slot_id"} == {
        key: value for key, value in arguments.items() if key != "slot_id"
    }
    assert (row["id"], row["patient_id"], row["status"]) == (4, None, "booked")


def test_a_booking_belongs_to_the_verified_patient(desk: Any, slot: Offer) -> None:
    assert desk.verified("Sam Nguyen")("book_appointment", **slot())["appointment"]["patient_id"] == "pat_sam_nguyen"


def test_a_slot_is_never_used_up(desk: Any, slot: Offer) -> None:
    ids = [desk("book_appointment", **slot())["appointment"]["id"] for _ in range(3)]
    assert ids == [4, 5, 6]
    assert desk("find_slots", location_ids=["loc_park_ave"])["count"] == 3


def test_times_are_compared_to_the_minute_and_stored_so(desk: Any, slot: Offer) -> None:
    sent = slot(start=" 2026-08-24 09:00:45+02:00", end="2026-08-24T09:30:10Z")
    row = desk("book_appointment", **sent)["appointment"]
    assert (row["start"], row["end"]) == ("2026-08-24T09:00", "2026-08-24T09:30")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"location_id": "loc_windermere"}, id="another office"),
        pytest.param({"location_id": "Park Avenue"}, id="the office by name"),
        pytest.param({"provider_id": "prov_ruiz"}, id="another provider"),
        pytest.param({"start": "2026-08-24T09:01"}, id="a minute off"),
        pytest.param({"end": "2026-08-24"}, id="a date alone"),
        pytest.param({"slot_id": "slot_loc_park_ave_2"}, id="another opening"),
    ],
)
def test_a_booking_repeats_its_offer(desk: Any, slot: Offer, changes: dict[str, Any]) -> None:
    assert desk.refused("book_appointment", **slot(**changes)) == "SLOT_MISMATCH"


def test_labels_follow_the_type_and_any_other_type_is_taken(desk: Any, slot: Offer) -> None:
    codes = ["NP_MED", "MED_FOLLOWUP", "MOHS_CONSULT", "ALLERGY_EVAL", "cos_consult", "HAIRCUT"]
    rows = [desk("book_appointment", **slot(appointment_type_code=code))["appointment"] for code in codes]
    assert [row["appointment_type_code"] for row in rows] == codes
    assert len({row["description"] for row in rows}) == 5
    assert rows[4]["description"] == rows[5]["description"]


def test_a_held_allergy_service_is_given_back_and_takes_no_id(desk: Any, slot: Offer) -> None:
    service = slot(appointment_type_code="ALLERGY_SKIN_TESTING")
    first = desk("book_appointment", **service)
    again = desk("book_appointment", **slot(index=2, appointment_type_code="ALLERGY_SKIN_TESTING"))
    assert again == first
    assert desk("book_appointment", **slot())["appointment"]["id"] == 5


def test_allergy_evaluations_can_be_booked_twice(desk: Any, slot: Offer) -> None:
    ids = [desk("book_appointment", **slot(appointment_type_code="ALLERGY_EVAL"))["appointment"]["id"] for _ in "ab"]
    assert ids == [4, 5]


def test_created_at_is_machine_time_not_the_worlds(desk: Any, slot: Offer) -> None:
    assert desk("book_appointment", **slot())["appointment"]["created_at"] == "2027-01-05 09:30:15"


# Moving


@pytest.mark.parametrize("row_id", [1, "1", " 1 ", 1.0, "01"])
def test_moving_is_free_and_keeps_office_provider_and_type(desk: Any, row_id: Any) -> None:
    before = desk.verified().visit(1)
    data = desk(
        "reschedule_appointment",
        appointment_id=row_id,
        new_start="2026-08-24T09:00:30",
        new_end="2026-08-24T09:30Z",
        new_slot_id="slot_loc_windermere_3",
    )
    assert desk.visit(1) == before | {"start": "2026-08-24T09:00", "end": "2026-08-24T09:30"}
    assert data["appointment"] == desk.visit(1)
    assert (data["status"], data["fee_cents"]) == ("rescheduled", 0)
    assert "free" in data["note"]
    assert desk.events() == []
    assert desk.patient("pat_jordan_lee")["balance_cents"] == 12500


def test_moving_asks_neither_for_an_opening_nor_for_order(desk: Any) -> None:
    desk.verified("Maria Alvarez")
    data = desk("reschedule_appointment", appointment_id=2, new_start="2030-01-02T05:00", new_end="2029-01-01")
    assert (data["appointment"]["start"], data["appointment"]["end"]) == ("2030-01-02T05:00", "2029-01-01T00:00")


def test_moving_brings_a_cancelled_visit_back(desk: Any) -> None:
    desk.verified("Alice Romano")("cancel_appointment", appointment_id="3", cancellation_reason_code="weather")
    desk("reschedule_appointment", appointment_id="3", new_start="2026-08-24T09:00", new_end="2026-08-24T09:30")
    assert desk.visit(3)["status"] == "booked"


@pytest.mark.parametrize("row_id", [True, False, 1.5, "1.0", "one", "1 2", [1], {"id": 1}, "9" * 40])
def test_an_id_is_a_whole_number(desk: Any, row_id: Any) -> None:
    move = {"appointment_id": row_id, "new_start": "2026-08-24", "new_end": "2026-08-25"}
    assert desk.verified().refused("reschedule_appointment", **move) == "INVALID_ARGUMENTS"


def test_anothers_visit_isnt_found(desk: Any) -> None:
    move = {"appointment_id": "3", "new_start": "2026-08-24", "new_end": "2026-08-25"}
    assert desk.verified("Jordan Lee").refused("reschedule_appointment", **move) == "NOT_FOUND"


# Cancelling: (start, type, is the fee due?)

BOUNDARIES = [
    pytest.param("2026-08-20T11:59", "MED_FOLLOWUP", 5000, id="medical, 23:59 out"),
    pytest.param("2026-08-20T12:00", "MED_FOLLOWUP", 0, id="medical, 24:00 out"),
    pytest.param("2026-08-20T12:01", "MED_FOLLOWUP", 0, id="medical, 24:01 out"),
    pytest.param("2026-08-19T12:00", "MED_FOLLOWUP", 5000, id="medical, now"),
    pytest.param("2026-08-01T09:00", "MED_FOLLOWUP", 5000, id="medical, past"),
    pytest.param("2026-08-22T11:59", "COS_CONSULT", 12500, id="cosmetic, 71:59 out"),
    pytest.param("2026-08-22T12:00", "COS_CONSULT", 0, id="cosmetic, 72:00 out"),
    pytest.param("2026-08-22T12:01", "COS_CONSULT", 0, id="cosmetic, 72:01 out"),
    pytest.param("2026-08-22T11:59:59", "COS_CONSULT", 12500, id="cosmetic, stored with seconds"),
    pytest.param("2026-08-22T11:59", "COSMIC", 12500, id="whatever begins with COS"),
    pytest.param("2026-08-22T11:59", "cos_consult", 0, id="upper case only"),
]
CANCEL = {"appointment_id": "1", "cancellation_reason_code": "illness"}


@pytest.mark.parametrize(("start", "type_code", "fee_cents"), BOUNDARIES)
def test_the_window_is_strict(desk: Any, start: str, type_code: str, fee_cents: int) -> None:
    desk.verified().write("UPDATE appointments SET start = ?, appointment_type_code = ? WHERE id = 1", start, type_code)
    first = desk("cancel_appointment", **CANCEL)
    if not fee_cents:
        assert (first["status"], first["fee_charged_cents"]) == ("cancelled", 0)
        assert desk.events() == []
        return
    assert (first["status"], first["fee_cents"]) == ("fee_disclosure_required", fee_cents)
    second = desk("cancel_appointment", **CANCEL, fee_disclosed_and_accepted=True)
    assert (second["status"], second["fee_charged_cents"]) == ("cancelled", fee_cents)
    assert desk.patient("pat_jordan_lee")["balance_cents"] == 12500 + fee_cents
    charged = {"patient_id": "pat_jordan_lee", "appointment_id": 1, "fee_cents": fee_cents}
    assert desk.events() == [("cancellation_fee", charged | {"cancellation_reason_code": "illness"})]


@pytest.mark.parametrize(
    ("name", "row_id", "hours", "fee"),
    [
        ("Jordan Lee", 1, "twenty-four hour", "fifty dollars"),
        ("Maria Alvarez", 2, "seventy-two hour", "one hundred twenty-five dollars"),
    ],
)
def test_the_fee_is_disclosed_in_words_before_anything_is_written(
    desk: Any, name: str, row_id: int, hours: str, fee: str
) -> None:
    seed = desk.state()
    data = desk.verified(name)("cancel_appointment", appointment_id=row_id, cancellation_reason_code="other")
    assert set(data) == {"status", "fee_cents", "required_script"}
    for words in (hours, fee, "free", "another time", "cancel"):
        assert words in data["required_script"]
    assert desk.state() == seed


@pytest.mark.parametrize("flag", [False, None, "", 0, []])
def test_only_a_true_flag_accepts_the_fee(desk: Any, flag: Any) -> None:
    data = desk.verified()("cancel_appointment", **CANCEL, fee_disclosed_and_accepted=flag)
    assert data["status"] == "fee_disclosure_required"


def test_the_text_false_accepts_the_fee_too(desk: Any) -> None:
    data = desk.verified()("cancel_appointment", **CANCEL, fee_disclosed_and_accepted="false")
    assert data["fee_charged_cents"] == 5000


def test_outside_the_window_the_flag_charges_nothing(desk: Any) -> None:
    desk.verified("Alice Romano")
    data = desk("cancel_appointment", **CANCEL | {"appointment_id": 3}, fee_disclosed_and_accepted=True)
    assert data["cancellation_reason_code"] == "illness"
    assert "waitlist" in data["note"]
    assert (data["status"], data["fee_charged_cents"]) == ("cancelled", 0)
    assert (desk.patient("pat_alice_romano")["balance_cents"], desk.events()) == (32000, [])


def test_cancelling_twice_charges_once(desk: Any) -> None:
    desk.verified()("cancel_appointment", **CANCEL, fee_disclosed_and_accepted=True)
    once = desk.state()
    again = desk("cancel_appointment", **CANCEL, fee_disclosed_and_accepted=True)
    assert (again["status"], again["fee_charged_cents"]) == ("cancelled", 0)
    assert set(again) == {"status", "fee_charged_cents", "note"}
    assert desk.state() == once


def test_a_reason_is_echoed_whatever_it_is(desk: Any) -> None:
    odd = {"appointment_id": 1, "cancellation_reason_code": ["bored", 7], "fee_disclosed_and_accepted": 1}
    assert desk.verified()("cancel_appointment", **odd)["cancellation_reason_code"] == ["bored", 7]
    assert desk.events()[0][1]["cancellation_reason_code"] == ["bored", 7]


# Waiting

WAIT = {"appointment_type_code": "NP_MED", "location_ids": ["Park Avenue"], "earliest": "2026-08-24"}


@pytest.mark.parametrize(
    ("dates", "stored"),
    [
        pytest.param({}, ("2026-08-24", None), id="no latest stays null"),
        pytest.param({"latest": ""}, ("2026-08-24", None), id="blank latest is null"),
        pytest.param({"latest": "2026-09-30"}, ("2026-08-24", "2026-09-30"), id="both"),
        pytest.param(
            {"earliest": " 2026-08-24T23:30:00-11:00 ", "latest": "2026-09-30Z"},
            ("2026-08-24", "2026-09-30"),
            id="date form",
        ),
    ],
)
def test_a_waitlist_entry_keeps_calendar_dates(desk: Any, dates: dict[str, Any], stored: tuple[Any, Any]) -> None:
    data = desk("join_waitlist", **WAIT | dates)
    row = desk.state()["waitlist"][0]
    assert data == {"waitlist_entry": row, "status": "added"}
    assert row == {
        "id": 1,
        "patient_id": None,
        "appointment_type_code": "NP_MED",
        "location_ids": ["loc_park_ave"],
        "earliest": stored[0],
        "latest": stored[1],
        "created_at": "2027-01-05 09:30:15",
    }


def test_every_wish_is_an_entry_of_its_own(desk: Any) -> None:
    desk.verified()
    assert [desk("join_waitlist", **WAIT)["waitlist_entry"]["id"] for _ in range(2)] == [1, 2]
    assert {row["patient_id"] for row in desk.state()["waitlist"]} == {"pat_jordan_lee"}
    assert desk.events() == []


def test_unknown_offices_and_types_are_kept_as_sent(desk: Any) -> None:
    odd = {"appointment_type_code": "HAIRCUT", "location_ids": ["WINDERMERE ", "Brooklyn", 5, None]}
    entry = desk("join_waitlist", **WAIT | odd)["waitlist_entry"]
    assert entry["location_ids"] == ["loc_windermere", "Brooklyn", 5, None]
    assert entry["appointment_type_code"] == "HAIRCUT"
    assert desk("join_waitlist", **WAIT | {"location_ids": []})["waitlist_entry"]["location_ids"] == []


# Texting


def test_each_text_is_sent_and_logged(desk: Any) -> None:
    text = {"mobile_e164": "+12125550100", "template_id": "appointment_confirmation", "note": "extra"}
    for _ in range(2):
        assert desk("send_sms", **text) == {
            "sent": True,
            "template_id": "appointment_confirmation",
            "mobile_e164": "+12125550100",
        }
    assert desk.events() == [("sms", text)] * 2
