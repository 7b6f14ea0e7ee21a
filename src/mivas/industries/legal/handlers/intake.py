"""Intake: the matter's record, notes to it, and the paper that goes out."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, Outcome
from mivas.industries.legal.handlers import _session
from mivas.industries.legal.handlers._arguments import given_text, practice_area, text
from mivas.industries.legal.handlers._policy import INTAKE_PACKET, RECORDS_AUTHORIZATION, PacketChannel, PracticeArea
from mivas.industries.legal.handlers._refusals import BAD_REQUEST, NO_CALLER, missing
from mivas.state import Arguments, Call, Refusal, tool

NO_STATE = Refusal(BAD_REQUEST, "Which state did this happen in? The name or the two letter code is fine.")
NO_DATE = Refusal(BAD_REQUEST, "What day did this happen? Please give me the month, the day and the year.")
NOT_YOURS = Refusal(INVALID_ARGUMENTS, "I can only write this down for the person I am speaking with.")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


class _Matter(TypedDict):
    practice_area: Annotated[PracticeArea, Field(description="Kind of case.")]
    state: Annotated[str, Field(description="State where it happened: two-letter code or full name.")]
    incident_date: Annotated[
        str, Field(description="Day it happened, YYYY-MM-DD.", json_schema_extra={"format": "date"})
    ]
    summary: Annotated[
        str, Field(description="What happened, in the caller's words; empty after an unclear conflict check.")
    ]


class _Note(TypedDict):
    note: Annotated[str, Field(description="What to add to the file, in one or two sentences.")]


class _Packet(TypedDict):
    channel: Annotated[PacketChannel, Field(description="Way the caller chose.")]


class _Records(TypedDict):
    provider: Annotated[str, Field(description="Doctor, clinic or hospital that holds the records.")]


@tool(_Matter)
def record_intake(call: Call, arguments: Arguments) -> Outcome:
    """Store the matter once kind, state, day and account are all known, once per call. Writes one intake for the
    identified caller; a second call writes a second one. After an unclear conflict check send an empty summary and then
    use escalate_to_human. Later details go to add_intake_note."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if "caller_id" in arguments:
        return NOT_YOURS
    if refusal := missing(arguments, "practice_area"):
        return refusal
    spoken = {key: text(arguments, key) for key in ("practice_area", "state", "incident_date", "summary")}
    state = call.scoring.canonical("state", given_text(spoken["state"]))
    if state is None:
        return NO_STATE
    incident_date = _calendar_day(given_text(spoken["incident_date"]))
    if incident_date is None:
        return NO_DATE
    row = {
        "caller_id": caller_id,
        "practice_area": practice_area(call, spoken["practice_area"]),
        "state": state,
        "incident_date": incident_date,
        "summary": spoken["summary"],
        "created_at": call.created_at,
    }
    return {
        "intake_id": call.insert("intakes", row),
        "recorded": True,
        "summary_recorded": bool(spoken["summary"].strip()),
    }


def _calendar_day(value: str) -> str | None:
    """`YYYY-MM-DD` of a day written so, or with a single digit for month or day; None for anything else.

    >>> _calendar_day("2026-2-9"), _calendar_day("2026-02-30")
    ('2026-02-09', None)
    """
    found = _DATE.fullmatch(value)
    try:
        return date(*map(int, found.groups())).isoformat() if found else None
    except ValueError:
        return None


@tool(_Note)
def add_intake_note(call: Call, arguments: Arguments) -> Outcome:
    """Add a useful detail to the caller's file, such as a witness or a photo, beyond what record_intake holds. Each
    call adds another note. Word for a named person is take_message instead."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if refusal := missing(arguments, "note"):
        return refusal
    row = {"caller_id": caller_id, "note": text(arguments, "note"), "created_at": call.created_at}
    return {"note_id": call.insert("intake_notes", row), "status": "noted"}


@tool(_Packet)
def send_intake_packet(call: Call, arguments: Arguments) -> Outcome:
    """Send the new client paperwork after record_intake, once the caller has chosen e-mail or text. Each call sends
    another packet. Medical records need request_records_authorization as well."""
    return _send(call, arguments, "channel", INTAKE_PACKET)


@tool(_Records)
def request_records_authorization(call: Call, arguments: Arguments) -> Outcome:
    """Send a release so that the firm can ask for medical records, when the caller was treated, agrees, and has named
    the provider. One call a provider. The general paperwork is send_intake_packet."""
    return _send(call, arguments, "provider", RECORDS_AUTHORIZATION)


def _send(call: Call, arguments: Arguments, key: str, kind: str) -> Outcome:
    """Store a document whose target is the argument `key`, word for word."""
    caller_id = _session.caller_id(call)
    if caller_id is None:
        return NO_CALLER
    if refusal := missing(arguments, key):
        return refusal
    sent = {"kind": kind, "target": text(arguments, key)}
    document_id = call.insert("documents", {"caller_id": caller_id, **sent, "created_at": call.created_at})
    return {"document_id": document_id, "status": "sent", **sent}
