"""Returns desk: may it come back, what is paid for it, and starting the return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import first_text
from mivas.industries.customer_support.handlers._holds import hold, open_payload, spend
from mivas.industries.customer_support.handlers._identifiers import return_number
from mivas.industries.customer_support.handlers._inputs import Opened, OrderNumber, Sku, Token
from mivas.industries.customer_support.handlers._policy import (
    RestockingFee,
    ReturnWindow,
    restocking_fee,
    return_window,
)
from mivas.industries.customer_support.handlers._records import Customer, Item, Order
from mivas.industries.customer_support.handlers._references import find_item, find_order, sold_by_other
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import days, dollars, spoken_day
from mivas.state import Arguments, Call, Refusal, tool

DISCLOSURE_REQUIRED = Refusal(
    "DISCLOSURE_REQUIRED", "Before I start that return I have to tell you its restocking fee and hear that you agree."
)


class _Which(TypedDict):
    order_number: NotRequired[OrderNumber]
    sku: NotRequired[Sku]
    opened: NotRequired[Opened]


class _Return(TypedDict):
    order_number: NotRequired[OrderNumber]
    sku: NotRequired[Sku]
    reason: NotRequired[Annotated[str, Field(description="Why it goes back, when the caller said so.")]]
    opened: NotRequired[Opened]


class _Agreed(TypedDict):
    confirmation_token: Token
    fee_disclosed_acknowledged: NotRequired[
        Annotated[bool, Field(description="True only after you spoke the fee and the caller agreed to it.")]
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One item that somebody wants to return, with the rules that apply to it."""

    customer: Customer
    order: Order
    item: Item
    opened: bool
    window: ReturnWindow
    fee: RestockingFee
    elapsed: int | None
    """Days since delivery, or None before it."""

    @property
    def eligible(self) -> bool:
        return self.elapsed is not None and self.elapsed <= self.window.days

    @property
    def refund_cents(self) -> int:
        return self.item.price_cents - self.fee.cents

    @property
    def explanation(self) -> str:
        """Why it can't come back."""
        delivered = self.order.delivered
        if delivered is None or self.elapsed is None:
            return "It has not been delivered yet, so there is nothing to return so far."
        return (
            f"It was delivered on {spoken_day(delivered)}. Its return window is {days(self.window.days)}, "
            f"and that ended {days(self.elapsed - self.window.days)} ago, so it can't be returned."
        )


def _case(call: Call, customer: Customer, arguments: Arguments) -> _Case | Refusal:
    order = find_order(call, customer, first_text(arguments, "order_number", "item"))
    if isinstance(order, Refusal):
        return order
    item = find_item(call, order, first_text(arguments, "sku", "item"))
    if isinstance(item, Refusal):
        return item
    if (refusal := sold_by_other(order)) is not None:
        return refusal
    said = arguments.get("opened")
    opened = bool(item.opened if said is None else said)
    delivered = order.delivered
    return _Case(
        customer=customer,
        order=order,
        item=item,
        opened=opened,
        window=return_window(item, customer.tier),
        fee=restocking_fee(item, order.purchase_state, opened=opened),
        elapsed=None if delivered is None else (call.now.date() - delivered).days,
    )


