"""One caller to talk to, its program written in a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mivas.caller import CallerBrief, ProgramCaller
from mivas.pack import CallerFile

PROGRAM: dict[str, Any] = {
    "version": 1,
    "opening": "Hi, I'd like a visit.",
    "facts": [
        {"id": "name", "value": "Sam Nguyen", "say": "Sam Nguyen", "answers": ["name"]},
        {"id": "birth", "value": "1985-11-03", "say": "third of November, eighty-five", "answers": ["date_of_birth"]},
        {"id": "mail", "value": "sam@mail.example", "say": "sam@mail.example", "answers": ["email"]},
        {"id": "zip", "value": "11201", "say": "one one two oh one", "answers": ["zip"]},
    ],
    "goals": [
        {
            "id": "visit",
            "ask": ["A visit, please."],
            "met_when": {"value": "booked", "polarity": "yes"},
            "again": "And the visit?",
        }
    ],
    "exit": {"when": ["visit"], "say": "Thanks, bye."},
    "canary": "",
}

Talk = Callable[..., list[Any]]


def program_of(**changes: Any) -> CallerFile:
    return CallerFile.model_validate(PROGRAM | changes)


def caller_of(pins: tuple[str, ...] = (), rules: Sequence[Any] = (), **changes: Any) -> ProgramCaller:
    """A caller; `pins` are its locked replies, `rules` say when, the rest replaces parts of the program."""
    return ProgramCaller(
        CallerBrief(
            name="Sam Nguyen", intent="", traits={}, locked_replies=pins, program=program_of(pins=rules, **changes),
            approximate=False,
        )
    )  # fmt: skip


@pytest.fixture
def talk() -> Talk:
    """`talk(*agent_turns, pins=..., rules=..., **program_changes)`: the caller's replies, its opening left out."""

    def said(*turns: str, **given: Any) -> list[Any]:
        caller = caller_of(**given)
        caller.reply("Hello.")
        return [caller.reply(turn) for turn in turns]

    return said


@pytest.fixture
def make_caller() -> Any:
    """`make_caller(pins=..., rules=..., **program_changes)`: a caller that has said nothing yet."""
    return caller_of
