"""Whoever follows "Look at a run" of the README, step by step, hears a call and sees why it failed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README.split("\n## Look at a run\n")[1].split("\n## ")[0]
MOST_MINUTES = 10
"""For all commands together. What they take depends on the machine, so it ends a test that hangs and judges nothing."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder the section's own commands leave behind, run where a newcomer stands."""
    pytest.importorskip("hibari", reason="spoken calls need the extra voice")
    folder = tmp_path_factory.mktemp("newcomer")
    block = re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)[0]
    deadline = time.monotonic() + 60 * MOST_MINUTES
    for line in block.splitlines():
        words = shlex.split(line.split("  #")[0])
        program = [sys.executable, "-c", "from mivas.cli import main; main()", *words[1:]]
        left_s = max(1.0, deadline - time.monotonic())
        done = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=left_s, check=False)
        assert done.returncode == 0, done.stderr
    return folder / "report"


@pytest.mark.slow
def test_a_newcomer_hears_a_call_and_sees_why_it_failed(report: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
    from mivas.cli._screenshots import browser_path
    from mivas.errors import MivasError

    try:
        path = browser_path()
    except MivasError as error:
        pytest.skip(str(error))
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            follow(browser.new_page(), report)
        finally:
            browser.close()


def follow(page: Any, report: Path) -> None:
    page.goto((report / "index.html").as_uri())
    calls = page.locator(".call-list a")
    calls.first.wait_for()
    assert calls.count() == 2
    calls.filter(has_text="C1-E1").click()
    page.wait_for_selector("html[data-ready] .player")
    page.keyboard.press(" ")
    for _ in range(100):
        if page.evaluate("document.querySelector('audio').currentTime > 1"):
            break
        page.wait_for_timeout(100)
    assert page.evaluate("document.querySelector('audio').currentTime > 1")
    assert page.locator("li[aria-current=true]").count() == 1
    sentence = re.findall(r"`(check_plan_accepted: [^`]+)`", SECTION)[0]
    assert sentence in page.inner_text(".verdict-line")
    marked = page.locator(".compare .off").all_inner_texts()
    assert marked == ["carrier: aetna", "carrier: unitedhealthcare"]
    assert page.locator(".tools-lane .wrong").count() == 1
    assert "Aetna" in " ".join(page.locator("li.turn.caller .words").all_inner_texts())
