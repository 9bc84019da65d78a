"""Controlled vocabularies of LexML, as CSV or as SKOS (LexML part 6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import unquote

import pyoxigraph as ox

from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.vocabulary import Concept, Scheme, built_in, superclasses
from loaders.codes import NoteCode, RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import quoted
from loaders.lines import lines
from loaders.outcomes import Outcome, refuse_file
from loaders.sources.format import Head, Match, ReadOptions, SourceFormat
from loaders.tables import Row, Rows, count_unused, misfit, unused_note
from loaders.xml import MAX_TEXT, XML_REFUSALS, iter_levels, prolog, spaced
from ontology.iris import hashed_iri
from ontology.namespaces import RDF, SKOS

# Vocabularies of LexML as SKOS, in RDF/XML or Turtle: concepts from bytes (LexML part 6, section 4).
#
# RDF/XML is first parsed by :mod:`loaders.xml`, which refuses a document type declaration, and with it every entity.


#: The maximum size of a vocabulary in MiB, and the maximum number of triples.
_LARGEST = 64
_MOST_TRIPLES = 2_000_000
_SHAPE = "SKOS concepts in RDF/XML or Turtle, UTF-8; LexML part 6, section 4"
#: The base of relative addresses in a file: files of LexML write ``rdf:about="#br"``.
_BASE = "https://vocabulario.invalid/"
_IRI = re.compile(rb"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*>[\s.;,]", re.ASCII)
_TURTLE = re.compile(rb"@prefix\s|@base\s|prefix\s+[\w.-]{0,60}:\s*<|base\s+<", re.ASCII | re.IGNORECASE)
_PORTUGUESE = frozenset({"pt-br", "pt", ""})

_TYPE, _CONCEPT = RDF["type"], SKOS["Concept"]
_PREF, _ALT, _NOTATION = SKOS["prefLabel"], SKOS["altLabel"], SKOS["notation"]
_BROADER, _IN = SKOS["broader"], SKOS["inScheme"]
#: Properties that never count as unused: some are read elsewhere, and the others repeat statements.
_REPEATED = frozenset({_TYPE, _IN, SKOS["topConceptOf"], SKOS["narrower"], SKOS["hasTopConcept"]})


@dataclass(slots=True)
class ConceptStatements:
    """The statements of a file about one concept.

    Attributes:
        lines: the statements as N-Triples.
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
    """The result of reading a file.

    Attributes:
        concepts: the concepts, in the order of the file.
        unused: the number of unused statements, by property.
    """

    concepts: list[ConceptStatements]
    unused: Counter[str]
    _notations: dict[str, str]

    def concept(self, described: ConceptStatements, scheme: Scheme | None) -> Concept:
        """Return the concept that a file describes.

        Args:
            scheme: its vocabulary, if the file's name gives it.

        Raises:
            BadRecord: it has no notation or no label in Portuguese, or no vocabulary.
        """
        notation = self._notations.get(described.iri, "")
        labels = [label for label, language in described.labels if language in _PORTUGUESE]
        if not spaced(notation) or not labels:
            missing = "label in Portuguese" if spaced(notation) else "notation"
            problem = f"the concept {quoted(described.iri)} has no {missing}"
            raise BadRecord(
                RefusalCode.BAD_ROW, problem, "skos:prefLabel, and skos:notation or an address ending in it"
            )
        vocabulary = scheme or next(filter(None, map(_scheme_in, (*described.schemes, described.iri))), None)
        if vocabulary is None:
            problem = f"neither the file's name nor {quoted(described.iri)} states the vocabulary"
            raise BadRecord(RefusalCode.BAD_ROW, problem, f"one of {', '.join(Scheme)}")
        english = next((label for label, language in described.labels if language == "en"), None)
        others = (*labels[1:], *described.alternative)
        return Concept(
            vocabulary,
            notation,
            labels[0],
            english,
            tuple(dict.fromkeys(other_label for other_label in others if other_label != labels[0])),
            next(
                (self._notations.get(broader_iri) or _last_step(broader_iri) for broader_iri in described.broader), None
            ),
        )


