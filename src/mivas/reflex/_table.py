"""The phrase table: everything an agent's desks listen for, ask, do and say, as data (docs/reflex.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from mivas.errors import PackError

TABLE_FILE = "reflex.json"

Name: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Sentence: TypeAlias = Annotated[str, Field(min_length=1, description="Jinja template of what is said.")]
Condition: TypeAlias = Annotated[str, Field(min_length=1, description="Jinja expression over slots and answers.")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Option(_Part):
    """One entry of a closed list."""

    value: str = Field(description="What a tool is sent.")
    say: str = Field(min_length=1, description="How the agent says it.")
    forms: list[str] = Field(default=[], description="Other ways to say it, good at any time.")
    misheard: list[str] = Field(
        default=[], description="What recognition makes of it; counts only right after the question, and is asked back."
    )


class Slot(_Part):
    """Something the caller has to say."""

    kind: Literal["choice", "name", "date", "phone", "digits", "code"]
    ask: list[Sentence] = Field(min_length=1, description="The question, and how it is put again.")
    options: list[Option] = []
    unlisted: str | None = Field(
        default=None, description="Value for what is on no list, after the list was read out and denied."
    )
    yes: str | None = Field(default=None, description="Of a choice: what a plain yes to its question means.")
    no: str | None = Field(default=None, description="Of a choice: what a plain no to its question means.")
    names: bool = Field(
        default=True, description="Of a choice: whether its options are names that ears may be primed with."
    )
    several: bool = Field(default=False, description="Whether one turn may name several, each for a round of its own.")
    once: bool = Field(default=False, description="Whether it is forgotten after the round it was said for.")
    past: bool = Field(default=False, description="Of a date: it lies in the past, which settles its century.")
    cues: list[str] = Field(
        default=[], description="Words after which it is taken without having been asked for; none: only when asked."
    )
    spell: Sentence | None = Field(default=None, description="How its spelling is asked for.")
    example: str | None = Field(default=None, description="A value, so that sentences can be tried out.")
    sizes: list[int] = Field(default=[], description="Of digits and codes: lengths it may have.")

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Slot:
        if (self.kind == "choice") != bool(self.options):
            raise ValueError("a choice needs options, and nothing else has them")
        if self.kind != "choice" and self.example is None:
            raise ValueError("needs an example")
        return self


class Say(_Part):
    """A sentence, said if its condition holds."""

    when: Condition | None = None
    say: Sentence
    offer: Name | None = Field(default=None, description="Intent that a yes to it stands for.")


class Fill(_Part):
    """Ask until the slots are filled."""

    fill: list[Name] = Field(min_length=1)
    ask: list[Sentence] = Field(default=[], description="One question for all of them, while none is known.")


class Confirm(_Part):
    """Repeat what was heard and go on after a yes only."""

    confirm: list[Name] = Field(min_length=1)
    say: Sentence


class Refusal(_Part):
    """What to do when a tool refuses."""

    when: Condition | None = None
    say: Sentence
    forget: list[Name] = Field(default=[], description="Slots to ask for again; the form starts over. None: it ends.")
    offer: Name | None = None


class Call(_Part):
    """Use a tool of the desk."""

    call: str
    when: Condition | None = Field(default=None, description="The step is passed over unless it holds.")
    arguments: dict[str, Any] = Field(
        default={}, description="Text that starts with = is an expression; what it leaves undefined is left out."
    )
    named: Name | None = Field(default=None, description="Name under which expressions find the answer.")
    before: Sentence | None = Field(default=None, description="Said before the tool is used.")
    say: list[Say] = Field(default=[], description="The first whose condition holds is said.")
    refused: list[Refusal] = Field(default=[], description="The first that fits; none: the answer's own message.")


class Speak(_Part):
    """Say something that no tool has to be asked for."""

    say: list[Say] = Field(min_length=1)


Step: TypeAlias = Fill | Confirm | Call | Speak


class Form(_Part):
    """What a desk does about an intent, step by step."""

    steps: list[Step] = Field(min_length=1)


class Route(_Part):
    """Which transfer serves an intent that the desk has no form for."""

    intents: list[Name] = Field(min_length=1)
    needs: list[Name] = Field(default=[], description="Slots that decide about it.")
    when: Condition | None = None
    handoff: str
    arguments: dict[str, Any] = {}


class Intent(_Part):
    """What a caller may want.

    A phrase is words in that order, near each other; `a|b` is either word, `<slot>` a value heard.
    """

    phrases: list[str] = []
    hints: list[str] = Field(default=[], description="Phrases that count only when the turn says no intent plainly.")
    unless: list[str] = Field(default=[], description="Phrases that say it isn't meant.")
    urgent: bool = Field(default=False, description="Whether it comes before everything begun.")
    sets: dict[Name, str] = Field(default={}, description="Slots that wanting this settles, by value.")


class DeskTable(_Part):
    """One node of the blueprint."""

    here: dict[Name, str] = Field(default={}, description="Words of its own, which sentences find as `here`.")
    first: Form | None = Field(default=None, description="Done once, before anything else this desk does.")
    forms: dict[Name, Form] = {}
    routes: list[Route] = []


class Sentences(_Part):
    """What is said whatever the matter."""

    anything_else: Sentence = "Is there anything else I can help you with?"
    what_for: Sentence = "What can I do for you?"
    pardon: list[Sentence] = ["I'm sorry, I didn't catch that. Could you say it again?"]
    give_up: Sentence = "I'm sorry, I can't help you with that."
    give_up_offer: Name | None = Field(default=None, description="Intent that a yes to it stands for.")
    say_again: Sentence = "I'm sorry. What should it be?"
    which_of: Sentence = "Is it one of these: {{ options }}?"
    did_you_say: Sentence = "Did you say {{ option }}?"
    which_year: Sentence = "And of which year?"
    goodbye: Sentence = "Thank you for calling. Goodbye."


class Opening(_Part):
    """The first words where the runtime speaks no greeting."""

    say: Sentence
    offer: Name | None = None


class Ending(_Part):
    """How the agent hangs up."""

    call: str
    arguments: dict[str, Any] = {}


class Table(_Part):
    """A pack's phrase table. The order of `intents` is the order in which several wishes are served."""

    version: Literal[1]
    opening: Opening | None = None
    ending: Ending | None = None
    slots: dict[Name, Slot] = {}
    intents: dict[Name, Intent] = Field(min_length=1)
    desks: dict[str, DeskTable] = Field(min_length=1)
    everywhere: dict[Name, Form] = Field(
        default={}, description="Forms of every desk that has no other for the intent."
    )
    sentences: Sentences = Sentences()

    @model_validator(mode="after")
    def _is_closed(self) -> Table:
        for place, kind, name in _references(self):
            if name not in (self.slots if kind == "slot" else self.intents):
                raise ValueError(f"{place} names the unknown {kind} {name!r}")
        return self

    @property
    def keyterms(self) -> tuple[str, ...]:
        """Names of the closed lists, once each and in order: what ears may be primed with."""
        listed = ((option, slot) for slot in self.slots.values() if slot.names for option in slot.options)
        return tuple(dict.fromkeys(option.say for option, slot in listed if option.value != slot.unlisted))

    def forms_at(self, node: str) -> dict[str, Form]:
        """Forms by intent that serve at that node; none where the table has no desk."""
        desk = self.desks.get(node)
        return {} if desk is None else {**self.everywhere, **desk.forms}

    def forms(self) -> Iterator[tuple[str, Form]]:
        """Every form with its place, the desks' first ones included."""
        for name, form in self.everywhere.items():
            yield f"everywhere.{name}", form
        for node, desk in self.desks.items():
            if desk.first is not None:
                yield f"desks.{node}.first", desk.first
            for name, form in desk.forms.items():
                yield f"desks.{node}.forms.{name}", form


