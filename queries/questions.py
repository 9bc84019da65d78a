"""Questions in words: the forms that are understood, and where each is answered.

A question has a form, one norm or provision that is certain, and sometimes a day or a period. Every other text is not
understood here; it has words to search for.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from graph.civil import ONE_DAY, day_after, day_before
from graph.errors import BadDate, BadName, BadParameter
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED
from graph.urn import Name, parse
from graph.wording.folding import folded, without_invisible_marks, words
from graph.wording.nicknames import nicknames
from graph.wording.numerals import FIRST_DAY, LAST_DAY, MONTHS, MONTHS_EN, read_day
from queries.evidence import records
from queries.in_force import in_force
from queries.intervals import over_force
from queries.notices import UnderstoodAs
from queries.provisions import containers_by_provision
from queries.resolution.interpretation import interpret
from queries.resolution.names import in_constitution
from queries.resolution.spelling import is_name
from queries.resolution.works import by_nickname
from queries.text.changes import texts_over_force
from queries.text.diff import has_dated_original, original_day


class Asks(StrEnum):
    """What a question asks for.

    ``norm``: a norm, by its nickname. ``text``: the text of a norm or provision on a day. ``ending``: who ended a norm
    and since when, or whether it is in force. ``changes``: what changed in a period. ``amending``: the acts that
    changed it. ``amended``: what it changed in other norms.
    """

    NORM = "norm"
    TEXT = "text"
    ENDING = "ending"
    CHANGES = "changes"
    AMENDING = "amending"
    AMENDED = "amended"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was understood.

    Attributes:
        asks: what it asks for.
        name: canonical name of the norm or provision.
        on: the day of the text, or the first day of the ending; None for today.
        since: the day before the period of the changes; None for the original text.
        until: the last day of that period; None where the question has none.
    """

    asks: Asks
    name: str
    on: date | None = None
    since: date | None = None
    until: date | None = None


