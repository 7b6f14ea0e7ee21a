"""What every desk can do: bring in a person, end the call."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.legal.handlers import _session
from mivas.industries.legal.handlers._arguments import text
from mivas.industries.legal.handlers._policy import ReasonCode
from mivas.industries.legal.handlers._refusals import missing
from mivas.state import Arguments, Call, advertised, tool


class _Escalation(TypedDict):
    reason_code: Annotated[ReasonCode, Field(description="Rule that makes a person take over.")]


class _Ending(TypedDict):
    reason: Annotated[str, Field(description="Why the call is over, in a few words.")]


@tool(_Escalation)
def escalate_to_human(call: Call, arguments: Arguments) -> Outcome:
    """Hand the caller to staff when they want a person, a rule demands it, or two tries at a needed item failed.
    Records the reason and ends your part of the call, so say first that a person takes over. Never because a question
    is hard or the call is long; when nothing is owed use end_call."""
    if refusal := missing(arguments, "reason_code"):
        return refusal
    reason_code = text(arguments, "reason_code")
    row = {"caller_id": _session.caller_id(call) or "", "reason_code": reason_code, "created_at": call.created_at}
    return {"escalation_id": call.insert("escalations", row), "transferred": True, "reason_code": reason_code}


end_call = advertised(
    "end_call",
    """Hang up after goodbyes once nothing is owed, or at once on spam, a wrong number, or after sending a live
    emergency to 911. Ends the call for good. When a person has to take over use escalate_to_human instead.""",
    _Ending,
)
