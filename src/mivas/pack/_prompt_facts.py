"""`prompts/facts.json`: what a pack's prompts may name beside its tool catalogue. Source: docs/prompts.md.

Data only: `_prompt_check` holds the prompts against it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mivas.pack._reading import read_model

FACTS = "prompts/facts.json"

Text = Annotated[str, Field(min_length=1)]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FigureFile(_File):
    """One number that a policy of the pack makes true."""

    value: int | float
    """As it is said: dollars, not cents."""
    unit: Text | None = None
    """Noun after the number, in the singular and lower case ("business day"); None: the number stands alone."""
    means: Text
    """The rule it comes from, for readers."""


class PromptFactsFile(_File):
    """`prompts/facts.json`."""

    version: Literal[1]
    figures: tuple[FigureFile, ...] = ()
    examples: tuple[Text, ...] = ()
    """Passages that only show how something is said or spelt; their dates and bare numbers are nobody's policy."""
    answers: dict[Text, tuple[Text, ...]] = {}
    """Fields, statuses and error codes by the tool that returns them; whoever has the tool is told of each."""
    unsaid: dict[Text, tuple[Text, ...]] = {}
    """Tools, arguments and values that the prompt of a node keeps quiet about on purpose, by node."""


NO_FACTS = PromptFactsFile(version=1)
"""Of a pack whose prompts name no number."""


def read_prompt_facts(folder: Path) -> PromptFactsFile:
    """Facts of a pack folder; none when it has no such file. Raises PackError."""
    path = folder / FACTS
    return read_model(PromptFactsFile, path) if path.exists() else NO_FACTS
