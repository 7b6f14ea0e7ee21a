"""The checked-in list of what a suite lets pass, each with the rule that says so.

A file `survivors.json`: `{"version": 1, "survivors": [{"case", "saboteur", "rule", "why"}]}`. `saboteur` is a fault,
a floor agent, or `oracle` for a case that can't be attained; `rule` is a section of the scoring rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mivas.errors import InputError
from mivas.pack import Pack, Suite

FILE_NAME = "survivors.json"


class SurvivorFile(BaseModel):
    """One thing that passes and may."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    case: str
    saboteur: str
    rule: Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)*$")]
    """Section of the scoring rules that lets it pass."""
    why: Annotated[str, Field(min_length=1)]


class SurvivorsFile(BaseModel):
    """`survivors.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: Literal[1]
    survivors: tuple[SurvivorFile, ...] = ()


def survivors_path(pack: Pack, suite: Suite, tasks: Path | None) -> Path:
    """Where the list of a suite is looked for.

    In the pack's folder under the suite's name (`survivors/mivas-1.json`), which a suite from elsewhere can have too;
    else beside the tasks.
    """
    packaged = pack.folder / "survivors" / f"{suite.name}.json"
    return packaged if tasks is None or packaged.is_file() else tasks / FILE_NAME


def read_survivors(path: Path, *, required: bool = False) -> tuple[SurvivorFile, ...]:
    """The list at `path`; () where there is none and none is required. Raises InputError for a broken one."""
    if not required and not path.is_file():
        return ()
    try:
        survivors = SurvivorsFile.model_validate(json.loads(path.read_bytes())).survivors
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", where=str(path), mend="give the list's file") from None
    except ValidationError as error:
        spot = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InputError(f"{spot}: {error.errors()[0]['msg']}", where=str(path), mend="correct the entry") from None
    except ValueError as error:
        raise InputError(f"no JSON ({error})", where=str(path), mend="mend the file") from None
    if twice := _twice((one.case, one.saboteur) for one in survivors):
        raise InputError(f"{' '.join(twice)} stands twice", where=str(path), mend="keep one entry")
    return survivors


def _twice(pairs: Iterable[tuple[str, str]]) -> tuple[str, str] | None:
    seen = set()
    for pair in pairs:
        if pair in seen:
            return pair
        seen.add(pair)
    return None
