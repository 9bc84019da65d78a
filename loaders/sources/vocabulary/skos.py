"""Vocabularies of LexML as SKOS, in RDF/XML or Turtle: from bytes to concepts (LexML part 6, section 4).

RDF/XML goes through the parser of :mod:`loaders.xml` first: a document type declaration, and with it every entity, is
refused before the parser of RDF sees the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import unquote

import pyoxigraph as ox

from graph.errors import BadRecord
from graph.vocabulary import Concept, Scheme
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import shown
from loaders.xml import MAX_TEXT, iter_levels, prolog, spaced
from ontology.namespaces import RDF, SKOS

#: How many MiB a vocabulary may have, and how many triples.
_LARGEST = 64
_MOST_TRIPLES = 2_000_000
_SHAPE = "SKOS concepts in RDF/XML or Turtle, UTF-8; LexML part 6, section 4"
#: What relative addresses in a file are relative to: files of LexML write ``rdf:about="#br"``.
_BASE = "https://vocabulario.invalid/"
_IRI = re.compile(rb"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*>[\s.;,]", re.ASCII)
_TURTLE = re.compile(rb"@prefix\s|@base\s|prefix\s+[\w.-]{0,60}:\s*<|base\s+<", re.ASCII | re.IGNORECASE)
_PORTUGUESE = frozenset({"pt-br", "pt", ""})

_TYPE, _CONCEPT = RDF["type"], SKOS["Concept"]
_PREF, _ALT, _NOTATION = SKOS["prefLabel"], SKOS["altLabel"], SKOS["notation"]
_BROADER, _IN = SKOS["broader"], SKOS["inScheme"]
#: What only says the same the other way round, or where a concept stands among others.
_REPEATED = frozenset({_TYPE, _IN, SKOS["topConceptOf"], SKOS["narrower"], SKOS["hasTopConcept"]})


@dataclass(slots=True)
class Described:
    """What a file says of one concept.

    Attributes:
        lines: the same as N-Triples.
    """

    iri: str
    labels: list[tuple[str, str]] = field(default_factory=list)
    alternative: list[str] = field(default_factory=list)
    notation: str | None = None
    broader: list[str] = field(default_factory=list)
    schemes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    is_concept: bool = False


@dataclass(slots=True)
class Skos:
    """What was read of a file.

    Attributes:
        found: the concepts, in the order of the file.
        unused: how many statements are not used, by property.
    """

    found: list[Described]
    unused: Counter[str]
    _notations: dict[str, str]

    def concept(self, said: Described, scheme: Scheme | None) -> Concept:
        """The concept that was described.

        Args:
            scheme: its vocabulary, where the file's name says it.

        Raises:
            BadRecord: it has no notation or no label in Portuguese, or nobody says of which vocabulary it is.
        """
        notation = self._notations.get(said.iri, "")
        labels = [label for label, language in said.labels if language in _PORTUGUESE]
        if not spaced(notation) or not labels:
            missing = "label in Portuguese" if spaced(notation) else "notation"
            problem = f"the concept {shown(said.iri)} has no {missing}"
            raise BadRecord(
                RefusalCode.BAD_ROW, problem, "skos:prefLabel, and skos:notation or an address that ends so"
            )
        of = scheme or next(filter(None, map(_scheme_in, (*said.schemes, said.iri))), None)
        if of is None:
            problem = f"neither the file's name nor {shown(said.iri)} says which vocabulary it is of"
            raise BadRecord(RefusalCode.BAD_ROW, problem, f"one of {', '.join(Scheme)}")
        english = next((label for label, language in said.labels if language == "en"), None)
        others = (*labels[1:], *said.alternative)
        return Concept(
            of,
            notation,
            labels[0],
            english,
            tuple(dict.fromkeys(one for one in others if one != labels[0])),
            next((self._notations.get(one) or _last_step(one) for one in said.broader), None),
        )


def is_rdf_xml(head: bytes) -> bool:
    """Whether a file that begins so is XML, and no Turtle."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"<") and _IRI.match(text) is None


