"""Tests of names in questions: every dialect, references with days, and the notices of the answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graph.civil import today
from graph.entities import Axis, Event, Record
from graph.errors import BadDate, BadName, BadParameter
from graph.store import WritableStore
from graph.urn import parse
from queries.answers import InForce
from queries.english import message
from queries.in_force import in_force
from queries.reasons import Status
from queries.text.text import text
from queries.timeline import timeline

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
OTHER = "urn:lex:br:federal:lei:2006-05-08;99908"
GAZETTE = "urn:lex:br:imprensa.nacional:publicacao.oficial;diario.oficial.uniao;secao.1:2007-01-10;133"
HORIZON = "2008-12-15"


def notices_of(answer: InForce) -> list[tuple[str, str]]:
    return [(notice.code, message(notice)) for notice in answer.notices]


# Spellings


@pytest.mark.parametrize(
    "name",
    [
        CODE,
        "URN:LEX:br:federal:lei:1990-09-11;8078",
        f"{CODE}@versao.vigente.em;1993-06-15",
        f"{CODE}$vig=1993-06-15",
        f"{CODE}@1993-05-22;alteracao;1993-05-22",
        f"{CODE}@1993-05-22!1993-05-22",
        f"{CODE}@1993-05-22!1993-05-22~texto;pt-br",
        f"{CODE}@1993-05-22;alteracao;1993-05-22~texto;pt-br",
        f"{CODE}@1993-05-22",
    ],
)
def test_every_spelling_resolves_to_the_same_norm(name: str, code_store: WritableStore) -> None:
    for asked in (name, parse(name)):
        answer = in_force(code_store, asked, "1993-06-15", "2007-01-09")
        assert (answer.name, answer.asked) == (CODE, name)
        assert answer.version is not None
        assert answer.version.name == f"{CODE}@1993-05-22;alteracao;1993-05-22"
        assert notices_of(answer) == []


def test_days_accept_dates_and_default_to_today(code_store: WritableStore) -> None:
    answer = in_force(code_store, CODE, date(1993, 6, 15), date(2007, 1, 9), Axis.FORCE)
    assert answer == in_force(code_store, CODE, "1993-06-15", "2007-01-09", "force")
    before = today()
    now = in_force(code_store, CODE)
    assert before <= now.as_known <= today()
    assert (now.on, now.axis) == (now.as_known, Axis.FORCE)


# References with days of their own (LexML 1.0 part 2, section 12.3; 0.7 part 2, section 14.5)


@pytest.mark.parametrize(
    ("reference", "rest", "axis"),
    [
        ("@versao.vigente.em;1993-06-15", {"as_known": "2007-01-09"}, "force"),
        ("@versao.eficaz.em;1993-06-15", {"as_known": "2007-01-09"}, "efficacy"),
        ("@versao.consultada.em;2007-01-09", {"on": "1993-06-15"}, "force"),
        ("$vig=1993-06-15", {"as_known": "2007-01-09"}, "force"),
        ("$efi=1993-06-15", {"as_known": "2007-01-09"}, "efficacy"),
    ],
)
def test_temporal_reference_gives_its_parameters(
    reference: str, rest: dict[str, str], axis: str, code_store: WritableStore
) -> None:
    answer = in_force(code_store, CODE + reference, **rest)
    assert (answer.name, str(answer.on), str(answer.as_known)) == (CODE, "1993-06-15", "2007-01-09")
    assert answer.axis.value == axis
    assert answer.version is not None
    assert answer.version.name == f"{CODE}@1993-05-22;alteracao;1993-05-22"
    repeated = in_force(code_store, CODE + reference, "1993-06-15", "2007-01-09", axis)
    assert (repeated.version, repeated.on, repeated.as_known) == (answer.version, answer.on, answer.as_known)


@pytest.mark.parametrize(
    ("reference", "parameters", "message"),
    [
        (
            "@versao.vigente.em;1993-06-15",
            {"on": "1993-06-16"},
            "the name says on 1993-06-15, the parameter says 1993-06-16; leave one of them out",
        ),
        (
            "@versao.vigente.em;1993-06-15",
            {"axis": "efficacy"},
            "the name says axis force, the parameter says efficacy; leave one of them out",
        ),
        (
            "@versao.consultada.em;2007-01-09",
            {"as_known": "2007-01-10"},
            "the name says as_known 2007-01-09, the parameter says 2007-01-10; leave one of them out",
        ),
        (
            "$efi=1993-06-15",
            {"axis": "force"},
            "the name says axis efficacy, the parameter says force; leave one of them out",
        ),
        ("", {"axis": "vigor"}, "expected axis force or efficacy, got 'vigor'"),
    ],
)
def test_parameters_contradicting_the_name_are_refused(
    reference: str, parameters: dict[str, str], message: str, code_store: WritableStore
) -> None:
    with pytest.raises(BadParameter) as refused:
        in_force(code_store, CODE + reference, **parameters)
    assert str(refused.value) == message


@pytest.mark.parametrize("parameter", ["on", "as_known"])
def test_invalid_day_is_refused(parameter: str, code_store: WritableStore) -> None:
    with pytest.raises(BadDate) as refused:
        in_force(code_store, CODE, **{parameter: "1993-02-29"})
    assert str(refused.value) == ("expected a day of the calendar (day is out of range for month), got '1993-02-29'")


@pytest.mark.parametrize("name", ["", " ", "urn:lex:br:federal", "urn:lex:br:federal:lei:1990-02-30;1", "x" * 5000])
def test_invalid_name_is_refused(name: str, code_store: WritableStore) -> None:
    with pytest.raises(BadName):
        in_force(code_store, name)


@pytest.mark.parametrize(
    "name",
    [
        "urn:lex:br:federal:lei:codigo.defesa.consumidor",
        "urn:lex:br:federal:lei:1990-09-11",
        "urn:lex:br:federal:lei:1990-09",
        "urn:lex:br:federal:lei:1990;8078",
        "urn:lex:br:federal:lei:;8078",
        "Código de Defesa do Consumidor",
        "Lei nº 8.078/90",
        "Lei nº 8.078, de 11 de setembro de 1990",
        "https://normas.leg.br/?urn=urn:lex:br:federal:lei:1990-09-11;8078",
    ],
)
def test_text_matching_one_work_is_resolved_and_reported(name: str, code_store: WritableStore) -> None:
    answer = in_force(code_store, name, "1993-06-15", "2007-01-09")
    assert (answer.asked, answer.name, answer.status.value) == (name, CODE, "in-force")
    assert answer.version is not None
    assert answer.version.name == f"{CODE}@1993-05-22;alteracao;1993-05-22"
    understood_as = [message for code, message in notices_of(answer) if code == "understood-as"]
    assert understood_as == ([] if CODE in name else [f"{name!r} is understood as {CODE}: no other work matches"])


def test_temporal_reference_to_an_incomplete_name_is_executed(code_store: WritableStore) -> None:
    answer = in_force(code_store, "urn:lex:br:federal:lei:;8078@versao.vigente.em;1993-06-15", as_known="2007-01-09")
    assert (answer.name, answer.on.isoformat(), answer.status.value) == (CODE, "1993-06-15", "in-force")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("urn:lex:br:federal:lei:1991;8078", "agrees-in-part"),
        ("urn:lex:br:federal:lei;decreto:1990", "agrees-in-part"),
        ("urn:lex:br:federal:lei:1990-09-12;8078", "agrees-in-part"),
        ("urn:lex:br:estadual:lei:1990;8078", "agrees-in-part"),
        ("urn:lex:br:federal:lei:;99999", "unknown-name"),
        ("urn:lex:br:federal:lei:lei.nenhuma", "unknown-name"),
        ("uma lei qualquer", "not-understood"),
    ],
)
def test_text_matching_no_work_is_not_resolved(name: str, code: str, code_store: WritableStore) -> None:
    answer = in_force(code_store, name, "1993-06-15", "2007-01-09")
    assert (answer.name, answer.status.value, answer.version) == (name, "unknown-name", None)
    assert notices_of(answer)[0][0] == code


# The name of a version


@pytest.mark.parametrize(
    "name",
    [
        f"{CODE}@1993-05-22;retificacao;2007-01-10",
        f"{CODE}@1993-05-22;alteracao;1993-05-23",
        f"{CODE}@1993-05-23",
        f"{CODE}@1993-05-22;publicacao",
        f"{CODE}@1993-05-22!2007-01-10",
        f"{CODE}@inicio.vigencia",
        f"{CODE}@multivigente",
    ],
)
def test_version_other_than_the_answer_is_reported(name: str, code_store: WritableStore) -> None:
    answer = in_force(code_store, name, "1993-06-15", "2007-01-09")
    assert answer.version is not None
    assert answer.version.name == f"{CODE}@1993-05-22;alteracao;1993-05-22"
    assert notices_of(answer) == [
        ("other-version", f"the name identifies {parse(name).canonical}; that is not the version in force")
    ]


@pytest.mark.parametrize("word", ["inicio.vigencia", "versao.original"])
def test_first_version_keyword_matches_the_first_version(word: str, code_store: WritableStore) -> None:
    assert notices_of(in_force(code_store, f"{CODE}@{word}", "1993-05-21", "2007-01-09")) == []
    assert notices_of(in_force(code_store, f"{CODE}@{word}", "1993-05-22", "2007-01-09"))[0][0] == "other-version"


def test_version_name_in_a_gap_is_reported(code_store: WritableStore) -> None:
    answer = in_force(code_store, f"{CODE}@1991-03-11", "1991-03-10", "2007-01-09")
    assert answer.status.value == "vacatio"
    assert notices_of(answer) == [("other-version", f"the name identifies {CODE}@1991-03-11; no version is in force")]


# The horizon of the sources


def test_day_after_the_horizon_has_a_notice(record: Make, store_of: StoreOf) -> None:
    """Check that the notice appears only if K is after the newest datestamp, whatever D is."""
    store = store_of(record(FIRST))
    for on in ("2001-03-06", "2030-01-01"):
        assert notices_of(in_force(store, LAW, on, "2008-12-15")) == []
        answer = in_force(store, LAW, on, "2008-12-16")
        assert notices_of(answer) == [
            (
                "outside-knowledge-horizon",
                "the newest record of the providers is of 2008-12-15; what they published later is not known here",
            )
        ]
        assert answer.known_up_to == (("https://provedor.example/oai", date(2008, 12, 15)),)
        assert answer.as_json()["known_up_to"] == {"https://provedor.example/oai": "2008-12-15"}


def test_newest_horizon_counts(record: Make, store_of: StoreOf) -> None:
    store = store_of(
        record(FIRST, provider="https://um.example", datestamp="2008-12-15"),
        record(FIRST, provider="https://dois.example", datestamp="2009-12-15"),
        record(OTHER, provider="https://tres.example", datestamp="2010-12-15"),
    )
    assert notices_of(in_force(store, LAW, "2002-01-01", "2009-12-15")) == []
    assert notices_of(in_force(store, LAW, "2002-01-01", "2009-12-16"))[0][0] == "outside-knowledge-horizon"


@pytest.mark.parametrize(("provider", "datestamp"), [(None, "2008-12-15"), ("https://um.example", None), (None, None)])
def test_undated_sources_have_a_notice(
    provider: str | None, datestamp: str | None, record: Make, store_of: StoreOf
) -> None:
    """Check records without a provider, without a datestamp, and without both, as those of a list of names."""
    answer = in_force(store_of(record(FIRST, provider=provider, datestamp=datestamp)), LAW, "2002-01-01", "2020-01-01")
    assert answer.status.value == "in-force"
    assert notices_of(answer) == [("no-harvest-date", "no source of this answer states when it was harvested")]
    assert answer.known_up_to == ()


# Names that few or no sources mention


def test_unmentioned_name_is_unknown(code_store: WritableStore) -> None:
    answer = in_force(code_store, LAW, "2002-01-01", HORIZON)
    assert (answer.status.value, notices_of(answer), answer.sources, answer.because) == ("unknown-name", [], (), ())


def test_norm_only_mentioned_by_others_is_unknown(record: Make, store_of: StoreOf) -> None:
    mentioned = [("only-mentioned", "no source describes this name; sources only refer to it")]
    revoked = store_of(record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW)))
    answer = in_force(revoked, LAW, "2007-01-01", HORIZON)
    assert (answer.status.value, notices_of(answer)) == ("unknown-name", mentioned)
    assert [(r.event, r.effect, r.cause) for r in answer.because] == [("revogacao", "2006-07-01", OTHER)]
    assert in_force(revoked, LAW, "2007-01-01", "2006-05-09").because == answer.because
    assert in_force(revoked, LAW, "2007-01-01", "2006-05-08").because == ()
    amended = in_force(store_of(record(OTHER, ("altera", LAW))), LAW, "2007-01-01", HORIZON)
    assert (amended.status.value, notices_of(amended), amended.because) == ("unknown-name", mentioned, ())


@pytest.mark.parametrize(
    ("name", "date_text"), [(LAW, "2001-03-05"), ("urn:lex:br:federal:lei:2001;99907", "the year 2001")]
)
def test_norm_without_versions_has_a_notice(name: str, date_text: str, record: Make, store_of: StoreOf) -> None:
    answer = in_force(store_of(record(name)), name, "2002-01-01", HORIZON)
    assert (answer.status.value, answer.version) == ("unknown", None)
    assert notices_of(answer) == [
        (
            "no-version-dates",
            (
                "no source states when this entered into force: records without a version name give only the "
                f"representative date ({date_text})"
            ),
        )
    ]
    assert len(answer.sources) == 1


def test_unmentioned_provision_is_unknown(record: Make, store_of: StoreOf) -> None:
    answer = in_force(store_of(record(FIRST)), f"{LAW}!art9", "2002-01-01", HORIZON)
    assert (answer.name, answer.status.value) == (f"{LAW}!art9", "unknown")
    assert notices_of(answer) == [
        ("provision-unknown", f"the sources describe {LAW} but give no text of this provision by itself")
    ]
    assert len(answer.sources) == 1
    assert answer.known_up_to


def test_provision_of_an_unknown_norm_is_unknown(code_store: WritableStore) -> None:
    answer = in_force(code_store, f"{LAW}!art9", "2002-01-01", HORIZON)
    assert (answer.status.value, notices_of(answer)) == ("unknown-name", [])


def test_provision_is_found_by_its_version(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(f"{FIRST}!art2"))
    for name in (f"{LAW}!art2", f"{FIRST}!art2", f"{LAW}:art2"):
        answer = in_force(store, name, "2002-01-01", HORIZON)
        assert answer.name == f"{LAW}!art2"
        assert answer.version is not None
        assert answer.version.name == f"{FIRST}!art2"
        assert notices_of(answer) == []


def test_provision_is_found_by_a_lexml_07_version(record: Make, store_of: StoreOf) -> None:
    """Check a version whose view has no event; in its canonical name, the provision is before the version."""
    spelled = "urn:lex:br:federal:lei:1999-12-28;99901!art1@1999-12-28!1999-12-28"
    store = store_of(record(spelled))
    for name in (spelled, "urn:lex:br:federal:lei:1999-12-28;99901!art1"):
        answer = in_force(store, name, "2002-01-01", HORIZON)
        assert answer.status.value == "in-force"
        assert answer.version is not None
        assert answer.version.name == "urn:lex:br:federal:lei:1999-12-28;99901:art1@1999-12-28!1999-12-28"
    words = text(store, spelled, "2002-01-01", HORIZON)
    assert words.status is Status.IN_FORCE
    assert timeline(store, spelled).periods


def test_amendment_without_a_version_is_reported(record: Make, store_of: StoreOf) -> None:
    amending = record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("altera", LAW))
    notice = (
        "amendment-without-version",
        f"a source states that {OTHER} amends this norm, but no version here starts with it",
    )
    assert notices_of(in_force(store_of(record(FIRST), amending), LAW, "2002-01-01", HORIZON)) == [notice]
    undated = record(OTHER, ("altera", LAW))
    assert notices_of(in_force(store_of(record(FIRST), undated), LAW, "2002-01-01", HORIZON)) == [notice]
    shown = store_of(record(FIRST), amending, record(f"{LAW}@2006-07-01;alteracao;2006-05-09"))
    answer = in_force(shown, LAW, "2006-07-01", HORIZON)
    assert notices_of(answer) == []
    assert [(r.event, r.cause) for r in answer.because] == [("alteracao", OTHER)]


def test_gazette_issue_has_no_days_of_force(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(FIRST, ("publicacao.oficial", f"{GAZETTE}!pag1")))
    for name in (GAZETTE, f"{GAZETTE}!pag1"):
        answer = in_force(store, name, "2008-01-01", HORIZON)
        assert (answer.status.value, [code for code, _ in notices_of(answer)]) == ("unknown", ["no-version-dates"])


def test_judgment_without_dates_of_force_is_decided_from_its_publication(record: Make, store_of: StoreOf) -> None:
    judgment = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901"
    store = store_of(record(f"{judgment}@versao.original;publicacao;2008-10-10"))
    answer = in_force(store, judgment, "2008-11-01", HORIZON)
    assert (answer.status.value, [code for code, _ in notices_of(answer)]) == ("decided", [])
    before = in_force(store, judgment, "2008-11-01", "2008-10-09")
    assert before.status.value == "not-published"


def test_event_of_a_norm_without_versions_applies(record: Make, event: Callable[..., Event], store_of: StoreOf) -> None:
    """Check that the norm is revoked from the stated day on, for K from the day on which that was known."""
    store = store_of(record(LAW, events=[event("revogacao", LAW, "2006-07-01", "2006-05-09")]))
    answer = in_force(store, LAW, "2007-01-01", "2006-05-09")
    assert [(r.event, r.effect, r.known) for r in answer.because] == [("revogacao", "2006-07-01", "2006-05-09")]
    assert answer.status.value == "revoked"  # the sources state only an ending
    before = in_force(store, LAW, "2007-01-01", "2006-05-08")
    assert (before.status.value, before.because) == ("unknown", ())
    assert in_force(store, LAW, "2006-06-30", "2006-05-09").status.value == "unknown"


def test_record_without_a_provider_uses_no_horizon(
    record: Callable[..., Record], store_of: Callable[..., WritableStore]
) -> None:
    unattributed = record("urn:lex:br:federal:lei:2001-03-05;99901", provider=None, datestamp=None)
    other = record("urn:lex:br:federal:lei:2001-03-05;99902", datestamp="2008-12-15")
    answer = in_force(store_of(unattributed, other), "urn:lex:br:federal:lei:2001-03-05;99901")
    assert answer.known_up_to == ()
    assert "no-harvest-date" in [notice.code for notice in answer.notices]
