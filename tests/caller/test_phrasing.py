"""Words for decisions: every template stands, facts stand in them as they are."""

from __future__ import annotations

import doctest
from string import Formatter
from typing import Any, get_args

import pytest

from mivas.caller import _phrasing
from mivas.caller._decision import (
    AcknowledgeWait,
    Act,
    AskAgain,
    AskGoal,
    ChangeMind,
    ConfirmReadBack,
    Consent,
    CorrectFact,
    Decision,
    DidntCatch,
    DontKnow,
    GiveUp,
    Goodbye,
    Leave,
    LockedReply,
    Open,
    RefuseOffer,
    SpellFact,
    StateFact,
    StillHere,
    StillThere,
    verbatim_texts,
)
from mivas.caller._phrasing import TemplatePhraser, own_templates, phrase

FIELDS = {"state": {"say"}, "spell": {"say", "spell"}, "correct": {"say"}, "correct_spelled": {"say", "spell"}}
ACTS = [
    Open(text="Hi {there}."), LockedReply(index=0, text="No."), StateFact(fact="f", say="{braces} 50%"),
    StateFact(fact="f", say="Please do."), SpellFact(fact="f", say="Redburn", spell="R E D"),
    CorrectFact(fact="f", say="Redburn", spell="R E D"), CorrectFact(fact="f", say="Redburn", spell=None),
    ConfirmReadBack(), Consent(), RefuseOffer(offer="text", times=0), RefuseOffer(offer="text", times=4),
    AskGoal(goal="g", text="A visit?"), AskAgain(goal="g", text="And?"), ChangeMind(fact="f", text="Oh."),
    DontKnow(question="email"), DidntCatch(), StillThere(), StillHere(), AcknowledgeWait(), Leave(text="Bye."),
    Goodbye(), GiveUp(),
]  # fmt: skip


def test_every_kind_of_act_is_tried() -> None:
    assert {type(act) for act in ACTS} == set(get_args(Act))


@pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
def test_an_act_has_words_that_hold_its_texts(act: Any) -> None:
    for seed in range(30):
        text = phrase(Decision(acts=(act,), turn=1), own_templates(), seed)
        assert text.strip()
        assert all(exact in text for exact in verbatim_texts(act))


def test_every_template_is_worded_and_names_only_what_it_is_given() -> None:
    for kind, wordings in own_templates().items():
        assert len(set(wordings)) == len(wordings) >= 2
        for wording in wordings:
            named = {name for _, name, _, _ in Formatter().parse(wording) if name is not None}
            assert named == FIELDS.get(kind, set()), wording


def test_every_template_is_used() -> None:
    used = {
        phrase(Decision(acts=(act,), turn=turn), {kind: (kind, kind) for kind in own_templates()}, 0)
        for act in ACTS
        for turn in range(2)
    }
    assert {f"{kind}." for kind in FIELDS} | set(own_templates()) - set(FIELDS) <= used


@pytest.mark.parametrize(("place", "kinds"), [("turn", 3), ("seed", 3)])
def test_the_wording_varies_with(place: str, kinds: int) -> None:
    said = {
        phrase(
            Decision(acts=(DidntCatch(),), turn=n if place == "turn" else 0),
            own_templates(),
            n if place == "seed" else 0,
        )
        for n in range(40)
    }
    assert len(said) == kinds


def test_a_yes_of_the_programs_own_is_said_without_ado() -> None:
    decision = Decision(acts=(StateFact(fact="ok", say="Yes, all of it.", assents=True),), turn=0)
    assert {phrase(decision, own_templates(), seed) for seed in range(20)} == {"Yes, all of it."}


def test_nothing_is_said_twice_in_a_turn() -> None:
    decision = Decision(acts=(LockedReply(index=0, text="No."), LockedReply(index=1, text="No.")), turn=0)
    assert TemplatePhraser().phrase(decision, 0).text == "No."


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(_phrasing).failed == 0
