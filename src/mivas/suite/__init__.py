"""A suite as a whole: do its cases hang together, and where does each argument of a lock come from?

Pure: reads values, plays nothing, scores nothing.
"""

from mivas.suite._clones import clone_findings
from mivas.suite._counts import RELEASE_CASES, count_findings
from mivas.suite._lint import suite_findings
from mivas.suite._provenance import provenance_findings, reference_values
from mivas.suite._spelling import task_text

__all__ = [
    "RELEASE_CASES",
    "clone_findings",
    "count_findings",
    "provenance_findings",
    "reference_values",
    "suite_findings",
    "task_text",
]
