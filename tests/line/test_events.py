"""The event log on the wire: round trips, damage, and the names of formats.md 5."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.line import (
    CallEnded,
    CallStarted,
    Event,
    EventLog,
    Handoff,
    Interruption,
    Note,
    Problem,
    Speech,
    ToolFinished,
    ToolStarted,
    Usage,
    event_line,
    read_events,
)

texts = st.text(st.characters(exclude_categories=()), max_size=12)
"""Half surrogate pairs and line separators included: a model may send them."""
times = st.integers(0, 10**9)
nodes = st.none() | texts
counts = st.none() | st.integers(0, 2**40)
objects = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)
common: dict[str, Any] = {"t_ms": times, "node": nodes}
KINDS: dict[type[Any], st.SearchStrategy[Any]] = {
    CallStarted: st.builds(
        CallStarted, **common, call_id=texts, pack=texts, task_id=nodes, harness=texts,
        clock=st.sampled_from(["virtual", "real"]),
    ),
    Speech: st.builds(
        Speech, **common, role=st.sampled_from(["agent", "caller"]), text=texts, heard=nodes, start_ms=times,
        end_ms=times, interrupted=st.booleans(),
    ),
    ToolStarted: st.builds(
        ToolStarted, **common, call_ref=texts, kind=st.sampled_from(["industry", "handoff", "session"]), name=texts,
        arguments=objects,
    ),
    ToolFinished: st.builds(
        ToolFinished, **common, call_ref=texts, name=texts, output=objects, latency_ms=times, in_scope=st.booleans()
    ),
    Handoff: st.builds(Handoff, **common, from_=texts, to=texts, call_ref=texts),
    Interruption: st.builds(Interruption, **common, by=st.sampled_from(["agent", "caller"]), at_ms=times),
    Usage: st.builds(
        Usage, **common, input_text_tokens=counts, input_audio_tokens=counts, cached_text_tokens=counts,
        cached_audio_tokens=counts, output_text_tokens=counts, output_audio_tokens=counts, characters=counts,
    ),
    Note: st.builds(Note, **common, code=texts, text=texts),
    Problem: st.builds(Problem, **common, where=texts, class_=texts, text=texts),
    CallEnded: st.builds(
        CallEnded, **common, by=st.sampled_from(["agent", "caller", "limit", "harness", "provider"]), reason=texts
    ),
}  # fmt: skip
"""How to make an event of every kind."""
NOTE = Note(t_ms=3, code="a", text="b")


def test_every_kind_of_the_union_is_tested() -> None:
    assert set(KINDS) == set(get_args(Event))


@given(events=st.lists(st.one_of(*KINDS.values()), max_size=6))
def test_what_is_written_is_read_back(events: list[Event]) -> None:
    assert list(read_events(b"".join(map(event_line, events)))) == events


@given(events=st.lists(st.one_of(*KINDS.values()), min_size=1, max_size=4), data=st.data())
def test_a_log_cut_anywhere_keeps_its_whole_lines(events: list[Event], data: st.DataObject) -> None:
    lines = [event_line(event) for event in events]
    log = b"".join(lines)
    cut = data.draw(st.integers(0, len(log)))
    whole = log[:cut].count(b"\n")
    assert list(read_events(log[:cut])) == events[:whole]


@pytest.mark.parametrize(
    ("event", "keys"),
    [
        pytest.param(
            CallStarted(t_ms=0, call_id="c", pack="p", harness="h", clock="virtual"),
            ["t_ms", "type", "node", "call_id", "pack", "task_id", "harness", "clock"],
            id="call.started",
        ),
        pytest.param(
            Speech(t_ms=0, role="agent", text="hi", start_ms=0, end_ms=1),
            ["t_ms", "type", "node", "role", "text", "heard", "start_ms", "end_ms", "interrupted"],
            id="speech",
        ),
        pytest.param(
            ToolStarted(t_ms=0, call_ref="1", kind="industry", name="x", arguments={}),
            ["t_ms", "type", "node", "call_ref", "kind", "name", "arguments"],
            id="tool.started",
        ),
        pytest.param(
            ToolFinished(t_ms=0, call_ref="1", name="x", output={}, latency_ms=0, in_scope=True),
            ["t_ms", "type", "node", "call_ref", "name", "output", "latency_ms", "in_scope"],
            id="tool.finished",
        ),
        pytest.param(
            Handoff(t_ms=0, from_="a", to="b", call_ref="1"),
            ["t_ms", "type", "node", "from", "to", "call_ref"],
            id="handoff",
        ),
        pytest.param(
            Interruption(t_ms=0, by="caller", at_ms=1), ["t_ms", "type", "node", "by", "at_ms"], id="interruption"
        ),
        pytest.param(NOTE, ["t_ms", "type", "node", "code", "text"], id="note"),
        pytest.param(
            Problem(t_ms=0, where="w", class_="E", text="t"),
            ["t_ms", "type", "node", "where", "class", "text"],
            id="error",
        ),
        pytest.param(
            CallEnded(t_ms=0, by="limit", reason="r"), ["t_ms", "type", "node", "by", "reason"], id="call.ended"
        ),
    ],
)
def test_names_and_order_on_the_wire(event: Event, keys: list[str], request: pytest.FixtureRequest) -> None:
    line = json.loads(event_line(event))
    assert list(line) == keys
    assert line["type"] == request.node.callspec.id


@pytest.mark.parametrize(
    "foreign",
    [
        pytest.param(b"", id="empty line"),
        pytest.param(b"not json", id="no JSON"),
        pytest.param(b"[1]", id="no object"),
        pytest.param(b'{"t_ms":1,"type":"gossip","text":"x"}', id="unknown kind"),
        pytest.param(b'{"t_ms":1,"type":"note","code":"x"}', id="field missing"),
        pytest.param(b'{"t_ms":1,"type":"note","code":"x","text":"y","more":1}', id="unknown key"),
        pytest.param(b'{"t_ms":1,"type":"note","code":"x","text":5}', id="wrong type"),
        pytest.param(b'{"t_ms":1,"type":"note","code":"\xff","text":"y"}', id="not UTF-8"),
        pytest.param(b'{"t_ms":' + b"[" * 100_000, id="nested too deeply"),
    ],
)
def test_a_foreign_line_is_told_by_its_number(foreign: bytes) -> None:
    log = event_line(NOTE) + foreign + b"\n" + event_line(NOTE)
    with pytest.raises(ValueError, match=r"^line 2 is no"):
        list(read_events(log))


def test_a_log_writes_each_event_as_it_happens() -> None:
    written: list[bytes] = []
    log = EventLog(written.append)
    log.add(NOTE)
    assert written == [event_line(NOTE)]
    log.extend([NOTE, NOTE])
    assert (len(written), log.events) == (3, [NOTE, NOTE, NOTE])
