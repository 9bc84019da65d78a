"""Citations of a norm or provision as it read on a day: permanent address, ABNT, BibTeX and RIS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import takewhile
from types import MappingProxyType

from markupsafe import Markup

from graph.civil import ONE_DAY, parse_day
from graph.document_kinds import non_norm_kind
from graph.errors import BadDate
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Status
from graph.urn import Fragmento, Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import label, place_label, provision_label, type_label
from graph.wording.provisions import Style, is_grouping, provision_name
from graph.wording.transitional import transitional_label
from ontology.events import EventKind
from queries.answers import InForce
from queries.contradictions import is_disputed
from queries.evidence import published_on, records
from queries.in_force import in_force
from queries.intervals import AnswerInterval, first_possible_start, first_with_same_status, over_force, status_since
from queries.notices import Vetoed, any_of
from queries.related import printed_notes, related_data
from queries.text.absent import located, missing_error
from queries.text.changes import (
    ChangeDay,
    days_of_change,
    is_between,
    is_determined,
    joined_within_bounds,
    texts_over_force,
    uncertain_days,
)
from queries.text.open_wording import intervals_of_force, is_wording_open
from queries.text.text import text
from queries.text.wording_history import is_ended_by_act
from queries.vocabulary import vocabulary
from service.output import shown
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.laid_out import last_day_of_data, text_on
from service.web.names.parameters import RequestParameters
from service.web.pages.frame import Messages, format_markup, render, source_name
from service.web.pages.reading_days import read_page
from service.web.pages.related import document_sentence
from service.web.pages.status import converted_into, is_at_last, revoked_by, status_label, status_sentence
from service.web.pages.text_notices import is_undetermined, no_text_problem
from service.web.pages.text_status import status_not_in_force, summaries_of_text
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task type of the page, and the prefix of its address.
KIND, PREFIX = "page.cite", "/cite"
#: The abbreviations of months in NBR 6023.
_MONTHS = ("jan.", "fev.", "mar.", "abr.", "maio", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez.")
_REVOCATION = EventKind.REVOGACAO
#: The statuses of a day that has no text.
_TEXTLESS = (*ENDED, Status.UNKNOWN)
#: The name of the site of the Presidency, which publishes texts of federal norms.
_PLANALTO = "Planalto"
#: The authority of federal norms in names, and the place and the publisher of their texts.
_FEDERATION, _PRESIDENCY = (("federal",),), ("Brasília, DF", "Presidência da República")
#: The media types of the files, by their values of ``format``.
FILES: Mapping[str, str] = MappingProxyType(
    {"bib": "application/x-bibtex; charset=utf-8", "ris": "application/x-research-info-systems; charset=utf-8"}
)
#: Characters with a meaning in BibTeX.
_OF_BIBTEX = re.compile(r"([\\{}%&$#_])")


#: Follows the name of a state, which may also be that of a city.
_STATE = " (Estado)"


@dataclass(frozen=True, slots=True)
class CitationData:
    """The data of a citation.

    Attributes:
        name: the norm or provision, without version.
        place: the jurisdiction, which reference lists use as the author.
        title: the title of the norm.
        part: the provision within the norm; None for a norm.
        summary: the ementa; None where no source has one.
        issued: the date of the norm; None where its name has none.
        on: D.
        known: K, or the last day that the sources cover where that is earlier; None where no source states that day
            and K is the day of access.
        accessed: the day of access.
        address: the permanent address of this text.
        journal: the gazette that published the norm, in words; None where no source states its issue.
        issue: the place, number, page and date of that issue; empty where no source states it.
        since: since when today's text is in force, in Portuguese; None for another text, whose day is ``on``.
        is_from_planalto: whether a source of the text is the site of the Presidency.
        status: the status on D in Portuguese, where it is not in force; else None.
        undated: whether it is a document without force, such as a bill, of which the sources have no text of a day.
        textless: whether no text is in force or announced on D: it has ended, was vetoed, or is not determined.
        ending: the end of an ended norm or provision in Portuguese: its status, its act and its days; else None.
    """

    name: Name
    place: str
    title: str
    part: str | None
    summary: str | None
    issued: date | None
    on: date
    known: date | None
    accessed: date
    address: str
    journal: str | None = None
    issue: str = ""
    status: str | None = None
    since: str | None = None
    is_from_planalto: bool = False
    ending: str | None = None
    undated: bool = False
    textless: bool = False

    @property
    def author(self) -> str:
        """Return the jurisdiction as NBR 6023 has it: in capitals, and the word that tells a state from a city not."""
        return self.place.removesuffix(_STATE).upper() + (_STATE if self.place.endswith(_STATE) else "")

    @property
    def publisher(self) -> tuple[str, str, str] | None:
        """Return place, publisher and year, as NBR 6023 has them for a federal norm that no gazette is known for.

        The federal capital is Brasília since 1960. An older norm has them only if its text is that of the Planalto's
        site, and without a year. The year of a constitution is in brackets, because the uniform title has it.
        """
        if self.journal is not None:
            return None
        norm, year = self.name.work, self.year
        is_federal = norm.autoridade == _FEDERATION and not norm.local.detalhe
        if is_federal and year is not None and (norm.oldest_day or date.min) >= _CAPITAL:
            return (*_PRESIDENCY, f"[{year}]" if _is_constitution(norm) else year)
        if self.is_from_planalto:
            return (*_PRESIDENCY, "")
        return None

    @property
    def published(self) -> str:
        """Return the gazette, or the place and the publisher, as a sentence after a space; empty if none is known."""
        if self.journal:
            return f" {self.journal}{self.issue}."
        if self.publisher is None:
            return ""
        place, publisher, year = self.publisher
        return f" {place}: {publisher}{f', {year}' if year else ''}."

    @property
    def wording(self) -> str:
        """Return the days of the text, or the status where no text is in force, and the day of knowledge.

        Empty for an undated document without a day of knowledge.
        """
        known = f", conforme o publicado até {_short_day(self.known)}" if self.known is not None else ""
        if self.undated:
            return known[2:3].upper() + known[3:]
        if self.since is not None:
            return f"Redação vigente {self.since}{known}"
        if self.ending is not None:
            return f"{self.ending}{known}"
        if self.textless and self.status:
            return f"Situação em {_short_day(self.on)}: {self.status}{known}"
        status = f" ({self.status})" if self.status else ""
        return f"Redação em {_short_day(self.on)}{status}{known}"

    @property
    def year(self) -> str | None:
        """Return the year of the norm; None where its name has none, or several."""
        year = self.name.work.representative_year
        return str(year) if year is not None else None

    @property
    def key(self) -> str:
        """Return a key for BibTeX."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.canonical.removeprefix("urn:lex:").lower()).strip("-")[:80]


