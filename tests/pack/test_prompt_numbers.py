"""Numbers are found however they are written, and each with what it counts."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.pack import _prompt_numbers
from mivas.pack._prompt_numbers import BASE_UNITS, numbers

UNITS = BASE_UNITS | {"opening", "eastern"}


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(_prompt_numbers).failed == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("fifty dollars", [(50, "dollar")], id="words"),
        pytest.param("$50 or 50 dollars", [(50, "dollar"), (50, "dollar")], id="money in digits"),
        pytest.param("5000 cents", [(50, "dollar")], id="cents are told in dollars"),
        pytest.param("one hundred twenty-five dollars", [(125, "dollar")], id="hundreds"),
        pytest.param("one hundred and five percent, 20%", [(105, "percent"), (20, "percent")], id="percent"),
        pytest.param("two thousand three hundred dollars", [(2300, "dollar")], id="thousands"),
        pytest.param("$1,250 and 4.5 percent", [(1250, "dollar"), (4.5, "percent")], id="comma and point"),
        pytest.param("a twenty-four-hour window, 24-hour notice", [(24, "hour"), (24, "hour")], id="hyphens"),
        pytest.param("three business days", [(3, "business day")], id="two words of unit"),
        pytest.param("two or three openings", [(2, "opening"), (3, "opening")], id="a range shares its unit"),
        pytest.param("from nine to six Eastern", [(9, "eastern"), (6, "eastern")], id="hours of the day"),
        pytest.param("dial 911 now", [(911, None)], id="nothing counted"),
        pytest.param("wait two. Hours later", [(2, None)], id="a full stop ends it"),
        pytest.param("two\n\nhours", [(2, None)], id="a paragraph ends it"),
        pytest.param("two zero two", [(2, None), (0, None), (2, None)], id="digit by digit"),
        pytest.param("nineteen ninety", [(19, None), (90, None)], id="a year as it is said"),
        pytest.param("the one they want, one opening after one", [], id="one is a pronoun"),
        pytest.param("one hour", [(1, "hour")], id="one that counts"),
        pytest.param("the first and the second, once or twice", [], id="order"),
        pytest.param("after the third miss", [(3, None)], id="third"),
        pytest.param("the 4th floor", [(4, None)], id="ordinal in digits"),
    ],
)
def test_what_is_read(text: str, found: list[tuple[float, str | None]]) -> None:
    assert [(number.value, number.unit) for number in numbers(text, UNITS)] == found


@given(text=st.text(alphabet="one two hundred thousand 0123456789 ,.-$%\n and", max_size=60))
def test_no_text_is_too_odd_to_read(text: str) -> None:
    for number in numbers(text):
        assert number.said in text


@given(value=st.integers(2, 999_999))
def test_digits_keep_their_value(value: int) -> None:
    assert [number.value for number in numbers(f"{value} and {value:,} days")] == [value, value]
