"""What a caller decides, whatever words it heard it in. Source: formats.md 3, scoring.md 8.3, docs/caller.md."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS, Heard, KnownFact, ReadBack
from mivas.caller._decision import (
    AcknowledgeWait,
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
)  # fmt: skip
from mivas.caller._engine import Occurrence
from mivas.caller._mind import decide, patience_ms
from mivas.caller._mind_state import AgentTurn, Script, State
from mivas.pack import CallerFile

NAME = {"id": "name", "value": "Sam Redburn", "say": "Sam Redburn", "spell": "R E D B U R N", "answers": ["name"]}
BIRTH = {"id": "birth", "value": "1985-11-03", "say": "third of November, eighty-five", "answers": ["date_of_birth"]}
OFFICE = {"id": "office", "value": "Park Avenue", "say": "Park Avenue", "answers": ["office"]}
DETAILS = {"id": "details_ok", "value": "confirmed", "say": "Every bit of it.", "answers": ["read_back"]}
AGREED = {"id": "agreed", "value": "agreed", "say": "Do that, please.", "answers": ["consent"]}
VISIT = {
    "id": "visit",
    "ask": ["A visit."],
    "met_when": {"value": "booked", "polarity": "yes"},
    "again": "And my visit?",
}
PLAN = {
    "id": "plan", "ask": ["Do you take my plan?", "My plan, is it good there?"], "again": "I mean for that office.",
    "met_when": {"all": [{"value": "accepted", "polarity": "any"}, {"value": "office", "polarity": "any"}]},
}  # fmt: skip
PROGRAM: dict[str, Any] = {
    "version": 1, "opening": "Hello, about a visit.", "facts": [NAME, BIRTH, OFFICE], "goals": [VISIT],
    "exit": {"when": ["visit"], "say": "Thanks, bye."}, "canary": "",
}  # fmt: skip
OPENED = Open(text="Hello, about a visit.")
SAID_NAME = StateFact(fact="name", say="Sam Redburn")
SAID_BIRTH = StateFact(fact="birth", say="third of November, eighty-five")
ASKED = AskGoal(goal="visit", text="A visit.")
PRESSED = AskAgain(goal="visit", text="And my visit?")
WRONG_NAME = ReadBack(fact="name", right=False, said="Sam Redfern")
RIGHT_NAME = ReadBack(fact="name", right=True, said="Sam Redburn")
SILENCE = None


class Mind:
    """A caller in a call where each of the agent's turns takes two seconds."""

    def __init__(self, locked: tuple[str, ...] = (), occurrences: tuple[Occurrence, ...] = (), **changes: Any) -> None:
        program = CallerFile.model_validate(PROGRAM | changes)
        self.script = Script(program=program, locked_replies=locked, occurrences=occurrences)
        self.state = State(
            facts=tuple(
                KnownFact(id=one.id, value=one.value, say=one.say, spell=one.spell, answers=one.answers)
                for one in program.facts
            )
        )
        self.now_ms = 0
        self.turns = 0

    def hears(self, heard: Heard | None, words: str = "", *, spelling: bool = False, after_ms: int = 2000) -> Decision:
        """Decide on a turn; None is silence, and turns without words of their own all sound different."""
        self.now_ms += after_ms
        self.turns += 1
        words = "" if heard is None else words or f"turn {self.turns}"
        turn = AgentTurn(heard=heard or Heard(), words=words, asks_spelling=spelling)
        self.state, decision = decide(self.script, self.state, turn, self.now_ms)
        return decision


def heard(
    *questions: str, offers: tuple[str, ...] = (), unclear: bool = False, back: tuple[ReadBack, ...] = (), **values: Any
) -> Heard:
    return Heard(
        questions=frozenset(questions), offers=frozenset(offers), values=values, unclear=unclear, read_backs=back
    )


def opened(**given: Any) -> Mind:
    mind = Mind(**given)
    mind.hears(heard(greeting="yes"))
    return mind


