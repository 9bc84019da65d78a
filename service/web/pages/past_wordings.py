"""Wordings that no longer apply, at their places in a text, as official compilations print them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.time.kinds import ENDED, Status
from graph.urn import Name, parse
from graph.wording.provisions import Style, natural_order_key, provision_name
from queries.in_force import in_force
from queries.intervals import over_force
from queries.provisions import Part
from queries.resolution.occupants import place_of
from queries.text.changes import versions_over_time
from queries.text.composition import outermost, words_of_versions
from service.web.pages.status import revoked_between, revoked_by, status_sentence
from service.web.pages.writer import PageWriter
from service.web.text_layout import Block

#: The maximum number of ended provisions with a note on the norm that ended them.
_EXPLAINED = 600
#: The maximum number of preceding provisions that are searched for the place of an ended one.
_LOOKED = 300
_CAPUT = "_cpt"


@dataclass(frozen=True, slots=True)
class PastWording:
    """A wording that no longer applies.

    Attributes:
        name: the provision, without version.
        role: its style, as the role of a block.
        label: the label in the source; None where it has none.
        lines: its words.
        note: the status of an ended provision as a sentence; else None.
    """

    name: str
    role: str
    label: str | None
    lines: tuple[str, ...]
    note: Markup | None = None


@dataclass(frozen=True, slots=True)
class PastWordings:
    """Wordings that no longer apply.

    Attributes:
        before: the earlier wordings of provisions of the text, by the name of the block, in the order of their days.
        after: the ended provisions, by the name of the block that they follow. The empty name is the start of the text.
    """

    before: Mapping[str, Sequence[PastWording]]
    after: Mapping[str, Sequence[PastWording]]


def earlier_wordings(
    store: Store, target: Name, on: date, known: date, blocks: Sequence[Block], writer: PageWriter
) -> PastWordings:
    """Return the wordings of the provisions of a text before a day, and the provisions that had ended by then.

    Args:
        target: the norm or provision with the text, without version.
        on, known: D and K, civil dates.
        blocks: the text of D.
    """
    lives = _versions_until(store, target, on, known)
    words = words_of_versions(
        store, target.work, {version for versions in lives.values() for version in versions if version}
    )
    block_of = {name: block for block in blocks for name in _names(block)}
    before: dict[str, list[PastWording]] = {}
    gone: dict[str, PastWording] = {}
    for name, versions in sorted(lives.items(), key=lambda entry: natural_order_key(entry[0])):
        reported = [words[version] for version in dict.fromkeys(versions) if version in words]
        block = block_of.get(name)
        if block is not None:
            earlier = [part for part in reported if _lines(part) and not _reads_as(part, block)]
            struck = [PastWording(name, block.role, part.label or block.label, _lines(part)) for part in earlier]
            before.setdefault(block.name, []).extend(struck)
        elif reported and versions[-1] == "" and _lines(reported[-1]):
            last = reported[-1]
            note = _ended_sentence(store, name, on, known, writer) if len(gone) < _EXPLAINED else None
            gone[name] = PastWording(name, _role(name), last.label, _lines(last), note)
    return PastWordings(
        {name: reported for name, reported in before.items() if reported}, _ended_by_block(gone, blocks)
    )


def _versions_until(store: Store, target: Name, on: date, known: date) -> dict[str, list[str]]:
    """Return the versions of the provisions of a norm or provision that began by a day; empty for no version."""
    day, within = on.isoformat(), f"{target.canonical}_"
    return {
        name: [version for first, version in steps if first <= day]
        for name, steps in versions_over_time(store, target.work, known).items()
        if target == target.work or name == target.canonical or name.startswith(within)
    }


def ended_provisions(
    store: Store,
    target: Name,
    on: date,
    known: date,
    blocks: Sequence[Block],
    shown: Iterable[Block],
    writer: PageWriter,
) -> PastWordings:
    """Return the ended provisions of a text without their words, each with the official note on its end.

    Of a provision that ended with all that it contains, only the outermost is returned. One whose identifier another
    provision has on D is not returned.

    Args:
        target: the norm or provision with the text, without version.
        on, known: D and K, civil dates.
        blocks: the text of D.
        shown: the blocks that the page shows, which decide what is returned.
    """
    printed = {place_of(parse(name)) for block in blocks for name in _names(block)}
    lives = _versions_until(store, target, on, known)
    gone = [
        name
        for name, versions in lives.items()
        if versions and versions[-1] == "" and name != target.canonical and place_of(parse(name)) not in printed
    ]
    wordings = {
        name: PastWording(name, _role(name), provision_name(name.partition("!")[2], Style.ROTULO) or None, ())
        for name in sorted(outermost(gone), key=natural_order_key)
    }
    here = {"", *(block.name for block in shown)} if blocks else set()
    after: dict[str, list[PastWording]] = {}
    for block, ended in _ended_by_block(wordings, blocks).items():
        for wording in ended if block in here else ():
            note = _end_note(store, wording.name, on, known, writer)
            if note is not None:
                after.setdefault(block, []).append(replace(wording, note=note))
    return PastWordings({}, after)


def _end_note(store: Store, name: str, on: date, known: date, writer: PageWriter) -> Markup | None:
    """Return the official note on the end of a provision, such as ``Revogado pela Lei nº 8.656, de 1993``."""
    answer = in_force(store, name, on, known)
    if answer.status not in ENDED:
        return None
    status = writer.status_word(answer.status, name)
    by = revoked_by(answer, writer) or revoked_between(answer, writer)
    return writer.words("norm.note_ended_by", status=status, by=by) if by is not None else status


def _names(block: Block) -> Iterator[str]:
    head = block.name.rpartition("!")[0]
    yield block.name
    yield from (f"{head}!{fragment}" for fragment in block.fragments)


def _lines(part: Part) -> tuple[str, ...]:
    return tuple(line for line in (part.text or "").split("\n") if line.strip())


def _reads_as(part: Part, block: Block) -> bool:
    """Return whether an earlier wording equals the current one: its words, and its label where it has one."""
    return _lines(part) == block.lines and part.label in {None, block.label}


def _role(name: str) -> str:
    kind = name.rpartition("_")[2] if "_" in name.rpartition("!")[2] else ""
    steps = {"inc": 1, "ali": 2, "ite": 3}
    return f"step{steps.get(kind[:3], 0)}"


def _ended_sentence(store: Store, name: str, on: date, known: date, writer: PageWriter) -> Markup | None:
    """Return the status of an ended provision as a sentence; None where it has not ended or its status is unknown."""
    target = parse(name)
    answer = in_force(store, target, on, known)
    if answer.status.stands or answer.status in {Status.UNKNOWN, Status.UNKNOWN_NAME}:
        return None
    return status_sentence(answer, over_force(store, target, known), None, writer)


def _ended_by_block(gone: Mapping[str, PastWording], blocks: Sequence[Block]) -> dict[str, list[PastWording]]:
    """Return the ended provisions, grouped by the block that precedes each, preferably one in its container."""
    places = sorted(
        (natural_order_key(block.name), index) for index, block in enumerate(blocks) if block.role != "front"
    )
    wordings_by_block: dict[str, list[PastWording]] = {}
    for name, wording in gone.items():
        end = bisect_left(places, (natural_order_key(name), 0))
        close = [index for _, index in places[max(0, end - _LOOKED) : end]]
        inside = [index for index in close if _is_near(blocks[index].name, name)]
        behind = (inside or close)[-1:]
        wordings_by_block.setdefault(blocks[behind[0]].name if behind else "", []).append(wording)
    return wordings_by_block


def _is_near(name: str, gone: str) -> bool:
    """Return whether a provision contains an ended one, or is in the same container."""
    holder = gone.rpartition("_")[0] or gone.partition("!")[0]
    return name.removesuffix(_CAPUT) == holder.removesuffix(_CAPUT) or name.startswith(f"{holder}_")
