"""Office facts, and how a spoken office becomes one of the three."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field

from mivas.industries._shared.outcomes import Outcome
from mivas.industries.healthcare.handlers._arguments import given, trimmed
from mivas.industries.healthcare.handlers._inputs import Input, OfficeId, Zip
from mivas.state import Arguments, Call, tool


class _Place(Input):
    zip: NotRequired[Annotated[Zip, Field(description="Five-digit ZIP code; offices there come first.")]]
    location_id: NotRequired[Annotated[OfficeId, Field(description="Office to list first.")]]


@tool(_Place)
def list_locations(call: Call, arguments: Arguments) -> Outcome:
    """Use for anything about an office: where it is, floor and suite, hours, services, transit, parking, whether it
    does cosmetic work, and its id. Returns all offices, the one asked about first, and changes nothing. For open
    times use find_slots, for plans check_plan_accepted."""
    asked = next((value for key in ("location_id", "name", "location") if (value := given(arguments, key))), None)
    office, zip_code = office_id(call, asked), trimmed(arguments.get("zip"))
    rows = [row | {"offers_cosmetic": bool(row["offers_cosmetic"])} for row in call.rows(_ALL_OFFICES)]
    rows.sort(key=lambda row: (row["id"] != office, row["zip"] != zip_code))
    return {"locations": rows}


_ALL_OFFICES = "SELECT * FROM locations ORDER BY id"


def office_id(call: Call, value: object) -> str | None:
    """The office that `value` names by exact id or exact name, in any case; None when it names none."""
    return call.scoring.canonical("office", value)


def find_office(call: Call, value: object) -> dict[str, Any] | None:
    """The row of the office that `value` names, or None."""
    office = office_id(call, value)
    return None if office is None else call.one("SELECT * FROM locations WHERE id = ?", office)
