"""Fictional norms with their events: versions, rectifications, amending and revoking norms, citations.

Most norms have one version, some a few, and one in a thousand has 150. One version in ten is rectified later. Norms
that amend or revoke others follow soon after them, with the relations. The result depends only on a seed. A few hundred
norms are in memory at a time, for any count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from benchmarks.generator import prefixes

__all__ = ["FIRST_NUMBER", "LAST_DAY", "Norm", "View", "judgment", "norms"]

FIRST_NUMBER = 99_901
#: The last day of any event.
LAST_DAY = date(2025, 12, 31)
_FIRST_DAY = date(1950, 1, 1)
_DAYS = 27_000
#: Numbers of versions, and the share of norms with each, in thousandths.
_VERSIONS = ((1, 800), (3, 150), (10, 40), (50, 9), (150, 1))
_SIZES = [size for size, share in _VERSIONS for _ in range(share)]
#: How many norms, from the first, are cited by norms of any time. Others are cited only by norms generated soon after.
_HUBS = 20
_RECENT = 300
_PENDING = 400
_JUDGMENTS = 30_000_000
#: The number of further targets of an amending norm: most have none, one in two hundred has fifty.
_MORE_TARGETS = ([0] * 180) + ([2] * 19) + [50]


@dataclass(frozen=True, slots=True)
class View:
    """A view of a version: the first day in force, the event, and the day since which it is known."""

    start: date
    event: str
    known: date

    @property
    def suffix(self) -> str:
        """The suffix of the name of the norm."""
        return f"@{self.start};{self.event};{self.known}"


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm with its views in order, and its relations to others as pairs of type and name."""

    name: str
    number: int
    published: date
    views: tuple[View, ...]
    relations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _PlannedNorm:
    """A norm that is to amend or revoke another."""

    day: date
    relation: str
    target: str


def norms(count: int, seed: int = 1) -> Iterator[Norm]:
    """Yield ``count`` norms, each with at least one version."""
    random = Random(seed)
    hubs: list[str] = []
    recent: deque[str] = deque(maxlen=_RECENT)
    ordered: deque[_PlannedNorm] = deque(maxlen=_PENDING)
    for number in range(FIRST_NUMBER, FIRST_NUMBER + count):
        if ordered and random.random() < 0.7:
            norm = _ordered(random, number, ordered.popleft(), recent)
        else:
            norm = _principal(random, number, hubs, recent)
            ordered.extend(_consequences(random, norm))
            recent.append(norm.name)
        if len(hubs) < _HUBS:
            hubs.append(norm.name)
        yield norm


def judgment(number: int, day: date) -> str:
    """Return the name of the fictional judgment on the norm of that number."""
    return f"urn:lex:br:supremo.tribunal.federal:acordao;adi:{day};{_JUDGMENTS + number}"


def _principal(random: Random, number: int, hubs: list[str], recent: deque[str]) -> Norm:
    signed = _FIRST_DAY + timedelta(days=random.randrange(_DAYS))
    name = f"urn:lex:{prefixes.norms().draw(random)}:{signed};{number}"
    views = tuple(_views(random, signed, random.choice(_SIZES)))
    return Norm(name, number, views[0].known, views, tuple(_cited(random, hubs, recent)))


def _cited(random: Random, hubs: list[str], recent: deque[str]) -> Iterator[tuple[str, str]]:
    if hubs and random.randrange(3) == 0:
        yield "referencia", random.choice(hubs)
    if recent and random.randrange(3) == 0:
        yield "referencia", random.choice(recent)
    if random.randrange(50) == 0:
        yield "referencia", f"urn:lex:br:federal:decreto:1949-12-31;{random.randrange(FIRST_NUMBER, 2 * FIRST_NUMBER)}"
    if recent and random.randrange(40) == 0:
        yield random.choice(("regulamenta", "correlato.a", "sucessor.logico.de")), recent[-1]


def _views(random: Random, signed: date, count: int) -> Iterator[View]:
    published = signed + timedelta(days=1)
    vacatio = random.choice((0, 0, 45, 180))
    start = published + timedelta(days=vacatio)
    event = "publicacao"
    longest = min(900, max(10, 2 * (LAST_DAY - start).days // count))
    if random.randrange(20) == 0:
        yield View(start, "assinatura", signed)
    for version in range(count):
        yield View(start, event, published)
        yield from _later(random, start, published, vacatio if version == 0 else 0)
        start += timedelta(days=random.randrange(5, longest))
        if start > LAST_DAY:
            return
        published = start
        event = "alteracao"


def _later(random: Random, start: date, published: date, vacatio: int) -> Iterator[View]:
    """Yield other views of one version: amended in vacatio, with a veto overturned, rectified."""
    if vacatio and random.randrange(10) == 0:
        yield View(start, "alteracao", published + timedelta(days=random.randrange(5, 40)))
    if random.randrange(300) == 0:
        yield View(start, "derrubada.veto.parcial", published + timedelta(days=random.randrange(20, 200)))
    rectified = published + timedelta(days=random.randrange(1, 400))
    if random.randrange(10) == 0 and rectified <= LAST_DAY:
        yield View(start, "retificacao", rectified)


def _consequences(random: Random, norm: Norm) -> Iterator[_PlannedNorm]:
    """Yield amending norms for half of the amendments, and a revoking norm for one norm in thirty."""
    for view in norm.views:
        if view.event == "alteracao" and view.start == view.known and random.randrange(2) == 0:
            yield _PlannedNorm(view.start, "altera", norm.name)
    if random.randrange(30) == 0:
        later = norm.views[-1].start + timedelta(days=random.randrange(30, 3_000))
        if later < LAST_DAY:
            yield _PlannedNorm(later, "revoga", norm.name)


def _ordered(random: Random, number: int, made_for: _PlannedNorm, recent: deque[str]) -> Norm:
    """Return a norm that amends or revokes the planned target, and possibly amends other norms."""
    prefix = made_for.target.removeprefix("urn:lex:").rpartition(":")[0]
    targets = {made_for.target: None}
    if recent and made_for.relation == "altera":
        targets |= dict.fromkeys(random.choice(recent) for _ in range(random.choice(_MORE_TARGETS)))
    relations = [(made_for.relation, target) for target in targets]
    relations.append(("referencia", made_for.target))
    name = f"urn:lex:{prefix}:{made_for.day - timedelta(days=1)};{number}"
    view = View(made_for.day, "publicacao", made_for.day)
    return Norm(name, number, made_for.day, (view,), tuple(relations))
