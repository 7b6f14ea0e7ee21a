"""Dose and response: the same calls over lines that differ in one thing, paired by seed. Definitions: docs/sweep.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mivas.errors import InputError
from mivas.line import Interaction, interaction_of, pooled
from mivas.run._backend import Backend
from mivas.run._hearing import Heard, heard_of, pooled_hearing
from mivas.run._options import RunOptions
from mivas.run._runner import RunResult, Watch, start_run
from mivas.run._stored import read_evidence
from mivas.run._world import suite_for

MOST_DOSES = 50
_AXIS = re.compile(r"(?P<name>[a-z_]+)=(?P<start>-?\d+(?:\.\d+)?):(?P<stop>-?\d+(?:\.\d+)?):(?P<step>\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One thing that is varied, over otherwise equal lines."""

    name: str
    doses: tuple[float, ...]
    rest: str
    """The condition without it, "" for none."""

    def condition(self, dose: float) -> str:
        """Of the calls at that dose."""
        varied = f"{self.name}={dose:g}"
        return f"{self.rest},{varied}" if self.rest else varied


def parse_axis(text: str) -> Axis:
    """`snr=30:0:5`, or `noise=babble,snr=30:0:5`: from, to (both included), step. Raises InputError."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    ranged = [part for part in parts if part.count(":") == 2]
    found = _AXIS.fullmatch(ranged[0]) if len(ranged) == 1 else None
    if found is None:
        raise InputError(f"no range in {text!r}", where="--condition", mend="give one, such as snr=30:0:5")
    start, stop, step = (float(found[name]) for name in ("start", "stop", "step"))
    if step == 0:
        raise InputError("a step of 0 gets nowhere", where="--condition", mend="give a step above 0")
    count = int(abs(stop - start) / step + 1e-9) + 1
    if count > MOST_DOSES:
        raise InputError(f"{count} doses are too many", where="--condition", mend=f"at most {MOST_DOSES}")
    sign = -1 if stop < start else 1
    rest = ",".join(part for part in parts if part not in ranged)
    return Axis(name=found["name"], doses=tuple(start + sign * step * at for at in range(count)), rest=rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dose:
    """What one dose did."""

    dose: float
    condition: str
    run_dir: str
    trials: int
    passes: int
    scored: int
    agent_hearing: Mapping[str, float | None]
    """What the agent heard of the caller."""
    caller_hearing: Mapping[str, float | None]
    response_latency_ms: Sequence[int]
    by_voice: Mapping[str, tuple[int, int]]
    """Passes and scored trials of each caller's voice."""
    passed: Mapping[str, bool]
    """By trial key, of the scored ones."""


def sweep(
    axis: Axis,
    options: RunOptions,
    root: Path,
    backend: Backend,
    *,
    started_utc: datetime,
    command: str,
    watch: Watch,
    told: Callable[[Dose], None],
) -> tuple[Dose, ...]:
    """Run every dose into a run folder of its own under `root`. Raises MivasError."""
    doses = []
    for dose in axis.doses:
        varied = options.model_copy(update={"mode": "voice", "tier": "acoustic", "condition": axis.condition(dose)})
        folder = root / f"{axis.name}={dose:g}"
        result = start_run(varied, folder, backend, started_utc=started_utc, command=command, watch=watch)
        doses.append(_dose(axis, dose, result, varied))
        told(doses[-1])
    return tuple(doses)


def _dose(axis: Axis, dose: float, result: RunResult, options: RunOptions) -> Dose:
    to_agent: list[Heard] = []
    to_caller: list[Heard] = []
    felt: list[Interaction] = []
    by_voice: dict[str, list[bool]] = {}
    passed: dict[str, bool] = {}
    for record, verdict, task, voice in _calls(result, options):
        events = read_evidence(result.root, record).events
        to_agent.append(heard_of(events, task, "caller"))
        to_caller.append(heard_of(events, task, "agent"))
        felt.append(interaction_of(events))
        if verdict["mark"] in ("pass", "FAIL"):
            passed[record["key"]] = verdict["mark"] == "pass"
            by_voice.setdefault(voice, []).append(verdict["mark"] == "pass")
    return Dose(
        dose=dose,
        condition=axis.condition(dose),
        run_dir=str(result.root),
        trials=len(result.records),
        passes=sum(passed.values()),
        scored=len(passed),
        agent_hearing=pooled_hearing(to_agent),
        caller_hearing=pooled_hearing(to_caller),
        response_latency_ms=pooled(felt)["response_latency_ms"],
        by_voice={voice: (sum(marks), len(marks)) for voice, marks in sorted(by_voice.items())},
        passed=passed,
    )


def _calls(result: RunResult, options: RunOptions) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], Any, str]]:
    from mivas.pack import load_pack
    from mivas.run._speech import voice_index

    suites = {}
    for name in options.packs:
        suite = suite_for(load_pack(name), options.suite_source)
        suites[suite.pack_id] = suite
    voices = [one["name"] for one in result.manifest["voices"]["caller"]]
    for record, verdict in zip(result.records, result.verdicts, strict=True):
        suite = suites[verdict["pack"]]
        task = suite.tasks[verdict["task_id"]]
        yield record, verdict, task, voices[voice_index(suite, task.task_id, len(voices))]
