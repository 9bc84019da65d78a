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
from loaders.getting import Asker, Bases, Getter, KeptAnswers, Lack, RawAnswer
from loaders.oai_pmh import Settings
from loaders.planalto_addresses import MOST, planalto_paths
from queries.in_force import in_force
from service.cli import main
from tests.support.cases import DATA, values
from tests.support.oai_server import OaiServer, ReceivedRequest, Reply, ScriptedAnswer, cut_short, silence, streamed

DETAIL = (DATA / "senado" / "detalhe-99901.xml").read_bytes()
LIST = (DATA / "senado" / "lista-99901.xml").read_bytes()
PAGE = (DATA / "planalto" / "L99901.htm").read_bytes()
#: The answer of normas.leg.br about the law: its first article and the day of its publication.
NORM = (DATA / "tables" / "normas_99901.json").read_text("utf-8")
LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
PATH = "/planalto/_ato2007-2010/2010/lei/l99901.htm"
ERROR_PAGE = b"<html><head><title>Erro</title></head><body><p>Servi\xe7o indispon\xedvel</p></body></html>"


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
            return Reply(NORM, fields={"Content-Type": "application/ld+json"})
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


@pytest.fixture
def got(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, dict[str, Any], list[str]]]:
    """Return a function that asks a server with some answers: the exit code, what is printed, and the targets."""

    def ask(
        *more: str, instead: Mapping[str, Any] | None = None, text: str = "Lei 99.901/2010"
    ) -> tuple[int, dict[str, Any], list[str]]:
        with served(monkeypatch, instead) as server:
            code = get(*more, "--json", text=text)
            return code, json.loads(capsys.readouterr().out), [unquote(request.target) for request in server.asked]

    return ask


Got = Callable[..., tuple[int, dict[str, Any], list[str]]]


def missing(document: dict[str, Any]) -> list[tuple[str, str | None, str | None]]:
    return [(gap["code"], gap["source"], gap["fault"]) for gap in document["missing"]]


def sources_of(document: dict[str, Any]) -> list[str]:
    return [entry["source"] for entry in document["fetched"]]


def test_citation_is_fetched_with_both_time_axes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(monkeypatch) as server:
        assert get("--json") == 3  # the sample page has lines that belong to no provision
        targets = [unquote(request.target) for request in server.asked]
        (agent,) = {request.fields["user-agent"] for request in server.asked}
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document["asked"], document["name"]) == ("Lei 99.901/2010", LAW)
    assert sources_of(document) == ["normas", "senado", "senado", "planalto"]
    assert not any(entry["kept"] for entry in document["fetched"])
    assert document["fetched"][2]["bytes"] == len(DETAIL)
    normas = f"/normas/api/public/normas?urn={LAW}&tipo_documento=maior-detalhe"
    assert targets == ["/senado/lista?tipo=LEI&numero=99901&ano=2010", "/senado/9990100", PATH, normas]
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


def test_sources_are_selected_and_a_dry_run_writes_nothing(got: Got) -> None:
    _, document, targets = got("--dry-run")
    assert (document["name"], len(targets)) == (LAW, 4)
    assert document["loaded"]["loaded"] > 3
    assert not Path("s").exists()
    code, document, targets = got("--from", "senado")
    assert (code, {target.split("/")[1] for target in targets}) == (3, {"senado"})  # the sample has an invalid day
    assert missing(document) == [("no-text", None, None), ("no-start", None, None)]
    _, document, _ = got("--from", "planalto,normas")  # the page alone gives the day
    assert (document["name"], sources_of(document)) == (LAW, ["planalto", "normas"])
    (years,) = [gap for gap in document["missing"] if gap["code"] == "acts-by-year"]
    assert "urn:lex:br:federal:medida.provisoria:2015;99903" in years["about"]


def test_acts_known_by_year_are_looked_up(got: Got) -> None:
    detail = DETAIL[: DETAIL.index(b"<vides>")] + b"</documento></documentos></DetalheDocumento>"
    measure = (
        "<ListaDocumento><documentos><documento id='7'><normaNome>Medida Provisória nº 99.903 de 10/06/2015</normaNome>"
        "<dataassinatura>10/06/2015</dataassinatura></documento></documentos></ListaDocumento>"
    )
    asked = "/senado/lista?tipo=MPV&numero=99903&ano=2015"
    instead = {"/senado/9990100": Reply(detail), asked: Reply(measure)}
    _, before, targets = got(instead=instead)
    assert asked not in targets
    _, after, _ = got("--acts", "--max-age", "0", instead=instead)
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
def test_failing_source_does_not_block_the_others(got: Got, answer: ScriptedAnswer, fault: str) -> None:
    code, document, _ = got(instead={"/senado/9990100": answer})
    assert code == 3
    assert ("fault", "senado", fault) in missing(document)
    assert document["name"] == LAW  # read from the page
    assert sources_of(document) == ["normas", "senado", "planalto"]
    assert document["loaded"]["loaded"] == 3  # normas, the list of the Senate, the page


