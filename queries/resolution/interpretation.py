"""Interprets a user's text: the name that it identifies, or why it identifies none.

Questions about a norm accept any text. If exactly one work matches every stated field, it is used, with a notice.
Otherwise the candidates are returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from graph.errors import BadName, UnknownName
from graph.store import Store
from graph.urn import Name, parse_or_none
from queries import notices
from queries.catalogue import Kind, Query, invalid_value
from queries.evidence import records
from queries.question import ask, days
from queries.resolution import Understood
from queries.resolution.occupants import occupant_on
from queries.resolution.spelling import check_text_length, is_name, name_in_address, stripped_name


def refuse_bad_question(
    name: str, on: date | str | None = None, as_known: date | str | None = None, axis: str | None = None
) -> None:
    """Check a question before a store is opened.

    Raises:
        BadName, BadDate, BadParameter: the question is invalid.
    """
    if not is_name(check_text_length(name)):
        days(on, as_known, axis)
        return
    try:
        ask(name, on, as_known, axis)
    except BadName:
        from graph.vocabulary import built_in  # noqa: PLC0415 - slow to import
        from queries.resolution.names import loosely_read  # noqa: PLC0415 - slow to import

        loosely_read(stripped_name(name), built_in())


def interpret(store: Store, text: str | Name, on: date | None = None, as_known: date | str | None = None) -> Understood:
    """Return the interpretation of a text in this store.

    A name known to the store, or complete and unknown, is kept; so is one with only deleted records. An incomplete
    name, a nickname or a citation identifies the only work that matches all its fields, if every word was understood.
    An identifier that several provisions had in sequence means the provision of the day.

    Args:
        text: a name, a citation or a nickname.
        on: the day of the citation, which decides between norms with one nickname, and between provisions with one
            identifier; default the day in the name, else today.
        as_known: K, which also decides between provisions; default today.

    Raises:
        BadName: the text has the form of a name and is invalid.
    """
    understood = _interpret(store, text, on)
    if understood.name is None or understood.name.fragmento is None:
        return understood
    name, notice = occupant_on(store, understood.name, on, as_known)
    return understood if notice is None else Understood(name, (*understood.notices, notice))


def only_mentioned(store: Store, understood: Understood) -> Name | None:
    """Return the norm or provision, described by no source, that a text names and that sources mention; else None."""
    from queries.unsourced import mentioned_act  # noqa: PLC0415 - slow to import; most texts identify a norm

    stated = (notice.name for notice in understood.notices if isinstance(notice, notices.UnknownName))
    name = parse_or_none(next(stated, ""))
    return mentioned_act(store, name) if name is not None else None


def identified(store: Store, text: str | Name) -> Name:
    """Return the norm or provision that a text identifies; a citation may also mean one that sources only mention.

    Raises:
        BadName: the text has the form of a name and is invalid.
        UnknownName: it identifies none, or several; with the nearest names.
    """
    understood = interpret(store, text)
    if understood.name is not None:
        return understood.name
    mentioned = only_mentioned(store, understood)
    if mentioned is not None:
        return mentioned
    from queries.messages import why_unknown  # noqa: PLC0415 - slow to import; most texts identify a norm

    why = why_unknown(understood.notices)
    if notices.any_of(understood.notices, notices.NotUnderstood):
        from queries.resolution.suggesting import nearest  # noqa: PLC0415 - slow to import

        near = ", ".join(f"{each.text} ({each.name})" for each in nearest(store, str(text)))
        advice = f"the nearest: {near}" if near else "search for words of it with `vigente search` or Store.search"
        why = f"no norm in this store has this name; {advice}"
    elif notices.any_of(understood.notices, notices.UnknownName):
        why = f"{why}; `vigente get` loads norms"
    raise UnknownName(str(text), f"{str(text)!r}: {why}")


def cited_names(store: Store, query: Query, values: Mapping[str, object]) -> dict[str, str]:
    """Return the names that citations, nicknames and incomplete names in the parameters of a query identify.

    Names of works of the store are left out, and incomplete names that identify no work.

    Raises:
        BadParameter: a citation or nickname identifies no norm.
    """
    names: dict[str, str] = {}
    for parameter in query.parameters:
        value = values.get(parameter.name)
        if not isinstance(value, str):
            continue
        if parameter.may_cite(value):
            try:
                names[parameter.name] = identified(store, value).canonical
            except UnknownName as error:
                raise invalid_value(query.name, parameter, error) from None
        elif parameter.kind is Kind.IRI and (incomplete := parse_or_none(value)):
            understood = None if records(store, incomplete.work.iri) else interpret(store, value).name
            if understood is not None and understood.canonical != value:
                names[parameter.name] = understood.canonical
    return names


def _interpret(store: Store, text: str | Name, on: date | None) -> Understood:
    known = _known_name(store, text)
    if known is not None:
        return Understood(known)
    from queries.resolution.names import interpret_name, interpret_name_text  # noqa: PLC0415 - slow to import

    if isinstance(text, Name):
        return interpret_name(store, text)
    spelled = name_in_address(check_text_length(text)) or text
    if is_name(spelled):
        return interpret_name_text(store, spelled)
    from queries.resolution.typed import interpret_words  # noqa: PLC0415 - slow to import; most questions state a name

    return interpret_words(store, text, on)


def _known_name(store: Store, text: str | Name) -> Name | None:
    """Return the name that a text states, if the store knows it. Most questions have such a name."""
    name = text if isinstance(text, Name) else parse_or_none(text)
    if name is None or name.text != name.canonical or not records(store, (name.provision or name.work).iri):
        return None
    return name
