"""Tests of names: parsed names, epigraphs and titles, and references."""

from __future__ import annotations

import copy
import csv
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, time
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import BadEpigraph, BadName, BadParameter
from graph.references import read_reference
from graph.urn import Componente, Dialect, Forma, Fragmento, Kind, Local, Name, Versao, parse
from graph.vocabulary import built_in
from graph.wording.epigraph import LONGEST, from_epigraph
from graph.wording.numerals import MONTHS
from ontology.places import UNITS, UNITS_WITH_CONNECTIVES
from tests.support.cases import tuples
from tests.support.rows import Row, full_name, rows

# Parsed names


CDC = "urn:lex:br:federal:lei:1990-09-11;8078"


def test_full_name_is_split_into_its_parts() -> None:
    name = parse(
        "urn:lex:br;sao.paulo;campinas:camara.municipal;mesa.diretora,prefeitura:resolucao;res:"
        "1999-03-02,1999-04-15;9,10;anexo.1,mapa;retificacao.2@[2000-01-01,2001-01-01];publicacao;2000-02-02"
        "~texto;pt-br,es-ar![art6,art10],art12"
    )
    assert name.local == Local("br", ("sao.paulo", "campinas"))
    assert name.autoridade == (("camara.municipal", "mesa.diretora"), ("prefeitura",))
    assert name.tipo_documento == ("resolucao", "res")
    assert name.descritor.datas == (date(1999, 3, 2), date(1999, 4, 15))
    assert not name.descritor.periodo
    assert name.descritor.identificadores == ("9", "10")
    assert name.descritor.componentes == (Componente("anexo.1", "mapa"),)
    assert name.descritor.retificacao == 2
    assert name.versao == Versao(
        (date(2000, 1, 1), date(2001, 1, 1)), periodo=True, evento="publicacao", visao=(date(2000, 2, 2),)
    )
    assert name.forma == Forma("texto", ("pt-br", "es-ar"))
    assert name.fragmento == Fragmento((("art6", "art10"), "art12"))
    assert (name.kind, name.dialect) == (Kind.FRAGMENT, Dialect.LEXML_10)
    assert (name.version_date, name.view_date, name.event) == (None, date(2000, 2, 2), "publicacao")
    assert (name.representative_date, name.representative_year) == (None, 1999)


@pytest.mark.parametrize("row", rows("urn/stated.txt"))
def test_kind_and_dates_are_read(row: Row) -> None:
    name = parse(full_name(row.text))
    stated = dict(answer.split("=", 1) for answer in row.answers)
    number = name.descritor.identificadores
    read = {
        "kind": name.kind,
        "version": name.version_date,
        "event": name.event,
        "view": name.view_date,
        "day": name.representative_date,
        "year": name.representative_year,
        "number": number[0] if len(number) == 1 else None,
    }
    canonical = full_name(stated.pop("canonical", row.text))
    assert {key: "-" if read[key] is None else str(read[key]) for key in stated} == stated
    assert (name.canonical, parse(canonical).canonical) == (canonical, canonical)
    assert name.is_reference is (name.kind is Kind.REFERENCE)
    assert "number" not in stated or not name.deviations


@pytest.mark.parametrize("alias", ["13.salario", "13.salario.2", "2a.chance", "lei.13.salario", "14.legislatura"])
def test_alias_may_start_with_a_digit(alias: str) -> None:
    name = parse(f"urn:lex:br:federal:lei:{alias}")
    assert (name.kind, name.descritor.apelido, name.canonical) == (Kind.REFERENCE, alias, name.text)
    assert not name.deviations
    assert parse(f"{name};retificacao.1").descritor.apelido == alias


def test_period_before_a_number_is_not_an_alias() -> None:
    descriptor = parse("urn:lex:br:federal:lei:13.salario;anexo.1").descritor
    assert (descriptor.apelido, descriptor.epoca, descriptor.identificadores) == (None, "13.salario", ("anexo.1",))


