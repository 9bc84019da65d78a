"""Reads judgments in running text: class, number, court, panel and day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from graph.wording.citations.lexicon import body_of
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS

NUMBER = r"(?:\d{1,3}(?:\.\d{3})+|\d{1,7})(?!\.?\d)"
MARK = r"(?:n(?:[º°]|\.\s?[º°]?|o\b)\.?\s{0,3})"
_WORDS = (
    r"(?i:recurso\s+(?:especial|extraordin[áa]rio(?:\s+com\s+agravo)?|de\s+revista|ordin[áa]rio)|habeas\s+corpus"
    r"|mandado\s+de\s+(?:seguran[çc]a|injun[çc][ãa]o)|a[çc][ãa]o\s+direta\s+de\s+inconstitucionalidade"
    r"|a[çc][ãa]o\s+declarat[óo]ria\s+de\s+constitucionalidade|argui[çc][ãa]o\s+de\s+descumprimento\s+de\s+preceito"
    r"\s+fundamental|agravo\s+(?:regimental|interno|de\s+instrumento|em\s+recurso\s+(?:especial|extraordin[áa]rio))"
    r"|apela[çc][ãa]o(?:\s+(?:c[íi]vel|criminal))?|reclama[çc][ãa]o|ac[óo]rd[ãa]o|conflito\s+de\s+compet[êe]ncia)"
)
_ACRONYM = (
    r"(?:ADI[Nn]?|ADC|ADO|ADPF|EREsp|EAREsp|AREsp|REspe?|ARE|RE|AIRR|AI|RHC|HC|RMS|MS|MI|Rcl|AgRg|AgInt|AgR|EDcl"
    r"|E-RR|RR|CC|ACO|Pet|Inq|PUIL|Tema(?=\s(?:n[º°.]\s?)?\d[\d.]*\d))"
)
#: Matches a judgment, with its state or court: "AgRg no REsp nº 1.657.156/RJ (Tema 106)".
JUDGMENT = (
    rf"(?:(?:{_ACRONYM}|{_WORDS})\s+n[oa]s?\s+){{0,3}}(?:{_ACRONYM}|{_WORDS}(?:\s+TCU)?)"
    rf"\s{{0,3}}{MARK}?{NUMBER}(?:\s?[-/]\s?(?:[A-Z]{{2,3}}(?:-\w{{1,12}})?|\d{{4}}|\d)(?!\w)){{0,3}}(?:\s?\(Tema[^()]{{1,20}}\))?"
)
_READER = re.compile(JUDGMENT)
_PARTS = re.compile(
    rf"(?P<within>.*\sn[oa]s?\s+)?(?P<kind>{_ACRONYM}|{_WORDS})\s*{MARK}?(?P<number>{NUMBER})"
    r"(?:\s?[-/]\s?[A-Z]{2}(?![A-Z]))?(?:\s?[-/]\s?(?P<court>[A-Z]{3}))?",
    re.DOTALL,
)
_STF, _STJ, _TST = "supremo.tribunal.federal", "superior.tribunal.justica", "tribunal.superior.trabalho"
#: The classes that one court judges: their spelling in names, the court, and the panel if it is always the same.
_CLASSES: dict[str, tuple[str, str, str | None]] = {
    **dict.fromkeys(("adi", "adin", "acao direta de inconstitucionalidade"), ("adi", _STF, "plenario")),
    **dict.fromkeys(("adc", "acao declaratoria de constitucionalidade"), ("adc", _STF, "plenario")),
    "ado": ("ado", _STF, "plenario"),
    **dict.fromkeys(("adpf", "arguicao de descumprimento de preceito fundamental"), ("adpf", _STF, "plenario")),
    **dict.fromkeys(("re", "recurso extraordinario"), ("re", _STF, None)),
    **dict.fromkeys(("are", "recurso extraordinario com agravo"), ("are", _STF, None)),
    **dict.fromkeys(("resp", "recurso especial"), ("resp", _STJ, None)),
    "eresp": ("eresp", _STJ, None),
    **dict.fromkeys(("aresp", "agravo em recurso especial"), ("aresp", _STJ, None)),
    **dict.fromkeys(("rr", "recurso de revista"), ("rr", _TST, None)),
    "airr": ("airr", _TST, None),
}
#: The classes that several courts judge: the text must name the court.
_OF_SEVERAL = {
    **{kind: kind for kind in ("hc", "rhc", "ms", "rms", "mi", "rcl", "cc", "pet", "inq", "ai")},
    "habeas corpus": "hc",
    "mandado de seguranca": "ms",
    "mandado de injuncao": "mi",
    "reclamacao": "rcl",
    "conflito de competencia": "cc",
}
_DAY = rf"(\d{{1,2}})[º°]?(?:\s+de\s+({'|'.join((*MONTHS, 'marco'))})\s+de\s+|[/.](\d{{1,2}})[/.])(\d{{4}})(?!\d)"
_DECIDED = re.compile(
    rf"(?i:\b(?:julgad[oa]|julgamento|decidid[oa])\s+(?:em|de|no\s+dia)\s+|\b(?:j|julg)\.\s{{0,3}}(?:em\s+)?){_DAY}|^\s?,?\s+(?i:de)\s+{_DAY}",
    re.IGNORECASE,
)
_ORDINALS = ("primeira", "segunda", "terceira", "quarta", "quinta", "sexta", "setima", "oitava")
_PANEL = re.compile(
    r"(?i:(?<!\w)(?:([1-8])ª|(primeira|segunda|terceira|quarta|quinta|sexta|s[ée]tima|oitava))\s+(turma|se[çc][ãa]o)(?!\w)"
    r"|(tribunal\s+pleno|plen[áa]rio)(?!\w)|(corte\s+especial)(?!\w))"
)
_COURT_BEHIND = re.compile(
    r"\s?\(?\s?(?:d[oa]\s+)?(ST[FJM]|TS[TE])(?!\w)|\s+do\s+((?:Supremo|Superior|Tribunal)\s[\wÀ-ú\s]{5,40})"
)
_REACH = 220
#: "AgRg no": the judgment is on an appeal within the case that follows.
_APPEAL_BEFORE = re.compile(rf"(?:{_ACRONYM}|{_WORDS})\s+n[oa]s?\s+$")
_LOOK_BEHIND = 60


@dataclass(frozen=True, slots=True)
class Judgment:
    """A cited judgment.

    Attributes:
        end: the end of its words in the text; of its day, if it is stated.
        kind: its class in the spelling of names; None for a class that is not read, such as an appeal within an appeal.
        number: its number.
        court: the court in the spelling of names; None if it is not known.
        panel: the panel of the court; None if the text does not state it.
        day: the day of the judgment; None if the text does not state it.
    """

    end: int
    kind: str | None
    number: str
    court: str | None
    panel: str | None
    day: date | None


def judgment_at(text: str, position: int) -> Judgment | None:
    """Return the judgment that begins at a character; None if none does.

    >>> found = judgment_at("ADI 4.277/DF, julgada em 5 de maio de 2011", 0)
    >>> (found.kind, found.panel, str(found.day)) if found is not None else None
    ('adi', 'plenario', '2011-05-05')
    """
    match = _READER.match(text, position)
    parts = _PARTS.match(match[0]) if match is not None else None
    if match is None or parts is None:
        return None
    kind = " ".join(folded(parts["kind"]).split())
    number = parts["number"].replace(".", "")
    stated = _COURT_BEHIND.match(text, match.end())
    court = body_of(parts["court"] or ((stated[1] or stated[2]).strip() if stated is not None else ""))
    subtype, own, panel = _CLASSES.get(kind, (_OF_SEVERAL.get(kind), court, None))
    appeal = parts["within"] or _APPEAL_BEFORE.search(text, max(0, position - _LOOK_BEHIND), position)
    if appeal is not None or (court is not None and court != own):
        subtype = None
    behind = _remark(text, match.end())
    decided = _DECIDED.search(behind)
    if decided is None or (day := _day_of(decided)) is None:
        return Judgment(match.end(), subtype, number, own, panel, None)
    by = _PANEL.search(behind)
    return Judgment(match.end() + decided.end(), subtype, number, own, panel or (_panel_of(by) if by else None), day)


def _remark(text: str, end: int) -> str:
    """Return the words after a judgment, up to the next one or the end of the line."""
    remark = re.split(r"[;\n]", text[end : end + _REACH], maxsplit=1)[0]
    following = _READER.search(remark)
    return remark if following is None else remark[: following.start()]


def _day_of(decided: re.Match[str]) -> date | None:
    first = 0 if decided[1] is not None else 4
    number, month, digits, year = decided.groups()[first : first + 4]
    try:
        return date(int(year), _MONTH_NUMBERS[folded(month)] if month else int(digits), int(number))
    except ValueError:
        return None


_MONTH_NUMBERS = {folded(month): index for index, month in enumerate(MONTHS, 1)}


def _panel_of(match: re.Match[str]) -> str:
    digit, word, kind, plenary, _ = match.groups()
    if kind is None:
        return "plenario" if plenary is not None else "corte.especial"
    return f"{folded(kind)}.{digit or _ORDINALS.index(folded(word)) + 1}"
