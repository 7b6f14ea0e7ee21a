"""What was once said or heard, kept: by content, in memory and, if given one, in a folder that processes may share."""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from mivas.speech._protocols import Ears, Voice

if TYPE_CHECKING:
    from mivas.speech._pcm import Pcm

Kept = TypeVar("Kept")
IN_MEMORY = 256
"""Entries of each cache; a turn's sound is some 100 kB."""


class CachedVoice:
    """A voice that makes each sound once.

    Args:
        folder: where sounds stay for other processes and later runs (16-bit samples, little-endian); None: nowhere.
    """

    def __init__(self, voice: Voice, folder: Path | None = None) -> None:
        self._voice = voice
        self._kept: _Cache[Pcm] = _Cache(folder, ".s16", _to_bytes, _to_pcm)

    @property
    def name(self) -> str:
        return self._voice.name

    @property
    def revision(self) -> str:
        return self._voice.revision

    def speak(self, text: str, seed: int) -> Pcm:
        """As `Voice.speak`. The sound is shared: it can't be written to."""
        key = _key("voice", self.name, self.revision, str(seed), text)
        return self._kept.get(key, lambda: _read_only(self._voice.speak(text, seed)))


class CachedEars:
    """Ears that transcribe each sound once.

    Args:
        folder: where texts stay for other processes and later runs; None: nowhere.
    """

    def __init__(self, ears: Ears, folder: Path | None = None) -> None:
        self._ears = ears
        self._kept: _Cache[str] = _Cache(folder, ".txt", str.encode, bytes.decode)

    @property
    def name(self) -> str:
        return self._ears.name

    @property
    def revision(self) -> str:
        return self._ears.revision

    def hear(self, pcm: Pcm, prompt: str = "") -> str:
        """As `Ears.hear`."""
        key = _key("ears", self.name, self.revision, prompt, _to_bytes(pcm))
        return self._kept.get(key, lambda: self._ears.hear(pcm, prompt))


class _Cache(Generic[Kept]):
    """Least recently used entries leave memory first; files stay. A file that can't be read is made again."""

    def __init__(
        self, folder: Path | None, suffix: str, encode: Callable[[Kept], bytes], decode: Callable[[bytes], Kept]
    ) -> None:
        self._folder, self._suffix, self._encode, self._decode = folder, suffix, encode, decode
        self._memory: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], Kept]) -> Kept:
        with self._lock:
            if key in self._memory:
                self._memory.move_to_end(key)
                return self._memory[key]
        value = self._read(key)
        if value is None:
            value = make()
            self._write(key, value)
        with self._lock:
            self._memory[key] = value
            while len(self._memory) > IN_MEMORY:
                self._memory.popitem(last=False)
        return value

    def _path(self, key: str) -> Path | None:
        return None if self._folder is None else self._folder / key[:2] / f"{key}{self._suffix}"

    def _read(self, key: str) -> Kept | None:
        path = self._path(key)
        try:
            return None if path is None else _unwrapped(path.read_bytes(), self._decode)
        except (OSError, ValueError):
            return None

    def _write(self, key: str, value: Kept) -> None:
        """A file is there whole or not at all. A full disk costs the cache, not the call."""
        path = self._path(key)
        if path is None:
            return
        data = self._encode(value)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=path.parent) as folder:
                whole = Path(folder) / path.name
                whole.write_bytes(hashlib.sha256(data).digest() + data)
                whole.replace(path)


def _unwrapped(stored: bytes, decode: Callable[[bytes], Kept]) -> Kept:
    digest, data = stored[:32], stored[32:]
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("damaged")
    return decode(data)


def _key(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _to_bytes(pcm: Pcm) -> bytes:
    return pcm.astype("<i2", copy=False).tobytes()


def _to_pcm(data: bytes) -> Pcm:
    import numpy as np

    return _read_only(np.frombuffer(data, dtype="<i2").astype(np.int16))


def _read_only(pcm: Pcm) -> Pcm:
    pcm.flags.writeable = False
    return pcm
