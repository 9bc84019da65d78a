"""Pages of the vocabularies, of the terms of the ontology, and of the checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from graph.vocabulary import Scheme
from ontology.iris import VOCAB
from ontology.namespaces import DCTERMS, RDFS, SKOS, VIG
from queries.checks.shapes import checks
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame, render

#: The part of the IRIs of vocabularies before the path of the page.
_ROOT = VOCAB.removesuffix("/vocab/")
_LABELS = (SKOS["prefLabel"], DCTERMS["title"], RDFS["label"])
_MEANINGS = (SKOS["definition"], DCTERMS["description"], RDFS["comment"])


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its language.

    Attributes:
        text: the text.
        language: the language tag of the text; None where it is that of the page or unknown.
    """

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A value of a vocabulary, a group of values, a vocabulary, or a term of the ontology.

    Attributes:
        iri: the IRI.
        label: the label; the end of the IRI where no source gives one.
        notation: the spelling in names; for other terms, the end of the IRI.
        meanings: the definitions.
        alternative: other labels.
        path: the path of its page; None where it has none.
        anchor: the fragment of its IRI; None where it has none.
        broader: the path and the notation of the value that contains it; None for a top value.
        members: the path and the notation of each value of a group.
    """

    iri: str
    label: Text
    notation: str
    meanings: tuple[Text, ...] = ()
    alternative: tuple[str, ...] = ()
    path: str | None = None
    anchor: str | None = None
    broader: tuple[str, str] | None = None
    members: tuple[tuple[str, str], ...] = ()


#: Texts and links of a subject by predicate.
_Stated = Mapping[str, Sequence[ox.Literal | ox.NamedNode]]


def by_subject(triples: Iterable[ox.Triple]) -> dict[str, dict[str, list[ox.Literal | ox.NamedNode]]]:
    """Return the literals and IRIs of each named subject, by predicate, in a stable order."""
    values_by_subject: dict[str, dict[str, list[ox.Literal | ox.NamedNode]]] = {}
    for triple in sorted(set(triples), key=str):
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.Literal | ox.NamedNode):
            of = values_by_subject.setdefault(triple.subject.value, {})
            of.setdefault(triple.predicate.value, []).append(triple.object)
    return values_by_subject


def vocabularies_page(frame: Frame, stated: Mapping[str, _Stated]) -> bytes:
    """Return the page with the list of vocabularies.

    Args:
        stated: the statements of :func:`by_subject` about the vocabularies.
    """
    listed = [_term(VOCAB + scheme, stated.get(VOCAB + scheme, {}), frame.language) for scheme in Scheme]
    return render("vocabularies.html", frame, terms=sorted(listed, key=lambda term: term.label.text))


def vocabulary_page(frame: Frame, name: str, stated: Mapping[str, _Stated]) -> bytes:
    """Return the page of a vocabulary, with all its values and groups.

    Args:
        name: the name of the vocabulary.
        stated: the statements of :func:`by_subject` about it, its values and its groups.
    """
    terms = [_term(iri, of, frame.language) for iri, of in stated.items() if iri != VOCAB + name]
    scheme_term = _term(VOCAB + name, stated.get(VOCAB + name, {}), frame.language)
    return render(
        "vocabulary.html",
        frame,
        whole=scheme_term,
        groups=[term for term in terms if term.anchor is not None],
        terms=sorted((term for term in terms if term.anchor is None), key=lambda term: term.notation),
    )


def value_page(frame: Frame, name: str, iri: str, stated: Mapping[str, _Stated]) -> bytes:
    """Return the page of one value of a vocabulary.

    Args:
        name: the name of the vocabulary.
        iri: the IRI of the value.
        stated: the statements of :func:`by_subject` about it.
    """
    return render("value.html", frame, scheme=name, term=_term(iri, stated.get(iri, {}), frame.language))


def ontology_page(frame: Frame, stated: Mapping[str, _Stated]) -> bytes:
    """Return the page of the ontology, with an anchor for each term."""
    terms = [_term(VIG[term], stated.get(VIG[term], {}), frame.language) for term in VIG]
    return render("ontology.html", frame, space=str(VIG), terms=terms)


def checks_page(frame: Frame) -> bytes:
    """Return the page of the checks. It has an anchor for each check, to which the IRIs in a report refer."""
    portuguese = frame.language is Language.PORTUGUESE
    listed = [
        (check.code, check.severity, check.mensagem if portuguese else check.message) for check in checks().values()
    ]
    return render("checks.html", frame, checks=listed)


def _term(iri: str, of: _Stated, language: Language) -> Term:
    end = iri.rpartition("#")[2] if "#" in iri else iri.removeprefix(VOCAB).partition("/")[2] or iri.rpartition("/")[2]
    label = next((text for name in _LABELS if (text := _in_language(of.get(name, ()), language))), Text(end))
    meanings = tuple(text for name in _MEANINGS if (text := _in_language(of.get(name, ()), language)))
    notation = next((value.value for value in of.get(SKOS["notation"], ()) if isinstance(value, ox.Literal)), end)
    others = {value.value for value in of.get(SKOS["altLabel"], ()) if isinstance(value, ox.Literal)}
    above = next((value.value for value in of.get(SKOS["broader"], ()) if isinstance(value, ox.NamedNode)), None)
    return Term(
        iri,
        label,
        notation,
        meanings,
        tuple(sorted(others - {label.text})),
        _path(iri),
        iri.partition("#")[2] or None,
        (path, above.removeprefix(VOCAB).partition("/")[2]) if above and (path := _path(above)) else None,
        tuple(
            (path, member.value.removeprefix(VOCAB).partition("/")[2])
            for member in of.get(SKOS["member"], ())
            if (path := _path(member.value)) is not None
        ),
    )


def _path(iri: str) -> str | None:
    return iri.removeprefix(_ROOT) if iri.startswith(VOCAB) and "#" not in iri else None


def _in_language(texts: Sequence[ox.Literal | ox.NamedNode], language: Language) -> Text | None:
    """Return the text in a language; where there is none, one without a language or in another language."""
    literals = [text for text in texts if isinstance(text, ox.Literal)]
    for literal in literals:
        if (literal.language or "").lower() == language.value.lower():
            return Text(literal.value)
    other = min(literals, key=lambda literal: literal.language or "", default=None)
    return Text(other.value, other.language) if other is not None else None
