"""What differs only as a mishearing would, and words without marks."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import KnownFact, _hearing_alike, _hearing_marks, understand
from mivas.caller._hearing_alike import alike
from mivas.caller._hearing_facts import named_facts
from mivas.caller._hearing_marks import with_marks

FACTS = (
    KnownFact(id="name", value="Alice Delacroix", say="Alice Delacroix", answers=("name",)),
    KnownFact(id="cell", value="7185550142", say="seven one eight ...", answers=("phone",)),
    KnownFact(id="order", value="KE-4492551", say="K E ...", answers=("order_number",)),
    KnownFact(id="fee", value="$45.00", say="forty-five dollars", answers=("amount",)),
    KnownFact(id="at", value="10:00", say="ten", answers=("which_time",)),
    KnownFact(id="office", value="Elm Street", say="Elm Street", answers=("office",)),
    KnownFact(id="test", value="patch test", say="the patch test", answers=("service",)),
    KnownFact(id="mail", value="skearney@mail.example", say="s kearney at ...", answers=("email",)),
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("that's alice della croix", {"name": True}, id="a name in two words"),
        pytest.param("alice della croy is it", {"name": True}, id="a name as it sounds"),
        pytest.param("d e l a c r o y x", {"name": True}, id="a letter that sounds like another"),
        pytest.param("d e l a c r o n x", {"name": False}, id="a letter that doesn't"),
        pytest.param("s carney at mail dot example", {"mail": True}, id="an address as it sounds"),
        pytest.param("it's 718-555-0142", {"cell": True}, id="a number with dashes"),
        pytest.param("it's 1-718-555-0142", {"cell": True}, id="with its country code"),
        pytest.param("it's 718-555-0124", {"cell": False}, id="figures are never alike"),
        pytest.param("order ke4492551", {"order": True}, id="a code in one"),
        pytest.param("order ke-4492515", {"order": False}, id="another code"),
        pytest.param("$45 is it", {"fee": True}, id="a sum"),
        pytest.param("at 10 a.m.", {"at": True}, id="an hour"),
        pytest.param("at 11am", {"at": False}, id="another hour"),
        pytest.param("for the prick test", {"test": False}, id="another treatment is no mishearing"),
        pytest.param("at the main street office", {}, id="another street"),
    ],
)
def test_named_by_ear(text: str, named: dict[str, bool]) -> None:
    assert {one.fact: one.right for one in named_facts(text, FACTS, by_ear=True)} == named


def test_in_writing_a_name_is_right_or_wrong() -> None:
    assert [one.right for one in named_facts("Alice Delacroy", FACTS)] == [False]


def test_a_read_back_that_sounds_right_is_confirmed() -> None:
    heard = understand("that's alice della croix at 718-555-0142 is that right", FACTS, by_ear=True)
    assert {one.fact: one.right for one in heard.read_backs} == {"name": True, "cell": True}


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


@given(one=st.text(max_size=40), other=st.text(max_size=40))
def test_likeness_has_no_direction_and_no_figure_is_alike(one: str, other: str) -> None:
    assert not alike(f"{one} 1", f"{one} 2")
    assert alike(one, other) in (True, False)


def test_the_examples_hold() -> None:
    assert doctest.testmod(_hearing_alike).failed == 0
    assert doctest.testmod(_hearing_marks).failed == 0
