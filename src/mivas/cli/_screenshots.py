"""Pictures of every page of a site, as a desktop and a phone show it. Needs playwright and a Chromium."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mivas.errors import InputError, MivasError

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {"desktop": (1280, 860), "phone": (390, 844)}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SETTLE_MS = 250
"""What charts and waveforms take to be drawn."""


def check_screenshots(folder: Path) -> None:
    """Make the folder and see that pictures can be taken into it, before anybody waits for a site.

    Raises: InputError for a folder that can't be written, MivasError without playwright or a browser.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        raise _missing("playwright isn't installed") from None
    browser_path()


def take_screenshots(site: Path, folder: Path) -> list[Path]:
    """Picture every page in both sizes, light, and the first ones dark as well.

    Args:
        folder: one that `check_screenshots` found to be in order.
    Raises: InputError for a folder that can't be written any more, MivasError for a browser that doesn't do its part.
    """
    from playwright.sync_api import Error

    try:
        return _taken(site, folder)
    except OSError as error:
        raise _unwritable(folder, error) from None
    except Error as error:
        what = f"the browser failed ({str(error).splitlines()[0]})"
        raise MivasError(
            what, where="--screenshots", mend="try once more, or name another with MIVAS_CHROMIUM"
        ) from None


def _taken(site: Path, folder: Path) -> list[Path]:
    from playwright.sync_api import Error, sync_playwright

    taken = []
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        except Error as error:
            raise _missing(str(error).splitlines()[0]) from None
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=_scheme(scheme))
                for name, address in pages_of(site):
                    if scheme == "dark" and not name.startswith(("index", "call")):
                        continue
                    taken.append(_picture(page, site, address, folder / f"{name}-{size}-{scheme}.png"))
                page.close()
        browser.close()
    return taken


def browser_path() -> str:
    """The distribution's Chromium, or what `MIVAS_CHROMIUM` names. Raises MivasError."""
    wanted = os.environ.get("MIVAS_CHROMIUM")
    found = wanted or next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise _missing("no Chromium on this machine")
    if shutil.which(found) is None:
        raise _missing(f"MIVAS_CHROMIUM names no program ({found})")
    return found


def pages_of(site: Path) -> Iterator[tuple[str, str]]:
    """(name, address) of each page, with one task, one failed call and one that passed."""
    for page in sorted(site.glob("*.html")):
        if page.name not in ("task.html", "call.html"):
            yield page.stem, page.name
    calls = _index(site)["calls"]
    if calls:
        yield "task", f"task.html#{quote(calls[0]['pack'] or '')}/{quote(calls[0]['task'] or '')}"
    for mark in ("pass", "FAIL"):
        call = max((one for one in calls if one["mark"] == mark), key=lambda one: one["t_ms"] or 0, default=None)
        if call is not None:
            yield f"call-{mark.lower()}", f"call.html#{quote(call['run'])}/{quote(call['call'])}"


def _index(site: Path) -> Any:
    text = (site / "data" / "index.js").read_text(encoding="utf-8")
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


def _picture(page: Page, site: Path, address: str, path: Path) -> Path:
    file, _, fragment = address.partition("#")
    page.goto("about:blank")
    page.goto(f"{(site / file).resolve().as_uri()}{f'#{fragment}' if fragment else ''}")
    page.wait_for_load_state("load")
    if file in ("index.html", "tasks.html", "task.html", "call.html") or file.startswith("industry-"):
        page.wait_for_selector("html[data-ready]")
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=path, full_page=True)
    return path


def _scheme(name: str) -> Any:
    return name


def _unwritable(folder: Path, error: OSError) -> InputError:
    mend = "choose another folder with --screenshots"
    return InputError(f"can't be written ({error.strerror or error})", where=str(folder), mend=mend)


def _missing(what: str) -> MivasError:
    return MivasError(what, where="--screenshots", mend="pip install playwright, and install Chromium")
