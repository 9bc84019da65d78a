"""Tests of real norms, stated as curated facts, with a lawyer's answer on both sides of each boundary.

The days are those of the Diário Oficial da União. Norms with numbers from 99901 up are fictional.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import samples
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from loaders.pipeline import load
from queries.answers import InForce
from queries.in_force import in_force
from queries.reasons import Status, flattened
from queries.text.diff import diff
from service.render.answers import in_force_lines

LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
MPV_869 = "urn:lex:br:federal:medida.provisoria:2018-12-27;869"
MPV_959 = "urn:lex:br:federal:medida.provisoria:2020-04-29;959"
LEI_13853 = "urn:lex:br:federal:lei:2019-07-08;13853"
LEI_14010 = "urn:lex:br:federal:lei:2020-06-10;14010"
CPC = "urn:lex:br:federal:lei:2015-03-16;13105"
OLD_CPC = "urn:lex:br:federal:lei:1973-01-11;5869"
EPD = "urn:lex:br:federal:lei:2015-07-06;13146"
CLT_394_A = "urn:lex:br:federal:decreto.lei:1943-05-01;5452!art394-1"
MPV_808 = "urn:lex:br:federal:medida.provisoria:2017-11-14;808"
MPV_870 = "urn:lex:br:federal:medida.provisoria:2019-01-01;870"
LEI_13502 = "urn:lex:br:federal:lei:2017-11-01;13502"
LEI_13844 = "urn:lex:br:federal:lei:2019-06-18;13844"

PROROGUED = "urn:lex:br:federal:lei:2017-01-02;99911"
PROROGUING = "urn:lex:br:federal:medida.provisoria:2018-01-02;99912"
REVOKED_WITHOUT_A_DAY = "urn:lex:br:federal:lei:1998-03-04;99913"
CONVERTING = "urn:lex:br:federal:lei:2018-05-30;99915"
WITH_VACATIO = "urn:lex:br:federal:lei:2001-01-02;99914"

#: Facts that the sample lacks: parts of the LGPD with starts of their own, the EPD, and MPV 870/2019.
MORE = f"""
curator = "Teste"

[[facts]]
norm = "{LGPD}!art55-1"
event = "publicacao"
effect = 2018-12-28
known = 2018-12-28
cause = "{MPV_869}"
[[facts]]
norm = "{LGPD}!art55-1"
event = "alteracao"
effect = 2019-07-09
known = 2019-07-09
cause = "{LEI_13853}"
[[facts]]
norm = "{LGPD}!art52"
event = "publicacao"
effect = 2020-08-16
known = 2018-08-15
[[facts]]
norm = "{LGPD}!art52"
event = "prorrogacao.vacatio"
effect = 2021-08-01
known = 2020-06-12
cause = "{LEI_14010}"

[[facts]]
norm = "{EPD}"
event = "publicacao"
after = "180 days"
known = 2015-07-07

[[facts]]
norm = "{LEI_13502}"
event = "publicacao"
effect = 2017-11-03
known = 2017-11-03
[[facts]]
norm = "{MPV_870}"
event = "publicacao"
effect = 2019-01-01
known = 2019-01-01
[[facts]]
norm = "{LEI_13502}"
event = "revogacao"
effect = 2019-01-01
known = 2019-01-01
cause = "{MPV_870}"
[[facts]]
norm = "{LEI_13844}"
event = "publicacao"
effect = 2019-06-18
known = 2019-06-18
[[facts]]
norm = "{MPV_870}"
event = "conversao"
effect = 2019-06-18
known = 2019-06-18
cause = "{LEI_13844}"
[[facts]]
norm = "{LEI_13502}"
event = "revogacao"
effect = 2019-06-18
known = 2019-06-18
cause = "{LEI_13844}"

# fictional: an article that MPV 870 amended; its law did not keep the amendment
[[facts]]
norm = "urn:lex:br:federal:lei:1998-03-03;99901!art14"
event = "publicacao"
effect = 1998-03-04
known = 1998-03-04
text = "O Conselho fictício fica no Ministério da Economia."
[[facts]]
norm = "urn:lex:br:federal:lei:1998-03-03;99901!art14"
event = "alteracao"
effect = 2019-01-01
known = 2019-01-01
cause = "{MPV_870}"
text = "O Conselho fictício fica no Ministério da Justiça."

