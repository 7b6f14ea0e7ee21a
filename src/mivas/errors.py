"""The one error tree: what a reader of the message can mend.

MivasError
├── UnknownName      a plug-in, pack or task nobody knows
├── PackError        a file of a pack, a task, a solution or a caller program
├── StateError       the state service: its folder, its port, a call's database
├── InputError       results, options and other material a user handed in
└── JournalError     a run folder
"""

from __future__ import annotations

__all__ = ["InputError", "JournalError", "MivasError", "PackError", "StateError", "UnknownName"]


class MivasError(Exception):
    """Something the reader can mend, told in one line: where, what, and how to mend it.

    All three parts go to `args`, so the error survives pickling on its way back from a worker process.

    >>> print(MivasError("tool 'x' has no handler", where="legal/tools.json", mend="delete the entry"))
    legal/tools.json: tool 'x' has no handler; delete the entry
    """

    def __init__(self, what: str, where: str, mend: str) -> None:
        super().__init__(what, where, mend)
        self.what, self.where, self.mend = what, where, mend

    def __str__(self) -> str:
        return " ".join(f"{self.where}: {self.what}; {self.mend}".split())


class UnknownName(MivasError):
    """A name that no entry point, pack or suite knows."""


class PackError(MivasError):
    """A file of a pack, a suite, a solution or a caller program is not as `formats.md` says."""


class StateError(MivasError):
    """The state service can't start, or a call's database can't be used."""


class InputError(MivasError):
    """Material a user handed in (results, options) can't be read."""


class JournalError(MivasError):
    """A run folder can't be written, is in use, or is damaged."""
