"""Cosmetic desk: prices and consults, with the deposit policy before any booking."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._appointments import BOOKED, insert_booking
from mivas.industries.healthcare.handlers._arguments import moment, slug
from mivas.industries.healthcare.handlers._inputs import Input, Minute, OfficeId, ProviderId, SlotId
from mivas.industries.healthcare.handlers._policy import (
    COSMETIC_CONSULT,
    COSMETIC_DEPOSIT_CENTS,
    COSMETIC_POLICY_LINES,
    COSMETIC_PRICES,
    CosmeticServiceName,
)
from mivas.industries.healthcare.handlers._refusals import missing, unknown_location
from mivas.industries.healthcare.handlers._slots import SLOT_LENGTH
from mivas.industries.healthcare.handlers.offices import find_office
from mivas.state import Arguments, Call, Refusal, tool

UNKNOWN_PROVIDER = Refusal("HTTP_400", "I do not know that provider. Let me search the openings again.")


class _Treatment(Input):
    service: Annotated[CosmeticServiceName, Field(description="Treatment the caller asks about.")]


class _Consult(Input):
    service_interest: Annotated[
        list[CosmeticServiceName], Field(min_length=1, description="Treatments the consult is about.")
    ]
    location_id: Annotated[OfficeId, Field(description="Office of the chosen opening; it has to do cosmetic work.")]
    provider_id: Annotated[ProviderId, Field(description="Provider of the chosen opening.")]
    start: Annotated[Minute, Field(description="Start of the chosen opening, YYYY-MM-DDTHH:MM.")]
    slot_id: NotRequired[Annotated[SlotId, Field(description="Opening the time came from.")]]
    policy_acknowledged: NotRequired[
        Annotated[bool, Field(description="True only after you spoke the policy lines and the caller agreed.")]
    ]


@tool(_Treatment)
def quote_cosmetic_service(call: Call, arguments: Arguments) -> Outcome:
    """Quote a cosmetic treatment whenever a price is asked for; it is the only source of prices. Returns a range in
    cents, or none for a treatment without a list price, and changes nothing. To book use book_cosmetic_consult, for
    paying over time offer_financing."""
    if refusal := missing(arguments, "service"):
        return refusal
    asked = slug(arguments["service"]).replace(" ", "_")
    price = next((price for name, price in COSMETIC_PRICES.items() if name == asked), None)
    if price is None:
        note = "There is no list price; it varies with the treatment chosen at the consult."
        return {"service": arguments["service"], "price_range": None, "note": note}
    _session.remember_amount(call, price.low_cents)
    note = "This is a range; the consult settles the final price."
    return {"service": arguments["service"], "price_range": asdict(price), "note": note}


@tool(_Consult)
def book_cosmetic_consult(call: Call, arguments: Arguments) -> Outcome:
    """Book a cosmetic consult at an opening from find_slots. The first call, without acknowledgement, returns the
    policy lines: speak them, and call again with it set once the caller agrees. Then send the deposit link with
    send_payment_link. Medical visits are booked with book_appointment, prices come from quote_cosmetic_service."""
    if not arguments.get("policy_acknowledged"):
        return {
            "status": "policy_disclosure_required",
            "policy_lines": list(COSMETIC_POLICY_LINES),
            "note": "Speak each line as it stands and get a yes before you book.",
        }
    if refusal := missing(arguments, "location_id", "provider_id", "start", "service_interest"):
        return refusal
    office = find_office(call, arguments["location_id"])
    if office is None:
        return unknown_location(arguments["location_id"])
    if not office["offers_cosmetic"]:
        return Refusal("COSMETIC_NOT_OFFERED", f"Our {office['name']} office does no cosmetic work.")
    provider_id = arguments["provider_id"]
    if call.one("SELECT 1 FROM providers WHERE id = ?", provider_id) is None:
        return UNKNOWN_PROVIDER
    booking = insert_booking(
        call,
        location_id=office["id"],
        provider_id=provider_id,
        type_code=COSMETIC_CONSULT,
        start=arguments["start"],
        end=moment(arguments["start"]) + SLOT_LENGTH,
        description=f"Cosmetic consult: {_interests(arguments['service_interest'])}",
    )
    return {"appointment": booking, "status": BOOKED, "deposit_cents": COSMETIC_DEPOSIT_CENTS}


def _interests(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
