"""Scheduling desk: medical visits, from the request to booking, moving, cancelling and waiting."""

from __future__ import annotations

import json
import sqlite3
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries._shared.speech import dollars, in_words
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._appointments import (
    BOOKED,
    CANCELLED,
    appointment,
    booked_before,
    insert_booking,
)
from mivas.industries.healthcare.handlers._arguments import (
    minute_form,
    moment,
    moment_or_none,
    slug,
    whole_number,
)
from mivas.industries.healthcare.handlers._events import log_event
from mivas.industries.healthcare.handlers._inputs import (
    AppointmentId,
    Date,
    Input,
    Minute,
    OfficeId,
    Phone,
    ProviderId,
    SlotId,
)
from mivas.industries.healthcare.handlers._policy import (
    COSMETIC_CONSULT,
    SMS_TEMPLATES,
    URGENCIES,
    VISIT_CLASSES,
    VISIT_TYPES,
    CancellationRule,
    SmsTemplate,
    Urgency,
    VisitClass,
    VisitType,
    VisitTypeCode,
    cancellation_rule,
    visit_type_code,
)
from mivas.industries.healthcare.handlers._refusals import NOT_VERIFIED, missing, unknown_choice
from mivas.industries.healthcare.handlers._slots import Slot, all_slots, office_slots
from mivas.industries.healthcare.handlers.offices import office_id
from mivas.state import Arguments, Call, Refusal, tool

DEFAULT_RESULTS = 6

UNKNOWN_SLOT = Refusal("UNKNOWN_SLOT", "That time is not open. Let me search the openings again.")
SLOT_MISMATCH = Refusal(
    "SLOT_MISMATCH", "Those details differ from the opening I offered. Let me search again and read the time back."
)
USE_COSMETIC_BOOKING = Refusal(
    "USE_COSMETIC_BOOKING", "Cosmetic consults have a booking of their own, book cosmetic consult. Let me use that one."
)
NOT_FOUND = Refusal("NOT_FOUND", "I do not see that appointment under this patient.")


class _Request(Input):
    visit_class: Annotated[VisitClass, Field(description="Kind of visit: Mohs surgery, allergy, or other medical.")]
    is_new_patient: NotRequired[Annotated[bool, Field(description="True when the patient was never seen here.")]]
    urgency: NotRequired[Annotated[Urgency, Field(description="Only when the caller's need sets it.")]]


class _Search(Input):
    location_ids: Annotated[
        list[OfficeId], Field(min_length=1, description="Offices to search, the preferred one first.")
    ]
    window_start: NotRequired[
        Annotated[Minute, Field(description="Earliest start, YYYY-MM-DDTHH:MM, itself included.")]
    ]
    window_end: NotRequired[Annotated[Minute, Field(description="Latest end, YYYY-MM-DDTHH:MM, itself included.")]]
    max_results: NotRequired[
        Annotated[int, Field(ge=1, le=12, description=f"Most openings to return; {DEFAULT_RESULTS} when left out.")]
    ]


class _Booking(Input):
    slot_id: Annotated[SlotId, Field(description="Opening exactly as find_slots returned it.")]
    appointment_type_code: Annotated[VisitTypeCode, Field(description="Type that classify_visit_request returned.")]
    location_id: Annotated[OfficeId, Field(description="Office of that opening.")]
    provider_id: Annotated[ProviderId, Field(description="Provider of that opening.")]
    start: Annotated[Minute, Field(description="Start of that opening, YYYY-MM-DDTHH:MM.")]
    end: Annotated[Minute, Field(description="End of that opening, YYYY-MM-DDTHH:MM.")]


class _Move(Input):
    appointment_id: Annotated[AppointmentId, Field(description="Appointment to move, from the chart summary.")]
    new_start: Annotated[Minute, Field(description="New start, YYYY-MM-DDTHH:MM, from the chosen opening.")]
    new_end: Annotated[Minute, Field(description="New end, YYYY-MM-DDTHH:MM, from the chosen opening.")]
    new_slot_id: NotRequired[Annotated[SlotId, Field(description="Opening the new time came from.")]]


class _Cancellation(Input):
    appointment_id: Annotated[AppointmentId, Field(description="Appointment to cancel, from the chart summary.")]
    cancellation_reason_code: Annotated[
        Literal["patient_request", "provider_request", "weather", "illness", "other"],
        Field(description="Why it is cancelled."),
    ]
    fee_disclosed_and_accepted: NotRequired[
        Annotated[bool, Field(description="True only after you spoke the fee and the caller accepted it.")]
    ]


class _Waiting(Input):
    appointment_type_code: Annotated[VisitTypeCode, Field(description="Type of visit they wait for.")]
    location_ids: Annotated[list[OfficeId], Field(min_length=1, description="Offices that would suit.")]
    earliest: Annotated[Date, Field(description="First day that suits, YYYY-MM-DD.")]
    latest: NotRequired[
        Annotated[Date, Field(description="Last day that suits, YYYY-MM-DD; leave out when the caller named none.")]
    ]


