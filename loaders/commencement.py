"""Commencement clauses: the day on which an act, or parts of it, come into force (LC 95/1998, art. 8).

A clause is read if it states a day, a term, or the day of publication. Any other clause gives no day. Terms are counted
by :mod:`graph.civil`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from graph.amendments import Follows
from graph.civil import ONE_DAY, Counting, Term, Unit, When, first_day_after
from graph.entities import Event
from graph.errors import BadDate
from graph.urn import Fragmento, Name
from graph.wording.folding import folded
from graph.wording.numerals import MONTHS, from_letters
from loaders.articulated.notes import ACT, day_of
from ontology.events import EventKind

_THIS_ACT = (
    r"(?<!trata )(?<!tratam )(?:est[ae]|a presente|o presente)\s+(?:lei complementar|lei delegada|lei|decreto-lei"
    r"|decreto legislativo|decreto|medida provisoria|emenda constitucional|emenda|resolucao|portaria"
    r"|instrucao normativa|codigo|constituicao|ato|regimento)"
)
_ACT = rf"{_THIS_ACT}[^.;]{{0,80}}?"
_CLAUSE = re.compile(
    _ACT + r"\b(?:entra(?:ra)?|entrara|comeca(?:ra)?"
    r"|passa(?:ra)?(?= a (?:vig|ter vig|produz)(?!\w* (?:com|sem|acrescid[oa]s?|assim)\b))"
    r"|vigora(?:ra)?|tera vigencia)\b"
)
_DATE = r"[0-9]{1,2}o? de [a-z]+ de [0-9]{4}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}"
_FORCE = (
    r"\b(?:vigencia(?: dest[ae] [\w-]+)?(?: sera| e)?|(?:(?<=\be )|(?<=lei ))tera validade|vigorara|vigorando|vigora)"
    r"\b,?"
)
_ON_PUBLICATION = r"(?P<published>,? (?:a contar|contad\w+|a partir) d[ae] (?:data d[ae] )?(?:sua )?publicacao)?"
#: The last day of force that a clause states, and the first one, if it states both.
_UNTIL = re.compile(
    rf"{_FORCE}(?: no periodo)?(?:(?: de| entre)?(?: o dia)? (?P<first>{_DATE}|[0-9]{{1,2}}o? de [a-z]+) (?:a|e|ate)"
    rf"|{_ON_PUBLICATION},?(?: e)? ate)(?: o)?(?: dia)? (?P<last>{_DATE}"
    r"|(?:final|fim|termino|encerramento) d[eo] (?:exercicio(?: financeiro| fiscal)?|ano)(?: de)? [12][0-9]{3})"
)
_LOST = re.compile(
    rf"\b(?:(?:perdendo|perde|perdera|cessando|cessa|cessara) (?:a |sua )*vigencia|(?:ficara|sera) revogad[oa])"
    rf" (?:em|no dia) (?P<day>{_DATE})"
)
#: Words on an end of force.
_ENDS = re.compile(r"\b(?:ate|enquanto|validade|perder?a?|cessar?a?|ficara revogad[oa]|sera revogad[oa])\b")
_DAYS_OF_EFFECT = re.compile(r"\bproduz\w* (?:seus )?efeitos|\bcom efeitos|\bretroagi\w*")
_PUBLICATION = re.compile(
    r"(?:na|da|desde a) (?:data|dia) (?:de|da) (?:sua )?publicacao|no dia (?:de|da) (?:sua )?publicacao"
    r"|na data em que for publicad|\b(?:a partir|a contar|desde|no ato|com)(?: d[ae])?(?: a)?(?: sua)? publicacao"
    # No law binds before its publication (LINDB, art. 1). An amendment of the Constitution is left to its sources.
    r"|(?<!constitucional entra em vigor )(?<!constitucional entrara em vigor )na data (?:de|da) (?:sua )?"
    r"(?:promulgacao|sancao|assinatura|aprovacao|edicao)\b"
    r"|\b(?:nesta|na presente) data\b"
)
_LATER_EFFECTS = re.compile(
    r"\b(?:produz\w* (?:os )?(?:seus )?|com )efeitos\b((?:(?! e revoga|, revoga).)*)", re.IGNORECASE | re.DOTALL
)
#: An article on the effects of its act, besides its clause of commencement.
_OWN_EFFECTS = re.compile(rf"\W*(?:o disposto n)?{_ACT}\b(?:produz\w* (?:os )?(?:seus )?efeitos|retroa\w+)")
_RETROACTIVE = re.compile(r"\bretroa\w+")
#: Words that limit a clause on days of effects to some parts, or to some kinds of effects.
_LIMITED_EFFECTS = re.compile(
    r"\b(?:salvo|exceto|ressalvad\w*|excecao|excetuad\w*|quanto|relativamente|em relacao|no que se refere|respectiv\w*"
    r"|financeir\w*|fiscais|tributari\w*|ate|arts?|artigos?|e)\b"
)
#: Words that except some parts from a clause. A clause with them is not read.
_EXCEPTS = re.compile(r"\b(?:salvo|exceto|ressalvad[oa]s?|excecao|excetuad[oa]s?)\b")
_UNITS = {"dia": Unit.DAY, "mes": Unit.MONTH, "ano": Unit.YEAR}
_WORDS = {
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8,
    "nove": 9, "dez": 10, "doze": 12, "quinze": 15, "dezoito": 18, "vinte": 20, "vinte e quatro": 24, "trinta": 30,
    "trinta e seis": 36, "quarenta": 40, "quarenta e cinco": 45, "sessenta": 60, "noventa": 90, "cem": 100,
    "cento e vinte": 120, "cento e oitenta": 180, "trezentos e sessenta": 360, "trezentos e sessenta e cinco": 365,
}  # fmt: skip
_NUMBER = "|".join(sorted(_WORDS, key=len, reverse=True))
_TERM = re.compile(
    rf"(?:([0-9]{{1,4}})(?:\s?\([^()]{{1,60}}\))?|({_NUMBER})(?:\s?\([^()]{{1,60}}\))?)\s+(dia|mes|ano)(?:e?s)?\b"
    r"(?! (?:d[oe] (?:\w+ )?(?:mes|ano|exercicio)|ut(?:il|eis))\b)"
)
#: The term after which a clause ends the force, and whether it is counted from the publication.
_TERM_OF_FORCE = re.compile(
    rf"{_FORCE} (?:pelo (?:prazo|periodo)(?: maximo)? de|por|durante|de) {_TERM.pattern}{_ON_PUBLICATION}"
)
#: The act as that of which a clause states the end of force.
_WHOLE_ACT = re.compile(rf"(?:(?<!por )\b|\bvigencia d){_THIS_ACT}")
_AFTER = re.compile(r"\b(?:apos|depois|decorrid\w*|prazo de|contad\w*|a contar|a partir)\b")
_PUBLISHED = re.compile(r"\bpublicac(?:ao|oes)\b")
#: What a term is counted from, or what a month or year follows.
_COUNTED_FROM = re.compile(
    r"\s*,?\s*(?:apos|depois|contad\w+|a contar|a partir|decorrid\w+)?\s*"
    r"(?:(?:d[aeo]s?|dest[ae]|a[os]?|aquel[ea]|em|que|sua|seu)\s+)+(?P<other>(?!.{0,80}\bpublica).)"
)
_MONTH_NAMES = [folded(month_name) for month_name in MONTHS]
_OF_MONTH = "|".join(_MONTH_NAMES)
_EXERCISE = r"exercicio(?: financeiro| fiscal| orcamentario)?"
#: The financial year is the calendar year (Lei 4.320/1964, art. 34; Lei 5.172/1966, art. 104).
_FOLLOWING_YEAR = re.compile(
    rf"(?:\b(?:1o?|primeiro)\W* (?:dia )?(?:de (?P<month>{_OF_MONTH}) )?do (?:ano|{_EXERCISE})|\b(?:no|do) {_EXERCISE})"
    r" (?:imediatamente )?(?:seguinte|subsequente)\b"
)
_YEAR_OF_EXERCISE = re.compile(rf"\b(?:no|do) {_EXERCISE} de ([12][0-9]{{3}})\b")
_MONTH_OF_YEAR = re.compile(rf"\ba (?:partir|contar) d[eo] (?:mes de )?({_OF_MONTH}) de ([12][0-9]{{3}})\b")
_FIRST_DAY_OF_MONTH = re.compile(
    r"\b(?:1o?|primeiro)\W* dia do (?:(primeiro|segundo|terceiro|quarto|quinto|sexto) )?mes"
    r" (?:imediatamente )?(?:seguinte|subsequente)\b"
)
_NEXT_DAY = re.compile(
    r"\bdia (?:imediatamente )?(?:seguinte|subsequente|imediato|posterior) (?:ao d[ae]|ao|a)(?: data d[ae])?(?: sua)?"
    r" publicacao"
)
_ORDINALS = {"primeiro": 1, "segundo": 2, "terceiro": 3, "quarto": 4, "quinto": 5, "sexto": 6}
_PARTS = re.compile(r"(?:quanto|relativamente|em relacao|no que se refere|para) (?:ao?s?|o?s?) ")
_OTHERS = re.compile(r"demais (?:artigos|dispositivos|casos)|dispositivos restantes|restante")
_ARTICLE = re.compile(r"\b([0-9]{1,4})\s?o?((?:-[a-z])*)(?![0-9a-z])")
_SPAN = re.compile(r"\b([0-9]{1,4})\s?o? a ([0-9]{1,4})\b")
#: A range that ends or begins with a lettered article. It is not read, because the articles in it are not known.
_LETTERED_SPAN = re.compile(r"\b[0-9]{1,4}\s?o?(?:-[a-z])* a [0-9]{1,4}-[a-z]\b|\b[0-9]{1,4}-[a-z] a [0-9]")
_MENTIONS = re.compile(r"\barts?\.? |\bartigos? ")
#: Words of a provision that may state a day of effect.
_DAY_HINT = re.compile(
    r"\b(?:dias?|mes|meses|anos?|datas?|prazos?|apos|depois|decorrid\w+|partir|contar|contad\w+|quando|enquanto|ate"
    r"|vigencia|vigor|efeitos)\b|\b[0-9]{4}\b|\bem [0-9]"
)
_REVOKING = re.compile(r"\b(?:(?:ficando|restando|sendo) )?(?:expressamente )?revog\w+", re.IGNORECASE)
#: Words for a day that is counted from the publication.
_FOLLOWING = re.compile(r"\b(?:seguinte|subsequente|imediato|posterior)\b")
_DATED = re.compile(rf"\b(?:{_DATE})\b")
#: A day of publication that no clause states.
_ANY_DAY, _ANOTHER_DAY = date(1, 3, 1), date(3, 8, 15)
_LONGEST = 2_000
_WIDEST = 500


@dataclass(frozen=True, slots=True)
class Commencement:
    """The first day of force of an act, or of a part of it.

    Attributes:
        day: the first day of force.
        parts: identifiers of the articles that the clause covers; None for all articles that no other clause covers.
        term: the term, if the day is counted.
        fragment: the provision with the clause.
        clause: its text.
    """

    day: date
    parts: tuple[str, ...] | None
    term: Term | None
    fragment: str
    clause: str


def read_commencement(texts: Mapping[str, str], published: date) -> tuple[Commencement, ...]:
    """Return the days that the clauses of an act state; empty if there is no clause, or if one is not understood.

    >>> text = "Esta Lei entra em vigor após decorridos 18 (dezoito) meses de sua publicação oficial."
    >>> str(read_commencement({"art65_cpt": text}, date(2018, 8, 15))[0].day)
    '2020-02-16'

    Args:
        texts: the text of the act's own provisions by identifier, in the order of the act.
        published: the day of publication.
    """
    commencements: list[Commencement] = []
    for fragment, text in texts.items():
        if not fragment.endswith("_cpt") or not fragment.startswith("art") or not _has_clause(text):
            continue
        inside = [(key, words) for key, words in texts.items() if key.startswith(f"{fragment}_inc")]
        clauses = inside if text.rstrip().endswith(":") and inside else [(fragment, text)]
        read = [_read(key, words, published) for key, words in clauses]
        if any(commencement is None for commencement in read):
            return ()  # the other clauses alone would be taken for all clauses of the act
        commencements.extend(commencement for commencement in read if commencement is not None)
    return tuple(commencements)


#: The first day of effect of an order, and what dates it where its act does not state its publication; both None if the
#: day is not read.
OrderDay = tuple[date | None, Follows | Term | None]


def days_of_orders(texts: Mapping[str, str], published: date | None) -> dict[str, OrderDay]:
    """Return what dates the orders of an act, by article, and those of all other articles under ``""``.

    A part with a clause of its own has the day that the clause states, or a term that is counted from the publication.

    >>> days_of_orders({"art9_cpt": "Esta Lei entra em vigor na data de sua publicação."}, None)
    {'': (None, <Follows.PUBLICATION: 'publication'>)}
    >>> days_of_orders({"art9_cpt": "Esta Lei entra em vigor na data de sua publicação, salvo o art. 2º."}, None)
    {'': (None, None)}

    Args:
        texts: as for :func:`read_commencement`.
        published: the day of publication; None if it is not known.
    """
    if not _with_clauses(texts):
        return {"": (None, Follows.FORCE)}
    days: dict[str, OrderDay] = {"": (None, None)}
    read = read_commencement(texts, published or _ANY_DAY)
    again = read if published is not None else read_commencement(texts, _ANOTHER_DAY)
    for clause, other in zip(read, again, strict=True):
        dated: OrderDay
        if clause.day == other.day:
            dated = clause.day, None if published is not None else Follows.PUBLICATION
        else:
            dated = None, clause.term or (Follows.PUBLICATION if clause.day == _ANY_DAY else None)
        if len(read) == 1 and published is None and dated != (None, Follows.PUBLICATION):
            dated = dated[0], Follows.FORCE  # the act is dated by its clause
        days.update(dict.fromkeys(clause.parts or ("",), dated))
    return days


def unread_clauses(texts: Mapping[str, str], published: date | None) -> list[str]:
    """Return the provisions with clauses of an act, if they are not understood, or have an end of force that is not.

    A clause of retroactive effects counts as not understood: no axis of time has effects before the publication.

    Args:
        texts: as for :func:`read_commencement`.
        published: the day of publication; None if it is not known.
    """
    if not read_commencement(texts, _ANY_DAY):
        return _with_clauses(texts)
    ends = [key for key in _with_clauses(texts) if _has_unread_end(texts[key])]
    return ends + [
        key
        for key in _on_effects(texts)
        if key not in ends
        if _RETROACTIVE.search(folded(texts[key][:_LONGEST])) is not None
        or (published is not None and (day := _effects(texts[key], published)[1]) is not None and day < published)
    ]


def _has_unread_end(text: str) -> bool:
    """Return whether a clause may state an end of force that is not read."""
    act = _WHOLE_ACT.search(_plain(text))
    return (
        act is not None
        and _ENDS.search(_plain(text), act.end()) is not None
        and _end(text, _ANY_DAY, _ANY_DAY, _ANY_DAY) is None
    )


def _on_effects(texts: Mapping[str, str]) -> list[str]:
    """Return the provisions with clauses of commencement, or on the effects of their act."""
    others = (key for key, text in texts.items() if _OWN_EFFECTS.match(folded(text[:_LONGEST])) is not None)
    return list(dict.fromkeys((*_with_clauses(texts), *(key for key in others if key.endswith("_cpt")))))


def _with_clauses(texts: Mapping[str, str]) -> list[str]:
    return [key for key, text in texts.items() if key.endswith("_cpt") and _has_clause(text)]


def _has_clause(text: str) -> bool:
    """Return whether a provision states a start of force, or has words of a clause of commencement."""
    return (
        _CLAUSE.search(folded(text[:_LONGEST])) is not None and _CLAUSE.search(_without_end(_plain(text))) is not None
    )


def _plain(text: str) -> str:
    return " ".join(folded(text[:_LONGEST]).replace("º", "o").split())


def _without_end(plain: str) -> str:
    """Return a clause without the end of force that it states, so that no day of it is taken for the start.

    >>> _without_end("esta lei vigorara de 1 de janeiro de 2014 a 31 de dezembro de 2017")
    'esta lei vigora em 1 de janeiro de 2014'
    """
    plain = _UNTIL.sub(_start_stated, plain, count=1)
    plain = _LOST.sub("", plain, count=1)
    return _TERM_OF_FORCE.sub(lambda ended: f"vigora{ended['published']}" if ended["published"] else "", plain, count=1)


def _start_stated(ended: re.Match[str]) -> str:
    """Return the start of force that words on the end of force state; a day without a year has the year of the end."""
    first, year = ended["first"], ended["last"][-4:]
    if first is None:
        return f"vigora{ended['published']}" if ended["published"] else ""
    return f"vigora em {first}" if first[-4:].isdigit() else f"vigora em {first} de {year}"


@dataclass(frozen=True, slots=True)
class ClauseWording:
    """One wording of a provision of a norm, with the data that are needed to read a clause of commencement.

    Attributes:
        fragment: the provision.
        text: its text.
        known: the day on which the wording became known, as far as the source states it.
        act: the act that made it; None for the first text, or if no source names it.
        first: whether it is of the first text of the norm.
        restored: whether it repeats an earlier wording, and no act is known that made it.
        ended: whether the provision ended after it without another wording.
    """

    fragment: str
    text: str
    known: When
    act: Name | None = None
    first: bool = False
    restored: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """The result of reading a clause of commencement that was changed.

    Attributes:
        starts: the start of force of each article that the clause names, one for each wording that names it.
        undated: the changes whose effect on the start of the norm, or of its articles, is not read.
        unread: the wordings that are not understood; if there are any, no start is read.
        starts_of_norm: the start of all other articles, one for each wording that dates them.
    """

    starts: tuple[Event, ...] = ()
    undated: tuple[Event, ...] = ()
    unread: tuple[ClauseWording, ...] = ()
    starts_of_norm: tuple[Event, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        return (*self.starts_of_norm, *self.starts, *self.undated)


def read_changed_clause(work: Name, wordings: Iterable[ClauseWording], published: date) -> ClauseChange | None:
    """Return the starts that the wordings of a changed clause of commencement state.

    The starts are read only if every wording is understood, and if the last wording names every article that an
    earlier one names. Each wording that dates all other articles gives a start of the norm, as known from it on.

    Args:
        work: the norm.
        wordings: the wordings of its provisions, those of each provision in their order.
        published: the day of publication of the norm.

    Returns:
        None if the norm has no clause of commencement, or an unchanged one.
    """
    by_provision: dict[str, list[ClauseWording]] = {}
    for wording in wordings:
        by_provision.setdefault(wording.fragment, []).append(wording)
    clause = [clause_wording for key in _clauses(by_provision) for clause_wording in by_provision[key]]
    changes = [clause_wording for clause_wording in clause if not clause_wording.first]
    if not changes:
        return None
    read = {
        clause_wording: _read(clause_wording.fragment, clause_wording.text, published)
        for clause_wording in clause
        if not (clause_wording.fragment.endswith("_cpt") and clause_wording.text.rstrip().endswith(":"))
    }
    unread = tuple(
        clause_wording
        for clause_wording, commencement in read.items()
        if commencement is None or _is_open_ended(clause_wording, commencement)
    )
    if unread or not _is_consistent(by_provision, read):
        return ClauseChange((), tuple(dict.fromkeys(_undated_event(work, change) for change in changes)), unread)
    parts = [
        (clause_wording, commencement)
        for clause_wording, commencement in read.items()
        if commencement is not None and commencement.parts is not None
    ]
    dated = {clause_wording for clause_wording, _ in parts}
    starts = (
        Event(
            EventKind.VIGENCIA_PROPRIA,
            work.with_fragmento(Fragmento((article,))),
            When.on(commencement.day),
            When.on(published) if clause_wording.first else clause_wording.known,
            _cause(work, clause_wording),
        )
        for clause_wording, commencement in parts
        for article in commencement.parts or ()
    )
    left = (_undated_event(work, change) for change in changes if change not in dated)
    general = [
        (clause_wording, commencement.day)
        for clause_wording, commencement in read.items()
        if commencement is not None and commencement.parts is None
    ]
    return ClauseChange(
        tuple(dict.fromkeys(starts)),
        tuple(dict.fromkeys(left)),
        starts_of_norm=tuple(_starts_of_norm(work, general, published)),
    )


def start_on_publication(work: Name, clause: Name, signed: date, changes: Iterable[When]) -> Event:
    """Return the start of force of a norm that starts on its publication, if its source does not state that day.

    A norm is published on the day of its signature at the earliest, and before any act changes it.

    Args:
        work: the norm.
        clause: the article with its clause of commencement, the cause of the start.
        signed: the day of its signature.
        changes: the days on which other acts changed it, as far as they are known. If there are none, the norm was
            published by the day on which a store derives its periods, because the source has its text.
    """
    last = min((when.last for when in changes if when.last is not None and when.last >= signed), default=None)
    published = When(signed, last)
    return Event(EventKind.INICIO_VIGENCIA, work, published, published, clause)


def start_by_clause(work: Name, texts: Mapping[str, str]) -> Event | None:
    """Return the start of force of a norm whose source does not state its publication, by its one clause.

    The clause states a day, or has a day that depends on the publication: then the start has the bounds that it has if
    the norm was published on its signature or later, and the term. Another source may state the publication (E13).

    >>> from graph.urn import parse
    >>> work = parse("urn:lex:br;sao.paulo;vila.ficticia:municipal:lei:2016-03-10;99901")
    >>> start = start_by_clause(work, {"art2_cpt": "Esta Lei entra em vigor 30 dias após sua publicação."})
    >>> str(start.effect), str(start.known), str(start.counted)
    ('2016-04-09/..', '2016-03-10/..', '30 days from 2016-03-10')

    Args:
        work: the norm.
        texts: as for :func:`read_commencement`.

    Returns:
        None if the clause is not understood, or dates only some articles.
    """
    signed = work.representative_date
    clauses = read_commencement(texts, signed) if signed is not None else ()
    if signed is None or len(clauses) != 1 or clauses[0].parts is not None:
        return None
    clause, known = clauses[0], When.not_before(signed)
    counted = Counting(clause.term.number, clause.term.unit, signed) if clause.term is not None else None
    later = [each.day for each in read_commencement(texts, date(signed.year + 2, 1, 1))]
    effect = When.on(clause.day) if later == [clause.day] else When.not_before(clause.day)
    return Event(EventKind.INICIO_VIGENCIA, work, effect, known, article_of(work, clause.fragment), counted=counted)


def efficacy_by_clause(work: Name, texts: Mapping[str, str], published: date | None) -> Event | None:
    """Return the start of efficacy of a norm that states a day of effects after its force, in its clause of
    commencement or in an article of its own.

    >>> from graph.urn import parse
    >>> work = parse("urn:lex:br:federal:lei:2011-04-10;99901")
    >>> clause = "Esta Lei entra em vigor na data de sua publicação, produzindo efeitos{} em 1º de janeiro de 2012."
    >>> whole, some = clause.format(""), clause.format(" financeiros")
    >>> [str(efficacy_by_clause(work, {"art2_cpt": each}, date(2011, 4, 11)).effect) for each in (whole, some)]
    ['2012-01-01', '2011-04-11/2012-01-01']

    Args:
        work: the norm.
        texts: as for :func:`read_commencement`.
        published: the day of publication; None if the source does not state it. Another one may (E9).

    Returns:
        The start within bounds, the first of which is that of force, if the day is only of some parts or kinds of
        effects, or is not understood. None if there is no such day.
    """
    earliest = published or work.representative_date
    clauses = read_commencement(texts, earliest) if earliest is not None else ()
    if earliest is None or len(clauses) != 1 or clauses[0].parts is not None:
        return None
    begun = clauses[0]
    starts: dict[str, When] = {}
    for fragment in _on_effects(texts):
        after, day = _effects(texts[fragment], earliest)
        if published is None and day != _effects(texts[fragment], _ANY_DAY)[1]:
            day = None  # it is counted from the publication
        is_later = _DAY_HINT.search(after) is not None if day is None else day > begun.day
        if not is_later or _RETROACTIVE.search(after) is not None:
            continue
        if day is None or len(_DATED.findall(after)) > 1:
            starts[fragment] = When.not_before(begun.day)
        else:
            starts[fragment] = When(begun.day if _LIMITED_EFFECTS.search(after) is not None else day, day)
    if not starts:
        return None
    fragment, start = starts.popitem()
    if starts:  # several articles state a day
        lasts = [each.last for each in (start, *starts.values()) if each.last is not None]
        start = When(begun.day, max(lasts) if len(lasts) > len(starts) else None)
    known = When.on(published) if published is not None else None
    return Event(EventKind.INICIO_EFICACIA, work, start, known, article_of(work, fragment))


def ending_by_clause(work: Name, texts: Mapping[str, str], published: date | None) -> Event | None:
    """Return the end of force of a norm that its own text states.

    A term is counted from the publication if the clause says so, else from the start of force. Its end is one of two
    days: laws do not say whether the first day counts.

    >>> from graph.urn import parse
    >>> work = parse("urn:lex:br;sao.paulo;vila.ficticia:municipal:lei:2013-11-25;99901")
    >>> begun = "Esta Lei entra em vigor na data de sua publicação"
    >>> ends = [f"{begun} e terá vigência até 31 de dezembro de 2017.", f"{begun} e vigorará por 4 anos."]
    >>> [str(ending_by_clause(work, {"art2_cpt": end}, date(2013, 11, 27)).effect) for end in ends]
    ['2018-01-01', '2017-11-27/2017-11-28']

    Args:
        work: the norm.
        texts: as for :func:`read_commencement`; without provisions that have other wordings.
        published: the day of publication; None if the source does not state it.

    Returns:
        None if no clause states it. The last possible day is open if a term is counted from an unknown day, and if
        several clauses state different ends.
    """
    signed = work.representative_date
    earliest = published or signed
    if earliest is None:
        return None
    starts = read_commencement(texts, earliest)
    begun = starts[0].day if len(starts) == 1 and published is not None else None
    wording = ((key, text) for key, text in texts.items() if key.endswith("_cpt"))
    ends = {end: key for key, text in wording if (end := _end(text, earliest, published, begun)) is not None}
    if not ends:
        return None
    effect, fragment = ends.popitem()
    if ends:
        effect = When.not_before(min(effect.first, *(other.first for other in ends)))
    known = When.on(published) if published is not None else When.not_before(earliest)
    return Event(EventKind.CADUCIDADE, work, effect, known, article_of(work, fragment))


def _end(text: str, earliest: date, published: date | None, begun: date | None) -> When | None:
    """Return the first day without force that a provision states for the whole act; None if it states none.

    Args:
        earliest: the first possible day of publication.
        published, begun: the days of publication and of the start of force; None if they are not known.
    """
    plain = _plain(text)
    act = _WHOLE_ACT.search(plain)
    if act is None:
        return None
    readers = (_UNTIL, "last"), (_LOST, "day"), (_TERM_OF_FORCE, None)
    found = next(((ended, group) for each, group in readers if (ended := each.search(plain)) is not None), None)
    if found is None or re.search(r"[.;]\s", plain[act.end() : found[0].start()]) is not None:
        return None
    ended, group = found
    if group is not None:
        of_year = re.search(r"(?:exercicio|ano)\D* ([0-9]{4})$", ended[group])
        day = date(int(of_year[1]), 12, 31) if of_year is not None else day_of(ended[group])
        return None if day is None else When.on(day + ONE_DAY if group == "last" else day)
    counted_from = published if ended["published"] else begun
    term = Term(int(ended[1]) if ended[1] else _WORDS[ended[2]], _UNITS[ended[3]])
    try:
        after = first_day_after(counted_from or earliest, term)
    except BadDate:  # after the last day of the calendar
        return None
    return When(after - ONE_DAY, after if counted_from is not None else None)


def _effects(text: str, published: date) -> tuple[str, date | None]:
    """Return what a clause states of the effects of its act, and their first day; empty if it states nothing."""
    effects = _LATER_EFFECTS.search(text[:_LONGEST])
    if effects is None:
        return "", None
    after = _plain(effects[1])
    day = _day(after, effects[1], published)
    return after, day[0] if day is not None else None


def _clauses(by_provision: Mapping[str, Sequence[ClauseWording]]) -> Iterator[str]:
    """Yield the provisions of the clause of commencement: the caput of an article, and its items."""
    for fragment, wordings in by_provision.items():
        if not fragment.startswith("art") or not fragment.endswith("_cpt"):
            continue
        if any(_has_clause(wording.text) for wording in wordings):
            yield fragment
            yield from (key for key in by_provision if key.startswith(f"{fragment}_inc"))


def _is_open_ended(wording: ClauseWording, commencement: Commencement) -> bool:
    """Return whether a wording dates single articles, but not all days on which it applied are known."""
    return commencement.parts is not None and (wording.restored or wording.ended or wording.known.last is None)


def _is_consistent(
    by_provision: Mapping[str, Sequence[ClauseWording]], read: Mapping[ClauseWording, Commencement | None]
) -> bool:
    """Return whether the last wordings name each article once, and all articles that earlier ones name."""
    last = {wordings[-1] for wordings in by_provision.values()}
    named = [
        (wording, article)
        for wording, commencement in read.items()
        if commencement is not None
        for article in commencement.parts or ()
    ]
    current = [article for wording, article in named if wording in last]
    return len(current) == len(set(current)) and {article for _, article in named} <= set(current)


def _starts_of_norm(work: Name, general: Sequence[tuple[ClauseWording, date]], published: date) -> Iterator[Event]:
    """Yield the start of the articles that no wording names, as known from each wording that dates them on (rule R30).

    A change that was known before the start moves it to the day that the new wording states. If this day had passed
    when the change became known, the norm started on that day of knowledge at the earliest (rule F8). If this is the
    day of signature of the act, the norm started on it or on the next day. If the norm may have started before the
    change became known, each of the days is possible.

    Args:
        general: the wordings that date these articles, with the day that each of them states.
        published: the day of publication of the norm.
    """
    bounds: When | None = None
    for wording, day in sorted(general, key=lambda pair: (not pair[0].first, pair[0].known.first)):
        known = When.on(published) if wording.first else wording.known
        earlier = bounds or When.on(day)
        in_vacatio = known.last is not None and (bounds is None or known.last < bounds.first)
        last = max(earlier.last or day, day)
        if wording.first or (in_vacatio and known.last is not None and known.last <= day):
            bounds = When.on(day)
        elif in_vacatio and wording.act is not None and known.exact == wording.act.representative_date:
            bounds = When(known.first, known.first + ONE_DAY)
        elif in_vacatio:
            bounds = When(max(day, known.first), max(last, known.first))
        else:
            bounds = When(min(earlier.first, day), last)
        yield Event(EventKind.INICIO_VIGENCIA, work, bounds, known, _cause(work, wording))


def _cause(work: Name, wording: ClauseWording) -> Name | None:
    """Return the cause of a start: the act that made the clause of commencement, or the article of its first text."""
    return article_of(work, wording.fragment) if wording.first and wording.act is None else wording.act


def article_of(work: Name, fragment: str) -> Name:
    """Return the article with a provision.

    >>> from graph.urn import parse
    >>> article_of(parse("urn:lex:br:federal:lei:2021-04-01;14133"), "art194_cpt").canonical
    'urn:lex:br:federal:lei:2021-04-01;14133!art194'
    """
    return work.with_fragmento(Fragmento((fragment.partition("_")[0],)))


def _undated_event(work: Name, wording: ClauseWording) -> Event:
    return Event(EventKind.ENTRADA_VIGOR, work, None, wording.known, wording.act)


def stated_day(text: str, published: date | None) -> When | None:
    """Return the day of effect that a provision states besides the acts that it names.

    >>> str(stated_day("em 30 de dezembro de 2023: a Lei nº 8.666, de 21 de junho de 1993;", None))
    '2023-12-30'
    >>> stated_day("Revoga-se a Lei nº 8.666, de 21 de junho de 1993.", None) is None
    True

    Args:
        published: the day of publication, from which a term is counted; None if it is not known.

    Returns:
        None if the provision states no day. A day with open bounds if it states one that is not understood.
    """
    rest = ACT.sub(" ", text)
    plain = _plain(rest)
    if _DAY_HINT.search(plain) is None:
        return None
    if published is None and (_TERM.search(plain) is not None or _FOLLOWING.search(plain) is not None):
        return When.not_before(date.min)
    when = _day(plain, rest, published or date.min) if _EXCEPTS.search(plain) is None else None
    if when is None or when[0] == date.min or len(_DATED.findall(plain)) > 1:
        return When.not_before(published or date.min)
    return When.on(when[0])


def day_of_order(words: str, published: date | None) -> OrderDay:
    """Return the day of effect that an order states in place of the clause of commencement.

    A day before the publication is not read, nor one in a clause that may be about the norm that is changed.

    >>> order = "Fica revogada, a partir de 1º de janeiro de 2011, a Lei nº 99.901/2005."
    >>> str(day_of_order(order, date(2010, 4, 12))[0]), day_of_order(order, date(2012, 4, 12))
    ('2011-01-01', (None, None))
    >>> order = "Esta Lei entra em vigor na data de sua publicação, revogada, a partir de 1º de maio de 2011, a Lei 9."
    >>> str(day_of_order(order, date(2010, 4, 12))[0])
    '2011-05-01'
    >>> day_of_order("Fica revogado, 30 dias após a publicação desta Lei, o art. 2º da Lei nº 99.901/2005.", None)
    (None, Term(number=30, unit=<Unit.DAY: 'day'>))

    Args:
        words: the order without the text that it quotes.
        published: the day of publication of the act; None if it is not known.
    """
    verb = _REVOKING.search(words)
    after = words[verb.start() :] if verb is not None and _has_clause(words[: verb.start()]) else ""
    if stated_day(after, _ANY_DAY) is not None:
        words = after  # the clause of commencement before it has another day
    if re.search(r"\b(?:que|cuj[oa]s?|quando)\b", words, re.IGNORECASE):
        return None, None
    first, again = (stated_day(words, day) for day in ((published,) * 2 if published else (_ANY_DAY, _ANOTHER_DAY)))
    day = first.exact if first is not None else None
    if day is None or again is None or again.exact is None:
        return None, None
    if published is not None:
        return (day, None) if day >= published else (None, None)
    if day == again.exact:
        return day, Follows.PUBLICATION
    terms = list(_terms(_plain(ACT.sub(" ", words))))
    return None, terms[0] if len(terms) == 1 else Follows.PUBLICATION if day == _ANY_DAY else None


def states_publication(text: str) -> bool:
    """Return whether a provision states the day of publication of its norm as its day of effect, and no other day.

    >>> states_publication("o art. 89 da Lei nº 8.666, de 21 de junho de 1993, na data de publicação desta Lei;")
    True
    """
    day = date.max.replace(day=1)
    return stated_day(text, day) == When.on(day)


def clause_on_publication(texts: Mapping[str, str]) -> str | None:
    """Return the provision by which an act is in force from its publication on; None if it has another clause, or
    several.

    Args:
        texts: as for :func:`read_commencement`.
    """
    day = date.max.replace(day=1)
    commencements = read_commencement(texts, day)
    if [(commencement.day, commencement.parts) for commencement in commencements] != [(day, None)]:
        return None
    return commencements[0].fragment


def _read(fragment: str, text: str, published: date) -> Commencement | None:
    whole = _plain(text)
    plain = _without_end(whole)
    effects = _DAYS_OF_EFFECT.search(plain)
    clause = plain[: effects.start()] if effects is not None else plain
    when = _day(clause, text if plain == whole else plain, published) if _EXCEPTS.search(clause) is None else None
    if when is None:
        return None
    day, term = when
    parts = _parts_of(clause)
    if parts == ():
        return None
    return Commencement(day, parts, term, fragment, text)


def _day(plain: str, text: str, published: date) -> tuple[date, Term | None] | None:
    """Return the day that a clause states or sets by a term, and the term; None if none is understood.

    Of several terms the last one ends the vacatio, and the result has no term.
    """
    terms = [*_terms(plain)]
    year = _FOLLOWING_YEAR.search(plain)
    try:
        if year is not None and year["month"] not in {None, _MONTH_NAMES[0]}:
            day = date(published.year + 1, _MONTH_NAMES.index(year["month"]) + 1, 1)
            return (day, None) if not terms and not _follows_another(plain, year) else None
        if terms:
            days = [first_day_after(published, term) if term is not None else None for term in terms]
            if None in days:
                return None
            return max(day for day in days if day is not None), terms[0] if len(terms) == 1 else None
    except (BadDate, ValueError):  # after the last day of the calendar
        return None
    if _PUBLICATION.search(plain) is not None:
        return published, None
    stated = day_of(_text_before_effects(text))
    if stated is None and (exercise := _YEAR_OF_EXERCISE.search(plain)) is not None:
        stated = date(int(exercise[1]), 1, 1)
    elif stated is None and (month := _MONTH_OF_YEAR.search(plain)) is not None:
        stated = date(int(month[2]), _MONTH_NAMES.index(month[1]) + 1, 1)
    return (stated, None) if stated is not None else None


def _text_before_effects(text: str) -> str:
    match = re.search(r"produz|com efeitos|retroag", text, re.IGNORECASE)
    return text[: match.start()] if match is not None else text


def _terms(plain: str) -> Iterator[Term | None]:
    """Yield the terms of a clause that are counted from the publication; None for one counted from another day."""
    month, year, next_day = (reader.search(plain) for reader in (_FIRST_DAY_OF_MONTH, _FOLLOWING_YEAR, _NEXT_DAY))
    if month is not None:
        number = _ORDINALS.get(month[1] or "primeiro", 1)
        yield None if _follows_another(plain, month) else Term(number, Unit.FOLLOWING_MONTH)
    if year is not None and year["month"] in {None, _MONTH_NAMES[0]}:
        yield None if _follows_another(plain, year) else Term(1, Unit.FOLLOWING_YEAR)
    if next_day is not None:
        yield Term(1, Unit.DAY)
    counted = _TERM.search(plain)
    if counted is not None and (_AFTER.search(plain) is not None or _PUBLISHED.search(plain) is not None):
        number = int(counted[1]) if counted[1] else _WORDS[counted[2]]
        yield None if not number or _follows_another(plain, counted) else Term(number, _UNITS[counted[3]])


def _follows_another(plain: str, match: re.Match[str]) -> bool:
    """Return whether what follows a term counts it from something else than the publication."""
    return _COUNTED_FROM.match(plain, match.end()) is not None


def _parts_of(plain: str) -> tuple[str, ...] | None:
    """Return the articles that a clause covers; None for all others; empty if it has a limit that is not read."""
    about = _PARTS.search(plain)
    if about is None or _OTHERS.search(plain, about.start()) is not None:
        return None
    rest = plain[about.end() :]
    if _MENTIONS.search(plain, about.start()) is None or re.search(r"§|inciso|paragrafo|alinea", rest) is not None:
        return ()
    if _LETTERED_SPAN.search(rest) is not None:
        return ()
    return tuple(dict.fromkeys(_articles(re.split(r",? (?:em|no dia|na data|apos|a partir) ", rest)[0])))


def _articles(plain: str) -> Iterator[str]:
    for span in _SPAN.finditer(plain):
        first, last = int(span[1]), int(span[2])
        if first < last <= first + _WIDEST:
            yield from (f"art{number}" for number in range(first, last + 1))
    for match in _ARTICLE.finditer(_SPAN.sub(" ", plain)):
        letters = [from_letters(part) for part in match[2].split("-") if part]
        yield f"art{match[1]}" + "".join(f"-{number}" for number in letters)
