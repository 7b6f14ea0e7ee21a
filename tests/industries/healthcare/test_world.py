"""The practice is the one its fact sheet describes: graph, tools, seed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from mivas.pack import Pack, load_pack

REPOSITORY = Path(__file__).parents[3]
FREE_WORDING = {"description", "transit", "parking"}

EDGES = {
    "reception": {"identity", "scheduling", "coverage", "cosmetic"},
    "identity": {"scheduling", "coverage", "cosmetic", "billing", "clinical"},
    "scheduling": set(),
    "coverage": {"scheduling"},
    "cosmetic": set(),
    "billing": {"scheduling"},
    "clinical": {"scheduling"},
}
TOOLS = {
    "reception": "create_callback_task transfer_to_human end_call list_locations transfer_to_identity"
    " transfer_to_scheduling transfer_to_coverage transfer_to_cosmetic",
    "identity": "create_callback_task transfer_to_human end_call identify_patient verify_identity get_patient_summary"
    " transfer_to_scheduling transfer_to_billing transfer_to_clinical transfer_to_coverage transfer_to_cosmetic",
    "scheduling": "create_callback_task send_sms transfer_to_human end_call classify_visit_request list_locations"
    " find_slots book_appointment reschedule_appointment cancel_appointment join_waitlist schedule_allergy_service",
    "coverage": "create_callback_task transfer_to_human end_call list_locations check_plan_accepted"
    " run_eligibility_check capture_insurance_update transfer_to_scheduling",
    "cosmetic": "create_callback_task transfer_to_human end_call quote_cosmetic_service list_locations find_slots"
    " book_cosmetic_consult send_payment_link offer_financing",
    "billing": "create_callback_task transfer_to_human end_call get_account_balance explain_charge send_payment_link"
    " offer_financing request_fee_waiver transfer_to_scheduling",
    "clinical": "create_callback_task transfer_to_human end_call get_results_status request_rx_refill"
    " create_clinical_message send_portal_activation transfer_to_scheduling",
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("healthcare")


@pytest.fixture
def database(pack: Pack) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.executescript(pack.schema_sql)
    connection.executescript(pack.seed_sql)
    yield connection
    connection.close()


def rows(database: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY id")]


def test_seven_desks_share_thirty_five_tools(pack: Pack) -> None:
    assert [node.id for node in pack.blueprint.nodes] == list(TOOLS)
    assert pack.blueprint.entry.id == "reception"
    assert sum(len(node.tools) for node in pack.blueprint.nodes) == 65
    assert len(pack.tools) == 35


@pytest.mark.parametrize("node", TOOLS)
def test_each_desk_has_its_tools_in_order(pack: Pack, node: str) -> None:
    assert [tool.name for tool in pack.blueprint.by_id[node].tools] == TOOLS[node].split()


def test_tools_by_kind(pack: Pack) -> None:
    kinds = {tool.name: tool.kind for node in pack.blueprint.nodes for tool in node.tools}
    count = {kind: sum(value == kind for value in kinds.values()) for kind in set(kinds.values())}
    assert count == {"industry": 27, "handoff": 6, "human": 1, "end_call": 1}
    assert len(pack.posted_tools) == 28
    assert pack.human_tools == {"transfer_to_human"}


def test_the_twelve_transfers_and_no_other(pack: Pack) -> None:
    edges = list(pack.blueprint.edges())
    assert len(edges) == 12
    for node in EDGES:
        assert {edge.target for edge in edges if edge.source == node} == EDGES[node]
    assert all(edge.tool == f"transfer_to_{edge.target}" for edge in edges)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("identity", "reception"), ("scheduling", "identity"), ("reception", "billing"), ("reception", "clinical"),
        ("scheduling", "coverage"), ("cosmetic", "scheduling"), ("coverage", "billing"), ("coverage", "clinical"),
        ("coverage", "cosmetic"), ("billing", "clinical"), ("clinical", "billing"), ("billing", "coverage"),
        ("billing", "cosmetic"), ("clinical", "coverage"), ("clinical", "cosmetic"),
    ],
)  # fmt: skip
def test_a_forbidden_transfer_is_absent(pack: Pack, source: str, target: str) -> None:
    assert (source, target) not in {(edge.source, edge.target) for edge in pack.blueprint.edges()}


def test_the_graph_has_no_cycle_and_two_sinks(pack: Pack) -> None:
    graph = nx.DiGraph((edge.source, edge.target) for edge in pack.blueprint.edges())
    assert nx.is_directed_acyclic_graph(graph)
    assert {node for node in graph if graph.out_degree(node) == 0} == {"scheduling", "cosmetic"}


def test_billing_and_clinical_are_reached_only_through_identity(pack: Pack) -> None:
    for node in ("billing", "clinical"):
        route = pack.blueprint.route("reception", node)
        assert route == ("transfer_to_identity", f"transfer_to_{node}")
        assert {edge.source for edge in pack.blueprint.edges() if edge.target == node} == {"identity"}


def test_every_desk_can_reach_a_person(pack: Pack) -> None:
    assert [edge.source for edge in pack.blueprint.human_exits()] == list(TOOLS)


def test_the_greeting_names_practice_persona_and_ai_and_asks(pack: Pack) -> None:
    greeting = pack.blueprint.greeting or ""
    for part in ("Straus Dermatology", "Robin", "AI assistant", "help"):
        assert part in greeting
    assert greeting.endswith("?")


def test_inputs_are_closed_objects(pack: Pack) -> None:
    for name, schema in pack.tool_schemas.items():
        assert schema["type"] == "object", name
        assert schema["additionalProperties"] is False, name


def test_tables_come_in_the_order_of_the_state(database: sqlite3.Connection) -> None:
    names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    assert [name for (name,) in names] == [
        "patients", "locations", "providers", "appointments", "waitlist", "tool_events",
    ]  # fmt: skip


def test_columns_that_hold_json_are_declared_so(database: sqlite3.Connection) -> None:
    declared = {
        (table, row["name"])
        for table in ("patients", "appointments", "waitlist", "tool_events")
        for row in database.execute(f"PRAGMA table_info({table})")
        if row["type"] == "JSON TEXT"
    }
    assert declared == {("waitlist", "location_ids"), ("tool_events", "payload")}


def test_the_seed_is_that_of_the_fact_sheet(database: sqlite3.Connection) -> None:
    root = Path(os.environ.get("MIVAS_REFERENCE") or REPOSITORY.parent / "shared" / "reference")
    sheet = root.parent / "spec" / "packs" / "healthcare.seed.json"
    if not sheet.is_file():
        pytest.skip("no fact sheet here")
    for table, expected in json.loads(sheet.read_text(encoding="utf-8")).items():
        ours = rows(database, table)
        assert len(ours) == len(expected)
        for row, wanted in zip(ours, sorted(expected, key=lambda item: item["id"]), strict=True):
            fixed = {key: value for key, value in wanted.items() if key not in FREE_WORDING}
            assert {key: row[key] for key in fixed} == fixed


def test_seeded_rows_look_the_same_in_every_snapshot(database: sqlite3.Connection) -> None:
    assert {row["created_at"] for row in rows(database, "appointments")} == {"2026-08-01 00:00:00"}


@pytest.mark.parametrize(("table", "first"), [("appointments", 4), ("waitlist", 1), ("tool_events", 1)])
def test_new_rows_count_on_from_the_seed(database: sqlite3.Connection, table: str, first: int) -> None:
    values = {
        "appointments": "(location_id, provider_id, appointment_type_code, start, end) VALUES ('', '', '', '', '')",
        "waitlist": "(appointment_type_code, location_ids) VALUES ('c', '[]')",
        "tool_events": "(kind) VALUES ('k')",
    }
    assert database.execute(f"INSERT INTO {table} {values[table]}").lastrowid == first


@pytest.mark.parametrize(
    ("code", "status", "may_repeat"),
    [
        ("ALLERGY_ALLERGY_SHOT", "booked", False),
        ("ALLERGY_ALLERGY_SHOT", "cancelled", True),
        ("ALLERGY_EVAL", "booked", True),
        ("ALLERGYX", "booked", True),
        ("NP_MED", "booked", True),
    ],
)
def test_only_a_booked_allergy_service_stands_once(
    database: sqlite3.Connection, code: str, status: str, may_repeat: bool
) -> None:
    insert = (
        "INSERT INTO appointments (location_id, provider_id, appointment_type_code, start, end, status)"
        " VALUES ('l', 'p', ?, 's', 'e', ?)"
    )
    database.execute(insert, (code, status))
    if may_repeat:
        database.execute(insert, (code, status))
    else:
        with pytest.raises(sqlite3.IntegrityError):
            database.execute(insert, (code, status))


def test_a_new_patient_is_no_other_patient(database: sqlite3.Connection) -> None:
    insert = (
        "INSERT INTO appointments (patient_id, location_id, provider_id, appointment_type_code, start, end)"
        " VALUES (?, 'l', 'p', 'ALLERGY_PATCH_TESTING', 's', 'e')"
    )
    database.execute(insert, (None,))
    database.execute(insert, ("pat_leo_park",))
    with pytest.raises(sqlite3.IntegrityError):
        database.execute(insert, (None,))
