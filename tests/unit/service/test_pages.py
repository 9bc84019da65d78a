"""Tests of HTML pages over HTTP: the sentences for each status, in both languages, and the targets of forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from graph.civil import today
from graph.entities import Event, Record
from graph.store import open_for_writing
from graph.vocabulary import built_in
from queries.reasons import Reason
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.sentences import Sentences
from service.web.settings import Settings
from tests.support.pages import BROWSER, HEAVIEST, Page, page
from tests.support.web import serving, serving_sample
from tests.support.web_names import AHEAD, CODE, ENDED, FOREIGN, GONE, SUSPENDED, TEXT, TWINS, UNDATED

LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"
PAGES = Path(__file__).resolve().parents[3] / "service" / "web" / "pages"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client of a service over the bundled sample."""
    with serving_sample(tmp_path_factory.mktemp("pages") / "store") as client:
        yield client


def _status_boxes(page: Page) -> list[str]:
    """Return status and sentence in each box of a page."""
    boxes = page.elements("//section[contains(@class, 'standing')]/div[contains(@class, 'status')]")
    kinds = [str(box.get("class")).split()[1] for box in boxes]
    sentences = page.all("//section[contains(@class, 'standing')]/div/p/strong")
    return [f"{kind}: {sentence}" for kind, sentence in zip(kinds, sentences, strict=True)]


# Sentences for a status


@pytest.mark.parametrize(
    ("path", "status", "portuguese", "english"),
    [
        (
            f"/{CODE}",
            200,
            ["in-force: Em vigor desde 11/03/1991; texto de 08/09/1993; retificado em 10/01/2007."],
            ["in-force: In force since 11 March 1991; text of 8 September 1993; rectified on 10 January 2007."],
        ),
        (
            f"/{CODE}?on=1993-06-15&as_known=2007-01-09",
            200,
            ["in-force: Em vigor desde 11/03/1991; texto de 22/05/1993."],
            None,
        ),
        (
            f"/{CODE}?on=1991-03-10",
            200,
            ["vacatio: Publicada, em vacatio legis; entrou em vigor em 11/03/1991."],
            ["vacatio: Published, not yet in force (vacatio legis); it came into force on 11 March 1991."],
        ),
        (f"/{CODE}?on=1980-01-01", 200, ["not-published: Não publicada: nessa data ainda não existia"], None),
        (
            f"/{TEXT}!art2?on=2002-05-02",
            200,
            ["revoked: Revogado pela Lei nº 99.917, de 2002, a partir de 02/05/2002."],
            ["revoked: Revoked by Law No. 99,917 of 2002, from 2 May 2002 on."],
        ),
        (
            f"/{ENDED}",
            200,
            ["expired: Vigência encerrada desde 01/01/2002."],
            ["expired: Expired since 1 January 2002."],
        ),
        (f"/{ENDED}?on=2002-01-01", 200, ["expired: Vigência encerrada desde 01/01/2002."], None),
        (
            f"/{AHEAD}",
            200,
            ["vacatio: Publicada, em vacatio legis; entrará em vigor em 01/01/2990."],
            None,
        ),
        (
            f"/{UNDATED}",
            200,
            ["unknown: Situação não informada pelas fontes: não é possível dizer"],
            ["unknown: Unknown: the sources do not"],
        ),
        (
            f"/{SUSPENDED}?eficaz_em=2002-06-01",
            200,
            ["suspended: Em vigor, com a eficácia suspensa desde 01/01/2002 até 31/12/2002."],
            ["suspended: In force, with its effect suspended since 1 January 2002 until 31 December 2002."],
        ),
    ],
)
def test_status_is_stated_in_words(
    web: httpx.Client, path: str, status: int, portuguese: list[str], english: list[str] | None
) -> None:
    for language, expected in (("pt-BR", portuguese), ("en", english)):
        if expected is None:
            continue
        norm_page = page(web, path, language)
        assert norm_page.response.status_code == status
        stated = _status_boxes(norm_page)
        assert [line for line in expected if not any(statement.startswith(line) for statement in stated)] == [], stated


