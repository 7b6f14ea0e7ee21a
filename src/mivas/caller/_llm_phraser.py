"""Words for the program's decisions by a language model: it phrases, the program decides, a check has the last word."""

from __future__ import annotations

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
)
from mivas.caller._llm_check import complaint_about
from mivas.caller._llm_model import Message, Model
from mivas.caller._phrasing import Phrased, TemplatePhraser

ROLE = """You are the voice of a person on the telephone. How you sound: {voice}, speaking at a {pace} pace.
You get a list of what to say in this turn. Say all of it, in that order, in one short natural turn of speech.
Text in double quotes marked EXACTLY must stand in your answer character for character.
Everything else you put in your own words. Add no name, number, date or other fact. Ask nothing that isn't on the list.
Answer with the spoken words alone."""


class ModelPhraser:
    """Words by a model; by the templates wherever the model strays. One instance serves one call."""

    def __init__(self, model: Model, *, voice: str, pace: str) -> None:
        self._model = model
        self._role = ROLE.format(voice=voice, pace=pace)
        self._templates = TemplatePhraser()

    def phrase(self, decision: Decision, seed: int) -> Phrased:
        """Raises CallerLost."""
        own = self._templates.phrase(decision, seed)
        if all(isinstance(act, Open | LockedReply | Leave) for act in decision.acts):
            return own  # word for word as it stands: there is nothing to ask
        words = spoken(self._model.ask(messages_for(decision, self._role), seed))
        complaint = complaint_about(words, decision) if words else "says nothing"
        if complaint is None:
            return Phrased(text=words)
        return Phrased(text=own.text, notes=(*own.notes, f"the model {complaint}: {words}"))


def messages_for(decision: Decision, role: str) -> list[Message]:
    """What the model is told: how the caller sounds and what to say. No id, no tool, no lock, nothing of the task."""
    told = "\n".join(f"{number}. {_told(act)}" for number, act in enumerate(decision.acts, 1))
    return [
        {"role": "system", "content": role},
        {"role": "user", "content": told},
    ]


def spoken(answer: str) -> str:
    """A model's answer as one line of speech, without the quotes that some put around it.

    >>> spoken(' "Yes,\\nthat is right." ')
    'Yes, that is right.'
    """
    words = " ".join(answer.split())
    if len(words) > 1 and words[0] == words[-1] == '"' and '"' not in words[1:-1]:
        return words[1:-1].strip()
    return words


def _told(act: Act) -> str:
    match act:
        case Open(text=text) | LockedReply(text=text) | Leave(text=text):
            return f'Say EXACTLY: "{text}"'
        case StateFact(say=say):
            return f'Answer with this, EXACTLY: "{say}"'
        case SpellFact(say=say, spell=spelled):
            return f'Answer with this, EXACTLY: "{say}" and spell it, EXACTLY: "{spelled}"'
        case CorrectFact(say=say, spell=spelled):
            tail = f' and spell it, EXACTLY: "{spelled}"' if spelled is not None else ""
            return f'Say no, they repeated it wrong, and that it is, EXACTLY: "{say}"{tail}'
        case AskGoal(text=text):
            return f"Ask for this: {text}"
        case AskAgain(text=text):
            return f"Ask for this once more: {text}"
        case ChangeMind(text=text):
            return f"Tell them this: {text}"
        case RefuseOffer(times=times):
            return "Decline what they offered, politely." if times == 0 else "Decline once more, briefly."
        case _:
            return _FREE[type(act)]


_FREE: dict[type, str] = {
    ConfirmReadBack: "Say yes, what they repeated is right.",
    Consent: "Say yes, you agree to what they propose.",
    DontKnow: "Say that you can't tell them that.",
    DidntCatch: "Say that you didn't catch that.",
    StillThere: "Ask whether they are still on the line.",
    StillHere: "Say that you are still on the line.",
    AcknowledgeWait: "Say that you will wait.",
    Goodbye: "Say goodbye.",
    GiveUp: "Say that you give up for today, and goodbye.",
}
"""Acts without a text of their own -> what the model is told."""
