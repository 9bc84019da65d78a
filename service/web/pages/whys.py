"""Why something was found, clause by clause, in the language of the page: the queries say it in English."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup

from graph.errors import BadName
from graph.urn import parse
from graph.wording.labels import authority_label, place_label
from service.web.pages.sentences import Sentences
from service.web.pages.words import marked

__all__ = ["why"]

#: Clauses of the queries, each with its message; what a group catches is the message's value.
_CLAUSES = tuple(
    (re.compile(pattern), f"why.{key}")
    for pattern, key in (
        (r"a component of its number agrees", "component"),
        (r"a source calls it equivalent to (?P<name>\S+)", "equivalent"),
        (r"agrees in every field", "every"),
        (r"authority (?P<words>.+)", "said_authority"),
        (r"cited as (?P<name>\S+)", "cited_as"),
        (r"every record about it is gone", "gone"),
        (r"it names the cause of what happened to it", "names_cause"),
        (r"it refers to the name", "refers"),
        (r"its full date is (?P<day>\S+)", "full_date"),
        (r"its name has the year alone", "year_alone"),
        (r"its version begins with what was said", "begins"),
        (r"known as (?P<words>.+)", "known_as"),
        (r"of (?P<day>[0-9]{4}(?:-[0-9]{2}-[0-9]{2})?)", "of_day"),
        (r"nicknamed (?P<words>.+)", "nicknamed"),
        (r"of another authority: (?P<words>.+)", "other_authority"),
        (r"of another organ or of more authorities: (?P<words>.+)", "other_organ"),
        (r"of another subtype: (?P<words>.+)", "other_subtype"),
        (r"of another year: (?P<words>[0-9]+)", "other_year"),
        (r"of no subtype", "no_subtype"),
        (r"of the subtype (?P<words>.+)", "subtype"),
        (r"of the type (?P<words>.+)", "type"),
        (r"its page has what is told of it", "page_of_facts"),
        (r"one of its numbers agrees", "one_number"),
        (r"only facts are told of it", "only_facts"),
        (r"place (?P<words>.+)", "said_place"),
        (r"the authority is not said", "authority_unsaid"),
        (r"the name itself", "itself"),
        (r"the norm that the name belongs to", "norm"),
        (r"the number agrees", "number"),
        (r"the number is not said", "number_unsaid"),
        (r"the place is not said", "place_unsaid"),
        (r"it has some of the words", "some_words"),
        (r"it has the words", "has_words"),
        (r"it is (?P<words>.+)", "it_is"),
        (r"the type is not said", "type_unsaid"),
        (r"the version that the provision is of", "version"),
        (r"the words are read as (?P<name>\S+?)(?:: (?P<rest>.+))?", "read_as"),
        (r"they stand in (?P<name>\S+)", "stand_in"),
        (r"the year agrees, the day does not: it is (?P<day>\S+)", "other_day"),
        (r"the year agrees", "year"),
        (r"type (?P<words>.+)", "said_type"),
        (r"year (?P<words>[0-9]+)", "said_year"),
        (r"year and month agree", "month"),
    )
)


def why(clauses: Iterable[str], say: Sentences) -> Markup:
    """A reason in the page's language; a clause that has no other words stays in English."""
    return Markup("; ").join(_said(clause, say) for clause in clauses)


def _said(clause: str, say: Sentences) -> Markup:
    for pattern, key in _CLAUSES:
        found = pattern.fullmatch(clause)
        if found is None:
            continue
        values: dict[str, object] = dict(found.groupdict())
        if "name" in values:
            values["name"] = _named(str(values["name"]), say)
        if "day" in values:
            values["day"] = say.day(str(values["day"]))
        if key == "why.it_is":
            values["words"] = _place(str(values["words"]), say)
        rest = str(values.pop("rest", "") or "")
        text = say.words(key, **values)
        return text + Markup("; ") + _said(rest, say) if rest else text
    return marked('<span lang="en">{}</span>', clause)


def _named(name: str, say: Sentences) -> Markup | str:
    """A name in words; a version by its days, as the rest of the page has them, and not by the norm's whole title."""
    try:
        version = parse(name)
    except BadName:
        return name
    return say.wording(name) if version.versao is not None else say.label(version)


def _place(words: str, say: Sentences) -> str:
    """Place and authority, as the names of norms write them, in words; what is no such pair stays."""
    place, _, authority = words.partition(":")
    if not authority:
        return words
    where, who = place_label(place, say.vocabulary), authority_label(authority, say.vocabulary).lower()
    return who if place == "br" else f"{who} ({where})"
