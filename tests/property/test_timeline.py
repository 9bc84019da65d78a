"""Tests that ``timeline`` and ``in_force`` agree on both sides of each boundary of D and K, on both axes.

They agree on the status, the version, and the days on which it applies and is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graph.civil import ONE_DAY, today
from graph.entities import Record
from graph.errors import UnknownName
from graph.store import Store
from graph.store import open as open_store
from graph.store.caching import CachingStore
from graph.time.kinds import Axis
from graph.urn import Name, from_iri, parse
from queries.answers import Period, VersionAnswer
from queries.evidence import versions
from queries.in_force import in_force
from queries.status import periods_of
from queries.text.changes import texts_over_force
from queries.timeline import timeline
from tests.property.test_documents import Drawn, annulled_as_it_begins, ended_as_it_begins, lives, loaded
from tests.property.test_lifecycles import Stated, recorded, stories
from tests.support.law_parts import article, fact_records, part, words, xml_records
from tests.support.records import record, store_of

pytestmark = pytest.mark.slow


WINDOW = [date(2001, 3, 6) + timedelta(n) for n in range(7)]
LAW = "urn:lex:br:federal:lei:2001-03-05;99970"
EVENTS = ("publicacao", "alteracao", "retificacao", "assinatura", "republicacao")
CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: An article that no amendment of its law touches.
UNCHANGED = "urn:lex:br:federal:lei:2001-03-05;99916!art3"
#: Statuses where nothing is known; ``unknown`` counts where no period is known.
NOTHING = {"not-published", "unknown-name", "unknown"}


def names_of(store: Store) -> list[Name]:
    names = dict.fromkeys(parse(from_iri(iri)) for iri, _, _ in store.names)
    return [name for name in names if name in {name.provision, name.work}]


def both_sides(days: Iterable[date | None]) -> list[date]:
    known_days = {day for day in days if day is not None}
    return sorted(
        {*known_days, *(day - ONE_DAY for day in known_days if day > date.min), *(day + ONE_DAY for day in known_days)}
    )


def days_of(store: Store, name: Name) -> tuple[list[date], list[date]]:
    """Return days of force and of knowledge on both sides of each boundary of a name, its norm and their versions."""
    periods = [*periods_of(store, name), *periods_of(store, name.work)]
    views = [*versions(store, name.iri), *versions(store, name.work.iri)]
    force = {day for p in periods for day in (p.valid_from, p.valid_until)} | {v.version_date for v in views}
    known = {day for p in periods for day in (p.known_from, p.known_until)} | {v.view_date for v in views}
    return both_sides({*force, name.oldest_day}), [
        day for day in both_sides({*known, name.oldest_day}) if day <= today()
    ]


def disagreements(store: Store, names: Iterable[Name]) -> Iterator[object]:
    """Yield every (name, axis, D, K) for which a timeline differs from the answer of that day."""
    for name in names:
        try:
            periods = timeline(store, name).periods
        except UnknownName:
            continue
        force, known = days_of(store, name)
        for axis in Axis:
            axis_periods = [period for period in periods if period.axis is axis]
            nothing = NOTHING - {"unknown"} if axis_periods else NOTHING
            for on in force:
                for as_known in known:
                    answer = in_force(store, name, on, as_known, axis)
                    version = answer.version
                    asked = (answer.status.value, *_row(version.name if version is not None else None, version))
                    held = [period for period in axis_periods if period.holds(on, as_known)]
                    given = [(period.status.value, *_row(period.version, period)) for period in held]
                    if given != [asked] and not (not given and answer.status.value in nothing):
                        yield name.canonical, axis.value, str(on), str(as_known), given, asked


def _row(version: str | None, days: VersionAnswer | Period | None) -> tuple[object, ...]:
    if version is None or days is None:
        return (None,)
    return version, days.valid_from, days.valid_until, days.known_from, days.known_until


@pytest.fixture(scope="module")
def sampled(sample_store: Path) -> Iterator[Store]:
    with open_store(sample_store) as opened:
        yield CachingStore(opened)


def test_timelines_of_the_samples_agree_with_each_day(sampled: Store) -> None:
    names = sorted(names_of(sampled), key=str)
    inserted = parse(f"{CODE}!art57_par1u")
    assert inserted in names
    assert list(disagreements(sampled, names)) == []


def test_unamended_provision_applies_from_its_first_day(sampled: Store) -> None:
    """Check that the amendment and the rectification of another article end no row."""
    for on, known in (("2001-06-01", "2001-03-06"), ("2002-05-02", "2002-04-22"), ("2010-01-01", "2010-01-01")):
        version = in_force(sampled, UNCHANGED, on, known).version
        assert version is not None
        days = (version.valid_from, version.valid_until, version.known_from, version.known_until)
        assert days == (date(2001, 6, 1), None, date(2001, 3, 6), None)
    rows = [row for row in timeline(sampled, UNCHANGED).periods if row.axis is Axis.FORCE]
    assert [row.status.value for row in rows] == ["vacatio", "in-force"]
    mementos = texts_over_force(sampled, parse(UNCHANGED), today())
    assert [str(memento.start) for memento in mementos] == ["2001-03-06", "2001-06-01"]


@example(annulled_as_it_begins())
@example(ended_as_it_begins())
@pytest.mark.slow
@settings(max_examples=40)
@given(lives())
def test_timelines_of_random_documents_agree_with_each_day(drawn: Drawn) -> None:
    store = CachingStore(loaded(drawn))
    assert list(disagreements(store, names_of(store))) == []


days = st.sampled_from(WINDOW)
#: Versions of a norm: start, event, view, and the articles (of three) in its whole text; None where no source has it.
whole_texts = st.lists(
    st.tuples(
        st.builds("{};{};{}".format, days, st.sampled_from(EVENTS), days),
        st.none() | st.sets(st.integers(1, 3), min_size=1),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda entry: entry[0],
)
#: Kind, effect, day of knowledge, and the part of the norm on which it acts.
facts = st.lists(
    st.tuples(
        st.sampled_from(["revogacao", "anulacao", "caducidade", "repristinacao"]),
        days,
        days,
        st.sampled_from(["", "!art1", "!art2_cpt"]),
    ),
    max_size=2,
)


def document(version: str, articles: Iterable[int]) -> bytes:
    """Return the whole text of a version, which rewords each of its articles."""
    inner = "".join(article(n, part("Caput", f"art{n}_cpt", words(f"{n}: {version}."))) for n in sorted(articles))
    return (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}@{version}"/></Metadado>'
        f"<Norma><Articulacao>{inner}</Articulacao></Norma></LexML>"
    ).encode()


def whole_records(texts: list[tuple[str, set[int] | None]], stated: list[tuple[str, date, date, str]]) -> list[Record]:
    """Return the records of such versions and facts."""
    records: list[Record] = []
    for version, articles in texts:
        bare = articles is None
        records += [record(f"{LAW}@{version}")] if bare else xml_records(document(version, articles or ()))
    for kind, effect, known, where in stated:
        days = f"effect = {effect}\nknown = {known}"
        records += fact_records(f'[[facts]]\nnorm = "{LAW}{where}"\nevent = "{kind}"\n{days}\ncurator = "A"\n')
    return records


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(stated=stories())
def test_timelines_of_random_records_agree_with_each_day(stated: list[Stated]) -> None:
    """Check records that state little and contradict each other."""
    made = (recorded(number, statement) for number, statement in enumerate(stated))
    store = CachingStore(store_of(*made))
    assert list(disagreements(store, names_of(store))) == []
