"""One call of the rule-based agent: hear a turn, work on what is wanted, say what came of it or ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from mivas.harness import Desk
from mivas.reflex._agenda import Agenda, Question, Round, Wish
from mivas.reflex._answers import Answers
from mivas.reflex._hearing import Attention, Heard, hear
from mivas.reflex._memory import Memory
from mivas.reflex._table import Fill, Form, Route, Table
from mivas.reflex._work import ASKED_AT_MOST, Worker

_GIVEN_UP_AT_MOST = 2
"""A form given up so often isn't begun again in that call."""
_MOST_ROUNDS = 24
"""Forms and transfers in one turn; more means that the table goes in a circle."""


class ReflexAgent:
    """The agent's side of one call.

    Args:
        desk: where it works.
        table: what it listens for and says; every word it knows of the pack.
    """

    def __init__(self, desk: Desk, table: Table) -> None:
        self._desk = desk
        self._table = table
        self._memory = Memory(table)
        self._worker = Worker(desk, table, self._memory)
        self._answers = Answers(table, self._memory, self._worker)
        self._agenda = Agenda(table)
        self._round: Round | None = None
        self._question: Question | None = None
        self._entered: set[str] = set()
        """Desks whose first form is through."""
        self._served: dict[tuple[str, frozenset[tuple[str, str]]], tuple[list[str], str | None]] = {}
        """What was answered and offered, by intent and the values it was about: who asks again hears it again."""
        self._last: Wish | None = None
        self._failed: Counter[str] = Counter()
        """How often a form was given up, by its intent, or by the node for what that does first."""
        self._leaving = False
        self._declined = False
        self._repeated = False
        self._lost = 0
        """Turns in a row that nothing was understood of."""
        self._last_words = desk.greeting or ""

    async def turn(self, heard: str | None) -> str:
        self._worker.said, self._worker.offer = [], None
        if heard is None:
            self._open()
        else:
            await self._answer(heard)
        words = " ".join(self._worker.said)
        self._last_words = words or self._last_words
        return words

    async def aclose(self) -> None:
        """Nothing to free."""

    @property
    def keyterms(self) -> tuple[str, ...]:
        """What the agent's ears may be primed with: the names on its table's closed lists."""
        return self._table.keyterms

    def _open(self) -> None:
        opening = self._table.opening
        self._worker.say(opening.say if opening else self._table.sentences.what_for)
        if opening and opening.offer:
            self._question = Question(kind="offer", intent=opening.offer)

    async def _answer(self, text: str) -> None:
        heard = hear(text, self._table, self._attention())
        repeats = heard.is_silence or (heard.wants_repetition and not heard.values and not heard.intents)
        self._repeated = repeats and not self._repeated
        if self._repeated:
            self._worker.said.append(self._last_words)
            return
        question, self._question = self._question, None
        changed = self._memory.keep(heard)
        if question is not None:
            self._question = self._answers.take(question, heard, changed)
        self._want(question, heard, changed)
        await self._work()
        await self._end_turn(heard)

    def _attention(self) -> Attention:
        question = self._question
        steps = self._round.form.steps if self._round else []
        wanted = [name for step in steps if isinstance(step, Fill) for name in step.fill]
        now = self._desk.now
        return Attention(
            asked=question.slots if question else (),
            wanted=wanted,
            held=self._memory.held,
            undated=self._memory.undated,
            today=now.date() if now is not None else None,
        )

    def _want(self, question: Question | None, heard: Heard, changed: frozenset[str]) -> None:
        """Put what the caller wants on the agenda."""
        names = list(heard.intents)
        if question is not None and question.kind == "offer" and question.intent and heard.polarity == "yes":
            names = names or [question.intent]
        for name in names:
            for slot, value in self._table.intents[name].sets.items():
                if slot not in heard.values:
                    self._memory.hold(slot, value)
        if any(self._table.intents[name].urgent for name in names):
            self._round = None
            self._question = None
            self._agenda.clear()
            names = [name for name in names if self._table.intents[name].urgent]
        if self._round is not None and self._round.wish is not None:
            names = [name for name in names if name != self._round.wish.intent]
        idle = self._round is None and self._agenda.first is None
        if not names and idle and self._last is not None and changed & self._slots_of(self._last.intent):
            names = [self._last.intent]
        self._agenda.add(wish for name in names for wish in self._wishes(name, heard))
        idle = self._round is None and self._agenda.first is None
        needs_nothing = question is not None and question.kind == "anything_else" and heard.polarity == "no"
        self._leaving = idle and not changed and (heard.leaves or needs_nothing)
        self._declined = idle and question is not None and question.kind == "offer" and heard.polarity == "no"

    def _wishes(self, intent: str, heard: Heard) -> Iterable[Wish]:
        """One wish, or one for each of several values named."""
        relevant = self._slots_of(intent)
        for name, values in heard.values.items():
            if len(values) > 1 and name in relevant and self._table.slots[name].several:
                return [Wish(intent, {name: value}) for value in values]
        return [Wish(intent)]

    def _slots_of(self, intent: str) -> frozenset[str]:
        """Slots that any desk's form for the intent asks for or sends, and what decides about its way."""
        found: set[str] = set()
        for node in self._table.desks:
            form = self._table.forms_at(node).get(intent)
            if form is not None:
                found |= {name for step in form.steps if isinstance(step, Fill) for name in step.fill}
        return frozenset(found)

    async def _work(self) -> None:
        """Serve the agenda until the caller has to say something."""
        if self._question is not None:
            return
        for _ in range(_MOST_ROUNDS):
            if self._desk.hang_up is not None or self._question is not None:
                return
            if self._round is None and not await self._begin():
                return
            if self._round is not None and not await self._go_on(self._round):
                return
        self._desk.note("endless_table", f"{_MOST_ROUNDS} rounds in one turn")

    async def _go_on(self, round_: Round) -> bool:
        """Work on a round. Returns whether it is over."""
        before = len(self._worker.said)
        state = await self._worker.work(round_)
        round_.said += self._worker.said[before:]
        if state == "waiting":
            self._question, self._worker.question = self._worker.question, None
            return False
        self._round = None
        wish = round_.wish
        self._failed[wish.intent if wish is not None else self._desk.node.id] += state == "failed"
        if wish is None and state == "done":
            self._entered.add(self._desk.node.id)
        elif wish is None:
            self._agenda.clear()
        elif round_.serves:
            self._finish(wish, self._worker.said[before:] if state == "done" else None)
        elif state == "failed":
            self._agenda.drop(wish)
        return True

    def _finish(self, wish: Wish, said: list[str] | None) -> None:
        self._agenda.drop(wish)
        self._last = wish
        if said:
            self._served[self._about(wish)] = (said, self._worker.offer)
        self._memory.forget_passing()

    def _about(self, wish: Wish) -> tuple[str, frozenset[tuple[str, str]]]:
        relevant = self._slots_of(wish.intent) | {name for name, slot in self._table.slots.items() if slot.once}
        return wish.intent, frozenset((name, value) for name, value in self._memory.held.items() if name in relevant)

    async def _begin(self) -> bool:
        """Start on the first wish: what the desk does first, its form, or the way to another desk."""
        wish = self._agenda.first
        if wish is None:
            return False
        for name, value in wish.values.items():
            self._memory.hold(name, value)
        desk = self._table.desks.get(self._desk.node.id)
        if desk is None or max(self._failed[wish.intent], self._failed[self._desk.node.id]) >= _GIVEN_UP_AT_MOST:
            self._give_up(wish)
        elif desk.first is not None and self._desk.node.id not in self._entered and not self._is_urgent(wish):
            self._round = Round(desk.first, None)
        elif wish.intent in (forms := self._table.forms_at(self._desk.node.id)):
            self._serve(wish, forms[wish.intent])
        else:
            await self._move(wish, desk.routes)
        return True

    def _is_urgent(self, wish: Wish) -> bool:
        return self._table.intents[wish.intent].urgent

    def _serve(self, wish: Wish, form: Form) -> None:
        answered = self._served.get(self._about(wish))
        if answered is not None:
            self._worker.said += answered[0]
            self._worker.offer = answered[1]
            self._agenda.drop(wish)
        else:
            self._round = Round(form, wish, serves=True)

    async def _move(self, wish: Wish, routes: Sequence[Route]) -> None:
        """Take the first way that fits; what decides about it is asked for."""
        for route in routes:
            if wish.intent not in route.intents:
                continue
            if self._memory.missing(route.needs):
                self._round = Round(Form(steps=[Fill(fill=route.needs)]), wish)
                return
            if not self._worker.holds(route.when):
                continue
            if await self._worker.use(route.handoff, route.arguments):
                return
            break
        self._give_up(wish)

    def _give_up(self, wish: Wish) -> None:
        self._worker.give_up()
        self._agenda.drop(wish)

    async def _end_turn(self, heard: Heard) -> None:
        """Hang up, or see to it that the turn ends with a question."""
        if self._desk.hang_up is not None or self._question is not None:
            return
        if self._leaving:
            await self._take_leave()
        elif self._worker.offer is not None:
            self._question = Question(kind="offer", intent=self._worker.offer)
        elif self._worker.said or self._declined:
            self._worker.say(self._table.sentences.anything_else)
            self._question = Question(kind="anything_else")
        else:
            self._say_lost(heard)
            return
        self._lost = 0

    async def _take_leave(self) -> None:
        self._worker.say(self._table.sentences.goodbye)
        ending = self._table.ending
        if ending is not None and ending.call in self._desk.tool_schemas:
            await self._worker.use(ending.call, ending.arguments)

    def _say_lost(self, heard: Heard) -> None:
        """Nothing was understood: ask what is wanted, twice in other words, then own up."""
        self._lost += 1
        sentences = self._table.sentences
        if self._lost > ASKED_AT_MOST:
            self._worker.give_up()
            offer = self._worker.offer
            self._question = Question(kind="offer", intent=offer) if offer is not None else None
        elif self._lost == 1 and (heard.polarity is not None or heard.values):
            self._worker.say(sentences.what_for)
        else:
            self._worker.say(next(islice(sentences.pardon, (self._lost - 1) % len(sentences.pardon), None)))
