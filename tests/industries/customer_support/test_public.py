"""Stores, policies, fees and brands: loose look-ups that anybody may make."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("said", "stores"),
    [
        ("Corvallis", ["st_corvallis"]),
        ("the corvallis one", ["st_corvallis"]),
        ("st_marlow", ["st_marlow"]),
        ("harrier road", ["st_corvallis"]),
        ("delmore park", ["st_delmore"]),
        ("OH", ["st_delmore"]),
        ("Wexley", ["st_wexley"]),
    ],
)
def test_a_store_is_found_by_id_name_or_address_the_first_by_id(desk: Any, said: str, stores: list[str]) -> None:
    data = desk("get_store_info", store=said)
    assert [row["id"] for row in data["stores"]] == stores
    assert data["count"] == 1
    assert "relaxed_filter" not in data
    assert set(data["stores"][0]) == {"id", "name", "address", "hours", "departments"}


@pytest.mark.parametrize("said", ["Boston", "", None, "  "])
def test_without_a_match_all_six_stores_are_listed(desk: Any, said: Any) -> None:
    data = desk("get_store_info", store=said)
    assert [row["id"] for row in data["stores"]] == [
        "st_brightbay", "st_corvallis", "st_delmore", "st_eastvale", "st_marlow", "st_wexley",
    ]  # fmt: skip
    assert data["count"] == 6
    assert data["relaxed_filter"]


@pytest.mark.parametrize(
    ("said", "topics"),
    [
        ("returns", ["returns"]),
        (" Price Match ", ["price_match"]),
        ("open box", ["open_box"]),
        ("delivery install", ["delivery_install"]),
        ("membership", ["membership"]),
        ("delivery and install", ["delivery_install", "membership", "recycling", "returns"]),
        ("how much to take my old tv away", ["delivery_install", "marketplace", "recycling", "returns"]),
    ],
)
def test_a_policy_is_found_by_its_key_or_by_any_longer_word(desk: Any, said: str, topics: list[str]) -> None:
    data = desk("get_policy", topic=said)
    found = [row["topic"] for row in data["policies"]]
    assert found == topics
    assert data["count"] == len(found)
    assert set(data["policies"][0]) == {"topic", "keywords", "title", "body"}


@pytest.mark.parametrize("said", ["", None, "zzz", "a b", " "])
def test_an_unknown_policy_is_refused(desk: Any, said: Any) -> None:
    assert desk.refused("get_policy", topic=said) == "NO_SUCH_POLICY"


PLUS, TOTAL, HAUL = "membership_plus", "membership_total", "haul_away_with_delivery"


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ("kestrel plus", [PLUS]), ("Kestrel Total", [TOTAL]), ("plus", [PLUS]), ("membership", [PLUS]),
        ("memberships", [PLUS]), ("how much is total", [TOTAL]), ("kestrel plus and kestrel total", [TOTAL]),
        ("restocking", ["restocking_activatable"]), ("restocking fees", ["restocking_activatable"]),
        ("phone restocking", ["restocking_activatable"]), ("restocking_percent", ["restocking_activatable"]),
        ("drone restocking", ["restocking_percent"]), ("15 percent", ["restocking_percent"]),
        ("fees", ["restocking_activatable", "restocking_percent"]),
        ("haul away", [HAUL]), ("take my old one", [HAUL]), ("haul away standalone", [HAUL]),
        ("haul_away_standalone", ["haul_away_standalone"]),
        ("reschedule", ["delivery_change_late"]), ("change my delivery", ["delivery_change_late"]),
        ("installation", ["appliance_install"]), ("ice maker line", ["waterline_install"]),
        ("waterline install", ["waterline_install"]), ("look at it", ["techcrew_bench_diagnostic"]),
        ("house call", ["techcrew_in_home_visit"]), ("deductible", ["protect_deductible_mobile"]),
        ("shipping label", ["return_shipping"]), ("recycle", ["recycling_dropoff"]),
        ("recycling_dropoff", ["recycling_dropoff"]), ("visit home", ["techcrew_in_home_visit"]),
    ],
)  # fmt: skip
def test_a_fee_is_found_by_what_callers_call_it(desk: Any, said: str, codes: list[str]) -> None:
    data = desk("get_fee", fee=said)
    assert [row["code"] for row in data["fees"]] == codes
    assert data["count"] == len(codes)
    assert set(data["fees"][0]) == {"code", "label", "amount_text", "conditions"}


@pytest.mark.parametrize("said", ["", None, "s", "ss", "how much is plus", "gift wrap", "a b"])
def test_an_unknown_fee_is_refused(desk: Any, said: Any) -> None:
    assert desk.refused("get_fee", fee=said) == "NO_SUCH_FEE"


@pytest.mark.parametrize(
    ("code", "amount"),
    [
        ("restocking_activatable", "$45.00"), ("membership_plus", "$29.99 per year"),
        ("membership_total", "$199.99 per year"), ("haul_away_with_delivery", "$49.99"),
        ("haul_away_standalone", "$199.99"), ("delivery_change_late", "$29.99"), ("appliance_install", "$0.00"),
        ("waterline_install", "$89.99"), ("techcrew_bench_diagnostic", "$39.99"),
        ("techcrew_in_home_visit", "$99.99"), ("protect_deductible_mobile", "$149.00"), ("return_shipping", "$0.00"),
        ("recycling_dropoff", "$0.00"),
    ],
)  # fmt: skip
def test_each_fee_has_its_amount(desk: Any, code: str, amount: str) -> None:
    assert desk("get_fee", fee=code)["fees"][0]["amount_text"] == amount


@pytest.mark.parametrize(
    ("query", "topics"),
    [
        ("what is TechCrew", ["bellwether", "hours", "scam_awareness", "techcrew", "warranty_vs_plan"]),
        ("sagebrush", ["sagebrush"]),
        ("Sound Harbor", ["main_line", "sound_harbor"]),
    ],
)
def test_the_search_finds_topics_by_the_whole_query_or_any_longer_word(desk: Any, query: str, topics: Any) -> None:
    data = desk("search_kb", query=query)
    assert [row["topic"] for row in data["results"]] == topics
    assert data["count"] == len(topics)
    assert set(data["results"][0]) == {"topic", "answer"}
    assert "relaxed_filter" not in data


@pytest.mark.parametrize("query", ["", None, "zz qq", "xylophone"])
def test_without_a_match_every_topic_is_listed(desk: Any, query: Any) -> None:
    data = desk("search_kb", query=query)
    assert data["count"] == len(data["results"]) == 12
    assert data["relaxed_filter"]


def test_looking_things_up_changes_nothing(desk: Any) -> None:
    before = desk.state()
    desk("search_kb", query="hours")
    desk("get_store_info", store="Corvallis")
    desk("get_policy", topic="returns")
    desk("get_fee", fee="plus")
    assert desk.state() == before
