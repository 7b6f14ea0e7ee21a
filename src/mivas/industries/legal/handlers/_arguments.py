"""Raw JSON arguments into values. Agents see schemas; nothing here relies on them.

Whatever can't be read raises Unreadable, which the state service answers as `INVALID_ARGUMENTS`.
"""

from __future__ import annotations

import re

from mivas.state import Arguments, Call, Unreadable

_PLACEHOLDER = re.compile(r"\{\{.*\}\}", re.DOTALL)


def text(arguments: Arguments, key: str) -> str:
    """A text argument, "" when the key is absent. Raises Unreadable for null and every other type."""
    value = arguments.get(key, "")
    if not isinstance(value, str):
        raise Unreadable(f"{key} is no text: {value!r}")
    return value


def text_or_null(arguments: Arguments, key: str) -> str | None:
    """A text argument, or None for null. Raises Unreadable for every other type."""
    return None if arguments.get(key) is None else text(arguments, key)


def said(value: object) -> str:
    """Any value as text, ends stripped. What counts as nothing in Python (null, false, 0, an empty list) is blank.

    >>> said(" Fired "), said(None), said(0), said(5)
    ('Fired', '', '', '5')
    """
    return str(value or "").strip()


def practice_area(call: Call, value: object) -> str:
    """The code that a value spells; its text with underscores when it spells none; "" for a blank."""
    spoken = said(value)
    table = call.scoring.aliases["practice_area"]
    return table.canonical(spoken) or table.normalise(spoken).replace(" ", "_")


def loose_state(value: object) -> str:
    """A state as the checks and the search take it: upper case, nothing looked up, so a full name is no state."""
    return said(value).upper()


def given_text(value: str) -> str:
    """A text, ends stripped; "" for a template's placeholder that nobody filled in.

    >>> given_text(" CA "), given_text("{{state}}")
    ('CA', '')
    """
    stripped = value.strip()
    return "" if _PLACEHOLDER.fullmatch(stripped) else stripped
