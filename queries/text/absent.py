"""Provisions that no source has: whether the whole text of their norm lacks them, and the nearest provision in it.

A text is whole if the sources give all of it: its first article, no missing number up to the last one, no omission, the
words of every known amendment, and its end. Its end is given by a text that a source calls complete, by the versions of
such a text, or by the closing of the document. A text without a day is never whole, because an act may have changed it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from graph.civil import ONE_DAY
from graph.errors import NoSuchProvision, UnknownName
from graph.store import Store
from graph.time.editions import readable
from graph.time.kinds import ENDED, Situation, Status
from graph.urn import Name, from_iri, parse, parse_or_none, to_iri
from graph.wording.provisions import SIGNATURE, is_grouping, natural_order_key
from queries.answers import AxisAnswer, InForce
from queries.catalogue import named
from queries.causes import oldest
from queries.evidence import lifecycle_events, records
from queries.in_force import in_force
from queries.notices import (
    AmendmentWithoutVersion,
    DerivedText,
    OrderNotApplied,
    ProvisionUnknown,
    TextUnknown,
    UndatedText,
    WordsUnknown,
    any_of,
)
from queries.provisions import containers_by_provision, editions, is_excerpt
from queries.text.gaps import ARTICLE, missing_articles
from queries.unsourced import withdrawn_for

if TYPE_CHECKING:
    from queries.text.answers import ProvisionText, TextAnswer

    Answer = TypeVar("Answer", InForce, TextAnswer)

#: A function that returns the text of a norm on D, as known on K, on the axis of force.
Reading: TypeAlias = "Callable[[Store, Name, date, date], TextAnswer]"

#: A step of an identifier: its kind, its number, and the numbers of insertions after it.
_STEP = re.compile(r"([a-z]+)([0-9]*)((?:-[0-9]+)*)", re.ASCII)
#: The kinds of provisions of which a whole text has all, by the kinds that contain them.
_GROUPINGS = frozenset({"prt", "liv", "tit", "cap", "sec", "sub"})
_IN_ARTICLES = frozenset({"par", "inc", "ali", "ite"})
_ARTICLES = "art"
_ANNEX = "anx"
#: The parts with which the text of a document ends.
_CLOSING = ("localdatafecho", "fecho", SIGNATURE)
#: Notices on a text of which the words of an act are missing, or that no source dates.
_INCOMPLETE = (OrderNotApplied, TextUnknown, UndatedText)
#: Provisions that a text only marks as ended.
_GONE = frozenset({Situation.REVOGADO, Situation.VETADO})
#: The statuses of a norm without a text in force, whose last text still tells which provisions the norm has.
_AFTER_FORCE = frozenset({*ENDED, Status.SUSPENDED})


def located(store: Store, answer: Answer, reading: Reading | None = None) -> Answer:
    """Return an answer on a provision that no source has with the nearest provision, and whether there is none such.

    Its status becomes ``no-such-provision`` if the whole text of its norm on D, as known on K, lacks the provision.
    Other answers are unchanged.

    Args:
        answer: the answer for D and K.
        reading: returns the text of a norm; default :func:`queries.text.text.text`. A service passes its cache.
    """
    on, known = answer.on, answer.as_known
    if not any_of(answer.notices, ProvisionUnknown) or on is None or known is None:
        return answer
    target = parse(answer.name)
    of_norm = _last_text(store, target.work, on, known, reading)
    near = nearest_provision(of_norm, target) if of_norm.provisions else None
    is_missing = answer.status is Status.UNKNOWN and _has_none_such(store, of_norm, target)
    nearest = near.canonical if near is not None else None
    notices = tuple(
        replace(notice, day=on if is_missing else None, nearest=nearest)
        if isinstance(notice, ProvisionUnknown)
        else notice
        for notice in answer.notices
    )
    if not is_missing:
        return replace(answer, notices=notices)
    nothing = AxisAnswer(Status.NO_SUCH_PROVISION)
    return replace(answer, status=nothing.status, force=nothing, efficacy=nothing, notices=notices, nearest=nearest)


def missing_error(answer: InForce | TextAnswer) -> NoSuchProvision | None:
    """Return the error of a provision that its norm does not have; None for all other answers."""
    if answer.status is not Status.NO_SUCH_PROVISION or answer.on is None:
        return None
    return NoSuchProvision(answer.name, answer.on.isoformat(), answer.nearest)


def missing_provision(
    store: Store, name: str, on: date | None = None, as_known: date | None = None
) -> NoSuchProvision | None:
    """Return the error of a provision that its norm does not have on D, as known on K; None for any other text.

    Args:
        name: the canonical name of a provision, or any other text.
        on: D, a civil date; default today.
        as_known: K, a civil date; default today.
    """
    target = parse_or_none(name)
    if target is None or target.provision is None or records(store, target.provision.iri):
        return None
    return missing_error(located(store, in_force(store, target.provision, on, as_known)))


@contextmanager
def refusing_missing(store: Store) -> Iterator[None]:
    """Raise :class:`graph.errors.NoSuchProvision` for an unknown name of a provision that its norm does not have.

    Raises:
        UnknownName: the name is unknown for another reason.
    """
    try:
        yield
    except UnknownName as unknown:
        raise missing_provision(store, unknown.name) or unknown from None


def _last_text(store: Store, norm: Name, on: date, known: date, reading: Reading | None) -> TextAnswer:
    """Return the text of a norm on D as known on K; of a suspended or ended norm, the last one that was in force."""
    if reading is None:
        from queries.text.text import text  # noqa: PLC0415 - slow to import; few answers need the text of their norm

        reading = text
    answer = reading(store, norm, on, known)
    while not answer.provisions and answer.status in _AFTER_FORCE and answer.force is not None:
        since = answer.force.since
        if since is None:
            break
        answer = reading(store, norm, since - ONE_DAY, known)
    return answer


# Whether a text is whole.


def is_whole(store: Store, answer: TextAnswer, norm: Name) -> bool:
    """Return whether a text of a norm on D is whole, as known on K.

    Args:
        answer: the text.
        norm: the norm, without version.
    """
    if not answer.provisions or any_of(answer.notices, *_INCOMPLETE) or _lacks_an_amendment(answer):
        return False
    fragments = [provision.name.partition("!")[2] for provision in answer.provisions]
    if not any(map(ARTICLE.match, fragments)) or any(map(is_grouping, _open_provisions(answer))):
        return False
    if any(map(_is_cut, answer.provisions)) or missing_articles(store, answer.provisions, norm):
        return False
    return any(fragment.startswith(_CLOSING) for fragment in fragments) or _has_stated_end(store, answer, norm)


def _lacks_an_amendment(answer: TextAnswer) -> bool:
    """Return whether an act by D amended the norm, and no source has what it changed."""
    on = answer.on or date.max
    return any(
        isinstance(notice, AmendmentWithoutVersion) and oldest(notice.amending) <= on for notice in answer.notices
    )


def _is_cut(provision: ProvisionText) -> bool:
    """Return whether a source omits words of a provision. The dotted lines of a quotation are words of the law."""
    if "_alt" in provision.name:
        return False
    return provision.omitted or is_excerpt(provision.text)


def _open_provisions(answer: TextAnswer) -> frozenset[str]:
    """Return the identifiers of the provisions of which the sources do not decide the force or the words."""
    unknown = (name for notice in answer.notices if isinstance(notice, WordsUnknown) for name in notice.provisions)
    return frozenset(name.partition("!")[2] for name in (*answer.undecided, *unknown))


def _has_stated_end(store: Store, answer: TextAnswer, norm: Name) -> bool:
    """Return whether a source gives all provisions of the version of a text, or of that from which it is derived."""
    base = next((notice.base for notice in answer.notices if isinstance(notice, DerivedText)), None)
    version = answer.version or base
    if version is None or answer.as_known is None:
        return False
    texts = readable(editions(store, norm.iri), version, answer.as_known)
    return texts.missing is None and bool(texts.editions)


# Whether a norm has a provision.


def _has_none_such(store: Store, of_norm: TextAnswer, target: Name) -> bool:
    """Return whether a norm has no such provision: its text is whole, and no act acts on the provision.

    The text must have all parts of what would contain the provision. Names that differ only in the caput, in the mark
    of a sole part or in the act that inserted it mean one provision.
    """
    work = target.work
    asked = _plain(target.canonical)
    if not asked or not _is_kind_of_whole_text(asked) or not is_whole(store, of_norm, work):
        return False
    containers = containers_by_provision(store, work.iri)
    described = {_plain(from_iri(name)) for name in (*containers, *containers.values())}
    if any(_is_within(name, asked) for name in described) or _is_spoken_of(store, target, asked, described):
        return False
    inside = asked
    while inside and inside not in described:
        inside = inside.rpartition("_")[0]
    if inside and not _is_known_whole(of_norm, inside):
        return False
    if not inside and not _has_groups_like(asked, described):
        return False
    annex = asked.partition("_")[0] if asked.startswith(_ANNEX) else ""
    return not annex or _is_annex_whole(of_norm, annex)


def _plain(name: str) -> str:
    """Return the identifier of a provision without the caput, the marks of sole parts and the act that inserted it.

    >>> _plain("urn:lex:br:federal:lei:2001-03-05;99901!art1_cpt_inc2,lei-99902-2002-01-02"), _plain("art1_par1u")
    ('art1_inc2', 'art1_par1')
    """
    fragment = (name.rpartition("!")[2]).partition(",")[0]
    return "_".join(re.sub(r"(?<=[a-z]1)u$", "", step) for step in fragment.split("_") if step != "cpt")


def _is_within(name: str, other: str) -> bool:
    """Return whether an identifier is another one, or of a part of it."""
    return name == other or name.startswith(f"{other}_")


def _is_kind_of_whole_text(fragment: str) -> bool:
    """Return whether a whole text has every provision of that kind: groupings, articles and parts of articles."""
    kinds = [match[1] if (match := _STEP.fullmatch(step)) else "" for step in fragment.split("_")]
    if kinds[0] == _ANNEX:
        del kinds[0]
    while kinds and kinds[0] in _GROUPINGS:
        del kinds[0]
    if kinds and kinds[0] == _ARTICLES:
        return _IN_ARTICLES.issuperset(kinds[1:])
    return not kinds and fragment.rpartition("_")[2].startswith(tuple(_GROUPINGS))


def _is_spoken_of(store: Store, target: Name, asked: str, described: Collection[str]) -> bool:
    """Return whether an act acts on a provision, on a part of it, or on what no source describes and contains it.

    Another document may refer to it, too, or a provider may have withdrawn its record.
    """
    norm = target.work.canonical
    acted = [str(row["dispositivo"]) for row in named("provisions_acted_on").rows(store, {"norma": norm})]
    acted += [str(row["dispositivo"]) for row in named("operations_on").rows(store, {"norma": target.work.iri})]
    for name in map(_plain, map(from_iri, acted)):
        if name and (_is_within(name, asked) or (_is_within(asked, name) and name not in described)):
            return True
    for name in _paths(target.canonical):
        if _plain(name) not in described and any(lifecycle_events(store, to_iri(name))):
            return True
    mentions = named("references_to").rows(store, {"norma": target.canonical})
    return any(True for _ in mentions) or bool(withdrawn_for(store, target))


def _paths(name: str) -> Iterator[str]:
    """Yield the name of a provision, and those that contain it by their identifiers."""
    while "!" in name:
        yield name
        norm, _, fragment = name.rpartition("!")
        container = fragment.rpartition("_")[0]
        name = f"{norm}!{container}" if container else norm


def _is_known_whole(answer: TextAnswer, container: str) -> bool:
    """Return whether a text has the words of a provision and of what contains it, so that it has all their parts."""
    steps = container.split("_")
    index = next((place for place, step in enumerate(steps) if step.startswith(_ARTICLES)), None)
    article = "_".join(steps[: index + 1]) if index is not None else container
    if any(_is_within(container, _plain(name)) for name in _open_provisions(answer)):
        return False
    return index is None or any(
        provision.text for provision in answer.provisions if _is_within(_plain(provision.name), article)
    )


def _has_groups_like(asked: str, described: Iterable[str]) -> bool:
    """Return whether the sources give the groupings of a norm, and none with the number of a missing one elsewhere.

    A name may leave out the groupings around a chapter. Articles need no groupings.
    """
    last = asked.rpartition("_")[2]
    if not last.startswith(tuple(_GROUPINGS)):
        return True
    groups = [name for name in described if is_grouping(name)]
    return bool(groups) and all(name.rpartition("_")[2] != last for name in groups)


def _is_annex_whole(answer: TextAnswer, annex: str) -> bool:
    """Return whether a text has an annex with its articles from the first to the last."""
    inside = (_plain(provision.name).partition("_") for provision in answer.provisions)
    found = (ARTICLE.match(rest) for first, _, rest in inside if first == annex)
    numbers = {int(match[1]) for match in found if match is not None}
    return bool(numbers) and numbers == set(range(1, max(numbers) + 1))


# The nearest provision.


def nearest_provision(answer: TextAnswer, wanted: Name) -> Name | None:
    """Return the provision of a text that is nearest to a missing one; None where the text has nothing like it.

    Of the provisions of the same kind in the same container it is that with the nearest number; of two equally near
    ones, the earlier. Where there is none, it is the container. Provisions that the text marks as ended, or of which it
    is not decided whether they apply, are passed over. A part of an article that is missing itself is like the article.

    Args:
        answer: the text of the norm.
        wanted: the provision, without version.
    """
    named_by = _standing_provisions(answer)
    steps = _plain(wanted.canonical).split("_")
    held = {container for name in named_by for container in accumulate(name.split("_"), "{}_{}".format)}
    around = next((count for count in range(len(steps) - 1, 0, -1) if "_".join(steps[:count]) in held), 0)
    container, missing = "_".join(steps[:around]), steps[around]
    siblings = {step: name for name in named_by if (step := _inner_step(name, container)) is not None}
    kind, number = _numbered(missing)
    kinds = _GROUPINGS if kind in _GROUPINGS and not any(_numbered(step)[0] == kind for step in siblings) else {kind}
    alike = sorted((step for step in siblings if _numbered(step)[0] in kinds), key=natural_order_key)
    if alike:
        nearest = min(alike, key=lambda step: _distance(_numbered(step)[1], number))
        return parse(named_by[siblings[nearest]])
    return parse(named_by[container]) if container in named_by else None


def _standing_provisions(answer: TextAnswer) -> dict[str, str]:
    """Return the names of the provisions of a text, and of the articles of its parts, by their plain identifiers."""
    marks, undecided = answer.marks, frozenset(answer.undecided)
    names: dict[str, str] = {}
    for provision in answer.provisions:
        if provision.undecided or provision.name in undecided or marks.get(provision.name) in _GONE:
            continue
        plain = _plain(provision.name)
        if len(provision.name) <= len(names.get(plain, provision.name)):
            names[plain] = provision.name.removesuffix("_cpt")
    return names


def _inner_step(name: str, container: str) -> str | None:
    """Return the last step of an identifier directly within a container; None for others."""
    outer, _, last = name.rpartition("_")
    return last if outer == container else None


def _numbered(step: str) -> tuple[str, Sequence[int]]:
    """Return the kind of a step of an identifier, its number and the numbers of insertions after it.

    >>> _numbered("art55-1"), _numbered("ementa")
    (('art', (55, 1)), ('ementa', (0,)))
    """
    match = _STEP.fullmatch(step)
    if match is None:
        return step, (0,)
    return match[1], (int(match[2] or 0), *(int(number) for number in match[3].split("-") if number))


def _distance(number: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Return how far a number is from another one, with those of insertions, as a sort key."""
    width = max(len(number), len(other))
    first, second = ((*each, *[0] * (width - len(each))) for each in (number, other))
    return tuple(abs(one - another) for one, another in zip(first, second, strict=True))
