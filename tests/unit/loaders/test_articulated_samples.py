"""Tests that real LexML XML documents are identical after rendering to plain text and structuring again."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from graph.entities import Provision, Record
from loaders.articulated.lexml import current_wordings
from loaders.articulated.lines import lines_of_text
from loaders.articulated.quotations import is_row_of_dots
from loaders.articulated.tree import structure_lines
from loaders.documents import SourceDocument, walk
from loaders.sources.format import ReadOptions
from loaders.sources.lexml_xml import LEXML_XML

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "lexml-xml"
_GROUPS = frozenset({"Parte", "Livro", "Titulo", "Capitulo", "Secao", "Subsecao"})
_DOTS = "...................."


def provisions(path: Path) -> list[Provision]:
    documents = [document for document in walk([path]) if isinstance(document, SourceDocument)]
    records = [record for record in LEXML_XML.read(documents[0], ReadOptions()) if isinstance(record, Record)]
    return sorted(records[0].provisions, key=lambda provision: provision.order)


def printed(path: Path, provisions: list[Provision]) -> str:
    """Return the document as printed: a line for each provision, the caput on the line of its article's label."""
    elements = {
        str(element.get("id")).lower(): element
        for element in etree.parse(path).getroot().iter("{*}*")
        if element.get("id")
    }
    lines: list[str] = []
    article = ""
    for provision in provisions:
        wording, element = provision.wordings[-1], elements.get(provision.fragment)
        kind = "" if element is None else etree.QName(element).localname
        opens = "“" if element is not None and element.get("abreAspas") else ""
        mark = None if element is None else element.get("notaAlteracao")
        closes = "" if element is None or not element.get("fechaAspas") else f"” ({mark})" if mark else "”"
        text = wording.text or (_DOTS if kind == "Omissis" or wording.situation == "omissis" else "")
        if kind == "Artigo":
            if wording.heading:
                lines.append(f"{opens}{wording.heading}")
            article = f"{'' if wording.heading else opens}{wording.label} "
        elif kind in _GROUPS:
            lines += [f"{opens}{wording.label}", f"{wording.heading or ''}{closes}"]
        elif kind != "Alteracao":
            label = article if kind == "Caput" else f"{opens}{wording.label or ''} "
            lines += f"{label}{text}{closes}".strip().split("\n")
    return "\n".join(lines)


def _without_rows(words: str | None) -> str | None:
    return None if is_row_of_dots(words or "") else words


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples of real documents are not here")
def test_sample_documents_round_trip() -> None:
    """Check all but four: three have quotations without marks or closed twice, one breaks a line within words."""
    same, others = 0, []
    for path in sorted(SAMPLES.glob("*.xml")):
        document_provisions = provisions(path)
        read = structure_lines(lines_of_text(printed(path, document_provisions)))
        now, _ = current_wordings(read.provisions)
        expected = {
            provision.fragment: (provision.wordings[-1].label, _without_rows(provision.wordings[-1].text))
            for provision in document_provisions
            if provision.wordings
        }
        actual = {occurrence.id: (occurrence.label, occurrence.text) for occurrence in now}
        expected = {key: value for key, value in expected.items() if key != "preambulo" or value[1]}
        if actual == expected and not read.not_placed:
            same += 1
        else:
            others.append(path.name)
    assert same >= 57, others