def acts(decision: Decision) -> list[Any]:
    return list(decision.acts)


class TestOpening:
    def test_a_caller_says_why_it_phones(self) -> None:
        assert acts(Mind().hears(heard(greeting="yes"))) == [OPENED]

    def test_what_the_greeting_asks_for_is_answered_too(self) -> None:
        assert acts(Mind().hears(heard("name", "reason"))) == [OPENED, SAID_NAME]

    def test_what_the_opening_says_is_not_said_twice(self) -> None:
        assert acts(Mind(opening="Sam Redburn here.").hears(heard("name"))) == [Open(text="Sam Redburn here.")]

    def test_volunteered_facts_follow(self) -> None:
        assert acts(Mind(facts=[NAME | {"volunteer": True}, BIRTH]).hears(heard())) == [OPENED, SAID_NAME]

    def test_without_an_opening_the_first_goal_opens_and_counts_as_asked(self) -> None:
        mind = Mind(opening=None)
        assert acts(mind.hears(heard())) == [Open(text="A visit.")]
        assert acts(mind.hears(heard())) == [PRESSED]

    def test_without_opening_and_goals_a_caller_greets(self) -> None:
        mind = Mind(opening=None, goals=[], exit={"when": [], "say": "Bye."})
        assert acts(mind.hears(heard())) == [Open(text="Hello.")]

    def test_on_a_silent_line_a_caller_opens_and_then_wonders(self) -> None:
        mind = Mind()
        assert [acts(mind.hears(SILENCE)) for _ in range(2)] == [[OPENED], [StillThere()]]

    def test_a_change_of_mind_at_the_greeting_is_not_lost(self) -> None:
        change = {"after": "visit", "fact": "office", "to": "Windermere", "say": "No, Windermere."}
        decision = Mind(changes=[change]).hears(heard(booked="yes"))
        assert acts(decision) == [OPENED, ChangeMind(fact="office", text="No, Windermere.")]


class TestFacts:
    def test_each_question_of_a_turn_is_answered_in_the_programs_order(self) -> None:
        assert acts(opened().hears(heard("date_of_birth", "name"))) == [SAID_NAME, SAID_BIRTH]

    @pytest.mark.parametrize("spelling", [True, False], ids=["asked to spell", "asked a second time"])
    def test_spelling(self, spelling: bool) -> None:
        mind = opened()
        if not spelling:
            assert acts(mind.hears(heard("name"))) == [SAID_NAME]
        assert acts(mind.hears(heard("name"), spelling=spelling)) == [
            SpellFact(fact="name", say="Sam Redburn", spell="R E D B U R N")
        ]

    def test_how_do_you_spell_that_means_what_was_said_last(self) -> None:
        mind = opened()
        mind.hears(heard("name"))
        assert acts(mind.hears(heard(unclear=True), spelling=True)) == [
            SpellFact(fact="name", say="Sam Redburn", spell="R E D B U R N")
        ]

    def test_what_can_not_be_spelled_is_said_again(self) -> None:
        mind = opened()
        mind.hears(heard("date_of_birth"))
        assert acts(mind.hears(heard("date_of_birth"), spelling=True)) == [SAID_BIRTH]

    def test_a_detail_that_the_caller_has_not_is_owned_up_to_once(self) -> None:
        mind = opened()
        assert acts(mind.hears(heard("email"))) == [DontKnow(question="email")]
        assert acts(mind.hears(heard("email"))) == [ASKED]

    def test_a_question_about_the_wish_is_answered_with_it(self) -> None:
        assert acts(opened().hears(heard("reason"))) == [ASKED]
        assert acts(opened().hears(heard("service"))) == [ASKED]

    @pytest.mark.parametrize("question", sorted(QUESTIONS))
    def test_no_question_makes_it_say_a_fact_of_another(self, question: str) -> None:
        said = {act.fact for act in opened().hears(heard(question)).acts if isinstance(act, StateFact | SpellFact)}
        assert said == {fact["id"] for fact in (NAME, BIRTH, OFFICE) if question in fact["answers"]}