def abnt(cited: CitationData) -> str:
    """Return the reference in the format of ABNT NBR 6023.

    >>> abnt(
    ...     CitationData(
    ...         parse("urn:lex:br:federal:lei:1990-09-11;8078!art57"), "Brasil", "Lei nº 8.078, de 11 de setembro de 1990",
    ...         "art. 57", None, None, date(1993, 6, 1), date(2026, 1, 2), date(2026, 1, 2), "https://x.example/a",
    ...     )
    ... )
    'BRASIL. Lei nº 8.078, de 11 de setembro de 1990, art. 57. Brasília, DF: Presidência da República, 1990. Redação em 1 jun. 1993, conforme o publicado até 2 jan. 2026. Disponível em: https://x.example/a. Acesso em: 2 jan. 2026.'
    """  # noqa: E501
    heading = f"{_heading(cited.name, cited.title)}{cited.title}"
    title = heading + (f", {cited.part}" if cited.part else "")
    summary = f" {cited.summary.rstrip('.')}." if cited.summary else ""
    wording = f" {cited.wording}." if cited.wording else ""
    return (
        f"{cited.author}. {title}.{summary}{cited.published}{wording} "
        f"Disponível em: {cited.address}. Acesso em: {_short_day(cited.accessed)}."
    )


def _heading(name: Name, title: str) -> str:
    """Return the uniform title of a constitution, which NBR 6023 places before its title; else an empty string.

    >>> _heading(parse("urn:lex:br:federal:constituicao:1988-10-05;1988"), "Constituição Federal de 1988")
    '[Constituição (1988)]. '
    """
    day = name.work.representative_date
    if not _is_constitution(name) or day is None or title.startswith("["):
        return ""
    return f"[Constituição ({day.year})]. "


