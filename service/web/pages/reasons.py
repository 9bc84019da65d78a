"""Reasons of an answer as sentences of a page: events with their causes and days, and changes that were undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from markupsafe import Markup

from graph.document_kinds import begins_with_its_event
from graph.terms import day_stated
from graph.time.kinds import Axis
from graph.urn import parse
from graph.wording.provisions import provision_name
from ontology.events import FIRST_TEXT_EVENTS, EventKind
from queries.answers import InForce
from queries.reason_days import most_exact
from queries.reasons import Reason, interrupts
from service.web.pages.frame import counted, format_markup
from service.web.pages.writer import PageWriter, SourcedSentence

_CONVERSION, _AMENDMENT, _SIGNATURE = EventKind.CONVERSAO, EventKind.ALTERACAO, EventKind.ASSINATURA
_LAPSE = EventKind.CADUCIDADE
_LAPSES = frozenset({_LAPSE, EventKind.REJEICAO})
#: A word in the names of courts.
_COURT = "tribunal"
#: The events that create a text.
OF_TEXTS = frozenset({EventKind.ALTERACAO, *FIRST_TEXT_EVENTS})
#: The events that make a text, or decide when one enters into force.
_OF_FORCE = OF_TEXTS | {
    EventKind.ENTRADA_VIGOR,
    EventKind.INICIO_VIGENCIA,
    EventKind.PRORROGACAO_VACATIO,
    EventKind.REDACAO,
    EventKind.REPUBLICACAO,
    EventKind.RESTAURACAO,
    EventKind.RETIFICACAO,
    EventKind.VIGENCIA_PROPRIA,
}


def begins_force(event: str | None) -> bool:
    """Return whether an event makes a text, or decides when one enters into force. Others end a norm or its effect."""
    return event in _OF_FORCE


def effect_in_words(event: str | None, stated: str | None, writer: PageWriter) -> Markup:
    """Return the time of an event's effect in words, as the start of force or of effects.

    Args:
        event: the notation of the event.
        stated: as for :meth:`PageWriter.when`.
    """
    when = writer.when(stated)
    if not begins_force(event):
        return writer.words("norm.effect_of", when=when)
    day = day_stated(stated)
    key = "norm.force_from" if day is not None and day.exact is not None else "norm.force_start"
    return writer.words(key, when=when)


def is_only_signature(reason: Reason) -> bool:
    """Return whether a reason is a signature whose stated day of effect is its own day, which starts no force."""
    return reason.event == _SIGNATURE and reason.effect is not None and reason.effect == reason.known


def effect_of_reason(reason: Reason, writer: PageWriter) -> Markup:
    """Return the time of a reason's effect in words. The day of a signature is not shown as the start of force."""
    if is_only_signature(reason):
        return writer.words("norm.effect_signed", when=writer.published(reason.effect))
    day = day_stated(reason.effect)
    if reason.of_act and day is not None and day.last is not None:
        if not begins_force(reason.event):
            return writer.words("norm.end_of_act", when=writer.published(reason.effect))
        return writer.words("norm.effect_of_act", when=writer.published_of(reason.effect or ""))
    return effect_in_words(reason.event, reason.effect, writer)


def reason_sentence(reason: Reason, writer: PageWriter) -> SourcedSentence:
    """Return the event that decided an answer, with its cause and days."""
    is_signed, published = _signature(reason, writer)
    kind = ""
    if published is not None:
        kind = "_published"
    elif _is_of_no_norm(reason):
        kind = "_of_text"
    elif is_only_signature(reason):
        kind = "_signature"
    elif is_signed or (reason.of_act and reason.named is None):  # a named act has its own day of publication
        kind = "_signed"
    text = writer.words(
        f"norm.reason{kind}",
        event=event_in_words(reason, writer),
        by=writer.words("norm.caused_by", cause=cause_in_words(reason, writer)) if reason.cause is not None else "",
        effect=effect_of_reason(reason, writer),
        known=writer.published(reason.known),
        published=writer.published(published.isoformat()) if published is not None else "",
        counted=counted(reason.counted, writer.words) if reason.counted is not None else "",
    )
    return SourcedSentence(text, reason.source)


def _signature(reason: Reason, writer: PageWriter) -> tuple[bool, date | None]:
    """Return whether a reason is known since a signature, and the later day of publication where a source has it.

    The day of an act in its name is that of its signature. An act of a court has none.
    """
    if reason.event == _SIGNATURE:
        return True, None
    if reason.cause is None or reason.known is None:
        return False, None
    act = parse(reason.cause).work
    signed = act.representative_date
    if signed is None or reason.known != signed.isoformat() or _COURT in act.canonical.partition(";")[0]:
        return False, None
    published = writer.published_on(act) if writer.published_on is not None else None
    return published != signed, published if published is not None and published > signed else None


