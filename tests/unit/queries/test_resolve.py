"""Tests of resolving names: to themselves, to a version by the defaults, or to the norm; never by a silent guess."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.entities import Record
from graph.errors import BadDate, BadName, BadParameter
from graph.store import WritableStore
from queries.english import match_message, message
from queries.resolve import resolve

Make = Callable[..., Record]
StoreOf = Callable[..., WritableStore]

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
DEFAULT = "event and view left open: the publication, else the first view (LexML 1.0 part 2, section 12.5)"
FIRST_VIEW = "view left open: the first one (LexML 1.0 part 2, section 12.5)"
LOOKED_UP = "event left open: looked up by the dates of version and view"


def led_to(store: WritableStore, suffix: str, as_known: str | None = None) -> tuple[str, str, list[str]]:
    """Return match, level and candidates of a name of the consumer code, all without the law's own name."""
    resolution = resolve(store, CODE + suffix, as_known)
    return (
        resolution.match.value,
        resolution.level,
        [candidate.name.removeprefix(CODE) for candidate in resolution.candidates],
    )


# Exact names and the defaults of missing parts (LexML 1.0 part 2, section 12.5)


@pytest.mark.parametrize(
    ("suffix", "level", "candidate", "steps"),
    [
        ("", "complex", "", []),
        ("@1993-05-22;alteracao;1993-05-22", "individual", "@1993-05-22;alteracao;1993-05-22", []),
        (
            "@1993-05-22;alteracao;1993-05-22~texto;pt-br",
            "individual",
            "@1993-05-22;alteracao;1993-05-22~texto;pt-br",
            [],
        ),
        ("@1991-03-11", "individual", "@1991-03-11;publicacao;1990-09-12", [DEFAULT]),
        ("@1993-05-22", "individual", "@1993-05-22;alteracao;1993-05-22", [DEFAULT]),
        ("@1991-03-11;assinatura", "individual", "@1991-03-11;assinatura;1990-09-11", [FIRST_VIEW]),
        ("@1991-03-11;retificacao", "individual", "@1991-03-11;retificacao;2007-01-10", [FIRST_VIEW]),
        ("@versao.original", "individual", "@1991-03-11;publicacao;1990-09-12", [DEFAULT]),
        ("@inicio.vigencia", "individual", "@1991-03-11;publicacao;1990-09-12", [DEFAULT]),
        ("@inicio.vigencia;retificacao", "individual", "@1991-03-11;retificacao;2007-01-10", [FIRST_VIEW]),
        ("@1991-03-11~texto;pt-br", "individual", "@1991-03-11;publicacao;1990-09-12~texto;pt-br", [DEFAULT]),
        (
            "@1993-05-22!1993-05-22",
            "individual",
            "@1993-05-22;alteracao;1993-05-22",
            ["read as LexML 0.7", LOOKED_UP],
        ),
        (
            "@1993-05-22!2007-01-10~texto;pt-br",
            "individual",
            "@1993-05-22;retificacao;2007-01-10~texto;pt-br",
            ["read as LexML 0.7", LOOKED_UP],
        ),
    ],
)
def test_open_version_resolves_to_one_name(
    suffix: str, level: str, candidate: str, steps: list[str], code_store: WritableStore
) -> None:
    assert led_to(code_store, suffix) == ("exact", level, [candidate])
    resolution = resolve(code_store, CODE + suffix)
    assert (list(resolution.steps), resolution.notices) == (steps, ())
    assert resolution.candidates[0].score == 1.0


def test_normalised_spelling_is_reported(code_store: WritableStore) -> None:
    resolution = resolve(code_store, "URN:LEX:br:federal:lei:1990-09-11;8078")
    assert (resolution.canonical, resolution.match.value) == (CODE, "exact")
    assert len(resolution.steps) == 1


def test_view_not_yet_known_is_not_a_candidate(code_store: WritableStore) -> None:
    assert led_to(code_store, "@1991-03-11;retificacao", "2007-01-09") == ("none", "individual", [])
    assert led_to(code_store, "@1991-03-11;retificacao", "2007-01-10")[0] == "exact"
    assert led_to(code_store, "@1991-03-11", "1990-09-11")[2] == ["@1991-03-11;assinatura;1990-09-11"]
    assert led_to(code_store, "@1991-03-11", "1990-09-12")[2] == ["@1991-03-11;publicacao;1990-09-12"]


