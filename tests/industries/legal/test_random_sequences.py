"""Long random calls, well-formed and not: nothing breaks, and the state is what the log says it is."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from jsonschema import Draft202012Validator

from mivas.pack import Pack
from mivas.state import StateService

CALL_NUMBERS = itertools.count(1)
TOKENS = {"evaluation": "HR-EVAL-3092", "cancellation": "HR-CANC-7715"}
BOUND = {
    "get_caller_matters", "take_message", "record_intake", "add_intake_note", "send_intake_packet",
    "request_records_authorization", "hold_evaluation", "hold_cancellation", "get_case_status",
}  # fmt: skip
ROW_WRITERS = {
    "take_message": "messages",
    "record_intake": "intakes",
    "add_intake_note": "intake_notes",
    "send_intake_packet": "documents",
    "request_records_authorization": "documents",
    "escalate_to_human": "escalations",
}
READERS = {
    "get_caller_matters", "check_conflict", "check_practice_area", "check_jurisdiction", "calculate_filing_deadline",
    "get_attorney", "find_evaluation_slots", "get_case_status",
}  # fmt: skip
LIKELY = {
    "full_name": ["Dana Whitfield", "Thomas Eckhart", "Marcus Oyelaran", "Renee Whitmore", "Al"],
    "phone": ["5105550142", "0277", "4155550188", "2145550163", "12"],
    "opposing_party": ["Vertex Logistics", "harlow properties llc", "Cedarlane Market"],
    "state": ["CA", "california", "FL", "GA", "IL", "XX", ""],
    "incident_date": ["2026-05-15", "2024-07-30", "2024-2-29", "2026-02-30", "{{date}}"],
    "slot_id": ["s_100", "s_110", "s_111", "s_999"],
    "attorney_id": ["a_10", "a_99"],
    "earliest_date": ["", "2026-08-12", "2027-01-01"],
    "confirmation_token": [*TOKENS.values(), "HR-EVAL-0000"],
    "evaluation_id": ["ev_001", "ev_002", "ev_003"],
    "matter_id": ["m_88", "m_91"],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def from_schema(name: str, schema: Any) -> st.SearchStrategy[Any]:
    """Values of an argument as the catalogue describes it, likely ones more often."""
    if "enum" in schema:
        return st.sampled_from([*schema["enum"], "car accident"] if name == "practice_area" else schema["enum"])
    words = st.text(max_size=12)
    return st.sampled_from(LIKELY[name]) | words if name in LIKELY else words


def well_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: from_schema(name, item) for name, item in schema["properties"].items()})


def ill_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Any JSON under real keys and unheard-of ones, or a good call with one bad value."""
    keys = st.sampled_from([*schema["properties"], "caller_id", "name"]) | st.text(max_size=5)
    spoiled = st.builds(lambda good, bad: good | bad, well_formed(schema), st.dictionaries(keys, JSON, max_size=1))
    return st.dictionaries(keys, JSON, max_size=6) | spoiled