ECHO = json.dumps({"@context": "https://schema.org", "@type": "Legislation", "@id": f"https://x/?urn={LAW}"})


@pytest.mark.parametrize(
    ("answer", "gap"),
    [
        (Reply(ERROR_PAGE), "fault"),
        (Reply(b"no", 403), "fault"),
        (Reply(NORM.replace("99901", "99999")), "fault"),
        (Reply(ECHO), "not-known"),
    ],
)
def test_norm_that_normas_lacks_is_reported(got: Got, answer: ScriptedAnswer, gap: str) -> None:
    code, document, _ = got(instead={"/normas": answer})
    assert (code, [kind for kind, source, _ in missing(document) if source == "normas"]) == (3, [gap])


def test_alternative_and_moved_addresses_are_tried(got: Got) -> None:
    other, compiled = (
        PAGE.replace(b"99.901, DE 5 DE MAIO", b"99.999, DE 5 DE MAIO"),
        PATH.replace(".htm", "compilada.htm"),
    )
    instead: dict[str, ScriptedAnswer] = {
        PATH: Reply(b"", 404),
        PATH.replace("/l99901", "/L99901"): Reply(b"", 404),
        PATH.replace(".htm", "compilado.htm"): Reply(other),
        compiled: Reply(PAGE),
    }
    _, document, targets = got("--from", "planalto", instead=instead)
    assert targets == list(instead)
    assert document["fetched"][0]["url"].endswith("compilada.htm")
    moved = Reply(b"", 301, {"Location": "/planalto/moved.htm"})
    *_, targets = got("--from", "planalto", "--max-age", "0", instead={PATH: moved, "/planalto/moved.htm": Reply(PAGE)})
    assert targets == [PATH, "/planalto/moved.htm"]


def test_explicit_url_of_a_page_is_fetched(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with served(monkeypatch, {"/planalto/odd.htm": Reply(PAGE)}) as server:
        base = server.url.removesuffix("/oai")
        get("--url", f"{base}/planalto/odd.htm", "--from", "planalto", "--json")
        assert [request.target for request in server.asked] == ["/planalto/odd.htm"]
        assert json.loads(capsys.readouterr().out)["name"] == LAW
        assert get("--url", f"{base}/planalto/odd.htm", text="Lei 99.902/2012") == 4  # another norm: not loaded
    assert "urn:lex:br:federal:lei:2012;99902" in capsys.readouterr().err


def test_unknown_norms_and_unreachable_hosts_are_reported(
    got: Got, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Reply(b"<ListaDocumento><documentos/></ListaDocumento>")
    code, document, _ = got(text="Lei 99.999/2010", instead={"/senado/lista": nothing})
    assert (code, {gap[0] for gap in missing(document)}) == (1, {"not-known"})
    with served(monkeypatch):
        assert main(["--store", "s", "get", LAW, "Lei 99.998/2010", "--politeness", "0", "--json"]) == 3
    names = [each["name"] for each in json.loads(capsys.readouterr().out)]
    assert names == [LAW, "urn:lex:br:federal:lei:2010;99998"]
    for source in ("normas", "senado", "planalto"):
        monkeypatch.setenv(f"VIGENTE_{source.upper()}_URL", "http://127.0.0.1:9")
    assert get(text="Lei 99.997/2010") == 4


def test_invalid_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for more in (
        ["--from", "nobody"],
        ["--from", ""],
        ["--url", "ftp://x/y"],
        ["--url", "http://127.0.0.1:9/x", "--from", "normas"],
    ):
        assert get(*more) == 2
        assert not Path("s").exists()
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


@pytest.mark.parametrize(("name", "path"), values("getting", "planalto_paths_of_norms"))
def test_planalto_paths_of_norms(name: str, path: str) -> None:
    paths = planalto_paths(parse(f"urn:lex:br:federal:{name}"))
    assert paths[0] == path
    assert len(paths) <= MOST
    assert len(set(paths)) == len(paths)
    for other in ("br;sao.paulo:estadual:lei:2001-01-02;99901", "br:senado.federal:resolucao:2001-01-02;99901"):
        assert planalto_paths(parse(f"urn:lex:{other}")) == ()
