"""`completion.json`: what a replay may add to the calls of a lock. Source: docs/decisions/0012-completion-rules.md.

Data only: who plays the calls applies it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

Name = Annotated[str, Field(min_length=1)]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class SourceFile(_File):
    """Where a value comes from; exactly one form is set."""

    trait: Name | None = None
    digits: bool = False
    """Keep the trait's digits only."""
    unless_trait: Name | None = None
    answer: Name | None = None
    """Dotted path into the data of an earlier successful answer."""
    of: Name | None = None
    """Tool whose answers count; None: any."""
    row: Annotated[str, Field(pattern=r"^[^.]+\.[^.]+$")] | None = None
    """`table.column` of the expected state."""
    value: str | int | float | bool | None = None

    @model_validator(mode="after")
    def _one_form(self) -> SourceFile:
        forms = [name for name in ("trait", "answer", "row", "value") if getattr(self, name) is not None]
        if len(forms) != 1:
            raise ValueError(f"needs exactly one of trait, answer, row, value; got {', '.join(forms) or 'none'}")
        if self.trait is None and (self.digits or self.unless_trait is not None):
            raise ValueError("digits and unless_trait belong to trait")
        if self.answer is None and self.of is not None:
            raise ValueError("of belongs to answer")
        return self


class PlaceFile(_File):
    """Where a call is inserted; exactly one form is set."""

    first: Literal[True] | None = None
    after: Name | None = None
    before: Name | None = None

    @model_validator(mode="after")
    def _one_form(self) -> PlaceFile:
        if sum(form is not None for form in (self.first, self.after, self.before)) != 1:
            raise ValueError("needs exactly one of first, after, before")
        return self


class RowFile(_File):
    """A row that the expected state may hold."""

    table: Name
    column: Name
    value: JsonValue


class InsertFile(_File):
    """A call that a lock leaves out, and when to make it."""

    call: Name
    place: PlaceFile
    unless_listed: tuple[Name, ...] = ()
    if_rows: Name | None = None
    """Table of the expected state that must hold a row."""
    unless_row: RowFile | None = None
    arguments: dict[Name, tuple[SourceFile, ...]] = {}


class FillFile(_File):
    """An argument that a lock leaves out."""

    tool: Name
    argument: Name
    unless_any: tuple[Name, ...] = ()
    """Arguments of the lock that make the rule unnecessary."""
    sources: Annotated[tuple[SourceFile, ...], Field(alias="from", min_length=1)]


class CompletionFile(_File):
    """`completion.json`."""

    version: Literal[1]
    insert: tuple[InsertFile, ...] = ()
    fill: tuple[FillFile, ...] = ()


NOTHING = CompletionFile(version=1)
"""Of a pack that completes nothing."""
