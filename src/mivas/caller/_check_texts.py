"""What the texts of a caller's program give away or make up: values it wasn't given, names of what a task expects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import permutations
from typing import Any

from mivas.caller._llm_values import Values, values_of
from mivas.pack import CallerFile, Task

SHORTEST_NUMBER = 4
"""Digits from which a value counts as a number to be said digit by digit: phone, zip, order."""
LARGEST_MANNER = 12
LONGEST_TEXT_KEPT = 2_000
"""Characters up to which a text's values are kept for the next that asks."""
_DAYS_OF_TALK = frozenset(
    {
        "today", "tonight", "tomorrow", "yesterday", "noon", "midnight",
        "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays",
    }
)  # fmt: skip
"""Words for time that name no day of the calendar."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip


def spoken_texts(program: CallerFile, task: Task) -> Iterator[tuple[str, str]]:
    """(where, text) of everything a caller may say, the wordings of its facts aside."""
    if program.opening is not None:
        yield "opening", program.opening
    for goal in program.goals:
        for number, text in enumerate(goal.ask):
            yield f"goal {goal.id}: ask.{number}", text
        yield f"goal {goal.id}: again", goal.again
    for index, pin in enumerate(task.file.scripted_responses):
        yield f"pin {index}: response_value", pin.response_value
    yield "exit.say", program.exit.say


def unfounded_texts(program: CallerFile, task: Task) -> Iterator[str]:
    """Numbers, dates, names and ids in a text that neither a fact, a change, a trait nor the intent holds."""
    given = [task.file.customer_name, task.file.intent, *task.traits.values()]
    given += [text for fact in program.facts for text in (fact.value, fact.say, fact.spell or "")]
    given += [text for change in program.changes for text in (change.to, change.say)]
    known = [value for text in given for value in values(text)]
    figures = {figure for value in known for figure in value.figures}
    words = {word for value in known for word in value.words}
    for where, text in spoken_texts(program, task):
        for value in values(text, keeps_capitals=False):
            numbers = {figure for figure in value.figures if not _is_manner_of_speaking(figure)}
            names = value.names - _DAYS_OF_TALK
            for name in sorted((numbers - figures) | (names - words)):
                yield f"{where}: says {name!r}, which is no fact, trait or part of the intent"


def _is_manner_of_speaking(figure: str) -> bool:
    """Whether a number is too small to be sure that it is one: "first of all", "in one go", "the two of us"."""
    number = re.fullmatch(r"(\d{1,2})[a-z]?", figure)
    return number is not None and int(number[1]) <= LARGEST_MANNER


def unlike_values(program: CallerFile) -> Iterator[str]:
    """Facts and changes whose words say another date or number than their value."""
    said = [(f"fact {fact.id}", fact.value, fact.say) for fact in program.facts]
    said += [(f"change of {change.fact!r}", change.to, change.say) for change in program.changes]
    for where, value, say in said:
        if _ISO_DATE.fullmatch(value):
            fits = _says_date(say, value)
        elif len(digits := re.sub(r"\D", "", value)) >= SHORTEST_NUMBER and not re.search(r"[a-z]{3}", value.lower()):
            orders = {re.sub(r"\D", "", figures) for figures in _orders(say)} - {""}
            fits = any(digits.endswith(spoken) or spoken.endswith(digits) for spoken in orders)
        else:
            continue
        if not fits:
            yield f"{where}: say isn't its value {value!r}"


def _says_date(say: str, value: str) -> bool:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return False
    words = {word for one in values(say) for word in one.words}
    named = {month for month in _MONTHS if month in words or month[:3] in words}
    if named:
        wanted = {f"{day.day}{year}" for year in ("", day.year, f"{day.year % 100:02}", day.year % 100)}
        return named == {_MONTHS[day.month - 1]} and bool(wanted & _orders(say))
    numbers = (day.month, day.day, day.year)
    return bool({"".join(map(str, numbers)), f"{day:%m%d%Y}", f"{day:%Y%m%d}"} & _orders(say))


def _orders(say: str) -> set[str]:
    """The figures of a text run together, in every order they may have stood in."""
    return {"".join(order) for order in permutations(_joined(say)[:4])}


def _joined(say: str) -> list[str]:
    return [figure for one in values(say) for figure in sorted(one.figures)]


def leaked_texts(program: CallerFile, task: Task) -> Iterator[str]:
    """Names of expected tools, transfers and arguments, and ids they are called with, in something the caller says.

    Only names no person would say: with an underscore in them. `carrier` or `state` is a word like any other.
    """
    secret = {name for name in _expected_names(task) if "_" in name.strip("_")}
    texts = [*spoken_texts(program, task)]
    texts += [(f"fact {fact.id}: say", f"{fact.say} {fact.spell or ''}") for fact in program.facts]
    texts += [(f"change of {change.fact!r}: say", change.say) for change in program.changes]
    for where, text in texts:
        for name in sorted(secret):
            if re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text, re.IGNORECASE):
                yield f"{where}: gives away {name!r}, which the task expects"
        if re.search(r"\bexp_\w", text):
            yield f"{where}: speaks of what the task expects"


def _expected_names(task: Task) -> Iterator[str]:
    yield from task.expected_path
    for call in task.expected_calls:
        yield call.name
        yield from _names_in(call.arguments)


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(item)
    elif isinstance(value, str):
        yield value


def values(text: str, *, keeps_capitals: bool = True) -> tuple[Values, ...]:
    """Of each sentence: figures at both sides of a full stop are two.

    Args:
        keeps_capitals: False to take no sentence's first word for a name because of its capital.
    """
    return (_kept_values if len(text) <= LONGEST_TEXT_KEPT else _values)(text, keeps_capitals)


def _values(text: str, keeps_capitals: bool) -> tuple[Values, ...]:
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence]
    if not keeps_capitals:
        sentences = [re.sub(r"^\W*[A-Z][a-z]", lambda first: first[0].lower(), one) for one in sentences]
    return tuple(values_of(sentence) for sentence in sentences)


_kept_values = lru_cache(maxsize=4096)(_values)
"""Trials of a task say and hear much the same."""
