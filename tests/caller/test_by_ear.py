"""A person hears its own names in whatever a recogniser spells, and never a figure that wasn't said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import names_of, numbers_of, rare_words_of, understood_by_ear, words_of

NAMES = names_of(["Theo Greer", "Aetna", "Park Avenue", "Delacroix", "the Tuesday one", "555-0142", "Al"])


def test_names_are_short_and_hold_no_figure() -> None:
    assert NAMES == ("Park Avenue", "Theo Greer", "Delacroix", "Aetna")


@pytest.mark.parametrize(
    ("heard", "understood"),
    [
        ("That's the O'Grear, born in May.", "That's Theo Greer, born in May."),
        ("Yes, our park Avenue office takes Etna.", "Yes, our park Avenue office takes Aetna."),
        ("Is it Della Croix?", "Is it Delacroix?"),
        ("Your bookt at two.", "You're booked at two."),
        ("Your book for Tuesday.", "You're booked for Tuesday."),
        ("Is your book here?", "Is your book here?"),
        ("That's G-R-E-A-R, right?", "That's G, R, E, E, R, right?"),
        ("T-H-E-O-G-R-E-E-F, born", "T, H, E, O, G, R, E, E, R, born"),
        ("It is up to me or us.", "It is up to me or us."),
        ("You can move at anytime.", "You can move it any time."),
        ("You owe 45 dollars.", "You owe 45 dollars."),
        ("Which avenue is it?", "Which avenue is it?"),
    ],
)
def test_what_was_meant(heard: str, understood: str) -> None:
    assert understood_by_ear(heard, NAMES) == understood


@pytest.mark.parametrize(
    ("heard", "understood"),
    [
        ("It is 407, 555-126, right?", "It is 407-555-0126, right?"),
        ("It is 407-55-0126.", "It is 407-555-0126."),
        ("It is 14075550126.", "It is 407-555-0126."),
        ("It is 407-555-0126.", "It is 407-555-0126."),
        ("It is 407-555-0127.", "It is 407-555-0127."),
        ("It is $40,755.", "It is $40,755."),
        ("It is at 2.", "It is at 2."),
    ],
)
def test_a_swallowed_digit_is_no_wrong_one(heard: str, understood: str) -> None:
    numbers = numbers_of(["407 555 0126", "11215", "five five five"])
    assert numbers == ("4075550126",)
    assert understood_by_ear(heard, (), numbers) == understood


@pytest.mark.parametrize(
    ("heard", "understood"),
    [
        ("Your copy is $30.", "Your copay is $30."),
        ("Micro-needling is $350.", "microneedling is $350."),
        ("or arrange a call back.", "or arrange a callback."),
        ("We have offices there.", "We have offices there."),
        ("It was charged.", "It was charged."),
        ("A copy of it.", "A copay of it."),
    ],
)
def test_ones_own_words_are_known_again(heard: str, understood: str) -> None:
    words = words_of(["What's the copay?", "Is microneedling in the office?", "A callback. Do you charge?"])
    assert understood_by_ear(heard, (), (), words) == understood


@pytest.mark.parametrize(
    ("heard", "understood"),
    [
        ("Tuesday, or Wednesday, which one suits you.", "Tuesday, or Wednesday. Which one suits you?"),
        ("And a mobile number. Is that right.", "And a mobile number. Is that right?"),
        ("It is free, which is good.", "It is free, which is good."),
        ("Thank you. What is your name", "Thank you. What is your name?"),
        ("It costs $1.50. I can do it.", "It costs $1.50. I can do it."),
    ],
)
def test_questions_are_told_from_what_goes_before(heard: str, understood: str) -> None:
    assert understood_by_ear(heard, ()) == understood


def test_a_rare_word_of_ones_own_is_known_by_less() -> None:
    rare = rare_words_of(["desonide", "visit", "confirmed"], {"desonide", "visit", "yes"})
    assert rare == ("desonide",)
    assert understood_by_ear("I can't request desanite here.", rare) == "I can't request desonide here."
    assert understood_by_ear("I decided it on Monday.", rare) == "I decided it on Monday."


@given(st.text(max_size=200))
def test_figures_stay_as_they_were_heard(text: str) -> None:
    assert re.findall(r"\d", understood_by_ear(text, NAMES)) == re.findall(r"\d", text)


@given(st.text(max_size=200))
def test_twice_is_once(text: str) -> None:
    once = understood_by_ear(text, NAMES)
    assert understood_by_ear(once, NAMES) == once or len(once) != len(text)