@tool(_Which)
@for_verified
def check_return_eligibility(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Check whether an item may come back, before you say anything about it: window, days, fee and refund. A no is a
    normal answer with its reason. Changes nothing; to go on use quote_return, and what has not shipped is
    cancel_order."""
    case = _case(call, customer, arguments)
    if isinstance(case, Refusal):
        return case
    window: dict[str, object] = {"window_days": case.window.days, "window_reason": case.window.reason}
    if case.elapsed is None:
        return {"eligible": False, "reason": "not_delivered"} | window | {"explanation": case.explanation}
    facts: dict[str, object] = {
        "order_number": case.order.order_number,
        "sku": case.item.sku,
        "item_name": case.item.name,
        "price": dollars(case.item.price_cents),
        "delivered_date": case.order.delivered_date,
        "days_since_delivery": case.elapsed,
        **window,
        "tier": customer.tier,
        "opened": case.opened,
        "record_opened": bool(case.item.opened),
        "purchase_state": case.order.purchase_state,
        "restocking_fee": dollars(case.fee.cents),
        "restocking_fee_reason": case.fee.reason,
        "restocking_fee_cents": case.fee.cents,
    }
    return facts | _verdict(case, case.window.days - case.elapsed)


def _verdict(case: _Case, days_remaining: int) -> dict[str, object]:
    if case.eligible:
        return {
            "eligible": True,
            "days_remaining": days_remaining,
            "refund_amount": dollars(case.refund_cents),
            "refund_method": case.customer.refund_method,
        }
    return {
        "eligible": False,
        "reason": "out_of_return_window",
        "days_over": -days_remaining,
        "explanation": case.explanation,
    }


@tool(_Return)
@for_verified
def quote_return(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Work out fee and refund of a return and hold it for the caller. Starts nothing: speak both amounts, hear a yes,
    then confirm_return. Whether it may come back at all is told by check_return_eligibility first."""
    case = _case(call, customer, arguments)
    if isinstance(case, Refusal):
        return case
    if not case.eligible:
        return Refusal("NOT_RETURNABLE", case.explanation)
    payload = {
        "order_number": case.order.order_number,
        "sku": case.item.sku,
        "reason": "" if arguments.get("reason") is None else str(arguments["reason"]),
        "refund_cents": case.refund_cents,
        "restock_fee_cents": case.fee.cents,
        "hazmat": case.item.hazmat,
    }
    summary = _summary(case)
    return {
        "item_name": case.item.name,
        "price": dollars(case.item.price_cents),
        "restocking_fee": dollars(case.fee.cents),
        "restocking_fee_reason": case.fee.reason,
        "refund_amount": dollars(case.refund_cents),
        "refund_method": customer.refund_method,
        "fee_disclosure_required": case.fee.cents > 0,
        "summary": summary,
        "confirmation_token": hold(call, customer, "return", payload, summary),
    }


def _summary(case: _Case) -> str:
    price, method = dollars(case.item.price_cents), case.customer.refund_method
    opening = f"Returning the {case.item.name}, {price}."
    if not case.fee.cents:
        return f"{opening} There's no restocking fee, so the full {price} comes back. It goes {method}."
    return (
        f"{opening} The restocking fee is {dollars(case.fee.cents)}. {case.fee.reason} "
        f"So {dollars(case.refund_cents)} comes back. It goes {method}."
    )


@tool(_Agreed)
@for_verified
def confirm_return(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Start the return as quoted, once the caller agreed to fee and refund. Takes the token of quote_return and, where
    there is a fee, the acknowledgement; returns the RMA number. For a label use create_return_label afterwards."""
    quoted = open_payload(call, "return")
    if quoted is not None and quoted["restock_fee_cents"] > 0 and not arguments.get("fee_disclosed_acknowledged"):
        return DISCLOSURE_REQUIRED
    spent = spend(call, customer, "return", arguments)
    if isinstance(spent, Refusal):
        return spent
    rma_number = return_number(spent["order_number"], spent["sku"])
    call.execute("DELETE FROM rmas WHERE rma_number = ?", rma_number)
    rma = {
        "rma_number": rma_number,
        "customer_id": customer.id,
        "order_number": spent["order_number"],
        "sku": spent["sku"],
        "reason": spent["reason"],
        "refund_cents": spent["refund_cents"],
        "restock_fee_cents": spent["restock_fee_cents"],
        "method": customer.refund_method,
        "status": "open",
    }
    call.insert("rmas", rma)
    return {
        "status": "return_started",
        "rma_number": rma_number,
        "order_number": spent["order_number"],
        "refund_amount": dollars(spent["refund_cents"]),
        "restocking_fee": dollars(spent["restock_fee_cents"]),
        "refund_method": customer.refund_method,
        "next_step": "Give the RMA number. Offer a free prepaid label, or any store; all parts come along.",
    }
