"""What a check of files has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One defect: where it stands, what is wrong, and how to mend it."""

    where: str
    """File relative to the pack's or the task's folder, with the spot inside it."""
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.mend}"
