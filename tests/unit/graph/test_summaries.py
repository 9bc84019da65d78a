"""Tests that summaries agree with queries: versions, events, texts, copies, records and periods of each name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from datetime import date
from pathlib import Path
from typing import TypeAlias

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samples
from graph.entities import Item, Record, Source
from graph.errors import StoreDamaged
from graph.quarantine import Quarantine
from graph.store import Store, WritableStore, in_memory
from graph.summaries import Key, Summary, abbreviated_iri, notation
from graph.terms import Cell, Solution
from graph.time.kinds import AXES, Axis
from graph.urn import from_iri, parse
from loaders.pipeline import load
from ontology.namespaces import RDF, VIG
from queries.catalogue import named
from queries.status import decided, periods_of
from tests.support.cases import values
from tests.support.records import deletion, event, record, store_of

SHARED = Path(__file__).resolve().parents[4] / "shared"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
OTHER = "urn:lex:br:federal:lei:2003-02-03;99908"
ANNEX = f"{LAW};anexo.1"
RECTIFICATION = f"{LAW};retificacao.1"

Row: TypeAlias = tuple[str | None, ...]


def rows(store: Store, query: str, parameter: str, name: str) -> list[Solution]:
    return list(named(query).rows(store, {parameter: name}))


def text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def cells(rows: Iterable[Solution], *keys: str) -> list[Row]:
    return [tuple(text(row[key]) for key in keys) for row in rows]


def of_triples(store: Store, name: str) -> Iterator[tuple[str, list[Row]]]:
    """Return the results of the catalogue's queries for a name, read from the triples."""
    yield "records", cells(rows(store, "records_about", "nome", name), "registro", "provedor", "datestamp")
    gone = rows(store, "withdrawals_by_name", "nome", name)
    yield "withdrawn", cells(gone, "registro", "provedor", "datestamp", "identificador", "retirado", "ausente")
    versions = rows(store, "versions_of_work", "norma", name)
    for row in versions:
        row["nome"] = row["nome"] or from_iri(str(row["versao"]))
        row["evento"] = notation(str(row["evento"])) if row["evento"] is not None else None
    keys: tuple[str, ...] = ("versao", "nome", "dataVersao", "palavraVersao", "evento", "dataVisao")
    keys += ("ordem", "insercao", "registro")
    yield "versions", sorted(cells(versions, *keys), key=str)
    events = rows(store, "events_of_work", "norma", name)
    acting = [row | {"tipo": notation(str(row["tipo"]))} for row in events if row["versao"] is None]
    yield "events", cells(acting, "evento", "tipo", "efeito", "conhecimento", "causa", "registro")
    made = [row for row in events if row["versao"] is not None and row["causa"] is not None]
    yield "causes", sorted(set(cells(made, "versao", "causa")))
    for version in sorted({name, *(str(row["versao"]) for row in versions)}):
        texts = rows(store, "texts_of_version", "versao", version)
        yield f"texts of {version}", cells(texts, "versao", "expressao", "forma", "lingua")
        copies = rows(store, "copies_of_version", "versao", version)
        yield f"copies of {version}", cells(copies, "item", "url", "formato", "tipo", "publicador")
    periods = rows(store, "timeline", "norma", name)
    keys = ("conhecidoDesde", "inicio", "eixo", "versao", "fim", "conhecidoAte")
    yield "periods", sorted(cells(periods, *keys), key=str)
    deciders = {
        (text(row["conhecidoDesde"]), text(row["inicio"]), text(reason["decididoPor"]))
        for row in periods
        for reason in rows(store, "gap_reasons", "periodo", str(row["periodo"]))
    }
    yield "deciders", sorted(deciders, key=str)


def of_summary(store: Store, name: str) -> Iterator[tuple[str, list[Row]]]:
    """Return the same results, read from the summary alone."""
    summary = store.summary(name)
    yield "records", [(r.record, r.provider, r.datestamp) for r in summary.records()]
    withdrawn = summary.withdrawn()
    days = [(r.record, r.provider, r.datestamp, r.identifier, r.withdrawn_on, r.missing_since) for r in withdrawn]
    yield "withdrawn", list[Row](days)
    versions = list(summary.versions())
    rows: list[Row] = [(*map(text, v[:7]), "True" if v.inserts else None, v.record) for v in versions]
    yield "versions", sorted(rows, key=str)
    yield "events", [tuple(e)[:-1] for e in summary.events()]
    yield "causes", sorted(set(summary.causes()))
    for version in sorted({name, *(v.iri for v in versions)}):
        texts = summary.texts(version)
        yield f"texts of {version}", [tuple(t) for t in texts]
        yield f"copies of {version}", [tuple(c[1:]) for c in summary.copies({version, *(t.iri for t in texts)})]
    periods: list[Row] = [
        (*map(text, (p.known.start, p.days.start)), AXES[axis], p.version, *map(text, (p.days.until, p.known.until)))
        for p in summary.periods()
        for axis in p.axes
    ]
    yield "periods", sorted(periods, key=str)
    deciders = {(text(p.known.start), text(p.days.start), reason) for p in summary.periods() for reason in p.because}
    yield "deciders", sorted(deciders, key=str)


def names(store: Store) -> set[str]:
    """Return the norms and provisions with statements, by IRI."""
    iris = {name for name, _, _ in store.names}
    for predicate in (RDF["type"], VIG["periodoDe"], VIG["alvo"]):
        for quad in store.engine.quads_for_pattern(None, ox.NamedNode(predicate), None, None):
            iris |= {node.value for node in (quad.subject, quad.object) if isinstance(node, ox.NamedNode)}
    return {name for name in iris if name.startswith("urn:lex:") and not set(name) & set("@~$")}


