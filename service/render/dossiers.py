"""The dossier of a norm as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from queries.dossier import Dossier
from queries.english import explanation_message, message, reason_message
from service.output import shown
from service.render.answers import answer_text, axis_lines, interval_text, notice_lines, period_text
from service.render.tables import table

#: The maximum number of printed names of a relation.
_MAX_NAMES = 20


def dossier_lines(dossier: Dossier, width: int | None = None, published: date | None = None) -> Iterator[str]:
    """Yield the lines of a dossier, most important first.

    Args:
        dossier: the dossier.
        width: as for :func:`table`.
        published: as for :func:`in_force_lines`.
    """
    answer, today = dossier.day.answer, dossier.today.answer
    yield dossier.name
    called = dossier.around.called if dossier.around is not None else None
    if called is not None:
        yield from (
            f"  {text}"
            for text in dict.fromkeys((called.epigraph, *(nickname.value for nickname in called.nicknames)))
            if text
        )
    yield f"  on {answer.on}, as known on {answer.as_known}, {answer.axis}: {answer_text(answer, published)}"
    if answer.version is not None:
        yield f"  version    {answer.version.name}"
    yield from axis_lines(answer.force, answer.efficacy)
    yield f"  today      {answer_text(today, published)}"
    for reason in dossier.day.reasons:
        yield f"  reason     {explanation_message(reason)}"
    yield from notice_lines(dossier.notices)
    for contradiction in dossier.contradictions:
        yield f"  contradicted {message(contradiction.notice)}"
    rows = [
        (
            interval_text(text.valid_from, text.valid_until),
            interval_text(text.known_from, text.known_until),
            period_text(dossier.name, text, published),
        )
        for text in dossier.texts
    ]
    if rows:
        yield from table(("valid", "known", "text"), rows, width)
    for note in dossier.notes[:_MAX_NAMES]:
        yield f"  note       {note.provision.partition('!')[2] or 'norm'}: {shown(note.text)}"
    if len(dossier.notes) > _MAX_NAMES:
        yield f"  note       and {len(dossier.notes) - _MAX_NAMES} more (--json lists all)"
    for heading, effects in (("acted on by", dossier.effects_on), ("acts on", dossier.effects_by)):
        for effect in effects:
            yield f"  {heading:<11} {effect.name}: {reason_message(effect.reason)}"
    for related in dossier.around.related if dossier.around is not None else ():
        names = ", ".join(related.names[:_MAX_NAMES])
        more = f" and {len(related.names) - _MAX_NAMES} more" if len(related.names) > _MAX_NAMES else ""
        yield f"  {related.code:<10} {names}{more}"
    for item, version in dossier.copies:
        fields = (item.format, item.kind, item.url, version)
        yield f"  copy       {' '.join(part for part in fields if part)}"
    for source in dossier.sources:
        yield f"  source     {source.called}"
    for provider, newest in answer.known_up_to:
        yield f"  harvested up to {newest} from {provider}"