#: The words of a form, in braces there. All texts are folded: in lower case, without accents and ordinal signs.
_WORDS: Mapping[str, str] = {
    "norm": r"(?:(?:[ao]s?|the) )?(?P<norm>.+?)",
    "in": r"(?:n[oa]s?|em|d[oa]s?|de)",
    "acts": r"(?:leis?|normas?|atos?|emendas?|medidas? provisorias?|decretos?)",
    "who": r"(?:por |pel[oa]s? )?(?:quem|{which} {acts}(?: que)?)(?: ja)?",
    "which": r"(?:qual|quais|que)(?: (?:foi|foram|e|sao))?(?: [ao]s?)?",
    "is": r"(?:(?:ja )?(?:foi|foram|esta|ficou|sera|e))",
    "mudou": r"(?:se )?(?:mud|alter|modific)(?:ou|aram|a|am)",
    "changed": r"(?:alterad|modificad|mudad)[oa]s?",
    "revogou": r"(?:revog|anul|suspend|ab-rog)(?:ou|aram|eu|eram|a|e)|declarou inconstitucional",
    "ended": r"(?:(?:revogad|anulad|suspens|ab-rogad)[oa]|declarad[oa] inconstitucional)",
    "when": r"(?:desde quando|a partir de quando|quando|em que (?:dia|data))",
    "valid": r"(?:em vigor|vigente|valend?[oa]|valid[oa]|revogad[oa])",
    "who_en": r"(?:by )?(?:whom?|(?:which|what) (?:laws?|acts?|norms?|amendments?))(?: has| have)?",
    "changed_en": r"(?:amended|changed|modified|altered)",
    "ended_en": r"(?:repealed|revoked|annulled|suspended|struck down)",
    "in_en": r"(?:in|to|of)",
}
#: The forms of questions, without the day or period, in order of precedence.
FORMS: tuple[tuple[Asks, str], ...] = (
    (Asks.CHANGES, "(?:o )?que (?:foi que )?{mudou} {in} {norm}"),
    (Asks.CHANGES, "o que (?:foi|ha de) (?:{changed}|novo) {in} {norm}"),
    (Asks.CHANGES, "(?:quais )?(?:foram |sao )?(?:as )?(?:mudancas|alteracoes|modificacoes)(?: feitas)? {in} {norm}"),
    (Asks.CHANGES, "como {norm} (?:{mudou}|foi {changed})"),
    (Asks.CHANGES, "what(?: has| was| were)? {changed_en} {in_en} {norm}"),
    (Asks.CHANGES, "(?:what (?:are|were) )?(?:the )?(?:changes|amendments) {in_en} {norm}"),
    (Asks.CHANGES, "how (?:did|has) {norm} changed?"),
    (Asks.AMENDED, "o que (?:mudou|foi {changed}) com {norm}"),
    (Asks.AMENDED, "(?:o que|(?:que|quais) {acts}) {norm} (?:{mudou}|{revogou})"),
    (Asks.AMENDED, "what(?: laws?| acts?)? (?:did|does) {norm} (?:change|amend|modify|alter|repeal|revoke)"),
    (Asks.AMENDING, "{who} {mudou} {norm}"),
    (Asks.AMENDING, "{who} {norm} {is} {changed}"),
    (Asks.AMENDING, "{who} {is} {changed} {norm}"),
    (Asks.AMENDING, "{norm} {is} {changed}(?: {who})?"),
    (Asks.AMENDING, "{who_en} {changed_en} {norm}"),
    (Asks.AMENDING, "{who_en} was {norm} {changed_en}(?: by)?"),
    (Asks.ENDING, "{who} (?:{revogou}) {norm}"),
    (Asks.ENDING, "(?:{who}|{when}) {norm} {is} {ended}"),
    (Asks.ENDING, "(?:{who}|{when}) {is} {ended} {norm}"),
    (Asks.ENDING, "{norm} {is} {ended}(?: {who}| {when})?"),
    (Asks.ENDING, "{who_en} {ended_en} {norm}"),
    (Asks.ENDING, "(?:when|{who_en}) was {norm} {ended_en}(?: by)?"),
    (Asks.ENDING, "(?:is|was|has) {norm} (?:been )?{ended_en}"),
    (Asks.TEXT, "{norm} (?:ainda |ja |nao )?(?:esta|estava|e|era) (?:ainda |mais )?{valid}"),
    (Asks.TEXT, "{norm} (?:ainda )?(?:vale|valia|vigora|vigorava)(?: ainda)?"),
    (Asks.TEXT, "{when} {norm} (?:entrou|entra|entrara) em vigor"),
    (Asks.TEXT, "(?:is|was) {norm} (?:still )?(?:in force|valid)"),
    (Asks.TEXT, "(?:when did|since when is) {norm} (?:enter into|in) force"),
    (Asks.TEXT, "(?:o que|como) (?:diz|dizia|dispoe|dispunha|e|era|esta|estava) {norm}"),
    (Asks.TEXT, "(?:qual (?:e|era) )?(?:o texto|a redacao|texto|redacao) d[aeo]s? {norm}"),
    (Asks.TEXT, "(?:what (?:is|was) )?(?:the )?text of {norm}"),
    (Asks.TEXT, "what (?:does|did) {norm} say"),
)


def _pattern(form: str) -> re.Pattern[str]:
    while "{" in form:
        form = re.sub(r"\{(\w+)\}", lambda word: _WORDS[word[1]], form)
    return re.compile(form)


_PATTERNS = tuple((asks, _pattern(form)) for asks, form in FORMS)
#: Words around a question that do not change it: before it, and after it.
_BEFORE = re.compile(r"(?:(?:quero|gostaria de|preciso) saber|voce sabe|sabe|me diga|i want to know)[,:]? ")
_AFTER = _pattern(
    r",? (?:e|and) (?:{who}|{who_en}|{when}|when|why|por que)(?: (?:foi |[oa] )?(?:{mudou}|{revogou}|it|them))*\Z"
)

