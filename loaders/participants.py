"""Who took part in an act, as its text states it: the enacting formula and the signatures.

The formula says which body voted the act, and which authority sanctioned, promulgated or issued it. The text of a bill
has a formula too, which says what is proposed: nobody has taken part yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from graph.entities import Participation, Record, Role
from graph.wording.citations.lexicon import body_of
from graph.wording.folding import folded
from graph.wording.provisions import SIGNATURE
from loaders.amendments import NO_NORM
from loaders.articulated.issuer import issuer_of

#: Bodies and offices in folded words, each with its notation in the vocabulary of authorities.
_ACTORS = (
    (re.compile(r"\bpresident[ea] da republica\b"), "presidencia.republica"),
    (re.compile(r"\bcongresso nacional\b"), "congresso.nacional"),
    (re.compile(r"\bcamara dos deputados\b"), "camara.deputados"),
    (re.compile(r"\bsenado federal\b"), "senado.federal"),
    (re.compile(r"\bassembleia legislativa\b"), "assembleia.legislativa"),
    (re.compile(r"\bcamara legislativa\b"), "camara.legislativa"),
    (re.compile(r"\bcamara (?:municipal|de vereadores)\b"), "camara.municipal"),
    (re.compile(r"\bprefeit[oa]\b"), "prefeitura"),
)
_LOCAL = frozenset({"assembleia.legislativa", "camara.legislativa", "camara.municipal", "prefeitura"})
_VOTED = re.compile(r"\bfa(?:co|z) saber(?: a todos)?,? que [oa]s? ([^,;:]{3,80}?),? (?:decret|aprov)\w+")
_HAS_SAID = re.compile(r"[,:]?\s*\bfa(?:co|z) saber\b")
_SANCTIONS = re.compile(r"\beu\b,?(.{0,160}?)\b(sanciono|promulgo)\b")
_PROMULGATES = re.compile(r"\A(.{3,200}?),? (?:nos termos [^:]{0,200}?,? )?(promulgam?)\b")
_ENACTS = re.compile(r"\b(decreta|resolve|adota)m?\b")
_ASSEMBLIES = frozenset({"congresso.nacional", "camara.deputados", "senado.federal"})
_ROLES = {"sanciono": Role.SANCTIONED, "promulgo": Role.PROMULGATED}
#: Words of a line of signature: a name, perhaps with an office.
_SIGNATURE = re.compile(r"[^\W\d_][^\d:;/@]{3,119}\Z")


def with_participants(record: Record) -> Record:
    """Return a record of a norm with those who took part in it, as its text states them."""
    document = record.document
    if document is None or document.name.fragmento is not None or NO_NORM.match(document.name.tipo_documento[0]):
        return record
    texts = [
        (provision.fragment, provision.wordings[0].text)
        for provision in record.provisions
        if provision.wordings and provision.fragment.startswith(("preambulo", SIGNATURE))
    ]
    found: dict[Participation, None] = {}
    is_federal = not document.name.local.detalhe
    for fragment, text in texts:
        if text is None:
            continue
        plain = " ".join(text.split())
        read = of_formula(plain) if fragment.startswith("preambulo") else _of_signature(plain)
        found.update((one, None) for one in read if one.authority is None or is_federal != (one.authority in _LOCAL))
    return replace(record, participations=tuple(found)) if found else record


def of_formula(formula: str) -> Iterator[Participation]:
    """Yield those whom an enacting formula names, with their roles.

    >>> text = "O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:"
    >>> [(str(one.role), one.authority) for one in of_formula(text)]
    [('votacao', 'congresso.nacional'), ('sancao', 'presidencia.republica')]
    """
    plain = folded(formula)
    said = _HAS_SAID.search(plain)
    head = plain[: said.start()] if said is not None else plain[:200]
    if said is not None:
        voted = _VOTED.search(plain)
        for body in _named(voted[1]) if voted is not None else ():
            yield Participation(Role.VOTED, body)
        sanctions = _SANCTIONS.search(plain)
        if sanctions is not None:
            for body in _named(sanctions[1]) or _named(head):
                yield Participation(_ROLES[sanctions[2]], body)
        return
    promulgates, enacts = _PROMULGATES.match(plain), _ENACTS.search(plain)
    if promulgates is not None:
        for body in _named(promulgates[1]):
            yield Participation(Role.PROMULGATED, body)
    elif enacts is not None:
        subject = plain[: enacts.start()].partition(",")[0]
        issuer = issuer_of(formula, "").authority
        for body in _named(subject) or ([issuer] if issuer is not None and _is_known(issuer) else []):
            is_voted = body in _ASSEMBLIES and "president" not in subject
            yield Participation(Role.VOTED if is_voted else Role.ISSUED, body)


def _is_known(notation: str) -> bool:
    """Return whether the vocabulary of authorities has a body."""
    return body_of(notation) == notation


def _named(words: str) -> list[str]:
    """Return the authorities that words name, in the order of the table."""
    return [notation for pattern, notation in _ACTORS if pattern.search(words) is not None]


def _of_signature(line: str) -> Iterator[Participation]:
    """Yield who signed: the words of the line, and the authority of the office in it."""
    if _SIGNATURE.match(line) is None:
        return
    yield Participation(Role.SIGNED, None, line)
    for authority in _named(folded(line)):
        yield Participation(Role.SIGNED, authority)