def read_table(text: str, where: str) -> Table:
    """Read a table. Raises PackError: the first thing that is wrong, in one line."""
    try:
        return Table.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PackError(
            f"{place}: {first['msg']}" if place else first["msg"], where=where, mend="see docs/reflex.md"
        ) from None


def load_table(path: Path) -> Table:
    """Read a pack's table. Raises PackError also when there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PackError(
            f"no phrase table ({error.strerror})", where=str(path), mend="choose a pack that has one: docs/reflex.md"
        ) from None
    return read_table(text, str(path))


def _references(table: Table) -> Iterator[tuple[str, Literal["slot", "intent"], str]]:
    if table.opening and table.opening.offer:
        yield "opening", "intent", table.opening.offer
    if table.sentences.give_up_offer:
        yield "sentences", "intent", table.sentences.give_up_offer
    for name, intent in table.intents.items():
        for slot in intent.sets:
            yield f"intents.{name}", "slot", slot
    yield from (("everywhere", "intent", name) for name in table.everywhere)
    for node, desk in table.desks.items():
        for intent_name in desk.forms:
            yield f"desks.{node}.forms", "intent", intent_name
        for route in desk.routes:
            yield from ((f"desks.{node}.routes", "intent", one) for one in route.intents)
            yield from ((f"desks.{node}.routes", "slot", one) for one in route.needs)
    for place, form in table.forms():
        for step in form.steps:
            yield from ((place, "slot", one) for one in _slots_of(step))
            yield from ((place, "intent", one) for one in _offers_of(step))


def _slots_of(step: Step) -> list[str]:
    if isinstance(step, Fill):
        return step.fill
    if isinstance(step, Confirm):
        return step.confirm
    return [name for refusal in step.refused for name in refusal.forget] if isinstance(step, Call) else []


def _offers_of(step: Step) -> list[str]:
    if not isinstance(step, Call | Speak):
        return []
    sayings: list[Say | Refusal] = list(step.say)
    sayings += step.refused if isinstance(step, Call) else []
    return [one.offer for one in sayings if one.offer]
