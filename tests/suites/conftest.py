"""A bench for suites: play one of ours and read what a call left behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mivas.pack import Pack, load_pack
from mivas.run import LocalBackend, RunOptions, RunResult, start_run

SUITE = Path(__file__).parent / "healthcare"
Event: TypeAlias = Mapping[str, Any]


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("healthcare")


def played(root: Path, harness: str, tasks: Path | None) -> RunResult:
    """A whole run of a suite into an empty folder."""
    options = RunOptions(packs=("healthcare",), harness=harness, tasks=str(tasks) if tasks else None)
    return start_run(
        options,
        root,
        LocalBackend(),
        started_utc=datetime(2026, 8, 19, 12, tzinfo=UTC),
        command="a test",
        watch=lambda _: None,
    )


@pytest.fixture(scope="session")
def play() -> Callable[[Path, str, Path | None], RunResult]:
    return played


@pytest.fixture(scope="session")
def oracle_run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """The oracle on our healthcare suite."""
    return played(tmp_path_factory.mktemp("oracle") / "run", "oracle", SUITE)


@pytest.fixture(scope="session")
def events_of() -> Callable[[RunResult], dict[str, list[Event]]]:
    """task id -> events of its call."""

    def read(result: RunResult) -> dict[str, list[Event]]:
        return {
            verdict["task_id"]: [json.loads(line) for line in (result.root / record["files"]["events"]).open()]
            for record, verdict in zip(result.records, result.verdicts, strict=True)
        }

    return read
