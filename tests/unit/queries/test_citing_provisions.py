"""Tests that each citation in the words of a provision is found, wherever the text is in the graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph.entities import Coverage, Provision, Wording
from graph.urn import parse
from queries.catalogue import named
from tests.support.records import record, store_of

NORM = "urn:lex:br:federal:lei:2001-03-05;99901"
FIRST, SIGNED = f"{NORM}@2001-06-01;publicacao;2001-03-06", f"{NORM}@2001-06-01;assinatura;2001-03-05"
LATER = f"{NORM}@2003-02-01;alteracao;2003-02-01"
CITED = "urn:lex:br:federal:lei:1999-01-04;99{number:03d}"


@pytest.mark.parametrize("coverage", Coverage)
@pytest.mark.parametrize("document", [FIRST, SIGNED, NORM, f"{FIRST}~texto;en"])
def test_every_citation_in_a_provision_text_is_found(coverage: Coverage, document: str) -> None:
    own = parse(document).individual if document != NORM else None
    made = (own, parse(LATER)) if coverage is Coverage.HISTORY else (own,)
    number = 900
    expected, provisions = set(), []
    for index, versions in enumerate([made, made[:1], made[-1:]], start=1):
        wordings = []
        for version in versions:
            number += 1
            cited = parse(CITED.format(number=number))
            expected.add(cited.iri)
            wordings.append(Wording(version, f"Art. {index}º", None, "Palavras.", None, None, (cited,)))
        provisions.append(Provision(f"art{index}", None, index, tuple(wordings)))
    later = ((parse(LATER), None),) if coverage is Coverage.HISTORY else ()
    citing_record = replace(record(document), provisions=tuple(provisions), versions=later, coverage=coverage)
    rows = list(named("citations").rows(store_of(citing_record), {"norma": NORM}))
    assert {row["outra"] for row in rows} == expected
    assert {row["sentido"] for row in rows} == {"faz"}
    assert len(rows) == number - 900
