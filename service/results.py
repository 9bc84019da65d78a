"""The catalogue of queries as JSON, and the results of queries in the standard formats and CSV."""

from __future__ import annotations

from typing import BinaryIO

import pyoxigraph as ox

from queries.catalogue import catalogue
from queries.documents import document

#: A field of CSV with one of these characters is quoted (RFC 4180).
_QUOTED = frozenset(',"\r\n')


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
