"""A finished run under today's rules: which marks change, and by which reasons (decision 0008)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mivas import __version__
from mivas.caller import hearing_of
from mivas.errors import InputError, JournalError
from mivas.pack import Pack, Suite, load_pack
from mivas.run._files import journal_errors, write_atomically
from mivas.run._journal import MANIFEST, TRIALS, VERDICTS, Journal, journal_line, reopen_journal
from mivas.run._judging import first_fault, judge
from mivas.run._manifest import pack_hashes
from mivas.run._options import RunOptions
from mivas.run._stored import StoredRun, finished_manifest, read_evidence, read_run
from mivas.run._world import SuiteSource, suite_for
from mivas.verify import verifier_revision

REVISION_KEYS = ("suite", "suite_hash", "verifier_revision")
"""What a verdict says about its judge, not about the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """A trial whose verdict isn't what it was."""

    key: str
    old_mark: str
    new_mark: str
    appeared: tuple[str, ...]
    """Reasons the new verdict has and the old one hadn't, as `T argument_differs` or `VOID no_agent_turn`."""
    disappeared: tuple[str, ...]
    fields: tuple[str, ...]
    """Keys of the verdict that differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescored:
    """What scoring a run again came to."""

    root: Path
    verdicts: tuple[Mapping[str, Any], ...]
    """The new lines, in the old order."""
    old_revisions: tuple[str, ...]
    """Verifiers that had judged the run."""
    new_revision: str
    flipped: tuple[VerdictChange, ...]
    """Trials whose mark changed."""
    otherwise_changed: tuple[VerdictChange, ...]
    """Trials with the same mark for other reasons, or with other details."""
    kept: Mapping[str, str]
    """Trials whose old verdict stands because it can't be judged again, by key: why."""
    identical: bool
    """Whether `verdicts.jsonl` is byte for byte what it was."""
    old_file: str | None
    """Name the old verdicts are kept under; None when nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    verdicts: Mapping[str, Mapping[str, Any]]
    kept: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """A pack and the suite its trials are judged by."""

    pack: Pack
    suite: Suite
    hashes: Mapping[str, str]


def rescore(root: Path, tasks: SuiteSource | None, now_utc: datetime) -> Rescored:
    """Judge a finished run by the pack and verifier installed now, and bring its folder up to date.

    Args:
        tasks: other tasks to judge by; None: those of the run, which must not have changed.
        now_utc: noted in `run.json` when something changed.
    Raises: MivasError: no finished run there, it is in use, a pack is unknown, or its tasks changed.
    """
    finished_manifest(root)  # an unfinished run is refused before anything is locked
    with closing(reopen_journal(root)) as journal:
        run = read_run(root)
        options = _options(run)
        rules = _rules(run, options, tasks)
        judged = _judged(run, rules, options.discount)
        old_file = _write(journal, run, rules, judged, now_utc)
    return _result(run, judged, old_file)


def try_rescore(root: Path, tasks: SuiteSource | None) -> Rescored:
    """`rescore` without writing anything: a dry run."""
    run = read_run(root)
    options = _options(run)
    return _result(run, _judged(run, _rules(run, options, tasks), options.discount), None)


def _options(run: StoredRun) -> RunOptions:
    try:
        return RunOptions.model_validate(run.manifest.get("options"))
    except ValidationError as error:
        spot = ".".join(str(part) for part in ("options", *error.errors()[0]["loc"]))
        raise _damaged(run, f"{spot}: {error.errors()[0]['msg']}") from None


def _rules(run: StoredRun, options: RunOptions, tasks: SuiteSource | None) -> dict[str, _Rules]:
    """By pack id."""
    found = {}
    for name in options.packs:
        pack = load_pack(name)
        suite = suite_for(pack, tasks or options.suite_source)
        hashes = pack_hashes(pack, suite.hash)
        found[pack.id] = _Rules(pack=pack, suite=_checked_suite(run, pack, suite, tasks), hashes=hashes)
    return found


def _damaged(run: StoredRun, what: str) -> JournalError:
    return JournalError(what, where=str(run.root / MANIFEST), mend="restore the file")


def _checked_suite(run: StoredRun, pack: Pack, suite: Suite, tasks: SuiteSource | None) -> Suite:
    """The suite under the name its run knows it by. Raises InputError when it isn't the run's and nobody asked so."""
    try:
        entry = run.manifest["packs"][pack.id]
        name, suite_hash = str(entry["suite"]), entry["hashes"]["lockfile"]
    except (KeyError, TypeError):
        raise _damaged(run, f"doesn't say which suite of {pack.id} ran") from None
    if suite.hash == suite_hash:
        return replace(suite, name=name)
    if tasks is None:
        raise InputError(
            f"tasks of {pack.id} changed since this run (suite hash was {suite_hash}, is {suite.hash})",
            where=str(run.root),
            mend="give the tasks to judge by with --tasks PATH",
        )
    return suite


def _judged(run: StoredRun, rules: Mapping[str, _Rules], discount: float) -> _Judged:
    verdicts: dict[str, Mapping[str, Any]] = {}
    kept: dict[str, str] = {}
    for key, old in run.verdicts.items():
        new = _judged_again(run, old, rules, discount)
        if isinstance(new, str):
            kept[key] = new
        verdicts[key] = old if isinstance(new, str) else new
    return _Judged(verdicts=verdicts, kept=kept)


def _judged_again(
    run: StoredRun, old: Mapping[str, Any], rules: Mapping[str, _Rules], discount: float
) -> dict[str, Any] | str:
    """The new verdict line of a trial, or why there can be none."""
    by, task_id = rules.get(old["pack"]), old["task_id"]
    record = run.records.get(old["key"])
    if by is None or task_id not in by.suite.tasks:
        return "its task isn't in the suite"
    if record is None:
        return f"no line in {TRIALS}"
    try:
        evidence = read_evidence(run.root, record)
    except JournalError as error:
        place = Path(error.where)
        return f"{place.relative_to(run.root) if place.is_relative_to(run.root) else place}: {error.what}"
    caller = run.manifest.get("caller")
    new = judge(
        evidence,
        pack=by.pack,
        suite=by.suite,
        task_id=task_id,
        trial=old["trial"],
        discount=discount,
        hearing=hearing_of(str(caller.get("name"))) if isinstance(caller, dict) else None,
    )
    line: dict[str, Any] = json.loads(journal_line(new))  # as a file has it, like the old one
    return line


def _result(run: StoredRun, judged: _Judged, old_file: str | None) -> Rescored:
    changes = [change for key, old in run.verdicts.items() if (change := _change(old, judged.verdicts[key]))]
    return Rescored(
        root=run.root,
        verdicts=tuple(judged.verdicts.values()),
        old_revisions=_revisions(run.verdicts.values()),
        new_revision=verifier_revision(),
        flipped=tuple(change for change in changes if change.old_mark != change.new_mark),
        otherwise_changed=tuple(change for change in changes if change.old_mark == change.new_mark),
        kept=judged.kept,
        identical=_file(run.verdicts.values()) == _file(judged.verdicts.values()),
        old_file=old_file,
    )


def _change(old: Mapping[str, Any], new: Mapping[str, Any]) -> VerdictChange | None:
    """How two verdicts on a call differ; None when they say the same, whoever said it."""
    fields = [name for name in {**old, **new} if name not in REVISION_KEYS and old.get(name) != new.get(name)]
    if not fields:
        return None
    before, after = Counter(_codes(old)), Counter(_codes(new))
    return VerdictChange(
        key=old["key"],
        old_mark=old["mark"],
        new_mark=new["mark"],
        appeared=tuple((after - before).elements()),
        disappeared=tuple((before - after).elements()),
        fields=tuple(fields),
    )


def _codes(verdict: Mapping[str, Any]) -> list[str]:
    codes = [f"{reason['gate']} {reason['code']}" for reason in verdict.get("reasons") or ()]
    void = verdict.get("void_reason")
    return [*codes, f"VOID {void}"] if void else codes


def _revisions(verdicts: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(sorted({str(verdict.get("verifier_revision")) for verdict in verdicts}))


def _file(lines: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(journal_line(line) for line in lines)


def _write(
    journal: Journal, run: StoredRun, rules: Mapping[str, _Rules], judged: _Judged, now_utc: datetime
) -> str | None:
    """Bring the folder up to date, in an order that a crash leaves open to another rescore; name of the old file."""
    old_file = None
    new_verdicts = _file(judged.verdicts.values())
    if new_verdicts != _file(run.verdicts.values()):
        old_file = _keep_old(run)
        write_atomically(run.root / VERDICTS, new_verdicts)
    records = [_record(record, judged.verdicts.get(key)) for key, record in run.records.items()]
    if records != list(run.records.values()):
        write_atomically(run.root / TRIALS, _file(records))
    packs = {pack_id: _entry(entry, rules.get(pack_id)) for pack_id, entry in run.manifest["packs"].items()}
    if old_file is not None or packs != run.manifest["packs"]:
        note = {
            "utc": now_utc.isoformat(timespec="seconds"),
            "mivas_version": __version__,
            "verifier_revision": {"old": _revisions(run.verdicts.values()), "new": verifier_revision()},
            "old_packs": run.manifest["packs"] if packs != run.manifest["packs"] else None,
            "old_verdicts": old_file,
            "kept": len(judged.kept),
        }
        journal.update(packs=packs, rescored=[*run.manifest.get("rescored", []), note])
    return old_file


def _keep_old(run: StoredRun) -> str:
    """Keep `verdicts.jsonl` as `verdicts.<revision>.jsonl`, or with a number where another has that name."""
    old = run.root / VERDICTS
    revision = "-".join(_revisions(run.verdicts.values()))
    with journal_errors(old):
        data = old.read_bytes()
        for number in count(1):
            kept = run.root / (f"verdicts.{revision}.jsonl" if number == 1 else f"verdicts.{revision}.{number}.jsonl")
            if not kept.exists():
                write_atomically(kept, data)
                break
            if kept.read_bytes() == data:
                break
    return kept.name


def _record(record: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A line of `trials.jsonl` that says what its verdict says."""
    if verdict is None:
        return record
    judged = {name: verdict[name] for name in ("mark", "combined", "void_reason")}
    return {**record, **judged, "caller_fault": first_fault(verdict)}


def _entry(entry: Mapping[str, Any], by: _Rules | None) -> Mapping[str, Any]:
    """A pack's entry in `run.json` naming the tasks and scoring rules it is now judged by."""
    if by is None:
        return entry
    judged_by = {part: by.hashes[part] for part in ("lockfile", "scoring")}
    return {**entry, "suite": by.suite.name, "hashes": {**entry["hashes"], **judged_by}}