def test_annulled_norm_has_its_status(sample: httpx.Client) -> None:
    norm_page = page(sample, "/urn:lex:br:federal:lei:2007-05-07;99914?on=2010-01-01")
    assert norm_page.response.status_code == 200
    assert any(line.startswith("unknown: Situação não informada") for line in _status_boxes(norm_page)), (
        "the judgment says no day"
    )
    assert "Declaração de inconstitucionalidade" in norm_page.text


def test_revoked_norm_states_its_date_and_cause(sample: httpx.Client) -> None:
    path = "/urn:lex:br:federal:lei:2001-03-05;99907?on=2010-01-01"
    norm_page = page(sample, path)
    assert norm_page.response.status_code == 200
    program = sample.get(path, headers={"accept": "application/json"})
    assert (program.status_code, program.json()["code"]) == (404, "not-in-force")
    assert _status_boxes(norm_page) == [
        "revoked: Revogada pela Lei nº 99.908, de 2006, a partir de 01/07/2006.",
        "revoked: A mesma situação.",
    ]
    reasons = norm_page.all("//section[contains(@class, 'standing')]//li")
    assert any(
        "Revogação (Lei" in reason and "99.908" in reason and "a partir de 01/07/2006" in reason for reason in reasons
    )


def test_coverage_of_the_sources_is_always_shown(sample: httpx.Client) -> None:
    norm_page = page(sample, f"/{CODE}")
    horizon = norm_page.one("//p[contains(@class, 'horizon')]").text_content()
    assert "atualizados, por fonte: exemplo.vigente.invalid, até 15/12/2008." in horizon
    assert "não consta aqui" in horizon
    standing_text = norm_page.one("//section[@class='standing']").text_content()
    assert standing_text.count("não consta aqui") == 1, "once, and not among the notices again"
    assert "O registro mais novo" not in standing_text


def test_event_known_by_year_has_no_day() -> None:
    """Check that no day is given for an event of which only the year is known."""
    sentences = Sentences(Frame(Language.PORTUGUESE, False, "/", (), "http://x"), built_in(), lambda _: False)
    reported = {
        "1998": "em algum dia de 1998",
        "1998-05-01": "a partir de 01/05/1998",
        "1998-05-01/..": "em data não informada, não antes de 01/05/1998",
        "1998-05-01/1998-06-30": "em algum dia entre 01/05/1998 e 30/06/1998",
        None: "em data não informada pelas fontes",
    }
    for stated, expected in reported.items():
        assert sentences.when(stated).striptags() == expected
    reason = sentences.reason(Reason("revogacao", "1998", None, None, "urn:x")).text
    assert "Revogação: efeitos em algum dia de 1998; publicação em data não informada pelas fontes." in str(reason)


def test_uncertain_dates_are_stated_in_words(
    tmp_path: Path, record: Callable[..., Record], event: Callable[..., Event]
) -> None:
    """Check two providers with different dates of one publication, and a revocation of which only the year is known."""
    torn, doubtful = "urn:lex:br:federal:lei:2001-03-05;99907", "urn:lex:br:federal:lei:1990-01-02;99908"
    reported = [
        record(f"{torn}@2001-03-06;publicacao;2001-03-06", key="um", provider="https://um.example/oai"),
        record(f"{torn}@2001-06-04;publicacao;2001-03-06", key="dois", provider="https://dois.example/oai"),
        record(
            f"{doubtful}@1990-01-03;publicacao;1990-01-03",
            events=[event("revogacao", doubtful, "1998", "1998-02-01")],
        ),
    ]
    with open_for_writing(tmp_path / "store", create=True) as store:
        store.apply(reported)
    with serving(Settings(tmp_path / "store")) as address, httpx.Client(base_url=address, timeout=20) as client:
        contradicted = page(client, f"/{torn}?on=2005-01-01")
        reported = contradicted.one("//div[@class='notices']//li[contains(., 'As fontes divergem')]")
        for words in (
            "publicação original",
            "segundo um.example, texto de 06/03/2001",
            "segundo dois.example, texto de 04/06/2001",
        ):
            assert words in reported.text_content()
        assert _status_boxes(contradicted)[-1].startswith(
            "in-force: As fontes divergem: segundo dois.example, em vigor desde 04/06/2001; segundo "
            "um.example, em vigor desde 06/03/2001. Pelas regras deste serviço: em vigor desde "
        )
        for provider in ("um.example", "dois.example"):
            assert provider in contradicted.one("//p[contains(@class, 'horizon')]").text_content()
        open_year = page(client, f"/{doubtful}?on=1998-06-01")
        assert open_year.response.status_code == 200
        assert any(line.startswith("unknown: Situação não informada") for line in _status_boxes(open_year))
        assert "Revogação: efeitos em algum dia de 1998; publicação em 01/02/1998." in open_year.text
        assert "As fontes não informam a data exata de um ou mais eventos." in open_year.text, "no notice"
        assert "revoked: Revogada entre 01/01/1998 e 31/12/1998; as fontes não informam por qual ato." in _status_boxes(
            page(client, f"/{doubtful}?on=2000-01-01")
        )
        before = page(client, f"/{doubtful}?on=1998-06-01&as_known=1998-01-31")
        assert _status_boxes(before)[0].startswith("in-force: Em vigor desde 03/01/1990")


