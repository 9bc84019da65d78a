"""The wording of a text, the notices on it and its sources, in words, for pages and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.time.kinds import Axis, Status
from graph.urn import Name, parse
from queries.answers import InForce
from queries.dossier import Dossier
from queries.efficacy import days_without_effect
from queries.evidence import curators
from queries.in_force import in_force
from queries.notices import (
    ActDays,
    AmendmentWithoutVersion,
    ArticlesMissing,
    CuratedFact,
    DatesOfWording,
    DerivedText,
    Disagreement,
    EfficacyDiffers,
    NoHarvestDate,
    Notice,
    NotInForceToday,
    NotYetInForce,
    OrderNotApplied,
    OutsideKnowledgeHorizon,
    ProvisionsInForceEarly,
    ProvisionUnknown,
    SourcesContradict,
    TextUnknown,
    UndecidedProvisions,
    WordsUnknown,
    any_of,
)
from queries.orders import days_of_orders
from queries.reasons import Reason
from queries.related import Record
from queries.text.answers import TextAnswer
from queries.text.changes import OPEN, ChangeDay, days_of_change, last_change, states_on
from queries.text.text_history import begins_by_act
from queries.text.wording_history import CORRECTIONS
from service.web.http.problems import Problem
from service.web.laid_out import read, text_on
from service.web.names.versions import NO_SUCH_PROVISION
from service.web.pages.frame import format_markup, record_name, source_name, web_address
from service.web.pages.notices import notice_sentences, notices_shown
from service.web.pages.writer import PageWriter, SourcedSentence
from service.web.text_layout import Some

#: The notices on changes that the store knows and the text does not have.
_NOT_APPLIED = (AmendmentWithoutVersion, OrderNotApplied)
#: The notices that change how the words are read, and those on where facts come from.
_DOUBTS = (ProvisionUnknown, SourcesContradict, TextUnknown, UndecidedProvisions, WordsUnknown)
_ORIGINS = (ActDays, CuratedFact, DatesOfWording, DerivedText, NoHarvestDate)


def last_change_day(store: Store, target: Name, answer: InForce) -> ChangeDay | None:
    """Return the day of the last change of a norm's text within its version, on the axis of force."""
    version = answer.version
    if version is None or target != target.work:
        return None
    began = max(version.valid_from, version.version_date or date.min)
    return last_change(days_of_change(store, target, answer.as_known), began, answer.on)


def is_changed_by_act(store: Store, target: Name, answer: InForce, changed: ChangeDay | None) -> bool:
    """Return whether the day of the last change of a norm's text is only that of the act."""
    day = changed.exact if changed is not None else None
    return day is not None and begins_by_act(store, target, day, answer.as_known)


def is_undetermined(store: Store, target: Name, answer: InForce) -> bool:
    """Return whether the sources do not determine the wording of a provision on the day of an answer.

    Then the version that the answer names is that of its norm, and its words are not those of that day.
    """
    if target == target.work or answer.version is None:
        return False
    if not any(state.startswith(OPEN) for state in states_on(store, target, answer.on, answer.as_known)):
        return False
    found = read(store, target, answer.on, answer.as_known, answer.axis)
    return not any(provision.text and not provision.undecided for provision in found.answer.provisions)


def undetermined_names(answer: TextAnswer) -> tuple[str, ...]:
    """Return the provisions of which the sources do not determine the force or the wording.

    Provisions of which only the words of a known version are missing are left out: a notice names them.
    """
    wordless = {name for notice in answer.notices if isinstance(notice, WordsUnknown) for name in notice.provisions}
    return tuple(name for name in answer.undecided if name not in wordless)


def is_outside_parts(answer: InForce) -> bool:
    """Return whether the sources have only parts of the text of the norm, without the provision."""
    if answer.status is not Status.UNKNOWN or answer.because:
        return False
    return any(isinstance(notice, ProvisionUnknown) and notice.nearest is not None for notice in answer.notices)


