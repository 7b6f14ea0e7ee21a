"""The firm is the one its fact sheet describes: graph, tables, seed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from mivas.pack import Pack

REPOSITORY = Path(__file__).parents[3]
FREE_WORDING = {"status_text"}
SHOWN = ["callers", "intakes", "intake_notes", "documents", "holds", "evaluations", "messages", "escalations"]
ROWS = {
    "callers": 5, "caller_matters": 2, "conflicts": 4, "practice_areas": 12, "jurisdictions": 16,
    "limitation_periods": 49, "attorneys": 4, "slots": 7, "matter_status": 1,
}  # fmt: skip
TOOLS = {
    "reception": "lookup_caller get_caller_matters take_message escalate_to_human end_call transfer_to_screening"
    " transfer_to_client_services",
    "screening": "check_conflict check_practice_area check_jurisdiction calculate_filing_deadline escalate_to_human"
    " end_call transfer_to_intake",
    "intake": "record_intake add_intake_note send_intake_packet request_records_authorization escalate_to_human"
    " end_call transfer_to_scheduling",
    "scheduling": "get_attorney find_evaluation_slots hold_evaluation confirm_evaluation hold_cancellation"
    " confirm_cancellation escalate_to_human end_call",
    "client_services": "get_caller_matters get_case_status take_message add_intake_note escalate_to_human end_call",
}
EDGES = {
    ("reception", "screening"), ("reception", "client_services"), ("screening", "intake"), ("intake", "scheduling"),
}  # fmt: skip


@pytest.fixture
def database(pack: Pack) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.executescript(pack.schema_sql)
    connection.executescript(pack.seed_sql)
    yield connection
    connection.close()


def rows(database: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid")]


def test_five_desks_share_twenty_four_tools(pack: Pack) -> None:
    assert [node.id for node in pack.blueprint.nodes] == list(TOOLS)
    assert pack.blueprint.entry.id == "reception"
    assert sum(len(node.tools) for node in pack.blueprint.nodes) == 35
    assert len(pack.tools) == 24


@pytest.mark.parametrize("node", TOOLS)
def test_each_desk_has_its_tools_in_order(pack: Pack, node: str) -> None:
    assert [tool.name for tool in pack.blueprint.by_id[node].tools] == TOOLS[node].split()


def test_tools_by_kind(pack: Pack) -> None:
    kinds = {tool.name: tool.kind for node in pack.blueprint.nodes for tool in node.tools}
    count = {kind: sum(value == kind for value in kinds.values()) for kind in set(kinds.values())}
    assert count == {"industry": 18, "handoff": 4, "human": 1, "end_call": 1}
    assert len(pack.posted_tools) == 19
    assert pack.human_tools == {"escalate_to_human"}


def test_the_four_transfers_and_no_other(pack: Pack) -> None:
    edges = list(pack.blueprint.edges())
    assert {(edge.source, edge.target) for edge in edges} == EDGES
    assert all(edge.tool == f"transfer_to_{edge.target}" for edge in edges)
    assert {edge.tool for edge in edges} == pack.scoring.transfer_set


def test_the_graph_is_a_chain_with_one_side_branch(pack: Pack) -> None:
    graph = nx.DiGraph((edge.source, edge.target) for edge in pack.blueprint.edges())
    assert nx.is_directed_acyclic_graph(graph)
    assert {node for node in graph if graph.out_degree(node) == 0} == {"scheduling", "client_services"}
    assert pack.blueprint.route("reception", "scheduling") == (
        "transfer_to_screening", "transfer_to_intake", "transfer_to_scheduling",
    )  # fmt: skip


def test_every_desk_can_reach_a_person(pack: Pack) -> None:
    assert [edge.source for edge in pack.blueprint.human_exits()] == list(TOOLS)


def test_the_greeting_says_the_firms_name_discloses_and_asks(pack: Pack) -> None:
    greeting = pack.blueprint.greeting or ""
    for part in ("Halverson and Reed", "AI assistant", "help"):
        assert part in greeting
    assert "&" not in greeting
    assert "Hal," not in greeting
    assert greeting.endswith("?")


def test_the_state_shows_eight_tables_in_order(desk: Any, pack: Pack) -> None:
    state = desk.state()
    assert list(state) == SHOWN
    assert {table: len(found) for table, found in state.items()} == dict.fromkeys(SHOWN, 0) | {"callers": 5}
    assert set(pack.scoring.tables) == set(SHOWN) - {"callers"}


def test_every_other_table_is_hidden_reference_data(database: sqlite3.Connection, pack: Pack) -> None:
    names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    assert {name for (name,) in names} == pack.hidden_tables | set(SHOWN)
    assert not pack.hidden_tables & set(SHOWN)


def test_the_seed_has_its_number_of_rows(database: sqlite3.Connection) -> None:
    assert {table: len(rows(database, table)) for table in ROWS} == ROWS


def test_the_seed_is_that_of_the_fact_sheet(database: sqlite3.Connection) -> None:
    root = Path(os.environ.get("MIVAS_REFERENCE") or REPOSITORY.parent / "shared" / "reference")
    sheet = root.parent / "spec" / "packs" / "legal.seed.json"
    if not sheet.is_file():
        pytest.skip("no fact sheet here")
    expected = json.loads(sheet.read_text(encoding="utf-8"))
    assert set(expected) == set(ROWS) | set(SHOWN)
    for table, wanted in expected.items():
        fixed = [{key: value for key, value in row.items() if key not in FREE_WORDING} for row in wanted]
        ours = [{key: row[key] for key in row if key not in FREE_WORDING} for row in rows(database, table)]
        assert ours == fixed, table


@pytest.mark.parametrize("table", ["intakes", "intake_notes", "documents", "messages", "escalations"])
def test_ids_count_from_one_in_every_call(database: sqlite3.Connection, table: str) -> None:
    declared = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    assert "id INTEGER PRIMARY KEY AUTOINCREMENT" in declared


def test_every_limitation_period_is_of_an_accepted_kind_of_case(database: sqlite3.Connection) -> None:
    accepted = {row["code"] for row in rows(database, "practice_areas") if row["accepted"]}
    periods = {(row["state"], row["practice_area"]) for row in rows(database, "limitation_periods")}
    assert periods == {(state, area) for state in ("CA", "FL", "NY", "TX", "GA", "WA", "AZ") for area in accepted}


def test_one_clock_line_names_the_pinned_day(pack: Pack) -> None:
    for node in pack.blueprint.nodes:
        assert node.instructions.endswith("\n\nToday is Saturday, 1 August 2026, 09:00.\n")
        assert node.instructions.count("2026") == 1
