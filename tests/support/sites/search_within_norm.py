"""The store of the cases of pages: search within norm."""

from __future__ import annotations

from pathlib import Path

from service.cli import main

LAW = "urn:lex:br:federal:lei:2010-05-05;99901"
ARTICLES = 60


def _law(last: int = ARTICLES) -> str:
    """Return a fictional law as Planalto publishes laws: articles with the same word up to the last, in one title."""
    articles = "".join(
        f'<p><a name="art{number}"></a>Art. {number}{"º" if number < 10 else "."} A clepsidra é pública.</p>'
        for number in range(2, last + 1)
    )
    return (
        "<html><head><title>L99901</title></head><body>"
        '<p align="CENTER"><a href="http://legislacao.planalto.gov.br/legisla/legislacao.nsf/Viw_Identificacao/'
        'lei%2099.901-2010?OpenDocument">LEI Nº 99.901, DE 5 DE MAIO DE 2010.</a></p>'
        '<p><font color="#800000">Lei fictícia, que serve de exemplo.</font></p>'
        "<p>O PRESIDENTE DA REPÚBLICA Faço saber que o Congresso Nacional decreta e eu sanciono a seguinte Lei:</p>"
        '<p align="center">TÍTULO I<br>DAS AMPULHETAS</p>'
        '<p><a name="art1"></a>Art. 1º Esta Lei entra em vigor na data de sua publicação.</p>'
        f"{articles}"
        "<p>Brasília, 5 de maio de 2010; 189º da Independência e 122º da República.</p>"
        '<p><font color="#FF0000">Este texto não substitui o publicado no DOU de 6.5.2010</font></p></body></html>'
    )


def build(folder: Path) -> Path:
    """Make a store of search_within_norm."""
    (folder / "L99901.htm").write_text(_law(), encoding="cp1252")
    store = folder / "store"
    assert main(["--store", str(store), "demo", "--json"]) == 0
    assert main(["--store", str(store), "load", str(folder / "L99901.htm")]) == 0
    return store


def many(folder: Path) -> Path:
    """Make a store of thirty fictional laws with two articles with the same word."""
    law = _law(last=3)
    for number in range(1, 31):
        text = law.replace("99.901", f"99.9{number:02}").replace("L99901", f"L999{number:02}")
        (folder / f"L999{number:02}.htm").write_text(text, encoding="cp1252")
    store = folder / "store"
    assert main(["--store", str(store), "load", *map(str, sorted(folder.glob("*.htm")))]) == 0
    return store
