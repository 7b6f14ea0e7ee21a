"""Voices and ears behind any endpoint that speaks OpenAI's protocol for sound. The official client does the talking.

Where and with which key is told by the environment (`OPENAI_BASE_URL`, `OPENAI_API_KEY`); the argument names the model:
`openai:tts-1/alloy`, `openai:whisper-1`.
"""

from __future__ import annotations

import io
import os
import wave
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.speech._pcm import RATE_HZ

if TYPE_CHECKING:
    from mivas.speech._pcm import Pcm

VOICE_MODEL, VOICE, EARS_MODEL = "gpt-4o-mini-tts", "alloy", "gpt-4o-mini-transcribe"
CLOUD_HZ = 24_000
"""Rate of the raw samples (`pcm`) that the protocol sends."""
LONGEST_TEXT = 4_096
"""Characters a request may say (OpenAI's limit)."""
Answer = TypeVar("Answer")


class CloudVoice:
    """A voice behind an endpoint. It may say the same text differently each time: `CachedVoice` keeps the first.

    Args:
        model, voice: as the endpoint calls them.
        endpoint: where it is, with the key.
    """

    def __init__(self, model: str, voice: str, endpoint: Endpoint) -> None:
        self._model, self._voice, self._endpoint = model, voice, endpoint
        self.name = f"openai/{model}/{voice}"
        self.revision = _revision(endpoint)

    def speak(self, text: str, seed: int) -> Pcm:  # noqa: ARG002 - the protocol has no seed
        """As `Voice.speak`. Raises InputError: the endpoint gave no sound."""
        import numpy as np
        import soxr

        from mivas.speech._level import levelled, trimmed
        from mivas.speech._spoken import spoken

        said = spoken(text)[:LONGEST_TEXT]
        if not any(map(str.isalnum, said)):
            return np.zeros(0, dtype=np.int16)
        data = _asked(self._endpoint, self.name, lambda client: self._sound(client, said))
        wide = np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2").astype(np.float32) / 32768
        return levelled(trimmed(np.asarray(soxr.resample(wide, CLOUD_HZ, RATE_HZ), dtype=np.float32), RATE_HZ))

    def _sound(self, client: Any, said: str) -> bytes:
        answer = client.audio.speech.create(model=self._model, voice=self._voice, input=said, response_format="pcm")
        return bytes(answer.content)


class CloudEars:
    """A recogniser behind an endpoint.

    Args:
        model: as the endpoint calls it.
        endpoint: where it is, with the key.
    """

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self._model, self._endpoint = model, endpoint
        self.name = f"openai/{model}"
        self.revision = _revision(endpoint)

    def hear(self, pcm: Pcm, prompt: str = "") -> str:
        """As `Ears.hear`. Raises InputError: the endpoint gave no text."""
        from mivas.speech._level import audible

        if not audible(pcm):
            return ""
        return _asked(self._endpoint, self.name, lambda client: self._text(client, pcm, prompt)).strip()

    def _text(self, client: Any, pcm: Pcm, prompt: str) -> str:
        given = {"prompt": prompt} if prompt else {}
        answer = client.audio.transcriptions.create(
            model=self._model, file=("turn.wav", _wav(pcm)), language="en", response_format="json", **given
        )
        return str(answer.text)


def cloud_voice(argument: str | None) -> CloudVoice:
    """Entry point `mivas.voices: openai`. Raises InputError for a missing key or client library."""
    model, _, voice = (argument or VOICE_MODEL).partition("/")
    return CloudVoice(model, voice or VOICE, _endpoint("voice openai"))


def cloud_ears(argument: str | None) -> CloudEars:
    """Entry point `mivas.ears: openai`. Raises InputError for a missing key or client library."""
    return CloudEars(argument or EARS_MODEL, _endpoint("ears openai"))


def _endpoint(where: str) -> Endpoint:
    endpoint = Endpoint(
        base_url=os.environ.get("OPENAI_BASE_URL") or None, api_key=os.environ.get("OPENAI_API_KEY") or None
    )
    endpoint.check(where)
    return endpoint


def _asked(endpoint: Endpoint, who: str, ask: Callable[[Any], Answer]) -> Answer:
    """One request. Raises InputError for whatever the endpoint does instead of answering."""
    from openai import OpenAI

    try:
        with OpenAI(**endpoint.client_options()) as client:
            return ask(client)
    except Exception as error:
        failure = endpoint.failure(error)
        if failure is None:
            raise
        raise InputError(
            f"{type(failure).__name__} ({' '.join(str(failure).split())[:200]})",
            where=who,
            mend="look at OPENAI_BASE_URL, OPENAI_API_KEY and the model's name, or take an offline one",
        ) from None


def _revision(endpoint: Endpoint) -> str:
    """Nobody tells what runs behind an endpoint; its address is what is known."""
    from urllib.parse import urlsplit

    host = ""
    with suppress(ValueError):
        host = urlsplit(endpoint.base_url or "").netloc.rpartition("@")[2]
    return host or "api.openai.com"


def _wav(pcm: Pcm) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE_HZ)
        written.writeframes(pcm.astype("<i2").tobytes())
    return file.getvalue()
