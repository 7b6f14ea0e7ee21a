"""Smoke tests against real providers: they cost money, need a key and the network, and run with `--live` only.

    .venv/bin/pytest tests/live --live

Each plays the qualifying call with a real model. It shows that the adapter and the provider's present wire agree;
whether the model passes is another question.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mivas.run import LocalBackend, RunOptions, qualify

KEYS = {
    "openai/realtime-2.1": ("OPENAI_API_KEY",),
    "openai/realtime-2.1-mini": ("OPENAI_API_KEY",),
    "openai/realtime-2.1-swap": ("OPENAI_API_KEY",),
    "openai/realtime-2.1-mini-swap": ("OPENAI_API_KEY",),
    "grok/voice": ("GROK_API_KEY", "XAI_API_KEY"),
    "qwen/audio-realtime": ("DASHSCOPE_API_KEY", "QWEN_API_KEY"),
}


@pytest.mark.slow
@pytest.mark.parametrize("harness", KEYS)
def test_a_real_model_takes_the_qualifying_call(harness: str, live: None, tmp_path: Path) -> None:
    if not any(os.environ.get(name, "").strip() for name in KEYS[harness]):
        pytest.skip(f"{' or '.join(KEYS[harness])} isn't set")
    for package in ("hibari", "ctranslate2", "websockets"):
        pytest.importorskip(package)
    if not harness.endswith("swap") and harness.startswith("openai"):
        pytest.importorskip("agents.realtime")
    options = RunOptions(packs=("control-industry",), harness=harness, mode="voice", caller_ears="whisper:tiny.en")
    found = qualify(
        options, tmp_path / "run", LocalBackend(os.environ.get("OPENAI_API_KEY", "").strip() or None),
        folder=tmp_path / "certificates", started_utc=datetime.now(UTC), command="live test", watch=lambda _: None,
    )  # fmt: skip
    assert found.result.verdicts[0]["void_reason"] is None
    assert found.steps.receives_call
