"""`scoring.json`: everything the verifier knows about a pack, checked at the edge and made ready for look-ups.

Source: formats.md 4, scoring.md 3; the keys we added are in docs/decisions/0003-scoring-json-keys.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, model_validator

from mivas.errors import PackError
from mivas.pack._equality import (
    NORMAL_FORMS,
    AliasTable,
    same_alias,
    same_alias_set,
    same_digits,
    same_fuzzy_name,
    same_minute,
    same_suffix_digits,
)
from mivas.pack._reading import read_model

EqualityKind: TypeAlias = Literal[
    "alias", "alias_set", "compact_alias", "digits", "suffix_digits", "minute", "fuzzy_name", "output_names"
]
TableRuleName: TypeAlias = Literal["exact", "subset_or_empty", "constrained_count", "constrained_cover"]
Name: TypeAlias = Annotated[str, Field(min_length=1)]
Compare: TypeAlias = Callable[[object, object], bool | None]

_WITH_TABLE = ("alias", "alias_set", "compact_alias")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EqualityFile(_File):
    """How one key is compared."""

    key: Name
    match: Literal["exact", "suffix"] = "exact"
    """`suffix` covers every key that ends with `key`."""
    kind: EqualityKind
    table: Name | None = None
    tool: Name | None = None
    """Holds for that tool's argument only, so never for rows of a dump."""
    parity: StrictBool = False
    """A spelling that the public reference grader misses; its use is reported."""

    @model_validator(mode="after")
    def _table_where_needed(self) -> EqualityFile:
        if (self.kind in _WITH_TABLE) != (self.table is not None):
            raise ValueError(f"kind {self.kind} {'needs a' if self.kind in _WITH_TABLE else 'takes no'} table")
        if self.kind == "output_names" and self.match != "exact":
            raise ValueError("kind output_names needs match exact")
        return self


class AliasesFile(_File):
    """Spellings of a closed set of names."""

    normalise: Literal["trim_lower", "compact", "letters", "spaces", "underscores"]
    map: dict[Name, Name] = {}


class TableFile(_File):
    """How one table of the dump is compared."""

    rule: TableRuleName
    drop: tuple[Name, ...] = ()


class JsonColumnFile(_File):
    """A column holding JSON text."""

    drop: tuple[Name, ...] = ()


class OrderFile(_File):
    """Which call should come before which; a diagnostic, never a gate."""

    identity: tuple[Name, ...] = ()
    """Tools that prove who is calling: a refused one doesn't count as having come before."""
    before: tuple[tuple[Name, Name], ...] = ()


class ScoringFile(_File):
    """`scoring.json` as it may be spelt."""

    version: Literal[1]
    transfer_set: tuple[Name, ...] = ()
    forbidden_unless_expected: tuple[Name, ...] = ()
    drop_arguments: tuple[Name, ...] = ()
    fact_keys: tuple[Name, ...] = ()
    prose_keys: tuple[Name, ...] = ()
    skip_keys: tuple[Name, ...] = ()
    presence_keys: tuple[Name, ...] = ()
    equality: tuple[EqualityFile, ...] = ()
    aliases: dict[Name, AliasesFile] = {}
    tables: dict[Name, TableFile] = {}
    drop_columns: tuple[Name, ...] = ()
    json_columns: dict[Name, JsonColumnFile] = {}
    order: OrderFile = OrderFile()

    @model_validator(mode="after")
    def _consistent(self) -> ScoringFile:
        _disjoint("fact_keys", self.fact_keys, "prose_keys", self.prose_keys)
        _disjoint("skip_keys", self.skip_keys, "presence_keys", self.presence_keys)
        for rule in self.equality:
            if rule.table is not None and rule.table not in self.aliases:
                raise ValueError(f"equality of {rule.key!r} names unknown alias table {rule.table!r}")
            if rule.kind == "compact_alias" and self.aliases[str(rule.table)].normalise != "compact":
                raise ValueError(f"compact_alias of {rule.key!r} needs a table with normalise compact")
        for spot in self.json_columns:
            table, dot, column = spot.partition(".")
            if not (dot and column) or table not in self.tables:
                raise ValueError(f"json_columns {spot!r} isn't <table of tables>.<column>")
        return self


