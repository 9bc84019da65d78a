"""Vocabularies: LexML's lists, as CSV or as SKOS, one record for each value; and the built-in values as one record.

The official columns are ``id,about,prefLabel,lang,altLabel,broader,facetaAcronimo,faceta,prefNodeId``; those after
``lang`` may be missing. Which vocabulary a file holds its name tells: ``localidade.csv``, ``autoridade.csv`` ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256

from graph.entities import Record, Source
from graph.errors import BadRecord
from graph.quarantine import Refusal
from graph.vocabulary import Concept, Scheme, built_in
from loaders.codes import RefusalCode
from loaders.documents import SourceDocument
from loaders.identity import shown
from loaders.lines import lines
from loaders.outcomes import Outcome, refuse_file
from loaders.sources.vocabulary.skos import is_rdf, is_rdf_xml, read_skos
from loaders.tables import Row, Rows, count_unused, misfit, not_used
from loaders.xml import spaced
from ontology.iris import hashed_iri

KIND = "vocabulary"
LOADER = "vocabulary/1"
#: How the first line of an official vocabulary begins.
HEADER = "id,about,prefLabel"

_USED = frozenset({"id", "about", "prefLabel", "lang", "altLabel", "broader"})
_NEEDED = ("about", "prefLabel")
_LANGUAGES = {"pt-br", "pt", ""}
_LONGEST = 4096
#: What stands before a concept in the quarantine, so that it is seen to be Turtle.
_PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."


def read_vocabulary(document: SourceDocument, *, form: str | None = None) -> Iterator[Outcome]:
    """The records of one vocabulary, one for each row or concept, in its order.

    Labels stay as they are, also where two rows have one notation: both are kept, each in its own graph.

    Args:
        form: the vocabulary, as :class:`graph.vocabulary.Scheme` spells it; None for the one that the file is named
            after.
    """
    try:
        if _is_skos(document):
            yield from _of_skos(document, form)
            return
        scheme = _scheme(document, form)
        unused: Counter[str] = Counter()
        with closing(document.open()) as stream:
            rows = iter(Rows(lines(stream), ","))
            header = _header(next(rows, None))
            for row in rows:
                outcome = _outcome(row, header, scheme, document.label)
                if isinstance(outcome, Record):  # of what is refused the whole row is kept
                    filled = (title for title, cell in zip(header.cells, row.cells, strict=True) if cell.strip())
                    count_unused(unused, (title for title in filled if title not in _USED))
                yield outcome
        if unused:
            yield not_used(unused, "column", document.label)
    except (BadRecord, OSError) as error:
        yield refuse_file(document, error, kind=KIND, form=form)


def built_in_record() -> Record:
    """The built-in values as one record, which every store gets."""
    concepts = tuple(concept for scheme in Scheme for concept in built_in().concepts(scheme))
    digest = sha256("\n".join(map(repr, concepts)).encode()).hexdigest()
    source = Source(hashed_iri("vocabulario", "vigente"), KIND, digest, LOADER, origin="vigente")
    return Record(source, None, concepts=concepts)


def _is_skos(document: SourceDocument) -> bool:
    with closing(document.open()) as stream:
        head = stream.read(1 << 16)
    return is_rdf_xml(head) or is_rdf(head, document.file_name)


def _of_skos(document: SourceDocument, form: str | None) -> Iterator[Outcome]:
    """The records of the concepts of a file of SKOS; the file's name, where it is that of a vocabulary, says which."""
    read = read_skos(document)
    scheme = _named(document, form)
    for at, said in enumerate(read.found, 1):
        try:
            concept = read.concept(said, scheme)
        except BadRecord as error:
            yield Refusal(
                origin=document.label,
                position=f"record {at}",
                identifier=said.iri[:_LONGEST],
                code=error.code,
                problem=error.problem,
                expected=error.expected,
                kind=KIND,
                payload="\n".join((_PREFIX, *said.lines, "")).encode(),
                form=scheme.value if scheme is not None else None,
            )
            continue
        digest = sha256(repr(concept).encode()).hexdigest()
        iri = hashed_iri("vocabulario", concept.scheme.value, concept.notation, said.iri)
        yield Record(Source(iri, KIND, digest, LOADER, origin=document.label), None, concepts=(concept,))
    if read.unused:
        yield not_used(read.unused, "property", document.label)


def _named(document: SourceDocument, form: str | None) -> Scheme | None:
    """The vocabulary that a file is named after."""
    stem = form or document.file_name.rpartition("/")[2].partition(".")[0]
    return next((scheme for scheme in Scheme if stem.lower() == scheme.value.lower()), None)


def _scheme(document: SourceDocument, form: str | None) -> Scheme:
    scheme = _named(document, form)
    if scheme is not None:
        return scheme
    names = ", ".join(f"{scheme}.csv" for scheme in Scheme)
    problem = f"the name {shown(document.file_name)} does not say which vocabulary the file holds"
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
            truncated=not row.whole,
        )
    digest = sha256(repr(concept).encode()).hexdigest()
    iri = hashed_iri("vocabulario", scheme.value, concept.notation, cells.get("id", ""))
    return Record(Source(iri, KIND, digest, LOADER, origin=label), None, concepts=(concept,))


def _concept(cells: dict[str, str], scheme: Scheme) -> Concept:
    """The concept that a row states.

    Raises:
        BadRecord: it has no notation or no label, or its language is another one.
    """
    notation, label = cells["about"], cells["prefLabel"]
    if not spaced(notation) or not spaced(label):
        missing = "label" if spaced(notation) else "notation"
        raise BadRecord(RefusalCode.BAD_ROW, f"the row has no {missing}", "about and prefLabel, both with a text")
    if cells.get("lang", "").lower() not in _LANGUAGES:
        raise BadRecord(RefusalCode.BAD_ROW, f"the label is in {shown(cells['lang'])}", "labels in pt-BR")
    alternatives = (spaced(part) for part in cells.get("altLabel", "").split(","))
    return Concept(
        scheme,
        notation,
        label,
        alternative=tuple(dict.fromkeys(part for part in alternatives if part and part != label)),
        broader=cells.get("broader", "").removeprefix("#") or None,
    )
