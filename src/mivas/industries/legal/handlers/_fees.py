"""What a kind of case costs, as the tools say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mivas.industries.legal.handlers._policy import CONTINGENCY


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeTerms:
    """Terms of one kind of case."""

    fee_type: str | None
    """None for a kind of case the firm doesn't take."""
    pct_prefiling: float
    """Percent of what is recovered; a whole one is an int."""
    pct_litigation: float
    """The same once suit is filed."""
    consult_fee: int
    """Whole dollars."""

    def spoken(self) -> str:
        """The terms in a sentence. A contingency fee is named without any amount of money."""
        if self.fee_type != CONTINGENCY:
            return f"The consultation fee is ${self.consult_fee}."
        return (
            "The evaluation is free and you owe nothing unless we win. "
            f"Our fee is {self.pct_prefiling}% of what we recover, and {self.pct_litigation}% once a lawsuit is filed."
        )


def fee_terms(area: Mapping[str, Any]) -> FeeTerms:
    """The terms in a row of `practice_areas`."""
    return FeeTerms(
        fee_type=area["fee_type"],
        pct_prefiling=_percent(area["pct_prefiling"]),
        pct_litigation=_percent(area["pct_litigation"]),
        consult_fee=area["consult_fee"],
    )


def _percent(value: float) -> float:
    """A whole percentage as an int.

    >>> _percent(40.0), _percent(33.33)
    (40, 33.33)
    """
    return int(value) if value.is_integer() else value
