"""Reading a finished run back: manifest, lines, evidence of its calls. Writes nothing and takes no lock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mivas.errors import JournalError, StateError
from mivas.line import CallEnded, read_events
from mivas.run._files import journal_errors
from mivas.run._journal import TRIALS, VERDICTS, read_manifest
from mivas.run._judging import CallEvidence
from mivas.state import RunFolder, read_log


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """What a finished run's folder says."""

    root: Path
    manifest: Mapping[str, Any]
    """`run.json`."""
    records: Mapping[str, Mapping[str, Any]]
    """Lines of `trials.jsonl` by trial key."""
    verdicts: Mapping[str, Mapping[str, Any]]
    """Lines of `verdicts.jsonl` by trial key."""


def finished_manifest(root: Path) -> dict[str, Any]:
    """`run.json` of a finished run. Raises JournalError when there is no run or it isn't finished."""
    manifest = read_manifest(root)
    if manifest.get("status") != "finished":
        raise JournalError(
            f"the run is {manifest.get('status')}, not finished", where=str(root), mend=f"end it with --resume {root}"
        )
    return manifest


def read_run(root: Path) -> StoredRun:
    """Read a run folder. Raises JournalError when there is no run, it isn't finished, or a line is damaged."""
    return StoredRun(
        root=root,
        manifest=finished_manifest(root),
        records=_lines(root / TRIALS, "key", "call_id", "files"),
        verdicts=_lines(root / VERDICTS, "key", "pack", "task_id", "trial", "mark"),
    )


def file_in_run(root: Path, *parts: str) -> Path:
    """A path made of names that a run's journal gives; links are followed before it is judged.

    Raises JournalError for one that lies outside the run folder: a journal may come from anybody.
    """
    path = root.joinpath(*parts)
    try:
        inside = path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, a name that no file can have
        inside = False
    if not inside:
        raise JournalError("lies outside the run folder", where=str(path)[:300], mend="restore trials.jsonl")
    return path


def read_evidence(root: Path, record: Mapping[str, Any]) -> CallEvidence:
    """What the call of a trial left behind. Raises JournalError when a part is missing, elsewhere or unreadable."""
    call_id = str(record["call_id"])
    events_path, state_path = (file_in_run(root, str(record["files"][part])) for part in ("events", "state"))
    log_path = file_in_run(root, str(RunFolder(Path()).path(call_id)))
    try:
        events = tuple(read_events(_bytes(events_path)))
    except ValueError as error:
        raise _lost(events_path, str(error)) from None
    if not any(isinstance(event, CallEnded) for event in events):
        raise _lost(events_path, "has no call.ended")
    try:
        logged = read_log(log_path)
    except StateError as error:
        raise _lost(log_path, error.what) from None
    try:
        state = json.loads(_bytes(state_path))
    except (ValueError, RecursionError) as error:
        raise _lost(state_path, f"broken JSON: {error}") from None
    if not isinstance(state, dict):
        raise _lost(state_path, "not a JSON object")
    for table, rows in state.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise _lost(state_path, f"table {table} is no list of rows")
    return CallEvidence(call_id=call_id, events=events, logged=logged, state=state, spoken="audio" in record["files"])


def _bytes(path: Path) -> bytes:
    with journal_errors(path):
        return path.read_bytes()


def _lost(path: Path, what: str) -> JournalError:
    return JournalError(what, where=str(path), mend="restore the file")


def _lines(path: Path, *needed: str) -> dict[str, dict[str, Any]]:
    lines: dict[str, dict[str, Any]] = {}
    # Only line feeds part lines: the other marks that splitlines knows may stand inside a text.
    for number, text in enumerate(_bytes(path).split(b"\n"), start=1):
        if not text:
            continue
        try:
            line = json.loads(text)
            whole = all(name in line for name in needed)
            lines[str(line["key"])] = line
        except (ValueError, KeyError, TypeError, RecursionError):
            whole = False
        if not whole:
            raise JournalError("line is damaged", where=f"{path}:{number}", mend="restore the file")
    return lines
