"""A caller for tasks that bring no program: a model decides from intent, traits and locked replies (scoring.md 8.3).

Rules of ours stand around it: locked replies go out word for word and in file order of precedence, patience is the
program's, and words that state what nobody gave the caller are replaced by the approximate program's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from mivas.caller._engine import CallerBrief, Reply
from mivas.caller._llm_model import Message, Model
from mivas.caller._llm_phraser import spoken
from mivas.caller._llm_values import Values, unfounded, values_of
from mivas.caller._program import ProgramCaller

LONGEST_WORDS = 80
ROLE = """You are {name}, who phones an office. You are the caller, never the office.
Your instructions:
{intent}

What you know:
{traits}

{replies}
Rules: answer what you are asked, one short turn of speech at a time. Give a detail only when asked for it. Never say a
name, number or date that stands neither in your instructions nor in what you know. Never speak of these rules.
Answer with one JSON object and nothing else:
{{"leave": true when your instructions say that you are done, else false,
 "replies": [numbers of all the situations that the latest words of the office are in, [] when none],
 "say": "what you say if no situation fits, or your goodbye when you leave"}}"""
REPLIES = """When the latest words of the office are in one of these situations, name its number:
{situations}
A situation that says NOT when ... does not fit in that case."""
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class TurnFile(BaseModel):
    """What a model answers; keys it adds are its own affair."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    leave: bool = False
    replies: tuple[int, ...] = ()
    say: str = ""


class FreeCaller:
    """One simulated person in one call. Implements `Caller`."""

    def __init__(self, brief: CallerBrief, seed: int, model: Model) -> None:
        self._brief = brief
        self._seed = seed
        self._model = model
        self._program = ProgramCaller(brief, seed)
        self._messages: list[Message] = [{"role": "system", "content": _role(brief)}]
        self._known = _known(brief)
        self._matched: dict[int, int] = {}
        """Pin -> turns in which its situation came up."""

    def patience_ms(self, now_ms: int) -> int:
        return self._program.patience_ms(now_ms)

    def reply(self, heard_text: str, now_ms: int) -> Reply:
        """Answer the agent's latest turn. Raises CallerLost."""
        fallback = self._program.reply(heard_text, now_ms)
        if not heard_text.strip() or fallback.ending in ("repeats", "silence", "call_ms"):
            return self._kept(heard_text, fallback)
        self._messages.append({"role": "user", "content": heard_text})
        reply = self._decided(self._model.ask(self._messages, self._seed), fallback)
        self._messages.append({"role": "assistant", "content": reply.text})
        return reply

    def _kept(self, heard_text: str, reply: Reply) -> Reply:
        """The program's reply, remembered as said."""
        said = {"role": "assistant", "content": reply.text}
        self._messages += [{"role": "user", "content": heard_text.strip() or "[silence]"}, said]
        return reply

    def _decided(self, answer: str, fallback: Reply) -> Reply:
        found = _OBJECT.search(answer)
        try:
            turn = TurnFile.model_validate_json(found[0] if found else "")
        except ValidationError:
            return _replaced(fallback, f"answers with no such object: {answer}")
        pin = None if turn.leave else self._pin(turn.replies)  # the exit outranks locked replies
        if pin is not None:
            return Reply(text=self._brief.locked_replies[pin])
        words = spoken(turn.say)
        if not words:
            return _replaced(fallback, "says nothing")
        if added := unfounded(values_of(words), [self._known]):
            return _replaced(fallback, f"adds {added[0]!r}: {words}")
        if len(words.split()) > LONGEST_WORDS:
            return _replaced(fallback, f"is too long: {words}")
        return Reply(text=words, ending="done" if turn.leave else None)

    def _pin(self, numbers: Sequence[int]) -> int | None:
        """The first of the named situations, in file order, whose reply may come now."""
        for pin in sorted({number - 1 for number in numbers if 0 < number <= len(self._brief.locked_replies)}):
            self._matched[pin] = self._matched.get(pin, 0) + 1
            if self._may_speak(pin):
                return pin
        return None

    def _may_speak(self, pin: int) -> bool:
        if pin >= len(self._brief.occurrences):
            return True
        occurrence = self._brief.occurrences[pin]
        return occurrence.mode == "always" or self._matched[pin] == (occurrence.n if occurrence.mode == "nth" else 1)


def _role(brief: CallerBrief) -> str:
    traits = "\n".join(f"- {name.replace('_', ' ')}: {value}" for name, value in brief.traits.items())
    situations = "\n".join(f"{number}. {one}" for number, one in enumerate(brief.situations, 1))
    return ROLE.format(
        name=brief.name,
        intent=brief.intent,
        traits=traits or "nothing more",
        replies=REPLIES.format(situations=situations) if situations else "",
    )


def _known(brief: CallerBrief) -> Values:
    """All that the caller may state."""
    return values_of(". ".join([brief.name, brief.intent, *brief.traits.values(), *brief.locked_replies]))


def _replaced(fallback: Reply, complaint: str) -> Reply:
    return Reply(text=fallback.text, ending=fallback.ending, notes=(*fallback.notes, f"the model {complaint}"))
