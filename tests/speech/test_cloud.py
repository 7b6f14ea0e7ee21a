from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from mivas.errors import InputError
from mivas.speech import load_ears, load_voice

np = pytest.importorskip("numpy")
pytest.importorskip("openai")


@dataclass
class Provider:
    """A double of a provider's speech endpoint: what it answers, and what it was asked."""

    url: str = ""
    status: int = 200
    sound: bytes = b""
    text: bytes = b'{"text": " I have Aetna. "}'
    asked: list[tuple[str, bytes]] = field(default_factory=list)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    double = Provider(sound=(9000 * np.sin(np.arange(24_000) / 8)).astype("<i2").tobytes())

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            double.asked.append((self.path, body))
            answer = double.sound if self.path.endswith("/audio/speech") else double.text
            answer = answer if double.status == 200 else b'{"error": {"message": "key sk-secret is bad"}}'
            self.send_response(double.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        double.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", double.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        monkeypatch.setattr("mivas.endpoint.RETRIES", 0)
        yield double
        server.shutdown()
        thread.join()


def test_a_cloud_voice_is_asked_for_sayable_text_and_gives_16_khz(provider: Provider) -> None:
    pcm = load_voice("openai:tts-1/nova").speak("Order KE-449.", 1)
    [(path, body)] = provider.asked
    assert path == "/v1/audio/speech"
    assert json.loads(body) == {
        "model": "tts-1", "voice": "nova", "input": "Order K E, four four nine.", "response_format": "pcm",
    }  # fmt: skip
    assert pcm.dtype == np.int16
    assert len(pcm) == pytest.approx(16_000, rel=0.05)
    assert 20 * np.log10(np.sqrt((pcm.astype(float) ** 2).mean()) / 32768) == pytest.approx(-26, abs=0.5)


def test_nothing_sayable_asks_nobody(provider: Provider) -> None:
    assert len(load_voice("openai").speak("😀 ...", 1)) == 0
    assert load_ears("openai").hear(np.zeros(32_000, dtype=np.int16)) == ""
    assert provider.asked == []


@pytest.mark.parametrize("sound", [b"", b"\x00", b"\x00" * 4800])
def test_an_empty_answer_is_silence(provider: Provider, sound: bytes) -> None:
    provider.sound = sound
    assert len(load_voice("openai").speak("Hello.", 1)) == 0


def test_cloud_ears_send_a_wave_file_and_the_prompt(provider: Provider) -> None:
    pcm = (3000 * np.sin(np.arange(16_000))).astype(np.int16)
    assert load_ears("openai:whisper-1").hear(pcm, "Aetna, Cigna.") == "I have Aetna."
    [(path, body)] = provider.asked
    assert path == "/v1/audio/transcriptions"
    assert b"RIFF" in body
    assert pcm.tobytes() in body
    assert b"Aetna, Cigna." in body
    assert b"whisper-1" in body


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_a_refusal_is_one_line_without_the_key(provider: Provider, status: int) -> None:
    provider.status = status
    with pytest.raises(InputError) as caught:
        load_voice("openai:tts-1/nova").speak("Hello.", 1)
    assert str(caught.value).startswith("openai/tts-1/nova: EndpointRefused (")
    assert "sk-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_answer_outside_the_protocol_is_one_line(provider: Provider) -> None:
    provider.text = b"not json"
    with pytest.raises(InputError, match="openai/whisper-1: Endpoint"):
        load_ears("openai:whisper-1").hear(np.full(16_000, 3000, dtype=np.int16))


def test_nobody_there_is_one_line(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match="EndpointUnreachable"):
        load_voice("openai").speak("Hello.", 1)


def test_no_key_is_told_before_any_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for load in (load_voice, load_ears):
        with pytest.raises(InputError, match="OPENAI_API_KEY: no key given"):
            load("openai")


def test_the_address_is_the_revision_without_its_password(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:secret@voices.example:8443/v1")
    assert load_voice("openai:tts-1/nova").revision == "voices.example:8443"
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert load_ears("openai").revision == "api.openai.com"
