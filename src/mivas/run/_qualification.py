"""Qualification: what a harness must show in one call before its calls count (docs/qualification.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mivas import __version__
from mivas.errors import InputError
from mivas.harness import load_harness
from mivas.line import CallEnded, Handoff, Speech
from mivas.pack import Pack, load_pack
from mivas.run._backend import Backend
from mivas.run._certificates import Certificate, certificate_name, double_of, keep_certificate, prepare_certificates
from mivas.run._judging import CallEvidence
from mivas.run._options import RunOptions
from mivas.run._runner import RunResult, Watch, start_run
from mivas.run._stored import read_evidence
from mivas.run._world import FIXTURE_SUITE, suite_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """What one call showed (cli.md)."""

    receives_call: bool
    """The agent picked up and was heard, and the call came to an end of its own."""
    builds_agents: bool
    """Every declared agent had the call."""
    native_handoff: bool
    """A transfer was carried out under the blueprint's name."""
    invokes_tool: bool
    """The state service logged a call that it answered with success."""
    persists_appointment: bool
    """The state at hang-up is the expected one."""

    @property
    def all(self) -> bool:
        return all(asdict(self).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification:
    """What an attempt came to."""

    harness: str
    steps: Steps
    result: RunResult
    certificate: Path | None
    """Where it is kept; None: not qualified."""
    double_of: str | None
    """The adapter, where its provider was a double; None: the real one."""


def qualify(
    options: RunOptions,
    root: Path,
    backend: Backend,
    *,
    folder: Path,
    started_utc: datetime,
    command: str,
    watch: Watch,
) -> Qualification:
    """Run a pack's qualification fixture once and judge the harness by the call's evidence.

    Args:
        options: one pack with a fixture, one trial.
        folder: of certificates.
    Raises InputError for a pack without a fixture, JournalError for a folder that can't be written, and whatever a run
    raises.
    """
    pack = load_pack(options.packs[0])
    if suite_for(pack, None).name != FIXTURE_SUITE:
        raise InputError("has no qualification fixture", where=f"pack {pack.id}", mend="choose one that has")
    prepare_certificates(folder)
    result = start_run(options, root, backend, started_utc=started_utc, command=command, watch=watch)
    steps = steps_of(read_evidence(root, result.records[0]), result.verdicts[0], pack)
    harness = load_harness(options.harness)
    doubled = double_of(harness, options.base_url)
    path = None
    if steps.all:
        certificate = Certificate(
            harness=certificate_name(harness, options.harness),
            revision=str(result.manifest["harness"]["revision"]),
            mivas_version=__version__,
            issued_utc=started_utc.isoformat(timespec="seconds"),
            mode=options.mode,
            base_url=options.base_url,
            pack=pack.id,
            pack_version=pack.version,
            evidence=str(result.root.resolve()),
            steps=asdict(steps),
            double_of=doubled,
        )
        path = keep_certificate(certificate, folder)
    return Qualification(harness=options.harness, steps=steps, result=result, certificate=path, double_of=doubled)


def steps_of(evidence: CallEvidence, verdict: Mapping[str, Any], pack: Pack) -> Steps:
    """What a call of a fixture showed."""
    events = evidence.events
    spoke = any(
        isinstance(one, Speech) and one.role == "agent" and (one.text or one.heard or "").strip() for one in events
    )
    lost = any(isinstance(one, CallEnded) and one.by in ("harness", "provider") for one in events)
    handoffs = [one for one in events if isinstance(one, Handoff)]
    had_the_call = {pack.blueprint.entry.id, *(one.to for one in handoffs)}
    return Steps(
        receives_call=spoke and not lost,
        builds_agents=spoke and had_the_call == set(pack.blueprint.by_id),
        native_handoff=bool(handoffs),
        invokes_tool=any(call.output.get(pack.envelope.ok) is True for call in evidence.logged),
        persists_appointment=verdict["database"]["passed"] is True,
    )
