"""Certificates of harnesses that qualified, and who needs one (docs/qualification.md)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from mivas.errors import InputError, JournalError, MivasError
from mivas.harness import load_harness
from mivas.pack import load_pack
from mivas.run._files import write_atomically
from mivas.run._options import RunOptions
from mivas.run._world import FIXTURE_SUITE, suite_for
from mivas.state import is_loopback

CERTIFICATE_VERSION = 3
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
    base_url: str | None
    """Where the model was reached; None: at its provider's own address, or it has none."""
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


def certificate_name(harness: Any, name: str) -> str:
    """What a harness's certificates are kept under: naming the model that it has anyhow makes no other harness."""
    short, colon, _ = name.partition(":")
    if not colon or not harness.capabilities.takes_endpoint:
        return name
    try:
        models = load_harness(short).capabilities.models
    except MivasError:
        return name
    return short if models and models == harness.capabilities.models else name


def certificate_of(harness: Any, name: str, folder: Path, *, base_url: str | None, mode: str) -> Certificate | None:
    """The certificate that lets calls of a harness count, made in that mode with the model at that address.

    Args:
        name: what it was loaded by, `name:argument`.
    """
    asked = _Asked(harness, certificate_name(harness, name), _plain(base_url), mode)
    path = _path(folder, asked.name, asked.base_url, mode)
    found = _read(path, asked.name)
    return found if isinstance(found, Certificate) and asked.misfit(found) is None else None


def certificates_of(harness: Any, name: str, folder: Path) -> tuple[Certificate, ...]:
    """Every certificate of a harness as it is now, whatever the mode and the address, doubles left out."""
    key = certificate_name(harness, name)
    found = (_read(path, key) for path in _files(folder, key))
    return tuple(
        one
        for one in found
        if isinstance(one, Certificate) and _Asked(harness, key, one.base_url, one.mode).misfit(one) is None
    )


def why_none(harness: Any, name: str, folder: Path, *, base_url: str | None, mode: str) -> str:
    """What keeps a harness from having the certificate that `certificate_of` looks for, in one line with the path."""
    asked = _Asked(harness, certificate_name(harness, name), _plain(base_url), mode)
    own = _path(folder, asked.name, asked.base_url, mode)
    for path in sorted(_files(folder, asked.name), key=lambda one: (one != own, one.name)):
        found = _read(path, asked.name)
        return f"{path} {found if isinstance(found, str) else asked.misfit(found)}"
    return f"none is in {folder}"


def double_of(harness: Any, base_url: str | None = None) -> str | None:
    """Name of the adapter that a harness plays against a double of its provider; None for every other harness.

    A provider that is reached on this machine, though it has an address of its own, is a double.
    """
    adapter = getattr(harness, "adapter", None)
    if isinstance(adapter, str) and harness.capabilities.knows_answers:
        return adapter
    vendors = isinstance(getattr(getattr(harness, "profile", None), "url", None), str)
    return str(harness.name) if vendors and base_url is not None and _is_here(base_url) else None


def needs_certificate(harness: Any) -> bool:
    """Whether calls of a harness count only once it is qualified.

    Agents that know the answers never count. The project's own that need nobody outside are qualified by its tests.
    """
    capabilities = harness.capabilities
    outside = capabilities.clock == "real" or capabilities.takes_endpoint or capabilities.works_elsewhere
    own = type(harness).__module__.startswith(OWN_PACKAGE)
    return not capabilities.knows_answers and (outside or not own)


def is_qualified(options: RunOptions, harness: Any, folder: Path) -> bool:
    """Whether a harness's calls may count."""
    if not needs_certificate(harness):
        return True
    found = certificate_of(harness, options.harness, folder, base_url=options.base_url, mode=options.mode)
    return found is not None


