"""From run folders, packs and probe results to the values a site is made from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mivas.errors import InputError, JournalError, MivasError

if TYPE_CHECKING:
    from mivas.line import Event
    from mivas.pack import Pack, Suite, Task
    from mivas.report import Conversation
    from mivas.report.site import SiteCall, SiteMaterial

CALLS = "calls"
EVENTS, FINAL, STATE, AUDIO = "events.jsonl", "final.json", "state.db", "audio.flac"
LONGEST_NAME = 200
"""Characters of a call's or a run's name in the site, so that every file system takes it with its ending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolderView:
    """A run folder as it stands now, finished or not."""

    root: Path
    name: str
    """Its name in the site."""
    manifest: Mapping[str, Any]
    records: Mapping[str, Mapping[str, Any]]
    verdicts: Mapping[str, Mapping[str, Any]]

    @property
    def going_on(self) -> list[str]:
        """Ids of calls that have begun and are in no journal yet."""
        over = {str(record.get("call_id")) for record in self.records.values()}
        folder = self.root / CALLS
        if self.manifest.get("status") != "running" or not folder.is_dir():
            return []
        names = (one.name for one in folder.iterdir() if one.name not in over)
        return sorted(name for name in names if _call_file(self.root, name, EVENTS))


@dataclass(slots=True)
class PackShelf:
    """Packs of runs and the suites they were judged by, each read once."""

    tasks: Path | None = None
    """Tasks the runs were judged by, if not the packs' own."""
    packs: dict[str, Pack] = field(default_factory=dict)
    suites: dict[tuple[str, str], Suite] = field(default_factory=dict)
    """By pack id and suite hash: changed tasks are never taken for those of a run."""

    def add(self, manifest: Mapping[str, Any]) -> None:
        """Read the packs of a run; one that can't be read any more is left out, and so are its tasks."""
        from mivas.cli._reference import suite_name
        from mivas.pack import load_pack
        from mivas.run import SuiteSource, suite_for

        options = manifest.get("options") or {}
        places = dict.fromkeys([None, self.tasks, Path(options["tasks"]) if options.get("tasks") else None])
        for name in options.get("packs") or manifest.get("packs") or ():
            try:
                pack = load_pack(str(name))
            except MivasError:
                continue
            self.packs[pack.id] = pack
            for place in places:
                try:
                    suite = suite_for(pack, SuiteSource(place, suite_name(place)) if place is not None else None)
                except MivasError:
                    if place is not None and place == self.tasks:
                        raise
                    continue
                self.suites.setdefault((pack.id, suite.hash), suite)

    def task(self, verdict: Mapping[str, Any]) -> Task | None:
        """The task a call was judged by, None when it can't be read any more."""
        suite = self.suites.get((str(verdict.get("pack")), str(verdict.get("suite_hash"))))
        return suite.tasks.get(str(verdict.get("task_id"))) if suite is not None else None


def read_run_folder(root: Path, taken: Iterable[str] = ()) -> RunFolderView:
    """Read what a run folder says so far, writing nothing and taking no lock.

    Args:
        taken: names of runs that stand in the site already.
    Raises: JournalError when there is no run, a line of it is damaged, or a call's id can be no file's name.
    """
    from mivas.report.site import safe_name
    from mivas.run import read_manifest

    manifest = read_manifest(root)
    name = first = safe_name(str(manifest.get("run_id") or root.resolve().name))[:LONGEST_NAME]
    count = 1
    while name in set(taken):
        count += 1
        name = f"{first}-{count}"
    records = _lines(root / "trials.jsonl")
    for record in records.values():
        if (length := len(safe_name(str(record.get("call_id"))))) > LONGEST_NAME:
            what = f"an id of a call makes a file name of {length} characters, {LONGEST_NAME} at most fit"
            raise JournalError(what, where=str(root / "trials.jsonl"), mend="restore the file")
    return RunFolderView(
        root=root,
        name=name,
        manifest=manifest,
        records=records,
        verdicts=_lines(root / "verdicts.jsonl"),
    )


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    """Lines by trial key, the last one of a key; a last line without its newline is being written."""
    try:
        data = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise JournalError(f"can't be read ({error.strerror})", where=str(path), mend="check permissions") from None
    found: dict[str, dict[str, Any]] = {}
    for number, text in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            line = json.loads(text)
            found[str(line["key"])] = line
        except (ValueError, KeyError, TypeError, RecursionError):
            raise JournalError("line is damaged", where=f"{path}:{number}", mend="restore the file") from None
    return found


