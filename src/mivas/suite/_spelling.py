"""How a task file of ours is spelt."""

from __future__ import annotations

import json

WIDTH = 118


def task_text(task: object) -> str:
    """A task object as the text of its file: what fits stays on one line, and a table's row always does."""
    return _text(task, 0) + "\n"


def _text(value: object, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or depth > 2 or (depth and len(line) + 2 * depth <= WIDTH):
        return line
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    items = value.values() if isinstance(value, dict) else value
    pad = "  " * (depth + 1)
    lines = [f"{pad}{key}{_text(item, depth + 1)}" for key, item in zip(keys, items, strict=True)]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([left, ",\n".join(lines), "  " * depth + right])
