"""The caller as a program: opens, answers what it is asked, pursues its goals, and leaves when they are met.

Deterministic. It never says a fact that it wasn't asked for or told to volunteer, and sees no lock and no tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mivas.caller._heard import Heard, KnownFact, holds
from mivas.caller._understanding import understand
from mivas.pack import CallerFile

GIVING_UP = "I'll try again another time. Goodbye."
STILL_THERE = "Hello? Are you still there?"
YES = "Yes, that's right."
NO_THANKS = "No, thank you."


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerBrief:
    """Everything a caller may know of its task: no lock, no solution, no meta trait."""

    name: str
    intent: str
    traits: Mapping[str, str]
    locked_replies: Sequence[str]
    """Texts of the task's pins, in file order."""
    program: CallerFile
    approximate: bool
    """Whether the program was guessed from the public task, so that its results aren't comparable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the caller says next."""

    text: str
    hangs_up: bool = False


class ProgramCaller:
    """One simulated person in one call."""

    def __init__(self, brief: CallerBrief) -> None:
        self._brief = brief
        self._program = brief.program
        self._spoken = {fact.id: fact.say for fact in brief.program.facts}
        self._known = {
            fact.id: KnownFact(id=fact.id, value=fact.value, say=fact.say, spell=fact.spell, answers=fact.answers)
            for fact in brief.program.facts
        }
        self._met: set[str] = set()
        self._asked: set[str] = set()
        self._idle_turns = 0
        self._last_heard = ""
        self._opened = False

    def reply(self, heard_text: str) -> Reply:
        """Answer the agent's latest turn; "" means that the agent kept silent.

        Loses patience with turns that leave nothing to answer and with the same words over and over.
        """
        heard = understand(heard_text, tuple(self._known.values()))
        changes = self._note_goals(heard) if heard_text.strip() else []
        if not self._opened:
            self._opened = True
            return Reply(text=" ".join([self._opening(), *changes]))
        if not changes and self._is_done(heard):
            return Reply(text=self._program.exit.say, hangs_up=True)
        parts = [*self._answers(heard), *changes]
        got_nowhere = not parts or heard_text == self._last_heard
        self._last_heard = heard_text
        self._idle_turns = self._idle_turns + 1 if got_nowhere else 0
        if self._idle_turns > self._program.patience.repeats:
            return Reply(text=GIVING_UP, hangs_up=True)
        return Reply(text=" ".join(parts) or self._pressing_on(heard_text))

    def _opening(self) -> str:
        first = self._program.opening or (self._next_goal_text() or "Hello.")
        volunteered = [fact.say for fact in self._program.facts if fact.volunteer]
        return " ".join([first, *volunteered])

    def _is_done(self, heard: Heard) -> bool:
        wanted = set(self._program.exit.when)
        if wanted:
            return wanted <= self._met
        return "anything_else" in heard.questions

    def _note_goals(self, heard: Heard) -> list[str]:
        """Mark goals that this turn met; returns what a change of mind makes the caller say."""
        said = []
        for goal in self._program.goals:
            vetoed = goal.unless is not None and holds(goal.unless, heard)
            if goal.id in self._met or vetoed or not holds(goal.met_when, heard):
                continue
            self._met.add(goal.id)
            for change in self._program.changes:
                if change.after == goal.id:
                    self._spoken[change.fact] = change.say
                    self._known[change.fact] = replace(self._known[change.fact], value=change.to, say=change.say)
                    said.append(change.say)
        return said

    def _answers(self, heard: Heard) -> list[str]:
        locked = self._locked_reply(heard)
        if locked is not None:
            return [locked]
        refused = heard.offers & set(self._program.refuses)
        parts = [NO_THANKS] if refused else []
        facts = [fact for fact in self._program.facts if heard.questions & set(fact.answers)]
        if not facts and not refused and heard.questions & {"read_back", "consent"}:
            parts.append(YES)
        return parts + [self._spoken[fact.id] for fact in facts]

    def _locked_reply(self, heard: Heard) -> str | None:
        for pin in self._program.pins:
            vetoed = pin.not_when is not None and holds(pin.not_when, heard)
            if not vetoed and holds(pin.when, heard):
                return self._brief.locked_replies[pin.index]
        return None

    def _pressing_on(self, heard_text: str) -> str:
        """Nothing to answer: ask for the next open goal."""
        goal_text = self._next_goal_text()
        if goal_text is None or not heard_text.strip():
            return STILL_THERE
        return goal_text

    def _next_goal_text(self) -> str | None:
        for goal in self._program.goals:
            if goal.id not in self._met:
                first_time = goal.id not in self._asked
                self._asked.add(goal.id)
                return goal.ask[0] if first_time else goal.again
        return None
