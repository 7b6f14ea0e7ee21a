"""The table of fuzzy names, row by row, through both gates that use it. Source: scoring.md 3.5.4."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mivas.verify import Verdict

Judge = Callable[..., Verdict]
HOSPITAL = "St. Benedict Medical Center"
ROWS = [
    pytest.param("Daniel Okonkwo", "Daniel Oconquo", True, id="row 1: a name that sounds alike"),
    pytest.param("new cases intake", "New cases", False, id="row 2: a word less"),
    pytest.param("new cases intake", "New case intake", True, id="row 3: a letter less"),
    pytest.param(HOSPITAL, f"{HOSPITAL} and the surgeon involved", True, id="row 4: more words"),
    pytest.param("Harborline Industries", "Harbor Line Industries", True, id="row 5: a word in two"),
    pytest.param("Halloway Toolworks", "Holloway Tool Works", True, id="row 6: a word in two and a slip"),
    pytest.param("Vertex Logistics", "Vertex", False, id="row 7: half a name"),
    pytest.param("Vertex Logistics", "Vertex Logistic", True, id="row 8: the last letter less"),
    pytest.param("Pellham Transit", "Pelham Transit", True, id="row 9: one letter of two"),
    pytest.param("Tom Eckhart", "Tim Eckhart", False, id="row 10: a short word, another letter"),
    pytest.param("USCIS", "U.S.C.I.S.", True, id="row 11: an acronym with stops"),
    pytest.param("Daniel Okonkwo", "Allison Fontaine", False, id="row 12: another name"),
]


@pytest.mark.parametrize("key", ["for_whom", "opposing_party"])
@pytest.mark.parametrize(("expected", "heard", "same"), ROWS)
def test_a_fuzzy_name_as_an_argument(judge: Judge, key: str, expected: str, heard: str, same: bool) -> None:
    verdict = judge("legal", expected=[("tool", {key: expected})], actual=[("tool", {key: heard})])
    assert verdict.combined is same


@pytest.mark.parametrize(("expected", "heard", "same"), ROWS)
def test_a_fuzzy_name_as_a_column(judge: Judge, expected: str, heard: str, same: bool) -> None:
    locked, dumped = ({"messages": [{"id": 1, "for_whom": name}]} for name in (expected, heard))
    assert judge("legal", locked=locked, state=dumped).database.passed is same
