"""Where sample data of the public release lies, and the suite name it goes by (formats.md 1 and 7)."""

from __future__ import annotations

import os
from pathlib import Path

PUBLIC_SUITE = "public-2026-08"


def reference_root() -> Path:
    """`$MIVAS_REFERENCE`, by default `../shared/reference`."""
    return Path(os.environ.get("MIVAS_REFERENCE") or "../shared/reference")


def suite_name(tasks: Path | None) -> str | None:
    """`public-2026-08` for tasks below the reference folder, else None: the loader makes a name from the path."""
    if tasks is not None and tasks.resolve().is_relative_to(reference_root().resolve()):
        return PUBLIC_SUITE
    return None
