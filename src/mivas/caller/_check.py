"""Is a caller's program sound: does it end, say only what it was given, and keep what the task expects to itself?

Source: formats.md 3, scoring.md 8.3. Each finding is one sentence that begins with where.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mivas.caller._check_texts import leaked_texts, unfounded_texts, unlike_values
from mivas.caller._conditions import alternatives, implies
from mivas.caller._heard import unknown_ids
from mivas.caller._vocabulary import OFFERS, QUESTIONS
from mivas.pack import CallerFile, Task

LONGEST_PATIENCE_MS = 3_600_000
MOST_REPEATS = 50


def unknown_references(program: CallerFile, pin_count: int) -> list[str]:
    """What a program refers to and nobody knows: a run would break on it. One sentence each; [] when all is known."""
    facts = {fact.id for fact in program.facts}
    goals = {goal.id for goal in program.goals}
    conditions = [
        *((f"goal {goal.id}", goal.met_when) for goal in program.goals),
        *((f"goal {goal.id}", goal.unless) for goal in program.goals if goal.unless),
        *((f"pin {pin.index}", pin.when) for pin in program.pins),
        *((f"pin {pin.index}", pin.not_when) for pin in program.pins if pin.not_when),
    ]
    return [
        *(f"{where}: unknown {name}" for where, condition in conditions for name in unknown_ids(condition, facts)),
        *(f"fact {f.id}: unknown question {q!r}" for f in program.facts for q in f.answers if q not in QUESTIONS),
        *(f"refuses: unknown offer {name!r}" for name in program.refuses if name not in OFFERS),
        *(f"pin {pin.index}: the task has {pin_count} pins" for pin in program.pins if pin.index >= pin_count),
        *(f"exit: unknown goal {name!r}" for name in program.exit.when if name not in goals),
        *(f"change after {c.after!r}: unknown goal" for c in program.changes if c.after not in goals),
        *(f"change of {c.fact!r}: unknown fact" for c in program.changes if c.fact not in facts),
    ]


def check_program(program: CallerFile, task: Task) -> list[str]:
    """Everything that is wrong with a program against its task, one sentence each; [] when it is proven sound.

    Proves that it can end, that each goal and locked reply can come about, that each value it says was given to it,
    and that no text tells what the task expects.
    """
    if unknown := unknown_references(program, len(task.file.scripted_responses)):
        return unknown  # what follows would only repeat it
    try:
        return [
            *_ending(program),
            *_goals(program),
            *_pins(program, task),
            *_facts(program, task),
            *unlike_values(program),
            *unfounded_texts(program, task),
            *leaked_texts(program, task),
        ]
    except ValueError as error:
        return [f"a condition {error}"]


def _ending(program: CallerFile) -> Iterator[str]:
    patience = program.patience
    for name in ("silence_ms", "dead_air_ms", "call_ms"):
        if not 0 < getattr(patience, name) <= LONGEST_PATIENCE_MS:
            yield f"patience.{name}: {getattr(patience, name)} isn't in 1..{LONGEST_PATIENCE_MS}"
    if not 0 < patience.repeats <= MOST_REPEATS:
        yield f"patience.repeats: {patience.repeats} isn't in 1..{MOST_REPEATS}"
    if patience.silence_ms > patience.dead_air_ms:
        yield "patience: dead_air_ms is below silence_ms, so the caller never asks whether anybody is there"
    if not program.exit.say.strip():
        yield "exit.say: is empty, so the caller leaves without a word"


def _goals(program: CallerFile) -> Iterator[str]:
    for goal in program.goals:
        where = f"goal {goal.id}"
        ways = alternatives(goal.met_when)
        if not ways:
            yield f"{where}: nothing an agent says meets met_when"
        elif frozenset() in ways:
            yield f"{where}: any turn meets met_when"
        elif goal.unless is not None and implies(goal.met_when, goal.unless):
            yield f"{where}: unless vetoes whatever meets met_when"
        if not all(text.strip() for text in (*goal.ask, goal.again)):
            yield f"{where}: ask and again need words"


def _pins(program: CallerFile, task: Task) -> Iterator[str]:
    for index, times in Counter(pin.index for pin in program.pins).items():
        if times > 1:
            yield f"pin {index}: has {times} conditions; join them with any"
    for index in sorted(set(range(len(task.file.scripted_responses))) - {pin.index for pin in program.pins}):
        yield f"pin {index}: has no condition, so its locked reply is never said"
    for place, pin in enumerate(program.pins):
        where = f"pin {pin.index}"
        ways = alternatives(pin.when)
        if not ways:
            yield f"{where}: nothing an agent says meets when"
        elif frozenset() in ways:
            yield f"{where}: any turn meets when"
        elif pin.not_when is not None and implies(pin.when, pin.not_when):
            yield f"{where}: not_when vetoes whatever meets when"
        else:
            for earlier in program.pins[:place]:
                always = task.file.scripted_responses[earlier.index].occurrence_mode == "always"
                # Where the earlier one is vetoed, this one must be too, or it gets its turn.
                vetoed = earlier.not_when is None or (
                    pin.not_when is not None and implies(earlier.not_when, pin.not_when)
                )
                if always and vetoed and implies(pin.when, earlier.when):
                    yield f"{where}: pin {earlier.index} stands before it and takes every turn that it is for"


def _facts(program: CallerFile, task: Task) -> Iterator[str]:
    """A fact that no question, goal or pin brings out is none of this call's."""
    said = [program.opening or "", *(text for goal in program.goals for text in (*goal.ask, goal.again))]
    said += [pin.response_value for pin in task.file.scripted_responses] + [change.say for change in program.changes]
    for fact in program.facts:
        if not fact.say.strip():
            yield f"fact {fact.id}: say is empty"
        elif not fact.answers and not fact.volunteer and not any(fact.say in text for text in said):
            yield f"fact {fact.id}: answers nothing and stands in no text, so it is never said"
        if fact.spell is not None and _letters(fact.spell) not in _letters(f"{fact.value} {fact.say}"):
            yield f"fact {fact.id}: spell has other letters than its value"
    values = {fact.id: fact.value for fact in program.facts}
    for change in program.changes:
        if change.to == values[change.fact]:
            yield f"change of {change.fact!r}: to is what the fact is already"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
