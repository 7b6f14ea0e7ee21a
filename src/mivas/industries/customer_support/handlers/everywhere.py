"""What every desk can do: bring in a person, end the call."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._session import identified_id
from mivas.state import Arguments, Call, advertised, tool

OUT_OF_SCOPE = "out_of_scope"


class _Escalation(TypedDict):
    reason_code: Annotated[
        str,
        Field(
            description="Why: scam_report, product_safety, recall, damaged_delivery, billing_dispute, retention_save, "
            "not_authorized, identity_failed, marketplace_seller, complaint, caller_request or out_of_scope."
        ),
    ]


class _Ending(TypedDict):
    reason: NotRequired[Annotated[str, Field(description="Why the call is over.")]]


@tool(_Escalation)
def escalate_to_human(call: Call, arguments: Arguments) -> Outcome:
    """Hand the caller to a Kestrel care advocate: when they ask for a person, when a rule says so, or when needed
    facts could not be had in two tries. Announce it first; it ends your part for good, so finish what is owed. When
    everything is done use end_call instead."""
    reason = call.scoring.canonical("reason_code", arguments.get("reason_code")) or OUT_OF_SCOPE
    row = {"customer_id": identified_id(call) or "", "reason_code": reason}
    return {"escalation_id": call.insert("escalations", row), "transferred": True, "reason_code": reason}


end_call = advertised(
    "end_call",
    """Hang up after goodbyes once the caller needs nothing more, or at once on spam and wrong numbers. Never while
    something is still owed. When they want a person use escalate_to_human instead.""",
    _Ending,
)
