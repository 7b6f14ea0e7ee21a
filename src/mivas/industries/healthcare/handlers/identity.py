"""Identity desk: who is calling, and the chart's first page once that is proved."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries._shared.speech import in_words
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._arguments import given, trimmed
from mivas.industries.healthcare.handlers._inputs import Date, Input, NoInput, PersonName, SecondFactor, Zip
from mivas.industries.healthcare.handlers._policy import IDENTITY_ATTEMPTS
from mivas.industries.healthcare.handlers._refusals import NOT_VERIFIED, missing
from mivas.state import Arguments, Call, Refusal, tool

NO_MATCH = Refusal(
    "NO_MATCH",
    "That name and date of birth do not match a record I can see. Let us check the spelling and the date once more. "
    f"After {in_words(IDENTITY_ATTEMPTS)} misses our front desk has to take over.",
)
IDENTITY_LOCKED = Refusal(
    "IDENTITY_LOCKED",
    f"After {in_words(IDENTITY_ATTEMPTS)} misses I can no longer open a chart on this call. "
    "I can bring in the front desk, or have someone call you back.",
)


class _Hints(Input):
    first_name: NotRequired[Annotated[PersonName, Field(description="Given name as the caller spelled it.")]]
    last_name: NotRequired[Annotated[PersonName, Field(description="Family name as the caller spelled it.")]]
    dob: NotRequired[Annotated[Date, Field(description="Date of birth, YYYY-MM-DD.")]]
    zip: NotRequired[Annotated[Zip, Field(description="Five-digit home ZIP code.")]]


class _Identity(Input):
    full_name: Annotated[PersonName, Field(description="First and last name of the patient, confirmed by read-back.")]
    dob: Annotated[Date, Field(description="Date of birth of the patient, YYYY-MM-DD, confirmed by read-back.")]
    second_factor: NotRequired[
        Annotated[SecondFactor, Field(description="Home ZIP or last four phone digits; only when a tool asked for it.")]
    ]


@tool(_Hints)
def identify_patient(call: Call, arguments: Arguments) -> Outcome:
    """Look for possible charts before you verify anyone, from whatever the caller has already given.
    Returns masked candidates and proves nothing: follow it with verify_identity, and open the chart with
    get_patient_summary only after that."""
    filters = {key: trimmed(arguments.get(key)) for key in ("first_name", "last_name", "dob", "zip")}
    wanted = {key: value for key, value in filters.items() if value}
    found = [_masked(row) for row in call.rows("SELECT * FROM patients ORDER BY id") if _fits(row, wanted)]
    candidates = found if wanted else []
    return {"candidates": candidates, "count": len(candidates)}


def _fits(row: dict[str, Any], wanted: dict[str, str]) -> bool:
    """Names in any case, date of birth and ZIP exactly."""
    return all(
        row[key].lower() == value.lower() if key.endswith("_name") else row[key] == value
        for key, value in wanted.items()
    )


def _masked(row: dict[str, Any]) -> dict[str, object]:
    return {
        "patient_id": row["id"],
        "first_name": row["first_name"],
        "last_initial": row["last_name"][:1],
        "dob_year": row["dob"][:4],
    }


@tool(_Identity)
def verify_identity(call: Call, arguments: Arguments) -> Outcome:
    """Prove that the caller belongs to a chart, after you have read name and date of birth back and heard a yes.
    A match opens that chart for the rest of the call; three misses lock it. To look for a chart without proving
    anything use identify_patient, and read an opened one with get_patient_summary."""
    if _session.identity_locked(call):
        return IDENTITY_LOCKED
    if refusal := missing(arguments, "full_name", "dob"):
        return refusal
    patient = _matching_patient(call, arguments)
    if patient is None:
        _session.count_failed_attempt(call)
        return NO_MATCH
    _session.pin_patient(call, patient)
    return {"verified": True, "patient_id": patient}


def _matching_patient(call: Call, arguments: Arguments) -> str | None:
    """First chart whose outer names, date of birth and second factor, when one is given, all agree."""
    heard = _outer_names(trimmed(arguments["full_name"]))
    factor = given(arguments, "second_factor")
    for row in call.rows("SELECT * FROM patients ORDER BY id"):
        same_name = heard is not None and heard == _outer_names(f"{row['first_name']} {row['last_name']}")
        same_factor = factor is None or factor in (row["zip"], (row["phone_e164"] or "")[-4:])
        if same_name and row["dob"] == arguments["dob"] and same_factor:
            return str(row["id"])
    return None


def _outer_names(name: str) -> tuple[str, str] | None:
    """First and last word in lower case; what stands between doesn't matter."""
    words = name.lower().split()
    return (words[0], words[-1]) if words else None


@tool(NoInput)
def get_patient_summary(call: Call, _arguments: Arguments) -> Outcome:
    """Read the verified patient's chart summary right after verify_identity succeeds: home office, upcoming visits,
    balance, plan on file. It changes nothing. For the lines behind a balance use get_account_balance; to find a
    chart in the first place use identify_patient."""
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    patient = call.one(
        "SELECT p.*, l.name AS home_office FROM patients p LEFT JOIN locations l ON l.id = p.home_office_id "
        "WHERE p.id = ?",
        patient_id,
    )
    assert patient is not None
    upcoming = call.rows(
        "SELECT * FROM appointments WHERE patient_id = ? AND status = 'booked' ORDER BY start, id", patient_id
    )
    member_id = patient["member_id"]
    return {
        "patient_id": patient_id,
        "name": f"{patient['first_name']} {patient['last_name']}",
        "language": patient["language"],
        "home_office": patient["home_office"],
        "upcoming_appointments": list(upcoming),
        "balance_cents": patient["balance_cents"],
        "insurance": {
            "carrier": patient["carrier"],
            "plan_name": patient["plan_name"],
            "member_id_last4": member_id[-4:] if member_id else None,
        },
        "portal_active": False,
        "open_orders": [],
        "clinical_flags": [],
    }
