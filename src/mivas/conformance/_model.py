"""The model behind a double: plays a script and remembers what it was shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mivas.fakes.realtime import Brain, CallStep, Fault, Output, Plan, PlannedSession, ScriptBrain, SessionView, Step


class Model:
    """Implements `Brain`. One script over all connections of a call.

    Args:
        script: steps, or a brain of its own.
        faults: of every connection.
    """

    def __init__(self, script: Sequence[Step] | Brain, *, faults: Sequence[Fault] = ()) -> None:
        self._brain: Brain = ScriptBrain(script) if isinstance(script, Sequence) else script
        self._faults = tuple(faults)
        self.views: list[SessionView] = []
        """What it was shown, once for each answer it was asked for."""

    @property
    def plan(self) -> Plan:
        return lambda _: PlannedSession(brain=self, faults=self._faults)

    def respond(self, session: SessionView) -> Sequence[Output]:
        self.views.append(session)
        return self._brain.respond(session)

    def complaint(self) -> None:
        """The suite asks for it itself, where a script must have been played to its end."""

    @property
    def problem(self) -> str | None:
        """What of its script wasn't followed."""
        return self._brain.complaint()

    @property
    def heard(self) -> list[str]:
        """The caller's turns that it was shown, of each connection in turn."""
        last = {view.session: view for view in self.views}
        return [turn for view in last.values() for turn in view.heard]

    def outputs(self, tool: str) -> list[Any]:
        """What came back for the calls of a tool, parsed, in order."""
        given = {
            (view.session, place): one.output
            for view in self.views
            for place, one in enumerate(view.outputs)
            if one.tool == tool and one.output is not None
        }
        return [json.loads(output) for _, output in sorted(given.items())]


def handoff(tool: str) -> CallStep:
    """The model hands the call on."""
    return CallStep(tool=tool, kind="handoff")


def end_call() -> CallStep:
    """The model hangs up."""
    return CallStep(tool="end_call", kind="end", arguments={"reason": "done"})
