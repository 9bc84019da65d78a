"""Small stores that a case writes as short text: records, facts, documents, pages and acts.

The keys of a case, each with one source on a line:

- ``records``: ``NAME | RELATION TARGET | key = value``; the keys are those of tests/support/records.py, and
  ``nickname``, ``summary``, ``epigraph`` and ``item``. ``-`` stands for a value that is not stated.
- ``events``: ``TARGET EVENT EFFECT KNOWN [CAUSE]``, in one record of a provider for each norm, or for ``| of = NAME``.
- ``facts``: the same as curated facts, with further keys of a fact, such as ``| text = ...``.

The other keys have lists of texts: ``documents`` (see :mod:`tests.support.law_documents`), ``pages`` (paragraphs of a
page of Planalto) and ``acts`` (texts of amending acts); ``files`` has paths in ``samples/``, ``shared/`` or ``data/``.
``code`` adds the consumer code. With ``in_order``, each record is a transaction. ``sample`` stands for the store of the
bundled sample, which a test opens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import samples
from graph.entities import Event, Item, Record
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.terms import Text
from loaders.pipeline import load
from tests.support.law_documents import law_document
from tests.support.records import code_records, event, record

_TESTS = Path(__file__).resolve().parents[1]
_FOLDERS = {"samples": samples.folder(), "shared": _TESTS.parents[1] / "shared" / "data", "data": _TESTS / "data"}
_TEXTS = {"nickname": "nicknames", "summary": "summaries", "epigraph": "epigraphs"}
_PAGE = ("planalto.gov.br", "LEI Nº 99.901, DE 5 DE MAIO DE 2010.", "Ementa.", "O CONGRESSO NACIONAL decreta:")


def _cells(line: str) -> tuple[str, list[str]]:
    first, *more = (cell.strip() for cell in line.split(" | "))
    return first, more


def _lines(written: str) -> list[str]:
    return [line.strip() for line in written.strip().splitlines() if line.strip() and not line.startswith("#")]


def _record(line: str) -> Record:
    name, cells = _cells(line)
    relations, fields = [], dict[str, Any]()
    for cell in cells:
        key, equals, value = cell.partition(" = ")
        if not equals:
            relations.append(cell.partition(" ")[::2])
        elif key in _TEXTS:
            fields.setdefault(_TEXTS[key], []).append(Text(value))
        elif key == "item":
            fields.setdefault("items", []).append(Item(value))
        else:
            fields[key] = None if value == "-" else value
    return record(name, *relations, **fields)


def _event_records(written: str) -> Iterator[Record]:
    events_by_norm: dict[str, list[Event]] = {}
    for line in _lines(written):
        stated, cells = _cells(line)
        target, kind, *rest = (None if word == "-" else word for word in stated.split())
        norm = cells[0].removeprefix("of = ") if cells else str(target).partition("!")[0]
        events_by_norm.setdefault(norm, []).append(event(str(kind), str(target), *rest))
    for norm, events in events_by_norm.items():
        yield record(norm, key=f"events of {norm}", events=events)


def _stated(value: str) -> str:
    is_bare = re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}|true|false", value)
    return value if is_bare else json.dumps(value, ensure_ascii=False)


def facts_file(written: str) -> str:
    """Return curated facts in TOML."""
    lines = ['curator = "A"']
    for line in _lines(written):
        stated, cells = _cells(line)
        lines.append("[[facts]]")
        for key, value in zip(("norm", "event", "effect", "known", "cause"), stated.split(), strict=False):
            lines += [f"{key} = {_stated(value)}"] if value != "-" else []
        lines += [f"{key} = {_stated(value)}" for key, _, value in (cell.partition(" = ") for cell in cells)]
    return "\n".join(lines) + "\n"


def planalto_page(written: str) -> str:
    """Return a page of Planalto with these paragraphs."""
    return "".join(f"<p>{line}</p>" for line in (*_PAGE, *_lines(written)))


def _written_files(case: Mapping[str, Any], folder: Path) -> Iterator[tuple[Path, str | None]]:
    """Write the sources of a case, and yield each file with its format, if that is not detected."""
    texts: list[tuple[str, str, str | None]] = []
    texts += [("document.xml", law_document(written), None) for written in case.get("documents", ())]
    texts += [("page.htm", planalto_page(written), None) for written in case.get("pages", ())]
    texts += [("act.txt", written, "amendments") for written in case.get("acts", ())]
    texts += [("facts.toml", facts_file(case["facts"]), None)] if case.get("facts") else []
    for number, (name, content, kind) in enumerate(texts):
        (folder / f"{number}-{name}").write_text(content, "utf-8")
        yield folder / f"{number}-{name}", kind


def build(case: Mapping[str, Any], folder: Path) -> WritableStore:
    """Return a store with the sources of a case; skip the test if a file is not shipped."""
    store, quarantine = in_memory(), Quarantine(folder / "quarantine")
    records = [_record(line) for line in _lines(case.get("records", ""))]
    records += _event_records(case.get("events", ""))
    records += code_records() if case.get("code") else ()
    for batch in [[each] for each in records] if case.get("in_order") else [records]:
        store.apply(batch)
    files = [_FOLDERS[path.partition("/")[0]] / path.partition("/")[2] for path in case.get("files", ())]
    if not all(path.exists() for path in files):
        pytest.skip("a source of this case is not shipped")
    if files:
        load(files, store, quarantine)
    for path, kind in _written_files(case, folder):
        summary = load([path], store, quarantine, as_kind=kind)
        assert (summary.refused.total(), summary.loaded > 0) == (0, True), (path.read_text("utf-8"), summary.refusals)
    return store