def no_text_problem(answer: InForce, path: str, detail: str) -> Problem:
    """Return the problem that there is no text: with the name, the day, the status, and the page with other days.

    Args:
        answer: the answer for D.
        path: the path of the page.
        detail: what was asked for.
    """
    absent = answer.status is Status.NO_SUCH_PROVISION
    members: dict[str, object] = {"name": answer.name, "on": answer.on.isoformat(), "force": answer.status.value}
    if absent:
        members["nearest"] = answer.nearest
    code = NO_SUCH_PROVISION if absent else "not-in-force"
    return Problem(404, code, detail, more={**members, "absent": absent, "page": path})


def wording_in_words(
    store: Store, answer: InForce, newest: str | None, text: TextAnswer, writer: PageWriter
) -> Markup | None:
    """Return the wording of a text: its day or bounds, and whether they are only those of the act.

    Args:
        answer: the answer for the day of the text.
        newest: the version with the newest text in the answer, or None.

    Returns:
        None where there is no text, or where the sources do not date it.
    """
    words, target = writer.words, parse(answer.name)
    if answer.version is None:
        if answer.status is Status.VACATIO and text.provisions:
            return words("norm.wording_vacatio", day=words.time(answer.on))
        return None
    if is_undetermined(store, target, answer):
        return words("norm.wording_undetermined")
    changed = last_change_day(store, target, answer)
    if changed is None:
        wording = writer.wording(newest or answer.version.name)
        return wording[:1].upper() + wording[1:]
    if changed.exact is not None:
        day = words.time(changed.exact)
        by_act = is_changed_by_act(store, target, answer, changed)
        return words("norm.wording_changed", day=writer.of_act(day) if by_act else day)
    if changed.first is None or changed.last is None:
        return None
    return words("norm.wording_between", first=words.time(changed.first), last=words.time(changed.last))


def unapplied_changes(notices: Iterable[Notice], writer: PageWriter) -> Some[SourcedSentence]:
    """Return the notices on changes that the store knows and a text does not have, as many as fit into a page.

    The notice on the orders of an act says more than that on the act alone.
    """
    found = [one for one in notices if isinstance(one, _NOT_APPLIED)]
    ordering = {one.act for one in found if isinstance(one, OrderNotApplied)}
    kept = (one for one in found if isinstance(one, OrderNotApplied) or one.amending not in ordering)
    return notices_shown(*notice_sentences(kept, writer))


def text_notices(
    store: Store,
    found: Dossier,
    text: TextAnswer,
    asked: date | None,
    writer: PageWriter,
    *,
    before: Iterable[Notice] = (),
    effectless: Iterable[Reason] = (),
) -> tuple[Some[SourcedSentence], Some[SourcedSentence]]:
    """Return :func:`unapplied_changes`, and the other notices on a text and on its status, as many as fit into a page.

    Args:
        found: the dossier of the norm or provision.
        text: its text.
        asked: the day in the address; None where the address has none.
        writer: the writer of the page, with the norm of the page as their own norm.
        before: further notices of the request.
        effectless: the reasons why the text, or a part of it, has no effect.
    """
    shown, today = found.day.answer, found.today.answer
    of_text = text.notices
    if shown.status.stands:  # a provision may start before its norm
        of_text = tuple(notice for notice in of_text if not isinstance(notice, NotYetInForce))
    early = tuple(notice for notice in of_text if isinstance(notice, ProvisionsInForceEarly))
    of_today = (*(today.notices if shown is today else ()), *_doubts_of_today(store, shown, today))
    notices = [*early, *before, *shown.notices, *of_text, *of_today]
    if shown.status is Status.NO_SUCH_PROVISION:  # the page says so in place of the text
        notices = [one for one in notices if not isinstance(one, ProvisionUnknown)]
    elif any(isinstance(notice, ProvisionUnknown) and notice.nearest is not None for notice in notices):
        # the same notice without the nearest article says less
        notices = [one for one in notices if not isinstance(one, ProvisionUnknown) or one.nearest is not None]
    # other parts of the page show the horizon, gaps and efficacy
    elsewhere = (OutsideKnowledgeHorizon if shown.known_up_to else NoHarvestDate, ArticlesMissing, EfficacyDiffers)
    notices = [one for one in notices if not isinstance(one, elsewhere)]
    notices += (contradiction.notice for contradiction in found.contradictions)
    notices = sorted([*_notices_within(notices, parse(found.name)), *curators(store, effectless, ())], key=_weight)
    beside = _page_notices(store, found, asked, notices, writer)
    others = [one for one in notices if not isinstance(one, _NOT_APPLIED)]
    return unapplied_changes(notices, writer), notices_shown(*beside, *notice_sentences(others, writer))


