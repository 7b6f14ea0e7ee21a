"""Where warnings of the library go when a command runs a state service itself."""

from __future__ import annotations

import logging


def warn_on_stderr() -> None:
    """Show what the operator should know, such as a handler that broke, as lines on stderr."""
    logging.basicConfig(level=logging.WARNING, format="mivas: %(message)s")
