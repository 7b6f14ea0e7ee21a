"""Price match: one refusal after the other, and the difference to the cent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

HALO = {"order_number": "KE-4495108", "sku": "SKU-AUD-7720", "competitor": "Rivertide", "competitor_price": 479.99}


def test_the_difference_is_held_and_paid_once(caller: Callable[[str], Any]) -> None:
    desk = caller("felix")
    data = desk("quote_price_match", **HALO, in_stock=True)
    summary = data.pop("summary")
    assert data == {
        "eligible": True, "item_name": "Aurelian Halo Soundbar", "paid": "$549.99", "competitor": "Rivertide",
        "competitor_price": "$479.99", "difference": "$70.00", "confirmation_token": "KE-PM-2286",
    }  # fmt: skip
    for part in ("Halo", "$549.99", "Rivertide", "$479.99", "$70.00", "3390"):
        assert part in summary
    assert desk.state()["holds"][0]["payload"] == (
        '{"order_number": "KE-4495108", "sku": "SKU-AUD-7720", "competitor": "Rivertide", '
        '"competitor_price_cents": 47999, "difference_cents": 7000}'
    )
    assert desk("confirm_price_match", confirmation_token="KE-PM-2286") == {
        "status": "price_matched", "order_number": "KE-4495108", "refund": "$70.00",
        "refund_method": "back to the card ending 3390", "posts_within": "3 to 5 business days",
    }  # fmt: skip
    assert desk.state()["price_matches"] == [
        {"id": 1, "customer_id": "cust_felix", "order_number": "KE-4495108", "sku": "SKU-AUD-7720",
         "competitor": "Rivertide", "competitor_price_cents": 47999, "difference_cents": 7000,
         "method": "back to the card ending 3390", "status": "approved"}
    ]  # fmt: skip
    again = HALO | {"competitor": "Halcyon Mart", "competitor_price": 459.99}
    assert desk.refused("quote_price_match", **again) == "PRICE_MATCH_ALREADY_USED"
    mini = HALO | {"sku": "SKU-AUD-8820", "competitor": "Crestline Audio", "competitor_price": 399.99}
    assert desk("quote_price_match", **mini)["difference"] == "$50.00"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("rivertide", "Rivertide"), ("Rivertide.com", "Rivertide"), ("MARLOWE'S", "Marlowe's"),
        ("mart", "Halcyon Mart"),
        ("e", "Bulkhouse"), ("Crestline", "Crestline Audio"), ("the Pinemark store", "Pinemark"),
    ],
)  # fmt: skip
def test_a_competitor_is_named_by_a_part_either_way(caller: Callable[[str], Any], said: str, name: str) -> None:
    assert caller("felix")("quote_price_match", **HALO | {"competitor": said})["competitor"] == name


@pytest.mark.parametrize("said", ["Grimwald's", "Marlowes", "", None, "  "])
def test_another_retailer_is_refused_with_the_list(caller: Callable[[str], Any], said: Any) -> None:
    envelope = caller("felix").post("quote_price_match", HALO | {"competitor": said})
    assert envelope["error_code"] == "NOT_A_QUALIFIED_COMPETITOR"
    names = ["Bulkhouse", "Crestline Audio", "Dellaway", "Halcyon Mart", "Marlowe's", "Pinemark", "Rivertide"]
    message = envelope["caller_safe_message"]
    assert sorted(names, key=message.index) == names


@pytest.mark.parametrize(
    ("price", "answer"),
    [
        (549.98, "$0.01"), (549.99, "PRICE_NOT_LOWER"), (550, "PRICE_NOT_LOWER"), (0.01, "$549.98"),
        (0, "INVALID_ARGUMENTS"), (-1, "INVALID_ARGUMENTS"), ("479.99", "$70.00"), ("$479.99", "INVALID_ARGUMENTS"),
        (None, "INVALID_ARGUMENTS"), ("", "INVALID_ARGUMENTS"), ("nan", "INVALID_ARGUMENTS"),
        ("inf", "INVALID_ARGUMENTS"), ([], "INVALID_ARGUMENTS"), (True, "INVALID_ARGUMENTS"),
        (479.994, "$70.00"), (479.996, "$69.99"), (549.994, "PRICE_NOT_LOWER"), (1e300, "PRICE_NOT_LOWER"),
    ],
)  # fmt: skip
def test_prices_are_compared_in_cents(caller: Callable[[str], Any], price: Any, answer: str) -> None:
    desk = caller("felix")
    offer = HALO | {"competitor_price": price}
    if answer.startswith("$"):
        assert desk("quote_price_match", **offer)["difference"] == answer
    else:
        assert desk.refused("quote_price_match", **offer) == answer
        assert desk.state()["holds"] == []
    assert desk.broken() == []


@pytest.mark.parametrize(
    ("grade", "reason"),
    [
        ("open_box_excellent_certified", "open box"), ("open_box_excellent", "open box"),
        ("open_box_satisfactory", "open box"), ("open_box_fair", "open box"), ("clearance", "clearance"),
        ("refurbished", "refurbished"), ("new", None),
    ],
)  # fmt: skip
def test_only_new_goods_are_matched(caller: Callable[[str], Any], grade: str, reason: str | None) -> None:
    desk = caller("felix")
    desk.look("UPDATE order_items SET condition_grade = ? WHERE id = 'it_13'", grade)
    envelope = desk.post("quote_price_match", HALO)
    assert (envelope["error_code"], envelope["ok"]) == (None if reason is None else "PRICE_MATCH_EXCLUDED", not reason)
    if reason is not None:
        assert envelope["data"] == {"reason": reason}
        assert reason in envelope["caller_safe_message"]


def test_the_seeded_open_box_television_is_excluded(caller: Callable[[str], Any]) -> None:
    offer = HALO | {"sku": "SKU-TV-4410", "competitor_price": 349.99}
    assert caller("felix").refused("quote_price_match", **offer) == "PRICE_MATCH_EXCLUDED"


@pytest.mark.parametrize(
    ("in_stock", "excluded"), [(False, True), (True, False), (None, False), ("false", False), (0, False), ("", False)]
)
def test_out_of_stock_is_said_by_false_and_nothing_else(
    caller: Callable[[str], Any], in_stock: Any, excluded: bool
) -> None:
    envelope = caller("felix").post("quote_price_match", HALO | {"in_stock": in_stock})
    assert (envelope["error_code"] == "PRICE_MATCH_EXCLUDED") is excluded
    assert envelope["ok"] is not excluded
    if excluded:
        assert envelope["data"] == {"reason": "out_of_stock"}


@pytest.mark.parametrize(("days_after", "open_"), [(59, True), (60, True), (61, False)])
def test_the_match_ends_with_the_return_window(on_day: Callable[..., Any], days_after: int, open_: bool) -> None:
    desk = on_day(date(2026, 7, 29) + timedelta(days=days_after), "felix")
    if open_:
        assert desk("quote_price_match", **HALO)["eligible"] is True
    else:
        assert desk.refused("quote_price_match", **HALO) == "PRICE_MATCH_WINDOW_CLOSED"


def test_an_undelivered_order_can_be_matched_and_an_order_of_a_seller_never(caller: Callable[[str], Any]) -> None:
    offer = {"competitor": "Bulkhouse", "competitor_price": 1999.99}
    assert caller("dana")("quote_price_match", **offer)["difference"] == "$150.00"
    envelope = caller("tomas").post("quote_price_match", offer)
    assert envelope["error_code"] == "MARKETPLACE_SELLER_POLICY"
    assert envelope["data"] == {"seller": "Northwind Supply Co"}
    assert "Northwind Supply Co" in envelope["caller_safe_message"]


def test_item_stands_in_for_a_missing_sku_only(caller: Callable[[str], Any]) -> None:
    desk = caller("felix")
    offer = {"competitor": "Rivertide", "competitor_price": 399.99, "item": "Mini"}
    assert desk("quote_price_match", **offer)["item_name"] == "Aurelian Soundbar Mini"
    monitor = {"competitor": "Rivertide", "competitor_price": 299.99, "item": "monitor"}
    assert caller("marcus").refused("quote_price_match", **monitor) == "UNKNOWN_ORDER"


@pytest.mark.parametrize(
    ("who", "offer", "code"),
    [
        ("tomas", {"sku": "SKU-NONE"}, "MARKETPLACE_SELLER_POLICY"),
        ("felix", {"competitor": "Nobody"}, "UNKNOWN_ITEM"),
        ("felix", {"sku": "TV", "competitor": "Nobody"}, "PRICE_MATCH_EXCLUDED"),
        ("glen", {"competitor": "Nobody"}, "PRICE_MATCH_WINDOW_CLOSED"),
        ("felix", {"sku": "Mini", "competitor": "Nobody", "in_stock": False}, "NOT_A_QUALIFIED_COMPETITOR"),
        ("felix", {"sku": "Mini", "competitor": "Rivertide", "in_stock": False}, "PRICE_MATCH_EXCLUDED"),
        ("felix", {"sku": "Mini", "competitor": "Rivertide"}, "INVALID_ARGUMENTS"),
    ],
)
def test_checks_come_in_their_order(caller: Callable[[str], Any], who: str, offer: dict[str, Any], code: str) -> None:
    assert caller(who).refused("quote_price_match", **offer) == code
