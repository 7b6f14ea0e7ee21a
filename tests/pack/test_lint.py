"""Every check of the linter fails on a pack broken in just that way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import Finding, known_packs, lint, load_pack, load_suite

Break = Callable[[Any], None]


def told(folder: Path) -> list[str]:
    pack = load_pack(str(folder))
    return [str(finding) for finding in lint(pack, load_suite(pack))]


@pytest.mark.parametrize("name", known_packs())
def test_the_packs_we_ship_are_sound(name: str) -> None:
    pack = load_pack(name)
    assert lint(pack, load_suite(pack)) == []


def test_a_sound_task_gives_no_finding(healthcare_with_task: Path) -> None:
    assert told(healthcare_with_task) == []


def test_without_a_suite_only_the_pack_is_checked(healthcare_with_task: Path, edit: Any) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/task.json", lambda task: task.update(task_name="X: no"))
    assert lint(load_pack(str(healthcare_with_task))) == []


def test_a_finding_reads_where_what_mend() -> None:
    assert str(Finding(where="tools.json", what="is odd", mend="make it even")) == "tools.json: is odd; make it even"


def _tool(name: str) -> Callable[[Any], dict[str, Any]]:
    return lambda catalogue: next(tool for tool in catalogue["tools"] if tool["name"] == name)


PACK_BREAKS: list[Any] = [
    pytest.param(
        "tools.json",
        lambda data: data["tools"].remove(_tool("send_sms")(data)),
        "tool send_sms isn't in tools.json",
        id="entry without catalogue",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: data["agents"][2]["tools"].pop(1),
        "no agent has tool send_sms",
        id="catalogue without entry",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: data["agents"][2]["tools"].append({"name": "send_sms"}),
        "tool send_sms stands 2 times",
        id="entry twice",
    ),
    pytest.param(
        "tools.json",
        lambda data: _tool("find_slots")(data)["inputSchema"]["properties"]["window_start"].pop("description"),
        "find_slots.window_start: has no description",
        id="argument without description",
    ),
    pytest.param(
        "tools.json",
        lambda data: _tool("find_slots")(data)["inputSchema"]["properties"]["location_ids"].pop("items"),
        "find_slots.location_ids: is an array",
        id="array without items",
    ),
    pytest.param(
        "tools.json",
        lambda data: _tool("find_slots")(data)["inputSchema"]["properties"]["window_start"].update(type=3),
        "find_slots.inputSchema.properties.window_start.type: is no JSON Schema",
        id="no schema",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: data["agents"][1].update(system_prompt="system-prompts/reception.md"),
        "is used by 2 agents",
        id="one prompt for two agents",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: data["agents"][1].update(system_prompt="system-prompts/reception.md"),
        "system-prompts/identity.md: belongs to no agent",
        id="prompt of no agent",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: [
            agent.update(tools=[tool for tool in agent["tools"] if tool["name"] != "transfer_to_billing"])
            for agent in data["agents"]
        ],
        "agent_blueprint.json billing: can't be reached from reception",
        id="unreachable agent",
    ),
    pytest.param(
        "agent_blueprint.json",
        lambda data: data["agents"][0]["tools"].pop(-1),
        "agent_blueprint.mmd: doesn't show this blueprint",
        id="stale diagram",
    ),
    pytest.param(
        "pack.json",
        lambda data: data.update(human_tools=[]),
        "says none, but session tools beside end_call are transfer_to_human",
        id="human tools",
    ),
    pytest.param(
        "pack.json",
        lambda data: data.update(hidden_tables=["faxes"]),
        "hidden_tables: unknown table faxes",
        id="hidden table that isn't there",
    ),
    pytest.param(
        "pack.json",
        lambda data: data.update(hidden_tables=["waitlist"]),
        "hidden_tables: waitlist is scored",
        id="hidden table that is scored",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["transfer_set"].append("transfer_to_moon"),
        "scoring.json transfer_set: unknown tool transfer_to_moon",
        id="transfer set",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["order"]["before"].append(["send_fax", "send_sms"]),
        "scoring.json order.before: unknown tool send_fax",
        id="order",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["equality"].append({"key": "dob", "kind": "digits", "tool": "send_fax"}),
        "scoring.json equality: unknown tool send_fax",
        id="equality of unknown tool",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["tables"].update(faxes={"rule": "exact"}),
        "unknown table faxes",
        id="table",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["tables"]["waitlist"].update(drop=["colour"]),
        "tables.waitlist.drop: unknown column colour",
        id="dropped column of a table",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["drop_columns"].append("colour"),
        "no table has column colour",
        id="dropped column",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data.update(json_columns={"waitlist.colour": {}}),
        "unknown column waitlist.colour",
        id="json column",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["equality"].append({"key": "colour", "kind": "digits"}),
        "no argument or column colour",
        id="equality key",
    ),
    pytest.param(
        "scoring.json",
        lambda data: data["equality"].append({"key": "_colour", "kind": "digits", "match": "suffix"}),
        "no argument or column ends in _colour",
        id="equality suffix",
    ),
    pytest.param(
        "scoring.json", lambda data: data["skip_keys"].append("colour"), "skip_keys: no argument", id="skip key"
    ),
]


@pytest.mark.parametrize(("file", "change", "finding"), PACK_BREAKS)
def test_a_broken_pack_is_told(healthcare_with_task: Path, edit: Any, file: str, change: Break, finding: str) -> None:
    edit(healthcare_with_task / file, change)
    assert any(finding in line for line in told(healthcare_with_task)), told(healthcare_with_task)


@pytest.mark.parametrize(
    ("file", "finding"),
    [
        ("prompts/billing.md", "system-prompts/billing.md: differs from its sources"),
        ("system-prompts/billing.md", "system-prompts/billing.md: differs from its sources"),
        ("agent_blueprint.mmd", "agent_blueprint.mmd: doesn't show"),
    ],
)
def test_a_generated_file_that_drifted_is_told(healthcare_with_task: Path, file: str, finding: str) -> None:
    path = healthcare_with_task / file
    path.write_text(path.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    assert any(finding in line for line in told(healthcare_with_task))


def test_a_diagram_that_is_no_text_is_told(healthcare_with_task: Path) -> None:
    (healthcare_with_task / "agent_blueprint.mmd").write_bytes(b"\xff\xfe")
    assert any("agent_blueprint.mmd: doesn't show" in line for line in told(healthcare_with_task))


@pytest.mark.parametrize(
    ("file", "finding"),
    [
        ("prompts/billing.md", "system-prompts/billing.md: has no source"),
        ("agent_blueprint.png", "agent_blueprint.png: is missing"),
        ("agent_blueprint.mmd", "agent_blueprint.mmd: doesn't show"),
        ("tasks/C1-M1/solution.json", "C1-M1/solution.json: is missing"),
        ("tasks/C1-M1/caller.json", "C1-M1/caller.json: is missing"),
    ],
)
def test_a_missing_file_is_told(healthcare_with_task: Path, file: str, finding: str) -> None:
    (healthcare_with_task / file).unlink()
    assert any(finding in line for line in told(healthcare_with_task))


def test_broken_sql_is_one_finding_of_the_scoring_check(healthcare_with_task: Path) -> None:
    (healthcare_with_task / "db/schema.sql").write_text("CREATE TABEL x;", encoding="utf-8")
    assert [line for line in told(healthcare_with_task) if "SQL" in line] == [
        'db/schema.sql:1: SQL fails: near "TABEL": syntax error; mend the statement'
    ]


def test_a_reserved_name_is_told(healthcare_with_task: Path) -> None:
    with (healthcare_with_task / "db/schema.sql").open("a", encoding="utf-8") as file:
        file.write("CREATE TABLE _mivas_calls (id TEXT);\n")
    assert any(
        line.startswith("db/schema.sql: the name _mivas_calls is reserved") for line in told(healthcare_with_task)
    )


def _rows(table: str, rows: Any) -> Break:
    return lambda task: task["exp_db_state"].update({table: rows})


STATE_BREAKS: list[Any] = [
    pytest.param(_rows("apointments", []), "exp_db_state.apointments: the pack has no such table", id="typo"),
    pytest.param(_rows("_mivas_calls", []), "exp_db_state._mivas_calls: the pack has no such table", id="service"),
    pytest.param(_rows("patients", {}), "exp_db_state.patients: isn't a list of rows", id="table is an object"),
    pytest.param(_rows("patients", None), "exp_db_state.patients: isn't a list of rows", id="table is null"),
    pytest.param(_rows("patients", [{}, 7]), "exp_db_state.patients.1: isn't an object", id="row is a number"),
    pytest.param(
        _rows("patients", [{"colour": 1}, {"colour": 2}]), "exp_db_state.patients: unknown column colour", id="column"
    ),
]


@pytest.mark.parametrize(("change", "finding"), STATE_BREAKS)
def test_an_expected_state_that_no_call_can_leave_is_told_once(
    healthcare_with_task: Path, edit: Any, change: Break, finding: str
) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/task.json", change)
    assert len([line for line in told(healthcare_with_task) if finding in line]) == 1, told(healthcare_with_task)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_rows("patients", [{}]), id="fewer columns"),
        pytest.param(_rows("patients", [{"created_at": "now", "description": "x"}]), id="columns scoring drops"),
        pytest.param(lambda task: task.pop("exp_db_state"), id="no state"),
    ],
)
def test_what_an_expected_state_may_leave_out_is_no_finding(
    healthcare_with_task: Path, edit: Any, change: Break
) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/task.json", change)
    assert told(healthcare_with_task) == []


def _pin_twice(task: Any) -> None:
    task["scripted_responses"] *= 2


def _call(name: str, **parameters: Any) -> Break:
    return lambda task: task["exp_tool_calls"].append({"name": name, "parameters": parameters})


TASK_BREAKS: list[Any] = [
    pytest.param(lambda task: task.update(task_name="C9-M1: Odd"), "starts with 'C9-M1', not C1-M1", id="name"),
    pytest.param(lambda task: task.update(task_name="C1-M1"), "not C1-M1:", id="name without title"),
    pytest.param(
        lambda task: task["metadata"].update(difficulty="easy"),
        "difficulty: is easy, but the id means medium",
        id="level",
    ),
    pytest.param(
        lambda task: task["metadata"].update(audio_condition="bad_signal"),
        "audio_condition: is bad_signal, but the id means perfect",
        id="audio",
    ),
    pytest.param(
        lambda task: task["metadata"].update(category="R"), "category: is R, but the id means C1", id="category"
    ),
    pytest.param(_pin_twice, "2 pins share the phrase 'offers a text'", id="pin phrase"),
    pytest.param(_call("send_fax"), "unknown tool send_fax", id="unknown tool"),
    pytest.param(_call("find_slots", location_ids=["loc_moon"]), "'loc_moon' is not one of", id="enum"),
    pytest.param(_call("find_slots", window_start="tomorrow"), "window_start: 'tomorrow' does not match", id="pattern"),
    pytest.param(
        _call("find_slots", window_start={"any_of": ["2026-08-24T09:00", "soon"]}), "'soon' does not match", id="any_of"
    ),
    pytest.param(_call("find_slots", colour="red"), "takes no argument colour", id="argument"),
    pytest.param(
        lambda task: task.update(exp_handoff_path=["transfer_to_billing"]),
        "reception can't make transfer_to_billing",
        id="illegal hop",
    ),
    pytest.param(
        _call("quote_cosmetic_service", service="botox"),
        "no node on a walk with this path owns quote_cosmetic_service",
        id="owner off the walk",
    ),
]


@pytest.mark.parametrize(("change", "finding"), TASK_BREAKS)
def test_a_broken_task_is_told(healthcare_with_task: Path, edit: Any, change: Break, finding: str) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/task.json", change)
    assert any(finding in line for line in told(healthcare_with_task)), told(healthcare_with_task)


def test_an_id_without_the_form_of_a_case_key_is_told(healthcare_with_task: Path, edit: Any) -> None:
    (healthcare_with_task / "tasks/C1-M1").rename(healthcare_with_task / "tasks/first")
    edit(healthcare_with_task / "tasks/first/task.json", lambda task: task.update(task_name="first: Odd"))
    assert any("'first' has no case key's form" in line for line in told(healthcare_with_task))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_call("find_slots", to="identity"), id="dropped argument"),
        pytest.param(_call("find_slots", window_start=None), id="null means absent"),
        pytest.param(_call("find_slots", location_ids={"any_of": [["loc_park_ave"]]}), id="any_of that fits"),
        pytest.param(
            _call("find_slots", location_ids=[{"any_of": ["loc_park_ave", "loc_windermere"]}]), id="in a list"
        ),
        pytest.param(lambda task: task.update(exp_handoff_path=[]), id="a walk may be longer than the path"),
        pytest.param(_call("get_account_balance"), id="an extra hop on the way"),
        pytest.param(
            lambda task: task["exp_handoff_path"].append("transfer_to_human"), id="a person may stand at the end"
        ),
    ],
)
def test_what_a_lock_may_say_is_no_finding(healthcare_with_task: Path, edit: Any, change: Break) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/task.json", change)
    assert told(healthcare_with_task) == []


def _step(number: int, **changes: Any) -> Break:
    return lambda solution: solution["steps"][number].update(changes)


SOLUTION_BREAKS: list[Any] = [
    pytest.param(_step(0, handoff="transfer_to_billing"), "reception doesn't own transfer_to_billing", id="hop"),
    pytest.param(
        lambda solution: solution["steps"].pop(4), "steps.4: identity doesn't own find_slots", id="call off the node"
    ),
    pytest.param(
        lambda solution: solution["steps"].insert(0, {"call": "end_call", "expect": {"ok": True}}),
        "end_call is a tool of kind end_call",
        id="wrong step for the kind",
    ),
    pytest.param(
        lambda solution: solution["steps"].append({"say": "And another thing."}), "after the end of the call", id="late"
    ),
    pytest.param(lambda solution: solution["steps"].pop(2), "sends fact dob before it was heard", id="not heard"),
    pytest.param(
        _step(3, arguments={"full_name": {"$fact": "nickname"}}), "caller.json has no fact nickname", id="unknown fact"
    ),
    pytest.param(_step(1, hear="nickname"), "caller.json has no fact nickname", id="hear unknown fact"),
    pytest.param(
        _step(3, arguments={"full_name": {"$fact": "name"}, "dob": "1985-11-03"}),
        "verify_identity.dob: repeats the caller's fact dob",
        id="literal instead of fact",
    ),
    pytest.param(
        _step(3, arguments={"full_name": {"$fact": "name"}, "dob": "1985-11-04"}),
        "verify_identity.dob: repeats the caller's fact dob",
        id="literal of a change of mind",
    ),
    pytest.param(
        lambda solution: solution["steps"][5].pop("as"), "no earlier call is named as in 'openings.data", id="out"
    ),
    pytest.param(_step(6, **{"as": "openings"}), "output name openings stands twice", id="out twice"),
    pytest.param(_step(0, arguments={"next_intent": "fax"}), "'fax' is not one of", id="literal against the schema"),
    pytest.param(lambda solution: solution.update(steps=[]), "solution.json steps: are none", id="no steps"),
    pytest.param(lambda solution: solution.update(canary="x"), "solution.json canary: isn't the pack's", id="canary"),
]


@pytest.mark.parametrize(("change", "finding"), SOLUTION_BREAKS)
def test_a_solution_that_proves_nothing_is_told(
    healthcare_with_task: Path, edit: Any, change: Break, finding: str
) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/solution.json", change)
    assert any(finding in line for line in told(healthcare_with_task)), told(healthcare_with_task)


def test_a_wanted_refusal_may_break_the_schema(healthcare_with_task: Path, edit: Any) -> None:
    wrong = {"call": "find_slots", "arguments": {"location_ids": ["loc_moon"]}, "expect": {"ok": False}}
    edit(healthcare_with_task / "tasks/C1-M1/solution.json", lambda solution: solution["steps"].insert(5, wrong))
    assert told(healthcare_with_task) == []


CALLER_BREAKS: list[Any] = [
    pytest.param(lambda caller: caller.update(opening=""), "caller.json opening: is empty", id="opening"),
    pytest.param(lambda caller: caller.update(opening=" "), "caller.json opening: is empty", id="blank opening"),
    pytest.param(
        lambda caller: caller["facts"].append(caller["facts"][0]), "fact name stands 2 times", id="fact twice"
    ),
    pytest.param(
        lambda caller: caller["goals"].append(caller["goals"][0]), "goal visit stands 2 times", id="goal twice"
    ),
    pytest.param(lambda caller: caller.update(canary="x"), "caller.json canary: isn't the pack's", id="canary"),
]


@pytest.mark.parametrize(("change", "finding"), CALLER_BREAKS)
def test_a_caller_program_that_contradicts_itself_is_told(
    healthcare_with_task: Path, edit: Any, change: Break, finding: str
) -> None:
    edit(healthcare_with_task / "tasks/C1-M1/caller.json", change)
    assert any(finding in line for line in told(healthcare_with_task)), told(healthcare_with_task)


def test_public_tasks_of_healthcare_are_sound(reference_tasks: Path) -> None:
    pack = load_pack("healthcare")
    assert lint(pack, load_suite(pack, reference_tasks / "healthcare")) == []
