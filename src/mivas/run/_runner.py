"""Plan, execute, journal, resume: a whole benchmark run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mivas.caller import CallerEndpoint
from mivas.errors import JournalError
from mivas.run._backend import Backend
from mivas.run._journal import MANIFEST, Journal, create_journal, reopen_journal
from mivas.run._manifest import new_manifest, pack_hashes
from mivas.run._options import RunOptions, TrialSpec, call_id_for, plan
from mivas.run._trial import TrialOutcome
from mivas.run._world import Ends, World, open_world
from mivas.verify import verifier_revision

NO_KEY = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is, after each trial."""

    done: int
    total: int
    passed: int
    last: str
    """Key of the trial that just finished."""
    troubles: tuple[str, ...]
    """What broke in that trial, one line each."""


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A finished run."""

    root: Path
    manifest: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...]
    verdicts: tuple[Mapping[str, Any], ...]
    """In plan order, the lines of `verdicts.jsonl`."""
    expects_nothing: frozenset[str]
    """`pack/task` of tasks whose lock asks for no call and no transfer: a silent agent may pass them."""


def start_run(
    options: RunOptions, root: Path, backend: Backend, *, started_utc: datetime, command: str, watch: Watch
) -> RunResult:
    """Run a new plan into an empty folder. Raises MivasError; on KeyboardInterrupt the folder stays resumable."""
    worlds = _open_worlds(options, root)
    specs = plan(options, {name: world.suite for name, world in worlds.items()})
    manifest = new_manifest(root.name, options, worlds, started_utc, command)
    return _carry_on(create_journal(root, manifest), options, specs, worlds, backend, watch)


def resume_run(root: Path, backend: Backend, *, watch: Watch, concurrency: int | None = None) -> RunResult:
    """Continue an interrupted run; ends with the verdicts an undisturbed one would have.

    Raises JournalError when the folder holds no run, is in use, or a pack or harness changed since it started.
    """
    journal = reopen_journal(root)
    try:
        options = _stored_options(journal)
        worlds = _open_worlds(options, root)
        _check_unchanged(journal, worlds)
        specs = plan(options, {name: world.suite for name, world in worlds.items()})
    except BaseException:
        journal.close()
        raise
    if concurrency is not None:
        options = options.model_copy(update={"concurrency": concurrency})
    return _carry_on(journal, options, specs, worlds, backend, watch)


def folder_name(started_utc: datetime, harness: str, packs: tuple[str, ...]) -> str:
    """`<utc>-<harness>-<packs>` in characters any file system takes.

    >>> folder_name(datetime(2026, 8, 19, 12, 0), "openai/realtime-2.1", ("healthcare",))
    '20260819T120000Z-openai-realtime-2-1-healthcare'
    """
    names = "-".join(re.sub(r"[^a-z0-9]+", "-", Path(name).name.lower()).strip("-") for name in packs)
    return f"{started_utc:%Y%m%dT%H%M%SZ}-{re.sub(r'[^a-z0-9]+', '-', harness.lower()).strip('-')}-{names}"


def _open_worlds(options: RunOptions, root: Path) -> dict[str, World]:
    """Worlds to plan by and to name in the manifest; nobody calls in them, so the key to the caller's model is none."""
    model = CallerEndpoint(model=options.caller_model, base_url=options.caller_base_url, api_key=NO_KEY)
    ends = Ends(harness=options.harness, caller=options.caller, caller_endpoint=model, speech=options.speech)
    return {name: open_world(name, options.suite_source, ends, root) for name in options.packs}


def _stored_options(journal: Journal) -> RunOptions:
    try:
        return RunOptions.model_validate(journal.manifest.get("options"))
    except ValidationError as error:
        spot = ".".join(str(part) for part in ("options", *error.errors()[0]["loc"]))
        raise JournalError(
            f"{spot}: {error.errors()[0]['msg']}", where=str(journal.root / MANIFEST), mend="start a new run"
        ) from None


