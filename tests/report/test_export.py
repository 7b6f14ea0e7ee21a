"""What an export says. Source: scoring.md sections 4, 5 and 11 (box 6: the metrics table, from an exported CSV)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import mivas.report as door
from mivas.line import CallEnded, CallStarted, Handoff, Interruption, Speech, ToolFinished, ToolStarted, Usage
from mivas.pack import load_pack, load_suite
from mivas.report import ADDED_COLUMNS, PUBLISHED_COLUMNS, Conversation, csv_lines, export_rows, jsonl_lines
from mivas.score import pass_at_k, pass_hat_k, summarise

Make = Callable[..., Conversation]
Line = Callable[..., dict[str, Any]]
ThroughCsv = Callable[..., list[dict[str, str]]]
COLUMNS = (*PUBLISHED_COLUMNS, *ADDED_COLUMNS)
GATES = (
    "combined_pass", "tools_pass", "handoff_pass", "hangup_db_pass", "tools_score", "missing_tools", "hit_tools",
    "handoff_verdict", "handoff_score", "hangup_diff",
)  # fmt: skip

PUBLISHED = [
    (1, 5, "", "run_id simulation_id agent_id result_id digital_human_id"),
    (6, 11, "", "industry case_key task_path task_dir task_name dh_name"),
    (12, 14, "", "category difficulty audio_condition"),
    (15, 15, "", "conversation_index"),
    (16, 19, "", "status mark pending void_reason"),
    (20, 22, "", "duration_s start_time end_time"),
    (23, 23, "", "combined_pass"),
    (24, 26, "", "tools_pass handoff_pass hangup_db_pass"),
    (27, 27, "", "tools_score"),
    (28, 32, "", "missing_tools hit_tools extra_tools actual_tools expected_tools"),
    (33, 34, "", "expected_tool_calls_json actual_tool_calls_json"),
    (35, 38, "", "handoff_verdict handoff_score expected_handoffs actual_handoffs"),
    (39, 42, "", "hangup_expected_json hangup_actual_json hangup_diff hangup_note"),
    (43, 48, "", "prompt_adherence prompt_adherence_reasoning task_completion task_completion_reasoning premature_end "
                 "premature_end_reasoning"),
    (49, 79, "builtin_", "duration num_turns interface agent_interruption_count customer_interruption_count "
                         "avg_agent_latency max_agent_latency p50_agent_latency p90_agent_latency p95_agent_latency "
                         "p99_agent_latency avg_customer_latency p50_customer_latency p90_customer_latency "
                         "avg_punctuation_latency p50_punctuation_latency p90_punctuation_latency "
                         "time_to_first_agent_utterance agent_audio_clarity agent_perceived_loudness "
                         "agent_audio_clipping agent_pitch_variability agent_audio_dropouts pronunciation "
                         "agent_turn_duration_avg agent_words_per_turn_avg customer_words_per_turn_avg agent_wpm "
                         "agent_speak_percentage success redundancy"),
    (80, 89, "eval_", "sentiment_label sentiment_score hallucination redundancy pronunciation_score "
                      "agent_audio_clarity user_audio_clarity agent_speak_percentage avg_agent_latency call_summary"),
    (90, 92, "", "transcript transcript_url recording_url"),
    (93, 94, "", "agent_chars num_turns"),
]  # fmt: skip
ADDED = (
    "trace_id trace_json model_id usage_json audio_seconds cost_usd cost_basis verifier_revision repo_revision harness "
    "concurrency retry_of parity_alias_used tier condition caller caller_fault attempt suite suite_hash "
    "scope_violations order_violations"
)


def test_the_door_shows_what_it_promises() -> None:
    named = {
        name for name, value in vars(door).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert set(door.__all__) == named


def test_the_columns_stand_in_the_published_order() -> None:
    names = [column.name for column in PUBLISHED_COLUMNS]
    for first, last, prefix, group in PUBLISHED:
        assert names[first - 1 : last] == [f"{prefix}{name}" for name in group.split()]
    assert len(names) == 94
    assert [column.name for column in ADDED_COLUMNS] == ADDED.split()
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)


@pytest.mark.parametrize("conversations", [0, 2])
def test_the_header_is_always_the_same_and_every_field_is_quoted(conversations: int, make: Make, line: Line) -> None:
    rows = export_rows([make(line("p", "t", "pass"))] * conversations)
    header, *records = b"".join(csv_lines(COLUMNS, rows)).decode().removesuffix("\n").split("\n")
    assert header == ",".join(f'"{column.name}"' for column in COLUMNS)
    assert len(records) == conversations
    assert all(len(record[1:-1].split('","')) == len(COLUMNS) for record in records)


# Box 6: the metrics table of section 4, from an exported CSV.


def trials(line: Line, pack: str, task: str, passes: int, fails: int, voids: int = 0) -> list[dict[str, Any]]:
    marks = ["pass"] * passes + ["FAIL"] * fails + ["VOID"] * voids
    return [line(pack, task, mark, trial) for trial, mark in enumerate(marks)]


def truth(cell: str) -> bool | None:
    return {"true": True, "false": False, "": None}[cell]


def verdict_row(cells: dict[str, str]) -> dict[str, Any]:
    """What `mivas.score` needs, from the cells of a CSV alone."""
    return {
        "pack": cells["industry"],
        "task_id": cells["case_key"] or None,
        "mark": cells["mark"],
        "difficulty": cells["difficulty"] or None,
        "audio_condition": cells["audio_condition"] or None,
        "tools": {"passed": truth(cells["tools_pass"])},
        "handoff": {"passed": truth(cells["handoff_pass"]), "verdict": cells["handoff_verdict"] or None},
        "database": {"passed": truth(cells["hangup_db_pass"])},
    }


@pytest.mark.parametrize(
    ("passes", "hats", "ats"),
    [
        (5, [1, 1, 1, 1, 1], [1, 1]),
        (4, [0.8, 0.6, 0.4, 0.2, 0], [1, 1]),
        (3, [0.6, 0.3, 0.1, 0, 0], [0.9, 1]),
        (2, [0.4, 0.1, 0, 0, 0], [0.7, 0.9]),
        (1, [0.2, 0, 0, 0, 0], [0.4, 0.6]),
        (0, [0, 0, 0, 0, 0], [0, 0]),
    ],
)
def test_box_6_the_worked_values_of_five_trials(
    passes: int, hats: list[float], ats: list[float], make: Make, line: Line, through_csv: ThroughCsv
) -> None:
    rows = [verdict_row(row) for row in through_csv(map(make, trials(line, "p", "t", passes, 5 - passes)))]
    figures = summarise(rows).packs["p"]
    assert [figures.pass_hat_k[k].value for k in range(1, 6)] == hats
    assert figures.pass_at_1 == passes / 5
    counted = [row["mark"] for row in rows].count("pass")
    assert [pass_hat_k(5, counted, k) for k in range(1, 6)] == hats
    assert [pass_at_k(5, counted, k) for k in (2, 3)] == ats


def test_box_6_the_worked_aggregate(make: Make, line: Line, through_csv: ThroughCsv) -> None:
    lines = trials(line, "p", "A", 5, 0) + trials(line, "p", "B", 3, 2) + trials(line, "p", "C", 1, 1, 3)
    figures = summarise(map(verdict_row, through_csv(map(make, lines)))).packs["p"]
    assert figures.pass_at_1 == 0.75, "pooled, not the mean of tasks"
    five = figures.pass_hat_k[5]
    assert (five.value, five.tasks_with_enough_trials, five.tasks) == (0.5, 2, 3)
    assert figures.pass_hat_k[2].value == pytest.approx((1 + 0.3 + 0) / 3)
    assert figures.marks == {"pass": 9, "FAIL": 3, "VOID": 3, "MISS": 0, "wait": 0}
    assert (figures.gates.tools, figures.gates.handoff, figures.gates.database) == (0.75, 1.0, 0.75)


def test_box_6_the_cross_industry_mean(make: Make, line: Line, through_csv: ThroughCsv) -> None:
    lines = [
        *trials(line, "a", "t", 216, 144), *trials(line, "b", "t", 150, 150, 60), *trials(line, "c", "t", 252, 108),
    ]  # fmt: skip
    summary = summarise(map(verdict_row, through_csv(map(make, lines))), largest_k=1)
    assert [figures.pass_at_1 for figures in summary.packs.values()] == pytest.approx([0.6, 0.5, 0.7])
    assert summary.cross_industry_pass_at_1 == pytest.approx(0.6)
    assert summary.overall.pass_at_1 == pytest.approx(618 / 1020)


# Cells.


@pytest.mark.parametrize("mark", ["VOID", "MISS", "wait"])
def test_a_call_that_was_not_scored_has_no_gate_cells(
    mark: str, make: Make, line: Line, through_csv: ThroughCsv
) -> None:
    scored = line("p", "t", "FAIL")
    planted = {part: {**scored[part], "hit": ["x"], "missing": ["y"]} for part in ("tools", "handoff", "database")}
    planted["database"]["diff"] = {"patients": {}}
    (row,) = through_csv([make(line("p", "t", mark, combined=False, **planted))])
    assert {name: row[name] for name in GATES} == dict.fromkeys(GATES, "")
    assert (row["mark"], row["pending"]) == (mark, "true" if mark == "wait" else "false")


def test_a_result_without_a_task_has_a_row_and_names_none(make: Make, line: Line, through_csv: ThroughCsv) -> None:
    result = {"status": "COMPLETED", "tool_calls": [{"name": "a", "actual": [{"parameters": {}}]}]}
    (row,) = through_csv([make(line("p", None, "MISS"), result=result)])
    assert (row["case_key"], row["task_path"], row["expected_tools"], row["extra_tools"]) == ("", "", "", "")
    assert row["actual_tools"] == "a"


@pytest.mark.parametrize(("passed", "shown"), [(False, True), (True, False), (None, False)])
def test_the_difference_of_states_shows_only_where_the_gate_failed(
    passed: bool | None, shown: bool, make: Make, line: Line, through_csv: ThroughCsv
) -> None:
    diff = {"patients": {"expected_count": 1, "actual_count": 0, "only_in_expected": [{"name": "é"}]}}
    database = {"passed": passed, "note": None, "diff": diff}
    (row,) = through_csv([make(line("p", "t", "FAIL", database=database))])
    assert row["hangup_diff"] == (json.dumps(diff, ensure_ascii=False, separators=(",", ":")) if shown else "")
    assert row["hangup_db_pass"] == {False: "false", True: "true", None: ""}[passed]


def test_conversations_are_counted_in_run_order_within_run_pack_and_task(make: Make, line: Line) -> None:
    order = [("a", "t"), ("b", "t"), ("a", "t"), ("a", "u"), ("a", "t")]
    conversations = [make(line(pack, task, "pass")) for pack, task in order]
    other = replace(conversations[0], manifest={**conversations[0].manifest, "run_id": "r2"})
    assert [row["conversation_index"] for row in export_rows([*conversations, other])] == [1, 1, 2, 1, 3, 1]


TALK = (
    CallStarted(t_ms=0, node="reception", call_id="c", pack="healthcare", harness="oracle", clock="virtual"),
    Speech(t_ms=0, node="reception", role="agent", text=" Hello? ", start_ms=0, end_ms=900),
    Speech(t_ms=900, role="caller", text="One\nAGENT: two\r\nthree", start_ms=900, end_ms=2000),
    ToolStarted(t_ms=2000, call_ref="1", kind="industry", name="b", arguments={"q": "ü"}),
    ToolFinished(t_ms=2100, call_ref="1", name="b", output={"ok": True}, latency_ms=100, in_scope=True),
    ToolStarted(t_ms=2100, call_ref="2", kind="handoff", name="transfer_to_coverage", arguments={}),
    ToolFinished(t_ms=2100, call_ref="2", name="transfer_to_coverage", output={}, latency_ms=0, in_scope=True),
    Handoff(t_ms=2100, from_="reception", to="coverage", call_ref="2"),
    ToolStarted(t_ms=2100, call_ref="3", kind="industry", name="b", arguments={}),
    ToolFinished(t_ms=2100, call_ref="3", name="b", output={}, latency_ms=0, in_scope=True),
    Usage(t_ms=2200, input_text_tokens=5, output_text_tokens=0),
    Usage(t_ms=2300, input_text_tokens=7),
    Interruption(t_ms=2400, by="caller", at_ms=2400),
    CallEnded(t_ms=22400, by="caller", reason="hung up"),
)  # fmt: skip
RESULT = {
    "status": "COMPLETED",
    "tool_calls": [
        {"name": "b", "actual": [{"parameters": {"q": "ü"}, "output": {"ok": True}, "start_offset_ms": 2000},
                                 {"parameters": {}, "output": {}, "start_offset_ms": 2100},
                                 {"parameters": {}, "output": {}, "start_offset_ms": None}]},
        {"name": "transfer_to_coverage", "actual": [{"parameters": {}, "output": {}, "start_offset_ms": 2100}]},
    ],
    "transcript": [{"role": event.role.upper(), "text": event.text} for event in TALK if isinstance(event, Speech)],
}  # fmt: skip


def test_a_call_is_told_by_its_evidence_and_its_task(make: Make, line: Line, through_csv: ThroughCsv) -> None:
    task = load_suite(load_pack("healthcare")).tasks["C1-E1"]
    path = "src/mivas/industries/healthcare/tasks/C1-E1/task.json"
    (row,) = through_csv(
        [make(line("healthcare", "C1-E1", "pass"), events=TALK, result=RESULT, task=task, task_path=path, state={})]
    )
    assert row["task_dir"] == path.removesuffix("/task.json")
    assert (row["difficulty"], row["audio_condition"], row["category"]) == ("easy", "perfect", "C1")
    assert row["expected_tools"] == "transfer_to_coverage;check_plan_accepted"
    assert row["actual_tools"] == "b;transfer_to_coverage;b;b", "in the order in which they began"
    assert row["extra_tools"] == "b"
    assert row["actual_tool_calls_json"].startswith('[{"name":"b","parameters":{"q":"ü"},"output":{"ok":true},"start')
    assert row["transcript"] == "AGENT:  Hello? \nCALLER: One AGENT: two  three"
    assert (row["agent_chars"], row["num_turns"], row["duration_s"], row["builtin_duration"]) == (
        "6", "2", "22.4", "22400",
    )  # fmt: skip
    assert row["hangup_actual_json"] == "{}"
    assert row["usage_json"] == '{"input_text_tokens":12,"output_text_tokens":0}'


def test_the_trace_has_a_root_and_a_span_for_every_turn_and_tool(make: Make, line: Line) -> None:
    (row,) = export_rows([make(line("p", "t", "pass"), events=TALK)])
    root, *spans = row["trace_json"]
    assert (root["name"], root["end_ms"], root["attributes"]["gen_ai.usage.input_text_tokens"]) == (
        "session",
        22400,
        12,
    )
    assert [span["name"] for span in spans] == [
        "model", "user_message", "execute_tool b", "execute_tool transfer_to_coverage", "execute_tool b",
    ]  # fmt: skip
    assert spans[3]["attributes"]["gen_ai.handoff.to_agent"] == "coverage"
    assert (spans[2]["start_ms"], spans[2]["end_ms"]) == (2000, 2100)


def test_unknown_is_blank_and_never_0(make: Make, line: Line, through_csv: ThroughCsv) -> None:
    (row,) = through_csv([make({"key": "k", "pack": "p", "task_id": "t", "mark": "VOID"}, record={}, manifest={})])
    filled = {name: cell for name, cell in row.items() if cell}
    assert filled == {
        "simulation_id": "k", "industry": "p", "case_key": "t", "conversation_index": "1", "mark": "VOID",
        "pending": "false",
    }  # fmt: skip


@pytest.mark.parametrize(("tier", "seconds", "cut_in"), [("text", "", ""), ("acoustic", "22.4", "1")])
def test_sound_is_unknown_where_nobody_speaks_aloud(
    tier: str, seconds: str, cut_in: str, make: Make, line: Line, through_csv: ThroughCsv
) -> None:
    (row,) = through_csv([make(line("p", "t", "pass"), events=TALK, manifest={"tier": tier})])
    assert (row["audio_seconds"], row["builtin_customer_interruption_count"]) == (seconds, cut_in)
    assert (row["cost_usd"], row["cost_basis"], row["builtin_avg_agent_latency"]) == ("", "", "")


def test_neither_training_reward_nor_discount_nor_judged_goals_are_exported(make: Make, line: Line) -> None:
    text = b"".join(jsonl_lines(COLUMNS, export_rows([make(line("p", "t", "pass"))]))).decode()
    assert "0.4321" not in text
    names = set(json.loads(text))
    assert not names & {"r_train", "discount", "goal_success", "goal_reasoning", "tests_passed", "judge_goal"}


AWKWARD = 'a,b "q" ""\n\r\n;\u2028\u2029\x85\x0b\x1c\U0001f4de\x00=1+1 \\n \t'
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=TEXT, argument=TEXT)
@example(said=AWKWARD, argument=AWKWARD)
def test_awkward_text_comes_back_as_it_was(
    said: str, argument: str, make: Make, line: Line, through_csv: ThroughCsv
) -> None:
    calls = [{"name": "b", "actual": [{"parameters": {argument: argument}, "output": {"ok": said}}]}]
    one = make(
        line("p", said, "VOID", void_reason=argument),
        result={"status": "COMPLETED", "tool_calls": calls, "transcript": [{"role": "AGENT", "text": said}]},
    )
    (row,) = through_csv([one])
    assert row["case_key"] == said
    assert row["void_reason"] == argument
    assert row["transcript"] == f"AGENT: {said}".replace("\r", " ").replace("\n", " ")
    assert json.loads(row["actual_tool_calls_json"]) == [
        {"name": "b", "parameters": {argument: argument}, "output": {"ok": said}}
    ]
    (typed,) = [json.loads(text) for text in b"".join(jsonl_lines(COLUMNS, export_rows([one]))).split(b"\n") if text]
    assert typed["actual_tool_calls_json"][0]["parameters"] == {argument: argument}
    assert typed["case_key"] == said


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), 2**80, "\ud800", {"k": [float("nan")]}, [[[]]], ""])
def test_odd_values_of_a_model_still_make_a_readable_file(odd: Any, make: Make, line: Line) -> None:
    calls = [{"name": "\ud800", "actual": [{"parameters": {"x": odd}}]}]
    one = make(line("p", "t", "pass"), result={"status": "COMPLETED", "tool_calls": calls})
    strict = {"parse_constant": pytest.fail}
    (row,) = csv.DictReader(io.StringIO(b"".join(csv_lines(COLUMNS, export_rows([one]))).decode(), newline=""))
    typed = json.loads(b"".join(jsonl_lines(COLUMNS, export_rows([one]))), **strict)
    assert json.loads(row["actual_tool_calls_json"], **strict) == typed["actual_tool_calls_json"]
    assert row["actual_tools"] == "\\ud800"
