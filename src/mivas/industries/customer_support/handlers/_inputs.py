"""The argument types that agents are shown. They stay open: no enum, no pattern, and extra keys are ignored."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict


class NoInput(TypedDict):
    """A tool without arguments."""


OrderNumber: TypeAlias = Annotated[
    str, Field(description="Order number, its digits or the product's name, as the caller put it.")
]
Sku: TypeAlias = Annotated[str, Field(description="SKU or name of the item, for an order with several items.")]
Opened: TypeAlias = Annotated[
    bool, Field(description="Whether the box is open, when the caller said so; the record counts otherwise.")
]
Token: TypeAlias = Annotated[str, Field(description="Confirmation token from the quote that the caller agreed to.")]
Phone: TypeAlias = Annotated[str, Field(description="Telephone number as the caller gave it.")]
Email: TypeAlias = Annotated[str, Field(description="E-mail address as the caller gave it.")]
