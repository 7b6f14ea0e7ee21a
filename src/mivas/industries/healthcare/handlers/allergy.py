"""Allergy services: one booking each per patient and office, with preparation and observation time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.healthcare.handlers._appointments import booked_before, insert_booking
from mivas.industries.healthcare.handlers._arguments import minute_form, moment_or_none, slug
from mivas.industries.healthcare.handlers._inputs import Input, Minute, OfficeId
from mivas.industries.healthcare.handlers._policy import (
    ALLERGY_SERVICES,
    AllergyServiceName,
    allergy_type_code,
)
from mivas.industries.healthcare.handlers._refusals import missing, unknown_location
from mivas.industries.healthcare.handlers._slots import SLOT_LENGTH, Slot, office_slots
from mivas.industries.healthcare.handlers.offices import office_id
from mivas.state import Arguments, Call, Refusal, tool

NO_AVAILABILITY = Refusal("NO_AVAILABILITY", "Nothing is open inside that window. Shall we try another one?")


class _Service(Input):
    service: Annotated[AllergyServiceName, Field(description="Allergy service to book.")]
    location_id: Annotated[OfficeId, Field(description="Office where it takes place.")]
    window_start: NotRequired[
        Annotated[Minute, Field(description="Earliest start to search from, YYYY-MM-DDTHH:MM, itself included.")]
    ]
    window_end: NotRequired[
        Annotated[Minute, Field(description="Latest end of the whole visit, YYYY-MM-DDTHH:MM, itself included.")]
    ]


@tool(_Service)
def schedule_allergy_service(call: Call, arguments: Arguments) -> Outcome:
    """Book an allergy service (testing, challenge, shot, drops, asthma check, build-up) at one office once the caller
    agreed. Takes the first time inside the window and returns preparation, observation time and return visits to tell
    them; a service they already hold there is returned instead of booked again. For a plain allergy evaluation use
    classify_visit_request and book_appointment."""
    if refusal := missing(arguments, "service", "location_id"):
        return refusal
    asked = slug(arguments["service"])
    service = next((name for name in ALLERGY_SERVICES if name == asked), None)
    if service is None:
        return Refusal("UNKNOWN_SERVICE", f"I do not know an allergy service called {arguments['service']}.")
    office = office_id(call, arguments["location_id"])
    if office is None:
        return unknown_location(arguments["location_id"])
    held = booked_before(call, office, allergy_type_code(service))
    if held is not None:
        return _answer(service, held, idempotent=True)
    total = SLOT_LENGTH + timedelta(minutes=ALLERGY_SERVICES[service].observation_min)
    earliest = moment_or_none(arguments, "window_start")
    latest = moment_or_none(arguments, "window_end")
    slot = _first_fitting(office_slots(call, office), total, earliest, latest)
    if slot is None:
        return NO_AVAILABILITY
    booking = insert_booking(
        call,
        location_id=office,
        provider_id=slot.provider_id,
        type_code=allergy_type_code(service),
        start=minute_form(slot.start),
        end=slot.start + total,
        description=f"Allergy service: {service}",
    )
    return _answer(service, booking, idempotent=False)


def _first_fitting(
    slots: list[Slot], total: timedelta, earliest: datetime | None, latest: datetime | None
) -> Slot | None:
    """First opening after which the whole visit fits into the window, both bounds included."""
    for slot in slots:
        if (earliest is None or slot.start >= earliest) and (latest is None or slot.start + total <= latest):
            return slot
    return None


def _answer(service: AllergyServiceName, booking: dict[str, object], *, idempotent: bool) -> dict[str, object]:
    rules = ALLERGY_SERVICES[service]
    note = (
        "They hold this booking already; nothing new was made."
        if idempotent
        else "Tell the caller about preparation, observation time and return visits."
    )
    return {
        "appointment": booking,
        "idempotent": idempotent,
        "prep_instructions": rules.prep,
        "observation_minutes_after": rules.observation_min,
        "linked_return_visits": list(rules.return_visits),
        "note": note,
    }
