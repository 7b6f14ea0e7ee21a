"""The caller's mind: from what it heard to what it does. Pure; docs/caller.md has the table of precedence.

Never states a fact that wasn't asked for, given by the program or read back wrong; sees no tool and no lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mivas.caller._answer import Answer, reply_to
from mivas.caller._decision import (
    AcknowledgeWait,
    Act,
    ChangeMind,
    ConfirmReadBack,
    Consent,
    CorrectFact,
    Decision,
    DidntCatch,
    DontKnow,
    Ending,
    GiveUp,
    Goodbye,
    Leave,
    Open,
    RefuseOffer,
    SpellFact,
    StateFact,
    StillHere,
    StillThere,
)
from mivas.caller._heard import Heard, KnownFact
from mivas.caller._mind_goals import ask_for_goal, is_done, note_goals
from mivas.caller._mind_pins import Pinned, pinned
from mivas.caller._mind_state import AgentTurn, Script, State, one_more

ASSENTING = frozenset({"read_back", "consent"})
"""Questions answered with a yes. A fact that answers one is the caller's own wording of that yes."""
PARTICULARS = frozenset(
    {
        "name", "date_of_birth", "phone", "callback", "member_id", "zip", "email", "order_number", "card_last4",
        "matter",
    }
)  # fmt: skip
"""Questions for a detail that one has or hasn't; others the caller without an answer meets with its wish."""
MOST_PARDONS = 2
"""How often in a row the caller says that it didn't catch something."""
REMEMBERED_TURNS = 3
"""The agent's turns in which the same words count as a repetition, so that two in alternation do."""


def decide(script: Script, state: State, turn: AgentTurn, now_ms: int) -> tuple[State, Decision]:
    """Decide the caller's next turn.

    Args:
        turn: the agent's; silent when nothing came for `patience_ms`, or it passed its turn.
        now_ms: call-clock time.
    Returns: the state after it, and at least one act.
    """
    if turn.is_silent:
        state, acts, ending = _on_silence(script, state, now_ms)
    else:
        state, acts, ending = _on_words(script, replace(state, quiet_since_ms=now_ms), turn, now_ms)
    decision = Decision(acts=tuple(acts), turn=state.turn, ending=ending)
    return replace(state, turn=state.turn + 1, has_opened=True), decision


def patience_ms(script: Script, state: State, now_ms: int) -> int:
    """How long the caller now listens to a silent line before it does something about it; 1 or more."""
    patience = script.program.patience
    left_ms = state.quiet_since_ms + patience.dead_air_ms - now_ms
    return max(1, min(patience.silence_ms, left_ms, patience.call_ms - now_ms))


_Turn = tuple[State, Sequence[Act], Ending | None]


def _on_silence(script: Script, state: State, now_ms: int) -> _Turn:
    patience = script.program.patience
    if now_ms - state.quiet_since_ms >= patience.dead_air_ms:
        return state, [GiveUp()], "silence"
    if not state.has_opened:
        return (*_opening(script, state, AgentTurn(heard=Heard(), words=""), []), None)
    return _patiently(script, replace(state, idle_turns=state.idle_turns + 1), [StillThere()], now_ms)


def _on_words(script: Script, state: State, turn: AgentTurn, now_ms: int) -> _Turn:
    heard = turn.heard
    met_before = state.met
    state, changes = note_goals(script, state, heard)
    got_somewhere = state.met != met_before
    if not state.has_opened:
        return (*_opening(script, state, turn, changes), None)
    answer = reply_to(heard, state.facts, script.program.refuses)
    disputed = bool(answer.corrects) and "read_back" in heard.questions
    if not changes and not disputed and is_done(script, state, heard):
        return state, [Leave(text=script.program.exit.say)], "done"
    if heard.values.get("goodbye") == "yes" and not heard.questions and not heard.offers and not answer.corrects:
        return state, [*changes, Goodbye()], "goodbye"
    state, substance = _substance(script, state, turn, answer)
    acts = [*substance, *changes]
    repeats = turn.words in state.recent_words
    state = replace(
        state,
        recent_words=(*state.recent_words, turn.words)[-REMEMBERED_TURNS:],
        idle_turns=state.idle_turns + 1 if repeats or not (acts or got_somewhere) else 0,
    )
    if not acts:
        state, acts = _for_want_of_an_answer(script, state, replace(heard, unclear=False) if got_somewhere else heard)
    caught_nothing = any(isinstance(act, DidntCatch) for act in acts)
    state = replace(state, didnt_catch=state.didnt_catch + 1 if caught_nothing else 0)
    return _patiently(script, state, acts, now_ms)


def _patiently(script: Script, state: State, acts: Sequence[Act], now_ms: int) -> _Turn:
    """These acts, or the end of the caller's patience."""
    patience = script.program.patience
    if now_ms >= patience.call_ms:
        return state, [GiveUp()], "call_ms"
    if state.idle_turns > patience.repeats:
        return state, [GiveUp()], "repeats"
    return state, acts, None