_MONTH_NUMBERS = {folded(month): number % 12 + 1 for number, month in enumerate((*MONTHS, *MONTHS_EN))}
_MONTH = "|".join(_MONTH_NUMBERS)
#: A day or year by its relation to today, and a day, a month or a year.
_RELATIVE = r"(?:hoje|ontem|today|yesterday|n?este ano|this year|(?:no )?ano passado|last year)"
_TIME = (
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}"
    rf"|(?:(?:(?:[0-9]{{1,2}}|primeiro)(?: de)? )?(?:{_MONTH})|(?:{_MONTH}) [0-9]{{1,2}})(?:,? de|,)? [0-9]{{4}}"
    rf"|[0-9]{{4}}|{_RELATIVE})"
)
_VALID = r"(?:vigentes? |em vigor |valid[oa]s? )?"
_IN = r"(?:em|n[oa](?: dia| data(?: de)?| ano(?: de)?| mes de)?|durante|in|on|during)"
#: The forms of a period: one day, month or year; a first and a last one; and those that last until today.
_PERIODS = {
    "one": rf"{_VALID}(?:{_IN} {_TIME}|({_RELATIVE}))",
    "between": rf"(?:entre|between) {_TIME} (?:e|and) {_TIME}|(?:de|from) {_TIME} (?:a|ate|to|until) {_TIME}",
    "since": rf"(?:desde|a partir de|since) {_TIME}",
    "after": rf"(?:depois de|apos|after) {_TIME}",
}
#: A question with a period of each form: at its end, and at its beginning.
_SPLIT = tuple(
    (form, re.compile(written))
    for form, period in _PERIODS.items()
    for written in (rf"(?P<rest>.+?),? (?:{period})", rf"(?:{period}),? (?P<rest>.+)")
)
#: Signs of the language of queries, with which a text has words to search for.
_SIGNS = re.compile(r'["“”«»*]|(?<!\S)-')
#: The maximum length of a question, in characters.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class _Period:
    """The first and the last day of a period, and whether it is only one day, month or year."""

    first: date
    last: date
    single: bool = True


def understood(store: Store, text: str, today: date) -> Question | None:
    """Return the question that a text asks; None if its form is not known or its norm is not certain.

    Args:
        text: the text of a reader.
        today: a civil date.
    """
    visible = without_invisible_marks(text)
    if len(visible) > _LONGEST or _SIGNS.search(visible) or is_name(visible):
        return None
    plain = _AFTER.sub("", _BEFORE.sub("", " ".join(folded(visible).split()).strip(" ?!.;,¿"), count=1)).strip(" ?,")
    rest, period = _split(plain, today)
    if period is None:
        nicknamed = _nicknamed(store, visible.strip(" ?!."), today)
        if nicknamed is not None:
            return Question(Asks.NORM, nicknamed.canonical)
    for asks, pattern in _PATTERNS:
        form = pattern.fullmatch(rest)
        name = _certain(store, form["norm"], period, today) if form is not None else None
        if name is not None:
            return _asked(store, asks, name, period, today)
    if period is not None and not period.single:
        return None
    name = _certain(store, rest if period is not None else visible, period, today)
    if name is None or (period is None and name == name.work):
        return None
    return _asked(store, Asks.TEXT, name, period, today)


def _split(text: str, today: date) -> tuple[str, _Period | None]:
    """Return a question without its period, and the period. A text without a valid period stays as it is."""
    for form, pattern in _SPLIT:
        if (match := pattern.fullmatch(text)) is None:
            continue
        written = [time for time in match.groups() if time is not None and time != match["rest"]]
        spans = [span for time in written if (span := _span(time, today)) is not None]
        if len(spans) < len(written):
            return text, None
        first = day_after(spans[0].last) if form == "after" else spans[0].first
        last = today if form in ("since", "after") else min(spans[-1].last, max(today, spans[-1].first))
        return (match["rest"], _Period(first, last, form == "one")) if first <= last else (text, None)
    return text, None


def _span(text: str, today: date) -> _Period | None:
    """Return the days of a day, month or year in words; None if the calendar does not have it."""
    numbers = [int(number) for number in re.findall(r"[0-9]+", text)]
    month = next((number for written, number in _MONTH_NUMBERS.items() if re.search(rf"\b{written}\b", text)), None)
    year = numbers[0] if re.fullmatch("[0-9]{4}", text) else None
    if text.endswith(("passado", "last year")):
        year = today.year - 1
    elif text.endswith(("ano", "year")):
        year = today.year
    try:
        if year is not None:
            first, last = date(year, 1, 1), date(year, 12, 31)
        elif text in ("today", "yesterday"):
            first = last = today - ONE_DAY * (text == "yesterday")
        elif month is None:
            first = last = read_day(text)
        elif len(numbers) == 1 and "primeiro" not in text:
            first, last = date(numbers[0], month, 1), date(numbers[0], month, monthrange(numbers[0], month)[1])
        else:
            first = last = date(numbers[-1], month, numbers[0] if len(numbers) > 1 else 1)
    except (ValueError, BadDate):
        return None
    return _Period(first, last) if first >= FIRST_DAY and last <= LAST_DAY else None