def test_extensions_are_parsed() -> None:
    bill = parse("urn:lex:br:senado.federal:projeto.lei;pls:2017;208@data.evento;leitura;2017-06-27t18.02")
    assert bill.versao == Versao(palavra="data.evento", evento="leitura", visao=(date(2017, 6, 27),), hora=time(18, 2))
    assert (bill.kind, bill.version_date, bill.view_date) == (Kind.INDIVIDUAL, None, date(2017, 6, 27))
    for suffix in ("lei-13853-2019-07-08", "mpv-2186-16-2001-08-23", "adi4983", "resp1213143"):
        provision = parse(f"{CDC}!art65_cpt_inc2,{suffix}")
        assert provision.fragmento == Fragmento(("art65_cpt_inc2",), suffix)
    assert parse(f"{CDC}!art148,art153").fragmento == Fragmento(("art148", "art153"))
    assert parse(f"{CDC}!art148,sec2").fragmento == Fragmento(("art148", "sec2"))


def test_rfc9676_name_has_the_same_parts() -> None:
    name = parse(
        "urn:lex:EU:Tribunal.Justicia+Consejo;sala.1:sentencia:2009-06-11|11.Junio,2009-06-12;33-08:Anexo.A;mapa"
        "@2010-01-01;rectificacion:ES$Text-html:juradmin.eu;jurifast:todo~art3;par2"
    )
    assert name.text.startswith("urn:lex:EU:Tribunal")
    assert str(name) == name.text.lower()
    assert name.local == Local("eu")
    assert name.autoridade == (("tribunal.justicia",), ("consejo", "sala.1"))
    assert name.descritor.datas == (date(2009, 6, 11), date(2009, 6, 12))
    assert name.rfc is not None
    assert name.rfc.datas_locais == ("11.junio", None)
    assert name.rfc.anexos == (("anexo.a", "mapa"),)
    assert name.rfc.expressao == ("2010-01-01", "rectificacion")
    assert (name.rfc.lingua, name.rfc.particao) == ("es", "art3;par2")
    assert name.rfc.manifestacao == (("text-html",), ("juradmin.eu", "jurifast"), ("todo",))
    assert (name.dialect, name.kind, name.version_date) == (Dialect.RFC_9676, Kind.FRAGMENT, date(2010, 1, 1))
    assert not name.deviations
    assert name.normalisations == ("lower-case",)
    work = "urn:lex:eu:tribunal.justicia+consejo;sala.1:sentencia:2009-06-11|11.junio,2009-06-12;33-08:anexo.a;mapa"
    assert str(name.work) == work
    assert str(name.individual) == f"{work}@2010-01-01;rectificacion"
    assert str(name.provision) == f"{work}~art3;par2"
    assert name.iri == name.canonical.replace("|", "%7C")


def test_hexadecimal_digits_are_case_insensitive() -> None:
    upper, lower = (parse(f"urn:lex:de:stadt.m%{code}nchen:erlass:2000-01-01;99901") for code in ("C3%BC", "c3%bc"))
    assert upper == lower
    assert lower.canonical == upper.text
    assert not lower.deviations


def test_with_methods_return_changed_names() -> None:
    name = parse(CDC)
    dated = name.with_versao(Versao((date(1991, 3, 11),)))
    assert str(dated) == f"{CDC}@1991-03-11"
    assert str(dated.with_forma(Forma("texto", ("pt-br",)))) == f"{CDC}@1991-03-11~texto;pt-br"
    assert str(dated.with_fragmento(Fragmento((("art1", "art3"),)))) == f"{CDC}@1991-03-11![art1,art3]"
    assert dated.with_versao(None) == name
    old = name.with_versao(Versao((date(1991, 3, 11),), visao=(date(2007, 1, 10),)))
    assert (str(old), old.dialect) == (f"{CDC}@1991-03-11!2007-01-10", Dialect.LEXML_07)
    assert str(old.with_fragmento(Fragmento(("art43",)))) == f"{CDC}:art43@1991-03-11!2007-01-10"
    original = parse(f"{CDC}:art43").with_versao(Versao(palavra="versao.original"))
    assert (str(original), original.kind) == (f"{CDC}@versao.original!art43", Kind.FRAGMENT)
    assert str(dated.with_evento("publicacao")) == f"{CDC}@1991-03-11;publicacao"


