"""English sentences for typed values: notices and match reasons. The one table of English messages.

:mod:`service.web.pages.sentences` has the Portuguese messages of the pages. No code parses the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import assert_never

import queries.notices as n
from graph.entities import Axis
from queries.naming import Agreement, MatchReason
from queries.reasons import Explanation, Reason, Role, Status

#: The maximum number of names in a sentence.
_SHOWN = 5
#: The maximum length of a quotation in a sentence.
_QUOTED = 120

_EFFECT_LOST = (
    "the constitution (art. 62 §§ 3 and 11) takes away the effect of the measure from its edition, except for "
    "relations that a legislative decree or § 11 preserves"
)
_MEASURE_ENDS = {
    n.MeasureEnd.LAPSED: "lapsed",
    n.MeasureEnd.REJECTED: "was rejected",
    n.MeasureEnd.NOT_KEPT: "was converted into a law that does not keep this",
}
_GIVEN = {
    n.Given.NORM: "nothing is known of {} itself; the candidate is the norm that it belongs to",
    n.Given.VERSIONS: "nothing is known of {} itself; the candidates are versions of the norm",
    n.Given.VERSION: "nothing is known of {} itself; the whole version is given",
    n.Given.VERSION_OF_TEXT: "nothing is known of the text {}; the candidate is its version",
}
#: The roles of reasons.
_EXPLAINS = {
    Role.BEGAN: "began it",
    Role.DECIDED: "decided it",
    Role.WORDED: "gave a part its words",
    Role.WITHOUT_EFFECT: "left it without effect",
    Role.UNDOES: "will undo it",
}
_MISSING = {n.Missing.START: "its first day of force", n.Missing.KNOWN: "since when it was known"}


def message(notice: n.Notice, event: Callable[[str], str] = str, named: Callable[[str], str] = str) -> str:  # noqa: PLR0911, PLR0912, PLR0915 - a table
    """Return the English sentence of a notice.

    Args:
        notice: of :data:`queries.notices.AnyNotice`.
        event: returns the label of an event for its notation; the notation itself by default.
        named: returns what a norm, provision or version is called, for its name; the name itself by default.

    >>> message(n.OutsideKnowledgeHorizon(date(2010, 1, 1)))
    'the newest record of the providers is of 2010-01-01; what they published later is not known here'
    """
    one: n.AnyNotice = notice  # type: ignore[assignment]  # the list is closed: a test holds that it has every subclass
    match one:
        case n.PartsNotUsed():
            return f"the name asks by a day; the answer leaves out what else it says: {', '.join(one.parts)}"
        case n.OtherVersion():
            what = "that is not the version in force" if one.answered else "no version is in force"
            return f"the name asks for {named(one.asked)}; {what}"
        case n.ReferenceName():
            if one.name is None:
                return "this leaves out what finds a norm: say its number, or authority and year"
            return f"{named(one.name)} is a reference: its number or full date has to be found first"
        case n.UnderstoodAs():
            if one.repaired:
                return f"{one.asked!r} is no name as it stands, and is understood as {named(one.name)}"
            return f"{one.asked!r} is understood as {named(one.name)}: no other work agrees with it"
        case n.NotUnderstood():
            if one.on is not None:
                return f"this named no norm on {one.on}, though it does on other days"
            return (
                "no name, no citation that is understood here (docs/reference/citations.md), and no nickname known here"
            )
        case n.WordsLeft():
            return (
                f"understood {_cut(one.understood)!r} as {', '.join(map(named, one.names))}, and not "
                f"{_cut(one.left)!r}: say it without that"
            )
        case n.UnknownValue():
            hint = f"; near: {', '.join(one.near)}" if one.near else ""
            what = f"{one.field} {one.value!r}"
            return f"no vocabulary of this store knows {what}, and no work with the other fields has it{hint}"
        case n.UnspecificSearch():
            return one.expected
        case n.UnknownName():
            if not one.one:
                return f"{one.name!r} leads to no one name"
            return f"no source in this store speaks of {named(one.name)}"
        case n.OnlyMentioned():
            return "no source describes this name; others only refer to it"
        case n.KnownOnlyLater():
            return f"no source describes this name, and what is told of it was first known on {one.first}"
        case n.ProvisionUnknown():
            return f"the sources know {named(one.norm)} but no text of this provision by itself"
        case n.Ambiguous():
            if one.nickname:
                names = _some(one.names, named, one.count)
                return f"the nickname had {one.count} norms on that day, choose one: {names}"
            found = f"more than {one.count}" if one.more else str(one.count)
            return f"{found} works agree; choose one: {_some(one.names, named, one.count, more=one.more)}"
        case n.AgreesInPart():
            names = _some(one.names, named, more=one.more)
            return f"no work agrees in all; in part: {names} ({matches(one.why, named)})"
        case n.SeveralCitations():
            return f"the text cites more than one norm or provision: {', '.join(map(named, one.names))}"
        case n.EquivalentNames():
            return f"sources know the document under more than one name: {', '.join(map(named, one.names))}"
        case n.SameNumber():
            return f"the store also knows {', '.join(map(named, one.names))}: same authority, type, number and year"
        case n.NumbersBeganAnew():
            return "the numbers of constitutional amendments began anew with the Constitution of 1988: say the year"
        case n.TailLeft():
            return f"choose the norm first; {one.tail!r} is left for then"
        case n.CandidatesCut():
            if one.looked_at is not None:
                return f"only {one.looked_at} of the works that agree were looked at: say more of them"
            return f"{one.found} candidates; the best {one.shown} are shown"
        case n.WiderLevel():
            return _GIVEN[one.given].format(named(one.asked))
        case n.SeveralOccupants():
            listed = "; ".join(
                f"{named(each.name)} ({_days_of_force(each.start, each.until, each.known)})" for each in one.occupants
            )
            count = len(one.occupants)
            return (
                f"{count} provisions had this identifier one after the other: {listed}; "
                f"{named(one.chosen)} is the one of {one.on}"
            )
        case n.RecordWithdrawn():
            return _withdrawn(one)
        case n.UnknownVersion():
            return _unknown_version(one, named)
        case n.SeveralVersions():
            return "no source has a text of several versions under this name; these are the versions that it would hold"
        case n.NoVersionAnswers():
            if one.status is Status.UNKNOWN_NAME:
                return f"no source in this store speaks of {named(one.name)}"
            return (
                f"no version of {named(one.name)} answers for {one.on} as known on {one.as_known}: {one.status.value}"
            )
        case n.SameInVersion():
            return f"{named(one.version)} has the provision as {named(one.made_by)} made it"
        case n.SupersededView():
            return (
                f"as known on {one.as_known} the sources have another view in place of {named(one.version)}: "
                f"it answered last on {one.last}"
            )
        case n.NotInForceToday():
            if one.changed is not None:
                return f"what {named(one.changed)} holds has changed since {one.since}"
            return f"on {one.today} {named(one.in_force) if one.in_force else 'no version'} is in force"
        case n.NoEffectToday():
            return f"on {one.today} {named(one.with_effect) if one.with_effect else 'no version'} has effect"
        case n.NextToCome():
            return f"{_not_today(one, named)}; this text is, from {one.start} on"
        case n.MostRecentPast():
            until = f"until before {one.until}" if one.until is not None else "at last"
            return f"{_not_today(one, named)}; this text was, {until}"
        case n.BeforeFirstMemento():
            return (
                f"{one.day} lies before the first memento, of {one.first}: the first is given (RFC 7089, section 4.5.3)"
            )
        case n.AfterToday():
            return f"what will be known on {one.day} is not known: the last memento is given (RFC 7089, section 4.5.3)"
        case n.NoHarvestDate():
            return "no source of this answer says when it was harvested"
        case n.OutsideKnowledgeHorizon():
            return (
                f"the newest record of the providers is of {one.horizon}; what they published later is not known here"
            )
        case n.NoVersionDates():
            dated = one.day or (f"the year {one.year}" if one.year is not None else "none")
            return (
                "no source says from when this is in force: records without a version name give only the "
                f"representative date ({dated})"
            )
        case n.Undated():
            return _undated(one, event)
        case n.UndatedText():
            which = f"the text of {named(one.version)}" if one.version is not None else "this text"
            return f"no source says when {which} was in force, if ever"
        case n.BeforePublication():
            return f"on {one.on} there was none yet: the sources know of it from {one.first} on"
        case n.EarlierTextUnknown():
            return (
                f"the first text known here is of {one.first} and presupposes an earlier one; nothing is known of that"
            )
        case n.AmendmentWithoutVersion():
            return (
                f"a source says that {named(one.amending)} amends this norm, but no version known here starts with it"
            )
        case n.DatesBeforeNorm():
            listed = ", ".join(_dated(each, named) for each in one.versions[:_SHOWN])
            listed += " ..." if len(one.versions) > _SHOWN else ""
            return f"the name of the norm allows no day before {one.oldest}, and a source dates earlier: {listed}"
        case n.DatesOfWording():
            return (
                "the days of these wordings are those on which the amending norms were signed, not of their entry "
                "into force"
            )
        case n.NormUndated():
            return f"no source states from when {named(one.norm)} is in force: its provisions may have started later"
        case n.ActDays():
            known = f" and published on {one.published}, since when the change is known" if one.published else ""
            called = f", which the source names {one.named}," if one.named != one.act else ""
            return f"{named(one.act)}{called} was signed on {one.signed}{known}"
        case n.CuratedFact():
            cited = f", from {one.source}" if one.source is not None else ""
            return f"a curated fact: {one.curator} states it{cited}"
        case n.SourcesContradict():
            return _contradict(one, event, named)
        case n.EfficacyDiffers():
            return _efficacy(one, event, named)
        case n.MeasureLapsed():
            since = f" (first day without force: {one.effect})" if one.effect is not None else ""
            return f"{named(one.measure)} {_MEASURE_ENDS[one.end]}{since}: {_EFFECT_LOST}"
        case n.ConversionGap():
            return (
                f"{named(one.measure)} was in force until before {one.ended}, and {named(one.law)}, which converted "
                f"it, is in force from {one.start} on: on the days between neither of them is"
            )
        case n.NotYetInForce():
            return f"this is the text that is to be in force from {one.start} on"
        case n.NotInText():
            return f"the text of {named(one.version)} does not have this provision"
        case n.DerivedText():
            since = f"from {one.day} on"
            base = f", applied to the text of {named(one.base)}" if one.base is not None else ""
            return (
                f"nobody published this text: it is derived from acts, {since}: {', '.join(map(named, one.acts))}{base}"
            )
        case n.DerivedDiffers():
            listed = ", ".join(map(named, one.provisions[:_SHOWN])) + (" ..." if len(one.provisions) > _SHOWN else "")
            return (
                f"the acts {', '.join(map(named, one.acts))} make the text read otherwise from {one.day} on: {listed}"
            )
        case n.TextUnknown():
            near = f"; the nearest text before it is that of {named(one.nearest)}" if one.nearest is not None else ""
            return f"no source gives the text of {named(one.version)}, or says what that version changed{near}"
        case n.WordsUnknown():
            if not one.provisions:
                return "no source has the words of this version"
            return f"no source has the words of these as they read then: {_some(one.provisions, named)}"
        case n.Vetoed():
            return "the provision was vetoed: the text has its place, not its words"
        case n.UndecidedProvisions():
            return f"the sources do not decide whether these apply: {_some(one.provisions, named)}"
        case n.PassagesOmitted():
            return "the source leaves out passages of these texts: whether anything changed in them is not known here"
        case n.NotComparable():
            days = "".join(f" and on {day}" for day in one.days).removeprefix(" and") or " of it"
            return f"the sources do not allow a text{days}: nothing can be said of changes"
        case n.NoTextInForce():
            stood = f"{one.before.value} on {one.since}, {one.after.value} on {one.until}"
            return f"there was no text in force to compare: {stood}"
        case _:
            assert_never(one)


def why_unknown(notices: Iterable[n.Notice]) -> str:
    """Return the line on why a text identifies no name: each notice with its code, if that adds to the error."""
    return "; ".join(
        message(one) if isinstance(one, n.UnknownName) else f"{one.code}: {message(one)}" for one in notices
    )


def matches(why: Iterable[MatchReason], named: Callable[[str], str] = str) -> str:
    """Return the line on why a name is possible; ``named`` as of :func:`message`.

    >>> matches([MatchReason(Agreement.NUMBER), MatchReason(Agreement.FULL_DATE, "1990-09-11")])
    'the number agrees; its full date is 1990-09-11'
    """
    return "; ".join(_match(one, named) for one in why)


_AGREEMENTS = {
    Agreement.ALL_FIELDS: "agrees in every field",
    Agreement.NAME: "the name itself",
    Agreement.NORM_OF_NAME: "the norm that the name belongs to",
    Agreement.VERSION_OF_PROVISION: "the version that the provision is of",
    Agreement.BEGINS_SO: "its version begins with what was said",
    Agreement.EQUIVALENT: "a source calls it equivalent to {}",
    Agreement.CITED_AS: "cited as {}",
    Agreement.READ_AS: "the words are read as {}",
    Agreement.KNOWN_AS: "known as {}",
    Agreement.NICKNAMED: "nicknamed {}",
    Agreement.NUMBER: "the number agrees",
    Agreement.ONE_NUMBER: "one of its numbers agrees",
    Agreement.NUMBERS_DIFFER: "one number agrees, another does not",
    Agreement.COMPONENT: "a component of its number agrees",
    Agreement.NUMBER_UNSAID: "the number is not said",
    Agreement.AUTHORITY_UNSAID: "the authority is not said",
    Agreement.PLACE_UNSAID: "the place is not said",
    Agreement.TYPE_UNSAID: "the type is not said",
    Agreement.IT_IS: "it is {}",
    Agreement.OTHER_AUTHORITY: "of another authority: {}",
    Agreement.OTHER_ORGAN: "of another organ or of more authorities: {}",
    Agreement.TYPE: "of the type {}",
    Agreement.SUBTYPE: "of the subtype {}",
    Agreement.OTHER_SUBTYPE: "of another subtype: {}",
    Agreement.NO_SUBTYPE: "of no subtype",
    Agreement.YEAR: "the year agrees",
    Agreement.MONTH: "year and month agree",
    Agreement.YEAR_ALONE: "its name has the year alone",
    Agreement.FULL_DATE: "its full date is {}",
    Agreement.OTHER_DAY: "the year agrees, the day does not: it is {}",
    Agreement.DATES_DIFFER: "one date agrees, another does not",
    Agreement.OTHER_YEAR: "of another year: {}",
    Agreement.OF_DAY: "of {}",
    Agreement.SAID_TYPE: "type {}",
    Agreement.SAID_AUTHORITY: "authority {}",
    Agreement.SAID_PLACE: "place {}",
    Agreement.SAID_YEAR: "year {}",
    Agreement.ALL_WORDS: "it has the words",
    Agreement.SOME_WORDS: "it has some of the words",
    Agreement.WORDS_OF: "they stand in {}",
    Agreement.REFERS: "it refers to the name",
    Agreement.CAUSE: "it names the cause of what happened to it",
    Agreement.ONLY_FACTS: "only facts are told of it",
    Agreement.FACTS_PAGE: "its page has what is told of it",
    Agreement.GONE: "every record about it is gone",
}


#: Reasons whose value is a name.
_OF_NAMES = frozenset({Agreement.EQUIVALENT, Agreement.CITED_AS, Agreement.READ_AS, Agreement.WORDS_OF})


def _match(one: MatchReason, named: Callable[[str], str]) -> str:
    match one.code:
        case Agreement.IN_FORCE:
            axis = "in force" if one.value == Axis.FORCE.value else "effective"
            return f"{axis} on {one.since}, as known on {one.known}"
        case Agreement.IN_FORCE_FROM:
            return _days_of_force(one.since, one.until, one.known)
        case Agreement.KNOWN_FORCE_NONE:
            return _days_of_force(None, None, one.known)
        case Agreement.MADE_KNOWN:
            return f"in force from {one.since}, made known on {one.known} by {one.value or 'an event not named'}"
        case _:
            value = named(one.value) if one.code in _OF_NAMES and one.value is not None else one.value
            return _AGREEMENTS[one.code].format(value)


def _days_of_force(start: date | None, until: date | None, known: date | None) -> str:
    if start is None:
        return f"nothing of its force is known on {known}"
    end = f"until before {until}" if until is not None else "without an end known"
    return f"in force from {start} {end}, as known on {known}"


def _not_today(one: n.NextToCome | n.MostRecentPast, named: Callable[[str], str]) -> str:
    what = "in force" if one.axis is Axis.FORCE else "with effect"
    return f"{named(one.name)} is not {what} on {one.today} ({one.status.value})"


def _withdrawn(one: n.RecordWithdrawn) -> str:
    if one.record is None:
        return f"{one.more} more records that were about it are gone"
    what = f"the record {one.record}" + (f" of {one.provider}" if one.provider is not None else "")
    if one.missing_since is not None:
        return f"{what} is no longer listed by its provider: first noticed on {one.missing_since}"
    if one.withdrawn_on is not None:
        return f"{what} was withdrawn by its provider on {one.withdrawn_on}"
    return f"{what} was withdrawn by its provider; since when is not known"


def _unknown_version(one: n.UnknownVersion, named: Callable[[str], str]) -> str:
    if one.views:
        parts = ((view.event, str(view.day) if view.day is not None else None) for view in one.views)
        views = [" of ".join(filter(None, each)) or "of a day not named" for each in parts]
        return f"no source knows that view of the version of {one.day}; its views are {' and '.join(views)}"
    if one.day is None or not one.neighbours:
        return f"no source knows a version that {named(one.asked)} could mean"
    near = " and ".join(map(str, one.neighbours))
    return f"no source knows a version of {one.day}; its neighbours are of {near}"


def _undated(one: n.Undated, event: Callable[[str], str]) -> str:
    if one.events:
        kinds = ", ".join(map(event, one.events))
        return f"the sources state {kinds} but not exactly from when on, so these days cannot be decided"
    if one.words:
        return f"a source names the version by a word ({', '.join(one.words)}) instead of its first day of force"
    return f"a source names a version but not {' nor '.join(_MISSING[each] for each in one.missing)}"


def _dated(one: n.DatedVersion, named: Callable[[str], str]) -> str:
    days = (("in force from", one.version_date), ("known from", one.view_date))
    return f"{named(one.name)} ({' and '.join(f'{what} {day}' for what, day in days if day is not None)})"


def _contradict(one: n.SourcesContradict, event: Callable[[str], str], named: Callable[[str], str]) -> str:
    match one.on:
        case n.Disagreement.WORDINGS:
            return f"sources word one version of these differently: {_some(one.names, named)}"
        case n.Disagreement.HISTORIES:
            return f"sources date what became of these differently: {_some(one.names, named)}"
        case n.Disagreement.ENDED_AND_PRINTED:
            return f"it ended, and the text of {named(one.names[0])} has it all the same"
        case n.Disagreement.DATES:
            about = f"the {event(one.event or '')}"
            if one.day is not None:
                about += f" of {one.day}"
            if one.start is not None:
                about = f"the publication of {about} in force from {one.start}"
            if one.cause is not None:
                about += f" by {named(one.cause)}"
            stated = "; ".join(_statement(each, named) for each in one.statements)
            return f"sources date {about} of {named(one.names[0])} differently: {stated}"
        case _:
            assert_never(one.on)


def _statement(one: n.Statement, named: Callable[[str], str]) -> str:
    days = f"effect {one.effect or 'not stated'}, known {one.known or 'not stated'}"
    who = f"the curator {one.by}" if one.curated else one.by
    return f"{named(one.version) if one.version is not None else days} by {who} (record {one.record})"


def _efficacy(one: n.EfficacyDiffers, event: Callable[[str], str], named: Callable[[str], str]) -> str:
    if one.status is Status.IN_FORCE:
        what = "has effect all the same"
    else:
        what = "it is not known whether it has effect" if one.status is Status.UNKNOWN else "without effect"
    since = f" since {one.since}" if one.since is not None else ""
    until = f" until before {one.until}" if one.until is not None else ""
    events = "; ".join(
        dict.fromkeys(
            (event(each.event) if each.event is not None else "an event")
            + (f" with effect from {each.effect}" if each.effect is not None else "")
            + (f", known from {each.known}" if each.known is not None else "")
            + (f", by {named(each.cause)}" if each.cause is not None else "")
            for each in one.because
        )
    )
    return f"{one.force.value.replace('-', ' ')}, but {what}{since}{until}" + (f": {events}" if events else "")


def _some(names: Sequence[str], named: Callable[[str], str], count: int | None = None, *, more: bool = False) -> str:
    """Return the first of many names."""
    rest = more or len(names) > _SHOWN or (count is not None and count > len(names))
    return ", ".join(map(named, names[:_SHOWN])) + (" ..." if rest else "")


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."


def reason_message(reason: Reason) -> str:
    """Return the English line of a reason."""
    fragments = " ".join(one.rpartition("!")[2] for one in reason.provisions)
    parts = [(reason.event or "view (event not named)") + (f" of {fragments}" if fragments else "")]
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
