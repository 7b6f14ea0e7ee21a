"""Certificates of harnesses that qualified, and who needs one (docs/qualification.md)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from mivas.errors import InputError, JournalError
from mivas.pack import load_pack
from mivas.run._files import write_atomically
from mivas.run._options import RunOptions
from mivas.run._world import FIXTURE_SUITE, suite_for

CERTIFICATE_VERSION = 2
FOLDER_VARIABLE = "MIVAS_CERTIFICATES"
OWN_PACKAGE = "mivas."


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """That a harness passed."""

    harness: str
    revision: str
    mivas_version: str
    issued_utc: str
    mode: str
    pack: str
    pack_version: str
    evidence: str
    """Folder of the run."""
    steps: Mapping[str, bool]
    double_of: str | None
    """The adapter that was proven with a double for its provider, which proves no model; None: with the real one."""
    version: int = field(default=CERTIFICATE_VERSION)


def certificates_folder() -> Path:
    """Where certificates are kept: MIVAS_CERTIFICATES, else below the user's data folder."""
    if given := os.environ.get(FOLDER_VARIABLE, "").strip():
        return Path(given)
    data = os.environ.get("XDG_DATA_HOME", "").strip()
    return (Path(data) if data else Path.home() / ".local" / "share") / "mivas" / "certificates"


def certificate_of(harness: Any, name: str, folder: Path) -> Certificate | None:
    """The certificate of a harness as it is now; None: it has none, or was changed since.

    Args:
        name: what it was loaded by, `name:argument`.
    """
    try:
        stored = json.loads(_path(folder, name).read_bytes())
        certificate = Certificate(**{one.name: stored[one.name] for one in fields(Certificate)})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    fits = (certificate.harness, certificate.revision, certificate.version)
    return certificate if fits == (name, harness.revision, CERTIFICATE_VERSION) else None


def double_of(harness: Any) -> str | None:
    """Name of the adapter that a harness plays against a double of its provider; None for every other harness."""
    adapter = getattr(harness, "adapter", None)
    return adapter if isinstance(adapter, str) and harness.capabilities.knows_answers else None


def needs_certificate(harness: Any) -> bool:
    """Whether calls of a harness count only once it is qualified.

    Agents that know the answers never count. The project's own that need nobody outside are qualified by its tests.
    """
    capabilities = harness.capabilities
    outside = capabilities.clock == "real" or capabilities.takes_endpoint or capabilities.works_elsewhere
    own = type(harness).__module__.startswith(OWN_PACKAGE)
    return not capabilities.knows_answers and (outside or not own)


def is_qualified(harness: Any, name: str, folder: Path) -> bool:
    """Whether a harness's calls may count."""
    return not needs_certificate(harness) or certificate_of(harness, name, folder) is not None


def check_qualified(options: RunOptions, harness: Any, folder: Path) -> None:
    """Raise InputError when an unqualified harness is to play a scored suite."""
    if is_qualified(harness, options.harness, folder):
        return
    if any(suite_for(load_pack(name), options.suite_source).name != FIXTURE_SUITE for name in options.packs):
        raise InputError(
            "has no certificate, so its calls wouldn't count",
            where=f"harness {options.harness}",
            mend="run `mivas qualify` with it first, or add --unqualified",
        )


def keep_certificate(certificate: Certificate, folder: Path) -> Path:
    """Write a certificate, in place of an earlier one of that harness. Raises JournalError."""
    path = _path(folder, certificate.harness)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            f"can't be written ({error.strerror})", where=str(path), mend=f"set {FOLDER_VARIABLE} to another folder"
        ) from None
    write_atomically(path, json.dumps(asdict(certificate), indent=1).encode() + b"\n")
    return path


def _path(folder: Path, name: str) -> Path:
    """A file of its own for every name, readable where the name is."""
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80]
    return folder / f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"
