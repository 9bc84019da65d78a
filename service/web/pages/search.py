"""The search page: finds norms by name, number, fields and words, and lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup, escape

from graph.civil import today
from graph.document_kinds import non_norm_kind
from graph.errors import BadParameter
from graph.read_model.rectangles import ordinal
from graph.store import Store
from graph.time.kinds import Status
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary, built_in
from graph.wording.folding import without_invisible_marks
from graph.wording.folding import words as plain
from graph.wording.labels import place_label, type_label
from graph.wording.nicknames import nicknames
from graph.wording.numerals import day_at_end, impossible_day_at_end
from queries.answers import InForce
from queries.contradictions import is_disputed
from queries.efficacy import WithoutEffect, shown_as, without_effect
from queries.full_text import (
    FullTextAnswer,
    NamedTarget,
    marked_excerpt,
    official,
    parse_query,
)
from queries.in_force import in_force
from queries.naming import Agreement, MatchReason
from queries.resolution.interpretation import interpret
from queries.resolution.searching import (
    SearchFields,
    excerpt,
    values_unknown,
)
from queries.searches import (
    BY_WORDS,
    FRONT,
    MOST_FOUND,
    NORMS,
    SOME,
    Absent,
    SearchForm,
    SearchMatch,
    SearchMatches,
    beside,
    count_of,
    find_matches,
    is_known,
    on_day,
    reading,
    with_day_of_year,
)
from queries.vocabulary import vocabulary
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.laid_out import text_on, text_once_known
from service.web.names.parameters import RequestParameters
from service.web.names.versions import known_versions
from service.web.pages.frame import Messages, format_markup, render
from service.web.pages.notices import notice_sentences, why
from service.web.pages.reading_days import read_arguments, writer_of
from service.web.pages.related import called, undescribed_status
from service.web.pages.status import status_label
from service.web.pages.text_status import reach_of
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.tasks.messages import Answer

#: The task type of the page.
KIND = "page.search"
#: The maximum number of matches of a page.
_SHOWN = MOST_FOUND + 3 * NORMS
#: The maximum number of matches that the sentence about matches without force names.
_NAMED = 5
#: The maximum number of values of a facet on a page.
_OFFERED = 8
#: The maximum number of values that a filter suggests.
_LISTED = 120


@dataclass(frozen=True, slots=True)
class _ShownMatch:
    """A match as the page shows it.

    Attributes:
        status, status_text, contested: today's status, the same in words, and whether the sources disagree about it.
        reach: the day up to which these go; None where there is no status.
        then, then_text, then_contested: the same for the day asked for.
        textless: whether no text of the day asked for is known.
        never: whether, besides, no text of any day is known.
        once: the last day of knowledge with a text, where there is none now.
        further: the number of other provisions of the norm with the words, and the address that lists them; None where
            there are none, or another match of the norm follows.
    """

    path: str
    title: str
    name: str
    nicknames: tuple[str, ...]
    summary: str
    status: Status
    status_text: Markup
    contested: bool
    reach: Markup | None
    then: Status | None
    then_text: Markup | None
    then_contested: bool
    textless: bool
    never: bool
    once: date | None
    why: str
    excerpt: Markup
    held: bool | None
    ahead: bool
    further: _Offer | None


def search_page(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the matches for the criteria of :class:`SearchForm` (runs in a worker process).

    Args:
        arguments: ``frame``; ``form``, its fields; ``today``, a civil date.
    """
    frame, today, _ = read_arguments(arguments)
    form = _search_form(cast("Mapping[str, object]", arguments["form"]))
    known = vocabulary(store)
    form = with_day_of_year(store, replace(form, type=_type_read(known, form.type)))
    days = RequestParameters(form.on, form.as_known) if form.on is not None else None
    writer = writer_of(store, frame, today, days)
    within = interpret(store, form.norm, form.on or today).name if form.norm is not None else None
    result = find_matches(store, form, read=text_on)
    words_beside = beside(store, form)
    displayed = replace(form, words=words_beside[0]) if words_beside is not None else form
    worded = result.worded if _is_listed(result) else None
    beyond = _beyond(result, form, writer) if worded is not None else {}
    shown = [
        _shown_match(store, match, displayed, writer, today, beyond.get(match.name))
        for match in result.matches[:_SHOWN]
    ]
    further = worded.next_offset if worded is not None else None
    ended = result.ended
    last_page = (count_of(worded, form) - 1) // NORMS * NORMS if worded is not None else 0
    targets = result.worded.meant if result.worded is not None else words_beside[1] if words_beside is not None else ()
    suggested = result.worded.suggestion if result.worded is not None else None
    body = render(
        "search.html",
        frame,
        writer=writer,
        form=form,
        matches=shown,
        absent=_absent_sentence(result.absent, writer) if result.absent is not None else None,
        is_referred=result.absent is not None and result.absent.referred is not None,
        absent_hint=_absent_hint(result.absent, writer) if result.absent is not None else None,
        absent_official=_official_of_absent(result.absent, targets),
        later=Markup(", ").join(writer.link(name, "") for name in result.later),
        more=not result.complete or len(result.matches) > _SHOWN,
        worded=worded,
        heading=_heading(result, worded, form, writer.words) if shown else None,
        count=count_of(worded, form),
        within=writer.link(within.canonical) if within is not None else None,
        everywhere=_address(form, {"norm": None}) if form.norm is not None else None,
        left_out=_left_out_sentence(store, result.not_in_force, form, writer),
        ended=ended,
        first_page=_address(form, {}) if form.start else None,
        last_page=_address(form, {"start": last_page}) if last_page > 0 and last_page != form.start else None,
        facets=_facets(worded, form, writer, known) if worded is not None else [],
        applied=_applied(form, writer, known),
        meant=[target for target in targets if not target.known],
        named=[_named_sentence(target, writer) for target in targets if words_beside is not None and target.known],
        suggested=_address(form, {"q": suggested}) if suggested else None,
        suggestion=suggested,
        further=_address(form, {"start": further}) if further is not None else None,
        first_of_year=date(form.only_year, 1, 1) if form.only_year is not None else None,
        on_first_of_year=_address(form, {"on": date(form.only_year, 1, 1)}) if form.only_year is not None else None,
        before=_address(form, {"start": max(form.start - NORMS, 0) or None}) if form.start else None,
        notices=(not result.matches and _lacking(store, form, writer)) or [*notice_sentences(result.notices, writer)],
        plainer=None if form == SearchForm(form.words) else _address(SearchForm(form.words), {}),
        is_empty=next(iter(store.names.norms()), None) is None,
        type_written=_type_written(known, form.type),
        too_little=form.is_too_little,
        suggestions=suggestions(store),
        types=labels(known, Scheme.TIPO_DOCUMENTO),
        authorities=labels(known, Scheme.AUTORIDADE),
    )
    return Answer(body, "text/html")


