"""The addresses of federal norms at Planalto: a table of rules by type and year, tried in order, with exceptions.

Since 2004 the folders follow presidential terms (``_ato2019-2022/2021/lei/l14133.htm``). Before that they follow
types and decades, with irregular names. The names of files begin with a lower-case or an upper-case letter, and
Planalto's own server accepts both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graph.urn import Name

#: The address of the pages of norms.
BASE = "https://www.planalto.gov.br/ccivil_03"
#: The first and last years of the presidential terms that name folders.
_TERMS = ((2004, 2006), (2007, 2010), (2011, 2014), (2015, 2018), (2019, 2022), (2023, 2026))
#: The suffixes of pages with only the current wordings, or of the same page under another name.
_ENDINGS = ("", "compilado", "compilada", "cons", "consol")
#: The maximum number of addresses tried for one norm.
MOST = 8


@dataclass(frozen=True, slots=True)
class _Rule:
    """The path of norms of one type in a range of years.

    Attributes:
        kind: the type, as a name writes it.
        since, until: years, both included.
        path: with ``{n}`` for the number, ``{dotted}`` for the number with a point, ``{two}`` and ``{padded}`` for at
            least two and four digits, ``{year}`` and ``{term}``; without its extension.
        endings: whether the path is also tried with each suffix of ``_ENDINGS``.
    """

    kind: str
    since: int
    until: int
    path: str
    endings: bool = True


_TABLE = (
    _Rule("lei", 2004, 9999, "_ato{term}/{year}/lei/l{n}"),
    _Rule("lei", 2004, 2004, "_ato{term}/{year}/lei/l{dotted}", endings=False),
    _Rule("lei", 2003, 2003, "leis/{year}/l{dotted}"),
    _Rule("lei", 2002, 2003, "leis/{year}/l{n}"),
    _Rule("lei", 2001, 2001, "leis/leis_{year}/l{n}"),
    _Rule("lei", 1900, 2001, "leis/l{n}"),
    _Rule("lei", 1950, 1969, "leis/1950-1969/l{n}", endings=False),
    _Rule("lei", 1970, 1979, "leis/1970-1979/l{n}", endings=False),
    _Rule("lei", 1980, 1988, "leis/1980-1988/l{n}", endings=False),
    _Rule("lei", 1989, 1994, "leis/1989_1994/l{n}", endings=False),
    _Rule("lei", 1930, 1949, "leis/1930-1949/l{padded}", endings=False),
    _Rule("lei.complementar", 1967, 9999, "leis/lcp/lcp{n}"),
    _Rule("lei.delegada", 1962, 1992, "leis/ldl/ldl{two}", endings=False),
    _Rule("decreto.lei", 1937, 1988, "decreto-lei/del{padded}"),
    _Rule("decreto.lei", 1937, 1946, "decreto-lei/1937-1946/del{padded}"),
    _Rule("decreto.lei", 1965, 1988, "decreto-lei/1965-1988/del{padded}"),
    _Rule("medida.provisoria", 2004, 9999, "_ato{term}/{year}/mpv/mpv{n}", endings=False),
    _Rule("medida.provisoria", 2001, 2003, "mpv/mpv{n}", endings=False),
    _Rule("medida.provisoria", 2001, 2003, "mpv/{year}/mpv{n}", endings=False),
    _Rule("medida.provisoria", 1988, 2001, "mpv/{n}", endings=False),
    _Rule("medida.provisoria", 1988, 2001, "mpv/antigas_2001/{n}", endings=False),
    _Rule("medida.provisoria", 1988, 1995, "mpv/1990-1995/{n}", endings=False),
    _Rule("decreto", 2004, 9999, "_ato{term}/{year}/decreto/d{n}"),
    _Rule("decreto", 2001, 2003, "decreto/{year}/d{n}"),
    _Rule("decreto", 1889, 2001, "decreto/d{padded}"),
    _Rule("decreto", 1995, 2000, "decreto/1995-2000/d{padded}", endings=False),
    _Rule("decreto", 1990, 1994, "decreto/1990-1994/d{padded}", endings=False),
    _Rule("decreto", 1980, 1989, "decreto/1980-1989/d{padded}", endings=False),
    _Rule("decreto", 1970, 1979, "decreto/1970-1979/d{padded}", endings=False),
    _Rule("decreto", 1950, 1969, "decreto/1950-1969/d{padded}", endings=False),
    _Rule("decreto", 1930, 1949, "decreto/1930-1949/d{padded}", endings=False),
    _Rule("emenda.constitucional", 1992, 9999, "constituicao/emendas/emc/emc{n}", endings=False),
    _Rule("emenda.constitucional.revisao", 1994, 1994, "constituicao/emendas/ecr/ecr{n}", endings=False),
    _Rule("constituicao", 1988, 1988, "constituicao/constituicao", endings=False),
)
#: Norms whose page is not at the first path of a rule, by type, number and year: paths that are tried first.
_EXCEPTIONS = {
    ("lei", "8112", 1990): ("leis/l8112cons",),
    ("lei", "8212", 1991): ("leis/l8212cons",),
    ("lei", "8213", 1991): ("leis/l8213cons",),
    ("lei", "8666", 1993): ("leis/l8666cons",),
    ("lei", "6404", 1976): ("leis/l6404consol",),
    ("lei", "10406", 2002): ("leis/2002/l10406compilada", "leis/2002/l10406"),
    ("decreto.lei", "200", 1967): ("decreto-lei/del0200",),
    ("medida.provisoria", "2200-2", 2001): ("mpv/antigas_2001/2200-2",),
}
_THOUSAND = 4


def planalto_paths(name: Name) -> tuple[str, ...]:
    """Return the paths under which Planalto may have a norm, in the order of the attempts; empty for other norms.

    >>> from graph.urn import parse
    >>> planalto_paths(parse("urn:lex:br:federal:lei:2018-08-14;13709"))[:2]
    ('_ato2015-2018/2018/lei/l13709.htm', '_ato2015-2018/2018/lei/L13709.htm')
    >>> planalto_paths(parse("urn:lex:br:federal:lei:2003;10741"))[0]
    'leis/2003/l10.741.htm'
    >>> planalto_paths(parse("urn:lex:br;sao.paulo:estadual:lei:2001;10705"))
    ()
    """
    numbers, year = name.descritor.identificadores, name.representative_year
    federal = (name.local.pais, name.local.detalhe) == ("br", ()) and name.autoridade == (("federal",),)
    if not federal or year is None or len(numbers) != 1:
        return ()
    kind, number = name.tipo_documento[0], numbers[0]
    paths = [f"{path}.htm" for path in _EXCEPTIONS.get((kind, number, year), ())]
    by_rules = list(_paths_by_rules(kind, number, year))
    return tuple(dict.fromkeys((*paths, *by_rules)))[:MOST]


def _paths_by_rules(kind: str, number: str, year: int) -> Iterator[str]:
    """Yield the paths without a suffix, then those with each suffix."""
    rules = [rule for rule in _TABLE if rule.kind == kind and rule.since <= year <= rule.until]
    for ending in _ENDINGS:
        for rule in rules:
            if ending and not rule.endings:
                continue
            path = f"{_fill_path(rule.path, number, year)}{ending}.htm"
            yield path
            folder, slash, file = path.rpartition("/")
            if not ending:
                yield f"{folder}{slash}{file[:1].upper()}{file[1:]}"


def _fill_path(path: str, number: str, year: int) -> str:
    term = next((f"{first}-{last}" for first, last in _TERMS if first <= year <= last), None)
    if term is None:
        start = year - (year - _TERMS[0][1] - 1) % 4
        term = f"{start}-{start + 3}"
    main_number, dash, rest = number.partition("-")
    dotted = f"{main_number[:-3]}.{main_number[-3:]}" if len(main_number) >= _THOUSAND else main_number
    more = f"{dash}{rest}"
    return path.format(
        n=number,
        dotted=f"{dotted}{more}",
        padded=f"{main_number.zfill(_THOUSAND)}{more}",
        two=f"{main_number.zfill(2)}{more}",
        year=year,
        term=term,
    )
