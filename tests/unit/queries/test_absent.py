"""Tests of the nearest provision to one that a text lacks; tests/data/lives.toml has the rules on whole texts."""

from __future__ import annotations

import pytest

from graph.urn import parse
from queries.text.absent import nearest_provision
from queries.text.answers import ProvisionText, TextAnswer
from tests.support.cases import tuples

LAW = "urn:lex:br:federal:lei:2001-03-05;99901"
SHOWN = """ementa cap1 cap1_sec1 cap2 art1_cpt art1_par1u art2 art2_cpt_inc1 art2_cpt_inc3 art2-1 art2-3 art4 art4_par1
art4_par2 anx1_art1 anx1_art2"""


@pytest.mark.parametrize(
    ("wanted", "nearest"), tuples("absent", "nearest_is_of_the_same_kind_with_the_nearest_number_or_the_container")
)
def test_nearest_is_of_the_same_kind_with_the_nearest_number_or_the_container(wanted: str, nearest: str | None) -> None:
    provisions = tuple(ProvisionText(f"{LAW}!{name}", None, "Texto.", 1, None, None, None) for name in SHOWN.split())
    undecided = (f"{LAW}!art4_par2",)
    shown = TextAnswer(LAW, LAW, None, None, None, None, None, None, provisions, undecided, (), (), (), ())
    found = nearest_provision(shown, parse(f"{LAW}!{wanted}"))
    assert (found.canonical.partition("!")[2] if found is not None else None) == nearest
