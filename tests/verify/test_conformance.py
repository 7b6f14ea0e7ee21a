"""The conformance checklist, a test or more for each box. Source: scoring.md 11.

Box 6, the metrics table from an exported CSV, is in tests/report/test_export.py; box 7, no signed URL in the public
export, in tests/report/test_public_copy.py.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mivas
from mivas.errors import PackError
from mivas.pack import load_pack, load_suite
from mivas.pack._scoring import Scoring
from mivas.verify import Verdict, verdict_object

Judge = Callable[..., Verdict]
Case = Any
TESTS = Path(__file__).parent.parent
INDUSTRIES = Path(mivas.__file__).parent / "industries"


def without_one(calls: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    for at, call in enumerate(calls):
        yield call, calls[:at] + calls[at + 1 :]


def line(verdict: Verdict) -> str:
    return json.dumps(verdict_object(verdict, task_id="x", trial=0, suite=None, suite_hash=None))


def test_box_1_our_own_cases_are_there() -> None:
    assert len(list((TESTS / "suites" / "healthcare").glob("*/task.json"))) == 12


def test_box_1_a_perfect_trial_passes(case: Case) -> None:
    hops, calls = case.calls()
    verdict = case.judged([*hops, *calls])
    assert (verdict.mark, verdict.reasons, verdict.r_eval) == ("pass", (), 1)
    assert (verdict.tools.passed, verdict.handoff.passed, verdict.database.passed) == (True, True, True)
    assert (verdict.tools.score, verdict.handoff.score) == (1.0, 1.0)


def test_box_1_columns_that_dont_count_may_say_anything(case: Case, rules: Any) -> None:
    hops, calls = case.calls()
    state = case.task["exp_db_state"]
    for table, rule in rules(case.pack)[0].tables.items():
        for row in state.get(table, ()):
            row.update(dict.fromkeys(rule.drop, "worded otherwise"))
    assert case.judged([*hops, *calls], state).mark == "pass"


def test_box_1_without_any_one_expected_call_the_tool_gate_fails(case: Case) -> None:
    hops, calls = case.calls()
    expected = case.task["exp_tool_calls"]
    for call, rest in without_one([*hops, *calls]):
        verdict = case.judged(rest)
        if call not in expected:  # a hop that the path asks for and the call list doesn't
            assert verdict.tools.passed
            continue
        assert (verdict.tools.passed, verdict.mark) == (False, "FAIL")
        assert call["name"] in verdict.tools.missing
        assert any(reason.gate == "T" and call["name"] in reason.text for reason in verdict.reasons)


def test_box_1_without_any_one_expected_hop_the_handoff_gate_fails(case: Case) -> None:
    hops, calls = case.calls()
    for hop, rest in without_one(hops):
        verdict = case.judged([*rest, *calls])
        assert (verdict.handoff.passed, verdict.mark) == (False, "FAIL")
        assert verdict.handoff.score < 1
        assert any(reason.gate == "H" and hop["name"] in reason.text for reason in verdict.reasons)


def test_box_1_any_changed_row_of_an_exact_table_fails_the_database_gate(case: Case, rules: Any) -> None:
    scoring, _ = rules(case.pack)
    hops, calls = case.calls()
    state = case.task["exp_db_state"]
    for table in (name for name, rule in scoring.tables.items() if rule.rule == "exact"):
        for at, row in enumerate(state.get(table) or ()):
            column = next(key for key in reversed(row) if key not in scoring.tables[table].drop)
            changed = copy.deepcopy(state)
            changed[table][at][column] = 987_654
            verdict = case.judged([*hops, *calls], changed)
            assert (verdict.database.passed, verdict.mark) == (False, "FAIL")
            assert [reason.gate for reason in verdict.reasons] == ["D"]
            assert verdict.reasons[0].text.startswith(f"{table}: {column} of ")
            lacking = {**state, table: [one for other, one in enumerate(state[table]) if other != at]}
            assert case.judged([*hops, *calls], lacking).database.passed is False
            assert case.judged([*hops, *calls], {**state, table: [*state[table], row]}).database.passed is False


def test_box_2_every_row_of_the_two_tables_has_a_test_named_after_it() -> None:
    """S12 is tested in tests/report, S16 and S17 with the suites they speak of."""
    elsewhere = {12, 16, 17}
    names = " ".join(
        name
        for path in (*(TESTS / "verify").glob("*.py"), *(TESTS / "score").glob("*.py"))
        for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    )
    assert [number for number in range(1, 19) if number not in elsewhere and f"test_s{number}_" not in names] == []
    fuzzy = (TESTS / "verify" / "test_fuzzy_rows.py").read_text(encoding="utf-8")
    assert [row for row in range(1, 13) if f'id="row {row}: ' not in fuzzy] == []


def test_box_3_neither_the_order_of_groups_nor_of_rows_matters(case: Case) -> None:
    hops, calls = case.calls()
    for kept in ([*hops, *calls], [*hops, *calls][1:], [*calls, *hops]):
        ordered = case.judged(kept)
        shuffle = random.Random(7)
        groups = [
            {"name": call["name"],
             "actual": [{**{key: call[key] for key in call if key != "name"}, "start_offset_ms": 100 * at}]}
            for at, call in enumerate(kept)
        ]  # fmt: skip
        shuffle.shuffle(groups)
        state = {table: shuffle.sample(rows, len(rows)) for table, rows in case.task["exp_db_state"].items()}
        assert line(case.judged(kept, state, result={"tool_calls": groups})) == line(ordered)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "any_of", "id"]), inner),
    max_leaves=6,
)


def replaced(value: Any, data: st.DataObject, junk: Any) -> Any:
    """A copy of `value` with junk at one place, deep or shallow."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: replaced(value[key], data, junk)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], replaced(value[at], data, junk), *value[at + 1 :]]
    return junk


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), junk=JUNK)
def test_box_4_junk_anywhere_in_a_real_trial_is_judged_not_crashed_on(
    case: Case, data: st.DataObject, junk: Any
) -> None:
    hops, calls = case.calls()
    result = {"status": "COMPLETED", "tool_calls": [{"name": one["name"], "actual": [one]} for one in (*hops, *calls)]}
    parts = {"task": case.task, "result": result, "state": case.task["exp_db_state"]}
    name = data.draw(st.sampled_from(sorted(parts)))
    parts[name] = replaced(parts[name], data, junk)
    state = parts.pop("state")
    verdict = case.judged((), {} if state is None else state, **parts)
    assert bool(verdict.reasons) is (verdict.mark == "FAIL")


