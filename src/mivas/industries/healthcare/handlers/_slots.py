"""Openings: there is no inventory. Every office offers the same three, for ever, however often they are booked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from mivas.industries.healthcare.handlers._arguments import minute_form
from mivas.state import Call

SLOT_LENGTH = timedelta(minutes=30)
_OPENINGS = tuple(map(datetime.fromisoformat, ("2026-08-24T09:00", "2026-08-25T11:30", "2026-08-26T14:00")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One opening of an office, with that office's provider."""

    slot_id: str
    location_id: str
    location: str
    provider_id: str
    provider: str
    """Name and credentials as spoken."""
    start: datetime

    @property
    def end(self) -> datetime:
        return self.start + SLOT_LENGTH

    def offer(self) -> dict[str, object]:
        """The slot as an agent reads it."""
        return {
            "slot_id": self.slot_id,
            "location_id": self.location_id,
            "location": self.location,
            "provider_id": self.provider_id,
            "provider": self.provider,
            "start": minute_form(self.start),
            "end": minute_form(self.end),
        }


def office_slots(call: Call, location_id: str) -> list[Slot]:
    """The openings of an office in order of time."""
    return [slot for slot in all_slots(call) if slot.location_id == location_id]


def all_slots(call: Call) -> Iterator[Slot]:
    """The openings of every office. An office's provider is its first by id."""
    offices = call.rows(
        "SELECT l.id, l.name, p.id AS provider_id, p.name AS provider, p.credentials FROM locations l "
        "JOIN providers p ON p.id = (SELECT min(id) FROM providers WHERE location_id = l.id) ORDER BY l.id"
    )
    for office in offices:
        for index, start in enumerate(_OPENINGS, start=1):
            yield Slot(
                slot_id=f"slot_{office['id']}_{index}",
                location_id=office["id"],
                location=office["name"],
                provider_id=office["provider_id"],
                provider=f"{office['provider']}, {office['credentials']}",
                start=start,
            )
