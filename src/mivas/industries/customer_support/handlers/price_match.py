"""Price match: the difference to a qualified competitor, once for each item, inside the return window."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, Outcome
from mivas.industries._shared.speech import listed
from mivas.industries.customer_support.handlers._arguments import cents, first_text, number, text
from mivas.industries.customer_support.handlers._holds import hold, spend
from mivas.industries.customer_support.handlers._inputs import OrderNumber, Sku
from mivas.industries.customer_support.handlers._policy import (
    EXCLUDED_GRADES,
    OUT_OF_STOCK,
    REFUND_DAYS,
    return_window,
)
from mivas.industries.customer_support.handlers._records import Customer, Item, Order
from mivas.industries.customer_support.handlers._references import find_purchase
from mivas.industries.customer_support.handlers._session import for_verified
from mivas.industries.customer_support.handlers._speech import days, dollars
from mivas.industries.customer_support.handlers.orders import Confirmation
from mivas.state import Arguments, Call, Refusal, tool

PRICE_MATCH_ALREADY_USED = Refusal(
    "PRICE_MATCH_ALREADY_USED", "That item has had its price match already. There is one for each item."
)
NO_PRICE = Refusal(INVALID_ARGUMENTS, "I need the competitor's price for that, as an amount in dollars.")
PRICE_NOT_LOWER = Refusal("PRICE_NOT_LOWER", "That price is not lower than what you paid, so there is no difference.")
_EXCLUDED = "PRICE_MATCH_EXCLUDED"


class _Offer(TypedDict):
    order_number: NotRequired[OrderNumber]
    sku: NotRequired[Sku]
    competitor: Annotated[str, Field(description="Name of the other retailer.")]
    competitor_price: Annotated[float, Field(description="Its price in dollars, such as 479.99.")]
    in_stock: NotRequired[
        Annotated[bool, Field(description="False when it is sold out there or only a limited quantity is left.")]
    ]


@tool(_Offer)
@for_verified
def quote_price_match(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Check a lower price at another retailer against an item the caller bought, and hold the difference. Pays
    nothing: read the difference back, then confirm_price_match. The rule in general is in get_policy, and what an
    item is worth on return is quote_return."""
    found = find_purchase(call, customer, first_text(arguments, "order_number"), first_text(arguments, "sku", "item"))
    if isinstance(found, Refusal):
        return found
    item = found.item
    if (refusal := _item_refusal(call, customer, found.order, item)) is not None:
        return refusal
    competitor = _qualified(call, text(arguments.get("competitor")))
    if isinstance(competitor, Refusal):
        return competitor
    if arguments.get("in_stock") is False:
        message = "We match only what the other store has in stock in normal quantity, so this one does not qualify."
        return Refusal(_EXCLUDED, message, {"reason": OUT_OF_STOCK})
    price = number(arguments.get("competitor_price"))
    if price is None or price <= 0:
        return NO_PRICE
    price_cents = cents(price)
    return PRICE_NOT_LOWER if price_cents >= item.price_cents else _held(call, customer, item, competitor, price_cents)


def _item_refusal(call: Call, customer: Customer, order: Order, item: Item) -> Refusal | None:
    """Why this item can't be matched whatever the price, or None when it can."""
    used = call.one(
        "SELECT id FROM price_matches WHERE order_number = ? AND sku = ? AND status = 'approved'",
        order.order_number,
        item.sku,
    )
    if used is not None:
        return PRICE_MATCH_ALREADY_USED
    reason = EXCLUDED_GRADES.get(item.condition_grade)
    if reason is not None:
        return Refusal(
            _EXCLUDED, f"That one was sold as {reason}, and those are never price matched.", {"reason": reason}
        )
    window = return_window(item, customer.tier)
    if order.delivered is not None and (call.now.date() - order.delivered).days > window.days:
        message = f"A price match has to fall inside the return window of {days(window.days)}, and that is over."
        return Refusal("PRICE_MATCH_WINDOW_CLOSED", message)
    return None


def _qualified(call: Call, said: str) -> str | Refusal:
    """Name of the first qualified competitor that the text names or is a part of, or the refusal listing all."""
    names: list[str] = [row["name"] for row in call.rows("SELECT name FROM competitors ORDER BY name")]
    heard = said.lower()
    found = next((name for name in names if heard and (heard in name.lower() or name.lower() in heard)), None)
    if found is not None:
        return found
    message = f"That retailer is not one we match. We match {listed(names, last='and')}."
    return Refusal("NOT_A_QUALIFIED_COMPETITOR", message)


def _held(call: Call, customer: Customer, item: Item, competitor: str, price_cents: int) -> Outcome:
    difference_cents = item.price_cents - price_cents
    payload = {
        "order_number": item.order_number,
        "sku": item.sku,
        "competitor": competitor,
        "competitor_price_cents": price_cents,
        "difference_cents": difference_cents,
    }
    paid, price, difference = map(dollars, (item.price_cents, price_cents, difference_cents))
    summary = (
        f"Matching the {item.name} to {competitor}: you paid {paid}, they ask {price}, "
        f"so {difference} goes {customer.refund_method}."
    )
    return {
        "eligible": True,
        "item_name": item.name,
        "paid": paid,
        "competitor": competitor,
        "competitor_price": price,
        "difference": difference,
        "summary": summary,
        "confirmation_token": hold(call, customer, "price_match", payload, summary),
    }


@tool(Confirmation)
@for_verified
def confirm_price_match(call: Call, customer: Customer, arguments: Arguments) -> Outcome:
    """Pay the quoted difference back, once the caller agreed to it. Takes the token of quote_price_match and works one
    time for each item."""
    quoted = spend(call, customer, "price_match", arguments)
    if isinstance(quoted, Refusal):
        return quoted
    call.insert(
        "price_matches",
        {"customer_id": customer.id} | quoted | {"method": customer.refund_method, "status": "approved"},
    )
    return {
        "status": "price_matched",
        "order_number": quoted["order_number"],
        "refund": dollars(quoted["difference_cents"]),
        "refund_method": customer.refund_method,
        "posts_within": REFUND_DAYS,
    }
