"""Screening: may the firm hear the matter, does it take such cases, is it licensed there, and is there time left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.legal.handlers._arguments import loose_state, practice_area
from mivas.industries.legal.handlers._fees import fee_terms
from mivas.industries.legal.handlers._policy import DAYS_A_YEAR, PracticeArea, deadline_status
from mivas.industries.legal.handlers._refusals import BAD_REQUEST, NOT_FOUND, UNKNOWN_AREA, absent
from mivas.pack.equality import tolerated_edits, within_edits
from mivas.state import Arguments, Call, Refusal, Unreadable, tool

CLEAR = "clear"
FIRM_WIDE = "default"
CONFIDENTIALITY = "Whatever the caller says from here on is confidential, and does not make them a client yet."
REPORT_ONLY = "Report the date and nothing else. What it means for the case is for an attorney to say."

NO_PERIOD = Refusal(
    NOT_FOUND, "I do not have a filing date for that kind of case in that state. An attorney will look at the timing."
)
NO_DATE = Refusal(BAD_REQUEST, "I need the day it happened. Could you give me the month, the day and the year?")
_TOKEN = re.compile(r"[^\W_]+")


class _Party(TypedDict):
    opposing_party: Annotated[str, Field(description="Name of the person or company the caller would claim against.")]


class _Area(TypedDict):
    practice_area: Annotated[PracticeArea, Field(description="Kind of case.")]


class _Place(TypedDict):
    state: Annotated[str, Field(description="Two-letter code of the state where it happened.")]
    practice_area: Annotated[PracticeArea, Field(description="Kind of case.")]


class _Incident(_Place):
    incident_date: Annotated[str, Field(description="Day it happened, YYYY-MM-DD.")]


@tool(_Party)
def check_conflict(call: Call, arguments: Arguments) -> Outcome:
    """Run this before you hear any facts of a new matter, as soon as the other side has a name. Answers clear, conflict
    or unclear, and whether you may go on; it stores nothing. Only on clear continue with check_practice_area; when
    the caller will not name anybody use escalate_to_human."""
    if refusal := absent(arguments, "opposing_party"):
        return refusal
    status = _conflict_status(call, _spoken(arguments["opposing_party"]))
    return {
        "status": status,
        "opposing_party": arguments["opposing_party"],
        "may_proceed": status == CLEAR,
        "disclosure": CONFIDENTIALITY,
    }


def _spoken(value: object) -> str:
    if value and not isinstance(value, str):
        raise Unreadable(f"no party's name: {value!r}")
    return str(value or "").strip().lower()


def _conflict_status(call: Call, spoken: str) -> str:
    """Status of the first listed party, by alphabet, that was named; clear when none was."""
    parties = call.rows("SELECT * FROM conflicts ORDER BY party")
    return next((str(row["status"]) for row in parties if _names(row["party"], spoken)), CLEAR)


def _names(party: str, spoken: str) -> bool:
    """Whether a listed party's text was said, or each of its words, in any order, give or take a slip."""
    wanted, heard = _TOKEN.findall(party), _TOKEN.findall(spoken)
    return party in spoken or bool(wanted and heard and all(_heard(word, heard) for word in wanted))


def _heard(word: str, heard: Sequence[str]) -> bool:
    return any(within_edits(word, other, tolerated_edits(len(word))) for other in heard)


@tool(_Area)
def check_practice_area(call: Call, arguments: Arguments) -> Outcome:
    """Look up whether the firm takes this kind of case, after check_conflict came back clear. Returns the decision and
    the fee terms, which are not spoken here; an answer of not accepted is an answer, not an error. Being licensed in
    the state is a separate question for check_jurisdiction."""
    if refusal := absent(arguments, "practice_area"):
        return refusal
    code = practice_area(call, arguments["practice_area"])
    row = call.one("SELECT * FROM practice_areas WHERE code = ?", code)
    if row is None:
        return UNKNOWN_AREA
    terms = fee_terms(row)
    return {
        "practice_area": code,
        "accepted": bool(row["accepted"]),
        "fee_type": terms.fee_type,
        "contingency_pct_prefiling": terms.pct_prefiling,
        "contingency_pct_litigation": terms.pct_litigation,
        "consult_fee": terms.consult_fee,
    }


@tool(_Place)
def check_jurisdiction(call: Call, arguments: Arguments) -> Outcome:
    """Look up whether the firm is licensed for this kind of case in the state where it happened, after
    check_practice_area accepted it. Some kinds of case have a shorter list of states than the firm. Then go on with
    calculate_filing_deadline; when not licensed use escalate_to_human."""
    if refusal := absent(arguments, "state", "practice_area"):
        return refusal
    state, code = loose_state(arguments["state"]), practice_area(call, arguments["practice_area"])
    states = _licensed_states(call, code) or _licensed_states(call, FIRM_WIDE)
    return {"state": state, "practice_area": code, "licensed": state in states, "licensed_states": states}


def _licensed_states(call: Call, area: str) -> list[str]:
    rows = call.rows("SELECT state FROM jurisdictions WHERE practice_area = ? ORDER BY rowid", area)
    return [row["state"] for row in rows]


@tool(_Incident)
def calculate_filing_deadline(call: Call, arguments: Arguments) -> Outcome:
    """Work out the last day to file, once the state is licensed and you know the day it happened. Returns the date,
    the days left and whether it is expired, urgent or ok, to be reported and not interpreted. Run check_jurisdiction
    before it; an expired one goes to escalate_to_human."""
    if refusal := absent(arguments, "state", "practice_area", "incident_date"):
        return refusal
    period = call.one(
        "SELECT years FROM limitation_periods WHERE state = ? AND practice_area = ?",
        loose_state(arguments["state"]),
        practice_area(call, arguments["practice_area"]),
    )
    if period is None:
        return NO_PERIOD
    incident = _iso_moment(arguments["incident_date"])
    if incident is None:
        return NO_DATE
    years = float(period["years"])
    deadline = _deadline(incident, years)
    days_remaining = _whole_days(deadline - datetime.combine(call.now.date(), time()))
    return {
        "deadline_date": deadline.date().isoformat(),
        "days_remaining": days_remaining,
        "limitation_years": years,
        "status": deadline_status(days_remaining),
        "note": REPORT_ONLY,
    }


def _iso_moment(value: object) -> datetime | None:
    """Any ISO 8601 date or date-time, not trimmed; None for what is none. Raises Unreadable when it names a zone."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if moment is not None and moment.tzinfo is not None:
        raise Unreadable(f"the firm's clock has no zone: {value!r}")
    return moment


def _deadline(incident: datetime, years: float) -> datetime:
    """The moment a period of mean years is over. Raises Unreadable past the calendar's end."""
    try:
        return incident + timedelta(days=years * DAYS_A_YEAR)
    except OverflowError:
        raise Unreadable(f"no deadline for an incident on {incident}") from None


def _whole_days(span: timedelta) -> int:
    """Days to the nearest whole one, a half to the even neighbour.

    >>> [_whole_days(timedelta(days=days)) for days in (-1.5, -0.5, 0.5, 90.5, 91.5)]
    [-2, 0, 0, 90, 92]
    """
    return round(span / timedelta(days=1))
