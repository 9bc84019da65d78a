"""Provisions, their wordings and the texts of these: most of the triples of a norm, so written with care for speed.

A wording has a version of its own only where it came to be: what a later version leaves unchanged points at the version
that made it. The text of a whole version points at the texts of its parts (R5), so that they can be put together again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from graph.civil import When
from graph.entities import Coverage, Event, Provision, Record, Situation, Wording
from graph.mapping.documents import DEFAULT_FORM, is_legal, map_event
from graph.mapping.lines import Lines
from graph.terms import boolean, day, iri, number, string
from graph.urn import Forma, Fragmento, Name
from ontology.events import FIRST_TEXT_EVENTS, event_iri, rank
from ontology.iris import hashed_iri
from ontology.namespaces import CRM, ELI, FRBROO, RDF, VIG

_TYPE = iri(RDF["type"])
_WORK = f"{_TYPE} {iri(FRBROO['F15_Complex_Work'])} ."
_SUBDIVISION = f"{_TYPE} {iri(ELI['LegalResourceSubdivision'])} ."
_VERSION = f"{_TYPE} {iri(FRBROO['F14_Individual_Work'])} ."
_TEXT = f"{_TYPE} {iri(FRBROO['F22_Self-Contained_Expression'])} ."
_NAME = iri(VIG["nome"])
_PROVISION_OF = iri(VIG["dispositivoDe"])
_WITHIN = iri(VIG["contidoEm"])
_OWN_LIFE = iri(VIG["vidaPropriaEm"])
_OCCUPIED = iri(VIG["ocupadoPor"])
_WORDS = iri(VIG["daRedacaoA"])
_MEMBER = iri(FRBROO["R10_has_member"])
_REALISED = iri(FRBROO["R3_is_realised_in"])
_COMPONENT = iri(FRBROO["R5_has_component"])
_CITES = iri(CRM["P67_refers_to"])
_CONTENT = iri(CRM["P190_has_symbolic_content"])
_LABEL = iri(VIG["rotulo"])
_HEADING = iri(VIG["nomeAgrupador"])
_MARKUP = iri(VIG["marcacao"])
_SITUATION = iri(VIG["situacaoTexto"])
_ORDER = iri(VIG["ordem"])
_UNSTRUCK = iri(VIG["naoTachado"])
_INFERRED = iri(VIG["causaInferida"])
_INSERTS = iri(VIG["insercao"])


_SIGNED = "assinatura"
_COVERED = {Coverage.WHOLE: VIG["textoCompleto"], Coverage.HISTORY: VIG["textoComposto"]}


@dataclass(frozen=True, slots=True)
class _Edition:
    """What all wordings of one version share: the beginnings of their IRIs and the triples that date them."""

    name: Name | None
    version: str | None
    text: str
    dates: tuple[str, ...]
    first: bool


def map_provisions(lines: Lines, record: Record, document: Name) -> None:
    """The provisions of a record, whose document has that name.

    Those with a life of their own are touched: they have words from more than the one text of the record, or words that
    presuppose others.
    """
    editions: dict[str | None, _Edition] = {}
    work, form = document.work, document.forma or DEFAULT_FORM
    for version, _ in record.versions if record.coverage is Coverage.HISTORY else ():
        if version.event != _SIGNED:  # what is signed is not printed: its words are those of no source
            editions[version.canonical] = _edition(work, version, form)
    base, legal = work.iri, is_legal(work)
    anchored = {document.individual, *(version for version, _ in record.versions)}
    for provision in record.provisions:
        node = f"{base}!{provision.fragment}"
        said = [
            f"<{node}> {_WORK}",
            f"<{node}> {_NAME} {string(f'{work.canonical}!{provision.fragment}')} .",
            f"<{node}> {_PROVISION_OF} <{base}> .",
        ]
        if legal:
            said.append(f"<{node}> {_SUBDIVISION}")
        if provision.within is not None:
            said.append(f"<{node}> {_WITHIN} <{base}!{provision.within}> .")
        place, comma, _ = provision.fragment.partition(",")
        if comma:
            said.append(f"<{base}!{place}> {_OCCUPIED} <{node}> .")
        if provision.words is not None:
            said.append(f"<{node}> {_WORDS} {iri(provision.words.iri)} .")
        for wording in provision.wordings:
            key = wording.version.canonical if wording.version is not None else None
            edition = editions.get(key)
            if edition is None:
                edition = editions[key] = _edition(work, wording.version, form)
            _wording(said, node, provision, wording, edition)
        if record.coverage is not Coverage.WHOLE and _lives(provision, anchored, editions):
            said.append(f"<{node}> {_OWN_LIFE} <{base}> .")
            lines.touched.add(node)
        lines.extend(said)
        for event in _vetoed(work, provision):
            map_event(lines, event)
    covered = _COVERED.get(record.coverage)
    if covered is not None:
        for edition in editions.values():
            lines.add(edition.text, covered, boolean(True))


def _vetoed(work: Name, provision: Provision) -> Iterator[Event]:
    """The veto of a provision that a source prints as vetoed, dated as the version that prints it so.

    None where the provision has other words at any time: after them the vetoed words never replaced them, and before
    them the veto was overturned or another norm gave the provision its words.
    """
    if not all(wording.situation is Situation.VETADO for wording in provision.wordings):
        return
    version = provision.wordings[0].version if provision.wordings else None
    if version is not None and version.version_date is not None and version.view_date is not None:
        target = work.with_fragmento(Fragmento((provision.fragment,)))
        yield Event("veto", target, When.on(version.version_date), When.on(version.view_date))


def _edition(work: Name, version: Name | None, form: Forma) -> _Edition:
    text = (version or work).with_forma(form)
    if version is None:
        return _Edition(None, None, text.iri, (), first=True)
    dates = [f"{iri(VIG['ordemVisao'])} {number(rank(version.event))} ."]
    if version.version_date is not None:
        dates.append(f"{iri(VIG['dataVersao'])} {day(version.version_date)} .")
    if version.view_date is not None:
        dates.append(f"{iri(VIG['dataVisao'])} {day(version.view_date)} .")
    if version.event is not None:
        dates.append(f"{iri(VIG['eventoVisao'])} {iri(event_iri(version.event))} .")
    if version.versao is not None and version.versao.palavra is not None:
        dates.append(f"{iri(VIG['palavraVersao'])} {string(version.versao.palavra)} .")
    first = version.event is None or version.event in FIRST_TEXT_EVENTS
    return _Edition(version, version.iri, text.iri, tuple(dates), first)


def _lives(provision: Provision, anchored: Collection[Name | None], editions: Mapping[str | None, _Edition]) -> bool:
    """Whether a provision's words are more than one first text of the norm itself."""
    if len(provision.wordings) != 1:
        return bool(provision.wordings)
    version = provision.wordings[0].version
    return version is not None and not (version in anchored and editions[version.canonical].first)


