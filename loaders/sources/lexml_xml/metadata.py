"""The metadata of a document: its name, relations and copies, and whether it is a bill (LexML part 3, section 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graph.entities import Item, Relation, RelationKind, Text
from graph.errors import BadRecord
from graph.urn import Name
from loaders.codes import NoteCode, RefusalCode
from loaders.identity import identity, shown
from loaders.sources.lexml_xml.words import HREF, read_name, unslashed, words, year_again
from loaders.xml import Element, local_name, spaced, value

#: What is read of the metadata.
_SECTIONS = frozenset({"Identificacao", "Contexto", "CicloDeVida", "EventosGerados", "Notas"})
_SECTION = "LexML part 3, section 8"
_EVENT_WORDS = {
    "Publicacao": "publicacao",
    "Retificacao": "retificacao",
    "Republicacao": "republicacao",
    "ModificacaoTextual": "alteracao",
}
_LINKS = {
    "EquivalenteA": RelationKind.EQUIVALENTE_A,
    "SucessorLogicoDe": RelationKind.SUCESSOR_LOGICO_DE,
    "PublicacaoOficial": RelationKind.PUBLICACAO_OFICIAL,
    "EmConformidadeCom": RelationKind.EM_CONFORMIDADE_COM,
    "FRBRObraIndividualComplementar": RelationKind.OBRA_COMPLEMENTAR,
}
# Document types of what is proposed and not law: what such a document would change, it does not change.
_PROPOSALS = re.compile(r"(?:projeto|proposta|substitutivo|anteprojeto|emenda(?!\.constitucional)|requerimento)\b")
_URL = re.compile(r"(?:https?|ftp)://[^\s/]+", re.ASCII)


@dataclass(slots=True)
class Context:
    """What ``Contexto`` and ``Notas`` say of the document."""

    relations: list[Relation] = field(default_factory=list)
    nicknames: list[Text] = field(default_factory=list)
    index_terms: list[Text] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    notes: list[tuple[NoteCode, str]] = field(default_factory=list)


def is_proposal(name: Name) -> bool:
    """Whether a document is a bill or another proposal, by its type."""
    return _PROPOSALS.match(name.tipo_documento[0]) is not None


def document_name(metadata: Element | None) -> Name:
    """The name of the document: ``Identificacao/@URN``, or put together from what ``Identificacao`` holds (0.7).

    A version's name may leave its event open in 0.7: the event of the life cycle on the day of the view is taken, where
    there is one. Of a text that holds many versions (``@multivigente``) the work's name is taken.

    Raises:
        BadRecord: ``no-document`` where there is no name; as :func:`loaders.identity.identity`.
    """
    section = metadata.find("{*}Identificacao") if metadata is not None else None
    if section is None or metadata is None:
        raise BadRecord(RefusalCode.NO_DOCUMENT, "the document has no Metadado/Identificacao", f"its name, {_SECTION}")
    written = _numbered((section.get("URN") or "").strip() or _put_together(section))
    asked = read_name(written)
    if asked is not None and asked.provision is not None:
        problem = f"{shown(written)} names a provision, not a document"
        raise BadRecord(RefusalCode.NO_DOCUMENT, problem, f"the name of the whole document, {_SECTION}")
    if asked is not None and asked.versao is not None and asked.versao.palavra == "multivigente":
        return asked.work
    if asked is not None and asked.versao is not None and asked.event is None and asked.view_date is not None:
        event = _event_on(metadata, asked.view_date.isoformat())
        if event is not None:
            return identity(asked.with_evento(event).canonical)
    return identity(written)


def _numbered(written: str) -> str:
    """A name with ``-`` for the slash of a number; of a norm, whose year a slash may part from the number, as it is."""
    kind = written.split(":")[4:5]
    is_doubtful = year_again(written) and not (kind and _PROPOSALS.match(kind[0]))
    return written if is_doubtful else unslashed(written)


def _put_together(section: Element) -> str:
    """The 0.7 name of the parts of an ``Identificacao`` (annex 1; part 2 of version 0.7 for the order)."""

    def pointed(*path: str) -> str:
        found = section.find("/".join(f"{{*}}{step}" for step in path))
        href = (found.get(HREF) or "").strip() if found is not None else ""
        return re.split(r"[#/]", href)[-1]

    def texts(*path: str) -> list[str]:
        return [value(found) for found in section.iterfind("/".join(f"{{*}}{step}" for step in path))]

    document = "IdentificadorDocumento"
    day = texts(document, "DataRepresentativa")
    number = texts(document, "Identificador")
    if not day or not number:
        raise BadRecord(
            RefusalCode.NO_DOCUMENT,
            "the Identificacao has neither a URN nor an IdentificadorDocumento",
            f"one of them, {_SECTION} and annex 1",
        )
    place = pointed("JurisdicaoAutoridade") or "br"
    descriptor = ";".join([number[0], *texts(document, "IdentificadorComponente")])
    name = f"urn:lex:{place}:{pointed('Autoridade')}:{pointed('TipoDocumento')}:{day[0]};{descriptor}"
    version, view = texts("DataVersao"), texts("DataVisao")
    if version:
        name += f"@{version[0]}" + (f"!{view[0]}" if view else "")
    content = pointed("FormaConteudo", "TipoConteudo")
    languages = [re.split(r"[#/]", (found.get(HREF) or "").strip())[-1] for found in section.iter("{*}Lingua")]
    if content:
        name += f"~{content}" + (f";{','.join(filter(None, languages))}" if any(languages) else "")
    return name


def _event_on(metadata: Element, day: str) -> str | None:
    """The event of the life cycle that made a text on a day; None where it tells none, or several."""
    found = {
        _EVENT_WORDS[kind]
        for event in metadata.iterfind("{*}CicloDeVida/{*}Evento")
        if (event.get("data") or "").strip() == day
        for child in event.iter("{*}*")
        if (kind := local_name(child.tag)) in _EVENT_WORDS
    }
    return found.pop() if len(found) == 1 else None


def read_context(metadata: Element, document: Name) -> Context:
    """Nicknames, relations, index terms and copies from ``Contexto``; of several works the named one counts."""
    found = Context()
    section = metadata.find("{*}Identificacao")
    written = (section.get("URN") or "").strip() if section is not None else ""
    if _numbered(written) != written:
        message = f"{shown(written)} has a slash in a number, in the place of which a name has '-'"
        found.notes.append((NoteCode.SLASH_REPLACED, message))
    for note in metadata.iterfind("{*}Notas/{*}Nota"):
        text = words([note])
        if text is not None:
            found.remarks.append(Text(text))
    unused = [local_name(one.tag) for one in metadata.iterchildren("*") if local_name(one.tag) not in _SECTIONS]
    if unused:
        message = f"<{'>, <'.join(unused[:5])}> in Metadado: {len(unused)} sections that are not used"
        found.notes.append((NoteCode.NOT_USED, message))
    works = list(metadata.iterfind("{*}Contexto/{*}FRBRObraComplexa"))
    own = [work for work in works if read_name((work.get("URN") or "").strip()) == document.work]
    for work in own or works[:1]:
        for element in _told(work):
            _read(found, element)
    for other in works:
        if other not in (own or works[:1]):
            message = f"FRBRObraComplexa {shown(other.get('URN') or '')} is another work: left out"
            found.notes.append((NoteCode.UNREAD_ELEMENT, message))
    return found


def _told(work: Element) -> Iterator[Element]:
    """What is said of a work and of its individual work, not of those that go with it."""
    for child in work.iterchildren("*"):
        if local_name(child.tag) == "FRBRObraIndividual":
            yield from child.iterchildren("*")
        else:
            yield child


def _read(found: Context, element: Element) -> None:
    kind = local_name(element.tag)
    written = (element.get("URN") or "").strip()
    if kind == "Apelido":
        shown_as = spaced(element.get("showAs") or "")
        if shown_as or written:
            found.nicknames.append(Text(shown_as or written.rpartition(":")[2].replace(".", " ")))
    elif kind == "Indexacao":
        text = spaced(value(element))
        if text:
            found.index_terms.append(Text(text))
    elif kind == "FRBRItem":
        href = (element.get(HREF) or "").strip()
        if _URL.match(href):
            found.items.append(Item(href, format=(element.get("mimetype") or "").strip() or None))
        elif href and element.get("id") != "self":
            found.notes.append((NoteCode.BAD_URL, f"FRBRItem {shown(href)} is not an absolute address: left out"))
    elif kind in _LINKS:
        name = read_name(written)
        if name is None:
            found.notes.append((NoteCode.RELATION_REFUSED, f"{kind} {shown(written)} is no name: left out"))
        else:
            found.relations.append(Relation(_LINKS[kind], name))
    else:
        found.notes.append((NoteCode.UNREAD_ELEMENT, f"<{kind}> in Contexto is not in LexML XML: left out"))
