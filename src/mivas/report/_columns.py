"""The columns of an export, in order, and what kind of value each holds. Source: scoring.md section 5."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["text", "bool", "int", "number", "list", "json"]


class Column(NamedTuple):
    """One column. A value of any kind may be None: unknown."""

    name: str
    kind: Kind


def _columns(*groups: tuple[Kind, str]) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for kind, names in groups for name in names.split())


PUBLISHED_COLUMNS = _columns(
    ("text", "run_id simulation_id agent_id result_id digital_human_id"),
    ("text", "industry case_key task_path task_dir task_name dh_name"),
    ("text", "category difficulty audio_condition"),
    ("int", "conversation_index"),
    ("text", "status mark"),
    ("bool", "pending"),
    ("text", "void_reason"),
    ("number", "duration_s"),
    ("text", "start_time end_time"),
    ("bool", "combined_pass tools_pass handoff_pass hangup_db_pass"),
    ("number", "tools_score"),
    ("list", "missing_tools hit_tools extra_tools actual_tools expected_tools"),
    ("json", "expected_tool_calls_json actual_tool_calls_json"),
    ("text", "handoff_verdict"),
    ("number", "handoff_score"),
    ("list", "expected_handoffs actual_handoffs"),
    ("json", "hangup_expected_json hangup_actual_json hangup_diff"),
    ("text", "hangup_note"),
    ("number", "prompt_adherence"),
    ("text", "prompt_adherence_reasoning"),
    ("number", "task_completion"),
    ("text", "task_completion_reasoning"),
    ("bool", "premature_end"),
    ("text", "premature_end_reasoning"),
    ("number", "builtin_duration"),
    ("int", "builtin_num_turns"),
    ("text", "builtin_interface"),
    ("int", "builtin_agent_interruption_count builtin_customer_interruption_count"),
    ("number", "builtin_avg_agent_latency builtin_max_agent_latency builtin_p50_agent_latency"),
    ("number", "builtin_p90_agent_latency builtin_p95_agent_latency builtin_p99_agent_latency"),
    ("number", "builtin_avg_customer_latency builtin_p50_customer_latency builtin_p90_customer_latency"),
    ("number", "builtin_avg_punctuation_latency builtin_p50_punctuation_latency builtin_p90_punctuation_latency"),
    ("number", "builtin_time_to_first_agent_utterance builtin_agent_audio_clarity builtin_agent_perceived_loudness"),
    ("number", "builtin_agent_audio_clipping builtin_agent_pitch_variability builtin_agent_audio_dropouts"),
    ("number", "builtin_pronunciation builtin_agent_turn_duration_avg builtin_agent_words_per_turn_avg"),
    ("number", "builtin_customer_words_per_turn_avg builtin_agent_wpm builtin_agent_speak_percentage"),
    ("number", "builtin_success builtin_redundancy"),
    ("text", "eval_sentiment_label"),
    ("number", "eval_sentiment_score eval_hallucination eval_redundancy eval_pronunciation_score"),
    ("number", "eval_agent_audio_clarity eval_user_audio_clarity eval_agent_speak_percentage eval_avg_agent_latency"),
    ("text", "eval_call_summary"),
    ("text", "transcript transcript_url recording_url"),
    ("int", "agent_chars num_turns"),
)
"""The 94 columns of the public release."""

ADDED_COLUMNS = _columns(
    ("text", "trace_id"),
    ("json", "trace_json"),
    ("list", "model_id"),
    ("json", "usage_json"),
    ("number", "audio_seconds cost_usd"),
    ("text", "cost_basis verifier_revision repo_revision harness"),
    ("int", "concurrency"),
    ("text", "retry_of"),
    ("bool", "parity_alias_used"),
    ("text", "tier condition caller caller_fault"),
    ("int", "attempt"),
    ("text", "suite suite_hash"),
    ("list", "scope_violations order_violations"),
)
"""What follows column 94: conditions of the run, trace, usage, cost and the diagnostics that enter no gate."""

EXPORT_COLUMNS = PUBLISHED_COLUMNS + ADDED_COLUMNS
