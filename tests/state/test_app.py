"""The wire of runtime.md 3: ids, bodies, keys, routes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Http

ID = {"X-Mivas-Call-Id": "a"}
BOOK = "/tools/schedule_appointment"


def test_health_needs_no_id(http: Http) -> None:
    answer = http.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer.headers["content-type"] == "application/json"


def test_an_untouched_id_equals_the_seed(http: Http) -> None:
    assert http.get("/state", headers=ID).json() == {"appointments": []}


def test_two_calls_never_share_rows(http: Http) -> None:
    assert http.book("a", "08/15/2026").json() == {"success": True, "date": "08/15/2026"}
    http.book("b", "08/16/2026")
    assert (http.dates("a"), http.dates("b"), http.dates("c")) == (["08/15/2026"], ["08/16/2026"], [])


@pytest.mark.parametrize(("method", "path"), [("GET", "/state"), ("POST", BOOK)])
@pytest.mark.parametrize(
    ("value", "status"),
    [
        pytest.param(b"C1-E1_0", 200, id="clean"),
        pytest.param(b"  a  ", 200, id="surrounding blanks"),
        pytest.param(b"x" * 64, 200, id="64 characters"),
        pytest.param(b"x" * 65, 400, id="65 characters"),
        pytest.param(b"", 400, id="empty"),
        pytest.param(b"   ", 400, id="blank"),
        pytest.param(b"a.b", 400, id="dot"),
        pytest.param(b"../a", 400, id="parent"),
        pytest.param(b"a/b", 400, id="slash"),
        pytest.param(b"a%2Fb", 400, id="percent escape"),
        pytest.param(b"a b", 400, id="inner blank"),
        pytest.param("é".encode(), 400, id="UTF-8"),
        pytest.param(b"\xa0a", 400, id="no-break space"),
    ],
)
def test_call_ids(http: Http, method: str, path: str, value: bytes, status: int) -> None:
    body = {"json": {"arguments": {"date": "x"}}} if method == "POST" else {}
    by_header = http.request(method, path, headers=[(b"X-Mivas-Call-Id", value)], **body)
    by_query = http.request(method, path, params={"call_id": value.decode("latin-1")}, **body)
    assert (by_header.status_code, by_query.status_code) == (status, status)
    if status == 400:
        assert list(by_header.json()) == ["detail"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/state"), ("POST", BOOK)])
def test_a_missing_id_is_400(http: Http, method: str, path: str) -> None:
    answer = http.request(method, path)
    assert (answer.status_code, answer.json()) == (400, {"detail": "missing X-Mivas-Call-Id"})


def test_the_header_wins_over_the_query(http: Http) -> None:
    for query in ("b", "not/an/id"):
        http.post(BOOK, json={"arguments": {"date": query}}, headers=ID, params={"call_id": query})
    assert (http.dates("a"), http.dates("b")) == (["b", "not/an/id"], [])


def test_two_different_ids_in_one_request_are_400(http: Http) -> None:
    assert http.get("/state", headers=[("X-Mivas-Call-Id", "a"), ("X-Mivas-Call-Id", "b")]).status_code == 400
    assert http.get("/state?call_id=a&call_id=b").status_code == 400
    assert http.get("/state?call_id=a&call_id=a").status_code == 200


def test_shared_mode_serves_requests_without_an_id(http_over: Callable[..., Http], tmp_path: Path) -> None:
    http = http_over(tmp_path, shared=True)
    http.post(BOOK, json={"arguments": {"date": "shared"}})
    http.book("a", "own")
    assert [row["date"] for row in http.get("/state").json()["appointments"]] == ["shared"]
    assert http.dates("a") == ["own"]
    assert (tmp_path / "runtime.db").exists()
    assert http.get("/state", headers={"X-Mivas-Call-Id": " "}).status_code == 400


@pytest.mark.parametrize("name", ["handoff_to_scheduler", "end_call", "nowhere", "a%2Fb", "..", "%F0%9F%98%80"])
def test_tools_without_a_handler_are_404(http: Http, name: str) -> None:
    answer = http.post(f"/tools/{name}", json={"arguments": {}}, headers=ID)
    assert answer.status_code == 404
    assert isinstance(answer.json()["detail"], str)


DEEP = b'{"arguments": {"date": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"[]", id="list"),
        pytest.param(b'"text"', id="string"),
        pytest.param(b"7", id="number"),
        pytest.param(b"null", id="null"),
        pytest.param(b'{"arguments": null}', id="null arguments"),
        pytest.param(b'{"arguments": []}', id="list of arguments"),
        pytest.param(b'{"arguments": "x"}', id="string of arguments"),
        pytest.param(b'{"arguments": {"date": ', id="broken JSON"),
        pytest.param(b'{"arguments": {}} {}', id="two documents"),
        pytest.param(b'{"arguments": {"date": "\xff"}}', id="invalid UTF-8"),
        pytest.param(b'{"arguments": {"date": "\\ud800"}}', id="half a surrogate"),
        pytest.param(b'{"arguments": {"date": NaN}}', id="NaN"),
        pytest.param(b'{"arguments": {"date": 1e999}}', id="endless number"),
        pytest.param(DEEP, id="huge nesting"),
    ],
)
def test_a_body_of_another_shape_is_422_and_leaves_no_trace(http: Http, body: bytes) -> None:
    answer = http.post(BOOK, content=body, headers={**ID, "Idempotency-Key": "k"})
    assert answer.status_code == 422
    assert list(answer.json()) == ["detail"]
    assert http.service.calls("a") == []
    assert http.book("a", **{"Idempotency-Key": "k"}).status_code == 200


@pytest.mark.parametrize("body", [{}, {"arguments": {}}, {"other": 1}, {"arguments": {"date": 7}}])
def test_missing_arguments_are_a_refusal_in_the_envelope(http: Http, body: dict[str, Any]) -> None:
    answer = http.post(BOOK, json=body, headers=ID)
    assert answer.status_code == 200
    assert answer.json()["success"] is False
    assert http.dates("a") == []


@pytest.mark.parametrize("date", ["x" * 1_000_000, "\x00", "\N{GRINNING FACE}", "'; DROP TABLE appointments; --", ""])
def test_any_text_is_stored_as_it_came(http: Http, date: str) -> None:
    assert http.book("a", date).json() == {"success": True, "date": date}
    assert http.dates("a") == [date]


def test_a_body_without_end_is_413(http: Http) -> None:
    answer = http.post(BOOK, content=b" " * (16 * 1024 * 1024 + 1), headers=ID)
    assert (answer.status_code, list(answer.json())) == (413, ["detail"])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/appointments", 404),
        ("POST", "/appointments", 404),
        ("GET", BOOK, 405),
        ("POST", "/state", 405),
        ("DELETE", "/state", 405),
        ("POST", "/health", 405),
        ("GET", "/state/", 404),
        ("POST", "/tools/", 404),
        ("GET", "/docs", 404),
    ],
)
def test_no_other_route_exists(http: Http, method: str, path: str, status: int) -> None:
    answer = http.request(method, path, headers=ID)
    assert (answer.status_code, list(answer.json())) == (status, ["detail"])


@pytest.mark.parametrize("key", ["", "x" * 201, "é", "tab\there", "\x7f"])
def test_a_key_must_be_printable_ascii(http: Http, key: str) -> None:
    headers = [(b"X-Mivas-Call-Id", b"a"), (b"Idempotency-Key", key.encode("latin-1"))]
    assert http.post(BOOK, json={}, headers=headers).status_code == 400


def test_a_retried_post_gets_the_stored_answer(http: Http) -> None:
    key = {"Idempotency-Key": "k" * 200}
    answers = {http.book("a", **key).content for _ in range(3)}
    assert len(answers) == 1
    assert http.dates("a") == ["08/15/2026"]
    assert len(http.service.calls("a")) == 1
    assert http.book("a", "another", **key).status_code == 409


def test_a_stored_answer_survives_a_restart(http_over: Callable[..., Http], tmp_path: Path) -> None:
    before = http_over(tmp_path)
    answer = before.book("a", **{"Idempotency-Key": "k"})
    before.service.close()
    after = http_over(tmp_path)
    assert after.book("a", **{"Idempotency-Key": "k"}).content == answer.content
    assert after.dates("a") == ["08/15/2026"]


def test_concurrent_repeats_run_once(http: Http) -> None:
    request = ("POST", BOOK, {"json": {"arguments": {"date": "x"}}, "headers": {**ID, "Idempotency-Key": "k"}})
    answers = http.together([request] * 32)
    assert {answer.content for answer in answers} == {b'{"success":true,"date":"x"}'}
    assert len(http.service.calls("a")) == 1


def test_a_refusal_is_stored_like_a_success(http: Http) -> None:
    headers = {**ID, "Idempotency-Key": "k"}
    first, second = (http.post(BOOK, json={}, headers=headers) for _ in range(2))
    assert first.content == second.content
    assert len(http.service.calls("a")) == 1
    assert http.book("a", **{"Idempotency-Key": "k"}).status_code == 409


def test_an_unknown_tool_stores_no_key(http: Http) -> None:
    assert http.post("/tools/nowhere", json={}, headers={**ID, "Idempotency-Key": "k"}).status_code == 404
    assert http.book("a", **{"Idempotency-Key": "k"}).status_code == 200


def test_without_a_key_every_post_counts(http: Http) -> None:
    for _ in range(3):
        http.book("a")
    assert len(http.dates("a")) == 3


def test_the_node_is_logged_and_changes_nothing(http: Http) -> None:
    for node in ("scheduler", "anything", ""):
        assert http.book("a", **{"X-Mivas-Node": node}).status_code == 200
    http.book("a")
    assert [call.node for call in http.service.calls("a")] == ["scheduler", "anything", "", None]


def test_64_first_touches_mixed_with_reads_see_whole_data(http: Http) -> None:
    post = ("POST", BOOK, {"json": {"arguments": {"date": "x"}}, "headers": ID})
    read = ("GET", "/state", {"headers": ID})
    answers = http.together([post, read] * 64)
    assert {answer.status_code for answer in answers} == {200}
    assert all(set(answer.json()) == {"appointments"} for answer in answers[1::2])
    assert len(http.dates("a")) == 64


def test_64_new_ids_at_once(http: Http) -> None:
    answers = http.together([("GET", "/state", {"headers": {"X-Mivas-Call-Id": f"n{n}"}}) for n in range(64)])
    assert {answer.content for answer in answers} == {b'{"appointments":[]}'}


def test_an_unusable_database_is_500_without_a_path(http: Http, tmp_path: Path) -> None:
    (tmp_path / "calls" / "a.db").write_bytes(b"no database" * 999)
    answer = http.get("/state", headers=ID)
    assert (answer.status_code, answer.json()) == (500, {"detail": "the call's database can't be used"})


def test_the_document_lists_every_route_and_its_tools(http: Http) -> None:
    document = http.get("/openapi.json").json()
    assert {(method.upper(), path) for path, item in document["paths"].items() for method in item} == {
        ("GET", "/health"),
        ("POST", "/tools/{name}"),
        ("GET", "/state"),
        ("POST", "/snapshot"),
        ("GET", "/snapshot/{id}"),
        ("POST", "/bind"),
        ("GET", "/bind/{provider_call_id}"),
        ("POST", "/calls/{token}/tools/{name}"),
        ("POST", "/calls/{token}/tool_calls"),
    }
    assert "schedule_appointment" in json.dumps(document["paths"]["/tools/{name}"])
    assert "end_call" not in json.dumps(document)
