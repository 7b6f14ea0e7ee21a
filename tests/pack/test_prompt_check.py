"""Each rule of the prompt check is broken by a prompt that breaks just it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import PackError
from mivas.pack import load_pack
from mivas.pack._prompt_check import prompt_findings

GREETING = "Thank you for phoning the depot. How can I help you?"
NOTICE = """# Desk
1. `look_up` takes `kind`: `parcel` or `letter`. Its `status` may be `lost`.
2. A parcel waits for fourteen days and costs $5 a day afterwards; say "the ninth of June" like this.
3. Refunds over twenty percent are refused. `move_on` when done, `end_call` with `done`.
"""
BACK_OFFICE = """# Back office
Use `book` for a `day`, written as `YYYY-MM-DD`. Two tries at most, then `end_call`.
"""
FACTS: dict[str, Any] = {
    "version": 1,
    "figures": [
        {"value": 14, "unit": "day", "means": "storage"},
        {"value": 5, "unit": "dollar", "means": "a day of storage"},
        {"value": 20, "unit": "percent", "means": "largest refund"},
        {"value": 2, "unit": "try", "means": "attempts"},
    ],
    "examples": ["the ninth of June", "YYYY-MM-DD"],
    "answers": {"look_up": ["status", "lost"]},
    "unsaid": {"back_office": ["reason", "done"], "desk": ["reason"]},
}
TOOLS = [
    ("look_up", {"kind": {"type": "string", "enum": ["parcel", "letter"]}}),
    ("book", {"day": {"type": "string"}}),
    ("move_on", {}),
    ("end_call", {"reason": {"type": "string", "enum": ["done"]}}),
]
BLUEPRINT = {
    "greeting": GREETING,
    "agents": [
        {
            "name": "desk",
            "system_prompt": "system-prompts/desk.md",
            "tools": [
                {"name": "look_up"},
                {"name": "move_on", "handoff": True, "handoff_to": "back_office"},
                {"name": "end_call", "session": True},
            ],
        },
        {
            "name": "back_office",
            "system_prompt": "system-prompts/back_office.md",
            "tools": [{"name": "book"}, {"name": "end_call", "session": True}],
        },
    ],
}

Depot = Callable[..., list[str]]


@pytest.fixture
def depot(copy_pack: Callable[[str], Path], edit: Any) -> Depot:
    """Findings of a small pack of two nodes, with one prompt, the facts or the greeting exchanged."""
    folder = copy_pack("control-industry")
    answer = {"type": "object", "properties": {}}
    tools = [
        {
            "name": name,
            "description": "A tool.",
            "inputSchema": {"type": "object", "properties": arguments},
            "outputSchema": answer,
        }
        for name, arguments in TOOLS
    ]

    def found(
        *,
        desk: str = NOTICE,
        back_office: str = BACK_OFFICE,
        facts: dict[str, Any] = FACTS,
        greeting: str | None = GREETING,
    ) -> list[str]:
        blueprint = {key: value for key, value in BLUEPRINT.items() if key != "greeting" or greeting is not None}
        for name, document in (("tools", {"tools": tools}), ("agent_blueprint", blueprint), ("prompts/facts", facts)):
            (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        for name, text in (("desk", desk), ("back_office", back_office)):
            (folder / f"prompts/{name}.md").write_text(text, encoding="utf-8")
            (folder / f"system-prompts/{name}.md").write_text(text, encoding="utf-8")
        edit(folder / "pack.json", lambda data: data.update(clock="2026-08-19T12:00"))
        return [str(finding) for finding in prompt_findings(load_pack(str(folder)))]

    return found


def with_facts(**changes: Any) -> dict[str, Any]:
    return FACTS | changes


def test_sound_prompts_give_no_finding(depot: Depot) -> None:
    assert depot() == []


DESK_BREAKS = [
    pytest.param("`look_up` takes", "It takes", "says nothing about tool `look_up`", id="tool left out"),
    pytest.param("`move_on`", "Go on", "says nothing about tool `move_on`", id="handoff left out"),
    pytest.param("`kind`", "one", "says nothing about argument `kind`", id="argument left out"),
    pytest.param("`letter`", "letter", "says nothing about value `letter`", id="enum value left out"),
    pytest.param("`lost`", "lost", "says nothing about answer `lost`", id="answer left out"),
    pytest.param("`parcel`", "`parcel`, `crate`", "names `crate`, which no tool", id="value no schema knows"),
    pytest.param("`kind`", "`kind` and `day`", "names `day`, which no tool", id="argument of another node"),
    pytest.param("fourteen days", "fourteen or fifteen days", "says 'fifteen day', which", id="wrong days"),
    pytest.param("$5 a day", "$5 or six dollars a day", "says 'six dollar', which no policy says", id="wrong money"),
    pytest.param("twenty percent", "twenty percent or 30%", "says '30%', which", id="wrong percent"),
    pytest.param("when done", "when done within 14 hours", "says '14 hour', which", id="right number, wrong unit"),
    pytest.param("when done", "when all 4 are done", "says '4', which no policy says", id="number that counts nothing"),
    pytest.param("when done", "when done on June 10th", "has a date of its own ('June 10th')", id="date"),
    pytest.param("when done", "when done, and today is nice", "has a date of its own ('today is')", id="today"),
    pytest.param("when done", "when done. Welcome to us", "greets again ('welcome to')", id="greeting formula"),
    pytest.param(
        "when done",
        'when done, say "thank you for phoning the depot"',
        "repeats the greeting ('Thank you for phoning the depot.')",
        id="greeting repeated",
    ),
]


@pytest.mark.parametrize(("old", "new", "told"), DESK_BREAKS)
def test_each_rule_is_told_by_itself(depot: Depot, old: str, new: str, told: str) -> None:
    assert NOTICE.count(old) == 1
    (found,) = depot(desk=NOTICE.replace(old, new))
    assert found.startswith("prompt of desk: ")
    assert told in found


@pytest.mark.parametrize("words", ["`move_on`", "move_on.", "(move_on)"])
def test_a_tool_of_another_node_is_told_however_it_is_named(depot: Depot, words: str) -> None:
    (found,) = depot(back_office=BACK_OFFICE + words)
    assert found.startswith("prompt of back_office: names tool `move_on`, which this node lacks")


def test_a_longer_name_isnt_the_tool_inside_it(depot: Depot) -> None:
    assert depot(back_office=BACK_OFFICE + "remove_only") == []


def test_a_tool_called_by_an_everyday_word_is_named_only_as_code(depot: Depot) -> None:
    assert depot(desk=NOTICE + "Never book anything.") == []
    assert len(depot(desk=NOTICE + "Never `book` anything.")) == 1


def test_a_list_marker_is_no_number(depot: Depot) -> None:
    assert depot(back_office=f"7. {BACK_OFFICE}\n  8. Be kind.\n") == []


def test_the_clock_line_is_the_runtimes(depot: Depot) -> None:
    assert not any("date of its own" in found for found in depot())


def test_an_example_may_not_hide_a_price(depot: Depot) -> None:
    price = "say six dollars on the ninth of June"
    facts = with_facts(examples=[*FACTS["examples"], price])
    (found,) = depot(desk=NOTICE + price, facts=facts)
    assert "says 'six dollar' in an example, which no policy says" in found


def test_the_entry_of_a_pack_without_greeting_opens_the_call_and_no_other_node_does(depot: Depot) -> None:
    opening = "Say welcome to the depot."
    assert depot(desk=NOTICE + opening, greeting=None) == []
    assert len(depot(desk=NOTICE, back_office=BACK_OFFICE + opening, greeting=None)) == 1


STALE = [
    pytest.param(
        {"figures": [*FACTS["figures"], {"value": 3, "unit": "week", "means": "x"}]},
        "declares figure 3 week, which no prompt says",
        id="figure",
    ),
    pytest.param(
        {"figures": [*FACTS["figures"], {"value": 911, "means": "x"}]},
        "declares figure 911, which no prompt says",
        id="bare figure",
    ),
    pytest.param(
        {"examples": [*FACTS["examples"], "the tenth of June"]}, "declares example 'the tenth of June'", id="example"
    ),
    pytest.param({"answers": FACTS["answers"] | {"peek": []}}, "declares answers of peek, no tool", id="tool"),
    pytest.param({"unsaid": FACTS["unsaid"] | {"attic": []}}, "declares unsaid of attic, no node", id="node"),
    pytest.param(
        {"unsaid": FACTS["unsaid"] | {"desk": ["reason", "kind"]}},
        "declares unsaid kind of desk, whose prompt says it",
        id="said after all",
    ),
]


@pytest.mark.parametrize(("changes", "told"), STALE)
def test_a_fact_that_nothing_uses_is_told(depot: Depot, changes: dict[str, Any], told: str) -> None:
    (found,) = depot(facts=with_facts(**changes))
    assert found.startswith("prompts/facts.json: ")
    assert told in found


def test_without_facts_every_number_is_somebodys_guess(depot: Depot) -> None:
    assert any("says '$5'" in found for found in depot(facts={"version": 1}))


def test_a_typo_in_the_facts_is_refused(depot: Depot) -> None:
    with pytest.raises(PackError, match="figurs"):
        depot(facts=with_facts(figurs=[]))
