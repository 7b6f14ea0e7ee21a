"""Scheduling: openings, and evaluations booked or cancelled in two steps with a spoken yes between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.legal.handlers import _session
from mivas.industries.legal.handlers._arguments import loose_state, practice_area, text, text_or_null
from mivas.industries.legal.handlers._fees import fee_terms
from mivas.industries.legal.handlers._policy import (
    BOOKED,
    CANCELLATION,
    CANCELLATION_FEE,
    CANCELLED,
    EVALUATION,
    HELD,
    OPEN,
    TOKENS,
    CancellationReason,
    PracticeArea,
)
from mivas.industries.legal.handlers._refusals import (
    BAD_REQUEST,
    NO_CALLER,
    NOT_FOUND,
    SPENT,
    UNKNOWN_AREA,
    absent,
    missing,
)
from mivas.state import Arguments, Call, Refusal, tool

DROPPED_DATE = "earliest_date dropped"
NO_ATTORNEY = Refusal(NOT_FOUND, "I do not find that attorney. Let me look at the openings again.")
NO_SLOT = Refusal(NOT_FOUND, "That time is not on the calendar. Let me look at the openings again.")
NEVER_HELD = Refusal(BAD_REQUEST, "Nothing is on hold yet. Let me set that up and read it back to you first.")
ALREADY_SPENT = Refusal(SPENT, "That one has gone through already. Let me hold it again and read it back to you.")


class _Attorney(TypedDict):
    attorney_id: Annotated[str, Field(description="Attorney as an opening names them, such as a_10.")]


class _Search(TypedDict):
    practice_area: Annotated[PracticeArea, Field(description="Kind of case that was recorded.")]
    state: Annotated[str, Field(description="Two-letter code of the state that was recorded.")]
    earliest_date: Annotated[str, Field(description="First day that suits, YYYY-MM-DD; empty when any day does.")]


class _EvaluationHold(TypedDict):
    slot_id: Annotated[str, Field(description="Opening exactly as find_evaluation_slots returned it.")]
    practice_area: Annotated[PracticeArea, Field(description="Kind of case that was recorded.")]


class _CancellationHold(TypedDict):
    evaluation_id: Annotated[str, Field(description="Booking as confirm_evaluation returned it.")]
    reason: Annotated[CancellationReason, Field(description="Why it is cancelled.")]


class _Confirmation(TypedDict):
    confirmation_token: Annotated[str, Field(description="Token of the hold that was read back, unchanged.")]


@tool(_Attorney)
def get_attorney(call: Call, arguments: Arguments) -> Outcome:
    """Look up an attorney's kinds of case and bar states for your own orientation; it is not for the caller. Names that
    may be spoken come with find_evaluation_slots and hold_evaluation."""
    if refusal := absent(arguments, "attorney_id"):
        return refusal
    row = call.one("SELECT * FROM attorneys WHERE id = ?", text_or_null(arguments, "attorney_id"))
    if row is None:
        return NO_ATTORNEY
    return {
        "attorney_id": row["id"],
        "name": row["name"],
        "practice_areas": json.loads(row["practice_areas"]),
        "bar_states": json.loads(row["bar_states"]),
    }


@tool(_Search)
def find_evaluation_slots(call: Call, arguments: Arguments) -> Outcome:
    """Search open evaluation times for the recorded kind of case and state. Returns times with their attorney and holds
    none; when no time is left after the wanted day, earlier ones come back and say so. Hold the chosen one with
    hold_evaluation."""
    if refusal := absent(arguments, "practice_area", "state", "earliest_date"):
        return refusal
    earliest = text(arguments, "earliest_date") if arguments["earliest_date"] else ""
    fitting = _fitting_slots(call, practice_area(call, arguments["practice_area"]), loose_state(arguments["state"]))
    in_time = [slot for slot in fitting if slot["datetime"][:10] >= earliest]
    slots = in_time or fitting
    relaxed = {"relaxed_filter": DROPPED_DATE} if slots and not in_time else {}
    return {"slots": slots, "count": len(slots), **relaxed}


def _fitting_slots(call: Call, area: str, state: str) -> list[dict[str, str]]:
    """Open times, by id, of attorneys who do such cases and are admitted there. Licences play no part."""
    rows = call.rows(
        "SELECT s.id, s.starts_at, a.id AS attorney_id, a.name, a.practice_areas, a.bar_states "
        "FROM slots s JOIN attorneys a ON a.id = s.attorney_id WHERE s.status = ? ORDER BY s.id",
        OPEN,
    )
    return [
        {
            "slot_id": row["id"],
            "attorney_id": row["attorney_id"],
            "attorney": row["name"],
            "datetime": row["starts_at"],
        }
        for row in rows
        if area in json.loads(row["practice_areas"]) and state in json.loads(row["bar_states"])
    ]


@tool(_EvaluationHold)
def hold_evaluation(call: Call, arguments: Arguments) -> Outcome:
    """Put the chosen time on hold to get the fee terms and the summary to read back. It books nothing: speak the
    summary, wait for a clear yes, then use confirm_evaluation with this token. A new hold replaces the last one; times
    come from find_evaluation_slots."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if refusal := absent(arguments, "slot_id", "practice_area"):
        return refusal
    slot = _slot(call, text_or_null(arguments, "slot_id"))
    if slot is None:
        return NO_SLOT
    area = call.one("SELECT * FROM practice_areas WHERE code = ?", practice_area(call, arguments["practice_area"]))
    if area is None:
        return UNKNOWN_AREA
    terms = fee_terms(area)
    summary = f"Evaluation with {slot['attorney']}, {slot['starts_at'].replace('T', ' at ')}. {terms.spoken()}"
    values = {"caller_id": caller_id, "slot_id": slot["id"], "practice_area": arguments["practice_area"]}
    return {
        "summary": summary,
        "confirmation_token": _store_hold(call, EVALUATION, values | {"summary": summary}),
        "attorney": slot["attorney"],
        "datetime": slot["starts_at"],
        "fee_type": terms.fee_type,
        "consult_fee": terms.consult_fee,
        "contingency_pct_prefiling": terms.pct_prefiling,
        "contingency_pct_litigation": terms.pct_litigation,
    }


