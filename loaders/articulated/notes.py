"""Editorial notes in compiled texts: the kind of change they report, and the act that made it.

A publisher adds them: "(Redação dada pela Lei nº 13.853, de 2019)", "(Incluído pela ...)", "(Vide ...)", "(Vigência)".
"(VETADO)", "(Revogado)" and "(NR)" without an act are words of the law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from urllib.parse import unquote

from graph.entities import EditorialNoteKind
from graph.urn import Name, parse_or_none
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS
from loaders.articulated.lines import Line

# Acts that notes and links of compiled texts name: type, number, and the day or the year that they state.


#: An amendment of an organic law; without these words, an amendment of the norm whose text names it.
_AMENDMENT = "emenda.lei.organica"
_ACT_KINDS = (
    (
        re.compile(r"emendas?\s+constitucional\s+de\s+revis[ãa]o|emenda\s+de\s+revis[ãa]o", re.I),
        "emenda.constitucional.revisao",
    ),
    (re.compile(r"emendas?\s+constitucion(?:al|ais)|\bec\b", re.I), "emenda.constitucional"),
    (
        re.compile(
            r"emendas?(?:\s+(?:[àa]\s+)?(?:lei\s+or\w{2,8}ca(?:\s+municipal|\s+do\s+munic[íi]pio)?|l\.?o\.?m\b\.?))?",
            re.I,
        ),
        _AMENDMENT,
    ),
    (re.compile(r"leis?\s+complementar(?:es)?|\blcm?\b|\bl\.\s?c\.(?:\s?m\.)?", re.I), "lei.complementar"),
    (re.compile(r"leis?\s+delegadas?", re.I), "lei.delegada"),
    (re.compile(r"medidas?\s+provis[óo]rias?|mpv?\b", re.I), "medida.provisoria"),
    (re.compile(r"decretos?\s+legislativos?", re.I), "decreto.legislativo"),
    (re.compile(r"decretos?\s?[-–]?\s?leis?|del\b|\bdl\b", re.I), "decreto.lei"),
    (re.compile(r"decretos?|\bdec\b\.?", re.I), "decreto"),
    (re.compile(r"atos?\s+institucion(?:al|ais)", re.I), "ato.institucional"),
    (re.compile(r"atos?\s+complementar(?:es)?", re.I), "ato.complementar"),
    (re.compile(r"resolu[çc](?:ão|ao|ões)(?:\s+do\s+senado\s+federal|\s+sf)?|\bres\b\.?", re.I), "resolucao"),
    (re.compile(r"leis?", re.I), "lei"),
)
_TYPE = "|".join(pattern.pattern for pattern, _ in _ACT_KINDS)
_MONTH = "|".join(MONTHS) + "|marco"
_DAY = (
    r"([0-9]{1,2})(?:\s?\.?\s?[ºo°])?\s?(?:[./-]\s?([0-9]{1,2})\s?[./-]\s?([0-9]{4}|[0-9]{2})(?![0-9])"
    rf"|\s*de\s+({_MONTH})\s+de\s+([0-9]{{4}}))"
)
_DATED = re.compile(_DAY, re.IGNORECASE)
#: An act: its type, number, and the rest of its date.
ACT = re.compile(
    rf"(?P<kind>{_TYPE})(?:\s+(?P<level>municipal|estadual|federal|ordin[áa]ria)\b)?\s*(?:n\s?[º°o.]{{0,2}}\s*|nr\.?\s*)?(?P<number>[0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,6}})"
    rf"(?P<letters>(?:\s?-\s?(?:[A-Z]|[0-9]{{1,2}})(?![0-9A-Za-z]))?)(?:\s?/{{1,2}}\s?(?P<slashed>[0-9]{{4}}"
    rf"|[0-9]{{2}})(?![0-9]))?"
    rf"(?:\s*,?\s*(?:de|em)?\s*(?P<day>{_DAY}|[0-9]{{4}}(?![0-9./])))?",
    re.IGNORECASE,
)
_LINKS = (
    (re.compile(r"(?:^|/)lcp[-_]?([0-9]{1,3})", re.I), "lei.complementar"),
    (re.compile(r"(?:^|/)(?:mpv?[-_]?)([0-9]{1,4}(?:-[0-9]{1,2})?)", re.I), "medida.provisoria"),
    (re.compile(r"(?:^|/)mpv/([0-9]{1,4}(?:-[0-9]{1,2})?)", re.I), "medida.provisoria"),
    (re.compile(r"(?:^|/)ecr[-_]?([0-9]{1,2})", re.I), "emenda.constitucional.revisao"),
    (re.compile(r"(?:^|/)emc[-_]?([0-9]{1,3})", re.I), "emenda.constitucional"),
    (re.compile(r"(?:^|/)del[-_]?([0-9]{1,5})", re.I), "decreto.lei"),
    (re.compile(r"(?:^|/)dlg[-_]?([0-9]{1,5})", re.I), "decreto.legislativo"),
    (re.compile(r"(?:^|/)l[-_]?([0-9]{1,2}\.?[0-9]{3}|[0-9]{1,4})", re.I), "lei"),
    (re.compile(r"(?:^|/)d[-_]?([0-9]{1,3}\.?[0-9]{3}|[0-9]{1,4})", re.I), "decreto"),
)
_YEAR_IN_PATH = re.compile(r"/((?:18|19|20)[0-9]{2})/")
_CENTURY = 30
#: The types of acts that only the Union issues, and those that parliaments issue.
_FEDERAL_KINDS = frozenset(
    {"emenda.constitucional.revisao", "medida.provisoria", "decreto.lei", "ato.institucional", "ato.complementar"}
)
_OF_PARLIAMENTS = frozenset({"resolucao", "decreto.legislativo"})


@dataclass(frozen=True, slots=True)
class ActName:
    """An act, as a note or link names it.

    Attributes:
        kind: its type as a name writes it.
        number: as a name writes it.
        year: None if it is not stated.
        day: None if it is not stated.
        fragment: the anchor of a link.
        level: whose act it is, if the note states it: ``municipal``, ``estadual`` or ``federal``.
    """

    kind: str
    number: str
    year: int | None = None
    day: date | None = None
    fragment: str | None = None
    level: str | None = None

    def name_in(self, norm: Name) -> Name | None:
        """Return the name of the act as the text of a norm means it, with the day or the year that it states.

        In a text of a town or state it is an act of that town or state, unless only the Union issues acts of its type.
        None without a year, for an amendment that the text does not name as one of the Constitution, or for an act of
        a place that the text does not name.
        """
        when = self.day.isoformat() if self.day is not None else f"{self.year:04d}" if self.year is not None else None
        place, authority = norm.canonical.split(":")[2:4]
        is_of_town, is_local = place.count(";") == 2, ";" in place and self.kind not in _FEDERAL_KINDS
        kind = self.kind
        if self.level == "municipal" and not is_of_town:
            return None
        if self.level == "estadual":
            if ";" not in place:
                return None
            place, is_of_town = ";".join(place.split(";")[:2]), False
        is_local = is_local and self.level != "federal"
        if kind == "emenda.constitucional" and is_of_town:
            is_local = False
        if kind == _AMENDMENT and place.count(";") == 1:
            kind = "emenda.constitucional"
        if when is None or (kind == _AMENDMENT and not is_of_town):
            return None
        if not is_local:
            place, authority = "br", "senado.federal" if kind == "resolucao" else "federal"
        elif kind in _OF_PARLIAMENTS:
            authority = "camara.municipal" if is_of_town else "assembleia.legislativa"
        else:
            authority = "municipal" if is_of_town else "estadual"
        return parse_or_none(f"urn:lex:{place}:{authority}:{kind}:{when};{self.number}")

    def agrees(self, other: ActName) -> bool:
        """Return whether both may be the same act: no stated part differs."""
        same = (self.kind, self.number) == (other.kind, other.number)
        return same and (self.year is None or other.year is None or self.year == other.year)


def day_of(text: str) -> date | None:
    """Return the day in a text such as "30.9.1997" or "1º de abril de 2021"; None if there is none.

    >>> str(day_of("DOU de 15.8.2018")), str(day_of("em 1º de abril de 2021")), day_of("31.2.2020")
    ('2018-08-15', '2021-04-01', None)
    """
    match = _DATED.search(text)
    return _day(match.groups()) if match is not None else None


def _day(groups: tuple[str | None, ...]) -> date | None:
    day, month, year, name, year_of_name = groups
    if day is None:
        return None
    try:
        if name is not None:
            names = [folded(month_name) for month_name in MONTHS]
            return date(int(year_of_name or 0), names.index(folded(name)) + 1, int(day))
        return date(_year(year or ""), int(month or 0), int(day))
    except ValueError:
        return None


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) > 2 else year + (2000 if year < _CENTURY else 1900)


def act_of(text: str) -> ActName | None:
    """Return the first act that a text names.

    >>> from graph.urn import parse
    >>> law = parse("urn:lex:br:federal:lei:2018-08-14;13709")
    >>> act_of("Redação dada pela Lei nº 13.853, de 2019").name_in(law).canonical
    'urn:lex:br:federal:lei:2019;13853'
    >>> act_of("Incluído pela Medida Provisória nº 2.180-35, de 24.8.2001").name_in(law).canonical
    'urn:lex:br:federal:medida.provisoria:2001-08-24;2180-35'
    >>> law = parse("urn:lex:br;sao.paulo;campinas:municipal:lei.organica:1990-03-30;1990")
    >>> act_of("Nova redação dada pela Emenda nº 02/2009, de 16.12.2009").name_in(law).canonical
    'urn:lex:br;sao.paulo;campinas:municipal:emenda.lei.organica:2009-12-16;2'
    >>> act_of("conversão da MPV nº 472, de 1994").kind, act_of("pelo Del nº 4, de 1969").kind
    ('medida.provisoria', 'decreto.lei')
    >>> for kind in ("LC", "LCM", "Lei Estadual", "Lei Federal"):
    ...     print(act_of(f"{kind} nº 99.905/1994").name_in(law).canonical)
    urn:lex:br;sao.paulo;campinas:municipal:lei.complementar:1994;99905
    urn:lex:br;sao.paulo;campinas:municipal:lei.complementar:1994;99905
    urn:lex:br;sao.paulo:estadual:lei:1994;99905
    urn:lex:br:federal:lei:1994;99905
    """
    match = ACT.search(text)
    return _act(match) if match is not None else None


def _act(match: re.Match[str]) -> ActName:
    written = match["kind"]
    kind = next(name for pattern, name in _ACT_KINDS if pattern.fullmatch(written))
    number = match["number"].replace(".", "").lstrip("0") or "0"
    letters = (match["letters"] or "").replace(" ", "").lower()
    if letters[1:].isalpha():
        letters = f"-{letters[1:]}"
    when = match["day"]
    day = day_of(when) if when is not None else None
    year = day.year if day is not None else None
    if year is None and when is not None and when.isdecimal():
        year = int(when)
    if year is None and match["slashed"]:
        year = _year(match["slashed"])
    level = "municipal" if folded(written).endswith(("m", "m.")) and kind == "lei.complementar" else match["level"]
    level = None if level is None or level.lower().startswith("ordin") else level.lower()
    return ActName(kind, f"{number}{letters}", year, day, level=level)


def act_of_link(href: str) -> ActName | None:
    """Return the act that the address of a page names, by its file name; None if it names none.

    >>> act_of_link("../../../_Ato2019-2022/2019/Lei/L13853.htm#art2")
    ActName(kind='lei', number='13853', year=2019, day=None, fragment='art2', level=None)
    >>> act_of_link("../Mpv/mpv869.htm#art1").number, act_of_link("#art3")
    ('869', None)
    """
    path, _, fragment = unquote(href[:500]).partition("#")
    file = path.rpartition("?")[0] or path
    for pattern, kind in _LINKS:
        match = pattern.search(file)
        if match is not None and file.lower().endswith((".htm", ".html", ".doc", ".pdf", ".rtf")):
            year = _YEAR_IN_PATH.search(file)
            number = match[1].replace(".", "").lstrip("0") or "0"
            return ActName(kind, number, int(year[1]) if year else None, None, fragment or None)
    return None


# Notes: separated from the text, with the kind of change they report and the act that made it.


class NoteKind(StrEnum):
    """The kind of change that a note reports of the provision before it."""

    WORDING = "wording"
    INSERTION = "insertion"
    REPEAL = "repeal"
    RENUMBERING = "renumbering"
    CONVERSION = "conversion"
    VETO_OVERTURNED = "veto-overturned"
    RESTORATION = "restoration"
    UNCONSTITUTIONAL = "unconstitutional"
    SUSPENSION = "suspension"
    VETO = "veto"
    LATER_EFFECT = "later-effect"
    SEE = "see"
    OTHER = "other"


#: The patterns in the order in which they are matched against the folded text of a note.
_KINDS = (
    (re.compile(r"(?:\w+\s+){0,3}renumerad|transformad\w+ em|transformado do"), NoteKind.RENUMBERING),
    (
        re.compile(
            r"(?:nova |com )?redac?[a-z]{0,3}cao (?:dada|alterada|original)?|alterad|(?:com )?(?:a )?nova redacao"
            r"|nr\b|emenda (?:a |n|de |[0-9])"
        ),
        NoteKind.WORDING,
    ),
    (
        re.compile(r"(?:\w+\s+){0,2}(?:incluid|ac\b|acrescid|acrescentad|inserid|introduzid|adicionad)"),
        NoteKind.INSERTION,
    ),
    (re.compile(r"revigorad|restabelecid|repristinad|restaurad"), NoteKind.RESTORATION),
    (re.compile(r"(?:\w+\s+){0,2}(?:revogad|suprimid|sem efeito|tornad\w+ sem)"), NoteKind.REPEAL),
    (re.compile(r"convertid|convers"), NoteKind.CONVERSION),
    (
        re.compile(r"promulgacao|partes? (?:mantida|vetada)|veto rejeitado|rejeicao de veto|mantid"),
        NoteKind.VETO_OVERTURNED,
    ),
    (re.compile(r"declarad|inconstitucional"), NoteKind.UNCONSTITUTIONAL),
    (re.compile(r"execucao suspensa|suspens|eficacia suspensa"), NoteKind.SUSPENSION),
    (re.compile(r"vigencia|producao de efeito|vigor|prorrogad|eficacia"), NoteKind.LATER_EFFECT),
    (re.compile(r"vide|ver |regulament"), NoteKind.SEE),
    (re.compile(r"vetad|mensagem de veto|razoes do veto"), NoteKind.VETO),
)
#: The subjects of notes, by words of the folded text. The earliest word decides.
_SUBJECTS = (
    (
        re.compile(r"\bpromulga|\bpartes? (?:mantida|vetada)|\bveto (?:rejeitado|derrubado)"),
        EditorialNoteKind.PROMULGACAO,
    ),
    (re.compile(r"\bproducao de efeito|\bproduz(?:indo|ira)? efeito"), EditorialNoteKind.PRODUCAO_DE_EFEITO),
    (re.compile(r"\bvigencia|\b(?:em|entra em) vigor"), EditorialNoteKind.VIGENCIA),
    (re.compile(r"\bregulament"), EditorialNoteKind.REGULAMENTO),
    (re.compile(r"\bretifica"), EditorialNoteKind.RETIFICACAO),
    (re.compile(r"\brepublica"), EditorialNoteKind.REPUBLICACAO),
    (re.compile(r"\b(?:vide|ver|v\.)(?= )|\bvide$"), EditorialNoteKind.VIDE),
)
#: An action of constitutional review before the Supreme Court.
_DIRECT_ACTION = re.compile(
    r"\b(?:adin?s?|adpfs?|adcs?|ados?|acao direta|acao declaratoria|arguicao de descumprimento)\b"
)
#: The first words of a note in brackets. After some of them an act must follow; otherwise they are text of the law.
_OPENS = re.compile(
    r"\(\s*(?:(?:Par[áa]grafo|Artigo|Inciso|Al[íi]nea|Cap[íi]tulo|Se[çc][ãa]o|T[íi]tulo|Caput|Item"
    r"|§\s?[0-9º]+)\s+(?:[úu]nico\s+)?)?"
    r"(?P<word>(?:NR|AC)(?=[\s:–-]+\(?(?:Emenda|Lei|LC|ELO|[0-9]))|Emenda(?=\s)"
    r"|Reda\w{0,4}[çc][ãa]o|Nova reda[çc][ãa]o|Com reda[çc][ãa]o|Com a reda[çc][ãa]o|Alterad|Inclu[ií]d"
    r"|Inclu[ií]da|Acresc|Acrescentad|Inserid"
    r"|Introduzid|Adicionad|Revogad|Suprimid|Renumerad|Transformad|Convertid|Vide|Ver |Vig[êe]ncia|Em vigor"
    r"|Produ[çc][ãa]o de efeitos?"
    r"|Promulga[çc][ãa]o|Partes? (?:mantid|vetad)|Mantid|Declarad|Inconstitucional|Execu[çc][ãa]o suspensa"
    r"|Suspens|Efic[áa]cia"
    r"|Prorrogad|Revigorad|Restabelecid|Restaurad|Repristinad|Regulament|Raz[õo]es do veto|Express[ãa]o"
    r"|Sem efeito|Tornad|Rejeitad|Retifica[çd]|Republica[çd]|Mensagem de veto"
    r"|Veto rejeitado)",
    re.IGNORECASE,
)
#: What a note says it is on, before the kind of change.
_SUBJECT = re.compile(
    r"(?:(?:paragrafo|artigo|inciso|alinea|capitulo|secao|titulo|caput|item)s? (?:unico )?(?:e \w+ )?)+"
)
#: Notes that must name an act; without one they may be text of the law.
_NEEDS_ACT = re.compile(
    r"revogad|suprimid|mantid|suspens|declarad|inconstitucional|alterad|incluid|acresc|expressao", re.ASCII
)
_COURT = re.compile(r"\b(?:adin?|adpf|adc|pelo supremo|stf|lei|decreto|mpv?)\b", re.ASCII)
#: Words of the law in brackets at the end of a provision, which are no note.
_OF_LAW = re.compile(r"(?:vetad|revogad|suprimid|cancelad)[oa]s?|nr|ac")
_CITES = re.compile(r"\bn\s?(?:[º°.]|o\b)|\b(?:18|19|20)[0-9]{2}\b")
#: A note without its opening bracket.
_UNOPENED = re.compile(
    r"(?<![(\w])(?:Reda[çc][ãa]o dada|Inclu[ií]d[oa]|Acrescid[oa]|Acrescentad[oa]|Revogad[oa]"
    r"|Renumerad[oa]) pel[ao]\s[^()]{1,160}\)"
)
_UNCLOSED = re.compile(
    r"\((?:Reda[çc][ãa]o dada|Inclu[ií]d[oa]|Acrescid[oa]|Acrescentad[oa]|Revogad[oa]"
    r"|Renumerad[oa]) pel[ao]\s[^()]{1,160}$"
)
#: A link after the text of a provision.
_LINKED = re.compile(
    r"\(?(?:Vig[êe]ncia(?: encerrada)?|Regulamento|Regulamenta[çc][ãa]o|Produ[çc][ãa]o de efeitos?"
    r"|Mensagem de veto|Vide [^()]{1,200}"
    r"|Vide|Texto compilado|Promulga[çc][ãa]o (?:de )?partes vetadas|Promulga[çc][ãa]o"
    r"|Convers[ãa]o da [^()]{1,80}|Exposi[çc][ãa]o de motivos|Rejeitada)\)?",
    re.IGNORECASE,
)
#: Lines beside the title of a norm that are not its summary.
_BESIDE_TITLE = re.compile(
    r"\(?(?:Convers[ãa]o da |Convertid[oa] n|Mensagem de veto|Vide\b|Regulamento\b|Regulamenta[çc][ãa]o\b"
    r"|Texto (?:compilado|atualizado)"
    r"|Vig[êe]ncia\b|Produ[çc][ãa]o de efeito|Partes? (?:mantid|vetad)|Promulga[çc][ãa]o (?:de )?partes"
    r"|Exposi[çc][ãa]o de motivos"
    r"|Revogad[oa] pel|Rejeitad[oa]\b|Prorroga[çc][ãa]o|Sem efic[áa]cia|Reeditad[oa]\b)",
    re.IGNORECASE,
)
_LONGEST_TITLE = 160
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Note:
    """An editorial note.

    Attributes:
        kind: the kind of change that it reports.
        text: as written, without its brackets.
        acts: the acts that it names, in order.
        linked: the act that its link names, if any.
        href: the address of its link.
        struck: whether it is struck out.
        line: its line number in the file.
    """

    kind: NoteKind
    text: str
    acts: tuple[ActName, ...]
    linked: ActName | None
    href: str | None
    struck: bool
    line: int

    @property
    def act(self) -> ActName | None:
        """Return the act that it names, with the year of the link if only the link states one; else the act of the
        link."""
        if not self.acts:
            return self.linked
        act = self.acts[0]
        if act.year is None and self.linked is not None and act.agrees(self.linked):
            return ActName(act.kind, act.number, self.linked.year, None)
        return act

    @property
    def subject(self) -> EditorialNoteKind:
        """Return the subject of the note, for readers of the provision."""
        return subject_of(self.text)

    @property
    def disagrees(self) -> bool:
        """Return whether its text and its link name different acts."""
        return bool(self.acts) and self.linked is not None and not any(a.agrees(self.linked) for a in self.acts)


def subject_of(text: str) -> EditorialNoteKind:
    """Return the subject of the text of a note; ``outra`` if it is not known.

    >>> [subject_of(text).value for text in ("Vide Decreto nº 99.901, de 2001", "Vide ADIN 99.901", "Nova nota")]
    ['vide', 'vide.adi', 'outra']
    """
    plain = folded(text)
    if _DIRECT_ACTION.search(plain) is not None:
        return EditorialNoteKind.VIDE_ADI
    found = [(match.start(), kind) for pattern, kind in _SUBJECTS if (match := pattern.search(plain)) is not None]
    return min(found, key=lambda each: each[0])[1] if found else EditorialNoteKind.OUTRA


def separate_notes(line: Line) -> tuple[Line, tuple[Note, ...]]:
    """Return a line without its notes, and the notes in order."""
    if "(" not in line.text and ")" not in line.text and not line.spans:
        return line, ()
    spans = sorted(_find_notes(line))
    parts: list[tuple[int, int]] = []
    notes: list[Note] = []
    for start, end in spans:
        if parts and start < parts[-1][1]:
            continue
        parts.append((start, end))
        notes.append(_note(line, start, end))
    if not parts:
        return line, ()
    words = line.without(parts)
    return words, tuple(notes)


def note_beside_title(line: Line) -> Note | None:
    """Return the note in a line beside the title of a norm; None for other lines, such as the summary.

    >>> note_beside_title(Line("Conversão da MPV nº 472, de 1994.", 2)).kind.value
    'conversion'
    """
    if len(line.text) > _LONGEST_TITLE or _BESIDE_TITLE.match(line.text) is None:
        return None
    return _note(line, 0, len(line.text))


def _find_notes(line: Line) -> Iterator[tuple[int, int]]:
    text = line.text
    for opening in _OPENS.finditer(text):
        end = _closing_offset(text, opening.start())
        if end is None:
            continue
        inner = folded(text[opening.start() + 1 : end - 1])
        alone = ACT.search(text, opening.start(), end) is None and _COURT.search(inner) is None
        if alone and _NEEDS_ACT.match(folded(opening["word"])):
            continue
        yield opening.start(), end
    yield from _notes_at_end(line)
    for unopened in _UNOPENED.finditer(text):
        if ACT.search(unopened[0]) is not None:
            yield unopened.span()
    unclosed = _UNCLOSED.search(text)
    if unclosed is not None and ACT.search(unclosed[0]) is not None:
        yield unclosed.span()
    for span in line.spans:
        if span.href and span.end - span.start <= _LONGEST:
            piece = text[span.start : span.end]
            inside = piece.strip()
            if _LINKED.fullmatch(inside):
                start, end = span.start, span.end
                if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
                    start, end = start - 1, end + 1
                yield start, end


def _notes_at_end(line: Line) -> Iterator[tuple[int, int]]:
    """Yield the brackets after the last sentence of a line that have a link, a number, a year or a direct action."""
    text, end = line.text, len(line.text.rstrip())
    while end and text[end - 1] == ")":
        start = next((at for at in _openings_before(text, end) if _closing_offset(text, at) == end), None)
        if start is None:
            return
        inner, before = folded(text[start + 1 : end - 1]).strip(" ."), text[:start].rstrip()
        names = line.href(start, end) or _CITES.search(inner) or _DIRECT_ACTION.search(inner)
        if names and _OF_LAW.fullmatch(inner) is None and before[-1:] in {"", ".", ";", ":", ")"}:
            yield start, end
        end = len(before)


def _openings_before(text: str, end: int) -> Iterator[int]:
    """Yield the offsets of opening brackets before an offset, the nearest first, within the limit."""
    at, first = end, max(0, end - _LONGEST)
    while (at := text.rfind("(", first, at)) >= 0:
        yield at


def _closing_offset(text: str, start: int) -> int | None:
    """Return the offset after the bracket that closes the one at ``start``; None if there is none within the limit."""
    depth = 0
    for index in range(start, min(len(text), start + _LONGEST)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def _note(line: Line, start: int, end: int) -> Note:
    text = line.text[start:end].strip()
    if text.startswith("("):
        text = text[1:]
    text = text.removesuffix(")").strip() if text.count(")") > text.count("(") else text
    plain = folded(text)
    plain = plain[found.end() :] if (found := _SUBJECT.match(plain)) is not None else plain
    kind = next((kind for pattern, kind in _KINDS if pattern.match(plain)), NoteKind.OTHER)
    href = line.href(start, end)
    acts = tuple(act for match in ACT.finditer(text) if (act := act_of(match[0])) is not None)
    struck = any(span.struck for span in line.within(start, end))
    return Note(kind, text, acts, act_of_link(href) if href else None, href, struck, line.number)