def _is_constitution(name: Name) -> bool:
    return name.work.tipo_documento == ("constituicao",)


def _abnt_marked(cited: CitationData) -> Markup:
    """Return the reference of :func:`abnt` with the gazette in bold."""
    text = abnt(cited)
    before, journal, after = text.partition(f" {cited.journal}{cited.issue}.") if cited.journal else (text, "", "")
    bold = format_markup(" <strong>{}</strong>{}.", cited.journal, cited.issue) if journal else ""
    return format_markup("{}{}{}", before, bold, after)


#: Matches the note of a source on the first publication of a norm: the gazette, its day and its page.
_NOTE = re.compile(
    r"publica[cç][aã]o original\b.*\[([^\[\]]+?)\s+de\s+(\d{2})/(\d{2})/(\d{4})\](?:\s*\(p\. (\d+))?", re.IGNORECASE
)


def publication_noted(notes: Iterable[str], known: date) -> tuple[str | None, str]:
    """Return the gazette that first published a norm, as :func:`publication` does, from the notes of printed copies.

    Args:
        notes: the notes of sources on printed copies.
        known: K, a civil date: later publications are left out.

    >>> note = "Publicação Original [Diário Oficial da União de 15/08/2018] (p. 59, col. 2)"
    >>> publication_noted([note], date(2020, 1, 1))
    ('Diário Oficial da União', ', Brasília, DF, p. 59, 15 ago. 2018')
    """
    issues: list[tuple[date, str, str | None]] = []
    for stated in filter(None, map(_NOTE.search, notes)):
        with suppress(BadDate):
            issues.append((parse_day(f"{stated[4]}-{stated[3]}-{stated[2]}"), stated[1], stated[5]))
    day, journal, page = min((issue for issue in issues if issue[0] <= known), default=(None, None, None))
    if day is None or journal is None:
        return None, ""
    journal, _, section = journal.partition(" - ")
    return journal, _issue_in_words(journal, section.lower(), None, page, day)


def _issue_in_words(journal: str, section: str | None, number: str | None, page: str | None, day: date) -> str:
    """Return the section, place, number, page and day of an issue of a gazette, as ABNT has them."""
    place = "Brasília, DF" if journal == _FEDERAL_NAME and day >= _CAPITAL else ""
    parts = (place, f"n. {number}" if number else "", f"p. {page}" if page else "", _short_day(day))
    return (f": {section}" if section else "") + "".join(f", {part}" for part in parts if part)


#: The gazette of the federation in names, in words, and its place since the capital is Brasília.
_FEDERAL, _FEDERAL_NAME, _CAPITAL = "diario.oficial.uniao", "Diário Oficial da União", date(1960, 4, 21)


