"""Who issued an act, as its preamble states: a body, or a state or municipality with its authority."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.urn import parse
from graph.wording.citations.lexicon import UNIT, body_of
from graph.wording.citations.values import place_of
from graph.wording.epigraph import authority_in_vocabulary
from graph.wording.folding import words

#: The enacting words, after which other bodies may be named.
_POWERS = re.compile(r"[,;:]?\s+(?:no uso|usando|no exerc[íi]cio|tendo em vista|considerando|com fundamento)\b", re.I)
#: The verb of the enacting words, and what stands between it and the body.
_VERB = re.compile(
    r"\s+(?:resolve|decreta|determina|estabelece|aprova|institui|expede|adota|edita|delibera|disp[õo]e"
    r"|promulga|recomenda|comunica|autoriza|regulamenta|altera|torna|faz"
    r"|em (?:sua|sess[ãa]o|reuni[ãa]o)|por (?:seu|sua)"
    r"|no desempenho|na forma|nos termos|com base|de acordo|de conformidade|em conformidade)m?\b.*",
    re.I,
)
#: Words for who acts in the place of the holder of an office.
_ACTING = r"(?:substitut[oa]|interin[oa]|em\s+exerc[íi]cio|pro\s+tempore|ad\s+interim)"
_ACTING_AFTER = re.compile(rf"\s+{_ACTING}$", re.I)
_APPROVED = re.compile(
    r"fa[çcz]o?\s+saber\s+que\s+[oa]s?\s+([^,;:]{3,80}?),?\s+(?:aprov|decret|resolv|adot|promulg)", re.I
)
_MINISTER = re.compile(
    r"\bministr[oa](?:[\s-]+chefe)?(?:\s+de\s+estado)?(?:[\s-]+chefe)?"
    rf"(?:,?\s+{_ACTING},?)?\s+(d[aeo]s?\s+[^,;:()]{{3,90}}?)\s*(?:[,;:()]|\s[-–]|$)",
    re.I,
)
_SECRETARY = re.compile(r"\bsecret[áa]ri[oa]\b", re.I)
#: A body whose name tells to which part of the State it belongs.
_BODY = re.compile(
    r"\b(?:(?P<own>ag[êe]ncia\s+nacional|conselho|comiss[ãa]o|tribunal|instituto|superintend[êe]ncia|banco\s+central|comit[êe]"
    r"|senado\s+federal|congresso\s+nacional|c[âa]mara\s+dos\s+deputados|minist[ée]rio|universidade|funda[çc][ãa]o)"
    r"|secretaria|departamento|diretoria-geral|coordena[çc][ãa]o|subsecretaria)\b[^,;:()–]{0,120}",
    re.I,
)
_ACRONYM_AFTER = re.compile(r"\s+-\s.*$|/[A-Z]{2,}$")
_LOCAL = re.compile(
    r"prefeit|munic[íi]pi|c[âa]mara\s+municipal|vereador|governador|assembl[ée]ia\s+legislativa|\bdo estado d", re.I
)
_GOVERNOR = re.compile(
    rf"\b(?:governador[a]?|assembl[ée]ia\s+legislativa)\b.{{0,40}}?\b(?:estado\s+d[aeo]s?|do)\s+({UNIT})\b", re.I
)
_TOWN = re.compile(
    r"\b(?P<body>prefeit[oa]|c[âa]mara)(?:\s+municipal)?(?:\s+de\s+vereadores)?(?:\s+do\s+munic[íi]pio)?\s+d[aeo]\s+"
    rf"(?P<town>[^,;:()–]{{2,60}}?)\s*[,–-]\s*(?:estado\s+d[aeo]s?\s+)?(?P<unit>{UNIT})\b",
    re.I,
)
_OF_TOWN = re.compile(
    r"(?i:\b(?:munic[íi]pio|prefeit[oa]\s+municipal)\s+d[aeo]\s+)"
    r"(?P<town>[A-ZÀ-Ý][\w'-]+(?:\s(?:(?i:d[aeo]s?)\s)?[A-ZÀ-Ý][\w'-]+)*)"
)
_CHAMBER = re.compile(r"\bc[âa]mara\s+(?:municipal|de\s+vereadores)|\bvereador", re.I)
#: The federation, as the preambles of its acts name it.
FEDERAL = re.compile(
    r"\bpresidente\s+da\s+rep[úu]blica\b|\bcongresso\s+nacional\b|\bsenado\s+federal\b|\bc[âa]mara\s+dos\s+deputados\b",
    re.I,
)
#: Types that a municipality issues by its own authority, whoever promulgates them.
_OF_MUNICIPALITY = re.compile(r"\W*(?:lei|emenda)\b", re.I)


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who issued an act.

    Attributes:
        place: the state and the municipality, in the spelling of names; None for a federal act.
        authority: the body, in the spelling of names; None for an act of a sphere of government.
        is_local: whether a state or municipality issued it, also where the preamble does not say which.
    """

    place: str | None = None
    authority: str | None = None
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where texts are from, for those that do not state it.

    Attributes:
        place: the state and the municipality, in the spelling of names; None if it is not known.
        authority: the body, for types that no sphere of government issues by itself; None if it is not known.
        known: the names of norms that the texts cite without number and day, such as the organic law.
    """

    place: str | None = None
    authority: str | None = None
    known: tuple[str, ...] = ()

    @classmethod
    def of(cls, place: str | None = None, authority: str | None = None, known: Sequence[str] = ()) -> Origin:
        """Return an origin from texts that a person wrote.

        Raises:
            BadName: a known name is not a name.
            BadParameter: the place is not in Brazil, or the vocabulary does not have the authority.
        """
        body = authority_in_vocabulary(authority) if authority else None
        where = place_of(place) if place else None
        return cls(where, body, tuple(parse(name).canonical for name in known))

    @property
    def is_local(self) -> bool:
        """Return whether it is a state or a municipality."""
        return self.place not in {None, "br"}


#: No known origin.
NOWHERE = Origin()


def issuer_of(preamble: str, epigraph: str) -> Issuer:
    """Return who issued an act, by its preamble; a body outside the vocabulary is spelled from its words.

    >>> issuer_of("O MINISTRO DE ESTADO DA SAÚDE, no uso de suas atribuições, resolve:", "PORTARIA Nº 1").authority
    'ministerio.saude'
    >>> issuer_of("Faço saber que o Senado Federal aprovou, e eu, Fulano, promulgo", "RESOLUÇÃO Nº 1").authority
    'senado.federal'
    >>> issuer_of("O PREFEITO MUNICIPAL DE VILA FICTÍCIA, Estado da Bahia, no uso", "DECRETO Nº 1")
    Issuer(place='bahia;vila.ficticia', authority=None, is_local=True)
    >>> issuer_of("O PREFEITO MUNICIPAL, faz saber", "LEI Nº 1")
    Issuer(place=None, authority=None, is_local=True)
    """
    plain = " ".join(preamble.split())
    powers = _POWERS.search(plain)
    head = plain[: powers.start() if powers is not None else 400]
    town = _TOWN.search(head)
    if town is not None:
        place = ".".join(words(town["unit"])) + ";" + ".".join(words(town["town"]))
        is_of_chamber = words(town["body"]) == ("camara",) and _OF_MUNICIPALITY.match(epigraph) is None
        return Issuer(place, "camara.municipal" if is_of_chamber else None, is_local=True)
    if _LOCAL.search(head) is not None:
        state = _GOVERNOR.search(head)
        is_of_chamber = _CHAMBER.search(head) is not None and _OF_MUNICIPALITY.match(epigraph) is None
        of_state = ".".join(words(state[1])) if state is not None else None
        return Issuer(of_state, "camara.municipal" if is_of_chamber and of_state is None else None, is_local=True)
    approved = _APPROVED.search(plain)
    if approved is not None and (body := body_of(approved[1])) is not None:
        return Issuer(authority=body)
    minister = _MINISTER.search(head)
    if minister is not None:
        return Issuer(authority=_notation(f"Ministério {_name_only(minister[1])}"))
    if _SECRETARY.search(head) is not None:
        body = _SECRETARY.sub("Secretaria", _name_only(head))
        return Issuer(authority=body_of(body.removeprefix("O ").removeprefix("A ")))
    found = _BODY.search(head)
    if found is None:
        return Issuer()
    name = _name_only(_ACRONYM_AFTER.sub("", _name_only(found[0])))
    return Issuer(authority=_notation(name) if found["own"] else body_of(name))


def other_town(head: str, place: str) -> str | None:
    """Return the municipality that the title and preamble of an act name; None if they name that of a place, or none.

    >>> other_town("O PREFEITO DO MUNICÍPIO DE VILA NOVA sanciona", "br;sao.paulo;vila.ficticia")
    'VILA NOVA'
    """
    own = place.split(";")[2:]
    found = _OF_TOWN.search(head) if own else None
    is_own = found is None or f".{own[0]}." in f".{'.'.join(words(head))}."
    return None if is_own or found is None else found["town"]


def _name_only(text: str) -> str:
    """Return the name of a body without the verb after it, and without the words for who acts for its head.

    >>> _name_only("Conselho Nacional de Justiça resolve"), _name_only("da Educação Substituto")
    ('Conselho Nacional de Justiça', 'da Educação')
    """
    return _ACTING_AFTER.sub("", _VERB.sub("", text).strip())


def _notation(name: str) -> str:
    return body_of(name) or ".".join(words(name))
