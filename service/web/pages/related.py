"""What documents are to a norm, in words: the relation as a heading, and what an issue of a gazette made known."""

from __future__ import annotations

from graph.store import Store
from graph.urn import Name, parse
from graph.wording.labels import is_feminine
from queries.evidence import versions
from service.web.pages.labels import labelled
from service.web.pages.sentences import Sentences
from service.web.pages.surroundings import Related

__all__ = ["issued", "relation_called", "rest_of"]

#: The queries of the catalogue that have all documents of a relation, with the parameter that takes the norm's name;
#: those that are related by what a record says of the norm are in its description.
_LISTED = {
    "amended-by": ("amendments_of_work", "norma"),
    "publishes": ("contents_of_issue", "edicao"),
    "cites": ("citations", "norma"),
    "cited-by": ("citations", "norma"),
    "annulled-by": ("events_of_work", "norma"),
    "declared-void-by": ("events_of_work", "norma"),
    "repealed-by": ("events_of_work", "norma"),
    "suspended-by": ("events_of_work", "norma"),
    "annulled-in-part-by": ("provisions_acted_on", "norma"),
    "declared-void-in-part-by": ("provisions_acted_on", "norma"),
    "suspended-in-part-by": ("provisions_acted_on", "norma"),
}


def relation_called(related: Related, norm: Name, say: Sentences) -> str:
    """What documents are to a norm, as the heading of their list: it agrees with the norm.

    Args:
        related: the documents.
        norm: without version.
        say: the words of the page.
    """
    key = f"norm.rel_{related.relation.rpartition('/')[2].rpartition('#')[2].replace('-', '_')}"
    if say.words.has(f"{key}_him") and not is_feminine(norm, say.vocabulary):
        key = f"{key}_him"
    if say.words.has(key):
        return say.words(key)
    return (labelled(related.relation, say.frame.language) or related.relation).capitalize()


def rest_of(related: Related, norm: Name) -> dict[str, str]:
    """The example of the SPARQL editor, with its parameter, that has all documents of a relation to a norm."""
    query, parameter = _LISTED.get(related.relation, ("describe_work", "norma"))
    return {"example": query, parameter: norm.canonical}


def issued(store: Store, norm: Name, issue: str, say: Sentences) -> list[str]:
    """What became known of a norm on the very day of an issue of a gazette, in words.

    Args:
        store: an opened store.
        norm: without version.
        issue: its name, canonical.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = parse(issue).representative_date
    seen = [one.event for one in versions(store, norm.iri) if day is not None and one.view_date == day]
    return [say.event(event).lower() for event in dict.fromkeys(seen) if event is not None]