def publication(issues: Iterable[str], known: Vocabulary) -> tuple[str | None, str]:
    """Return the gazette that first published a norm, and its section, place, number, page and date, as ABNT has them.

    Args:
        issues: the names of issues, or of pages of them, that sources state.
        known: the labels of gazettes.

    Returns:
        The gazette, and the rest as one text; None and an empty text if no issue has a date.

    >>> from graph.vocabulary import built_in
    >>> gazette = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:"
    >>> publication([gazette + "2007-01-10;133", gazette + "1990-09-12;123!pag1"], built_in())
    ('Diário Oficial da União', ': seção 1, Brasília, DF, n. 123, p. 1, 12 set. 1990')
    """
    read = [name for name in map(parse, issues) if name.representative_date is not None]
    if not read:
        return None, ""
    first = min(read, key=lambda issue: issue.representative_date or date.max)
    day, kinds = first.representative_date, first.tipo_documento
    assert day is not None  # noqa: S101 - the others were left out
    section = next((kind.partition(".")[2] for kind in kinds if kind.startswith("secao.")), None)
    number = next(iter(first.descritor.identificadores), None)
    page = first.canonical.rpartition("!pag")[2] if "!pag" in first.canonical else None
    journal = _FEDERAL_NAME if _FEDERAL in kinds else type_label(first.work, "pt", known)
    return journal, _issue_in_words(journal, section and f"seção {section}", number, page, day)


def _short_day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def in_text(cited: CitationData) -> str:
    """Return the short form for running text, in the author-date system of ABNT NBR 10520:2023.

    The jurisdiction is in capital and small letters; the edition of 2002 had capitals.

    >>> in_text(
    ...     CitationData(
    ...         parse("urn:lex:br:federal:lei:1990-09-11;8078!art57"), "Brasil", "Lei nº 8.078", "art. 57",
    ...         None, date(1990, 9, 11), date(1993, 6, 1), None, date(2026, 1, 2), "https://x.example/a",
    ...     )
    ... )
    '(Brasil, 1990, art. 57)'
    """
    return f"({', '.join(filter(None, (cited.place, cited.year or 's.d.', cited.part)))})"


def bibtex(cited: CitationData) -> str:
    """Return the reference as a BibTeX entry."""
    fields = {
        "author": f"{{{_escape_bibtex(cited.author)}}}",
        "title": _escape_bibtex(cited.title + (f", {cited.part}" if cited.part else "")),
        "year": cited.year or "",
        "address": _escape_bibtex(cited.publisher[0]) if cited.publisher else "",
        "publisher": _escape_bibtex(cited.publisher[1]) if cited.publisher else "",
        "howpublished": _escape_bibtex(f"{cited.journal}{cited.issue}") if cited.journal else "",
        "abstract": _escape_bibtex(cited.summary or ""),
        "note": _escape_bibtex(cited.wording),
        "url": cited.address,
        "urldate": cited.accessed.isoformat(),
        "language": "portuguese",
    }
    lines = [f"  {key} = {{{value}}}," for key, value in fields.items() if value]
    return "\n".join([f"@misc{{{cited.key},", *lines, "}"]) + "\n"


def _escape_bibtex(text: str) -> str:
    return _OF_BIBTEX.sub(r"\\\1", text)


def ris(cited: CitationData) -> str:
    """Return the reference in RIS, the format of reference managers."""
    fields = [
        ("TY", "STAT"),
        ("AU", cited.author),
        ("TI", cited.title + (f", {cited.part}" if cited.part else "")),
        ("PY", cited.year or ""),
        ("DA", cited.issued.strftime("%Y/%m/%d") if cited.issued is not None else ""),
        ("AB", cited.summary or ""),
        ("CY", cited.publisher[0] if cited.publisher else ""),
        ("PB", cited.publisher[1] if cited.publisher else ""),
        ("N1", f"{cited.journal}{cited.issue}" if cited.journal else ""),
        ("N1", cited.wording),
        ("UR", cited.address),
        ("Y2", cited.accessed.strftime("%Y/%m/%d")),
        ("ER", ""),
    ]
    return "".join(f"{key}  - {' '.join(value.split())}\r\n" for key, value in fields if value or key == "ER")


#: The first letters of the steps that precede the article in the name of a provision, besides groupings.
_ANNEX = "anx"


