"""What the service remembers of one call beside its database: the pinned patient, failed attempts, the last amount."""

from __future__ import annotations

from mivas.industries.healthcare.handlers._policy import IDENTITY_ATTEMPTS
from mivas.state import Call

_PATIENT = "patient_id"
_FAILURES = "verify_failures"
_AMOUNT = "last_amount_cents"


def patient_id(call: Call) -> str | None:
    """The patient this call has proved to be about, or None while nobody is verified."""
    pinned: str | None = call.memory.get(_PATIENT)
    return pinned


def pin_patient(call: Call, patient: str) -> None:
    """Make `patient` the verified one, in place of any other, and forgive failed attempts."""
    call.memory[_PATIENT] = patient
    call.memory[_FAILURES] = 0


def identity_locked(call: Call) -> bool:
    """Whether the call has used up its attempts."""
    return bool(call.memory.get(_FAILURES, 0) >= IDENTITY_ATTEMPTS)


def count_failed_attempt(call: Call) -> None:
    """Remember one more failed attempt; an earlier success stays."""
    call.memory[_FAILURES] = call.memory.get(_FAILURES, 0) + 1


def last_amount_cents(call: Call) -> int | None:
    """The balance or low quote spoken last, or None when no amount came up."""
    amount: int | None = call.memory.get(_AMOUNT)
    return amount


def remember_amount(call: Call, cents: int) -> None:
    """Make `cents` the amount a financing question is about."""
    call.memory[_AMOUNT] = cents
