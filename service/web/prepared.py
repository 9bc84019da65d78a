"""Does the work that each first task would repeat. The fork server imports it once, before it starts worker processes.

It compiles the templates, and runs tasks over a fictional law in memory. They fill the caches that do not depend on a
store: messages, vocabularies, queries, schemas of documents and regular expressions.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import samples
from graph.entities import Record
from graph.process import release_free_memory
from graph.store import Store, in_memory
from loaders.documents import SourceDocument, walk
from loaders.sources.lexml_xml import read_lexml_xml
from service.web.pages import (
    citing,
    consolidation,
    difference,
    feeds,
    home,
    pictures,
    relations,
    search,
    timeline,
    whole_text,
)
from service.web.pages.frame import prepare
from service.web.pages.norm_request import KIND as NORM_PAGE
from service.web.task_types import TASK_TYPES

_FRAME = {"language": "pt-BR", "has_language": False, "path": "/", "query": [], "base": "http://localhost"}
_COMMON = {
    "frame": _FRAME,
    "today": "2002-08-01",
    "on": None,
    "as_known": None,
    "view": None,
    "axis": "force",
    "part": 1,
}
_FIELDS = ("type", "authority", "place", "year", "on", "as_known", "norm")


def tasks(name: str) -> Mapping[str, Mapping[str, object]]:
    """Return the arguments of a task about a norm, for each type of task that needs more than the templates."""
    norm = {**_COMMON, "name": name}
    asked: Mapping[str, object] = {
        "version": None,
        "known": "2002-08-01",
        "days": {},
        "notices": [],
        "described": False,
    }
    return {
        NORM_PAGE: {**_COMMON, **asked, "target": name},
        home.KIND: norm,
        search.KIND: {**norm, "form": {**dict.fromkeys(_FIELDS), "words": "lei", "in_force": False, "start": 0}},
        timeline.KIND: norm,
        whole_text.KIND: {**norm, "format": "html", "problem": False},
        difference.KIND: {**norm, "swapped": False, "from": "2001-06-01", "to": "2002-07-02"},
        citing.KIND: {**norm, "format": "html"},
        pictures.ARTICLES: norm,
        pictures.STOCK: norm,
        relations.KIND: norm,
        consolidation.BLAME: norm,
        consolidation.DISAGREEMENTS: norm,
        feeds.RECENT: {**norm, "from": None, "to": None},
        "api.norms/{name}": {"name": name},
        "api.resolve": {"urn": name},
        "sparql": {"query": "ASK {}", "accept": None},
    }


def store_of(sample: Path) -> Store:
    """Return a store in memory with the laws of a file of LexML XML."""
    store = in_memory()
    documents = [document for document in walk([sample]) if isinstance(document, SourceDocument)]
    outcomes = [outcome for document in documents for outcome in read_lexml_xml(document)]
    store.apply([outcome for outcome in outcomes if isinstance(outcome, Record)])
    return store


def _run_tasks() -> None:
    store = store_of(samples.folder() / "lexml_xml" / "lei-99916-2001.xml")
    for kind, arguments in tasks("urn:lex:br:federal:lei:2001-03-05;99916").items():
        with suppress(Exception):  # the worker that runs a task reports its failure
            TASK_TYPES[kind](store, arguments)


prepare()
_run_tasks()
gc.collect()
release_free_memory()