# fictional: a partial veto that was overturned
[[facts]]
norm = "urn:lex:br:federal:lei:2003-05-02;99902"
event = "publicacao"
effect = 2003-05-05
known = 2003-05-05
[[facts]]
norm = "urn:lex:br:federal:lei:2003-05-02;99902!art7"
event = "veto"
effect = 2003-05-05
known = 2003-05-05
[[facts]]
norm = "urn:lex:br:federal:lei:2003-05-02;99902!art7"
event = "derrubada.veto.parcial"
effect = 2003-08-20
known = 2003-08-20
text = "Artigo fictício, promulgado depois do veto."

# fictional: a law revoked by a law that was declared unconstitutional, another one with modulated effect
[[facts]]
norm = "urn:lex:br:federal:lei:1996-01-02;99903"
event = "publicacao"
effect = 1996-01-03
known = 1996-01-03
[[facts]]
norm = "urn:lex:br:federal:lei:2000-01-02;99904"
event = "publicacao"
effect = 2000-03-01
known = 2000-01-03
[[facts]]
norm = "urn:lex:br:federal:lei:1996-01-02;99903"
event = "revogacao"
effect = 2000-03-01
known = 2000-01-03
cause = "urn:lex:br:federal:lei:2000-01-02;99904"
[[facts]]
norm = "urn:lex:br:federal:lei:2000-01-02;99904"
event = "declaracao.inconstitucionalidade"
effect = 2000-03-01
known = 2010-06-23
cause = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-16;99905"
[[facts]]
norm = "urn:lex:br:federal:lei:1996-02-02;99906"
event = "publicacao"
effect = 1996-02-03
known = 1996-02-03
[[facts]]
norm = "urn:lex:br:federal:lei:2000-02-02;99907"
event = "publicacao"
effect = 2000-03-01
known = 2000-02-03
[[facts]]
norm = "urn:lex:br:federal:lei:1996-02-02;99906"
event = "revogacao"
effect = 2000-03-01
known = 2000-02-03
cause = "urn:lex:br:federal:lei:2000-02-02;99907"
[[facts]]
norm = "urn:lex:br:federal:lei:2000-02-02;99907"
event = "declaracao.inconstitucionalidade"
effect = 2011-01-01
known = 2010-06-23
cause = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-16;99908"

# fictional: a revoker that a court suspended for a time
[[facts]]
norm = "urn:lex:br:federal:lei:1997-01-02;99909"
event = "publicacao"
effect = 1997-01-03
known = 1997-01-03
[[facts]]
norm = "urn:lex:br:federal:lei:2001-09-04;99910"
event = "publicacao"
effect = 2001-09-05
known = 2001-09-05
[[facts]]
norm = "urn:lex:br:federal:lei:1997-01-02;99909"
event = "revogacao"
effect = 2001-09-05
known = 2001-09-05
cause = "urn:lex:br:federal:lei:2001-09-04;99910"
[[facts]]
norm = "urn:lex:br:federal:lei:2001-09-04;99910"
event = "suspensao"
effect = 2007-08-14
known = 2007-08-14
[[facts]]
norm = "urn:lex:br:federal:lei:2001-09-04;99910"
event = "restabelecimento"
effect = 2009-02-02
known = 2009-02-02

# fictional: a revoker whose vacatio was prorogued by a lapsed measure; no source states the day of the revocation
[[facts]]
norm = "{PROROGUED}"
event = "publicacao"
effect = 2018-03-03
known = 2017-01-03
[[facts]]
norm = "{PROROGUED}"
event = "prorrogacao.vacatio"
effect = 2018-12-03
known = 2018-01-03
cause = "{PROROGUING}"
[[facts]]
norm = "{PROROGUING}"
event = "publicacao"
effect = 2018-01-03
known = 2018-01-03
[[facts]]
norm = "{PROROGUING}"
event = "caducidade"
effect = 2018-06-01
known = 2018-06-04
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}"
event = "publicacao"
effect = 1998-03-05
known = 1998-03-05
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}"
event = "revogacao"
cause = "{PROROGUED}"