def _nicknamed(store: Store, text: str, today: date) -> Name | None:
    """Return the norm of the store with a nickname, if it is the only norm that has it today."""
    works = by_nickname(store, text, today)
    named = {match.name.work.canonical for match in works.matches}
    for nickname in nicknames().get(" ".join(words(text)), ()):
        if nickname.fits(today):
            listed = parse(nickname.name)
            named.add((in_constitution(store, listed) or listed).canonical)
    only = parse(next(iter(named))) if len(named) == 1 and not works.more else None
    return only if only is not None and records(store, only.iri) else None


#: The Portuguese words for those by which an English question cites a norm.
_ENGLISH = {
    r"complementary law": "lei complementar",
    r"(?:federal )?law": "lei",
    r"articles?": "art.",
    r"of the|of": "da",
    r"(?:brazilian |federal )?constitution": "constituicao",
    r"decree": "decreto",
    r"decree-law": "decreto-lei",
    r"provisional measure": "medida provisoria",
    r"civil code": "codigo civil",
    r"penal code": "codigo penal",
    r"item": "inciso",
    r"paragraph": "paragrafo",
}


def _certain(store: Store, text: str, period: _Period | None, today: date) -> Name | None:
    """Return the norm or provision of the store that a text certainly means in a period; else None."""
    english = text
    for word, portuguese in _ENGLISH.items():
        english = re.sub(rf"\b{word}(?!\w)", portuguese, english)
    days = (period.last, period.first) if period is not None else (today,)
    for written in dict.fromkeys((text, english)):
        names = [_exact(store, written, day) for day in days]
        if names[0] is not None:
            return names[0] if names[-1] in (None, names[0]) else None
    return None


def _exact(store: Store, text: str, on: date) -> Name | None:
    try:
        found = interpret(store, text, on)
    except (BadName, BadDate, BadParameter):
        return None
    if found.name is None or not all(isinstance(notice, UnderstoodAs) for notice in found.notices):
        return None
    name = found.name.provision or found.name.work
    return name if records(store, name.iri) else None


def _asked(store: Store, asks: Asks, name: Name, period: _Period | None, today: date) -> Question | None:
    """Return a question about a norm or provision; None if the period does not fit what is asked."""
    if asks is Asks.CHANGES or (asks is Asks.AMENDING and period is not None):
        return _changes(store, name, period, today)
    if asks is Asks.ENDING:
        day = _ended_on(store, name, today)
        fits = period is None or (day is not None and period.first <= day <= period.last)
        return Question(asks, name.canonical, on=day) if fits else None
    if period is None:
        return Question(asks, (name if asks is Asks.TEXT else name.work).canonical)
    if asks is Asks.TEXT and period.single and _has_one_text(store, name, period, today):
        return Question(asks, name.canonical, on=period.last)
    return None


def _changes(store: Store, name: Name, period: _Period | None, today: date) -> Question | None:
    """Return the question for the changes in a period; without one, for those since the original text.

    A period that begins before the original text begins with it.
    """
    has_original = has_dated_original(store, name, today)
    first = original_day(store, name, today) if has_original else None
    if not containers_by_provision(store, name.work.iri):
        return None
    if period is None:
        return Question(Asks.CHANGES, name.canonical, until=today) if first is not None else None
    since = day_before(period.first)
    if first is not None and since < first <= period.last:
        return Question(Asks.CHANGES, name.canonical, until=period.last)
    return Question(Asks.CHANGES, name.canonical, since=since, until=period.last)


def _has_one_text(store: Store, name: Name, period: _Period, today: date) -> bool:
    """Return whether a norm or provision has one text, or none, on all days of a period."""
    if period.first == period.last:
        return True
    return not any(period.first < row.start <= period.last for row in texts_over_force(store, name, today))


def _ended_on(store: Store, name: Name, today: date) -> date | None:
    """Return the first day on which a norm or provision has ended; None if it has not, or if the day is not known."""
    answer = in_force(store, name, today, today)
    if answer.status not in ENDED:
        return None
    rows = [row for row in over_force(store, name, today) if row.start <= today]
    if rows and rows[-1].status in ENDED:
        return rows[-1].start
    effects = [when.exact for reason in answer.because if (when := day_stated(reason.effect)) is not None]
    return max((day for day in effects if day is not None), default=None)
