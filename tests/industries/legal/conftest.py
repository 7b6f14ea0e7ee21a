"""A call to the law firm, and people who make it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.pack import Pack, load_pack


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("legal")


@pytest.fixture(scope="session")
def ring(pack: Pack, phone: Callable[[Pack], Callable[[], Any]]) -> Callable[[], Any]:
    return phone(pack)


@pytest.fixture
def desk(ring: Callable[[], Any]) -> Any:
    """A call in which nobody has said who they are."""
    return ring()


@pytest.fixture
def known(desk: Any) -> Any:
    """A call of somebody without a record."""
    desk("lookup_caller", full_name="Renee Whitmore", phone="2145550163")
    return desk


@pytest.fixture
def client(desk: Any) -> Any:
    """A call of the client whose matter the firm handles."""
    desk("lookup_caller", full_name="Thomas Eckhart", phone="312-555-0277")
    return desk