def event_in_words(reason: Reason, writer: PageWriter) -> Markup:
    """Return the event of a reason in words, with the provisions if it acts on only a part of a norm."""
    if reason.event == _LAPSE and reason.cause is not None:  # only a law that converts a measure causes a lapse
        return writer.words("norm.event_not_kept")
    if not reason.provisions:
        return format_markup("{}", writer.event_of(reason))
    parts = [provision.rpartition("!")[2] for provision in reason.provisions]
    called = provision_name(parts, language=writer.frame.language.code)
    text = writer.words("norm.event_in_part", event=writer.event(reason.event).lower(), provisions=called)
    return text[:1].upper() + text[1:]


def cause_in_words(reason: Reason, writer: PageWriter) -> Markup:
    """Return the norm that caused an event as a link, marked where the cause is inferred from dates."""
    cause = writer.link(reason.cause or "", short=True)
    return writer.words("norm.inferred", cause=cause) if writer.is_inferred(reason) else cause


def reason_sentences(because: Iterable[Reason], writer: PageWriter) -> list[SourcedSentence]:
    """Return the events that decided an answer, each sentence once.

    An event that one source dates within bounds, and another exactly, is shown with the exact days.
    """
    shown = (reason_sentence(reason, writer) for reason in most_exact(because))
    return list({reported.text: reported for reported in shown}.values())


def _is_of_no_norm(reason: Reason) -> bool:
    """Return whether a reason made a text of a bill or judgment, which has no start of force."""
    return (
        reason.version is not None
        and reason.effect in {None, reason.known}
        and begins_with_its_event(parse(reason.version).work)
    )


def undone_change(
    reason: Reason,
    answer: InForce,
    writer: PageWriter,
    is_kept: Callable[[Reason, Reason], bool] = lambda _, __: False,
) -> SourcedSentence:
    """Return the sentence for a change whose cause was undone: since when the original applies again, and why.

    Args:
        reason: the reason with the events that undid it.
        answer: the answer that the reason belongs to.
        is_kept: returns whether the law of a conversion has an act like that of the measure.
    """
    undone = reason.undone_by[0]
    if not answer.status.stands or len(reason.undone_by) > 1 or undone.undone_by:
        chain = _chain(reason, answer.name, writer)
        return SourcedSentence(writer.words("norm.undone", chain=chain[:1].upper() + chain[1:]), reason.source)
    kept = undone.event == _CONVERSION and is_kept(reason, undone)
    values: dict[str, object] = {"what": _undone_act(reason, undone, writer, kept=kept)}
    asked, effect = answer.force if answer.axis is Axis.FORCE else answer.efficacy, day_stated(undone.effect)
    key = "norm.undone_in_force"
    if kept or (undone.event == _CONVERSION and undone.cause is None):
        pass
    elif asked.since is not None and undone.effect == asked.since.isoformat():
        key = "norm.undone_again" if interrupts(reason) else "norm.undone_since"
        values["day"] = writer.words.time(asked.since)
    elif undone.known is not None and effect is not None and effect.certain_on(answer.on):
        key = "norm.undone_known_wording" if reason.event == _AMENDMENT else "norm.undone_known"
        values["known"] = writer.published_of(undone.known)
    return SourcedSentence(writer.words(key, **values), reason.source)


def _undone_act(reason: Reason, undone: Reason, writer: PageWriter, *, kept: bool) -> Markup:
    """Return an act and the event that undid it, in words: the amendment by A lost its effect."""
    words = writer.words
    act = _act(reason, writer)
    if reason.cause is not None:
        act = words("norm.undone_act_by", act=act, by=writer.by_one(reason.cause, short=True))
    if undone.event in _LAPSES:
        return words("norm.undone_lapsed", act=act)
    if undone.event == _CONVERSION:
        if undone.cause is None:
            return words("norm.undone_converted", act=act)
        key = "norm.undone_kept" if kept else "norm.undone_not_kept"
        return words(key, act=act, law=writer.link(undone.cause, short=True))
    if undone.cause is None:
        ending = words("norm.undone_ending", act=_act(undone, writer))
    else:
        ending = words("norm.undone_ending_by", act=_act(undone, writer), by=writer.by_one(undone.cause, short=True))
    return words("norm.undone_void", act=act, ending=ending)


def _act(reason: Reason, writer: PageWriter) -> Markup:
    """Return an event as a noun with its article."""
    key = f"norm.undone_act_{(reason.event or '').replace('.', '_')}"
    if writer.words.has(key):
        return writer.words(key)
    return writer.words("norm.undone_act_other", event=writer.event(reason.event).lower())


def _chain(reason: Reason, name: str, writer: PageWriter) -> Markup:
    """Return an event and the events that undid it, in words: revoked by A, which was annulled by B."""
    words, key = writer.words, f"norm.undone_by_{(reason.event or '').replace('.', '_')}"
    if words.has(key):
        text = writer.agreed(key, name)
    else:
        text = words("norm.undone_by_event", event=writer.event(reason.event).lower())
    if reason.cause is not None:
        text += " " + writer.by_one(reason.cause, short=True)
    for undoing in reason.undone_by:
        text += words("norm.undone_which", chain=_chain(undoing, reason.cause or name, writer))
    return text
