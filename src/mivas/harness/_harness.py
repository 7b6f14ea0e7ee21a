"""What every harness promises, and how one is found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from mivas.endpoint import Endpoint
from mivas.errors import InputError, MivasError, UnknownName
from mivas.harness._desk import Desk
from mivas.plug_ins import known_plug_ins, load_plug_in

ENTRY_POINT_GROUP = "mivas.harnesses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a harness can do, as data for the runner and for `run.json`."""

    modes: tuple[Literal["text", "voice"], ...]
    clock: Literal["virtual", "real"]
    """virtual: answers in no time of its own and may run on a clock that jumps; real: its time is charged."""
    knows_answers: bool = False
    """Offline agents that are shown the task; they prove a suite and never stand on a leaderboard."""
    reports_handoffs: bool = True
    """Whether silence about transfers means that there was none."""
    works_elsewhere: bool = False
    """Whether its agents run outside: their tools come in over a URL of the call's own, their words aren't known."""
    takes_endpoint: bool = False
    """Whether it has `at(endpoint)`, which returns the harness that answers with the model there."""
    models: tuple[str, ...] = ()
    """Names of the models that answer, as their endpoint spells them; empty: none, or unknown."""


class TextAgent(Protocol):
    """The agent's mind in one text call. One instance per call."""

    async def turn(self, heard: str | None) -> str:
        """Take what the caller said last and return what to say now; "" says nothing.

        Called first with None when the agent opens the call, else with the caller's first words. Tools are used
        through the desk before returning. When the desk has hung up, the returned words are the last ones.
        """

    async def aclose(self) -> None:
        """Free everything. Called once, also after a failure; doesn't raise."""


class Harness(Protocol):
    """The adapter between an agent and a pack. Built once per run, answers many calls."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever behaviour may change."""

    @property
    def capabilities(self) -> Capabilities: ...

    def answer(self, desk: Desk) -> TextAgent:
        """Take one call. Doesn't block."""


HarnessFactory: TypeAlias = Callable[[str | None], Any]
"""What an entry point names: takes the text after the colon in `name:argument`, or None."""


def known_harnesses() -> tuple[str, ...]:
    """Names of the installed harnesses, sorted. Imports none of them."""
    return known_plug_ins(ENTRY_POINT_GROUP)


def load_harness(name: str, endpoint: Endpoint | None = None) -> Any:
    """Build the harness called `name` or `name:argument`, importing no other plug-in.

    Args:
        endpoint: for harnesses that take one; None leaves them unconnected, good for a look but not for a call.
    Returns a Harness, or for agents that know the answers an object with `answer_knowing` in place of `answer`.
    Raises UnknownName for a name nobody knows, and for a plug-in that can't be imported or built or is no harness;
    InputError for an address given to a harness that takes none, and for an endpoint it can't use.
    """
    wanted, _, argument = name.partition(":")
    factory: HarnessFactory = load_plug_in(ENTRY_POINT_GROUP, wanted, "harness")
    try:
        harness = factory(argument or None)
    except MivasError:
        raise
    except (Exception, SystemExit) as error:
        # A plug-in is foreign code: whatever its factory raises is told as its defect.
        raise UnknownName(
            f"can't be built ({type(error).__name__}: {error})", where=f"harness {name}", mend="give it what it needs"
        ) from error
    capabilities = getattr(harness, "capabilities", None)
    verbs = _verbs(capabilities) if isinstance(capabilities, Capabilities) else ["answer"]
    if not isinstance(capabilities, Capabilities) or not all(callable(getattr(harness, verb, None)) for verb in verbs):
        raise UnknownName(
            f"its factory made a {type(harness).__name__}, which is no harness",
            where=f"harness {name}",
            mend=f"give it name, revision, capabilities and {' and '.join(f'{verb}(...)' for verb in verbs)}",
        )
    return harness if endpoint is None else _connected(name, harness, endpoint)


def _verbs(capabilities: Capabilities) -> list[str]:
    """What a harness must be able to do for what it says it can."""
    knows = capabilities.knows_answers
    verbs = {"text": "answer_knowing" if knows else "answer", "voice": "knowing" if knows else "pick_up"}
    return [verbs[mode] for mode in capabilities.modes]


def _connected(name: str, harness: Any, endpoint: Endpoint) -> Any:
    if harness.capabilities.takes_endpoint:
        return harness.at(endpoint)
    if endpoint.base_url is not None:
        raise InputError(f"harness {name} reaches no endpoint", where="--base-url", mend="leave it out")
    return harness
