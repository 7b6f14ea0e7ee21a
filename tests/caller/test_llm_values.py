"""Values of a text: the same however they are spelled, and never more than what stands there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller._llm_values import unfounded, values_of

FIGURES = [
    ("six four six, five five five, zero one one eight", "6465550118"),
    ("646-555-0118", "6465550118"),
    ("(646) 555-0118", "6465550118"),
    ("double five oh", "550"),
    ("August thirty-first, twenty twenty-six", "312026"),
    ("August 31st, 2026", "312026"),
    ("one hundred twenty-five dollars", "125"),
    ("$125", "125"),
    ("two thousand", "2000"),
    ("B Q four zero eight one", "bq4081"),
    ("BQ4081", "bq4081"),
    ("R-A-F-A-E-L", "rafael"),
]


@pytest.mark.parametrize(("text", "figure"), FIGURES)
def test_a_figure_is_the_same_in_every_spelling(text: str, figure: str) -> None:
    assert values_of(f"It is {text}.").figures == {figure}


@pytest.mark.parametrize(
    "text", ["That one, please.", "I have a question.", "A table for us.", "It's fine.", "Oh well.", "", "?!", "'s t"]
)
def test_words_that_only_look_like_figures_are_none(text: str) -> None:
    assert values_of(text).figures == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yes, I'm calling for Ann Lee.", {"ann", "lee"}),
        ("Ottilie here. Cigna. Bob Lee, I think.", {"ottilie", "cigna", "bob", "lee"}),
        ("May I ask something? Do you close in May?", {"may"}),
        ("On monday or tomorrow.", {"monday", "tomorrow"}),
        ("Write to a.b@example.org.", {"a.b@example.org"}),
        ("OK. It's at nine AM.", set()),
        ("Could you do that? Thanks. Sure!", set()),
    ],
)
def test_names_are_capitalised_words_that_no_sentence_begins_with(text: str, names: set[str]) -> None:
    assert values_of(text).names == names


def test_what_nobody_gave_is_unfounded() -> None:
    known = [values_of("Call Ann on 555 0118.")]
    assert unfounded(values_of("Ann, on five five five, zero one one eight."), known) == []
    assert unfounded(values_of("Bob, on 555 0119."), known) == ["5550119", "bob"]


@given(st.text())
def test_any_text_has_values_and_none_beyond_its_own(text: str) -> None:
    values = values_of(text)
    assert unfounded(values, [values]) == []


@given(st.integers(0, 10**12))
def test_a_number_in_digits_is_its_own_figure(number: int) -> None:
    assert values_of(f"it is {number}.").figures == {str(number)}
