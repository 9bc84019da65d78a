"""Tests of in_force: every status with its reasons, on both sides of the day on which it begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest

from graph.entities import Event, Item, ItemKind, Record
from graph.errors import StoreDamaged
from graph.store import Store, WritableStore
from ontology.iris import DERIVED_GRAPH
from queries.answers import InForce
from queries.documents import notice_document
from queries.english import message
from queries.in_force import in_force
from queries.reasons import Reason

Make = Callable[..., Record]
MakeEvent = Callable[..., Event]
StoreOf = Callable[..., WritableStore]

LAW = "urn:lex:br:federal:lei:2001-03-05;99907"
FIRST = f"{LAW}@2001-03-06;publicacao;2001-03-06"
OTHER = "urn:lex:br:federal:lei:2006-05-08;99908"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2008-09-03;99901"
HORIZON = "2008-12-15"


def asked(
    store: Store, on: str, as_known: str = HORIZON, *, name: str = LAW, axis: str = "force"
) -> tuple[str, str | None]:
    """Return status and version of an answer, the version without the norm's name."""
    answer = in_force(store, name, on, as_known, axis)
    assert (answer.version is not None) == (answer.status.value == "in-force")
    return answer.status.value, answer.version.name.removeprefix(LAW) if answer.version is not None else None


def reasons(answer: InForce) -> list[tuple[str | None, str | None, str | None, str | None]]:
    return [(r.event, r.effect, r.known, r.cause) for r in answer.because]


def codes(answer: InForce) -> list[str]:
    return [notice.code for notice in answer.notices]


IN_FORCE = ("in-force", "@2001-03-06;publicacao;2001-03-06")
PUBLISHED = ("publicacao", "2001-03-06", "2001-03-06", None)

# Endings


@pytest.mark.parametrize("revoking_first", [False, True])
def test_revoked_by_a_relation_from_the_start_of_the_revoking_norm(
    revoking_first: bool, record: Make, store_of: StoreOf
) -> None:
    """Check that a revocation is known from the publication of its norm, and has effect from the start of that norm."""
    records = [record(FIRST), record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW))]
    store = store_of()
    for next_record in reversed(records) if revoking_first else records:
        store.apply([next_record])
    revocation = ("revogacao", "2006-07-01", "2006-05-09", OTHER)
    assert asked(store, "2006-06-30") == IN_FORCE
    assert asked(store, "2006-07-01") == ("revoked", None)
    assert asked(store, "2006-07-01", "2006-05-09") == ("revoked", None)
    assert asked(store, "2006-07-01", "2006-05-08") == IN_FORCE
    assert reasons(in_force(store, LAW, "2006-07-01", HORIZON)) == [revocation]
    ending = in_force(store, LAW, "2006-06-30", HORIZON)
    assert ending.version is not None
    assert ending.version.valid_until == date(2006, 7, 1)
    assert reasons(ending) == [PUBLISHED, revocation]
    before = in_force(store, LAW, "2006-06-30", "2006-05-08")
    assert before.version is not None
    assert (before.version.valid_until, before.version.known_until) == (None, date(2006, 5, 9))
    assert reasons(before) == [PUBLISHED]


@pytest.mark.parametrize("revoking_first", [False, True])
def test_revocation_by_an_undated_norm_is_unknown_from_its_date(
    revoking_first: bool, record: Make, store_of: StoreOf
) -> None:
    """Check the bounds: no effect before the revoking norm's own date, and status unknown from then on."""
    records = [record(FIRST), record(OTHER, ("revoga", LAW))]
    store = store_of()
    for next_record in reversed(records) if revoking_first else records:
        store.apply([next_record])
    assert asked(store, "2006-05-07") == IN_FORCE
    assert asked(store, "2006-05-08") == ("unknown", None)
    assert asked(store, "2006-05-08", "2006-05-07") == IN_FORCE
    assert asked(store, "2006-05-08", "2006-05-08") == ("unknown", None)
    answer = in_force(store, LAW, "2006-05-08", HORIZON)
    assert reasons(answer) == [("revogacao", None, None, OTHER)]
    (notice,) = answer.notices
    assert notice_document(notice) == {
        "code": "undated",
        "events": ["revogacao"],
        "words": [],
        "missing": [],
        "message": "the sources state revogacao without the first day of effect, so the days cannot be determined",
    }


