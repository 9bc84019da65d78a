"""Two pages on a consolidated text: the steps of each provision, and the disagreements of sources and acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from graph.errors import UnknownName
from graph.store import Store
from graph.terms import day_stated
from graph.time.kinds import Axis, Status
from graph.urn import Name, parse
from graph.wording.provisions import natural_order_key
from ontology.iris import ID
from queries.consolidation.blame import Blame, Step, blame
from queries.consolidation.disagreements import TextDisagreement, WitnessData, disagreements
from queries.evidence import bounds_of, is_dated_by_act, versions
from queries.orders import derived_texts
from queries.status import periods_of
from queries.text.absent import missing_provision
from queries.text.text_history import begins_by_act
from queries.text.wording_history import parts_with_own_history, wordings
from service.output import shown
from service.web.http.name_paths import name_path
from service.web.http.problems import Problem
from service.web.pages.frame import Frame, file_name, render, source_name
from service.web.pages.reading_days import read_page, writer_of
from service.web.pages.related import refused
from service.web.pages.writer import PageWriter
from service.web.tasks.messages import Answer

#: The task types of the pages, and the prefixes of their addresses.
BLAME, BLAME_PREFIX = "page.blame", "/blame"
DISAGREEMENTS, DISAGREEMENTS_PREFIX = "page.disagreements", "/disagreements"
#: The maximum number of rows of a page.
MOST = 500
#: The maximum number of parts of a provision whose steps are read.
_MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class _Row:
    """A step as the page shows it.

    Attributes:
        provision: the provision of the step, on the page of a norm, or of a provision with parts that changed; else
            None.
        since: its first day, or its bounds, in words.
        status_text: the status in words; None for a text in force.
        made_by: what made the text, in words; None where no act is known to have applied.
        in_vain: whether the wording was replaced before it entered into force.
    """

    provision: Markup | None
    since: Markup | None
    status: str
    status_text: Markup | None
    made_by: Markup | None
    words: str | None
    derived: bool
    in_vain: bool


@dataclass(frozen=True, slots=True)
class _Request:
    store: Store
    name: Name
    frame: Frame
    writer: PageWriter


def show_blame(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the origin of the words of a norm or provision (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``name``, canonical, without a version; ``on``, a day or None for today; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
        StoreProblem: the store cannot be read.
    """
    asked = _read_request(store, arguments)
    store = asked.store
    on = date.fromisoformat(str(arguments["on"] or arguments["today"]))
    try:
        blamed = blame(store, asked.name, on)
    except UnknownName as error:
        name = asked.name.canonical
        unknown = refused(store, name) or missing_provision(store, name, on)
        raise unknown or Problem(404, "unknown-name", str(error)) from None
    inner = _inner_steps(store, blamed) if blamed.steps else []
    steps: list[tuple[str | None, Step]]
    if inner:
        own = [(blamed.name, step) for step in blamed.steps]
        steps = [(name, step) for name, step in sorted([*own, *inner], key=lambda entry: _order(*entry))]
    elif blamed.steps:
        steps = [(None, step) for step in blamed.steps]
    else:
        steps = [(line.provision, line.step) for line in blamed.lines]
    about = "consolidation.blame_norm"
    if blamed.steps:
        about = "consolidation.blame_parts" if inner else "consolidation.blame_about"
    path = BLAME_PREFIX + name_path(asked.name.canonical)
    body = render(
        "blame.html",
        asked.frame,
        title=asked.writer.title(asked.name),
        back=asked.writer.path(asked.name),
        disagreements=asked.frame.to(DISAGREEMENTS_PREFIX + name_path(asked.name.work.canonical)),
        rows=[_row(asked, provision, step) for provision, step in steps[:MOST]],
        more=len(steps) - MOST,
        about=about,
        whole=asked.name == asked.name.work,
        on=on,
        action=path,
    )
    return Answer(body, "text/html")


def _inner_steps(store: Store, answer: Blame) -> list[tuple[str, Step]]:
    """Return the steps of the paragraphs and other parts of a provision that an act changed, with their names.

    A part without steps of its own is left out: it came with the provision, or ended with it.
    """
    target = parse(answer.name)
    first = next((step.text for step in answer.steps if step.text), None)
    # an act that gave the provision another wording may also have changed or inserted a part
    own = {(step.since, step.act) for step in answer.steps if not step.text or step.text == first}
    starts = _starts(store, target) | _starts(store, parse(f"{target.canonical}_cpt"))
    days = {day for day, _ in own} | starts
    derived = any(derived_text.in_use for derived_text in derived_texts(store, target.work))
    steps: list[tuple[str, Step]] = []
    for name in parts_with_own_history(store, target)[:_MOST_PARTS]:
        inner = _starts(store, parse(name))
        came_with_it = inner <= days and (not inner or min(inner) == min(starts, default=None))
        if came_with_it and not derived and len(set(wordings(store, parse(name), answer.on).values())) < 2:
            continue  # nothing changed in it alone
        part = blame(store, name, answer.on)
        texts = [step for step in part.steps if step.text or step.status is not Status.VACATIO]
        if name.removesuffix("_cpt") != answer.name and any((text.since, text.act) not in own for text in texts):
            steps += [(name, text) for text in texts]
    return steps


def _starts(store: Store, name: Name) -> set[date]:
    """Return the first days of the periods of a provision."""
    return {period.valid_from for period in periods_of(store, name) if period.axis is Axis.FORCE}


