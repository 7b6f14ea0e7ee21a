"""What a replay may add to the calls of a lock (`completion.json`)."""

from mivas.pack._completion import NOTHING, CompletionFile, FillFile, InsertFile, SourceFile

__all__ = ["NOTHING", "CompletionFile", "FillFile", "InsertFile", "SourceFile"]
