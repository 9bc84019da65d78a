"""Tests of whether a text of a norm is whole, which decides whether a provision does not exist or is only unknown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record
from graph.store import in_memory
from graph.urn import parse
from queries.text.absent import is_whole
from queries.text.answers import ProvisionText

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"


@pytest.mark.parametrize(
    ("fragments", "expected"),
    [
        (["art1_cpt", "art2_cpt", "art3_par1u"], True),
        (["tit1", "art1", "art2", "art2-1", "art3"], True),
        (["art1u_cpt"], True),
        (["art1", "anx1_art9"], True),
        (["art1", "art3"], False),
        (["art1", "art2", "art9"], False),
        (["art2", "art3"], False),
        (["anx1_art1"], False),
        (["art57"], False),
        ([], False),
    ],
)
def test_text_is_whole_if_no_article_is_missing(fragments: list[str], expected: bool) -> None:
    provisions = [ProvisionText(f"{LAW}!{fragment}", None, "Texto.", 1, None, None, None) for fragment in fragments]
    assert is_whole(in_memory(), provisions, parse(LAW)) is expected


def test_article_that_a_source_describes_may_have_ended(record: Callable[..., Record]) -> None:
    store = in_memory()
    store.apply([record(LAW, key="law"), record(f"{LAW}!art2", key="article")])
    provisions = [ProvisionText(f"{LAW}!{name}", None, "Texto.", 1, None, None, None) for name in ("art1", "art3")]
    assert is_whole(store, provisions, parse(LAW))


def test_omitted_provision_makes_a_text_incomplete_except_in_a_quotation() -> None:
    whole = ProvisionText(f"{LAW}!art1_cpt", None, "Texto.", 1, None, None, None)
    for fragment, expected in (("art1_par1", False), ("art1_cpt_alt1_art5_par1", True)):
        omitted = ProvisionText(f"{LAW}!{fragment}", None, None, 1, None, None, "omissis")
        assert is_whole(in_memory(), [whole, omitted], parse(LAW)) is expected