def check_qualified(options: RunOptions, harness: Any, folder: Path) -> None:
    """Raise InputError when an unqualified harness is to play a scored suite."""
    if is_qualified(options, harness, folder):
        return
    if any(suite_for(load_pack(name), options.suite_source).name != FIXTURE_SUITE for name in options.packs):
        cause = why_none(harness, options.harness, folder, base_url=options.base_url, mode=options.mode)
        raise InputError(
            f"has no certificate, so its calls wouldn't count: {cause}",
            where=f"harness {options.harness}",
            mend="run `mivas qualify` with it first, mode and address the same, or add --unqualified",
        )


def prepare_certificates(folder: Path) -> None:
    """Make the folder and try to write there: nobody should make a call for a certificate that can't be kept.

    Raises JournalError.
    """
    trial = folder / f".{token_hex(8)}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise JournalError(
            f"can't be written ({error.strerror})", where=str(folder), mend=f"set {FOLDER_VARIABLE} to another folder"
        ) from None


def keep_certificate(certificate: Certificate, folder: Path) -> Path:
    """Write a certificate, in place of an earlier one of that harness, mode and address. Raises JournalError."""
    prepare_certificates(folder)
    path = _path(folder, certificate.harness, _plain(certificate.base_url), certificate.mode)
    write_atomically(path, json.dumps(asdict(certificate), indent=1).encode() + b"\n")
    return path


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whose certificate is looked for, and for which calls."""

    harness: Any
    name: str
    base_url: str | None
    mode: str

    def misfit(self, found: Certificate) -> str | None:
        """Why a certificate of that harness doesn't count; None: it does."""
        if found.revision != self.harness.revision:
            return f"is for revision {found.revision}, it is {self.harness.revision} now"
        if found.mode != self.mode:
            return f"is for mode {found.mode}, not {self.mode}"
        if (then := _plain(found.base_url)) != self.base_url:
            return f"is for {_address(then)}, not {_address(self.base_url)}"
        if found.double_of is not None and not self.harness.capabilities.knows_answers:
            return f"was earned with a double at {_address(then)}, which proves the adapter and never the model"
        return None


def _read(path: Path, name: str) -> Certificate | str:
    """A kept certificate, or what is wrong with the file."""
    try:
        stored = json.loads(path.read_bytes())
        version = stored["version"]
        if version == CERTIFICATE_VERSION:
            found = Certificate(**{one.name: stored[one.name] for one in fields(Certificate)})
    except OSError as error:
        return f"can't be read ({error.strerror})"
    except (ValueError, KeyError, TypeError, RecursionError):
        return "is damaged"
    if version != CERTIFICATE_VERSION:
        return f"is of version {version} of the format, this is {CERTIFICATE_VERSION}"
    words = (found.harness, found.revision, found.issued_utc, found.mode, found.pack, found.pack_version)
    urls = (found.base_url, found.double_of)
    if not all(isinstance(one, str) for one in words) or not all(isinstance(one, str | None) for one in urls):
        return "is damaged"
    return found if found.harness == name else "is for another harness"


def _files(folder: Path, name: str) -> list[Path]:
    """Every certificate kept under a name, whatever the mode and the address; none for a folder that is none."""
    return list(folder.glob(f"{_stem(name)}*.json"))


def _path(folder: Path, name: str, base_url: str | None, mode: str) -> Path:
    """A file of its own for every name, mode and address."""
    return folder / f"{_stem(name)}-{mode}{f'-{_digest(base_url)}' if base_url is not None else ''}.json"


def _stem(name: str) -> str:
    """Readable where the name is."""
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80]
    return f"{readable}-{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _plain(url: str | None) -> str | None:
    """One spelling of an address."""
    return url.rstrip("/") if url is not None else None


def _address(url: str | None) -> str:
    return url if url is not None else "the harness's own address"


def _is_here(url: str) -> bool:
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    return is_loopback(host) or host in ("0.0.0.0", "::") or host.endswith(".localhost")  # noqa: S104 - compared
