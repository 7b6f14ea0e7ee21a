"""Snapshots, bindings, the operator's token, and the addresses of remote agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import StateError, UnknownName
from mivas.state import ServiceOptions, load_snapshot_store, local_snapshots

from .conftest import Http

STATE = {"appointments": [{"id": 1, "date": "08/15/2026"}]}
ENTRY = {"name": "handoff_to_scheduler", "start_offset_ms": 1200, "parameters": {}, "output": {"success": True}}


def test_a_snapshot_is_read_back_as_it_was(http: Http, tmp_path: Path) -> None:
    http.book("a")
    answer = http.post("/snapshot", json={"call_id": " a ", "state": STATE})
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "call_id": "a"})
    assert http.get("/snapshot/a").json() == STATE
    assert (tmp_path / "calls" / "a.final.json").exists()
    assert http.dates("a") == ["08/15/2026"]


def test_a_later_snapshot_replaces_the_earlier_one(http: Http, tmp_path: Path) -> None:
    for state in (STATE, {}):
        http.post("/snapshot", json={"call_id": "a", "state": state})
    assert http.get("/snapshot/a").json() == {}
    assert [path.name for path in (tmp_path / "calls").iterdir()] == ["a.final.json"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"call_id": "a"},
        {"state": {}},
        {"call_id": "a", "state": []},
        {"call_id": "a", "state": None},
        {"call_id": 1, "state": {}},
        {"call_id": "../a", "state": {}},
        {"call_id": "", "state": {}},
        [],
        None,
    ],
)
def test_a_snapshot_needs_an_id_and_a_state(http: Http, body: Any) -> None:
    assert http.post("/snapshot", json=body).status_code == 400


@pytest.mark.parametrize(
    ("call_id", "status"),
    [("never", 404), ("a.b", 400), ("a%2Fb", 400), ("..%2f..%2fetc", 400), ("x" * 65, 400), ("%20", 400)],
)
def test_ids_of_snapshots(http: Http, call_id: str, status: int) -> None:
    answer = http.get(f"/snapshot/{call_id}")
    assert (answer.status_code, list(answer.json())) == (status, ["detail"])


def test_a_damaged_snapshot_is_500(http: Http, tmp_path: Path) -> None:
    (tmp_path / "calls" / "a.final.json").write_text("{")
    (tmp_path / "calls" / "b.final.json").mkdir()
    assert http.get("/snapshot/a").status_code == http.get("/snapshot/b").status_code == 500
    assert http.post("/snapshot", json={"call_id": "b", "state": {}}).status_code == 500


def test_snapshot_stores_are_found_by_name() -> None:
    assert load_snapshot_store("local") is local_snapshots
    with pytest.raises(UnknownName, match="choose from local"):
        load_snapshot_store("nowhere")


def test_bindings(http: Http) -> None:
    assert http.get("/bind/p-1").status_code == 404
    answer = http.post("/bind", json={"provider_call_id": "p/1", "sim_id": "a"})
    assert answer.json() == {"ok": "true", "provider_call_id": "p/1", "sim_id": "a"}
    assert http.get("/bind/p%2F1").json() == {"provider_call_id": "p/1", "sim_id": "a"}


@pytest.mark.parametrize(
    "body", [{}, {"provider_call_id": "p"}, {"provider_call_id": "p", "sim_id": ""}, [], "x", None]
)
def test_a_binding_needs_both_ids(http: Http, body: Any) -> None:
    assert http.post("/bind", json=body).status_code == 400


GUARDED = [("GET", "/state"), ("POST", "/snapshot"), ("GET", "/snapshot/a"), ("POST", "/bind"), ("GET", "/bind/a")]


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_off_loopback_the_operators_routes_need_the_token(
    http_over: Callable[..., Http], tmp_path: Path, method: str, path: str
) -> None:
    http = http_over(tmp_path, host="0.0.0.0", operator_token="s3cret")
    wrong = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic s3cret"}, {"Authorization": "s3cret"}]
    for headers in (*wrong, {"Authorization": "Bearer "}, {"Authorization": "Bearer s3cret2"}):
        answer = http.request(method, path, headers={"X-Mivas-Call-Id": "a", **headers})
        assert (answer.status_code, list(answer.json())) == (401, ["detail"])
        assert answer.headers["www-authenticate"] == "Bearer"
    right = http.request(method, path, headers={"X-Mivas-Call-Id": "a", "Authorization": "bearer s3cret"})
    assert right.status_code in {200, 400, 404}


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", ["/state", "/state/", "/snapshot", "/snapshot/a", "/snapshot/a/b", "/bind", "/bind/a"])
def test_off_loopback_no_method_gets_past_the_token(
    http_over: Callable[..., Http], tmp_path: Path, method: str, path: str
) -> None:
    http = http_over(tmp_path, host="0.0.0.0", operator_token="s3cret")
    assert http.request(method, path, headers={"X-Mivas-Call-Id": "a"}).status_code == 401


def test_off_loopback_tools_need_no_token(http_over: Callable[..., Http], tmp_path: Path) -> None:
    http = http_over(tmp_path, host="192.0.2.1", operator_token="s3cret")
    assert http.book("a").status_code == 200
    assert http.get("/health").status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
@pytest.mark.parametrize("token", [None, ""])
def test_off_loopback_without_a_token_nothing_starts(host: str, token: str | None) -> None:
    with pytest.raises(StateError, match="set MIVAS_OPERATOR_TOKEN") as caught:
        ServiceOptions(host=host, operator_token=token)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_on_loopback_no_token_is_asked_for(host: str) -> None:
    assert ServiceOptions(host=host, operator_token="s3cret").token_to_ask is None


def test_a_tools_url_stands_in_for_the_call_id(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    answer = http.post(
        f"{base}/tools/schedule_appointment",
        json={"arguments": {"date": "x"}},
        headers={"X-Mivas-Call-Id": "b", "Idempotency-Key": "k"},
    )
    assert answer.json() == {"success": True, "date": "x"}
    assert (http.dates("a"), http.dates("b")) == (["x"], [])
    assert http.post(f"{base}/tools/end_call", json={}).status_code == 404
    assert http.post(f"{base}/tools/schedule_appointment", json=[]).status_code == 422


def test_nothing_else_stands_below_a_tools_url(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    for path in ("", "/", "/state", "/snapshot", "/bind", "/health", "/tools", "/snapshot/a", "/tools/../../state"):
        for method in ("GET", "POST"):
            assert http.request(method, base + path, json={}).status_code in {404, 405}
    assert http.get(f"{base}/tool_calls").status_code == 405


def test_tokens_are_unguessable_and_belong_to_one_call(http: Http) -> None:
    urls = {http.tools_urls.open_tools_url(f"c{number}") for number in range(100)}
    assert len(urls) == 100
    assert all(len(url.removeprefix("/calls/")) >= 43 for url in urls)
    with pytest.raises(ValueError, match="already"):
        http.tools_urls.open_tools_url("c0")
    with pytest.raises(ValueError, match="not a call id"):
        http.tools_urls.open_tools_url("a/b")


def test_a_token_dies_with_its_call(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    http.tools_urls.hang_up("a")
    assert http.post(f"{base}/tools/schedule_appointment", json={}).status_code == 410
    assert http.post(f"{base}/tool_calls", json=[ENTRY]).status_code == 202
    http.tools_urls.close("a")
    http.tools_urls.close("a")
    assert http.post(f"{base}/tools/schedule_appointment", json={}).status_code == 404
    assert http.post(f"{base}/tool_calls", json=[ENTRY]).status_code == 404


def test_reports_are_taken_until_60_s_after_the_first_hang_up(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    http.tools_urls.hang_up("a")
    http.clock.now_s += 60
    http.tools_urls.hang_up("a")
    assert http.post(f"{base}/tool_calls", json=[ENTRY]).status_code == 202
    http.clock.now_s += 0.001
    assert http.post(f"{base}/tool_calls", json=[ENTRY]).status_code == 410
    assert http.post(f"{base}/tool_calls", json="nonsense").status_code == 410


def test_repeats_are_dropped_and_an_empty_list_completes_the_report(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    later = {**ENTRY, "start_offset_ms": 1500.4}
    for entries in ([ENTRY, later], [{**ENTRY, "output": "again"}]):
        assert http.post(f"{base}/tool_calls", json=entries).status_code == 202
    report = http.tools_urls.report("a")
    assert [(call.start_offset_ms, call.output) for call in report.calls] == [
        (1200, {"success": True}),
        (1500, {"success": True}),
    ]
    assert not report.complete
    http.post(f"{base}/tool_calls", json=[])
    assert http.tools_urls.report("a").complete


@pytest.mark.parametrize(
    "body",
    [
        {},
        None,
        [1],
        [{}],
        [{**ENTRY, "name": ""}],
        [{**ENTRY, "name": 1}],
        [{**ENTRY, "start_offset_ms": -1}],
        [{**ENTRY, "start_offset_ms": "12"}],
        [{**ENTRY, "start_offset_ms": True}],
        [{**ENTRY, "parameters": []}],
        [{key: value for key, value in ENTRY.items() if key != "output"}],
        [ENTRY] * 2 + [{}],
    ],
)
def test_a_report_of_another_shape_is_422_and_kept_out(http: Http, body: Any) -> None:
    base = http.tools_urls.open_tools_url("a")
    assert http.post(f"{base}/tool_calls", json=body).status_code == 422
    assert http.tools_urls.report("a").calls == ()


def test_a_runaway_report_is_422(http: Http) -> None:
    base = http.tools_urls.open_tools_url("a")
    entries = [{**ENTRY, "start_offset_ms": number} for number in range(10_001)]
    assert http.post(f"{base}/tool_calls", json=entries).status_code == 422
    assert http.post(f"{base}/tool_calls", json=entries[:10_000]).status_code == 202