class _Text(Input):
    mobile_e164: Annotated[Phone, Field(description="Mobile number with country code, such as +12125550100.")]
    template_id: Annotated[SmsTemplate, Field(description="Which text to send.")]


@tool(_Request)
def classify_visit_request(_call: Call, arguments: Arguments) -> Outcome:
    """Use first for every medical, Mohs or allergy visit request, before you search for times. Returns the
    appointment type code, the credential and length the visit needs, and its urgency; books nothing. Continue with
    find_slots; for a named allergy service use schedule_allergy_service, for cosmetic wishes book_cosmetic_consult."""
    if refusal := missing(arguments, "visit_class"):
        return refusal
    asked = slug(arguments["visit_class"])
    visit_class = next((known for known in VISIT_CLASSES if known == asked), None)
    if visit_class is None:
        return unknown_choice("UNKNOWN_VISIT_CLASS", "kind of visit", VISIT_CLASSES)
    is_new_patient = bool(arguments.get("is_new_patient"))
    code = visit_type_code(visit_class, is_new_patient=is_new_patient)
    return {
        "appointment_type_code": code,
        "visit_class": visit_class,
        "required_credential": VISIT_TYPES[code].required_credential,
        "duration_min": VISIT_TYPES[code].duration_min,
        "urgency": _urgency(arguments, VISIT_TYPES[code]),
        "constraints": list(VISIT_TYPES[code].constraints),
        "is_new_patient": is_new_patient,
    }


def _urgency(arguments: Arguments, visit: VisitType) -> str:
    asked = slug(arguments.get("urgency"))
    return asked if asked in URGENCIES else visit.urgency


@tool(_Search)
def find_slots(call: Call, arguments: Arguments) -> Outcome:
    """Search open times at one or more offices once you know what is to be booked or moved. Returns openings with
    provider, start and end, office by office; it holds none of them. Book with book_appointment or
    book_cosmetic_consult, move with reschedule_appointment; when nothing suits, offer join_waitlist."""
    if refusal := missing(arguments, "location_ids"):
        return refusal
    earliest = moment_or_none(arguments, "window_start")
    latest = moment_or_none(arguments, "window_end")
    offices = [office for item in arguments["location_ids"] if (office := office_id(call, item)) is not None]
    slots = [
        slot.offer()
        for office in offices
        for slot in office_slots(call, office)
        if (earliest is None or slot.start >= earliest) and (latest is None or slot.end <= latest)
    ][: _most(arguments.get("max_results"))]
    return {"slots": slots, "count": len(slots)}


def _most(value: object) -> int:
    """Cap on results: nothing, zero and less mean the default; there is no upper limit."""
    asked = whole_number(value or 0)
    return asked if asked > 0 else DEFAULT_RESULTS


@tool(_Booking)
def book_appointment(call: Call, arguments: Arguments) -> Outcome:
    """Book a medical visit after the caller agreed to one opening that you read back. Takes every field of that
    opening from find_slots and writes the appointment; calling it twice books twice. Use book_cosmetic_consult for
    cosmetic work, schedule_allergy_service for allergy services, reschedule_appointment to move a visit."""
    if refusal := missing(arguments, "slot_id", "appointment_type_code", "location_id", "provider_id", "start", "end"):
        return refusal
    type_code = arguments["appointment_type_code"]
    if type_code == COSMETIC_CONSULT:
        return USE_COSMETIC_BOOKING
    slot = next((slot for slot in all_slots(call) if slot.slot_id == arguments["slot_id"]), None)
    if slot is None:
        return UNKNOWN_SLOT
    if not _repeats_offer(arguments, slot):
        return SLOT_MISMATCH
    return {"appointment": _booked(call, slot, type_code), "status": BOOKED}


def _repeats_offer(arguments: Arguments, slot: Slot) -> bool:
    """Whether office and provider are the slot's to the letter, and start and end to the minute."""
    return (
        arguments["location_id"] == slot.location_id
        and arguments["provider_id"] == slot.provider_id
        and moment(arguments["start"]) == slot.start
        and moment(arguments["end"]) == slot.end
    )


def _booked(call: Call, slot: Slot, type_code: Any) -> dict[str, Any]:
    """A new row, or the one that the table's allergy rule says is held already."""
    label = next((visit.label for code, visit in VISIT_TYPES.items() if code == type_code), "Appointment")
    try:
        return insert_booking(
            call,
            location_id=slot.location_id,
            provider_id=slot.provider_id,
            type_code=type_code,
            start=minute_form(slot.start),
            end=slot.end,
            description=label,
        )
    except sqlite3.IntegrityError:
        held = booked_before(call, slot.location_id, type_code)
        if held is None:
            raise
        return held


