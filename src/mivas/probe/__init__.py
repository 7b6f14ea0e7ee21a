"""Agents that know the answer, agents that do nothing, and the proofs of a suite built on them."""

from mivas.errors import UnknownName
from mivas.probe._nop import NopHarness
from mivas.probe._oracle import OracleHarness
from mivas.probe._replay import Mode, Replay, ReplayedTask, ReplayTarget, replay
from mivas.probe._walk import planned_steps

__all__ = [
    "Mode",
    "NopHarness",
    "OracleHarness",
    "Replay",
    "ReplayTarget",
    "ReplayedTask",
    "nop",
    "oracle",
    "planned_steps",
    "replay",
]


def oracle(argument: str | None) -> OracleHarness:
    """Entry point `mivas.harnesses: oracle`. Raises UnknownName when given an argument."""
    _no_argument("oracle", argument)
    return OracleHarness()


def nop(argument: str | None) -> NopHarness:
    """Entry point `mivas.harnesses: nop`. Raises UnknownName when given an argument."""
    _no_argument("nop", argument)
    return NopHarness()


def _no_argument(name: str, argument: str | None) -> None:
    if argument is not None:
        raise UnknownName(f"{name} takes no argument, got {argument!r}", where="--harness", mend=f"say {name}")
