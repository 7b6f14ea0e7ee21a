"""Rows of the `appointments` table: writing a booking, finding one again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from mivas.industries.healthcare.handlers import _session
from mivas.industries.healthcare.handlers._arguments import minute_form
from mivas.state import Call

BOOKED = "booked"
CANCELLED = "cancelled"


def insert_booking(
    call: Call, *, location_id: str, provider_id: str, type_code: object, start: str, end: datetime, description: str
) -> dict[str, Any]:
    """Book a visit for the verified patient, or for nobody while the caller is unverified. Returns the new row."""
    row_id = call.insert(
        "appointments",
        {
            "patient_id": _session.patient_id(call),
            "location_id": location_id,
            "provider_id": provider_id,
            "appointment_type_code": type_code,
            "start": start,
            "end": minute_form(end),
            "description": description,
            "status": BOOKED,
            "created_at": call.created_at,
        },
    )
    return appointment(call, row_id)


def appointment(call: Call, row_id: int) -> dict[str, Any]:
    """An existing row. Raises LookupError when there is none."""
    row = call.one("SELECT * FROM appointments WHERE id = ?", row_id)
    if row is None:
        raise LookupError(f"no appointment {row_id}")
    return row


def booked_before(call: Call, location_id: str, type_code: object) -> dict[str, Any] | None:
    """The visit of that type which this patient (or the same nobody) already holds at that office, or None."""
    return call.one(
        "SELECT * FROM appointments WHERE patient_id IS ? AND location_id = ? AND appointment_type_code = ? "
        "AND status = ? ORDER BY id",
        _session.patient_id(call),
        location_id,
        type_code,
        BOOKED,
    )
