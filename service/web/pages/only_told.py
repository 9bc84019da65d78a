"""What a page says of a norm that no source describes, and of which a fact is told all the same."""

from __future__ import annotations

from markupsafe import Markup

from graph.errors import BadName
from graph.store import Store
from graph.today import today
from graph.urn import parse
from queries.answers import InForce, Status
from queries.evidence import records
from queries.only_told import OnlyTold, first_told, only_told
from queries.referring import referring
from queries.withdrawn import gone_for
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.names.refusals import unknown
from service.web.pages.sentences import Sentences

__all__ = ["NO_MORE_TOLD", "apart", "only_facts", "refused", "undescribed"]

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
    if answer.status is Status.UNKNOWN and parse(answer.name).tipo_documento[0] == "publicacao.oficial":
        return say.words("norm.is_issue")
    return None


def undescribed(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """The status of what no source describes, or none any more; None of all that stands as a norm does.

    Raises:
        StoreProblem: the store cannot be read.
    """
    return only_facts(store, answer, say) or _told_later(store, answer, say) or _withdrawn(store, answer, say)


def _told_later(store: Store, answer: InForce, say: Sentences) -> Markup | None:
    """That what is told of a norm could not be known yet on the day by whose knowledge is asked."""
    if not any(notice.code == "not-yet-told" for notice in answer.notices):
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
    detail = f"{NO_MORE_TOLD}{name.canonical}, and none has a text of it or a day of force: {facts}"
    address = name_path(name.canonical)
    candidate = {"name": name.canonical, "address": address, "why": "its page has what is told of it"}
    return Problem(404, "unknown-name", detail, more={"candidates": [candidate]})
