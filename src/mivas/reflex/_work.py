"""Steps of a form: asking, reading back, using tools, saying what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from jsonschema import Draft202012Validator

from mivas.harness import Desk
from mivas.reflex._agenda import Question, Round
from mivas.reflex._memory import Memory
from mivas.reflex._sentences import Unsayable, holds, sentence, value
from mivas.reflex._table import Call, Confirm, Fill, Refusal, Say, Speak, Step, Table

ASKED_AT_MOST = 3
"""A question and two repetitions."""
_RESTARTS = 3
Outcome: TypeAlias = Literal["on", "ask", "restart", "failed"]


class Worker:
    """Carries out the steps of rounds at a desk. What is to be said and asked is left in `said` and `question`."""

    def __init__(self, desk: Desk, table: Table, memory: Memory) -> None:
        self._desk = desk
        self._table = table
        self._memory = memory
        self.said: list[str] = []
        self.question: Question | None = None
        self.offer: str | None = None

    async def work(self, round_: Round) -> Literal["waiting", "done", "failed"]:
        """Go on with a round until it has to wait for the caller, is through, or can't be finished."""
        while round_.position < len(round_.form.steps):
            outcome = await self._step(round_.form.steps[round_.position])
            if outcome == "ask":
                return "waiting"
            if outcome == "restart":
                round_.position, round_.restarts = 0, round_.restarts + 1
                if round_.restarts <= _RESTARTS:
                    continue
            if outcome in ("restart", "failed"):
                return "failed"
            if self._desk.hang_up is not None:
                return "done"
            round_.position += outcome == "on"
        return "done"

    def ask_for(self, names: tuple[str, ...], together: list[str]) -> Outcome:
        """Ask for the slots that are missing, all in one question where the step has one."""
        missing = self._memory.missing(names)
        if not missing:
            return "on"
        tries = max(self._memory.asked[name] for name in missing)
        if tries >= ASKED_AT_MOST:
            self.give_up()
            self._memory.asked.clear()
            return "failed"
        if together and missing == names and not set(names) & set(self._memory.undated):
            text, slots = together[min(tries, len(together) - 1)], names
        else:
            text, slots = self._wording(missing[0], self._memory.asked[missing[0]]), missing[:1]
        kind: Literal["fill", "list"] = "list" if text == self._table.sentences.which_of else "fill"
        self._put(Question(kind=kind, text=text, slots=slots), options=self._listed(slots[0]) if kind == "list" else "")
        return "ask"

    @property
    def _known(self) -> Mapping[str, Any]:
        desk = self._table.desks.get(self._desk.node.id)
        return {**self._memory.known, "here": desk.here if desk is not None else {}}

    def give_up(self) -> None:
        """Own up that something can't be done, and offer what the table offers then."""
        self.say(self._table.sentences.give_up)
        self.offer = self._table.sentences.give_up_offer

    def say(self, template: str, **more: Any) -> str:
        """Add a sentence to the turn. One with a gap is left out and noted."""
        try:
            text = sentence(template, {**self._known, **more})
        except Unsayable as error:
            self._desk.note("unsayable", str(error))
            return ""
        if text:
            self.said.append(text)
        return text

    async def use(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Use a tool with arguments from the table. Returns whether it was carried out and didn't refuse."""
        result = await self._desk.call(tool, self._resolved(arguments))
        envelope = self._desk.envelope
        data = result.output.get(envelope.data) if envelope.data is not None else result.output
        self._memory.answer(None, {**result.output, **(data if isinstance(data, Mapping) else {})})
        return result.carried_out and bool(result.output.get(envelope.ok, result.output.get("success", False)))

    async def _step(self, step: Step) -> Outcome:
        if isinstance(step, Fill):
            return self.ask_for(tuple(step.fill), step.ask)
        if isinstance(step, Confirm):
            return self._read_back(step)
        if isinstance(step, Speak):
            self._say_first(step.say)
            return "on"
        return await self._call(step)

    def _read_back(self, step: Confirm) -> Outcome:
        names = tuple(step.confirm)
        if self._memory.missing(names):
            return self.ask_for(names, [])
        if not self._memory.unconfirmed(names):
            return "on"
        if self._memory.asked[_read_back_of(names)] >= ASKED_AT_MOST:
            self.give_up()
            self._memory.asked.clear()
            self._memory.forget(names)
            return "failed"
        self._put(Question(kind="confirm", text=step.say, slots=names))
        return "ask"

    def _put(self, question: Question, **more: Any) -> None:
        self.say(question.text, **more)
        self.question = question

    def _wording(self, name: str, tries: int) -> str:
        slot = self._table.slots[name]
        if name in self._memory.undated:
            return self._table.sentences.which_year
        if tries == ASKED_AT_MOST - 1 and slot.unlisted is not None:
            return self._table.sentences.which_of
        if tries and slot.spell is not None:
            return slot.spell
        return slot.ask[min(tries, len(slot.ask) - 1)]

    def _listed(self, name: str) -> str:
        slot = self._table.slots[name]
        names = [option.say for option in slot.options if option.value != slot.unlisted]
        return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]

    async def _call(self, step: Call) -> Outcome:
        if not self.holds(step.when):
            return "on"
        if step.before is not None:
            self.say(step.before)
        wrong = self._unfit(step)
        if wrong is not None:
            return wrong
        went_well = await self.use(step.call, step.arguments)
        self._memory.answer(step.named, self._memory.known["answer"])
        if went_well:
            self._say_first(step.say)
            return "on"
        return self._refused(step.refused)

    def _unfit(self, step: Call) -> Outcome | None:
        """What to do about arguments that the tool's schema rules out: ask for the slot behind one again."""
        schema = self._desk.tool_schemas.get(step.call)
        if schema is None:
            self._desk.note("no_such_tool", f"{self._desk.node.id} has no {step.call}")
            self.give_up()
            return "failed"
        arguments = self._resolved(step.arguments)
        error = next(iter(Draft202012Validator(schema).iter_errors(arguments)), None)
        if error is None:
            return None
        self._desk.note("unfit_argument", f"{step.call}: {error.message}")
        argument = str(error.path[0]) if error.path else None
        slot = str(step.arguments.get(argument or "", "")).removeprefix("=").strip()
        if slot not in self._table.slots:
            self.give_up()
            return "failed"
        tries = self._memory.asked[slot]
        self._memory.forget([slot])
        self._memory.asked[slot] = tries + 1
        return "restart"

    def _resolved(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments as they are sent: nothing is sent for what isn't known."""
        known = self._known
        sent: dict[str, Any] = {}
        for name, given in arguments.items():
            if not (isinstance(given, str) and given.startswith("=")):
                sent[name] = given
            elif (found := self._value(given[1:], known)) is not None:
                sent[name] = found
        return sent

    def _value(self, expression: str, known: Mapping[str, Any]) -> Any:
        try:
            return value(expression, known)
        except Unsayable as error:
            self._desk.note("unsayable", str(error))
            return None

    def holds(self, condition: str | None) -> bool:
        try:
            return holds(condition, self._known)
        except Unsayable as error:
            self._desk.note("unsayable", str(error))
            return False

    def _say_first(self, sayings: list[Say]) -> None:
        chosen = next((one for one in sayings if self.holds(one.when)), None)
        if chosen is not None:
            self.say(chosen.say)
            self.offer = chosen.offer

    def _refused(self, refusals: list[Refusal]) -> Outcome:
        chosen = next((one for one in refusals if self.holds(one.when)), None)
        if chosen is None:
            message = self._memory.known["answer"].get(self._desk.envelope.message)
            self.said.append(str(message) if message else self._table.sentences.give_up)
            return "failed"
        self.say(chosen.say)
        self.offer = chosen.offer
        self._memory.forget(chosen.forget)
        return "restart" if chosen.forget else "failed"


def _read_back_of(names: tuple[str, ...]) -> str:
    """Name under which repetitions of a read-back are counted."""
    return f"read back {' '.join(names)}"


def count_read_back(memory: Memory, names: tuple[str, ...]) -> None:
    memory.asked[_read_back_of(names)] += 1
