"""Tests of sources that share a norm: a text has each provision once, whatever the identifiers in the sources."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from itertools import chain
from pathlib import Path

import pytest

import samples
from graph.entities import Record
from graph.quarantine import Quarantine
from graph.store import WritableStore, in_memory
from graph.urn import parse
from loaders.documents import SourceDocument, walk
from loaders.pipeline import load
from loaders.sources.format import ReadOptions, SourceFormat
from loaders.sources.lexml_xml import LEXML_XML
from loaders.sources.normas import NORMAS
from loaders.sources.planalto import PLANALTO
from loaders.sources.senado import SENADO
from queries.in_force import in_force
from queries.text.changes import texts_over_force
from queries.text.text import text
from queries.timeline import timeline
from tests.support.cases import tuples

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
BUNDLED = Path(samples.__file__).parent
LGPD = "urn:lex:br:federal:lei:2018-08-14;13709"
INC_2 = f"{LGPD}!art65_cpt_inc2"
TODAY = date(2026, 1, 1)
#: The folders with texts of norms, each with its format.
FOLDERS: tuple[tuple[Path, SourceFormat], ...] = (
    (SHARED / "planalto", PLANALTO),
    (SHARED / "normas", NORMAS),
    (SHARED / "senado", SENADO),
    (BUNDLED / "lexml_xml", LEXML_XML),
)


def sources_by_norm() -> dict[str, list[Path]]:
    """Return the files with texts or facts of each norm."""
    files_by_norm: dict[str, list[Path]] = {}
    for folder, form in FOLDERS:
        documents = (
            (outcome for outcome in walk([folder]) if isinstance(outcome, SourceDocument)) if folder.is_dir() else ()
        )
        for document in documents:
            records = [outcome for outcome in form.read(document, ReadOptions()) if isinstance(outcome, Record)]
            names = {record.document.name.work.canonical for record in records if record.document is not None}
            for name in names:
                files_by_norm.setdefault(name, []).append(next(folder.rglob(Path(document.label).name)))
    return files_by_norm


def doubled(store: WritableStore, norm: str, on: date) -> list[str]:
    """Return the provisions that a text has twice: by identifier, or by label and words in one container."""
    provisions = text(store, norm, on, TODAY).provisions
    places = Counter(provision_text.name.partition("!")[2].partition(",")[0] for provision_text in provisions)
    worded: Counter[tuple[str, str, str]] = Counter()
    for provision in provisions:
        words = " ".join((provision.text or "").split()).casefold()
        label = re.sub(r"[^0-9A-Za-z]+", "", provision.label or "")
        if words:
            container = provision.name.partition("!")[2].partition(",")[0].rpartition("_")[0]
            worded[container, label, words] += 1
    return [str(key) for key, count in chain(places.items(), worded.items()) if count > 1]


@pytest.mark.slow
def test_norm_with_two_sources_has_no_duplicated_provision(tmp_path: Path) -> None:
    shared = {norm: paths for norm, paths in sources_by_norm().items() if len(paths) > 1}
    if not shared:
        pytest.skip("the sources that share a norm are not shipped")
    facts = BUNDLED / "facts" / "vidas-reais.toml"
    for index, (norm, paths) in enumerate(shared.items()):
        store = in_memory()
        load([*paths, facts], store, Quarantine(tmp_path / f"q{index}"))
        days = [interval.start for interval in texts_over_force(store, parse(norm), TODAY)]
        assert days
        assert {day: duplicates for day in days if (duplicates := doubled(store, norm, day))} == {}


@pytest.fixture(scope="module")
def lgpd(tmp_path_factory: pytest.TempPathFactory) -> WritableStore:
    paths = [SHARED / "planalto" / "L13709.html", SHARED / "normas" / "lgpd-excerpt.json"]
    if not all(path.is_file() for path in paths):
        pytest.skip("the sources of the LGPD are not shipped")
    store = in_memory()
    load([*paths, BUNDLED / "facts" / "vidas-reais.toml"], store, Quarantine(tmp_path_factory.mktemp("q")))
    return store


@pytest.mark.slow
@pytest.mark.parametrize(("on", "inserter", "words"), tuples("one_provision_once", "lgpd_item_two_appears_once"))
def test_lgpd_item_two_appears_once(lgpd: WritableStore, on: str, inserter: str | None, words: str | None) -> None:
    texts = [provision for provision in text(lgpd, LGPD, on, TODAY).provisions if provision.name.startswith(INC_2)]
    assert [provision_text.name for provision_text in texts] == (
        [f"{INC_2},{inserter}"] if inserter is not None else []
    )
    assert [words in (provision_text.text or "") for provision_text in texts if words is not None] == [True] * len(
        texts
    )


def test_undated_identifier_resolves_to_the_dated_provision(lgpd: WritableStore) -> None:
    answer = in_force(lgpd, INC_2, "2021-01-01", TODAY)
    assert answer.version is not None
    assert answer.version.name.endswith(f"{INC_2.partition('!')[2]},lei-13853-2019-07-08")
    periods = [
        period
        for period in timeline(lgpd, INC_2).periods
        if period.version is not None and period.axis.value == "force"
    ]
    assert {period.version for period in periods if period.version is not None and "," not in period.version} == set()


def test_closing_formula_appears_once(lgpd: WritableStore) -> None:
    names = [provision.name.partition("!")[2] for provision in text(lgpd, LGPD, "2021-01-01", TODAY).provisions]
    assert [name for name in names if "fecho" in name] == ["localdatafecho"]


@pytest.mark.slow
def test_provisions_of_two_sources_are_ordered_by_label(lgpd: WritableStore) -> None:
    """Check that the positions in the documents do not matter."""
    names = [provision.name.partition("!")[2] for provision in text(lgpd, LGPD, "2021-01-01", TODAY).provisions]
    for prefix in ("art", "cap"):
        tops = [match for name in names if (match := re.fullmatch(rf"{prefix}([0-9]+(?:-[0-9]+)*)", name))]
        numbers = [[int(part) for part in top[1].split("-")] for top in tops]
        assert len(numbers) > 5
        assert numbers == sorted(numbers)
