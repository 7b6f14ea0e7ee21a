"""Marks, combination, reward and the verdict line. Source: scoring.md 3.8 and 9, cli.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mivas.verify as door
from mivas.pack._scoring import Scoring, ScoringFile, compile_scoring
from mivas.verify import Verdict, verdict_object, verifier_revision, verify

Judge = Callable[..., Verdict]
HEARD = [{"role": "AGENT", "text": "Good morning."}]


@pytest.mark.parametrize("status", ["RUNNING", "IN_PROGRESS", "QUEUED", "PENDING", "EVALUATING", "CONVERSATION_ENDED",
                                    "INITIALIZING"])  # fmt: skip
def test_a_call_that_isnt_over_waits_even_when_it_looks_void(judge: Judge, status: str) -> None:
    verdict = judge("clinic", result={"status": status, "trace_ids": []})
    assert (verdict.mark, verdict.combined, verdict.void_reason) == ("wait", None, None)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        pytest.param({"status": "NO_ANSWER"}, "status_no_answer", id="never answered"),
        pytest.param({"status": "error", "trace_ids": []}, "status_error", id="the status comes first"),
        pytest.param({"trace_ids": []}, "no_trace", id="traces were kept and there is none"),
        pytest.param({"tool_calls": [{"name": "a", "expected": [{}]}]}, "no_tool_evidence", id="paired but none made"),
        pytest.param({"transcript": []}, "no_agent_turn", id="a silent agent"),
        pytest.param({"transcript": [{"role": "AGENT", "text": " "}]}, "no_agent_turn", id="a blank turn"),
        pytest.param({"transcript": [{"role": "CALLER", "text": "Hi"}]}, "no_agent_turn", id="only the caller spoke"),
    ],
)
def test_a_call_is_void_when_the_agent_cant_be_judged(judge: Judge, result: Any, reason: str) -> None:
    verdict = judge("clinic", result=result)
    assert (verdict.mark, verdict.void_reason, verdict.combined) == ("VOID", reason, None)
    assert (verdict.r_eval, verdict.r_train, verdict.tools) == (None, None, None)


@pytest.mark.parametrize(
    "result",
    [
        pytest.param({}, id="no tool call, none expected"),
        pytest.param({"status": "FAILED"}, id="a failed call can be scored"),
        pytest.param({"trace_ids": ["t"]}, id="with traces"),
        pytest.param({"trace_ids": None}, id="unknown traces"),
        pytest.param({"transcript": HEARD}, id="the agent spoke"),
        pytest.param({"transcript": [{"role": "assistant", "utterance": "Hi"}]}, id="other names for turns"),
        pytest.param({"transcript": [{"role": "AGENT", "content": "Hi"}]}, id="and for texts"),
        pytest.param({"transcript": None}, id="no transcript"),
    ],
)
def test_silence_about_evidence_voids_nothing(judge: Judge, result: Any) -> None:
    assert judge("clinic", result=result).mark == "pass"


def test_void_outranks_miss_and_miss_has_no_gates() -> None:
    scoring = compile_scoring(ScoringFile(version=1))
    missed = verify(task=None, result={}, state=None, scoring=scoring, tool_schemas={})
    assert (missed.mark, missed.combined, missed.tools, missed.handoff) == ("MISS", None, None, None)
    void = verify(task=None, result={"status": "ERROR"}, state=None, scoring=scoring, tool_schemas={})
    assert void.mark == "VOID"


@pytest.mark.parametrize(
    ("locked", "state", "passed", "note", "combined"),
    [
        pytest.param({"patients": []}, None, None, "no dump for this result", True, id="no dump: two gates"),
        pytest.param(None, {}, None, "the task locks no state", True, id="no lock: two gates"),
        pytest.param({"patients": []}, {}, True, None, True, id="an empty dump is a dump"),
        pytest.param({"patients": [{"id": 1}]}, {}, False, None, False, id="three gates"),
    ],
)
def test_the_database_counts_where_it_was_compared(
    judge: Judge, locked: Any, state: Any, passed: bool | None, note: str | None, combined: bool
) -> None:
    verdict = judge("clinic", locked=locked, state=state)
    assert (verdict.database.passed, verdict.database.note, verdict.combined) == (passed, note, combined)
    assert verdict.state_skipped is (passed is None)


def test_a_required_dump_that_is_missing_voids_the_call(judge: Judge) -> None:
    verdict = judge("clinic", locked={}, require_state=True)
    assert (verdict.mark, verdict.void_reason) == ("VOID", "no_state")
    assert judge("clinic", locked={}, state={}, require_state=True).mark == "pass"


@pytest.mark.parametrize(
    ("path", "hops", "r_eval", "r_train"),
    [
        pytest.param(["transfer_to_identity"], ["transfer_to_identity"], 1, 1.0, id="exact"),
        pytest.param(["transfer_to_identity"], ["transfer_to_human", "transfer_to_identity"], 1, 0.3, id="extras"),
        pytest.param([], ["transfer_to_human"], 1, 0.3, id="S18: extras where nothing was required"),
        pytest.param(["transfer_to_identity"], [], 0, 0.0, id="failed"),
    ],
)
def test_extra_hops_cost_training_reward_only(
    judge: Judge, path: list[str], hops: list[str], r_eval: int, r_train: float
) -> None:
    verdict = judge("clinic", path=path, actual=[(hop,) for hop in hops], discount=0.3)
    assert (verdict.r_eval, verdict.r_train) == (r_eval, r_train)


def test_the_transcript_decides_no_gate_but_its_length_is_told(judge: Judge) -> None:
    verdict = judge("clinic", result={"transcript": HEARD})
    assert verdict.agent_chars == len("Good morning.")
    assert judge("clinic").agent_chars is None


def test_a_verdict_line_has_the_documented_keys_in_order(judge: Judge) -> None:
    verdict = judge("clinic", expected=["a"], path=["transfer_to_identity"], locked={"patients": [{"id": 1}]}, state={})
    line = verdict_object(verdict, task_id="C1-E1", trial=2, suite="s", suite_hash="h")
    assert list(line) == ["task_id", "trial", "mark", "combined", "void_reason", "tools", "handoff", "database",
                          "reasons", "diagnostics", "r_eval", "r_train", "suite", "suite_hash",
                          "verifier_revision"]  # fmt: skip
    assert line["tools"] == {"passed": False, "score": 0.0, "hit": [], "missing": ["a"], "extra": []}
    assert line["handoff"] == {
        "passed": False, "score": 0.0, "verdict": "incomplete", "expected": ["transfer_to_identity"], "actual": [],
    }  # fmt: skip
    assert line["database"] == {
        "passed": False,
        "skipped": False,
        "note": None,
        "diff": {
            "patients": {"expected_count": 1, "actual_count": 0, "only_in_expected": [{"id": 1}], "only_in_actual": []}
        },
    }
    assert [reason["gate"] for reason in line["reasons"]] == ["T", "H", "D"]
    assert list(line["diagnostics"]) == ["scope_violations", "order_violations", "parity_aliases"]
    json.dumps(line)


def test_a_line_that_cant_be_scored_has_null_gates() -> None:
    scoring = compile_scoring(ScoringFile(version=1))
    verdict = verify(task=None, result={}, state={}, scoring=scoring, tool_schemas={})
    line = verdict_object(verdict, task_id=None, trial=None, suite=None, suite_hash=None)
    assert line["tools"] == {"passed": None, "score": None, "hit": [], "missing": [], "extra": []}
    assert line["handoff"]["passed"] is None
    assert line["handoff"]["verdict"] is None
    assert line["database"] == {"passed": None, "skipped": True, "note": "no task for this result", "diff": None}


def test_the_revision_is_twelve_hex_digits() -> None:
    assert len(verifier_revision()) == 12
    int(verifier_revision(), 16)


def test_the_door_shows_what_it_promises() -> None:
    assert set(door.__all__) == {name for name in vars(door) if not name.startswith("_")}


WORDS = st.sampled_from(
    [
        "name",
        "actual",
        "parameters",
        "output",
        "ok",
        "data",
        "start_offset_ms",
        "tool_calls",
        "id",
        "status",
        "transcript",
        "role",
        "AGENT",
        "text",
        "exp_tool_calls",
        "exp_handoff_path",
        "any_of",
        "exp_db_state",
        "patients",
        "waitlist",
        "intakes",
        "messages",
        "holds",
        "payload",
        "send_sms",
        "transfer_to_identity",
        "location_ids",
        "order_number",
        "properties",
        "phone",
        "in_scope",
        "for_whom",
        "trace_ids",
        "expected",
        "create_task",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=5)
)
ARGUMENTS = st.dictionaries(WORDS, JSON, max_size=3)
ELEMENTS = st.fixed_dictionaries(
    {}, optional={"parameters": ARGUMENTS, "output": JSON, "ok": JSON, "start_offset_ms": JSON}
)
GROUPS = st.fixed_dictionaries({"name": WORDS, "actual": st.lists(ELEMENTS | JSON, max_size=3)})
CALLS = st.lists(st.fixed_dictionaries({"name": WORDS, "parameters": ARGUMENTS, "output": JSON}) | JSON, max_size=3)
DUMPS = st.dictionaries(WORDS, st.lists(ARGUMENTS | JSON, max_size=3), max_size=4)
TASKS = st.fixed_dictionaries({"exp_tool_calls": CALLS | JSON, "exp_handoff_path": JSON, "exp_db_state": DUMPS | JSON})
RESULTS = st.fixed_dictionaries(
    {"tool_calls": st.lists(GROUPS | JSON, max_size=4) | JSON}, optional={"status": JSON, "transcript": JSON}
)


def everything() -> Scoring:
    """Rules that reach every kind and every table rule."""
    return compile_scoring(
        ScoringFile.model_validate(
            {
                "version": 1,
                "transfer_set": ["transfer_to_identity"],
                "forbidden_unless_expected": ["send_sms"],
                "prose_keys": ["text"],
                "presence_keys": ["role"],
                "skip_keys": ["status"],
                "equality": [
                    {"key": "location_ids", "kind": "alias_set", "table": "office"},
                    {"key": "id", "match": "suffix", "kind": "alias", "table": "office"},
                    {"key": "order_number", "kind": "suffix_digits", "parity": True},
                    {"key": "order_number", "kind": "output_names", "parity": True},
                    {"key": "for_whom", "kind": "fuzzy_name"},
                    {"key": "data", "kind": "minute", "parity": True},
                ],
                "aliases": {"office": {"normalise": "compact", "map": {"agent": "id"}}},
                "tables": {
                    "patients": {"rule": "exact"},
                    "waitlist": {"rule": "subset_or_empty"},
                    "intakes": {"rule": "constrained_count"},
                    "messages": {"rule": "constrained_cover"},
                    "holds": {"rule": "exact"},
                },
                "json_columns": {"holds.payload": {"drop": ["id"]}},
                "order": {"identity": ["name"], "before": [["name", "send_sms"]]},
            }
        )
    )


@settings(max_examples=300, deadline=None)
@given(task=TASKS | JSON, result=RESULTS | JSON, state=DUMPS | JSON, schemas=st.dictionaries(WORDS, JSON, max_size=3))
def test_no_input_crashes_the_verifier(task: Any, result: Any, state: Any, schemas: Any) -> None:
    verdict = verify(task=task, result=result, state=state, scoring=everything(), tool_schemas=schemas)
    assert verdict.mark in ("pass", "FAIL", "VOID", "MISS", "wait")
    assert bool(verdict.reasons) is (verdict.mark == "FAIL")
    json.dumps(verdict_object(verdict, task_id="x", trial=0, suite="s", suite_hash="h"))


@settings(max_examples=100, deadline=None)
@given(task=TASKS, groups=st.lists(GROUPS, max_size=4), state=DUMPS, data=st.data())
def test_the_order_of_groups_doesnt_matter_when_offsets_are_present(
    task: Any, groups: Any, state: Any, data: st.DataObject
) -> None:
    at = 0
    for group in groups:
        group["actual"] = [
            {**one, "start_offset_ms": (at := at + 1)} for one in group["actual"] if isinstance(one, dict)
        ]
    options = {"task": task, "state": state, "scoring": everything(), "tool_schemas": {}}
    other = data.draw(st.permutations(groups))
    first = verify(result={"tool_calls": groups}, **options)
    second = verify(result={"tool_calls": other}, **options)
    assert verdict_text(first) == verdict_text(second)


def verdict_text(verdict: Verdict) -> str:
    return json.dumps(verdict_object(verdict, task_id="x", trial=0, suite="s", suite_hash="h"))


@pytest.mark.parametrize("depth", [50, 300, 900])
def test_deeply_nested_evidence_is_judged_not_crashed_on(depth: int) -> None:
    def deep(value: Any) -> Any:
        for at in range(depth):
            value = [value] if at % 2 else {"payload": value}
        return value

    task = {
        "exp_tool_calls": [{"name": "a", "parameters": {"x": deep(1), "location_ids": deep(2)}}],
        "exp_db_state": {name: [{"payload": deep(1), "x": deep(1)}] for name in ("patients", "intakes", "holds")},
    }
    result = {"tool_calls": [{"name": "a", "actual": [{"parameters": {"x": deep(3), "location_ids": deep(4)}}]}]}
    state = {name: [{"payload": deep(2), "x": deep(5)}] for name in ("patients", "intakes", "holds")}
    verdict = verify(task=task, result=result, state=state, scoring=everything(), tool_schemas={})
    assert verdict.mark == "FAIL"
