"""Weights that ship inside packages: found without importing them, and checked by hash before they are used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from mivas.speech._errors import WeightsMissing

CHUNK = 1 << 20


def packaged_file(package: str, *parts: str, mend: str) -> Path:
    """A file inside an installed package. Raises WeightsMissing, with `mend` telling how to get it."""
    spec = find_spec(package)
    folder = Path(spec.origin).parent if spec is not None and spec.origin else None
    path = folder.joinpath(*parts) if folder is not None else None
    if path is None or not path.is_file():
        raise WeightsMissing(
            f"{'/'.join(parts)} of package {package} isn't installed", where="voices and ears", mend=mend
        )
    return path


def check_hash(paths: Iterable[Path], sha256: str, *, mend: str) -> None:
    """Compare the hash of some files read one after the other. Raises WeightsMissing."""
    digest = hashlib.sha256()
    names = []
    for path in paths:
        names.append(path.name)
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    if digest.hexdigest() != sha256:
        raise WeightsMissing(
            f"{', '.join(names)} is not the file that was measured (sha256 {digest.hexdigest()[:12]}…)",
            where="voices and ears",
            mend=mend,
        )