def test_old_name_matching_two_events_has_two_candidates(record: Make, store_of: StoreOf) -> None:
    names = [f"{LAW}@2001-03-06;{event};2001-03-06" for event in ("publicacao", "retificacao")]
    resolution = resolve(store_of(*map(record, names)), f"{LAW}@2001-03-06!2001-03-06")
    assert [candidate.name for candidate in resolution.candidates] == names
    assert [match_message(candidate.why) for candidate in resolution.candidates] == [
        "in force from 2001-03-06, made known on 2001-03-06 by publicacao",
        "in force from 2001-03-06, made known on 2001-03-06 by retificacao",
    ]


def test_old_name_used_by_a_source_resolves_to_itself(record: Make, store_of: StoreOf) -> None:
    name = f"{LAW}@2001-03-06!2001-03-06"
    resolution = resolve(store_of(record(name)), name)
    assert (resolution.match.value, [candidate.name for candidate in resolution.candidates]) == ("exact", [name])
    assert match_message(resolution.candidates[0].why) == "the name itself"


def test_provision_is_found_by_an_open_version(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(f"{LAW}@2001-03-06;publicacao;2001-03-06!art2"))
    for name in (f"{LAW}@2001-03-06!art2", f"{LAW}@inicio.vigencia!art2"):
        resolution = resolve(store, name)
        assert (resolution.match.value, resolution.level) == ("exact", "fragment")
        assert [candidate.name for candidate in resolution.candidates] == [
            f"{LAW}@2001-03-06;publicacao;2001-03-06!art2"
        ]


def test_foreign_name_resolves(record: Make, store_of: StoreOf) -> None:
    name = "urn:lex:it:stato:legge:2004-01-09;4@2005-01-01"
    resolution = resolve(store_of(record(name)), name)
    assert (resolution.match.value, resolution.dialect, resolution.candidates[0].name) == ("exact", "rfc-9676", name)


# Names that are not found


@pytest.mark.parametrize(
    ("suffix", "sentence"),
    [
        (
            "@1992-01-01",
            "no source states a version of 1992-01-01; the nearest versions are of 1991-03-11 and 1993-05-22",
        ),
        ("@1991-03-10", "no source states a version of 1991-03-10; the nearest versions are of 1991-03-11"),
        ("@1993-09-09", "no source states a version of 1993-09-09; the nearest versions are of 1993-09-08"),
        (
            "@1993-05-22!2007-01-11",
            (
                "no source states that view of the version of 1993-05-22; "
                "its views are alteracao of 1993-05-22 and retificacao of 2007-01-10"
            ),
        ),
        (
            "@1991-03-12,1993-05-23",
            f"no source states a version that {CODE}@1991-03-12,1993-05-23 could mean",
        ),
        (
            "@[1991-03-01,1991-03-10]",
            f"no source states a version that {CODE}@[1991-03-01,1991-03-10] could mean",
        ),
    ],
)
def test_unknown_version_names_its_neighbours(suffix: str, sentence: str, code_store: WritableStore) -> None:
    resolution = resolve(code_store, CODE + suffix)
    assert (resolution.match.value, resolution.level, resolution.candidates) == ("none", "individual", ())
    assert [(notice.code, message(notice)) for notice in resolution.notices] == [("unknown-version", sentence)]


@pytest.mark.parametrize(
    ("suffix", "level", "candidate", "reported"),
    [
        (
            "!art5",
            "complex",
            "",
            "no source describes {name} itself; the candidate is the norm that it belongs to",
        ),
        (
            "@1993-05-22;alteracao;1993-05-22!art5",
            "individual",
            "@1993-05-22;alteracao;1993-05-22",
            "no source describes {name} itself; the candidates are versions of the norm",
        ),
        (
            "@1992-05-22!art5",
            "complex",
            "",
            "no source describes {name} itself; the candidate is the norm that it belongs to",
        ),
        (
            "@1993-05-22;alteracao;1993-05-22~texto;en",
            "individual",
            "@1993-05-22;alteracao;1993-05-22",
            "no source describes the text {name}; the candidate is its version",
        ),
    ],
)
def test_fallback_to_a_wider_level_is_reported(
    suffix: str, level: str, candidate: str, reported: str, code_store: WritableStore
) -> None:
    resolution = resolve(code_store, CODE + suffix)
    assert led_to(code_store, suffix) == ("wider", level, [candidate])
    assert [(n.code, message(n)) for n in resolution.notices] == [("wider-level", reported.format(name=CODE + suffix))]
    assert resolution.candidates[0].score == 0.5


