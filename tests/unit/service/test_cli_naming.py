"""Tests of commands without a store: labels, epigraphs, citations; from arguments and from standard input."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from service.cli import main
from service.cli.naming import LARGEST_TEXT

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function: ``run(argument..., given=b"")`` returns exit code, stdout and stderr.

    It runs in a folder without a store.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VIGENTE_STORE", raising=False)

    def call(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = main(arguments)
        printed = capsys.readouterr()
        assert not list(tmp_path.iterdir())
        return code, printed.out, printed.err

    return call


def test_name_label_prints_the_label(run: Run) -> None:
    label = "inciso VIII do caput do art. 6º da Lei nº 8.078, de 11 de setembro de 1990"
    assert run("name", "label", f"{CODE}!art6_cpt_inc8") == (0, f"{label}\n", "")
    code, out, _ = run("name", "label", f"{CODE}!art6_cpt_inc8", "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "asked": f"{CODE}!art6_cpt_inc8",
            "canonical": f"{CODE}!art6_cpt_inc8",
            "label": label,
            "label_en": "item VIII of the head of art. 6 of Law No. 8,078 of 11 September 1990",
            "provision": {
                "name": "inciso VIII do caput do art. 6º",
                "compact": "art. 6º, inciso VIII",
                "rotulo": "VIII –",
            },
        },
    )
    code, out, _ = run("name", "label", CODE, "--json")
    assert (code, json.loads(out)["provision"]) == (0, None)


def test_name_label_accepts_provision_identifiers_alone(run: Run) -> None:
    assert run("name", "label", "art5_cpt_inc11") == (0, "inciso XI do caput do art. 5º\n", "")
    code, out, _ = run("name", "label", "tit1_cap4", "--context", "tit1_cap5_art36", "--json")
    assert (code, json.loads(out)["provision"]["compact"]) == (0, "Capítulo IV deste título")
    code, out, _ = run("name", "label", "art1,art2,anx1_art3", "--json")
    assert json.loads(out)["provision"]["compact"] == "arts. 1º e 2º e art. 3º do Anexo I"
    assert json.loads(out)["label_en"] == "art. 1, art. 2 and art. 3 of annex I"


def test_name_label_prints_long_numbers_in_full(run: Run) -> None:
    assert run("name", "label", "art9999999999999999999999")[1] == "art. 9.999.999.999.999.999.999.999\n"
    assert run("name", "label", "art100000000_par2")[1] == "§ 2º do art. 100.000.000\n"
    assert run("name", "label", f"{CODE}!art100000000_par2")[1].startswith("§ 2º do art. 100.000.000 da Lei")


def test_name_from_epigraph_prints_the_name(run: Run) -> None:
    text = "LEI Nº 11.705, DE 19 DE JUNHO DE 2008"
    name = "urn:lex:br:federal:lei:2008-06-19;11705"
    assert run("name", "from-epigraph", text) == (0, f"{name}\n", "")
    code, out, _ = run("name", "from-epigraph", text, "--json")
    assert (code, json.loads(out)) == (0, {"asked": text, "name": name, "kind": "complex", "steps": []})
    code, out, _ = run("name", "from-epigraph", "Resolução nº 93, de 1970", "--authority", "SF", "--place", "br")
    assert (code, out) == (0, "urn:lex:br:senado.federal:resolucao:1970;93\n")
    code, out, err = run("name", "from-epigraph", "Lei Municipal nº 15, de 4 de abril de 2011")
    assert (code, out) == (2, "")
    assert "give it as a hint" in err


def test_cite_finds_citations(run: Run) -> None:
    text = "Nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990."
    code, out, _ = run("cite", text, "--json")
    (citation,) = json.loads(out)["citations"]
    assert (code, citation) == (
        0,
        {
            "text": "art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990",
            "start": 14,
            "end": 71,
            "name": f"{CODE}!art6_cpt_inc8",
            "kind": "fragment",
            "confidence": 1.0,
            "reason": None,
            "ends": [],
        },
    )
    code, out, _ = run("cite", text)
    assert (code, [word in out for word in ("14-71", CODE, "where")]) == (0, [True] * 3)
    assert run("cite", "nada") == (0, "no citation found\n", "")
    assert run("cite", "nada", "--json") == (0, '{\n  "citations": [],\n  "left_out": []\n}\n', "")
    assert "no-authority" in run("cite", "a Portaria nº 99.901/2001")[1]
    interval = ("cite", "arts. 6º a 10 da Lei nº 99.901/2001")
    (citation,) = json.loads(run(*interval, "--json")[1])["citations"]
    names = [each["name"].partition("!")[2] for each in (citation, *citation["ends"])]
    assert (names, run(*interval)[1].count("99901!")) == (["[art6,art10]", "art6", "art10"], 3)


def test_cite_reads_standard_input_with_a_context(run: Run) -> None:
    given = "o § 2º deste artigo, nos termos do Código Civil".encode()
    options = ("--norm", CODE, "--provision", "art6_par1", "--on", "2000-01-01", "--json")
    code, out, _ = run("cite", "-", *options, given=given)
    assert code == 0
    assert [citation["name"] for citation in json.loads(out)["citations"]] == [
        f"{CODE}!art6_par2",
        "urn:lex:br:federal:lei:1916-01-01;3071",
    ]


def test_cite_accepts_a_place(run: Run) -> None:
    code, out, _ = run("cite", "Lei Estadual nº 99.901/2007 e Lei nº 10.261/1968", "--place", "sp", "--json")
    assert code == 0
    assert [
        (citation["name"], citation["confidence"], citation["reason"]) for citation in json.loads(out)["citations"]
    ] == [
        ("urn:lex:br;sao.paulo:estadual:lei:2007;99901", 0.8, "its place comes from the context"),
        ("urn:lex:br;sao.paulo:estadual:lei:1968;10261", 0.5, "the place of the law comes from the context"),
    ]


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        (("cite", "x", "--place", "nowhere"), b"", "expected a place such as"),
        (("cite", "-"), b"\xff\xfe", "expected UTF-8, got byte 0xFF at 0"),
        (("cite", "-"), b"a" * (LARGEST_TEXT + 1), "expected at most 32 MiB of text, got more"),
        (("cite", "x", "--norm", "rubbish"), b"", "expected a name that starts with 'urn:lex:'"),
        (("cite", "x", "--on", "ontem"), b"", "--on"),
        (("name", "label", ""), b"", "got nothing"),
        (("name", "label", "foo"), b"", "expected a name"),
        (("cite", "x", "--provision", "art5"), b"", "expected --norm, the norm of the provision"),
        (("name", "label", "art5;art6"), b"", "expected a name"),
        (("name", "label", "art5_foo"), b"", "expected a name"),
        (("name", "label", "art5,"), b"", "expected a name"),
        (("name", "label", "art5", "--context", "nonsense"), b"", "expected --context to be the id of a provision"),
        (("cite", "x", "--norm", CODE, "--provision", "foo"), b"", "expected --provision to be the id of a provision"),
        (("cite", "x", "--norm", CODE, "--provision", ""), b"", "expected --provision to be the id of a provision"),
        (("name", "label", "Lei 1"), b"", "got white space"),
        (("name", "from-epigraph", ""), b"", "expected an epigraph"),
        (("name", "from-epigraph", "Lei nº 1, de 2001", "--place", "a b"), b"", "expected a place"),
        (("name", "from-epigraph", "Lei nº 1, de 2001", "--authority", "a:b"), b"", "expected an authority"),
    ],
)
def test_invalid_arguments_are_rejected(run: Run, arguments: tuple[str, ...], given: bytes, message: str) -> None:
    code, out, err = run(*arguments, given=given)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("given", [b"", b"\x00\x01", "\u202eabc\U0001f600 art. 5\u00ba".encode(), b"(" * 100_000])
def test_cite_accepts_any_text(run: Run, given: bytes) -> None:
    assert run("cite", "-", "--json", given=given) == (0, '{\n  "citations": [],\n  "left_out": []\n}\n', "")
