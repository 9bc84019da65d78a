"""Documents that the command line and the API share, in JSON and CSV, and the rules for invalid questions and names."""

from __future__ import annotations

from datetime import date
from typing import BinaryIO

import pyoxigraph as ox

from graph.errors import BadName, BadParameter
from graph.urn import parse
from graph.vocabulary import built_in
from graph.wording.citations import Context, read_citations
from graph.wording.epigraph import from_epigraph
from graph.wording.labels import label
from graph.wording.provisions import Style, is_provision, provision_name
from queries.answers import InForce, Resolution
from queries.catalogue import catalogue
from queries.documents import document
from queries.dossier import Dossier
from queries.naming import Citations, NameCanonical, NameFromEpigraph, NameLabel, ProvisionLabel
from queries.notices import NotUnderstood, ReferenceName, UnknownName, UnknownVersion, WordsLeft, any_of
from queries.question import ask, days
from queries.reasons import Status
from queries.resolution.interpretation import check_text_length, is_name, loosely_read, stripped_name
from queries.text.answers import Difference, TextAnswer

#: The notices of a resolution without candidates that mean an unknown name.
_UNKNOWN_NOTICES = (UnknownName, UnknownVersion, ReferenceName, NotUnderstood)
#: A field of CSV with one of these characters is quoted (RFC 4180).
_QUOTED = frozenset(',"\r\n')


def refuse_bad_question(
    name: str, on: date | str | None = None, as_known: date | str | None = None, axis: str | None = None
) -> None:
    """Check a question before a store is opened.

    Raises:
        BadName, BadDate, BadParameter: the question is invalid.
    """
    if not is_name(check_text_length(name)):
        days(on, as_known, axis)
        return
    try:
        ask(name, on, as_known, axis)
    except BadName:
        loosely_read(stripped_name(name), built_in())


def is_unknown(answer: InForce | TextAnswer | Difference | Resolution | Dossier) -> bool:
    """Return whether an answer means that the name is unknown, or that the text identifies no single name."""
    match answer:
        case Difference():
            return any_of(answer.notices, UnknownName)
        case Resolution():
            return any_of(answer.notices, WordsLeft) or (
                not answer.candidates and any_of(answer.notices, *_UNKNOWN_NOTICES)
            )
        case Dossier():
            return answer.day.answer.status is Status.UNKNOWN_NAME
        case _:
            return answer.status is Status.UNKNOWN_NAME


def parts_document(name: str) -> dict[str, object]:
    """Return the parts of a name, with the field names of the grammar. Raises BadName."""
    return parse(name).parts()


def canonical_document(name: str) -> dict[str, object]:
    """Return a name as given, its canonical spelling and its kind. Raises BadName."""
    parsed = parse(name)
    return document(NameCanonical(name, parsed.canonical, parsed.kind))


def label_document(name: str, context: str | None = None, prefix: str = "") -> dict[str, object]:
    """Return a name in words, in Portuguese and English; its provision also in short form and as a printed label.

    Args:
        name: a name in any dialect, or ids of provisions separated by commas.
        context: the id of the provision that contains the short label.
        prefix: the prefix of parameter names in messages: ``--`` on the command line.

    Raises:
        BadName: the text is neither a name nor ids.
        BadParameter: the context is not an id.
    """
    _check_id(f"{prefix}context", context)
    ids = name.split(",")
    if all(map(is_provision, ids)):
        provision = _provision_label(ids, context)
        text = provision.compact if context is not None else provision.name
        return document(NameLabel(name, None, text, provision_name(ids, Style.NAME, context, "en"), provision))
    parsed = parse(name)
    within = _provision_label(_flatten(parsed.fragmento.partes), context) if parsed.fragmento is not None else None
    return document(NameLabel(name, parsed.canonical, label(parsed), label(parsed, "en"), within))


def _provision_label(ids: list[str], context: str | None) -> ProvisionLabel:
    return ProvisionLabel(
        provision_name(ids, Style.NAME, context),
        provision_name(ids, Style.COMPACT, context),
        provision_name(ids[:1], Style.ROTULO),
    )


def _check_id(parameter: str, value: str | None) -> None:
    """Check that a value is the id of a provision."""
    if value is not None and not is_provision(value):
        raise BadParameter(f"expected {parameter} to be the id of a provision, such as art5_par2, got {value!r}")


def _flatten(parts: tuple[str | tuple[str, str], ...]) -> list[str]:
    return [piece for part in parts for piece in ((part,) if isinstance(part, str) else part)]


def epigraph_document(text: str, place: str | None = None, authority: str | None = None) -> dict[str, object]:
    """Return the name that an epigraph states; raises as :func:`graph.wording.epigraph.from_epigraph`."""
    epigraph = from_epigraph(text, place=place, authority=authority)
    return document(NameFromEpigraph(text, epigraph.name, epigraph.kind, tuple(epigraph.steps)))


def context_of(
    norm: str | None = None,
    provision: str | None = None,
    on: date | None = None,
    *,
    place: str | None = None,
    prefix: str = "",
) -> Context:
    """Return the context of a text for its citations; ``prefix`` as for :func:`label_document`.

    Raises:
        BadParameter: a provision without its norm, an invalid id of a provision, or an invalid place.
    """
    if provision is not None and norm is None:
        raise BadParameter(f"expected {prefix}norm, the norm of the provision, together with {prefix}provision")
    _check_id(f"{prefix}provision", provision)
    return Context(norm, provision, on, place)


def citations_document(text: str, context: Context) -> dict[str, object]:
    """Return the citations in a text, and what was not named, each in order. Raises BadName for the norm of the
    context."""
    cited = read_citations(text, context)
    return document(Citations(cited.citations, cited.left_out))


def queries_document() -> list[dict[str, object]]:
    """Return the catalogue of queries: the meaning, the parameters and the columns of each."""
    return [document(query) for query in catalogue().values()]


def write_results(
    answer: ox.QuerySolutions | ox.QueryBoolean, output: BinaryIO, results_format: ox.QueryResultsFormat
) -> None:
    """Write the answer to a SELECT or ASK query.

    The engine writes all formats except CSV of a table: it does not quote IRIs, and names of provisions may contain a
    comma (``!art65_cpt_inc2,mpv-869-2018-12-27``).

    Raises:
        OSError: the output cannot be written, or the answer cannot be read.
    """
    if isinstance(answer, ox.QueryBoolean) or results_format != ox.QueryResultsFormat.CSV:
        answer.serialize(output, results_format)
        return
    names = [variable.value for variable in answer.variables]
    output.write((",".join(names) + "\r\n").encode())
    for solution in answer:
        output.write((",".join(_field(solution[name]) for name in names) + "\r\n").encode())


def _field(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None) -> str:
    """Return a term as a field of CSV (SPARQL 1.1 CSV results, section 3; RFC 4180)."""
    if term is None:
        return ""
    text = term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)
    return '"' + text.replace('"', '""') + '"' if not _QUOTED.isdisjoint(text) else text