@pytest.mark.parametrize("pack", ["healthcare", "legal", "customer-support"])
def test_box_5_every_spelling_of_every_alias_table_meets_its_name(pack: str, rules: Any, judge: Judge) -> None:
    """The grader's half. The environment's half is test_alias_parity.py."""
    scoring: Scoring = rules(pack)[0]
    tried = 0
    for key, spelling, name, tool in spellings(pack, scoring):
        for heard in {spelling, spelling.upper(), spelling.title(), f" {spelling} "}:
            verdict = judge(pack, expected=[(tool, {key: name})], actual=[(tool, {key: heard})], schemas={})
            assert verdict.combined, (key, heard, name)
            tried += 1
    assert tried >= {"healthcare": 40, "legal": 300, "customer-support": 80}[pack]


def spellings(pack: str, scoring: Scoring) -> Iterator[tuple[str, str, str, str]]:
    """(key, spelling, canonical name, tool) of every alias entry of the pack's file."""
    file = json.loads((INDUSTRIES / pack.replace("-", "_") / "scoring.json").read_text(encoding="utf-8"))
    for entry in file["equality"]:
        if entry["kind"] in ("alias", "compact_alias"):
            table = file["aliases"][entry["table"]]["map"]
            for spelling, name in (*table.items(), *((name, name) for name in table.values())):
                assert scoring.canonical(entry["table"], spelling) == name
                yield entry["key"], spelling, name, entry.get("tool", "any_tool")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        pytest.param(lambda task: task.pop("intent"), "intent", id="a key is lacking"),
        pytest.param(lambda task: task["exp_handoff_path"].append("transfer_to_nowhere"), "transfer_to_nowhere",
                     id="a hop outside the set"),
        pytest.param(lambda task: task["exp_tool_calls"].append({"name": "find_slots", "parameters": {
            "visit_type": {"any_of": []}}}), "any_of", id="no alternative"),
        pytest.param(lambda task: task["exp_tool_calls"].append({"name": "find_slots", "parameters": {
            "visit_type": {"any_of": "x"}}}), "any_of", id="alternatives that are no list"),
    ],
)  # fmt: skip
def test_box_8_the_loader_refuses_a_lock_that_cant_be_met(
    tmp_path: Path, change: Callable[[Any], Any], part: str
) -> None:
    """That locked states come out of a replay is tested in tests/suites and by `mivas replay`."""
    pack = load_pack("healthcare")
    source = sorted((INDUSTRIES / "healthcare" / "tasks").glob("*/task.json"))[0]
    task: Mapping[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    target = tmp_path / source.parent.name / "task.json"
    target.parent.mkdir()
    target.write_text(json.dumps(task), encoding="utf-8")
    assert len(load_suite(pack, tmp_path).tasks) == 1
    change(task)
    target.write_text(json.dumps(task), encoding="utf-8")
    with pytest.raises(PackError, match=part):
        load_suite(pack, tmp_path)
