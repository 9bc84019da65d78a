"""The event vocabulary: the events, their rank among the views of one day, and their effects.

``eventos.ttl`` has the same events with labels and definitions; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from ontology.iris import vocab_iri

#: The last segment of the vocabulary's IRI (LexML part 6).
SCHEME = "evento"
#: Rank of an event word that the official vocabulary does not have.
_OUTSIDE = 8
#: Rank of a view without a stated event: any named event of that day is later.
_NO_EVENT = -1


#: The events of a wording whose veto was overturned.
OVERTURNED_VETOES = frozenset({"derrubada.veto.parcial", "derrubada.veto.total"})
#: Events that make a first text; every other one presupposes a text before it (LexML 1.0 part 2, section 12.1).
FIRST_TEXT_EVENTS = ("assinatura", "iniciativa", "julgamento", "leitura", "publicacao")
#: Events that make a version or view and leave the words unchanged.
WORDLESS_EVENTS = frozenset({"prorrogacao.vacatio", "entrada.vigor"})


class Effect(StrEnum):
    """The effect of an event on its target; an event without an effect only makes a view, or sets or moves a start.

    An event that interprets its target changes neither its force, nor its efficacy, nor its words.
    """

    REVOKES = "revokes"
    ANNULS = "annuls"
    EXPIRES = "expires"
    RESTORES = "restores"
    SUSPENDS = "suspends"
    REINSTATES = "reinstates"
    STARTS_EFFICACY = "starts-efficacy"
    CONVERTS = "converts"
    RESTORES_WORDING = "restores-wording"
    VETOES = "vetoes"
    STARTS_FORCE = "starts-force"
    INTERPRETS = "interprets"


@dataclass(frozen=True, slots=True)
class EventTerm:
    """A term of the event vocabulary.

    Attributes:
        notation: the word in a name, e.g. ``"publicacao"`` (LexML 1.0 part 2, section 12.3).
        iri: the concept's IRI.
        official: whether LexML's own vocabulary has it; else it is a term of Vigente.
        order: rank among views made on one day; the highest is the latest.
        effect: what it does to its target, or None.
    """

    notation: str
    iri: str
    official: bool
    order: int
    effect: Effect | None


def interprets(notation: str | None) -> bool:
    """Return whether an event only interprets its target: Lei 9.868/1999, art. 28, sole paragraph.

    >>> interprets("interpretacao.conforme"), interprets("anulacao"), interprets(None)
    (True, False, False)
    """
    term = EVENTS.get(notation or "")
    return term is not None and term.effect is Effect.INTERPRETS


def event_iri(notation: str) -> str:
    """Return the IRI of an event word, even if the vocabulary does not have the word.

    >>> event_iri("publicacao")
    'https://w3id.org/vigente/vocab/evento/publicacao'

    Raises:
        ValueError: the word is empty or contains a lone surrogate.
    """
    return vocab_iri(SCHEME, notation)


def _official(notation: str, order: int, effect: Effect | None = None) -> EventTerm:
    return EventTerm(notation, event_iri(notation), official=True, order=order, effect=effect)


def _own_term(notation: str, effect: Effect | None = None) -> EventTerm:
    return EventTerm(notation, event_iri(notation), official=False, order=_OUTSIDE, effect=effect)


#: Every term by its notation: the official ones in their official order, then ours.
EVENTS: Mapping[str, EventTerm] = MappingProxyType(
    {
        term.notation: term
        for term in (
            _official("assinatura", 0),
            _official("iniciativa", 0),
            _official("julgamento", 0),
            _official("publicacao", 1),
            _official("alteracao", 2),
            _official("retificacao", 4),
            _official("republicacao", 3),
            _official("anulacao", 6, Effect.ANNULS),
            _official("declaracao.inconstitucionalidade", 6, Effect.ANNULS),
            _official("derrubada.veto.parcial", 5),
            _official("derrubada.veto.total", 5),
            _official("anotacao", 7),
            _official("texto.atualizado", 7),
            _official("leitura", 0),
            _own_term("entrada.vigor"),
            _own_term("revogacao", Effect.REVOKES),
            _own_term("caducidade", Effect.EXPIRES),
            _own_term("suspensao", Effect.SUSPENDS),
            _own_term("restabelecimento", Effect.REINSTATES),
            _own_term("repristinacao", Effect.RESTORES),
            _own_term("inicio.eficacia", Effect.STARTS_EFFICACY),
            _own_term("prorrogacao.vacatio"),
            _own_term("conversao", Effect.CONVERTS),
            _own_term("rejeicao", Effect.EXPIRES),
            _own_term("restauracao", Effect.RESTORES_WORDING),
            _own_term("veto", Effect.VETOES),
            _own_term("redacao", Effect.RESTORES_WORDING),
            _own_term("superacao", Effect.RESTORES_WORDING),
            _own_term("renumeracao", Effect.EXPIRES),
            _own_term("vigencia.propria", Effect.STARTS_FORCE),
            _own_term("inicio.vigencia", Effect.STARTS_FORCE),
            _own_term("interpretacao.conforme", Effect.INTERPRETS),
            _own_term("inconstitucionalidade.sem.reducao.texto", Effect.INTERPRETS),
            _own_term("votacao"),
            _own_term("sancao"),
            _own_term("promulgacao"),
            _own_term("edicao"),
        )
    }
)


#: Events that only say who took part in an act. They are read from its text; no fact states one.
PARTICIPATIONS = frozenset({"votacao", "sancao", "promulgacao", "edicao"})


def rank(event: str | None) -> int:
    """Return the rank of a view by its event among the views of one day; the highest is the latest.

    A name without an event (LexML 0.7) precedes any with one; a word outside the official vocabulary is last.

    >>> rank(None) < rank("assinatura") < rank("publicacao") < rank("retificacao") < rank("evento.desconhecido")
    True
    """
    if event is None:
        return _NO_EVENT
    term = EVENTS.get(event)
    return _OUTSIDE if term is None else term.order
