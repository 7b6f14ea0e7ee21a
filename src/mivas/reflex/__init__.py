"""An agent by rules: a phrase table's desks, spoken to in any words that come near it."""

from mivas.reflex._agent import ReflexAgent
from mivas.reflex._check import table_findings
from mivas.reflex._harness import ReflexHarness, reflex
from mivas.reflex._table import TABLE_FILE, Table, load_table, read_table

__all__ = [
    "TABLE_FILE",
    "ReflexAgent",
    "ReflexHarness",
    "Table",
    "load_table",
    "read_table",
    "reflex",
    "table_findings",
]
