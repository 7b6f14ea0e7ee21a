"""The packs: data, plus one module of tool handlers each."""