def machine(service: StateService, pack: Pack) -> type[RuleBasedStateMachine]:
    """A machine whose every run is a call of its own on `service`."""
    tools = sorted(pack.posted_tools)
    schemas = {name: pack.tools[name].input_schema for name in tools}
    validators = {name: Draft202012Validator(pack.tools[name].output_schema) for name in tools}
    good = {name: well_formed(schemas[name]) for name in tools}
    bad = {name: ill_formed(schemas[name]) for name in tools}

    class PhoneCall(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.call_id = f"random-{next(CALL_NUMBERS)}"
            self.posted: list[tuple[str, dict[str, Any]]] = []
            self.caller: str | None = None
            self.armed: dict[str, str] = {}
            self.state = service.state(self.call_id)

        def post(self, tool: str, arguments: dict[str, Any]) -> None:
            before, caller = self.state, self.caller
            answer = service.call_tool(self.call_id, tool, arguments)
            assert answer.status == 200
            envelope = answer.json
            validators[tool].validate(envelope)
            self.posted.append((tool, arguments))
            self.state = service.state(self.call_id)
            if not envelope["ok"]:
                assert self.state == before, "a refusal changed the world"
                assert isinstance(envelope["caller_safe_message"], str)
                return
            assert tool not in BOUND or caller is not None
            self.check(tool, arguments, envelope["data"], before)

        def check(self, tool: str, arguments: dict[str, Any], data: dict[str, Any], before: Any) -> None:
            changed = {table for table in before if before[table] != self.state[table]}
            if tool == "lookup_caller":
                self.caller = data["caller_id"]
                assert changed <= {"callers"}
            elif tool in READERS:
                assert not changed
            elif tool in ROW_WRITERS:
                (table,) = changed
                assert table == ROW_WRITERS[tool]
                assert self.state[table][:-1] == before[table]
                assert self.state[table][-1]["caller_id"] == (self.caller or "")
            elif tool.startswith("hold_"):
                kind = tool.removeprefix("hold_")
                assert changed <= {"holds"}
                assert data["confirmation_token"] == TOKENS[kind]
                self.armed[TOKENS[kind]] = kind
            else:
                assert self.armed.pop(arguments["confirmation_token"])
                assert changed <= {"holds", "evaluations"}
                booked = len(self.state["evaluations"]) - len(before["evaluations"])
                assert booked == (data["status"] == "booked")

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_well_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(good[tool]))

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_ill_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(bad[tool]))

        @rule(person=st.sampled_from([("Dana Whitfield", "0142"), ("Renee Whitmore", "2145550163")]))
        def say_who_is_calling(self, person: tuple[str, str]) -> None:
            self.post("lookup_caller", {"full_name": person[0], "phone": person[1]})

        @rule(slot=st.sampled_from(["s_100", "s_110"]), area=st.sampled_from(["consumer", "Car Accident", "family"]))
        def hold_a_time(self, slot: str, area: str) -> None:
            self.post("hold_evaluation", {"slot_id": slot, "practice_area": area})

        @rule(
            kind=st.sampled_from(sorted(TOKENS)), tool=st.sampled_from(["confirm_evaluation", "confirm_cancellation"])
        )
        def say_yes(self, kind: str, tool: str) -> None:
            self.post(tool, {"confirmation_token": TOKENS[kind]})

        @rule()
        def hang_the_service_up_and_on_again(self) -> None:
            service.close()

        @invariant()
        def rules_of_the_firm_hold(self) -> None:
            state = self.state
            assert [row["id"] for row in state["callers"][:5]] == [f"c_00{number}" for number in range(1, 6)]
            assert len(state["callers"]) <= 6
            assert {row["token"]: row["kind"] for row in state["holds"]}.items() <= {
                token: kind for kind, token in TOKENS.items()
            }.items()
            assert {row["token"] for row in state["holds"] if not row["consumed"]} == set(self.armed)
            ids = [row["id"] for row in state["evaluations"]]
            assert ids == [f"ev_{number:03}" for number in range(1, len(ids) + 1)]
            assert {row["status"] for row in state["evaluations"]} <= {"booked", "cancelled"}
            assert {row["fee_type"] for row in state["evaluations"]} <= {"contingency", "hourly", None}
            for row in state["intakes"]:
                assert len(row["state"]) == 2
                assert len(row["incident_date"]) == len("2026-05-15")

        def teardown(self) -> None:
            """The log holds every call, no handler broke, and tables have a row for each write that succeeded."""
            log = service.calls(self.call_id)
            assert [(call.tool, call.arguments) for call in log] == self.posted
            assert [call.broke for call in log if call.broke is not None] == []
            for table in set(ROW_WRITERS.values()):
                writes = sum(bool(call.output["ok"]) and ROW_WRITERS.get(call.tool) == table for call in log)
                assert [row["id"] for row in self.state[table]] == list(range(1, writes + 1))

    return PhoneCall


@pytest.mark.timeout(600)  # only a failure needs it: shrinking one takes minutes
def test_random_calls_never_break_the_service_or_its_books(
    world: Callable[[Pack, Path], StateService], pack: Pack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, logger="mivas.state")  # each broken argument would log its traceback
    service = world(pack, tmp_path)
    run_state_machine_as_test(
        machine(service, pack),
        settings=settings(
            max_examples=120,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
    service.close()
