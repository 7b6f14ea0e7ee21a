"""Words, numbers, letters, dates, names and names of lists, as recognition writes them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.reflex import _aloud
from mivas.reflex._choices import SURE, named_options
from mivas.reflex._dates import century_of, days_in, year_in
from mivas.reflex._names import name_in
from mivas.reflex._phrases import cannot_say, polarity_of, said, takes_leave
from mivas.reflex._table import Option
from mivas.reflex._words import alike, words_of

CARRIERS = [
    Option(value="medicare", say="Medicare"),
    Option(value="medicaid", say="Medicaid", misheard=["medic eight"]),
    Option(value="aetna", say="Aetna", forms=["etna"], misheard=["eaton"]),
    Option(value="united", say="UnitedHealthcare", forms=["united health care"]),
]


def _texts(text: str) -> list[str]:
    return [word.text for word in words_of(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seven one eight, five five five, zero one four seven", [*"718555", "01", "4", "7"]),
        ("two oh two triple five", ["2", "0", "2", "5", "5", "5"]),
        ("K as in king, four four", ["k", "4", "4"]),
        ("kilo lima nine", ["k", "l", "9"]),
        ("it's U-X-3-0", ["it's", "u", "x", "3", "0"]),
        ("W123456789", ["w", "123456789"]),
        ("a hotel on the first", ["a", "hotel", "on", "the", "1"]),
        ("one moment", ["one", "moment"]),
        ("the 17th at 10am", ["the", "17", "at", "10", "am"]),
        ("", []),
        ("?!", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert _texts(text) == words


@given(st.text())
def test_any_text_is_words(text: str) -> None:
    for word in words_of(text):
        assert word.text
        assert word.text == word.text.lower()


@given(st.dates(date(1901, 1, 1), date(2029, 12, 31)))
def test_a_spoken_day_is_read_as_it_was_meant(day: date) -> None:
    spoken = _aloud.day(day.isoformat())
    for text in (spoken, spoken.lower().replace(",", ""), f"{day:%m/%d/%Y}", day.isoformat()):
        found = days_in(words_of(text))
        assert [one.on(one.year or 0) for one in found] == [day], text


@pytest.mark.parametrize(
    ("text", "month", "day", "year"),
    [
        ("the twelfth of April, 1990", 4, 12, 1990),
        ("april 12 90", 4, 12, 90),
        ("four twelve ninety", 4, 12, 90),
        ("Sept 8th 1995", 9, 8, 1995),
        ("may the fourth", 5, 4, None),
        ("febuary second nineteen oh five", 2, 2, 1905),
    ],
)
def test_days(text: str, month: int, day: int, year: int | None) -> None:
    (found,) = days_in(words_of(text))
    assert (found.month, found.day, found.year) == (month, day, year)


@pytest.mark.parametrize("text", ["may I ask", "seven one eight five five five", "ten thirty", "32 march", "suite 410"])
def test_what_is_no_day(text: str) -> None:
    assert days_in(words_of(text)) == []


def test_an_impossible_day_has_no_date() -> None:
    (found,) = days_in(words_of("february thirtieth nineteen ninety"))
    assert found.on(1990) is None


def test_a_year_by_itself() -> None:
    assert year_in(words_of("it's twenty twenty-six")) == 2026
    assert year_in(words_of("number nine")) is None


@given(st.integers(0, 99), st.integers(1950, 2100))
def test_a_century_is_the_last_one_begun(short: int, latest: int) -> None:
    year = century_of(short, latest)
    assert year % 100 == short
    assert latest - 100 < year <= latest


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jordan Lee", "Jordan Lee"),
        ("um yeah this is jordan lee", "Jordan Lee"),
        ("Mireille Tanguay. I'll spell it: M I R E I L L E, T A N G U A Y", "Mireille Tanguay"),
        ("mireya tangway m i r e i l l e t a n g u a y", "Mireille Tanguay"),
        ("M-I-R-E-I-L-L-E T-A-N-G-U-A-Y", "Mireille Tanguay"),
        ("No, I've no patience for it. Judith Lomax. J, U, D, I, T, H, L, O, M, A, X.", "Judith Lomax"),
        ("sean o'brien", "Sean O'Brien"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert name_in(words_of(text)) == name


@pytest.mark.parametrize("text", ["no", "yes please", "it's me", "Cher", "a b", ""])
def test_what_is_no_full_name(text: str) -> None:
    assert name_in(words_of(text)) is None


def test_a_spelled_part_joins_the_name_heard_before() -> None:
    assert name_in(words_of("the last name is O K O N K W O"), before="Ada Okonko") == "Ada Okonkwo"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i have medicare", "medicare"),
        ("medicaid till monday", "medicaid"),
        ("etna", "aetna"),
        ("A E T N A", "aetna"),
        ("united healthcare", "united"),
        ("unitedhealth care", "united"),
        ("it's not Medicare, it's Aetna", "aetna"),
    ],
)
def test_names_of_a_list(text: str, value: str) -> None:
    (found,) = named_options(words_of(text), CARRIERS, asked=False)
    assert (found.option.value, found.score >= SURE) == (value, True)


@pytest.mark.parametrize("text", ["eaton", "medic eight", "united we stand is what i had from the start"])
def test_a_doubtful_name_counts_only_when_asked_for_and_stays_doubtful(text: str) -> None:
    assert named_options(words_of(text), CARRIERS, asked=False) == []
    assert all(match.score < SURE for match in named_options(words_of(text), CARRIERS, asked=True))


def test_several_names_come_in_order_of_speech() -> None:
    found = named_options(words_of("aetna now and medicare from may"), CARRIERS, asked=False)
    assert [match.option.value for match in found] == ["aetna", "medicare"]


@given(st.sampled_from([option.say for option in CARRIERS]))
def test_a_names_own_words_are_that_name(say: str) -> None:
    (found,) = named_options(words_of(say.lower()), CARRIERS, asked=False)
    assert found.option.say == say


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("Yes, that's me.", "yes"),
        ("yeah no problem", "yes"),
        ("no yes well no", "no"),
        ("that's when I gave you", "yes"),
        ("that is not what I told you", "no"),
        ("that isn't right", "no"),
        ("that is not correct", "no"),
        ("what was that", None),
    ],
)
def test_polarity(text: str, polarity: str | None) -> None:
    assert polarity_of(words_of(text)) == polarity


def test_leave_and_ignorance() -> None:
    assert takes_leave(words_of("ok thanks bye"))
    assert not takes_leave(words_of("by the way"))
    assert cannot_say(words_of("I don't know that"))


@pytest.mark.parametrize(
    ("phrase", "text", "is_said"),
    [
        ("take|accept plan", "do you accept my new plan", True),
        ("take|accept plan", "plan to take", False),
        ("take plan", "take it . the plan", False),
        ("book", "i do not want to book", False),
        ("book", "no , book it", True),
        ("not my plan", "that is not my plan", True),
    ],
)
def test_phrases(phrase: str, text: str, is_said: bool) -> None:
    assert said(phrase, text.split()) is is_said


@pytest.mark.parametrize(
    ("heard", "meant"), [("there's", "where's"), ("insurance", "coinsurance"), ("nine", "fine"), ("", "a")]
)
def test_unlike_words(heard: str, meant: str) -> None:
    assert not alike(heard, meant)


def test_figures_aloud() -> None:
    assert _aloud.text("386 Park Avenue South, 4th floor, Suite 2B") == (
        "three eighty-six Park Avenue South, fourth floor, Suite two B"
    )
    assert _aloud.text("Sat 9am-1pm") == "Saturday nine in the morning to one in the afternoon"
    assert _aloud.weekday("2026-08-20T10:00") == "Thursday, August twentieth"
    assert _aloud.clock("2026-08-20T14:05") == "two oh five in the afternoon"


@given(st.integers(0, 999_999))
def test_numbers_aloud_hold_no_figure(number: int) -> None:
    assert not any(one.isdecimal() for one in _aloud.number(number))


@given(st.integers(0, 36_500))
def test_every_day_has_words(offset: int) -> None:
    day = (date(1930, 1, 1) + timedelta(days=offset)).isoformat()
    assert not any(one.isdecimal() for one in _aloud.day(day) + _aloud.weekday(day))
