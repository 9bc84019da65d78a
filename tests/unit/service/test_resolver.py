"""Tests of the resolver over HTTP: the target of every name, with status code, links and header fields."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from graph.civil import today
from graph.store import in_memory
from service.cli import main
from service.web.published import Snapshot, State
from service.web.replies import entity_tag
from tests.support.web_names import (
    AHEAD,
    CODE,
    ENDED,
    FOREIGN,
    FOREIGN_VERSION,
    GONE,
    RESTORED,
    SUSPENDED,
    TEXT,
    TWINS,
    UNDATED,
    code_of,
    links,
    place,
)

LAST = f"{CODE}@1993-09-08;retificacao;2007-01-10"
OLD = f"{CODE}@1993-05-22;alteracao;1993-05-22"
NEW = f"{CODE}@1993-05-22;retificacao;2007-01-10"
TODAY = today().isoformat()


# Targets of names


@pytest.mark.parametrize(
    ("on", "known", "version"),
    [
        ("1991-03-11", "1990-09-11", "@1991-03-11;assinatura;1990-09-11"),
        ("1991-03-11", "1990-09-12", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-05-22", "1993-05-21", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-05-22", "1993-05-22", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-05-21", "1993-05-22", "@1991-03-11;publicacao;1990-09-12"),
        ("1993-06-15", "2007-01-09", "@1993-05-22;alteracao;1993-05-22"),
        ("1993-06-15", "2007-01-10", "@1993-05-22;retificacao;2007-01-10"),
        ("1993-09-07", "2008-01-01", "@1993-05-22;retificacao;2007-01-10"),
        ("1993-09-08", "2008-01-01", "@1993-09-08;retificacao;2007-01-10"),
    ],
)
def test_norm_redirects_to_the_version_in_force_as_known(web: httpx.Client, on: str, known: str, version: str) -> None:
    """Check LexML 1.0 part 2, section 12.4, tables 2 and 3, on both sides of each day."""
    query = f"?on={on}&as_known={known}"
    response = web.get(f"/{CODE}{query}")
    assert (response.status_code, place(response)) == (303, f"/{CODE}{version}{query}")
    answer = web.get(place(response))
    assert answer.status_code == 200
    assert answer.json()["version"]["name"] == f"{CODE}{version}"
    assert (answer.json()["on"], answer.json()["as_known"]) == (on, known)
    assert answer.headers["content-location"] == f"/{CODE}{version}{query}&format=json"


def test_json_is_the_document_of_the_command_line(
    web: httpx.Client, names_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, on in ((CODE, "1993-06-15"), (f"{TEXT}!art2", "2001-06-01"), (f"{TEXT}!art3", "2002-05-02")):
        main(["--store", str(names_store), "in-force", name, "--on", on, "--as-known", "2008-12-15", "--json"])
        printed = json.loads(capsys.readouterr().out)
        path = f"/{name}?on={on}&as_known=2008-12-15&format=json"
        assert web.get(path, follow_redirects=True).json() == printed


@pytest.mark.parametrize(
    ("on", "known", "code"),
    [
        ("1990-09-10", "2008-01-01", "before-first-version"),
        ("1991-03-10", "2008-01-01", "before-first-version"),
        ("1991-03-11", "1990-09-10", "outside-knowledge-horizon"),
        ("1993-06-15", "9999-12-31", "outside-knowledge-horizon"),
        ("1990-09-20", "1990-09-20", "before-first-version"),
    ],
)
def test_dates_without_a_version_are_never_200(web: httpx.Client, on: str, known: str, code: str) -> None:
    assert code_of(web.get(f"/{CODE}?on={on}&as_known={known}")) == (404, code)


def test_date_without_a_version_names_the_neighbours(web: httpx.Client) -> None:
    document = web.get(f"/{CODE}?on=1991-03-10&as_known=2008-01-01").json()
    assert document["neighbours"][0]["name"] == f"{CODE}@1991-03-11;retificacao;2007-01-10"
    assert document["answer"]["status"] == "vacatio"
    document = web.get(f"/{ENDED}?on=2002-01-01").json()
    assert (document["code"], document["answer"]["status"]) == ("not-in-force", "expired")
    assert [neighbour["until"] for neighbour in document["neighbours"]] == ["2002-01-01"]


def test_name_without_a_version_in_force_lists_the_copies(web: httpx.Client) -> None:
    """Check the same list as in the answer about the norm."""
    days = "?on=1991-03-10&as_known=2008-01-01"
    vacatio = web.get(f"/{CODE}{days}").json()
    assert vacatio["copies"]
    assert vacatio["copies"] == web.get(f"/api/v1/norms/{CODE}{days}").json()["copies"]


@pytest.mark.parametrize("text", ["urn:lex:lei:8078", "urn:lex:federal:lei:1990;8078", f"{CODE}.html", f"{CODE}.PDF"])
def test_short_names_and_names_of_files_lead_to_the_norm(web: httpx.Client, text: str) -> None:
    response = web.get(f"/{text}")
    assert (response.status_code, place(response), response.headers["vigente-notice"]) == (
        303,
        f"/{CODE}",
        "understood-as",
    )


def test_name_without_a_date_uses_today(web: httpx.Client) -> None:
    response = web.get(f"/{CODE}")
    assert (response.status_code, place(response)) == (303, f"/{LAST}")
    assert response.headers["vigente-status"] == "in-force"
    assert links(response)["current"] == f"/{LAST}"


@pytest.mark.parametrize(
    ("name", "version", "status", "notice"),
    [
        (AHEAD, "@2990-01-01;publicacao;2001-03-06", "vacatio", "next-to-come"),
        (ENDED, "@2001-03-06;publicacao;2001-03-06", "expired", "most-recent-past"),
    ],
)
def test_norm_not_in_force_today_redirects_to_its_last_version(
    web: httpx.Client, name: str, version: str, status: str, notice: str
) -> None:
    response = web.get(f"/{name}")
    assert (response.status_code, place(response)) == (303, f"/{name}{version}")
    assert response.headers["vigente-status"] == status
    assert notice in response.headers["vigente-notice"].split(", ")
    assert response.json()["notices"][0]["code"] == notice
    answer = web.get(place(response))
    assert "not-in-force-today" in [reported["code"] for reported in answer.json()["notices"]]
    assert "not-in-force-today" in answer.headers["vigente-notice"]
    assert code_of(web.get(f"/{name}?on={TODAY}"))[0] == 404


def test_undated_norm_redirects_to_its_description(web: httpx.Client) -> None:
    response = web.get(f"/{UNDATED}", headers={"accept": "text/turtle"})
    assert (response.status_code, place(response)) == (303, f"/descriptions/{UNDATED}")
    assert response.headers["vigente-status"] == "unknown"
    assert "no-version-dates" in response.headers["vigente-notice"]
    assert web.get(place(response), headers={"accept": "text/turtle"}).status_code == 200
    assert code_of(web.get(f"/{UNDATED}?on=2010-01-01")) == (404, "undecided")


def test_efficacy_is_a_separate_axis(web: httpx.Client) -> None:
    assert code_of(web.get(f"/{SUSPENDED}?eficaz_em=2002-01-01")) == (404, "not-in-force")
    assert web.get(f"/{SUSPENDED}?vigente_em=2002-01-01").status_code == 303
    for day in ("2001-12-31", "2003-01-01"):
        response = web.get(f"/{SUSPENDED}?eficaz_em={day}")
        assert place(response) == f"/{SUSPENDED}@2001-03-06;publicacao;2001-03-06?on={day}&axis=efficacy"
        assert web.get(place(response)).json()["axis"] == "efficacy"
    named = web.get(f"/{SUSPENDED}@versao.eficaz.em;2003-01-01")
    assert place(named).endswith("?on=2003-01-01&axis=efficacy")


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        (f"{CODE}@versao.vigente.em;1993-06-15", f"{NEW}?on=1993-06-15"),
        (f"{CODE}@versao.vigente.em;1993-06-15?as_known=2007-01-09", f"{OLD}?on=1993-06-15&as_known=2007-01-09"),
        (f"{CODE}@versao.consultada.em;2007-01-09?on=1993-06-15", f"{OLD}?on=1993-06-15&as_known=2007-01-09"),
        (f"{CODE}$vig=1993-06-15", f"{NEW}?on=1993-06-15"),
        (f"{CODE}?vigente_em=1993-06-15&conhecido_em=2007-01-09", f"{OLD}?on=1993-06-15&as_known=2007-01-09"),
        (f"{CODE}@1991-03-11", f"{CODE}@1991-03-11;publicacao;1990-09-12"),
        (f"{CODE}@1993-05-22!2007-01-10", NEW),
        (f"{CODE}@inicio.vigencia;publicacao", f"{CODE}@1991-03-11;publicacao;1990-09-12"),
        ("urn:lex:br:federal:lei:1990;8078", CODE),
        ("URN:LEX:BR:Federal:Lei:1990-09-11;8078", LAST),
        (f"{TEXT}!art3", f"{TEXT}@2001-06-01;publicacao;2001-03-06!art3#art3"),
        (f"{TEXT}:art3", f"{TEXT}@2001-06-01;publicacao;2001-03-06!art3#art3"),
        (f"{TEXT}@2002-05-02;alteracao;2002-04-22!art3", f"{TEXT}@2001-06-01;publicacao;2001-03-06!art3#art3"),
    ],
)
def test_references_of_every_dialect_are_resolved(web: httpx.Client, asked: str, leads_to: str) -> None:
    response = web.get(f"/{asked}")
    assert (response.status_code, place(response)) == (303, f"/{leads_to}")


def test_contradictory_name_and_parameter_are_rejected(web: httpx.Client) -> None:
    assert code_of(web.get(f"/{CODE}@versao.vigente.em;1993-06-15?on=1993-06-16")) == (422, "bad-parameter")
    assert code_of(web.get(f"/{OLD}?on=1991-03-11")) == (404, "other-version")
    assert code_of(web.get(f"/{NEW}?as_known=2007-01-09")) == (404, "outside-knowledge-horizon")
    assert web.get(f"/{NEW}?as_known=2007-01-10").status_code == 200


def test_version_is_returned_only_within_its_knowledge_period(web: httpx.Client) -> None:
    """Check both sides of the day on which another view replaced it."""
    assert web.get(f"/{OLD}?as_known=2007-01-09").json()["as_known"] == "2007-01-09"
    for query in ("?as_known=2007-01-10", "?as_known=2008-01-01", "?on=1993-05-22&as_known=2008-01-01"):
        response = web.get(f"/{OLD}{query}")
        assert code_of(response) == (404, "other-version"), query
        assert response.json()["answer"]["version"]["name"] == NEW
    assert place(web.get(f"/{CODE}@1993-05-22?as_known=2007-01-09")) == f"/{OLD}?as_known=2007-01-09"
    assert place(web.get(f"/{CODE}@1993-05-22?as_known=2007-01-10")) == f"/{NEW}?as_known=2007-01-10"
    assert place(web.get(f"/{CODE}@1993-05-22;alteracao?as_known=2007-01-10")) == f"/{OLD}?as_known=2007-01-10"
    assert place(web.get(f"/{CODE}@1993-05-22")) == f"/{OLD}"


def test_unknown_version_names_its_neighbours(web: httpx.Client) -> None:
    response = web.get(f"/{CODE}@1991-03-12")
    assert code_of(response) == (404, "unknown-version")
    assert {neighbour["version_date"] for neighbour in response.json()["neighbours"]} == {"1991-03-11", "1993-05-22"}


def test_unknown_provision_is_never_replaced_by_another(web: httpx.Client) -> None:
    assert code_of(web.get(f"/{TEXT}!art999")) == (404, "provision-unknown")
    assert code_of(web.get(f"/{CODE}!art5")) == (404, "provision-unknown")
    assert code_of(web.get(f"/{TEXT}@2001-06-01!art1_par1u")) == (404, "fragment-absent-in-version")
    assert code_of(web.get(f"/{TEXT}!art2?on=2002-05-02")) == (404, "not-in-force")
    assert web.get(f"/{TEXT}!art2?on=2002-05-01").status_code == 303
    past = web.get(f"/{TEXT}!art2")
    assert (past.status_code, past.headers["vigente-status"]) == (303, "revoked")


def test_every_provision_of_a_text_opens_its_version(web: httpx.Client) -> None:
    for fragment in ("art1", "art1_cpt", "art1_par1u", "art2", "art2_cpt", "art3", "art3_cpt"):
        response = web.get(f"/{TEXT}!{fragment}", follow_redirects=True)
        assert response.status_code == 200, fragment
        assert response.json()["version"]["name"].endswith(f"!{fragment}")


def test_unknown_withdrawn_and_ambiguous_names_have_their_status(web: httpx.Client) -> None:
    assert code_of(web.get("/urn:lex:br:federal:lei:2011-01-03;77777")) == (404, "unknown-name")
    other_year = web.get("/urn:lex:br:federal:lei:2099-06-19;8078")
    assert code_of(other_year) == (404, "unknown-name")
    assert other_year.json()["candidates"][0]["name"] == CODE
    for name in (GONE, f"{GONE}@2001-03-06;publicacao;2001-03-06", f"{GONE}!art1"):
        assert code_of(web.get(f"/{name}")) == (410, "withdrawn")
    several = web.get("/urn:lex:br:federal:lei:1995;99931")
    assert several.status_code == 300
    assert {candidate["name"] for candidate in several.json()["candidates"]} == set(TWINS)
    assert all(candidate["address"] == f"/{candidate['name']}" for candidate in several.json()["candidates"])
    assert several.headers["link"].count('rel="alternate"') == 2
    page = web.get("/urn:lex:br:federal:lei:1995;99931", headers={"accept": "text/html"})
    assert page.status_code == 300
    assert page.headers["content-type"].startswith("text/html")
    both = web.get(f"/{CODE}@[1991-03-11,1993-05-22]?as_known=2006-01-01")
    assert both.status_code == 300
    assert len(both.json()["candidates"]) == 2


@pytest.mark.parametrize("further", [";anexo.1", ";anexo.1!art1", ";anexo.2@2001-06-01"])
def test_unknown_annex_leads_to_its_norm(web: httpx.Client, further: str) -> None:
    """Check the norm as an alternative with a notice, and no redirect (LexML part 5, section 2.5)."""
    answer = web.get(f"/{CODE}{further}")
    assert code_of(answer) == (404, "unknown-name")
    assert (answer.json()["spoken_of"], [each["name"] for each in answer.json()["candidates"]]) == ("its-norm", [CODE])
    page = web.get(f"/{CODE}{further}", headers={"accept": "text/html"}).text
    assert "Nenhuma fonte descreve este anexo." in page
    assert f'href="/{CODE}"' in page


@pytest.mark.parametrize("further", [";8079", ";retificacao.9"])
@pytest.mark.parametrize("norm", [CODE, "urn:lex:br:federal:lei:1990;8078"])
def test_name_with_an_unknown_suffix_is_404(web: httpx.Client, norm: str, further: str) -> None:
    answer = web.get(f"/{norm}{further}")
    if norm != CODE:
        assert answer.status_code == 303
        answer = web.get(answer.headers["location"])
    assert code_of(answer) == (404, "unknown-name")
    assert "understood" not in answer.text


def test_norm_with_one_number_does_not_match_two(web: httpx.Client) -> None:
    answer = web.get(f"/{CODE},8079")
    assert code_of(answer) == (404, "unknown-name")
    (nearest,) = answer.json()["candidates"]
    assert nearest["name"] == CODE
    assert "one number matches, another does not" in nearest["why"]


@pytest.mark.parametrize("dates", ["1990-09-11,1990-09-12", "1990-09-10,1990-09-11"])
def test_norm_with_one_date_does_not_match_two(web: httpx.Client, dates: str) -> None:
    answer = web.get(f"/{CODE.replace('1990-09-11', dates)}")
    assert code_of(answer) == (404, "unknown-name")
    nearest = answer.json()["candidates"][0]
    assert nearest["name"] == CODE
    assert "one date matches, another does not" in nearest["why"]


def test_foreign_names_are_resolved(web: httpx.Client) -> None:
    assert place(web.get(f"/{FOREIGN}")) == f"/descriptions/{FOREIGN}"
    assert code_of(web.get(f"/{FOREIGN}~art15;par3")) == (404, "provision-unknown")
    version = web.get(f"/{FOREIGN_VERSION}")
    assert (version.status_code, version.headers["vigente-status"]) == (200, "unknown")
    assert version.json()["version"] is None
    assert "memento-datetime" not in version.headers
    part = web.get(f"/{FOREIGN_VERSION}~art15;par3")
    assert (part.status_code, place(part)) == (303, f"/{FOREIGN_VERSION}#art15;par3")
    assert part.headers["vigente-notice"] == "wider-level"


# Formats, links, caches


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("text/turtle;q=0.5, application/trig", "application/trig"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/n-triples", "application/n-triples"),
        ("application/ld+json", "application/ld+json"),
    ],
)
def test_media_type_is_negotiated(web: httpx.Client, accept: str | None, media: str) -> None:
    response = web.get(f"/{LAST}", headers={"accept": accept} if accept else {})
    assert (response.status_code, response.headers["content-type"]) == (200, media)
    assert response.headers["vary"] == (
        "Accept, Accept-Language, Accept-Encoding" if media.startswith("text/html") else "Accept, Accept-Encoding"
    )
    assert web.get(response.headers["content-location"]).headers["content-type"] == media


def test_format_overrides_accept_and_unsupported_is_406(web: httpx.Client) -> None:
    response = web.get(f"/{LAST}?format=ttl", headers={"accept": "application/json"})
    assert response.headers["content-type"].startswith("text/turtle")
    assert web.get(f"/{LAST}?format=application/ld+json").headers["content-type"] == "application/ld+json"
    assert code_of(web.get(f"/{LAST}?format=pdf")) == (406, "not-acceptable")
    assert code_of(web.get(f"/{LAST}", headers={"accept": "image/png"})) == (406, "not-acceptable")
    assert place(web.get(f"/{CODE}?format=ttl")) == f"/{LAST}?format=ttl"
    for path in (CODE, UNDATED, f"{CODE}@1993-05-22", "urn:lex:br:federal:lei:1990;8078"):
        assert code_of(web.get(f"/{path}?format=xyz")) == (406, "not-acceptable"), "told before a redirect is followed"


def test_version_has_link_headers(web: httpx.Client) -> None:
    """Check link relations (RFC 9676, section 7.1.1; RFC 5829)."""
    first, last = f"/{CODE}@1991-03-11;retificacao;2007-01-10", f"/{LAST}"
    version_links = links(web.get(f"/{NEW}"))
    assert version_links["self"] == f"/{NEW}"
    assert (
        version_links["first"]
        == version_links["prev"]
        == version_links["previous"]
        == version_links["predecessor-version"]
        == first
    )
    assert (
        version_links["next"]
        == version_links["successor-version"]
        == version_links["current"]
        == version_links["latest-version"]
        == last
    )
    assert version_links["version-history"] == version_links["timemap"] == f"/timemap/{CODE}"
    assert version_links["original"] == f"/{CODE}"
    assert {"prev", "previous", "predecessor-version"}.isdisjoint(links(web.get(first)))
    assert {"next", "successor-version"}.isdisjoint(links(web.get(last)))
    ahead = links(web.get(f"/{AHEAD}@2990-01-01;publicacao;2001-03-06"))
    assert "current" not in ahead
    assert ahead["latest-version"] == f"/{AHEAD}@2990-01-01;publicacao;2001-03-06"


def test_superseded_view_is_marked(web: httpx.Client) -> None:
    response = web.get(f"/{OLD}")
    assert response.json()["as_known"] == "2007-01-09"
    assert {"superseded-view", "not-in-force-today"} <= set(response.headers["vigente-notice"].split(", "))
    assert links(response)["next"] == f"/{CODE}@1993-09-08;alteracao;1993-09-08"
    assert links(response)["current"] == f"/{LAST}"
    assert "memento-datetime" not in response.headers
    assert "memento" not in links(response)
    assert links(response)["timemap"] == f"/timemap/{CODE}"


def test_caching_and_conditional_headers_are_correct(web: httpx.Client) -> None:
    exact = web.get(f"/{NEW}?as_known=2008-01-01")
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777").headers["cache-control"] == "no-store"
    tag = exact.headers["etag"]
    for condition in (tag, f'"other", W/{tag}', "*"):
        again = web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert web.get(f"/{NEW}?as_known=2008-01-01", headers={"if-none-match": '"other"'}).status_code == 200
    tags = {web.get(f"/{NEW}?format={short}").headers["etag"] for short in ("json", "ttl", "trig", "html")}
    assert len({*tags, tag}) == 5


@pytest.mark.parametrize(
    "path",
    [
        f"/{NEW}?as_known=2008-01-01",
        f"/diff/{CODE}?from=1990-09-11&to=2000-01-01",
        f"/timemap/{CODE}",
        f"/descriptions/{CODE}",
        f"/api/v1/in-force?urn={CODE}",
        "/openapi.json",
        "/ns",
        "/sparql",
    ],
)
def test_if_match_compares_strongly(web: httpx.Client, path: str) -> None:
    """Check If-Match (RFC 9110, section 13.1.1): strong comparison, ``*`` for any answer, before If-None-Match."""
    tag = web.get(path).headers["etag"]
    held = {"if-match": f'"other", {tag}', "if-none-match": tag}
    same = web.get(path, headers=held)
    assert same.status_code == (412 if tag.startswith("W/") else 304)
    assert web.get(path, headers={"if-match": "*"}).status_code == 200
    for condition in ('"other"', f"W/{tag.removeprefix('W/')}", ""):
        refused = web.get(path, headers={"if-match": condition})
        assert code_of(refused) == (412, "precondition-failed"), condition
    assert web.get("/urn:lex:br:federal:lei:2011-01-03;77777", headers={"if-match": '"other"'}).status_code == 404


def test_head_options_and_cors_are_supported(web: httpx.Client) -> None:
    for path in (f"/{LAST}", f"/{CODE}", f"/{CODE}@1991-03-12", f"/timemap/{CODE}", f"/timegate/{CODE}"):
        fetched, head = web.get(path), web.head(path)
        assert (head.status_code, head.content) == (fetched.status_code, b"")
        passing = {"date", "x-request-id"}
        assert {k: v for k, v in head.headers.items() if k not in passing} == {
            k: v for k, v in fetched.headers.items() if k not in passing
        }
        assert fetched.headers["access-control-allow-origin"] == "*"
        options = web.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
        assert "Accept-Datetime" in options.headers["access-control-allow-headers"]
    assert web.post(f"/{CODE}").status_code == 405


def test_restored_version_has_each_of_its_periods(web: httpx.Client) -> None:
    version = f"{RESTORED}@2001-03-06;publicacao;2001-03-06"
    assert place(web.get(f"/{RESTORED}?on=2001-12-31")) == f"/{version}?on=2001-12-31"
    assert code_of(web.get(f"/{RESTORED}?on=2002-01-01")) == (404, "not-in-force")
    assert code_of(web.get(f"/{RESTORED}?on=2002-12-31")) == (404, "not-in-force")
    assert place(web.get(f"/{RESTORED}?on=2003-01-01")) == f"/{version}?on=2003-01-01"
    again = web.get(f"/{version}?on=2003-01-01")
    assert again.json()["version"]["from"] == "2003-01-01"
    assert links(again)["previous"] == f"/{version}"


def test_etag_depends_on_the_snapshot() -> None:
    snapshot, second, again = (Snapshot(State(*state), in_memory()) for state in (("1", 5), ("2", 5), ("1", 6)))
    assert entity_tag(snapshot, CODE) == entity_tag(snapshot, CODE)
    assert len({entity_tag(each_snapshot, CODE) for each_snapshot in (snapshot, second, again)}) == 3
    assert entity_tag(snapshot, CODE, "a") != entity_tag(snapshot, CODE, "b")
