"""Intake: what is stored of a matter, notes, and the paper that goes out."""

from __future__ import annotations

from typing import Any

import pytest

MATTER = {
    "practice_area": "auto_accident",
    "state": "CA",
    "incident_date": "2026-05-15",
    "summary": "rear-ended at a light",
}


def test_a_matter_is_stored_for_the_identified_caller(known: Any) -> None:
    assert known("record_intake", **MATTER) == {"intake_id": 1, "recorded": True, "summary_recorded": True}
    assert known.state()["intakes"] == [{"id": 1, "caller_id": "c_new", **MATTER, "created_at": "2027-01-05 09:30:15"}]


def test_a_second_intake_is_a_second_row(known: Any) -> None:
    known("record_intake", **MATTER)
    assert known("record_intake", **MATTER)["intake_id"] == 2
    assert len(known.state()["intakes"]) == 2


@pytest.mark.parametrize(
    ("summary", "recorded"), [("", False), ("   ", False), ("\n", False), ("x", True), (" x ", True)]
)
def test_a_blank_summary_is_kept_and_told(known: Any, summary: str, recorded: bool) -> None:
    assert known("record_intake", **MATTER | {"summary": summary})["summary_recorded"] is recorded
    assert known.state()["intakes"][0]["summary"] == summary


def test_a_missing_summary_is_blank(known: Any) -> None:
    assert (
        known("record_intake", **{key: MATTER[key] for key in MATTER if key != "summary"})["summary_recorded"] is False
    )
    assert known.state()["intakes"][0]["summary"] == ""


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("ca", "CA"), (" CA ", "CA"), ("c.a.", "CA"), ("C A", "CA"), ("california", "CA"), ("  new   york ", "NY"),
        ("Washington", "WA"), ("District of Columbia", "DC"), ("D.C.", "DC"), ("in", "IN"), ("North Carolina.", "NC"),
    ],
)  # fmt: skip
def test_a_state_is_stored_as_its_code(known: Any, said: str, stored: str) -> None:
    known("record_intake", **MATTER | {"state": said})
    assert known.state()["intakes"][0]["state"] == stored


@pytest.mark.parametrize(
    "said",
    ["", "  ", "{{state}}", " {{CA}} ", "in California", "PR", "Guam", "XX", "Ontario", "Californa", "12", "CA FL"],
)
def test_what_is_no_state_is_asked_for(known: Any, said: str) -> None:
    before = known.state()
    envelope = known.post("record_intake", MATTER | {"state": said, "incident_date": "nonsense"})
    assert envelope["error_code"] == "HTTP_400"
    assert "state" in envelope["caller_safe_message"]
    assert known.state() == before


def test_every_state_of_the_union_is_known_by_code_and_by_name(known: Any, pack: Any) -> None:
    spellings = pack.scoring.aliases["state"].spellings
    assert len(set(spellings.values())) == 51
    for spelt, code in spellings.items():
        known("record_intake", **MATTER | {"state": spelt.upper()})
        assert known.state()["intakes"][-1]["state"] == code


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("2026-05-15", "2026-05-15"), (" 2026-05-15 ", "2026-05-15"), ("2026-5-9", "2026-05-09"),
        ("2024-02-29", "2024-02-29"), ("2024-2-29", "2024-02-29"), ("0001-01-01", "0001-01-01"),
    ],
)  # fmt: skip
def test_a_day_is_stored_with_its_zeros(known: Any, said: str, stored: str) -> None:
    known("record_intake", **MATTER | {"incident_date": said})
    assert known.state()["intakes"][0]["incident_date"] == stored


@pytest.mark.parametrize(
    "said",
    [
        "", " ", "{{date}}", "{{2026-05-15}}", "2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-05-32",
        "2026-05-00", "0000-05-15", "20260515", "2026/05/15", "05-15-2026", "26-05-15", "2026-05-15T09:00", "last May",
        "٢٠٢٦-٠٥-١٥", "2026-005-15",
    ],
)  # fmt: skip
def test_what_is_no_day_is_asked_for(known: Any, said: str) -> None:
    before = known.state()
    envelope = known.post("record_intake", MATTER | {"incident_date": said})
    assert envelope["error_code"] == "HTTP_400"
    assert "year" in envelope["caller_safe_message"]
    assert known.state() == before


@pytest.mark.parametrize("key", ["state", "incident_date"])
def test_a_missing_state_or_day_is_like_a_blank_one(known: Any, key: str) -> None:
    assert known.refused("record_intake", **{name: MATTER[name] for name in MATTER if name != key}) == "HTTP_400"


@pytest.mark.parametrize("key", MATTER)
@pytest.mark.parametrize("value", [None, 5, True, ["CA"], {}])
def test_anything_but_text_is_unusable(known: Any, key: str, value: Any) -> None:
    before = known.state()
    assert known.refused("record_intake", **MATTER | {key: value}) == "INVALID_ARGUMENTS"
    assert known.state() == before
    assert known.broken() == []


def test_an_intake_names_no_caller(known: Any) -> None:
    assert known.refused("record_intake", **MATTER | {"caller_id": "c_001"}) == "INVALID_ARGUMENTS"
    assert known.state()["intakes"] == []


@pytest.mark.parametrize(
    ("said", "stored"),
    [("Car-Accident", "auto_accident"), ("Dog Bite", "dog_bite"), ("", ""), ("  ", ""), ("family", "family")],
)
def test_an_unknown_kind_of_case_is_stored_as_it_was_said(known: Any, said: str, stored: str) -> None:
    known("record_intake", **MATTER | {"practice_area": said})
    assert known.state()["intakes"][0]["practice_area"] == stored


def test_a_note_needs_no_intake_and_no_words(known: Any) -> None:
    assert known("add_intake_note", note="") == {"note_id": 1, "status": "noted"}
    assert known("add_intake_note", note=" a witness ") == {"note_id": 2, "status": "noted"}
    assert [row["note"] for row in known.state()["intake_notes"]] == ["", " a witness "]


@pytest.mark.parametrize(
    ("tool", "key", "kind", "target"),
    [
        ("send_intake_packet", "channel", "intake_packet", "email"),
        ("send_intake_packet", "channel", "intake_packet", "Fax "),
        ("request_records_authorization", "provider", "records_authorization", "Mercy General"),
        ("request_records_authorization", "provider", "records_authorization", ""),
    ],
)
def test_a_document_goes_where_it_was_told_as_often_as_it_was_asked(
    known: Any, tool: str, key: str, kind: str, target: str
) -> None:
    sent = [known(tool, **{key: target}) for _ in range(2)]
    assert sent == [{"document_id": n, "status": "sent", "kind": kind, "target": target} for n in (1, 2)]
    assert [(row["kind"], row["target"]) for row in known.state()["documents"]] == [(kind, target)] * 2
