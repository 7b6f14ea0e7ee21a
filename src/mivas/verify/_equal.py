"""Whether a live value meets an expected one: the order of the rules. Source: scoring.md 3.5.

The kinds themselves, and which key gets which, are the pack's (`mivas.pack`).
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any

from mivas.pack import Scoring
from mivas.pack.equality import EqualityRule, is_phone_key, same_digits, same_json, same_plain

_DEEPEST = 40  # lists in lists: past this the record is damaged, and the interpreter's stack is near
_MOST_CHOICES = 1000


def options_of(expected: object) -> list[Any] | None:
    """The alternatives of an `any_of`, or None when the value isn't one."""
    if isinstance(expected, dict) and len(expected) == 1:
        options = expected.get("any_of")
        return options if isinstance(options, list) else None
    return None


def equal(key: str, expected: object, actual: object, scoring: Scoring, tool: str | None = None) -> bool:
    """Compare one argument of `tool`, or one column of a row when tool is None."""
    return _equal(key, expected, actual, scoring, tool, _DEEPEST)


def equal_without_parity(key: str, expected: object, actual: object, scoring: Scoring, tool: str | None) -> bool:
    """The same, without the spellings that only the environment honours."""
    options = options_of(expected)
    if options is not None:
        return any(equal_without_parity(key, option, actual, scoring, tool) for option in options)
    rules = scoring.rules_for(key, tool)
    if not any(rule.parity for rule in rules):
        return equal(key, expected, actual, scoring, tool)
    kept = tuple(rule for rule in rules if not rule.parity)
    return same_json(expected, actual) or bool(_decide(kept, expected, actual)) or same_plain(expected, actual)


def _equal(key: str, expected: object, actual: object, scoring: Scoring, tool: str | None, depth: int) -> bool:
    options = options_of(expected)
    if depth == 0:
        return False
    if options is not None:
        return any(_equal(key, option, actual, scoring, tool, depth - 1) for option in options)
    if same_json(expected, actual):
        return True
    if expected is None or actual is None:
        return False
    if isinstance(expected, list) and isinstance(actual, list):
        return _equal_lists(key, expected, actual, scoring, tool, depth)
    decided = _decide(scoring.rules_for(key, tool), expected, actual)
    if decided is None and is_phone_key(key):
        decided = same_digits(expected, actual)
    return same_plain(expected, actual) if decided is None else decided


def _decide(rules: tuple[EqualityRule, ...], expected: object, actual: object) -> bool | None:
    """True if a rule says so, else False if one does, else None."""
    answers = [rule.compare(expected, actual) for rule in rules]
    return True if True in answers else False if False in answers else None


def _equal_lists(
    key: str, expected: list[Any], actual: list[Any], scoring: Scoring, tool: str | None, depth: int
) -> bool:
    for rule in scoring.rules_for(key, tool):
        if rule.kind == "alias_set":
            return any(rule.compare(choice, actual) for choice in _choices(expected))
    return len(expected) == len(actual) and all(
        _equal(key, wanted, heard, scoring, tool, depth - 1) for wanted, heard in zip(expected, actual, strict=True)
    )


def _choices(expected: list[Any]) -> list[list[Any]]:
    """The plain lists that an expected list with alternatives stands for."""
    alternatives = [options_of(item) or [item] for item in expected]
    return [list(choice) for choice in islice(product(*alternatives), _MOST_CHOICES)]
