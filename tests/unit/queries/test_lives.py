"""Tests of lives of norms, from their sources to the answers. The table is tests/data/lives.toml."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graph.quarantine import Quarantine
from graph.store import Store, in_memory
from graph.time.kinds import Axis
from graph.urn import parse
from loaders.pipeline import load
from queries.in_force import in_force
from queries.notices import ArticlesMissing, ProvisionUnknown
from queries.text.absent import located
from queries.text.changes import states_on, texts_over_force, texts_over_knowledge, versions_over_time
from queries.text.composition import suspended_within
from queries.text.text import text

TABLE = tomllib.loads((Path(__file__).parents[2] / "data" / "lives.toml").read_text("utf-8"))
#: The letter of a norm, at the beginning of a name.
_LETTER = re.compile(rf"\b({'|'.join(TABLE['norms'])})(?=[\s,!@]|$)")
_HEADER = ("norm", "event", "effect", "known", "cause", "text", "wording", "curator")


def full(written: str) -> str:
    """Return a text of the table with names in place of their letters, without white space around it."""
    return _LETTER.sub(lambda found: str(TABLE["norms"][found[1]]), written).strip()


def document(version: str, provisions: str) -> str:
    """Return a whole text as LexML XML; each line has the identifier of a caput and its words."""
    articles = "".join(
        f'<Artigo id="{part.partition("_")[0]}"><Caput id="{part}"><p>{words}</p></Caput></Artigo>'
        for part, words in (line.split(maxsplit=1) for line in provisions.strip().splitlines())
    )
    return (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{version}"/></Metadado>'
        f"<Norma><Articulacao>{articles}</Articulacao></Norma></LexML>"
    )


def loaded(life: dict[str, Any], folder: Path) -> Store:
    files = {
        f"{number}.xml": document(full(version), life["texts"][version])
        for number, version in enumerate(life.get("texts", ()))
    }
    if "names" in life:
        files["names.txt"] = full(life["names"])
    if "facts" in life:
        given = csv.reader(full(life["facts"]).splitlines())
        with io.StringIO(newline="") as table:
            csv.writer(table).writerows(
                (_HEADER, *((*row, *[""] * (len(_HEADER) - len(row) - 1), "Teste") for row in given))
            )
            files["facts.csv"] = table.getvalue()
    for file, content in files.items():
        (folder / file).write_text(content, "utf-8")
    store = in_memory()
    summary = load([folder / file for file in files], store, Quarantine(folder / "quarantine"))
    assert summary.refused.total() == 0, summary.refusals
    return store


def status(store: Store, name: str, on: str, known: str, axis: Axis = Axis.FORCE) -> str:
    """Return a status, or the version in force as LexML writes it."""
    answer = in_force(store, name, on, known, axis)
    return "@" + answer.version.name.partition("@")[2].partition("!")[0] if answer.version else answer.status.value


def efficacy(store: Store, name: str, on: str, known: str) -> str:
    """Return the status on the axis of efficacy."""
    return status(store, name, on, known, Axis.EFFICACY)


def days(store: Store, name: str, on: str, known: str) -> str:
    """Return the status of force with its first day and the first day after it; ``-`` if there is none."""
    force = in_force(store, name, on, known).force
    return " ".join((force.status.value, *(str(day or "-") for day in (force.since, force.until))))


def words(store: Store, name: str, on: str, known: str) -> str:
    """Return the provisions of a text, each with its words; ``?`` if they are not known."""
    parts = text(store, name, on, known).provisions
    shown = ((part.name.partition("!")[2], "?" if part.undecided else part.text) for part in parts)
    return " / ".join(f"{fragment} {said}" for fragment, said in shown if said)


def starts(store: Store, name: str, _: str, known: str) -> str:
    """Return the first days of force with one text each, as known on K."""
    return " ".join(str(row.start) for row in texts_over_force(store, parse(name), date.fromisoformat(known)))


def views(store: Store, name: str, on: str, today: str) -> str:
    """Return the first days of knowledge with one text each, on D, up to a day."""
    rows = texts_over_knowledge(store, parse(name), date.fromisoformat(on), date.fromisoformat(today))
    return " ".join(str(row.start) for row in rows)


def states(store: Store, name: str, on: str, known: str) -> str:
    """Return the state of each part: the version without its norm, ``?`` if it is unknown, ``-`` if there is none."""
    found = states_on(store, parse(name), date.fromisoformat(on), date.fromisoformat(known))
    return " ".join(state.partition("@")[2] or state or "-" for state in found)


def versions(store: Store, name: str, _: str, known: str) -> str:
    """Return the first days of the versions of a provision, as known on K; a day on which it ends has ``-``."""
    own = versions_over_time(store, parse(name).work, date.fromisoformat(known)).get(name, ())
    return " ".join(day if version else f"{day}-" for day, version in own)


def suspended(store: Store, name: str, on: str, known: str) -> str:
    """Return the provisions without effect while their norm has effect."""
    found = suspended_within(store, parse(name), date.fromisoformat(on), date.fromisoformat(known))
    return " ".join(sorted(provision.partition("!")[2] for provision in found))


def places(store: Store, name: str, on: str, known: str) -> str:
    """Return the status of a provision; of one that no source has, also the nearest provision."""
    answer = located(store, in_force(store, name, on, known))
    near = (notice.nearest for notice in answer.notices if isinstance(notice, ProvisionUnknown))
    return " ".join((answer.status.value, *((nearest or "-").rpartition("!")[2] for nearest in near)))


def gaps(store: Store, name: str, on: str, known: str) -> str:
    """Return the gaps of a text, each as its first and its last article."""
    notices = text(store, name, on, known).notices
    found = (gap for notice in notices if isinstance(notice, ArticlesMissing) for gap in notice.gaps)
    return " ".join(f"{gap.first}-{gap.last}" for gap in found)


#: What a life is asked, by the key of its rows; each row has a name, D, K and the answer.
ASKED: dict[str, Callable[[Store, str, str, str], str]] = {
    ask.__name__: ask
    for ask in (status, efficacy, days, words, starts, views, states, versions, suspended, places, gaps)
}


@pytest.mark.parametrize("life", TABLE["lives"], ids=lambda life: life["case"])
def test_life_has_the_answers_of_the_table(life: dict[str, Any], tmp_path: Path) -> None:
    store = loaded(life, tmp_path)
    for key in ASKED.keys() & life.keys():
        rows = [(*row.split(maxsplit=3), "")[:4] for row in full(life[key]).splitlines()]
        assert rows
        assert [(name, on, known, ASKED[key](store, name, on, known)) for name, on, known, _ in rows] == rows
