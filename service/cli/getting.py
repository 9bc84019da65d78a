"""The command that gets norms from official sources: get. What it tells goes to stderr."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from graph import store as stores
from graph.errors import BadParameter, UnknownName
from graph.quarantine import Quarantine
from graph.store import Store, in_memory
from graph.urn import Name, parse
from loaders.getting.answers import ANSWERS, Asker, KeptAnswers
from loaders.getting.norm import SOURCES, Bases, Getter, Gotten, Lack, Missing, load_gotten
from loaders.harvest.list_writer import SOFTWARE
from loaders.oai_pmh import Settings as Manners
from loaders.oai_pmh.fetching import base_address
from loaders.sources.vocabulary import built_in_record
from queries import resolve
from service.cli.context import AsJson, Exit, Settings, settings, writing
from service.cli.progress import say_summary, summary_as_json
from service.output import put_json, say, shown

#: How people who run a source find out who asks.
_ABOUT = "https://w3id.org/vigente"
_BASES = {source: f"VIGENTE_{source.upper()}_URL" for source in SOURCES}
#: Seconds for one answer, and for the longest pause that a source may ask for; repetitions after a fault.
_SECONDS, _LONGEST_WAIT, _RETRIES = 120.0, 30.0, 2
_LACKS = {
    Lack.NOT_KNOWN: "the source does not have it",
    Lack.FAULT: "the source gave no sound answer",
    Lack.NO_RULE: "no rule says where the source has norms of this kind; --url names a page",
    Lack.REFUSED: "its answer could not be loaded, and is in the quarantine",
    Lack.NO_TEXT: "no source gave its words",
    Lack.NO_EARLIER_WORDINGS: "earlier wordings: the page has the current ones alone",
    Lack.NO_PUBLICATION: "no source gave the day of its publication",
    Lack.NO_START: "no source gave the day of its entry into force",
    Lack.ACTS_BY_YEAR: "acts that changed it are known by their year alone: answers within that year may be unknown",
}


def get(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names, citations or nicknames of norms.")],
    from_: Annotated[
        str, typer.Option("--from", metavar="SOURCES", help="Which sources, separated by commas.")
    ] = ",".join(SOURCES),
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Ask, tell what would be loaded, write nothing.")] = False,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="The page of one norm, where no rule finds it.")
    ] = None,
    acts: Annotated[
        bool, typer.Option("--acts", help="Ask the Senate for the day of each act that is known by its year alone.")
    ] = False,
    max_age: Annotated[
        float,
        typer.Option("--max-age", metavar="HOURS", min=0, help="How old a kept answer may be that is used again."),
    ] = 24,
    politeness: Annotated[
        float, typer.Option("--politeness", metavar="SECONDS", min=0, max=3600, help="Pause between two requests.")
    ] = 0.5,
    contact: Annotated[
        str | None,
        typer.Option("--contact", metavar="ADDRESS", envvar="VIGENTE_CONTACT", help="Told to sources."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Get norms from official sources: ask each of them, load what they have, and tell what is missing."""
    where = settings(context)
    sources = _sources(from_)
    if url is not None and len(names) > 1:
        raise BadParameter("--url is the page of one norm: give one NAME")
    if url is not None and "planalto" not in sources:
        raise BadParameter("--url is a page of Planalto: it goes with --from planalto")
    bases = _bases()
    for address in (*(bases.of(source) for source in sources), *([url] if url is not None else [])):
        base_address(address)
    manners = Manners(
        user_agent=f"{SOFTWARE} (+{_ABOUT})",
        contact=contact or "",
        page_seconds=_SECONDS,
        retries=_RETRIES,
        backoff=max(politeness, 0.01),
        longest_wait=_LONGEST_WAIT,
        politeness=politeness,
        other_hosts=False,
    )
    meant = _meant(where, names)
    kept = KeptAnswers(None if dry_run else where.store / ANSWERS)
    found: list[Gotten] = []
    with Asker(manners, kept, timedelta(hours=max_age)) as asker:
        for text, name in zip(names, meant, strict=True):
            one = Getter(asker, bases, sources).get(text, name, url, acts=acts)
            if one.answers:
                with _target(where, dry_run=dry_run) as (store, quarantine):
                    for answer in one.answers:
                        kept.keep(answer)
                    load_gotten(one, bases, store, quarantine)
            found.append(one)
            _say(one, dry_run=dry_run)
    if as_json:
        documents = [_document(one) for one in found]
        put_json(documents[0] if len(documents) == 1 else documents)
    return max(map(_code, found))


