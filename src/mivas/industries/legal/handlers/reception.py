"""Reception: who is calling, what they already have with the firm, and messages for staff."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.legal.handlers import _session
from mivas.industries.legal.handlers._arguments import text
from mivas.industries.legal.handlers._policy import (
    CALLBACK_PROMISE,
    LEAST_NAME_LETTERS,
    LEAST_PHONE_DIGITS,
    NEW_CALLER_ID,
    TAIL_DIGITS,
    name_slips,
)
from mivas.industries.legal.handlers._refusals import NO_CALLER, NOT_FOUND, missing
from mivas.pack.equality import within_edits
from mivas.state import Arguments, Call, Refusal, tool

NOT_ENOUGH = Refusal(
    NOT_FOUND,
    "I could not find or set up a record with that. Please give me your first and last name and a full ten digit "
    "callback number. If it does not work this time, I will bring in one of our staff.",
)
_NOT_A_DIGIT = re.compile("[^0-9]")
_NOT_IN_A_NAME = re.compile("[^a-z ]")


class _Identity(TypedDict):
    full_name: Annotated[str, Field(description="First and last name as the caller gave it.")]
    phone: Annotated[str, Field(description="Ten-digit callback number, digits only.")]


class _NoInput(TypedDict):
    """A tool without arguments."""


class _Message(TypedDict):
    for_whom: Annotated[str, Field(description="Person or team the message is for, in the caller's words.")]
    message: Annotated[str, Field(description="What they want passed on, in one or two sentences.")]


@tool(_Identity)
def lookup_caller(call: Call, arguments: Arguments) -> Outcome:
    """Call this first on every call, as soon as you have name and number. Finds the caller's record or starts a new
    one, and everything done later belongs to it. When it says returning, go on with get_caller_matters; if it fails
    twice, use escalate_to_human."""
    if refusal := missing(arguments, "full_name", "phone"):
        return refusal
    name, digits = text(arguments, "full_name").strip(), _NOT_A_DIGIT.sub("", text(arguments, "phone"))
    known = next((row for row in call.rows("SELECT * FROM callers ORDER BY id") if _is(row, name, digits)), None)
    if known is None and (len(name) < LEAST_NAME_LETTERS or len(digits) < LEAST_PHONE_DIGITS):
        return NOT_ENOUGH
    caller = known or {"id": NEW_CALLER_ID, "name": name, "phone": digits}
    if known is None:
        call.execute("INSERT OR REPLACE INTO callers (id, name, phone) VALUES (?, ?, ?)", NEW_CALLER_ID, name, digits)
    _session.pin_caller(call, caller["id"])
    return {
        "caller_id": caller["id"],
        "name": caller["name"],
        "returning_caller": known is not None,
        "prior_matter_count": len(_matters(call, caller["id"])),
    }


def _is(row: dict[str, Any], name: str, digits: str) -> bool:
    """Whether a record is the caller's: a name close enough, and the same number or its last four digits."""
    same_tail = len(digits) >= TAIL_DIGITS and row["phone"][-TAIL_DIGITS:] == digits[-TAIL_DIGITS:]
    return (row["phone"] == digits or same_tail) and _close(row["name"], name)


def _close(stored: str, spoken: str) -> bool:
    """Whether first and last word agree, give or take a slip measured by the stored name; the middle doesn't count."""
    wanted, heard = (_NOT_IN_A_NAME.sub("", name.strip().lower()) for name in (stored, spoken))
    if not wanted or not heard:
        return False
    # Cut at single spaces: a name whose last token held no letter ends in an empty word.
    pairs = [(wanted.split(" ")[end], heard.split(" ")[end]) for end in (0, -1)]
    return wanted == heard or all(within_edits(word, other, name_slips(len(word))) for word, other in pairs)


def _matters(call: Call, caller_id: str) -> list[dict[str, Any]]:
    return list(call.rows("SELECT * FROM caller_matters WHERE caller_id = ? ORDER BY matter_id", caller_id))


@tool(_NoInput)
def get_caller_matters(call: Call, _arguments: Arguments) -> Outcome:
    """List the matters on file for the identified caller, whenever lookup_caller says they are returning. Tells for
    each whether another firm represents them, and which. For the stage of a matter of ours use get_case_status."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    matters = [
        {
            "matter_id": row["matter_id"],
            "practice_area": row["practice_area"],
            "represented": bool(row["represented"]),
            "firm": row["firm"],
        }
        for row in _matters(call, caller_id)
    ]
    return {"matters": matters, "has_represented_matter": any(matter["represented"] for matter in matters)}


@tool(_Message)
def take_message(call: Call, arguments: Arguments) -> Outcome:
    """Leave word for a person or team when that is all the caller wants, or nothing else can answer them. Stores the
    message and returns the promise of a call back to speak; each call leaves another. A caller who wants a person now
    gets escalate_to_human, and details of a new matter go to add_intake_note."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if refusal := missing(arguments, "for_whom", "message"):
        return refusal
    for_whom = text(arguments, "for_whom")
    row = {"caller_id": caller_id, "for_whom": for_whom, "message": text(arguments, "message")}
    return {
        "message_id": call.insert("messages", row | {"created_at": call.created_at}),
        "status": "delivered",
        "for_whom": for_whom,
        "callback_promised": CALLBACK_PROMISE,
    }
