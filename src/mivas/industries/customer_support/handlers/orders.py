"""Orders desk: where an order is, moving its delivery, cancelling it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.customer_support.handlers._arguments import day, first_text
from mivas.industries.customer_support.handlers._holds import hold, spend
from mivas.industries.customer_support.handlers._inputs import OrderNumber, Token
from mivas.industries.customer_support.handlers._policy import (
    DEFAULT_WINDOW,
    REFUND_DAYS,
    delivery_change_cents,
    why_no_delivery,
)
from mivas.industries.customer_support.handlers._records import Customer, Item, Order, items_of
from mivas.industries.customer_support.handlers._references import find_order
from mivas.industries.customer_support.handlers._refusals import INVALID_DATE
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import dollars, spoken_day
from mivas.state import Arguments, Call, Refusal, tool

NO_DELIVERY_SCHEDULED = Refusal(
    "NO_DELIVERY_SCHEDULED", "There is no delivery booked for that order that I could move."
)
ORDER_ALREADY_SHIPPED = Refusal(
    "ORDER_ALREADY_SHIPPED", "That order has left already, so it can't be cancelled. It would be a return now."
)
CANCELLED = "cancelled"
_GONE = ("shipped", "delivered")


class _Which(TypedDict):
    order_number: NotRequired[OrderNumber]


class _Move(TypedDict):
    order_number: NotRequired[OrderNumber]
    new_date: Annotated[str, Field(description="Day the caller wants, such as 2026-08-18.")]


class Confirmation(TypedDict):
    """What a second step needs: the token of the first."""

    confirmation_token: Token


@tool(_Which)
@for_verified
def get_order(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Read one order of the verified caller: status, dates, window, what is in it and who sold it. Say only what it
    shows. Whether something can go back is check_return_eligibility, whether a repair is paid is check_coverage."""
    order = find_order(call, customer, first_text(arguments, "order_number", "item"))
    if isinstance(order, Refusal):
        return order
    return {
        "order_number": order.order_number,
        "order_date": order.order_date,
        "status": order.status,
        "fulfillment": order.fulfillment,
        "seller_name": order.seller_name or None,
        "purchase_state": order.purchase_state,
        "delivered_date": order.delivered_date or None,
        "delivery_date": order.delivery_date or None,
        "delivery_window": order.delivery_window or None,
        "installation_included": bool(order.install),
        "haul_away_included": bool(order.haul_away),
        "items": [_shown(item) for item in items_of(call, order.order_number)],
    }


def _shown(item: Item) -> dict[str, object]:
    return {
        "sku": item.sku,
        "name": item.name,
        "category": item.category,
        "price": dollars(item.price_cents),
        "opened": bool(item.opened),
        "activatable": bool(item.activatable),
        "condition_grade": item.condition_grade,
        "recalled": bool(item.recalled),
        "battery_safety_flag": bool(item.hazmat),
    }


@tool(_Move)
@for_verified
def quote_delivery_change(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Work out what moving a booked delivery to another day costs, and hold that for the caller. Moves nothing: read
    day, window and fee back, then confirm_delivery_change. To give up the order use cancel_order."""
    order = find_order(call, customer, first_text(arguments, "order_number"))
    if isinstance(order, Refusal):
        return order
    if not order.delivery_date:
        return NO_DELIVERY_SCHEDULED
    today = call.now.date()
    wanted = day(arguments.get("new_date"), today.year)
    if wanted is None:
        return INVALID_DATE
    if (why := why_no_delivery(wanted, today)) is not None:
        return Refusal("DATE_UNAVAILABLE", f"{why} Which other day would suit you?")
    return _held_move(call, customer, order, wanted)


def _held_move(call: Call, customer: Customer, order: Order, wanted: date) -> Outcome:
    booked = date.fromisoformat(order.delivery_date)
    window = order.delivery_window or DEFAULT_WINDOW
    fee_cents = delivery_change_cents(booked, call.now.date())
    payload = {
        "order_number": order.order_number,
        "old_date": order.delivery_date,
        "new_date": wanted.isoformat(),
        "window": window,
        "fee_cents": fee_cents,
    }
    cost = f"The change costs {dollars(fee_cents)}." if fee_cents else "The change is free."
    summary = f"Moving the delivery from {spoken_day(booked)} to {spoken_day(wanted)}, {window}. {cost}"
    return {
        "order_number": order.order_number,
        "current_date": order.delivery_date,
        "new_date": wanted.isoformat(),
        "delivery_window": window,
        "fee": dollars(fee_cents),
        "summary": summary,
        "confirmation_token": hold(call, customer, "delivery_change", payload, summary),
    }


@tool(Confirmation)
@for_verified
def confirm_delivery_change(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Move the delivery as quoted, once the caller agreed to day, window and fee. Takes the token of
    quote_delivery_change and works one time; for another day, quote again."""
    quoted = spend(call, customer, "delivery_change", arguments)
    if isinstance(quoted, Refusal):
        return quoted
    call.execute(
        "UPDATE orders SET delivery_date = ?, delivery_window = ? WHERE order_number = ?",
        quoted["new_date"],
        quoted["window"],
        quoted["order_number"],
    )
    change = {
        "order_number": quoted["order_number"],
        "old_date": quoted["old_date"],
        "new_date": quoted["new_date"],
        "time_window": quoted["window"],
        "fee_cents": quoted["fee_cents"],
    }
    call.insert("delivery_changes", change)
    return {
        "status": "rescheduled",
        "order_number": quoted["order_number"],
        "new_date": quoted["new_date"],
        "delivery_window": quoted["window"],
        "fee": dollars(quoted["fee_cents"]),
        "customer": customer.name,
    }


@tool(_Which)
@for_verified
def cancel_order(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Cancel an order that has not shipped, as soon as the caller asks for it; no quote comes first. What has shipped
    is a return: check_return_eligibility. To keep it for another day use quote_delivery_change."""
    order = find_order(call, customer, first_text(arguments, "order_number"))
    if isinstance(order, Refusal):
        return order
    if order.status in _GONE:
        return ORDER_ALREADY_SHIPPED
    if order.status == CANCELLED:
        return {"status": "already_cancelled", "order_number": order.order_number}
    refund_cents = sum(item.price_cents for item in items_of(call, order.order_number))
    call.execute("UPDATE orders SET status = ? WHERE order_number = ?", CANCELLED, order.order_number)
    cancellation = {"order_number": order.order_number, "refund_cents": refund_cents, "status": CANCELLED}
    call.insert("order_cancellations", cancellation)
    return {
        "status": CANCELLED,
        "order_number": order.order_number,
        "refund": dollars(refund_cents),
        "refund_method": customer.refund_method,
        "posts_within": REFUND_DAYS,
    }