def site_calls(view: RunFolderView, shelf: PackShelf) -> Iterator[SiteCall]:
    """Calls of a run in the order of its journal, those that go on last."""
    for verdict, record in _ended(view):
        yield ended_call(view, shelf, verdict, record)
    for call_id in view.going_on:
        yield call_going_on(view, shelf, call_id)


def listed_calls(view: RunFolderView, shelf: PackShelf) -> Iterator[SiteCall]:
    """The same calls without their evidence: enough for lists and figures, and quick to read."""
    from mivas.report.site import SiteCall

    for verdict, record in _ended(view):
        yield SiteCall(conversation=_listed(view, shelf, verdict, record))
    for call_id in view.going_on:
        yield call_going_on(view, shelf, call_id)


def _ended(view: RunFolderView) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for key, record in view.records.items():
        yield view.verdicts.get(key, {"key": key, "mark": record.get("mark")}), record


def _listed(
    view: RunFolderView, shelf: PackShelf, verdict: Mapping[str, Any], record: Mapping[str, Any]
) -> Conversation:
    from mivas.report import Conversation

    return Conversation(manifest=view.manifest, verdict=verdict, record=record, task=shelf.task(verdict))


def ended_call(
    view: RunFolderView, shelf: PackShelf, verdict: Mapping[str, Any], record: Mapping[str, Any]
) -> SiteCall:
    """A call that is over. What is gone of its evidence is not shown; the rest is."""
    from dataclasses import replace

    from mivas.report.site import SiteCall
    from mivas.run import read_evidence, run_result

    conversation = _listed(view, shelf, verdict, record)
    call_id = str(record.get("call_id"))
    audio = _call_file(view.root, call_id, AUDIO)
    lost = _lost_audio(view.root, record) if audio is None else None
    try:
        evidence = read_evidence(view.root, record)
    except (JournalError, KeyError, TypeError, AttributeError) as error:
        lost = _why_lost(view.root, record, error)
        conversation = replace(conversation, events=_events(_call_file(view.root, call_id, EVENTS)))
    else:
        result = run_result(evidence.call_id, evidence.events, evidence.logged)
        conversation = replace(conversation, events=evidence.events, state=evidence.state, result=result)
    return SiteCall(
        conversation=conversation,
        met_by=_met_by(conversation, shelf),
        audio=audio,
        evidence=evidence_files(view.root, call_id),
        lost=lost,
    )


def _why_lost(root: Path, record: Mapping[str, Any], error: Exception) -> str | None:
    """In words, why a call is shown without evidence; None for a void call, which may well have left none."""
    from mivas.run import file_in_run

    try:
        file_in_run(root, CALLS, str(record.get("call_id")))
    except JournalError as outside:
        return f"{outside.where}: {outside.what}"
    if record.get("mark") == "VOID":
        return None
    if isinstance(error, JournalError):
        return f"{error.where}: {error.what}"
    return f"{root / 'trials.jsonl'}: a line names no files"


def _lost_audio(root: Path, record: Mapping[str, Any]) -> str | None:
    files = record.get("files")
    if not isinstance(files, Mapping) or "audio" not in files:
        return None
    return f"{root}: {str(files['audio'])[:300]} isn't there, or lies outside"


def _call_file(root: Path, call_id: str, name: str) -> Path | None:
    """A file of a call that can be read; None for one that is gone, or lies outside the run."""
    from mivas.run import file_in_run

    try:
        path = file_in_run(root, CALLS, call_id, name)
        return path if path.is_file() and os.access(path, os.R_OK) else None
    except (JournalError, OSError):
        return None


def call_going_on(view: RunFolderView, shelf: PackShelf, call_id: str) -> SiteCall:
    """A call that has begun and isn't over."""
    from mivas.line import CallStarted
    from mivas.report import Conversation
    from mivas.report.site import SiteCall

    events = _events(_call_file(view.root, call_id, EVENTS))
    started = next((event for event in events if isinstance(event, CallStarted)), None)
    pack = started.pack if started else None
    packs = view.manifest.get("packs")
    entry = packs.get(pack) if isinstance(packs, Mapping) else None
    hashes = entry.get("hashes") if isinstance(entry, Mapping) else None
    verdict = {
        "key": call_id,
        "mark": "wait",
        "pack": pack,
        "task_id": started.task_id if started else None,
        "suite_hash": hashes.get("lockfile") if isinstance(hashes, Mapping) else None,
    }
    record = {"call_id": call_id, "t_ms": events[-1].t_ms if events else None}
    conversation = Conversation(
        manifest=view.manifest, verdict=verdict, record=record, events=events, task=shelf.task(verdict)
    )
    return SiteCall(conversation=conversation, ended=False)


