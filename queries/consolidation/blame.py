"""The origin of a provision's text, step by step, from the first text to a day: the act of each step, and its day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from graph.civil import today
from graph.errors import UnknownName
from graph.store import Store
from graph.store.caching import MemoizingStore
from graph.terms import day_stated
from graph.time.kinds import Axis, Status
from graph.urn import Fragmento, Name, parse
from graph.wording.folding import words
from ontology.events import EventKind
from queries.answers import Period, Timeline
from queries.evidence import bounds_of, published_on
from queries.in_force import in_force
from queries.intervals import AnswerInterval, doubtful, merged_intervals, over_force
from queries.orders import DerivedNormText, derived_texts
from queries.reasons import Reason
from queries.text.answers import ProvisionText
from queries.text.changes import ChangeDay, days_of_change_of_part, uncertain_days
from queries.text.open_wording import is_wording_open
from queries.text.text import text
from queries.text.wording_history import wordings
from queries.timeline import timeline

#: The events of the first text of a norm.
_FIRST_TEXT = frozenset({EventKind.ASSINATURA, EventKind.PUBLICACAO})


@dataclass(frozen=True, slots=True)
class Step:
    """The text of a provision from a day on.

    Attributes:
        status: ``in-force``, or why there is no text.
        label, heading, text: the wording; None if the sources do not give it.
        since: the first day of this text, a civil date; the last possible one if the sources give bounds. A text in
            vacatio begins with the publication of its norm, if it was signed earlier. None if nothing dates it, and for
            a wording that was replaced in vacatio, which was never in force.
        known: the day of knowledge: a day, a year, or bounds; None if nothing is known.
        act: the norm, judgment or provision that made the text; None if no source names it, and for unknown days.
        source: the IRI of the record with the text.
        derived: whether the text is derived from acts, and nobody published it.
        version: the version with the text; None for a derived text or no text.
        bounds: the first and the last possible day of the change, where the sources do not give its day; the first is
            None if it is unknown.
        until: of days on which the text is unknown, the day after the last one; None for other steps.
        original: whether the text is the first one of its norm, which no act changed.
        wording_open: whether the provision is in force, and the sources do not determine its wording.
    """

    status: Status
    label: str | None
    heading: str | None
    text: str | None
    since: date | None
    known: str | None
    act: str | None
    source: str | None
    derived: bool
    version: str | None = None
    bounds: ChangeDay | None = None
    until: date | None = None
    original: bool = False
    wording_open: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of docs/reference/amendments.md."""
        first, last = (self.bounds.first, self.bounds.last) if self.bounds is not None else (None, None)
        return {
            "text": self.text,
            "label": self.label,
            "heading": self.heading,
            "status": self.status.value,
            "from": _written(self.since),
            "bounds": None if self.bounds is None else [_written(first), _written(last)],
            "until": _written(self.until),
            "known": self.known,
            "act": self.act,
            "original": self.original,
            "wording_open": self.wording_open,
            "source": self.source,
            "derived": self.derived,
        }


def _written(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


@dataclass(frozen=True, slots=True)
class Line:
    """A provision in the text of a day, with the step that made its text."""

    provision: str
    step: Step


@dataclass(frozen=True, slots=True)
class Blame:
    """The origin of the text of a norm or provision.

    Attributes:
        name: the canonical name.
        on: the requested day, a civil date; later steps are not included.
        steps: the steps of the provision itself, or of an article's caput; empty for a norm.
        lines: each of its provisions with text, in the order of the text, with its last step.
    """

    name: str
    on: date
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]

    def as_json(self) -> dict[str, object]:
        """Return the JSON document of docs/reference/amendments.md."""
        return {
            "name": self.name,
            "on": self.on.isoformat(),
            "steps": [step.as_json() for step in self.steps],
            "provisions": [{"provision": line.provision, **line.step.as_json()} for line in self.lines],
        }


def blame(store: Store, name: str | Name, on: date | None = None) -> Blame:
    """Return the origin of the text that a norm or provision has on a day.

    Args:
        name: the norm or provision, as :func:`queries.text.text.text` takes it.
        on: a civil date; default today.

    Raises:
        BadName, BadDate: the question is malformed.
        UnknownName: no source mentions the name, or it may mean several works.
    """
    if not isinstance(store, MemoizingStore):
        store = MemoizingStore(store)  # several steps read the same data
    day = on or today()
    history = timeline(store, name)
    target = parse(history.name)
    reading = _Reading(store, target.work, day)
    steps: tuple[Step, ...] = ()
    if target != target.work:
        caput = _caput(target)
        steps = tuple(reading.steps(caput)) if caput is not None else ()
        steps = steps if any(step.text for step in steps) else tuple(reading.steps(target))
    return Blame(target.canonical, day, steps, tuple(reading.lines(target)))


