"""The installed packs' tables in conversation, and what a recogniser's mistakes make of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

PLAN = ("Hi, do you take Aetna at your Park Avenue office?",)
BILL = (
    "Hello, what do I owe you? I'm a patient already.",
    "Jordan Lee, April twelfth, nineteen ninety.",
    "Yes, that's right.",
)
BACK = ("Please have somebody call me back.", "Seven one eight, five five five, zero one nine three.", "Yes, correct.")
MISHEARD = {
    "aetna": ("etna", "Edna", "A E T N A"),
    "park avenue": ("park ave", "bark avenue", "Park Avenu"),
    "april twelfth, nineteen ninety": (
        "april 12 1990",
        "4 12 1990",
        "the twelfth of April nineteen ninety",
        "4/12/90",
    ),
    "seven one eight, five five five, zero one nine three": (
        "718 555 0193",
        "7 18 55 50 193",
        "seven eighteen triple five oh one nine three",
    ),
}


def as_recognised(text: str, seed: int) -> str:
    """Text as a recogniser might write it: no case, no marks, figures grouped oddly, names as they sound."""
    choice = random.Random(seed)
    lowered = text.lower()
    for meant, heard in MISHEARD.items():
        if meant in lowered:
            lowered = lowered.replace(meant, choice.choice(heard))
    lowered = lowered if choice.random() < 0.3 else re.sub(r"[.,?!]", "", lowered)
    return choice.choice(["", "um ", "uh so ", "yeah "]) + lowered


def test_a_repair_is_booked(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("control-industry")
    assert "appointment" in phone.says(None)
    assert phone.says("yes") == "Which day would you like the repair?"
    assert phone.says("some time next week").startswith("Please tell me the calendar date")
    assert phone.says("august fifteenth") == "And of which year?"
    assert phone.says("twenty twenty six").startswith("That is August fifteenth, twenty twenty-six.")
    assert phone.says("no the sixteenth of august twenty twenty six").startswith("That is August sixteenth")
    assert phone.says("yes please").startswith("Your repair is booked for August sixteenth")
    assert phone.calls[-1] == ("schedule_appointment", {"date": "08/16/2026"})
    phone.says("no thanks bye")
    assert phone.desk.hang_up is not None


def test_a_day_that_is_never_named_is_never_booked(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("control-industry")
    phone.says(None, "my kettle is broken", *["soon", "whenever", "some time next week"] * 3)
    assert [name for name, _ in phone.calls] == ["handoff_to_scheduler"]


def test_a_plan_is_checked_at_its_desk(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    assert phone.says(*PLAN).startswith("Yes, our Park Avenue office takes Aetna.")
    assert phone.calls == [
        ("transfer_to_coverage", {}),
        ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park_ave"}),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_a_plan_is_checked_by_ear(call_pack: Callable[[str], Any], seed: int) -> None:
    phone = call_pack("healthcare")
    answer = phone.says(*(as_recognised(line, seed) for line in PLAN))
    for _ in range(4):
        if "takes Aetna" in answer:
            break
        answer = phone.says(_helpful(answer))
    assert phone.calls[-1] == ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park_ave"})


def _helpful(answer: str) -> str:
    if answer.startswith("Did you say"):
        return "yes"
    if "spell" in answer:
        return "a e t n a"
    return "edna at park avenue" if "insurance" in answer else "park avenue"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("lines", [BILL, BACK])
def test_figures_and_dates_by_ear(call_pack: Callable[[str], Any], lines: Sequence[str], seed: int) -> None:
    phone = call_pack("healthcare")
    phone.says(*(as_recognised(line, seed) for line in lines))
    called = dict(phone.calls)
    if lines is BILL:
        assert called["verify_identity"] == {"full_name": "Jordan Lee", "dob": "1990-04-12"}
        assert "get_account_balance" in called
    else:
        assert called["create_callback_task"] == {"callback_number": "+17185550193", "queue": "front_desk"}


def test_a_misheard_name_is_mended_by_spelling(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    answer = phone.says("i want to pay my bill", "gordon lea april twelfth nineteen ninety")
    assert answer == "That's Gordon Lea, born April twelfth, nineteen ninety. Is that right?"
    assert phone.says("no") == "I'm sorry. What should it be?"
    assert phone.says("j o r d a n l e e").startswith("That's Jordan Lee, born")
    phone.says("yes")
    assert ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-12"}) in phone.calls


def test_a_record_that_is_not_found_is_tried_three_times(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    answer = phone.says("what is my balance")
    for _ in range(5):
        answer = phone.says("Ada Byron, December tenth, nineteen eighty", "yes")
    assert [name for name, _ in phone.calls].count("verify_identity") <= 4
    assert answer
    assert "get_account_balance" not in dict(phone.calls)


def test_an_emergency_comes_first(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    answer = phone.says("do you take cigna", "wait my throat is closing I can't breathe")
    assert answer.startswith("Please dial nine one one right away.")
    assert phone.calls[-1][1] == {"destination": "clinical_triage", "reason": "clinical_emergency"}


def test_office_facts_come_from_the_look_up(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    answer = phone.says("hi what are your hours in brooklyn and where can i leave the car")
    assert "eight in the morning to five in the afternoon" in answer
    assert "Clinton Street" in answer
    assert phone.calls == [("list_locations", {"location_id": "loc_brooklyn_heights"})]


def test_what_the_desks_cannot_do_is_owned_up_to(call_pack: Callable[[str], Any]) -> None:
    phone = call_pack("healthcare")
    assert "Shall I have somebody call you" in phone.says("I want to move my appointment to Friday")
    assert phone.says("no") == "Is there anything else I can help you with?"
    assert phone.calls == []
