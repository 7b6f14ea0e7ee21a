"""What a turn answers to the question before it."""

from __future__ import annotations

from collections.abc import Sequence

from mivas.reflex._agenda import Question
from mivas.reflex._hearing import Heard
from mivas.reflex._memory import Memory
from mivas.reflex._table import Table
from mivas.reflex._work import ASKED_AT_MOST, Worker, count_read_back


class Answers:
    """Takes answers into memory: a yes confirms, a no asks what it should be, silence on the matter is counted."""

    def __init__(self, table: Table, memory: Memory, worker: Worker) -> None:
        self._table = table
        self._memory = memory
        self._worker = worker
        self._guesses: set[tuple[str, str]] = set()
        """Names of lists that were asked back, by slot: nobody is asked twice whether he said the same."""

    def take(self, question: Question, heard: Heard, changed: frozenset[str]) -> Question | None:
        """Make of a turn what its question makes of it. Returns the question that has to be put at once, if any.

        Args:
            changed: slots whose value the turn set anew.
        """
        slots = question.slots
        if question.kind == "confirm":
            return self._confirmed(slots, heard, changed)
        if question.kind == "maybe" and question.option is not None and heard.polarity == "yes":
            self._memory.hold(slots[0], question.option.value)
            return None
        if question.kind == "list" and _is_unlisted(heard, slots[0]):
            self._memory.hold(slots[0], self._table.slots[slots[0]].unlisted or "")
            return None
        return self._missed(slots, heard, guessed=question.kind == "maybe")

    def _confirmed(self, slots: tuple[str, ...], heard: Heard, changed: frozenset[str]) -> Question | None:
        if changed & set(slots) or heard.undated:
            return None
        if heard.polarity == "yes":
            self._memory.confirm(slots)
            return None
        count_read_back(self._memory, slots)
        if heard.polarity is None:
            return None
        self._worker.say(self._table.sentences.say_again)
        return Question(kind="correct", slots=slots)

    def _missed(self, slots: Sequence[str], heard: Heard, *, guessed: bool) -> Question | None:
        """Count a question that got no answer; what may have been one is asked back."""
        put: Question | None = None
        for name in self._memory.missing(slots):
            plain = {"yes": self._table.slots[name].yes, "no": self._table.slots[name].no}
            answer = plain.get(heard.polarity or "")
            if answer is not None:
                self._memory.hold(name, answer)
            if answer is not None or name in heard.undated:
                continue
            option = heard.doubtful.get(name)
            if option is not None and not guessed and (name, option.value) not in self._guesses:
                self._guesses.add((name, option.value))
                self._worker.say(self._table.sentences.did_you_say, option=option.say)
                put = Question(kind="maybe", slots=(name,), option=option)
                continue
            self._memory.asked[name] += ASKED_AT_MOST if heard.cannot_say and len(slots) == 1 else 1
        return put


def _is_unlisted(heard: Heard, name: str) -> bool:
    """Whether the answer to a list read out names something else: a no, or words that resemble nothing on it."""
    names_one = name in heard.values or name in heard.doubtful
    return not names_one and heard.polarity != "yes" and not heard.cannot_say and not heard.wants_repetition
