"""Long random calls, well-formed and not: nothing breaks, and the state is what the log says it is."""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from jsonschema import Draft202012Validator

from mivas.pack import Pack
from mivas.state import LoggedCall, StateService

CALL_NUMBERS = itertools.count(1)
PEOPLE = [
    ("Jordan Lee", "1990-04-12"),
    ("Sam Nguyen", "1985-11-03"),
    ("Maria Alvarez", "1972-06-30"),
    ("Alice Romano", "1995-09-08"),
    ("Leo Park", "2016-03-22"),
]
EVENT_WRITERS = {
    "capture_insurance_update": "insurance_update",
    "send_payment_link": "payment_link",
    "request_fee_waiver": "fee_waiver_request",
    "request_rx_refill": "rx_refill_request",
    "create_clinical_message": "clinical_message",
    "send_sms": "sms",
    "send_portal_activation": "portal_activation",
    "create_callback_task": "callback_task",
    "transfer_to_human": "transfer",
}
GATED = {
    "get_patient_summary", "reschedule_appointment", "cancel_appointment", "capture_insurance_update",
    "get_account_balance", "request_rx_refill", "create_clinical_message",
}  # fmt: skip
SEED_BALANCES = {
    "pat_alice_romano": 32000,
    "pat_jordan_lee": 12500,
    "pat_leo_park": 0,
    "pat_maria_alvarez": 48000,
    "pat_sam_nguyen": 0,
}
LIKELY = {
    "full_name": [name for name, _ in PEOPLE],
    "dob": [birthday for _, birthday in PEOPLE],
    "member_id": ["W123456789", "U987654321", "C445566778", "O778899001"],
    "appointment_id": ["1", "2", "3", "4", "5", "6"],
    "slot_id": [f"slot_loc_{office}_{i}" for office in ("park_ave", "brooklyn_heights", "windermere") for i in (1, 2)],
    "start": ["2026-08-24T09:00", "2026-08-25T11:30", "2026-08-20T09:00"],
    "new_start": ["2026-08-20T11:59", "2026-08-20T12:00", "2026-08-22T11:59", "2026-08-22T12:00", "2026-08-24T09:00"],
    "window_start": ["2026-08-24T09:00", "2026-08-25T11:31"],
    "window_end": ["2026-08-24T09:30", "2026-08-26T14:30"],
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
PROVIDERS = {"park_ave": "prov_chen", "brooklyn_heights": "prov_ruiz", "windermere": "prov_patel"}


def from_schema(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a property as the catalogue describes it, likely ones more often."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        return st.lists(from_schema(name, schema["items"]), min_size=schema["minItems"], max_size=4)
    if schema["type"] == "boolean":
        return st.booleans()
    if schema["type"] == "integer":
        return st.integers(schema["minimum"], schema.get("maximum", 10**6))
    any_match = st.from_regex(schema["pattern"], fullmatch=True).filter(lambda text: len(text) <= 80)
    return st.sampled_from(LIKELY[name]) | any_match if name in LIKELY else any_match


def well_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    values = {name: from_schema(name, item) for name, item in schema["properties"].items()}
    required = {name: values[name] for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional={name: values[name] for name in values if name not in required})


def ill_formed(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Any JSON under real keys and unheard-of ones, or a good call with one bad value."""
    keys = st.sampled_from([*schema["properties"], "patient_id", "name"]) | st.text(max_size=5)
    spoiled = st.builds(lambda good, bad: good | bad, well_formed(schema), st.dictionaries(keys, JSON, max_size=1))
    return st.dictionaries(keys, JSON, max_size=6) | spoiled


def is_new_booking(call: LoggedCall, known: set[int]) -> bool:
    """Whether the logged booking made a row, rather than gave back a held one."""
    return "appointment" in call.output["data"] and call.output["data"]["appointment"]["id"] not in known


def machine(service: StateService, pack: Pack, whole_cents: Callable[..., None]) -> type[RuleBasedStateMachine]:
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
            self.patient: str | None = None
            self.state = service.state(self.call_id)
            self.known = {row["id"] for row in self.state["appointments"]}

        def post(self, tool: str, arguments: dict[str, Any]) -> None:
            before, patient = self.state, self.patient
            answer = service.call_tool(self.call_id, tool, arguments)
            assert answer.status == 200
            envelope = answer.json
            validators[tool].validate(envelope)
            self.posted.append((tool, arguments))
            self.state = service.state(self.call_id)
            if not envelope["ok"]:
                assert self.state == before, "a refusal changed the world"
                assert isinstance(envelope["patient_safe_message"], str)
                assert envelope["error_code"] != "NOT_VERIFIED" or patient is None
                return
            assert tool not in GATED or patient is not None
            if tool == "verify_identity":
                self.patient = envelope["data"]["patient_id"]
            self.check_rows(envelope["data"], before)

        def check_rows(self, data: dict[str, Any], before: dict[str, list[dict[str, Any]]]) -> None:
            """Rows shown to the agent are the rows of the state; new ones belong to the verified patient."""
            for key, table in (("appointment", "appointments"), ("waitlist_entry", "waitlist")):
                if key in data:
                    assert data[key] in self.state[table]
                    if len(self.state[table]) > len(before[table]):
                        assert data[key]["patient_id"] == self.patient
                        assert data[key]["created_at"] == "2027-01-05 09:30:15"

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_well_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(good[tool]))

        @rule(data=st.data(), tool=st.sampled_from(tools))
        def say_something_ill_formed(self, data: st.DataObject, tool: str) -> None:
            self.post(tool, data.draw(bad[tool]))

        @rule(person=st.sampled_from(PEOPLE))
        def prove_who_is_calling(self, person: tuple[str, str]) -> None:
            self.post("verify_identity", {"full_name": person[0], "dob": person[1]})

        @rule(
            office=st.sampled_from(sorted(PROVIDERS)),
            code=st.sampled_from(["NP_MED", "MOHS_CONSULT", "ALLERGY_EVAL", "ALLERGY_SKIN_TESTING"]),
        )
        def book_an_offer(self, office: str, code: str) -> None:
            offer = {"slot_id": f"slot_loc_{office}_1", "start": "2026-08-24T09:00", "end": "2026-08-24T09:30"}
            place = {"location_id": f"loc_{office}", "provider_id": PROVIDERS[office]}
            self.post("book_appointment", offer | place | {"appointment_type_code": code})

        @rule(row_id=st.integers(1, 6), accepted=st.booleans())
        def cancel_a_visit(self, row_id: int, accepted: bool) -> None:
            reason = {"cancellation_reason_code": "other", "fee_disclosed_and_accepted": accepted}
            self.post("cancel_appointment", {"appointment_id": row_id} | reason)

        @rule()
        def hang_the_service_up_and_on_again(self) -> None:
            service.close()

        @invariant()
        def catalogues_never_change(self) -> None:
            assert len(self.state["locations"]) == len(self.state["providers"]) == 3
            assert {row["status"] for row in self.state["appointments"]} <= {"booked", "cancelled"}

        def teardown(self) -> None:
            """The log holds every call, and the state is what the log says."""
            log = service.calls(self.call_id)
            assert [(call.tool, call.arguments) for call in log] == self.posted
            kinds: list[str] = []
            fees: Counter[str] = Counter()
            bookings, waiting, patient = set(self.known), 0, None
            for call in log:
                if not call.output["ok"]:
                    continue
                data = call.output["data"]
                whole_cents(data, call.arguments)
                if call.tool == "verify_identity":
                    patient = data["patient_id"]
                elif call.tool in EVENT_WRITERS:
                    kinds.append(EVENT_WRITERS[call.tool])
                elif call.tool == "cancel_appointment" and data.get("fee_charged_cents"):
                    kinds.append("cancellation_fee")
                    fees[str(patient)] += data["fee_charged_cents"]
                elif call.tool == "join_waitlist":
                    waiting += 1
                elif call.tool != "reschedule_appointment" and is_new_booking(call, bookings):
                    bookings.add(data["appointment"]["id"])
            state = self.state
            assert [row["kind"] for row in state["tool_events"]] == kinds
            assert [row["id"] for row in state["tool_events"]] == list(range(1, len(kinds) + 1))
            assert [row["id"] for row in state["appointments"]] == sorted(bookings) == list(range(1, len(bookings) + 1))
            assert len(state["waitlist"]) == waiting
            balances = {row["id"]: row["balance_cents"] for row in state["patients"]}
            assert balances == {person: cents + fees[person] for person, cents in SEED_BALANCES.items()}
            whole_cents(state["patients"], echoed=None)

    return PhoneCall


@pytest.mark.timeout(600)  # only a failure needs it: shrinking one takes minutes
def test_random_calls_never_break_the_service_or_its_books(
    opened: Callable[[Path], StateService],
    pack: Pack,
    whole_cents: Callable[..., None],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, logger="mivas.state")  # each broken argument would log its traceback
    service = opened(tmp_path)
    run_state_machine_as_test(
        machine(service, pack, whole_cents),
        settings=settings(
            max_examples=120,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
    service.close()
