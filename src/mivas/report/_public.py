"""The copy that may leave the house: no recordings, no transcripts' addresses, no signed URL anywhere.

Training reward and discount are no columns of the export, so there are none to drop. Source: scoring.md section 5.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from mivas.report._columns import Column

DROPPED = ("transcript_url", "recording_url")

_WORD = re.compile(r"""(?:[^\s"'<>`\\]|\\(?=/|u00[2-7]))+""")
"""What may be one URL, also inside JSON text with its escapes."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?:\\?/){2}|[a-z][a-z0-9+.-]*%3a(?:%2f){2}", re.IGNORECASE)
_JSON_ESCAPE = re.compile(r"\\u00([2-7][0-9a-f])", re.IGNORECASE)
_PARAMETER = re.compile(r"[?&#;]\s*([^?&#;=]*)=")
_PASSWORD = re.compile(r"://[^/?#@]*:[^/?#@]*@")
_SPEAKING = re.compile(
    r"signature|credential|token|expir|secret|passw|hmac|api[-_]?key|access[-_]?key|access[-_]?id|jwt"
    r"|(?<![a-z])auth(?![a-z])|authoriz|^x-(?:amz|goog|oss|obs|cos|tos|ms)-|^q-(?:sign|ak|key)"
)
"""What the name of a parameter may contain when it carries a signature, its expiry, a token or a credential."""
_SHORT = frozenset(
    ("sig", "sign", "se", "ske", "skt", "skoid", "sktid", "sas", "exp", "key", "keyid", "key-pair-id", "hdnea", "hdnts",
     "hdntl", "__gda__", "pwd")
)  # fmt: skip
"""Names too short to look for inside others."""
_MARKS = "=%&\\@"
"""Without one of these a text holds no parameter, escaped or not, and no password."""
_MOST_LAYERS = 4
"""Times a URL may be wrapped in another before we stop unwrapping: then it is taken for signed."""


def public_columns(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns of the public copy."""
    return tuple(column for column in columns if column.name not in DROPPED)


def public_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows without the columns that are dropped, and without signed URLs in any cell, however deep."""
    for row in rows:
        yield {name: without_signed_urls(value) for name, value in row.items() if name not in DROPPED}


def without_signed_urls(value: Any) -> Any:
    """The value with every signed URL in it blanked: in texts, in lists, in objects and in their keys.

    >>> without_signed_urls(["see https://x.org/a?page=2 and https://x.org/b.wav?X-Amz-Signature=5e, thanks"])
    ['see https://x.org/a?page=2 and  thanks']
    """
    whole: list[Any] = [None]
    left: list[tuple[Any, Any, Any]] = [(value, whole, 0)]
    while left:  # no recursion: what a model sends may be nested as deep as JSON can be read
        one, holder, place = left.pop()
        if isinstance(one, str):
            holder[place] = _scrubbed(one)
        elif isinstance(one, Mapping):
            holder[place] = {_scrubbed(key): None for key in one}
            left += ((inner, holder[place], _scrubbed(key)) for key, inner in one.items())
        elif isinstance(one, list | tuple):
            holder[place] = [None] * len(one)
            left += ((inner, holder[place], at) for at, inner in enumerate(one))
        else:
            holder[place] = one
    return whole[0]


def _scrubbed(text: str) -> str:
    return _WORD.sub(_blanked, text) if any(mark in text for mark in _MARKS) else text


def _blanked(word: re.Match[str]) -> str:
    text = word[0]
    if not _is_signed(text):
        return text
    scheme = _SCHEME.search(text)
    return text[: scheme.start()] if scheme else ""


def _is_signed(word: str) -> bool:
    """Whether a word carries a parameter that gives access, as it stands or under its escapes."""
    for _ in range(_MOST_LAYERS):
        if _PASSWORD.search(word) or any(_gives_access(name) for name in _PARAMETER.findall(word)):
            return True
        plain = unquote_plus(html.unescape(_JSON_ESCAPE.sub(_character, word).replace("\\/", "/")))
        if plain == word:
            return False
        word = plain
    return True


def _character(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))


def _gives_access(name: str) -> bool:
    lower = name.strip().lower()
    return lower in _SHORT or _SPEAKING.search(lower) is not None