# Forms


def test_date_form_opens_the_text_of_the_date(web: httpx.Client) -> None:
    norm_page = page(web, f"/{CODE}").send("/urn:lex", on="1993-06-15")
    assert norm_page.path == f"/{CODE}@1993-05-22;retificacao;2007-01-10?on=1993-06-15"
    then = norm_page.send("/urn:lex", 1, on="1993-06-15", as_known="2007-01-09")
    assert then.path == f"/{CODE}@1993-05-22;alteracao;1993-05-22?on=1993-06-15&as_known=2007-01-09"
    assert "conforme o publicado até 09/01/2007" in then.text


def test_knowledge_date_is_kept_when_the_date_changes(web: httpx.Client) -> None:
    norm_page = page(web, f"/{CODE}?on=1993-06-15&as_known=2007-01-09").send("/urn:lex", on="1992-01-01")
    assert norm_page.path == f"/{CODE}@1991-03-11;publicacao;1990-09-12?on=1992-01-01&as_known=2007-01-09"


def test_history_links_to_each_text(web: httpx.Client) -> None:
    norm_page = page(web, f"/{CODE}")
    rows = norm_page.elements("//section[contains(@class, 'history')]//tbody/tr")
    assert len(rows) == 5
    hrefs = norm_page.all("//section[contains(@class, 'history')]//tbody//a/@href")
    for href in hrefs:
        assert page(web, href).response.status_code == 200
    assert [row.get("class") for row in rows] == [None, None, None, None, "current"]


def test_a_provision_has_its_own_history(web: httpx.Client) -> None:
    provision_page = page(web, f"/{TEXT}!art1?on=2002-07-02")
    assert provision_page.one("//h1").text_content().startswith("Art. 1º da Lei")
    assert _status_boxes(provision_page) == [
        "in-force: Em vigor desde 01/06/2001; texto de 02/05/2002; retificado em 01/07/2002.",
        "in-force: A mesma situação e o mesmo texto.",
    ]
    history = provision_page.one("//section[contains(@class, 'history')]").text_content()
    for words in ("mostra uma hora", "mostra duas horas", "A segunda hora"):
        assert words in history
    assert provision_page.one("//div[contains(@class, 'law')]").text_content().count("duas horas") == 1
    assert "uma hora" not in provision_page.one("//div[contains(@class, 'law')]").text_content()
    assert provision_page.follow("Lei fictícia nº 99.916").path.startswith(f"/{TEXT}@")


def test_provision_label_links_to_its_history(web: httpx.Client) -> None:
    norm_page = page(web, f"/{TEXT}?on=2002-07-02")
    labels = norm_page.all("//div[contains(@class, 'law')]//a[@class='label']")
    assert labels == ["Art. 1º", "Parágrafo único.", "Art. 2º", "Art. 3º"], "the second one is revoked"
    for label in labels:
        assert norm_page.follow(label).one("//h2[@id='history']") is not None
    assert len(norm_page.elements("//*[@id='art1_cpt']")) == 1


