"""What is read back and is none of the caller's: nobody says yes to it."""

from __future__ import annotations

import pytest

from mivas.caller import KnownFact, reply_to, understand
from mivas.caller._hearing_strange import named_kin

FACTS = (
    KnownFact(id="name", value="Ines Varga", say="Ines Varga", answers=("name",)),
    KnownFact(id="other", value="Bram Osterley", say="Bram Osterley", answers=("opposing_party",)),
    KnownFact(id="day", value="09/17/2026", say="the seventeenth of September", answers=("date",)),
    KnownFact(id="at", value="14:30", say="half past two", answers=("which_time",)),
    KnownFact(id="zip", value="10451", say="one oh four five one", answers=("zip",)),
    KnownFact(id="fee", value="$700", say="seven hundred dollars", answers=("amount",)),
    KnownFact(id="office", value="Northgate", say="the Northgate office", answers=("office",)),
    KnownFact(id="test", value="patch test", say="a patch test", answers=("service",)),
    KnownFact(id="role", value="mother", say="I'm his mom", answers=("relationship",)),
    KnownFact(id="ok", value="yes", say="yes, go ahead", answers=("consent",)),
)


@pytest.mark.parametrize(
    ("text", "confirms", "corrects"),
    [
        pytest.param("A patch test at Northgate, is that right?", True, (), id="all its own"),
        pytest.param("A patch test at Southmoor, is that right?", None, (), id="another place"),
        pytest.param("He owed you seventeen hundred, on the seventeenth. Is that right?", None, (), id="another sum"),
        pytest.param("A patch test, on the third of June. Is that right?", None, (), id="another day"),
        pytest.param("A patch test, within 300 minutes. Is that right?", True, (), id="a number of something"),
        pytest.param("Okay, and you're his mother, is that right?", True, (), id="kin"),
        pytest.param("Okay, and you're his mom, is that right?", True, (), id="kin by another word"),
        pytest.param("A patch test, and you're his aunt, is that right?", False, ("role",), id="other kin"),
    ],
)
def test_a_yes_covers_what_is_known(text: str, confirms: bool | None, corrects: tuple[str, ...]) -> None:
    given = reply_to(understand(text, FACTS), FACTS, ())
    assert (given.confirms, given.corrects) == (confirms, corrects)


@pytest.mark.parametrize("text", ["You're his landlord.", "His mother called.", "", "you're the best"])
def test_only_who_the_caller_is_counts(text: str) -> None:
    assert named_kin(text, FACTS) == []


def test_a_fee_is_no_wrong_time() -> None:
    heard = understand("The consultation is two fifty, and it's nonrefundable. Is that okay with you?", FACTS)
    assert "at" not in {one.fact for one in heard.read_backs}
    heard = understand("If you cancel inside of twenty-four hours we keep the deposit. Do you agree?", FACTS)
    assert heard.read_backs == ()


def test_a_time_that_is_wrong_stays_wrong() -> None:
    given = reply_to(understand("So that's at two fifty in the afternoon, is that right?", FACTS), FACTS, ())
    assert given.corrects == ("at",)


def test_whose_name_is_asked_for() -> None:
    assert understand("And what's your husband's full name?", FACTS).questions == {"opposing_party"}
    assert understand("May I have your name and your husband's name?", FACTS).questions == {"name", "opposing_party"}


@pytest.mark.parametrize(("refuses", "facts"), [(("email",), ()), ((), ("ok",))])
def test_a_yes_to_sending_takes_what_is_sent(refuses: tuple[str, ...], facts: tuple[str, ...]) -> None:
    heard = understand("We have the agreement ready for you. Is it okay if I send it?", FACTS)
    assert reply_to(heard, FACTS, refuses).facts == facts