def _opening(
    script: Script, state: State, turn: AgentTurn, changes: Sequence[ChangeMind]
) -> tuple[State, Sequence[Act]]:
    """Why the caller phones, what it volunteers, and what the greeting asked for beyond that."""
    program = script.program
    text = program.opening
    if text is None:
        state, asking = ask_for_goal(script, state, Heard())
        text = asking.text if asking is not None else "Hello."
    volunteered = {fact.id for fact in program.facts if fact.volunteer}
    answer = reply_to(turn.heard, state.facts, program.refuses)
    wanted = [
        fact
        for fact in state.facts
        if fact.id in volunteered or (_is_asked(fact, turn.heard, answer) and not _says(text, fact))
    ]
    acts: list[Act] = [Open(text=text), *(StateFact(fact=fact.id, say=fact.say) for fact in wanted)]
    return replace(state, stated=one_more(state.stated, [fact.id for fact in wanted])), [*acts, *changes]


def _substance(script: Script, state: State, turn: AgentTurn, answer: Answer) -> tuple[State, list[Act]]:
    """What the turn calls for: corrections, a locked reply, refusals, facts, a yes. Empty when it calls for nothing."""
    state, pin = pinned(script, state, turn.heard, answer)
    known = {fact.id: fact for fact in state.facts}
    acts: list[Act] = [CorrectFact(fact=id, say=known[id].say, spell=known[id].spell) for id in answer.corrects]
    if pin.reply is not None:
        acts.append(pin.reply)
    refused = [offer for offer in answer.refuses if offer not in pin.offers]
    acts += [RefuseOffer(offer=offer, times=state.refused.get(offer, 0)) for offer in refused]
    state, facts = _facts(state, turn, answer, pin)
    acts += facts
    acts += _assent(state.facts, turn.heard, answer, pin)
    return replace(state, refused=one_more(state.refused, refused)), acts


def _facts(state: State, turn: AgentTurn, answer: Answer, pin: Pinned) -> tuple[State, list[Act]]:
    asked = [fact for fact in state.facts if _is_asked(fact, turn.heard, answer)]
    left = [fact for fact in asked if pin.reply is None or not _settled(fact, turn.heard, pin, pin.reply.text)]
    if turn.asks_spelling and not asked and pin.reply is None:
        left = [fact for fact in state.facts if fact.id == state.last_stated and fact.spell is not None]
    acts = [_stated(fact, spells=turn.asks_spelling or fact.id in state.stated) for fact in left]
    state = replace(state, stated=one_more(state.stated, [fact.id for fact in asked]))
    return replace(state, last_stated=asked[-1].id if asked else state.last_stated), acts


def _stated(fact: KnownFact, *, spells: bool) -> Act:
    if spells and fact.spell is not None:
        return SpellFact(fact=fact.id, say=fact.say, spell=fact.spell)
    return StateFact(fact=fact.id, say=fact.say)


def _settled(fact: KnownFact, heard: Heard, pin: Pinned, text: str) -> bool:
    """Whether a locked reply leaves nothing to say about an asked fact: it is about the question, or says the fact."""
    return heard.questions & set(fact.answers) - ASSENTING <= pin.questions or _says(text, fact)


def _assent(facts: Sequence[KnownFact], heard: Heard, answer: Answer, pin: Pinned) -> list[Act]:
    """A yes, where one is asked for and nothing speaks against it: nothing is wrong, nothing is declined."""
    if answer.corrects or answer.refuses:
        return []
    repeated = answer.confirms is True
    confirms = repeated or ("read_back" in heard.questions and not heard.unclear)
    consents = "consent" in heard.questions
    if pin.reply is not None:  # a yes beside words that may decline something would be taken for all of it
        confirms, consents = repeated and "read_back" not in pin.questions, False
    acts = _own_yes(facts, "read_back") or [ConfirmReadBack()] if confirms else []
    return acts + ((_own_yes(facts, "consent") or [Consent()]) if consents else [])


def _own_yes(facts: Sequence[KnownFact], question: str) -> list[Act]:
    return [StateFact(fact=fact.id, say=fact.say, assents=True) for fact in facts if question in fact.answers]


def _for_want_of_an_answer(script: Script, state: State, heard: Heard) -> tuple[State, list[Act]]:
    """Nothing to answer: bear with the agent, own up, or press on with the next goal."""
    asked = heard.questions - ASSENTING
    known = {question for fact in script.program.facts for question in fact.answers}
    if missing := sorted((asked & PARTICULARS) - known - state.unknown):
        return replace(state, unknown=state.unknown | {missing[0]}, idle_turns=0), [DontKnow(question=missing[0])]
    if heard.values.get("wait") == "yes" and not asked and not heard.offers:
        return state, [AcknowledgeWait()]
    if heard.unclear and state.didnt_catch < MOST_PARDONS:
        return state, [DidntCatch()]
    acts: list[Act] = [StillHere()] if "still_there" in heard.questions else []
    state, asking = ask_for_goal(script, state, heard)
    if asking is not None:
        acts.append(asking)
    elif not acts:
        acts += [RefuseOffer(offer=offer, times=0) for offer in sorted(heard.offers)] or [AcknowledgeWait()]
    return state, acts


def _is_asked(fact: KnownFact, heard: Heard, answer: Answer) -> bool:
    """Whether to state it as an answer; wordings of a yes wait for `_assent`."""
    return fact.id in answer.facts and bool(heard.questions & set(fact.answers) - ASSENTING)


def _says(text: str, fact: KnownFact) -> bool:
    return f" {_plain(fact.say)} " in f" {_plain(text)} "


def _plain(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())
