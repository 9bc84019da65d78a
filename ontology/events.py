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


class EventKind(StrEnum):
    """The kinds of events; the values are the words in names (LexML 1.0 part 2, section 12.3)."""

    ASSINATURA = "assinatura"
    INICIATIVA = "iniciativa"
    JULGAMENTO = "julgamento"
    PUBLICACAO = "publicacao"
    ALTERACAO = "alteracao"
    RETIFICACAO = "retificacao"
    REPUBLICACAO = "republicacao"
    ANULACAO = "anulacao"
    DECLARACAO_INCONSTITUCIONALIDADE = "declaracao.inconstitucionalidade"
    DERRUBADA_VETO_PARCIAL = "derrubada.veto.parcial"
    DERRUBADA_VETO_TOTAL = "derrubada.veto.total"
    ANOTACAO = "anotacao"
    TEXTO_ATUALIZADO = "texto.atualizado"
    LEITURA = "leitura"
    ENTRADA_VIGOR = "entrada.vigor"
    REVOGACAO = "revogacao"
    CADUCIDADE = "caducidade"
    SUSPENSAO = "suspensao"
    RESTABELECIMENTO = "restabelecimento"
    REPRISTINACAO = "repristinacao"
    INICIO_EFICACIA = "inicio.eficacia"
    PRORROGACAO_VACATIO = "prorrogacao.vacatio"
    CONVERSAO = "conversao"
    REJEICAO = "rejeicao"
    RESTAURACAO = "restauracao"
    VETO = "veto"
    REDACAO = "redacao"
    SUPERACAO = "superacao"
    RENUMERACAO = "renumeracao"
    VIGENCIA_PROPRIA = "vigencia.propria"
    INICIO_VIGENCIA = "inicio.vigencia"
    INTERPRETACAO_CONFORME = "interpretacao.conforme"
    INCONSTITUCIONALIDADE_SEM_REDUCAO_TEXTO = "inconstitucionalidade.sem.reducao.texto"
    VOTACAO = "votacao"
    SANCAO = "sancao"
    PROMULGACAO = "promulgacao"
    EDICAO = "edicao"


#: The events of a wording whose veto was overturned.
OVERTURNED_VETOES = frozenset({EventKind.DERRUBADA_VETO_PARCIAL, EventKind.DERRUBADA_VETO_TOTAL})
#: Events that make a first text; every other one presupposes a text before it (LexML 1.0 part 2, section 12.1).
FIRST_TEXT_EVENTS = (
    EventKind.ASSINATURA,
    EventKind.INICIATIVA,
    EventKind.JULGAMENTO,
    EventKind.LEITURA,
    EventKind.PUBLICACAO,
)
#: Events that make a version or view and leave the words unchanged.
WORDLESS_EVENTS = frozenset({EventKind.PRORROGACAO_VACATIO, EventKind.ENTRADA_VIGOR})


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
            _official(EventKind.ASSINATURA, 0),
            _official(EventKind.INICIATIVA, 0),
            _official(EventKind.JULGAMENTO, 0),
            _official(EventKind.PUBLICACAO, 1),
            _official(EventKind.ALTERACAO, 2),
            _official(EventKind.RETIFICACAO, 4),
            _official(EventKind.REPUBLICACAO, 3),
            _official(EventKind.ANULACAO, 6, Effect.ANNULS),
            _official(EventKind.DECLARACAO_INCONSTITUCIONALIDADE, 6, Effect.ANNULS),
            _official(EventKind.DERRUBADA_VETO_PARCIAL, 5),
            _official(EventKind.DERRUBADA_VETO_TOTAL, 5),
            _official(EventKind.ANOTACAO, 7),
            _official(EventKind.TEXTO_ATUALIZADO, 7),
            _official(EventKind.LEITURA, 0),
            _own_term(EventKind.ENTRADA_VIGOR),
            _own_term(EventKind.REVOGACAO, Effect.REVOKES),
            _own_term(EventKind.CADUCIDADE, Effect.EXPIRES),
            _own_term(EventKind.SUSPENSAO, Effect.SUSPENDS),
            _own_term(EventKind.RESTABELECIMENTO, Effect.REINSTATES),
            _own_term(EventKind.REPRISTINACAO, Effect.RESTORES),
            _own_term(EventKind.INICIO_EFICACIA, Effect.STARTS_EFFICACY),
            _own_term(EventKind.PRORROGACAO_VACATIO),
            _own_term(EventKind.CONVERSAO, Effect.CONVERTS),
            _own_term(EventKind.REJEICAO, Effect.EXPIRES),
            _own_term(EventKind.RESTAURACAO, Effect.RESTORES_WORDING),
            _own_term(EventKind.VETO, Effect.VETOES),
            _own_term(EventKind.REDACAO, Effect.RESTORES_WORDING),
            _own_term(EventKind.SUPERACAO, Effect.RESTORES_WORDING),
            _own_term(EventKind.RENUMERACAO, Effect.EXPIRES),
            _own_term(EventKind.VIGENCIA_PROPRIA, Effect.STARTS_FORCE),
            _own_term(EventKind.INICIO_VIGENCIA, Effect.STARTS_FORCE),
            _own_term(EventKind.INTERPRETACAO_CONFORME, Effect.INTERPRETS),
            _own_term(EventKind.INCONSTITUCIONALIDADE_SEM_REDUCAO_TEXTO, Effect.INTERPRETS),
            _own_term(EventKind.VOTACAO),
            _own_term(EventKind.SANCAO),
            _own_term(EventKind.PROMULGACAO),
            _own_term(EventKind.EDICAO),
        )
    }
)


#: Events that only say who took part in an act. They are read from its text; no fact states one.
PARTICIPATIONS = frozenset({EventKind.VOTACAO, EventKind.SANCAO, EventKind.PROMULGACAO, EventKind.EDICAO})


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
