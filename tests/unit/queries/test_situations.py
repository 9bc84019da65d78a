"""Tests of provisions that a text has and that are not in force, or have no effect: their marks and their status."""

from __future__ import annotations

import pytest

from graph.entities import Record
from graph.store import WritableStore, in_memory
from queries.notices import ProvisionsMarked
from queries.text.text import text
from service.render import text_html, text_lines, text_xml
from service.web.text_layout import blocks_of
from tests.unit.queries.test_rules_of_provisions import LATE, LAW, article, fact, fact_records, part, words, xml_records

#: A body or facts, the marks in plain text and HTML, and the situations of the notices with their provisions.
MARKED = {
    "revoked": ("revogado", "", "", "revogado"),
    "suspended": ("suspenso", "", "", "suspenso"),
    "vetoed": ("vetado", "", "", "vetado"),
    "superseded": ("superado", "", "", "superado"),
    "suspended by a court": ("", "", "suspensao", "suspenso"),
    "vetoed by an event": ("", "", "veto", "vetado"),
    "in force": ("", "", "", None),
    "stated by its words": ("vetado", "(VETADO)", "", None),
    "omitted": ("omissis", "", "", None),
}


def published(body: str, *facts: str, version: str = "2001-06-01;publicacao;2001-03-06") -> WritableStore:
    """Return a store with the whole text of one version, and facts."""
    store = in_memory()
    store.apply([*whole(body, version), *(record for written in facts for record in fact_records(written))])
    return store


def whole(body: str, version: str) -> list[Record]:
    """Return the record of a document with the whole text of one version."""
    raw = (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}@{version}"/></Metadado>'
        f"<Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    )
    return xml_records(raw.encode())


@pytest.mark.parametrize("case", MARKED)
@pytest.mark.parametrize("fragment", ["art1", "art1_par1"])
def test_every_format_marks_a_provision_without_force(case: str, fragment: str) -> None:
    situation, printed, event, marked = MARKED[case]
    attribute = {fragment: f' situacao="{situation}"'} if situation else {}
    paragraph = f'<Paragrafo id="art1_par1"{attribute.get("art1_par1", "")}><Rotulo>§ 1º</Rotulo>'
    body = (
        f'<Artigo id="art1"{attribute.get("art1", "")}><Rotulo>Art. 1º</Rotulo>'
        + part("Caput", "art1_cpt", words(printed or "Um."))
        + f"{paragraph}{words(printed or 'Dois.')}</Paragrafo></Artigo>"
        + article(2, "<Rotulo>Art. 2º</Rotulo>" + part("Caput", "art2_cpt", words("Três.")))
    )
    store = published(body, *([fact(event, "2001-12-01", fragment)] if event else []))
    answer = text(store, LAW, "2002-01-01", LATE)
    notices = [notice for notice in answer.notices if isinstance(notice, ProvisionsMarked)]
    mark = f"({marked})"
    lines = [line.strip() for line in text_lines(answer)]
    html, xml = text_html(answer), text_xml(answer)
    if marked is None:
        assert notices == []
        assert not any(f"({word})" in html for word in ("revogado", "suspenso", "vetado", "superado"))
        return
    first = {name.partition("!")[2] for notice in notices for name in notice.provisions}
    assert ({notice.situation for notice in notices}, fragment in first) == ({marked}, True)
    assert "art2" not in first
    own = next(line for line in lines if line.startswith("Art. 1º" if fragment == "art1" else "§ 1º"))
    assert mark in own or lines[lines.index(own) + 1] == mark
    assert f"{mark}</p>" in next(line for line in html.splitlines() if f'id="{fragment}"' in line)
    assert f'id="{fragment}" situacao="{marked}"' in xml
    if not event:
        assert next(p for p in answer.provisions if p.name.endswith(fragment)).situation == marked
    if not event:
        (block,) = [block for block in blocks_of(answer.provisions) if fragment in block.fragments]
        assert block.situation_noted == marked