# fictional: an article that would have revoked two articles, itself revoked in the vacatio of its law; another one that
# was amended in force and revoked before the amendment began
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5"
event = "publicacao"
effect = 1998-03-05
known = 1998-03-05
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5"
event = "revogacao"
effect = 2001-07-03
known = 2001-01-03
cause = "{WITH_VACATIO}!art9"
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art6"
event = "revogacao"
effect = 2001-07-03
known = 2001-01-03
cause = "{WITH_VACATIO}!art10"
[[facts]]
norm = "{WITH_VACATIO}"
event = "publicacao"
effect = 2001-07-03
known = 2001-01-03
[[facts]]
norm = "{WITH_VACATIO}!art9"
event = "revogacao"
effect = 2001-07-02
known = 2001-07-02
[[facts]]
norm = "{WITH_VACATIO}!art10"
event = "alteracao"
effect = 2004-02-01
known = 2003-12-01
[[facts]]
norm = "{WITH_VACATIO}!art10"
event = "revogacao"
effect = 2004-01-15
known = 2004-01-15
"""

#: D, K, and the answer: a status, or the version that is in force.
QUESTIONS = {
    LGPD: """
        2020-02-15 2018-12-27 vacatio
        2020-02-16 2018-12-27 @2020-02-16;publicacao;2018-08-15
        2020-02-16 2018-12-28 vacatio
        2020-08-15 2020-04-28 vacatio
        2020-08-16 2020-04-28 @2020-08-16;prorrogacao.vacatio;2019-07-09
        2020-08-16 2020-04-29 vacatio
        2020-08-20 2020-08-20 vacatio
        2021-05-02 2020-09-17 vacatio
        2021-05-03 2020-09-17 @2021-05-03;prorrogacao.vacatio;2020-04-29
        2020-09-17 2020-09-18 vacatio
        2020-09-18 2020-09-17 vacatio
        2020-09-18 2020-09-18 @2020-08-16;prorrogacao.vacatio;2019-07-09
        2021-05-03 2021-06-01 @2020-08-16;prorrogacao.vacatio;2019-07-09
    """,
    MPV_869: """
        2018-12-27 2018-12-28 not-published
        2018-12-28 2018-12-28 @2018-12-28;publicacao;2018-12-28
        2019-07-08 2019-07-09 @2018-12-28;publicacao;2018-12-28
        2019-07-09 2019-07-08 unknown
        2019-07-09 2019-07-09 converted
    """,
    MPV_959: """
        2020-09-17 2020-09-18 @2020-04-29;publicacao;2020-04-29
        2020-09-18 2020-09-18 converted
    """,
    CPC: """
        2016-03-17 2016-02-04 vacatio
        2016-03-18 2016-02-04 @2016-03-18;publicacao;2015-03-17
        2016-03-18 2016-02-05 @2016-03-18;alteracao;2016-02-05
    """,
    OLD_CPC: """
        1973-12-31 2015-03-16 vacatio
        1974-01-01 2015-03-16 @1974-01-01;publicacao;1973-01-17
        2016-03-18 2015-03-16 @1974-01-01;publicacao;1973-01-17
        2016-03-17 2015-03-17 @1974-01-01;publicacao;1973-01-17
        2016-03-18 2015-03-17 revoked
    """,
    EPD: """
        2015-07-06 2015-07-07 not-published
        2016-01-02 2015-07-07 vacatio
        2016-01-03 2015-07-07 @2016-01-03;publicacao;2015-07-07
    """,
    CLT_394_A: """
        2017-11-13 2018-04-25 @2017-11-11;alteracao;2017-07-14
        2017-11-14 2018-04-25 @2017-11-14;alteracao;2017-11-14
        2018-04-23 2018-04-25 @2017-11-14;alteracao;2017-11-14
        2018-04-24 2018-04-24 @2017-11-14;alteracao;2017-11-14
        2018-04-24 2018-04-25 @2017-11-11;alteracao;2017-07-14
    """,
    MPV_808: """
        2018-04-23 2018-04-25 @2017-11-14;publicacao;2017-11-14
        2018-04-24 2018-04-24 @2017-11-14;publicacao;2017-11-14
        2018-04-24 2018-04-25 expired
    """,
    LEI_13502: """
        2018-12-31 2019-06-18 @2017-11-03;publicacao;2017-11-03
        2019-01-01 2019-01-01 revoked
        2019-06-17 2019-06-18 revoked
        2019-06-18 2019-06-18 revoked
    """,
    "urn:lex:br:federal:lei:1998-03-03;99901!art14": """
        2018-12-31 2019-06-18 @1998-03-04;publicacao;1998-03-04
        2019-01-01 2019-06-17 @2019-01-01;alteracao;2019-01-01
        2019-06-17 2019-06-18 @2019-01-01;alteracao;2019-01-01
        2019-06-18 2019-06-17 @2019-01-01;alteracao;2019-01-01
        2019-06-18 2019-06-18 @1998-03-04;publicacao;1998-03-04
    """,
    "urn:lex:br:federal:lei:2003-05-02;99902!art7": """
        2003-05-05 2003-05-05 vetoed
        2003-08-20 2003-08-19 vetoed
        2003-08-19 2003-08-20 vetoed
        2003-08-20 2003-08-20 @2003-08-20;derrubada.veto.parcial;2003-08-20
    """,
    "urn:lex:br:federal:lei:1996-01-02;99903": """
        2000-02-29 2010-06-22 @1996-01-03;publicacao;1996-01-03
        2000-03-01 2010-06-22 revoked
        2000-03-01 2010-06-23 @1996-01-03;publicacao;1996-01-03
        2010-06-23 2010-06-23 @1996-01-03;publicacao;1996-01-03
    """,
    PROROGUED: """
        2018-03-03 2018-01-02 @2018-03-03;publicacao;2017-01-03
        2018-03-03 2018-01-03 vacatio
        2018-05-31 2018-06-04 vacatio
        2018-06-01 2018-06-04 @2018-03-03;publicacao;2017-01-03
        2018-12-03 2018-06-03 @2018-12-03;prorrogacao.vacatio;2018-01-03
    """,
    REVOKED_WITHOUT_A_DAY: """
        2018-03-03 2017-01-02 @1998-03-05;publicacao;1998-03-05
        2018-03-02 2018-01-02 @1998-03-05;publicacao;1998-03-05
        2018-03-03 2018-01-02 revoked
        2018-03-03 2018-01-03 @1998-03-05;publicacao;1998-03-05
        2018-12-02 2018-06-03 @1998-03-05;publicacao;1998-03-05
        2018-12-03 2018-06-03 revoked
        2018-05-31 2018-06-04 @1998-03-05;publicacao;1998-03-05
        2018-06-01 2018-06-04 revoked
    """,
    f"{REVOKED_WITHOUT_A_DAY}!art5": """
        2001-07-02 2001-07-01 @1998-03-05;publicacao;1998-03-05
        2001-07-03 2001-07-01 revoked
        2001-07-03 2001-07-02 @1998-03-05;publicacao;1998-03-05
    """,
    f"{REVOKED_WITHOUT_A_DAY}!art6": """
        2001-07-03 2003-11-30 revoked
        2003-12-15 2003-12-01 revoked
        2004-02-01 2004-01-15 revoked
    """,
    f"{LGPD}!art55-1": """
        2018-12-27 2018-12-27 not-published
        2018-12-27 2018-12-28 not-published
        2018-12-28 2018-12-28 @2018-12-28;publicacao;2018-12-28
        2019-07-08 2019-07-09 @2018-12-28;publicacao;2018-12-28
        2019-07-09 2019-07-09 @2019-07-09;alteracao;2019-07-09
        2020-02-15 2020-02-15 @2019-07-09;alteracao;2019-07-09
    """,
    "urn:lex:br:federal:lei:1996-02-02;99906": """
        2011-01-01 2010-06-22 revoked
        2010-12-31 2010-06-23 revoked
        2011-01-01 2010-06-23 @1996-02-03;publicacao;1996-02-03
    """,
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    folder = tmp_path_factory.mktemp("facts")
    (folder / "more.toml").write_text(MORE, encoding="utf-8")
    made = in_memory()
    summary = load([samples.folder() / "facts", folder], made, Quarantine(folder / "quarantine"))
    assert (summary.refused, summary.loaded) == ({}, summary.read)
    return made


def questions() -> Iterator[tuple[str, str, str, str]]:
    for name, table in QUESTIONS.items():
        for row in table.strip().splitlines():
            on, as_known, answer = row.split()
            yield name, on, as_known, answer


def version_or_status(answer: InForce) -> str:
    if answer.version is None:
        return answer.status.value
    return "@" + answer.version.name.partition("@")[2].partition("!")[0]


@pytest.mark.parametrize(("name", "on", "as_known", "expected"), list(questions()))
def test_real_norm_has_the_expected_version_or_status(
    store: WritableStore, name: str, on: str, as_known: str, expected: str
) -> None:
    assert version_or_status(in_force(store, name, on, as_known)) == expected


@pytest.mark.parametrize(
    ("part", "on", "expected"),
    [
        ("art52", "2021-07-31", "vacatio"),
        ("art52", "2021-08-01", "@2021-08-01;prorrogacao.vacatio;2020-06-12"),
    ],
)
def test_lgpd_parts_with_their_own_start(store: WritableStore, part: str, on: str, expected: str) -> None:
    assert version_or_status(in_force(store, f"{LGPD}!{part}", on, "2021-09-01")) == expected


def test_law_started_by_a_lapsed_prorogation_is_not_reported_as_restored(store: WritableStore) -> None:
    lines = list(in_force_lines(in_force(store, LGPD, "2020-09-18", "2020-09-18")))
    assert any(line.startswith(f"  because    in force since 2020-09-18: postponed by {MPV_959}") for line in lines)
    assert not any("in force again" in line for line in lines)


def test_restored_law_names_the_act_that_restored_it(store: WritableStore) -> None:
    answer = in_force(store, "urn:lex:br:federal:lei:1996-01-02;99903", "2005-01-01", "2010-06-23")
    chain = [(reason.event, reason.cause) for reason in flattened(answer.because)]
    revoked = ("revogacao", "urn:lex:br:federal:lei:2000-01-02;99904")
    annulled = (
        "declaracao.inconstitucionalidade",
        "urn:lex:br:supremo.tribunal.federal:acordao;adi:2010-06-16;99905",
    )
    assert chain[chain.index(revoked) + 1] == annulled


@pytest.mark.parametrize(
    ("on", "lapsed"), [("2017-11-13", False), ("2017-11-14", True), ("2018-04-23", True), ("2018-04-24", False)]
)
def test_days_before_a_lapse_have_a_notice(store: WritableStore, on: str, *, lapsed: bool) -> None:
    answer = in_force(store, CLT_394_A, on, "2018-04-25")
    assert ("mpv-lapsed" in {notice.code for notice in answer.notices}) == lapsed


@pytest.mark.parametrize(
    ("name", "on", "force", "efficacy", "since", "until"),
    [
        ("lei:2001-09-04;99910", "2007-08-13", Status.IN_FORCE, Status.IN_FORCE, "2001-09-05", "2007-08-14"),
        ("lei:2001-09-04;99910", "2007-08-14", Status.IN_FORCE, Status.SUSPENDED, "2007-08-14", "2009-02-02"),
        ("lei:2001-09-04;99910", "2009-02-02", Status.IN_FORCE, Status.IN_FORCE, "2009-02-02", None),
        ("lei:1997-01-02;99909", "2007-08-13", Status.REVOKED, Status.REVOKED, "2001-09-05", "2007-08-14"),
        ("lei:1997-01-02;99909", "2007-08-14", Status.REVOKED, Status.IN_FORCE, "2007-08-14", "2009-02-02"),
        ("lei:1997-01-02;99909", "2009-02-02", Status.REVOKED, Status.REVOKED, "2009-02-02", None),
    ],
)
def test_earlier_law_has_efficacy_while_a_court_suspends_the_later_one(
    store: WritableStore, name: str, on: str, force: Status, efficacy: Status, since: str, until: str | None
) -> None:
    """Check Lei 9.868/1999, art. 11 § 2: force does not change; on the axis of efficacy the earlier law applies."""
    answer = in_force(store, f"urn:lex:br:federal:{name}", on, "2010-01-01")
    assert (answer.status, answer.force.status) == (force, force)
    days = (date.fromisoformat(since), date.fromisoformat(until) if until else None)
    assert (answer.efficacy.status, answer.efficacy.since, answer.efficacy.until) == (efficacy, *days)


LIFE_OF_AN_INSERTION = f"""
curator = "Teste"
norm = "{REVOKED_WITHOUT_A_DAY}"
[[facts]]
event = "publicacao"
effect = 1998-03-05
known = 1998-03-05
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5_cpt"
event = "publicacao"
effect = 1998-03-05
known = 1998-03-05
text = "Primeira."
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5_cpt"
event = "alteracao"
effect = 2018-01-03
known = 2018-01-03
cause = "{PROROGUING}"
text = "Segunda."
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5-1_cpt"
event = "publicacao"
effect = 2018-01-03
known = 2018-01-03
cause = "{PROROGUING}"
text = "Nova."
[[facts]]
norm = "{PROROGUING}"
event = "publicacao"
effect = 2018-01-03
known = 2018-01-03
[[facts]]
norm = "{PROROGUING}"
event = "conversao"
effect = 2018-06-01
known = 2018-06-01
cause = "{CONVERTING}"
[[facts]]
norm = "{CONVERTING}"
event = "publicacao"
effect = 2018-06-01
known = 2018-06-01
[[facts]]
norm = "{REVOKED_WITHOUT_A_DAY}!art5_cpt"
event = "alteracao"
effect = 2018-06-01
known = 2018-06-01
cause = "{CONVERTING}"
text = "Terceira."
[[facts]]
norm = "{CONVERTING}"
event = "declaracao.inconstitucionalidade"
effect = 2018-06-01
known = 2022-02-01
"""


@pytest.mark.parametrize(
    ("since", "until", "as_known", "expected"),
    [
        (
            "2018-01-02",
            "2018-01-03",
            "2018-01-03",
            [("art5_cpt", "changed", "alteracao", []), ("art5-1_cpt", "inserted", "publicacao", [])],
        ),
        (
            "2018-05-31",
            "2018-06-01",
            "2018-06-01",
            [("art5_cpt", "changed", "alteracao", []), ("art5-1_cpt", "expired", "publicacao", ["conversao"])],
        ),
        (
            "2018-05-31",
            "2018-06-01",
            "2022-02-01",
            [
                ("art5_cpt", "changed", "alteracao", ["conversao"]),
                ("art5_cpt", "changed", "alteracao", ["declaracao.inconstitucionalidade"]),
                ("art5-1_cpt", "expired", "publicacao", ["conversao"]),
            ],
        ),
    ],
)
def test_diff_names_the_acts_that_undid_an_insertion_and_amendments(
    tmp_path: Path, since: str, until: str, as_known: str, expected: list[tuple[str, str, str, list[str]]]
) -> None:
    (tmp_path / "facts.toml").write_text(LIFE_OF_AN_INSERTION, encoding="utf-8")
    made = in_memory()
    load([tmp_path / "facts.toml"], made, Quarantine(tmp_path / "quarantine"))
    changes = [
        (
            change.provision.partition("!")[2],
            change.kind.value,
            reason.event,
            [undone.event for undone in reason.undone_by],
        )
        for change in diff(made, REVOKED_WITHOUT_A_DAY, since, until, as_known).changes
        for reason in change.because
    ]
    assert changes == expected
