"""Writes down what one end said, beside what the other end's ears made of it."""

from __future__ import annotations

from mivas.line._events import EventLog, Role, Speech
from mivas.line._playout import Playout


class SpeechLog:
    """Speech events of one end. A turn of several utterances is one event."""

    def __init__(self, role: Role, playout: Playout, log: EventLog) -> None:
        self._role: Role = role
        self._playout = playout
        self._log = log
        self._logged = 0
        self._heard: list[str] = []

    def heard(self, text: str | None) -> None:
        """The other side took a turn and heard this; None where the words were passed beside the sound.

        Written down as soon as the utterances it was made of are over.
        """
        if text is not None:
            self._heard.append(text)
        self._write(passed=text is None)

    def settle(self, *, passed: bool) -> None:
        """It was cut off: write down what went out, if that is all that was."""
        self._write(passed=passed)

    def close(self, *, passed: bool) -> None:
        """The line is dead: write down what nobody took any more."""
        self._write(passed=passed, last=True)

    def _write(self, *, passed: bool, last: bool = False) -> None:
        said = [one for one in self._playout.spoken[self._logged :] if one.start_ms is not None]
        if not said or (not last and any(one.end_ms is None for one in said)):
            return
        self._logged += len(said)
        start_ms = min(one.start_ms for one in said if one.start_ms is not None)
        ends = [one.end_ms for one in said if one.end_ms is not None]
        self._log.add(
            Speech(
                t_ms=start_ms,
                node=said[0].node,
                role=self._role,
                text=" ".join(filter(None, (one.heard_text for one in said))),
                heard=None if passed else " ".join(filter(None, self._heard)),
                start_ms=start_ms,
                end_ms=max(ends, default=start_ms),
                interrupted=any(one.interrupted for one in said),
            )
        )
        self._heard.clear()
