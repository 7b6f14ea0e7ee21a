"""What the handlers of several packs need: the form of arguments and outcomes, and how figures are said.

Knows no pack.
"""