class TestYes:
    def test_a_right_read_back_is_confirmed(self) -> None:
        assert acts(opened().hears(heard("read_back", back=(RIGHT_NAME,), name="yes"))) == [ConfirmReadBack()]

    def test_the_programs_own_yes_is_used(self) -> None:
        mind = opened(facts=[NAME, DETAILS, AGREED])
        assert acts(mind.hears(heard("read_back", back=(RIGHT_NAME,)))) == [
            StateFact(fact="details_ok", say="Every bit of it.", assents=True)
        ]
        assert acts(mind.hears(heard("consent"))) == [StateFact(fact="agreed", say="Do that, please.", assents=True)]

    @pytest.mark.parametrize("facts", [[NAME, BIRTH], [NAME, BIRTH, DETAILS, AGREED]], ids=["plain", "own words"])
    def test_a_wrong_read_back_is_corrected_and_nothing_is_agreed_to(self, facts: list[Any]) -> None:
        mind = opened(facts=facts)
        right = CorrectFact(fact="name", say="Sam Redburn", spell="R E D B U R N")
        assert acts(mind.hears(heard("read_back", "consent", back=(WRONG_NAME,)))) == [right]
        assert acts(mind.hears(heard("date_of_birth", "read_back", back=(WRONG_NAME,)))) == [right, SAID_BIRTH]

    def test_consent_needs_that_nothing_is_declined(self) -> None:
        mind = opened(refuses=["waitlist"])
        assert acts(mind.hears(heard("consent"))) == [Consent()]
        assert acts(mind.hears(heard("consent", offers=("waitlist",)))) == [RefuseOffer(offer="waitlist", times=0)]

    def test_what_it_could_not_make_out_is_not_confirmed(self) -> None:
        assert acts(opened().hears(heard("read_back", unclear=True))) == [DidntCatch()]

    def test_leaving_waits_until_a_disputed_read_back_is_corrected(self) -> None:
        mind = opened()
        (first,) = mind.hears(heard("read_back", back=(WRONG_NAME,), booked="yes")).acts
        assert isinstance(first, CorrectFact)
        assert acts(mind.hears(heard())) == [Leave(text="Thanks, bye.")]


class TestOffers:
    def test_a_refusal_is_kept_up_and_counted(self) -> None:
        mind = opened(refuses=["waitlist"])
        said = [mind.hears(heard(offers=("waitlist",))).acts[0] for _ in range(3)]
        assert said == [RefuseOffer(offer="waitlist", times=times) for times in range(3)]

    def test_a_refusal_and_an_answer_fit_one_turn(self) -> None:
        decision = opened(refuses=["text"]).hears(heard("name", offers=("text",)))
        assert acts(decision) == [RefuseOffer(offer="text", times=0), SAID_NAME]

    def test_an_offer_that_nothing_speaks_of_brings_the_wish_back(self) -> None:
        assert acts(opened().hears(heard(offers=("upgrade",)))) == [ASKED]

    def test_with_no_wish_left_it_is_declined(self) -> None:
        mind = opened(goals=[], exit={"when": [], "say": "Bye."})
        assert acts(mind.hears(heard(offers=("upgrade",)))) == [RefuseOffer(offer="upgrade", times=0)]


LOCKED = ("That one.", "No text.")
PINS = [
    {"index": 1, "when": {"offer": "text"}, "not_when": {"question": "phone"}},
    {"index": 0, "when": {"any": [{"offer": "text"}, {"question": "name"}]}},
]


