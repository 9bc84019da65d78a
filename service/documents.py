"""Documents about names that the command line and the API share, and the rules for invalid names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from graph.errors import BadParameter
from graph.urn import parse
from graph.wording.citations import Context, read_citations
from graph.wording.epigraph import authority_in_vocabulary, from_epigraph
from graph.wording.labels import label
from graph.wording.provisions import Style, is_provision, provision_name
from queries.citations import Citations
from queries.documents import document
from queries.naming import NameCanonical, NameFromEpigraph, NameLabel, ProvisionLabel


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
    authority: str | None = None,
    known: Sequence[str] = (),
    prefix: str = "",
) -> Context:
    """Return the context of a text for its citations; ``prefix`` as for :func:`label_document`.

    Raises:
        BadParameter: a provision without its norm, an invalid id of a provision, or an invalid place.
    """
    if provision is not None and norm is None:
        raise BadParameter(f"expected {prefix}norm, the norm of the provision, together with {prefix}provision")
    _check_id(f"{prefix}provision", provision)
    body = authority_in_vocabulary(authority) if authority else None
    return Context(norm, provision, on, place, body, tuple(parse(name).canonical for name in known))


def citations_document(text: str, context: Context) -> dict[str, object]:
    """Return the citations in a text, and what was not named, each in order. Raises BadName for the norm of the
    context."""
    cited = read_citations(text, context)
    return document(Citations(cited.citations, cited.left_out))
