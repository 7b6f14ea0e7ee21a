"""What an agent that walks a plan remembers of its call, and how arguments are made from it.

An argument is written as in `solution.json` (formats.md 2): a literal, `{"$fact": id}` or `{"$out": "name.path"}`.
Plans made from a lock know one more: `{"$answer": {"paths": [[path, tool or null], ...], "otherwise": value}}`,
the spot of the latest successful answer that has it (decision 0012).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mivas.pack import Envelope

FACT, OUT, ANSWER = "$fact", "$out", "$answer"


@dataclass(kw_only=True)
class CallMemory:
    """One call's memory."""

    envelope: Envelope
    facts: dict[str, Any] = field(default_factory=dict)
    """Values by fact id, as the caller last said them."""
    outputs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Whole answers by the name a step gave them."""
    answers: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    """Tool and data of every successful answer, oldest first."""

    def keep(self, tool: str, name: str | None, output: Mapping[str, Any]) -> None:
        """Remember an answer, under a name when its step has one."""
        if name is not None:
            self.outputs[name] = output
        data = output.get(self.envelope.data) if self.envelope.data is not None else output
        if output.get(self.envelope.ok) and isinstance(data, Mapping):
            self.answers.append((tool, data))

    def resolved(self, template: Any) -> Any:
        """The value to send for a template; null where a fact, output or answer isn't there."""
        if isinstance(template, Mapping):
            if len(template) == 1:
                ((kind, origin),) = template.items()
                if kind == FACT:
                    return self.facts.get(origin)
                if kind == OUT:
                    return at(self.outputs, origin)
                if kind == ANSWER:
                    return self._answered(origin)
            return {key: self.resolved(item) for key, item in template.items()}
        if isinstance(template, list):
            return [self.resolved(item) for item in template]
        return template

    def _answered(self, origin: Mapping[str, Any]) -> Any:
        for path, tool in origin["paths"]:
            for name, data in reversed(self.answers):
                value = at(data, path) if tool in (None, name) else None
                if not is_blank(value):
                    return value
        return origin["otherwise"]


def at(value: Any, path: str) -> Any:
    """Value at a dotted path such as `slots.data.slots.0.slot_id`, or None where it leads nowhere."""
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def is_blank(value: object) -> bool:
    """Null, "" or spaces only: what counts as left out (scoring.md 3.9)."""
    return value is None or (isinstance(value, str) and not value.strip())


def facts_in(template: Any, sent: Any) -> Iterator[tuple[str, Any]]:
    """(fact id, value that was sent in its place) of every `$fact` in arguments."""
    if isinstance(template, Mapping):
        if set(template) == {FACT}:
            yield template[FACT], sent
        elif set(template) not in ({OUT}, {ANSWER}):
            for key, item in template.items():
                yield from facts_in(item, sent.get(key) if isinstance(sent, Mapping) else None)
    elif isinstance(template, list):
        given = sent if isinstance(sent, list) else []
        for number, item in enumerate(template):
            yield from facts_in(item, given[number] if number < len(given) else None)
