"""What a turn calls for."""

from __future__ import annotations

import pytest

from mivas.caller import Heard, KnownFact, ReadBack
from mivas.caller._answer import Answer, reply_to

FACTS = (
    KnownFact(id="name", value="Sam Nguyen", say="Sam Nguyen", answers=("name",)),
    KnownFact(id="cell", value="7185550142", say="seven one eight ...", answers=("phone", "callback")),
    KnownFact(id="terms", value="yes", say="yes, I agree", answers=("consent",)),
)
NAME_RIGHT = ReadBack(fact="name", right=True, said="Sam Nguyen")
CELL_WRONG = ReadBack(fact="cell", right=False, said="seven one nine")


@pytest.mark.parametrize(
    ("heard", "expected"),
    [
        pytest.param(Heard(), Answer(), id="nothing"),
        pytest.param(Heard(unclear=True), Answer(), id="unclear"),
        pytest.param(Heard(questions=frozenset({"phone", "name"})), Answer(facts=("name", "cell")), id="file order"),
        pytest.param(Heard(questions=frozenset({"zip"})), Answer(), id="asked and not known"),
        pytest.param(Heard(offers=frozenset({"text", "human"})), Answer(refuses=("text",)), id="only what it refuses"),
        pytest.param(Heard(read_backs=(NAME_RIGHT,)), Answer(confirms=True), id="right"),
        pytest.param(
            Heard(read_backs=(NAME_RIGHT,), questions=frozenset({"name", "read_back", "consent"})),
            Answer(facts=("terms",), confirms=True),
            id="a repeated fact is not stated too",
        ),
        pytest.param(
            Heard(read_backs=(NAME_RIGHT, CELL_WRONG), questions=frozenset({"read_back", "consent"})),
            Answer(confirms=False, corrects=("cell",)),
            id="no consent while something is wrong",
        ),
        pytest.param(
            Heard(questions=frozenset({"consent"}), offers=frozenset({"text"}), agreeing_takes=frozenset({"text"})),
            Answer(refuses=("text",)),
            id="no consent that would take what is declined",
        ),
    ],
)
def test_a_turn_calls_for(heard: Heard, expected: Answer) -> None:
    answer = reply_to(heard, FACTS, {"text", "waitlist"})
    assert answer == expected
    assert answer.is_empty is (expected == Answer())
