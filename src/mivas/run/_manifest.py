"""`run.json`: what ran, on what, with which files (formats.md 6)."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import datetime
from os import cpu_count
from pathlib import Path
from typing import Any

from mivas import __version__
from mivas.pack import Pack
from mivas.run._certificates import certificates_folder, is_qualified
from mivas.run._journal import RUN_VERSION
from mivas.run._options import RunOptions, clock_of
from mivas.run._world import World


def new_manifest(
    run_id: str, options: RunOptions, worlds: Mapping[str, World], started_utc: datetime, command: str
) -> dict[str, Any]:
    """The manifest of a run that starts now."""
    harness = next(iter(worlds.values())).harness
    return {
        "version": RUN_VERSION,
        "run_id": run_id,
        "started_utc": started_utc.isoformat(timespec="seconds"),
        "mivas_version": __version__,
        "revision": _revision(),
        "command": command,
        "packs": {world.pack.id: _pack_entry(world) for world in worlds.values()},
        "harness": {
            "name": options.harness,
            "revision": harness.revision,
            "models": list(harness.capabilities.models),
            "capabilities": {
                "modes": list(harness.capabilities.modes),
                "knows_answers": harness.capabilities.knows_answers,
                "reports_handoffs": harness.capabilities.reports_handoffs,
            },
            "qualified": is_qualified(options, harness, certificates_folder()),
        },
        "caller": _caller_entry(options, worlds.values()),
        **_speech_entries(options, next(iter(worlds.values()))),
        "trials": options.trials,
        "seed": options.seed,
        "concurrency": options.concurrency,
        "retries": options.retries,
        "discount": options.discount,
        "clock": clock_of(options, harness.capabilities),
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": cpu_count(),
        },
        "options": options.model_dump(mode="json"),
        "status": "running",
    }


def pack_hashes(pack: Pack, suite_hash: str) -> dict[str, str]:
    """Hashes that tell whether a pack changed since a run: prompts, tools, tasks, scoring rules, database."""
    folder = pack.folder
    phrases = folder / "reflex.json"  # what an agent by rules is told instead of prompts
    told = [*sorted((folder / "system-prompts").glob("*.md")), folder / "agent_blueprint.json"]
    return {
        "prompts": _hash([*told, *([phrases] if phrases.is_file() else [])]),
        "tools": _hash([folder / "tools.json", *sorted(folder.rglob("*.py"))]),
        "lockfile": suite_hash,
        "scoring": _hash([folder / "scoring.json"]),
        "seed": _hash([folder / "db" / "schema.sql", folder / "db" / "seed.sql"]),
    }


def _pack_entry(world: World) -> dict[str, Any]:
    return {
        "pack_version": world.pack.version,
        "suite": world.suite.name,
        "tasks": len(world.suite.tasks),
        "hashes": pack_hashes(world.pack, world.suite.hash),
    }


def _speech_entries(options: RunOptions, world: World) -> dict[str, Any]:
    if world.speech is None:
        return {"voices": None, "ears": None, "tier": "text", "condition": None}
    entries = dict(world.speech.manifest)
    if world.hears_nothing_here:
        entries["ears"] = {**entries["ears"], "agent": None}  # it is told what was said, or hears elsewhere
    return {**entries, "manner": options.manner}


def _caller_entry(options: RunOptions, worlds: Iterable[World]) -> dict[str, Any]:
    caller = next(iter(worlds)).caller
    guessed = any(task.caller is None for world in worlds for task in world.suite.tasks.values())
    return {
        "name": options.caller,
        "revision": caller.revision,
        "model": caller.model,
        "approximate": guessed and caller.model is None,  # a model decides by the intent, rules can only guess at it
    }


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _revision() -> str | None:
    """Commit of the checkout this code runs from, `+` for changed files; None for an installed package."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=12"],  # noqa: S607
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
