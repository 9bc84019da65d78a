"""Benchmark of pages: processor time of the first view of each, in a small and in a large store.

Run ``python -m benchmarks.pages`` (``--norms 500 5000``). The store has that many fictional laws of twenty articles
and four of 2,000. A law is amended by the next one, and each article cites another. One server answers. The figure is
the processor time of all its processes for one request, the median over norms that were not requested before. A figure
that is higher for the larger store depends on the size of the store.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from urllib.parse import quote

import httpx

from benchmarks.serving import serving
from benchmarks.stages import measured, print_figures
from graph import store as stores
from graph.process import available
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load

_SIZES = (500, 5000)
_SMALL, _LARGE = 20, 2000
#: The number of large laws in the store, and the number of small laws that are requested.
_LARGE_LAWS, _ASKED = 4, 6
_TICK = os.sysconf("SC_CLK_TCK")


def law(number: int) -> str:
    """Return the name of a fictional law."""
    return f"urn:lex:br:federal:lei:{1990 + number % 30}-03-05;{99_901 + number}"


def document(number: int, articles: int) -> str:
    """Return a law in LexML XML that the next law amended; one article in ten was amended."""
    year = 1990 + number % 30
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{law(number)}@{year}-06-01;publicacao;{year}-03-06"/><CicloDeVida>'
        f'<Evento id="p" data="{year}-03-06"><Publicacao/></Evento>'
        f'<Evento id="v" data="{year}-06-01"><EntradaEmVigor/></Evento>'
        f'<Evento id="a" data="{year + 1}-03-05" fonte="{law(number + 1)}"><AlteracaoFragmento><ModificacaoTextual/>'
        f"</AlteracaoFragmento></Evento></CicloDeVida></Metadado><Norma><ParteInicial>"
        f"<Epigrafe>Lei nº {99_901 + number}, de 5 de março de {year}</Epigrafe>"
        "<Ementa>Dispõe sobre matéria fictícia e dá outras providências.</Ementa>"
        f"</ParteInicial><Articulacao>{''.join(_articles(number, articles))}</Articulacao></Norma></LexML>"
    )


def _articles(number: int, articles: int) -> Iterator[str]:
    words = "Este dispositivo fictício trata de uma matéria fictícia, nos termos que ele mesmo diz"
    for article in range(1, articles + 1):
        amended = article % 10 == 0
        ends = ' eventoFinal="#a"' if amended else ""
        cited = f'<span xlink:href="{law(number // 2)}!art1">art. 1º da Lei nº {99_901 + number // 2}</span>'
        yield f'<Artigo id="art{article}"><Rotulo>Art. {article}.</Rotulo><Caput id="art{article}_cpt"{ends}>'
        yield f"<p>{words}, e do {cited}.</p></Caput>"
        if amended:
            yield f'<Caput id="art{article}_cpt" eventoInicial="#a"><p>{words}, e foi alterado.</p></Caput>'
        yield "</Artigo>"


def make_store(count: int, folder: Path) -> dict[str, float]:
    """Load the laws."""
    documents = folder / "documents"
    documents.mkdir()
    for number in range(count + _LARGE_LAWS):
        articles = _SMALL if number < count else _LARGE
        (documents / f"{number:05d}.xml").write_text(document(number, articles), "utf-8")
    where = folder / "store"
    with stores.open_for_writing(where, create=True) as store:
        summary = load([documents], store, Quarantine(where / QUARANTINE), workers=available())
        if summary.refused or summary.loaded != count + _LARGE_LAWS:
            raise RuntimeError(f"expected every law to be loaded, got {summary}")
        return {"quads": len(store)}


def first_views(count: int, folder: Path) -> dict[str, float]:
    """Return the median processor time of each page, in milliseconds, for norms that were not requested before."""
    small = [law(7 + (count - 20) // _ASKED * index) for index in range(_ASKED)]
    large = [law(count + index) for index in range(_LARGE_LAWS)]
    with serving(folder / "store") as address, httpx.Client(base_url=address, timeout=120) as client:
        (server,) = _children()[os.getpid()]
        pages = {
            "small law": [f"/{quote(name, safe=':;')}" for name in small],
            "2,000 articles": [f"/{quote(name, safe=':;')}" for name in large],
            "article": [f"/{quote(name, safe=':;')}!art10" for name in large],
            "whole text of 2,000": [f"/text/{quote(name, safe=':;')}" for name in large],
            "timeline": [f"/timeline/{quote(name, safe=':;')}" for name in small],
            "home": ["/?lang=en", "/", "/"],
            "recent": ["/recent", "/recent?lang=en", "/recent"],
            "search": ["/search?q=providências", "/search?q=materia", "/search?q=ficticia"],
        }
        client.get(f"/{quote(law(3), safe=':;')}", headers={"Accept": "text/html"})
        medians = {}
        for name, paths in pages.items():
            medians[f"{name}, ms"] = median(_spent(client, server, paths))
        return medians


def _spent(client: httpx.Client, server: int, paths: Sequence[str]) -> Iterator[float]:
    for path in paths:
        before = _processor_time(server)
        answer = client.get(path, headers={"Accept": "text/html"}, follow_redirects=True)
        answer.raise_for_status()
        yield (_processor_time(server) - before) * 1000 / _TICK


def _processor_time(server: int) -> int:
    """Return the clock ticks used by a process and all its descendants."""
    children, ticks, left = _children(), 0, [server]
    while left:
        pid = left.pop()
        left.extend(children.get(pid, ()))
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))  # its own time and that of its children that ended
    return ticks


def _children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text("ascii").rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    return children


def main() -> None:
    """Print every figure at every size."""
    figures_by_size = measured("benchmarks.pages", __doc__, "norms", _SIZES, (make_store, first_views))
    if figures_by_size is not None:
        print_figures(figures_by_size)


if __name__ == "__main__":
    main()
