"""Values read from speech."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import _spoken_items, _spoken_values
from mivas.caller._spoken_items import items
from mivas.caller._spoken_values import Day, days, emails, figure_days, runs, times


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("B as in bravo, triple five", "b 5 5 5"),
        ("oh two double oh", "0 2 0 0"),
        ("five oh one", "5 0 1"),
        ("S-M-I-T-H", "s m i t h"),
        ("whiskey is a drink", "whiskey is a drink"),
        pytest.param("I have one question", "i have one question", id="words stay words"),
        pytest.param("K I A O", "k i a o", id="word-like letters among letters"),
        pytest.param("two nine a", "2 9 a", id="a letter after figures"),
        ("Monday the second", "monday the 2"),
        ("wait a second", "wait a second"),
    ],
)
def test_items(text: str, values: str) -> None:
    assert " ".join(item.value for item in items(text)) == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March third, nineteen seventy", Day(3, 3, 1970)),
        ("the third of March", Day(3, 3)),
        ("April second of twenty twenty-six", Day(4, 2, 2026)),
        ("May the sixth, oh one", Day(5, 6)),
        ("on 3/14/2025", Day(3, 14, 2025)),
        ("Friday the ninth", Day(None, 9)),
        ("August 15, 85", Day(8, 15, 85)),
    ],
)
def test_days(text: str, expected: Day) -> None:
    assert [day for _, day in days(items(text))] == [expected]


@pytest.mark.parametrize("text", ["the march of the bands", "thirteen people may come", "99/99/2020", "may I help"])
def test_no_days(text: str) -> None:
    assert days(items(text)) == []


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        (Day(None, 9), Day(6, 9, 2026), True),
        (Day(6, 9, 26), Day(6, 9, 2026), True),
        (Day(6, 9, 1926), Day(6, 9, 2026), False),
        (Day(7, 9), Day(6, 9, 2026), False),
        (Day(6, 8), Day(6, 9, 2026), False),
    ],
)
def test_days_agree(first: Day, second: Day, agree: bool) -> None:
    assert first.agrees(second) is agree


def test_figures_are_read_as_month_day_and_year() -> None:
    assert figure_days(["12", "01", "19", "79"]) == [Day(12, 1, 1979)]
    assert figure_days(["8", "8", "85"]) == [Day(8, 8, 85)]
    assert figure_days(["10", "44", "44"]) == []
    assert figure_days(["7", "1", "8", "5"]) == []
    assert figure_days(["b", "4", "85"]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half past nine", (9, 30)),
        ("a quarter to five", (4, 45)),
        ("twenty to eleven", (10, 40)),
        ("ten past twelve", (0, 10)),
        ("eleven twenty", (11, 20)),
        ("nine o'clock", (9, 0)),
        ("at 9:30", (9, 30)),
        ("four p.m.", (4, 0)),
    ],
)
def test_times(text: str, expected: tuple[int, int]) -> None:
    assert [time for _, time in times(items(text))] == [expected]


@pytest.mark.parametrize("text", ["seven one eight five five five", "nine of ten people", "four dollars"])
def test_no_times(text: str) -> None:
    assert times(items(text)) == []


def test_runs_join_figures_and_letters_and_end_a_spelled_word_before_figures() -> None:
    assert [run for _, run in runs(items("W four four one and B O S S eight"))] == ["w441", "boss", "8"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it's ann dot lee at post dot example", ["ann.lee@post.example"]),
        ("write to ann@post.example", ["ann@post.example"]),
        ("we meet at noon", []),
    ],
)
def test_emails(text: str, expected: list[str]) -> None:
    assert [address for _, address in emails(items(text))] == expected


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(_spoken_items).failed == 0
    assert doctest.testmod(_spoken_values).failed == 0


@given(text=st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    found = items(text)
    for spans in (days(found), times(found), runs(found), emails(found)):
        assert all(0 <= span.start < span.end <= len(found) for span, _ in spans)
