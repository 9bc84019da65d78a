"""The requests of commands to official sources: their manners, and the answers of the SAPL of a chamber."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from graph.civil import today
from graph.urn import Name
from loaders.chamber import Chamber, folder_of, kept_answers, no_longer_listed
from loaders.getting import ANSWERS, Asker, RawAnswer
from loaders.harvest.list_writer import SOFTWARE
from loaders.oai_pmh import ProviderFault
from loaders.oai_pmh import Settings as Manners
from service.cli.context import Settings
from service.cli.opening import writing
from service.output import print_message

#: The address of the project in the User-Agent field.
_PROJECT_URL = "https://w3id.org/vigente"
#: Time limit of a response and longest Retry-After, in seconds; number of retries after a fault.
_SECONDS, _LONGEST_WAIT, _RETRIES = 120.0, 30.0, 2


def manners(politeness: float, contact: str | None) -> Manners:
    """Return the settings of requests."""
    return Manners(
        user_agent=f"{SOFTWARE} (+{_PROJECT_URL})",
        contact=contact or "",
        page_seconds=_SECONDS,
        retries=_RETRIES,
        backoff=max(politeness, 0.01),
        longest_wait=_LONGEST_WAIT,
        politeness=politeness,
        other_hosts=False,
    )


@contextmanager
def chamber_of(
    url: str, answers: Path | None, settings: Manners, max_age: timedelta
) -> Iterator[Callable[[Name], list[RawAnswer]]]:
    """Yield the function that fetches the answers of a chamber on one norm.

    Args:
        answers: the folder of all stored answers; None to store none.
    """
    with _chamber(url, answers, settings, max_age) as chamber:
        yield chamber.fetch


def fetch_chamber(where: Settings, url: str, politeness: float, contact: str | None) -> Path | None:
    """Fetch what the SAPL of a chamber has and is not stored yet.

    Returns:
        The folder with all its answers; None, with a message, if it gave no valid answer.
    """
    with _chamber(url, where.store / ANSWERS, manners(politeness, contact), timedelta(0)) as chamber:
        try:
            fetched = chamber.fetch()
        except ProviderFault as fault:
            print_message(f"vigente: {fault}; nothing is loaded, what came is kept: the same command continues")
            return None
    new = sum(not answer.kept for answer in fetched)
    print_message(f"{url}: {len(fetched)} answers, {new} of them new")
    for path in chamber.lacking:
        print_message(f"  the installation has no list {path}: not read")
    return folder_of(where.store / ANSWERS, url)


def withdraw_missing(where: Settings, folders: Iterable[Path]) -> int:
    """Withdraw the norms that chambers no longer list; return their number.

    A list that lacks more than half of the norms of a chamber withdraws none, because it may be a fault.

    Args:
        folders: the folders of the stored answers of each, with its whole list of norms.
    """
    count = 0
    with writing(where) as store:
        for folder in folders:
            gone, known = no_longer_listed(store, folder, today())
            if len(gone) > known / 2:
                print_message(f"{folder.name}: {len(gone)} of {known} norms are not listed any more: none is withdrawn")
                continue
            store.apply(gone)
            count += len(gone)
    return count


@contextmanager
def _chamber(url: str, answers: Path | None, settings: Manners, max_age: timedelta) -> Iterator[Chamber]:
    folder = folder_of(answers, url) if answers is not None and url else None
    # a valid page is briefly absent while the server restarts its workers
    patient = replace(settings, transient=frozenset({404}))
    with Asker(patient, kept_answers(folder, url), max_age) as asker:
        yield Chamber(asker, url, folder)