@pytest.mark.parametrize("suffix", ["", "!art2", "@2001-03-06", "@2001-03-06!2001-03-06", "~texto;pt-br"])
def test_unmentioned_norm_has_no_candidate(suffix: str, code_store: WritableStore) -> None:
    resolution = resolve(code_store, LAW + suffix)
    assert (resolution.match.value, resolution.candidates) == ("none", ())
    assert [(n.code, message(n)) for n in resolution.notices] == [
        ("unknown-name", f"no source in this store mentions {LAW}{suffix}")
    ]


# Executed references


@pytest.mark.parametrize(
    ("suffix", "as_known", "candidate", "why"),
    [
        ("@versao.vigente.em;1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22", "in force"),
        ("@versao.vigente.em;1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10", "in force"),
        ("$vig=1993-05-21", "2007-01-09", "@1991-03-11;publicacao;1990-09-12", "in force"),
        ("$vig=1993-05-22", "2007-01-09", "@1993-05-22;alteracao;1993-05-22", "in force"),
        ("$efi=1993-05-22", "2007-01-09", "@1993-05-22;alteracao;1993-05-22", "effective"),
        ("@versao.eficaz.em;1993-05-22", "2007-01-09", "@1993-05-22;alteracao;1993-05-22", "effective"),
    ],
)
def test_temporal_reference_is_executed(
    suffix: str, as_known: str, candidate: str, why: str, code_store: WritableStore
) -> None:
    assert led_to(code_store, suffix, as_known) == ("exact", "individual", [candidate])
    resolution = resolve(code_store, CODE + suffix, as_known)
    day = suffix[-10:]
    assert match_message(resolution.candidates[0].why) == f"{why} on {day}, as known on {as_known}"
    assert [step for step in resolution.steps if step.startswith("the name says")] == [
        f"the name says on {day}",
        f"the name says axis {'force' if why == 'in force' else 'efficacy'}",
    ]


def test_text_as_consulted_on_a_day_is_executed(code_store: WritableStore) -> None:
    assert led_to(code_store, "@versao.consultada.em;2007-01-09")[2] == ["@1993-09-08;alteracao;1993-09-08"]
    assert led_to(code_store, "@versao.consultada.em;2007-01-10")[2] == ["@1993-09-08;retificacao;2007-01-10"]


def test_reference_without_a_version_states_why(code_store: WritableStore) -> None:
    resolution = resolve(code_store, f"{CODE}$vig=1991-03-10", "2007-01-09")
    assert (resolution.match.value, resolution.candidates) == ("none", ())
    assert [(n.code, message(n)) for n in resolution.notices] == [
        ("vacatio", f"no version of {CODE} applies on 1991-03-10 as known on 2007-01-09: vacatio")
    ]
    unknown = resolve(code_store, f"{LAW}$vig=1991-03-10", "2007-01-09")
    assert [(n.code, message(n)) for n in unknown.notices] == [
        ("unknown-name", f"no source in this store mentions {LAW}$vig=1991-03-10")
    ]


def test_view_day_beside_a_temporal_reference_is_the_known_date(code_store: WritableStore) -> None:
    for view, candidate in (("2007-01-09", "alteracao;1993-05-22"), ("2007-01-10", "retificacao;2007-01-10")):
        for asked in (f"!{view}$vig=1993-06-15", f"@versao.vigente.em;1993-06-15;publicacao;{view}"):
            assert led_to(code_store, asked)[2] == [f"@1993-05-22;{candidate}"]
            assert f"the name says as_known {view}" in resolve(code_store, CODE + asked).steps
    with pytest.raises(BadParameter, match="the name says as_known 2007-01-09"):
        resolve(code_store, f"{CODE}!2007-01-09$vig=1993-06-15", "2007-01-10")


# Texts of several versions (LexML 1.0 part 2, section 12.2)


