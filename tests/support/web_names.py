"""A store for tests of the resolver and Memento: the consumer code, a law with its text, and various histories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import httpx

import samples
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from loaders.pipeline import load
from tests.support.records import deletion, event, record

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: Has a text (samples/lexml_xml); art2 is revoked from 2002-05-02 on.
TEXT = "urn:lex:br:federal:lei:2001-03-05;99916"
#: In force from 2001-03-06, expired from 2002-01-01, again in force from 2003-01-01.
RESTORED = "urn:lex:br:federal:lei:2001-03-05;99907"
#: In force from 2001-03-06, expired for good from 2002-01-01.
ENDED = "urn:lex:br:federal:lei:2001-03-05;99911"
#: In force from 2001-03-06, suspended from 2002-01-01 to 2002-12-31.
SUSPENDED = "urn:lex:br:federal:lei:2001-03-05;99912"
#: Published, in force from a day in the distant future.
AHEAD = "urn:lex:br:federal:lei:2001-03-05;99913"
UNDATED = "urn:lex:br:federal:lei:2008-06-19;99914"
#: Its only record was withdrawn.
GONE = "urn:lex:br:federal:lei:2001-03-05;99915"
TWINS = ("urn:lex:br:federal:lei:1995-01-02;99931", "urn:lex:br:federal:lei:1995-05-02;99931")
#: A norm of another country; a record names a version of it.
FOREIGN = "urn:lex:fr:etat:loi:2004-05-15;106"
FOREIGN_VERSION = f"{FOREIGN}@2005-06-01"
_OTHER = "urn:lex:br:federal:lei:2002-11-30;99908"


def build_store(folder: Path, others: Iterable[Record]) -> Path:
    """Make the store in a new folder; return the folder.

    Args:
        record, event, deletion: the fixtures of those names.
        others: further records.
    """
    expiry = ("caducidade", "2002-01-01", "2001-03-06")
    records = [
        *others,
        record(
            f"{RESTORED}@2001-03-06;publicacao;2001-03-06",
            events=[
                event(expiry[0], RESTORED, *expiry[1:]),
                event("repristinacao", RESTORED, "2003-01-01", "2002-12-01", _OTHER),
            ],
        ),
        record(f"{ENDED}@2001-03-06;publicacao;2001-03-06", events=[event(expiry[0], ENDED, *expiry[1:])]),
        record(
            f"{SUSPENDED}@2001-03-06;publicacao;2001-03-06",
            events=[
                event("suspensao", SUSPENDED, "2002-01-01", "2002-01-02", _OTHER),
                event("restabelecimento", SUSPENDED, "2003-01-01", "2003-01-01", _OTHER),
            ],
        ),
        record(f"{AHEAD}@2990-01-01;publicacao;2001-03-06"),
        record(UNDATED),
        record(f"{GONE}@2001-03-06;publicacao;2001-03-06", key="gone"),
        *(record(f"{twin}@{twin[23:33]};publicacao;{twin[23:33]}") for twin in TWINS),
        record(FOREIGN),
        record(FOREIGN_VERSION),
    ]
    with open_for_writing(folder, create=True) as store:
        store.apply(records)
        store.apply([deletion("gone")])
        load([samples.folder() / "lexml_xml"], store, Quarantine(folder / "quarantine"))
    return folder


def place(response: httpx.Response) -> str:
    """Return the target of a redirect, without the address of the service."""
    location = response.headers["location"]
    assert location.startswith(f"{response.url.scheme}://{response.url.netloc.decode()}/")
    return str(location).removeprefix(f"{response.url.scheme}://{response.url.netloc.decode()}")


def links(response: httpx.Response) -> dict[str, str]:
    """Return the decoded paths of the header Link by relation; if a relation has several links, the last."""
    paths = {}
    for target, relations in re.findall(r'<([^>]*)>; rel="([^"]*)"', response.headers["link"]):
        path = target.removeprefix(f"{response.url.scheme}://{response.url.netloc.decode()}")
        paths.update(dict.fromkeys(relations.split(), path.replace("%3B", ";").replace("%2C", ",")))
    return paths


def code_of(response: httpx.Response) -> tuple[int, str]:
    """Return status and reason code of a problem document; fail if the document is inconsistent."""
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == response.status_code
    assert document["type"] == f"/problems/{document['code']}"
    return response.status_code, document["code"]
