"""Tests of provisions that a text has and that are not in force, or have no effect: their marks in every format."""

from __future__ import annotations

import pytest

from graph.time.kinds import ENDED, Status
from queries.notices import ProvisionsMarked
from queries.text.text import text
from service.render.answers import status_text
from service.render.texts import text_html, text_lines, text_xml
from service.web.text_layout import blocks_of
from tests.support.cases import constant
from tests.support.law_parts import LATE, LAW, article, fact, part, words
from tests.support.law_parts import law as law_of

#: The situation that the document states, its printed words, an event of a fact, and the mark.
MARKED = constant("marks", "marked")


@pytest.mark.parametrize("case", MARKED)
@pytest.mark.parametrize("fragment", ["art1", "art1_par1"])
def test_every_format_marks_a_provision_without_force(case: str, fragment: str) -> None:
    situation, printed, event, marked = MARKED[case]
    of_article, of_paragraph = (
        f' situacao="{situation}"' if situation and fragment == name else "" for name in ("art1", "art1_par1")
    )
    body = (
        f'<Artigo id="art1"{of_article}><Rotulo>Art. 1º</Rotulo>'
        + part("Caput", "art1_cpt", words(printed or "Um."))
        + f'<Paragrafo id="art1_par1"{of_paragraph}><Rotulo>§ 1º</Rotulo>{words(printed or "Dois.")}</Paragrafo>'
        + "</Artigo>"
        + article(2, "<Rotulo>Art. 2º</Rotulo>" + part("Caput", "art2_cpt", words("Três.")))
    )
    facts = [fact(event, "2001-12-01", fragment)] if event else []
    answer = text(law_of("", body, *facts, name=f"{LAW}@2001-06-01;publicacao;2001-03-06"), LAW, "2002-01-01", LATE)
    notices = [notice for notice in answer.notices if isinstance(notice, ProvisionsMarked)]
    html, xml = text_html(answer), text_xml(answer)
    if marked is None:
        assert notices == []
        assert not any(f"({word})" in html for word in ("revogado", "suspenso", "vetado", "superado"))
        return
    first = {name.partition("!")[2] for notice in notices for name in notice.provisions}
    assert ({notice.situation for notice in notices}, fragment in first) == ({marked}, True)
    assert "art2" not in first
    lines = [line.strip() for line in text_lines(answer)]
    own = next(line for line in lines if line.startswith("Art. 1º" if fragment == "art1" else "§ 1º"))
    assert f"({marked})" in own or lines[lines.index(own) + 1] == f"({marked})"
    assert f"({marked})</p>" in next(line for line in html.splitlines() if f'id="{fragment}"' in line)
    assert f'id="{fragment}" situacao="{marked}"' in xml
    if not event:
        assert next(p for p in answer.provisions if p.name.endswith(fragment)).situation == marked
        (block,) = [block for block in blocks_of(answer.provisions) if fragment in block.fragments]
        assert block.situation_noted == marked


def test_every_ending_has_a_label() -> None:
    assert {Status.CONVERTED, Status.VETOED} <= set(ENDED)
    assert len({status_text(status) for status in Status}) == len(Status)
