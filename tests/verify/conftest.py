"""A small bench for the verifier: scoring rules from keywords or of an industry, calls as short tuples, whole tasks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mivas
from mivas.pack._scoring import Scoring, ScoringFile, compile_scoring, read_scoring
from mivas.verify import Verdict, verify

TESTS = Path(__file__).parent.parent
INDUSTRIES = Path(mivas.__file__).parent / "industries"
SAMPLES = Path(os.environ.get("MIVAS_REFERENCE") or TESTS.parent.parent / "shared" / "reference") / "tasks"
SAMPLED = ("healthcare", "legal", "customer-support")

CLINIC = {
    "transfer_set": ["transfer_to_identity", "transfer_to_billing", "transfer_to_human"],
    "forbidden_unless_expected": ["send_sms"],
    "drop_arguments": ["to", "from"],
    "prose_keys": ["notes"],
    "equality": [
        {"key": "location_id", "match": "suffix", "kind": "alias", "table": "office"},
        {"key": "location_ids", "kind": "alias_set", "table": "office"},
        {"key": "carrier", "kind": "compact_alias", "table": "carrier"},
        {"key": "start", "kind": "minute", "parity": True},
        {"key": "callback_number", "kind": "digits", "parity": True},
    ],
    "aliases": {
        "office": {"normalise": "trim_lower", "map": {"park avenue": "loc_park_ave", "windermere": "loc_windermere"}},
        "carrier": {"normalise": "compact", "map": {"bcbs": "bcbs", "bluecross": "bcbs"}},
    },
    "tables": {
        "patients": {"rule": "exact"},
        "appointments": {"rule": "exact"},
        "waitlist": {"rule": "subset_or_empty", "drop": ["id"]},
    },
    "drop_columns": ["created_at", "description"],
    "order": {"identity": ["verify_identity"], "before": [["verify_identity", "cancel_appointment"]]},
}
LAW_FIRM = {
    "transfer_set": ["transfer_to_screening"],
    "fact_keys": ["reason"],
    "prose_keys": ["full_name", "summary"],
    "skip_keys": ["reason"],
    "presence_keys": ["full_name"],
    "equality": [
        {"key": "for_whom", "kind": "fuzzy_name"},
        {"key": "opposing_party", "kind": "fuzzy_name"},
        {"key": "state", "kind": "alias", "table": "states", "tool": "record_intake", "parity": True},
        {"key": "practice_area", "kind": "alias", "table": "areas", "parity": True},
    ],
    "aliases": {
        "states": {"normalise": "letters", "map": {"california": "CA"}},
        "areas": {"normalise": "spaces", "map": {"car accident": "auto_accident"}},
    },
    "tables": {
        "intakes": {"rule": "constrained_count"},
        "messages": {"rule": "constrained_cover"},
    },
    "drop_columns": ["created_at", "summary"],
}
SHOP = {
    "transfer_set": ["transfer_to_orders"],
    "fact_keys": ["order_number"],
    "prose_keys": ["phone", "reason"],
    "equality": [
        {"key": "order_number", "kind": "suffix_digits", "parity": True},
        {"key": "order_number", "kind": "output_names", "parity": True},
        {"key": "service_type", "kind": "alias", "table": "services", "parity": True},
        {"key": "reason_code", "kind": "alias", "table": "reasons", "parity": True},
    ],
    "aliases": {
        "services": {"normalise": "underscores", "map": {"store": "bench"}},
        "reasons": {"normalise": "underscores", "map": {}},
    },
    "tables": {"rmas": {"rule": "exact", "drop": ["reason"]}, "holds": {"rule": "exact"}},
    "json_columns": {"holds.payload": {"drop": ["reason"]}},
}
PACKS = {"clinic": CLINIC, "law firm": LAW_FIRM, "shop": SHOP}

Judge = Callable[..., Verdict]


def element(arguments: Any = None, **more: Any) -> dict[str, Any]:
    return {**({} if arguments is None else {"parameters": arguments}), **more}


def _judge(
    pack: str | dict[str, Any],
    *,
    expected: Sequence[Any] = (),
    actual: Sequence[tuple[Any, ...]] = (),
    path: Sequence[str] = (),
    locked: Any = None,
    state: Any = None,
    schemas: dict[str, Any] | None = None,
    result: dict[str, Any] | None = None,
    **options: Any,
) -> Verdict:
    """`actual` lists (name, arguments, element fields); `expected` the same or raw entries."""
    scoring, own_schemas = _rules(pack)
    task: dict[str, Any] = {
        "exp_tool_calls": [
            {"name": one[0], **element(*one[1:2], **(one[2] if len(one) > 2 else {}))}
            if isinstance(one, tuple)
            else one
            for one in expected
        ],
        "exp_handoff_path": list(path),
    }
    if locked is not None:
        task["exp_db_state"] = locked
    groups = [{"name": one[0], "actual": [element(*one[1:2], **(one[2] if len(one) > 2 else {}))]} for one in actual]
    return verify(
        task=task,
        result={"status": "COMPLETED", "tool_calls": groups, **(result or {})},
        state=state,
        scoring=scoring,
        tool_schemas=own_schemas if schemas is None else schemas,
        **options,
    )


def _rules(pack: str | dict[str, Any]) -> tuple[Scoring, Mapping[str, Any]]:
    """Rules from keywords, of a toy above, or of an industry with its tools."""
    if isinstance(pack, str) and pack not in PACKS:
        return industry(pack)
    return compile_scoring(ScoringFile(version=1, **(PACKS[pack] if isinstance(pack, str) else pack))), {}


@cache
def industry(pack: str) -> tuple[Scoring, Mapping[str, Any]]:
    """Scoring rules of an industry and its input schemas."""
    home = INDUSTRIES / pack.replace("-", "_")
    catalogue = json.loads((home / "tools.json").read_text())
    return read_scoring(home / "scoring.json"), {tool["name"]: tool["inputSchema"] for tool in catalogue["tools"]}


Group = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A whole task, and the trial that meets all it asks for."""

    pack: str
    path: Path

    @property
    def task(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return loaded

    def calls(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Hops of the expected path, then the other expected calls; a call that is a hop of the path stands once."""
        task = self.task
        rest, hops = list(task["exp_tool_calls"]), []
        for name in task["exp_handoff_path"]:
            at = next((at for at, call in enumerate(rest) if call["name"] == name), None)
            hops.append({"name": name} if at is None else rest.pop(at))
        return hops, rest

    def judged(self, calls: Sequence[dict[str, Any]], state: Any = None, **more: Any) -> Verdict:
        scoring, schemas = industry(self.pack)
        result = {"status": "COMPLETED", "tool_calls": [group(call, 100 * at) for at, call in enumerate(calls)]}
        options = {"result": result, "task": self.task, "scoring": scoring, "tool_schemas": schemas, **more}
        return verify(state=self.task["exp_db_state"] if state is None else state, **options)


def group(call: Mapping[str, Any], start_offset_ms: int) -> Group:
    element = {key: value for key, value in call.items() if key != "name"}
    return {"name": call["name"], "actual": [{**element, "start_offset_ms": start_offset_ms}]}


def all_cases() -> Iterator[Any]:
    """Public samples where they are present, our own tasks always."""
    folders = [(f"sample {pack}", pack, SAMPLES / pack) for pack in SAMPLED]
    folders += [
        ("own suite", "healthcare", TESTS / "suites" / "healthcare"),
        ("own healthcare", "healthcare", INDUSTRIES / "healthcare" / "tasks"),
        ("own control-industry", "control-industry", INDUSTRIES / "control_industry" / "fixture"),
    ]
    for label, pack, folder in folders:
        for path in sorted(folder.glob("*/task.json")):
            yield pytest.param(Case(pack, path), id=f"{label} {path.parent.name}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", list(all_cases()))


@pytest.fixture
def rules() -> Callable[[str], tuple[Scoring, Mapping[str, Any]]]:
    return industry


@pytest.fixture
def judge() -> Judge:
    return _judge
