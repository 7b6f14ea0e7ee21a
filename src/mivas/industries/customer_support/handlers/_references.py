"""Which order and which item the caller means: a number, part of one, or the product's name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mivas.industries.customer_support.handlers._arguments import digits
from mivas.industries.customer_support.handlers._records import Customer, Item, Order, items_of, orders_of
from mivas.industries.customer_support.handlers._scripts import marketplace
from mivas.state import Call, Refusal

NO_ORDERS = Refusal("NO_ORDERS", "I do not see any orders on your account.")
UNKNOWN_ORDER = Refusal(
    "UNKNOWN_ORDER", "I do not find that order on your account. Could you give me the number again, or the product?"
)
UNKNOWN_ITEM = Refusal(
    "UNKNOWN_ITEM", "I am not sure which item of that order you mean. Could you tell me the product's name?"
)
_ORDER_DIGITS = 4
_NUMBER_ALONE = re.compile(r"(?:k ?e[ -]*)?[0-9]+")
_THE_WORD_ORDER = re.compile(r"\border\b")
_WORD_LENGTH = 3
"""Words of a description count when they are longer."""


def is_order_number(call: Call, order_number: str, said: str) -> bool:
    """Whether the text spells that order's number, by the rule that scoring compares order numbers with."""
    return any(rule.compare(order_number, said) for rule in call.scoring.rules_for("order_number"))


def find_order(call: Call, customer: Customer, reference: str) -> Order | Refusal:
    """The customer's order that is meant, by number, else by product, else the only one there is."""
    orders, said = orders_of(call, customer), reference.lower()
    if not orders:
        return NO_ORDERS
    for order in orders:
        if is_order_number(call, order.order_number, said) or said == order.order_number.lower():
            return order
    if _looks_like_a_number(said):
        return UNKNOWN_ORDER
    described = _described(_in_seed_order(call, orders), said)
    if described is not None:
        return next(order for order in orders if order.order_number == described.order_number)
    return orders[0] if len(orders) == 1 else UNKNOWN_ORDER


def _looks_like_a_number(said: str) -> bool:
    """A wrong number is no description: it must not fall back on whatever else is on the account."""
    if len(digits(said)) < _ORDER_DIGITS:
        return False
    return _NUMBER_ALONE.fullmatch(said) is not None or _THE_WORD_ORDER.search(said) is not None


def _in_seed_order(call: Call, orders: Iterable[Order]) -> list[Item]:
    items = [item for order in orders for item in items_of(call, order.order_number)]
    return sorted(items, key=lambda item: item.id)


def find_item(call: Call, order: Order, reference: str) -> Item | Refusal:
    """The item of the order that is meant: by SKU, else by description, else the only one there is."""
    items, said = items_of(call, order.order_number), reference.lower()
    found = next((item for item in items if item.sku.lower() == said), None) or _described(items, said)
    if found is not None:
        return found
    return items[0] if len(items) == 1 else UNKNOWN_ITEM


def _described(items: Iterable[Item], said: str) -> Item | None:
    """The first item that shares the text, its category or a longer word with what was said."""
    if not said:
        return None
    longer = [word for word in said.split(" ") if len(word) > _WORD_LENGTH]
    for item in items:
        about = f"{item.sku} {item.name} {item.category}".lower()
        if said in about or item.category in said or any(word in about for word in longer):
            return item
    return None


def sold_by_other(order: Order) -> Refusal | None:
    """The refusal of an order that an independent seller has to look after, or None for Kestrel's own."""
    if order.fulfillment == "kestrel":
        return None
    return Refusal("MARKETPLACE_SELLER_POLICY", marketplace(order.seller_name), {"seller": order.seller_name})


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """One item with the order it came in."""

    order: Order
    item: Item


def find_purchase(call: Call, customer: Customer, order_reference: str, item_reference: str) -> Purchase | Refusal:
    """What Kestrel itself sold to the customer; goods of a seller are refused before the item is asked for."""
    order = find_order(call, customer, order_reference)
    if isinstance(order, Refusal):
        return order
    if (refusal := sold_by_other(order)) is not None:
        return refusal
    item = find_item(call, order, item_reference)
    return item if isinstance(item, Refusal) else Purchase(order=order, item=item)
