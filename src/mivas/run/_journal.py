"""The run folder: plan and manifest, one line a finished trial, resumable after Ctrl-C or `kill -9` (formats.md 6).

Only the driver process writes here; workers write below `calls/`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock, Timeout

from mivas.errors import JournalError
from mivas.run._files import journal_errors, write_atomically

MANIFEST, TRIALS, VERDICTS, LOCK = "run.json", "trials.jsonl", "verdicts.jsonl", ".lock"
RUN_VERSION = 1
"""Version of the run folder's format (formats.md 6)."""


@dataclass(slots=True)
class Journal:
    """An open run folder, locked against other processes."""

    root: Path
    manifest: dict[str, Any]
    records: dict[str, dict[str, Any]]
    """Latest line of `trials.jsonl` by trial key."""
    verdicts: dict[str, dict[str, Any]]
    """Latest line of `verdicts.jsonl` by trial key."""
    _lock: FileLock
    _files: dict[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> frozenset[str]:
        """Keys of trials that need not run again: both their lines are there."""
        return frozenset(self.records.keys() & self.verdicts.keys())

    def add(self, record: Mapping[str, Any], verdict: Mapping[str, Any]) -> None:
        """Journal a finished trial: verdict first, so that a trial's line says both are there."""
        key = str(record["key"])
        self._append(VERDICTS, verdict)
        self._append(TRIALS, record)
        self.records[key] = dict(record)
        self.verdicts[key] = dict(verdict)

    def finish(self, order: Iterable[str], **changes: Any) -> None:
        """Write both files in plan order, one line a trial, and the manifest's last word."""
        keys = list(order)
        for name, lines in ((VERDICTS, self.verdicts), (TRIALS, self.records)):
            write_atomically(self.root / name, b"".join(journal_line(lines[key]) for key in keys if key in lines))
        self.update(**changes)

    def update(self, **changes: Any) -> None:
        """Change the manifest."""
        self.manifest |= changes
        write_atomically(self.root / MANIFEST, json.dumps(self.manifest, indent=2).encode() + b"\n")

    def close(self) -> None:
        """Close files and give up the lock. Idempotent."""
        for file in self._files.values():
            file.close()
        self._files.clear()
        self._lock.release()

    def _append(self, name: str, value: Mapping[str, Any]) -> None:
        path = self.root / name
        with journal_errors(path):
            file = self._files.get(name)
            if file is None:
                file = self._files[name] = path.open("ab", buffering=0)
            file.write(journal_line(value))


def create_journal(root: Path, manifest: Mapping[str, Any]) -> Journal:
    """Make a new run folder. Raises JournalError when it exists already or can't be written."""
    with journal_errors(root):
        root.mkdir(parents=True, exist_ok=True)
    lock = _locked(root)
    try:
        if (root / MANIFEST).exists():
            raise JournalError("holds a run already", where=str(root), mend=f"continue it with --resume {root}")
        if any(entry.name != LOCK for entry in root.iterdir()):
            raise JournalError("holds other files", where=str(root), mend="choose an empty or a new folder")
        journal = Journal(root, dict(manifest), {}, {}, lock)
        journal.update()
    except BaseException:
        lock.release()
        raise
    return journal


def reopen_journal(root: Path) -> Journal:
    """Open a run folder to continue it, cutting off half-written last lines. Raises JournalError."""
    manifest = read_manifest(root)
    lock = _locked(root)
    try:
        records = _mended(root / TRIALS, "attempt", "mark", "t_ms")
        verdicts = _mended(root / VERDICTS, "mark")
    except JournalError:
        lock.release()
        raise
    return Journal(root, manifest, records, verdicts, lock)


def read_manifest(root: Path) -> dict[str, Any]:
    """`run.json` of a run folder. Raises JournalError when there is none or it is damaged."""
    path = root / MANIFEST
    try:
        manifest = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        raise JournalError("no run there (no run.json)", where=str(root), mend="give a run folder") from None
    except OSError as error:
        raise JournalError(f"can't be read ({error.strerror})", where=str(path), mend="check permissions") from None
    except orjson.JSONDecodeError as error:
        raise JournalError(f"broken JSON: {error}", where=str(path), mend="start a new run") from None
    if not isinstance(manifest, dict):
        raise JournalError("not a JSON object", where=str(path), mend="start a new run")
    if manifest.get("version") != RUN_VERSION:
        raise JournalError(
            f"version {manifest.get('version')!r} of the format, this is {RUN_VERSION}",
            where=str(path),
            mend="use the mivas that wrote it",
        )
    return manifest


def _locked(root: Path) -> FileLock:
    lock = FileLock(root / LOCK)
    with journal_errors(root):
        try:
            lock.acquire(blocking=False)
        except Timeout:  # an OSError by descent, but nothing that the operating system says about the path
            raise JournalError(
                "another process is writing this run", where=str(root), mend="wait until it has ended"
            ) from None
    return lock


def _mended(path: Path, *needed: str) -> dict[str, dict[str, Any]]:
    """Lines of a journal file by key; a tail that a crash cut short is removed from the file.

    Raises JournalError for a line that is no JSON object or lacks one of the `needed` fields.
    """
    if not path.exists():
        return {}
    with journal_errors(path):
        data = path.read_bytes()
    whole, newline, tail = data.rpartition(b"\n")
    if tail:
        with journal_errors(path):
            os.truncate(path, len(whole) + len(newline))
    lines: dict[str, dict[str, Any]] = {}
    for number, text in enumerate(whole.split(b"\n") if newline else (), start=1):
        try:
            line = json.loads(text)
            lines[str(line["key"])] = line
            if missing := [name for name in needed if name not in line]:
                raise KeyError(*missing)
        except (ValueError, KeyError, TypeError):
            raise JournalError(
                "line is damaged", where=f"{path}:{number}", mend="delete the line; its trial runs again"
            ) from None
    return lines


def journal_line(value: Mapping[str, Any]) -> bytes:
    """One line of `trials.jsonl` or `verdicts.jsonl`, newline included."""
    try:
        return orjson.dumps(value) + b"\n"
    except TypeError:
        # A verdict quotes what the agent sent: integers past 64 bits, half of a surrogate pair.
        return json.dumps(value, separators=(",", ":"), default=str).encode() + b"\n"
