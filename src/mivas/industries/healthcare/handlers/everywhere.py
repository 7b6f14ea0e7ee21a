"""What every desk can do: promise a callback, bring in a person, end the call."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries._shared.speech import count, phone, plain
from mivas.industries.healthcare.handlers._events import log_event
from mivas.industries.healthcare.handlers._inputs import Input, Phone
from mivas.industries.healthcare.handlers._policy import (
    CALLBACK_QUEUES,
    CALLBACK_SLA_HOURS,
    ROUTINE,
    TRANSFER_DESTINATIONS,
    CallbackQueue,
    Priority,
    TransferDestination,
)
from mivas.industries.healthcare.handlers._refusals import missing, unknown_choice
from mivas.state import Arguments, Call, advertised, tool


class _Callback(Input):
    callback_number: Annotated[Phone, Field(description="Number to call back, with country code, confirmed.")]
    queue: Annotated[CallbackQueue, Field(description="Team that should call.")]
    priority: NotRequired[Annotated[Priority, Field(description="How soon they should call; routine when left out.")]]


class _Transfer(Input):
    destination: Annotated[TransferDestination, Field(description="Team that takes the call.")]
    reason: Annotated[
        Literal["caller_request", "clinical_emergency", "identity_locked", "other"],
        Field(description="Why a person has to take over."),
    ]


class _Ending(Input):
    reason: Annotated[Literal["caller_done", "spam", "wrong_number"], Field(description="Why the call is over.")]


@tool(_Callback)
def create_callback_task(call: Call, arguments: Arguments) -> Outcome:
    """Arrange for a team to call back when no tool can answer, or the caller asks for a call. Queues the task and
    returns the promise to speak. To put them through right now use transfer_to_human; a verified patient's clinical
    question belongs in create_clinical_message."""
    if refusal := missing(arguments, "callback_number", "queue"):
        return refusal
    queue = arguments["queue"]
    if queue not in CALLBACK_QUEUES:
        return unknown_choice("UNKNOWN_QUEUE", "callback team", CALLBACK_QUEUES)
    asked = arguments.get("priority")
    hours = next((hours for known, hours in CALLBACK_SLA_HOURS.items() if known == asked), CALLBACK_SLA_HOURS[ROUTINE])
    number = phone(arguments["callback_number"])
    return {
        "task_id": f"cb_{log_event(call, 'callback_task', arguments)}",
        "queue": queue,
        "sla_hours": hours,
        "spoken_commitment": f"Our {plain(queue)} team will call you at {number}, within {count(hours, 'hour')}.",
    }


@tool(_Transfer)
def transfer_to_human(call: Call, arguments: Arguments) -> Outcome:
    """Hand the caller to a person at the first request for one, or in a clinical emergency after you told them to
    dial 911. Records the transfer and ends your part of the call. Never because a question is hard: then use the
    desk's own look-ups, or create_callback_task."""
    if refusal := missing(arguments, "destination", "reason"):
        return refusal
    destination = arguments["destination"]
    if destination not in TRANSFER_DESTINATIONS:
        return unknown_choice("UNKNOWN_DESTINATION", "team to put you through to", TRANSFER_DESTINATIONS)
    log_event(call, "transfer", arguments)
    return {"transferred": True, "destination": destination}


end_call = advertised(
    "end_call",
    """Hang up after goodbyes once the caller needs nothing more, or on spam and wrong numbers. Ends the call for good.
    When the caller wants a person use transfer_to_human instead.""",
    _Ending,
)
