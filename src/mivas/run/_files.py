"""Writing files of a run so that a crash leaves the old one or the new one, never half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mivas.errors import JournalError


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about a path of the run into a JournalError."""
    try:
        yield
    except OSError as error:
        raise JournalError(
            f"can't be used ({error.strerror or error})", where=str(path), mend="check path, space and permissions"
        ) from None


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file in one step. Raises JournalError."""
    temporary = path.with_name(path.name + ".tmp")
    with journal_errors(path):
        temporary.write_bytes(data)
        os.replace(temporary, path)