def test_text_is_compared_with_an_earlier_one(web: httpx.Client) -> None:
    """Check that the comparison runs forward, also where the day of the form is before that of the text."""
    diff_page = page(web, f"/{TEXT}?on=2002-07-02").send("/diff", to="2001-06-01")
    assert diff_page.response.status_code == 200
    assert "De 01/06/2001 a 02/07/2002" in diff_page.text
    assert diff_page.all("//input[@name='from' or @name='to']/@value") == ["01/06/2001", "02/07/2002"]
    forward = page(web, f"/diff/{TEXT}?from=2001-06-01&to=2002-07-02")
    changes = "//article[contains(@class, 'change')]"
    assert diff_page.all(changes) == forward.all(changes) != []


# Languages


@pytest.mark.parametrize(
    ("accept", "query", "language"),
    [
        ("", "", "pt-BR"),
        ("en-GB,en;q=0.9", "", "en"),
        ("fr;q=0.9,en;q=0.3", "", "en"),
        ("de", "", "pt-BR"),
        ("en;q=0.1, pt;q=0.9", "", "pt-BR"),
        ("en", "?lang=pt", "pt-BR"),
        ("pt-BR", "?lang=en", "en"),
    ],
)
def test_page_language_is_negotiated(web: httpx.Client, accept: str, query: str, language: str) -> None:
    norm_page = page(web, f"/{LAST}{query}", accept)
    assert norm_page.root.get("lang") == language
    assert norm_page.response.headers["content-language"] == language
    assert norm_page.response.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"


def test_chosen_language_is_kept_in_links_and_forms(web: httpx.Client) -> None:
    norm_page = page(web, f"/{LAST}?lang=en", "pt-BR")
    assert norm_page.send("/urn:lex", on="1993-06-15").root.get("lang") == "en"
    inner = [href for href in norm_page.all("//main//a/@href") if href.startswith("/urn:lex") and "format=" not in href]
    assert inner
    assert [href for href in inner if "lang=en" not in href] == []
    other = page(web, norm_page.all("//a[@class='language']/@href")[0], "en")
    assert (other.root.get("lang"), other.path.partition("?")[0]) == ("pt-BR", f"/{LAST}")


def test_unsupported_language_is_rejected(web: httpx.Client) -> None:
    refused = web.get(f"/{LAST}?lang=fr")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-parameter")


# Problems, choices, caches


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/no-such-page", 404, "Página não encontrada"),
        ("/urn:lex:br:federal:lei:2020-01-02;99999", 404, "Página não encontrada"),
        ("/urn:lex:br:federal:lei:2020-13-02;99999", 422, "Valor inválido"),
        (f"/{CODE}?onn=1", 400, "Requisição inválida"),
        (f"/{GONE}", 410, "As fontes retiraram os seus registros"),
        (f"/{LAST}?part=0", 422, "Valor inválido"),
        ("/assets/0/none.css", 404, "Página não encontrada"),
        (f"/diff/{CODE}?from=1993-13-01&to=1994-01-01", 422, "Valor inválido"),
        (f"/diff/{CODE}?from=1993-01-01&to=1994-01-01&as_known=2999-01-01", 404, "Página não encontrada"),
        ("/diff/urn:lex:br:federal:lei:2020-01-02;99999", 404, "Página não encontrada"),
        ("/diff/x", 404, "Página não encontrada"),
        ("/search?year=19x0", 422, "Valor inválido"),
        ("/search?q=a&palavras=b", 400, "Requisição inválida"),
    ],
)
def test_problem_is_html_for_browsers(web: httpx.Client, path: str, status: int, words: str) -> None:
    problem_page = page(web, path)
    assert (problem_page.response.status_code, problem_page.one("//h1").text_content()) == (status, words)
    assert problem_page.response.headers["cache-control"] == "no-store"
    plain = web.get(path)
    assert plain.headers["content-type"] == "application/problem+json"
    assert plain.status_code == status


