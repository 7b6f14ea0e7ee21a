"""The site as a person meets it, in a headless Chromium, opened from disk."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "healthcare"
pytestmark = pytest.mark.slow

PAGES = (
    "index.html", "tasks.html", "task.html#healthcare/C1-E1", "call.html", "industries.html",
    "industry-healthcare.html", "harnesses.html", "method.html", "soundness.html",
)  # fmt: skip
Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, site: Path) -> Iterator[Open]:
    """`open_page(address, **context)`; at the end no page has logged an error or asked for anything but files."""
    contexts, troubles = [], []

    def opened(address: str, folder: Path = site, **options: Any) -> Any:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 860}} | options))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda one: troubles.append(one.url) if not one.url.startswith(("file:", "data:")) else None)
        file, _, fragment = address.partition("#")
        page.goto(f"{(folder / file).as_uri()}{f'#{fragment}' if fragment else ''}")
        if page.query_selector("script[src^='assets/']:not([src='assets/core.js'])"):
            page.wait_for_selector("html[data-ready]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(scope="session")
def calls(site: Path) -> list[dict[str, Any]]:
    text = (site / "data" / "index.js").read_text()
    found: list[dict[str, Any]] = json.loads(text[text.index(",") + 1 : text.rindex(")")])["calls"]
    return found


def wait_until(page: Any, claim: str) -> None:
    """Ask the page until the claim holds: a page without `eval` can't be asked by the driver itself."""
    for _ in range(200):
        if page.evaluate(claim):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {claim}")


def call_address(call: dict[str, Any], query: str = "") -> str:
    return f"call.html#{quote(call['run'])}/{quote(call['call'])}{query}"


