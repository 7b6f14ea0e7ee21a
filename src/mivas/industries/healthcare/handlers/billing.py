"""Billing desk: what is owed and why, and the ways to settle it. No tool here changes a balance."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, Outcome
from mivas.industries._shared.speech import count, dollars
from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._arguments import given, whole_number
from mivas.industries.healthcare.handlers._events import log_event
from mivas.industries.healthcare.handlers._inputs import Cents, Input, NoInput, Phone
from mivas.industries.healthcare.handlers._policy import (
    CHARGE_SCRIPTS,
    FEE_REVIEW_BUSINESS_DAYS,
    FINANCING_MINIMUM_CENTS,
    FINANCING_PROVIDER,
    LINE_ITEM_LABELS,
    MEDICAL_CANCELLATION,
    WAIVABLE_LINE_ITEM,
    LineItemId,
)
from mivas.industries.healthcare.handlers._refusals import NOT_VERIFIED, missing
from mivas.state import Arguments, Call, Refusal, tool

UNKNOWN_LINE_ITEM = Refusal(
    "UNKNOWN_LINE_ITEM", "I have no approved explanation for that charge. I can have billing call you about it."
)
NO_AMOUNT = Refusal(
    INVALID_ARGUMENTS, "I need an amount for that first, from a price quote or from the balance on the account."
)
NOT_WAIVABLE = Refusal(INVALID_ARGUMENTS, "Only the missed visit fee, line item li_noshow, can go to a fee review.")


class _Charge(Input):
    line_item_id: Annotated[LineItemId, Field(description="Line of the account, from get_account_balance.")]


class _PaymentLink(Input):
    mobile_e164: Annotated[Phone, Field(description="Mobile number with country code, such as +12125550100.")]
    amount_cents: NotRequired[Annotated[Cents, Field(description="Amount to pay, in cents.")]]


class _Financing(Input):
    amount_cents: NotRequired[
        Annotated[Cents, Field(description="Amount in cents; left out, the last balance or low quote counts.")]
    ]


class _Waiver(Input):
    fee_line_item_id: Annotated[Literal["li_noshow"], Field(description="Fee to review; only the missed visit fee.")]


@tool(NoInput)
def get_account_balance(call: Call, _arguments: Arguments) -> Outcome:
    """Read the verified patient's balance and its lines at the start of a billing question. Changes nothing. To say
    what a line is for use explain_charge, to settle it send_payment_link, offer_financing or request_fee_waiver."""
    patient_id = _session.patient_id(call)
    if patient_id is None:
        return NOT_VERIFIED
    patient = call.one("SELECT balance_cents FROM patients WHERE id = ?", patient_id)
    assert patient is not None
    balance_cents: int = patient["balance_cents"]
    _session.remember_amount(call, balance_cents)
    return {"balance_cents": balance_cents, "line_items": _line_items(balance_cents)}


def _line_items(balance_cents: int) -> list[dict[str, object]]:
    """The balance split: a missed visit fee when it is large enough to hold one, and the rest."""
    fee_cents = MEDICAL_CANCELLATION.fee_cents if balance_cents >= MEDICAL_CANCELLATION.fee_cents else 0
    amounts: dict[LineItemId, int] = {"li_noshow": fee_cents, "li_visit": balance_cents - fee_cents}
    return [
        {"line_item_id": line_item, "description": LINE_ITEM_LABELS[line_item], "amount_cents": cents}
        for line_item, cents in amounts.items()
        if cents > 0
    ]


@tool(_Charge)
def explain_charge(_call: Call, arguments: Arguments) -> Outcome:
    """Explain one line of the account that the caller asks about, after get_account_balance. Returns the approved
    words, to be spoken as they are. When the caller disputes the missed visit fee use request_fee_waiver, for any
    other dispute create_callback_task."""
    if refusal := missing(arguments, "line_item_id"):
        return refusal
    for line_item, script in CHARGE_SCRIPTS.items():
        if line_item == arguments["line_item_id"]:
            return {"line_item_id": line_item, "approved_script": script}
    return UNKNOWN_LINE_ITEM


@tool(_PaymentLink)
def send_payment_link(call: Call, arguments: Arguments) -> Outcome:
    """Text a secure payment link when the caller wants to pay a balance or a deposit; card numbers are never taken by
    voice. Each call sends another link and the balance stays until it is paid. For paying over time use
    offer_financing, for a confirmation text send_sms."""
    if refusal := missing(arguments, "mobile_e164"):
        return refusal
    log_event(call, "payment_link", arguments)
    return {
        "sent": True,
        "channel": "sms",
        "mobile_e164": arguments["mobile_e164"],
        "amount_cents": given(arguments, "amount_cents"),
    }


@tool(_Financing)
def offer_financing(call: Call, arguments: Arguments) -> Outcome:
    """Check whether an amount can be paid over time when the caller cannot pay it all at once. Uses the balance or
    quote read last unless you pass an amount; applies for nothing. To pay now use send_payment_link, to have the
    missed visit fee reviewed request_fee_waiver."""
    asked = given(arguments, "amount_cents")
    amount_cents = _session.last_amount_cents(call) if asked is None else whole_number(asked)
    if amount_cents is None:
        return NO_AMOUNT
    eligible = amount_cents >= FINANCING_MINIMUM_CENTS
    note = None if eligible else f"Financing is offered on amounts above {dollars(FINANCING_MINIMUM_CENTS)}."
    return {"eligible": eligible, "provider": FINANCING_PROVIDER, "note": note}


@tool(_Waiver)
def request_fee_waiver(call: Call, arguments: Arguments) -> Outcome:
    """Open a billing review when the caller disputes the missed visit fee; you never waive it yourself. Returns the
    commitment to speak, and the balance stays as it is. To explain a line use explain_charge, for other disputes
    create_callback_task."""
    if refusal := missing(arguments, "fee_line_item_id"):
        return refusal
    if arguments["fee_line_item_id"] != WAIVABLE_LINE_ITEM:
        return NOT_WAIVABLE
    log_event(call, "fee_waiver_request", arguments)
    sla = count(FEE_REVIEW_BUSINESS_DAYS, "business day")
    return {
        "review_opened": True,
        "sla": sla,
        "spoken_commitment": f"Our billing team will review that fee and get back to you within {sla}.",
    }
