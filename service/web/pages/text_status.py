"""The status of a text on a day, in words, for references and files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from graph.document_kinds import non_norm_kind
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import ENDED, Situation, Status
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import authority_label
from graph.wording.provisions import articles_in_words
from queries.answers import InForce
from queries.contradictions import is_disputed
from queries.efficacy import WithoutEffect, shown_as, without_effect
from queries.intervals import AnswerInterval, over_force
from queries.notices import ArticlesMissing, Vetoed, any_of
from queries.provisions import containers_by_provision, is_excerpt
from queries.text.answers import TextAnswer
from service.web.pages.frame import format_markup
from service.web.pages.status import is_unpublished_on_k, status_clause, status_label
from service.web.pages.writer import PageWriter
from service.web.text_layout import Block

#: The maximum age of the newest data of the sources with which they are not called old.
_FRESH = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class StatusLine:
    """The status of a text on one line, with its horizon.

    Attributes:
        status: the status, for its colour.
        text: the status with its days.
        reach: the day up to which the sources go, or that they state none; None where there is no status.
        is_old: whether the day is more than a year after the newest data, so that the status may have changed since.
    """

    status: Status
    text: Markup
    reach: Markup | None
    is_old: bool


def line_of(store: Store, answer: InForce, writer: PageWriter) -> StatusLine:
    """Return the status of a norm or provision on the day of an answer on one line."""
    effect = without_effect(store, answer)
    intervals = over_force(store, parse(answer.name), answer.as_known)
    text = status_text(answer, intervals, effect, is_disputed(store, answer), writer)
    status = Status.VETOED if any_of(answer.notices, Vetoed) else shown_as(answer, effect)
    return status_line(answer, status, text, writer)


def status_line(answer: InForce, status: Status, text: Markup, writer: PageWriter) -> StatusLine:
    """Return the status of a text with its horizon.

    Args:
        answer: the answer for the day of the text.
        status: the status to show.
        text: the status in words.
    """
    reach = _newest_day(answer)
    is_old = bool(answer.known_up_to) and answer.status.stands and reach + _FRESH < answer.on
    return StatusLine(status, format_markup("{}", text.removesuffix(".")), reach_of(answer, writer), is_old)


def _newest_day(answer: InForce) -> date:
    """Return the last day that the sources of an answer cover; at the latest its K, which stands for an unknown day."""
    return min(max((day for _, day in answer.known_up_to), default=None) or date.max, answer.as_known)


def reach_of(answer: InForce, writer: PageWriter) -> Markup | None:
    """Return in words up to which day the sources of an answer go, or that they state none; None without a source."""
    reach = _newest_day(answer)
    days = (day_stated(reason.known) for reason in answer.because)
    # a reason that is newer is from a source that states no day
    is_stated = bool(answer.known_up_to) and not any(day is not None and day.first > reach for day in days)
    is_reported = is_stated or answer.as_known < writer.today  # K, where no source states how far it goes
    phrase = writer.words("status.reach", day=writer.words.time(reach)) if is_reported else None
    if is_unpublished_on_k(answer):  # its words have K
        phrase = None
    elif phrase is None and answer.sources:
        phrase = writer.words("status.reach_unsaid")
    return phrase


def status_text(
    answer: InForce,
    intervals: Sequence[AnswerInterval],
    effect: WithoutEffect | None,
    disputed: bool,
    writer: PageWriter,
) -> Markup:
    """Return the status with its days, and that the sources differ where they do.

    Args:
        answer: the answer for one day.
        intervals: the answers for all days of force, as known on its day of knowledge.
        effect: the days without effect; None where it has effect.
        disputed: whether the sources disagree about the status.
    """
    if any_of(answer.notices, Vetoed):
        text = writer.agreed("status.vetoed", answer.name)
    elif disputed:
        text = status_label(answer, writer, effect)
    else:
        text = status_clause(answer, intervals, writer, effect)
    return writer.words("status.contested", status=text) if disputed else text


def status_not_in_force(store: Store, answer: InForce, writer: PageWriter) -> str | None:
    """Return the status on the day in a word or two, where it is not in force or is contested.

    None where it is in force, neither contested nor vetoed, and for documents that are not norms.
    """
    name = parse(answer.name)
    if answer.status.stands and not is_disputed(store, answer) and not any_of(answer.notices, Vetoed):
        return None
    if answer.status is Status.UNKNOWN and (non_norm_kind(name) or name.tipo_documento[0] == "publicacao.oficial"):
        return None
    return str(_short_status(store, answer, writer, None).striptags())


def _short_status(store: Store, answer: InForce, writer: PageWriter, effect: WithoutEffect | None) -> Markup:
    """Return the status in a word or two, and that the sources differ where they do."""
    is_vetoed = any_of(answer.notices, Vetoed)
    status = writer.agreed("status.vetoed", answer.name) if is_vetoed else status_label(answer, writer, effect)
    return writer.words("status.contested", status=status) if is_disputed(store, answer) else status


#: Authorities that are levels of government (LexML 1.0 part 2, section 8.3.3).
_LEVELS = frozenset({"federal", "estadual", "distrital", "municipal"})


def authority_of(name: Name, vocabulary: Vocabulary) -> str | None:
    """Return the authority that passed a norm; None where the name only has the level of government."""
    authority = ",".join(map(";".join, name.autoridade))
    return authority_label(authority, vocabulary) if authority not in _LEVELS else None


#: The maximum number of provisions with omissions that a sentence names.
_NAMED = 8


def excerpt_sentence(blocks: Iterable[Block], writer: PageWriter) -> Markup | None:
    """Return the sentence with the provisions of which the sources omit words; None where there are none."""
    names = list(dict.fromkeys(block.name for block in blocks if _has_omissions(block)))
    if not names:
        return None
    return writer.words("text.excerpts", parts=_parts_in_words(names, writer))


def _parts_in_words(names: Sequence[str], writer: PageWriter) -> str:
    parts = ", ".join(writer.within(parse(name)) for name in names[:_NAMED])
    return parts + (writer.words("text.excerpts_more", n=len(names) - _NAMED) if len(names) > _NAMED else "")


def has_text(store: Store, norm: Name) -> bool:
    """Return whether a source has provisions of a norm."""
    return bool(containers_by_provision(store, norm.iri))


def partial_sentence(store: Store, text: TextAnswer, writer: PageWriter) -> Markup | None:
    """Return the sentence that a text of a norm lacks articles, or that the store has no text of a norm in force; None
    for a text without gaps, and for a provision.
    """
    norm = parse(text.name)
    if norm != norm.work:
        return None
    if text.status is not None and text.status.stands and not has_text(store, norm):
        return writer.words("text.not_held")
    missing = next((notice for notice in text.notices if isinstance(notice, ArticlesMissing)), None)
    if missing is None:
        return None
    gaps = [(gap.first, gap.last) for gap in missing.gaps]
    return writer.words("text.partial", articles=articles_in_words(gaps, writer.words.language.code))


_LEFT_OUT = {Status.UNKNOWN: "text.left_out_unknown", Status.VACATIO: "text.left_out_vacatio"}


def coming_note(block: Block, writer: PageWriter) -> Markup:
    """Return the note at the place of a provision that is not yet in force: its first day of force."""
    words = writer.words
    if block.starts is None:
        return words("text.coming_unknown")
    return words("text.coming", day=words.time(block.starts))


def coming_sentence(blocks: Iterable[Block], status: Status, writer: PageWriter) -> Markup | None:
    """Return the sentence that names the provisions that are not yet in force; None if there are none.

    If the status is unknown or vacatio, the sentence does not imply that the other provisions are in force.

    Args:
        status: the status of the norm or provision of the text.
    """
    names = [block.name for block in blocks if block.coming]
    if not names:
        return None
    return writer.words(_LEFT_OUT.get(status, "text.left_out"), parts=_parts_in_words(names, writer))


def _has_omissions(block: Block) -> bool:
    """Return whether the sources omit words. The dotted lines of a quoted amendment are words of the law itself."""
    if "_alt" in block.fragments[0] or "omi" in block.fragments[0]:
        return False
    return block.situation == Situation.OMISSIS or any(map(is_excerpt, block.lines))


def status_in_words(store: Store, answer: InForce, writer: PageWriter) -> str:
    """Return the status on the day, with the event and the day of the end of an ended norm."""
    name = parse(answer.name)
    if answer.status is Status.UNKNOWN and non_norm_kind(name):
        return str(writer.words("norm.not_a_norm"))
    if answer.status in ENDED or any_of(answer.notices, Vetoed):
        return str(line_of(store, answer, writer).text.striptags())
    return str(_short_status(store, answer, writer, without_effect(store, answer)).striptags())


def summaries_of_text(answer: TextAnswer) -> tuple[str, ...]:
    """Return the ementa that a text has; empty if it has none, or if the sources do not decide it."""
    return tuple(
        part.text
        for part in answer.provisions
        if part.name.endswith("!ementa") and part.text is not None and not part.undecided
    )
