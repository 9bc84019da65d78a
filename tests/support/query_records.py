"""Records for the tests of the queries of the catalogue, read from a file of tests/data/queries."""

from __future__ import annotations

import json
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
    EditorialNote,
    EditorialNoteKind,
    Event,
    HarvestRun,
    Item,
    ItemKind,
    Provision,
    Record,
    Source,
    Wording,
    record_of,
)
from graph.terms import Text
from graph.time.kinds import Situation
from graph.urn import parse
from graph.vocabulary import Concept, Scheme
from loaders.amendments import amendments_of
from tests.support.records import deletion, event, record


def records_in(path: Path) -> list[Record]:
    """Return a record for each line of a file, in order; the callables are the fixtures of those names."""
    made = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        fields = {"key": f"registro-{number}", "provider": "https://um.example/oai", **json.loads(line)}
        if "concept" in fields:
            notation, label, english = fields.pop("concept")
            value = Concept(Scheme(fields.pop("scheme")), notation, label, english, tuple(fields.pop("alternative")))
            source = Source(f"urn:x:{fields['key']}", "vocabulary", f"{number:064x}", "vocabulary/1")
            made.append(Record(source, None, concepts=(value,)))
            continue
        if "run" in fields:
            made.append(record_of(HarvestRun(**{**fields["run"], **_moments(fields["run"], "started", "ended")})))
            continue
        if "act" in fields:
            act = amendments_of("\n\n".join(fields["act"]).encode(), "act.txt")
            assert act.act is not None
            source = Source(f"urn:x:{fields['key']}", "amendments", f"{number:064x}", "amendments/3", origin="act.txt")
            made.append(Record(source, Document(act.act), operations=act.operations, unread_orders=len(act.left)))
            continue
        if "derived" in fields:
            norm = parse(fields["name"])
            source = Source(f"urn:x:{fields['key']}", "derived", f"{number:064x}", "vigente/derived/1")
            made.append(Record(source, Document(norm), derived=tuple(map(_derived, fields["derived"]))))
            continue
        if "deleted" in fields:
            new_record = deletion(fields["deleted"], provider=fields["provider"], datestamp=fields["datestamp"])
            missing = date.fromisoformat(fields["missing_since"]) if "missing_since" in fields else None
            made.append(replace(new_record, source=replace(new_record.source, missing_since=missing)))
            continue
        for field in ("epigraphs", "nicknames", "summaries", "index_terms", "catalogue_notes"):
            fields[field] = [Text(text) for text in fields.get(field, ())]
        fields["items"] = [
            Item(url, form, ItemKind(kind) if kind else None, *rest)
            for url, form, kind, *rest in fields.get("items", ())
        ]
        fields["events"] = [_event(*parts) for parts in fields.get("events", ())]
        curated = dict(zip(("curator", "cited", "note"), fields.pop("curated", ()), strict=False))
        curated |= {
            "wording_dates": fields.pop("wording_dates", False),
            "doubtful_stamp": fields.pop("doubtful", False),
        }
        if "harvested" in fields:
            started, fetched = map(datetime.fromisoformat, fields.pop("harvested"))
            run = HarvestRun(fields["provider"], started, "vigente/0", "federal")
            curated |= {"run": run.iri, "fetched": fetched}
        text = _text(fields)
        new_record = record(fields.pop("name"), *map(tuple, fields.pop("relations", ())), **fields)
        made.append(
            replace(new_record, source=replace(new_record.source, payload_hash=f"{number:064x}", **curated), **text)
        )
    return made


def _derived(fields: dict[str, Any]) -> DerivedText:
    parts = tuple(
        TextPart(fragment, within, label, heading, text, tuple(map(parse, made_by)), PartStatus(status))
        for fragment, within, label, heading, text, made_by, status in fields["parts"]
    )
    day, known = (date.fromisoformat(fields[key]) for key in ("day", "known"))
    acts = tuple(map(parse, fields["acts"]))
    return DerivedText(day, known, parse(fields["base"]), parts, acts, fields["in_use"], tuple(fields["differs"]))


def _event(*parts: Any) -> Event:
    """Return an event from kind, target, days and cause, and optionally restored wording, ``undoes`` and counting."""
    further = list(parts[5:])
    wording = parse(further[0]) if further and further[0] is not None else None
    undoes = bool(further[1]) if len(further) > 1 else True
    counted = parse_counting(str(further[2])) if len(further) > 2 else None
    return replace(event(*parts[:5]), wording=wording, undoes=undoes, counted=counted)


def _moments(fields: dict[str, Any], *keys: str) -> dict[str, datetime]:
    return {key: datetime.fromisoformat(fields[key]) for key in keys}


def _text(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record about its text: provisions, versions and coverage.

    A provision is given by its identifier, its container and its wordings.
    """
    provisions = []
    for order, (fragment, within, wordings, *words) in enumerate(fields.pop("provisions", ()), start=1):
        provision_wordings = tuple(
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
        if wordings[0][0] != fields["name"]:
            provision_wordings = (replace(provision_wordings[0], inserts=True), *provision_wordings[1:])
        provisions.append(Provision(fragment, within, order, provision_wordings, parse(words[0]) if words else None))
    versions = tuple((parse(version), parse(cause)) for version, cause in fields.pop("versions", ()))
    notes = tuple(
        EditorialNote(fragment, EditorialNoteKind(kind), text, parse(target) if target else None, url, bool(struck))
        for fragment, kind, text, target, url, *struck in fields.pop("notes", ())
    )
    coverage = Coverage(fields.pop("coverage", "parts"))
    return {"provisions": tuple(provisions), "versions": versions, "coverage": coverage, "notes": notes}
