"""Stores that are written as lines and texts (tests/data/page_stores.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import open_for_writing
from graph.terms import Text
from loaders.pipeline import load
from tests.support.law_parts import CHAPTER, THREE_ARTICLES, change, fact_records, law_records
from tests.support.records import PROVIDER, event, record

_FILE = Path(__file__).resolve().parents[2] / "data" / "page_stores.toml"
TABLES: Mapping[str, Any] = tomllib.loads(_FILE.read_text("utf-8"))
_STATED = {"key", "from", "at", "title", "summary"}
_TEXTS = {"bridges": {"body": THREE_ARTICLES}, "chapter": {"body": CHAPTER}}


def build(site: str, folder: Path) -> Path:
    """Make the store of a site in a folder; return its folder."""
    table = TABLES[site]
    files = {name: _filled(text, table["names"]) for name, text in table.get("files", {}).items()}
    for norm in table.get("document", {}).get("norms", ()):
        files[f"{norm}.xml"] = _filled(table["document"]["text"], {**table["names"], "NORM": table["names"][norm]})
    for name, text in files.items():
        (folder / name).write_text(text.strip(), "utf-8")
    store = folder / "store"
    with open_for_writing(store, create=True) as opened:
        assert not load([folder / name for name in files], opened, Quarantine(folder / "quarantine")).refusals
        opened.apply(list(_records(table)))
    return store


def _filled(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], text)


def _records(table: Mapping[str, Any]) -> Iterator[Record]:
    lines = _filled(table.get("lines", ""), table["names"]).strip()
    for head, *more in (block.splitlines() for block in re.split(r"\n(?! )", lines) if block):
        kind, name, *rest = head.split()
        if kind == "law":
            texts = [{**_TEXTS, **table.get("texts", {})}[text] for text in rest]
            changes = "".join(change(*_change(line)) for text in texts for line in text.get("changes", ()))
            events = "".join(_filled(text.get("events", ""), table["names"]) for text in texts)
            yield from law_records(changes + events, "".join(text["body"] for text in texts), name=name)
        elif kind == "fact":
            yield from fact_records(_fact(name, *rest))
        else:
            yield _record(name, [line.strip() for line in more])


def _change(line: str) -> tuple[str, str, int, str]:
    identifier, day, number, local = line.split()
    return identifier, day, int(number), local


def _fact(name: str, what: str, effect: str, *rest: str) -> str:
    stated = dict(word.split("=", 1) for word in rest if "=" in word)
    known = next((word for word in rest if "=" not in word), effect)
    told = {"curator": "A", **stated}
    further = "".join(f'{key} = "{value.replace("_", " ")}"\n' for key, value in told.items())
    return f'[[facts]]\nnorm = "{name}"\nevent = "{what}"\neffect = {effect}\nknown = {known}\n{further}'


def _record(name: str, lines: list[str]) -> Record:
    target = re.sub("@[^!]*", "", name)
    stated = {word: rest for word, _, rest in (line.partition(" ") for line in lines) if word in _STATED}
    events = [
        event(kind, target, *(None if word == "-" else word for word in days))
        for kind, *days in map(str.split, lines)
        if kind not in _STATED
    ]
    key, word = stated.get("key"), stated.get("from")
    if word is None:
        word = key if key is not None and key.isalpha() else None
    else:
        key = name + word
    return record(
        name,
        key=key,
        provider=PROVIDER if word is None else f"https://{word}.example/oai",
        datestamp=stated.get("at", "2008-12-15"),
        epigraphs=[Text(stated["title"])] if "title" in stated else (),
        summaries=[Text(stated["summary"])] if "summary" in stated else (),
        events=events,
    )
