"""Data as scripts: a page opened from disk may load a script, but not fetch a file.

`data/<name>.js` hands its value to the page's registry under its name. Whatever a value holds, it stays a value: what
could end a script or a line of one is escaped.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_RISKY_IN_NAMES = re.compile(r"^\.|[^A-Za-z0-9.\-]")
"""A first dot too: no name may mean the folder it stands in, or the one around."""
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_RISKY = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def safe_name(text: str) -> str:
    """A text as part of a file name and address, the same text always the same; `core.js` knows it as well.

    >>> safe_name("C1-E1-0-c46631ce"), safe_name("a/b c"), safe_name("..")
    ('C1-E1-0-c46631ce', 'a_2fb_20c', '_2e.')
    """
    return _RISKY_IN_NAMES.sub(lambda found: f"_{ord(found[0]):x}", text)


def script_of(name: str, value: Any) -> str:
    """The script that hands `value` to the page under `name`."""
    return f"mivas.data({_json(name)},{_json(value)});\n"


def write_data(folder: Path, name: str, value: Any) -> None:
    """Write `data/<name>.js` below the site's folder."""
    path = folder / "data" / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script_of(name, value), encoding="utf-8")


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return _RISKY.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text)