def provision_cited(name: Name) -> str:
    """Return a provision within its norm as references have it: the largest unit first.

    >>> law = "urn:lex:br:federal:lei:2018-08-14;13709!"
    >>> [provision_cited(parse(law + part)) for part in ("art7_par1", "art5_cpt_inc2_ali1", "tit1_cap2", "anx1_art3")]
    ['art. 7º, § 1º', 'art. 5º, inciso II, alínea a', 'Título I, Capítulo II', 'Anexo I, art. 3º']
    >>> provision_cited(parse("urn:lex:br:federal:constituicao:1988-10-05;1988!anx1_art48_par1u"))
    'ADCT, art. 48, parágrafo único'
    """
    steps = name.canonical.partition("!")[2].split("_")
    larger = list(takewhile(lambda step: is_grouping(step) or step.startswith(_ANNEX), steps))
    if larger and transitional_label(name) is None:
        within = (*larger, "_".join(steps[len(larger) :]))
        parts = [provision_name(step, Style.COMPACT) for step in within if step]
    else:
        parts = [provision_label(name, Style.COMPACT)]
    return ", ".join(parts).replace("'", "")


def place_of(name: Name, known: Vocabulary) -> str:
    """Return the jurisdiction of a norm as the author of a reference: a country, state or municipality."""
    where = place_label(";".join((name.local.pais, *name.local.detalhe)), known)
    if len(name.local.detalhe) == 1 and "Distrito" not in where:
        return f"{where}{_STATE}"
    city, mark, state = where.rpartition(" - ")
    return f"{city} ({state})" if mark else where


def ending_cited(store: Store, answer: InForce, writer: PageWriter) -> str | None:
    """Return the end of a norm or provision for a reference: its status, its act, and the last day of the last text.

    A day that is only the bound of an unknown day, or that of the act, is never the last day. A vetoed provision has
    its status alone, unless it was promulgated later.

    Args:
        answer: the answer for D.
        sentences: the sentences in Portuguese.

    Returns:
        None where it has not ended, came into force again later, or where the sources disagree.
    """
    is_vetoed = answer.status is Status.VETOED or any_of(answer.notices, Vetoed)
    if not (answer.status in ENDED or is_vetoed) or is_disputed(store, answer):
        return None
    name = parse(answer.name)
    intervals = over_force(store, name, answer.as_known)
    index = next((i for i, interval in enumerate(intervals) if interval.holds(answer.on)), None)
    if is_vetoed:
        later = intervals[index:] if index is not None else ()
        is_last = all(interval.status is answer.status for interval in later)
        return str(writer.agreed("status.vetoed", answer.name).striptags()) if is_last else None
    by, law = revoked_by(answer, writer), converted_into(answer, writer)
    status = (law or status_label(answer, writer)).striptags() + (f" {by.striptags()}" if by is not None else "")
    if index is None:
        return _ending_undated(answer, status)
    if any(interval.status is not answer.status for interval in intervals[index:]):
        return None
    first = first_with_same_status(intervals, index)
    start, before = intervals[first].start, intervals[:first]
    unknown = first > 0 and before[-1].status is Status.UNKNOWN
    is_bound = unknown or is_at_last(answer.because, start)
    if is_bound:
        when = f"entre {_short_day(before[-1].start)} e {_short_day(start)}" if unknown else f"até {_short_day(start)}"
    else:
        when = f"a partir de {_short_day(start)}"
    comma = "" if is_bound and law is None and by is None else ","
    if by_act := is_ended_by_act(answer):
        when += " (data do ato)"
    if answer.status is Status.REVOKED and by is None and not any(reason.cause for reason in answer.because):
        when += f", por {'emenda' if _is_constitution(name) else 'ato'} que as fontes não informam"
    last = next((interval.until for interval in reversed(before) if interval.status.stands), None)
    if last is None:
        never = not any(interval.status in (Status.UNKNOWN, Status.SUSPENDED) for interval in before)
        is_unborn = bool(before) and never and any(interval.status is Status.VACATIO for interval in before)
        return f"{status}{comma} {when}" + (", sem ter entrado em vigor" if is_unborn else "")
    last_day = _short_day(last - ONE_DAY)
    if is_bound or by_act or last != start:
        return f"{status}{comma} {when}; última redação em vigor pelo menos até {last_day}"
    return f"{status}; última redação em vigor até {last_day}"


