from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.speech import spoken
from mivas.speech._number_words import LARGEST, digit_words, number_words, ordinal_words, year_words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("KE-4492551", "K E, four four nine, two five five one"),
        ("W401882937", "W, four oh one, eight eight two, nine three seven"),
        ("UX30417K92", "U X, three oh four one seven, K, nine two"),
        ("555-201-4477", "five five five, two oh one, four four seven seven"),
        ("(555) 201-4477", "five five five, two oh one, four four seven seven"),
        ("1-800-555-0100", "one, eight oh oh, five five five, oh one oh oh"),
        ("11201-4477", "one one two oh one, four four seven seven"),
        ("0198", "oh one nine eight"),
        ("1250", "one two five oh"),
        ("1984", "nineteen eighty four"),
        ("45", "forty five"),
        ("08/14/2026", "August fourteenth, twenty twenty six"),
        ("8/14/26", "August fourteenth, twenty twenty six"),
        ("2026-08-02", "August second, twenty twenty six"),
        ("Aug. 3rd, 2009", "August third, two thousand nine"),
        ("May 5", "May fifth"),
        ("13/45/2026", "thirteen, forty five, two oh two six"),
        ("10:30 a.m.", "ten thirty A M."),
        ("It's 3 p.m. Bye.", "It's three P M. Bye."),
        ("3 p.m. today", "three P M today"),
        ("9:05", "nine oh five"),
        ("14:00", "two P M"),
        ("0:30", "twelve thirty A M"),
        ("10:00", "ten o'clock"),
        ("9:00-17:00", "nine o'clock to five P M"),
        ("$45.00", "forty five dollars"),
        ("$1,249.99", "one thousand two hundred forty nine dollars and ninety nine cents"),
        ("$0.50", "fifty cents"),
        ("$1", "one dollar"),
        ("$2.5 million", "two point five million dollars"),
        ("15%", "fifteen percent"),
        ("3.25", "three point two five"),
        ("1,000,000", "one million"),
        ("22nd", "twenty second"),
        ("10-12 days", "ten to twelve days"),
        ("W-H-I-T-A-K-E-R", "W H I T, A K E R"),
        ("J-O-N-E-S", "J O N E S"),
        ("U.S. mail", "U S mail"),
        ("lee.k42@example.com", "lee dot k four two at example dot com"),
        ("https://www.example.com/help", "www dot example dot com slash help"),
        ("Dr. Chen, 12 Oak St.", "Doctor Chen, twelve Oak Street"),
        ("St. Mary's", "Saint Mary's"),
        ("No. 5, not no.", "Number five, not no."),
        ("<b>Hi</b> [click](http://x.com/a) **now**", "Hi click now"),
        ("# Title\n- one\n- two\n", "Title, one, two"),
        ("😀", ""),
        ("well-known — yes", "well-known yes"),
        ("", ""),
    ],
)
def test_figures_are_said_as_people_say_them(text: str, said: str) -> None:
    assert spoken(text) == said


@settings(deadline=None)
@given(st.text())
def test_any_text_is_said_without_digits_or_markup(text: str) -> None:
    said = spoken(text)
    assert not re.search(r"[0-9<>*_#@$\[\]{}\n\ud800-\udfff]", said)
    assert said == said.strip()


@settings(deadline=None)
@given(st.text(alphabet="0123456789-/:.,$%()APMapm @KE", max_size=40))
def test_any_figures_are_said(text: str) -> None:
    assert not re.search(r"[0-9]", spoken(text))


@settings(deadline=None)
@given(st.integers(0, 10 * LARGEST))
def test_numbers_are_words(number: int) -> None:
    assert re.fullmatch(r"[a-z ,]+", number_words(number))
    assert re.fullmatch(r"[a-z ,]+", ordinal_words(number))


@settings(deadline=None)
@given(st.text("0123456789", min_size=1, max_size=20))
def test_every_digit_is_said_once(digits: str) -> None:
    assert len(digit_words(digits).replace(",", "").split()) == len(digits)


def test_years_of_round_centuries() -> None:
    assert [year_words(year) for year in (1900, 1905, 2000, 2010)] == [
        "nineteen hundred",
        "nineteen oh five",
        "two thousand",
        "twenty ten",
    ]


def test_ordinals() -> None:
    assert [ordinal_words(number) for number in (1, 8, 12, 20, 33, 45, 100)] == [
        "first",
        "eighth",
        "twelfth",
        "twentieth",
        "thirty third",
        "forty fifth",
        "one hundredth",
    ]
