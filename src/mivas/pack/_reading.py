"""Bytes of a file to a typed model, with errors that name the file and the spot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from mivas.errors import PackError

Model = TypeVar("Model", bound=BaseModel)


def read_text(path: Path) -> str:
    """Read a UTF-8 file. Raises PackError when it is missing, unreadable or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PackError("file is missing", where=str(path), mend="create it or correct the path") from None
    except UnicodeDecodeError as error:
        raise PackError(f"not UTF-8 at byte {error.start}", where=str(path), mend="save it as UTF-8") from None
    except OSError as error:
        raise PackError(
            f"can't be read ({error.strerror})", where=str(path), mend="check path and permissions"
        ) from None


def parse_json(text: str, where: str) -> object:
    """Decode one JSON document. Raises PackError with line and column when it is broken."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise PackError(
            f"broken JSON: {error.msg}", where=f"{where}:{error.lineno}:{error.colno}", mend="mend the JSON there"
        ) from None
    except RecursionError:
        raise PackError("JSON is nested too deeply", where=where, mend="flatten it") from None


def validate(model: type[Model], data: object, where: str) -> Model:
    """Check decoded JSON against a model. Raises PackError naming the first key that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        spot = ".".join(str(part) for part in first["loc"]) or "top level"
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise PackError(f"{spot}: {first['msg']}{more}", where=where, mend="see `mivas packs schema`") from None


def read_model(model: type[Model], path: Path) -> Model:
    """Read, decode and check one JSON file. Raises PackError."""
    return validate(model, parse_json(read_text(path), str(path)), str(path))
