"""Sounds and transcripts of a run stay where MIVAS_SPEECH_CACHE says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mivas.run._speech import SpeechChoice, speech_kit

pytest.importorskip("hibari", reason="spoken calls need the extra voice")
VOICED = SpeechChoice(
    tier="voiced-text", condition=None, manner="patient", agent_voice="hibari:agent",
    caller_ears="whisper:tiny.en", agent_ears="whisper:tiny.en",
)  # fmt: skip


def test_a_sound_is_kept_for_later_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIVAS_SPEECH_CACHE", str(tmp_path))
    fresh = speech_kit.__wrapped__
    made = fresh(VOICED).agent_voice.speak("Good morning.", 0)
    kept = list(tmp_path.rglob("*.s16"))
    assert len(kept) == 1
    stamp = kept[0].stat().st_mtime_ns
    assert (fresh(VOICED).agent_voice.speak("Good morning.", 0) == made).all()
    assert kept[0].stat().st_mtime_ns == stamp


def test_nothing_is_written_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MIVAS_SPEECH_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)
    speech_kit.__wrapped__(VOICED).agent_voice.speak("Good morning.", 0)
    assert list(tmp_path.iterdir()) == []