def _order(name: str, step: Step) -> tuple[date, tuple[object, ...]]:
    """Return the sort key of a step: its day, or that of its publication, then the provision.

    Steps without a day are first.
    """
    known = day_stated(step.known)
    return step.since or (known.first if known is not None else date.min), tuple(natural_order_key(name))


def show_disagreements(store: Store, arguments: Mapping[str, object]) -> Answer:
    """Return the page with the disagreements of sources and acts about the text of a norm (runs in a worker process).

    Args:
        store: a snapshot.
        arguments: ``name``, canonical; ``frame``; ``today``.

    Raises:
        Problem: 404 where the store has nothing about the name.
        StoreProblem: the store cannot be read.
    """
    asked = _read_request(store, arguments)
    conflicts = disagreements(asked.store, asked.name.work)
    rows = [_disagreement_values(asked, disagreement) for disagreement in conflicts[:MOST]]
    body = render(
        "disagreements.html",
        asked.frame,
        title=asked.writer.title(asked.name.work),
        back=asked.frame.to(name_path(asked.name.work.canonical)),
        rows=rows,
        more=len(conflicts) - MOST,
    )
    return Answer(body, "text/html")


def _read_request(store: Store, arguments: Mapping[str, object]) -> _Request:
    store, name, frame, now, days = read_page(store, arguments)
    return _Request(store, name, frame, writer_of(store, frame, now, days if days.on is not None else None))


def _row(asked: _Request, provision: str | None, step: Step) -> _Row:
    return _Row(
        _name_link(asked, provision) if provision is not None else None,
        _since(asked, parse(provision) if provision is not None else asked.name, step),
        step.status.value,
        _status(asked, provision or asked.name, step),
        _made_by(asked, step),
        _on_one_line(step.label, step.heading, step.text) or None,
        step.derived,
        step.since is None and step.status is Status.VACATIO,
    )


def _status(asked: _Request, name: str | Name, step: Step) -> Markup | None:
    """Return the status of a step in words; None for a text in force."""
    if step.wording_open:
        return asked.writer.words("status.wording_open")
    if step.status is Status.IN_FORCE:
        return None
    if step.since is not None:
        return asked.writer.status_in_row(step.status, name, step.since)
    return asked.writer.status_word(step.status, name)


def _made_by(asked: _Request, step: Step) -> Markup | None:
    """Return in words what made the text of a step; None for days on which no act is known to have applied."""
    if step.act is not None:
        return asked.writer.by_one(step.act)
    if step.status is Status.UNKNOWN or step.wording_open:
        return None
    return asked.writer.words("consolidation.original" if step.original else "consolidation.no_act")


def _since(asked: _Request, target: Name, step: Step) -> Markup | None:
    """Return the days of a step in words, or the bounds of its first day; None if it has neither."""
    if step.since is not None:
        edges = (step.since,) if step.bounds is not None else ()
        days = asked.writer.text_interval(step.since, step.until, edges, step.bounds)
        return asked.writer.of_act(days) if _is_of_act(asked, target, step, step.since) else days
    known = day_stated(step.known)
    if known is None or known.last is None or step.status is not Status.IN_FORCE:
        return None
    bounds, day = (known.first, known.last), asked.writer.when(step.known)
    own = (version for version in versions(asked.store, target.iri) if bounds_of(parse(version.name)) == bounds)
    return asked.writer.of_act(day) if any(version.of_act for version in own) else day


def _is_of_act(asked: _Request, target: Name, step: Step, since: date) -> bool:
    """Return whether the first day of a step is only that of the act that made or ended its text."""
    if step.status is Status.UNKNOWN or step.wording_open:
        return False
    if step.version is not None and is_dated_by_act(asked.store, step.version, since):
        return True
    return begins_by_act(asked.store, target, since, asked.writer.today)


def _on_one_line(*texts: str | None) -> str:
    """Return texts joined by spaces, each once, with spaces for line breaks."""
    return shown(" ".join(" ".join(filter(None, dict.fromkeys(texts))).split()))


def _name_link(asked: _Request, name: str) -> Markup:
    """Return a norm or provision in words, as a link to its page."""
    address = asked.writer.path(name)
    target = parse(name)
    inner = asked.writer.within(target) if target.work == asked.name.work and target != target.work else None
    return Markup('<a href="{}">{}</a>').format(address, inner or asked.writer.title(target))


def _disagreement_values(asked: _Request, disagreement: TextDisagreement) -> dict[str, object]:
    return {
        "provision": _name_link(asked, disagreement.provision),
        "code": disagreement.code.value,
        "sides": [_side(asked, disagreement.a), _side(asked, disagreement.b)],
    }


def _source(asked: _Request, side: WitnessData) -> str:
    """Return the name of a source of a text for readers: its publisher, or its file."""
    called = source_name(side.source) if side.source.startswith(ID) else side.source
    if called != side.source or side.origin is None:
        return called
    if "://" in side.origin:
        return source_name(side.origin)
    return str(asked.writer.words("norm.file", file=file_name(side.origin, asked.writer.words)).striptags())


def _side(asked: _Request, side: WitnessData) -> dict[str, object]:
    return {
        "origin": shown(side.origin or side.source),
        "source": shown(_source(asked, side)),
        "act": _name_link(asked, side.act) if side.act is not None else None,
        "text": _on_one_line(side.text) if side.text else None,
    }