def _caput(target: Name) -> Name | None:
    """Return the caput of an article, which has its text."""
    fragment = target.canonical.partition("!")[2]
    if not fragment.rpartition("_")[2].startswith("art"):
        return None
    return target.work.with_fragmento(Fragmento((f"{fragment}_cpt",)))


@dataclass(slots=True)
class _Reading:
    store: Store
    norm: Name
    day: date

    def steps(self, target: Name) -> Iterator[Step]:
        """Yield the steps of one provision, oldest first; days without a change of the text are left out."""
        history = self._timeline(target)
        if history is None:
            return
        reasons = [*history.events, *self._norm_events()]
        steps = list(self._dated_steps(target, history, reasons))
        steps += self._replaced_in_vacatio(target, history, reasons, steps)
        yield from sorted(steps, key=_first_day)

    def _dated_steps(self, target: Name, history: Timeline, reasons: Sequence[Reason]) -> Iterator[Step]:
        before: tuple[object, ...] | None = None
        for start in self._days(target, history):
            answer = text(self.store, target, start)
            part = next((provision for provision in answer.provisions if provision.name == target.canonical), None)
            status = answer.status or Status.UNKNOWN
            reads = (status, None, None, None) if part is None else (status, part.label, part.heading, part.text)
            if reads != before and (before is not None or status is not Status.NOT_PUBLISHED):
                step = self._step(part, status, start, reasons, answer.because, self._derived(part))
                yield self._with_days(target, step, start)
            before = reads

    def _with_days(self, target: Name, step: Step, start: date) -> Step:
        """Return a step with what the sources tell about its first day, as the page of its provision shows it."""
        rows = merged_intervals(over_force(self.store, target, today()))
        if step.status is Status.UNKNOWN:
            is_open = is_wording_open(self.store, in_force(self.store, target, start, today()))
            until = next((row.until for row in rows if row.holds(start)), None)
            status = Status.IN_FORCE if is_open else step.status
            return replace(step, status=status, act=None, until=until, wording_open=is_open)
        if step.status is Status.VACATIO:
            published = published_on(self.store, self.norm)
            is_signed_before = published is not None and start < published <= self.day
            is_published_within = any(row.holds(start) and row.holds(published) for row in rows if published)
            return replace(step, since=published) if is_signed_before and is_published_within else step
        if step.derived:
            return step
        bounds = uncertain_days(days_of_change_of_part(self.store, target, today())).get(start)
        if bounds is None and start in doubtful(rows):
            bounds = ChangeDay(None, start)
        named = bounds_of(parse(step.version)) if step.version is not None and bounds is not None else None
        return replace(step, bounds=ChangeDay(*named) if named is not None and named[1] == start else bounds)

    def _replaced_in_vacatio(
        self, target: Name, history: Timeline, reasons: Sequence[Reason], steps: Iterable[Step]
    ) -> Iterator[Step]:
        """Yield the wordings that a later one replaced before they entered into force."""
        shown = {(words(step.text), _act_of(step.act)) for step in steps if step.text is not None}
        label = next((step.label for step in steps if step.label is not None), None)
        texts = wordings(self.store, target, today())
        periods = [period for period in history.periods if period.axis is Axis.FORCE and period.version is not None]
        current = {period.version for period in periods if period.is_known(today())}
        for version in dict.fromkeys(period.version for period in periods if period.version is not None):
            own = [period for period in periods if period.version == version]
            stated = texts.get(version)
            since = min(period.known_from for period in own)
            if stated is None or version in current or since > self.day or any(map(_was_in_force, own)):
                continue
            made = _made_by(version, reasons)
            act, source = (made.cause, made.source) if made is not None else (None, None)
            if (words(stated), _act_of(act)) in shown:
                continue
            shown.add((words(stated), _act_of(act)))
            known = made.known if made is not None and made.known is not None else since.isoformat()
            yield Step(Status.VACATIO, label, None, stated, None, known, act, source, derived=False)

    def lines(self, target: Name) -> Iterator[Line]:
        """Yield the provisions with text on the day, each with its last step."""
        answer = text(self.store, target, self.day)
        events = self._norm_events()
        for part in answer.provisions:
            if not part.text:
                continue
            history = self._timeline(parse(part.name))
            reasons = [*(history.events if history is not None else ()), *events]
            yield Line(part.name, self._last_step(part, reasons))

    def _last_step(self, part: ProvisionText, reasons: Sequence[Reason]) -> Step:
        """Return the step with the text that a provision has on the day. It begins as on the provision's own page."""
        target, derived = parse(part.name), self._derived(part)
        rows = merged_intervals(over_force(self.store, target, today()))
        index = next((index for index, row in enumerate(rows) if row.holds(self.day)), None)
        if index is None or derived is not None:
            since = parse(part.version).version_date if part.version is not None else None
            return self._step(part, Status.IN_FORCE, since, reasons, (), derived)
        row = self._first_with_same_words(target, rows, index)
        own = replace(part, version=row.version) if row.version is not None else part
        step = self._step(own, row.status, row.start, reasons, (), None)
        return self._with_days(target, step, row.start)

    def _first_with_same_words(self, target: Name, rows: Sequence[AnswerInterval], index: int) -> AnswerInterval:
        """Return the first of adjacent intervals with versions that have the same words as the one at an index."""
        while index > 0 and rows[index].version is not None:
            before, row = rows[index - 1], rows[index]
            if before.version is None or before.until != row.start:
                break
            texts = wordings(self.store, target, today())
            if texts.get(before.version) is None or texts.get(before.version) != texts.get(row.version or ""):
                break
            index -= 1
        return rows[index]

    def _timeline(self, target: Name) -> Timeline | None:
        try:
            return timeline(self.store, target)
        except UnknownName:
            return None

    def _norm_events(self) -> tuple[Reason, ...]:
        history = self.store.memoized((blame, self.norm.iri), lambda: self._timeline(self.norm))
        return history.events if history is not None else ()

    def _days(self, target: Name, history: Timeline) -> list[date]:
        """Return the days on which a text may begin, up to the requested day."""
        days = {
            period.valid_from
            for period in history.periods
            if period.axis is Axis.FORCE and period.is_known(today()) and period.valid_from <= self.day
        }
        days |= {
            derived_text.day
            for derived_text in derived_texts(self.store, self.norm)
            if derived_text.in_use and derived_text.day <= self.day
        }
        return sorted(days) if target != self.norm else []

    def _derived(self, part: ProvisionText | None) -> DerivedNormText | None:
        """Return the derived text with a provision; None if the provision has its published text."""
        if part is None or not part.derived_from:
            return None
        act = parse(part.derived_from[-1]).work.canonical
        return next(
            (derived_text for derived_text in derived_texts(self.store, self.norm) if act in derived_text.acts), None
        )

    @staticmethod
    def _step(
        part: ProvisionText | None,
        status: Status,
        since: date | None,
        reasons: Sequence[Reason],
        because: Iterable[Reason],
        derived: DerivedNormText | None,
    ) -> Step:
        if part is not None and derived is not None:
            known, act = derived.known.isoformat(), part.derived_from[-1]
            return Step(
                status, part.label, part.heading, part.text, derived.day, known, act, derived.text, derived=True
            )
        made = None
        if part is not None and part.version is not None:
            made = _made_by(part.version, reasons)
        else:
            made = next(iter(because), None)
        return Step(
            status,
            None if part is None else part.label,
            None if part is None else part.heading,
            None if part is None else part.text,
            since,
            _known_of(made, part),
            None if made is None else made.cause,
            None if made is None else made.source,
            derived=False,
            version=None if part is None else part.version,
            original=part is not None and _is_original(part.version, made),
        )


