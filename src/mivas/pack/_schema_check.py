"""Do arguments fit what a tool advertises?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def argument_faults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Say of each argument how it breaks its property's schema.

    Missing arguments are no fault: a lock may ask for some of them only. Null means absent. Where a lock offers
    `{"any_of": [...]}`, every option must fit.
    """
    from jsonschema import Draft202012Validator

    properties = schema.get("properties", {})
    for key, value in arguments.items():
        if key not in properties:
            if schema.get("additionalProperties") is False:
                yield f"takes no argument {key}"
            continue
        validator = Draft202012Validator(properties[key])
        for option in _options(value):
            for error in validator.iter_errors(option):
                yield f"{key}: {error.message}"


def _options(value: Any) -> Iterator[Any]:
    """The plain values a lock accepts at one spot; a list with alternatives inside yields each reading of its items."""
    if value is None:
        return
    if isinstance(value, dict) and set(value) == {"any_of"} and isinstance(value["any_of"], list):
        for option in value["any_of"]:
            yield from _options(option)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        readings = [list(_options(item)) or [None] for item in value]
        for choice in range(max(map(len, readings), default=0)):
            yield [options[min(choice, len(options) - 1)] for options in readings]
    else:
        yield value
