"""Records of fictional laws in short form: LexML documents with their events, and curated facts."""

from __future__ import annotations

import io
from functools import partial

from graph.entities import Record
from loaders.documents import SourceDocument
from loaders.sources.facts import read_facts
from loaders.sources.lexml_xml import read_lexml_xml

#: Published on 2001-03-06, in force from 2001-06-01.
PUBLISHED = (
    '<Evento id="p" data="2001-03-06"><Publicacao/></Evento><Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>'
)


def change(identifier: str, day: str, number: int, local: str, kind: str = "ModificacaoTextual") -> str:
    """Return the event of a change of a provision by the law of that day with that number."""
    source = f"urn:lex:br:federal:lei:{day};{number}@{day};publicacao;{day}"
    inner = f'<{kind} FonteURN="{source}" AlvoLocal="{local}"/>'
    return f'<Evento id="{identifier}" data="{day}"><AlteracaoFragmento>{inner}</AlteracaoFragmento></Evento>'


def part(element: str, fragment: str, inside: str, *, begins: str = "", ends: str = "") -> str:
    """Return a part of a text, with the events that begin and end it."""
    attributes = f' eventoInicial="#{begins}"' if begins else ""
    attributes += f' eventoFinal="#{ends}"' if ends else ""
    return f'<{element} id="{fragment}"{attributes}>{inside}</{element}>'


#: The law of the differences, of two articles in a chapter and a third.
LAW = "urn:lex:br:federal:lei:2001-03-05;99960"
TWO_ARTICLES = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>"))
    for n in (1, 2)
)
CHAPTER = part("Capitulo", "cap1", f"<Rotulo>CAPÍTULO I</Rotulo>{TWO_ARTICLES}") + part(
    "Artigo", "art3", part("Caput", "art3_cpt", "<p>Palavra 3.</p>")
)

#: Three articles.
BODY = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Ponte {n}.</p>"))
    for n in (1, 2, 3)
)


def xml_records(raw: bytes) -> list[Record]:
    """Return the records of a LexML document."""
    outcomes = read_lexml_xml(SourceDocument("a.xml", partial(io.BytesIO, raw)))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def fact_records(written: str) -> list[Record]:
    """Return the records of a file of curated facts."""
    outcomes = read_facts(SourceDocument("f.toml", partial(io.BytesIO, written.encode())))
    return [outcome for outcome in outcomes if isinstance(outcome, Record)]


def law(name: str, body: str, events: str = "") -> list[Record]:
    """Return the records of a law with a text and, beside its publication and its start, events."""
    return xml_records(
        (
            f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{name}"/><CicloDeVida>'
            f"{PUBLISHED}{events}</CicloDeVida></Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
        ).encode()
    )


def fact(name: str, event: str, effect: str, known: str | None = None) -> list[Record]:
    """Return the records of a curated fact."""
    return fact_records(
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {known or effect}\ncurator = "A"\n'
    )


def fact_text(name: str, event: str, effect: str, known: str | None = None, curator: str = "A") -> str:
    """Return a curated fact as its file has it."""
    return (
        f'[[facts]]\nnorm = "{name}"\nevent = "{event}"\neffect = {effect}\nknown = {known or effect}\n'
        f'curator = "{curator}"\n'
    )
