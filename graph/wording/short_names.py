"""The names by which texts cite a norm without its day or number."""

from __future__ import annotations

from collections.abc import Iterable

from graph.urn import Name, parse


def unnumbered(issuer: str, kind: str, known: Iterable[str] = ()) -> str:
    """Return the name of the only norm of a type that an issuer has: the known one, else a reference.

    >>> unnumbered("br;sao.paulo;campinas:municipal", "lei.organica")
    'urn:lex:br;sao.paulo;campinas:municipal:lei.organica:lei.organica'
    """
    head = f"urn:lex:{issuer}:{kind}:"
    return next((name for name in known if name.startswith(head)), f"{head}{kind}")


#: The types of norms that an issuer has only one of, so that texts cite them without number and day.
UNNUMBERED = frozenset({"constituicao", "lei.organica", "regimento.interno"})


def by_year(name: Name) -> Name | None:
    """Return the name by which texts cite a norm with its year in place of its day; None if its name has no day.

    >>> print(by_year(parse("urn:lex:br;sao.paulo;campinas:municipal:lei:2016-03-10;1235")))
    urn:lex:br;sao.paulo;campinas:municipal:lei:2016;1235
    """
    head, _, descriptor = name.canonical.rpartition(":")
    day, _, number = descriptor.partition(";")
    return parse(f"{head}:{day[:4]};{number}") if number and len(name.descritor.datas) == 1 else None


def cited_as(name: Name) -> list[Name]:
    """Return the other names by which texts cite a norm: with its year only, and as the only norm of its type."""
    return [each for each in (reference_to(name), by_year(name)) if each is not None and each != name]


def reference_to(name: Name) -> Name | None:
    """Return the reference by which texts cite the only norm of its type of a state or municipality; None for others.

    >>> print(reference_to(parse("urn:lex:br;sao.paulo;campinas:municipal:lei.organica:1990-03-30;1990")))
    urn:lex:br;sao.paulo;campinas:municipal:lei.organica:lei.organica
    """
    kind = name.tipo_documento[0]
    if kind not in UNNUMBERED or not name.local.detalhe:
        return None
    place = ";".join((name.local.pais, *name.local.detalhe))
    return parse(unnumbered(f"{place}:{','.join(map(';'.join, name.autoridade))}", kind))
