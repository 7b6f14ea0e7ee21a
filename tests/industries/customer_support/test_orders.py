"""Status, moving a delivery, cancelling."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

TODAY = date(2026, 8, 1)


def test_an_order_is_shown_with_what_is_in_it(caller: Callable[[str], Any]) -> None:
    assert caller("nadia")("get_order", order_number="0001") == {
        "order_number": "KE-4500001",
        "order_date": "2026-07-30",
        "status": "scheduled",
        "fulfillment": "kestrel",
        "seller_name": None,
        "purchase_state": "WA",
        "delivered_date": None,
        "delivery_date": "2026-08-03",
        "delivery_window": "8am-12pm",
        "installation_included": True,
        "haul_away_included": True,
        "items": [
            {
                "sku": "SKU-APP-7740",
                "name": "Emberline Induction Range",
                "category": "appliance",
                "price": "$1,499.99",
                "opened": False,
                "activatable": False,
                "condition_grade": "new",
                "recalled": False,
                "battery_safety_flag": False,
            }
        ],
    }


def test_a_marketplace_order_names_its_seller_and_flags_are_shown(caller: Callable[[str], Any]) -> None:
    assert caller("tomas")("get_order")["seller_name"] == "Northwind Supply Co"
    assert caller("amina")("get_order")["items"][0]["battery_safety_flag"] is True
    assert caller("victor")("get_order")["items"][0]["recalled"] is True


@pytest.mark.parametrize(
    ("new_date", "allowed"),
    [
        ("2026-07-31", False), ("2026-08-01", False), ("2026-08-02", False), ("2026-08-03", True),
        ("2026-08-09", False), ("2026-08-10", True), ("2026-08-14", True), ("2026-09-27", False),
        ("2026-09-29", True), ("2026-09-30", True), ("2026-10-01", False),
    ],
)  # fmt: skip
def test_a_delivery_moves_to_any_weekday_from_tomorrow_to_sixty_days_ahead(
    caller: Callable[[str], Any], new_date: str, allowed: bool
) -> None:
    desk = caller("dana")
    if allowed:
        assert desk("quote_delivery_change", new_date=new_date)["new_date"] == new_date
    else:
        assert desk.refused("quote_delivery_change", new_date=new_date) == "DATE_UNAVAILABLE"
        assert desk.state()["holds"] == []


def test_tomorrow_is_the_earliest_day(on_day: Callable[..., Any]) -> None:
    monday = date(2026, 8, 3)
    assert on_day(monday, "dana")("quote_delivery_change", new_date="2026-08-04")["new_date"] == "2026-08-04"
    assert on_day(monday, "dana").refused("quote_delivery_change", new_date="2026-08-03") == "DATE_UNAVAILABLE"


@pytest.mark.parametrize(
    ("days_before", "fee"),
    [(13, "$0.00"), (3, "$0.00"), (2, "$29.99"), (1, "$29.99"), (0, "$29.99"), (-1, "$29.99")],
)
def test_the_fee_depends_on_the_booked_day_alone(on_day: Callable[..., Any], days_before: int, fee: str) -> None:
    desk = on_day(date(2026, 8, 14) - timedelta(days=days_before), "dana")
    assert desk("quote_delivery_change", new_date="2026-08-25")["fee"] == fee


def test_a_quote_holds_the_change_and_a_new_one_replaces_it(caller: Callable[[str], Any]) -> None:
    desk = caller("nadia")
    desk("quote_delivery_change", order_number="range", new_date="2026-08-05")
    data = desk("quote_delivery_change", order_number="range", new_date="2026-08-06")
    summary = data.pop("summary")
    assert data == {
        "order_number": "KE-4500001",
        "current_date": "2026-08-03",
        "new_date": "2026-08-06",
        "delivery_window": "8am-12pm",
        "fee": "$29.99",
        "confirmation_token": "KE-DLV-3390",
    }
    for part in ("August 3, 2026", "August 6, 2026", "8am-12pm", "$29.99"):
        assert part in summary
    payload = (
        '{"order_number": "KE-4500001", "old_date": "2026-08-03", "new_date": "2026-08-06", '
        '"window": "8am-12pm", "fee_cents": 2999}'
    )
    assert desk.state()["holds"] == [
        {"token": "KE-DLV-3390", "kind": "delivery_change", "customer_id": "cust_nadia", "payload": payload,
         "summary": summary, "consumed": 0}
    ]  # fmt: skip
    assert desk.state()["delivery_changes"] == []


def test_confirming_moves_the_delivery_once(caller: Callable[[str], Any]) -> None:
    desk = caller("nadia")
    token = desk("quote_delivery_change", order_number="range", new_date="Aug 6")["confirmation_token"]
    assert desk("confirm_delivery_change", confirmation_token=f" {token.lower()} ") == {
        "status": "rescheduled", "order_number": "KE-4500001", "new_date": "2026-08-06",
        "delivery_window": "8am-12pm", "fee": "$29.99", "customer": "Nadia Grant",
    }  # fmt: skip
    state = desk.state()
    order = next(row for row in state["orders"] if row["order_number"] == "KE-4500001")
    assert (order["delivery_date"], order["delivery_window"], order["status"]) == (
        "2026-08-06", "8am-12pm", "scheduled",
    )  # fmt: skip
    assert state["delivery_changes"] == [
        {"id": 1, "order_number": "KE-4500001", "old_date": "2026-08-03", "new_date": "2026-08-06",
         "time_window": "8am-12pm", "fee_cents": 2999}
    ]  # fmt: skip
    assert state["holds"][0]["consumed"] == 1
    assert desk.refused("confirm_delivery_change", confirmation_token=token) == "TOKEN_ALREADY_USED"
    assert desk.state() == state


def test_moving_to_the_same_day_is_allowed_and_an_empty_window_gets_the_usual_one(
    caller: Callable[[str], Any],
) -> None:
    desk = caller("dana")
    assert desk("quote_delivery_change", new_date="2026-08-14")["fee"] == "$0.00"
    desk.look("UPDATE orders SET delivery_window = '' WHERE order_number = 'KE-4471209'")
    assert desk("quote_delivery_change", new_date="2026-08-18")["delivery_window"] == "8am-12pm"


def test_the_status_of_a_moved_order_is_not_asked(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    desk("cancel_order")
    assert desk("quote_delivery_change", new_date="2026-08-18")["current_date"] == "2026-08-14"


@pytest.mark.parametrize("said", ["Sunday", "August 18th", "", None, "2026-02-30"])
def test_an_unreadable_day_is_asked_again_and_a_missing_delivery_comes_first(
    caller: Callable[[str], Any], said: Any
) -> None:
    assert caller("dana").refused("quote_delivery_change", new_date=said) == "INVALID_DATE"
    assert caller("selina").refused("quote_delivery_change", new_date=said) == "NO_DELIVERY_SCHEDULED"


@pytest.mark.parametrize(
    ("who", "order", "refund", "cents"),
    [("selina", "KE-4498870", "$189.99", 18999), ("dana", "KE-4471209", "$2,149.99", 214999)],
)
def test_cancelling_takes_one_step_and_pays_the_whole_order_back(
    caller: Callable[[str], Any], who: str, order: str, refund: str, cents: int
) -> None:
    desk = caller(who)
    data = desk("cancel_order")
    last4 = {"selina": "1156", "dana": "4417"}[who]
    assert data == {
        "status": "cancelled", "order_number": order, "refund": refund,
        "refund_method": f"back to the card ending {last4}", "posts_within": "3 to 5 business days",
    }  # fmt: skip
    state = desk.state()
    assert next(row["status"] for row in state["orders"] if row["order_number"] == order) == "cancelled"
    assert state["order_cancellations"] == [
        {"id": 1, "order_number": order, "refund_cents": cents, "status": "cancelled"}
    ]
    assert state["holds"] == []
    assert desk("cancel_order") == {"status": "already_cancelled", "order_number": order}
    assert desk.state() == state


def test_all_items_of_an_order_are_paid_back(caller: Callable[[str], Any]) -> None:
    desk = caller("felix")
    desk.look("UPDATE orders SET status = 'processing' WHERE order_number = 'KE-4495108'")
    assert desk("cancel_order")["refund"] == "$1,399.97"


@pytest.mark.parametrize("status", ["shipped", "delivered"])
def test_what_has_left_is_not_cancelled(caller: Callable[[str], Any], status: str) -> None:
    desk = caller("selina")
    desk.look("UPDATE orders SET status = ? WHERE order_number = 'KE-4498870'", status)
    before = desk.state()
    assert desk.refused("cancel_order") == "ORDER_ALREADY_SHIPPED"
    assert desk.state() == before


def test_payloads_are_json_with_spaces(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    desk("quote_delivery_change", new_date="2026-08-18")
    payload = desk.state()["holds"][0]["payload"]
    assert payload == json.dumps(json.loads(payload))
