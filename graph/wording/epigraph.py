"""Reads the name of a norm from its epigraph or from the title of a record.

The epigraph has type, number and date (Lei Complementar nº 95/1998, art. 4). A name may need more: the place of a state
or municipality and the issuing body (LexML 1.0 part 2, sections 6 and 8). A hint supplies them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from graph.errors import BadEpigraph, BadName, BadParameter, Span
from graph.urn import Kind, Name, parse
from graph.vocabulary import Scheme, built_in
from graph.wording.citations.issuers import belongs_to_other_place
from graph.wording.citations.lexicon import BODY, CONSTITUTIONS, TYPES, UNIT, body_of, without_connectives
from graph.wording.citations.series import fits_federal_series
from graph.wording.citations.values import place_of
from graph.wording.folding import folded, with_printed_controls, words
from graph.wording.numerals import DATE, FIRST_DAY, LAST_DAY, NUMBER_MARK, When, number_of, when_of, year_of
from ontology.places import UNITS

#: Words before the name of a state that are not part of it.
_STATE = frozenset({"estado", "governo", "governador", "assembleia", "legislativa"})
_TOWN = re.compile(
    r"\W*(?:munic[íi]pio|prefeit(?:o|a|ura)|cidade|c[âa]mara\s+(?:municipal|de\s+vereadores))\b", re.IGNORECASE
)
_UNIT_LAST = re.compile(rf"\W*\w[^.;:]{{0,60}}\W(?:{'|'.join(UNITS).upper()})\W*")
_OURS = re.compile(
    r"constituicao(?: federal| politica)?(?: da republica)?(?:(?: federativa)? d[oa] brasil)?"
    r"(?: d[oa]s (estados unidos do brasil)| do (imperio)(?: do brasil)?)?"
)
_DATED = re.compile(rf"(?i:{DATE})")
_YEAR = re.compile(r"[ ,]*[(/–-]? ?(?:de )?(1[89]\d\d)(?!\d)\)?")
_END = re.compile(r"[ .,;]*(?:$| ?[-–—(:;])")


def unit_of(text: str) -> str | None:
    """Return the unit of the federation in a remark after a date, as names write it; None for any other remark.

    >>> unit_of(" - SP"), unit_of(" (Estado de São Paulo)"), unit_of(" - Dispõe sobre o Estado de São Paulo")
    ('sao.paulo', 'sao.paulo', None)
    """
    remark = list(words(text))
    while remark and remark[0] in _STATE:
        del remark[0]
    if len(remark) > 1 and UNITS.get(remark[-1]) == ".".join(remark[:-1]):
        return UNITS[remark[-1]]
    joined = ".".join(remark)
    return UNITS.get(joined) or (joined if joined in UNITS.values() else None)


def is_of_municipality(text: str) -> bool:
    """Return whether a remark after a date names a municipality, with its state or alone.

    >>> [is_of_municipality(rest) for rest in (" - Campinas/SP", " - Município de Campinas", " - Publicação Original")]
    [True, True, False]
    """
    return _TOWN.match(text) is not None or _UNIT_LAST.fullmatch(text) is not None


def constitution_of(text: str) -> tuple[int | None, bool] | None:
    """Return the year of the Constitution of Brazil that an epigraph names, and whether a remark follows.

    The year is None if the epigraph has none. The result is None if it names another constitution, or has a day or year
    of no constitution of Brazil.

    >>> constitution_of("Constituição Federal de 1988"), constitution_of("CONSTITUIÇÃO DO PARAGUAI")
    ((1988, False), None)
    """
    plain = folded(text)
    head = _OURS.match(plain)
    if head is None:
        return None
    end = head.end()
    year: int | None = None
    if (dated := _DATED.match(plain, end)) is not None:
        when = when_of(dated, 1)
        if when is None or (when.day is not None and CONSTITUTIONS.get(when.year) != when.day.isoformat()):
            return None
        year, end = when.year, dated.end()
    elif (match := _YEAR.match(plain, end)) is not None:
        year, end = int(match[1]), match.end()
    if head[2]:  # the Constitution of the Empire
        year = 1824 if year in {None, 1824} else 0
    rest = plain[end:]
    if (
        _END.match(rest) is None
        or unit_of(rest)
        or is_of_municipality(rest.upper())
        or belongs_to_other_place(plain, end)
    ):
        return None
    if (year is None and head[1]) or (year is not None and year not in CONSTITUTIONS):
        return None
    return year, bool(rest.strip(" .,;"))


#: The maximum length of an epigraph, in characters.
LONGEST = 1000

_FRAME = ' \t\r\n\u00a0[]"“”*_'
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffd\ud800-\udfff]")
_SPACES = re.compile(r"[\s\u00a0]{1,1000}")
_LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
_MARKED = re.compile(rf"(?i:(?<![{_LETTERS}]){NUMBER_MARK}) ?(?=\d)")
_DIGIT = re.compile(r"(?<![\d./-])\d")
_NUMBER = re.compile(
    r"(\d{1,3}(?:\.\d{3}){1,3}|\d{1,9})(?![\d.]*\d)(-\d{1,3}(?!\d|-|/\d{1,2}/)|-[A-Z](?![A-Za-z]))?"
    r"(?: ?/ ?(\d{4}|\d{2})(?!\d))?"
)
#: The number of a judgment of a tax council, with its section first: "3201-008.134", "106-11.001".
_OF_COUNCIL = re.compile(r"(\d{3,4}-\d{2,3}\.?\d{3})(?![\d.,/-]*\d)(?: ?/ ?(\d{4})(?!\d))?")
_JUDGMENT = re.compile(r"ac[óo]rd[ãa]o(?: (?:tc[eu]|carf))?", re.IGNORECASE)
#: The text after the number of a judgment: the decided case, which is not in its name.
_CASE = re.compile(r"[ ,]*(?:d[oe] |no )?(?:processo|proc\.|recurso)(?!\w)", re.IGNORECASE)
_DATED_APART = re.compile(rf" ?(?i:{DATE})")
_SEQUENCE = re.compile(r" ?\( ?seq-(?:sf|cd)(?:: ?| )?-?(\d{1,6}) ?\)", re.IGNORECASE)
_SPHERE = re.compile(r" (federa(?:l|is)|estadua(?:l|is)|municipa(?:l|is)|distrita(?:l|is))(?![a-zà-ÿ])", re.IGNORECASE)
_OF_BODY = re.compile(rf"(?:^| )(?:[-–,/] ?)?(?:(?i:d[oae]) )?({BODY})$")
#: The cabinet of a minister beside the ministry: "GM/MS", "MS/GM".
_CABINET = re.compile(r" (?:GM ?[/-] ?([A-Z]{2,6})|([A-Z]{2,6}) ?[/-] ?GM)$")
_OF_ACRONYM = re.compile(r" ([A-Z]{2,10}(?:[/-][A-Z]{2,10})?)$")
_BEHIND = re.compile(rf"(?: ?,)? ?(?i:d[oae]s?) (?:({BODY})|(?:(?i:estado) (?i:d[oae]s?) )?((?i:{UNIT})))(?=[ .,;]*$)")
_REMARK = re.compile(r" ?[.,;:]?(?:$| ?[-–—(:;.])")
_CONSTITUTION = re.compile(rf"constitui[çc][ãa]o(?![{_LETTERS}])", re.IGNORECASE)
_FIRST_YEAR, _LAST_YEAR = FIRST_DAY.year, LAST_DAY.year
#: Signs that types never have, but titles of judgments do: a slash, a dash between spaces, a second number.
_NO_TYPE = re.compile(rf"[\d/:;]| [-–—] |(?i:(?<![{_LETTERS}])(?:processo|n[º°])(?![{_LETTERS}]))")
_LONGEST_TYPE = 6
_SECTION_PLACE = "LexML 1.0 part 2, section 6"
_SECTION_AUTHORITY = "LexML 1.0 part 2, section 8"
_SECTION_TYPE = "LexML 1.0 part 2, section 9"
_SECTION_DESCRIPTOR = "LexML 1.0 part 2, section 10.1"
#: Types that a state or a municipality issues by its own authority; for others the text or a hint must name the body.
_OF_A_SPHERE = frozenset({"lei", "lei.complementar", "lei.delegada", "lei.organica", "decreto", "decreto.lei"})
#: Types that one sphere issues, and those of a legislative chamber.
_OF_TOWNS, _OF_STATES = frozenset({"emenda.lei.organica"}), frozenset({"constituicao", "emenda.constitucional"})
_OF_CHAMBER = frozenset({"decreto.legislativo"})
_ORGANIC = r"(?:lei +org[âa]nica|L\.?O\.?M\.?(?![^\W\d_]))"
#: A title with its number before the amended norm, or with commas in its day.
_NUMBER_FIRST = re.compile(
    rf"(emenda(?: \w+)?) (n[º°o.]{{1,2}} ?[0-9.]+(?:/[0-9]+)?) ([àa] {_ORGANIC}.*?)(,? de [0-9].*|$)", re.IGNORECASE
)
_COMMAS = re.compile(r"\b(de),? ([0-9]{1,2}[º°]?),? (de [a-zç]+),? (?=de [0-9])", re.IGNORECASE)
_DATED_LAST = re.compile(rf"[ ,(]*(?:promulgada em |em )?(?i:{DATE})\W*$", re.IGNORECASE)
#: The norm of a place that a title names by its place: "Emenda à Lei Orgânica do Município de Campinas - SP".
_OF_PLACE = re.compile(
    rf"(?P<type>emenda (?:(?:modificativa|aditiva|supressiva|substitutiva) )?[àa] {_ORGANIC}"
    rf"|emenda (?:[àa] constitui[çc][ãa]o(?! d[ae] rep)|constitucional)|{_ORGANIC}|constitui[çc][ãa]o"
    r"|regimento interno(?= (?:d[ae] )?(?:c[âa]mara|assembl[ée]ia)))"
    r"(?: (?:municipal|estadual"
    r"|d[oa] (?:munic[íi]pio|estado|c[âa]mara(?: municipal| de vereadores)*|assembl[ée]ia legislativa))(?![^\W\d_]))*"
    rf"(?: d[eoa]s? (?P<name>(?!\d)[^/,();.–-]{{2,60}}?))?"
    rf"(?: ?[-–/(,] ?(?:estado d[eoa]s? )?(?P<unit>(?:{'|'.join(UNITS)}|{UNIT})(?![^\W\d_]))\)?)?[ .,–-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EpigraphReading:
    """The result of reading an epigraph.

    Attributes:
        text: the text that was read.
        name: the canonical name; a reference if the epigraph does not identify a norm.
        kind: ``complex`` or ``reference``.
        steps: parts taken from hints, left out or changed in spelling, in order.
    """

    text: str
    name: str
    kind: Kind
    steps: tuple[str, ...]


def from_epigraph(
    text: str, *, place: str | None = None, authority: str | None = None, day: date | None = None
) -> EpigraphReading:
    """Return the name that an epigraph states.

    >>> from_epigraph("LEI Nº 11.705, DE 19 DE JUNHO DE 2008").name
    'urn:lex:br:federal:lei:2008-06-19;11705'
    >>> from_epigraph("Lei Municipal nº 99901, de 4 de abril de 2011", place="rs;vespasiano.correa").name
    'urn:lex:br;rio.grande.sul;vespasiano.correa:municipal:lei:2011-04-04;99901'
    >>> from_epigraph("Lei Orgânica do Município de Ficção - RS, de 5 de abril de 1990").name
    'urn:lex:br;rio.grande.sul;ficcao:municipal:lei.organica:1990-04-05;1990'

    Args:
        text: the epigraph, in any case.
        place: unit and municipality in the spelling of names, with or without ``br;``; None if not known.
        authority: the bodies in the spelling of names, or the acronym or label of one body in the vocabulary.
        day: the day of an organic law, of a constitution or of internal rules, if the epigraph does not state it.

    Raises:
        BadEpigraph: the text is empty, too long, or lacks a part of a name; the message has the expected part and the
            position.
        BadParameter: a hint is not a place or not an authority.
    """
    return _Epigraph(text, None if place is None else place_of(place), authority_of(authority), day).reading()


def authority_of(authority: str | None) -> str | None:
    """Return a hint of authority in the notation of names.

    Raises:
        BadParameter: it is not an authority.
    """
    if authority is None:
        return None
    known = built_in().one(Scheme.AUTORIDADE, authority)
    if known is not None:
        return known.notation
    try:
        return _authority_text(parse(f"urn:lex:br:{authority.strip()}:lei:2000;99901"))
    except BadName as refused:
        raise BadParameter(f"expected an authority such as senado.federal, got {authority!r}") from refused


def authority_in_vocabulary(authority: str) -> str:
    """Return an authority in the notation of names.

    >>> authority_in_vocabulary("STF"), authority_in_vocabulary("camara.municipal")
    ('supremo.tribunal.federal', 'camara.municipal')

    Raises:
        BadParameter: the vocabulary does not have it.
    """
    body = authority_of(authority) or ""
    if built_in().concept(Scheme.AUTORIDADE, body.partition(",")[0].partition(";")[0]) is None:
        raise BadParameter(f"expected an authority of the vocabulary, such as camara.municipal, got {authority!r}")
    return body


def _authority_text(name: Name) -> str:
    return ",".join(";".join(subject) for subject in name.autoridade)


class _Epigraph:
    """The state of reading one epigraph."""

    def __init__(self, text: str, place: str | None, authority: str | None, day: date | None) -> None:
        self._day = day
        self._text = with_printed_controls(text)
        self._place = place
        self._authority = authority
        self._is_federal = place == "br" or authority == "federal"
        self._steps: list[str] = []
        self._offset = 0
        self._plain = self._text_without_frame()
        if place is not None and place != "br":
            self._steps.append(f"place {place!r} from the hint")

    def reading(self) -> EpigraphReading:
        """Return the name, and how it was read."""
        name = self._constitution() or self._unnumbered() or self._numbered()
        try:
            parsed_name = parse(name)
        except BadName as refused:
            raise self._error("bad-name", refused.problem, 0, len(self._plain), refused.section) from refused
        return EpigraphReading(self._text, parsed_name.canonical, parsed_name.kind, tuple(self._steps))

    def _text_without_frame(self) -> str:
        """Return the text without surrounding signs, with runs of white space replaced by one space."""
        if len(self._text) > LONGEST:
            problem = f"expected at most {LONGEST} characters, got {len(self._text)}"
            raise BadEpigraph(
                problem, self._text, span=Span(LONGEST, len(self._text)), code="too-long", section=_SECTION_TYPE
            )
        control = _CONTROL.search(self._text)
        if control is not None:
            problem = f"expected text, got the character U+{ord(control[0]):04X}"
            span = Span(control.start(), control.end())
            raise BadEpigraph(problem, self._text, span=span, code="bad-character", section=_SECTION_TYPE)
        plain = self._text.strip(_FRAME)
        if not plain:
            span = Span(0, len(self._text))
            problem = "expected an epigraph, such as Lei nº 8.078, de 11 de setembro de 1990, got nothing"
            raise BadEpigraph(problem, self._text, span=span, code="empty", section=_SECTION_TYPE)
        self._offset = self._text.index(plain)
        plain = _COMMAS.sub(r"\1 \2 \3 ", _SPACES.sub(" ", plain))
        return _NUMBER_FIRST.sub(r"\1 \3 \2\4", plain)

    def _error(self, code: str, problem: str, start: int, end: int, section: str) -> BadEpigraph:
        """Return the error for a range of the normalised text; for the whole text if spaces were joined."""
        kept = self._text[self._offset : self._offset + len(self._plain)] == self._plain
        span = (
            Span(self._offset + start, self._offset + max(end, start + 1)) if kept else Span(0, max(1, len(self._text)))
        )
        return BadEpigraph(problem, self._text, span=span, code=code, section=section)

    def _constitution(self) -> str | None:
        """Return the name of a federal constitution, which has only a year."""
        if _CONSTITUTION.match(self._plain) is None or self._place:
            return None
        constitution = constitution_of(self._plain)
        if constitution is None:
            problem = f"expected a Constitution of Brazil and its year, got {self._plain[:60]!r}"
            raise self._error("rest", problem, 0, len(self._plain), _SECTION_DESCRIPTOR)
        year, remark = constitution
        if year is None:
            self._steps.append("no year stated: the constitution of 1988")
        if remark:
            self._steps.append("left out: the text after the name of the Constitution")
        chosen = year or 1988
        return f"urn:lex:br:federal:constituicao:{CONSTITUTIONS[chosen]};{chosen}"

    def _unnumbered(self) -> str | None:
        """Return the name of an organic law, a constitution of a state, or internal rules: the year is their number.

        None for another norm, and for one with a number.
        """
        if _MARKED.search(self._plain) is not None:
            return None
        dated = _DATED_LAST.search(self._plain)
        when = when_of(dated, 1) if dated is not None else None
        title = _OF_PLACE.fullmatch(self._plain[: dated.start()] if dated is not None else self._plain)
        day = when.day if when is not None else self._day
        if title is None or title["type"].casefold().startswith("emenda") or day is None:
            return None
        place, authority, kind = self._issuer_of_title(title)
        self._steps.append("no number: the year replaces it")
        return f"urn:lex:{place}:{authority}:{kind}:{day};{day.year}"

    def _numbered(self) -> str:
        """Return the name from type, number and date, in this order."""
        plain = self._plain
        marked = _MARKED.search(plain)
        bare = _DIGIT.search(plain)
        if bare is None:
            problem = "expected a type, a number and a date, got no number"
            raise self._error("number-missing", problem, 0, len(plain), _SECTION_DESCRIPTOR)
        position = marked.end() if marked is not None and marked.end() <= bare.start() else bare.start()
        head = plain[: marked.start() if marked is not None and marked.end() == position else position].rstrip(" ,-–/")
        number, when, end = self._descriptor(head, position)
        if head.casefold().endswith((" de", " em")):
            head = head[:-3]
        place, authority, kind = self._issuer(head, plain[end:])
        self._check_series(f"{place}:{authority}", kind, number, when, head)
        return f"urn:lex:{place}:{authority}:{kind}:{when or ''}{';' if number else ''}{number}"

    def _check_series(self, issuer: str, kind: str, number: str, when: When | None, head: str) -> None:
        """Refuse a norm as federal if nothing states that it is, and no federal norm has its number and date."""
        if issuer != "br:federal" or self._is_federal or _SPHERE.search(f" {head}") is not None or when is None:
            return
        if fits_federal_series(kind, number, when.year, when.day) is False:
            problem = (
                f"expected whose norm it is as a hint, such as place='sp;campinas' or place='br': "
                f"no federal one of {when} has the number {number}"
            )
            raise self._error("place-missing", problem, 0, len(self._plain), _SECTION_PLACE)

    def _descriptor(self, head: str, position: int) -> tuple[str, When | None, int]:
        """Return number, date and their end; a decree without a number gets the sequence number of the portal."""
        plain = self._plain
        if head.casefold().endswith((" de", " em")):
            dated = _DATED_APART.match(plain, len(head) - 3)
            when = when_of(dated, 1) if dated is not None else None
            sequence = _SEQUENCE.match(plain, dated.end()) if dated is not None else None
            if dated is None or when is None or when.day is None:
                problem = "expected a number, or the day of a norm without number"
                raise self._error("number-missing", problem, len(head), len(plain), _SECTION_DESCRIPTOR)
            self._check_year(when, dated.start(), dated.end())
            if sequence is None:
                self._steps.append("no number: the name is a reference")
                self._refuse_rest(dated.end())
                return "", when, dated.end()
            self._steps.append("no number: the sequence number of the portal replaces it")
            word = "sf" if "sf" in sequence[0].lower() else "cd"
            return f"seq-{word}-{int(sequence[1])}", when, sequence.end()
        if _JUDGMENT.fullmatch(head) is not None and (judged := _OF_COUNCIL.match(plain, position)) is not None:
            when = When(year_of(judged[2])) if judged[2] else None
            if when is None:
                self._steps.append("no date: the name is a reference")
            self._skip_judged_case(judged.end())
            return judged[1].replace(".", ""), when, len(plain)
        match = _NUMBER.match(plain, position)
        if match is None:
            problem = f"expected a number, got {plain[position : position + 40]!r}"
            raise self._error("bad-number", problem, position, len(plain), _SECTION_DESCRIPTOR)
        number = number_of(match[1], (match[2] or "").lower() or None)
        if number.partition("-")[0] == "0":
            problem = f"expected a number from 1 up, got {match[0]!r}"
            raise self._error("bad-number", problem, position, match.end(), _SECTION_DESCRIPTOR)
        when = When(year_of(match[3])) if match[3] else None
        end = match.end()
        dated = _DATED_APART.match(plain, end)
        if dated is not None:
            stated = when_of(dated, 1)
            if stated is None:
                problem = f"expected a day of the calendar, got {dated[0].strip(' ,')!r}"
                raise self._error("bad-date", problem, dated.start(), dated.end(), "LexML 1.0 part 2, section 4.4")
            when = stated if when is None or stated.day is not None else when
            end = dated.end()
        self._check_year(when, position, end)
        if _JUDGMENT.fullmatch(head) is not None and _CASE.match(plain, end) is not None:
            self._skip_judged_case(end)
            end = len(plain)
        if when is None:
            self._steps.append("no date: the name is a reference")
        elif when.day is None:
            self._steps.append("no day: the year alone")
        self._refuse_rest(end)
        return number, when, end

    def _skip_judged_case(self, end: int) -> None:
        """Skip the case of a judgment; refuse other text after its number."""
        rest = self._plain[end:].strip(" .,;")
        if rest and _CASE.match(self._plain, end) is None:
            problem = f"expected the case after the number of a judgment, got {rest[:40]!r}"
            raise self._error("rest", problem, end, len(self._plain), _SECTION_DESCRIPTOR)
        if rest:
            self._steps.append(f"left out, the case: {rest[:80]!r}")

    def _check_year(self, when: When | None, start: int, end: int) -> None:
        """Refuse a year in which there can be no norm."""
        if when is not None and not _FIRST_YEAR <= when.year <= _LAST_YEAR:
            problem = f"expected a year from {_FIRST_YEAR} to {_LAST_YEAR}, got {when.year}"
            raise self._error("bad-date", problem, start, end, "LexML 1.0 part 2, section 4.4")

    def _refuse_rest(self, end: int) -> None:
        """Refuse text after the date, unless it is separated as a remark."""
        rest = self._plain[end:].strip(" .,;")
        if not rest:
            return
        if _BEHIND.match(self._plain, end) is not None:
            return
        if self._place is None and self._use_state_as_place(end):
            return
        if _REMARK.match(self._plain, end) is None:
            problem = f"expected the end of the text after number and date, got {rest[:40]!r}"
            raise self._error("rest", problem, end, len(self._plain), _SECTION_DESCRIPTOR)
        self._steps.append(f"left out after the date: {rest[:80]!r}")

    def _use_state_as_place(self, end: int) -> bool:
        """Use the name of a state after the date as the place. Return whether there is one.

        The name of a municipality alone is refused.
        """
        rest = self._plain[end:]
        unit = unit_of(rest) if "/" not in rest else None
        if unit is not None:
            self._place = place_of(unit)
            self._steps.append(f"place {self._place!r} from the text")
            return True
        if "/" not in rest[:3] and (is_of_municipality(rest) or belongs_to_other_place(self._plain, end)):
            problem = f"expected whose norm it is as a hint, such as place='sp;campinas', got {rest.strip()[:40]!r}"
            raise self._error("place-missing", problem, end, len(self._plain), _SECTION_PLACE)
        return False

    def _issuer(self, head: str, rest: str) -> tuple[str, str, str]:
        """Return place, authority and type in the notation of names."""
        titled = _OF_PLACE.fullmatch(head)
        if (titled is not None and (self._place or "br") != "br") or (titled and titled["unit"] and titled["name"]):
            return self._issuer_of_title(titled)
        cabinet = _CABINET.search(head)
        ministry = (cabinet[1] or cabinet[2]) if cabinet is not None else ""
        body = body_of(ministry) if ministry else None
        if cabinet is not None and body is not None:
            self._steps.append(f"left out, the cabinet of the minister: {cabinet[0].strip()!r}")
            head = head[: cabinet.start()]
            known = self._type(head)
            if known is not None:
                return self._sphere(None, known[0], known[1], body)
        issuer = _OF_BODY.search(head)
        body = body_of(issuer[1]) if issuer is not None and issuer.start() > 0 else None
        sphere = _SPHERE.search(f" {head}") if body is None else None
        level = folded(sphere[1])[:3] if sphere is not None else None
        own = self._type(head)
        if own is None and body is not None and issuer is not None:
            head = head[: issuer.start()].strip(" ,-–/")
            own = self._type(head)
        elif own is None and sphere is not None:
            head = _SPHERE.sub("", f" {head}", count=1).strip()
            own = self._type(head)
        acronym = _OF_ACRONYM.search(head) if own is None and self._authority is not None else None
        if acronym is not None and (shorter := self._type(head[: acronym.start()].rstrip(" -–"))) is not None:
            self._steps.append(f"left out, an acronym outside the vocabulary: {acronym[1]!r}")
            own = shorter
        kind, default = own if own is not None else self._type_from_words(head)
        behind = _BEHIND.match(rest)
        if behind is not None and behind[1] is not None and body is None and default is None:
            body = body_of(behind[1])
        elif behind is not None and behind[2] is not None and self._place is None:
            self._place = place_of(".".join(words(behind[2])))
            self._steps.append(f"place {self._place!r} from the text")
        return self._sphere(level, kind, default, body)

    def _issuer_of_title(self, title: re.Match[str]) -> tuple[str, str, str]:
        """Return place, authority and type of a norm whose title has its place; the place of the text wins."""
        words_of_type = folded(title["type"])
        is_amendment = words_of_type.startswith("emenda")
        if "constitu" in words_of_type:
            kind, levels = "emenda.constitucional" if is_amendment else "constituicao", 2
        elif words_of_type.startswith("regimento"):
            kind, levels = "regimento.interno", 3
        else:
            kind, levels = "emenda.lei.organica" if is_amendment else "lei.organica", 3
        given = (self._place or "br").split(";")
        named = without_connectives(title["name"]) if title["name"] else None
        unit = without_connectives(title["unit"]) if title["unit"] else None
        unit = UNITS.get(unit or "", unit)
        if named is not None and levels == 2:
            unit, named = named if named in UNITS.values() else unit, None
        if unit is not None and named is not None:
            given = ["br", unit, named]
        elif unit is not None and given[1:2] != [unit]:
            given = ["br", unit]
        elif named is not None and given[2:] != [named] and given[1:2] != [named]:
            given = ["br"]
        if "distrito.federal" not in given and len(given) < levels:
            problem = "expected the place of the norm as a hint, such as place='sp;campinas'"
            raise self._error("place-missing", problem, 0, len(self._plain), _SECTION_PLACE)
        place = ";".join(given[:levels])
        chamber = "camara.legislativa" if "distrito.federal" in given else "camara.municipal"
        default = chamber if kind == "regimento.interno" else self._default(place, kind, None)
        return place, self._authority or default, kind

    def _sphere(self, level: str | None, kind: str, default: str | None, body: str | None) -> tuple[str, str, str]:
        place = self._place
        if level == "est" and place is not None:
            place = ";".join(place.split(";")[:2])
        if level == "dis" and place is None:
            place = "br;distrito.federal"
        levels = {"est": 1, "mun": 2}.get(level or "", 0)
        if (place or "br").count(";") < levels:
            place_kind = "state" if level == "est" else "municipality"
            problem = f"expected the place of a norm of a {place_kind}: give it as a hint, such as place='sp;campinas'"
            raise self._error("place-missing", problem, 0, len(self._plain), _SECTION_PLACE)
        if level == "fed":
            place = "br"
        place = place or "br"
        authority = self._authority or body
        if self._authority is not None:
            self._steps.append(f"authority {self._authority!r} from the hint")
        elif body is not None:
            self._steps.append(f"authority {body!r} from the text")
        authority = authority or self._default(place, kind, default)
        if kind == "medida.provisoria" and authority == "congresso.nacional":
            kind = "medida.provisoria;mpv"
        return place, authority, kind

    def _default(self, place: str, kind: str, default: str | None) -> str:
        """Return the default issuer of a norm of this type in that place."""
        is_town, is_district = place.count(";") > 1, place == "br;distrito.federal"
        of_place = _OF_A_SPHERE | (_OF_TOWNS if is_town or is_district else _OF_STATES)
        if place != "br" and kind in of_place and "justica." not in place:
            return "municipal" if is_town else "distrital" if is_district else "estadual"
        if place != "br" and kind in _OF_CHAMBER and "justica." not in place:
            return "camara.municipal" if is_town else "camara.legislativa" if is_district else "assembleia.legislativa"
        if place == "br" and default == "municipal":
            problem = "expected the place of a norm of a municipality: give it as a hint, such as place='sp;campinas'"
            raise self._error("place-missing", problem, 0, len(self._plain), _SECTION_PLACE)
        if place == "br" and default is not None:
            return default
        problem = f"expected the body that issued it: give it as a hint, such as authority='senado.federal' ({kind})"
        raise self._error("authority-missing", problem, 0, len(self._plain), _SECTION_AUTHORITY)

    def _type(self, text: str) -> tuple[str, str | None] | None:
        """Return a known type and its issuer; None for other words."""
        for norm_type in TYPES:
            if re.fullmatch(norm_type.pattern, text, re.IGNORECASE) is not None:
                return norm_type.kind, norm_type.authority
        known = {concept.notation for concept in built_in().named(Scheme.TIPO_DOCUMENTO, text)} if text else set()
        if len(known) != 1:
            return None
        notation = known.pop()
        return _HOUSES.get(folded(text), (notation, _FEDERAL.get(notation)))

    def _type_from_words(self, text: str) -> tuple[str, str | None]:
        """Return a type outside the vocabulary, spelled from its words (section 4.3.3)."""
        type_words = words(text)
        if not type_words or len(type_words) > _LONGEST_TYPE or _NO_TYPE.search(text) is not None:
            problem = f"expected a type of norm before the number, got {text[:40]!r}"
            raise self._error("no-type", problem, 0, max(1, len(text)), _SECTION_TYPE)
        kind = ".".join(type_words)
        self._steps.append(f"type {kind!r} is not in the vocabulary: spelled from its words")
        return kind, None


_FEDERAL = {"decreto.legislativo": "federal", "emenda.constitucional": "federal", "ato.complementar": "federal"}
#: Acronyms of bills. Each acronym identifies the house and the subtype.
_HOUSES: dict[str, tuple[str, str | None]] = {
    "pec": ("proposta.emenda.constitucional;pec", None),
    "prs": ("projeto.resolucao;prs", "senado.federal"),
    "prc": ("projeto.resolucao;prc", "camara.deputados"),
    "prn": ("projeto.resolucao;prn", "congresso.nacional"),
    "plv": ("projeto.lei.conversao;plv", "congresso.nacional"),
}
