"""Verification desk: whose record it is, proof of that, and the account's first page."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers import _session
from mivas.industries.customer_support.handlers._arguments import digits, text
from mivas.industries.customer_support.handlers._inputs import NoInput, Phone
from mivas.industries.customer_support.handlers._records import Customer, customer, customers, orders_of
from mivas.industries.customer_support.handlers._references import is_order_number
from mivas.pack.equality import within_edits
from mivas.state import Arguments, Call, Refusal, tool

NO_RECORD_SELECTED = Refusal(
    "NO_RECORD_SELECTED", "I need to find your record first. What is the phone number or the order number?"
)
VERIFICATION_MISMATCH = Refusal(
    "VERIFICATION_MISMATCH", "Those two do not match what I have. Could you give me both once more?"
)
VERIFICATION_FAILED = Refusal(
    "VERIFICATION_FAILED", "I could not confirm it, so I can't open the account on this call. A person will take over."
)
_TAIL_DIGITS = 4
_SHORT_WORD = 5


class _Hints(TypedDict):
    full_name: NotRequired[Annotated[str, Field(description="First and last name as the caller gave it.")]]
    phone: NotRequired[Phone]
    order_number: NotRequired[Annotated[str, Field(description="An order number, when the caller named one.")]]


class _Proof(TypedDict):
    postal_code: Annotated[str, Field(description="Five-digit ZIP code of the account, as the caller gave it.")]
    card_last4: Annotated[str, Field(description="Last four digits of the card on file, never more.")]


@tool(_Hints)
def identify_customer(call: Call, arguments: Arguments) -> Outcome:
    """Look for the caller's record with whatever they have already said: name, phone, order number. It tells only
    whether there is one, proves nothing, and starts the check anew; go on with verify_identity."""
    found = _by_order(call, text(arguments.get("order_number"))) or _by_person(call, arguments)
    _session.start_over(call, None if found is None else found.id)
    if found is None:
        step = "No record yet. Ask for the account's phone number or an order number, and look again."
        return {"record_found": False, "next_step": step}
    step = "Ask for ZIP code and last four of the card in one question, then verify_identity. Say nothing about orders."
    return {"record_found": True, "next_step": step}


def _by_order(call: Call, said: str) -> Customer | None:
    """Owner of the first order that the digits name, whatever name was given with it."""
    for row in call.rows("SELECT order_number, customer_id FROM orders ORDER BY order_number"):
        if is_order_number(call, row["order_number"], said):
            return customer(call, row["customer_id"])
    return None


def _by_person(call: Call, arguments: Arguments) -> Customer | None:
    """The one with that phone and, if given, that name; else the only one with that name."""
    name, phone = text(arguments.get("full_name")), digits(arguments.get("phone"))
    everybody = customers(call)
    for person in everybody:
        if _same_phone(phone, person.phone) and (not name or _close(name, person.name)):
            return person
    named = [person for person in everybody if name and _close(name, person.name)]
    return named[0] if len(named) == 1 else None


def _same_phone(heard: str, stored: str) -> bool:
    return heard == stored or (len(heard) >= _TAIL_DIGITS and heard[-_TAIL_DIGITS:] == stored[-_TAIL_DIGITS:])


def _close(heard: str, stored: str) -> bool:
    """Equal, or first and last word within a slip or two of each other."""
    said, known = _letters(heard).split(), _letters(stored).split()
    if not said or not known:
        return False
    return said == known or (_near(said[0], known[0]) and _near(said[-1], known[-1]))


def _letters(name: str) -> str:
    return "".join(mark for mark in name.lower() if mark.isalpha() or mark == " ")


def _near(heard: str, stored: str) -> bool:
    return within_edits(heard, stored, 1 if len(heard) <= _SHORT_WORD else 2)


@tool(_Proof)
def verify_identity(call: Call, arguments: Arguments) -> Outcome:
    """Prove that the caller owns the record found by identify_customer, with ZIP code and last four of the card. Two
    misses close the account for this call. Afterwards read it with get_customer_summary."""
    found = _session.identified_id(call)
    if found is None:
        return NO_RECORD_SELECTED
    if _session.is_locked(call):
        return VERIFICATION_FAILED
    owner = customer(call, found)
    if digits(arguments.get("postal_code")) == owner.postal_code and (
        digits(arguments.get("card_last4"))[-_TAIL_DIGITS:] == owner.card_last4
    ):
        _session.mark_verified(call)
        return {"verified": True, "name": owner.name, "tier": owner.tier}
    _session.count_failed_attempt(call)
    return VERIFICATION_FAILED if _session.is_locked(call) else VERIFICATION_MISMATCH


@tool(NoInput)
@_session.for_verified
def get_customer_summary(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """Read the verified account's first page once, right after verify_identity: tier, orders, open repair visits. For
    what is in an order use get_order, for a membership's dates get_membership."""
    visits = call.rows(
        "SELECT id, date, service_type FROM service_appointments WHERE customer_id = ? AND status = 'booked' "
        "ORDER BY date, id",
        customer.id,
    )
    return {
        "name": customer.name,
        "tier": customer.tier,
        "card_last4": customer.card_last4,
        "membership_start": customer.membership_start or None,
        "orders": [
            {
                "order_number": order.order_number,
                "order_date": order.order_date,
                "status": order.status,
                "fulfillment": order.fulfillment,
                "delivered_date": order.delivered_date or None,
                "delivery_date": order.delivery_date or None,
            }
            for order in orders_of(call, customer)
        ],
        "open_service_appointments": list(visits),
    }
