"""Conversations to export, made without a run, and the way back from a CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from mivas.report import ADDED_COLUMNS, PUBLISHED_COLUMNS, Conversation, csv_lines, export_rows

COLUMNS = (*PUBLISHED_COLUMNS, *ADDED_COLUMNS)
MANIFEST: Mapping[str, Any] = {
    "run_id": "r1", "revision": "abc", "harness": {"name": "oracle", "models": []}, "caller": {"name": "program"},
    "tier": "text", "condition": None, "concurrency": 1, "seed": 0, "discount": 0.4321,
}  # fmt: skip


def verdict(pack: str, task: str | None, mark: str, trial: int = 0, **parts: Any) -> dict[str, Any]:
    passed = {"pass": True, "FAIL": False}.get(mark)
    return {
        "key": f"{pack}/{task}/{trial}", "pack": pack, "task_id": task, "trial": trial, "mark": mark,
        "combined": passed, "void_reason": "no_agent_turn" if mark == "VOID" else None,
        "tools": {"passed": passed, "score": None if passed is None else float(passed), "hit": [], "missing": []},
        "handoff": {"passed": None if passed is None else True, "score": 1.0, "verdict": "exact", "expected": [],
                    "actual": []},
        "database": {"passed": None if passed is None else passed, "note": None, "diff": None},
        "diagnostics": {"scope_violations": [], "order_violations": [], "parity_aliases": []},
        "r_eval": passed, "r_train": 0.4321, "suite": "s-1", "suite_hash": "h", "verifier_revision": "v",
    } | parts  # fmt: skip


def conversation(line: Mapping[str, Any], **parts: Any) -> Conversation:
    record = {"key": line["key"], "call_id": f"call-{line['key']}", "attempt": 1, "caller_fault": None, "t_ms": 22400}
    return Conversation(**({"manifest": MANIFEST, "verdict": line, "record": record} | parts))


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


@pytest.fixture
def make() -> Any:
    """`make(verdict line, **parts)`: one conversation."""
    return conversation


@pytest.fixture
def line() -> Any:
    """`line(pack, task, mark, trial, **parts)`: one verdict line."""
    return verdict


@pytest.fixture
def through_csv() -> Any:
    """`through_csv(conversations)`: their rows as a CSV holds them."""

    def gone_through(conversations: Iterable[Conversation]) -> list[dict[str, str]]:
        return read(b"".join(csv_lines(COLUMNS, export_rows(conversations))))

    return gone_through