@pytest.mark.parametrize(
    ("suffix", "as_known", "starts"),
    [
        ("@multivigente", "2007-01-09", ["1991-03-11", "1993-05-22", "1993-09-08"]),
        ("@multivigente", "1993-05-21", ["1991-03-11"]),
        ("@multivigente", "1993-05-22", ["1991-03-11", "1993-05-22"]),
        ("@1991-03-11,1993-09-08", "2007-01-09", ["1991-03-11", "1993-09-08"]),
        ("@1991-03-11,1993-09-09", "2007-01-09", ["1991-03-11"]),
        ("@[1991-03-11,1993-05-21]", "2007-01-09", ["1991-03-11"]),
        ("@[1991-03-11,1993-05-22]", "2007-01-09", ["1991-03-11", "1993-05-22"]),
        ("@[1993-05-21,1993-05-22]", "2007-01-09", ["1991-03-11", "1993-05-22"]),
        ("@[1993-05-22,1993-09-07]", "2007-01-09", ["1993-05-22"]),
        ("@[1993-05-22,1993-09-08]", "2007-01-09", ["1993-05-22", "1993-09-08"]),
        ("@[1990-01-01,1991-03-11]", "2007-01-09", ["1991-03-11"]),
        ("@[2020-01-01,2021-01-01]", "2007-01-09", ["1993-09-08"]),
    ],
)
def test_multi_version_text_lists_its_versions(
    suffix: str, as_known: str, starts: list[str], code_store: WritableStore
) -> None:
    match, level, candidates = led_to(code_store, suffix, as_known)
    assert (match, level, [name[1:11] for name in candidates]) == ("exact", "individual", starts)
    assert not any("retificacao" in name for name in candidates)
    resolution = resolve(code_store, CODE + suffix, as_known)
    assert [notice.code for notice in resolution.notices] == ["several-versions"]
    assert all(f"as known on {as_known}" in match_message(candidate.why) for candidate in resolution.candidates)


def test_multi_version_text_uses_the_views_known_by_then(code_store: WritableStore) -> None:
    assert led_to(code_store, "@multivigente", "2007-01-10")[2] == [
        f"@{start};retificacao;2007-01-10" for start in ("1991-03-11", "1993-05-22", "1993-09-08")
    ]
    assert led_to(code_store, "@multivigente;retificacao", "2007-01-09")[0] == "none"


def test_multi_version_text_with_its_own_record_resolves_to_itself(record: Make, store_of: StoreOf) -> None:
    name = f"{LAW}@multivigente;publicacao;2001-03-06"
    resolution = resolve(store_of(record(name)), name)
    assert (resolution.match.value, [candidate.name for candidate in resolution.candidates]) == ("exact", [name])


# Versions of other jurisdictions (RFC 9676, section 7.1.2)


def test_versions_of_a_foreign_norm_are_resolved(record: Make, store_of: StoreOf) -> None:
    law = "urn:lex:it:stato:legge:2004-01-09;4"
    store = store_of(record(f"{law}@original"), record(f"{law}@2005-01-01;2005-02-01"))
    assert [candidate.name for candidate in resolve(store, f"{law}@original").candidates] == [f"{law}@original"]
    resolution = resolve(store, f"{law}@2005-01-01")
    assert (resolution.match.value, [candidate.name for candidate in resolution.candidates]) == (
        "exact",
        [f"{law}@2005-01-01;2005-02-01"],
    )
    missing = resolve(store, f"{law}@2006-01-01")
    assert (missing.match.value, [candidate.name for candidate in missing.candidates]) == ("wider", [law])


def test_contradictory_or_invalid_name_is_refused(code_store: WritableStore) -> None:
    with pytest.raises(BadParameter):
        resolve(code_store, f"{CODE}@versao.consultada.em;2007-01-09", "2007-01-10")
    with pytest.raises(BadDate):
        resolve(code_store, CODE, "ontem")
    for text in ("", "  ", "urn:lex:", "urn:lex:br:federal", "urn:lex:br:federal:lei:1990-13-01;1", "x" * 5000):
        with pytest.raises(BadName):
            resolve(code_store, text)


def test_resolution_json_document(code_store: WritableStore) -> None:
    resolution = resolve(code_store, f"{CODE}@1993-05-22!1993-05-22")
    assert (resolution.candidates[0].label or "").startswith("Lei nº 8.078")
    assert resolution.as_json() == {
        "asked": f"{CODE}@1993-05-22!1993-05-22",
        "canonical": f"{CODE}@1993-05-22!1993-05-22",
        "dialect": "lexml-0.7",
        "match": "exact",
        "level": "individual",
        "steps": ["read as LexML 0.7", LOOKED_UP],
        "candidates": [
            {
                "name": f"{CODE}@1993-05-22;alteracao;1993-05-22",
                "label": resolution.candidates[0].label,
                "score": 1.0,
                "why": "in force from 1993-05-22, made known on 1993-05-22 by alteracao",
                "reasons": [{"code": "made_known", "value": "alteracao", "since": "1993-05-22", "known": "1993-05-22"}],
            }
        ],
        "notices": [],
    }
