"""Turns verdict rows into figures: pass@1, pass^k, gate rates and consistency.

Pure arithmetic on rows: opens no file and knows no pack by name.
"""

from mivas.score._pass_rate import pass_at_1, pass_at_k, pass_hat_k
from mivas.score._summary import Figures, GateRates, PassHatK, Summary, summarise

__all__ = ["Figures", "GateRates", "PassHatK", "Summary", "pass_at_1", "pass_at_k", "pass_hat_k", "summarise"]
