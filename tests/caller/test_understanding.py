"""What a caller hears in an agent's words."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS, KnownFact, _understanding, understand
from mivas.caller._heard import holds
from mivas.pack import HeardFile

FACTS = (
    KnownFact(id="mail", value="ann@x.example", say="ann at x dot example"),
    KnownFact(id="fee", value="$4.50", say="$4.50"),
    KnownFact(id="day", value="2026-08-15", say="August fifteenth"),
)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        pytest.param("May I have your name?", {"name"}, id="a question"),
        pytest.param("Could you give me your email", {"email"}, id="no question mark"),
        pytest.param("Your name and zip, please?", {"name", "zip"}, id="two in one"),
        pytest.param("Thank you. What’s your e-mail?", {"email"}, id="typographic apostrophe"),
        pytest.param("I have your name.", set(), id="a statement asks nothing"),
        pytest.param("Whatever name you like.", set(), id="a word that begins like a question word"),
        pytest.param("Your name is on file. Which office?", {"office"}, id="only the asking sentence asks"),
        pytest.param("WHAT IS YOUR ZIP", {"zip"}, id="capitals"),
        pytest.param("", set(), id="silence"),
    ],
)
def test_questions(text: str, questions: set[str]) -> None:
    assert understand(text, ()).questions == questions


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("Would you like to book?", {"booking"}),
        ("I can put you on the waiting list.", {"waitlist"}),
        pytest.param("I can't put you on the waiting list.", set(), id="can't"),
        pytest.param("I cannot put you on the waiting list.", set(), id="cannot"),
        pytest.param("The waiting list is long.", set(), id="no offer without offering words"),
        pytest.param("I can help. The waiting list is long.", set(), id="another sentence"),
    ],
)
def test_offers(text: str, offers: set[str]) -> None:
    assert understand(text, ()).offers == offers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("You are booked.", {"booked": "yes"}),
        ("You are not booked.", {"booked": "no"}),
        ("It isn't so that you're booked.", {"booked": "no"}),
        pytest.param("Are you booked?", {}, id="a question states nothing"),
        pytest.param("I'll write to ann@x.example then.", {"mail": "yes"}, id="full stops inside an address"),
        pytest.param("That costs $4.50 today.", {"fee": "yes"}, id="full stop inside an amount"),
        pytest.param("It isn't August fifteenth.", {"day": "no"}, id="a fact denied"),
        pytest.param("August fifteenth, is that right?", {"day": "yes"}, id="a fact read back"),
        pytest.param("August. Fifteenth.", {}, id="a fact torn apart"),
        pytest.param("You're booked. You're not booked.", {"booked": "no"}, id="the last word counts"),
    ],
)
def test_values(text: str, values: dict[str, str]) -> None:
    assert understand(text, FACTS).values == values


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(_understanding).failed == 0


@given(text=st.text(max_size=80))
def test_any_words_are_heard_without_complaint(text: str) -> None:
    heard = understand(text, FACTS)
    assert heard.questions <= set(QUESTIONS)
    assert heard.offers <= set(OFFERS)
    assert set(heard.values) <= {*STATEMENTS, *FACTS}


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ({"question": "name"}, True),
        ({"question": "zip"}, False),
        ({"offer": "booking"}, True),
        ({"value": "day"}, True),
        ({"value": "day", "polarity": "any"}, True),
        ({"value": "day", "polarity": "yes"}, True),
        ({"value": "day", "polarity": "no"}, False),
        ({"value": "fee", "polarity": "any"}, False),
        ({"all": [{"question": "name"}, {"value": "day"}]}, True),
        ({"all": [{"question": "name"}, {"value": "fee"}]}, False),
        ({"any": [{"question": "zip"}, {"value": "day"}]}, True),
        ({"any": [{"question": "zip"}, {"value": "fee"}]}, False),
        ({"all": [{"any": [{"offer": "text"}, {"offer": "booking"}]}, {"question": "name"}]}, True),
    ],
)
def test_conditions(condition: dict[str, Any], met: bool) -> None:
    heard = understand("Would you like to book? August fifteenth. Your name?", FACTS)
    assert holds(HeardFile.model_validate(condition), heard) is met


def test_the_closed_lists_share_no_tool_like_names() -> None:
    assert all(cue == cue.lower() and "_" not in cue for table in (QUESTIONS, OFFERS, STATEMENTS)
               for cues in table.values() for cue in cues)  # fmt: skip
