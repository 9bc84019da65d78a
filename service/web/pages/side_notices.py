"""What a page tells beside its answers: notices, rectifications, and what no source describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from markupsafe import Markup

from graph.entities import Axis
from graph.errors import BadName
from graph.store import Store
from graph.today import today
from graph.urn import Name, parse
from graph.wording.labels import type_label
from queries import in_force
from queries.answers import InForce
from queries.documents import why_document
from queries.efficacy import days_without_effect
from queries.evidence import records
from queries.naming import Agreement, MatchReason
from queries.notices import (
    EfficacyDiffers,
    NoHarvestDate,
    Notice,
    NotInForceToday,
    NotYetTold,
    OutsideKnowledgeHorizon,
    TextUnknown,
    any_of,
)
from queries.reasons import Status
from queries.text.wording_history import CORRECTIONS
from queries.unsourced import OnlyTold, first_told, gone_for, only_told, referring
from service.web.http.name_paths import name_path
from service.web.http.negotiation import Language
from service.web.http.problems import Problem
from service.web.names.refusals import SpokenOf, unknown
from service.web.pages.sentences import Sentences, Told
from service.web.text_layout import Some, cut, some


def rectified_beside(store: Store, shown: InForce, text: str | None, say: Sentences) -> Iterator[Told]:
    """That the norm's text of the day was rectified or published anew, where the provision's was not by the same.

    Args:
        store: an opened store.
        shown: the answer for a provision.
        text: the version whose text is shown of it.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    target = parse(shown.name)
    if text is None or target == target.work:
        return
    norm = in_force(store, target.work, shown.on, shown.as_known, shown.axis).version
    made = parse(norm.name) if norm is not None else None
    if made is None or made.view_date is None or made.event not in CORRECTIONS:
        return
    own = parse(text)
    if (own.event, own.view_date) != (made.event, made.view_date):
        said = say.words(f"norm.made_{made.event}", day=say.words.time(made.view_date))
        yield Told(say.words("norm.made_beside", made=said))


#: How the detail of the problem begins, by which its page knows what to say of it.
NO_MORE_TOLD = "no source describes "


