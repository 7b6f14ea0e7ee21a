"""Another valid value for an argument: near the right one, but not it by the pack's rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from jsonschema import Draft202012Validator

from mivas.pack import ExpectedCall, Pack, Scoring
from mivas.probe._schema_values import closed_values
from mivas.verify import verify

_NAMES = ("Bernadette", "Leopold", "Winifred")
"""Given names far from most: a name with another first word is another person's."""
_DATE_FORMS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%m/%d/%Y")


def other_value(pack: Pack, lock: ExpectedCall, sent: Mapping[str, Any], key: str) -> Any:
    """A value that the tool advertises for `key` and that misses the lock's, or None when nobody finds one.

    Args:
        sent: the arguments of the call that meets the lock.
    """
    schema = pack.tool_schemas[lock.name].get("properties", {}).get(key, {})
    fits = Draft202012Validator(schema)
    for candidate in _candidates(sent[key], schema, pack.scoring):
        if candidate != sent[key] and fits.is_valid(candidate) and not meets(pack, lock, {**sent, key: candidate}):
            return candidate
    return None


def meets(pack: Pack, lock: ExpectedCall, arguments: Mapping[str, Any]) -> bool:
    """Whether a call with these arguments meets one entry of a lock, whatever was answered."""
    gate = verify(
        task={"exp_tool_calls": [{"name": lock.name, "parameters": dict(lock.arguments)}]},
        result={
            "status": "COMPLETED",
            "tool_calls": [{"name": lock.name, "actual": [{"parameters": dict(arguments)}]}],
        },
        state=None,
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
    ).tools
    return gate is not None and len(gate.pairs) == 1


def _candidates(value: Any, schema: Mapping[str, Any], scoring: Scoring) -> Iterator[Any]:
    yield from closed_values(schema)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        yield from _other_lists(value, schema, scoring)
    elif isinstance(value, str):
        yield from _other_texts(value, scoring)


def _other_lists(value: Sequence[Any], schema: Mapping[str, Any], scoring: Scoring) -> Iterator[Any]:
    for number, item in enumerate(value):
        for other in _candidates(item, schema.get("items", {}), scoring):
            yield [*value[:number], other, *value[number + 1 :]]


def _other_texts(value: str, scoring: Scoring) -> Iterator[str]:
    yield from _other_dates(value)
    yield from _aliases(scoring, value)
    if re.search(r"[0-9]$", value):
        last = int(value[-1])
        yield from (f"{value[:-1]}{digit}" for digit in ((last + 1) % 10, (last + 2) % 10))
    first, _, rest = value.partition(" ")
    if rest:
        yield from (f"{name} {rest}" for name in _NAMES if name != first)
    yield from _NAMES
    yield f"{value} 2"


def _other_dates(value: str) -> Iterator[str]:
    for form in _DATE_FORMS:
        try:
            moment = datetime.strptime(value, form)  # noqa: DTZ007 (a call's local time)
        except ValueError:
            continue
        yield from ((moment + timedelta(days=days)).strftime(form) for days in (1, -1))


def _aliases(scoring: Scoring, value: str) -> Iterator[str]:
    """Canonical names of every alias table in which the value is a spelling."""
    for table in scoring.aliases.values():
        if table.canonical(value) is not None:
            yield from dict.fromkeys(table.spellings.values())
