"""What may leave the house. Source: scoring.md sections 5 and 11 (box 7: the public export contains no signed URL)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.line import CallEnded, Speech, ToolFinished, ToolStarted
from mivas.report import (
    ADDED_COLUMNS,
    PUBLISHED_COLUMNS,
    Conversation,
    csv_lines,
    export_rows,
    jsonl_lines,
    public_columns,
    public_rows,
    without_signed_urls,
)

COLUMNS = public_columns((*PUBLISHED_COLUMNS, *ADDED_COLUMNS))
MARK = "5EC2E7"
"""Stands in every planted signature, and nowhere else."""

NAMES = [
    "signature", "Signature", "sig", "expires", "Expires", "token", "access_token", "X-Amz-Signature", "X-Amz-Date",
    "X-Amz-Security-Token", "X-Goog-Credential", "x-oss-signature", "se", "credential", "AWSAccessKeyId",
    "GoogleAccessId", "Key-Pair-Id", "api_key", "key", "auth", "X%2DAmz%2DSignature", "q-sign-algorithm", "exp",
]  # fmt: skip
SLUG = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_.~", min_size=1, max_size=8)


@st.composite
def signed_urls(draw: st.DrawFn) -> str:
    """A URL with a parameter that gives access, somewhere among harmless ones, spelt as it may occur in the wild."""
    before = [f"{draw(SLUG)}={draw(SLUG)}" for _ in range(draw(st.integers(0, 2)))]
    parameters = "&".join([*before, f"{draw(st.sampled_from(NAMES))}={MARK}{draw(SLUG)}"])
    scheme = draw(st.sampled_from(["https://", "http://", "HTTPS://", "s3://", "wss://", "//", ""]))
    mark = draw(st.sampled_from(["?", "#", "?a&"]))
    url = f"{scheme}{draw(SLUG)}.example/{draw(SLUG)}{mark}{parameters}"
    spelt = draw(st.sampled_from(["plain", "entities", "slashes", "escapes", "wrapped", "quoted"]))
    return {
        "plain": url,
        "entities": url.replace("&", "&amp;"),
        "slashes": url.replace("/", "\\/"),
        "escapes": url.replace("&", "\\u0026").replace("=", "\\u003d"),
        "wrapped": f"https://go.example/?to={quote(url, safe='')}",
        "quoted": json.dumps({"url": url}),
    }[spelt]


AROUND = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
UNSIGNED = st.builds(
    lambda host, path, name, value: f"https://{host}.example/{path}?q-{name}={value}&page=2&author=x",
    *[st.text("abcdfgh0123456789", min_size=1, max_size=8)] * 4,
)


def planted(url: str, before: str, after: str, make: Any, line: Any) -> Conversation:
    """A call with that URL in whatever part of it a stranger may fill."""
    said = f"{before} {url} {after}"
    element = {"parameters": {"a": [said], said: {"deep": url}}, "output": {"ok": url}, "start_offset_ms": 5}
    events = (
        Speech(t_ms=0, role="caller", text=said, start_ms=0, end_ms=1),
        ToolStarted(t_ms=5, call_ref="1", kind="industry", name=url, arguments={"a": said}),
        ToolFinished(t_ms=6, call_ref="1", name=url, output={"x": [url]}, latency_ms=1, in_scope=True),
        CallEnded(t_ms=9, by="caller", reason=url),
    )
    result = {
        "status": said,
        "tool_calls": [{"name": url, "actual": [element]}],
        "transcript": [{"role": "AGENT", "text": said}, {"role": "CALLER", "text": f"{before}{url}{after}"}],
        "trace_ids": [url],
        "recording_url": url,
    }
    database = {"passed": False, "note": said, "diff": {"t": {"only_in_actual": [{"note": url}]}}}
    verdict = line("p", "t", "FAIL", database=database, void_reason=url)
    verdict["diagnostics"] = {"scope_violations": [{"tool": url}], "order_violations": [said], "parity_aliases": []}
    return make(verdict, events=events, result=result, state={"t": [{"note": said}]})


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(url=signed_urls(), before=AROUND, after=AROUND)
def test_box_7_no_signed_url_survives_in_any_cell(
    url: str, before: str, after: str, make: Callable[..., Any], line: Callable[..., Any]
) -> None:
    rows = list(export_rows([planted(url, before, after, make, line)]))
    assert MARK in b"".join(jsonl_lines(PUBLISHED_COLUMNS, rows)).decode()
    public = list(public_rows(rows))
    assert MARK not in b"".join(csv_lines(COLUMNS, public)).decode()
    assert MARK not in b"".join(jsonl_lines(COLUMNS, public)).decode()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(url=UNSIGNED, words=st.text(st.characters(categories=["L", "Zs"])))
def test_an_unsigned_url_and_the_words_around_it_survive(
    url: str, words: str, make: Callable[..., Any], line: Callable[..., Any]
) -> None:
    (row,) = export_rows([planted(url, words, words, make, line)])
    (public,) = public_rows([row])
    assert public == {name: value for name, value in row.items() if name in public}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("", ""),
        ("50% off = good & cheap; what? a=b", "50% off = good & cheap; what? a=b"),
        ("mail a@b.example, token=5", "mail a@b.example, token=5"),
        ("see https://x.org/?sig=1 and https://x.org/?page=1", "see  and https://x.org/?page=1"),
        ('{"u":"https://x.org/?sig=1","n":1}', '{"u":"","n":1}'),
        ('{\\"u\\":\\"https://x.org/?sig=1\\"}', '{\\"u\\":\\"\\"}'),
        ("(https://x.org/a?Expires=1)", "("),
        ("https://me:secret@x.org/a", ""),
        ("https:\\/\\/me:secret@x.org\\/a", ""),
        ("https://x.org/a%20b?page=2&amp;x=%26", "https://x.org/a%20b?page=2&amp;x=%26"),
        ("https://x.org/?design=flat&museum=1&authority=2", "https://x.org/?design=flat&museum=1&authority=2"),
    ],
)
def test_only_the_url_goes(text: str, left: str) -> None:
    assert without_signed_urls(text) == left
    assert without_signed_urls({text: [text, 1, None, True]}) == {left: [left, 1, None, True]}


def test_the_addresses_of_recordings_are_no_columns_of_the_public_copy(make: Any, line: Any) -> None:
    (row,) = public_rows(export_rows([make(line("p", "t", "pass"))]))
    assert list(row) == [column.name for column in COLUMNS]
    dropped = {column.name for column in (*PUBLISHED_COLUMNS, *ADDED_COLUMNS)} - set(row)
    assert dropped == {"transcript_url", "recording_url"}


def test_a_signed_url_is_found_however_deep_it_lies() -> None:
    value: Any = "https://x.org/?sig=1"
    for level in range(5000):
        value = {"a": value} if level % 2 else [value]
    left = without_signed_urls(value)
    for level in reversed(range(5000)):
        left = left["a" if level % 2 else 0]
    assert left == ""
