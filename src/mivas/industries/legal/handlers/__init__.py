"""The firm's desks: what each tool of the pack does to a call's world.

Entered through the pack's `tools.py`; knows no agent graph, no prompt and no score.
"""