def _rectified_beside(store: Store, found: Dossier, writer: PageWriter) -> Iterator[SourcedSentence]:
    """Yield a notice where the norm's text was rectified or republished, but the provision's text was not."""
    shown, text = found.day.answer, found.day.newest
    target = parse(shown.name)
    if text is None or target == target.work:
        return
    norm = in_force(store, target.work, shown.on, shown.as_known, shown.axis).version
    made = parse(norm.name) if norm is not None else None
    if made is None or made.view_date is None or made.event not in CORRECTIONS:
        return
    own = parse(text)
    if (own.event, own.view_date) != (made.event, made.view_date):
        stated = writer.words(f"norm.made_{made.event}", day=writer.words.time(made.view_date))
        yield SourcedSentence(writer.words("norm.made_beside", made=stated))


def _page_notices(
    store: Store, found: Dossier, asked: date | None, notices: Iterable[Notice], writer: PageWriter
) -> Iterator[SourcedSentence]:
    """Yield the notices on both answers of a page; its other notices are given."""
    today = found.today.answer
    if asked is not None and _is_earlier(found.day.answer, today) and not any_of(notices, NotInForceToday):
        yield SourcedSentence(writer.words("norm.not_in_force_today"))
    yield from _rectified_beside(store, found, writer)
    for days in days_without_effect(store, parse(today.name), today.as_known):
        if days.start > today.on:
            ahead = writer.interval(days.start, days.until, days.doubtful)
            yield SourcedSentence(writer.words("norm.without_effect_ahead", days=ahead))


def _is_earlier(shown: InForce, today: InForce) -> bool:
    """Return whether the text of an earlier day differs from today's, as known today."""
    if shown.version is None or shown.axis is not Axis.FORCE or shown.on >= today.on:
        return False
    now = today.version.name if today.version is not None else None
    return shown.as_known == today.as_known and now != shown.version.name


def _notices_within(notices: Iterable[Notice], target: Name) -> Iterator[Notice]:
    """Yield notices without the contradictions on other provisions than the one of the page and its parts."""
    own = target.canonical
    for notice in notices:
        if target == target.work or not isinstance(notice, SourcesContradict) or notice.on is not Disagreement.WORDINGS:
            yield notice
        elif names := tuple(name for name in notice.names if name == own or name.startswith((f"{own}_", f"{own}@"))):
            yield replace(notice, names=names)


def _weight(notice: Notice) -> int:
    """Return the place of a notice among others: doubts about the words and the status first, origins last."""
    return 0 if isinstance(notice, _DOUBTS) else 2 if isinstance(notice, _ORIGINS) else 1


def _doubts_of_today(store: Store, shown: InForce, today: InForce) -> list[Notice]:
    """Return the notices on orders that today's text does not have, if it is the text of the page."""
    if shown.version is None or today.version is None or shown.version.name != today.version.name:
        return []
    target, notices = parse(today.name), today.notices
    if target == target.work and days_of_orders(store, target):
        notices = text_on(store, target, today.on, today.as_known).notices
    return [notice for notice in notices if isinstance(notice, OrderNotApplied)]


def source_in_words(record: Record, writer: PageWriter) -> str:
    """Return a source record as plain text: its provider or curator, the source that it cites, its day and address."""
    words = writer.words
    who = source_name(record.provider or record.iri)
    pieces = [record_name(record, words) if record.curator is not None or who == record.iri else who]
    if record.cited is not None and record.curator is not None:
        cited = record.cited if web_address(record.cited) else writer.cited_source(record.cited).striptags()
        pieces.append(words("norm.stated_from", source=format_markup("{}", cited)).striptags())
    if record.datestamp is not None:
        pieces.append(words("norm.harvested", day=writer.stamp(record.datestamp)).striptags())
    elif record.curator is None:
        pieces.append(str(words("norm.harvested_unsaid")))
    address = next(filter(web_address, filter(None, (record.identifier, record.provider))), None)
    return ", ".join(pieces) + (f": {address}" if address is not None else "")
