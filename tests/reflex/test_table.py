"""The table's schema, its lint against a pack, and the tables of the installed packs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mivas.errors import InputError, PackError, UnknownName
from mivas.harness import load_harness
from mivas.pack import Pack, known_packs, load_pack
from mivas.reflex import TABLE_FILE, Table, load_table, read_table, table_findings
from mivas.reflex._sentences import sentence
from mivas.reflex._table import Call, Confirm, Fill

PACKS_WITH_A_TABLE = [name for name in known_packs() if (load_pack(name).folder / TABLE_FILE).is_file()]
EDITS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda table: table.update(version=2), "version"),
    (lambda table: table.update(extra=1), "extra"),
    (lambda table: table["slots"]["colour"].pop("options"), "a choice needs options"),
    (lambda table: table["slots"]["name"].pop("example"), "needs an example"),
    (lambda table: table["desks"]["front"]["routes"][0]["intents"].append("fly"), "unknown intent 'fly'"),
    (lambda table: table["desks"]["front"]["routes"][0].update(needs=["size"]), "unknown slot 'size'"),
    (lambda table: table["everywhere"].update(fly={"steps": [{"fill": ["name"]}]}), "unknown intent 'fly'"),
    (lambda table: table["intents"]["order"].update(sets={"size": "big"}), "unknown slot 'size'"),
    (lambda table: table.update(opening={"say": "Hello.", "offer": "fly"}), "unknown intent 'fly'"),
    (lambda table: table.update(sentences={"give_up_offer": "fly"}), "unknown intent 'fly'"),
]
FINDINGS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda table: table["desks"].update(attic={}), "no such agent"),
    (lambda table: _order_step(table, 1).update(call="order_ink"), "no tool order_ink"),
    (lambda table: _order_step(table, 1).update(arguments={}), "needs colour"),
    (lambda table: _order_step(table, 1)["arguments"].update(size="big"), "takes no size"),
    (lambda table: _order_step(table, 1)["arguments"].update(colour="puce"), "takes no 'puce'"),
    (lambda table: table["slots"]["colour"]["options"].append({"value": "puce", "say": "puce"}), "takes no 'puce'"),
    (lambda table: table["desks"]["front"]["routes"][0].update(handoff="end_call"), "is no transfer"),
    (lambda table: _order_step(table, 1)["say"][0].update(say="{{ said.colour"), "{{ said.colour"),
    (lambda table: _order_step(table, 1)["say"][0].update(when="answer.("), "answer.("),
    (lambda table: table["slots"]["colour"].update(ask=["{% if %}"]), "{% if %}"),
]


def _order_step(table: dict[str, Any], at: int) -> dict[str, Any]:
    step: dict[str, Any] = table["desks"]["counter"]["forms"]["order"]["steps"][at]
    return step


@pytest.mark.parametrize(("edit", "complaint"), EDITS)
def test_a_malformed_table_is_told_in_one_line(
    toy_table: dict[str, Any], edit: Callable[[dict[str, Any]], Any], complaint: str
) -> None:
    edit(toy_table)
    with pytest.raises(PackError) as told:
        read_table(json.dumps(toy_table), "reflex.json")
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 1}'])
def test_what_is_no_table_is_told(text: str) -> None:
    with pytest.raises(PackError, match=r"reflex\.json"):
        read_table(text, "reflex.json")


@pytest.mark.parametrize(("edit", "finding"), FINDINGS)
def test_a_table_is_held_against_its_pack(
    toy_table: dict[str, Any], toy_pack: Pack, edit: Callable[[dict[str, Any]], Any], finding: str
) -> None:
    def found() -> list[str]:
        return table_findings(read_table(json.dumps(toy_table), "toy"), toy_pack)

    before = found()
    edit(toy_table)
    assert any(finding in line for line in set(found()) - set(before))


def test_an_intent_that_no_desk_serves_is_found(toy_table: dict[str, Any], toy_pack: Pack) -> None:
    assert table_findings(read_table(json.dumps(toy_table), "toy"), toy_pack) == [
        "intents.miracle: no desk has a form for it"
    ]


@pytest.mark.parametrize("name", PACKS_WITH_A_TABLE)
def test_installed_tables_fit_their_packs(name: str) -> None:
    pack = load_pack(name)
    assert table_findings(load_table(pack.folder / TABLE_FILE), pack) == []


@pytest.mark.parametrize("name", PACKS_WITH_A_TABLE)
def test_installed_tables_ask_in_whole_sentences_without_figures(name: str) -> None:
    """What is said is heard, not read; and read-backs work with the examples."""
    table = load_table(load_pack(name).folder / TABLE_FILE)
    said = {slot_name: slot.example or slot.options[0].say for slot_name, slot in table.slots.items()}
    for _, form in table.forms():
        for step in form.steps:
            if isinstance(step, Fill):
                texts = step.ask
            elif isinstance(step, Confirm):
                texts = [sentence(step.say, {"said": {**said, **dict.fromkeys(step.confirm, "so")}})]
            else:
                texts = [step.before] if isinstance(step, Call) and step.before else []
            assert not any(one.isdecimal() for text in texts for one in text)
            assert all(text.rstrip()[-1] in ".?" for text in texts)


@pytest.mark.parametrize("name", PACKS_WITH_A_TABLE)
def test_a_table_knows_no_person(name: str) -> None:
    """Names of people are heard, never configured: nobody's name stands in a table."""
    pack = load_pack(name)
    text = (pack.folder / TABLE_FILE).read_text(encoding="utf-8").lower()
    for line in pack.seed_sql.splitlines():
        if line.strip().startswith("('pat_"):
            first, last = line.split("'")[3:6:2]
            assert f"{first} {last}".lower() not in text


def test_keyterms_are_names_of_lists(toy_table: dict[str, Any]) -> None:
    table: Table = read_table(json.dumps(toy_table), "toy")
    assert table.keyterms == ("red", "magenta", "turquoise")
    toy_table["slots"]["colour"]["names"] = False
    assert read_table(json.dumps(toy_table), "toy").keyterms == ()


def test_the_harness_is_found_by_name() -> None:
    harness = load_harness("reflex")
    assert (harness.name, harness.capabilities.knows_answers, harness.capabilities.clock) == (
        "reflex",
        False,
        "virtual",
    )


def test_the_harness_takes_no_argument() -> None:
    with pytest.raises((InputError, UnknownName), match="no argument"):
        load_harness("reflex:fast")


def test_a_pack_without_a_table_is_told(toy: Any) -> None:
    with pytest.raises(PackError, match="no phrase table"):
        load_harness("reflex").answer(toy.desk)
