"""The closed argument types that agents are shown. Handlers never rely on them: the service checks no schema."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict


class Input(TypedDict):
    """Base of every tool's arguments: no key beyond the listed ones."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]


class NoInput(Input):
    """A tool without arguments."""


_LETTER = r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u00FF"

PersonName: TypeAlias = Annotated[str, Field(pattern=rf"^[{_LETTER}][{_LETTER} '.-]*$", min_length=1, max_length=80)]
Date: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", json_schema_extra={"format": "date"})]
# Without "format": "date-time" means seconds and a zone, which local wall time doesn't have.
Minute: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$")]
Zip: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{5}$")]
Phone: TypeAlias = Annotated[str, Field(pattern=r"^\+[1-9][0-9]{7,14}$")]
SlotId: TypeAlias = Annotated[str, Field(pattern=r"^slot_loc_(park_ave|brooklyn_heights|windermere)_[0-9]+$")]
AppointmentId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]+$")]
MemberId: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{4,20}$")]
GroupNumber: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{2,20}$")]
SecondFactor: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{4,5}$")]
Cents: TypeAlias = Annotated[int, Field(ge=1)]

OfficeId: TypeAlias = Literal["loc_park_ave", "loc_brooklyn_heights", "loc_windermere"]
ProviderId: TypeAlias = Literal["prov_chen", "prov_ruiz", "prov_patel"]
CarrierSlug: TypeAlias = Literal[
    "aetna", "unitedhealthcare", "cigna", "bcbs", "medicare", "medicaid", "oscar_health", "other"
]
