"""The firm's rules as data and arithmetic: windows, fees, memberships, coverage. Money is integer US cents.

Each figure stands here once; what is said about it is derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from mivas.industries.customer_support.handlers._records import Customer, Item, Order, Tier
from mivas.industries.customer_support.handlers._speech import days, dollars

IDENTITY_ATTEMPTS = 2
"""Failed attempts after which a record can't be verified until it is looked up again."""


# Memberships


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A paid tier."""

    label: str
    annual_cents: int
    benefits: str


MEMBERSHIPS: Mapping[Tier, Membership] = {
    "plus": Membership(
        label="Kestrel Plus",
        annual_cents=2999,
        benefits="the longer return window, member pricing, free two-day shipping and the rewards",
    ),
    "total": Membership(
        label="Kestrel Total",
        annual_cents=19999,
        benefits="everything in Plus, TechCrew Protect on most purchases and round-the-clock TechCrew help",
    ),
}
UPGRADE_DIFFERENCE_CENTS = MEMBERSHIPS["total"].annual_cents - MEMBERSHIPS["plus"].annual_cents
MONTHS_A_YEAR = 12


def renewal(start: date, today: date) -> date:
    """First anniversary of the start after today. One that began on 29 February renews on the 28th in common years.

    >>> renewal(date(2026, 3, 1), date(2026, 8, 1)), renewal(date(2025, 8, 1), date(2026, 8, 1))
    (datetime.date(2027, 3, 1), datetime.date(2027, 8, 1))
    """
    year = max(today.year, start.year)
    return next(day for later in range(3) if (day := _anniversary(start, year + later)) > today)


def _anniversary(start: date, year: int) -> date:
    try:
        return start.replace(year=year)
    except ValueError:  # 29 February, in a year without one
        return start.replace(year=year, day=28)


def whole_months(today: date, until: date) -> int:
    """Whole calendar months from today until a later day.

    >>> whole_months(date(2026, 8, 1), date(2027, 3, 1)), whole_months(date(2026, 8, 2), date(2027, 3, 1))
    (7, 6)
    """
    months = (until.year - today.year) * MONTHS_A_YEAR + until.month - today.month
    return max(0, months - (until.day < today.day))


def upgrade_cents(tier: Tier, months: int) -> int:
    """What Total costs now: a whole year for a newcomer, the difference for the months left for a Plus member.

    >>> upgrade_cents("standard", 12), upgrade_cents("plus", 5)
    (19999, 7083)
    """
    if tier == "plus":
        return UPGRADE_DIFFERENCE_CENTS * months // MONTHS_A_YEAR
    return MEMBERSHIPS["total"].annual_cents


def cancellation_refund_cents(paid_cents: int, months: int) -> int:
    """The paid share of the whole months that are left, rounded down.

    >>> cancellation_refund_cents(19999, 7)
    11666
    """
    return paid_cents * months // MONTHS_A_YEAR


# Returns


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnWindow:
    """Days after delivery, both ends included, in which an item may come back."""

    days: int
    reason: str


ACTIVATABLE_WINDOW = ReturnWindow(
    days=14,
    reason="Phones and other devices that are activated on a mobile network have 14 days. No membership changes that.",
)
MEMBER_WINDOW_DAYS = 60
STANDARD_WINDOW = ReturnWindow(days=15, reason="Without a membership the window is 15 days.")


def return_window(item: Item, tier: Tier) -> ReturnWindow:
    """The window of an item for a customer of that tier."""
    if item.activatable:
        return ACTIVATABLE_WINDOW
    membership = MEMBERSHIPS.get(tier)
    if membership is None:
        return STANDARD_WINDOW
    return ReturnWindow(
        days=MEMBER_WINDOW_DAYS, reason=f"{membership.label} gives this item {days(MEMBER_WINDOW_DAYS)}."
    )


NO_FEE_STATES = ("AL", "CO", "HI", "IA", "MS", "OH", "OK", "SC")
ACTIVATABLE_FEE_CENTS = 4500
FEE_PERCENT = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class RestockingFee:
    """What an opened box costs to take back."""

    cents: int
    reason: str


def restocking_fee(item: Item, purchase_state: str, *, opened: bool) -> RestockingFee:
    """The fee of an item, a percentage rounded down to the cent."""
    if purchase_state in NO_FEE_STATES:
        return RestockingFee(cents=0, reason=f"It was bought in {purchase_state}, where no restocking fee is charged.")
    if not opened:
        return RestockingFee(cents=0, reason="The box is unopened, so there is no restocking fee.")
    if item.restock_class == "activatable":
        reason = f"An opened device that is activated on a mobile network costs {dollars(ACTIVATABLE_FEE_CENTS)}."
        return RestockingFee(cents=ACTIVATABLE_FEE_CENTS, reason=reason)
    if item.restock_class == "percent_15":
        reason = f"For this kind of product the fee is {FEE_PERCENT} percent of the price once the box is open."
        return RestockingFee(cents=item.price_cents * FEE_PERCENT // 100, reason=reason)
    return RestockingFee(cents=0, reason="This kind of product has no restocking fee.")


REFUND_DAYS = "3 to 5 business days"
LABEL_DAYS = 30


# Deliveries

LATE_CHANGE_DAYS = 2
LATE_CHANGE_CENTS = 2999
LAST_DELIVERY_DAY = 60
"""Days from today that a delivery can be moved to at most."""
DEFAULT_WINDOW = "8am-12pm"
_SUNDAY = 6


def delivery_change_cents(booked: date, today: date) -> int:
    """Fee for moving a delivery that is booked for that day, wherever it is moved to."""
    return LATE_CHANGE_CENTS if (booked - today).days <= LATE_CHANGE_DAYS else 0


def why_no_delivery(wanted: date, today: date) -> str | None:
    """Why nothing can be delivered on that day, or None when it can."""
    if wanted <= today:
        return "The earliest a delivery can move to is tomorrow."
    if (wanted - today).days > LAST_DELIVERY_DAY:
        return f"Deliveries can be booked up to {days(LAST_DELIVERY_DAY)} ahead, and that day is further off."
    if wanted.weekday() == _SUNDAY:
        return "There are no deliveries on Sundays."
    return None


# Price match

EXCLUDED_GRADES: Mapping[str, str] = {
    "open_box_excellent_certified": "open box",
    "open_box_excellent": "open box",
    "open_box_satisfactory": "open box",
    "open_box_fair": "open box",
    "clearance": "clearance",
    "refurbished": "refurbished",
}
OUT_OF_STOCK = "out_of_stock"


# Coverage

Payer: TypeAlias = Literal["manufacturer", "customer_deductible", "kestrel", "customer"]
CoverageName: TypeAlias = Literal[
    "recall_remedy", "techcrew_protect", "kestrel_total", "manufacturer_warranty", "not_covered"
]
WARRANTY_DAYS = 365
TOTAL_COVERAGE_DAYS = 730
DIAGNOSTIC_CENTS = 3999
_ACCIDENTS = (
    "drop", "crack", "smash", "shatter", "water", "liquid", "spill", "sat on", "ran over", "damage",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A protection plan that is running."""

    name: str
    deductible_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Who pays for a repair, and how much the caller does."""

    name: CoverageName
    payer: Payer
    amount_cents: int = 0
    detail: str | None = None
    covers_accidents: bool | None = None
    """None where the question doesn't arise."""

    @property
    def covered(self) -> bool:
        return self.name != "not_covered"