def test_change_that_makes_an_invalid_name_is_refused() -> None:
    name = parse(CDC)
    dated = name.with_versao(Versao((date(1991, 3, 11),)))
    inexpressible = "expected a value that a name can express, got"
    refused: list[tuple[Callable[[], Name], str]] = [
        (lambda: name.with_forma(Forma("")), f"expected a form, such as texto;pt-br, got nothing in {CDC}~"),
        (lambda: name.with_forma(Forma("texto!art1")), f"{inexpressible} Forma(tipo='texto!art1', linguas=())"),
        (
            lambda: name.with_fragmento(Fragmento(("art1", "adi4983"))),
            f"{inexpressible} Fragmento(partes=('art1', 'adi4983'), inserido_por=None)",
        ),
        (lambda: dated.with_evento(""), f"expected an event, such as publicacao, got '' in {CDC}@1991-03-11;"),
        (lambda: name.with_evento("publicacao"), f"expected a name with a version, got {CDC}"),
    ]
    for change, message in refused:
        with pytest.raises(BadParameter) as error:
            change()
        assert str(error.value) == message
    foreign = parse("urn:lex:it:stato:legge:2003-09-21;456")
    with pytest.raises(BadParameter) as error:
        foreign.with_forma(None)
    assert str(error.value) == "expected a name of br, got urn:lex:it:stato:legge:2003-09-21;456"


def test_names_are_immutable_values() -> None:
    name, shouted = parse(CDC), parse(CDC.upper())
    assert name == shouted
    assert len({name, shouted}) == 1
    assert shouted.text == CDC.upper()
    assert pickle.loads(pickle.dumps(shouted)) == copy.deepcopy(name)  # noqa: S301 (its own bytes)
    assert repr(name) == f"Name({CDC!r})"
    with pytest.raises(AttributeError):
        name.text = "urn:lex:br"  # type: ignore[misc]  # the point of the test


def _units() -> list[Name]:
    return [parse(f"urn:lex:br;{short}:estadual:lei:2000;99901") for short in UNITS]


def test_all_27_federative_units_are_listed() -> None:
    assert len(set(_units())) == 27
    assert {name.local.detalhe[0] for name in _units()} == set(UNITS.values())
    assert all(len(short) == 2 for short in UNITS)
    assert set(UNITS_WITH_CONNECTIVES.values()) <= set(UNITS.values())
    assert UNITS["rn"] == "rio.grande.norte"
    assert UNITS["es"] == "espirito.santo"
    assert not {"de", "do", "da"} & {word for name in UNITS.values() for word in name.split(".")}


def test_court_names_follow_the_judiciary_structure() -> None:
    assert parse("urn:lex:br;justica.eleitoral;pb;zona.22:juizo:sentenca:2000;99901").local == Local(
        "br", ("justica.eleitoral", "paraiba", "zona.22")
    )
    assert parse("urn:lex:br;ap;justica.estadual;comarca;macapa:juizo:sentenca:2000;99901").local == Local(
        "br", ("amapa", "justica.estadual", "comarca", "macapa")
    )
    old = parse("urn:lex:br;regiao.justica.federal;1:tribunal:acordao:2000;99901")
    assert old.local == Local("br", ("justica.federal", "regiao.1"))
    assert (old.dialect, old.normalisations) == (Dialect.LEXML_07, ("translated-from-0.7",))


# Epigraphs and titles
# The cases are in tests/data/wording/epigraphs.txt.


TITLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "portal-titles-sample.tsv"
needs_titles = pytest.mark.skipif(not TITLES.exists(), reason="the sample of titles is not here")


@pytest.mark.parametrize("row", rows("wording/epigraphs.txt"))
def test_epigraph_gives_the_name_of_its_norm(row: Row) -> None:
    """Check the name and steps, or the refusal with the text that it concerns. Without number or day: a reference."""
    text = re.sub("[«»]", "", row.text)
    place, authority = row.given.get("place"), row.given.get("authority")
    answer, *steps = row.answers
    if answer[0] == "!":
        with pytest.raises(BadEpigraph) as refused:
            from_epigraph(text, place=place, authority=authority)
        error = refused.value
        assert (f"!{error.code}", error.problem[:9]) == (answer, "expected ")
        assert re.findall("«(.*)»", row.text, re.DOTALL) in ([], [text[error.span.start : error.span.end]])
        return
    reading = from_epigraph(text, place=place, authority=authority)
    assert (reading.name, reading.text, reading.kind) == (full_name(answer), text, parse(reading.name).kind)
    assert set(steps) <= set(reading.steps)
    assert (reading.kind is Kind.REFERENCE) == any(step.endswith("is a reference") for step in reading.steps)


