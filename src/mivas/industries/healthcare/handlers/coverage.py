"""Coverage desk: plans at an office, the payer's figures, and a new card."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._arguments import given, trimmed
from mivas.industries.healthcare.handlers._events import log_event
from mivas.industries.healthcare.handlers._inputs import (
    CarrierSlug,
    Date,
    GroupNumber,
    Input,
    MemberId,
    OfficeId,
    ProviderId,
)
from mivas.industries.healthcare.handlers._policy import (
    ACCEPTED_CARRIERS,
    BENEFITS,
    REFUSED_CARRIERS,
    UNNAMED_CARRIER,
)
from mivas.industries.healthcare.handlers._refusals import NOT_VERIFIED, missing, unknown_location
from mivas.industries.healthcare.handlers.offices import find_office
from mivas.state import Arguments, Call, Refusal, tool

PAYER_UNAVAILABLE = Refusal(
    "PAYER_UNAVAILABLE",
    "I could not get an answer from the payer for that plan, and I would rather not guess at a copay.",
)

NOT_ACCEPTED = {
    "accepted": False,
    "must_not_assert": False,
    "alternative_locations": [],
    "notes": "No Straus office takes it. Say so plainly, send nobody to a sister office, offer self-pay or a callback.",
    "required_script": (
        "I am sorry, none of our offices accepts that plan. I can talk you through paying on your own, "
        "or have someone call you."
    ),
}
UNCONFIRMED = {
    "accepted": None,
    "must_not_assert": True,
    "required_script": (
        "I cannot confirm that plan over the phone. Our insurance team verifies it before your visit. "
        "I can still book you now and flag it for a benefit check, or arrange a callback."
    ),
}
ACCEPTED = {"accepted": True, "must_not_assert": False}


class _Plan(Input):
    carrier: Annotated[CarrierSlug, Field(description="Carrier as printed on the card; other when it is not listed.")]
    location_id: Annotated[OfficeId, Field(description="Office the question is about.")]
    provider_id: NotRequired[
        Annotated[ProviderId, Field(description="Provider at that office, only when the caller asks about one.")]
    ]


class _Member(Input):
    carrier: Annotated[CarrierSlug, Field(description="Carrier as printed on the card.")]
    member_id: Annotated[MemberId, Field(description="Member id from the card, confirmed by read-back.")]
    dob: Annotated[Date, Field(description="Date of birth of the member, YYYY-MM-DD.")]
    service_date: Annotated[Date, Field(description="Day of the visit, YYYY-MM-DD.")]


class _Card(Input):
    carrier: Annotated[CarrierSlug, Field(description="Carrier on the new card.")]
    member_id: Annotated[MemberId, Field(description="Member id on the new card, confirmed by read-back.")]
    group_number: NotRequired[Annotated[GroupNumber, Field(description="Group number, when the caller has it.")]]
    subscriber_relationship: NotRequired[
        Annotated[
            Literal["self", "spouse", "child", "other"],
            Field(description="How the patient is related to the subscriber."),
        ]
    ]


@tool(_Plan)
def check_plan_accepted(call: Call, arguments: Arguments) -> Outcome:
    """Use before you say anything about a plan being taken at an office. Answers for that carrier and office: taken,
    not taken, or not to be confirmed, with the words to speak. For copay and deductible figures use
    run_eligibility_check, for a new card capture_insurance_update."""
    if refusal := missing(arguments, "carrier", "location_id"):
        return refusal
    carrier = carrier_slug(call, arguments["carrier"])
    office = find_office(call, arguments["location_id"])
    if office is None:
        return unknown_location(arguments["location_id"])
    provider = given(arguments, "provider_id")
    works_there = provider is None or _works_at(call, provider, office["id"])
    return {"carrier": carrier, "location": office["name"]} | (_acceptance(carrier) if works_there else UNCONFIRMED)


def _works_at(call: Call, provider_id: object, location_id: str) -> bool:
    return call.one("SELECT 1 FROM providers WHERE id = ? AND location_id = ?", provider_id, location_id) is not None


def _acceptance(carrier: str) -> dict[str, Any]:
    """Acceptance is the carrier's, the same at every office."""
    if carrier in REFUSED_CARRIERS:
        return NOT_ACCEPTED
    return ACCEPTED if carrier in ACCEPTED_CARRIERS else UNCONFIRMED


def carrier_slug(call: Call, value: object) -> str:
    """The carrier that `value` spells; unknown text in its compact form; a blank is an unnamed carrier."""
    return call.scoring.aliases["carrier"].spelt(trimmed(value)) or UNNAMED_CARRIER


@tool(_Member)
def run_eligibility_check(call: Call, arguments: Arguments) -> Outcome:
    """Ask the payer for copay, deductible and coinsurance once you have the card's member id and the member's date of
    birth. Returns figures for the day of the visit and changes nothing. Whether an office takes the plan is
    check_plan_accepted; when the payer does not answer, offer create_callback_task."""
    if refusal := missing(arguments, "carrier", "member_id", "dob", "service_date"):
        return refusal
    member = call.one(
        "SELECT carrier FROM patients WHERE member_id = ? AND dob = ? ORDER BY id",
        trimmed(arguments["member_id"]),
        arguments["dob"],
    )
    if member is None or carrier_slug(call, member["carrier"]) != carrier_slug(call, arguments["carrier"]):
        return PAYER_UNAVAILABLE
    return asdict(BENEFITS) | {"plan_active": True, "service_date": arguments["service_date"]}


@tool(_Card)
def capture_insurance_update(call: Call, arguments: Arguments) -> Outcome:
    """Save a verified patient's new insurance card; carrier and member id are enough, so do it as soon as the id is
    confirmed. Replaces the plan on file and texts a link for a photo of the card. For a question about acceptance use
    check_plan_accepted, for figures run_eligibility_check."""
    if refusal := missing(arguments, "carrier", "member_id"):
        return refusal
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    # As sent, not as slugged: the chart shows what the desk typed, and plan_name goes stale with it.
    call.execute(
        "UPDATE patients SET carrier = ?, member_id = ? WHERE id = ?",
        arguments["carrier"],
        arguments["member_id"],
        patient_id,
    )
    log_event(call, "insurance_update", {"patient_id": patient_id} | dict(arguments))
    return {
        "updated": True,
        "card_upload_link_sent": True,
        "note": "A link for a photo of the card was sent to the caller by text.",
    }