def is_accident(issue: str) -> bool:
    """Whether the words tell of an accident and not of a defect.

    >>> is_accident("I dropped it"), is_accident("will not charge")
    (True, False)
    """
    return any(word in issue.lower() for word in _ACCIDENTS)


def coverage(customer: Customer, order: Order, item: Item, plan: Plan | None, issue: str, today: date) -> Coverage:
    """The first rung that applies: recall, plan, Total membership, maker's warranty, nothing.

    `plan` is the customer's running plan for the item's SKU, or None. Undelivered counts as delivered today.
    """
    if item.recalled:
        return Coverage(name="recall_remedy", payer="manufacturer")
    if plan is not None:
        return Coverage(
            name="techcrew_protect",
            payer="customer_deductible",
            amount_cents=plan.deductible_cents,
            covers_accidents=True,
        )
    delivered = order.delivered or today
    age = (today - delivered).days
    if _total_covers(customer, delivered, age):
        detail = "Kestrel Total covers it, accidents too, for as long as the membership runs and two years at the most."
        return Coverage(name="kestrel_total", payer="kestrel", detail=detail, covers_accidents=True)
    if is_accident(issue):
        return _uncovered("An accident is not a defect, so the manufacturer warranty does not apply.")
    if age <= WARRANTY_DAYS:
        detail = "The manufacturer warranty covers a defect in the first year. It does not cover accidents."
        return Coverage(name="manufacturer_warranty", payer="manufacturer", detail=detail, covers_accidents=False)
    return _uncovered("The one-year manufacturer warranty is over.")


def _total_covers(customer: Customer, delivered: date, age: int) -> bool:
    return (
        customer.tier == "total" and customer.membership_start <= delivered.isoformat() and age <= TOTAL_COVERAGE_DAYS
    )


def _uncovered(why: str) -> Coverage:
    detail = (
        f"{why} A diagnostic is {dollars(DIAGNOSTIC_CENTS)} and comes first; "
        "the repair is quoted before any work begins."
    )
    return Coverage(name="not_covered", payer="customer", amount_cents=DIAGNOSTIC_CENTS, detail=detail)