def test_norm_with_one_revoked_provision_stays_in_force(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(FIRST), record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga.dispositivo", LAW)))
    assert asked(store, "2007-01-01") == IN_FORCE


def test_revoked_provision_has_its_own_reason(record: Make, store_of: StoreOf) -> None:
    article = f"{LAW}!art2"
    store = store_of(
        record(FIRST),
        record(f"{FIRST}!art2"),
        record(f"{FIRST}!art3"),
        record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga.dispositivo", article)),
        record("urn:lex:br:federal:lei:2008-01-02;99909@2008-02-01;publicacao;2008-01-03", ("revoga", LAW)),
    )
    assert asked(store, "2006-06-30", name=article) == ("in-force", "@2001-03-06;publicacao;2001-03-06!art2")
    assert asked(store, "2006-07-01", name=article) == ("revoked", None)
    assert asked(store, "2008-01-31", name=f"{LAW}!art3")[0] == asked(store, "2008-01-31")[0] == "in-force"
    assert asked(store, "2008-02-01", name=f"{LAW}!art3")[0] == asked(store, "2008-02-01")[0] == "revoked"
    answer = in_force(store, f"{LAW}!art3", "2008-02-01", HORIZON)
    assert reasons(answer) == [
        ("revogacao", "2008-02-01", "2008-01-03", "urn:lex:br:federal:lei:2008-01-02;99909"),
    ]


def test_unconstitutional_from_an_unstated_day_is_unknown(record: Make, store_of: StoreOf) -> None:
    """Check an annulment without a day of effect: once the judgment is published, every day is unknown."""
    judged = record(f"{JUDGMENT}@versao.original;publicacao;2008-10-10", ("declara.inconstitucional", LAW))
    store = store_of(record(FIRST), judged)
    assert asked(store, "2002-01-01", "2008-10-09") == IN_FORCE
    for on in ("2001-03-06", "2002-01-01", "2030-01-01"):
        assert asked(store, on, "2008-10-10") == ("unknown", None)
    answer = in_force(store, LAW, "2002-01-01", "2008-10-10")
    assert reasons(answer) == [("declaracao.inconstitucionalidade", None, "2008-10-10", JUDGMENT)]
    assert codes(answer) == ["undated"]


def test_unconstitutional_without_any_day_is_known_within_bounds(record: Make, store_of: StoreOf) -> None:
    """Check that the annulment became known between the day of the judgment and that of the harvest."""
    store = store_of(record(FIRST), record(JUDGMENT, ("declara.inconstitucional", LAW)))
    assert asked(store, "2002-01-01", "2008-09-02") == IN_FORCE
    assert asked(store, "2002-01-01", "2008-09-03") == ("unknown", None)
    assert asked(store, "2002-01-01", "2008-12-15") == ("unknown", None)


def test_annulled_from_the_start_or_later(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    ex_tunc = store_of(record(FIRST, events=[event("anulacao", LAW, "2001-03-06", "2008-09-04", JUDGMENT)]))
    assert asked(ex_tunc, "2001-03-06") == asked(ex_tunc, "2030-01-01") == ("annulled", None)
    assert asked(ex_tunc, "2001-03-06", "2008-09-04") == ("annulled", None)
    assert asked(ex_tunc, "2001-03-06", "2008-09-03") == IN_FORCE
    answer = in_force(ex_tunc, LAW, "2002-01-01", HORIZON)
    assert reasons(answer) == [("anulacao", "2001-03-06", "2008-09-04", JUDGMENT)]
    modulated = store_of(record(FIRST, events=[event("anulacao", LAW, "2001-03-07", "2008-09-04", JUDGMENT)]))
    assert asked(modulated, "2001-03-06") == IN_FORCE
    assert asked(modulated, "2001-03-07") == ("annulled", None)


@pytest.mark.parametrize("kind", ["anulacao", "anotacao", "texto.atualizado"])
def test_version_made_by_an_event_does_not_end_the_norm(kind: str, record: Make, store_of: StoreOf) -> None:
    """Check that publishing a decision on the norm, or an edited text, makes a view (LexML 1.0 part 2, 12.1)."""
    store = store_of(record(FIRST), record(f"{LAW}@2001-03-06;{kind};2005-01-01"))
    assert asked(store, "2002-01-01", "2004-12-31") == IN_FORCE
    assert asked(store, "2002-01-01", "2005-01-01") == ("in-force", f"@2001-03-06;{kind};2005-01-01")


def test_norm_whose_whole_veto_is_overridden_is_in_force_from_then_on(record: Make, store_of: StoreOf) -> None:
    version = "@2001-04-10;derrubada.veto.total;2001-04-10"
    store = store_of(record(f"{LAW}{version}"))
    assert asked(store, "2001-04-09") == asked(store, "2001-04-10", "2001-04-09") == ("unknown", None)
    assert asked(store, "2001-04-10") == ("in-force", version)


def test_expired_norm_is_restored(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    events = [
        event("caducidade", LAW, "2002-01-01", "2001-03-06"),
        event("repristinacao", LAW, "2003-01-01", "2002-12-01", OTHER),
    ]
    store = store_of(record(FIRST, events=events))
    assert asked(store, "2001-12-31") == IN_FORCE
    assert asked(store, "2002-01-01") == asked(store, "2002-12-31") == ("expired", None)
    assert asked(store, "2003-01-01") == IN_FORCE
    assert asked(store, "2003-01-01", "2002-11-30") == ("expired", None)
    expiry = ("caducidade", "2002-01-01", "2001-03-06", None)
    restoration = ("repristinacao", "2003-01-01", "2002-12-01", OTHER)
    assert reasons(in_force(store, LAW, "2002-06-01", HORIZON)) == [expiry]
    assert reasons(in_force(store, LAW, "2001-06-01", HORIZON)) == [PUBLISHED, expiry]
    assert reasons(in_force(store, LAW, "2003-06-01", HORIZON)) == [PUBLISHED, restoration]


def test_suspension_affects_only_efficacy(record: Make, event: MakeEvent, store_of: StoreOf) -> None:
    events = [
        event("suspensao", LAW, "2002-01-01", "2002-01-02", JUDGMENT),
        event("restabelecimento", LAW, "2003-01-01", "2003-01-01", JUDGMENT),
    ]
    store = store_of(record(FIRST, events=events))
    for on, expected in (
        ("2001-12-31", IN_FORCE),
        ("2002-01-01", ("suspended", None)),
        ("2002-12-31", ("suspended", None)),
        ("2003-01-01", IN_FORCE),
    ):
        assert asked(store, on, axis="efficacy") == expected
        assert asked(store, on, axis="force") == IN_FORCE
    assert asked(store, "2002-01-01", "2002-01-01", axis="efficacy") == IN_FORCE
    assert asked(store, "2002-01-01", "2002-01-02", axis="efficacy") == ("suspended", None)
    suspension = ("suspensao", "2002-01-01", "2002-01-02", JUDGMENT)
    assert reasons(in_force(store, LAW, "2002-01-01", HORIZON, "efficacy")) == [suspension]
    assert reasons(in_force(store, LAW, "2001-06-01", HORIZON, "efficacy")) == [PUBLISHED, suspension]
    assert reasons(in_force(store, LAW, "2002-01-01", HORIZON, "force")) == [PUBLISHED]


# Beginnings


def test_vacatio_and_its_views_have_reasons(record: Make, store_of: StoreOf) -> None:
    store = store_of(
        record(f"{LAW}@2009-06-01;assinatura;2008-12-01"), record(f"{LAW}@2009-06-01;publicacao;2008-12-02")
    )
    assert asked(store, "2008-11-30") == ("not-published", None)
    assert asked(store, "2008-12-01") == asked(store, "2009-05-31") == ("vacatio", None)
    assert asked(store, "2009-06-01") == ("in-force", "@2009-06-01;publicacao;2008-12-02")
    signed = ("assinatura", "2009-06-01", "2008-12-01", None)
    published = ("publicacao", "2009-06-01", "2008-12-02", None)
    assert reasons(in_force(store, LAW, "2009-05-31", HORIZON)) == [signed, published]
    assert reasons(in_force(store, LAW, "2009-05-31", "2008-12-01")) == [signed]
    assert reasons(in_force(store, LAW, "2009-06-01", HORIZON)) == [signed, published]


def test_days_before_publication_are_not_published(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(FIRST))
    assert asked(store, "2001-03-06", "2001-03-05") == ("not-published", None)
    assert asked(store, "2001-03-06", "2001-03-06") == IN_FORCE
    assert asked(store, "2001-03-05") == ("not-published", None)
    assert codes(in_force(store, LAW, "2001-03-06", "2001-03-05")) == []
    (notice,) = in_force(store, LAW, "2001-03-05", HORIZON).notices
    assert notice_document(notice) == {
        "code": "before-publication",
        "on": "2001-03-05",
        "first": "2001-03-06",
        "message": "not yet published on 2001-03-05: according to the sources, it was first known on 2001-03-06",
    }


def test_undated_view_counts_from_its_harvest(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(f"{LAW}@2001-03-06"))
    assert asked(store, "2001-03-06", "2001-03-04") == ("not-published", None)
    assert asked(store, "2001-03-06", "2001-03-05") == ("unknown", None)
    assert asked(store, "2001-03-06", "2008-12-14") == ("unknown", None)
    assert asked(store, "2001-03-06", "2008-12-15") == ("in-force", "@2001-03-06")
    answer = in_force(store, LAW, "2001-03-06", "2008-12-15")
    assert answer.version is not None
    assert (answer.version.event, answer.version.view_date, answer.version.known_from) == (
        None,
        None,
        date(2008, 12, 15),
    )
    assert reasons(answer) == [(None, "2001-03-06", None, None)]
    (notice,) = in_force(store, LAW, "2001-03-06", "2008-12-14").notices
    assert message(notice) == "a source names a version but does not state since when it was known"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            f"{LAW}@inicio.vigencia;publicacao;2001-03-06",
            "a source names the version by a word (inicio.vigencia) instead of its first day of force",
        ),
        (
            f"{LAW}@multivigente",
            "a source names the version by a word (multivigente) instead of its first day of force",
        ),
        (
            f"{LAW}@2001-03-06,2003-01-01;alteracao;2003-01-01",
            "a source names a version but does not state its first day of force",
        ),
        (
            "urn:lex:it:stato:legge:2001-03-05;4@2005-01-01",
            "a source names a version but does not state its first day of force nor since when it was known",
        ),
    ],
)
def test_version_without_a_start_of_force_is_unknown(name: str, expected: str, record: Make, store_of: StoreOf) -> None:
    answer = in_force(store_of(record(name)), name.partition("@")[0], "2005-01-01", HORIZON)
    assert answer.status.value == "unknown"
    assert [(notice.code, message(notice)) for notice in answer.notices] == [("undated", expected)]
    assert len(answer.because) == 1