def _check_unchanged(journal: Journal, worlds: Mapping[str, World]) -> None:
    changed = [
        f"pack {world.pack.id} ({', '.join(parts)})"
        for world in worlds.values()
        if (parts := _changed_parts(journal.manifest.get("packs"), world))
    ]
    harness, then = next(iter(worlds.values())).harness, journal.manifest.get("harness")
    if not isinstance(then, dict) or then.get("revision") != harness.revision:
        changed.append(f"harness {harness.name}")
    caller, then = next(iter(worlds.values())).caller, journal.manifest.get("caller")
    if not isinstance(then, dict) or then.get("revision") != caller.revision:
        changed.append(f"caller {caller.name}")
    if {verdict.get("verifier_revision") for verdict in journal.verdicts.values()} - {verifier_revision()}:
        changed.append("verifier")
    if changed:
        raise JournalError(
            f"changed since this run started: {', '.join(changed)}", where=str(journal.root), mend="start a new run"
        )


def _changed_parts(packs: object, world: World) -> list[str]:
    """Names of the hashes that differ from those the manifest keeps; all of them when it keeps none."""
    entry = packs.get(world.pack.id) if isinstance(packs, dict) else None
    then = entry.get("hashes") if isinstance(entry, dict) else None
    now = pack_hashes(world.pack, world.suite.hash)
    return [name for name, value in now.items() if not isinstance(then, dict) or then.get(name) != value]


def _carry_on(
    journal: Journal,
    options: RunOptions,
    specs: list[TrialSpec],
    worlds: Mapping[str, World],
    backend: Backend,
    watch: Watch,
) -> RunResult:
    order = [spec.key for spec in specs]
    try:
        journal.update(status="running")
        passed = sum(verdict["mark"] == "pass" for verdict in journal.verdicts.values())
        for outcome in _outcomes(journal, options, specs, backend):
            journal.add(outcome.record, outcome.verdict)
            passed += outcome.verdict["mark"] == "pass"
            watch(
                Progress(
                    done=len(journal.records),
                    total=len(order),
                    passed=passed,
                    last=outcome.record["key"],
                    troubles=outcome.troubles,
                )
            )
        journal.finish(order, status="finished")
    except KeyboardInterrupt:
        journal.update(status="interrupted")
        raise
    finally:
        journal.close()
        for world in worlds.values():
            world.service.close()
    return RunResult(
        root=journal.root,
        manifest=journal.manifest,
        records=tuple(journal.records[key] for key in order),
        verdicts=tuple(journal.verdicts[key] for key in order),
        expects_nothing=frozenset(
            f"{world.pack.id}/{task_id}"
            for world in worlds.values()
            for task_id in world.suite.tasks
            if world.suite.expects_nothing(task_id)
        ),
    )


def _outcomes(
    journal: Journal, options: RunOptions, specs: list[TrialSpec], backend: Backend
) -> Iterator[TrialOutcome]:
    """Outcomes of every trial still to do, then of new attempts at VOID ones."""
    wanted = [spec for spec in specs if spec.key not in journal.finished]
    yield from backend.carry_out(wanted, options, journal.root)
    for _ in range(options.retries):
        again = [_next_attempt(spec, journal, options) for spec in specs if _wants_retry(journal, spec, options)]
        yield from backend.carry_out(again, options, journal.root)


def _wants_retry(journal: Journal, spec: TrialSpec, options: RunOptions) -> bool:
    # By the attempts made, not the rounds of this process: a resumed run ends where an undisturbed one would.
    record = journal.records[spec.key]
    return bool(record["mark"] == "VOID" and record["attempt"] <= options.retries)


def _next_attempt(spec: TrialSpec, journal: Journal, options: RunOptions) -> TrialSpec:
    attempt = int(journal.records[spec.key]["attempt"]) + 1
    call_id = call_id_for(options.seed, spec.pack_id, spec.task_id, spec.trial, attempt)
    return replace(spec, attempt=attempt, call_id=call_id)
