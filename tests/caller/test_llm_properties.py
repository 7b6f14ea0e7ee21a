"""Whatever a model answers and an agent says, a caller with a model never states what it wasn't given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.caller._decision import Act, AskGoal, ConfirmReadBack, Consent, Decision, LockedReply, RefuseOffer, StateFact
from mivas.caller._engine import CallerBrief
from mivas.caller._llm_check import complaint_about
from mivas.caller._llm_free import FreeCaller
from mivas.caller._llm_model import Message
from mivas.caller._llm_phraser import ModelPhraser
from mivas.caller._llm_values import unfounded, values_of
from mivas.caller._phrasing import TemplatePhraser
from mivas.pack import CallerFile

ACTS: Sequence[Act] = (
    StateFact(fact="name", say="Ann Lee."), StateFact(fact="dob", say="November third, nineteen eighty-five"),
    LockedReply(index=0, text="No list for me."), RefuseOffer(offer="text", times=0), Consent(), ConfirmReadBack(),
    AskGoal(goal="visit", text="Could I come in on Monday?"),
)  # fmt: skip
PIECES = (
    "Ann Lee.", "November third, nineteen eighty-five", "No list for me.", "Could I come in on Monday?", "yes", "no",
    "not", "Bob", "555", "B Q", "tomorrow", "please", "goodbye", "?", "that's right", "a@b.example", "on Tuesday",
    '"', "\n",
)  # fmt: skip
PROGRAM = CallerFile.model_validate(
    {
        "version": 1, "opening": "Hello, I hope you can help me.", "canary": "", "exit": {"when": [], "say": "Bye."},
        "facts": [{"id": "zip", "value": "11201", "say": "It's 11201.", "answers": ["zip"]}],
    }
)  # fmt: skip
BRIEF = CallerBrief(
    name="Ann Lee",
    intent="Ask for a visit on Monday, then say goodbye.",
    traits={"full_name": "Ann Lee", "zip": "11201"},
    locked_replies=("No list for me.",),
    situations=("offers the waitlist",),
    program=PROGRAM,
    approximate=True,
)
words = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=8).map(" ".join)
turns = st.fixed_dictionaries(
    {"say": words, "leave": st.booleans(), "replies": st.lists(st.integers(-3, 5), max_size=3)}
).map(json.dumps)
agents = st.lists(words | st.just("What is your zip code?"), min_size=1, max_size=5)


class Answering:
    """A model that answers what it is given, over and over."""

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = answers
        self._asked = 0

    def ask(self, messages: Sequence[Message], seed: int) -> str:
        self._asked += 1
        return self._answers[self._asked % len(self._answers)]


@given(acts=st.lists(st.sampled_from(ACTS), min_size=1, max_size=4, unique=True), answer=words, seed=st.integers(0, 99))
def test_a_wording_keeps_to_its_decision_or_is_the_templates(acts: list[Act], answer: str, seed: int) -> None:
    decision = Decision(acts=tuple(acts), turn=1)
    phrased = ModelPhraser(Answering([answer]), voice="v", pace="slow").phrase(decision, seed)
    if phrased.text != TemplatePhraser().phrase(decision, seed).text:
        assert complaint_about(phrased.text, decision) is None
    given = [values_of(one) for one in (*PIECES[:4], TemplatePhraser().phrase(decision, seed).text)]
    assert unfounded(values_of(phrased.text), given) == []


@settings(deadline=None, max_examples=60)
@given(answers=st.lists(turns | words, min_size=1, max_size=4), heard=agents)
def test_a_deciding_model_states_nothing_that_nobody_gave(answers: list[str], heard: list[str]) -> None:
    caller = FreeCaller(BRIEF, 0, Answering(answers))
    known = [values_of(text) for text in _given(PROGRAM)]
    for number, agent in enumerate(heard):
        reply = caller.reply(agent, 1000 * number)
        assert reply.text.strip()
        assert unfounded(values_of(reply.text), known) == []


def _given(program: CallerFile) -> list[Any]:
    """Everything the caller may state."""
    texts = [BRIEF.name, BRIEF.intent, *BRIEF.traits.values(), *BRIEF.locked_replies]
    return [*texts, str(program.opening), program.exit.say, *(fact.say for fact in program.facts)]