def call_that(calls: list[dict[str, Any]], task: str) -> dict[str, Any]:
    return next(call for call in calls if call["task"] == task)


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_page_has_a_serious_fault_for_those_who_see_or_steer_otherwise(
    open_page: Open, calls: list[dict[str, Any]], address: str, scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    if address == "call.html":
        address = call_address(call_that(calls, "C1-H1"))
    page = open_page(address, color_scheme=scheme, viewport={"width": width, "height": 844})
    found = axe.run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    serious = [
        (one["id"], [node["html"][:200] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("address", PAGES)
def test_no_page_is_wider_than_a_phone(open_page: Open, calls: list[dict[str, Any]], address: str) -> None:
    if address == "call.html":
        address = call_address(calls[0])
    page = open_page(address, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_filters_narrow_the_catalogue_and_stand_in_the_address(open_page: Open) -> None:
    page = open_page("tasks.html")
    assert page.locator("#catalogue tbody tr:visible").count() == 12
    page.select_option("[name=difficulty]", "hard")
    hard = page.locator("#catalogue tbody tr:visible").count()
    assert 0 < hard < 12
    page.select_option("[name=tool]", "join_waitlist")
    assert page.locator("#catalogue tbody tr:visible th").all_text_contents() == ["C1-H1 of healthcare"]
    assert page.url.endswith("#difficulty=hard&tool=join_waitlist")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#catalogue tbody tr:visible").count() == 1
    assert page.inner_text("#count") == "1 of 12 tasks, 1 calls"
    page.click("text=Clear")
    wait_until(page, "document.querySelector('#count').textContent.startsWith('12 of 12')")


def test_the_search_takes_every_word(open_page: Open) -> None:
    page = open_page("tasks.html")
    page.fill("[name=q]", "reception WAITLIST")
    assert page.locator("#catalogue tbody tr:visible").count() == 1
    page.fill("[name=q]", "nowhere to be found")
    assert page.locator("#catalogue tbody tr:visible").count() == 0


def test_the_filtered_cases_are_copied_as_one_prompt(open_page: Open) -> None:
    page = open_page("tasks.html#difficulty=hard")
    page.evaluate("mivas_copied = null; navigator.clipboard.writeText = async (text) => { mivas_copied = text; }")
    page.click("#copy")
    wait_until(page, "mivas_copied !== null")
    text = page.evaluate("mivas_copied")
    shown = page.locator("#catalogue tbody tr:visible").count()
    assert text.count("\n## ") == shown
    assert (
        f"--only {','.join(sorted(line.split(':')[0][3:] for line in text.splitlines() if line[:3] == '## '))}" in text
    )
    assert "{cases}" not in text


def test_the_sound_plays_and_the_transcript_follows(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    page.click("button[aria-label=Play]")
    wait_until(page, "document.querySelector('audio').currentTime > 0.3")
    assert page.get_attribute(".play", "aria-label") == "Pause"
    assert page.locator("[aria-current=true]").inner_text().startswith("0:00")
    page.evaluate("document.querySelector('audio').currentTime = 20")
    wait_until(page, "!document.querySelector('li[aria-current=true]')?.innerText.startsWith('0:00')")
    spoken = page.locator("[aria-current=true]")
    assert spoken.count() == 1
    page.click("button[aria-label=Pause]")
    wait_until(page, "document.querySelector('audio').paused")


def test_a_click_on_a_turn_goes_to_its_moment(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    turn = page.locator("li.turn.caller").nth(1)
    minutes, seconds = map(int, turn.locator("button").inner_text().split(":"))
    turn.locator("button").click()
    wait_until(page, f"document.querySelector('audio').currentTime >= {60 * minutes + seconds}")
    assert turn.get_attribute("aria-current") == "true"


def test_keys_play_step_and_leaf(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(calls[0]))
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".transport .clock") == "0:05"
    page.keyboard.press("j")
    second = page.locator("li.turn").nth(1)
    assert second.get_attribute("aria-current") == "true"
    page.keyboard.press("k")
    assert page.locator("li.turn").first.get_attribute("aria-current") == "true"
    page.keyboard.press(" ")
    wait_until(page, "!document.querySelector('audio').paused")
    page.keyboard.press(" ")
    wait_until(page, "document.querySelector('audio').paused")
    page.keyboard.press("n")
    wait_until(page, f"document.title.startsWith({calls[1]['task']!r})")


def test_a_call_opens_at_the_moment_its_address_names(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1"), "?t=40"))
    assert page.inner_text(".transport .clock") == "0:40"
    assert page.get_attribute("[role=slider]", "aria-valuenow") == "40"
    assert page.locator("li[aria-current=true]").count() == 1


def test_the_waveform_is_drawn_for_both_sides(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(calls[0]))
    page.wait_for_timeout(100)
    inked = page.evaluate(
        """() => {
          const canvas = document.querySelector('.wave canvas');
          const { width, height } = canvas;
          const half = (top) => canvas.getContext('2d').getImageData(0, top, width, Math.floor(height / 2) - 2).data;
          const count = (pixels) => pixels.filter((value, place) => place % 4 === 3 && value > 200).length;
          return [count(half(0)), count(half(Math.ceil(height / 2) + 2))];
        }"""
    )
    assert min(inked) > 300


def test_the_differing_argument_is_marked_on_both_sides(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    assert page.locator(".compare .off").all_inner_texts() == [
        "appointment_type_code: NP_MED",
        "appointment_type_code: MED_FOLLOWUP",
    ]
    assert "Failed by the tools and database gates" in page.inner_text(".verdict-line")


def test_the_database_is_compared_row_by_row(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    table = page.locator("table.diff").first
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()
    }
    assert rows["appointment_type_code"] == ["np_med", "no such row"]
    assert table.locator("tr.off").count() == len(rows)


def test_the_walked_route_lies_over_the_expected_one(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    drawing = page.locator("svg.graph")
    assert drawing.get_attribute("aria-label") == (
        "Walked: reception, coverage, scheduling. Expected: reception, coverage, scheduling."
    )
    assert drawing.locator("path.edge.expected").count() == 2
    assert drawing.locator("path.edge.walked").count() == 2


def test_what_was_heard_otherwise_is_shown_word_by_word(open_page: Open, calls: list[dict[str, Any]]) -> None:
    page = open_page(call_address(call_that(calls, "C1-H1")))
    slip = page.locator("li.turn .heard").first
    assert slip.locator("ins").inner_text() == "what the line made of it"
    assert slip.locator("del").count() == 1


def test_evidence_is_a_click_away(open_page: Open, calls: list[dict[str, Any]], spoken_run: Path, site: Path) -> None:
    page = open_page(call_address(calls[0]))
    links = page.locator(".downloads a")
    assert links.count() == 4
    kept = spoken_run / "calls" / calls[0]["call"] / "events.jsonl"
    assert (site / links.filter(has_text="events.jsonl").get_attribute("href")).read_bytes() == kept.read_bytes()


def test_a_task_shows_its_trials_beside_its_lock(open_page: Open) -> None:
    page = open_page("task.html#healthcare/C1-H1")
    cells = page.locator(".side-by-side tbody tr")
    texts = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in cells.all()}
    assert texts["verdict"] == "FAIL"
    assert texts["join_waitlist"].startswith("✗ appointment_type_code was MED_FOLLOWUP")
    assert texts["find_slots"].startswith("✓ at ")
    page.click(".side-by-side a")
    wait_until(page, "document.title.startsWith('C1-H1 FAIL')")


def test_rows_of_a_table_are_loaded_when_it_is_opened(open_page: Open) -> None:
    page = open_page("industry-healthcare.html")
    table = page.locator("details.rows").filter(has_text="appointments").first
    assert table.locator("tr").count() == 0
    table.locator("summary").click()
    table.locator("tbody tr").first.wait_for()


def test_a_call_that_is_not_there_is_told(open_page: Open, browser: Any, site: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{(site / 'call.html').as_uri()}#spoken/never-made")
    page.wait_for_selector("html[data-ready]")
    assert "holds no such call" in page.inner_text("[role=alert]")
    context.close()


def test_dark_and_light_can_be_chosen_and_stay(open_page: Open) -> None:
    page = open_page("index.html", color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert light != dark
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_every_page_can_be_reached_by_keyboard(open_page: Open) -> None:
    page = open_page("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    names = []
    for _ in range(8):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert names[1:7] == ["Overview", "Tasks", "Industries", "Harnesses", "Soundness", "Method"]


@pytest.mark.parametrize("page_name", ["index.html", "tasks.html", "task.html", "call.html", "harnesses.html"])
@pytest.mark.parametrize("width", [1280, 390])
def test_hostile_texts_are_shown_and_never_run(
    open_page: Open, hostile_site: Path, hostile_text: str, value_of: Any, page_name: str, width: int
) -> None:
    call = call_that(value_of(hostile_site / "data" / "index.js")["calls"], "C1-H1")
    address = {"call.html": call_address(call), "task.html": "task.html#healthcare/C1-H1"}.get(page_name, page_name)
    page = open_page(address, hostile_site, viewport={"width": width, "height": 844})
    for details in page.locator("main details").all():
        details.evaluate("node => { node.open = true; }")
    page.wait_for_timeout(100)
    assert page.evaluate("window.taken") is None
    assert page.locator("main img, main script").count() == 0
    shown = page.evaluate("document.querySelector('main').textContent + document.querySelector('main').innerHTML")
    assert hostile_text.split("\u2028")[0] in shown
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "49" not in page.evaluate("document.title")


def test_a_long_argument_is_there_whole(open_page: Open, hostile_site: Path, value_of: Any) -> None:
    page = open_page(
        call_address(call_that(value_of(hostile_site / "data" / "index.js")["calls"], "C1-H1")), hostile_site
    )
    longest = page.evaluate(
        "Math.max(...[...document.querySelectorAll('.event pre')].map((one) => one.textContent.length))"
    )
    assert longest > 50_000


@pytest.fixture
def served(spoken_run: Path) -> Iterator[str]:
    """Address of the run as `mivas view` serves it."""
    program = [sys.executable, "-c", "from mivas.cli import main; main()", "view", str(spoken_run), "--port", "0"]
    with subprocess.Popen([*program, "--tasks", str(SUITE)], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert "http://127.0.0.1:" in line
        yield line.rpartition(": ")[2].strip()
        server.send_signal(signal.SIGINT)
        server.wait(30)


def test_a_served_call_plays_and_its_evidence_is_downloaded(
    browser: Any, served: str, calls: list[dict[str, Any]], spoken_run: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on(
        "request", lambda one: troubles.append(one.url) if not one.url.startswith(served.rpartition("/")[0]) else None
    )
    page.goto(served.replace("index.html", call_address(calls[0])))
    page.wait_for_selector("html[data-ready]")
    page.click("button[aria-label=Play]")
    wait_until(page, "document.querySelector('audio').currentTime > 0.3")
    with page.expect_download() as waiting:
        page.click("text=events.jsonl")
    kept = spoken_run / "calls" / calls[0]["call"] / "events.jsonl"
    assert Path(waiting.value.path()).read_bytes() == kept.read_bytes()
    context.close()
    assert troubles == []


def test_repeated_trials_are_drawn(open_page: Open, tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from mivas.cli import main; main()"]
    run = ["run", "control-industry", "--harness", "oracle", "--trials", "5", "--out", str(tmp_path / "run")]
    for words in (run, ["report", str(tmp_path / "run"), "--out", str(tmp_path / "site")]):
        subprocess.run([*program, *words], check=True, capture_output=True)
    page = open_page("index.html", folder=tmp_path / "site")
    assert page.evaluate("Chart.getChart(document.querySelector('canvas[data-chart]')) !== undefined")
