"""The caller's end of an answered call: what comes in by the socket, and what goes out by it."""

from __future__ import annotations

from mivas.harness.chirp import ArrivingSound, Outgoing, new_utterance_id, speech_message
from mivas.line.spoken import Pcm, Playout, Utterance

KEPT_MS = 1_000
"""Sound of the caller's that may wait, the newest."""


class CallerEnd:
    """Implements the line's `End`.

    Args:
        agents: the agent's mouth; sound goes out while one of its utterances is on, at the pace of the line.
    """

    def __init__(self, outgoing: Outgoing, agents: Playout) -> None:
        self.sound = ArrivingSound(longest_ms=KEPT_MS, keep_newest=True)
        self.playout: Playout = self.sound
        self._outgoing = outgoing
        self._agents = agents
        self._told = 0
        """Utterances of the agent's that were announced."""
        self._open: Utterance | None = None
        self._id = ""

    def hear(self, frame: Pcm, t_ms: int) -> None:  # noqa: ARG002 - the promise's name
        """Take the agent's 20 ms and send them, with the beginning and the end of each utterance around them."""
        spoken = self._agents.spoken
        if len(spoken) > self._told:
            self.complete()
            self._told = len(spoken)
            self._open, self._id = spoken[-1], new_utterance_id()
            self._outgoing.text(speech_message("speech.started", self._id))
        if self._open is not None:
            self._outgoing.sound(frame)
            if self._open.end_ms is not None:
                self.complete()

    def complete(self) -> None:
        """End the open utterance, if there is one."""
        if self._open is not None:
            self._open = None
            self._outgoing.text(speech_message("speech.completed", self._id))
