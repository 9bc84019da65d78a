"""Tests of the vocabularies and of every row of the official lists, and of the latest day of a provisional measure."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.time.measure_terms import is_recess, latest_day
from graph.vocabulary import BUILT_IN_FILES, Concept, Scheme, Vocabulary, built_in
from graph.wording.folding import words
from loaders.pipeline import load
from loaders.sources.vocabulary import built_in_record
from ontology.events import EVENTS
from ontology.iris import vocab_iri
from ontology.places import UNITS
from queries.vocabulary import vocabulary
from tests.support.cases import constant, tuples, values

# The vocabularies


SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "vocabularies"
OFFICIAL = ("localidade", "autoridade", "tipoDocumento", "tipoConteudo", "lingua", "evento")
HEADER = "id,about,prefLabel,lang,altLabel,broader,facetaAcronimo,faceta,prefNodeId\n"

#: Types of bills, of norms and of judgments.
TYPES = constant("vocabulary", "types")
CONTENTS = "texto imagem imagem.movimento musica notacao.musical texto.falado"
SKOS = "http://www.w3.org/2004/02/skos/core#"


@pytest.fixture
def quarantine(tmp_path: Path) -> Quarantine:
    return Quarantine(tmp_path / "quarantine")


# The built-in values (LexML part 6)


def test_basic_values_are_built_in() -> None:
    known = built_in()
    for unit, name in UNITS.items():
        concept = known.concept(Scheme.LOCALIDADE, f"br;{name}")
        assert concept is not None
        assert concept.broader == "br"
        assert unit.upper() in concept.alternative
        assert known.one(Scheme.LOCALIDADE, unit) == concept
    assert {c.notation for c in known.concepts(Scheme.EVENTO)} == set(EVENTS)
    assert [c.notation for c in known.concepts(Scheme.LINGUA)] == ["pt-br", "en", "es", "de", "fr", "it"]
    assert {c.notation for c in known.concepts(Scheme.TIPO_CONTEUDO)} == set(CONTENTS.split())
    for sphere in ("federal", "estadual", "municipal"):
        assert known.concept(Scheme.AUTORIDADE, sphere) is not None, sphere
    for kind in TYPES.split():
        assert known.concept(Scheme.TIPO_DOCUMENTO, kind) is not None, kind


def test_every_built_in_value_is_well_formed() -> None:
    assert BUILT_IN_FILES == ("vocabularios.ttl", "eventos.ttl")
    for scheme in Scheme:
        concepts = list(built_in().concepts(scheme))
        notations = [concept.notation for concept in concepts]
        assert len(set(notations)) == len(notations)
        for concept in concepts:
            assert concept.label
            assert concept.label_en
            assert concept.label not in concept.alternative
            assert concept.broader is None or concept.broader in notations


@pytest.mark.parametrize("scheme", [Scheme.LOCALIDADE, Scheme.TIPO_DOCUMENTO])
def test_notation_is_derived_from_the_label(scheme: Scheme) -> None:
    """Check that the notation is derived from the label (LexML 1.0 part 2, sections 4.3.1 to 4.3.3)."""
    for concept in built_in().concepts(scheme):
        if concept.notation not in {"br"}:
            assert ".".join(words(concept.label)) == concept.notation.rpartition(";")[2]


@pytest.mark.parametrize(
    ("scheme", "texts", "notation"),
    [
        (Scheme.AUTORIDADE, ("stf", "Supremo Tribunal Federal"), "supremo.tribunal.federal"),
        (Scheme.AUTORIDADE, ("SRF",), "ministerio.fazenda;secretaria.receita.federal"),
        (Scheme.AUTORIDADE, ("BACEN",), "banco.central"),
        (Scheme.LOCALIDADE, ("sp", "sao paulo"), "br;sao.paulo"),
        (Scheme.LOCALIDADE, ("Rio Grande do Sul", "rio.grande.sul"), "br;rio.grande.sul"),
        (Scheme.TIPO_DOCUMENTO, ("MP", "Provisional Measure"), "medida.provisoria"),
        (Scheme.TIPO_DOCUMENTO, ("Lei Ordinária",), "lei"),
        (Scheme.TIPO_DOCUMENTO, ("DECRETO-LEI",), "decreto.lei"),
        (Scheme.TIPO_DOCUMENTO, ("nada", ""), None),
    ],
)
def test_value_is_found_by_its_labels(scheme: Scheme, texts: tuple[str, ...], notation: str | None) -> None:
    for text in texts:
        concept = built_in().one(scheme, text)
        assert (concept.notation if concept else None) == notation, text


def test_ambiguous_label_resolves_only_to_the_more_general_value() -> None:
    place = Scheme.LOCALIDADE
    made = Vocabulary(
        [
            Concept(place, "br;acre;bonito", "Bonito - AC"),
            Concept(place, "br;bahia;bonito", "Bonito - BA"),
            Concept(place, "br;acre", "Acre"),
            Concept(place, "br;acre;acre", "Acre - AC"),
        ]
    )
    assert made.one(place, "Bonito") is None
    assert [concept.notation for concept in made.named(place, "bonito")] == ["br;acre;bonito", "br;bahia;bonito"]
    concepts = made.one(place, "Bonito - BA"), made.one(place, "Acre")
    assert [concept and concept.notation for concept in concepts] == ["br;bahia;bonito", "br;acre"]


def test_type_of_a_name_is_looked_up_in_the_lexml_order() -> None:
    kind = Scheme.TIPO_DOCUMENTO
    bare = Concept(kind, "projeto.lei", "Projeto de Lei")
    here = Concept(kind, "br:camara.deputados:projeto.lei;pl", "PL")
    organ = Concept(kind, "br:supremo.tribunal.federal:acordao;adi", "ADI")
    direct = Concept(kind, "projeto.lei;xyz", "XYZ")
    made = Vocabulary([bare, here, organ, direct])
    for authority, notation, expected in (
        ("camara.deputados", "projeto.lei", bare),
        ("camara.deputados", "projeto.lei;pl", here),
        ("camara.deputados", "projeto.lei;xyz", direct),
        ("senado.federal", "projeto.lei;pl", bare),
        ("supremo.tribunal.federal;turma.1", "acordao;adi", organ),
        ("supremo.tribunal.federal;turma.1", "acordao;hc", None),
    ):
        assert made.type_of("br", authority, notation) == expected, (authority, notation)


# In the graph


def test_built_in_values_are_stored_once() -> None:
    store = in_memory()
    assert store.apply([built_in_record()]).loaded == 1
    before = len(store)
    assert store.apply([built_in_record()]).unchanged == 1
    assert len(store) == before
    rows = list(
        store.select(
            f"PREFIX skos: <{SKOS}> SELECT ?s (COUNT(?c) AS ?n) WHERE "
            "{ ?s a skos:ConceptScheme . ?c a skos:Concept ; skos:inScheme ?s ; skos:notation ?x } GROUP BY ?s"
        )
    )
    assert {str(row["s"]).rpartition("/")[2]: row["n"] for row in rows} == {
        scheme.value: len(list(built_in().concepts(scheme))) for scheme in Scheme
    }
    assert len(vocabulary(store)) == len(built_in())


@pytest.mark.parametrize(
    ("condition", "pattern"), values("vocabulary", "built_in_values_meet_skos_integrity_conditions")
)
def test_built_in_values_meet_skos_integrity_conditions(condition: str, pattern: str) -> None:
    store = in_memory()
    store.apply([built_in_record()])
    query = f"PREFIX skos: <{SKOS}> SELECT ?c WHERE {{ {pattern} }}"
    assert list(store.select(query)) == [], condition


# Official lists as CSV


def loaded(folder: Path, quarantine: Quarantine, **files: str) -> WritableStore:
    store = in_memory()
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    load([folder / f"{name}.csv" for name in files], store, quarantine, as_kind="vocabulary")
    return store


def test_list_gives_labels_acronyms_and_nested_places(tmp_path: Path, quarantine: Quarantine) -> None:
    row = '1,br;acre;vila.ficticia,"Vila Fictícia - AC",pt-BR,"VF, Vila",#br;acre,,x,y\n'
    store = loaded(tmp_path, quarantine, localidade=HEADER + row)
    concept = vocabulary(store).one(Scheme.LOCALIDADE, "vila ficticia")
    assert concept is not None
    assert (concept.notation, concept.label) == ("br;acre;vila.ficticia", "Vila Fictícia - AC")
    assert sorted(concept.alternative) == ["VF", "Vila"]
    broader = f"<{vocab_iri('localidade', 'br;acre')}>"
    node = f"<{vocab_iri('localidade', 'br;acre;vila.ficticia')}>"
    assert list(store.select(f"SELECT ?x WHERE {{ {node} <{SKOS}broader> {broader} BIND(1 AS ?x) }}"))


def test_duplicate_key_keeps_both_labels(tmp_path: Path, quarantine: Quarantine) -> None:
    text = HEADER + "1,orgao.um,Órgão Um,pt-BR,,,,,\n2,orgao.um,Órgão Hum,pt-BR,,,,,\n"
    store = loaded(tmp_path, quarantine, autoridade=text)
    labels = [concept.label for concept in vocabulary(store).named(Scheme.AUTORIDADE, "orgao.um")]
    assert sorted(labels) == ["Órgão Hum", "Órgão Um"]


@pytest.mark.parametrize(("name", "text", "code"), values("vocabulary", "invalid_row_is_refused_and_the_rest_loads"))
def test_invalid_row_is_refused_and_the_rest_loads(
    name: str, text: str, code: str, tmp_path: Path, quarantine: Quarantine
) -> None:
    store = loaded(tmp_path, quarantine, **{name: text})
    assert [entry.code for entry in quarantine.list()] == [code]
    assert (vocabulary(store).concept(Scheme.AUTORIDADE, "b") is not None) == (code == "bad-row")


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the official vocabularies are not beside the checkout")
def test_every_row_of_the_official_lists_is_loaded_or_refused(quarantine: Quarantine) -> None:
    store = in_memory()
    files = [SHARED / f"{name}.csv" for name in OFFICIAL]
    first = load(files, store, quarantine)
    rows = [
        (name, row["about"], row["prefLabel"])
        for name in OFFICIAL
        for row in csv.DictReader(io.StringIO((SHARED / f"{name}.csv").read_text("utf-8"), newline=""))
    ]
    assert Counter(name for name, *_ in rows)["localidade"] == 5664
    assert (first.loaded, first.refused.total()) == (len(rows), 0)
    again = load(files, store, quarantine)
    assert (again.loaded, again.unchanged) == (0, len(rows))
    known = vocabulary(store)
    for name, notation, label in rows:
        labels = {concept.label for concept in known.named(Scheme(name), notation) if concept.notation == notation}
        assert label.strip() in labels, (name, notation)
    assert sum(count > 1 for count in Counter((name, notation) for name, notation, _ in rows).values()) == 28
    misspelt = known.concept(Scheme.LOCALIDADE, "br;santa.catarina;canoinhas")
    assert misspelt is not None
    assert misspelt.label == "Canoninhas - SC"


# The latest possible day of a provisional measure


@pytest.mark.parametrize(("first", "last"), tuples("vocabulary", "recess_on_both_sides_of_its_boundaries"))
def test_recess_on_both_sides_of_its_boundaries(first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    begin, end, one = date(*first), date(*last), timedelta(days=1)
    days = (begin - one, begin, end, end + one)
    assert [is_recess(day) for day in days] == [False, True, True, False]


@pytest.mark.parametrize(("published", "expected"), values("vocabulary", "latest_day"))
def test_latest_day(published: str, expected: str) -> None:
    assert str(latest_day(date.fromisoformat(published))) == expected


def test_latest_day_is_the_publication_with_the_term_the_recess_and_the_sanction() -> None:
    """Compare each day of publication with the sum that the rule states."""
    for number in range(9_000):
        published = date(2001, 9, 12) + timedelta(days=number)
        recess = 0
        while True:
            last = published + timedelta(days=120 + recess)
            counted = sum(is_recess(published + timedelta(days=day)) for day in range((last - published).days + 1))
            if counted == recess:
                break
            recess = counted
        assert latest_day(published) == last + timedelta(days=30), published


def test_calendar_ends_before_the_term() -> None:
    assert latest_day(date(9999, 12, 1)) is None
