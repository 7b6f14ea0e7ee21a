"""Client services: where a client's own matter stands."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.legal.handlers import _session
from mivas.industries.legal.handlers._arguments import text_or_null
from mivas.industries.legal.handlers._refusals import NO_CALLER, NOT_FOUND, absent
from mivas.state import Arguments, Call, Refusal, tool

NO_STATUS = Refusal(
    NOT_FOUND, "I have no status to give you on that. I can leave word for the case manager to call you back."
)


class _Matter(TypedDict):
    matter_id: Annotated[str, Field(description="Matter exactly as get_caller_matters returned it.")]


@tool(_Matter)
def get_case_status(call: Call, arguments: Arguments) -> Outcome:
    """Read where one of the identified client's own matters with the firm stands, with a matter that get_caller_matters
    listed. Returns stage, plain words and case manager; somebody else's matter is not found. Questions it leaves open
    go to take_message."""
    if refusal := absent(arguments, "matter_id"):
        return refusal
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    row = call.one(
        "SELECT matter_id, status, status_text, case_manager FROM matter_status WHERE matter_id = ? AND caller_id = ?",
        text_or_null(arguments, "matter_id"),
        caller_id,
    )
    return NO_STATUS if row is None else row