def test_steps_explain_the_origin_of_each_part() -> None:
    text = "Resolução nº 99901, de 2016 - Dispõe sobre tudo"
    assert from_epigraph(text, place="sp;campinas", authority="camara.municipal").steps == (
        "place 'br;sao.paulo;campinas' from the hint",
        "no day: the year alone",
        "left out after the date: '- Dispõe sobre tudo'",
        "authority 'camara.municipal' from the hint",
    )
    assert from_epigraph("LEI Nº 11.705, DE 19 DE JUNHO DE 2008").steps == ()


@pytest.mark.parametrize("place", ["xx", "são@paulo", "sp;campinas;centro;sul", "Campinas", "nowhere", "xx;y"])
def test_invalid_place_hint_is_refused(place: str) -> None:
    with pytest.raises(BadParameter, match="expected a place"):
        from_epigraph("Lei nº 99901, de 2011", place=place)


def test_invalid_authority_hint_is_refused() -> None:
    with pytest.raises(BadParameter, match="expected an authority"):
        from_epigraph("Lei nº 99901, de 2011", authority="a:b")


@given(
    number=st.integers(1, 999_999),
    day=st.dates(date(1822, 1, 1), date.today()),  # noqa: DTZ011 - no norm has a later date
    capitals=st.booleans(),
    dotted=st.booleans(),
)
def test_number_and_date_round_trip(number: int, day: date, *, capitals: bool, dotted: bool) -> None:
    spelled = f"{number:,}".replace(",", ".") if dotted else str(number)
    text = f"Decreto nº {spelled}, de {day.day} de {MONTHS[day.month - 1]} de {day.year}"
    reading = from_epigraph(text.upper() if capitals else text, place="br")
    assert reading.name == f"urn:lex:br:federal:decreto:{day.isoformat()};{number}"


@given(st.text(max_size=60) | st.text("LeidcrtoMPnº°. ,/-0123456789\n[]()", max_size=60))
def test_any_text_gives_a_name_or_an_error(text: str) -> None:
    try:
        reading = from_epigraph(text)
    except BadEpigraph as refused:
        assert 0 <= refused.span.start <= refused.span.end <= max(1, len(text))  # noqa: PT017
    else:
        assert parse(reading.name).canonical == reading.name


