"""Which order and which item the caller means, and which day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.industries.customer_support.handlers._arguments import cents, day, number

LAPTOP, MONITOR, FRIDGE = "KE-4408117", "KE-4399052", "KE-4471209"


@pytest.mark.parametrize(
    ("who", "said", "order"),
    [
        pytest.param("marcus", "KE-4408117", LAPTOP, id="number"),
        pytest.param("marcus", " ke-4408117 ", LAPTOP, id="number in lower case"),
        pytest.param("marcus", "4408117", LAPTOP, id="digits"),
        pytest.param("marcus", 4408117, LAPTOP, id="digits as a number"),
        pytest.param("marcus", "8117", LAPTOP, id="last four"),
        pytest.param("marcus", "order 9052", MONITOR, id="last four in a phrase"),
        pytest.param("marcus", "0014399052", MONITOR, id="the last seven of more digits"),
        pytest.param("marcus", "117", None, id="three digits match nothing"),
        pytest.param("marcus", "KE-1234567", None, id="wrong number"),
        pytest.param("marcus", "k e 1234567", None, id="wrong number, spelled"),
        pytest.param("marcus", "my order 1234567", None, id="wrong number in a phrase"),
        pytest.param("marcus", "the laptop", LAPTOP, id="a word of the name"),
        pytest.param("marcus", "vista", MONITOR, id="inside the text"),
        pytest.param("marcus", "SKU-CMP-2280", MONITOR, id="SKU"),
        pytest.param("marcus", "something in computing", LAPTOP, id="the category, first in seed order"),
        pytest.param("marcus", "kestrel", LAPTOP, id="both fit: first in seed order"),
        pytest.param("marcus", "the box", None, id="short words don't count"),
        pytest.param("marcus", "", None, id="two orders and no word"),
        pytest.param("dana", "", FRIDGE, id="one order needs no word"),
        pytest.param("dana", None, FRIDGE, id="one order and null"),
        pytest.param("dana", "what I bought", FRIDGE, id="one order and nonsense"),
        pytest.param("dana", "KE-1234567", None, id="one order and a wrong number"),
        pytest.param("dana", "model 1234567", FRIDGE, id="digits in a description that is no order number"),
        pytest.param("glen", FRIDGE, None, id="somebody else's order"),
    ],
)
def test_an_order_is_named_by_number_then_product_then_alone(
    caller: Callable[[str], Any], who: str, said: Any, order: str | None
) -> None:
    desk = caller(who)
    if order is None:
        assert desk.refused("get_order", order_number=said) == "UNKNOWN_ORDER"
    else:
        assert desk("get_order", order_number=said)["order_number"] == order


def test_item_stands_in_for_a_missing_order_number(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    assert desk("get_order", item="monitor")["order_number"] == MONITOR
    assert desk("get_order", order_number="laptop", item="monitor")["order_number"] == LAPTOP


def test_an_account_without_orders_says_so(caller: Callable[[str], Any]) -> None:
    desk = caller("dana")
    desk.look("UPDATE orders SET customer_id = 'cust_owen' WHERE customer_id = 'cust_dana'")
    assert desk.refused("get_order") == "NO_ORDERS"


@pytest.mark.parametrize(
    ("said", "sku"),
    [
        pytest.param("SKU-AUD-8820", "SKU-AUD-8820", id="SKU"),
        pytest.param(" sku-aud-8820 ", "SKU-AUD-8820", id="SKU in lower case"),
        pytest.param("Mini", "SKU-AUD-8820", id="inside the name"),
        pytest.param("Aurelian Soundbar Mini", "SKU-AUD-7720", id="the first item that shares a longer word"),
        pytest.param("Soundbar Mini", "SKU-AUD-7720", id="the same without the brand"),
        pytest.param("TV", "SKU-TV-4410", id="short, but inside the name"),
        pytest.param("my television", "SKU-TV-4410", id="the category inside the text"),
        pytest.param("open-box TV", None, id="no word in common"),
        pytest.param("", None, id="three items and no word"),
        pytest.param(None, None, id="three items and null"),
    ],
)
def test_an_item_is_named_by_sku_then_words(caller: Callable[[str], Any], said: Any, sku: str | None) -> None:
    desk = caller("felix")
    if sku is None:
        assert desk.refused("check_return_eligibility", sku=said) == "UNKNOWN_ITEM"
    else:
        assert desk("check_return_eligibility", sku=said)["sku"] == sku


def test_the_only_item_needs_no_name_and_no_item_is_unknown(caller: Callable[[str], Any]) -> None:
    desk = caller("owen")
    assert desk("check_return_eligibility", sku="whatever")["sku"] == "SKU-DRN-4400"
    desk.look("DELETE FROM order_items WHERE order_number = 'KE-4487740'")
    assert desk.refused("check_return_eligibility", order_number="KE-4487740") == "UNKNOWN_ITEM"


@pytest.mark.parametrize(
    "said",
    [
        "2026-08-18", " 2026-08-18 ", "2026/08/18", "20260818", "2026-08-18T09:30", "2026-08-18T09:30:00-07:00",
        "August 18, 2026", "August 18 2026", "Aug 18, 2026", "aug 18 2026", "08-18-2026", "8/18/2026", "August 18",
        "Aug 18",
    ],
)  # fmt: skip
def test_a_day_may_be_written_in_these_ways(said: str) -> None:
    assert day(said, 2026) == date(2026, 8, 18)


@pytest.mark.parametrize(
    "said",
    ["", None, " ", "August 18th", "18 August", "tomorrow", "2026-02-30", "08-18-26", "13-01-2026", "8-18", [], {}, 5],
)
def test_a_day_that_cannot_be_read_is_none(said: Any) -> None:
    assert day(said, 2026) is None


def test_a_leap_day_without_a_year_is_read_in_the_given_year() -> None:
    assert day("February 29", 2028) == date(2028, 2, 29)
    assert day("February 29", 2026) is None
    assert day("Feb 29, 2028", 2026) == date(2028, 2, 29)


@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%Y-%m-%d", "%m/%d/%Y", "%m-%d-%Y", "%B %d, %Y"]))
def test_every_day_comes_back_from_each_form(when: date, form: str) -> None:
    assert day(when.strftime(form), 2026) == when


@given(st.text() | st.none() | st.integers() | st.floats() | st.lists(st.integers()))
def test_reading_never_raises(value: Any) -> None:
    assert day(value, 2026) is None or isinstance(day(value, 2026), date)
    read = number(value)
    assert read is None or isinstance(cents(read), int)


def test_a_sum_beyond_all_numbers_is_none() -> None:
    assert number(1.8e306) is None
