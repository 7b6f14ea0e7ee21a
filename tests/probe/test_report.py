"""From proofs of cases to the report on a suite. Source: cli.md, `probe --json`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import InputError
from mivas.pack import Suite
from mivas.probe import FAULTS, FLOORS, CaseProof, ProbeReport, Sabotage, SurvivorFile, read_survivors
from mivas.probe._coverage import KINDS

GOOD = CaseProof(
    task_id="C1-E1",
    attained=True,
    expects_nothing=False,
    faults=(),
    necessary={"name": "", "day": ""},
    sabotage={"memory": Sabotage(what="look isn't called", killed=True, gates="T", missed="")},
    floors=dict.fromkeys(FLOORS, False),
    touched=dict.fromkeys(KINDS, frozenset()),
)


def listed(case: str, name: str) -> SurvivorFile:
    return SurvivorFile(case=case, saboteur=name, rule="3.3", why="a reason")


@pytest.fixture
def report(make_pack: Any) -> Any:
    """`report(*cases, accepted=...)` on a pack of two tools; its folder holds no handler."""

    def made(*cases: CaseProof, accepted: tuple[SurvivorFile, ...] = (), notes: tuple[str, ...] = ()) -> ProbeReport:
        suite = Suite(name="toy-1", pack_id="toy", tasks={})
        pack = make_pack(tools={"look": ["item"], "order": []})
        return ProbeReport(pack=pack, suite=suite, cases=cases, accepted=accepted, notes=notes)

    return made


def survivor(name: str = "memory", missed: str = "T") -> CaseProof:
    return replace(GOOD, sabotage={name: Sabotage(what="", killed=False, gates="", missed=missed)})


def test_a_sound_suite_has_no_problem(report: Any) -> None:
    assert report(GOOD).problems == []


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        pytest.param(replace(GOOD, attained=False, faults=("the oracle ends as FAIL: why",)), "C1-E1: the oracle ends",
                     id="not attained"),
        pytest.param(replace(GOOD, necessary={"name": "the case ends as pass"}),
                     "C1-E1: without name, the case ends as pass", id="a fact that isn't needed"),
        pytest.param(survivor(), "C1-E1: memory survives, T should have noticed", id="a survivor"),
        pytest.param(replace(GOOD, floors={**GOOD.floors, "nop": True}), "C1-E1: nop survives", id="a floor"),
    ],
)  # fmt: skip
def test_what_is_not_sound_is_told(report: Any, case: CaseProof, problem: str) -> None:
    (told,) = report(case).problems
    assert told.startswith(problem)


def test_a_listed_survivor_is_no_problem(report: Any) -> None:
    assert report(survivor(), accepted=(listed("C1-E1", "memory"),)).problems == []


def test_another_case_or_saboteur_isnt_covered_by_a_list(report: Any) -> None:
    accepted = (listed("C1-E1", "near-name"),)
    assert len(report(survivor(), accepted=accepted).problems) == 2


def test_what_is_listed_and_no_longer_survives_is_told(report: Any) -> None:
    (told,) = report(GOOD, accepted=(listed("C1-E1", "memory"),)).problems
    assert told == "C1-E1: memory is on the list of survivors and isn't one"


def test_the_list_may_name_cases_that_werent_probed(report: Any) -> None:
    assert report(GOOD, accepted=(listed("C9-E1", "memory"),)).problems == []


def test_the_list_may_accept_a_case_that_cant_be_attained(report: Any) -> None:
    broken = replace(GOOD, attained=False, faults=("the oracle ends as FAIL: why",))
    assert report(broken, accepted=(listed("C1-E1", "oracle"),)).problems == []
    assert report(broken, accepted=(listed("C1-E1", "oracle"),)).document()["unattainable"] == ["C1-E1"]
    assert len(report(GOOD, accepted=(listed("C1-E1", "oracle"),)).problems) == 1


def test_floors_of_cases_that_expect_nothing_dont_count(report: Any) -> None:
    silent = replace(GOOD, expects_nothing=True, floors={**GOOD.floors, "nop": True})
    document = report(silent).document()
    assert (document["floors"]["nop"], document["expects_nothing"]) == ({"passes": 0, "task_ids": []}, ["C1-E1"])
    assert report(silent).problems == []


def test_findings_of_the_lint_are_problems(report: Any) -> None:
    assert report(GOOD, notes=("C1-E1/task.json: wrong; mend it",)).problems == ["C1-E1/task.json: wrong; mend it"]


def test_the_document_has_the_keys_of_the_contract(report: Any) -> None:
    document = report(GOOD, survivor("lost-write", "TD")).document()
    assert (document["pack"], document["suite"], document["cases"], document["attainable"]) == ("toy", "toy-1", 2, 2)
    assert document["necessary"] == {"tested": 4, "held": 4}
    assert set(document["saboteurs"]) == set(FAULTS)
    assert set(document["floors"]) == set(FLOORS)
    memory, lost = document["saboteurs"]["memory"], document["saboteurs"]["lost-write"]
    assert (memory["applicable"], memory["killed"], memory["survived"]) == (1, 1, [])
    assert (lost["applicable"], lost["killed"]) == (1, 0)
    assert lost["survived"] == [{"task_id": "C1-E1", "gate": "TD"}]
    assert document["coverage"]["tools"] == [0, 2]


def test_cells_of_the_matrix(report: Any) -> None:
    detour = Sabotage(what="", killed=True, gates="", missed="")
    case = replace(GOOD, sabotage={**GOOD.sabotage, "extra-desk": detour, **survivor("near-name", "D").sabotage})
    ((task_id, cells),) = report(case).matrix()
    assert task_id == "C1-E1"
    shown = {name: cell for name, cell in cells.items() if cell}
    assert shown == {"memory": "T", "extra-desk": "passes", "near-name": "!D"}


class TestLists:
    def write(self, path: Path, text: str) -> Path:
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_list_is_read(self, tmp_path: Path) -> None:
        path = self.write(
            tmp_path / "s.json",
            '{"version": 1, "survivors": [{"case": "C1-E1", "saboteur": "nop", "rule": "3.7.3", "why": "so"}]}',
        )
        (only,) = read_survivors(path)
        assert (only.case, only.saboteur, only.rule) == ("C1-E1", "nop", "3.7.3")

    def test_no_list_is_an_empty_one_unless_it_was_asked_for(self, tmp_path: Path) -> None:
        assert read_survivors(tmp_path / "none.json") == ()
        with pytest.raises(InputError, match="No such file"):
            read_survivors(tmp_path / "none.json", required=True)

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[", "no JSON"),
            ('{"version": 2}', "version"),
            ('{"version": 1, "survivors": [{"case": "a"}]}', "survivors.0.saboteur"),
            ('{"version": 1, "survivors": [{"case": "a", "saboteur": "nop", "rule": "x", "why": "y"}]}', "rule"),
            ('{"version": 1, "survivors": [{"case": "a", "saboteur": "nop", "rule": "1", "why": ""}]}', "why"),
        ],
    )
    def test_a_broken_list_is_told_with_its_spot(self, tmp_path: Path, text: str, told: str) -> None:
        with pytest.raises(InputError, match=told):
            read_survivors(self.write(tmp_path / "s.json", text))

    def test_an_entry_stands_once(self, tmp_path: Path) -> None:
        entry = '{"case": "a", "saboteur": "nop", "rule": "1", "why": "y"}'
        path = self.write(tmp_path / "s.json", f'{{"version": 1, "survivors": [{entry}, {entry}]}}')
        with pytest.raises(InputError, match="a nop stands twice"):
            read_survivors(path)
