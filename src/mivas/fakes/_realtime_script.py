"""Scripts for provider doubles: the steps of a `solution.json`, waits and faults (docs/doubles.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mivas.fakes._conversations import _plain
from mivas.fakes._realtime_brain import CallTool, Output, Pause, Plan, PlannedSession, Say, SessionView, ToolOutput
from mivas.fakes._realtime_faults import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStep:
    """Call a tool: an industry tool, a handoff, or the end of the call."""

    tool: str
    kind: Literal["call", "handoff", "end"] = "call"
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    """Raw text, or an object that may hold `{"$fact": id}`, `{"$out": "name.path"}`, `{"$heard": pattern}` anywhere."""
    name: str | None = None
    """By which later steps mean its output."""
    call_id: str | None = None
    offered: tuple[str, ...] = ()
    """Tools that the client must offer now."""
    withheld: tuple[str, ...] = ()
    """Tools that it must not offer now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitStep:
    """Wait for a turn of the caller: spoken (`speech`), or spoken or written (`turn`)."""

    until: Literal["speech", "turn"] = "speech"
    heard: tuple[str, ...] = ()
    """What the caller must have said by now, anywhere in the call; letters and digits count, nothing else."""
    again: str = ""
    """Said in its place while the caller hasn't. "": nothing is said, and the script complains."""


Step: TypeAlias = Say | CallStep | WaitStep | Pause | Fault


class ScriptBrain:
    """Plays steps. An answer takes what belongs together: words, then calls, up to the next step that must wait.

    What an interruption keeps from the wire is played in the next answer; words that were begun aren't said again.
    """

    def __init__(self, steps: Sequence[Step], *, facts: Mapping[str, Any] | None = None) -> None:
        self._steps = tuple(steps)
        self._facts = dict(facts or {})
        self._at = 0
        self._turns = {"speech": 0, "turn": 0}
        """Turns that the last answer could know of; a wait is for a later one."""
        self._given: list[int] = []
        """Step of each output of the last answer."""
        self._calls: list[tuple[CallStep, int, int]] = []
        """Calls of the last answer, each with its session and its place among the calls of that session."""
        self._values: dict[str, Any] = {}
        """Outputs by the name that a step gave them."""
        self._handoff: tuple[str, int, int] | None = None
        """Tool of the last handoff, the session and its number of updates at the time."""
        self._complaints: list[str] = []

    def respond(self, session: SessionView) -> Sequence[Output]:
        self._take_back(session)
        self._given = []
        if not self._collect(session):
            return ()
        self._check_handed_off(session)
        outputs = []
        for at, output in self._answer(session):
            self._given.append(at)
            outputs.append(output)
        if outputs:
            self._turns = _turns(session)
        return outputs

    def complaint(self) -> str | None:
        if self._complaints:
            return self._complaints[0]
        left = self._steps[self._at :]
        if all(isinstance(step, WaitStep) and not step.heard for step in left):
            return None
        return f"{self._at} of {len(self._steps)} steps were played; next: {left[0]}"

    def _answer(self, session: SessionView) -> Iterator[tuple[int, Output]]:
        begun = called = False
        while self._at < len(self._steps):
            at, step = self._at, self._steps[self._at]
            if isinstance(step, WaitStep):
                if begun or _turns(session)[step.until] <= self._turns[step.until]:
                    return
                self._turns = _turns(session)
                missing = _missing(step, session)
                if missing is not None:
                    yield from self._again(at, step, missing)
                    return
                self._at += 1
                continue
            if called and not (isinstance(step, CallStep) and step.kind == "call"):
                return
            self._at, begun = at + 1, True
            if not isinstance(step, CallStep):
                yield at, step
                if isinstance(step, Fault) and step.kind.ends_answer:
                    return
                continue
            called = True
            yield at, self._call(step, session)
            if step.kind != "call":
                return

    def _again(self, at: int, step: WaitStep, missing: str) -> Iterator[tuple[int, Output]]:
        if step.again:
            yield at, Say(step.again)
        else:
            self._complain(at, f"the caller hasn't said {missing!r}")

    def _call(self, step: CallStep, session: SessionView) -> CallTool:
        at = self._at - 1
        for tool in step.offered:
            if tool not in session.tools:
                self._complain(at, f"{tool} isn't offered")
        for tool in step.withheld:
            if tool in session.tools:
                self._complain(at, f"{tool} is offered")
        self._calls.append((step, session.session, len(session.outputs) + len(self._calls)))
        if step.kind == "handoff":
            self._handoff = (step.tool, session.session, session.updates)
        arguments = step.arguments if isinstance(step.arguments, str) else self._filled(step.arguments, session, at)
        return CallTool(tool=step.tool, arguments=arguments, call_id=step.call_id)

    def _take_back(self, session: SessionView) -> None:
        """Go back to the first step that an interruption kept from the wire."""
        if session.delivered is None or session.delivered >= len(self._given):
            return
        self._at = self._given[session.delivered]
        self._given = self._given[: session.delivered]
        sent = sum(isinstance(self._steps[at], CallStep) for at in self._given)
        if any(step.kind == "handoff" for step, _, _ in self._calls[sent:]):
            self._handoff = None
        self._calls = self._calls[:sent]

    def _collect(self, session: SessionView) -> bool:
        """Whether the outputs of the last answer's calls are there; keeps those that have a name."""
        for step, number, place in self._calls:
            if number != session.session or place >= len(session.outputs):
                continue  # a call taken over into another session isn't waited for
            given = session.outputs[place]
            if given.output is None and step.kind != "end":
                return False
            if step.name is not None:
                self._values[step.name] = _parsed(given)
        self._calls = []
        return True

    def _check_handed_off(self, session: SessionView) -> None:
        if self._handoff is None:
            return
        tool, number, updates = self._handoff
        self._handoff = None
        if number == session.session and updates == session.updates:
            self._complain(self._at, f"the session wasn't configured anew after {tool}")

    def _filled(self, value: Any, session: SessionView, at: int) -> Any:
        if isinstance(value, Mapping):
            if len(value) == 1:
                ((key, meant),) = value.items()
                if key in ("$fact", "$out", "$heard"):
                    return self._looked_up(key, str(meant), session, at)
            return {key: self._filled(inner, session, at) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._filled(inner, session, at) for inner in value]
        return value

    def _looked_up(self, key: str, meant: str, session: SessionView, at: int) -> Any:
        try:
            if key == "$fact":
                return self._facts[meant]
            if key == "$heard":
                return _heard(meant, session)
            return _followed(self._values, meant)
        except (LookupError, TypeError, ValueError, re.error):
            self._complain(at, f"nothing for {key} {meant!r}")
            return None

    def _complain(self, at: int, problem: str) -> None:
        self._complaints.append(f"step {at + 1}: {problem}")


