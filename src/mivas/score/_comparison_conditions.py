"""May two runs be compared, and what else differs between them beside the agent. Source: formats.md 1, scoring.md 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.errors import InputError
from mivas.score._summary import Row

CONDITIONS = (
    "harness.name", "harness.revision", "harness.models", "harness.capabilities.knows_answers",
    "caller.name", "caller.model", "caller.approximate", "tier", "condition", "voices", "ears", "clock",
    "options.scope", "options.call_limit_ms", "trials", "retries", "concurrency", "seed", "mivas_version", "revision",
    "machine",
)  # fmt: skip
"""Fields of `run.json` that may move a figure without being refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """A finished run as `compare` reads it."""

    name: str
    """How messages call it."""
    manifest: Mapping[str, Any]
    """`run.json` (formats.md 6)."""
    rows: Sequence[Row]
    """Lines of `verdicts.jsonl`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingCondition:
    """A field of `run.json` that isn't the same on both sides."""

    field: str
    a: Any
    b: Any


def check_comparable(a: RunRows, b: RunRows) -> None:
    """Refuse runs whose figures don't measure the same thing: other suite, pack or verifier.

    Raises: InputError naming the first thing that differs.
    """
    common = [pack for pack in _packs(a) if pack in _packs(b)]
    if not common:
        raise InputError(f"share no pack with {b.name}", where=a.name, mend="compare runs of one pack")
    for pack in common:
        for what, of_a, of_b in _identity(pack, a, b):
            if of_a != of_b:
                raise InputError(
                    f"{pack}: {what} {_shown(of_a)} here, {_shown(of_b)} in {b.name}",
                    where=a.name,
                    mend=_mend(what),
                )
    _check_one_verifier(a)
    _check_one_verifier(b)


def differing_conditions(a: RunRows, b: RunRows) -> tuple[DifferingCondition, ...]:
    """Everything else in `run.json` that may move a figure and differs."""
    pairs = ((field, _at(a.manifest, field), _at(b.manifest, field)) for field in CONDITIONS)
    return tuple(DifferingCondition(field=field, a=of_a, b=of_b) for field, of_a, of_b in pairs if of_a != of_b)


def _identity(pack: str, a: RunRows, b: RunRows) -> Iterable[tuple[str, Any, Any]]:
    """(what, in a, in b) of everything that makes two runs of a pack the same measurement."""
    entry_a, entry_b = a.manifest["packs"][pack], b.manifest["packs"][pack]
    rows_a, rows_b = ([row for row in side.rows if row.get("pack") == pack] for side in (a, b))
    yield "suite", entry_a.get("suite"), entry_b.get("suite")
    yield "suite", _values(rows_a, "suite"), _values(rows_b, "suite")
    yield "suite hash", _values(rows_a, "suite_hash"), _values(rows_b, "suite_hash")
    yield "pack version", entry_a.get("pack_version"), entry_b.get("pack_version")
    for part in ("lockfile", "scoring", "prompts", "tools", "seed"):
        yield f"{part} hash", _at(entry_a, f"hashes.{part}"), _at(entry_b, f"hashes.{part}")
    yield "verifier revision", _values(rows_a, "verifier_revision"), _values(rows_b, "verifier_revision")


def _mend(what: str) -> str:
    if what in ("verifier revision", "scoring hash"):
        return "bring both up to date with `mivas rescore RUN`"
    return "compare runs of one suite and one version of the pack"


def _check_one_verifier(side: RunRows) -> None:
    revisions = _values(side.rows, "verifier_revision")
    if len(revisions) > 1:
        raise InputError(
            f"verdicts of several verifier revisions ({', '.join(map(str, revisions))})",
            where=side.name,
            mend="bring them to one with `mivas rescore RUN`",
        )


def _packs(side: RunRows) -> Mapping[str, Any]:
    packs = side.manifest.get("packs")
    whole = isinstance(packs, Mapping) and all(isinstance(entry, Mapping) for entry in packs.values())
    if not whole:
        raise InputError("names no packs in run.json", where=side.name, mend="give the folder of a finished run")
    return dict(packs)  # type: ignore[arg-type]


def _values(rows: Iterable[Row], key: str) -> list[Any]:
    return sorted({row.get(key) for row in rows}, key=str)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _at(value: Any, path: str) -> Any:
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