@tool(_Move)
def reschedule_appointment(call: Call, arguments: Arguments) -> Outcome:
    """Move a verified patient's appointment to a new time that the caller agreed to. Keeps office, provider and type,
    and is always free; offer it before cancel_appointment. Find the new time with find_slots; an additional visit is
    booked with book_appointment instead."""
    if refusal := missing(arguments, "appointment_id", "new_start", "new_end"):
        return refusal
    row = _own_appointment(call, arguments)
    if isinstance(row, Refusal):
        return row
    start, end = (minute_form(moment(arguments[key])) for key in ("new_start", "new_end"))
    call.execute('UPDATE appointments SET start = ?, "end" = ?, status = ? WHERE id = ?', start, end, BOOKED, row["id"])
    return {
        "appointment": appointment(call, row["id"]),
        "status": "rescheduled",
        "fee_cents": 0,
        "note": "Moving a visit is free. Tell the caller so.",
    }


def _own_appointment(call: Call, arguments: Arguments) -> dict[str, Any] | Refusal:
    """The verified patient's appointment. Raises ValueError when the id isn't a whole number."""
    row_id = whole_number(arguments["appointment_id"])
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    row = call.one("SELECT * FROM appointments WHERE id = ? AND patient_id = ?", row_id, patient_id)
    return NOT_FOUND if row is None else row


@tool(_Cancellation)
def cancel_appointment(call: Call, arguments: Arguments) -> Outcome:
    """Cancel a verified patient's appointment when they decline to move it. Inside the notice window the first call
    only returns the fee script: speak it, and call again with the acceptance flag once the caller accepts. A moved
    visit costs nothing, so offer reschedule_appointment first; afterwards offer find_slots or join_waitlist."""
    if refusal := missing(arguments, "appointment_id", "cancellation_reason_code"):
        return refusal
    row = _own_appointment(call, arguments)
    if isinstance(row, Refusal):
        return row
    if row["status"] == CANCELLED:
        return {"status": CANCELLED, "fee_charged_cents": 0, "note": "It was cancelled before. Nothing was charged."}
    rule = cancellation_rule(row["appointment_type_code"])
    is_late = moment(row["start"]) - call.now < rule.window
    if is_late and not arguments.get("fee_disclosed_and_accepted"):
        return {
            "status": "fee_disclosure_required",
            "fee_cents": rule.fee_cents,
            "required_script": _fee_script(rule),
        }
    fee_cents = rule.fee_cents if is_late else 0
    call.execute("UPDATE appointments SET status = ? WHERE id = ?", CANCELLED, row["id"])
    if fee_cents:
        _charge(call, row, fee_cents, arguments["cancellation_reason_code"])
    return {
        "status": CANCELLED,
        "fee_charged_cents": fee_cents,
        "cancellation_reason_code": arguments["cancellation_reason_code"],
        "note": "Offer to book a new time, or a place on the waitlist.",
    }


def _fee_script(rule: CancellationRule) -> str:
    return (
        f"Your visit is inside the {in_words(rule.window_hours)} hour notice window, so cancelling it now carries a "
        f"fee of {dollars(rule.fee_cents)}. Moving it to another time is free. "
        "Would you like another time, or shall I still cancel it?"
    )


def _charge(call: Call, row: dict[str, Any], fee_cents: int, reason: object) -> None:
    call.execute("UPDATE patients SET balance_cents = balance_cents + ? WHERE id = ?", fee_cents, row["patient_id"])
    payload = {
        "patient_id": row["patient_id"],
        "appointment_id": row["id"],
        "fee_cents": fee_cents,
        "cancellation_reason_code": reason,
    }
    log_event(call, "cancellation_fee", payload)


@tool(_Waiting)
def join_waitlist(call: Call, arguments: Arguments) -> Outcome:
    """Put a caller on the waitlist when no opening suits and they want to hear of an earlier one. Adds one entry for
    the named offices and calendar dates; calling it twice adds two. To book an opening that exists use
    book_appointment; to promise a call about something else use create_callback_task."""
    if refusal := missing(arguments, "appointment_type_code", "location_ids", "earliest"):
        return refusal
    latest = moment_or_none(arguments, "latest")
    offices = [office_id(call, item) or item for item in arguments["location_ids"]]
    entry_id = call.insert(
        "waitlist",
        {
            "patient_id": _session.patient_id(call),
            "appointment_type_code": arguments["appointment_type_code"],
            "location_ids": json.dumps(offices),
            "earliest": moment(arguments["earliest"]).date().isoformat(),
            "latest": None if latest is None else latest.date().isoformat(),
            "created_at": call.created_at,
        },
    )
    entry = next(call.rows("SELECT * FROM waitlist WHERE id = ?", entry_id))
    return {"waitlist_entry": entry | {"location_ids": offices}, "status": "added"}


@tool(_Text)
def send_sms(call: Call, arguments: Arguments) -> Outcome:
    """Text an appointment confirmation, only after a booking or move went through and only when the caller asked for
    one. Each call sends another text. For payments use send_payment_link, for the portal send_portal_activation."""
    if refusal := missing(arguments, "mobile_e164", "template_id"):
        return refusal
    template = arguments["template_id"]
    if template not in SMS_TEMPLATES:
        return unknown_choice("UNKNOWN_TEMPLATE", "text message", SMS_TEMPLATES)
    log_event(call, "sms", arguments)
    return {"sent": True, "template_id": template, "mobile_e164": arguments["mobile_e164"]}
