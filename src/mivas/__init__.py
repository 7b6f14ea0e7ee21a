"""MIVAS: benchmark and training ground for voice agents that answer real phones."""

import logging

__version__ = "0.1.0"

# Silent until the application adds a handler.
logging.getLogger(__name__).addHandler(logging.NullHandler())
