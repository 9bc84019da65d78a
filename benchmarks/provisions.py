"""Benchmark of documents in LexML XML: provisions loaded a second, and the time of a text and of an answer.

Run ``python -m benchmarks.provisions`` (``--documents 10 40``). Each document is a fictional code of 2,000 provisions.
Each stage runs in a separate process, so that its peak memory can be measured. The peak
depends only on the largest document, so it must be the same at every size. Between machines, compare the ratio to the
bare engine in the same run, and the growth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

import pyoxigraph as ox

from benchmarks.figures import record_figures
from benchmarks.stages import measured
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store.folder import QUARANTINE
from loaders.pipeline import load
from queries.in_force import in_force
from queries.text.text import text

_SIZES = (10, 40)
_ARTICLES = 400
_QUESTIONS = 30
_QUADS = 10_000
_ON = "2005-01-01"


def law(number: int) -> str:
    """Return the name of a fictional law."""
    return f"urn:lex:br:federal:lei:2001-03-05;{99_901 + number}"


def document(number: int) -> str:
    """Return a law of 2,000 provisions: articles of a caput, two items and a paragraph; one caput in ten is amended."""
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{law(number)}@2001-06-01;publicacao;2001-03-06"/><CicloDeVida>'
        '<Evento id="p" data="2001-03-06"><Publicacao/></Evento>'
        '<Evento id="v" data="2001-06-01"><EntradaEmVigor/></Evento>'
        '<Evento id="a" data="2003-02-01"><AlteracaoFragmento><ModificacaoTextual/></AlteracaoFragmento></Evento>'
        f"</CicloDeVida></Metadado><Norma><Articulacao>{''.join(_articles())}</Articulacao></Norma></LexML>"
    )


def _articles() -> Iterator[str]:
    words = "Este dispositivo fictício trata de uma matéria fictícia, nos termos que ele mesmo diz, "
    for article in range(1, _ARTICLES + 1):
        amended = article % 10 == 0
        caput = f"<p>{words}e tem o número {article}:</p>"
        items = "".join(
            f'<Inciso id="art{article}_cpt_inc{item}"><Rotulo>{item} –</Rotulo><p>{words}item {item};</p></Inciso>'
            for item in (1, 2)
        )
        ends = ' eventoFinal="#a"' if amended else ""
        yield f'<Artigo id="art{article}"><Rotulo>Art. {article}.</Rotulo><Caput id="art{article}_cpt"{ends}>{caput}'
        yield f"{items}</Caput>"
        if amended:
            yield f'<Caput id="art{article}_cpt" eventoInicial="#a"><p>{words}e foi alterado.</p></Caput>'
        yield f'<Paragrafo id="art{article}_par1u"><Rotulo>Parágrafo único.</Rotulo><p>{words}</p></Paragrafo></Artigo>'


def load_documents(count: int, folder: Path) -> dict[str, float]:
    """Load the documents into a store on disk, and derive the periods."""
    pages = folder / "documents"
    pages.mkdir()
    for number in range(count):
        (pages / f"{number:05d}.xml").write_text(document(number), "utf-8")
    where = folder / "store"
    began = time.perf_counter()
    with stores.open_for_writing(where, create=True) as store:
        summary = load([pages], store, Quarantine(where / QUARANTINE))
        spent = time.perf_counter() - began
        quads = len(store)
    provisions = summary.loaded * 5 * _ARTICLES
    return {"provisions": provisions, "provisions/s": provisions / spent, "quads/s": quads / spent}


def bare_engine(count: int, folder: Path) -> dict[str, float]:
    """Write the same quads with the engine alone, in transactions: the reference for loading."""
    with stores.open(folder / "store") as store:
        quads = [str(quad) for quad in islice(store.engine.quads_for_pattern(None, None, None, None), 1_000_000)]
        quad_count = len(store)
    engine = ox.Store(str(folder / "bare"))
    began = time.perf_counter()
    for start in range(0, len(quads), _QUADS):
        engine.load((" .\n".join(quads[start : start + _QUADS]) + " .\n").encode(), ox.RdfFormat.N_QUADS)
    rate = len(quads) / (time.perf_counter() - began)
    return {"quads/s": rate, "provisions/s": rate * count * 5 * _ARTICLES / quad_count}


def ask(count: int, folder: Path) -> dict[str, float]:
    """Return medians for the text of a law, and for provisions in force without and with their own events."""
    with stores.open(folder / "store") as store:
        laws = [law(number % count) for number in range(_QUESTIONS)]
        return {
            "text of 2,000, median ms": _each(lambda index: text(store, laws[index], _ON)),
            "provision without own events, ms": _each(
                lambda index: in_force(store, f"{laws[index]}!art{index + 1}_cpt_inc1", _ON)
            ),
            "provision with own events, ms": _each(
                lambda index: in_force(store, f"{laws[index]}!art{index + 1}0_cpt", _ON)
            ),
        }


def _each(question: Callable[[int], object]) -> float:
    spent = []
    for index in range(_QUESTIONS):
        began = time.perf_counter()
        question(index)
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


_STAGES = (load_documents, bare_engine, ask)


def main() -> None:
    """Print every figure at every size, and how each grows from the smallest size to the largest."""
    figures_by_size = measured("benchmarks.provisions", __doc__, "documents", _SIZES, _STAGES)
    if figures_by_size is None:
        return
    sizes = list(figures_by_size)
    first, last = figures_by_size[sizes[0]], figures_by_size[sizes[-1]]
    for stage, figures in first.items():
        for figure in figures:
            cells = "".join(f"{figures_by_size[size][stage][figure]:>14,.1f}" for size in sizes)
            print(f"{stage:16}{figure:28}{cells}{last[stage][figure] / figures[figure]:>10.2f}")
    for size in sizes:
        loading, engine = (
            figures_by_size[size]["load_documents"]["quads/s"],
            figures_by_size[size]["bare_engine"]["quads/s"],
        )
        print(f"{size} documents: loading at {loading / engine:.2f} of the bare engine")
        record_figures(size, "ratio", {"load to bare engine": loading / engine})


if __name__ == "__main__":
    main()
