"""Live tests are asked for, never run by chance."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Known where this folder is named: `pytest tests/live --live`."""
    parser.addoption("--live", action="store_true", help="ask real providers; needs keys and costs money")


@pytest.fixture
def live(pytestconfig: pytest.Config) -> None:
    """Skips the test unless the tests were started with `--live`."""
    if not pytestconfig.getoption("--live", default=False):
        pytest.skip("asks a real provider; run with --live")
