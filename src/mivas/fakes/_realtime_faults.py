"""Faults that a double commits on demand, by the names they have in Python, in scripts and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from mivas.errors import InputError

Scope: TypeAlias = Literal["connection", "session", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultKind:
    """What there is to know of a fault before it is committed."""

    scope: Scope
    """`answer`: may also stand in a script, and then holds for the answer it stands in."""
    default: str = ""
    takes: Literal["nothing", "number", "text"] = "nothing"
    ends_answer: bool = False
    """Whether nothing is said in an answer that has it."""


FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "refuse": FaultKind(scope="connection", default="429", takes="number"),
        "refuse-once": FaultKind(scope="connection", default="429", takes="number"),
        "slow-connect": FaultKind(scope="connection", default="3000", takes="number"),
        "late-ack": FaultKind(scope="session", default="3000", takes="number"),
        "no-ack": FaultKind(scope="session"),
        "limit": FaultKind(scope="session", default="20000", takes="number"),
        "slow": FaultKind(scope="answer", default="3000", takes="number"),
        "no-answer": FaultKind(scope="answer", ends_answer=True),
        "failed": FaultKind(scope="answer", default="server_error", takes="text", ends_answer=True),
        "refusal": FaultKind(scope="answer", ends_answer=True),
        "error": FaultKind(scope="answer", default="server_error", takes="text"),
        "close": FaultKind(scope="answer", default="1011", takes="number"),
        "drop": FaultKind(scope="answer"),
        "out-of-order": FaultKind(scope="answer"),
        "duplicate-call": FaultKind(scope="answer"),
        "malformed-json": FaultKind(scope="answer"),
        "malformed-arguments": FaultKind(scope="answer"),
        "huge-frame": FaultKind(scope="answer", default="20", takes="number"),
        "endless-calls": FaultKind(scope="answer", default="", takes="text"),
        "foreign-call-id": FaultKind(scope="answer"),
        "path-in-name": FaultKind(scope="answer"),
    }
)
"""All of them; docs/doubles.md says what each does."""

LARGEST_NUMBER = 10_000_000
LARGEST_FRAME_MIB = 256


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; "" takes its default value.

    >>> Fault("slow").number, Fault("close", "4000").number
    (3000, 4000)
    """

    name: str
    value: str = ""

    def __post_init__(self) -> None:
        problem = _problem(self.name, self.value)
        if problem is not None:
            raise ValueError(problem)

    @property
    def kind(self) -> FaultKind:
        return FAULTS[self.name]

    @property
    def text(self) -> str:
        return self.value or self.kind.default

    @property
    def number(self) -> int:
        return int(self.text)


def parse_fault(text: str, *, where: str) -> Fault:
    """Read `name` or `name=value`. Raises InputError, one line.

    >>> parse_fault("refuse=503", where="--fault")
    Fault(name='refuse', value='503')
    """
    name, _, value = text.partition("=")
    problem = _problem(name.strip(), value.strip())
    if problem is not None:
        raise InputError(problem, where=where, mend="see docs/doubles.md")
    return Fault(name.strip(), value.strip())


def _problem(name: str, value: str) -> str | None:
    if name not in FAULTS:
        return f"no fault {name[:40]!r}; choose from {', '.join(FAULTS)}"
    takes = FAULTS[name].takes
    if takes == "nothing" and value:
        return f"fault {name} takes no value"
    if takes == "number" and value:
        if not (value.isascii() and value.isdigit() and len(value) < 9 and int(value) <= LARGEST_NUMBER):
            return f"fault {name} takes a number up to {LARGEST_NUMBER}, not {value[:40]!r}"
        return _out_of_range(name, int(value))
    return None


def _out_of_range(name: str, number: int) -> str | None:
    if name in {"refuse", "refuse-once"} and not 400 <= number <= 599:
        return f"fault {name} takes an HTTP status from 400 to 599"
    if name == "close" and not (number in {1001, 1008, 1009, 1011, 1012, 1013} or 3000 <= number <= 4999):
        return "fault close takes a close code such as 1001, 1008, 1011 or 4000"
    if name == "huge-frame" and not 1 <= number <= LARGEST_FRAME_MIB:
        return f"fault huge-frame takes MiB from 1 to {LARGEST_FRAME_MIB}"
    return None
