"""Copies of pack folders that a test may break, and one sound task to break."""

from __future__ import annotations

import copy
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import pack_folder

REPOSITORY = Path(__file__).parents[2]

CopyPack = Callable[[str], Path]
EditJson = Callable[[Path, Callable[[Any], None]], None]


@pytest.fixture
def copy_pack(tmp_path: Path) -> CopyPack:
    """Copy a pack's folder, its own tasks left out."""

    def copied(name: str) -> Path:
        target = tmp_path / name
        shutil.copytree(pack_folder(name), target, ignore=shutil.ignore_patterns("tasks", "__pycache__"))
        return target

    return copied


@pytest.fixture
def reference_tasks() -> Path:
    """Sample tasks of the public release, where they exist."""
    root = Path(os.environ.get("MIVAS_REFERENCE") or REPOSITORY.parent / "shared" / "reference") / "tasks"
    if not root.is_dir():
        pytest.skip("no sample data of the public release here")
    return root


def edit_json(path: Path, change: Callable[[Any], None]) -> None:
    """Read a JSON file, let `change` alter it in place, write it back."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


TASK: dict[str, Any] = {
    "task_name": "C1-M1: Follow-up for an existing patient",
    "customer_name": "Sam Nguyen",
    "intent": "You want a follow-up visit at Brooklyn Heights.",
    "traits": [{"trait_name": "full_name", "value": "Sam Nguyen"}],
    "exp_handoff_path": ["transfer_to_identity", "transfer_to_scheduling"],
    "exp_tool_calls": [
        {"name": "verify_identity", "parameters": {"full_name": "Sam Nguyen", "dob": "1985-11-03"}},
        {"name": "find_slots", "parameters": {"location_ids": ["loc_brooklyn_heights"]}},
    ],
    "scripted_responses": [
        {
            "match_type": "context",
            "match_phrase": "offers a text",
            "response_type": "phrase",
            "response_value": "No text, thanks.",
        }
    ],
    "behaviors": {"creativity": 0},
    "customer_available_tools": {},
    "metadata": {
        "category": "C1",
        "category_slug": "new-patient-access",
        "difficulty": "medium",
        "audio_condition": "perfect",
    },
    "exp_db_state": {},
}

SOLUTION: dict[str, Any] = {
    "version": 1,
    "steps": [
        {"handoff": "transfer_to_identity", "arguments": {"next_intent": "scheduling"}},
        {"hear": "name"},
        {"hear": "dob"},
        {
            "call": "verify_identity",
            "arguments": {"full_name": {"$fact": "name"}, "dob": {"$fact": "dob"}},
            "expect": {"ok": True},
        },
        {"handoff": "transfer_to_scheduling"},
        {
            "call": "find_slots",
            "arguments": {"location_ids": ["loc_brooklyn_heights"]},
            "expect": {"ok": True},
            "as": "openings",
        },
        {
            "call": "book_appointment",
            "arguments": {
                "slot_id": {"$out": "openings.data.slots.0.slot_id"},
                "appointment_type_code": "MED_FOLLOWUP",
                "location_id": "loc_brooklyn_heights",
                "provider_id": {"$out": "openings.data.slots.0.provider_id"},
                "start": {"$out": "openings.data.slots.0.start"},
                "end": {"$out": "openings.data.slots.0.end"},
            },
            "expect": {"ok": True},
        },
        {"say": "You are booked."},
        {"end": "end_call", "arguments": {"reason": "caller_done"}},
    ],
}

CALLER: dict[str, Any] = {
    "version": 1,
    "opening": "Hi, I need a follow-up.",
    "facts": [
        {"id": "name", "value": "Sam Nguyen", "say": "Sam Nguyen", "answers": ["name"]},
        {"id": "dob", "value": "1985-11-03", "say": "third of November, eighty-five", "answers": ["date_of_birth"]},
    ],
    "goals": [
        {"id": "visit", "ask": ["A visit, please."], "met_when": {"offer": "booking"}, "again": "And the visit?"}
    ],
    "pins": [{"index": 0, "when": {"offer": "text"}}],
    "changes": [{"after": "visit", "fact": "dob", "to": "1985-11-04", "say": "The fourth, sorry."}],
    "exit": {"when": ["visit"], "say": "Bye."},
}


def write_task(folder: Path, canary: str, task_id: str = "C1-M1") -> Path:
    """Put one sound task, its solution and its caller into a pack's `tasks` folder; returns the task's folder."""
    target = folder / "tasks" / task_id
    target.mkdir(parents=True)
    task = copy.deepcopy(TASK) | {"task_name": f"{task_id}: {TASK['task_name'].partition(': ')[2]}"}
    for name, data in (("task", task), ("solution", SOLUTION), ("caller", CALLER)):
        document = data if name == "task" else data | {"canary": canary}
        (target / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return target


@pytest.fixture
def edit() -> EditJson:
    return edit_json


@pytest.fixture
def healthcare_with_task(copy_pack: CopyPack) -> Path:
    """A copy of healthcare whose own suite is one sound task, C1-M1."""
    folder = copy_pack("healthcare")
    canary = json.loads((folder / "pack.json").read_text(encoding="utf-8"))["canary"]
    write_task(folder, canary)
    return folder
