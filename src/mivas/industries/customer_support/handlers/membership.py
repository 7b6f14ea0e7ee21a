"""Membership desk: what somebody has, upgrading to Total, and cancelling without friction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._holds import hold, spend
from mivas.industries.customer_support.handlers._inputs import NoInput, Token
from mivas.industries.customer_support.handlers._policy import (
    MEMBERSHIPS,
    MONTHS_A_YEAR,
    cancellation_refund_cents,
    renewal,
    upgrade_cents,
    whole_months,
)
from mivas.industries.customer_support.handlers._records import Customer
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import dollars, spoken_day
from mivas.industries.customer_support.handlers.orders import Confirmation
from mivas.state import Arguments, Call, Refusal, tool

ALREADY_TOTAL = Refusal("ALREADY_TOTAL", "You are on Kestrel Total already, and there is nothing above it.")
NO_MEMBERSHIP = Refusal("NO_MEMBERSHIP", "There is no paid membership on your account that could be cancelled.")
NO_START = Refusal("INVALID_DATE", "I have no start date for this membership, so I can't work out its year from here.")
DISCLOSURE_REQUIRED = Refusal(
    "DISCLOSURE_REQUIRED", "Before I cancel it I have to tell you the refund and the end date and hear that you agree."
)
STANDARD = "standard"


class _Agreed(TypedDict):
    confirmation_token: Token
    proration_acknowledged: NotRequired[
        Annotated[bool, Field(description="True only after you spoke refund and end date and the caller agreed.")]
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """The membership year that is running."""

    renews_on: date
    months_left: int
    """Whole months that have not been used."""


def running_year(customer: Customer, today: date) -> Year | None:
    """The member's year, or None when no start is on record: an upgrade from nothing leaves it empty."""
    if not customer.membership_start:
        return None
    renews_on = renewal(date.fromisoformat(customer.membership_start), today)
    return Year(renews_on=renews_on, months_left=whole_months(today, renews_on))


@tool(NoInput)
@for_verified
def get_membership(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """Read the verified caller's membership: tier, start, price paid, renewal, unused months; without one, the prices.
    It changes nothing. For moving up use quote_membership_upgrade, for ending it quote_membership_cancellation."""
    if customer.tier == STANDARD:
        plus, total = (dollars(MEMBERSHIPS[tier].annual_cents) for tier in ("plus", "total"))
        return {"tier": STANDARD, "has_membership": False, "plus_price": plus, "total_price": total}
    year = running_year(customer, call.now.date())
    if year is None:
        return NO_START
    return {
        "tier": customer.tier,
        "has_membership": True,
        "started": customer.membership_start,
        "price_paid": dollars(customer.membership_paid_cents),
        "renews_on": year.renews_on.isoformat(),
        "auto_renew": bool(customer.auto_renew),
        "months_remaining": year.months_left,
    }


@tool(NoInput)
@for_verified
def quote_membership_upgrade(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """Work out what moving up to Kestrel Total costs today, and hold it for the caller. Charges nothing: read the
    amount back, then confirm_membership_upgrade. A caller who only wants to know the prices needs get_fee."""
    if customer.tier == "total":
        return ALREADY_TOTAL
    months = MONTHS_A_YEAR
    if customer.tier == "plus":
        year = running_year(customer, call.now.date())
        if year is None:
            return NO_START
        months = year.months_left
    amount_cents = upgrade_cents(customer.tier, months)
    payload = {"from_tier": customer.tier, "amount_cents": amount_cents, "months": months}
    summary = (
        f"Moving up to {MEMBERSHIPS['total'].label} costs {dollars(amount_cents)} today, charged to the card ending "
        f"{customer.card_last4}."
    )
    return {
        "from_tier": customer.tier,
        "to_tier": "total",
        "amount_due": dollars(amount_cents),
        "months_remaining": months,
        "summary": summary,
        "confirmation_token": hold(call, customer, "upgrade", payload, summary),
    }


@tool(Confirmation)
@for_verified
def confirm_membership_upgrade(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Move the caller up to Kestrel Total as quoted, once they agreed to the amount. Takes the token of
    quote_membership_upgrade and works one time."""
    quoted = spend(call, customer, "upgrade", arguments)
    if isinstance(quoted, Refusal):
        return quoted
    today = call.now.date().isoformat()
    call.execute("UPDATE customers SET tier = 'total' WHERE id = ?", customer.id)
    _log_change(call, customer, "upgrade", quoted["from_tier"], "total", quoted["amount_cents"])
    return {
        "status": "upgraded",
        "tier": "total",
        "charged": dollars(quoted["amount_cents"]),
        "effective": today,
        "card_last4": customer.card_last4,
    }


def _log_change(call: Call, customer: Customer, action: str, from_tier: str, to_tier: str, amount_cents: int) -> None:
    change = {
        "customer_id": customer.id,
        "action": action,
        "from_tier": from_tier,
        "to_tier": to_tier,
        "amount_cents": amount_cents,
        "effective_date": call.now.date().isoformat(),
    }
    call.insert("membership_changes", change)


@tool(NoInput)
@for_verified
def quote_membership_cancellation(call: Call, customer: Customer, _arguments: Arguments) -> Outcome:
    """Work out the refund of ending the membership today, and hold it, as soon as the caller wants to cancel. Ends
    nothing: speak refund and end date, then confirm_membership_cancellation. To keep more, quote_membership_upgrade."""
    membership = MEMBERSHIPS.get(customer.tier)
    if membership is None:
        return NO_MEMBERSHIP
    today = call.now.date()
    year = running_year(customer, today)
    if year is None:
        return NO_START
    refund_cents = cancellation_refund_cents(customer.membership_paid_cents, year.months_left)
    payload = {"tier": customer.tier, "refund_cents": refund_cents, "months": year.months_left}
    summary = (
        f"Ending {membership.label} today, {spoken_day(today)}. Whole months not used: {year.months_left}. "
        f"{dollars(refund_cents)} goes {customer.refund_method}."
    )
    return {
        "tier": customer.tier,
        "months_unused": year.months_left,
        "refund_amount": dollars(refund_cents),
        "benefits_lost": membership.benefits,
        "summary": summary,
        "confirmation_token": hold(call, customer, "cancel", payload, summary),
    }


@tool(_Agreed)
@for_verified
def confirm_membership_cancellation(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """End the membership as quoted, once the caller heard refund and end date and agreed. Takes the token of
    quote_membership_cancellation and the acknowledgement; it works one time."""
    if not arguments.get("proration_acknowledged"):
        return DISCLOSURE_REQUIRED
    quoted = spend(call, customer, "cancel", arguments)
    if isinstance(quoted, Refusal):
        return quoted
    call.execute(
        "UPDATE customers SET tier = ?, membership_start = '', membership_paid_cents = 0, auto_renew = 0 WHERE id = ?",
        STANDARD,
        customer.id,
    )
    _log_change(call, customer, "cancel", quoted["tier"], STANDARD, quoted["refund_cents"])
    return {
        "status": "cancelled",
        "was_tier": quoted["tier"],
        "refund": dollars(quoted["refund_cents"]),
        "refund_method": customer.refund_method,
        "effective_date": call.now.date().isoformat(),
        "note": "The membership has ended and will not renew. Say so, and offer nothing more.",
    }
