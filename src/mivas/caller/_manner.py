"""How a caller takes turns: when it answers, when it cuts in, when it gives way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from mivas.errors import UnknownName

Range: TypeAlias = tuple[int, int]
"""ms, drawn from evenly for each turn, both ends included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """Turn-taking of one person. All times in ms."""

    end_of_turn_ms: Range = (800, 1100)
    """Silence after which it takes the agent's turn to be over and speaks."""
    gives_way_ms: int | None = 1200
    """The agent's speech into its own after which it stops; None: it always finishes."""
    cuts_in_ms: Range | None = None
    """The agent's speech after which it cuts in; None: never (scoring.md 8.2, interruptions none)."""
    backchannel_ms: Range | None = None
    """The agent's speech after which it says "mm-hm" without taking the turn; None: never."""


MANNERS: Mapping[str, Manner] = MappingProxyType(
    {
        "patient": Manner(),
        "brisk": Manner(end_of_turn_ms=(500, 700)),
        "slow": Manner(end_of_turn_ms=(1500, 2500)),
        "backchannelling": Manner(backchannel_ms=(2000, 3500)),
        "interrupting": Manner(cuts_in_ms=(3500, 6000), gives_way_ms=None),
    }
)
"""By the name that `--manner` takes."""
DEFAULT_MANNER = "patient"


def manner_named(name: str) -> Manner:
    """Raises UnknownName."""
    try:
        return MANNERS[name]
    except KeyError:
        raise UnknownName(f"no such manner: {name}", where="--manner", mend=f"one of {', '.join(MANNERS)}") from None
