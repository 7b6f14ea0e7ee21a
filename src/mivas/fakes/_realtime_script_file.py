"""Script files of the real-time doubles: read, checked, and made into a plan. Their language: docs/doubles.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mivas.errors import InputError
from mivas.fakes._conversations import _plain
from mivas.fakes._realtime_brain import Pause, Plan, Say
from mivas.fakes._realtime_faults import Fault, parse_fault
from mivas.fakes._realtime_script import CallStep, Step, WaitStep, anew, continued

LONGEST_PAUSE_MS = 3_600_000
_KINDS = ("say", "call", "handoff", "end", "wait", "fault")
_BELONGS: Mapping[str, tuple[str, ...]] = {
    "arguments": ("call", "handoff", "end"),
    "as": ("call", "handoff"),
    "call_id": ("call", "handoff", "end"),
    "offered": ("call", "handoff", "end"),
    "withheld": ("call", "handoff", "end"),
    "heard": ("wait",),
    "again": ("wait",),
}

Words: TypeAlias = Annotated[str, Field(min_length=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StepFile(_Model):
    """One step; exactly one of the first six keys says which."""

    say: Words | None = None
    call: Words | None = None
    handoff: Words | None = None
    end: Words | None = None
    wait: Literal["speech", "turn"] | Annotated[int, Field(strict=True, ge=0, le=LONGEST_PAUSE_MS)] | None = None
    fault: str | None = None
    arguments: dict[str, Any] | str = {}
    as_: Annotated[str | None, Field(alias="as")] = None
    call_id: str | None = None
    offered: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    again: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> StepFile:
        kinds = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(kinds) != 1:
            raise ValueError(f"needs exactly one of {', '.join(_KINDS)}; has {', '.join(kinds) or 'none'}")
        given = {("as" if name == "as_" else name) for name in self.model_fields_set}
        for key, owners in _BELONGS.items():
            if key in given and kinds[0] not in owners:
                raise ValueError(f"{key} belongs to {' or '.join(owners)}, not to {kinds[0]}")
        if isinstance(self.wait, int) and (self.heard or self.again):
            raise ValueError("heard and again belong to a wait for speech or turn")
        if self.again and not self.heard:
            raise ValueError("needs heard beside again: it says what is waited for")
        if any(not _plain(text) for text in self.heard):
            raise ValueError("heard needs letters or digits")
        if self.fault is not None and _fault(self.fault).kind.scope != "answer":
            raise ValueError(f"fault {self.fault} belongs to the whole session, under faults")
        return self

    @property
    def step(self) -> Step:
        if self.say is not None:
            return Say(self.say)
        if self.fault is not None:
            return _fault(self.fault)
        if isinstance(self.wait, int):
            return Pause(self.wait)
        if self.wait is not None:
            return WaitStep(until=self.wait, heard=self.heard, again=self.again)
        kind: Literal["call", "handoff", "end"] = "call" if self.call else "handoff" if self.handoff else "end"
        return CallStep(
            tool=self.call or self.handoff or self.end or "",
            kind=kind,
            arguments=self.arguments,
            name=self.as_,
            call_id=self.call_id,
            offered=self.offered,
            withheld=self.withheld,
        )


class ScriptFile(_Model):
    """What a double says and calls."""

    version: Literal[1]
    connections: Literal["anew", "continued"] = "anew"
    """Whether every connection plays the script from its beginning, or goes on where the last one stopped."""
    facts: dict[str, Any] = {}
    """Values by id, for `$fact`."""
    faults: tuple[str, ...] = ()
    """What goes wrong on every connection."""
    steps: tuple[StepFile, ...]

    @model_validator(mode="after")
    def _values_are_there(self) -> ScriptFile:
        for fault in self.faults:
            _fault(fault)
        named: set[str] = set()
        for index, step in enumerate(self.steps):
            for key, meant in _templates(step.arguments):
                problem = self._missing(key, meant, named)
                if problem is not None:
                    raise ValueError(f"step {index + 1}: {problem}")
            if step.as_ is not None:
                named.add(step.as_)
        return self

    def plan(self) -> Plan:
        steps = tuple(step.step for step in self.steps)
        faults = tuple(_fault(fault) for fault in self.faults)
        make = anew if self.connections == "anew" else continued
        return make(steps, faults=faults, facts=self.facts)

    def _missing(self, key: str, meant: Any, named: set[str]) -> str | None:
        if not isinstance(meant, str):
            return f"{key} takes a text"
        if key == "$fact" and meant not in self.facts:
            return f"no fact {meant!r} under facts"
        if key == "$out" and meant.split(".")[0] not in named:
            return f"no earlier step has as: {meant.split('.')[0]!r}"
        if key == "$heard":
            try:
                re.compile(meant)
            except (re.error, OverflowError, RecursionError):
                return f"$heard {meant!r} is no regular expression"
        return None


def read_realtime_script(path: Path) -> Plan:
    """A plan from a script file. Raises InputError, one line that names file and key."""
    try:
        file = ScriptFile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", where=str(path), mend="name a script file") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join([str(path), *(str(part) for part in first["loc"])])
        raise InputError(first["msg"].removeprefix("Value error, "), where=where, mend="see docs/doubles.md") from None
    return file.plan()


def _fault(text: str) -> Fault:
    """Raises ValueError."""
    try:
        return parse_fault(text, where="fault")
    except InputError as error:
        raise ValueError(error.what) from None


def _templates(value: Any) -> Iterator[tuple[str, Any]]:
    """Every `$fact`, `$out` and `$heard` in arguments."""
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in ("$fact", "$out", "$heard"):
            yield next(iter(value.items()))
            return
        for inner in value.values():
            yield from _templates(inner)
    if isinstance(value, list):
        for inner in value:
            yield from _templates(inner)
