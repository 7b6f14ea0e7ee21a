"""Rows of the world as values: customers, their orders, the items in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from mivas.state import Call

Tier: TypeAlias = Literal["standard", "plus", "total"]
Kind: TypeAlias = Literal["none", "activatable", "percent_15"]

MARKETPLACE = "marketplace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """A row of `customers`."""

    id: str
    name: str
    phone: str
    email: str
    postal_code: str
    card_last4: str
    tier: Tier
    membership_start: str
    """ISO date, or "" without a membership."""
    membership_paid_cents: int
    auto_renew: int

    @property
    def refund_method(self) -> str:
        """Where money goes back to, as written and as spoken."""
        return f"back to the card ending {self.card_last4}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A row of `orders`. Its dates are ISO dates, or "" when there is none."""

    order_number: str
    customer_id: str
    order_date: str
    status: str
    fulfillment: str
    seller_name: str
    purchase_state: str
    delivered_date: str
    delivery_date: str
    delivery_window: str
    install: int
    haul_away: int

    @property
    def delivered(self) -> date | None:
        return date.fromisoformat(self.delivered_date) if self.delivered_date else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row of `order_items`."""

    id: str
    order_number: str
    sku: str
    name: str
    category: str
    price_cents: int
    opened: int
    activatable: int
    restock_class: Kind
    condition_grade: str
    recalled: int
    hazmat: int


def customers(call: Call) -> list[Customer]:
    """Everybody, by id."""
    return [Customer(**row) for row in call.rows("SELECT * FROM customers ORDER BY id")]


def customer(call: Call, customer_id: str) -> Customer:
    """The customer of that id. Raises LookupError when there is none."""
    row = call.one("SELECT * FROM customers WHERE id = ?", customer_id)
    if row is None:
        raise LookupError(f"no customer {customer_id}")
    return Customer(**row)


def orders_of(call: Call, owner: Customer) -> list[Order]:
    """A customer's orders, the newest first."""
    sql = "SELECT * FROM orders WHERE customer_id = ? ORDER BY order_date DESC, order_number"
    return [Order(**row) for row in call.rows(sql, owner.id)]


def items_of(call: Call, order_number: str) -> list[Item]:
    """The items of an order, by id."""
    return [
        Item(**row) for row in call.rows("SELECT * FROM order_items WHERE order_number = ? ORDER BY id", order_number)
    ]
