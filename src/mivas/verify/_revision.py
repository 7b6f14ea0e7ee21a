"""Which verifier judged: a fingerprint of the code that can move a verdict."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_ROOM = Path(__file__).parent
_SHARED = ("_equality.py", "_scoring.py")


@cache
def verifier_revision() -> str:
    """First 12 hex digits of the sha256 over this room's sources and the two rule modules of `pack`."""
    shared = [_ROOM.parent / "pack" / name for name in _SHARED]
    digest = hashlib.sha256()
    for path in (*sorted(_ROOM.glob("*.py")), *shared):
        digest.update(f"{path.parent.name}/{path.name}\n".encode())
        # a checkout with other line ends is the same verifier
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:12]
