"""Whether prompts speak of the right tools, and which numbers they say, for those who check packs."""

from mivas.pack._prompt_check import numbers_in, prompt_findings

__all__ = ["numbers_in", "prompt_findings"]
