"""Tool handlers of the qualification fixture: one booking tool in an envelope of its own."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from mivas.state import Arguments, Call, Refusal, Toolset, advertised, tool


class _Done(TypedDict):
    success: bool


class _Booked(TypedDict):
    success: bool
    date: NotRequired[str]
    error: NotRequired[str]


class _NoInput(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]


class _Appointment(TypedDict):
    date: Annotated[str, Field(description="Agreed calendar date of the repair, MM/DD/YYYY.")]


class _Ending(TypedDict):
    reason: Annotated[str, Field(description="Why the call is over, in a few words.")]


handoff_to_scheduler = advertised(
    "handoff_to_scheduler",
    "Hand the caller to the scheduler as soon as they want a repair appointment. Takes no arguments.",
    _NoInput,
    _Done,
)


@tool(_Appointment, _Booked)
def schedule_appointment(call: Call, arguments: Arguments) -> dict[str, object] | Refusal:
    """Book the repair for a date that you and the caller have both agreed on. Returns the booked date."""
    date = arguments.get("date")
    if not isinstance(date, str):
        return Refusal("INVALID_ARGUMENTS", "A date is needed before the repair can be booked.")
    call.insert("appointments", {"date": date, "created_at": call.created_at})
    return {"date": date}


end_call = advertised(
    "end_call",
    "Hang up once the appointment is confirmed, or when the caller is finished or reached a wrong number.",
    _Ending,
    _Done,
)

TOOLS = Toolset(
    tools=(handoff_to_scheduler, schedule_appointment, end_call),
    unexpected=Refusal("INVALID_ARGUMENTS", "The booking did not go through. Please try again."),
)
