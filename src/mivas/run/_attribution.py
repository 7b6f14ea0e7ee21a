"""Hearing or reasoning: every failed acoustic trial once more with the words passed beside the sound.

Passes then: it was hearing. Fails again: it was reasoning. The same seed, so the caller says the same to the same
(offline-voice.md G).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from mivas.errors import InputError
from mivas.run._backend import Backend
from mivas.run._options import RunOptions, TrialSpec
from mivas.run._runner import RunResult

FailureKind: TypeAlias = Literal["hearing", "reasoning", "not_told"]
FOLDER = "attribution"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Why one trial failed."""

    key: str
    kind: FailureKind
    """not_told: the call with words was no pass and no failure, such as one whose harness broke."""
    call_id: str


def attribute(result: RunResult, options: RunOptions, backend: Backend) -> tuple[Attribution, ...]:
    """Run the failed trials of an acoustic run again in the voiced-text tier, into its folder `attribution`.

    Raises InputError for a run that isn't acoustic, or whose agents have ears of their own.
    """
    if result.manifest.get("tier") != "acoustic":
        raise InputError("only an acoustic run tells hearing from reasoning", where="--attribute", mend="leave it out")
    if "text" not in result.manifest["harness"]["capabilities"]["modes"]:
        raise InputError(
            "this harness hears by itself: no words can be passed to it", where="--attribute", mend="leave it out"
        )
    failed = [
        (record, verdict)
        for record, verdict in zip(result.records, result.verdicts, strict=True)
        if verdict["mark"] == "FAIL"
    ]
    again = options.model_copy(update={"tier": "voiced-text", "condition": None})
    specs = [_spec(record, verdict, options) for record, verdict in failed]
    root = result.root / FOLDER
    root.mkdir(exist_ok=True)
    return tuple(_attributed(specs, again, root, backend)) if specs else ()


def _attributed(specs: Sequence[TrialSpec], options: RunOptions, root: Path, backend: Backend) -> Iterator[Attribution]:
    kinds: Mapping[str, FailureKind] = {"pass": "hearing", "FAIL": "reasoning"}
    for outcome in backend.carry_out(specs, options, root):
        mark = outcome.verdict["mark"]
        yield Attribution(
            key=outcome.record["key"], kind=kinds.get(mark, "not_told"), call_id=outcome.record["call_id"]
        )


def _spec(record: Mapping[str, Any], verdict: Mapping[str, Any], options: RunOptions) -> TrialSpec:
    pack_id = str(verdict["pack"])
    loaded_by = next((name for name in options.packs if name == pack_id or name.rstrip("/").endswith(pack_id)), pack_id)
    if len(options.packs) == 1:
        loaded_by = options.packs[0]
    return TrialSpec(
        pack=loaded_by,
        pack_id=pack_id,
        task_id=str(verdict["task_id"]),
        trial=int(verdict["trial"]),
        attempt=int(record["attempt"]),
        call_id=str(record["call_id"]),
    )
