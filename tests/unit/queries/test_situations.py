"""Tests of provisions that a text has and that are not in force, or have no effect: their marks and their status."""

from __future__ import annotations

import pytest

from graph.entities import Record
from graph.store import WritableStore, in_memory
from queries.in_force import in_force
from queries.notices import ProvisionsMarked, Undated, any_of
from queries.text.text import text
from service.render.texts import text_html, text_lines, text_xml
from service.web.text_layout import blocks_of
from tests.unit.queries.test_rules_of_provisions import (
    LATE,
    LAW,
    article,
    fact,
    fact_records,
    part,
    status,
    words,
    xml_records,
)

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


def _article(number: int, *, situation: str = "", first: str = "Um.", second: str = "Dois.") -> str:
    attribute = f' situacao="{situation}"' if situation else ""
    caput = part("Caput", f"art{number}_cpt", words(first))
    return (
        f'<Artigo id="art{number}"{attribute}><Rotulo>Art. {number}º</Rotulo>{caput}'
        f'<Paragrafo id="art{number}_par1"><Rotulo>§ 1º</Rotulo>{words(second)}</Paragrafo></Artigo>'
    )


#: The version of a later whole text and its article 1, if there is one, and whether the superseded text is the later;
#: then D, K, and the status of the article, its caput and its paragraph.
SUPERSEDED = [
    (None, "2001-05-31", LATE, "vacatio"),
    (None, "2001-06-01", LATE, "unknown"),
    (None, "2009-12-31", LATE, "unknown"),
    (None, "2009-12-31", "2001-03-05", "not-published"),
    ("2005-02-01;alteracao;2005-01-15", "2005-01-31", LATE, "unknown"),
    ("2005-02-01;alteracao;2005-01-15", "2005-02-01", LATE, "in-force"),
    ("2005-02-01;alteracao;2005-01-15", "2005-02-01", "2005-01-14", "unknown"),
]


@pytest.mark.parametrize(("later", "on", "known", "expected"), SUPERSEDED)
def test_superseded_wording_is_unknown_until_the_store_has_its_replacement(
    later: str | None, on: str, known: str, expected: str
) -> None:
    store = published(_article(1, situation="superado") + _article(2))
    if later is not None:
        store.apply(whole(_article(1, first="Novo.") + _article(2), later))
    for fragment in ("art1", "art1_cpt", "art1_par1"):
        assert status(store, fragment, on, known) == expected
    answer = in_force(store, f"{LAW}!art1_cpt", on, known)
    if expected == "unknown":
        assert [reason.event for reason in answer.because] == ["superacao"]
        assert any_of(answer.notices, Undated)
        shown = text(store, LAW, on, known)
        assert shown.marks[f"{LAW}!art1"] == "superado"
    if expected == "in-force":
        assert [p.text for p in text(store, LAW, on, known).provisions][1] == "Novo."
        assert status(store, "art2_cpt", on, known) == "in-force"


#: The provisions that an overridden veto restores, and the status of the article, its caput and its paragraph before
#: that day and from it on.
_CAPUT_ONLY = ("vetoed vetoed vetoed", "in-force in-force vetoed")
_OVERRIDING = "derrubada.veto.parcial"
OVERRIDDEN = {
    "none": ((), ("vetoed vetoed vetoed", "vetoed vetoed vetoed")),
    "caput": (((_OVERRIDING, "art2_cpt", True),), _CAPUT_ONLY),
    "caput without words": ((("repristinacao", "art2_cpt", False),), _CAPUT_ONLY),
    "paragraph": (((_OVERRIDING, "art2_par1", True),), ("vetoed vetoed vetoed", "vetoed vetoed in-force")),
    "article": (((_OVERRIDING, "art2", False),), ("vetoed vetoed vetoed", "in-force in-force in-force")),
}


@pytest.mark.parametrize("case", OVERRIDDEN)
def test_veto_reaches_the_parts_and_its_override_only_what_it_names(case: str) -> None:
    overriding, expected = OVERRIDDEN[case]
    store = published(_article(1) + _article(2, situation="vetado"))
    for event, fragment, has_text in overriding:  # in a later transaction: the article depends on its caput
        written = fact(event, "2004-06-01", fragment) + ('text = "Um."\n' if has_text else "")
        store.apply(fact_records(written))
    for day, statuses in zip(("2004-05-31", "2004-06-01"), expected, strict=True):
        assert [status(store, fragment, day) for fragment in ("art2", "art2_cpt", "art2_par1")] == statuses.split()
    if case == "caput":
        assert text(store, LAW, "2004-06-01", LATE).marks == {f"{LAW}!art2_par1": "vetado"}


@pytest.mark.parametrize("overridden", ["art2", "art2_cpt"])
def test_caput_is_vetoed_where_only_a_fact_on_its_article_states_the_veto(overridden: str) -> None:
    """Check words that a source has only from the overriding on."""
    overriding = fact(_OVERRIDING, "2004-06-01", "art2_cpt") + 'text = "Um."\n'
    article_too = [fact(_OVERRIDING, "2004-06-01", "art2")] if overridden == "art2" else []
    store = published(_article(1), fact("veto", "2001-06-01", "art2"), overriding, *article_too)
    days = ("2001-05-31", "2001-06-01", "2004-05-31", "2004-06-01")
    assert [status(store, "art2_cpt", day) for day in days] == ["vacatio", "vetoed", "vetoed", "in-force"]
    assert [status(store, "art2", day) for day in days[1:3]] == ["vetoed", "vetoed"]