def _disjoint(name: str, keys: tuple[str, ...], other_name: str, others: tuple[str, ...]) -> None:
    both = sorted(set(keys) & set(others))
    if both:
        raise ValueError(f"{', '.join(both)} stands in both {name} and {other_name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualityRule:
    """How one key is compared, ready to use."""

    key: str
    kind: EqualityKind
    tool: str | None
    parity: bool
    compare: Compare
    """True or False when the kind decides, None when it doesn't apply to these values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRule:
    """How one table of the dump is compared."""

    rule: TableRuleName
    drop: frozenset[str]
    """Columns that aren't compared, the pack's general ones included."""
    json_columns: Mapping[str, frozenset[str]]
    """Columns holding JSON text, each with the members that aren't compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A pack's scoring rules. Knows no pack: all of it comes from one file."""

    transfer_set: frozenset[str]
    forbidden_unless_expected: tuple[str, ...]
    drop_arguments: frozenset[str]
    fact_keys: frozenset[str]
    prose_keys: frozenset[str]
    skip_keys: frozenset[str]
    presence_keys: frozenset[str]
    aliases: Mapping[str, AliasTable]
    tables: Mapping[str, TableRule]
    """Tables the database gate compares, in file order."""
    identity_tools: frozenset[str]
    needed_before: Mapping[str, tuple[str, ...]]
    """Tool to the tools that should have been called before it, in file order."""
    exact_rules: Mapping[str, tuple[EqualityRule, ...]]
    suffix_rules: tuple[EqualityRule, ...]
    has_parity: bool
    """Whether any equality rule is marked as one the reference grader lacks."""

    def canonical(self, table: str, value: object) -> str | None:
        """The canonical name `value` spells in alias table `table`, or None when it spells none.

        Raises: KeyError: the pack has no such table.
        """
        return self.aliases[table].canonical(value)

    def rules_for(self, key: str, tool: str | None = None) -> tuple[EqualityRule, ...]:
        """Equality rules of an argument of `tool`, or of a column of a row when tool is None."""
        rules = self.exact_rules.get(key, ())
        for rule in self.suffix_rules:
            if key.endswith(rule.key):
                rules = (*rules, rule)
        if any(rule.tool is not None and rule.tool != tool for rule in rules):
            rules = tuple(rule for rule in rules if rule.tool is None or rule.tool == tool)
        return rules

    def named_by_output(self, key: str, tool: str) -> bool:
        """Whether a successful answer of `tool` may meet the argument `key`."""
        return any(rule.kind == "output_names" for rule in self.rules_for(key, tool))


def read_scoring(path: Path) -> Scoring:
    """Read a pack's `scoring.json`. Raises PackError with the first thing that is wrong."""
    file = read_model(ScoringFile, path)
    try:
        return compile_scoring(file)
    except ValueError as error:
        raise PackError(str(error), where=str(path), mend="keep one meaning for each spelling") from None


def compile_scoring(file: ScoringFile) -> Scoring:
    """Turn a checked file into look-ups. Raises ValueError when two spellings of an alias table collide."""
    aliases = {name: _alias_table(name, table) for name, table in file.aliases.items()}
    rules = [(entry.match, _rule(entry, aliases)) for entry in file.equality]
    exact: dict[str, tuple[EqualityRule, ...]] = {}
    for match, rule in rules:
        if match == "exact":
            exact[rule.key] = (*exact.get(rule.key, ()), rule)
    return Scoring(
        transfer_set=frozenset(file.transfer_set),
        forbidden_unless_expected=file.forbidden_unless_expected,
        drop_arguments=frozenset(file.drop_arguments),
        fact_keys=frozenset(file.fact_keys),
        prose_keys=frozenset(file.prose_keys),
        skip_keys=frozenset(file.skip_keys),
        presence_keys=frozenset(file.presence_keys),
        aliases=aliases,
        tables={name: _table_rule(name, table, file) for name, table in file.tables.items()},
        identity_tools=frozenset(file.order.identity),
        needed_before=_needed_before(file.order.before),
        exact_rules=exact,
        suffix_rules=tuple(rule for match, rule in rules if match == "suffix"),
        has_parity=any(rule.parity for _, rule in rules),
    )


def _needed_before(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    needed: dict[str, tuple[str, ...]] = {}
    for earlier, later in pairs:
        needed[later] = (*needed.get(later, ()), earlier)
    return needed


def _alias_table(name: str, file: AliasesFile) -> AliasTable:
    normalise = NORMAL_FORMS[file.normalise]
    spellings: dict[str, str] = {}
    pairs = [(canonical, canonical) for canonical in file.map.values()] + list(file.map.items())
    for spelling, canonical in pairs:
        normal = normalise(spelling)
        if not normal:
            raise ValueError(f"aliases.{name}: spelling {spelling!r} is blank once normalised")
        if spellings.setdefault(normal, canonical) != canonical:
            raise ValueError(f"aliases.{name}: {spelling!r} means both {spellings[normal]!r} and {canonical!r}")
    return AliasTable(normalise=normalise, spellings=spellings)


def _rule(entry: EqualityFile, aliases: Mapping[str, AliasTable]) -> EqualityRule:
    return EqualityRule(
        key=entry.key, kind=entry.kind, tool=entry.tool, parity=entry.parity, compare=_compare(entry, aliases)
    )


def _compare(entry: EqualityFile, aliases: Mapping[str, AliasTable]) -> Compare:
    match entry.kind:
        case "alias" | "compact_alias":
            return partial(same_alias, table=aliases[str(entry.table)])
        case "alias_set":
            return partial(same_alias_set, table=aliases[str(entry.table)])
        case "digits":
            return same_digits
        case "suffix_digits":
            return same_suffix_digits
        case "minute":
            return same_minute
        case "fuzzy_name":
            return same_fuzzy_name
        case "output_names":
            return _answer_only


def _answer_only(_expected: object, _actual: object) -> None:
    """`output_names` looks at the answer, so two argument values never decide it."""


def _table_rule(name: str, table: TableFile, file: ScoringFile) -> TableRule:
    prefix = f"{name}."
    return TableRule(
        rule=table.rule,
        drop=frozenset((*file.drop_columns, *table.drop)),
        json_columns={
            spot.removeprefix(prefix): frozenset(column.drop)
            for spot, column in file.json_columns.items()
            if spot.startswith(prefix)
        },
    )
