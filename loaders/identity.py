"""Names that can identify the subject of a record; references are rejected."""

from __future__ import annotations

from graph.errors import BadName, BadRecord
from graph.urn import Kind, Name, parse
from loaders.codes import RefusalCode

#: The codes with which :func:`identity` refuses a text.
IDENTITY_REFUSALS = (RefusalCode.BAD_NAME, RefusalCode.REFERENCE_NAME)

_SHOWN = 200


def identity(text: str) -> Name:
    """Return a name that can identify the subject of a record: it names one document and is not a reference.

    >>> identity("urn:lex:br:federal:lei:1990-09-11;8078").canonical
    'urn:lex:br:federal:lei:1990-09-11;8078'

    Raises:
        BadRecord: ``bad-name`` with the reason of :class:`graph.errors.BadName`; ``reference-name`` for a name of the
            reference grammar (LexML 1.0 part 2, annex B).
    """
    try:
        name = parse(text)
    except BadName as error:
        raise BadRecord(RefusalCode.BAD_NAME, str(error), f"a name of the lex namespace, {error.section}") from None
    if name.kind is Kind.REFERENCE:
        raise BadRecord(
            RefusalCode.REFERENCE_NAME,
            f"{quoted(text)} is a reference: a question about a document, not the name of one",
            f"{_missing_parts(name)}, LexML 1.0 part 2, annex A",
        )
    return name


def quoted(text: str) -> str:
    r"""Return a value of the source, quoted, with control characters escaped, cut to ``_SHOWN`` characters.

    >>> print(quoted("a\x1b[31m"))
    'a\x1b[31m'
    """
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _missing_parts(name: Name) -> str:
    """Return the parts that a reference lacks to be an identity."""
    if name.propriedade is not None:
        return "the date of a version after `@` in place of the property after `$`"
    if name.descritor.apelido is not None:
        return f"date and number of the document in place of the alias {quoted(name.descritor.apelido)}"
    if not name.descritor.identificadores:
        return "the number of the document after its date"
    return "the date of a version in place of the question after `@`"
