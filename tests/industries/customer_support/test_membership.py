"""What somebody has, moving up, cancelling: whole months, cents rounded down."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.industries.customer_support.handlers._policy import (
    cancellation_refund_cents,
    renewal,
    upgrade_cents,
    whole_months,
)

# Who, renewal, months left, refund, price of Total
MEMBERS = [
    ("dana", "2027-03-01", 7, "$116.66", None),
    ("priya", "2027-01-20", 5, "$12.49", "$70.83"),
    ("glen", "2026-12-05", 4, "$66.66", None),
    ("tomas", "2027-05-10", 9, "$22.49", "$127.50"),
    ("amina", "2027-04-02", 8, "$19.99", "$113.33"),
    ("victor", "2027-02-11", 6, "$99.99", None),
    ("selina", "2027-02-15", 6, "$14.99", "$85.00"),
    ("owen", "2026-09-20", 1, "$16.66", None),
    ("nadia", "2027-06-01", 10, "$166.65", None),
    ("felix", "2027-03-22", 7, "$17.49", "$99.16"),
    ("grace", "2026-10-01", 2, "$33.33", None),
]


@pytest.mark.parametrize(("who", "renews", "months", "refund", "total"), MEMBERS)
def test_each_member_has_these_figures(
    caller: Callable[[str], Any], who: str, renews: str, months: int, refund: str, total: str | None
) -> None:
    desk = caller(who)
    data = desk("get_membership")
    assert (data["has_membership"], data["renews_on"], data["months_remaining"]) == (True, renews, months)
    assert (data["auto_renew"], data["price_paid"]) == (True, "$29.99" if total else "$199.99")
    quote = desk("quote_membership_cancellation")
    assert (quote["months_unused"], quote["refund_amount"]) == (months, refund)
    if total is None:
        assert desk.refused("quote_membership_upgrade") == "ALREADY_TOTAL"
    else:
        upgrade = desk("quote_membership_upgrade")
        assert (upgrade["from_tier"], upgrade["amount_due"], upgrade["months_remaining"]) == ("plus", total, months)


def test_without_a_membership_the_prices_are_told(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    assert desk("get_membership") == {
        "tier": "standard", "has_membership": False, "plus_price": "$29.99", "total_price": "$199.99",
    }  # fmt: skip
    assert desk.refused("quote_membership_cancellation") == "NO_MEMBERSHIP"
    upgrade = desk("quote_membership_upgrade")
    assert (upgrade["from_tier"], upgrade["amount_due"], upgrade["months_remaining"]) == ("standard", "$199.99", 12)


def test_moving_up_changes_the_tier_alone(caller: Callable[[str], Any]) -> None:
    desk = caller("selina")
    quote = desk("quote_membership_upgrade")
    for part in ("$85.00", "1156"):
        assert part in quote["summary"]
    assert quote["confirmation_token"] == "KE-UPG-5512"
    assert desk.state()["holds"][0]["payload"] == '{"from_tier": "plus", "amount_cents": 8500, "months": 6}'
    assert desk("confirm_membership_upgrade", confirmation_token="KE-UPG-5512") == {
        "status": "upgraded", "tier": "total", "charged": "$85.00", "effective": "2026-08-01", "card_last4": "1156",
    }  # fmt: skip
    state = desk.state()
    row = next(row for row in state["customers"] if row["id"] == "cust_selina")
    assert (row["tier"], row["membership_start"], row["membership_paid_cents"], row["auto_renew"]) == (
        "total", "2026-02-15", 2999, 1,
    )  # fmt: skip
    assert state["membership_changes"] == [
        {"id": 1, "customer_id": "cust_selina", "action": "upgrade", "from_tier": "plus", "to_tier": "total",
         "amount_cents": 8500, "effective_date": "2026-08-01"}
    ]  # fmt: skip
    assert desk.refused("confirm_membership_upgrade", confirmation_token="KE-UPG-5512") == "TOKEN_ALREADY_USED"


def test_a_newcomer_to_total_has_no_start_on_record(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    desk("quote_membership_upgrade")
    desk("confirm_membership_upgrade", confirmation_token="KE-UPG-5512")
    for tool in ("get_membership", "quote_membership_cancellation"):
        assert desk.refused(tool) == "INVALID_DATE"
    assert desk.refused("check_subscription_charge", phone="541-555-0104") == "INVALID_DATE"
    assert desk.refused("quote_membership_upgrade") == "ALREADY_TOTAL"


def test_cancelling_wants_the_acknowledgement_and_clears_the_membership(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    assert desk.refused("confirm_membership_cancellation") == "DISCLOSURE_REQUIRED"
    quote = desk("quote_membership_cancellation")
    assert (quote["tier"], quote["confirmation_token"]) == ("total", "KE-CXL-7708")
    assert quote["benefits_lost"]
    for part in ("$116.66", "August 1, 2026", "4417"):
        assert part in quote["summary"]
    assert desk.state()["holds"][0]["payload"] == '{"tier": "total", "refund_cents": 11666, "months": 7}'
    token = {"confirmation_token": "KE-CXL-7708"}
    assert desk.refused("confirm_membership_cancellation", **token) == "DISCLOSURE_REQUIRED"
    data = desk("confirm_membership_cancellation", **token, proration_acknowledged=True)
    assert data.pop("note")
    assert data == {
        "status": "cancelled", "was_tier": "total", "refund": "$116.66",
        "refund_method": "back to the card ending 4417", "effective_date": "2026-08-01",
    }  # fmt: skip
    state = desk.state()
    row = next(row for row in state["customers"] if row["id"] == "cust_dana")
    assert (row["tier"], row["membership_start"], row["membership_paid_cents"], row["auto_renew"]) == (
        "standard", "", 0, 0,
    )  # fmt: skip
    assert state["membership_changes"] == [
        {"id": 1, "customer_id": "cust_dana", "action": "cancel", "from_tier": "total", "to_tier": "standard",
         "amount_cents": 11666, "effective_date": "2026-08-01"}
    ]  # fmt: skip
    again = desk.refused("confirm_membership_cancellation", **token, proration_acknowledged=True)
    assert again == "TOKEN_ALREADY_USED"
    assert desk.refused("quote_membership_cancellation") == "NO_MEMBERSHIP"
    assert desk("check_return_eligibility")["window_days"] == 15


def test_an_upgrade_quoted_before_cancelling_can_still_be_spent(caller: Callable[[str], Any]) -> None:
    desk = caller("selina")
    desk("quote_membership_upgrade")
    desk("quote_membership_cancellation")
    desk("confirm_membership_cancellation", confirmation_token="KE-CXL-7708", proration_acknowledged="yes")
    assert desk("confirm_membership_upgrade", confirmation_token="KE-UPG-5512")["charged"] == "$85.00"


@pytest.mark.parametrize(
    ("start", "today", "renews"),
    [
        ("2026-08-02", "2026-08-01", "2026-08-02"), ("2025-08-01", "2026-08-01", "2027-08-01"),
        ("2025-08-02", "2026-08-01", "2026-08-02"), ("2025-07-31", "2026-08-01", "2027-07-31"),
        ("2024-02-29", "2026-02-27", "2026-02-28"), ("2024-02-29", "2026-02-28", "2027-02-28"),
        ("2024-02-29", "2027-03-01", "2028-02-29"), ("2024-02-29", "2028-02-28", "2028-02-29"),
        ("2024-02-29", "2028-02-29", "2029-02-28"), ("2020-01-01", "2026-12-31", "2027-01-01"),
    ],
)  # fmt: skip
def test_a_year_renews_on_the_first_anniversary_after_today(start: str, today: str, renews: str) -> None:
    assert renewal(date.fromisoformat(start), date.fromisoformat(today)).isoformat() == renews


@pytest.mark.parametrize(
    ("today", "until", "months"),
    [
        ("2026-08-01", "2026-09-01", 1), ("2026-08-02", "2026-09-01", 0), ("2026-08-01", "2026-08-31", 0),
        ("2026-08-01", "2027-08-01", 12), ("2026-08-02", "2027-08-01", 11), ("2026-08-31", "2026-09-30", 0),
        ("2026-01-31", "2026-02-28", 0), ("2026-12-15", "2027-01-15", 1), ("2026-12-16", "2027-01-15", 0),
        ("2028-02-29", "2028-03-29", 1), ("2028-02-29", "2028-03-28", 0),
    ],
)  # fmt: skip
def test_only_whole_months_count(today: str, until: str, months: int) -> None:
    assert whole_months(date.fromisoformat(today), date.fromisoformat(until)) == months


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.integers(0, 5000))
def test_a_running_year_is_never_longer_than_twelve_months(start: date, days: int) -> None:
    today = start + timedelta(days=days)
    renews = renewal(start, today)
    assert today < renews <= today + timedelta(days=366)
    assert 0 <= whole_months(today, renews) <= 12


@pytest.mark.parametrize(
    ("months", "plus", "total", "upgrade"),
    [
        (0, 0, 0, 0), (1, 249, 1666, 1416), (2, 499, 3333, 2833), (3, 749, 4999, 4250), (5, 1249, 8332, 7083),
        (6, 1499, 9999, 8500), (7, 1749, 11666, 9916), (11, 2749, 18332, 15583), (12, 2999, 19999, 17000),
    ],
)  # fmt: skip
def test_shares_of_a_year_are_rounded_down_to_the_cent(months: int, plus: int, total: int, upgrade: int) -> None:
    assert cancellation_refund_cents(2999, months) == plus
    assert cancellation_refund_cents(19999, months) == total
    assert upgrade_cents("plus", months) == upgrade
    assert upgrade_cents("standard", months) == 19999


@pytest.mark.parametrize(
    ("day", "refund"), [("2026-08-31", "$99.99"), ("2026-09-01", "$99.99"), ("2026-09-02", "$83.32")]
)
def test_the_day_of_the_month_decides_on_the_call(on_day: Callable[..., Any], day: str, refund: str) -> None:
    assert on_day(day, "dana")("quote_membership_cancellation")["refund_amount"] == refund
