from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mivas.speech import CachedEars, CachedVoice

np = pytest.importorskip("numpy")


@dataclass
class Counting:
    """A voice and ears that count what they are asked."""

    name: str = "fake/one"
    revision: str = "1"
    asked: list[Any] = field(default_factory=list)

    def speak(self, text: str, seed: int) -> Any:
        self.asked.append((text, seed))
        return np.frombuffer(f"{text}{seed}".encode().ljust(40), dtype=np.int16).copy()

    def hear(self, pcm: Any, prompt: str = "") -> str:
        self.asked.append((pcm.tobytes(), prompt))
        return f"héard {len(pcm)} {prompt}"


def test_a_sound_is_made_once(tmp_path: Path) -> None:
    voice = Counting()
    first = CachedVoice(voice, tmp_path).speak("hi", 1)
    again = CachedVoice(voice, tmp_path)
    assert again.speak("hi", 1).tobytes() == again.speak("hi", 1).tobytes() == first.tobytes()
    assert again.speak("hi", 1).dtype == np.int16
    assert len(voice.asked) == 1
    assert (again.name, again.revision) == ("fake/one", "1")


@pytest.mark.parametrize(
    "change", [{"text": "ho"}, {"seed": 2}, {"revision": "2"}, {"name": "fake/two"}, {"text": "\ud800"}]
)
def test_whatever_changes_the_sound_changes_its_place(tmp_path: Path, change: dict[str, Any]) -> None:
    CachedVoice(Counting(), tmp_path).speak("hi", 1)
    voice = Counting(name=change.get("name", "fake/one"), revision=change.get("revision", "1"))
    voice.speak = lambda text, seed: (voice.asked.append(text), np.zeros(1, np.int16))[1]  # type: ignore[method-assign]
    CachedVoice(voice, tmp_path).speak(change.get("text", "hi"), change.get("seed", 1))
    assert len(voice.asked) == 1


def test_a_text_is_heard_once_for_each_prompt(tmp_path: Path) -> None:
    ears = Counting()
    pcm = np.arange(10, dtype=np.int16)
    assert CachedEars(ears, tmp_path).hear(pcm) == CachedEars(ears, tmp_path).hear(pcm) == "héard 10 "
    assert CachedEars(ears, tmp_path).hear(pcm, "Aetna") == "héard 10 Aetna"
    assert len(ears.asked) == 2


def test_without_a_folder_memory_keeps_it() -> None:
    voice = Counting()
    cached = CachedVoice(voice)
    assert cached.speak("hi", 1) is cached.speak("hi", 1)
    assert len(voice.asked) == 1


def test_memory_holds_the_latest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from mivas.speech import _cache

    monkeypatch.setattr(_cache, "IN_MEMORY", 2)
    voice = Counting()
    cached = CachedVoice(voice)
    for seed in (1, 2, 1, 3, 1, 2):
        cached.speak("hi", seed)
    assert [seed for _, seed in voice.asked] == [1, 2, 3, 2]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 200])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    voice = Counting()
    whole = CachedVoice(voice, tmp_path).speak("hi", 1).tobytes()
    [file] = tmp_path.rglob("*.s16")
    file.write_bytes(damage)
    assert CachedVoice(voice, tmp_path).speak("hi", 1).tobytes() == whole
    assert CachedVoice(voice, tmp_path).speak("hi", 1).tobytes() == whole
    assert len(voice.asked) == 2


def test_a_folder_that_takes_no_files_costs_the_cache_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert len(CachedVoice(Counting(), tmp_path / "file").speak("hi", 1)) == 20


def test_nothing_is_left_beside_the_kept_files(tmp_path: Path) -> None:
    CachedVoice(Counting(), tmp_path).speak("hi", 1)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1
    assert len([path for path in tmp_path.rglob("*") if path.is_dir()]) == 1


def test_nobody_can_change_what_is_kept() -> None:
    pcm = CachedVoice(Counting()).speak("hi", 1)
    with pytest.raises(ValueError, match="read-only"):
        pcm[0] = 1