def _known_of(made: Reason | None, part: ProvisionText | None) -> str | None:
    """Return the day of knowledge of a step; the bounds in the name of its version, if the event has no day."""
    if made is not None and made.known is not None:
        return made.known
    bounds = bounds_of(parse(part.version)) if part is not None and part.version is not None else None
    return "/".join(day.isoformat() for day in bounds) if bounds is not None else None


def _made_by(version: str, reasons: Sequence[Reason]) -> Reason | None:
    """Return the event that made a version of a provision or of its norm; events with a cause are preferred."""
    versions = {version, version.partition("!")[0]}
    made = [reason for reason in reasons if reason.version in versions]
    return next((reason for reason in made if reason.cause is not None), next(iter(made), None))


def _is_original(version: str | None, made: Reason | None) -> bool:
    """Return whether a version has the first text of its norm, and no act changed it."""
    is_changed = made is not None and made.cause is not None
    return version is not None and not is_changed and parse(version).event in _FIRST_TEXT


def _act_of(name: str | None) -> object:
    """Return the act of a cause; None for no cause."""
    return parse(name).work if name is not None else None


def _was_in_force(period: Period) -> bool:
    """Return whether a period was in force on some day, as known on that day."""
    last = min(period.valid_until or date.max, period.known_until or date.max)
    return max(period.valid_from, period.known_from) < last


def _first_day(step: Step) -> date:
    """Return the first day of a step; if it has none, the first day on which the step may have been known."""
    known = day_stated(step.known)
    return step.since or (known.first if known is not None else date.min)
