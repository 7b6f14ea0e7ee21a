"""A verdict beside its lock: every expectation, met or not, and what became of it. For people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mivas.verify._database_gate import DatabaseGate
from mivas.verify._flatten import Call
from mivas.verify._handoff_gate import HandoffGate
from mivas.verify._reasons import Reason, short
from mivas.verify._tool_gate import ToolGate
from mivas.verify._verdict import Verdict

_MET = "met"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One expectation of a lock."""

    gate: Literal["T", "H", "D"]
    expected: str
    found: str
    met: bool


def explain(verdict: Verdict) -> Iterator[Explained]:
    """What the lock expects, in lock order and gate by gate, beside what happened; nothing for an unscored call."""
    if verdict.tools is None or verdict.handoff is None:
        return
    by_gate: dict[str, list[Reason]] = {"T": [], "H": [], "D": []}
    for reason in verdict.reasons:
        by_gate[reason.gate].append(reason)
    yield from _calls(verdict.tools, by_gate["T"])
    yield _path(verdict.handoff, by_gate["H"])
    yield from _tables(verdict.database, by_gate["D"])


def _calls(gate: ToolGate, reasons: list[Reason]) -> Iterator[Explained]:
    told = iter(reasons)  # one for each unmet call, in lock order, then one for each forbidden tool
    unmet = {id(call) for call in gate.unmet}
    for call in gate.expected:
        met = id(call) not in unmet
        yield Explained(gate="T", expected=_call_text(call), found=_MET if met else next(told).text, met=met)
    for name, reason in zip(gate.extra, told, strict=True):
        yield Explained(gate="T", expected=f"no {name}", found=reason.text, met=False)
    if not gate.expected and not gate.extra:
        yield Explained(gate="T", expected="no call in particular", found=_MET, met=True)


def _call_text(call: Call) -> str:
    arguments = ", ".join(f"{key}={short(value)}" for key, value in call.arguments.items())
    return f"{call.name}: {arguments}" if arguments else call.name


def _path(gate: HandoffGate, reasons: list[Reason]) -> Explained:
    expected = " > ".join(gate.expected) or "no transfer in particular"
    found = next((reason.text for reason in reasons), f"{_MET}, {gate.verdict}")
    return Explained(gate="H", expected=expected, found=found, met=gate.passed)


def _tables(gate: DatabaseGate, reasons: list[Reason]) -> Iterator[Explained]:
    if gate.passed is None:
        yield Explained(gate="D", expected="its state", found=f"not compared: {gate.note}", met=True)
    elif gate.passed:
        yield Explained(gate="D", expected="its state", found=_MET, met=True)
    for (table, diff), reason in zip((gate.diff or {}).items(), reasons, strict=True):
        rows = f"{diff.expected_count} row{'' if diff.expected_count == 1 else 's'} in {table}"
        yield Explained(gate="D", expected=rows, found=reason.text, met=False)
