"""Clinical desk: refills, results, messages and the portal. Nothing here tells a result or approves a drug."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, Outcome
from mivas.industries._shared.speech import count, listed, plain
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._arguments import given, slug, trimmed
from mivas.industries.healthcare.handlers._events import log_event
from mivas.industries.healthcare.handlers._inputs import Input, Phone
from mivas.industries.healthcare.handlers._policy import (
    CALLBACK_WINDOWS,
    FORMULARY,
    PORTAL_CHANNELS,
    PORTAL_LINK_HOURS,
    REFILL_ROUTES,
    ROUTINE,
    MedicationName,
    PortalChannel,
    Priority,
)
from mivas.industries.healthcare.handlers._refusals import NOT_VERIFIED, missing, unknown_choice
from mivas.state import Arguments, Call, Refusal, tool

BAD_CHANNEL = Refusal(INVALID_ARGUMENTS, f"I can send the portal link by {listed(PORTAL_CHANNELS)} only.")
DEFAULT_ORDER = "lab"


class _Refill(Input):
    medication_name: Annotated[MedicationName, Field(description="Medication the caller wants refilled.")]


class _Order(Input):
    order_type: Annotated[Literal["pathology", "lab", "allergy"], Field(description="Kind of test asked about.")]


class _Message(Input):
    category: Annotated[
        Literal["nurse_question", "results_followup", "rx_question", "other"],
        Field(description="What the message is about."),
    ]
    priority: NotRequired[
        Annotated[Priority, Field(description="How soon an answer is needed; routine when left out.")]
    ]
    callback_number: NotRequired[
        Annotated[Phone, Field(description="Number to call back, with country code, when not the one on file.")]
    ]


class _Activation(Input):
    channel: Annotated[PortalChannel, Field(description="How to send the link.")]


@tool(_Refill)
def request_rx_refill(call: Call, arguments: Arguments) -> Outcome:
    """File a refill request once for every medication a verified patient names, before any other talk about it.
    Returns where it goes and what to say; it never approves one. For a drug that is not listed, or a prior
    authorisation, use create_clinical_message."""
    if refusal := missing(arguments, "medication_name"):
        return refusal
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    asked = slug(arguments["medication_name"])
    route_name = next((route for medication, route in FORMULARY.items() if medication == asked), None)
    if route_name is None:
        return unknown_choice("UNKNOWN_MEDICATION", "medication on my list", FORMULARY)
    route = REFILL_ROUTES[route_name]
    log_event(call, "rx_refill_request", {"patient_id": patient_id} | dict(arguments) | {"route": route_name})
    answer: dict[str, object] = {
        "route": route_name,
        "hard_stop": route.hard_stop,
        "approved": False,
        "note": route.note,
    }
    return answer | ({"spoken_commitment": route.note} if route.is_commitment else {})


@tool(_Order)
def get_results_status(_call: Call, arguments: Arguments) -> Outcome:
    """Look up where pathology, lab or allergy results stand when the caller asks for them. Returns the status and the
    approved words, never the content. When they want to hear from a clinician use create_clinical_message, to read
    results online send_portal_activation."""
    order = plain(trimmed(given(arguments, "order_type")) or DEFAULT_ORDER)
    return {
        "status": "resulted_pending_review",
        "approved_script": (
            f"Your {order} results have come back, and our clinical side is reviewing them. A clinician will contact "
            "you about them. I cannot read results over the phone, but I can file a message for you."
        ),
    }


@tool(_Message)
def create_clinical_message(call: Call, arguments: Arguments) -> Outcome:
    """Leave a verified patient's question, results follow-up or prescription request for the clinical team. Queues the
    message and returns the callback window to speak. A refill itself is request_rx_refill; for anything that is not
    clinical use create_callback_task."""
    if refusal := missing(arguments, "category"):
        return refusal
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    asked = str(arguments.get("priority")).lower()
    priority = next((known for known in CALLBACK_WINDOWS if known == asked), ROUTINE)
    payload = {"patient_id": patient_id} | dict(arguments) | {"priority": priority}
    window = CALLBACK_WINDOWS[priority]
    return {
        "message_id": f"cm_{log_event(call, 'clinical_message', payload)}",
        "queued": True,
        "priority": priority,
        "category": arguments["category"],
        "callback_window": window,
        "spoken_commitment": f"Our clinical team will call you back {window}.",
    }


@tool(_Activation)
def send_portal_activation(call: Call, arguments: Arguments) -> Outcome:
    """Send the link that activates the patient portal, on any results call where it is inactive or when asked. The
    link expires, and the chart changes only once it is used. For appointment texts use send_sms, for payments
    send_payment_link."""
    if refusal := missing(arguments, "channel"):
        return refusal
    channel = slug(arguments["channel"])
    if channel not in PORTAL_CHANNELS:
        return BAD_CHANNEL
    log_event(call, "portal_activation", {"channel": channel})
    return {"sent": True, "channel": channel, "expires": count(PORTAL_LINK_HOURS, "hour")}
