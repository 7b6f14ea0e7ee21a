"""The harnesses whose nodes are agents of openai-agents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.harness._call_end import AgentLine, VoiceAgent
from mivas.harness._harness import Capabilities
from mivas.harness.realtime import Address, ProviderSession
from mivas.harness.realtime._address import address_of
from mivas.harness.realtime._profiles import OPENAI, DialectProfile

REVISION = "1"
PACKAGE = "openai-agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsHarness:
    """One model of OpenAI's behind a graph of openai-agents."""

    name: str
    model: str
    profile: DialectProfile = OPENAI
    address: Address | None = None
    clock: str = "real"

    @property
    def revision(self) -> str:
        """Ours and the package's: a newer one may do otherwise."""
        try:
            return f"{REVISION} with {PACKAGE} {version(PACKAGE)}"
        except PackageNotFoundError:
            return REVISION

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            modes=("voice",),
            clock="virtual" if self.clock == "virtual" else "real",
            takes_endpoint=True,
            models=(self.model,),
        )

    def at(self, endpoint: Endpoint) -> AgentsHarness:
        """The same model, reached there. Raises InputError for a missing key, package, or an address that is none."""
        return self.reached(address_of(self.name, self.profile, self.model, endpoint), clock=self.clock)

    def reached(self, address: Address, *, clock: str = "virtual") -> AgentsHarness:
        """The same model at a full address, such as that of a double. Raises InputError where the package is missing.

        The package is imported here: that takes seconds, which no call must wait for.
        """
        try:
            import mivas.harness.openai_agents._session  # noqa: F401
        except ImportError as error:
            raise InputError(
                f"the package {error.name} is missing", where=f"harness {self.name}", mend=f"install mivas[{PACKAGE}]"
            ) from None
        return replace(self, address=address, clock=clock)

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        from mivas.harness.openai_agents._session import AgentsSession
        from mivas.harness.realtime._agent import RealtimeAgent

        address = self.address
        if address is None:
            raise InputError("no endpoint given", where=f"harness {self.name}", mend="give it one with at()")

        def connect() -> ProviderSession:
            return AgentsSession(line.desk, address, self.model, self.profile, mouth=lambda: agent)

        agent = RealtimeAgent(line.desk, connect=connect, sink=line.sink, spawn=line.spawn, playout=line.playout)
        return agent


def openai_realtime(argument: str | None) -> AgentsHarness:
    """Entry point `openai/realtime-2.1`; the argument names another model."""
    return AgentsHarness(name="openai/realtime-2.1", model=argument or OPENAI.model)


def openai_realtime_mini(argument: str | None) -> AgentsHarness:
    """Entry point `openai/realtime-2.1-mini`."""
    return AgentsHarness(name="openai/realtime-2.1-mini", model=argument or "gpt-realtime-2.1-mini")