def anew(steps: Sequence[Step], *, faults: Sequence[Fault] = (), facts: Mapping[str, Any] | None = None) -> Plan:
    """Every connection plays the script from its beginning."""
    return lambda _: PlannedSession(brain=ScriptBrain(steps, facts=facts), faults=tuple(faults))


def continued(steps: Sequence[Step], *, faults: Sequence[Fault] = (), facts: Mapping[str, Any] | None = None) -> Plan:
    """One script over all connections: each goes on where the last one stopped, for handoffs by reconnecting."""
    planned = PlannedSession(brain=ScriptBrain(steps, facts=facts), faults=tuple(faults))
    return lambda _: planned


def _turns(session: SessionView) -> dict[str, int]:
    return {"speech": len(session.heard), "turn": len(session.heard) + len(session.written)}


def _missing(step: WaitStep, session: SessionView) -> str | None:
    said = _plain(" ".join((*session.heard, *session.written)))
    return next((text for text in step.heard if f" {_plain(text)} " not in f" {said} "), None)


def _parsed(given: ToolOutput) -> Any:
    try:
        return json.loads(given.output or "")
    except ValueError:
        return given.output


def _heard(pattern: str, session: SessionView) -> str:
    """The last thing the caller said that matches: its first group, or all of it. Raises LookupError."""
    for text in reversed((*session.written, *session.heard)):
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            return match.group(1) if match.re.groups else match.group()
    raise LookupError(pattern)


def _followed(values: Mapping[str, Any], path: str) -> Any:
    """`name.key.0.key` from an output. Raises LookupError, TypeError, ValueError."""
    found: Any = values
    for key in path.split("."):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found
