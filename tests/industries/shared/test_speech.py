"""How figures are said."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.industries._shared import speech
from mivas.industries._shared.speech import dollars, in_words


@given(st.integers(0, 999))
def test_numbers_are_said_without_a_digit_and_each_its_own_way(number: int) -> None:
    words = in_words(number)
    assert words
    assert not any(character.isdigit() for character in words)
    assert sum(in_words(other) == words for other in range(1000)) == 1


@pytest.mark.parametrize("cents", [1, 12550, 99])
def test_only_whole_dollars_are_said(cents: int) -> None:
    with pytest.raises(ValueError, match="whole dollars"):
        dollars(cents)


def test_examples_in_docstrings_run() -> None:
    assert doctest.testmod(speech).failed == 0
