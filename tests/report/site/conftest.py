"""Runs to make sites of: one with sound, failures and passes in it, and a browser to look at them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
SUITE = REPOSITORY / "tests" / "suites" / "healthcare"
HZ = 16_000
TONES_HZ = {"caller": 320.0, "agent": 210.0}
SLIP = "what the line made of it"
"""Words that ears are said to have heard in place of the last two of every third turn."""


def mivas(*words: str, cwd: Path) -> None:
    program = [sys.executable, "-c", "from mivas.cli import main; main()", *words]
    done = subprocess.run(program, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def give_sound(root: Path) -> None:
    """Make a text run look like a spoken one: tones where somebody speaks, ears that slip, a barge-in, latencies."""
    numpy, soundfile = pytest.importorskip("numpy"), pytest.importorskip("soundfile")
    manifest = json.loads((root / "run.json").read_text())
    (root / "run.json").write_text(json.dumps({**manifest, "tier": "acoustic", "condition": "per task"}))
    for folder in sorted((root / "calls").iterdir()):
        events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        speech = [event for event in events if event["type"] == "speech"]
        sound = numpy.zeros((events[-1]["t_ms"] * HZ // 1000, 2), dtype=numpy.float32)
        for place, event in enumerate(speech):
            said = event["text"].split()
            event["heard"] = " ".join([*said[:-2], SLIP] if place % 3 == 2 else said)
            first, last = (event[key] * HZ // 1000 for key in ("start_ms", "end_ms"))
            times = numpy.arange(last - first) / HZ
            tone = 0.3 * numpy.sin(2 * numpy.pi * TONES_HZ[event["role"]] * times) * (1 + numpy.sin(6 * times)) / 2
            sound[first:last, 0 if event["role"] == "caller" else 1] = tone[: len(sound) - first]
        cut = next((one for one in speech[1:] if one["role"] == "agent"), None)
        if cut is not None:
            cut["interrupted"] = True
            at = cut["end_ms"]
            place = events.index(cut) + 1
            events.insert(place, {"t_ms": at, "type": "interruption", "node": None, "by": "caller", "at_ms": at})
        (folder / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
        soundfile.write(folder / "audio.flac", sound, HZ, subtype="PCM_16")
    verdicts = [json.loads(line) for line in (root / "verdicts.jsonl").read_text().splitlines()]
    for place, verdict in enumerate(verdicts):
        verdict["diagnostics"]["interaction"] = {
            "response_latency_ms": [620, 700 + 40 * place, 1310], "dead_air_after_tool_ms": [450], "talk_over_ms": 120,
            "yield_ms": [240], "handoff_gap_ms": [900], "goodbye_cut": place == 0,
        }  # fmt: skip
    (root / "verdicts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in verdicts))


@pytest.fixture(scope="session")
def text_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished text run of twelve cases, one of which passes."""
    root = tmp_path_factory.mktemp("runs") / "text"
    faulty = ("--harness", "saboteur:wrong-argument", "--tasks", str(SUITE))
    mivas("run", "healthcare", *faulty, "--out", str(root), cwd=root.parent)
    return root


@pytest.fixture(scope="session")
def spoken_run(text_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run with sound."""
    root = tmp_path_factory.mktemp("runs") / "spoken"
    shutil.copytree(text_run, root)
    give_sound(root)
    return root


@pytest.fixture(scope="session")
def site(spoken_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the run with sound."""
    folder = tmp_path_factory.mktemp("sites") / "site"
    mivas("report", str(spoken_run), "--out", str(folder), "--tasks", str(SUITE), cwd=folder.parent)
    return folder


HOSTILE = "<script>window.taken=1</script><img src=x onerror=window.taken=1></script><!--\u2028{{7*7}}"
"""Said, sent, answered and named: it may be read, and nothing of it may run."""
BACKWARDS = "\u202eesrever si siht\u202c and \u05e9\u05dc\u05d5\u05dd"
LONG_LINE = "w" * 20_000
LONG_ARGUMENT = "<b>" + "x" * 50_000


@pytest.fixture(scope="session")
def hostile_site(text_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of a run whose every text was written by somebody who means harm."""
    root = tmp_path_factory.mktemp("runs") / "hostile"
    shutil.copytree(text_run, root)
    manifest = json.loads((root / "run.json").read_text())
    manifest["harness"] |= {"name": HOSTILE, "models": [HOSTILE], "capabilities": {HOSTILE: HOSTILE}}
    manifest |= {"run_id": HOSTILE, "command": HOSTILE, "revision": HOSTILE}
    (root / "run.json").write_text(json.dumps(manifest))
    for log in root.glob("calls/*/events.jsonl"):
        events = [json.loads(line) for line in log.read_text().splitlines()]
        for event in events:
            if event["type"] == "speech":
                event |= {"text": f"{HOSTILE} {BACKWARDS} {LONG_LINE}", "heard": f"{HOSTILE} and more {LONG_LINE}"}
            if event["type"] == "tool.started" and event["kind"] == "industry":
                event["arguments"] = {HOSTILE: LONG_ARGUMENT, **event["arguments"]}
            if event["type"] == "tool.finished":
                event["output"] = {"ok": False, "error_code": HOSTILE}
        events.insert(1, {"t_ms": 0, "type": "note", "node": HOSTILE, "code": HOSTILE, "text": HOSTILE})
        log.write_text("".join(json.dumps(event) + "\n" for event in events))
    verdicts = [json.loads(line) for line in (root / "verdicts.jsonl").read_text().splitlines()]
    for verdict in verdicts:
        for reason in verdict["reasons"]:
            reason |= {"text": HOSTILE}
        verdict["diagnostics"]["caller_faults"] = [{"code": HOSTILE, "text": HOSTILE, "t_ms": 3}]
    (root / "verdicts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in verdicts))
    folder = tmp_path_factory.mktemp("sites") / "hostile"
    mivas("report", str(root), "--out", str(folder), "--tasks", str(SUITE), cwd=folder.parent)
    return folder


@pytest.fixture
def hostile_text() -> str:
    return HOSTILE


@pytest.fixture
def value_of() -> Any:
    """`value_of(path)`: the value a data file hands to its page."""

    def value(path: Path) -> Any:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("mivas.data(")
        return json.loads(text[text.index(",") + 1 : text.rindex(")")])

    return value


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium. Skips where there is none. Ends with each module: its driver keeps an event loop running."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
    from mivas.cli._screenshots import browser_path
    from mivas.errors import MivasError

    try:
        path = browser_path()
    except MivasError as error:
        pytest.skip(str(error))
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"]
        )
        yield chromium
        chromium.close()
