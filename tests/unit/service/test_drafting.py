"""The rules of drafting on texts: what each rule finds, beside the correct form. The norms are fictional."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.urn import parse
from graph.wording.drafting import scheme_of
from tests.support.commands import Run

TITLE = "LEI Nº 99.950, DE 5 DE MARÇO DE 2001\n\n"
SUMMARY = "Dispõe sobre relógios fictícios.\n\n"
DECREES = "O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:\n\n"
FORCE = "Esta Lei entra em vigor na data de sua publicação."
END = "\n\nBrasília, 5 de março de 2001.\n"
#: Articles, and the findings on them: rule and provision.
CASES: list[tuple[str, list[tuple[str, str | None]]]] = [
    (f"Art. 1º Um.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\nArt. 3º {FORCE}", [("numbering-gap", "art3")]),
    (f"Art. 1º Um.\nArt. 1º-A. Um.\nArt. 1º-B. Um.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\nArt. 1º-B. Um.\nArt. 2º {FORCE}", [("numbering-gap", "art1-2")]),
    (f"Art. 1º Um:\nI - a;\nII - b;\nII - c.\nArt. 2º {FORCE}", [("numbering-repeat", "art1_cpt_inc2")]),
    (f"Art. 1º Um:\nI - a;\nIII - c.\nArt. 2º {FORCE}", [("numbering-gap", "art1_cpt_inc3")]),
    (f"Art. 1º Um.\n§ 1º Dois.\nParágrafo único. Três.\nArt. 2º {FORCE}", [("sole-paragraph", "art1_par1u")]),
    (f"Art. 1º Um.\nParágrafo único. Três.\nArt. 2º {FORCE}", []),
    (f"Art. 1º Um.\n§ 1º Dois:\na) três.\nArt. 2º {FORCE}", [("wrong-parent", "art1_par1_ali1")]),
    (f"Art. 1º Um.\n§ 1º Dois:\nI - três:\na) quatro:\n1. cinco.\nArt. 2º {FORCE}", []),
    (f"CAPÍTULO I\nDO TEMPO\nSeção I\nDas Horas\nArt. 1º Um.\nArt. 2º {FORCE}", []),
    (f"TÍTULO I\nDO TEMPO\nSeção I\nDas Horas\nArt. 1º Um.\nArt. 2º {FORCE}", [("grouping-order", "tit1_sec1")]),
    (f"Art. 1 Um.\nArt. 2º {FORCE}", [("ordinal-number", "art1")]),
    (f"Art. 1° Um.\nArt. 2o {FORCE}", [("label-sign", "art1"), ("label-sign", "art2")]),
    ("".join(f"Art. {n}º Um.\n" for n in range(1, 10)) + f"Art. 10. {FORCE}", []),
    ("".join(f"Art. {n}º Um.\n" for n in range(1, 10)) + f"Art. 10º {FORCE}", [("ordinal-number", "art10")]),
    (f"Art. 1º Um:\nI – a;\nII - b.\nArt. 2º {FORCE}", [("label-sign", "art1_cpt_inc1")]),
    ("Art. 1º Um.\nArt. 2º Dois.", [("no-force-clause", None)]),
    (f"Art. 1º {FORCE}\nArt. 2º Revogam-se as disposições em contrário.", [("revocation-unnamed", "art2_cpt")]),
    (f"Art. 1º {FORCE}\nArt. 2º Fica revogada a Lei nº 99.951, de 1º de março de 2000.", []),
    (
        'Art. 1º O art. 4º passa a vigorar com a seguinte redação:\n"Art. 4º Novo texto." (NR)\n' + f"Art. 2º {FORCE}",
        [("amends-unnamed", "art1_cpt")],
    ),
    (f'Art. 1º O art. 4º da Lei nº 99.951, de 2000, passa a vigorar:\n"Art. 4º Novo." (NR)\nArt. 2º {FORCE}', []),
]  # fmt: skip


def test_rule_finds_what_does_not_follow_it(run: Run, tmp_path: Path) -> None:
    """Check each rule, missing parts of an act, and an older act, which follows the flexible scheme."""
    texts = [(TITLE + SUMMARY + DECREES + articles + END, "lc-95-1998", expected) for articles, expected in CASES]
    older = f"{TITLE.replace('2001', '1990')}Art. 1. Um:\na) dois.\nArt. 3º {FORCE}"
    texts += [
        (f"{TITLE}{DECREES}Art. 1º {FORCE}", "lc-95-1998", [("no-summary", None), ("no-closing", None)]),
        (older, "flexivel", [("numbering-gap", "art3")]),
    ]
    for text, scheme, expected in texts:
        (tmp_path / "act.txt").write_text(text, encoding="utf-8")
        document = run("structure act.txt --validate --json", code=3 if expected else 0).json
        found = [(row["rule"], row["provision"]) for row in document["findings"]]
        assert (document["scheme"], found) == (scheme, expected), text
        assert all(row["source"] and row["message"] and row["fix"] for row in document["findings"])


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("urn:lex:br:federal:lei:1998-05-27;99901", "flexivel"),
        ("urn:lex:br:federal:lei:1998-05-28;99901", "lc-95-1998"),
        ("urn:lex:br;estado.ficticio:estadual:lei:2001-05-31;99901", "lc-95-1998"),
        ("urn:lex:br;estado.ficticio:estadual:lei:2001-06-01;99901", "ficticia-99901"),
        ("urn:lex:br;estado.ficticio;alfa:municipal:lei:2001-06-01;99901", "ficticia-99901"),
        ("urn:lex:br;sao.paulo:estadual:lei:2001-06-01;99901", "lc-95-1998"),
    ],
)
def test_scheme_of_a_norm_follows_its_place_and_day(name: str, code: str) -> None:
    assert scheme_of(parse(name)).code == code