def _wording(said: list[str], node: str, provision: Provision, wording: Wording, edition: _Edition) -> None:
    text = f"<{edition.text}!{provision.fragment}>"
    if edition.version is not None and edition.name is not None and _has_no_words(provision, wording):
        version = f"<{edition.version}!{provision.fragment}>"
        said += [f"<{node}> {_MEMBER} {version} .", f"{version} {_VERSION}"]
        said.extend(f"{version} {dated}" for dated in edition.dates)
        said.extend(_made(node, wording, provision, edition.name, edition.version))
        return
    if edition.version is None or edition.name is None:
        said.append(f"<{node}> {_REALISED} {text} .")
    else:
        version = f"<{edition.version}!{provision.fragment}>"
        said.append(f"<{node}> {_MEMBER} {version} .")
        said.append(f"{version} {_VERSION}")
        said.extend(f"{version} {dated}" for dated in edition.dates)
        said.append(f"{version} {_REALISED} {text} .")
    said.append(f"<{edition.text}> {_COMPONENT} {text} .")
    said.append(f"{text} {_TEXT}")
    said.append(f"{text} {_ORDER} {number(provision.order)} .")
    for property_, value in (
        (_LABEL, wording.label),
        (_HEADING, wording.heading),
        (_CONTENT, wording.text),
        (_MARKUP, wording.markup),
        (_SITUATION, wording.situation),
    ):
        if value is not None:
            said.append(f"{text} {property_} {string(value)} .")
    said.extend(f"{text} {_CITES} {iri(cited.iri)} ." for cited in wording.cites)
    if wording.unstruck:
        said.append(f"{text} {_UNSTRUCK} {boolean(True)} .")
    if wording.inferred:
        said.append(f"{text} {_INFERRED} {boolean(True)} .")
    if edition.version is not None and edition.name is not None:
        said.extend(_made(node, wording, provision, edition.name, edition.version))


def _has_no_words(provision: Provision, wording: Wording) -> bool:
    """Whether a wording says no more than that there is a version: of no document, and without words."""
    said = (wording.label, wording.heading, wording.text, wording.markup, wording.situation)
    return provision.order == 0 and not any(said)


def _made(node: str, wording: Wording, provision: Provision, edition: Name, version: str) -> Iterator[str]:
    """Whether a version inserts the provision, and which act made it."""
    if wording.inserts:
        yield f"<{version}!{provision.fragment}> {_INSERTS} {boolean(True)} ."
    if wording.cause is None:
        return
    yield from _conceived(node, f"<{version}!{provision.fragment}>", wording.cause, edition)
    causing = wording.cause.provision
    if causing is not None:
        yield f"{iri(causing.iri)} {_PROVISION_OF} {iri(wording.cause.work.iri)} ."


def _conceived(node: str, version: str, cause: Name, edition: Name) -> Iterator[str]:
    """The event by which a provision came to read so, and what caused it."""
    event = iri(hashed_iri("evento", version[1:-1], cause.canonical))
    yield f"{event} {_TYPE} {iri(CRM['E5_Event'])} ."
    yield f"{event} {_TYPE} {iri(FRBROO['F27_Work_Conception'])} ."
    yield f"{event} {iri(CRM['P2_has_type'])} {iri(event_iri(edition.event or 'alteracao'))} ."
    yield f"{event} {iri(VIG['alvo'])} <{node}> ."
    yield f"{event} {iri(VIG['causadoPor'])} {iri((cause.provision or cause.work).iri)} ."
    yield f"{event} {iri(FRBROO['R16_initiated'])} {version} ."
    if edition.version_date is not None:
        yield f"{event} {iri(VIG['dataEfeito'])} {day(edition.version_date)} ."
    if edition.view_date is not None:
        yield f"{event} {iri(VIG['dataConhecimento'])} {day(edition.view_date)} ."
