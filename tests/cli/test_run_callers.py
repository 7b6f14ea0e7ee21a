"""`mivas run --caller`: who phones, and which key goes where. Source: cli.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.cli.run import _caller_api_key

RUN = ("run", "control-industry", "--harness", "oracle")
Mivas = Callable[..., Any]
PROXY = "http://127.0.0.1:9/v1"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MIVAS_CALLER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--caller", "nobody"), "no caller 'nobody'"),
        (("--caller-model", "m"), "caller program takes no model"),
        (("--caller-base-url", PROXY), "caller program takes no model"),
        (("--caller", "llm"), "no model given"),
        (("--caller", "llm", "--caller-model", "m", "--caller-base-url", "ftp://x"), "http, https, ws or wss"),
    ],
)
def test_what_can_not_be_is_one_line_and_leaves_no_folder(
    mivas: Mivas, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    said = mivas(*RUN, *options)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_a_resumed_run_keeps_its_caller(mivas: Mivas) -> None:
    assert mivas(*RUN, "--out", "run").code == 0
    said = mivas("run", "--resume", "run", "--caller", "llm")
    assert (said.code, "got --caller" in said.err) == (2, True)
    assert mivas("run", "--resume", "run").code == 0


@pytest.mark.parametrize(
    ("environment", "base_url", "key"),
    [
        pytest.param({}, None, None, id="none"),
        pytest.param({"OPENAI_API_KEY": "shared"}, None, "shared", id="at OpenAI's address"),
        pytest.param({"OPENAI_API_KEY": "shared"}, PROXY, None, id="not to another server"),
        pytest.param(
            {"OPENAI_API_KEY": "shared", "OPENAI_BASE_URL": PROXY}, PROXY, "shared", id="the server that it is for"
        ),
        pytest.param({"OPENAI_API_KEY": "shared", "MIVAS_CALLER_API_KEY": "own"}, PROXY, "own", id="a key of its own"),
        pytest.param({"MIVAS_CALLER_API_KEY": " \n"}, None, None, id="a blank key is none"),
    ],
)
def test_which_key_a_callers_model_gets(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], base_url: str | None, key: str | None
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert _caller_api_key(base_url) == key
