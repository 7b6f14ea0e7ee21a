"""What the service remembers of one call beside its database: whose record was found, and whether that was proved."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._policy import IDENTITY_ATTEMPTS
from mivas.industries.customer_support.handlers._records import Customer, customer
from mivas.state import Arguments, Call, Refusal

_CUSTOMER = "customer_id"
_FAILURES = "verify_failures"
_VERIFIED = "verified"

NOT_VERIFIED = Refusal(
    "IDENTITY_NOT_VERIFIED", "Before I open anything on an account, I have to make sure who I am speaking with."
)

CustomerHandler: TypeAlias = Callable[[Call, Customer, Arguments], Outcome]


def identified_id(call: Call) -> str | None:
    """The record this call is about, proved or not, or None while none was found."""
    found: str | None = call.memory.get(_CUSTOMER)
    return found


def start_over(call: Call, customer_id: str | None) -> None:
    """Take up another record, or none: nothing is proved about it, and no attempt has failed."""
    call.memory[_CUSTOMER] = customer_id
    call.memory[_VERIFIED] = False
    call.memory[_FAILURES] = 0


def is_locked(call: Call) -> bool:
    """Whether the record has used up its attempts."""
    return bool(call.memory.get(_FAILURES, 0) >= IDENTITY_ATTEMPTS)


def count_failed_attempt(call: Call) -> None:
    """Remember one more failed attempt; an earlier success stays."""
    call.memory[_FAILURES] = call.memory.get(_FAILURES, 0) + 1


def mark_verified(call: Call) -> None:
    """The caller has proved to own the record."""
    call.memory[_VERIFIED] = True


def for_verified(handler: CustomerHandler) -> Callable[[Call, Arguments], Outcome]:
    """A handler that also gets the verified customer; refused before any argument is read while there is none."""

    @wraps(handler)
    def gated(call: Call, arguments: Arguments) -> Outcome:
        found = identified_id(call)
        if found is None or not call.memory.get(_VERIFIED):
            return NOT_VERIFIED
        return handler(call, customer(call, found), arguments)

    return gated
