"""The oracle: an agent that knows the answer and proves that a case can be passed.

With a `solution.json` it walks the solution, sending a `$fact` only after the caller said it. Without one (public
suites) it walks the lock's calls, completed by the pack's rules, in the order of design.md 4; since such a lock doesn't
say which answers are refusals, it goes on whatever is answered.
"""

from __future__ import annotations

from collections.abc import Sequence

from mivas.harness import Capabilities, Desk, TextAgent
from mivas.pack import Pack, Task
from mivas.pack import steps as step_kinds
from mivas.probe._completion import completed_calls
from mivas.probe._walk import planned_steps
from mivas.probe._walker import Walker


def correct_steps(pack: Pack, task: Task) -> Sequence[step_kinds.Step]:
    """How a correct agent does it: the solution, else the completed lock on a legal walk."""
    if task.solution is not None:
        return task.solution.steps
    return planned_steps(pack.blueprint, task, completed_calls(pack, task))


class OracleHarness:
    """Harness of the oracle. Shown the task; never on a leaderboard."""

    name = "oracle"
    revision = "2"
    capabilities = Capabilities(modes=("text",), clock="virtual", knows_answers=True)

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:
        return Walker(desk, correct_steps(pack, task), task, pack.envelope, strict=task.solution is not None)
