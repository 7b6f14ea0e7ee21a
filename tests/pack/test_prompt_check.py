"""A prompt speaks of every tool its node has and of no other, and its numbers can be listed."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest

from mivas.pack import Pack, _prompt_check, load_pack
from mivas.pack.prompts import numbers_in, prompt_findings


@pytest.fixture(scope="module")
def clinic() -> Pack:
    return load_pack("healthcare")


def with_prompt(pack: Pack, node_id: str, old: str, new: str) -> Pack:
    """The pack with a text of one node's prompt exchanged."""
    assert old in pack.blueprint.by_id[node_id].instructions
    nodes = tuple(
        replace(node, instructions=node.instructions.replace(old, new)) if node.id == node_id else node
        for node in pack.blueprint.nodes
    )
    return replace(pack, blueprint=replace(pack.blueprint, nodes=nodes))


def told(pack: Pack) -> list[tuple[str, str]]:
    return [(finding.where, finding.what) for finding in prompt_findings(pack)]


def test_a_sound_prompt_has_no_finding(clinic: Pack) -> None:
    assert told(clinic) == []


def test_a_tool_that_is_never_spoken_of_is_told(clinic: Pack) -> None:
    spoilt = with_prompt(clinic, "scheduling", "`join_waitlist`", "the waitlist")
    assert told(spoilt) == [("system-prompts/scheduling.md", "says nothing of join_waitlist")]


def test_an_argument_that_is_never_named_is_told_with_its_tool(clinic: Pack) -> None:
    spoilt = with_prompt(clinic, "cosmetic", "`service_interest`", "services")
    assert told(spoilt) == [("system-prompts/cosmetic.md", "says nothing of service_interest of book_cosmetic_consult")]


@pytest.mark.parametrize("words", ["`book_appointment`", "book_appointment.", "(book_appointment)"])
def test_a_tool_of_another_node_is_told_however_it_is_named(clinic: Pack, words: str) -> None:
    spoilt = with_prompt(clinic, "billing", "## Never", f"## Never\nUse {words}")
    what = "names book_appointment, which billing doesn't have"
    assert told(spoilt) == [("system-prompts/billing.md", what)]


def test_a_longer_name_isnt_the_tool_inside_it(clinic: Pack) -> None:
    assert told(with_prompt(clinic, "billing", "## Never", "## Never\nrebook_appointments")) == []


@pytest.mark.parametrize(
    ("prompt", "numbers"),
    [
        pytest.param("Two tries, ten digits, One question.", set(), id="small numbers are prose"),
        pytest.param("eleven", {"eleven"}, id="from eleven up"),
        pytest.param("Twenty-four hours", {"twenty four"}, id="hyphen and case don't matter"),
        pytest.param("one hundred twenty-five dollars", {"one hundred twenty five"}, id="a run is one number"),
        pytest.param("33.33% or 40%, 1,250.", {"33.33", "40", "1,250"}, id="digits as they stand"),
        pytest.param("1. First\n   12. Second", set(), id="items of a list"),
        pytest.param("s_110, a10, mivas-1", {"1"}, id="digits inside a name"),
        pytest.param("someone, tenth, fortyish", set(), id="words that only begin so"),
        pytest.param("", set(), id="nothing"),
    ],
)
def test_the_numbers_of_a_prompt(prompt: str, numbers: set[str]) -> None:
    assert numbers_in(prompt) == numbers


def test_examples_in_docstrings_run() -> None:
    assert doctest.testmod(_prompt_check).failed == 0