def _sources(text: str) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    if not chosen or not set(chosen) <= set(SOURCES):
        raise BadParameter(f"expected --from with some of {', '.join(SOURCES)}, separated by commas; got {text!r}")
    return chosen


def _bases() -> Bases:
    """The addresses of the sources, as the environment sets them."""
    return Bases(**{source: os.environ[key] for source, key in _BASES.items() if os.environ.get(key)})


def _meant(where: Settings, texts: Sequence[str]) -> list[Name]:
    """The works that texts name, as far as they say it; the store may know more of them.

    Raises:
        UnknownName: a text leads to no one norm.
        StoreProblem: the store cannot be read.
    """
    if not where.store.exists() or (where.store.is_dir() and not any(where.store.iterdir())):
        store = in_memory()
        store.apply([built_in_record()])
        return [_named(store, text) for text in texts]
    with stores.open(where.store) as opened:
        return [_named(opened, text) for text in texts]


def _named(store: Store, text: str) -> Name:
    found = resolve(store, text)
    works = {parse(candidate.name).work for candidate in found.candidates}
    if len(works) == 1:
        return works.pop()
    if found.canonical is None:
        raise UnknownName(text, f"{shown(text)} leads to no one norm: give its type, number and year")
    name = parse(found.canonical).work
    if name.representative_year is None or not name.descritor.identificadores:
        raise UnknownName(text, f"{shown(text)} names no norm with a number and a day or year")
    return name


@contextmanager
def _target(where: Settings, *, dry_run: bool) -> Iterator[tuple[stores.WritableStore, Quarantine]]:
    """Where records go: the store, or one in memory that is thrown away."""
    if dry_run:
        with TemporaryDirectory() as folder:
            yield in_memory(), Quarantine(Path(folder))
        return
    with writing(where, create=True) as store:
        store.apply([built_in_record()])
        yield store, where.quarantine


def _code(found: Gotten) -> Exit:
    came = found.summary is not None and found.summary.read > found.summary.refused.total()
    if not came:
        return Exit.STORE if found.has_faults else Exit.UNKNOWN_NAME
    complete = found.summary is not None and found.summary.complete and not found.has_faults
    return Exit.ANSWERED if complete else Exit.REFUSED


def _say(found: Gotten, *, dry_run: bool) -> None:
    """What was found, from whom, up to which day, and what is missing."""
    say(f"{shown(found.asked)}: {found.name.canonical}{'; nothing is written' if dry_run else ''}")
    for answer in found.answers:
        kept = ", kept" if answer.kept else ""
        say(f"  {answer.source}: {len(answer.payload)} bytes from {answer.url}, {answer.at:%Y-%m-%dT%H:%M:%SZ}{kept}")
    for source, day in found.last_change.items():
        say(f"  {source} tells changes known up to {day}")
    for one in found.missing:
        say(f"  missing: {_lack(one)} ({one.code.value})")
    if found.summary is not None:
        say_summary(found.summary)


def _lack(one: Missing) -> str:
    where = f"{one.source}: " if one.source is not None else ""
    problem = f": {shown(one.problem)}" if one.problem is not None else ""
    about = f": {', '.join(one.about)}" if one.about and one.problem is None else ""
    return f"{where}{_LACKS[one.code]}{problem}{about}"


def _document(found: Gotten) -> dict[str, object]:
    up_to = found.known_up_to
    return {
        "asked": found.asked,
        "name": found.name.canonical,
        "fetched": [answer.as_json() for answer in found.answers],
        "loaded": summary_as_json(found.summary) if found.summary is not None else None,
        "missing": [one.as_json() for one in found.missing],
        "known_up_to": up_to.isoformat() if up_to is not None else None,
        "last_change": {source: day.isoformat() for source, day in found.last_change.items()},
    }


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("get")(get)
