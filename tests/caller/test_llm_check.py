"""The check of a model's words: each rule has words that break just it, and words that keep it."""

from __future__ import annotations

import pytest

from mivas.caller._decision import (
    AcknowledgeWait,
    Act,
    AskGoal,
    ConfirmReadBack,
    Consent,
    CorrectFact,
    Decision,
    DontKnow,
    Goodbye,
    LockedReply,
    RefuseOffer,
    SpellFact,
    StateFact,
)
from mivas.caller._llm_check import complaint_about

NAME = StateFact(fact="name", say="Rafael Iturbe.")
SPELLED = SpellFact(fact="name", say="Rafael Iturbe.", spell="R A F A E L, I T U R B E")
DATE = StateFact(fact="dob", say="May seventeenth, nineteen eighty-one.")
COST = AskGoal(goal="copay", text="What would my copay be on August thirty-first?")
PIN = LockedReply(index=0, text="Monday at nine, the first you said.")
CORRECTION = CorrectFact(fact="name", say="Rafael Iturbe.", spell=SPELLED.spell)
REFUSAL = RefuseOffer(offer="text", times=0)


def complaint(text: str, *acts: Act) -> str | None:
    return complaint_about(text, Decision(acts=acts, turn=1))


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("It's Rafael Iturbe. And I was born May seventeenth, nineteen eighty-one.", (NAME, DATE)),
        ("My name is Rafael Iturbe. That's R A F A E L, I T U R B E.", (SPELLED,)),
        ("Could you tell me what the copay would be for August 31st?", (COST,)),
        ("Yes, exactly.", (ConfirmReadBack(),)),
        ("Please do, go ahead.", (Consent(),)),
        ("No, thank you, I don't need that.", (REFUSAL,)),
        ("No, it's Rafael Iturbe. R A F A E L, I T U R B E.", (CORRECTION,)),
        ("Monday at nine, the first you said. And it's Rafael Iturbe.", (PIN, NAME)),
        ("Okay, sure, I can wait.", (AcknowledgeWait(),)),
        ("Alright, goodbye then.", (Goodbye(),)),
        ("I'm afraid I can't tell you that.", (DontKnow(question="zip"),)),
    ],
)  # fmt: skip
def test_the_same_in_other_words_is_let_through(text: str, acts: tuple[Act, ...]) -> None:
    assert complaint(text, *acts) is None


@pytest.mark.parametrize(
    ("text", "acts", "told"),
    [
        pytest.param("It's Rafael.", (NAME,), "leaves out 'Rafael Iturbe.'", id="half a name"),
        pytest.param("It's Raphael Iturbe.", (NAME,), "leaves out", id="a name in other letters"),
        pytest.param("Rafael Iturbe.", (SPELLED,), "leaves out", id="not spelled"),
        pytest.param("The first you said, Monday at nine.", (PIN,), "leaves out", id="a pin rephrased"),
        pytest.param("What would my copay be?", (COST,), "leaves out '31'", id="a date left out of a wish"),
        pytest.param("What is the copay on the 31st of July?", (COST,), "leaves out 'august'", id="another month"),
        pytest.param("Rafael Iturbe. I'm 44.", (NAME,), "adds '44'", id="a number"),
        pytest.param("Rafael Iturbe. I live in Queens.", (NAME,), "adds 'queens'", id="a name"),
        pytest.param("Rafael Iturbe. Call me tomorrow.", (NAME,), "adds 'tomorrow'", id="a day"),
        pytest.param("Rafael Iturbe. Mail r@example.org.", (NAME,), "adds 'r@example.org'", id="an address"),
        pytest.param("Rafael Iturbe. That is R A F A.", (NAME,), "adds 'rafa'", id="spelled letters"),
        pytest.param("Sounds lovely.", (REFUSAL,), "doesn't say no", id="accepts what it declines"),
        pytest.param(
            "It's Rafael Iturbe.", (CorrectFact(fact="name", say="Rafael Iturbe.", spell=None),), "say no", id="no no"
        ),
        pytest.param("No, that's wrong.", (ConfirmReadBack(),), "doesn't say yes", id="denies what is right"),
        pytest.param("Hmm.", (Consent(),), "doesn't say yes", id="no yes"),
        pytest.param("Yes. Rafael Iturbe.", (NAME,), "says yes", id="a yes that nobody decided"),
        pytest.param("I can't tell. Goodbye.", (DontKnow(question="zip"),), "goodbye", id="leaves too soon"),
        pytest.param("Rafael Iturbe. Is it far?", (NAME,), "asks something", id="a question of its own"),
        pytest.param("When on August 31st are you open?", (COST,), "isn't about", id="another wish"),
        pytest.param("Rafael Iturbe. " + "well " * 90, (NAME,), "too long", id="a lecture"),
    ],
)
def test_what_strays_is_told(text: str, acts: tuple[Act, ...], told: str) -> None:
    assert told in (complaint(text, *acts) or "nothing")
