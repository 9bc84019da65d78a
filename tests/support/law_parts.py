"""Parts of LexML XML documents and curated facts of a fictional law, for tests that need the records or the store."""

from __future__ import annotations

import io
from functools import partial

from graph.entities import Record
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.sources.facts import read_facts
from loaders.sources.lexml_xml import read_lexml_xml

LAW = "urn:lex:br:federal:lei:2001-03-05;99960"
LATE = "2010-01-01"
PUBLISHED = (
    '<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>'
)


def change(identifier: str, day: str, number: int, local: str, kind: str = "ModificacaoTextual") -> str:
    source = f"urn:lex:br:federal:lei:{day};{number}@{day};publicacao;{day}"
    inner = f'<{kind} FonteURN="{source}" AlvoLocal="{local}"/>'
    return f'<Evento id="{identifier}" data="{day}"><AlteracaoFragmento>{inner}</AlteracaoFragmento></Evento>'


def part(element: str, fragment: str, inside: str, *, begins: str = "", ends: str = "") -> str:
    attributes = f' eventoInicial="#{begins}"' if begins else ""
    attributes += f' eventoFinal="#{ends}"' if ends else ""
    return f'<{element} id="{fragment}"{attributes}>{inside}</{element}>'


def words(text: str) -> str:
    return f"<p>{text}</p>"


def article(number: int, inside: str, *, begins: str = "", ends: str = "") -> str:
    return part("Artigo", f"art{number}", inside, begins=begins, ends=ends)


#: Two articles with their labels; then the same in a chapter, with a third article after it.
BODY = "".join(
    article(number, f"<Rotulo>Art. {number}º</Rotulo>" + part("Caput", f"art{number}_cpt", f"<p>Palavra {number}.</p>"))
    for number in (1, 2)
)
CHAPTER = part("Capitulo", "cap1", f"<Rotulo>CAPÍTULO I</Rotulo>{BODY}") + article(
    3, part("Caput", "art3_cpt", "<p>Palavra 3.</p>")
)
#: Three other articles.
THREE_ARTICLES = "".join(
    article(number, f"<Rotulo>Art. {number}º</Rotulo>" + part("Caput", f"art{number}_cpt", f"<p>Ponte {number}.</p>"))
    for number in (1, 2, 3)
)


def fact(event: str, day: str, fragment: str) -> str:
    return f'[[facts]]\nnorm = "{LAW}!{fragment}"\nevent = "{event}"\neffect = {day}\nknown = {day}\ncurator = "A"\n'


def ended(event: str, day: str) -> str:
    """Return a fact on the norm itself."""
    return fact(event, day, "").replace(f"{LAW}!", LAW)


def xml_records(raw: bytes) -> list[Record]:
    outcomes = read_lexml_xml(SourceDocument("a.xml", partial(io.BytesIO, raw)))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def fact_records(written: str) -> list[Record]:
    outcomes = read_facts(SourceDocument("f.toml", partial(io.BytesIO, written.encode())))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def law_records(events: str, body: str, *facts: str, name: str = LAW) -> list[Record]:
    raw = (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{name}"/><CicloDeVida>{PUBLISHED}'
        f"{events}</CicloDeVida></Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    ).encode()
    records = xml_records(raw)
    for written in facts:
        records += fact_records(written)
    assert len(records) == 1 + len(facts)
    return records


def law(events: str, body: str, *facts: str, name: str = LAW) -> WritableStore:
    store = in_memory()
    store.apply(law_records(events, body, *facts, name=name))
    return store
