"""The store of the cases of pages: several provisions."""

from __future__ import annotations

from pathlib import Path

from service.cli import main

LAW = "urn:lex:br:federal:lei:2001-03-05;99917"
XML = (
    f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao '
    f'URN="{LAW}@2001-06-01;publicacao;2001-03-06"/></Metadado><Norma><Articulacao>'
    + "".join(
        f'<Artigo id="art{key}"><Rotulo>Art. {key}</Rotulo><Caput id="art{key}_cpt"><p>Texto {key}.</p>'
        f'<Inciso id="art{key}_cpt_inc1"><Rotulo>I -</Rotulo><p>um;</p></Inciso></Caput></Artigo>'
        for key in ("1", "2", "2-1", "3", "10")
    )
    + "</Articulacao></Norma></LexML>"
)


def build(folder: Path) -> Path:
    """Make a store of several_provisions."""
    (folder / "a.xml").write_text(XML, encoding="utf-8")
    assert main(["--store", str(folder / "store"), "load", str(folder / "a.xml")]) == 0
    return folder / "store"
