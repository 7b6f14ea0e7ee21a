"""Did the call clear the bar: tool, handoff and database gate, verdict and reward.

Pure: opens no file, asks no server, never reads the transcript for a gate, and knows no pack by name.
"""

from mivas.verify._argument_class import is_prose
from mivas.verify._database_gate import DatabaseGate, TableDiff
from mivas.verify._diagnostics import Diagnostics
from mivas.verify._explanation import Explained, explain
from mivas.verify._handoff_gate import HandoffGate
from mivas.verify._mark import Mark
from mivas.verify._reasons import Reason
from mivas.verify._revision import verifier_revision
from mivas.verify._tool_gate import ToolGate
from mivas.verify._verdict import Verdict, verdict_object, verify

__all__ = [
    "DatabaseGate",
    "Diagnostics",
    "Explained",
    "HandoffGate",
    "Mark",
    "Reason",
    "TableDiff",
    "ToolGate",
    "Verdict",
    "explain",
    "is_prose",
    "verdict_object",
    "verifier_revision",
    "verify",
]
