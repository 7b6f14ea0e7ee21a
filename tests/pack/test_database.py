"""A pack's SQL runs in memory; what fails is told with its line."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from mivas.errors import PackError
from mivas.pack import Pack, load_pack, memory_database
from mivas.pack._database import table_columns

SCHEMA = "-- Rooms.\n\nCREATE TABLE rooms (\n  id TEXT,\n  'odd;name' TEXT\n);\n"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("control-industry")


def test_schema_and_seed_are_there(pack: Pack) -> None:
    sql = replace(pack, schema_sql=SCHEMA, seed_sql="INSERT INTO rooms VALUES ('a', 'b');")
    with closing(memory_database(sql)) as connection:
        assert connection.execute("SELECT * FROM rooms").fetchall() == [("a", "b")]
    assert table_columns(sql) == {"rooms": {"id", "odd;name"}}


@pytest.mark.parametrize(
    ("schema", "seed", "where"),
    [
        pytest.param("CREATE TABEL x;", "", "schema.sql:1", id="typo"),
        pytest.param(SCHEMA + "-- x\nCREATE TABLE rooms (id);", "", "schema.sql:8", id="table twice"),
        pytest.param(SCHEMA, "\nINSERT INTO roms\nVALUES (1);", "seed.sql:2", id="row of no table"),
        pytest.param(SCHEMA, "INSERT INTO rooms VALUES ('a;\n', 1);\nINSERT", "seed.sql:3", id="unfinished"),
        pytest.param(SCHEMA, "SELECT 1;\n\0", "seed.sql:2", id="null character"),
    ],
)
def test_sql_that_fails_is_told_with_file_and_line(pack: Pack, schema: str, seed: str, where: str) -> None:
    with pytest.raises(PackError, match="SQL fails: ") as caught:
        memory_database(replace(pack, schema_sql=schema, seed_sql=seed))
    assert where in caught.value.where


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("CREATE TABLE _mivas_calls (id);", id="table of the service"),
        pytest.param("CREATE TABLE _MIVAS_more (id);", id="prefix in capitals"),
        pytest.param("CREATE VIEW _mivas_view AS SELECT 1;", id="view"),
        pytest.param("CREATE INDEX _mivas_index ON rooms (id);", id="index"),
    ],
)
def test_a_name_of_the_service_is_reserved(pack: Pack, statement: str) -> None:
    with pytest.raises(PackError, match=r"the name _(mivas|MIVAS)_[a-z]+ is reserved") as caught:
        memory_database(replace(pack, schema_sql=SCHEMA + statement, seed_sql=""))
    assert caught.value.where.endswith("db/schema.sql")
