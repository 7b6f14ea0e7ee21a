"""First touch, isolation and endurance of call databases."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mivas.errors import StateError
from mivas.pack import Pack
from mivas.state import CallStore, RunFolder, ServiceFolder, open_on_folder
from mivas.state._store import clean_call_id
from mivas.state._template import build_template

ADD = "INSERT INTO appointments (date, created_at) VALUES (?, '2026-01-01 00:00:00')"
DATES = "SELECT date FROM appointments ORDER BY id"


@pytest.fixture
def store(pack: Pack, tmp_path: Path) -> CallStore:
    return CallStore(ServiceFolder(tmp_path), build_template(pack))


def add(store: CallStore, call_id: str, date: str) -> None:
    store.use(call_id, lambda connection: connection.execute(ADD, (date,)))


def dates(store: CallStore, call_id: str) -> list[str]:
    return store.use(call_id, lambda connection: [row[0] for row in connection.execute(DATES)])


def test_64_first_touches_of_one_id_share_one_database(store: CallStore, tmp_path: Path) -> None:
    together = threading.Barrier(64)

    def touch(number: int) -> None:
        together.wait(timeout=60)
        add(store, "one", str(number))

    with ThreadPoolExecutor(64) as threads:
        list(threads.map(touch, range(64)))
    assert sorted(dates(store, "one"), key=int) == [str(number) for number in range(64)]
    store.close()
    assert sorted(path.name for path in (tmp_path / "calls").iterdir()) == ["one.db"]


def test_64_stores_that_make_one_database_at_once_leave_one_whole_file(pack: Pack, tmp_path: Path) -> None:
    template = build_template(pack)
    together = threading.Barrier(64)
    path = ServiceFolder(tmp_path).path("one")

    def make(_: int) -> None:
        together.wait(timeout=60)
        CallStore(ServiceFolder(tmp_path), template)._create(path)

    with ThreadPoolExecutor(64) as threads:
        list(threads.map(make, range(64)))
    assert [(one.name, one.read_bytes()) for one in path.parent.iterdir()] == [("one.db", template)]


def test_a_database_somebody_else_has_open_is_told_at_once(pack: Pack, store: CallStore, tmp_path: Path) -> None:
    add(store, "one", "mine")
    other = CallStore(ServiceFolder(tmp_path), build_template(pack))
    with pytest.raises(StateError, match="database is locked"):
        dates(other, "one")
    store.release("one")
    assert dates(other, "one") == ["mine"]


def test_two_ids_never_see_each_other(store: CallStore) -> None:
    add(store, "a", "first")
    add(store, "b", "second")
    assert (dates(store, "a"), dates(store, "b"), dates(store, "c")) == (["first"], ["second"], [])


def test_a_closed_connection_costs_no_data(pack: Pack, tmp_path: Path) -> None:
    store = CallStore(ServiceFolder(tmp_path), build_template(pack), keep_open=2)
    for turn in range(3):
        for number in range(8):
            add(store, f"call-{number}", str(turn))
    assert len(store._open) <= 2
    assert all(dates(store, f"call-{number}") == ["0", "1", "2"] for number in range(8))


def test_close_leaves_one_whole_file_and_the_store_usable(store: CallStore, tmp_path: Path) -> None:
    add(store, "a", "kept")
    store.close()
    store.close()
    assert [path.name for path in (tmp_path / "calls").iterdir()] == ["a.db"]
    assert dates(store, "a") == ["kept"]


def test_what_work_leaves_uncommitted_is_rolled_back(store: CallStore) -> None:
    def half(connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(ADD, ("lost",))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.use("a", half)
    assert dates(store, "a") == []


def test_a_failing_statement_names_the_file(store: CallStore) -> None:
    with pytest.raises(StateError, match=r"a\.db: not a usable call database"):
        store.use("a", lambda connection: connection.execute("SELECT * FROM nowhere"))


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 400])
def test_a_foreign_file_is_refused_and_left_alone(store: CallStore, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "calls" / "a.db"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StateError, match=r"a\.db"):
        dates(store, "a")
    assert path.read_bytes() == content


def test_another_packs_database_is_refused(store: CallStore, tmp_path: Path) -> None:
    dates(store, "a")
    store.close()
    with sqlite3.connect(tmp_path / "calls" / "a.db") as connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    with pytest.raises(StateError, match="made by another pack"):
        dates(store, "a")


def test_a_folder_that_is_a_file_is_one_clear_line(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StateError, match="can't be written"):
        open_on_folder(pack, tmp_path / "file")
    store = CallStore(ServiceFolder(tmp_path / "file"), build_template(pack))
    with pytest.raises(StateError, match="can't be written"):
        dates(store, "a")


def test_an_image_is_a_database_by_itself(store: CallStore, tmp_path: Path) -> None:
    assert store.image("never") is None
    assert not (tmp_path / "calls" / "never.db").exists()
    add(store, "a", "kept")
    image = store.image("a")
    assert image is not None
    copy = tmp_path / "copy.db"
    copy.write_bytes(image)
    connection = sqlite3.connect(copy)
    assert connection.execute(DATES).fetchall() == [("kept",)]
    connection.close()


def test_layouts() -> None:
    root = Path("root")
    assert ServiceFolder(root).path("a") == root / "calls" / "a.db"
    assert RunFolder(root).path("a") == root / "calls" / "a" / "state.db"
    assert ServiceFolder(root).path(None) == RunFolder(root).path(None) == root / "runtime.db"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("C1-E1_0", "C1-E1_0"),
        ("  a\t", "a"),
        ("x" * 64, "x" * 64),
        ("x" * 65, None),
        ("", None),
        ("   ", None),
        ("a.b", None),
        ("a/b", None),
        ("..", None),
        ("a%2Fb", None),
        ("a b", None),
        ("é", None),
        ("\N{NO-BREAK SPACE}a", None),
        ("\N{FULLWIDTH DIGIT ONE}", None),
        ("a\n", "a"),
        ("a\x00", None),
    ],
)
def test_ids(text: str, clean: str | None) -> None:
    assert clean_call_id(text) == clean