def only_facts(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """That a norm or provision is known by facts alone, without text or day; None where it is described, or unknown.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if answer.status is not Status.UNKNOWN_NAME:
        return None
    try:
        name = parse(answer.name)
    except BadName:
        return None
    told = only_told(store, name, answer.as_known)
    return _in_words(told, answer.name, say) if told is not None else None


def apart(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """The sentence of what no source describes, and of an issue of a gazette; None of all that stands as a norm does.

    Raises:
        StoreProblem: the store cannot be read.
    """
    facts = only_facts(store, answer, say)
    if facts is not None:
        return say.words("norm.only_facts", said=facts)
    later = _told_later(store, answer, say)
    if later is not None:
        return later + "."
    if answer.status is not Status.UNKNOWN:
        return None
    name = parse(answer.name)
    if name.tipo_documento[0] == "publicacao.oficial":
        return say.words("norm.is_issue")
    kind = no_norm(name)
    language = "pt" if say.words.language is Language.PORTUGUESE else "en"
    return say.words(f"norm.is_{kind}", type=type_label(name.work, language, say.vocabulary)) if kind else None


#: The first words of types of documents that are no norms, by what they are.
_NO_NORMS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bill": frozenset({"projeto", "proposta", "substitutivo"}),
        "judgment": frozenset({"acordao", "sumula", "decisao", "sentenca", "despacho"}),
        "book": frozenset({"livro", "artigo", "tese", "dissertacao", "monografia", "folheto", "revista", "capitulo"}),
    }
)


def no_norm(name: Name) -> str | None:
    """What a document is that is no norm: ``bill``, ``judgment`` or ``book``; None of a norm.

    >>> no_norm(parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;3"))
    'bill'
    """
    first = name.tipo_documento[0].partition(".")[0]
    return next((kind for kind, types in _NO_NORMS.items() if first in types), None)


def undescribed(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """The status of what no source describes, or none any more; None of all that stands as a norm does.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return only_facts(store, answer, say) or _told_later(store, answer, say) or _withdrawn(store, answer, say)


def _told_later(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """That what is told of a norm could not be known yet on the day by whose knowledge is asked."""
    if not any_of(answer.notices, NotYetTold):
        return None
    first = first_told(store, parse(answer.name), say.today)
    return say.agreed("status.told_later", answer.name, day=say.words.time(first)) if first is not None else None


def _withdrawn(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    if answer.status is not Status.UNKNOWN:
        return None
    name = parse(answer.name)
    gone = gone_for(store, name)
    if not gone or records(store, name.iri) or records(store, name.work.iri):
        return None
    days = [one.withdrawn_on for one in gone if one.withdrawn_on is not None]
    if len(days) < len(gone):
        return say.words("status.withdrawn")
    return say.words("status.withdrawn_on", day=say.words.time(max(days)))


def _in_words(told: OnlyTold, name: str, say: Sentences) -> Markup:
    if not told.facts:
        return say.agreed("status.only_referred", name)
    key = "status.only_facts" if told.itself else "status.only_part_facts"
    return say.agreed(f"{key}_{'one' if told.facts == 1 else 'many'}", name, n=say.words.number(told.facts))


def refused(store: Store, text: str) -> Problem | None:
    """Why there is nothing more of a norm that no source describes, and where it is told of; else None.

    Args:
        store: a snapshot.
        text: a name.

    Raises:
        StoreProblem: the store cannot be read.
    """
    try:
        read = parse(text)
    except BadName:
        return None
    name = read.provision or read.work
    told = only_told(store, name, today())
    if told is None:
        return unknown(store, name, ()) if referring(store, name) else None
    facts = f"{told.facts} {'fact is' if told.facts == 1 else 'facts are'} told of it" if told.facts else "others refer"
    detail = f"no source describes {name.canonical}, and none has a text of it or a day of force: {facts}"
    address = name_path(name.canonical)
    candidate = {"name": name.canonical, "address": address, **why_document((MatchReason(Agreement.FACTS_PAGE),))}
    more = {"candidates": [candidate], "spoken_of": SpokenOf.FACTS.value}
    return Problem(404, "unknown-name", detail, more=more)


#: Most that a page tells beside its answers, in number and in bytes, and the longest message, in characters.
_MOST, _ROOM, _LONGEST = 20, 15_000, 2_000


def told_beside(
    store: Store,
    shown: InForce,
    today: InForce,
    asked: date | None,
    latest: str | None,
    notices: Iterable[Notice],
    say: Sentences,
) -> Iterator[Told]:
    """What a reader has to know of the answers of a page.

    Args:
        store: an opened store.
        shown: the answer for the day of the page.
        today: that for today.
        asked: the day that the address says; of the text of an address without one, the resolver tells.
        latest: the version whose text is the newest that is shown.
        notices: those that the page has anyway.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if asked is not None and _is_earlier(shown, today) and not any_of(notices, NotInForceToday):
        yield Told(say.words("norm.not_in_force_today"))
    yield from rectified_beside(store, shown, latest, say)
    for days in days_without_effect(store, parse(today.name), today.as_known):
        if days.first > today.on:
            yield Told(say.words("norm.without_effect_ahead", days=say.interval(*days)))


def _is_earlier(shown: InForce, today: InForce) -> bool:
    """Whether the text of an earlier day is not that of today, by what is known today."""
    if shown.version is None or shown.axis is not Axis.FORCE or shown.on >= today.on:
        return False
    now = today.version.name if today.version is not None else None
    return shown.as_known == today.as_known and now != shown.version.name


def notices_shown(*told: Told) -> Some[Told]:
    """What a reader has to know, each once, as much as a page has room for; long exact words are cut."""
    return some(
        [*dict.fromkeys(map(_short, told))],
        _MOST,
        _ROOM,
        lambda one: len(one.text),
    )


def _short(told: Told) -> Told:
    """A message of a query, which may be of any length, as far as there is room for it; markup is short already."""
    return told if isinstance(told.text, Markup) else replace(told, text=cut(told.text, _LONGEST))


def notices_told(notices: Iterable[Notice], say: Sentences) -> Iterator[Told]:
    """Notices in the words of a page, each once; one of a missing text names the version, and leads to the nearest.

    Args:
        notices: in their order.
        say: the words of the page.
    """
    every = list(dict.fromkeys(notices))
    missing = [one for one in every if isinstance(one, TextUnknown)]
    best = {one.version: one for one in missing} | {one.version: one for one in missing if one.nearest is not None}
    for notice in every:
        if not isinstance(notice, TextUnknown) or best[notice.version] == notice:
            yield say.notice(notice)


def said_once(notices: Iterable[Notice], shown: InForce) -> list[Notice]:
    """Notices without those that the page says already: how far the sources reach, and an efficacy beside the status.

    Args:
        notices: in their order.
        shown: the answer of whose sources that sentence is.
    """
    reach = OutsideKnowledgeHorizon if shown.known_up_to else NoHarvestDate
    return [one for one in notices if not isinstance(one, reach | EfficacyDiffers)]
