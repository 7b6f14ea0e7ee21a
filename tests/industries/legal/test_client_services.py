"""Client services: a client's own matter, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest


def test_a_client_hears_stage_words_and_case_manager(client: Any) -> None:
    data = client("get_case_status", matter_id="m_91")
    assert (data["matter_id"], data["status"], data["case_manager"]) == (
        "m_91",
        "records_requested",
        "Allison Fontaine",
    )
    assert data["status_text"].endswith(".")
    assert len(data) == 4


@pytest.mark.parametrize("matter", ["m_88", "M_91", " m_91", "m_0", "", None])
def test_no_status_of_ours_is_not_found(client: Any, matter: Any) -> None:
    envelope = client.post("get_case_status", {"matter_id": matter})
    assert envelope["error_code"] == "HTTP_404"
    assert "case manager" in envelope["caller_safe_message"]


def test_another_callers_matter_looks_like_none(desk: Any) -> None:
    desk("lookup_caller", full_name="Marcus Oyelaran", phone="4155550188")
    others = [desk.post("get_case_status", {"matter_id": matter}) for matter in ("m_91", "m_88", "m_0")]
    assert others == [others[0]] * 3


def test_a_missing_matter_is_told_before_a_missing_caller(desk: Any) -> None:
    assert desk.refused("get_case_status") == "INVALID_ARGUMENTS"
    assert desk.refused("get_case_status", matter_id="m_91") == "HTTP_400"