@pytest.mark.parametrize("trap", ["1", "1.", "Lei ", "(", "I", "nº ", " ", "de ", "Lei nº 1 ", ", "])
def test_adversarial_texts_are_parsed_quickly(trap: str) -> None:
    for text in (trap * (LONGEST // len(trap)), "Lei nº 99901" + trap * 450 + "x", trap * 1_000_000):
        assert any(_seconds(text) < 1 for _ in range(10)), "a text that is no epigraph takes long"


def _seconds(text: str) -> float:
    start = process_time()
    try:
        from_epigraph(text)
    except BadEpigraph as refused:
        assert len(str(refused)) < 1000  # noqa: PT017
    return process_time() - start


def titles() -> Iterator[tuple[str, Name]]:
    with TITLES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["title"], parse(row["urn"])


@needs_titles
def test_state_and_municipal_titles_are_not_read_as_federal() -> None:
    for title, name in titles():
        if name.local.detalhe:
            try:
                assert parse(from_epigraph(title).name).local.detalhe, title
            except BadEpigraph:
                continue


@needs_titles
def test_portal_titles_give_the_portal_names() -> None:
    """Check titles of norms and bills. Titles of judgments and books do not contain the number that their name has."""
    outcome = Counter(_compared(title, name) for title, name in titles())
    assert outcome["right"] >= 36
    assert outcome["as far as it says"] >= 6
    assert outcome["other"] <= 1, "a bill of 2019 that the portal dates 2022"
    assert outcome["norm refused"] == 0


def _compared(title: str, name: Name) -> str:
    place = ";".join((name.local.pais, *name.local.detalhe))
    authority = ",".join(";".join(subject) for subject in name.autoridade)
    try:
        parsed = parse(from_epigraph(title, place=place, authority=authority).name)
    except BadEpigraph:
        judged = {"acordao", "folheto", "livro"} & set(name.tipo_documento)
        return "refused" if judged else "norm refused"
    if parsed == name:
        return "right"
    same = (parsed.local, parsed.autoridade, parsed.tipo_documento, parsed.descritor.identificadores) == (
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor.identificadores,
    )
    dated = parsed.representative_date is None and parsed.representative_year in {None, name.representative_year}
    return "as far as it says" if same and dated else "other"


# References


CODE = "urn:lex:br:federal:lei:1990-09-11;8078"


@pytest.mark.parametrize("row", rows("wording/references.txt"))
def test_spellings_resolve_to_one_name(row: Row) -> None:
    """Check the name that a text means, and that each normalisation is listed; ``!`` marks a text that is refused."""
    if row.answers == ("!",):
        with pytest.raises(BadName):
            read_reference(row.text, built_in())
        return
    reference = read_reference(row.text, built_in())
    assert reference.name is not None
    assert (reference.name.canonical,) == tuple(map(full_name, row.answers))
    assert reference.steps or row.text == reference.name.canonical


@pytest.mark.parametrize(
    ("text", "year", "month", "numbers", "authority"), tuples("urn_name", "incomplete_name_has_the_stated_fields")
)
def test_incomplete_name_has_the_stated_fields(
    text: str, year: int | None, month: int | None, numbers: tuple[str, ...], authority: str | None
) -> None:
    reference = read_reference(text, built_in())
    assert (reference.year, reference.month, reference.day) == (year, month, None)
    assert (reference.numbers, reference.kind) == (numbers, ("lei",))
    assert reference.authority == (((authority,),) if authority else ())
    assert reference.name is None or reference.name.canonical == "urn:lex:br:federal:lei:;8078"


def test_text_after_the_number_is_kept() -> None:
    reference = read_reference("urn:lex:br:lei:1990;8078!art6_cpt_inc8", built_in())
    assert (reference.numbers, reference.tail) == (("8078",), "!art6_cpt_inc8")
    reference = read_reference(
        "urn:lex:br:federal:decreto:1980-08;85080;anexo.ii@versao.vigente.em;2000-01-01", built_in()
    )
    assert (reference.month, reference.tail) == (8, ";anexo.2@versao.vigente.em;2000-01-01")


def test_huge_reference_is_refused() -> None:
    with pytest.raises(BadName):
        read_reference("urn:lex:br:federal:lei:1990;" + "9" * 5000, built_in())


WORDS = st.sampled_from(
    [
        *("stf", "STF", "federal", "Ministério da Fazenda", "ministerio.fazenda", "1.turma", "primeira.turma", "mp"),
        *("LEI", "sp"),
    ]
)


@given(
    st.sampled_from(["br", "br;sp", "br;rio.de.janeiro"]),
    st.lists(WORDS, min_size=1, max_size=3).map(",".join),
    WORDS,
    st.sampled_from(["1990-09-11;8078", "1990;8078", ";8078", "1990-09;1", "lei.da.ficha.limpa", "1990-09-11"]),
    st.sampled_from(["", ";anexo.ii", "!art5", "@versao.vigente.em;1993-06-15"]),
)
def test_normalisation_is_idempotent(place: str, authority: str, kind: str, descriptor: str, tail: str) -> None:
    once = read_reference(f"urn:lex:{place}:{authority}:{kind}:{descriptor}{tail}", built_in())
    if once.name is not None:
        again = read_reference(once.name.canonical, built_in())
        assert again.name == once.name
        assert not [step for step in again.steps if "written" in step]


@pytest.mark.parametrize(
    "name", [CODE, f"{CODE}@1991-03-11;publicacao;1990-09-12", "urn:lex:it:stato:legge:2004-01-09;4"]
)
def test_canonical_name_is_unchanged(name: str) -> None:
    reference = read_reference(name, built_in())
    assert (reference.name, reference.steps) == (parse(name), ())
