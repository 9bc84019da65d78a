"""Tests of endings and restorations of norms and articles: revoked, annulled, expired, restored."""

from __future__ import annotations

from collections.abc import Iterable

from queries.text.answers import Difference
from queries.text.diff import diff
from tests.unit.queries.test_rules_of_provisions import LAW, fact, law, part

BODY = "".join(
    part("Artigo", f"art{n}", f"<Rotulo>Art. {n}º</Rotulo>" + part("Caput", f"art{n}_cpt", f"<p>Palavra {n}.</p>"))
    for n in (1, 2)
)


def ended(event: str, day: str) -> str:
    """Return a fact on the norm itself."""
    return fact(event, day, "").replace(f"{LAW}!", LAW)


def changes_of(difference: Difference) -> dict[str, tuple[str, list[tuple[str | None, str | None]]]]:
    return {
        change.provision.rpartition("!")[2]: (change.kind.value, [(by.event, by.effect) for by in change.because])
        for change in difference.changes
    }


def same_for_both_parts(kind: str, *because: tuple[str, str], of: Iterable[int] = (2,)) -> dict[str, object]:
    return {fragment: (kind, list(because)) for n in of for fragment in (f"art{n}", f"art{n}_cpt")}


def test_article_is_restored_with_its_norm() -> None:
    store = law("", BODY, fact("revogacao", "2010-01-01", "art2"), fact("repristinacao", "2018-01-01", "art2"))
    expected = same_for_both_parts("restored", ("repristinacao", "2018-01-01"))
    assert changes_of(diff(store, LAW, "2012-01-01", "2026-01-01")) == expected
    assert changes_of(diff(store, f"{LAW}!art2", "2012-01-01", "2026-01-01")) == expected, (
        "not inserted by the first text"
    )


def test_restored_norm_is_not_reported_as_inserted() -> None:
    store = law("", BODY, ended("revogacao", "2010-01-01"), ended("repristinacao", "2018-01-01"))
    assert changes_of(diff(store, LAW, "2012-01-01", "2026-01-01")) == same_for_both_parts(
        "restored", ("repristinacao", "2018-01-01"), of=(1, 2)
    )
    assert {kind for kind, _ in changes_of(diff(store, LAW, "2001-04-01", "2026-01-01")).values()} == {"begun"}


def test_annulled_or_expired_provision_is_not_reported_as_revoked() -> None:
    for event, kind in (("anulacao", "annulled"), ("caducidade", "expired"), ("revogacao", "revoked")):
        article = law("", BODY, fact(event, "2015-01-01", "art2"))
        for name in (LAW, f"{LAW}!art2"):
            assert changes_of(diff(article, name, "2012-01-01", "2026-01-01")) == same_for_both_parts(
                kind, (event, "2015-01-01")
            ), name
        norm = changes_of(diff(law("", BODY, ended(event, "2015-01-01")), LAW, "2012-01-01", "2026-01-01"))
        assert {fragment: change_kind for fragment, (change_kind, _) in norm.items()} == dict.fromkeys(
            ("art1", "art1_cpt", "art2", "art2_cpt"), kind
        )


def test_provision_revoked_before_annulment_is_reported_as_revoked() -> None:
    store = law("", BODY, fact("revogacao", "2010-01-01", "art2"), fact("anulacao", "2015-01-01", "art2"))
    assert {kind for kind, _ in changes_of(diff(store, LAW, "2005-01-01", "2026-01-01")).values()} == {"revoked"}
