"""A small bench for the verifier: scoring rules from keywords, calls as short tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.verify import Verdict, verify

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
    keys = PACKS[pack] if isinstance(pack, str) else pack
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
        scoring=compile_scoring(ScoringFile(version=1, **keys)),
        tool_schemas=schemas or {},
        **options,
    )


@pytest.fixture
def judge() -> Judge:
    return _judge
