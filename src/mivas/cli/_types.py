"""Option types that several commands share."""

from __future__ import annotations

import math
from typing import Any

import click


class Share(click.FloatRange):
    """A number between 0 and 1. click's own range lets NaN through, which no comparison can fail."""

    def __init__(self, *, inside: bool = False) -> None:
        super().__init__(0, 1, min_open=inside, max_open=inside)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number between 0 and 1.", param, ctx)
        return number
