"""Small calls beside their locks, judged by the verifier itself, for people who meet the gates for the first time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mivas.pack import Scoring
    from mivas.report.site import WorkedExample

TRANSFER, BOOK, TEXT = "transfer_to_bookings", "book_table", "send_text"
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    TRANSFER: {"properties": {}},
    BOOK: {"properties": {"day": {"type": "string", "format": "date"}, "guests": {"type": "integer"}}},
    TEXT: {"properties": {"number": {"type": "string"}}},
}
WANTED = {"day": "2026-05-01", "guests": 4}
LOCK = {
    "exp_handoff_path": [TRANSFER],
    "exp_tool_calls": [{"name": TRANSFER}, {"name": BOOK, "parameters": WANTED}],
    "exp_db_state": {"bookings": [WANTED]},
}
Made = tuple[str, Mapping[str, Any]]

EXAMPLES: Sequence[tuple[str, str, Sequence[Made], Sequence[Mapping[str, Any]]]] = (
    (
        "All three gates cleared",
        "Each expected call has a call of its own that meets it, the transfer happened, the row is there.",
        ((TRANSFER, {}), (BOOK, WANTED)),
        (WANTED,),
    ),
    (
        "More than was asked for",
        "Further calls are free: asking first about another day costs nothing, as long as the database ends the same.",
        ((TRANSFER, {}), (BOOK, {**WANTED, "day": "2026-05-02"}), (BOOK, WANTED)),
        (WANTED,),
    ),
    (
        "One argument differs",
        "The caller asked for four. A call for five meets nothing, and its row isn't the locked one.",
        ((TRANSFER, {}), (BOOK, {**WANTED, "guests": 5})),
        ({**WANTED, "guests": 5},),
    ),
    (
        "The right work at the wrong desk",
        "Tools and rows are right, but the call never reached the desk that should have done it.",
        ((BOOK, WANTED),),
        (WANTED,),
    ),
    (
        "Claimed, not done",
        "The agent said that the table is booked, without booking it. Words count for nothing.",
        ((TRANSFER, {}),),
        (),
    ),
    (
        "Booked twice",
        "Both calls are fine as calls; the second row is one too many.",
        ((TRANSFER, {}), (BOOK, WANTED), (BOOK, WANTED)),
        (WANTED, WANTED),
    ),
    (
        "A text nobody asked for",
        "A pack may name tools that are forbidden unless the lock expects them.",
        ((TRANSFER, {}), (BOOK, WANTED), (TEXT, {"number": "+15550100"})),
        (WANTED,),
    ),
)


def worked_examples() -> list[WorkedExample]:
    """The examples with their verdicts."""
    return list(_judged())


def _judged() -> Iterator[WorkedExample]:
    from mivas.report.site import WorkedExample
    from mivas.verify import verdict_object, verify

    for title, lesson, made, rows in EXAMPLES:
        result = {
            "status": "COMPLETED",
            "tool_calls": [
                {
                    "name": name,
                    "actual": [{"parameters": dict(arguments), "output": {"ok": True}, "start_offset_ms": at}],
                }
                for at, (name, arguments) in enumerate(made)
            ],
        }
        verdict = verify(
            task=LOCK,
            result=result,
            state={"bookings": [dict(row) for row in rows]},
            scoring=_scoring(),
            tool_schemas=SCHEMAS,
        )
        yield WorkedExample(
            title=title,
            lesson=lesson,
            expected=[_spelt(TRANSFER, {}), _spelt(BOOK, WANTED)],
            actual=[_spelt(name, arguments) for name, arguments in made],
            verdict=verdict_object(verdict, task_id=None, trial=None, suite=None, suite_hash=None),
        )


def _scoring() -> Scoring:
    from mivas.pack import Scoring
    from mivas.pack.equality import TableRule

    nothing: frozenset[str] = frozenset()
    return Scoring(
        transfer_set=frozenset({TRANSFER}),
        forbidden_unless_expected=(TEXT,),
        drop_arguments=nothing,
        fact_keys=nothing,
        prose_keys=nothing,
        skip_keys=nothing,
        presence_keys=nothing,
        aliases={},
        tables={"bookings": TableRule(rule="exact", drop=nothing, json_columns={})},
        identity_tools=nothing,
        needed_before={},
        exact_rules={},
        suffix_rules=(),
        has_parity=False,
    )


def _spelt(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"
