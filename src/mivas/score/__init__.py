"""Turns verdict rows into figures: pass@1, pass^k, gate rates, intervals and the paired comparison of two runs.

Pure arithmetic on rows: opens no file and knows no pack by name. Bootstrap, permutation and power need the extra
`stats`; everything else comes without it.
"""

from mivas.score._comparison import Change, Comparison, ScopeComparison, compare
from mivas.score._comparison_conditions import DifferingCondition, RunRows, check_comparable, differing_conditions
from mivas.score._interval import (
    Interval,
    TaskTally,
    bootstrap_pass_at_1,
    bootstrap_pass_hat_k,
    import_statistics,
    tally_tasks,
    wilson_interval,
)
from mivas.score._pass_rate import pass_at_1, pass_at_k, pass_hat_k
from mivas.score._power import Detectable, chance_spread, minimum_detectable_difference, say_difference
from mivas.score._summary import Figures, GateRates, PassHatK, Summary, counted, summarise

__all__ = [
    "Change",
    "Comparison",
    "Detectable",
    "DifferingCondition",
    "Figures",
    "GateRates",
    "Interval",
    "PassHatK",
    "RunRows",
    "ScopeComparison",
    "Summary",
    "TaskTally",
    "bootstrap_pass_at_1",
    "bootstrap_pass_hat_k",
    "chance_spread",
    "check_comparable",
    "compare",
    "counted",
    "differing_conditions",
    "import_statistics",
    "minimum_detectable_difference",
    "pass_at_1",
    "pass_at_k",
    "pass_hat_k",
    "say_difference",
    "summarise",
    "tally_tasks",
    "wilson_interval",
]
