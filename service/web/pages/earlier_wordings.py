"""Earlier wordings of a text, struck where they stood: the text with its changes, as official compilations print it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from graph.store import Store
from graph.urn import Name, parse
from graph.wording.provisions import as_counted
from queries import in_force
from queries.intervals import over_force
from queries.provisions.parts import Part
from queries.reasons import Status
from queries.text.composition import words_of_versions
from queries.text.same_text import versions_over_time
from service.web.pages.sentences import Sentences
from service.web.text_layout import Block

#: Most provisions that are gone and of which the page says by which norm.
_EXPLAINED = 600
#: How many provisions before one that is gone are looked at for its place.
_LOOKED = 300
_CAPUT = "_cpt"


@dataclass(frozen=True, slots=True)
class Struck:
    """A wording that no longer applies.

    Attributes:
        name: the provision, without version.
        role: how it is printed, as that of a block.
        label: as its source prints it; None where it has none.
        lines: its words.
        note: of a provision that is gone, what became of it; else None.
    """

    name: str
    role: str
    label: str | None
    lines: tuple[str, ...]
    note: Markup | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """Wordings that no longer apply.

    Attributes:
        before: those of a provision of the text, by the name of its block, in the order of their days.
        after: those of provisions that are gone, by the name of the block behind which they stand; the empty name is
            the head of the text.
    """

    before: Mapping[str, Sequence[Struck]]
    after: Mapping[str, Sequence[Struck]]


def earlier_wordings(
    store: Store, norm: Name, on: date, known: date, blocks: Sequence[Block], say: Sentences
) -> Earlier:
    """Return what provisions of a norm read before a day, and those that had ended by then.

    Args:
        store: a snapshot.
        norm: without version.
        on, known: D and K, civil dates.
        blocks: the text of D.
        say: the words of the page.

    Raises:
        StoreProblem: the store cannot be read.
    """
    day = on.isoformat()
    lives = {
        name: [version for first, version in steps if first <= day]
        for name, steps in versions_over_time(store, norm, known).items()
    }
    words = words_of_versions(store, norm, {one for versions in lives.values() for one in versions if one})
    block_of = {name: block for block in blocks for name in _names(block)}
    before: dict[str, list[Struck]] = {}
    gone: dict[str, Struck] = {}
    for name, versions in sorted(lives.items(), key=lambda each: as_counted(each[0])):
        told = [words[one] for one in dict.fromkeys(versions) if one in words]
        block = block_of.get(name)
        if block is not None:
            earlier = [one for one in told if _lines(one) and not _reads_as(one, block)]
            struck = [Struck(name, block.role, one.label or block.label, _lines(one)) for one in earlier]
            before.setdefault(block.name, []).extend(struck)
        elif told and versions[-1] == "" and _lines(told[-1]):
            last = told[-1]
            note = _ended(store, name, on, known, say) if len(gone) < _EXPLAINED else None
            gone[name] = Struck(name, _role(name), last.label, _lines(last), note)
    return Earlier({name: told for name, told in before.items() if told}, _placed(gone, blocks))


def _names(block: Block) -> Iterator[str]:
    head = block.name.rpartition("!")[0]
    yield block.name
    yield from (f"{head}!{fragment}" for fragment in block.fragments)


def _lines(part: Part) -> tuple[str, ...]:
    return tuple(line for line in (part.text or "").split("\n") if line.strip())


def _reads_as(part: Part, block: Block) -> bool:
    """Whether an earlier wording reads as the one that applies: words and label, where it has one."""
    return _lines(part) == block.lines and part.label in {None, block.label}


def _role(name: str) -> str:
    kind = name.rpartition("_")[2] if "_" in name.rpartition("!")[2] else ""
    steps = {"inc": 1, "ali": 2, "ite": 3}
    return f"step{steps.get(kind[:3], 0)}"


def _ended(store: Store, name: str, on: date, known: date, say: Sentences) -> Markup | None:
    """What became of a provision that is gone: revoked by which norm, from when on."""
    target = parse(name)
    answer = in_force(store, target, on, known)
    if answer.status in {Status.IN_FORCE, Status.UNKNOWN, Status.UNKNOWN_NAME}:
        return None
    return say.standing(answer, over_force(store, target, known), None)


def _placed(gone: Mapping[str, Struck], blocks: Sequence[Block]) -> dict[str, list[Struck]]:
    """Those that are gone, by the block behind which each stands: the last one that counts before it."""
    places = sorted((as_counted(block.name), at) for at, block in enumerate(blocks) if block.role != "front")
    found: dict[str, list[Struck]] = {}
    for name, one in gone.items():
        end = bisect_left(places, (as_counted(name), 0))
        close = [at for _, at in places[max(0, end - _LOOKED) : end]]
        inside = [at for at in close if _near(blocks[at].name, name)]
        behind = (inside or close)[-1:]
        found.setdefault(blocks[behind[0]].name if behind else "", []).append(one)
    return found


def _near(name: str, gone: str) -> bool:
    """Whether a provision is what holds another one, or is held by the same."""
    holder = gone.rpartition("_")[0] or gone.partition("!")[0]
    return name.removesuffix(_CAPUT) == holder.removesuffix(_CAPUT) or name.startswith(f"{holder}_")