def is_rdf(head: bytes, file_name: str) -> bool:
    """Whether a file that begins so is Turtle, by its beginning or its name.

    >>> is_rdf(b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", "a"), is_rdf(b"urn:lex:br", "a.txt")
    (True, False)
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return _TURTLE.match(text) is not None or file_name.lower().endswith((".ttl", ".turtle", ".nt"))


def read_skos(document: SourceDocument) -> Skos:
    """The concepts of a file, each with what it says.

    Raises:
        BadRecord: it is beyond the limits, cannot be parsed, or holds no concept.
        OSError: it cannot be read.
    """
    raw = document.whole(_LARGEST)
    xml = is_rdf_xml(raw[: 1 << 16])
    if xml:
        raw = _checked(document, raw)
    described: dict[str, Described] = {}
    unused: Counter[str] = Counter()
    for count, quad in enumerate(_parsed(raw, xml=xml)):
        if count >= _MOST_TRIPLES:
            problem = f"the file has more than {_MOST_TRIPLES} statements"
            raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {_MOST_TRIPLES} statements")
        _take(described, unused, quad)
    found = [one for one in described.values() if one.is_concept]
    if not found:
        raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file holds no skos:Concept", _SHAPE)
    for one in described.values():
        if not one.is_concept:
            unused["what is said of others than concepts"] += len(one.lines)
    return Skos(found, unused, {one.iri: one.notation or _last_step(one.iri) for one in found})


def _checked(document: SourceDocument, raw: bytes) -> bytes:
    """The bytes of RDF/XML in UTF-8 after the parser of :mod:`loaders.xml` took them: no DOCTYPE, bounded in depth."""
    with closing(document.open()) as stream:
        for _ in iter_levels(stream, 1, roots={"RDF"}, record_limit=_LARGEST << 20):
            pass
    encoding = prolog(raw[: 1 << 16]).encoding
    if encoding == "iso-8859-1":
        text = re.sub(r"\A<\?xml[^>]*\?>", "", raw.decode(encoding))
        return text.encode()
    return raw


def _parsed(raw: bytes, *, xml: bool) -> Iterator[ox.Quad]:
    form = ox.RdfFormat.RDF_XML if xml else ox.RdfFormat.TURTLE
    try:
        yield from ox.parse(raw, format=form, base_iri=_BASE)
    except (SyntaxError, ValueError) as error:
        said = " ".join(str(error).split())[:300]
        raise BadRecord(RefusalCode.BAD_RDF, f"the file cannot be read as RDF: {said}", _SHAPE) from None


def _take(described: dict[str, Described], unused: Counter[str], quad: ox.Quad) -> None:
    """Take up one statement; what is said of no address, or by a property that is not used, is counted."""
    if not isinstance(quad.subject, ox.NamedNode):
        unused["what is said of nodes without an address"] += 1
        return
    subject, said, term = quad.subject.value, quad.predicate.value, quad.object
    one = described.setdefault(subject, Described(subject))
    one.lines.append(f"{quad.subject} {quad.predicate} {term} .")
    value = term.value if isinstance(term, ox.NamedNode | ox.Literal) else ""
    if isinstance(term, ox.Literal) and len(value) > MAX_TEXT:
        raise BadRecord(RefusalCode.TEXT_TOO_LONG, f"a label has {len(value)} characters", f"at most {MAX_TEXT}")
    if said == _TYPE:
        one.is_concept = one.is_concept or value == _CONCEPT
    elif said == _PREF and isinstance(term, ox.Literal) and spaced(value):
        one.labels.append((value, (term.language or "").lower()))
    elif said == _ALT and isinstance(term, ox.Literal) and spaced(value):
        one.alternative.append(value)
    elif said == _NOTATION and isinstance(term, ox.Literal) and one.notation is None:
        one.notation = value
    elif said == _BROADER and isinstance(term, ox.NamedNode):
        one.broader.append(value)
    elif said == _IN and isinstance(term, ox.NamedNode):
        one.schemes.append(value)
    elif said not in _REPEATED:
        unused[said] += 1


def _last_step(iri: str) -> str:
    """What an address ends in: behind ``#``, else behind the name of a vocabulary, else behind the last ``/``.

    >>> _last_step("http://www.example/vocabulario/localidade#br;sao.paulo"), _last_step("http://a.example/autoridade/x")
    ('br;sao.paulo', 'x')
    """
    return unquote(iri.rpartition("#")[2] if "#" in iri else iri.rpartition("/")[2])


def _scheme_in(iri: str) -> Scheme | None:
    """The vocabulary that an address names with one of its steps."""
    steps = {step.partition(".")[0].lower() for step in re.split(r"[/#]", iri)}
    return next((scheme for scheme in Scheme if scheme.value.lower() in steps), None)