def _slot(call: Call, slot_id: str | None) -> dict[str, Any] | None:
    """A time with its attorney, open or not: the callers of a call are few, and a held one may be held again."""
    return call.one(
        "SELECT s.*, a.name AS attorney FROM slots s JOIN attorneys a ON a.id = s.attorney_id WHERE s.id = ?", slot_id
    )


def _store_hold(call: Call, kind: str, values: Mapping[str, object]) -> str:
    """Make this the one hold of its kind, unspent, and return its token."""
    call.execute("DELETE FROM holds WHERE token = ?", TOKENS[kind])
    call.insert("holds", {"token": TOKENS[kind], "kind": kind, **values, "created_at": call.created_at})
    return TOKENS[kind]


@tool(_CancellationHold)
def hold_cancellation(call: Call, arguments: Arguments) -> Outcome:
    """Prepare to cancel a booked evaluation, also when the caller wants another time: a booking is never edited. It
    cancels nothing: read the summary back, wait for a clear yes, then use confirm_cancellation with this token. To
    book anew afterwards start at find_evaluation_slots."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if refusal := absent(arguments, "evaluation_id", "reason"):
        return refusal
    evaluation_id, reason = (text_or_null(arguments, key) for key in ("evaluation_id", "reason"))
    summary = "This cancels your evaluation. There is no cancellation fee."
    values = {"caller_id": caller_id, "evaluation_id": evaluation_id, "reason": reason, "summary": summary}
    return {
        "summary": summary,
        "confirmation_token": _store_hold(call, CANCELLATION, values),
        "evaluation_id": evaluation_id,
        "fee": CANCELLATION_FEE,
    }


@tool(_Confirmation)
def confirm_evaluation(call: Call, arguments: Arguments) -> Outcome:
    """Book the held evaluation after the caller clearly said yes to the summary of hold_evaluation. Needs that hold's
    token, which works once; without a yes do not call it. To undo a booking use hold_cancellation."""
    return _confirm(call, arguments)


@tool(_Confirmation)
def confirm_cancellation(call: Call, arguments: Arguments) -> Outcome:
    """Carry out the cancellation after the caller clearly said yes to the summary of hold_cancellation. Needs that
    hold's token, which works once. The time is not offered again; to book another use find_evaluation_slots."""
    return _confirm(call, arguments)


def _confirm(call: Call, arguments: Arguments) -> Outcome:
    """Spend a token. What happens is the hold's kind, whichever tool it is spent with."""
    if refusal := missing(arguments, "confirmation_token"):
        return refusal
    hold = call.one("SELECT * FROM holds WHERE token = ?", text(arguments, "confirmation_token"))
    if hold is None:
        return NEVER_HELD
    if hold["consumed"]:
        return ALREADY_SPENT
    call.execute("UPDATE holds SET consumed = 1 WHERE token = ?", hold["token"])
    if hold["kind"] == EVALUATION:
        return {"evaluation_id": _book(call, hold), "status": BOOKED}
    call.execute("UPDATE evaluations SET status = ? WHERE id = ?", CANCELLED, hold["evaluation_id"])
    return {"evaluation_id": hold["evaluation_id"], "status": CANCELLED}


def _book(call: Call, hold: Mapping[str, Any]) -> str:
    """Write the evaluation of a hold, take its time off the calendar, and return the new id."""
    slot = _slot(call, hold["slot_id"])
    assert slot is not None  # a hold names a time that existed, and times are never deleted
    area = call.one("SELECT fee_type FROM practice_areas WHERE code = ?", practice_area(call, hold["practice_area"]))
    count = next(call.rows("SELECT count(*) AS rows FROM evaluations"))["rows"]
    evaluation_id = f"ev_{count + 1:03}"
    call.insert(
        "evaluations",
        {
            "id": evaluation_id,
            "caller_id": hold["caller_id"],
            "slot_id": slot["id"],
            "attorney_id": slot["attorney_id"],
            "starts_at": slot["starts_at"],
            "fee_type": area and area["fee_type"],
            "status": BOOKED,
            "created_at": call.created_at,
        },
    )
    call.execute("UPDATE slots SET status = ? WHERE id = ?", HELD, slot["id"])
    return evaluation_id
