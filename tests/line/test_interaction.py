"""The interaction metrics of docs/interaction.md, one small call for each."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.line import (
    CallEnded,
    Event,
    Handoff,
    Interaction,
    Interruption,
    Role,
    Speech,
    ToolFinished,
    ToolStarted,
    interaction_of,
    pooled,
)


def said(role: Role, start_ms: int, end_ms: int, *, cut: bool = False) -> Speech:
    return Speech(t_ms=start_ms, role=role, text="words", start_ms=start_ms, end_ms=end_ms, interrupted=cut)


def tool(t_ms: int, ref: str = "a", kind: Any = "industry") -> list[Event]:
    return [
        ToolStarted(t_ms=t_ms, call_ref=ref, kind=kind, name="look_up", arguments={}),
        ToolFinished(t_ms=t_ms, call_ref=ref, name="look_up", output={}, latency_ms=0, in_scope=True),
    ]


def ended(t_ms: int) -> CallEnded:
    return CallEnded(t_ms=t_ms, by="agent", reason="end_call")


def test_response_latency_is_from_last_word_to_first_word() -> None:
    call = interaction_of(
        [said("agent", 0, 1000), said("caller", 1900, 3000), said("agent", 3700, 5000), said("caller", 5800, 6000)]
    )
    assert call.response_latency_ms == (700,)


def test_an_answer_into_the_callers_words_has_no_latency_but_talk_over() -> None:
    call = interaction_of([said("caller", 0, 3000), said("agent", 2500, 4000)])
    assert (call.response_latency_ms, call.talk_over_ms) == ((), 500)


def test_dead_air_counts_from_the_last_answer_of_a_silence() -> None:
    events = [said("caller", 0, 1000), *tool(1700, "a"), *tool(2500, "b"), said("agent", 4000, 5000)]
    assert interaction_of(events).dead_air_after_tool_ms == (1500,)


def test_a_tool_that_answers_while_somebody_speaks_makes_no_dead_air() -> None:
    assert interaction_of([said("agent", 0, 3000), *tool(1000)]).dead_air_after_tool_ms == ()


def test_a_handoff_is_no_tool_that_is_waited_for() -> None:
    events = [said("caller", 0, 1000), *tool(1700, kind="handoff"), said("agent", 4000, 5000)]
    assert interaction_of(events).dead_air_after_tool_ms == ()


def test_yield_is_from_barge_in_to_silence() -> None:
    events = [
        said("agent", 0, 2400, cut=True),
        Interruption(t_ms=2400, by="caller", at_ms=2400),
        said("caller", 2000, 4000),
    ]
    assert interaction_of(events).yield_ms == (400,)


def test_a_handoff_gap_lies_between_the_desks_words() -> None:
    events = [
        said("agent", 0, 2000),
        said("caller", 2500, 3000),
        Handoff(t_ms=3700, from_="front", to="back", call_ref="h"),
        said("agent", 5000, 6000),
    ]
    assert interaction_of(events).handoff_gap_ms == (3000,)


def test_a_goodbye_is_cut_when_the_line_dies_in_it() -> None:
    assert interaction_of([said("agent", 0, 900, cut=True), ended(900)]).goodbye_cut
    assert not interaction_of([said("agent", 0, 900), ended(1500)]).goodbye_cut
    assert not interaction_of([said("agent", 0, 900, cut=True), said("agent", 2000, 2900), ended(3000)]).goodbye_cut


def test_calls_are_pooled_by_name() -> None:
    one = interaction_of([said("caller", 0, 1000), said("agent", 1700, 2000)])
    other = interaction_of([said("caller", 0, 1000), said("agent", 900, 2000)])
    assert pooled([one, other])["response_latency_ms"] == [700]
    assert pooled([one, other])["talk_over_ms"] == [0, 100]


spans = st.tuples(st.integers(0, 10_000), st.integers(0, 3_000))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["agent", "caller"]), spans)), st.lists(st.integers(0, 15_000)))
def test_no_log_gives_a_negative_time(speech: list[Any], answers: list[int]) -> None:
    events: list[Event] = [said(role, start, start + length) for role, (start, length) in speech]
    for number, t_ms in enumerate(answers):
        events += tool(t_ms, f"ref {number}")
        events.append(Handoff(t_ms=t_ms, from_="a", to="b", call_ref=f"ref {number}"))
    call: Interaction = interaction_of(events)
    assert all(value >= 0 for values in pooled([call]).values() for value in values)