def _events(path: Path | None) -> Sequence[Event]:
    """Events of a log as far as it is written; none where there is no log that can be read."""
    from mivas.line import read_events

    if path is None:
        return ()
    try:
        return tuple(read_events(path.read_bytes()))
    except (OSError, ValueError):
        return ()


def evidence_files(root: Path, call_id: str) -> dict[str, Path]:
    """Evidence to download; the database mostly holds empty pages, so it is kept compressed."""
    names = {EVENTS: EVENTS, FINAL: FINAL, STATE: f"{STATE}.gz"}
    found = {kept: _call_file(root, call_id, name) for name, kept in names.items()}
    return {kept: path for kept, path in found.items() if path is not None}


def _met_by(conversation: Conversation, shelf: PackShelf) -> list[str | None] | None:
    """Which call met which expectation, told by the verifier; None when it no longer judges as it did then."""
    from mivas.verify import verify

    if conversation.task is None or conversation.result is None:
        return None
    pack = shelf.packs[str(conversation.verdict["pack"])]
    verdict = verify(
        task=conversation.task.raw,
        result=conversation.result,
        state=None,
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
    )
    tools, kept = verdict.tools, conversation.verdict.get("tools") or {}
    if tools is None or list(tools.missing) != kept.get("missing") or list(tools.hit) != kept.get("hit"):
        return None
    actual = {id(pair.expected): pair.actual for pair in tools.pairs}
    free = _calls_by_moment(conversation.events)
    return [_reference(actual.get(id(wanted)), free) for wanted in tools.expected]


def _calls_by_moment(events: Sequence[Event]) -> dict[tuple[str, Any], list[Any]]:
    from mivas.line import ToolStarted

    found: dict[tuple[str, Any], list[Any]] = {}
    for event in events:
        if isinstance(event, ToolStarted):
            found.setdefault((event.name, event.t_ms), []).append(event)
    return found


def _reference(call: Any, free: Mapping[tuple[str, Any], list[Any]]) -> str | None:
    """The event's reference of a call the verifier saw; "" for one that only the state service logged."""
    if call is None:
        return None
    same = free.get((call.name, call.start_offset_ms), [])
    for place, event in enumerate(same):
        if event.arguments == call.arguments:
            return str(same.pop(place).call_ref)
    return str(same.pop(0).call_ref) if same else ""


def read_probe(path: Path) -> dict[str, Any]:
    """A document that `mivas probe --json` printed. Raises InputError."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", where=str(path), mend="check the path") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"broken JSON: {error}", where=str(path), mend="write it with mivas probe --json") from None
    if not isinstance(document, dict) or not isinstance(document.get("saboteurs"), dict):
        raise InputError("is no result of a probe", where=str(path), mend="write it with mivas probe PACK --json")
    return document


def material_of(
    views: Sequence[RunFolderView], shelf: PackShelf, probes: Sequence[Mapping[str, Any]], *, live: bool = False
) -> SiteMaterial:
    """All that a site over these runs is made from; calls are read as they are walked."""
    from mivas.cli._harness_cards import harness_cards
    from mivas.cli._worked_examples import worked_examples
    from mivas.report.site import SiteMaterial, SitePack, SiteRun

    runs = [SiteRun(name=one.name, manifest=one.manifest, calls=site_calls(one, shelf)) for one in views]
    packs = [
        SitePack(pack=shelf.packs[pack_id], tasks=suite.tasks, suite=suite.name, suite_hash=suite_hash)
        for (pack_id, suite_hash), suite in _suites_shown(views, shelf).items()
    ]
    return SiteMaterial(
        runs=runs,
        packs=packs,
        probes=probes,
        harnesses=harness_cards(str((one.manifest.get("harness") or {}).get("name", "")) for one in views),
        examples=worked_examples(),
        live=live,
    )


def _suites_shown(views: Sequence[RunFolderView], shelf: PackShelf) -> dict[tuple[str, str], Suite]:
    """One suite a pack: the first one that a run was judged by, else the one that is there now."""
    shown: dict[str, str] = {}
    for view in views:
        for verdict in view.verdicts.values():
            key = (str(verdict.get("pack")), str(verdict.get("suite_hash")))
            if key in shelf.suites:
                shown.setdefault(*key)
    for pack_id, suite_hash in shelf.suites:
        shown.setdefault(pack_id, suite_hash)
    return {key: shelf.suites[key] for key in shown.items()}
