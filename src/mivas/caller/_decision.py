"""What a caller makes of its turn: acts, before anybody puts them into words.

The mind (`_mind.py`) decides, a phraser words it. Each act says which of its texts must stand in the words as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Ending: TypeAlias = Literal["done", "goodbye", "repeats", "silence", "call_ms"]
"""Why the caller hangs up: goals met; the agent said goodbye; got nowhere; heard nothing; the call took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The first words, exactly these."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedReply:
    """A pin of the task: never rephrased (scoring.md 8.3)."""

    index: int
    """Place in the task's `scripted_responses`."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFact:
    """Say a fact that was asked for or that the program volunteers."""

    fact: str
    say: str
    """Stands in the words as it is."""
    assents: bool = False
    """Whether it is the program's own wording of a yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellFact:
    """Say a fact, then spell it: asked to, or asked a second time."""

    fact: str
    say: str
    spell: str
    """Both stand in the words as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectFact:
    """The agent read it back wrong: say no, and what is right."""

    fact: str
    say: str
    spell: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmReadBack:
    """What was read back is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Agree to what the agent proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseOffer:
    """Decline an offer."""

    offer: str
    times: int
    """How often it was declined before: a repeated refusal is shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGoal:
    """Ask for what the caller wants."""

    goal: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAgain:
    """Ask once more: the agent answered something else."""

    goal: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeMind:
    """A fact isn't what it was."""

    fact: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DontKnow:
    """Asked for something that the caller can't tell."""

    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DidntCatch:
    """Something was asked or offered, and the caller couldn't tell what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StillThere:
    """Is anybody on the line?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StillHere:
    """The caller is on the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgeWait:
    """The agent asked for a moment, and has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Last words of a caller that has what it wanted, exactly these."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye:
    """The agent said goodbye; the caller's wishes are open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp:
    """The caller's patience is over."""


Act: TypeAlias = (
    Open
    | LockedReply
    | StateFact
    | SpellFact
    | CorrectFact
    | ConfirmReadBack
    | Consent
    | RefuseOffer
    | AskGoal
    | AskAgain
    | ChangeMind
    | DontKnow
    | DidntCatch
    | StillThere
    | StillHere
    | AcknowledgeWait
    | Leave
    | Goodbye
    | GiveUp
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One turn of the caller's: what it does, in the order in which it is said."""

    acts: tuple[Act, ...]
    turn: int
    """Which of the caller's turns it is, from 0 on: what varies the wording from turn to turn."""
    ending: Ending | None = None
    """Set when the caller hangs up after these words."""


def verbatim_texts(act: Act) -> tuple[str, ...]:
    """Texts of an act that every wording must hold character for character; () for one that is free."""
    match act:
        case Open(text=text) | LockedReply(text=text) | Leave(text=text):
            return (text,)
        case StateFact(say=say):
            return (say,)
        case SpellFact(say=say, spell=spell):
            return (say, spell)
        case CorrectFact(say=say, spell=spelled):
            return (say,) if spelled is None else (say, spelled)
        case _:
            return ()