def is_rdf_xml(head: bytes) -> bool:
    """Return whether a file with this beginning is XML rather than Turtle."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"<") and _IRI.match(text) is None


def is_rdf(head: bytes, file_name: str) -> bool:
    """Return whether a file is Turtle, by its beginning or its name.

    >>> is_rdf(b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", "a"), is_rdf(b"urn:lex:br", "a.txt")
    (True, False)
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return _TURTLE.match(text) is not None or file_name.lower().endswith((".ttl", ".turtle", ".nt"))


def read_skos(document: SourceDocument) -> Skos:
    """Return the concepts of a file.

    Raises:
        BadRecord: it exceeds the limits, cannot be parsed, or has no concept.
        OSError: it cannot be read.
    """
    raw = document.whole(_LARGEST)
    xml = is_rdf_xml(raw[: 1 << 16])
    if xml:
        raw = _checked_rdf_xml(document, raw)
    described: dict[str, ConceptStatements] = {}
    unused: Counter[str] = Counter()
    for count, quad in enumerate(_parse_rdf(raw, xml=xml)):
        if count >= _MOST_TRIPLES:
            problem = f"the file has more than {_MOST_TRIPLES} statements"
            raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {_MOST_TRIPLES} statements")
        _take_statement(described, unused, quad)
    concepts = [concept for concept in described.values() if concept.is_concept]
    if not concepts:
        raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file holds no skos:Concept", _SHAPE)
    for concept in described.values():
        if not concept.is_concept:
            unused["statements about others than concepts"] += len(concept.lines)
    return Skos(concepts, unused, {concept.iri: concept.notation or _last_step(concept.iri) for concept in concepts})


def _checked_rdf_xml(document: SourceDocument, raw: bytes) -> bytes:
    """Return RDF/XML in UTF-8 after a check by the parser of :mod:`loaders.xml`: no DOCTYPE, bounded depth."""
    with closing(document.open()) as stream:
        for _ in iter_levels(stream, 1, roots={"RDF"}, record_limit=_LARGEST << 20):
            pass
    encoding = prolog(raw[: 1 << 16]).encoding
    if encoding == "iso-8859-1":
        text = re.sub(r"\A<\?xml[^>]*\?>", "", raw.decode(encoding))
        return text.encode()
    return raw


def _parse_rdf(raw: bytes, *, xml: bool) -> Iterator[ox.Quad]:
    form = ox.RdfFormat.RDF_XML if xml else ox.RdfFormat.TURTLE
    try:
        yield from ox.parse(raw, format=form, base_iri=_BASE)
    except (SyntaxError, ValueError) as error:
        message = " ".join(str(error).split())[:300]
        raise BadRecord(RefusalCode.BAD_RDF, f"the file cannot be read as RDF: {message}", _SHAPE) from None


def _take_statement(described: dict[str, ConceptStatements], unused: Counter[str], quad: ox.Quad) -> None:
    """Process one statement. A statement about a blank node, or with an unused property, is counted."""
    if not isinstance(quad.subject, ox.NamedNode):
        unused["statements about nodes without an address"] += 1
        return
    subject, predicate, term = quad.subject.value, quad.predicate.value, quad.object
    concept = described.setdefault(subject, ConceptStatements(subject))
    concept.lines.append(f"{quad.subject} {quad.predicate} {term} .")
    value = term.value if isinstance(term, ox.NamedNode | ox.Literal) else ""
    if isinstance(term, ox.Literal) and len(value) > MAX_TEXT:
        raise BadRecord(RefusalCode.TEXT_TOO_LONG, f"a label has {len(value)} characters", f"at most {MAX_TEXT}")
    if predicate == _TYPE:
        concept.is_concept = concept.is_concept or value == _CONCEPT
    elif predicate == _PREF and isinstance(term, ox.Literal) and spaced(value):
        concept.labels.append((value, (term.language or "").lower()))
    elif predicate == _ALT and isinstance(term, ox.Literal) and spaced(value):
        concept.alternative.append(value)
    elif predicate == _NOTATION and isinstance(term, ox.Literal) and concept.notation is None:
        concept.notation = value
    elif predicate == _BROADER and isinstance(term, ox.NamedNode):
        concept.broader.append(value)
    elif predicate == _IN and isinstance(term, ox.NamedNode):
        concept.schemes.append(value)
    elif predicate not in _REPEATED:
        unused[predicate] += 1


def _last_step(iri: str) -> str:
    """Return the last part of an address, decoded: after the last ``#``, else after the last ``/``.

    >>> _last_step("http://www.example/vocabulario/localidade#br;sao.paulo"), _last_step("http://a.example/autoridade/x")
    ('br;sao.paulo', 'x')
    """
    return unquote(iri.rpartition("#")[2] if "#" in iri else iri.rpartition("/")[2])


def _scheme_in(iri: str) -> Scheme | None:
    """Return the vocabulary that a step of an address names."""
    steps = {step.partition(".")[0].lower() for step in re.split(r"[/#]", iri)}
    return next((scheme for scheme in Scheme if scheme.value.lower() in steps), None)


# Vocabularies: LexML's lists, as CSV or as SKOS, one record for each value; and the built-in values as one record.
#
# The official columns are ``id,about,prefLabel,lang,altLabel,broader,facetaAcronimo,faceta,prefNodeId``; those after
# ``lang`` may be missing. The name of a file gives its vocabulary: ``localidade.csv``, ``autoridade.csv`` ...


KIND = "vocabulary"
LOADER = "vocabulary/1"
#: The beginning of the first line of an official vocabulary.
HEADER = "id,about,prefLabel"

_USED = frozenset({"id", "about", "prefLabel", "lang", "altLabel", "broader"})
_NEEDED = ("about", "prefLabel")
_LANGUAGES = {"pt-br", "pt", ""}
_LONGEST = 4096
#: The text before a concept in the quarantine, which marks it as Turtle.
_PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."


def read_vocabulary(document: SourceDocument, *, form: str | None = None) -> Iterator[Outcome]:
    """Yield the records of one vocabulary, one for each row or concept, in its order.

    Labels are not changed. If two rows have one notation, both are kept, each in its own graph.

    Args:
        form: the vocabulary, as a member of :class:`graph.vocabulary.Scheme`; None to take it from the file's name.
    """
    try:
        if _is_skos(document):
            yield from _records_of_skos(document, form)
            return
        scheme = _scheme(document, form)
        unused: Counter[str] = Counter()
        with closing(document.open()) as stream:
            rows = iter(Rows(lines(stream), ","))
            header = _header(next(rows, None))
            for row in rows:
                outcome = _outcome(row, header, scheme, document.label)
                if isinstance(outcome, Record):  # a refused row is stored with all its columns
                    filled = (title for title, cell in zip(header.cells, row.cells, strict=True) if cell.strip())
                    count_unused(unused, (title for title in filled if title not in _USED))
                yield outcome
        if unused:
            yield unused_note(unused, "column", document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form)


def built_in_record() -> Record:
    """Return the built-in values as one record, which every store has, with the superclasses that queries use."""
    concepts = tuple(concept for scheme in Scheme for concept in built_in().concepts(scheme))
    classes = superclasses()
    digest = sha256("\n".join(map(repr, (*concepts, *classes))).encode()).hexdigest()
    source = Source(hashed_iri("vocabulario", "vigente"), KIND, digest, LOADER, origin="vigente")
    return Record(source, None, concepts=concepts, superclasses=classes)


def _is_skos(document: SourceDocument) -> bool:
    with closing(document.open()) as stream:
        head = stream.read(1 << 16)
    return is_rdf_xml(head) or is_rdf(head, document.file_name)


def _records_of_skos(document: SourceDocument, form: str | None) -> Iterator[Outcome]:
    """Yield the records of the concepts of a SKOS file; the file's name gives the vocabulary, if it is the name of
    one."""
    read = read_skos(document)
    scheme = _vocabulary_of_file(document, form)
    for number, described in enumerate(read.concepts, 1):
        try:
            concept = read.concept(described, scheme)
        except BadRecord as error:
            yield Refusal(
                origin=document.label,
                position=f"record {number}",
                identifier=described.iri[:_LONGEST],
                code=error.code,
                problem=error.problem,
                expected=error.expected,
                kind=KIND,
                payload="\n".join((_PREFIX, *described.lines, "")).encode(),
                form=scheme.value if scheme is not None else None,
            )
            continue
        digest = sha256(repr(concept).encode()).hexdigest()
        iri = hashed_iri("vocabulario", concept.scheme.value, concept.notation, described.iri)
        yield Record(Source(iri, KIND, digest, LOADER, origin=document.label), None, concepts=(concept,))
    if read.unused:
        yield unused_note(read.unused, "property", document.label)


def _vocabulary_of_file(document: SourceDocument, form: str | None) -> Scheme | None:
    """Return the vocabulary that a file is named after."""
    stem = form or document.file_name.rpartition("/")[2].partition(".")[0]
    return next((scheme for scheme in Scheme if stem.lower() == scheme.value.lower()), None)


def _scheme(document: SourceDocument, form: str | None) -> Scheme:
    scheme = _vocabulary_of_file(document, form)
    if scheme is not None:
        return scheme
    names = ", ".join(f"{scheme}.csv" for scheme in Scheme)
    problem = f"the name {quoted(document.file_name)} does not say which vocabulary the file holds"
    raise BadRecord(RefusalCode.UNKNOWN_KIND, problem, f"a file named {names}")


def _header(row: Row | None) -> Row:
    if row is not None and row.fault is None and set(_NEEDED) <= set(row.cells):
        return row
    expected = f"a first line that begins with {HEADER}"
    raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file is no vocabulary of LexML", expected)


def _outcome(row: Row, header: Row, scheme: Scheme, label: str) -> Outcome:
    cells: dict[str, str] = {}
    try:
        fault = misfit(row, header)
        if fault is not None:
            raise fault
        cells = {title: cell.strip() for title, cell in zip(header.cells, row.cells, strict=True)}
        concept = _concept(cells, scheme)
    except BadRecord as error:
        return Refusal(
            origin=label,
            position=f"line {row.line}",
            identifier=cells.get("about", "")[:_LONGEST] or None,
            code=error.code,
            problem=error.problem,
            expected=error.expected,
            kind=KIND,
            payload=header.raw + b"\n" + row.raw,
            form=scheme.value,
            truncated=not row.complete,
        )
    digest = sha256(repr(concept).encode()).hexdigest()
    iri = hashed_iri("vocabulario", scheme.value, concept.notation, cells.get("id", ""))
    return Record(Source(iri, KIND, digest, LOADER, origin=label), None, concepts=(concept,))


def _concept(cells: dict[str, str], scheme: Scheme) -> Concept:
    """Return the concept of a row.

    Raises:
        BadRecord: it has no notation or no label, or its language is another one.
    """
    notation, label = cells["about"], cells["prefLabel"]
    if not spaced(notation) or not spaced(label):
        missing = "label" if spaced(notation) else "notation"
        raise BadRecord(RefusalCode.BAD_ROW, f"the row has no {missing}", "about and prefLabel, both with a text")
    if cells.get("lang", "").lower() not in _LANGUAGES:
        raise BadRecord(RefusalCode.BAD_ROW, f"the label is in {quoted(cells['lang'])}", "labels in pt-BR")
    alternatives = (spaced(part) for part in cells.get("altLabel", "").split(","))
    return Concept(
        scheme,
        notation,
        label,
        alternative=tuple(dict.fromkeys(part for part in alternatives if part and part != label)),
        broader=cells.get("broader", "").removeprefix("#") or None,
    )


_HEADER = HEADER.encode()


def _detect(head: Head) -> Match:
    if head.text.startswith(_HEADER):
        return Match.CERTAIN
    if is_rdf_xml(head.raw):
        file_prolog = head.prolog
        is_rdf_root = (
            file_prolog is not None and file_prolog.root == "RDF" and RDF["type"] == f"{file_prolog.namespace}type"
        )
        return Match.CERTAIN if is_rdf_root else Match.NONE
    if is_rdf(head.raw, "") or (is_rdf(b"", head.file_name) and head.text.startswith(b"<")):
        return Match.CERTAIN
    return Match.NAME if is_rdf(b"", head.file_name) else Match.NONE


def _read(document: SourceDocument, options: ReadOptions) -> Iterator[Outcome]:
    return read_vocabulary(document, form=options.form)


VOCABULARY = SourceFormat(
    name=KIND,
    title="a controlled vocabulary of LexML as CSV, or SKOS in RDF/XML or Turtle (LexML part 6)",
    detect=_detect,
    read=_read,
    refusals=(
        *XML_REFUSALS,
        RefusalCode.BAD_RDF,
        RefusalCode.BAD_ROW,
        RefusalCode.LINE_TOO_LONG,
        RefusalCode.TEXT_TOO_LONG,
    ),
    notes=(NoteCode.NOT_USED,),
)
