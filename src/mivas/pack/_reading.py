"""Bytes of a file to a typed model, with errors that name the file and the spot."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from mivas.errors import PackError

Model = TypeVar("Model", bound=BaseModel)
Pairs = list[tuple[str, Any]]

_LONGEST_SPOT = 80
_DEEPEST = 200  # pydantic gives up a little later, and with an error that nobody can read
_BYTE_ORDER_MARK = "\ufeff"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _NotFinite(ValueError):
    """NaN, Infinity, or a number that overflows to it."""


class _KeyTwice(ValueError):
    """An object with the same key twice."""


def read_text(path: Path) -> str:
    """Read a UTF-8 file. Raises PackError when it is missing, unreadable, not UTF-8 or has a byte-order mark."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PackError("file is missing", where=str(path), mend="create it or correct the path") from None
    except UnicodeDecodeError as error:
        raise PackError(f"not UTF-8 at byte {error.start}", where=str(path), mend="save it as UTF-8") from None
    except OSError as error:
        raise PackError(
            f"can't be read ({error.strerror})", where=str(path), mend="check path and permissions"
        ) from None
    except ValueError:
        raise PackError("no file can have that name", where=repr(str(path)), mend="correct the path") from None
    if text.startswith(_BYTE_ORDER_MARK):
        raise PackError("starts with a byte-order mark", where=str(path), mend="save it without a byte-order mark")
    return text


def parse_json(text: str, where: str) -> object:
    """Decode one JSON document. Raises PackError with line and column when it is broken, and on NaN or Infinity."""
    return _parsed(text, where, lambda error: (f"{where}:{error.lineno}:{error.colno}", ""), dict)


def parse_json_line(line: str, where: str) -> object:
    """Decode one line of a JSONL file; `where` is file and line. Raises PackError with the column as `parse_json`."""
    return _parsed(line, where, lambda error: (where, f"column {error.colno}: "), dict)


def _parse_own_json(text: str, where: str) -> object:
    """Decode a document of a format of ours, in which no object may have a key twice."""
    return _parsed(text, where, lambda error: (f"{where}:{error.lineno}:{error.colno}", ""), _unique)


def _parsed(
    text: str,
    where: str,
    spot: Callable[[json.JSONDecodeError], tuple[str, str]],
    to_object: Callable[[Pairs], dict[str, Any]],
) -> object:
    try:
        data: object = json.loads(
            text, parse_constant=_finite_number, parse_float=_finite_number, object_pairs_hook=to_object
        )
    except json.JSONDecodeError as error:
        file, column = spot(error)
        raise PackError(f"{column}broken JSON: {error.msg}", where=file, mend="mend the JSON there") from None
    except RecursionError:
        raise PackError("JSON is nested too deeply", where=where, mend="flatten it") from None
    except _NotFinite as error:
        found = _first_not_finite(json.loads(text))
        raise PackError(f"{found}: {error} is no number of JSON", where=where, mend="write a finite number") from None
    except _KeyTwice as error:
        raise PackError(f"key {error} stands twice in one object", where=where, mend="keep one of the two") from None
    except ValueError:
        # the one thing left: the interpreter's limit on the digits of an integer
        raise PackError("a number has thousands of digits", where=where, mend="shorten it") from None
    if _is_too_deep(text, data):
        raise PackError("JSON is nested too deeply", where=where, mend="flatten it")
    if _SURROGATE.search(text) and not _is_unicode(data):
        raise PackError(
            "a \\ud800-\\udfff escape stands alone", where=where, mend="write both halves, or the character itself"
        )
    return data


def _is_unicode(data: object) -> bool:
    """Whether every text could be written as UTF-8."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _finite_number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _NotFinite(text if len(text) <= _LONGEST_SPOT else "a number too large")
    return number


def _unique(pairs: Pairs) -> dict[str, Any]:
    decoded = dict(pairs)
    if len(decoded) < len(pairs):
        raise _KeyTwice(repr(Counter(key for key, _ in pairs).most_common(1)[0][0]))
    return decoded


def _first_not_finite(data: object) -> str:
    waiting: deque[tuple[tuple[object, ...], object]] = deque([((), data)])
    while waiting:
        path, value = waiting.popleft()
        if isinstance(value, float) and not isfinite(value):
            return _spot(path)
        if isinstance(value, dict):
            waiting.extend(((*path, key), item) for key, item in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, number), item) for number, item in enumerate(value))
    return "a key that stands twice"  # its first value was the one refused


def _is_too_deep(text: str, data: object) -> bool:
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    level = [data]
    for _ in range(_DEEPEST):
        level = [
            item
            for value in level
            for item in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
            if isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True


def validate(model: type[Model], data: object, where: str) -> Model:
    """Check decoded JSON against a model. Raises PackError naming the first key that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        what = first["msg"].removeprefix("Value error, ")
        raise PackError(f"{_spot(first['loc'])}: {what}{more}", where=where, mend="see `mivas packs schema`") from None


def _spot(path: Sequence[object]) -> str:
    """A place in a document as `steps.3.expect`, cut when it is too long for one line."""
    spot = ".".join(str(part) for part in path) or "top level"
    return spot if len(spot) <= _LONGEST_SPOT else f"{spot[:_LONGEST_SPOT]}..."


def read_model(model: type[Model], path: Path) -> Model:
    """Read, decode and check one JSON file of ours. Raises PackError."""
    return validate(model, _parse_own_json(read_text(path), str(path)), str(path))
