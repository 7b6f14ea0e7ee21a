"""Agents that know the answer, agents that know nothing, and the proofs of a suite built on them.

Judges nothing itself: each trial is an ordinary one, and the verifier has the say.
"""

from mivas.errors import UnknownName
from mivas.probe._case import CaseProof, Sabotage
from mivas.probe._coverage import Coverage, Covered, coverage_of, draw_coverage
from mivas.probe._doubled import DoubledHarness, doubled
from mivas.probe._floors import FLOORS, EscalateHarness, ReadHarness, write_at_random
from mivas.probe._nop import NopHarness
from mivas.probe._oracle import OracleHarness
from mivas.probe._probe import ProbeReport, Watch, probe
from mivas.probe._replay import Mode, Replay, ReplayedTask, ReplayTarget, replay
from mivas.probe._saboteur import FAULTS, SaboteurHarness, saboteur
from mivas.probe._stage import Stage
from mivas.probe._states import BuiltState, build_states
from mivas.probe._survivors import SurvivorFile, read_survivors, survivors_path
from mivas.probe._walk import planned_steps

__all__ = [
    "FAULTS",
    "FLOORS",
    "BuiltState",
    "CaseProof",
    "Coverage",
    "Covered",
    "DoubledHarness",
    "Mode",
    "NopHarness",
    "OracleHarness",
    "ProbeReport",
    "Replay",
    "ReplayTarget",
    "ReplayedTask",
    "Sabotage",
    "SaboteurHarness",
    "Stage",
    "SurvivorFile",
    "Watch",
    "build_states",
    "coverage_of",
    "doubled",
    "draw_coverage",
    "escalate_always",
    "nop",
    "oracle",
    "planned_steps",
    "probe",
    "read_everything",
    "read_exhaustive",
    "read_survivors",
    "replay",
    "saboteur",
    "survivors_path",
    "write_at_random",
]


def oracle(argument: str | None) -> OracleHarness:
    """Entry point `mivas.harnesses: oracle`. Raises UnknownName when given an argument."""
    _no_argument("oracle", argument)
    return OracleHarness()


def nop(argument: str | None) -> NopHarness:
    """Entry point `mivas.harnesses: nop`. Raises UnknownName when given an argument."""
    _no_argument("nop", argument)
    return NopHarness()


def escalate_always(argument: str | None) -> EscalateHarness:
    """Entry point `mivas.harnesses: escalate-always`. Raises UnknownName when given an argument."""
    _no_argument("escalate-always", argument)
    return EscalateHarness()


def read_everything(argument: str | None) -> ReadHarness:
    """Entry point `mivas.harnesses: read-everything`. Raises UnknownName when given an argument."""
    _no_argument("read-everything", argument)
    return ReadHarness("read-everything", exhaustive=False)


def read_exhaustive(argument: str | None) -> ReadHarness:
    """Entry point `mivas.harnesses: read-exhaustive`. Raises UnknownName when given an argument."""
    _no_argument("read-exhaustive", argument)
    return ReadHarness("read-exhaustive", exhaustive=True)


def _no_argument(name: str, argument: str | None) -> None:
    if argument is not None:
        raise UnknownName(f"{name} takes no argument, got {argument!r}", where="--harness", mend=f"say {name}")
