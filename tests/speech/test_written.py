from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.speech import spoken, word_error, written

DIGITS = st.characters(whitelist_categories=(), whitelist_characters="0123456789")
LETTERS = "BCDEFGHJKLMNPQRSTUVWXYZ"


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("K E, four four nine, two five five one", "ke4492551"),
        ("K-E-4-4-9-2-5-5-1.", "ke4492551"),
        ("my ID is KE 4492551", "my id is ke4492551"),
        ("zip 11201, NY 11201", "zip 11201 ny 11201"),
        ("five five five, two oh one, forty-four seventy-seven", "5552014477"),
        ("(555) 201-4477", "5552014477"),
        ("double four oh nine", "4409"),
        ("oh one nine eight", "0198"),
        ("Oh, one more thing", "oh 1 more thing"),
        ("I have two, five or six", "i have 2, 5 or 6"),
        ("August fourteenth, twenty twenty-six", "august 14 2026"),
        ("the 14th of August", "the august 14"),
        ("08-14-2026 or 8/14/26", "august 14 2026 or august 14 2026"),
        ("born nineteen oh five", "born 1905"),
        ("ten oh five A M", "10:05 am"),
        ("1030 am, ten thirty", "10:30 am 10:30"),
        ("six o'clock, 10 o'clock a.m.", "6:00, 10 am"),
        ("one thousand two hundred forty nine dollars and ninety-nine cents", "$1249.99"),
        ("fifty cents or a hundred dollars", "$0.50 or $100"),
        ("20%, twenty percent", "20 percent 20 percent"),
        ("jordan dot lee four two at example dot com", "jordan.lee42@example.com"),
        ("W H I T, A K E R", "whitaker"),
        ("P.P.O. or PPO", "ppo or ppo"),
        ("the third, twenty-first", "the 3rd 21st"),
        ("plan A or B", "plan a or b"),
        ("Dr. Chen’s", "doctor chen's"),
        ("Dr. Chen", "doctor chen"),
        ("", ""),
    ],
)
def test_one_way_of_writing(heard: str, text: str) -> None:
    assert written(heard) == text


@settings(deadline=None)
@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(
                ["one", "two", "oh", "ten", "twenty", "hundred", "second", "5", "44", "2026", "August", "A", "K", "M",
                 "am", "at", "dot", "dollars", "cents", "point", ",", "-", ".", "$", "%", ":", "and", "o'clock", "x"]
            )
        ).map(" ".join),
    )
)  # fmt: skip
def test_twice_is_once(text: str) -> None:
    assert written(written(text)) == written(text)


def agrees(text: str) -> None:
    assert written(spoken(f"It is {text} now.")) == written(f"It is {text} now.")


@settings(deadline=None)
@given(
    st.text(DIGITS, min_size=3, max_size=3),
    st.text(DIGITS, min_size=3, max_size=3),
    st.text(DIGITS, min_size=4, max_size=4),
)
def test_telephone_numbers(area: str, exchange: str, line: str) -> None:
    agrees(f"{area}-{exchange}-{line}")
    assert written(spoken(f"({area}) {exchange}-{line}")) == area + exchange + line


@settings(deadline=None)
@given(st.text(LETTERS, min_size=1, max_size=2), st.text(DIGITS, min_size=5, max_size=10))
def test_ids(letters: str, digits: str) -> None:
    agrees(f"{letters}-{digits}")
    agrees(f"{letters}{digits}")


@settings(deadline=None)
@given(st.text(DIGITS, min_size=5, max_size=11))
def test_long_runs_of_digits(digits: str) -> None:
    agrees(digits)


@settings(deadline=None)
@given(st.dates(min_value=datetime.date(1910, 1, 1), max_value=datetime.date(2049, 12, 31)))
def test_dates(day: datetime.date) -> None:
    for text in (day.isoformat(), day.strftime("%m/%d/%Y"), day.strftime("%B %d, %Y")):
        agrees(text)
    assert written(day.isoformat()) == f"{day:%B} {day.day} {day.year}".lower()


@settings(deadline=None)
@given(st.integers(1, 12), st.integers(0, 59), st.sampled_from(["a.m.", "p.m.", "AM", "pm"]))
def test_times(hour: int, minute: int, half: str) -> None:
    agrees(f"{hour}:{minute:02} {half}")


@settings(deadline=None)
@given(st.integers(0, 23), st.integers(10, 59))
def test_times_of_a_24_hour_clock(hour: int, minute: int) -> None:
    agrees(f"{hour}:{minute}")


@settings(deadline=None)
@given(st.integers(0, 999_999), st.integers(0, 99))
def test_money(dollars: int, cents: int) -> None:
    agrees(f"${dollars:,}.{cents:02}")


@settings(deadline=None)
@given(st.text("BCDEFGHJKLMNOPQRSTUVWXYZA", min_size=3, max_size=12))
def test_spelled_names(letters: str) -> None:
    agrees("-".join(letters))


@settings(deadline=None)
@given(st.integers(0, 10**8))
def test_numbers_with_commas(number: int) -> None:
    agrees(f"{number:,}") if number >= 1000 else None


@pytest.mark.parametrize(
    "address", ["jordan.lee@example.com", "claims@northgate.org", "a_b-c@mail.example.com", "lee42@x.io"]
)
def test_addresses(address: str) -> None:
    assert written(spoken(f"It is {address}.")) == f"it is {address}"


def test_word_error_counts_each_digit() -> None:
    assert word_error(
        "Order KE-4492551, please.", "order K E four four nine two five five nine please"
    ) == pytest.approx(1 / 11)
    assert word_error("It's $45 on May 3.", "it's forty five dollars on may third") == 0.0


@pytest.mark.parametrize(("said", "heard", "error"), [("", "", 0.0), ("", "x", 1.0), ("x", "", 1.0), ("?!", "", 0.0)])
def test_word_error_of_nothing(said: str, heard: str, error: float) -> None:
    assert word_error(said, heard) == error
