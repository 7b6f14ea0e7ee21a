"""Writes `exp_db_state` of our own tasks by playing their solutions; with --check only compares.

    python tests/suites/build_states.py [--check] [FOLDER ...]

A FOLDER is named after its pack (`tests/suites/healthcare`) or is a pack's own `tasks`; default: all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mivas.errors import MivasError
from mivas.pack import known_packs, pack_folder
from mivas.run import LocalBackend, RunOptions, start_run

HERE = Path(__file__).parent
WIDTH = 118
DROPPED = "created_at"
"""Depends on the moment of a write, so no lock may hold it (scoring.md 3.9)."""


@dataclass(frozen=True, kw_only=True)
class BuiltState:
    """What playing one task's solution came to."""

    task_file: Path
    state: Mapping[str, Any]
    complaints: tuple[str, ...]
    """Why the solution is no proof: a gate that its own lock fails."""


def default_folders() -> list[Path]:
    """Folders of `<id>/task.json` of every installed pack: ours beside this file, and the pack's own."""
    candidates = [*HERE.iterdir(), *(pack_folder(name) / "tasks" for name in known_packs())]
    return sorted(folder for folder in candidates if any(folder.glob("*/task.json")))


def pack_of(folder: Path) -> str:
    """The pack a folder's tasks belong to.

    >>> pack_of(Path("industries/control_industry/tasks")), pack_of(Path("tests/suites/healthcare"))
    ('control-industry', 'healthcare')
    """
    name = folder.parent.name if folder.name == "tasks" else folder.name
    return name.replace("_", "-")


def built_states(folder: Path) -> Iterator[BuiltState]:
    """Let the oracle play every solution of a folder on a fresh database each. Raises MivasError."""
    options = RunOptions(packs=(pack_of(folder),), harness="oracle", tasks=str(folder))
    with tempfile.TemporaryDirectory(prefix="mivas-states-") as scratch:
        played = start_run(
            options,
            Path(scratch) / "run",
            LocalBackend(),
            started_utc=datetime.now(UTC),
            command="build_states",
            watch=lambda _: None,
        )
        for record, verdict in zip(played.records, played.verdicts, strict=True):
            state = json.loads((played.root / record["files"]["state"]).read_text())
            yield BuiltState(
                task_file=folder / verdict["task_id"] / "task.json",
                state={table: [_without_moment(row) for row in rows] for table, rows in state.items()},
                complaints=tuple(reason["text"] for reason in verdict["reasons"] if reason["gate"] != "D"),
            )


def _without_moment(row: Mapping[str, Any]) -> dict[str, Any]:
    return {column: value for column, value in row.items() if column != DROPPED}


def json_text(value: object, *, depth: int = 0) -> str:
    """JSON as our task files spell it: what fits stays on one line, and a table's row always does."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or depth > 2 or (depth and len(line) + 2 * depth <= WIDTH):
        return line
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    items = value.values() if isinstance(value, dict) else value
    pad = "  " * (depth + 1)
    lines = [f"{pad}{key}{json_text(item, depth=depth + 1)}" for key, item in zip(keys, items, strict=True)]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([left, ",\n".join(lines), "  " * depth + right])


def main(arguments: list[str]) -> int:
    """0: every state is as built; 1: one differs (--check) or its solution fails its own lock."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 when a state differs")
    given = parser.parse_args(arguments)
    try:
        faults = [fault for folder in given.folders or default_folders() for fault in _faults(folder, given.check)]
    except MivasError as error:
        faults = [str(error)]
    print("\n".join(faults) if faults else "every expected state is what its solution leaves behind")
    return 1 if faults else 0


def _faults(folder: Path, check: bool) -> Iterator[str]:
    for built in built_states(folder):
        for complaint in built.complaints:
            yield f"{built.task_file}: the solution fails its own lock: {complaint}"
        task = json.loads(built.task_file.read_text())
        # As text, because the order of tables and columns is part of the file.
        if json.dumps(task.get("exp_db_state")) == json.dumps(built.state) or built.complaints:
            continue
        if check:
            yield f"{built.task_file}: exp_db_state differs from what the solution leaves behind"
        else:
            built.task_file.write_text(json_text(task | {"exp_db_state": built.state}) + "\n")
            print(f"wrote {built.task_file}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