class TestPins:
    @pytest.mark.parametrize(
        ("turn", "said"),
        [
            pytest.param(heard(offers=("text",)), [LockedReply(index=1, text="No text.")], id="the first match wins"),
            pytest.param(
                heard("phone", offers=("text",)), [LockedReply(index=0, text="That one.")],
                id="not_when vetoes and the next matches",
            ),
            pytest.param(heard("name"), [LockedReply(index=0, text="That one.")], id="it outranks the fact"),
            pytest.param(
                heard("name", "date_of_birth"), [LockedReply(index=0, text="That one."), SAID_BIRTH],
                id="what it isn't about is answered beside it",
            ),
            pytest.param(heard("date_of_birth"), [SAID_BIRTH], id="no match"),
        ],
    )  # fmt: skip
    def test_matching(self, turn: Heard, said: list[Any]) -> None:
        assert acts(opened(locked=LOCKED, pins=PINS).hears(turn)) == said

    def test_a_fact_that_the_locked_reply_says_is_not_said_again(self) -> None:
        mind = opened(locked=("I am Sam Redburn.",), pins=[{"index": 0, "when": {"question": "reason"}}])
        assert acts(mind.hears(heard("reason", "name"))) == [LockedReply(index=0, text="I am Sam Redburn.")]

    def test_no_yes_is_added_to_a_locked_reply(self) -> None:
        mind = opened(locked=("Not today.",), pins=[{"index": 0, "when": {"offer": "booking"}}])
        assert acts(mind.hears(heard("consent", offers=("booking",)))) == [LockedReply(index=0, text="Not today.")]

    def test_an_offer_to_refuse_that_the_pin_is_not_about_is_declined_beside_it(self) -> None:
        mind = opened(locked=LOCKED, pins=PINS, refuses=["text", "human"])
        assert acts(mind.hears(heard(offers=("text", "human")))) == [
            LockedReply(index=1, text="No text."), RefuseOffer(offer="human", times=0),
        ]  # fmt: skip

    @pytest.mark.parametrize("question", ["read_back", "consent"])
    def test_a_pinned_yes_is_not_said_to_a_wrong_read_back(self, question: str) -> None:
        mind = opened(locked=("Yes!",), pins=[{"index": 0, "when": {"question": question}}])
        (said,) = mind.hears(heard(question, back=(WRONG_NAME,))).acts
        assert isinstance(said, CorrectFact)
        assert acts(mind.hears(heard(question, back=(RIGHT_NAME,))))[0] == LockedReply(index=0, text="Yes!")

    def test_a_pinned_consent_is_not_said_to_what_is_to_be_declined(self) -> None:
        mind = opened(locked=("Yes!",), pins=[{"index": 0, "when": {"question": "consent"}}], refuses=["waitlist"])
        assert acts(mind.hears(heard("consent", offers=("waitlist",)))) == [RefuseOffer(offer="waitlist", times=0)]

    @pytest.mark.parametrize(
        ("occurrence", "turns"),
        [
            (Occurrence(), [True, True, True]),
            (Occurrence(mode="once"), [True, False, False]),
            (Occurrence(mode="nth", n=2), [False, True, False]),
        ],
        ids=["always", "once", "nth"],
    )
    def test_occurrence(self, occurrence: Occurrence, turns: list[bool]) -> None:
        mind = opened(locked=("No text.",), occurrences=(occurrence,), pins=[{"index": 0, "when": {"offer": "text"}}])
        said = [isinstance(mind.hears(heard(offers=("text",))).acts[0], LockedReply) for _ in turns]
        assert said == turns

    def test_leaving_outranks_a_pin(self) -> None:
        decision = opened(locked=LOCKED, pins=PINS).hears(heard(offers=("text",), booked="yes"))
        assert (acts(decision), decision.ending) == ([Leave(text="Thanks, bye.")], "done")


