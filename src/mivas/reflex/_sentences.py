"""Templates and expressions of a phrase table, over what is known in the call."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import ChainableUndefined, StrictUndefined, TemplateError
from jinja2.environment import TemplateExpression
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mivas.reflex import _aloud

_FILTERS = {
    "money": _aloud.money,
    "number": _aloud.number,
    "day": _aloud.day,
    "weekday": _aloud.weekday,
    "clock": _aloud.clock,
    "telephone": _aloud.telephone,
    "characters": _aloud.characters,
    "aloud": _aloud.text,
}


def _environment(undefined: type[Any]) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(undefined=undefined)
    environment.filters.update(_FILTERS)
    return environment


_SAYING = _environment(StrictUndefined)
_ASKING = _environment(ChainableUndefined)


class Unsayable(Exception):
    """A template or expression is malformed, or needs what isn't known."""


def sentence(template: str, known: Mapping[str, Any]) -> str:
    """Fill a sentence in. Raises Unsayable rather than leave a gap."""
    try:
        return " ".join(_SAYING.from_string(template).render(known).split())
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise Unsayable(f"{template!r}: {error}") from error


def value(expression: str, known: Mapping[str, Any]) -> Any:
    """What an expression comes to; None for what isn't known. Raises Unsayable."""
    try:
        return _compiled(expression)(**known)
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise Unsayable(f"{expression!r}: {error}") from error


def holds(condition: str | None, known: Mapping[str, Any]) -> bool:
    """Whether a condition is met; no condition always is. Raises Unsayable."""
    return condition is None or bool(value(condition, known))


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> TemplateExpression:
    return _ASKING.compile_expression(expression)


def parse(template: str) -> None:
    """Raise jinja2.TemplateSyntaxError for a malformed sentence."""
    _SAYING.parse(template)


def parse_expression(expression: str) -> None:
    """Raise jinja2.TemplateSyntaxError for a malformed expression."""
    _compiled(expression)
