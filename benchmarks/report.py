"""How long does a report take to build, and is it quick to use? Writes benchmarks/results/report.json.

    .venv/bin/python benchmarks/report.py [--folder DIR] [--rounds 3]

Plays the three packs' own 216 cases once and five times (text calls, oracle). The sound of the first run is made up:
noise where somebody speaks, two channels, FLAC, which is dearer to read than speech. Builds a site of each with
`mivas report`, whole process, and opens it from disk in headless Chromium: first page, catalogue, one call, and every
choice of every filter.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from playwright.sync_api import Page, sync_playwright

from mivas.cli._screenshots import browser_path

HERE = Path(__file__).parent
PACKS = ("healthcare", "legal", "customer-support")
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")
HZ = 16_000
AIMS = {"build_216_spoken_s": 30.0, "first_page_ms": 2000.0, "filter_ms": 100.0}
FILTERS = ("pack", "category", "difficulty", "condition", "tool", "desk", "result", "gates")


def mivas(*words: str) -> float:
    """Run a command; wall seconds of the whole process."""
    start_s = time.perf_counter()
    done = subprocess.run((*MIVAS, *words), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start_s


def play(root: Path, trials: int) -> Path:
    """A run of every case; one that is there already is taken as it is."""
    if not (root / "run.json").is_file():
        cores = str(os.cpu_count() or 1)
        mivas("run", *PACKS, "--harness", "oracle", "--trials", str(trials), "--concurrency", cores, "--out", str(root))
    return root


def give_sound(folder: Path) -> float:
    """Noise where somebody speaks, as loud as speech over a telephone; seconds of the call."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_bytes().splitlines()]
    rng = np.random.default_rng(0)
    sound = np.zeros((events[-1]["t_ms"] * HZ // 1000, 2), dtype=np.int16)
    for event in events:
        if event["type"] == "speech":
            first, last = (event[key] * HZ // 1000 for key in ("start_ms", "end_ms"))
            heard = rng.normal(0, 2500, max(0, min(last, len(sound)) - first))
            sound[first : first + len(heard), 0 if event["role"] == "caller" else 1] = heard.clip(-32768, 32767)
    soundfile.write(folder / "audio.flac", sound, HZ, subtype="PCM_16")
    return len(sound) / HZ


def spoken(root: Path) -> tuple[Path, float]:
    """Give every call of a run its sound. Returns seconds of sound in all."""
    with ProcessPoolExecutor() as pool:
        seconds = sum(pool.map(give_sound, sorted((root / "calls").iterdir()), chunksize=8))
    manifest = json.loads((root / "run.json").read_text())
    (root / "run.json").write_text(json.dumps({**manifest, "tier": "acoustic"}))
    return root, seconds


def built(run: Path, site: Path, rounds: int) -> dict[str, Any]:
    """Seconds to build a site, and what it weighs without sound."""
    walls = [mivas("report", str(run), "--out", str(site)) for _ in range(rounds)]
    own = [path for path in site.rglob("*") if path.is_file() and "audio" not in path.parts]
    return {
        "median_s": round(statistics.median(walls), 2),
        "most_s": round(max(walls), 2),
        "files": len(own),
        "megabytes_without_sound": round(sum(path.stat().st_size for path in own) / 1e6, 1),
    }


def opened(page: Page, address: str) -> float:
    """Milliseconds from asking for a page until it has drawn its data."""
    page.goto("about:blank")
    start_s = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    return (time.perf_counter() - start_s) * 1000


FILTER = """([name, value]) => new Promise((done) => {
  const field = document.querySelector(`[name=${name}]`);
  const start = performance.now();
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.body.getBoundingClientRect();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""


def used(site: Path, rounds: int) -> dict[str, Any]:
    """Milliseconds that the pages take, in Chromium, from disk."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        first = [opened(page, (site / "index.html").as_uri()) for _ in range(rounds)]
        text = (site / "data" / "index.js").read_text()
        call = json.loads(text[text.index(",") + 1 : text.rindex(")")])["calls"][0]
        one_call = [
            opened(page, f"{(site / 'call.html').as_uri()}#{call['run']}/{call['call']}") for _ in range(rounds)
        ]
        catalogue = [opened(page, (site / "tasks.html").as_uri()) for _ in range(rounds)]
        times = []
        for name in FILTERS:
            values = page.eval_on_selector_all(f"[name={name}] option", "all => all.map((one) => one.value)")
            times += [page.evaluate(FILTER, [name, value]) for value in (*values, "")]
        for word in ("c1", "book", "hard to find", ""):
            times.append(page.evaluate(FILTER, ["q", word]))
        browser.close()
    return {
        "first_page_ms": {"median": round(statistics.median(first)), "most": round(max(first))},
        "catalogue_ms": {"median": round(statistics.median(catalogue)), "most": round(max(catalogue))},
        "call_ms": {"median": round(statistics.median(one_call)), "most": round(max(one_call))},
        "filter_ms": {
            "choices": len(times),
            "median": round(statistics.median(times), 1),
            "most": round(max(times), 1),
        },
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--folder", type=Path, help="where runs and sites are kept, and found again")
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as fallback:
        folder = given.folder or Path(fallback)
        once, sound_s = spoken(play(folder / "once", 1))
        five = play(folder / "five", 5)
        found = {
            "216 spoken calls": {
                "sound_s": round(sound_s),
                "build": built(once, folder / "site-once", given.rounds),
                "use": used(folder / "site-once", given.rounds),
            },
            "1,080 calls": {
                "build": built(five, folder / "site-five", given.rounds),
                "use": used(folder / "site-five", given.rounds),
            },
        }
    document = {
        "command": f"python benchmarks/report.py --rounds {given.rounds}",
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "load_1min": round(os.getloadavg()[0], 1),
        },
        "subject": "mivas report, whole process; pages from disk in headless Chromium, 1280 x 860",
        "aims": AIMS,
        "found": found,
    }
    (HERE / "results" / "report.json").write_text(json.dumps(document, indent=2) + "\n")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