class TestGoals:
    def test_wordings_are_used_in_turn_and_then_again(self) -> None:
        mind = opened(goals=[PLAN], exit={"when": ["plan"], "say": "Bye."})
        said = [mind.hears(heard()).acts[0] for _ in range(3)]
        assert [act.text for act in said] == [*PLAN["ask"], PLAN["again"]]

    def test_an_answer_to_something_else_is_met_with_again(self) -> None:
        mind = opened(goals=[PLAN], exit={"when": ["plan"], "say": "Bye."})
        mind.hears(heard())
        assert acts(mind.hears(heard(hours="yes"))) == [AskAgain(goal="plan", text=PLAN["again"])]

    def test_the_next_goal_follows_the_first(self) -> None:
        mind = opened(goals=[PLAN, VISIT])
        assert acts(mind.hears(heard(accepted="yes", office="yes"))) == [ASKED]

    def test_a_denied_goal_is_not_met(self) -> None:
        assert opened().hears(heard(booked="no")).ending is None

    def test_unless_keeps_a_goal_open(self) -> None:
        mind = opened(goals=[VISIT | {"unless": {"value": "waitlisted"}}])
        assert mind.hears(heard(booked="yes", waitlisted="yes")).ending is None
        assert mind.hears(heard(booked="yes")).ending == "done"

    @pytest.mark.parametrize(
        ("turns", "met"),
        [
            pytest.param([heard(accepted="yes", office="yes")], True, id="at once"),
            pytest.param([heard(accepted="yes"), heard(office="yes")], True, id="the detail comes a turn later"),
            pytest.param([heard(accepted="yes"), heard("name"), heard(office="yes")], True, id="with a turn between"),
            pytest.param([heard("office", office="yes"), heard(accepted="yes")], False, id="a question comes before"),
            pytest.param([heard(accepted="yes")], False, id="half an answer"),
        ],
    )
    def test_the_parts_of_an_answer_may_come_over_several_turns(self, turns: list[Heard], met: bool) -> None:
        mind = opened(goals=[PLAN], exit={"when": ["plan"], "say": "Bye."})
        assert (any(mind.hears(turn).ending == "done" for turn in turns)) is met

    def test_a_part_that_is_taken_back_counts_no_more(self) -> None:
        goal = PLAN | {"met_when": {"all": [{"value": "accepted", "polarity": "yes"}, {"value": "office"}]}}
        mind = opened(goals=[goal], exit={"when": ["plan"], "say": "Bye."})
        for turn in (heard(accepted="yes"), heard(accepted="no"), heard(office="yes")):
            assert mind.hears(turn).ending is None

    def test_a_goal_that_was_never_put_is_met_in_one_turn_only(self) -> None:
        mind = opened(goals=[VISIT, PLAN], exit={"when": ["visit", "plan"], "say": "Bye."})
        mind.hears(heard(accepted="yes"))
        mind.hears(heard("name", office="yes"))
        assert "plan" not in mind.state.met

    def test_without_goals_to_meet_a_caller_leaves_when_asked_whether_there_is_more(self) -> None:
        mind = opened(exit={"when": [], "say": "No, bye."})
        assert [mind.hears(heard("name")).ending, mind.hears(heard("anything_else")).ending] == [None, "done"]

    def test_anything_else_brings_the_open_goal(self) -> None:
        assert acts(opened().hears(heard("anything_else"))) == [ASKED]


class TestChanges:
    CHANGE: ClassVar[dict[str, Any]] = {
        "goals": [PLAN | {"met_when": {"question": "which_time"}}, VISIT],
        "changes": [{"after": "plan", "fact": "office", "to": "Windermere", "say": "Make it Windermere."}],
    }  # fmt: skip

    def test_it_is_said_once_and_answers_from_then_on(self) -> None:
        mind = opened(**self.CHANGE)
        changed = ChangeMind(fact="office", text="Make it Windermere.")
        assert acts(mind.hears(heard("which_time"))) == [changed]
        assert acts(mind.hears(heard("which_time"))) == [ASKED]
        assert acts(mind.hears(heard("office"))) == [StateFact(fact="office", say="Make it Windermere.")]

    def test_it_is_said_before_leaving(self) -> None:
        mind = opened(**(self.CHANGE | {"exit": {"when": ["plan"], "say": "Bye."}}))
        assert mind.hears(heard("which_time")).ending is None
        assert mind.hears(heard()).ending == "done"


