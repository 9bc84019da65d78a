"""Tests that the verbs of pages have the tense of the day asked about: past, present, future, or foreseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from graph.civil import today
from graph.entities import Event, Record
from graph.store import open_for_writing
from service.web.settings import Settings
from tests.support.pages import page, status_words
from tests.support.web import serving

LAW = "urn:lex:br:federal:lei:2001-03-05;"
DOUBTED, COMING, STOPPED, ENDED, BEGUN, KILLED = (f"{LAW}{number}" for number in range(99961, 99967))
CAUSE = "urn:lex:br:federal:lei:2002-11-30;99908"
NOW = today().isoformat()


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, record: Callable[..., Record], event: Callable[..., Event]
) -> Iterator[httpx.Client]:
    """Return a client of a service over laws with doubtful, past or future events."""
    store = tmp_path_factory.mktemp("tenses") / "store"
    first, ahead = "@2001-03-06;publicacao;2001-03-06", "@2990-01-01;publicacao;2001-03-06"
    records = [
        record(f"{DOUBTED}{first}", events=[event("revogacao", DOUBTED, None, "2005-03-01", CAUSE)]),
        record(f"{COMING}{ahead}"),
        record(f"{STOPPED}{ahead}", events=[event("revogacao", STOPPED, "2980-01-01", "2005-03-01", CAUSE)]),
        record(f"{ENDED}{first}", events=[event("revogacao", ENDED, "2010-01-01", "2005-03-01", CAUSE)]),
        record(f"{BEGUN}@2003-01-01;publicacao;2001-03-06"),
        record(
            f"{KILLED}@2003-01-01;publicacao;2001-03-06",
            events=[event("revogacao", KILLED, "2002-12-01", "2002-01-01", CAUSE)],
        ),
    ]
    with open_for_writing(store, create=True) as opened:
        opened.apply(records)
    with serving(Settings(store)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("day", "portuguese", "english", "none"),
    [
        (
            "2010-01-01",
            "estava em vigor.",
            "it was in force.",
            "As fontes não permitem determinar o texto em vigor nessa data.",
        ),
        (NOW, "está em vigor.", "it is in force.", "As fontes não permitem determinar o texto em vigor hoje."),
        (
            "2980-01-01",
            "estará em vigor.",
            "it will be in force.",
            "As fontes não permitem determinar o texto em vigor nessa data.",
        ),
    ],
)
def test_unknown_status_is_stated(site: httpx.Client, day: str, portuguese: str, english: str, none: str) -> None:
    norm_page = page(site, f"/{DOUBTED}?on={day}")
    assert status_words(norm_page) == f"Situação não informada pelas fontes: não é possível dizer se {portuguese}"
    assert none in norm_page.text
    assert status_words(page(site, f"/{DOUBTED}?on={day}", "en")).endswith(english)


def test_future_start_of_force_is_stated(site: httpx.Client) -> None:
    """Check the tense by the day of entry into force; as known earlier, the entry into force was only foreseen."""
    assert status_words(page(site, f"/{COMING}?on={NOW}")).endswith("em vacatio legis; entrará em vigor em 01/01/2990.")
    assert status_words(page(site, f"/{COMING}?on=2002-01-01", "en")).endswith(
        "; it will come into force on 1 January 2990."
    )
    assert status_words(page(site, f"/{BEGUN}?on=2002-01-01")).endswith(
        "em vacatio legis; entrou em vigor em 01/01/2003."
    )
    foreseen = status_words(page(site, f"/{BEGUN}?on=2002-01-01&as_known=2002-01-01"))
    assert foreseen.endswith("em vacatio legis; entraria em vigor em 01/01/2003.")


def test_norm_that_never_enters_into_force_is_stated(site: httpx.Client) -> None:
    assert status_words(page(site, f"/{STOPPED}?on={NOW}")).endswith(
        "não chegará a vigorar: revogada a partir de 01/01/2980."
    )
    gone = f"/{KILLED}?on=2002-06-01"
    assert status_words(page(site, gone)).endswith("não chegou a vigorar: revogada a partir de 01/12/2002.")
    english = status_words(page(site, f"{gone}&as_known=2002-06-01", "en"))
    assert english.endswith("; it was never to come into force: revoked from 1 December 2002 on.")


@pytest.mark.parametrize(
    ("day", "none"),
    [
        ("2011-01-01", "Não havia texto em vigor nessa data."),
        (NOW, "Não há texto em vigor hoje."),
        ("2980-01-01", "Não haverá texto em vigor nessa data."),
    ],
)
def test_missing_text_is_stated(site: httpx.Client, day: str, none: str) -> None:
    assert none in page(site, f"/{ENDED}?on={day}").text
    results = page(site, f"/search?q=Lei 99.964/2001&on={day}").text
    core = none.partition("Não ")[2].partition("vigor")[0]
    assert f"não {core}vigor; a página diz por quê e indica outras datas." in results
