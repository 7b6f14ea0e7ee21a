"""What a turn calls for, before any wording: facts to state, offers to decline, read-backs to confirm or correct.

Pure rules on what was heard; the one place that turns `Heard` into a reply's content (formats.md 3).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mivas.caller._heard import Heard, KnownFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The content of a reply; every id in the order of the caller's facts."""

    facts: tuple[str, ...] = ()
    """Facts to state because they were asked for."""
    refuses: tuple[str, ...] = ()
    """Offers to decline, in alphabetical order."""
    confirms: bool | None = None
    """True: everything read back is right. False: something isn't. None: nothing was read back."""
    corrects: tuple[str, ...] = ()
    """Facts that were read back wrong, to be said again."""

    @property
    def is_empty(self) -> bool:
        """Whether the turn calls for nothing, so that the caller may thank, press on or say it didn't catch that."""
        return not self.facts and not self.refuses and self.confirms is None


def reply_to(heard: Heard, facts: Sequence[KnownFact], refuses: Collection[str]) -> Answer:
    """Decide the content of a reply.

    A fact that was read back isn't stated as an answer too: it is confirmed or corrected. While something was read
    back wrong, or while a yes would take what the caller declines, nothing is consented to.

    Args:
        facts: what the caller knows now.
        refuses: offer kinds that the caller declines.
    """
    repeated = {one.fact for one in heard.read_backs}
    wrong = {one.fact for one in heard.read_backs if not one.right}
    asked = heard.questions - {"read_back"} if repeated else heard.questions
    refused = heard.offers & set(refuses)
    if wrong or set(refuses) & heard.agreeing_takes:
        asked -= {"consent"}
    return Answer(
        facts=tuple(fact.id for fact in facts if asked & set(fact.answers) and fact.id not in repeated),
        refuses=tuple(sorted(refused)),
        confirms=not wrong if repeated else None,
        corrects=tuple(fact.id for fact in facts if fact.id in wrong),
    )