class TestPatience:
    def test_empty_handed_turns_end_it(self) -> None:
        mind = opened(patience={"repeats": 2})
        decisions = [mind.hears(heard()) for _ in range(3)]
        assert [one.ending for one in decisions] == [None, None, "repeats"]
        assert acts(decisions[-1]) == [GiveUp()]

    def test_a_question_restores_it(self) -> None:
        mind = opened(patience={"repeats": 2})
        turns = [heard(), heard(), heard("name"), heard(), heard(), heard()]
        assert [mind.hears(turn).ending for turn in turns] == [None] * 5 + ["repeats"]

    def test_a_goal_met_restores_it(self) -> None:
        later = VISIT | {"id": "text", "met_when": {"value": "sent", "polarity": "yes"}}
        mind = opened(goals=[VISIT, later], exit={"when": ["text"], "say": "Bye."}, patience={"repeats": 1})
        turns = [heard(), heard(booked="yes"), heard(), heard()]
        assert [mind.hears(turn).ending for turn in turns] == [None] * 3 + ["repeats"]

    def test_no_pardon_is_begged_for_a_turn_that_met_a_goal(self) -> None:
        later = VISIT | {"id": "text", "ask": ["A text."], "met_when": {"value": "sent", "polarity": "yes"}}
        mind = opened(goals=[VISIT, later], exit={"when": ["text"], "say": "Bye."})
        assert acts(mind.hears(heard(booked="yes", unclear=True))) == [AskGoal(goal="text", text="A text.")]

    @pytest.mark.parametrize("words", [["same"], ["one", "other"], ["a", "b", "c"]], ids=len)
    def test_the_same_words_over_and_over_end_it(self, words: list[str]) -> None:
        mind = opened(patience={"repeats": 2})
        endings = [mind.hears(heard("name"), words[turn % len(words)]).ending for turn in range(len(words) + 3)]
        assert endings[-1] == "repeats"
        assert "repeats" not in endings[:-1]

    def test_a_moment_is_granted_without_pressing_and_counts(self) -> None:
        mind = opened(patience={"repeats": 2})
        decisions = [mind.hears(heard(wait="yes")) for _ in range(3)]
        assert [acts(one) for one in decisions] == [[AcknowledgeWait()], [AcknowledgeWait()], [GiveUp()]]

    def test_a_question_beside_a_moment_is_answered(self) -> None:
        assert acts(opened().hears(heard("name", wait="yes"))) == [SAID_NAME]

    def test_pardon_is_begged_twice_in_a_row(self) -> None:
        mind = opened(patience={"repeats": 9})
        said = [mind.hears(heard(unclear=True)).acts[0] for _ in range(3)]
        assert said == [DidntCatch(), DidntCatch(), ASKED]
        assert acts(mind.hears(heard(unclear=True))) == [DidntCatch()]

    def test_silence_ends_it_after_so_much_dead_air(self) -> None:
        mind = opened(patience={"silence_ms": 30_000, "dead_air_ms": 60_000})
        assert acts(mind.hears(SILENCE, after_ms=30_000)) == [StillThere()]
        decision = mind.hears(SILENCE, after_ms=30_000)
        assert (acts(decision), decision.ending) == ([GiveUp()], "silence")

    def test_a_word_ends_the_dead_air(self) -> None:
        mind = opened(patience={"dead_air_ms": 60_000})
        for _ in range(3):
            mind.hears(SILENCE, after_ms=50_000)
            assert mind.hears(heard("name")).ending is None

    def test_turns_passed_in_silence_count_as_empty_handed(self) -> None:
        mind = opened(patience={"repeats": 2})
        assert [mind.hears(SILENCE).ending for _ in range(3)] == [None, None, "repeats"]

    def test_a_call_that_takes_too_long_ends_it(self) -> None:
        mind = opened(patience={"call_ms": 10_000})
        assert mind.hears(heard("name")).ending is None
        assert mind.hears(heard("date_of_birth"), after_ms=9_000).ending == "call_ms"

    @pytest.mark.parametrize(
        ("patience", "at_ms", "left_ms"),
        [
            ({"silence_ms": 30_000, "dead_air_ms": 60_000}, 2_000, 30_000),
            ({"silence_ms": 30_000, "dead_air_ms": 60_000}, 40_000, 22_000),
            ({"silence_ms": 30_000, "call_ms": 12_000}, 2_000, 10_000),
            ({"call_ms": 12_000}, 50_000, 1),
        ],
    )
    def test_how_long_it_listens_to_a_silent_line(self, patience: dict[str, int], at_ms: int, left_ms: int) -> None:
        mind = opened(patience=patience)  # heard at 2,000 ms
        assert patience_ms(mind.script, mind.state, at_ms) == left_ms

    def test_it_says_that_it_is_there(self) -> None:
        assert acts(opened().hears(heard("still_there"))) == [StillHere(), ASKED]


