"""Which facts a sentence names, and whether right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import KnownFact
from mivas.caller._hearing_facts import named_facts, shape_of

FACTS = (
    KnownFact(id="name", value="Ines Varga", say="Ines Varga", spell="V A R G A", answers=("name",)),
    KnownFact(id="born", value="04/21/1963", say="April twenty-first, sixty-three", answers=("date_of_birth",)),
    KnownFact(id="day", value="09/17/2026", say="Thursday the seventeenth", answers=("date",)),
    KnownFact(id="cell", value="6465550118", say="six four six ...", answers=("phone", "callback")),
    KnownFact(id="zip", value="10451", say="one oh four five one", answers=("zip",)),
    KnownFact(id="code", value="KL30072", say="K L ...", answers=("member_id",)),
    KnownFact(id="at", value="14:30", say="half past two", answers=("which_time",)),
    KnownFact(id="mail", value="ivarga@post.example", say="i varga at post dot example", answers=("email",)),
    KnownFact(id="fee", value="$40.50", say="forty dollars and fifty cents", answers=("amount",)),
    KnownFact(id="office", value="Elm Street", say="the Elm Street one", answers=("office",)),
    KnownFact(id="firm", value="Norfield Bakery Group", say="Norfield Bakery", answers=("opposing_party",)),
    KnownFact(id="test", value="patch test", say="the patch test", answers=("service",)),
    KnownFact(id="lawyer", value="no", say="no lawyer", answers=("representation",)),
    KnownFact(id="known", value="new", say="I'm new", answers=("new_or_existing",)),
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Ines Varga", {"name": True}),
        ("V as in Victor, A R G A", {"name": True}),
        ("Ines Vargo", {"name": False}),
        ("V A R G O", {"name": False}),
        ("born April twenty-first", {"born": True}),
        ("four twenty-one sixty-three", {"born": True}),
        ("born the twelfth of April", {"born": False}),
        ("Thursday the seventeenth", {"day": True}),
        ("Thursday the eighteenth", {"day": False}),
        ("six four six, triple five, oh one one eight", {"cell": True}),
        ("the phone ending one one eight", {"cell": True}),
        ("the phone ending one eight one", {"cell": False}),
        ("your cell, six four six five five five zero one eight one", {"cell": False}),
        ("zip one oh four five one", {"zip": True}),
        ("zip one four oh five one", {"zip": False}),
        ("K L three double oh seven two", {"code": True}),
        ("half past two", {"at": True}),
        ("a quarter to three", {"at": False}),
        ("i varga at post dot example", {"mail": True}),
        ("e vargas at post dot example", {"mail": False}),
        ("forty dollars and fifty cents", {"fee": True}),
        ("fifty dollars", {"fee": False}),
        ("the Elm Street office", {"office": True}),
        ("the Hudson office", {"office": False}),
        ("Norfield Bakery", {"firm": True}),
        ("against Norfeld Bakery", {"firm": False}),
        ("for the prick test", {"test": False}),
        ("nobody represents you", {"lawyer": True}),
        ("you have a lawyer", {"lawyer": False}),
        ("you're new to us", {"known": True}),
        ("one moment", {}),
        ("B four eighty-five", {}),
        ("forty-five people", {}),
        ("we have ten doctors and 3 nurses", {}),
    ],
)
def test_named(text: str, named: dict[str, bool]) -> None:
    assert {one.fact: one.right for one in named_facts(text, FACTS)} == named


@pytest.mark.parametrize(
    ("value", "text"),
    [("4", "45 dollars"), ("40", "forty-five dollars"), ("0142", "2014 2"), ("no", "no problem"), ("yes", "yes, sure")],
)
def test_no_part_of_another_number_and_no_bare_yes_names_a_fact(value: str, text: str) -> None:
    assert not any(
        one.right for one in named_facts(text, [KnownFact(id="x", value=value, say=value, answers=("zip",))])
    )


def test_a_sum_in_a_fact_is_named_as_a_whole() -> None:
    sum_due = KnownFact(id="due", value="40", say="forty dollars", answers=("amount",))
    assert [one.right for one in named_facts("Your deposit is forty dollars.", [sum_due])] == [True]


def test_the_form_of_a_value_tells_its_kind() -> None:
    assert {fact.id: shape_of(fact) for fact in FACTS} == {
        "name": "words", "born": "day", "day": "day", "cell": "digits", "zip": "digits", "code": "code", "at": "time",
        "mail": "email", "fee": "money", "office": "words", "firm": "words", "test": "words", "lawyer": "meaning",
        "known": "meaning",
    }  # fmt: skip


@given(text=st.text(max_size=300), value=st.text(max_size=30), say=st.text(max_size=30))
def test_any_text_and_any_fact_are_taken(text: str, value: str, say: str) -> None:
    fact = KnownFact(id="x", value=value, say=say, spell=say, answers=("name", "amount"))
    assert {one.fact for one in named_facts(text, [*FACTS, fact])} <= {"x", *(fact.id for fact in FACTS)}
