"""A call to the care line, people who make it, and the same call on any day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import Pack, load_pack
from mivas.state import StateService

# First name: full name, telephone, ZIP code, last four digits of the card
PEOPLE = {
    "dana": ("Dana Whitlock", "541-555-0188", "97330", "4417"),
    "marcus": ("Marcus Iyer", "541-555-0104", "97402", "8802"),
    "priya": ("Priya Raman", "541-555-0119", "98104", "3361"),
    "glen": ("Glen Aldridge", "541-555-0127", "97213", "5540"),
    "rosalind": ("Rosalind Baptiste", "541-555-0133", "97401", "7719"),
    "tomas": ("Tomas Ferreira", "541-555-0146", "94110", "2208"),
    "amina": ("Amina Kalu", "541-555-0152", "98661", "6673"),
    "victor": ("Victor Nunes", "541-555-0165", "43081", "9014"),
    "selina": ("Selina Cortez", "541-555-0171", "97035", "1156"),
    "owen": ("Owen Tsai", "541-555-0183", "43215", "4482"),
    "nadia": ("Nadia Grant", "541-555-0196", "98042", "7735"),
    "felix": ("Felix Moreau", "541-555-0108", "94612", "3390"),
    "grace": ("Grace Okonkwo", "541-555-0112", "97005", "6628"),
}


@pytest.fixture(scope="session")
def people() -> dict[str, tuple[str, str, str, str]]:
    return PEOPLE


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("customer-support")


@pytest.fixture(scope="session")
def ring(pack: Pack, phone: Callable[[Pack], Callable[[], Any]]) -> Callable[[], Any]:
    return phone(pack)


@pytest.fixture
def desk(ring: Callable[[], Any]) -> Any:
    """A call in which nobody has been looked up."""
    return ring()


def prove(desk: Any, first_name: str) -> Any:
    """Take the call through the identity check as one of the people."""
    name, phone, postal_code, card_last4 = PEOPLE[first_name]
    assert desk("identify_customer", full_name=name, phone=phone)["record_found"] is True
    desk("verify_identity", postal_code=postal_code, card_last4=card_last4)
    return desk


@pytest.fixture(scope="session")
def verified() -> Callable[[Any, str], Any]:
    return prove


@pytest.fixture
def caller(ring: Callable[[], Any]) -> Callable[[str], Any]:
    """A new call of somebody who has proved who they are."""
    return lambda first_name: prove(ring(), first_name)


@pytest.fixture(scope="session")
def on_day(pack: Pack, phone: Callable[[Pack], Callable[[], Any]]) -> Callable[[str | date, str], Any]:
    """A verified call on another day than the pinned one."""
    rings: dict[date, Callable[[], Any]] = {}

    def call(day: str | date, first_name: str) -> Any:
        today = date.fromisoformat(day) if isinstance(day, str) else day
        if today not in rings:
            rings[today] = phone(replace(pack, clock=datetime.combine(today, time(10))))
        return prove(rings[today](), first_name)

    return call


@pytest.fixture
def reopening(
    world: Callable[[Pack, Path], StateService], pack: Pack, tmp_path: Path
) -> Iterator[Callable[[], StateService]]:
    """Opens one service folder again and again, as a restart does."""
    opened: list[StateService] = []

    def again() -> StateService:
        for service in opened:
            service.close()
        opened.append(world(pack, tmp_path))
        return opened[-1]

    yield again
    opened[-1].close()