def _is_listed(result: SearchMatches) -> bool:
    """Return whether the page lists the matches by words. It does not if they are partial and others are complete."""
    if result.worded is None:
        return False
    return result.worded.every_word or not result.matches or any(SOME in match.why for match in result.matches)


def _heading(result: SearchMatches, worded: FullTextAnswer | None, form: SearchForm, words: Messages) -> Markup:
    """Return the heading of the results: how many the whole search has, and which of its pages this one is.

    Norms are counted where the page does not list all of their provisions.
    """
    count = count_of(worded, form)
    pages = -(-count // NORMS)
    if worded is not None and (form.start or pages > 1 or form.norm is not None):
        whole = words.count(_counted(worded, form), count)
        if pages <= 1:
            return whole
        page = words.number(form.start // NORMS + 1)
        return words("search.page_of", whole=whole, page=page, pages=words.number(pages))
    if not result.complete or len(result.matches) > _SHOWN:
        return words("search.found_first", n=words.number(min(len(result.matches), _SHOWN)))
    norms = {parse(match.name).work for match in result.matches}
    if worded is not None and any(norm.provisions_found > len(norm.provisions) for norm in worded.results):
        whole, items = words.count("search.found_norms", len(norms)), len(result.matches)
        return words("search.with_items", whole=whole, n=items) if items > len(norms) else whole
    return words.count("search.found", len(result.matches))


def _counted(worded: FullTextAnswer, form: SearchForm) -> str:
    """Return the key of the message that says what :func:`count_of` counts."""
    if form.norm is not None:
        return "search.worded_within"
    return "search.worded" if worded.every_word else "search.worded_some"


def _beyond(result: SearchMatches, form: SearchForm, writer: PageWriter) -> dict[str, _Offer]:
    """Return the other provisions with the words of each norm on the page, by the name of the last match of the norm.

    A norm that the reference found has no matches by words; a search in one norm has them on its later pages.
    """
    offers: dict[str, _Offer] = {}
    if result.worded is None or form.norm is not None:
        return offers
    last = {parse(match.name).work.canonical: match.name for match in result.matches[:_SHOWN]}
    listed = {match.name for match in result.matches[:_SHOWN] if not BY_WORDS.isdisjoint(match.why)}
    for norm in result.worded.results:
        shown = {FRONT.sub("", found.name) for found in norm.provisions} & listed
        count = norm.provisions_found - len(shown)
        if count and shown and norm.name in last:
            label = writer.words.count("search.worded_beyond", count)
            offers[last[norm.name]] = _Offer(label, count, _address(form, {"norm": norm.name}))
    return offers


def _lacking(store: Store, form: SearchForm, writer: PageWriter) -> list[SourcedSentence]:
    """Return the sentences for an empty result: the missing fields and the unknown values."""
    sought = SearchFields(form.type, form.authority, form.place)
    reported = [
        SourcedSentence(writer.words(f"search.unknown_{field}", value=getattr(form, field)))
        for field in values_unknown(store, sought)
    ]
    if form.is_too_little:
        missing = "type" if form.type is None else "year"
        reported.append(
            SourcedSentence(writer.words(f"search.missing_{missing if form.type or form.year else 'both'}"))
        )
    return reported


def _absent_sentence(absent: Absent, writer: PageWriter) -> Markup:
    """Return the sentence for a norm that was given exactly, but is not in the store."""
    if absent.referred is not None:
        return writer.words("search.absent_referred", norm=writer.title(absent.referred))
    if absent.number is not None and absent.year is not None:
        number = writer.words.number(int(absent.number)) if absent.number.isdecimal() else absent.number
        return writer.words("search.absent", number=number, year=absent.year)
    return writer.words("search.absent_name", name=writer.title(absent.name or ""))


def _absent_hint(absent: Absent, writer: PageWriter) -> Markup | None:
    """Return what a norm that the store does not have changed, with links, or how to find it; else None."""
    if absent.referred is not None:
        path = writer.frame.to(name_path(absent.referred))
        links = format_markup('<a href="{}">{}</a>', path, writer.words("search.referring"))
        if not absent.changed:
            return links
        changed = Markup(", ").join(map(writer.link, absent.changed))
        return writer.words("search.absent_changed", norms=changed) + Markup(" ") + links
    if absent.name is not None and parse(absent.name).representative_year is None:
        return writer.words("search.absent_year")
    return None


def _official_of_absent(absent: Absent | None, targets: Iterable[NamedTarget]) -> str | None:
    """Return the address of a norm that the store lacks at the official publisher; None where the name is not known or
    the page has the address already. A nickname of the norm states its whole date."""
    if absent is None or absent.name is None:
        return None
    name = parse(absent.name).work
    listed = [parse(nickname.name) for group in nicknames().values() for nickname in group]
    fuller = (other for other in listed if _is_of_year(name, other))
    address = official(next(fuller, name))
    return None if address in {target.url for target in targets if not target.known} else address


def _is_of_year(name: Name, other: Name) -> bool:
    """Return whether a name with a year alone is that of another norm with a whole date."""
    return (
        name.representative_date is None
        and bool(name.descritor.identificadores)
        and (name.local, name.autoridade, name.tipo_documento, name.representative_year)
        == (other.local, other.autoridade, other.tipo_documento, other.representative_year)
        and name.descritor.identificadores == other.descritor.identificadores
    )


def _named_sentence(target: NamedTarget, writer: PageWriter) -> Markup:
    """Return the sentence that names the norm of a nickname beside which other words are searched for."""
    return writer.words("search.named", nickname=target.nickname, norm=writer.link(target.name))


def _left_out_sentence(
    store: Store, left_out: Sequence[SearchMatch], form: SearchForm, writer: PageWriter
) -> Markup | None:
    """Return the sentence that names the matches without force on the day, each with its status; None if there are
    none."""
    if not left_out:
        return None
    named = []
    for match in left_out[:_NAMED]:
        answer = on_day(store, match, form)
        status = _status_text(store, answer, without_effect(store, answer), writer)
        named.append(Markup("{} ({})").format(writer.link(match.name), status))
    if len(left_out) > _NAMED:
        named.append(writer.words.count("search.found_beyond", len(left_out) - _NAMED))
    day = writer.words.day(form.on or today())
    return writer.words("search.left_out", day=day, norms=Markup("; ").join(named))


def suggestions(store: Store) -> tuple[str, ...]:
    """Return the nicknames of norms in the store, as suggestions for the search field."""
    cached = _SUGGESTED.get(store)
    if cached is None:
        listed = sorted(
            {nickname.text for group in nicknames().values() for nickname in group if is_known(store, nickname.name)}
        )
        cached = _SUGGESTED[store] = tuple(listed)
    return cached


_SUGGESTED: WeakKeyDictionary[Store, tuple[str, ...]] = WeakKeyDictionary()


def labels(known: Vocabulary, scheme: Scheme) -> list[str]:
    """Return labels of a vocabulary, at most :data:`_LISTED`, in alphabetical order. Built-in ones are never left out
    in favour of others."""
    every = (
        *(concept.label for concept in built_in().concepts(scheme)),
        *sorted(concept.label for concept in known.concepts(scheme)),
    )
    return sorted(list(dict.fromkeys(every))[:_LISTED])


def _search_form(stated: Mapping[str, object]) -> SearchForm:
    on, known = stated.get("on"), stated.get("as_known")
    texts = {key: cast("str | None", stated.get(key)) for key in ("words", "type", "authority", "place")}
    texts["words"] = without_invisible_marks(texts["words"] or "") or texts["words"]
    words, day = texts["words"], date.fromisoformat(str(on)) if on else None
    if day is None and words is not None and (ends := day_at_end(words)) is not None:
        words, day = ends
    typed, wrong_day = None, None
    if day is None and words is not None and (impossible := impossible_day_at_end(words)) is not None:
        typed, (words, wrong_day) = words, impossible
    return SearchForm(
        words,
        texts["type"],
        texts["authority"],
        texts["place"],
        cast("int | None", stated.get("year")),
        day,
        date.fromisoformat(str(known)) if known else None,
        bool(stated.get("in_force")),
        cast("int", stated.get("start", 0)),
        typed,
        wrong_day,
        norm=cast("str | None", stated.get("norm")),
    )


@dataclass(frozen=True, slots=True)
class _Offer:
    """A value of a facet: its label, its number of norms, and the address of the narrowed search."""

    label: str
    count: int
    to: str


def _facets(
    answer: FullTextAnswer, form: SearchForm, writer: PageWriter, known: Vocabulary
) -> list[tuple[str, list[_Offer]]]:
    """Return the values of each facet by the message key of its field. A facet needs two values or more."""
    facets = []
    for field, counts in (("type", answer.facets.type), ("year", answer.facets.year), ("place", answer.facets.place)):
        if len(counts) > 1 and getattr(form, field) is None:
            scheme = {"type": Scheme.TIPO_DOCUMENTO, "place": Scheme.LOCALIDADE}.get(field)
            facets.append(
                (
                    f"search.{field}",
                    [
                        _Offer(
                            _value_label(known, scheme, value, writer.frame.language),
                            count,
                            writer.frame.to(_address(form, {field: value}), start=None),
                        )
                        for value, count in list(counts.items())[:_OFFERED]
                    ],
                )
            )
    return facets


def _applied(form: SearchForm, writer: PageWriter, known: Vocabulary) -> list[tuple[Markup, str]]:
    """Return each filter of a search in words, with the address of the search without it."""
    labels: list[tuple[Markup, str]] = []
    language = writer.frame.language
    for field, scheme in (
        ("type", Scheme.TIPO_DOCUMENTO),
        ("authority", Scheme.AUTORIDADE),
        ("place", Scheme.LOCALIDADE),
    ):
        if (value := getattr(form, field)) is not None:
            written = _value_label(known, scheme, value, language)
            labels.append((writer.words("search.filter", field=writer.words(f"search.{field}"), value=written), field))
    if form.year is not None:
        labels.append((writer.words("search.filter", field=writer.words("search.year"), value=form.year), "year"))
    if form.in_force:
        labels.append((writer.words("search.in_force"), "in_force"))
    return [(label, writer.frame.to(_address(form, {field: None}))) for label, field in labels]


def _value_label(known: Vocabulary, scheme: Scheme | None, value: str, language: Language) -> str:
    """Return the label of a value of a facet; of a document type with its subtype in brackets."""
    notation, _, subtype = value.partition(";") if scheme is Scheme.TIPO_DOCUMENTO else (value, "", "")
    concept = known.concept(scheme, notation) if scheme is not None else None
    if concept is None and scheme is Scheme.LOCALIDADE:
        return place_label(value, known)
    if concept is None:
        return value
    label = concept.label if language is Language.PORTUGUESE else concept.label_en or concept.label
    return f"{label} ({subtype.upper()})" if subtype else label


def _type_written(known: Vocabulary, text: str | None) -> str:
    """Return the document type for the field of the form: its Portuguese label, which :func:`_type_read` reads."""
    return _value_label(known, Scheme.TIPO_DOCUMENTO, text, Language.PORTUGUESE) if text is not None else ""


#: Matches a label of a document type with its subtype, such as ``Projeto de Lei (PLS)``.
_SUBTYPED = re.compile(r"([^()]+) \(([A-Z]+)\)", re.ASCII)


def _type_read(known: Vocabulary, text: str | None) -> str | None:
    """Return a document type as names have it, from a label with its subtype; other texts as they are."""
    stated = _SUBTYPED.fullmatch(text) if text is not None else None
    if stated is None:
        return text
    concepts = known.concepts(Scheme.TIPO_DOCUMENTO)
    notations = (concept.notation for concept in concepts if plain(concept.label) == plain(stated[1]))
    return next((f"{notation};{stated[2].lower()}" for notation in notations), text)


def _address(form: SearchForm, other: Mapping[str, object]) -> str:
    """Return the address of a search with some criteria replaced."""
    stated = {
        "q": form.words,
        "type": form.type,
        "authority": form.authority,
        "place": form.place,
        "year": form.year,
        "on": form.on,
        "as_known": form.as_known,
        "in_force": "true" if form.in_force else None,
        "norm": form.norm,
        **other,
    }
    return "/search?" + urlencode({key: str(value) for key, value in stated.items() if value is not None})


def _shown_match(
    store: Store, match: SearchMatch, form: SearchForm, writer: PageWriter, today: date, further: _Offer | None
) -> _ShownMatch:
    name = parse(match.name)
    around = called(store, name.work)
    now = in_force(store, name.provision or name.work, today, today)
    then = now if form.on is None else in_force(store, name.provision or name.work, form.on, today)
    textless = form.on is not None and then.version is None
    once = text_once_known(store, name.provision or name.work, then) if textless else None
    effect, effect_then = without_effect(store, now), without_effect(store, then)
    words = reading(store, match, form.words or "", then, today)
    cited = name.provision is not None and not words.excerpt and then.version is not None
    first = _first_words(store, name, then) if cited else ""
    title = _title(name, around.epigraph, writer)
    nicknames = [nickname.value for nickname in writer.nicknames(around.nicknames)]
    clauses = match.why if words.version is None else (*match.why, MatchReason(Agreement.WORDS_OF, words.version))
    return _ShownMatch(
        name_path(match.name)
        + (once or (RequestParameters(on=form.on) if form.on is not None else RequestParameters(*words.days))).query(),
        title,
        match.name,
        tuple(text for text in nicknames if plain(text) not in (plain(words.excerpt), plain(title))),
        next(iter(around.summaries), ""),
        shown_as(now, effect),
        _status_text(store, now, effect, writer),
        is_disputed(store, now),
        reach_of(now, writer),
        shown_as(then, effect_then) if form.on is not None else None,
        _status_text(store, then, effect_then, writer) if form.on is not None else None,
        form.on is not None and is_disputed(store, then),
        textless,
        textless and not known_versions(store, name.provision or name.work).as_known(today),
        once.as_known if once is not None else None,
        why(clauses, writer),
        escape(first)
        if first
        else _mark_words(words.excerpt, form)
        if plain(words.excerpt) != plain(title)
        else Markup(),
        words.held,
        words.begins is not None and words.begins > today,
        further,
    )


def _first_words(store: Store, name: Name, answer: InForce) -> str:
    """Return the first words of a provision on the day of an answer; empty where no text of that day is known."""
    text = store.full_text.text_within(name.iri, None, ordinal(answer.on), ordinal(answer.as_known))
    return excerpt([without_invisible_marks(text)], [""]) if text else ""


def _status_text(store: Store, answer: InForce, effect: WithoutEffect | None, writer: PageWriter) -> Markup:
    """Return the status of a norm in words, as its page has it. A bill or a judgment is not called a norm."""
    undescribed = undescribed_status(store, answer, writer)
    if undescribed is not None:
        return undescribed
    name = parse(answer.name)
    kind = non_norm_kind(name) if answer.status in {Status.UNKNOWN, Status.IN_PROGRESS} else None
    if kind == "bill":
        label = type_label(name.work, writer.frame.language, writer.vocabulary)
        return writer.words("search.bill", type=label.partition(" (")[0])
    if kind is not None:
        return writer.words("norm.not_a_norm")
    return status_label(answer, writer, effect)


def _mark_words(excerpt: str, form: SearchForm) -> Markup:
    try:
        match = parse_query(form.words or "").matches()
    except BadParameter:
        return escape(excerpt)
    return Markup(marked_excerpt([excerpt], match))  # noqa: S704 - the text in it is escaped


def _title(name: Name, epigraph: str | None, writer: PageWriter) -> str:
    """Return the title of a match: the epigraph of a norm, unless it is in capitals, or the name in words."""
    if epigraph is None or name != name.work or writer.frame.language is not Language.PORTUGUESE:
        return writer.title(name)
    return writer.title(name) if epigraph.partition(" ")[0].isupper() else epigraph