def _ending_undated(answer: InForce, status: str) -> str:
    """Return the end of a norm of which no source dates a text: its status, with the day if that is exact."""
    ends = [day_stated(reason.effect) for reason in answer.because if reason.event == _REVOCATION]
    day = ends[0].exact if len(ends) == 1 and ends[0] is not None else None
    return f"{status}, a partir de {_short_day(day)}" if day is not None else status


def _is_before(name: Name, answer: InForce) -> bool:
    """Return whether D is before the norm or provision existed."""
    issued = name.work.representative_date
    return answer.status is Status.NOT_PUBLISHED or (issued is not None and answer.on < issued)


def show_citation(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page, or the file, that cites a norm or provision (runs in a worker process).

    Args:
        arguments: ``name``, canonical, without a version; ``on`` and ``as_known``, days or None for today; ``format``,
            a key of :data:`FILES`, or ``html``; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name, or where a file is requested for a day before the norm.
    """
    store, name, frame, now, asked = read_page(store, arguments)
    on, known = asked.on or now, asked.as_known or now
    terms = vocabulary(store)
    dated = partial(published_on, store)
    is_open = partial(is_wording_open, store)
    writer = PageWriter(frame, terms, lambda _: True, today=now, published_on=dated, is_wording_open=is_open)
    answer, kind = located(store, in_force(store, name, on, known), text_on), str(arguments["format"])
    absent = answer.status is Status.NO_SUCH_PROVISION
    before = absent or _is_before(name, answer)
    refusal = missing_error(answer)
    if refusal is not None and kind not in FILES:
        raise refusal
    if before and kind in FILES:
        detail = f"{name.canonical} did not exist on {on.isoformat()}"
        raise no_text_problem(answer, name_path(name.canonical), detail)
    reference = replace(writer, frame=replace(frame, language=Language.PORTUGUESE))
    status = status_not_in_force(store, answer, reference)
    is_textless = status is not None and (answer.status in _TEXTLESS or any_of(answer.notices, Vetoed))
    if status is None and is_undetermined(store, name, answer):
        is_textless = True
        status = str(reference.words("status.wording_open").striptags())
    reach = last_day_of_data(store, name, answer)
    if reach is None and known < now:
        reach = known
    around = related_data(store, name.work, None, citations=False, known=known if known < now else None)
    journal, issue = publication(around.issues, terms)
    if journal is None:
        journal, issue = publication_noted(printed_notes(store, name.work), known)
    since, begun = _days_of_current(store, name, answer, now) if status is None else (None, None)
    if since is not None and is_determined(store, name, since, known):
        on = since
    cited = CitationData(
        name,
        place_of(name.work, terms),
        shown((around.called.epigraph if _is_constitution(name) else None) or label(name.work, "pt", terms)),
        provision_cited(name) if name != name.work else None,
        next(map(shown, _summaries(store, name.work, on, known) or around.called.summaries), None),
        name.work.representative_date,
        on,
        reach,
        now,
        frame.base + name_path(name.canonical) + RequestParameters(on, reach or known).query(),
        journal,
        issue,
        status[:1].lower() + status[1:] if status is not None else None,
        _since_in_words(since, reference.words, _short_day, begun) if since is not None else None,
        any(source_name(note.provider or note.iri) == _PLANALTO for note in records(store, name.work.iri)),
        ending_cited(store, answer, reference) if status is not None else None,
        non_norm_kind(name) is not None and answer.version is None,
        is_textless,
    )
    if kind in FILES:
        return Answer((bibtex if kind == "bib" else ris)(cited).encode("utf-8", "backslashreplace"), FILES[kind])
    forms = [
        ("citing.address", "address", cited.address),
        ("citing.abnt", "abnt", _abnt_marked(cited)),
        ("citing.in_text", "in-text", in_text(cited)),
        ("citing.bibtex", "bibtex", bibtex(cited)),
        ("citing.ris", "ris", ris(cited).replace("\r\n", "\n")),
    ]
    back = RequestParameters(on if asked.on is not None else None, asked.as_known)
    path = PREFIX + name_path(name.canonical)
    body = render(
        "citing.html",
        frame,
        title=writer.title(name),
        back=frame.to(name_path(name.canonical) + back.query()),
        on=on,
        known=known,
        reach=reach,
        since=_since_in_words(since, writer.words, writer.words.time, begun) if since is not None else None,
        textless=is_textless,
        in_force_since=_in_force_since(store, name, answer, writer) if begun is not None else None,
        whole=name == name.work,
        before=_before_sentence(store, answer, writer) if before else None,
        forms=forms,
        files=[(kind, frame.to(path, on=on, as_known=known, format=kind)) for kind in FILES],
        action=path,
        today=now,
    )
    return Answer(body, "text/html")


def _in_force_since(store: Store, name: Name, answer: InForce, writer: PageWriter) -> Markup | None:
    """Return since when a norm or provision is in force, whatever its wording, in words; None if it is not known."""
    intervals = intervals_of_force(store, name, over_force(store, name, answer.as_known), answer.as_known)
    since = status_since(answer, intervals)
    if since is None:
        return None
    return _since_in_words(since, writer.words, writer.words.time, _bounds_of_start(answer, intervals, since))


def _bounds_of_start(answer: InForce, intervals: Sequence[AnswerInterval], day: date) -> ChangeDay | None:
    """Return the bounds of a start, if the status is unknown up to that day; else None."""
    index = next((i for i, interval in enumerate(intervals) if interval.start == day), None)
    if not index or intervals[index - 1].status is not Status.UNKNOWN:
        return None
    first = first_possible_start(answer.because, intervals, index)
    return ChangeDay(None, day) if first is None else ChangeDay(first, None)


def _summaries(store: Store, norm: Name, on: date, known: date) -> tuple[str, ...]:
    """Return the ementa of the text of a day; empty where the sources give none."""
    summary = norm.with_fragmento(Fragmento(("ementa",)))
    return summaries_of_text(text(store, summary, on, known)) if records(store, summary.iri) else ()


def _days_of_current(store: Store, name: Name, answer: InForce, now: date) -> tuple[date | None, ChangeDay | None]:
    """Return the first day of today's text where D has that text, and its bounds where it is not determined.

    The day is None for another text, and where the sources do not determine the text.
    """
    if not answer.status.stands or answer.as_known != now:
        return None, None
    changes = days_of_change(store, name, now)
    rows = joined_within_bounds(texts_over_force(store, name, now), changes)
    row = next((interval for interval in rows if interval.holds(answer.on) and interval.holds(now)), None)
    if row is None or row.version is None or is_between(row, changes):
        return None, None
    bounds = _bounds_of_start(answer, over_force(store, name, now), row.start)
    begun = uncertain_days(changes).get(row.start)
    if begun is None or (bounds is not None and bounds.first is not None):
        return row.start, bounds
    return row.start, begun


def _since_in_words(day: date, words: Messages, written: Callable[[date], str], begun: ChangeDay | None) -> Markup:
    """Return since when a text is in force, in words.

    Args:
        day: its first day.
        written: returns a day in words.
        begun: the bounds of its first day, where the sources do not determine it; else None.
    """
    if begun is None:
        return words("norm.since", day=written(day))
    if begun.first is not None and begun.last is None:
        return words("norm.since_open", first=written(begun.first))
    if begun.first is None or begun.last is None:
        return words("norm.at_least_since", day=written(day))
    return words("norm.since_between", first=written(begun.first), last=written(begun.last))


def _before_sentence(store: Store, answer: InForce, writer: PageWriter) -> Markup:
    """Return the status before the norm existed, as its page states it."""
    intervals = over_force(store, parse(answer.name), answer.as_known)
    return document_sentence(store, answer, writer) or status_sentence(answer, intervals, None, writer)
