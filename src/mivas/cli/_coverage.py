"""The coverage of a suite as a table and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mivas.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from mivas.probe import Coverage

MOST_NAMED = 6
"""Untouched names told for each kind; all of them stand in the JSON document."""
_FORMATS = (".png", ".svg", ".pdf")


def coverage_table(covered: Coverage, title: str) -> Table:
    """One row a kind: how much is touched, and the first of what isn't."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("kind", no_wrap=True)
    table.add_column("touched", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("untouched", overflow="fold")
    for kind, one in covered.items():
        touched, total = one.count
        more = len(one.missing) - MOST_NAMED
        told = ", ".join(one.missing[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        table.add_row(kind.replace("_", " "), str(touched), str(total), told)
    return table


def check_drawable(picture: Path) -> None:
    """Raise InputError for a file nobody can draw into, before any work is done."""
    from importlib.util import find_spec

    if picture.suffix not in _FORMATS:
        raise InputError("no picture format", where=str(picture), mend=f"end the name in {', '.join(_FORMATS)}")
    if find_spec("matplotlib") is None:
        raise InputError("needs matplotlib", where="--picture", mend="install mivas[draw]")


def draw_coverage_into(picture: Path, covered: Coverage, title: str) -> None:
    """Draw a bar chart. Raises InputError when the file can't be written."""
    from mivas.probe import draw_coverage

    try:
        draw_coverage(covered, title).savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror})", where=str(picture), mend="choose a folder") from None
