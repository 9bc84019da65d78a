"""Tests of `vigente get`: answers and faults of three sources on 127.0.0.1, addresses, kept answers, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from graph import store as stores
from graph.urn import parse
from loaders.getting import MOST, Asker, Bases, Getter, KeptAnswers, Lack, RawAnswer, planalto_paths
from loaders.oai_pmh import Settings
from queries.in_force import in_force
from service.cli import main
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, cut_short, silence, streamed

DATA = Path(__file__).parents[2] / "data"
DETAIL = (DATA / "senado" / "detalhe-99901.xml").read_bytes()
LIST = (DATA / "senado" / "lista-99901.xml").read_bytes()
PAGE = (DATA / "planalto" / "L99901.htm").read_bytes()
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
PATH = "/planalto/_ato2007-2010/2010/lei/l99901.htm"
ERROR_PAGE = b"<html><head><title>Erro</title></head><body><p>Servi\xe7o indispon\xedvel</p></body></html>"


def norm() -> str:
    """Return the answer of normas.leg.br about the law: its first article and the day of its publication."""

    def node(part: str, label: str, words: str, **more: object) -> dict[str, object]:
        version = {
            "@type": "Legislation",
            "legislationIdentifier": f"{LAW}@2010-05-05!{part}",
            "legislationDate": "2010-05-05",
            "temporalCoverage": "2010-05-05/..",
            "legislationType": "Original_Version",
            "name": label,
            "text": words,
        }
        return {"@type": "Legislation", "legislationIdentifier": f"{LAW}!{part}", "workExample": version, **more}

    return json.dumps(
        {
            "@context": "https://schema.org",
            "@type": "Legislation",
            "legislationIdentifier": LAW,
            "legislationDate": "2010-05-05",
            "datePublished": "2010-05-06",
            "headline": "Lei fictícia nº 99901",
            "hasPart": node("art9", "Art. 9º", "", hasPart=node("art9_cpt", "", "Artigo fictício.")),
        },
        ensure_ascii=False,
    )


def echo() -> str:
    return json.dumps({"@context": "https://schema.org", "@type": "Legislation", "@id": f"https://x/?urn={LAW}"})


class Sources:
    """A server of all three sources, each under a path of its own.

    Args:
        instead: answers in place of the usual ones, by the prefix of the target.
    """

    def __init__(self, instead: Mapping[str, ScriptedAnswer | Callable[[], ScriptedAnswer]] | None = None) -> None:
        self._instead = instead or {}

    def __call__(self, asked: ReceivedRequest) -> ScriptedAnswer:
        for beginning, answer in self._instead.items():
            if unquote(asked.target).startswith(beginning):
                return answer  # type: ignore[return-value]
        target = unquote(asked.target)
        if target.startswith("/normas/api/public/normas?"):
            return Reply(norm(), fields={"Content-Type": "application/ld+json"})
        if target == "/senado/lista?tipo=LEI&numero=99901&ano=2010":
            return Reply(LIST)
        if target == "/senado/9990100":
            return Reply(DETAIL)
        if target == PATH:
            return Reply(PAGE, fields={"Content-Type": "text/html"})
        return Reply(b"<html>404</html>", 404)


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch, instead: Mapping[str, Any] | None = None) -> Iterator[OaiServer]:
    with OaiServer(Sources(instead)) as server:
        base = server.url.removesuffix("/oai")
        for source in ("normas", "senado", "planalto"):
            monkeypatch.setenv(f"VIGENTE_{source.upper()}_URL", f"{base}/{source}")
        yield server


def get(*more: str, text: str = "Lei 99.901/2010") -> int:
    return main(["--store", "s", "get", text, "--politeness", "0", *more])


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def missing(document: dict[str, Any]) -> list[tuple[str, str | None, str | None]]:
    return [(gap["code"], gap["source"], gap["fault"]) for gap in document["missing"]]


def test_citation_is_fetched_with_both_time_axes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(monkeypatch) as server:
        assert get("--json") == 3  # the sample page has lines that belong to no provision
        targets = [unquote(request.target) for request in server.asked]
        agents = {request.fields["user-agent"] for request in server.asked}
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document["asked"], document["name"]) == ("Lei 99.901/2010", LAW)
    assert [(entry["source"], entry["kept"]) for entry in document["fetched"]] == [
        ("normas", False),
        ("senado", False),
        ("senado", False),
        ("planalto", False),
    ]
    assert document["fetched"][2]["bytes"] == len(DETAIL)
    assert targets == [
        "/senado/lista?tipo=LEI&numero=99901&ano=2010",
        "/senado/9990100",
        PATH,
        f"/normas/api/public/normas?urn={LAW}&tipo_documento=maior-detalhe",
    ]
    (agent,) = agents
    assert agent.startswith("vigente/")
    assert document["known_up_to"] == datetime.now(UTC).date().isoformat()
    assert document["last_change"]["senado"] == "2020-06-10"
    assert f"Lei 99.901/2010: {LAW}" in printed.err.replace("'", "")
    with stores.open(Path("s")) as store:
        answer = in_force(store, f"{LAW}!art1_cpt_inc1", on="2015-06-10", as_known="2015-06-12")
        assert answer.version is not None
        assert str(answer.version.known_from) == "2015-06-12"


def test_raw_answers_are_kept_with_provenance_and_reused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(monkeypatch) as server:
        get("--json")
        first = json.loads(capsys.readouterr().out)["fetched"]
        asked = len(server.asked)
        get("--json")
        again = json.loads(capsys.readouterr().out)
        assert len(server.asked) == asked
        get("--max-age", "0")
        assert len(server.asked) == 2 * asked
    assert again["fetched"] == [{**entry, "kept": True} for entry in first]
    assert again["loaded"]["loaded"] == 0
    stored = [json.loads(file.read_text()) for file in Path("s/answers").glob("*.json")]
    assert {entry["sha256"] for entry in stored} == {entry["sha256"] for entry in first}


def test_dry_run_writes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch) as server:
        get("--dry-run", "--json")
        assert len(server.asked) == 4
    document = json.loads(capsys.readouterr().out)
    assert document["name"] == LAW
    assert document["loaded"]["loaded"] > 3
    assert not Path("s").exists()


def test_only_selected_sources_are_fetched(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch) as server:
        assert get("--from", "senado", "--json") == 3  # the sample has an invalid day
        assert {request.target.split("/")[1] for request in server.asked} == {"senado"}
    document = json.loads(capsys.readouterr().out)
    assert missing(document) == [("no-text", None, None), ("no-start", None, None)]


def test_planalto_alone_gives_the_day(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch):
        get("--from", "planalto,normas", "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["name"] == LAW
    assert [entry["source"] for entry in document["fetched"]] == ["planalto", "normas"]
    (years,) = [gap for gap in document["missing"] if gap["code"] == "acts-by-year"]
    assert "urn:lex:br:federal:medida.provisoria:2015;99903" in years["about"]


def test_acts_known_by_year_are_looked_up(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    detail = DETAIL[: DETAIL.index(b"<vides>")] + b"</documento></documentos></DetalheDocumento>"
    measure = (
        "<ListaDocumento><documentos><documento id='7'><normaNome>Medida Provisória nº 99.903 de 10/06/2015</normaNome>"
        "<dataassinatura>10/06/2015</dataassinatura></documento></documentos></ListaDocumento>"
    )
    asked = "/senado/lista?tipo=MPV&numero=99903&ano=2015"
    with served(monkeypatch, {"/senado/9990100": Reply(detail), asked: Reply(measure)}) as server:
        get("--json")
        before = json.loads(capsys.readouterr().out)
        assert asked not in [unquote(request.target) for request in server.asked]
        get("--acts", "--json", "--max-age", "0")
        after = json.loads(capsys.readouterr().out)
    left = [
        next(gap["about"] for gap in document["missing"] if gap["code"] == "acts-by-year")
        for document in (before, after)
    ]
    assert set(left[0]) - set(left[1]) == {"urn:lex:br:federal:medida.provisoria:2015;99903"}
    assert after["fetched"][3]["url"].endswith("tipo=MPV&numero=99903&ano=2015")
    with stores.open(Path("s")) as store:
        answer = in_force(store, f"{LAW}!art1_cpt_inc1", on="2015-06-10", as_known="2015-06-10")
        assert answer.version is not None
        assert answer.version.name.endswith("[2015-01-01,2015-12-31]!art1_cpt_inc1")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Reply(b"no", 403), "status"),
        (Reply(b"later", 429, {"Retry-After": "9999"}), "busy"),
        (Reply(b"later", 503, {"Retry-After": "9999"}), "busy"),
        (Reply(b"oops", 500), "status"),
        (cut_short(DETAIL), "connection"),
        (Reply(ERROR_PAGE, fields={"Content-Type": "text/html"}), "no-answer"),
        (Reply(b'{"a": 1}', fields={"Content-Type": "application/json"}), "no-answer"),
        (Reply(b""), "no-answer"),
        (Reply(b"", 302, {"Location": "http://127.0.0.2:9/elsewhere"}), "redirect"),
        (Reply(b"<!DOCTYPE a [<!ENTITY b 'c'>]><DetalheDocumento/>"), "no-answer"),
    ],
)
def test_failing_source_does_not_block_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: ScriptedAnswer, fault: str
) -> None:
    with served(monkeypatch, {"/senado/9990100": answer}):
        assert get("--json") == 3
    document = json.loads(capsys.readouterr().out)
    assert ("fault", "senado", fault) in missing(document)
    assert document["name"] == LAW  # read from the page
    assert [entry["source"] for entry in document["fetched"]] == ["normas", "senado", "planalto"]
    assert document["loaded"]["loaded"] == 3  # normas, the list of the Senate, the page


@pytest.mark.parametrize("answer", [Reply(ERROR_PAGE), Reply(b"no", 403), Reply(norm().replace("99901", "99999"))])
def test_normas_failure_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: ScriptedAnswer
) -> None:
    with served(monkeypatch, {"/normas": answer}):
        assert get("--json") == 3
    (gap,) = [gap for gap in missing(json.loads(capsys.readouterr().out)) if gap[1] == "normas"]
    assert gap[0] == "fault"


def test_norm_missing_from_normas_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(monkeypatch, {"/normas": Reply(echo())}):
        get("--json")
    document = json.loads(capsys.readouterr().out)
    assert ("not-known", "normas", None) in missing(document)


def test_alternative_address_is_tried_after_not_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = PAGE.replace(b"99.901, DE 5 DE MAIO", b"99.999, DE 5 DE MAIO")
    compiled = PATH.replace("99901.htm", "99901compilada.htm")
    instead = {
        PATH: Reply(b"", 404),
        PATH.replace("/l99901", "/L99901"): Reply(b"", 404),
        PATH.replace(".htm", "compilado.htm"): Reply(other),
        compiled: Reply(PAGE),
    }
    with served(monkeypatch, instead) as server:
        get("--from", "planalto", "--json")
        assert [request.target for request in server.asked] == list(instead)
    document = json.loads(capsys.readouterr().out)
    assert document["fetched"][0]["url"].endswith("compilada.htm")


def test_explicit_url_of_a_page_is_fetched(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch, {"/planalto/odd.htm": Reply(PAGE)}) as server:
        base = server.url.removesuffix("/oai")
        get("--url", f"{base}/planalto/odd.htm", "--from", "planalto", "--json")
        assert [request.target for request in server.asked] == ["/planalto/odd.htm"]
        assert json.loads(capsys.readouterr().out)["name"] == LAW
        assert get("--url", f"{base}/planalto/odd.htm", text="Lei 99.902/2012") == 4  # another norm: not loaded
    assert "urn:lex:br:federal:lei:2012;99902" in capsys.readouterr().err


def test_redirect_on_the_same_host_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = Reply(b"", 301, {"Location": "/planalto/moved.htm"})
    with served(monkeypatch, {PATH: moved, "/planalto/moved.htm": Reply(PAGE)}) as server:
        get("--from", "planalto")
        assert [request.target for request in server.asked] == [PATH, "/planalto/moved.htm"]


def test_unknown_norm_and_unreachable_host_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Reply(b"<ListaDocumento><documentos/></ListaDocumento>")
    with served(monkeypatch, {"/senado/lista": nothing}):
        assert get("--json", text="Lei 99.999/2010") == 1
    assert {gap[0] for gap in missing(json.loads(capsys.readouterr().out))} == {"not-known"}
    for source in ("normas", "senado", "planalto"):
        monkeypatch.setenv(f"VIGENTE_{source.upper()}_URL", "http://127.0.0.1:9")
    assert get() == 4


def test_several_names_are_fetched(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch):
        code = main(["--store", "s", "get", LAW, "Lei 99.998/2010", "--politeness", "0", "--json"])
    documents = json.loads(capsys.readouterr().out)
    assert code == 3
    assert [document["name"] for document in documents] == [LAW, "urn:lex:br:federal:lei:2010;99998"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--from", "nobody"], 2),
        (["--from", ""], 2),
        (["--url", "ftp://x/y"], 2),
        (["--url", "http://127.0.0.1:9/x", "--from", "normas"], 2),
    ],
)
def test_invalid_arguments_are_refused(more: list[str], code: int) -> None:
    assert get(*more) == code
    assert not Path("s").exists()


def test_text_without_a_norm_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert get(text="a lei da semana passada") == 1
    assert "identifies no single norm" in capsys.readouterr().err


# Without the command line


def asker(**more: Any) -> Asker:
    settings = Settings(politeness=0, backoff=0.01, retries=1, other_hosts=False, **more)
    return Asker(settings, KeptAnswers(None))


@pytest.mark.parametrize(
    ("answer", "more", "fault"),
    [
        (silence, {"read_timeout": 0.3}, "timeout"),
        (streamed(lambda: iter([b"x" * 1000] * 1000)), {"page_bytes": 50_000}, "too-large"),
    ],
)
def test_time_and_size_are_limited(answer: ScriptedAnswer, more: dict[str, Any], fault: str) -> None:
    with OaiServer(lambda _: answer) as server, asker(**more) as asking:
        result = Getter(asking, Bases(senado=server.url), ["senado"]).get("x", parse(LAW))
    assert [(missing_data.code, missing_data.fault) for missing_data in result.missing] == [(Lack.FAULT, fault)]


def test_damaged_kept_answer_is_not_used(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path)
    now = datetime.now(UTC).replace(microsecond=0)
    answer = RawAnswer("senado", "http://x/1", b"abc", now)
    kept.keep(answer)
    fresh_answer = kept.fresh("http://x/1", now)
    assert fresh_answer is not None
    assert (fresh_answer.payload, fresh_answer.fetched_at, fresh_answer.kept) == (b"abc", now, True)
    assert kept.fresh("http://x/1", now + timedelta(seconds=1)) is None
    assert kept.fresh("http://x/2", now) is None
    next(tmp_path.glob("*.bin")).write_bytes(b"abd")
    assert kept.fresh("http://x/1", now) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("lei:1990-09-11;8078", "leis/l8078.htm"),
        ("lei:1990-12-11;8112", "leis/l8112cons.htm"),
        ("lei:2001-07-10;10257", "leis/leis_2001/l10257.htm"),
        ("lei:2002-01-10;10406", "leis/2002/l10406compilada.htm"),
        ("lei:2003-10-01;10741", "leis/2003/l10.741.htm"),
        ("lei:2006-08-07;11340", "_ato2004-2006/2006/lei/l11340.htm"),
        ("lei:2015-03-16;13105", "_ato2015-2018/2015/lei/l13105.htm"),
        ("lei:2021-04-01;14133", "_ato2019-2022/2021/lei/l14133.htm"),
        ("lei:2027-01-05;99901", "_ato2027-2030/2027/lei/l99901.htm"),
        ("lei.complementar:2000-05-04;101", "leis/lcp/lcp101.htm"),
        ("decreto.lei:1940-12-07;2848", "decreto-lei/del2848.htm"),
        ("decreto.lei:1967-02-25;200", "decreto-lei/del0200.htm"),
        ("medida.provisoria:2018-12-27;869", "_ato2015-2018/2018/mpv/mpv869.htm"),
        ("medida.provisoria:2001-08-24;2200-2", "mpv/antigas_2001/2200-2.htm"),
        ("emenda.constitucional:2004-12-30;45", "constituicao/emendas/emc/emc45.htm"),
        ("constituicao:1988-10-05;1988", "constituicao/constituicao.htm"),
        ("decreto:2019-09-20;10024", "_ato2019-2022/2019/decreto/d10024.htm"),
    ],
)
def test_planalto_paths_of_norms(name: str, path: str) -> None:
    paths = planalto_paths(parse(f"urn:lex:br:federal:{name}"))
    assert paths[0] == path
    assert len(paths) <= MOST
    assert len(set(paths)) == len(paths)


def test_planalto_has_no_path_for_other_norms() -> None:
    for name in ("br;sao.paulo:estadual:lei:2001-01-02;99901", "br:senado.federal:resolucao:2001-01-02;99901"):
        assert planalto_paths(parse(f"urn:lex:{name}")) == ()
