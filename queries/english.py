"""English sentences for typed values: notices, match reasons and the reasons of answers.

:mod:`service.web.pages.portuguese` has the Portuguese sentences of notices. The files in
``service/web/pages/messages`` have the other words of the pages. No code parses the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import assert_never

import queries.notices as n
from graph.civil import ONE_DAY
from graph.time.kinds import Axis, Status
from graph.urn import parse
from graph.wording.marks import situation_mark
from graph.wording.provisions import articles_in_words
from ontology.events import FIRST_TEXT_EVENTS
from queries.naming import Agreement, MatchReason
from queries.reasons import Explanation, Reason, Role

#: The maximum number of names in a sentence.
_SHOWN = 5
#: The maximum length of a quotation in a sentence.
_QUOTED = 120

_LOST = "from the issue of the measure on, except for relations that a legislative decree or § 11 preserves"
_ALL_LOST = f"it loses its effect (Constitution, art. 62 § 3) {_LOST}"
_EFFECT_LOST = {
    n.MeasureEnd.LAPSED: _ALL_LOST,
    n.MeasureEnd.REJECTED: _ALL_LOST,
    n.MeasureEnd.NOT_KEPT: f"only what the law does not keep loses effect (Constitution, art. 62 §§ 3, 11, 12) {_LOST}",
    n.MeasureEnd.NOT_STATED: f"the change lost its effect (Constitution, art. 62 §§ 3, 11, 12) {_LOST}",
}
_LOST_BEFORE = (
    "what was not converted lost its effect from the issue of the measure on, unless it was issued again in time "
    "(Constitution, art. 62, sole paragraph, in the text before EC 32/2001)"
)
_MEASURE_ENDS = {
    n.MeasureEnd.LAPSED: "lapsed",
    n.MeasureEnd.REJECTED: "was rejected",
    n.MeasureEnd.NOT_KEPT: "was converted into a law that does not keep this",
    n.MeasureEnd.NOT_STATED: "was not converted into law, or the law does not keep this",
}
_GIVEN = {
    n.ReturnedInstead.NORM: "no source describes {} itself; the candidate is the norm that it belongs to",
    n.ReturnedInstead.VERSIONS: "no source describes {} itself; the candidates are versions of the norm",
    n.ReturnedInstead.VERSION: "no source describes {} itself; the whole version is returned",
    n.ReturnedInstead.VERSION_OF_TEXT: "no source describes the text {}; the candidate is its version",
}
#: The roles of reasons.
_EXPLAINS = {
    Role.BEGAN: "began it",
    Role.DECIDED: "decided it",
    Role.WORDED: "gave a part its wording",
    Role.WITHOUT_EFFECT: "left it without effect",
    Role.UNDOES: "will undo it",
}
_MISSING = {n.MissingDay.START: "its first day of force", n.MissingDay.KNOWN: "since when it was known"}


def message(notice: n.Notice, event: Callable[[str], str] = str, named: Callable[[str], str] = str) -> str:  # noqa: PLR0911, PLR0912, PLR0915 - a table
    """Return the English sentence of a notice.

    Args:
        notice: of :data:`queries.notices.AnyNotice`.
        event: returns the label of an event for its notation; the notation itself by default.
        named: returns the label of a norm, provision or version for its name; the name itself by default.

    >>> message(n.OutsideKnowledgeHorizon(date(2010, 1, 1)))
    'the newest record of the providers is of 2010-01-01; what they published later is not known here'
    """
    note: n.AnyNotice = notice  # type: ignore[assignment]  # a test checks that the list has every subclass
    match note:
        case n.PartsNotUsed():
            return f"the name is resolved by its day; these other parts were ignored: {', '.join(note.parts)}"
        case n.OtherVersion():
            clause = "that is not the version in force" if note.answered else "no version is in force"
            return f"the name identifies {named(note.asked)}; {clause}"
        case n.ReferenceName():
            if note.name is None:
                return "incomplete reference: give the number, or the authority and year"
            return f"{named(note.name)} is a reference: find its number or full date first"
        case n.UnderstoodAs():
            if note.repaired:
                return f"{note.asked!r} is not a valid name; interpreted as {named(note.name)}"
            return f"{note.asked!r} is understood as {named(note.name)}: no other work matches"
        case n.NotUnderstood():
            if note.on is not None:
                return f"no norm had this name on {note.on}; one had it on other days"
            return "the text is not a name, a supported citation (docs/reference/citations.md) or a known nickname"
        case n.WordsLeft():
            return (
                f"interpreted {_cut(note.understood)!r} as {', '.join(map(named, note.names))}; "
                f"{_cut(note.left)!r} was not understood and was ignored"
            )
        case n.UnknownValue():
            hint = f"; similar: {', '.join(note.near)}" if note.near else ""
            return f"{note.field} {note.value!r} is in no vocabulary or work of this store{hint}"
        case n.UnspecificSearch():
            return note.expected
        case n.UnknownName():
            if not note.one:
                return f"{note.name!r} does not identify exactly one document"
            return f"no source in this store mentions {named(note.name)}"
        case n.OnlyMentioned():
            return "no source describes this name; sources only refer to it"
        case n.KnownOnlyLater():
            return f"no source describes this name; the facts stated about it were first known on {note.first}"
        case n.ProvisionUnknown():
            near = f"; the nearest provision is {named(note.nearest)}" if note.nearest is not None else ""
            if note.day is not None:
                return f"no source has this provision: the text of {named(note.norm)} on {note.day} lacks it{near}"
            if note.nearest is not None:
                return f"the store has only parts of the text of {named(note.norm)}, and not this provision{near}"
            return f"the sources describe {named(note.norm)} but give no text of this provision by itself{near}"
        case n.ArticlesMissing():
            gaps = articles_in_words([(gap.first, gap.last) for gap in note.gaps], "en")
            return f"the store has only part of the text of this norm: articles are missing ({gaps})"
        case n.Ambiguous():
            if note.nickname:
                names = _first_names(note.names, named, note.count)
                return f"{note.count} norms had this nickname on that day; choose one: {names}"
            quantity = f"more than {note.count}" if note.more else str(note.count)
            return f"{quantity} works match; choose one: {_first_names(note.names, named, note.count, more=note.more)}"
        case n.AgreesInPart():
            names = _first_names(note.names, named, more=note.more)
            return f"no work matches completely; partial matches: {names} ({match_message(note.why, named)})"
        case n.SeveralCitations():
            return f"the text cites more than one norm or provision: {', '.join(map(named, note.names))}"
        case n.EquivalentNames():
            return f"sources use more than one name for the document: {', '.join(map(named, note.names))}"
        case n.SameNumber():
            return f"the store also has {', '.join(map(named, note.names))}: same authority, type, number and year"
        case n.NumbersBeganAnew():
            return "the numbers of constitutional amendments restarted with the Constitution of 1988: give the year"
        case n.TailLeft():
            return f"choose the norm first; {note.tail!r} was not processed"
        case n.CandidatesCut():
            if note.looked_at is not None:
                return f"only {note.looked_at} of the matching works were examined: give more details"
            return f"{note.found} candidates; the best {note.shown} are returned"
        case n.WiderLevel():
            return _GIVEN[note.given].format(named(note.asked))
        case n.SeveralOccupants():
            listed = "; ".join(
                f"{named(occupant.name)} ({_days_of_force(occupant.start, occupant.until, occupant.known)})"
                for occupant in note.occupants
            )
            count = len(note.occupants)
            return (
                f"{count} provisions had this identifier in sequence: {listed}; "
                f"on {note.on} it identifies {named(note.chosen)}"
            )
        case n.RecordWithdrawn():
            return _withdrawn(note)
        case n.UnknownVersion():
            return _unknown_version(note, named)
        case n.SeveralVersions():
            return "the name means several versions, which no source publishes as one text; they are listed"
        case n.NoVersionAnswers():
            if note.status is Status.UNKNOWN_NAME:
                return f"no source in this store mentions {named(note.name)}"
            status = note.status.value
            return f"no version of {named(note.name)} applies on {note.on} as known on {note.as_known}: {status}"
        case n.SameInVersion():
            return f"{named(note.version)} contains the provision with the wording of {named(note.made_by)}"
        case n.SupersededView():
            return (
                f"as known on {note.as_known}, the sources replaced {named(note.version)} by another view; "
                f"it was the answer as known until {note.last}"
            )
        case n.NotInForceToday():
            if note.changed is not None:
                return f"the content of {named(note.changed)} has changed since {note.since}"
            return f"on {note.today}, {named(note.in_force) if note.in_force else 'no version'} is in force"
        case n.NoEffectToday():
            return f"on {note.today}, {named(note.with_effect) if note.with_effect else 'no version'} has effect"
        case n.NextToCome():
            return f"{_not_today(note, named)}; this text will be, from {note.start} on"
        case n.MostRecentPast():
            end = f", before {note.until}" if note.until is not None else ""
            state = "in force" if note.axis is Axis.FORCE else "with effect"
            return f"{_not_today(note, named)}; this text was the last one {state}{end}"
        case n.BeforeFirstMemento():
            return (
                f"{note.day} is before the first memento, of {note.first}, which is returned (RFC 7089, section 4.5.3)"
            )
        case n.AfterToday():
            return f"{note.day} is in the future: the last memento is returned (RFC 7089, section 4.5.3)"
        case n.NoHarvestDate():
            return "no source of this answer states when it was harvested"
        case n.OutsideKnowledgeHorizon():
            return (
                f"the newest record of the providers is of {note.horizon}; what they published later is not known here"
            )
        case n.NoVersionDates():
            dated = note.day or (f"the year {note.year}" if note.year is not None else "none")
            return (
                "no source states when this entered into force: records without a version name give only the "
                f"representative date ({dated})"
            )
        case n.Undated():
            return _undated(note, event)
        case n.UndatedText():
            which = f"the text of {named(note.version)}" if note.version is not None else "this text"
            return f"no source states when {which} was in force, if ever"
        case n.BeforePublication():
            return f"not yet published on {note.on}: according to the sources, it was first known on {note.first}"
        case n.EarlierTextUnknown():
            since = f", known since {note.first}," if note.first is not None else ""
            return f"the first text of this store{since} presupposes an earlier one, which no source gives"
        case n.AmendmentWithoutVersion():
            return f"a source states that {named(note.amending)} amends this norm, but no version here starts with it"
        case n.DatesBeforeNorm():
            listed = ", ".join(_dated(version, named) for version in note.versions[:_SHOWN])
            listed += " ..." if len(note.versions) > _SHOWN else ""
            return f"the norm is dated {note.oldest}, but a source states earlier days: {listed}"
        case n.DatesOfWording():
            return (
                "the days of these wordings are those of the signature of the amending norms, not of entry into force"
            )
        case n.NormUndated():
            norm = named(note.norm)
            return f"the sources do not state the first day of force of {norm}: its provisions may have started later"
        case n.CommencementChanged():
            by = f" by {', '.join(map(named, note.acts))}" if note.acts else ""
            return (
                f"the clause on the entry into force of {named(note.norm)} was changed{by}: some articles may have "
                "another first day of force than this answer"
            )
        case n.ActDays():
            known = (
                f" and published on {note.published}; the change counts as known from that day"
                if note.published
                else "; no source states the day of its publication"
            )
            called = f", which the source names {note.named}," if note.named != note.act else ""
            return f"{named(note.act)}{called} was signed on {note.signed}{known}"
        case n.CuratedFact():
            cited = f" (source: {note.source})" if note.source is not None else ""
            return f"a curated fact, stated by {note.curator}{cited}"
        case n.SourcesContradict():
            return _contradict(note, event, named)
        case n.EfficacyDiffers():
            return _efficacy(note, event, named)
        case n.MeasureLapsed():
            since = f" (first day without force: {note.effect})" if note.effect is not None else ""
            lost = _LOST_BEFORE if note.is_earlier else _EFFECT_LOST[note.end]
            changed = f"; changed: {_first_names(note.provisions, named)}" if note.provisions else ""
            return f"{named(note.measure)} {_MEASURE_ENDS[note.end]}{since}: {lost}{changed}"
        case n.TermPassed():
            return (
                f"the longest possible term of {named(note.measure)} ended before {note.since} (Constitution, art. 62, "
                "§§ 3, 4, 7 and 12), and no source states its conversion, rejection or lapse"
            )
        case n.ConversionGap():
            return (
                f"{named(note.measure)} was in force before {note.ended}, and {named(note.law)}, which converted it, "
                f"is in force from {note.start} on: by these dates, neither is in force on the days between"
            )
        case n.NotYetInForce():
            return f"this text precedes the start of force, {note.start}; the text that comes into force may differ"
        case n.ProvisionsInForceEarly():
            return (
                f"these provisions are in force, although their norm is not yet: {_first_names(note.provisions, named)}"
            )
        case n.ProvisionsNotYetInForce():
            since = f"they enter into force on {note.start}" if note.start is not None else "their first day is unknown"
            listed = _first_names(note.provisions, named)
            return f"the text leaves out provisions that are not yet in force ({since}): {listed}"
        case n.NotInText():
            return f"the text of {named(note.version)} does not contain this provision"
        case n.DerivedText():
            since = f"from {note.day} on"
            base = f", applied to the text of {named(note.base)}" if note.base is not None else ""
            acts = ", ".join(map(named, note.acts))
            return f"this text was not published; it is derived from acts {since}: {acts}{base}"
        case n.DerivedDiffers():
            listed = ", ".join(map(named, note.provisions[:_SHOWN])) + (" ..." if len(note.provisions) > _SHOWN else "")
            return f"the acts {', '.join(map(named, note.acts))} make the text different from {note.day} on: {listed}"
        case n.OrderNotApplied():
            listed = _first_names(note.provisions, named)
            return f"{named(note.act)} orders a change that is not applied to this text; it names {listed}"
        case n.TextUnknown():
            near = f"; the nearest text before it is that of {named(note.nearest)}" if note.nearest is not None else ""
            changed = "" if parse(note.version).event in FIRST_TEXT_EVENTS else ", or states what that version changed"
            return f"no source gives the text of {named(note.version)}{changed}{near}"
        case n.WordsUnknown():
            if not note.provisions:
                return "no source has the wording of this version"
            return f"no source has the wording of these on that day: {_first_names(note.provisions, named)}"
        case n.Vetoed():
            return "the provision was vetoed: the text shows its position without its wording"
        case n.ProvisionsMarked():
            word = situation_mark(note.situation, "", english=True)
            return f"the text has provisions that are {word}: {_first_names(note.provisions, named)}"
        case n.Interpreted():
            stated = f"{event(note.event)} of {named(note.target)} by {named(note.ruling or 'an unnamed ruling')}"
            known = f", known {note.known}" if note.known is not None else ""
            applies = f", for days from {note.effect} on" if note.effect is not None else ""
            earlier = "; it interprets an earlier wording" if note.earlier_wording else ""
            return f"{stated}{known}{applies}: force, efficacy and words do not change{earlier}"
        case n.CaputEnded():
            return f"the caput of the article is {note.status.value}; other parts are in force: {named(note.caput)}"
        case n.UndecidedProvisions():
            listed = _first_names(note.provisions, named)
            return f"the sources do not determine whether these are in force, or their wording: {listed}"
        case n.PassagesOmitted():
            return "the source omits passages of these texts: it is not known whether anything changed in them"
        case n.NotComparable():
            days = "".join(f" and on {day}" for day in note.days).removeprefix(" and")
            return f"the text cannot be determined{days}, so changes cannot be determined"
        case n.NoTextInForce():
            stood = f"{note.before.value} on {note.since}, {note.after.value} on {note.until}"
            return f"there was no text in force to compare: {stood}"
        case _:
            assert_never(note)


def why_unknown(notices: Iterable[n.Notice]) -> str:
    """Return a line on why a text identifies no name: each notice, with its code unless it is ``unknown-name``."""
    return "; ".join(
        message(notice) if isinstance(notice, n.UnknownName) else f"{notice.code}: {message(notice)}"
        for notice in notices
    )


def match_message(why: Iterable[MatchReason], named: Callable[[str], str] = str) -> str:
    """Return a line on why a name is possible; ``named`` is as for :func:`message`.

    >>> match_message([MatchReason(Agreement.NUMBER), MatchReason(Agreement.FULL_DATE, "1990-09-11")])
    'the number matches; its full date is 1990-09-11'
    """
    return "; ".join(_match(reason, named) for reason in why)


_AGREEMENTS = {
    Agreement.ALL_FIELDS: "matches in every field",
    Agreement.NAME: "the name itself",
    Agreement.NORM_OF_NAME: "the norm of the name",
    Agreement.VERSION_OF_PROVISION: "the version of the provision",
    Agreement.BEGINS_SO: "the name of its version begins with the given part",
    Agreement.EQUIVALENT: "a source calls it equivalent to {}",
    Agreement.CITED_AS: "cited as {}",
    Agreement.READ_AS: "the words are interpreted as {}",
    Agreement.KNOWN_AS: "known as {}",
    Agreement.NICKNAMED: "nicknamed {}",
    Agreement.NUMBER: "the number matches",
    Agreement.ONE_NUMBER: "one of its numbers matches",
    Agreement.NUMBERS_DIFFER: "one number matches, another does not",
    Agreement.COMPONENT: "a component of its number matches",
    Agreement.ANNEX_OF_NAME: "an annex or other component of the document of the name",
    Agreement.NUMBER_MISSING: "the number is not given",
    Agreement.AUTHORITY_MISSING: "the authority is not given",
    Agreement.PLACE_MISSING: "the place is not given",
    Agreement.TYPE_MISSING: "the type is not given",
    Agreement.IT_IS: "it is {}",
    Agreement.OTHER_AUTHORITY: "of another authority: {}",
    Agreement.OTHER_ORGAN: "of another organ or of more authorities: {}",
    Agreement.ABBREVIATED: "the authority is abbreviated; in full it is {}",
    Agreement.SAME_SUMMARY: "of the same type, authority, day and summary as {}, and no other document is",
    Agreement.TYPE: "of the type {}",
    Agreement.SUBTYPE: "of the subtype {}",
    Agreement.OTHER_SUBTYPE: "of another subtype: {}",
    Agreement.NO_SUBTYPE: "of no subtype",
    Agreement.YEAR: "the year matches",
    Agreement.MONTH: "year and month match",
    Agreement.YEAR_ALONE: "its name has only the year",
    Agreement.FULL_DATE: "its full date is {}",
    Agreement.OTHER_DAY: "the year matches, the day does not: it is {}",
    Agreement.DATES_DIFFER: "one date matches, another does not",
    Agreement.OTHER_YEAR: "of another year: {}",
    Agreement.OF_DAY: "of {}",
    Agreement.BY_TYPE: "type {}",
    Agreement.BY_AUTHORITY: "authority {}",
    Agreement.BY_PLACE: "place {}",
    Agreement.BY_YEAR: "year {}",
    Agreement.ALL_WORDS: "it contains the words",
    Agreement.SOME_WORDS: "it contains some of the words",
    Agreement.WORDS_IN_NORM: "its norm contains the words, in several provisions",
    Agreement.WORDS_OF: "the words are in {}",
    Agreement.REFERS: "it refers to the name",
    Agreement.CAUSE: "a source states that the name caused an event of it",
    Agreement.IN_RANGE: "in the range that was cited",
    Agreement.ONLY_FACTS: "sources state only facts about it",
    Agreement.FACTS_PAGE: "its page lists them",
    Agreement.GONE: "every record about it was withdrawn",
}


#: Reasons whose value is a name.
_OF_NAMES = frozenset({Agreement.EQUIVALENT, Agreement.CITED_AS, Agreement.READ_AS, Agreement.WORDS_OF})


def _match(reason: MatchReason, named: Callable[[str], str]) -> str:
    match reason.code:
        case Agreement.IN_FORCE:
            axis = "in force" if reason.value == Axis.FORCE.value else "effective"
            return f"{axis} on {reason.since}, as known on {reason.known}"
        case Agreement.IN_FORCE_FROM:
            return _days_of_force(reason.since, reason.until, reason.known)
        case Agreement.KNOWN_FORCE_NONE:
            return _days_of_force(None, None, reason.known)
        case Agreement.MADE_KNOWN:
            event = reason.value or "an event without a name"
            return f"in force from {reason.since}, made known on {reason.known} by {event}"
        case _:
            value = named(reason.value) if reason.code in _OF_NAMES and reason.value is not None else reason.value
            return _AGREEMENTS[reason.code].format(value)


def _days_of_force(start: date | None, until: date | None, known: date | None) -> str:
    if start is None:
        return f"its days of force were not known on {known}"
    end = f"until {until - ONE_DAY}" if until is not None else "with no known end"
    return f"in force from {start} {end}, as known on {known}"


def _not_today(notice: n.NextToCome | n.MostRecentPast, named: Callable[[str], str]) -> str:
    state = "in force" if notice.axis is Axis.FORCE else "with effect"
    return f"{named(notice.name)} is not {state} on {notice.today} ({notice.status.value})"


def _withdrawn(notice: n.RecordWithdrawn) -> str:
    if notice.record is None:
        return f"further records about it that are no longer available: {notice.more}"
    if notice.curated:
        when = " on " + str(notice.withdrawn_on) if notice.withdrawn_on is not None else "; the date is not stated"
        return f"the fact {notice.record!r} was withdrawn by its curator{when}"
    record = f"the record {notice.record}" + (f" of {notice.provider}" if notice.provider is not None else "")
    if notice.missing_since is not None:
        return f"{record} is no longer listed by its provider: first noticed on {notice.missing_since}"
    if notice.withdrawn_on is not None:
        return f"{record} was withdrawn by its provider on {notice.withdrawn_on}"
    return f"{record} was withdrawn by its provider; the date is not stated"


def _unknown_version(notice: n.UnknownVersion, named: Callable[[str], str]) -> str:
    if notice.views:
        parts = ((view.event, str(view.day) if view.day is not None else None) for view in notice.views)
        views = [" of ".join(filter(None, view_parts)) or "without a day" for view_parts in parts]
        return f"no source states that view of the version of {notice.day}; its views are {' and '.join(views)}"
    if notice.day is None or not notice.neighbours:
        return f"no source states a version that {named(notice.asked)} could mean"
    near = " and ".join(map(str, notice.neighbours))
    return f"no source states a version of {notice.day}; the nearest versions are of {near}"


def _undated(notice: n.Undated, event: Callable[[str], str]) -> str:
    if notice.events:
        kinds = ", ".join(map(event, notice.events))
        return f"the sources state {kinds} without the first day of effect, so the days cannot be determined"
    if notice.words:
        return f"a source names the version by a word ({', '.join(notice.words)}) instead of its first day of force"
    return f"a source names a version but does not state {' nor '.join(_MISSING[part] for part in notice.missing)}"


def _dated(version: n.DatedVersion, named: Callable[[str], str]) -> str:
    days = (("in force from", version.version_date), ("known from", version.view_date))
    return f"{named(version.name)} ({' and '.join(f'{label} {day}' for label, day in days if day is not None)})"


def _contradict(notice: n.SourcesContradict, event: Callable[[str], str], named: Callable[[str], str]) -> str:
    match notice.on:
        case n.Disagreement.WORDINGS:
            listed = _first_names(notice.names, named)
            return f"sources give different wordings of one version of these provisions: {listed}"
        case n.Disagreement.HISTORIES:
            return (
                f"sources state different days for the events of these provisions: {_first_names(notice.names, named)}"
            )
        case n.Disagreement.ENDED_AND_PRINTED:
            return f"a source ends the provision, but the text of {named(notice.names[0])} still contains it"
        case n.Disagreement.DATES:
            about = f"the {event(notice.event or '')}"
            if notice.day is not None:
                about += f" of {notice.day}"
            if notice.start is not None:
                about = f"the publication of {about} in force from {notice.start}"
            if notice.cause is not None:
                about += f" by {named(notice.cause)}"
            stated = "; ".join(_statement(statement, named) for statement in notice.statements)
            return f"sources date {about} of {named(notice.names[0])} differently: {stated}"
        case _:
            assert_never(notice.on)


def _statement(statement: n.Statement, named: Callable[[str], str]) -> str:
    days = f"effect {statement.effect or 'not stated'}, known {statement.known or 'not stated'}"
    who = f"the curator {statement.by}" if statement.curated else statement.by
    return f"{named(statement.version) if statement.version is not None else days} by {who} (record {statement.record})"


def _efficacy(notice: n.EfficacyDiffers, event: Callable[[str], str], named: Callable[[str], str]) -> str:
    if notice.status.stands:
        effect = "still has effect"
    else:
        effect = "it is not known whether it has effect" if notice.status is Status.UNKNOWN else "without effect"
    since = f" since {notice.since}" if notice.since is not None else ""
    until = f" until {notice.until - ONE_DAY}" if notice.until is not None else ""
    events = "; ".join(
        dict.fromkeys(
            (event(reason.event) if reason.event is not None else "an event")
            + (f" with effect from {reason.effect}" if reason.effect is not None else "")
            + (f", known from {reason.known}" if reason.known is not None else "")
            + (f", by {named(reason.cause)}" if reason.cause is not None else "")
            for reason in notice.because
        )
    )
    return f"{notice.force.value.replace('-', ' ')}, but {effect}{since}{until}" + (f": {events}" if events else "")


def _first_names(
    names: Sequence[str], named: Callable[[str], str], count: int | None = None, *, more: bool = False
) -> str:
    """Return the first names, joined by commas, and the number of the others; an ellipsis if it is not known."""
    rest = (len(names) if count is None else count) - len(names[:_SHOWN])
    others = " ..." if more else f" and {rest} more" if rest > 0 else ""
    return ", ".join(map(named, names[:_SHOWN])) + others


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."


def reason_message(reason: Reason) -> str:
    """Return the English line of a reason."""
    fragments = " ".join(provision.rpartition("!")[2] for provision in reason.provisions)
    parts = [(reason.event or "view (without an event)") + (f" of {fragments}" if fragments else "")]
    parts.append(f"effect {reason.effect or 'not stated'}")
    parts.append(f"known {reason.known or 'not stated'}")
    if reason.cause is not None:
        parts.append(f"by {reason.cause}")
    if reason.counted is not None:
        parts.append(f"counted {reason.counted}")
    return ", ".join(parts)


def explanation_message(explanation: Explanation) -> str:
    """Return the English line of a reason, with its role in a dossier."""
    return f"{_EXPLAINS[explanation.role]}: {reason_message(explanation.reason)}"