class TestGoodbye:
    def test_a_goodbye_is_returned_and_ends_the_call(self) -> None:
        decision = opened().hears(heard(goodbye="yes"))
        assert (acts(decision), decision.ending) == ([Goodbye()], "goodbye")

    def test_a_caller_that_has_what_it_wanted_says_its_own_last_words(self) -> None:
        assert acts(opened().hears(heard(goodbye="yes", booked="yes"))) == [Leave(text="Thanks, bye.")]

    @pytest.mark.parametrize("turn", [heard("name", goodbye="yes"), heard(offers=("text",), goodbye="yes")])
    def test_a_goodbye_beside_a_question_is_none(self, turn: Heard) -> None:
        assert opened().hears(turn).ending is None


HEARD = st.builds(
    lambda questions, offers, values, unclear, back: Heard(
        questions=questions, offers=offers, values=values, unclear=unclear, read_backs=tuple(back)
    ),
    st.frozensets(st.sampled_from(sorted(QUESTIONS)), max_size=4),
    st.frozensets(st.sampled_from(sorted(OFFERS)), max_size=3),
    st.dictionaries(st.sampled_from([*STATEMENTS, "name", "office"]), st.sampled_from(["yes", "no"]), max_size=4),
    st.booleans(),
    st.lists(st.sampled_from([RIGHT_NAME, WRONG_NAME]), max_size=1),
)
WHOLE: dict[str, Any] = {
    "facts": [NAME, BIRTH, OFFICE, DETAILS, AGREED], "goals": [PLAN, VISIT], "refuses": ["waitlist", "human"],
    "pins": PINS, "locked": LOCKED, "exit": {"when": ["plan", "visit"], "say": "Bye."},
}  # fmt: skip


@given(turns=st.lists(st.none() | HEARD, max_size=12))
def test_every_call_is_legal_and_repeats(turns: list[Heard | None]) -> None:
    mind, twin = Mind(**WHOLE), Mind(**WHOLE)
    for turn in turns:
        decision = mind.hears(turn)
        assert decision == twin.hears(turn)
        assert decision.acts
        stated = {act.fact for act in decision.acts if isinstance(act, StateFact | SpellFact)}
        asked = {
            fact["id"] for fact in WHOLE["facts"] if turn is not None and turn.questions & set(fact["answers"])
        } | ({"details_ok"} if turn is not None and turn.read_backs else set())  # fmt: skip
        assert stated <= asked
        assert len([act for act in decision.acts if isinstance(act, LockedReply)]) <= 1
        if turn is not None and WRONG_NAME in turn.read_backs:
            yes = (ConfirmReadBack(), Consent(), StateFact(fact="details_ok", say="Every bit of it.", assents=True),
                   StateFact(fact="agreed", say="Do that, please.", assents=True))  # fmt: skip
            assert not [act for act in decision.acts if act in yes]
        if decision.ending is not None:
            break


@given(turns=st.lists(HEARD | st.none(), min_size=12, max_size=12))
def test_every_call_ends(turns: list[Heard | None]) -> None:
    mind = Mind(**WHOLE, patience={"call_ms": 40_000})
    assert any(mind.hears(turn, after_ms=4_000).ending for turn in turns)