def test_multiple_choices_are_a_page(web: httpx.Client) -> None:
    choices_page = page(web, "/urn:lex:br:federal:lei:1995;99931")
    assert choices_page.response.status_code == 300
    hrefs = choices_page.all("//ol[@class='found']//a/@href")
    assert hrefs == [f"/{twin}" for twin in reversed(TWINS)] or hrefs == [f"/{twin}" for twin in TWINS]
    assert page(web, hrefs[0]).response.status_code == 200


def test_matching_etag_returns_304(web: httpx.Client) -> None:
    first = page(web, f"/{LAST}").response
    again = web.get(
        f"/{LAST}", headers={"accept": BROWSER, "accept-language": "pt-BR", "if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    english = web.get(
        f"/{LAST}", headers={"accept": BROWSER, "accept-language": "en", "if-none-match": first.headers["etag"]}
    )
    assert english.status_code == 200


def test_style_sheets_are_immutable_and_local(web: httpx.Client) -> None:
    norm_page = page(web, f"/{LAST}")
    (href,) = norm_page.all("//link[@rel='stylesheet']/@href")
    style = web.get(href)
    assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in style.headers["cache-control"]
    assert web.get(href, headers={"if-none-match": style.headers["etag"]}).status_code == 304
    old = web.get("/assets/0000000000000000/vigente.css")
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
    assert "url(" not in style.text
    assert "@import" not in style.text


@pytest.mark.parametrize(
    "path",
    [
        "/",
        f"/{LAST}",
        f"/{TEXT}",
        f"/{CODE}?on=1991-03-10",
        f"/descriptions/{UNDATED}",
        "/search?q=lei",
        f"/diff/{TEXT}?from=2001-06-01&to=2002-05-02",
        f"/{FOREIGN}",
        "/nothing",
    ],
)
def test_every_page_follows_the_content_security_policy(web: httpx.Client, path: str) -> None:
    """Check for inline styles and scripts, other hosts, one title, one main heading, and a label for each field."""
    checked_page = page(web, path)
    policy = checked_page.response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert len(checked_page.response.content) < HEAVIEST
    assert (
        checked_page.elements("//style | //@style | //script[not(@type='application/ld+json' or @src)] | //@onclick")
        == []
    )
    loaded = checked_page.all("//link[@rel='stylesheet' or @rel='icon']/@href | //img/@src | //script/@src")
    assert [address for address in loaded if not address.startswith("/assets/")] == []
    assert (
        len(checked_page.elements("//h1"))
        == len(checked_page.elements("//main"))
        == len(checked_page.elements("//title"))
        == 1
    )
    labelled = checked_page.all("//label/@for")
    assert [
        field_id for field_id in checked_page.all("//input[not(@type='hidden')]/@id") if field_id not in labelled
    ] == []
    assert checked_page.elements("//input[not(@type='hidden') and not(@id)]") == []
    ids = checked_page.all("//@id")
    assert len(ids) == len(set(ids))


# From the first page to an answer


def test_article_text_on_a_date_is_three_clicks_away(sample: httpx.Client) -> None:
    first = page(sample, "/")
    results = first.send("/search", q="art. 57 do Código de Defesa do Consumidor", on="1993-06-01")
    answer = results.follow("Art. 57 da Lei nº 8.078")
    assert answer.response.status_code == 200
    assert "será aplicada mediante procedimento administrativo, revertendo para o Fundo" in answer.text
    assert "Parágrafo único" not in answer.one("//div[contains(@class, 'law')]").text_content()
    assert "texto de 22/05/1993" in _status_boxes(answer)[0]
    assert "Lei nº 8.656" in answer.text


def test_article_is_reached_by_links_alone(sample: httpx.Client) -> None:
    norm = page(sample, "/").follow("Lei nº 8.078")
    day = norm.send("/urn:lex", on="1993-06-01")
    article = day.follow("Art. 57.")
    assert "revertendo para o Fundo" in article.text


def test_default_date_is_today(sample: httpx.Client) -> None:
    day = today()
    assert f"Hoje, {day:%d/%m/}{day.year:04d}" in page(sample, f"/{CODE}").text
