"""Words without marks, as some recognisers write them."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import _hearing_marks, understand
from mivas.caller._hearing_marks import with_marks


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("thanks i have that what is your zip code", {"zip"}),
        ("may i have your name and date of birth", {"name", "date_of_birth"}),
        ("i've got your name", set()),
    ],
)
def test_words_without_marks(text: str, questions: set[str]) -> None:
    assert understand(text, ()).questions == questions


def test_a_turn_with_marks_keeps_them() -> None:
    assert with_marks("Thanks. what is your zip") == "Thanks. what is your zip"


@given(text=st.text(max_size=300))
def test_marks_change_no_word(text: str) -> None:
    kept = text.split()
    marked = with_marks(text).split()
    assert [word.rstrip(".?,;:") for word in marked] == [word.rstrip(".?,;:") for word in kept]


def test_the_examples_hold() -> None:
    assert doctest.testmod(_hearing_marks).failed == 0
