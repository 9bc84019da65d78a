"""The records that the queries of the catalogue are tried on, read from a file of tests/data/queries."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from graph.amendments import PartStatus, TextPart
from graph.civil import parse_counting
from graph.entities import (
    Coverage,
    DerivedText,
    Document,
    Event,
    HarvestRun,
    Item,
    ItemKind,
    Provision,
    Record,
    Situation,
    Source,
    Text,
    Wording,
    record_of,
)
from graph.urn import parse
from graph.vocabulary import Concept, Scheme
from loaders.amendments import amendments_of

__all__ = ["records_in"]


def records_in(
    path: Path, record: Callable[..., Record], deletion: Callable[..., Record], event: Callable[..., Event]
) -> list[Record]:
    """One record for each line, in their order; the callables are the fixtures of those names."""
    made = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        said = {"key": f"registro-{number}", "provider": "https://um.example/oai", **json.loads(line)}
        if "concept" in said:
            notation, label, english = said.pop("concept")
            value = Concept(Scheme(said.pop("scheme")), notation, label, english, tuple(said.pop("alternative")))
            source = Source(f"urn:x:{said['key']}", "vocabulary", f"{number:064x}", "vocabulary/1")
            made.append(Record(source, None, concepts=(value,)))
            continue
        if "run" in said:
            made.append(record_of(HarvestRun(**{**said["run"], **_moments(said["run"], "started", "ended")})))
            continue
        if "act" in said:
            act = amendments_of("\n\n".join(said["act"]).encode(), "act.txt")
            assert act.act is not None
            source = Source(f"urn:x:{said['key']}", "amendments", f"{number:064x}", "amendments/1", origin="act.txt")
            made.append(Record(source, Document(act.act), operations=act.operations))
            continue
        if "derived" in said:
            norm = parse(said["name"])
            source = Source(f"urn:x:{said['key']}", "derived", f"{number:064x}", "vigente/derived/1")
            made.append(Record(source, Document(norm), derived=tuple(map(_derived, said["derived"]))))
            continue
        if "deleted" in said:
            one = deletion(said["deleted"], provider=said["provider"], datestamp=said["datestamp"])
            missing = date.fromisoformat(said["missing_since"]) if "missing_since" in said else None
            made.append(replace(one, source=replace(one.source, missing_since=missing)))
            continue
        for field in ("epigraphs", "nicknames", "summaries", "index_terms", "catalogue_notes"):
            said[field] = [Text(text) for text in said.get(field, ())]
        said["items"] = [
            Item(url, form, ItemKind(kind) if kind else None, *rest) for url, form, kind, *rest in said.get("items", ())
        ]
        said["events"] = [_event(event, *parts) for parts in said.get("events", ())]
        curated = dict(zip(("curator", "cited", "note"), said.pop("curated", ()), strict=False))
        curated |= {"wording_dates": said.pop("wording_dates", False), "doubtful_stamp": said.pop("doubtful", False)}
        if "harvested" in said:
            started, fetched = map(datetime.fromisoformat, said.pop("harvested"))
            run = HarvestRun(said["provider"], started, "vigente/0", "federal")
            curated |= {"run": run.iri, "fetched": fetched}
        text = _text(said)
        one = record(said.pop("name"), *map(tuple, said.pop("relations", ())), **said)
        made.append(replace(one, source=replace(one.source, payload_hash=f"{number:064x}", **curated), **text))
    return made


def _derived(said: dict[str, Any]) -> DerivedText:
    parts = tuple(
        TextPart(fragment, within, label, heading, text, tuple(map(parse, made_by)), PartStatus(status))
        for fragment, within, label, heading, text, made_by, status in said["parts"]
    )
    day, known = (date.fromisoformat(said[key]) for key in ("day", "known"))
    acts = tuple(map(parse, said["acts"]))
    return DerivedText(day, known, parse(said["base"]), parts, acts, said["in_use"], tuple(said["differs"]))


def _event(event: Callable[..., Event], *parts: Any) -> Event:
    """An event from its kind, target, days and cause; then the wording that it restores, ``undoes`` and counting."""
    further = list(parts[5:])
    wording = parse(further[0]) if further and further[0] is not None else None
    undoes = bool(further[1]) if len(further) > 1 else True
    counted = parse_counting(str(further[2])) if len(further) > 2 else None
    return replace(event(*parts[:5]), wording=wording, undoes=undoes, counted=counted)


def _moments(said: dict[str, Any], *keys: str) -> dict[str, datetime]:
    return {key: datetime.fromisoformat(said[key]) for key in keys}


def _text(said: dict[str, Any]) -> dict[str, Any]:
    """What a record says of provisions: identifier, holder and wordings (version, label ... situation, cause)."""
    provisions = []
    for order, (fragment, within, wordings, *words) in enumerate(said.pop("provisions", ()), start=1):
        each = tuple(
            Wording(
                parse(version),
                label,
                heading,
                text,
                markup,
                Situation(situation) if situation else None,
                cause=parse(cause[0]) if cause else None,
                unstruck="unstruck" in cause[1:],
                inferred="inferred" in cause[1:],
            )
            for version, label, heading, text, markup, situation, *cause in wordings
        )
        if wordings[0][0] != said["name"]:
            each = (replace(each[0], inserts=True), *each[1:])
        provisions.append(Provision(fragment, within, order, each, parse(words[0]) if words else None))
    versions = tuple((parse(version), parse(cause)) for version, cause in said.pop("versions", ()))
    coverage = Coverage(said.pop("coverage", "parts"))
    return {"provisions": tuple(provisions), "versions": versions, "coverage": coverage}
