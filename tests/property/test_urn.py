"""Tests of names: round trips, one canonical form for equivalent spellings, and references distinct from identities."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import date
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import BadName
from graph.urn import Kind, Name, from_iri, parse, to_iri
from ontology.places import UNITS
from tests.support.cases import values

WORD = st.from_regex(r"[a-z]{1,8}(\.[a-z0-9]{1,6})?", fullmatch=True)
NUMBER = st.from_regex(r"[0-9]{1,5}(-[0-9]{1,3})?", fullmatch=True)
PROVISION = st.from_regex(r"art[1-9][0-9]{0,2}(_par[1-9]|_cpt_inc[1-9])?", fullmatch=True)
ODD_PROVISION = st.one_of(PROVISION, st.sampled_from(["1", "8078", "2007-1-10", "5_par1"]))
DAY = st.dates(min_value=date(1500, 1, 1)).map(date.isoformat)
WORDS = ["versao.original", "inicio.vigencia", "multivigente"]
ASKED = ["versao.vigente.em", "versao.eficaz.em", "versao.consultada.em"]


def joined(items: st.SearchStrategy[str], between: str, at_most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(items, min_size=1, max_size=at_most, unique=True).map(lambda some: between.join(sorted(some)))


PERIOD = st.lists(DAY, min_size=2, max_size=2, unique=True).map(lambda days: f"[{min(days)},{max(days)}]")
DATES = st.one_of(joined(DAY, ","), PERIOD)
PLACE = st.one_of(
    st.just("br"),
    st.sampled_from(sorted(UNITS.values())).map("br;{}".format),
    st.sampled_from(
        ["br;justica.trabalho;regiao.3", "br;justica.eleitoral;paraiba;zona.22", "br;acre;justica.estadual"]
    ),
)
SUBJECTS = joined(joined(WORD, ";", 2), ",", 2)
TYPE = st.one_of(WORD, st.just("projeto.lei;pls"), st.just("publicacao.oficial;diario.oficial.uniao;secao.1"))
COMPONENT = st.sampled_from(
    ["", ";anexo.1", ";anexo.1,titulo.longo;anexo.2", ";retificacao.2", ";anexo.1;retificacao.1"]
)
WORK = st.tuples(PLACE, SUBJECTS, TYPE, st.one_of(DATES, st.just("1988")), NUMBER, COMPONENT).map(
    lambda p: f"urn:lex:{p[0]}:{p[1]}:{p[2]}:{p[3]};{p[4]}{p[5]}"
)
EVENT_WORD = st.one_of(WORD, st.sampled_from(["123", "2.turno"]))
EVENT_SUFFIX = st.one_of(EVENT_WORD.map(";{}".format), st.tuples(EVENT_WORD, DATES).map(lambda p: f";{p[0]};{p[1]}"))
EVENT = st.one_of(st.just(""), EVENT_SUFFIX)
VERSION = st.one_of(
    st.just(""),
    st.tuples(st.one_of(DATES, st.sampled_from(WORDS)), EVENT).map(lambda p: f"@{p[0]}{p[1]}"),
    EVENT_SUFFIX.map("@{}".format),
)
FORM = st.sampled_from(["", "~texto", "~texto;pt-br", "~texto;pt-br,es-ar", "~imagem"])
PART = st.one_of(ODD_PROVISION, st.tuples(ODD_PROVISION, ODD_PROVISION).map(lambda parts: f"[{parts[0]},{parts[1]}]"))
FRAGMENT = st.one_of(st.just(""), st.lists(PART, min_size=1, max_size=3).map(lambda some: "!" + ",".join(some)))
IDENTITY = st.tuples(WORK, VERSION, FORM, FRAGMENT).map("".join)
OLD = st.tuples(WORK, DATES, DATES, FORM).map(lambda p: f"{p[0]}@{p[1]}!{p[2]}{p[3]}")
QUESTION = st.one_of(
    st.tuples(WORK, st.sampled_from(ASKED), DAY, EVENT, FORM, FRAGMENT).map(
        lambda p: f"{p[0]}@{p[1]};{p[2]}{p[3]}{p[4]}{p[5]}"
    ),
    st.tuples(st.one_of(WORD, st.just("13.salario")), VERSION, FRAGMENT).map(
        lambda p: f"urn:lex:br:federal:lei:{p[0]}{p[1]}{p[2]}"
    ),
    st.tuples(DATES, VERSION).map(lambda p: f"urn:lex:br:federal:lei:{p[0]}{p[1]}"),
    st.tuples(WORK, FRAGMENT, st.sampled_from(["vig", "efi"]), DAY).map(lambda p: f"{p[0]}{p[1]}${p[2]}={p[3]}"),
    st.tuples(WORK, PROVISION).map(lambda p: f"{p[0]}:{p[1]}@versao.original"),
)
FOREIGN = st.tuples(
    st.sampled_from(["it", "ch;glarus", "un.org", "eec.lex.arpa"]),
    joined(WORD, "+", 2),
    joined(WORD, ";", 2),
    st.one_of(joined(DAY, ","), st.just("13.legislature")),
    NUMBER,
    st.sampled_from(["", ":annex.a;borders.park", ":annex.a:table.1"]),
    st.one_of(st.just(""), DAY.map("@{}".format), DAY.map("@{}:fr".format), st.just("@original;1999-01-01:de-ch")),
    st.sampled_from(["", "$text-xml;1.7:senato.it", "$text-html:juradmin.eu;jurifast:todo:anonimo"]),
    st.sampled_from(["", "~art15;par3"]),
).map(lambda p: f"urn:lex:{p[0]}:{p[1]}:{p[2]}:{p[3]};{p[4]}{''.join(p[5:])}")


def parts(name: Name) -> dict[str, object]:
    """Return all parts except the spelling."""
    fields = name.parts()
    for key in ("text", "dialect", "deviations", "normalisations"):
        del fields[key]
    return fields


@given(st.one_of(IDENTITY, OLD, QUESTION, FOREIGN))
def test_canonical_name_is_unchanged(text: str) -> None:
    name = parse(text)
    assert name.canonical == text
    assert not name.deviations
    assert not name.normalisations


@given(IDENTITY)
def test_annex_a_names_are_identities(text: str) -> None:
    name = parse(text)
    expected = Kind.COMPLEX
    for sign, kind in (("@", Kind.INDIVIDUAL), ("~", Kind.EXPRESSION), ("!", Kind.FRAGMENT)):
        expected = kind if sign in text else expected
    assert name.kind is expected


@given(st.one_of(IDENTITY, OLD, QUESTION, FOREIGN), st.sampled_from(["", "~texto;pt-br", "~imagem"]))
def test_derived_names_equal_their_parsed_texts(text: str, form: str) -> None:
    name = parse(text)
    derived = [name.work, name.whole, name.individual, name.provision]
    if name.dialect != "rfc-9676":
        derived.append(name.with_forma(parse(f"urn:lex:br:federal:lei:1988;1{form}").forma))
    for derived_name in derived:
        assert derived_name is None or derived_name.parts() == parse(derived_name.canonical).parts()


@given(OLD)
def test_view_without_event_is_completed_by_an_event(text: str) -> None:
    name = parse(text)
    assert name.dialect == "lexml-0.7"
    assert name.event is None
    assert name.kind in {Kind.INDIVIDUAL, Kind.EXPRESSION}
    dated = name.with_evento("publicacao")
    assert dated.canonical == text.replace("!", ";publicacao;")
    assert dated.dialect == "lexml-1.0"


@given(QUESTION, st.one_of(IDENTITY, OLD))
def test_reference_never_equals_an_identity(question: str, identity: str) -> None:
    asked, known = parse(question), parse(identity)
    assert asked.kind is Kind.REFERENCE
    assert asked.is_reference
    assert not known.is_reference
    assert asked != known


def _with_accents(text: str) -> str:
    return text.translate(str.maketrans("aceiou", "áçéíõü"))


@given(st.one_of(IDENTITY, OLD, QUESTION), st.data())
def test_equivalent_spellings_have_one_canonical_name(text: str, data: st.DataObject) -> None:
    spellings = {
        "upper-case": text.upper(),
        "accents": "urn:lex:br" + _with_accents(text[10:]),
        "percent-encoded": quote(text, safe=""),
        "white-space": f"\t{text} \n",
        "prefix-missing": text[4:],
    }
    code = data.draw(st.sampled_from(sorted(spellings)))
    name, same = parse(text), parse(spellings[code])
    if code == "accents" and spellings[code] == text:
        return
    assert same == name
    assert hash(same) == hash(name)
    assert parts(same) == parts(name)
    assert same.kind is name.kind
    assert code in [deviation.code for deviation in same.deviations]


@given(st.sampled_from(sorted(UNITS)), st.lists(WORD, min_size=2, max_size=4, unique=True), st.randoms())
def test_unit_abbreviations_and_number_order_are_normalised(unit: str, words: list[str], shuffle: Random) -> None:
    mixed = list(words)
    shuffle.shuffle(mixed)
    short = parse(f"urn:lex:br;{unit}:{','.join(mixed)}:portaria:2000-01-01;10,9,99901")
    long = parse(f"urn:lex:br;{UNITS[unit]}:{','.join(sorted(words))}:portaria:2000-01-01;9,10,99901")
    assert short == long
    assert long.canonical == long.text
    assert not short.deviations
    assert {"unit-spelled-out", "numbers-sorted"} <= set(short.normalisations)
    assert short.kind is Kind.COMPLEX


@given(st.one_of(IDENTITY, OLD, QUESTION, FOREIGN))
def test_derived_names_keep_their_other_parts(text: str) -> None:
    name = parse(text)
    for derived in (name.work, name.individual, name.provision):
        if derived is not None:
            assert parse(derived.canonical) == derived
            assert derived.work == name.work
            assert (derived.local, derived.autoridade, derived.descritor) == (
                name.local,
                name.autoridade,
                name.descritor,
            )
    assert name.work.kind in {Kind.COMPLEX, Kind.REFERENCE}
    assert (name.individual is None) == ("@" not in text)


SIGNS = st.text(alphabet="urn:lexb;,.@!~$[]_-=%/#?&1990Aé \x00|+*()'", max_size=60)
NEAR = st.tuples(
    st.sampled_from(["urn:lex:br:federal:lei:1990-09-11;8078", "urn:lex:it:stato:legge:2003-09-21;456", "urn:lex:br;"]),
    SIGNS,
).map("".join)


PIECES = st.lists(
    st.sampled_from(values("property_urn", "pieces")),
    max_size=5,
).map("".join)
BASES = st.sampled_from(values("property_urn", "bases"))
COMPOSED = st.tuples(BASES, PIECES).map("".join)


def _check(text: str) -> None:
    """Check that the text is refused with a span inside it, or that its canonical text is parsed to the same name."""
    try:
        name = parse(text)
    except BadName as refused:
        spans = [refused.span]
    else:
        spans = [deviation.span for deviation in name.deviations]
        again = parse(name.canonical)
        assert (again, again.canonical, parts(again)) == (name, name.canonical, parts(name))
        assert not again.normalisations
        assert bool(name.deviations or name.normalisations) or name.canonical == text
        assert from_iri(name.iri) == name.canonical
    assert all(0 <= span.start <= span.end <= len(text) for span in spans)


@settings(max_examples=500)
@given(st.one_of(st.text(), SIGNS, NEAR, COMPOSED))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    _check(text)


@given(st.one_of(IDENTITY, OLD, QUESTION, FOREIGN), st.data())
def test_one_changed_character_is_parsed_or_refused(text: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(text)))
    sign = data.draw(st.sampled_from([*":;,.@!~$[]_-=%/#?&0aZé ", ""]))
    _check(text[:index] + sign + text[index + data.draw(st.integers(0, 1)) :])


LONG = [
    sign * 4096
    for sign in (*":;,.@!~$[]_-=%/#?&0aZé\u0301", "a.", ".a", "-a", "%C3%A9", "1-", "art1,", "2000-01-01,", "a;")
]
STARTS = values("property_urn", "starts")


def _seconds(text: str) -> float:
    begun = time.process_time()
    with suppress(BadName):
        parse(text)
    return time.process_time() - begun


@pytest.mark.parametrize("start", STARTS)
def test_parsing_time_is_linear_in_the_text_length(start: str) -> None:
    """Check that one of ten attempts is fast: a quadratic parser takes seconds on every attempt."""
    for text in ((start + long)[:4095] + end for long in LONG for end in ("", "*", "!")):
        assert any(_seconds(text) < 0.25 for _ in range(10)), f"{len(text)} characters take long: {text[:40]!r}"


@given(st.text())
def test_every_text_round_trips_through_its_iri(text: str) -> None:
    iri = to_iri(text)
    assert from_iri(iri) == text
    assert not re.search(r'[\x00-\x20\x7f-\x9f"<>\[\\\]^`{|}]|%(?![0-9A-Fa-f]{2})', iri)


@given(st.text(alphabet="%0123456789abcdefABCDEF[]| é\x80"))
def test_percent_signs_round_trip(text: str) -> None:
    assert from_iri(to_iri(text)) == text