def compare(store: Store) -> int:
    compared = sorted(names(store))
    for name in compared:
        expected, from_summary = dict(of_triples(store, name)), dict(of_summary(store, name))
        assert from_summary == expected, name
    assert list(Store(store.engine, None).names) == list(store.names), "made from the graph it says the same"
    return len(compared)


def test_summaries_of_the_bundled_sample_equal_the_graph(tmp_path: Path) -> None:
    store = in_memory()
    load([samples.folder()], store, Quarantine(tmp_path))
    assert compare(store) > 40


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real samples are not here")
@pytest.mark.slow
def test_summaries_of_real_records_equal_the_graph(tmp_path: Path) -> None:
    store = in_memory()
    bill = "senado.federal#projeto.lei=pls#2017=107@data.evento=leitura=2017-04-18t14.08.xml"
    load([SHARED / "data" / "oai", SHARED / "data" / "lexml-xml" / bill], store, Quarantine(tmp_path))
    assert compare(store) > 10


STEPS = st.sampled_from(
    (
        *("@2001-03-06;publicacao;2001-03-06", "@2001-03-06;assinatura;2001-03-05", "@2003-02-04;alteracao;2003-02-04"),
        *("@2003-02-04;retificacao;2004-05-06", "@2001-03-06;publicacao;2001-03-06~texto;pt-br,en", "@multivigente"),
        *("@2001-03-06;publicacao;2001-03-06!art1", "!art1", "@inicio.vigencia;publicacao;2001-03-06", ""),
    )
)
NAMES = st.sampled_from([LAW, OTHER, ANNEX, RECTIFICATION])
RELATIONS = st.tuples(st.sampled_from(["altera", "revoga", "revoga.dispositivo"]), NAMES | st.just(f"{LAW}!art1"))
KINDS = st.sampled_from(["revogacao", "suspensao", "anulacao", "repristinacao"])
DAYS = st.sampled_from([None, "2002-01-01", "2002", "2004-05-06/.."])


@pytest.mark.slow
@settings(max_examples=60)
@given(data=st.data())
def test_summaries_of_random_records_equal_the_graph(data: st.DataObject) -> None:
    draw = data.draw
    made = []
    for key in "abcde"[: draw(st.integers(1, 5))]:
        events = [
            event(draw(KINDS), draw(NAMES), draw(DAYS), draw(DAYS), draw(st.none() | NAMES))
            for _ in range(draw(st.integers(0, 2)))
        ]
        items = [Item(f"https://x.example/{key}", draw(st.sampled_from([None, "text/html"])))]
        name = f"{draw(NAMES)}{draw(STEPS)}"
        relations, kept = draw(st.lists(RELATIONS, max_size=2)), items[: draw(st.integers(0, 1))]
        made.append(record(name, *relations, key=key, events=events, items=kept))
    store = store_of(*made)
    assert compare(store) > 0
    for key in draw(st.sets(st.sampled_from("abcde"))):
        store.apply([deletion(key)])
        compare(store)


def test_period_is_found_on_both_sides_of_each_bound(code_store: WritableStore) -> None:
    """Compare with the rows of ``version_in_force``, which reads the triples."""
    law = parse("urn:lex:br:federal:lei:1990-09-11;8078")
    bounds = {day for p in periods_of(code_store, law) for day in astuple(p) if isinstance(day, date)}
    days = sorted({date.fromordinal(day.toordinal() + off) for day in bounds for off in (-1, 0, 1)})
    for on in days:
        for known in days:
            asked = {"norma": law.iri, "em": on, "conhecido": known, "eixo": AXES[Axis.FORCE]}
            expected = [
                (text(r["versao"]), r["inicio"], r["fim"], r["conhecidoDesde"], r["conhecidoAte"])
                for r in named("version_in_force").rows(code_store, asked)
            ]
            period = decided(code_store, law, on, known, Axis.FORCE)
            rows = [
                (p.version, p.days.start, p.days.until, p.known.start, p.known.until)
                for p in (period,)
                if p is not None
            ]
            assert rows == expected, (on, known)


def test_name_whose_iri_is_spelled_differently_has_a_summary() -> None:
    store = store_of(record(f"{LAW}![art6,art10]"), record(f"{LAW}@[2001-03-06,2003-02-04]"))
    assert compare(store) == 2


@pytest.mark.parametrize(("iri", "name", "short"), values("summaries", "iri_is_abbreviated"))
def test_iri_is_abbreviated(iri: str, name: str, short: str) -> None:
    assert abbreviated_iri(iri, name) == short


def test_invalid_summary_is_reported_as_damage() -> None:
    with pytest.raises(
        StoreDamaged, match="the summary of urn:lex:br:x in urn:g cannot be read; `vigente rebuild` recreates it"
    ):
        Summary("urn:lex:br:x", [("urn:g", "{")]).records()


def test_undated_tombstone_has_no_summary() -> None:
    store = in_memory()
    store.apply([Record(Source("oai:x:1", "oai_lexml", "0", "oai_lexml/1", "https://x.example"), None)])
    assert names(store) == set()


def test_documented_summary_keys_match_the_code() -> None:
    table = (
        (Path(__file__).resolve().parents[3] / "docs" / "reference" / "graph.md")
        .read_text("utf-8")
        .partition("## Summaries")[2]
    )
    assert re.findall(r"^\| `(\w)` \|", table, re.MULTILINE) == sorted(key.value for key in Key)
