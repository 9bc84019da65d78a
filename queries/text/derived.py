"""Derived texts in answers: used if no published text is as new; a notice reports a differing published text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from graph.store import Store
from graph.time.kinds import ENDED, Situation
from graph.urn import Name, from_iri, parse
from queries.catalogue import named
from queries.notices import (
    AmendmentWithoutVersion,
    DerivedDiffers,
    DerivedText,
    Notice,
    ProvisionsMarked,
    TextUnknown,
    UndecidedProvisions,
    WordsUnknown,
)
from queries.orders import DerivedNormText, derived_texts
from queries.status import status_on
from queries.text.answers import ProvisionText, TextAnswer, marked_provisions


def with_derived(store: Store, norm: Name, target: Name, answer: TextAnswer) -> TextAnswer:
    """Return an answer with the derived text of its day instead of an older published one, or with a notice on
    differences.

    Args:
        norm: the norm, without version.
        target: the requested norm or provision, without version.
        answer: the answer for a day from published texts alone.
    """
    on, known = answer.on, answer.as_known
    if on is None or known is None or answer.status is None or not answer.status.stands:
        return answer
    derived = [
        derived_text
        for derived_text in derived_texts(store, norm)
        if derived_text.day <= on and derived_text.known <= known
    ]
    if not derived:
        return answer
    if derived[-1].in_use:
        return _with_derived_provisions(store, target, answer, derived[-1])
    notices: list[Notice] = [*answer.notices]
    shown = {provision.name: provision for provision in answer.provisions}
    for derivation in derived:
        still = tuple(
            name
            for name in derivation.differs
            if _is_within(name, target) and (name not in shown or not _is_later(shown[name], derivation.day))
        )
        if still:
            notices.append(DerivedDiffers(derivation.day, derivation.acts, still))
    return replace(answer, notices=tuple(dict.fromkeys(notices)))


def _is_within(name: str, target: Name) -> bool:
    asked = target.canonical
    return target == target.work or name == asked or name.startswith(f"{asked}_")


def _is_later(part: ProvisionText, day: date) -> bool:
    made = parse(part.version).version_date if part.version is not None else None
    return made is not None and made > day


def _with_derived_provisions(store: Store, target: Name, answer: TextAnswer, derived: DerivedNormText) -> TextAnswer:
    published = {provision.name: provision for provision in answer.provisions}
    all_ = _parts_of_target(parts_of_derived(store, derived.text, published), target)
    parts = tuple(part for part in all_ if part.name in published or not _has_ended(store, part, answer))
    undecided = tuple(part.name for part in parts if part.undecided)
    gone = (TextUnknown, UndecidedProvisions, ProvisionsMarked)
    notices: list[Notice] = [
        notice
        for notice in answer.notices
        if not isinstance(notice, (*gone, WordsUnknown))
        and not (isinstance(notice, AmendmentWithoutVersion) and notice.amending in derived.acts)
    ]
    shown = {name for part in parts if part.text is not None for name in (part.name, part.name.removesuffix("_cpt"))}
    for notice in answer.notices:
        if isinstance(notice, WordsUnknown):
            wordless = tuple(name for name in notice.provisions or (target.canonical,) if name not in shown)
            notices.extend([replace(notice, provisions=notice.provisions and wordless)] if wordless else [])
    notices.append(DerivedText(derived.day, derived.acts, derived.base))
    if undecided:
        notices.append(UndecidedProvisions(undecided))
    suspended = [name for name, situation in answer.marks.items() if situation == Situation.SUSPENSO]
    notices.extend(marked_provisions(parts, suspended))
    return replace(answer, provisions=parts, undecided=undecided, notices=tuple(dict.fromkeys(notices)))


def _has_ended(store: Store, part: ProvisionText, answer: TextAnswer) -> bool:
    """Return whether a provision of a derived text, made from what was known then, has ended by another event."""
    on, known = answer.on, answer.as_known
    if on is None or known is None:
        return False
    return status_on(store, parse(part.name), on, known) in ENDED


def parts_of_derived(store: Store, text: str, published: dict[str, ProvisionText]) -> tuple[ProvisionText, ...]:
    """Return the provisions of a derived text in their order.

    Args:
        text: its IRI.
        published: provisions of the published text by name, for the versions of unchanged ones.
    """
    provisions: dict[str, ProvisionText] = {}
    levels: dict[str, int] = {}
    for row in named("parts_of_derived_text").rows(store, {"texto": text}):
        name = from_iri(str(row["dispositivo"]))
        act = (from_iri(str(row["ato"])),) if row["ato"] is not None else ()
        if name in provisions:
            made_by = tuple(dict.fromkeys((*provisions[name].derived_from, *act)))
            provisions[name] = replace(provisions[name], derived_from=made_by, version=None)
            continue
        fragment = name.partition("!")[2]
        within = row["dentroDe"]
        levels[fragment] = 1 + (levels.get(str(within), 0) if within is not None else 0)
        before = published.get(name)
        provisions[name] = ProvisionText(
            name,
            _text(row["rotulo"]),
            _text(row["conteudo"]),
            levels[fragment],
            _text(row["nome"]),
            before.version if before is not None and not act else None,
            None,
            undecided=str(row["incerta"]) in {"true", "True"},
            derived_from=act,
        )
    return tuple(provisions.values())


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _parts_of_target(parts: Iterable[ProvisionText], target: Name) -> tuple[ProvisionText, ...]:
    """Return the provision of the question with its parts; all provisions if it is about the norm."""
    if target == target.work:
        return tuple(parts)
    texts: list[ProvisionText] = []
    top: int | None = None
    for part in parts:
        if part.name == target.canonical:
            top = part.level
        elif top is not None and part.level <= top:
            break
        if top is not None:
            texts.append(replace(part, level=part.level - top + 1))
    return tuple(texts)