# Sources, copies, JSON


def test_answer_lists_copies_and_texts_of_the_version(record: Make, store_of: StoreOf) -> None:
    items = [
        Item("https://um.example/a", "text/html", ItemKind.CONTENT, "1"),
        Item(None, None, ItemKind.PHYSICAL_OBJECT),
    ]
    store = store_of(
        record(FIRST, key="a", items=items),
        record(f"{FIRST}~texto;en", key="b", items=[Item("https://um.example/b", "application/pdf")]),
        record(LAW, key="c", items=[Item("https://um.example/of-some-version")]),
    )
    answer = in_force(store, LAW, "2002-01-01", HORIZON)
    assert [(e.name.removeprefix(FIRST), e.language, e.form) for e in answer.expressions] == [
        ("~texto;en", "en", "texto"),
        ("~texto;pt-br", "pt-br", "texto"),
    ]
    assert [(i.url, i.format, i.kind, i.publisher) for i in answer.items] == [
        (None, None, "objeto.fisico", None),
        ("https://um.example/a", "text/html", "conteudo", "1"),
        ("https://um.example/b", "application/pdf", None, None),
    ]
    assert len(answer.sources) == 2, "the records that name the version"
    gap = in_force(store, LAW, "2001-03-05", HORIZON)
    assert (gap.expressions, gap.items, len(gap.sources)) == ((), (), 3)


