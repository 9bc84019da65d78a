"""Resolution of exact names and of temporal references (LexML part 5; LexML 1.0 part 2, sections 12.3 and 12.5).

A resolution says what was done and how the name was met, and never guesses: a name of which nothing is known has no
candidate.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from graph.entities import Axis
from graph.store import Store
from graph.urn import Dialect, Kind, Name, parse
from queries.answers import Candidate, InForce, Match, Notice, Resolution, Status
from queries.evidence import FIRST_VERSION, Version, records, versions
from queries.in_force import in_force
from queries.question import Question, ask

__all__ = ["resolve"]


def resolve(store: Store, name: str | Name, as_known: date | str | None = None) -> Resolution:
    """What a name leads to in this store.

    ``@versao.vigente.em;D``, ``@versao.eficaz.em;D``, ``@versao.consultada.em;D``, ``$vig=D`` and ``$efi=D`` are
    executed; ``@versao.original``, ``@inicio.vigencia`` and versions with open parts take the defaults of section
    12.5 (start of force, event publicacao, first publication).

    Raises:
        BadName, BadDate: the name is not one.
        StoreProblem: the store cannot be read.
    """
    question = ask(name, as_known=as_known)
    steps = [*_spelling(question), *question.steps]
    asked = question.name
    if question.steps:
        return _executed(store, question, steps)
    if asked.kind is Kind.REFERENCE and not _first_version(asked):
        notice = Notice(
            "reference-name", "this name leaves out what identifies a norm; give its date and number, or search for it"
        )
        return _resolution(question, Match.NONE, "complex", steps, (), (notice,))
    if records(store, asked.iri):
        return _resolution(
            question, Match.EXACT, _level(asked), steps, (Candidate(asked.canonical, None, 1.0, "the name itself"),), ()
        )
    if asked.versao is not None:
        known = versions(store, (asked.provision or asked.work).iri)
        if known or (asked.fragmento is None and records(store, asked.work.iri)):
            return _open_version(store, question, known, steps)
    return _wider(store, question, steps)


def _wider(store: Store, question: Question, steps: list[str]) -> Resolution:
    """The norm, when nothing is known at the level asked: told, never passed off (LexML part 5, section 2.5)."""
    asked = question.name
    if asked.work != asked and records(store, asked.work.iri):
        notice = Notice(
            "wider-level", f"nothing is known of {asked.canonical} itself; the candidate is the norm that it belongs to"
        )
        norm = Candidate(asked.work.canonical, None, 0.5, "the norm that the name belongs to")
        return _resolution(question, Match.WIDER, "complex", steps, (norm,), (notice,))
    notice = Notice("unknown-name", f"no source in this store speaks of {asked.canonical}")
    return _resolution(question, Match.NONE, _level(asked), steps, (), (notice,))


def _spelling(question: Question) -> list[str]:
    """The normalisations that made the canonical spelling."""
    name = question.reference
    steps = list(name.normalisations)
    steps.extend(deviation.message for deviation in name.deviations)
    if name.dialect is Dialect.LEXML_07:
        steps.append("read as LexML 0.7")
    return steps


def _level(name: Name) -> str:
    """The level of section 2.5 of LexML part 5 at which the name asks."""
    if name.fragmento is not None:
        return "fragment"
    return "individual" if name.versao is not None or name.forma is not None else "complex"


def _resolution(
    question: Question,
    match: Match,
    level: str,
    steps: list[str],
    candidates: tuple[Candidate, ...],
    notices: tuple[Notice, ...],
) -> Resolution:
    name = question.reference
    return Resolution(
        question.asked, name.canonical, name.dialect.value, match, level, tuple(steps), candidates, notices
    )


def _executed(store: Store, question: Question, steps: list[str]) -> Resolution:
    """A temporal reference: the version that answers it, if one does."""
    answer = in_force(store, question.name, question.on, question.as_known, question.axis)
    notices = answer.notices
    if answer.version is None:
        said = Notice(answer.status.value, _no_version(answer))
        return _resolution(question, Match.NONE, "individual", steps, (), (said, *notices))
    clock = "in force" if question.axis is Axis.FORCE else "effective"
    why = f"{clock} on {question.on}, as known on {question.as_known}"
    return _resolution(
        question, Match.EXACT, "individual", steps, (Candidate(answer.version.name, None, 1.0, why),), notices
    )


def _no_version(answer: InForce) -> str:
    if answer.status is Status.UNKNOWN_NAME:
        return f"no source in this store speaks of {answer.name}"
    return f"no version of {answer.name} answers for {answer.on} as known on {answer.as_known}: {answer.status.value}"


def _first_version(name: Name) -> bool:
    return name.versao is not None and name.versao.palavra in FIRST_VERSION


def _open_version(store: Store, question: Question, found: list[Version], steps: list[str]) -> Resolution:
    """A version whose name leaves parts open, by the defaults of section 12.5."""
    asked = question.name
    known = [v for v in found if v.view_date is None or v.view_date <= question.as_known]
    fitting = [v for v in known if v.fits(asked, known)]
    if not fitting:
        notice = Notice("unknown-version", _neighbours(asked, known))
        return _resolution(question, Match.NONE, "individual", steps, (), (notice,))
    if asked.event is None and asked.view_date is None:
        steps.append("event and view left open: the publication, else the first view (LexML 1.0 part 2, section 12.5)")
        fitting = _prefer(fitting, lambda v: v.event == "publicacao")[:1]
    elif asked.view_date is None:
        steps.append("view left open: the first one (LexML 1.0 part 2, section 12.5)")
        fitting = fitting[:1]
    elif asked.event is None:
        steps.append("event left open: looked up by the dates of version and view")
    if asked.forma is not None:
        return _text(store, question, fitting, steps)
    candidates = tuple(Candidate(v.name, None, 1.0, _why(v)) for v in fitting)
    return _resolution(question, Match.EXACT, _level(asked), steps, candidates, ())


def _text(store: Store, question: Question, fitting: list[Version], steps: list[str]) -> Resolution:
    """The text asked for of versions that were found; the versions, told, where no source knows that text."""
    asked = question.name
    texts = {v: parse(v.name).with_forma(asked.forma) for v in fitting}
    candidates = [
        Candidate(text.canonical, None, 1.0, _why(v)) for v, text in texts.items() if records(store, text.iri)
    ]
    if candidates:
        return _resolution(question, Match.EXACT, _level(asked), steps, tuple(candidates), ())
    notice = Notice("wider-level", f"nothing is known of the text {asked.canonical}; the candidate is its version")
    versions_ = tuple(Candidate(v.name, None, 0.5, _why(v)) for v in fitting)
    return _resolution(question, Match.WIDER, _level(asked), steps, versions_, (notice,))


def _prefer(found: list[Version], wanted: Callable[[Version], bool]) -> list[Version]:
    return [v for v in found if wanted(v)] or found


def _why(version: Version) -> str:
    event = version.event or "an event not named"
    return f"in force from {version.version_date}, made known on {version.view_date} by {event}"


def _said(version: Version) -> str:
    parts = [version.event, version.view_date and version.view_date.isoformat()]
    return " of ".join(part for part in parts if part) or "of a day not named"


def _neighbours(asked: Name, known: list[Version]) -> str:
    """Which versions there are beside the one that is not (docs/interfaces.md)."""
    days = sorted({v.version_date for v in known if v.version_date is not None})
    if asked.version_date in days:
        views = [_said(v) for v in known if v.version_date == asked.version_date]
        return f"no source knows that view of the version of {asked.version_date}; its views are {' and '.join(views)}"
    if asked.version_date is None or not days:
        return f"no source knows a version that {asked.canonical} could mean"
    before = [d for d in days if d < asked.version_date]
    after = [d for d in days if d > asked.version_date]
    near = [str(d) for d in (*before[-1:], *after[:1])]
    return f"no source knows a version of {asked.version_date}; its neighbours are of {' and '.join(near) or 'no day'}"
