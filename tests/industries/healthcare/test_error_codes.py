"""Every error code of the practice, with what makes it, what it says, and that it changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

Step = tuple[str, dict[str, Any]]

VERIFY: Step = ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-12"})
MISS: Step = ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-13"})
OFFER = {
    "slot_id": "slot_loc_park_ave_1",
    "appointment_type_code": "NP_MED",
    "location_id": "loc_park_ave",
    "provider_id": "prov_chen",
    "start": "2026-08-24T09:00",
    "end": "2026-08-24T09:30",
}
CONSULT = {
    "service_interest": ["botox"],
    "location_id": "loc_park_ave",
    "provider_id": "prov_chen",
    "start": "2026-08-24T09:00",
    "policy_acknowledged": True,
}
MOVE = {"appointment_id": "1", "new_start": "2026-08-24T09:00", "new_end": "2026-08-24T09:30"}
CANCEL = {"appointment_id": "1", "cancellation_reason_code": "other"}
WAIT = {"appointment_type_code": "NP_MED", "location_ids": ["loc_park_ave"], "earliest": "2026-08-24"}
MEMBER = {"carrier": "aetna", "member_id": "W123456789", "dob": "1990-04-12", "service_date": "2026-08-24"}

# (code, tool, arguments, steps before, words the message has to carry)
REFUSALS: list[tuple[str, str, dict[str, Any], list[Step], str]] = [
    ("NO_MATCH", *MISS, [], "spelling and the date|front desk|three"),
    ("IDENTITY_LOCKED", *VERIFY, [MISS] * 3, "three|front desk|call you back"),
    ("NOT_VERIFIED", "get_patient_summary", {}, [], "confirm who"),
    ("NOT_VERIFIED", "reschedule_appointment", MOVE, [], ""),
    ("NOT_VERIFIED", "cancel_appointment", CANCEL, [], ""),
    ("NOT_VERIFIED", "capture_insurance_update", {"carrier": "cigna", "member_id": "C1"}, [], ""),
    ("NOT_VERIFIED", "get_account_balance", {}, [], ""),
    ("NOT_VERIFIED", "request_rx_refill", {"medication_name": "aspirin"}, [], ""),
    ("NOT_VERIFIED", "create_clinical_message", {"category": "other"}, [], ""),
    (
        "UNKNOWN_LOCATION",
        "schedule_allergy_service",
        {"service": "skin_testing", "location_id": "Boston"},
        [],
        "Boston",
    ),
    ("UNKNOWN_LOCATION", "check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park"}, [], "loc_park"),
    ("UNKNOWN_LOCATION", "book_cosmetic_consult", CONSULT | {"location_id": "brooklyn"}, [], "brooklyn"),
    ("UNKNOWN_VISIT_CLASS", "classify_visit_request", {"visit_class": "botox"}, [], "allergy, medical or mohs"),
    ("UNKNOWN_SLOT", "book_appointment", OFFER | {"slot_id": "slot_loc_park_ave_4"}, [], "search"),
    ("SLOT_MISMATCH", "book_appointment", OFFER | {"end": "2026-08-24T10:00"}, [], "search again"),
    (
        "USE_COSMETIC_BOOKING",
        "book_appointment",
        OFFER | {"appointment_type_code": "COS_CONSULT"},
        [],
        "cosmetic consult",
    ),
    ("NOT_FOUND", "reschedule_appointment", MOVE | {"appointment_id": "99"}, [VERIFY], "appointment"),
    ("NOT_FOUND", "cancel_appointment", CANCEL | {"appointment_id": "2"}, [VERIFY], "appointment"),
    ("UNKNOWN_SERVICE", "schedule_allergy_service", {"service": "x-ray", "location_id": "windermere"}, [], "x-ray"),
    (
        "NO_AVAILABILITY",
        "schedule_allergy_service",
        {"service": "skin_testing", "location_id": "loc_windermere", "window_start": "2026-08-27"},
        [],
        "another",
    ),
    ("PAYER_UNAVAILABLE", "run_eligibility_check", MEMBER | {"dob": "1990-04-13"}, [], "guess"),
    ("PAYER_UNAVAILABLE", "run_eligibility_check", MEMBER | {"carrier": "cigna"}, [], "guess"),
    ("UNKNOWN_LINE_ITEM", "explain_charge", {"line_item_id": "li_lab"}, [], "billing call you"),
    ("COSMETIC_NOT_OFFERED", "book_cosmetic_consult", CONSULT | {"location_id": "Windermere"}, [], "Windermere"),
    ("HTTP_400", "book_cosmetic_consult", CONSULT | {"provider_id": "prov_who"}, [], "provider"),
    (
        "UNKNOWN_MEDICATION",
        "request_rx_refill",
        {"medication_name": "aspirin"},
        [VERIFY],
        "accutane, adderall, codeine",
    ),
    (
        "UNKNOWN_TEMPLATE",
        "send_sms",
        {"mobile_e164": "+12125550100", "template_id": "greeting"},
        [],
        "appointment confirmation",
    ),
    (
        "UNKNOWN_QUEUE",
        "create_callback_task",
        {"callback_number": "+12125550100", "queue": "sales"},
        [],
        "billing, clinical, cosmetic, front desk or records",
    ),
    (
        "UNKNOWN_DESTINATION",
        "transfer_to_human",
        {"destination": "manager", "reason": "other"},
        [],
        "billing team, clinical triage",
    ),
    ("INVALID_ARGUMENTS", "offer_financing", {}, [], "quote|balance"),
    ("INVALID_ARGUMENTS", "request_fee_waiver", {"fee_line_item_id": "li_visit"}, [], "li_noshow"),
    ("INVALID_ARGUMENTS", "send_portal_activation", {"channel": "fax"}, [], "sms or email"),
    (
        "INVALID_ARGUMENTS",
        "find_slots",
        {"location_ids": ["loc_park_ave"], "window_start": "soon"},
        [],
        "try it again|call you back",
    ),
    ("INVALID_ARGUMENTS", "reschedule_appointment", MOVE | {"appointment_id": "first"}, [VERIFY], "try it again"),
    ("INVALID_ARGUMENTS", "reschedule_appointment", MOVE | {"new_end": "later"}, [VERIFY], ""),
    ("INVALID_ARGUMENTS", "cancel_appointment", CANCEL | {"appointment_id": 1.5}, [VERIFY], ""),
    ("INVALID_ARGUMENTS", "join_waitlist", WAIT | {"latest": "next month"}, [], ""),
    ("INVALID_ARGUMENTS", "book_cosmetic_consult", CONSULT | {"start": "noon"}, [], ""),
    ("INVALID_ARGUMENTS", "book_appointment", OFFER | {"start": "2026-13-01T09:00"}, [], ""),
    ("INVALID_ARGUMENTS", "offer_financing", {"amount_cents": "plenty"}, [], ""),
]

REQUIRED: dict[str, dict[str, Any]] = {
    "verify_identity": VERIFY[1],
    "classify_visit_request": {"visit_class": "medical"},
    "find_slots": {"location_ids": ["loc_park_ave"]},
    "book_appointment": OFFER,
    "reschedule_appointment": MOVE,
    "cancel_appointment": CANCEL,
    "join_waitlist": WAIT,
    "schedule_allergy_service": {"service": "skin_testing", "location_id": "loc_park_ave"},
    "send_sms": {"mobile_e164": "+12125550100", "template_id": "appointment_confirmation"},
    "check_plan_accepted": {"carrier": "aetna", "location_id": "loc_park_ave"},
    "run_eligibility_check": MEMBER,
    "capture_insurance_update": {"carrier": "cigna", "member_id": "C445566778"},
    "explain_charge": {"line_item_id": "li_visit"},
    "send_payment_link": {"mobile_e164": "+12125550100"},
    "request_fee_waiver": {"fee_line_item_id": "li_noshow"},
    "quote_cosmetic_service": {"service": "botox"},
    "book_cosmetic_consult": CONSULT,
    "request_rx_refill": {"medication_name": "xanax"},
    "create_clinical_message": {"category": "other"},
    "send_portal_activation": {"channel": "sms"},
    "create_callback_task": {"callback_number": "+12125550100", "queue": "billing"},
    "transfer_to_human": {"destination": "records", "reason": "other"},
}
MISSING = [
    (tool, key, value)
    for tool, arguments in REQUIRED.items()
    for key in arguments
    if key != "policy_acknowledged"
    for value in (None, "")
]

ALL_CODES = frozenset(
    [
        "INVALID_ARGUMENTS",
        "NOT_VERIFIED",
        "NO_MATCH",
        "IDENTITY_LOCKED",
        "UNKNOWN_LOCATION",
        "UNKNOWN_VISIT_CLASS",
        "UNKNOWN_SLOT",
        "SLOT_MISMATCH",
        "USE_COSMETIC_BOOKING",
        "NOT_FOUND",
        "UNKNOWN_SERVICE",
        "NO_AVAILABILITY",
        "PAYER_UNAVAILABLE",
        "UNKNOWN_LINE_ITEM",
        "COSMETIC_NOT_OFFERED",
        "UNKNOWN_MEDICATION",
        "UNKNOWN_TEMPLATE",
        "UNKNOWN_QUEUE",
        "UNKNOWN_DESTINATION",
        "HTTP_400",
    ]
)


def test_the_table_makes_every_code_and_no_other() -> None:
    assert {code for code, *_ in REFUSALS} == ALL_CODES


@pytest.mark.parametrize(
    ("code", "tool", "arguments", "before", "words"),
    [pytest.param(*case, id=f"{case[0]} {case[1]} {number}") for number, case in enumerate(REFUSALS)],
)
def test_a_refusal_has_its_code_says_why_and_changes_nothing(
    desk: Any, code: str, tool: str, arguments: dict[str, Any], before: list[Step], words: str
) -> None:
    for step in before:
        desk.post(*step)
    untouched = desk.state()
    envelope = desk.post(tool, arguments)
    assert (envelope["ok"], envelope["error_code"]) == (False, code)
    for word in words.split("|"):
        assert word in envelope["patient_safe_message"]
    assert desk.state() == untouched


@pytest.mark.parametrize(("tool", "key", "value"), MISSING)
def test_null_and_blank_count_as_missing_and_are_named(desk: Any, tool: str, key: str, value: Any) -> None:
    untouched = desk.verified().state()
    envelope = desk.post(tool, REQUIRED[tool] | {key: value})
    assert (envelope["ok"], envelope["error_code"]) == (False, "INVALID_ARGUMENTS")
    assert key.replace("_", " ") in envelope["patient_safe_message"]
    assert desk.state() == untouched


@pytest.mark.parametrize("tool", REQUIRED)
def test_the_server_asks_for_exactly_these_arguments(desk: Any, tool: str) -> None:
    desk.verified().post(tool, REQUIRED[tool])
    message = desk.post(tool, {"policy_acknowledged": True})["patient_safe_message"]
    named = {key for key in REQUIRED[tool] if key.replace("_", " ") in message}
    assert named == set(REQUIRED[tool]) - {"policy_acknowledged"}


@pytest.mark.parametrize(
    ("tool", "key", "value", "code"),
    [
        pytest.param("verify_identity", "full_name", "  ", "NO_MATCH", id="blank space"),
        pytest.param("verify_identity", "full_name", [], "NO_MATCH", id="empty list"),
        pytest.param("verify_identity", "full_name", 0, "NO_MATCH", id="zero"),
        pytest.param("verify_identity", "full_name", False, "NO_MATCH", id="false"),
        pytest.param("classify_visit_request", "visit_class", " ", "UNKNOWN_VISIT_CLASS", id="blank visit class"),
        pytest.param("check_plan_accepted", "location_id", " ", "UNKNOWN_LOCATION", id="blank office"),
        pytest.param("check_plan_accepted", "location_id", 7, "UNKNOWN_LOCATION", id="an office that is a number"),
        pytest.param("join_waitlist", "earliest", "  ", "INVALID_ARGUMENTS", id="a blank date is no date"),
        pytest.param("book_appointment", "slot_id", [], "UNKNOWN_SLOT", id="a slot that is a list"),
        pytest.param("send_sms", "template_id", {}, "UNKNOWN_TEMPLATE", id="a template that is an object"),
        pytest.param("find_slots", "location_ids", 5, "INVALID_ARGUMENTS", id="offices that are a number"),
    ],
)
def test_blank_space_zero_false_and_empty_lists_are_not_missing(
    desk: Any, tool: str, key: str, value: Any, code: str
) -> None:
    assert desk.refused(tool, **REQUIRED[tool] | {key: value}) == code


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        pytest.param("capture_insurance_update", {"carrier": "cigna"}, "INVALID_ARGUMENTS", id="keys before identity"),
        pytest.param(
            "cancel_appointment", CANCEL | {"appointment_id": "x"}, "INVALID_ARGUMENTS", id="id before identity"
        ),
        pytest.param("reschedule_appointment", MOVE | {"new_start": "x"}, "NOT_VERIFIED", id="identity before dates"),
        pytest.param("create_clinical_message", {}, "INVALID_ARGUMENTS", id="category before identity"),
        pytest.param("request_rx_refill", {}, "INVALID_ARGUMENTS", id="medication before identity"),
        pytest.param(
            "book_appointment",
            OFFER | {"appointment_type_code": "COS_CONSULT", "slot_id": "x"},
            "USE_COSMETIC_BOOKING",
            id="type before slot",
        ),
        pytest.param(
            "book_appointment", OFFER | {"slot_id": "x", "start": "x"}, "UNKNOWN_SLOT", id="slot before times"
        ),
        pytest.param(
            "book_appointment",
            OFFER | {"location_id": "Park Avenue", "start": "x"},
            "SLOT_MISMATCH",
            id="ids before times",
        ),
        pytest.param(
            "schedule_allergy_service",
            {"service": "x", "location_id": "x"},
            "UNKNOWN_SERVICE",
            id="service before office",
        ),
        pytest.param(
            "book_cosmetic_consult",
            CONSULT | {"location_id": "windermere", "provider_id": "x"},
            "COSMETIC_NOT_OFFERED",
            id="office before provider",
        ),
        pytest.param(
            "book_cosmetic_consult",
            CONSULT | {"provider_id": "x", "start": "x"},
            "HTTP_400",
            id="provider before start",
        ),
    ],
)
def test_checks_come_in_their_order(desk: Any, tool: str, arguments: dict[str, Any], code: str) -> None:
    assert desk.refused(tool, **arguments) == code
