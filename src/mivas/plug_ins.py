"""Plug-ins by entry point: a look-up that imports only what is asked for."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from mivas.errors import UnknownName

__all__ = ["known_plug_ins", "load_plug_in"]


def known_plug_ins(group: str) -> tuple[str, ...]:
    """Names in an entry-point group, sorted. Imports none of them."""
    return tuple(sorted({entry.name for entry in entry_points(group=group)}))


def load_plug_in(group: str, name: str, what: str) -> Any:
    """Import one plug-in, and no other.

    Args:
        what: what it is called in an error, such as "harness".
    Raises UnknownName: nobody registered the name (the known ones are told), or its import failed (its distribution is
    told: a plug-in is foreign code, whatever it raises is that distribution's defect).
    """
    for entry in entry_points(group=group):
        if entry.name != name:
            continue
        try:
            return entry.load()
        except (Exception, SystemExit) as error:
            raise UnknownName(
                f"{what} {name!r} can't be imported ({type(error).__name__}: {error})",
                where=f"distribution {entry.dist.name if entry.dist else 'unknown'}",
                mend="install what it needs; `mivas doctor` tells",
            ) from error
    raise UnknownName(f"no {what} {name!r}", where=group, mend=f"choose from {', '.join(known_plug_ins(group))}")
