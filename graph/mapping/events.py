"""Events: those that make versions, and those that end, suspend or restore what they act on (LexML part 1)."""

from __future__ import annotations

from datetime import date

from graph.entities import Event
from graph.mapping.lines import Lines
from graph.mapping.works import place_provision
from graph.terms import boolean, day, iri, string, when
from graph.urn import Name
from ontology.events import event_iri
from ontology.iris import day_iri, hashed_iri
from ontology.namespaces import CRM, FRBROO, VIG, XSD

# Events that make a text or print it; every other one conceives a work of its own (LexML part 1, figures 3 and 4).
_TEXT_EVENTS = {
    "anotacao": "F28_Expression_Creation",
    "assinatura": "F28_Expression_Creation",
    "publicacao": "F30_Publication_Event",
    "republicacao": "F30_Publication_Event",
    "retificacao": "F28_Expression_Creation",
    "texto.atualizado": "F28_Expression_Creation",
}


def map_cause(lines: Lines, event: str, cause: Name) -> None:
    """What caused an event: a norm or judgment, or a provision of one, which then has its norm beside it."""
    provision = cause.provision
    lines.link(event, VIG["causadoPor"], (provision or cause.work).iri)
    if provision is not None:
        place_provision(lines, provision, cause.work.iri)


def making_of(version: str) -> str:
    """The event that made a version, by the version's IRI."""
    return hashed_iri("evento", version)


def map_making(lines: Lines, kind: str, on: date, work: str, version: str, force: date | None) -> None:
    """The event by which a version came to be known (LexML part 1, figures 3 and 4)."""
    node = making_of(version)
    class_ = _TEXT_EVENTS.get(kind, "F27_Work_Conception")
    lines.a(node, CRM["E5_Event"], FRBROO[class_])
    made = FRBROO["R16_initiated"] if class_ == "F27_Work_Conception" else FRBROO["R19_created_a_realisation_of"]
    lines.link(node, made, version)
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], work)
    lines.maybe(node, VIG["dataEfeito"], force, day)
    lines.add(node, VIG["dataConhecimento"], day(on))
    _time_span(lines, node, on)


def _time_span(lines: Lines, event: str, on: date) -> None:
    """The day as CIDOC CRM wants it: a time-span with both outer bounds."""
    span = day_iri(on)
    lines.link(event, CRM["P4_has_time-span"], span)
    lines.a(span, CRM["E52_Time-Span"])
    moment = iri(XSD["dateTime"])
    lines.add(span, CRM["P82a_begin_of_the_begin"], f'"{on.isoformat()}T00:00:00"^^{moment}')
    lines.add(span, CRM["P82b_end_of_the_end"], f'"{on.isoformat()}T23:59:59"^^{moment}')


def map_happening(lines: Lines, node: str, kind: str, touched: Name, cause: str | None) -> None:
    """A life-cycle event: what it is, on which work or provision it acts, which norm or judgment caused it."""
    lines.a(node, CRM["E5_Event"])
    lines.link(node, CRM["P2_has_type"], event_iri(kind))
    lines.link(node, VIG["alvo"], touched.iri)
    lines.touched.add(touched.iri)
    if touched.provision is not None:
        lines.link(touched.iri, VIG["vidaPropriaEm"], touched.work.iri)
    if cause is not None:
        lines.link(node, VIG["causadoPor"], cause)


def map_event(lines: Lines, event: Event) -> None:
    """A life-cycle event that a source states with its own dates."""
    cause = (event.cause.provision or event.cause.work).iri if event.cause is not None else ""
    touched = event.target.provision or event.target.work
    wording = _member(event.wording) if event.wording is not None else None
    further = [part for part in (wording, "" if event.undoes else "false") if part]
    days = str(event.effect), str(event.known)
    node = hashed_iri("evento", event.kind, touched.canonical, cause, *days, *further)
    map_happening(lines, node, event.kind, touched, None)
    if event.cause is not None:
        map_cause(lines, node, event.cause)
    lines.maybe(node, VIG["dataEfeito"], event.effect, when)
    lines.maybe(node, VIG["dataConhecimento"], event.known, when)
    lines.maybe(node, VIG["contagem"], str(event.counted) if event.counted is not None else None, string)
    if wording is not None:
        lines.link(node, VIG["restauraRedacao"], wording)
    if not event.undoes:
        lines.add(node, VIG["desfazEfeitos"], boolean(False))
    if event.known is not None and event.known.exact is not None:
        _time_span(lines, node, event.known.exact)


def _member(version: Name) -> str:
    """The IRI of a version of a norm or provision, without its form."""
    individual = version.individual or version
    return individual.with_fragmento(version.fragmento).iri if version.fragmento is not None else individual.iri
