"""The edge: every file of a pack as it may be spelt. A typo is an error, not an ignored key.

Source: formats.md 1-3, runtime.md 7. `scoring.json` has a module of its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from mivas.pack._clock import parse_clock


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _check_clock(text: str) -> str:
    parse_clock(text)
    return text


class EnvelopeFile(_File):
    """How a pack's tools answer: the names of the fields that every answer carries."""

    ok: str = "ok"
    message: str
    """Field with the sentence an agent may speak after a refusal."""
    data: str | None = "data"
    """Field holding a success's values; null puts them at the top level."""
    error_code: str | None = "error_code"
    """Field holding a refusal's code; null leaves it out."""

    @model_validator(mode="after")
    def _distinct_names(self) -> EnvelopeFile:
        names = [name for name in (self.ok, self.message, self.data, self.error_code) if name is not None]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two fields of an answer can't both be called {name!r}")
        return self


class PackFile(_File):
    """`pack.json`."""

    version: Literal[1]
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    title: str
    pack_version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    clock: Annotated[str, AfterValidator(_check_clock)] | None
    """Pinned local date-time of the pack's world, or null: the prompts then name no date."""
    envelope: EnvelopeFile
    human_tools: tuple[str, ...]
    hidden_tables: tuple[str, ...] = ()
    """Tables of `db/schema.sql` that `/state` leaves out: reference data that no tool writes."""
    suite: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    canary: str


class ToolEntryFile(_File):
    """One tool of one agent in `agent_blueprint.json`."""

    name: str
    handoff: bool = False
    handoff_to: str | None = None
    session: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> ToolEntryFile:
        if self.handoff != (self.handoff_to is not None):
            raise ValueError("handoff true needs handoff_to, and handoff_to needs handoff true")
        if self.handoff and self.session:
            raise ValueError("a tool is a handoff or a session tool, not both")
        return self


class AgentFile(_File):
    """One agent of `agent_blueprint.json`."""

    name: Annotated[str, Field(min_length=1)]
    system_prompt: str
    tools: tuple[ToolEntryFile, ...]


class BlueprintFile(_File):
    """`agent_blueprint.json`: the first agent answers the call."""

    greeting: str | None = None
    agents: Annotated[tuple[AgentFile, ...], Field(min_length=1)]


def _check_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """Properties and items are read on their own, so each must be an object that says what it is."""
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        raise ValueError("properties must be an object")
    items = [("items", schema["items"])] if "items" in schema else []
    for key, declared in [*properties.items(), *items]:
        if not isinstance(declared, dict):
            raise ValueError(f"schema of {key} must be an object")
        _check_properties(declared)
    return schema


class CatalogueToolFile(_File):
    """One tool of `tools.json`."""

    name: str
    description: str
    input_schema: Annotated[dict[str, Any], Field(alias="inputSchema"), AfterValidator(_check_properties)]
    output_schema: Annotated[dict[str, Any], Field(alias="outputSchema")]


class ToolsFile(_File):
    """`tools.json`, generated from the handlers and checked in."""

    tools: tuple[CatalogueToolFile, ...]


class SayStep(_File):
    """The agent says it."""

    say: str


class HearStep(_File):
    """Wait until the caller has said that fact."""

    hear: str


class Expectation(_File):
    """What the answer of a call must look like."""

    ok: bool
    error_code: str | None = None


class CallStep(_File):
    """An industry call from the active node."""

    call: str
    arguments: dict[str, JsonValue] = {}
    expect: Expectation
    name: Annotated[str | None, Field(alias="as")] = None


class HandoffStep(_File):
    """A transfer the active node may make."""

    handoff: str
    arguments: dict[str, JsonValue] = {}


class EndStep(_File):
    """End of call or human transfer."""

    end: str
    arguments: dict[str, JsonValue] = {}


_STEPS: dict[str, type[_File]] = {
    "say": SayStep,
    "hear": HearStep,
    "call": CallStep,
    "handoff": HandoffStep,
    "end": EndStep,
}


def _by_verb(step: object) -> object:
    """Read a step as the one kind its verb names, so that an error tells of that kind only."""
    if not isinstance(step, dict):
        return step
    verbs = [verb for verb in _STEPS if verb in step]
    if len(verbs) > 1:
        raise ValueError(f"a step has one verb, this has {' and '.join(verbs)}")
    if not verbs:
        named = f"unknown step {str(next(iter(step)))!r}" if step else "an empty step"
        raise ValueError(f"{named}; choose from {', '.join(_STEPS)}")
    return _STEPS[verbs[0]].model_validate(step)


Step: TypeAlias = Annotated[SayStep | HearStep | CallStep | HandoffStep | EndStep, BeforeValidator(_by_verb)]


class ConductFile(_File):
    """What is required and prohibited, for people to read."""

    required: tuple[str, ...] = ()
    prohibited: tuple[str, ...] = ()


class SolutionFile(_File):
    """`solution.json`: how a correct agent does it."""

    version: Literal[1]
    steps: tuple[Step, ...]
    conduct: ConductFile = ConductFile()
    evidence: tuple[str, ...] = ()
    canary: str


class HeardFile(_File):
    """A condition on what the caller heard; exactly one form is set."""

    question: str | None = None
    offer: str | None = None
    value: str | None = None
    polarity: Literal["yes", "no", "any"] | None = None
    all: tuple[HeardFile, ...] | None = None
    any: tuple[HeardFile, ...] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> HeardFile:
        forms = [name for name in ("question", "offer", "value", "all", "any") if getattr(self, name) is not None]
        if len(forms) != 1:
            raise ValueError(f"needs exactly one of question, offer, value, all, any; got {', '.join(forms) or 'none'}")
        if self.polarity is not None and self.value is None:
            raise ValueError("polarity belongs to value")
        return self


class FactFile(_File):
    """Something the caller knows and may say."""

    id: str
    value: str
    say: str
    spell: str | None = None
    answers: tuple[str, ...] = ()
    volunteer: bool = False


class GoalFile(_File):
    """Something the caller wants answered or done."""

    id: str
    ask: Annotated[tuple[str, ...], Field(min_length=1)]
    met_when: HeardFile
    unless: HeardFile | None = None
    again: str


class PinFile(_File):
    """When a locked reply of the task fires."""

    index: Annotated[int, Field(ge=0)]
    when: HeardFile
    not_when: HeardFile | None = None


class ChangeFile(_File):
    """A change of mind: after a goal is met, a fact takes another value."""

    after: str
    fact: str
    to: str
    say: str


class PatienceFile(_File):
    """When the caller gives up. Times in ms of the call's clock."""

    silence_ms: int = 30_000
    repeats: int = 3
    dead_air_ms: int = 60_000
    call_ms: int = 480_000


class ExitFile(_File):
    """When the caller is done, and the last words."""

    when: tuple[str, ...]
    say: str


class PersonaFile(_File):
    """How the caller sounds."""

    voice: str = "american-f"
    pace: Literal["slow", "normal", "fast"] = "normal"


class CallerFile(_File):
    """`caller.json`: the caller's program. The ids of questions and offers are the closed list of `mivas.caller`."""

    version: Literal[1]
    opening: str | None
    facts: tuple[FactFile, ...] = ()
    goals: tuple[GoalFile, ...] = ()
    pins: tuple[PinFile, ...] = ()
    changes: tuple[ChangeFile, ...] = ()
    refuses: tuple[str, ...] = ()
    patience: PatienceFile = PatienceFile()
    exit: ExitFile
    persona: PersonaFile = PersonaFile()
    canary: str
