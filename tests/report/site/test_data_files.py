"""Data files hand over any value whole, and nothing in a value can leave it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.report.site import safe_name, script_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["</script>", "<!--", "\u2028", "\ud800"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(name=st.text(), value=VALUES)
def test_a_value_comes_back_as_it_was(name: str, value: object) -> None:
    arguments = script_of(name, value).removeprefix("mivas.data(").removesuffix(");\n")
    assert json.loads(f"[{arguments}]") == [name, value]


@given(value=VALUES)
def test_nothing_in_a_value_ends_its_script_or_its_line(value: object) -> None:
    text = script_of("x", value)
    assert not set(text[:-1]) & set("<>&\u2028\u2029\n\r")
    assert text.encode("utf-8")


@given(first=st.text(), second=st.text())
def test_different_texts_have_different_names(first: str, second: str) -> None:
    assert (safe_name(first) == safe_name(second)) == (first == second)


@pytest.mark.parametrize("text", ["../../etc", "a/b", "C:\\x", ".", "%2f", "𝕏 ü", "_5f"])
def test_a_name_holds_nothing_that_a_path_or_an_address_reads_otherwise(text: str) -> None:
    assert not set(safe_name(text)) & set("/\\%? #:")