def test_reason_names_its_source_record(record: Make, store_of: StoreOf) -> None:
    first, revoking = record(FIRST), record(f"{OTHER}@2006-07-01;publicacao;2006-05-09", ("revoga", LAW))
    store = store_of(first, revoking)
    assert in_force(store, LAW, "2006-07-01", HORIZON).because == (
        Reason("revogacao", "2006-07-01", "2006-05-09", OTHER, revoking.source.iri),
    )
    assert [r.source for r in in_force(store, LAW, "2006-06-30", HORIZON).because] == [
        first.source.iri,
        revoking.source.iri,
    ]


def test_overlapping_periods_are_reported_as_damage(record: Make, store_of: StoreOf) -> None:
    store = store_of(record(FIRST))
    (packed,) = (packed for graph, packed in store.summaries(LAW) if graph == DERIVED_GRAPH)
    rows = json.loads(packed)["r"]
    store.names.put({}, {LAW: json.dumps({"r": [*rows, *rows]})})
    with pytest.raises(StoreDamaged) as refused:
        in_force(store, LAW, "2002-01-01", HORIZON)
    assert str(refused.value) == f"two derived periods of {LAW} overlap; `vigente rebuild` derives them anew"
    store.rebuild()
    assert asked(store, "2002-01-01") == IN_FORCE
