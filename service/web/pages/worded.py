"""Which norms gave a provision the words that it has: those of today, and those of each row of its history."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, parse
from queries import in_force
from queries.answers import InForce, Reason
from queries.causes import causes
from queries.evidence import versions
from queries.text.same_text import versions_on
from service.web.pages.history import age, first_made
from service.web.pages.inferred import stated_of
from service.web.pages.sentences import Sentences

__all__ = ["given_by", "newest", "worded"]


def newest(store: Store, answer: InForce) -> str | None:
    """The version whose text is the newest in an answer: of an article, perhaps that of one of its paragraphs.

    Args:
        store: an opened store.
        answer: for one D and K.

    Returns:
        Its canonical name; None where no version answers.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if answer.version is None:
        return None
    return max((answer.version.name, *_held(store, answer)), key=age)


def worded(store: Store, answer: InForce) -> Iterator[Reason]:
    """What worded that which a provision holds on the day of an answer, beside the version that answers.

    Args:
        store: an opened store.
        answer: for one D and K.

    Raises:
        StoreProblem: the store cannot be read.
    """
    if answer.version is None:
        return
    made = {parse(version).versao: version for version in sorted(_held(store, answer))}
    made.pop(parse(answer.version.name).versao, None)
    for version in sorted(made.values(), key=age):
        part = parse(version).provision
        if part is not None:
            yield from in_force(store, part, answer.on, answer.as_known, answer.axis).because


def _held(store: Store, answer: InForce) -> tuple[str, ...]:
    """The versions of a provision and of what it holds; of a norm none: each of its texts is a version of it."""
    name = parse(answer.name)
    return versions_on(store, name, answer.on, answer.as_known) if name != name.work else ()


def given_by(store: Store, norm: Name, say: Sentences) -> Callable[[str], Markup]:
    """Tells of a version by which norms it was made, where a source states it; else nothing.

    Args:
        store: an opened store.
        norm: without version.
        say: the words of the page.
    """
    caused = causes(store, norm.iri, versions(store, norm.iri))
    stated = stated_of(store, norm.iri)

    def told(version: str) -> Markup:
        made = first_made(store, version)
        names = caused.get(made, ()) if made in stated else ()
        return Markup(" ") + say.words("norm.given_by", by=say.by(names)) if names else Markup("")

    return told
