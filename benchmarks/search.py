"""Benchmark of full-text search: the index's share of a load, the time of a search, and its recall.

Run ``python -m benchmarks.search`` (``--versions 10000 100000``). It loads and publishes fictional laws of 80
provisions, in which one caput in four was amended. Their words are generated. If the environment variable
``VIGENTE_BENCH_TEXTS`` names a folder of HTML and XML files, the words are sentences from these files.

- ``load_laws``: the seconds of the load, and of indexing the terms and days of all words.
- ``ask``: recall of known items among the first ten norms, and the time of an answer. The query has words of one
  version, without accents, in singular for plural or the reverse, or as a phrase, on a day on which it applies. The
  same words are searched for on a day on which an amended version no longer applies. Each wording in an answer is
  compared with the words of that day.
- ``engines``: SQLite FTS5 and tantivy with the same terms: the time and size of the index, and the time of a search
  with counts and the best norms.
"""

from __future__ import annotations

import html
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from statistics import quantiles
from xml.sax.saxutils import escape

import tantivy

from benchmarks.stages import measured
from graph import store as stores
from graph.quarantine import Quarantine
from graph.store import Store
from graph.store.folder import QUARANTINE
from graph.wording.folding import STOP_WORDS, folded, terms
from loaders.pipeline import load
from queries.full_text import FullTextAnswer, ProvisionFound, SearchFilters, find, plain

_SIZES = (10_000, 100_000)
_ARTICLES, _AMENDED_EACH = 40, 4
_QUESTIONS = 300
#: The environment variable that names a folder of texts with sentences.
TEXTS = "VIGENTE_BENCH_TEXTS"
#: Endings of words with their plurals, and syllables for generated words.
_ENDINGS = (
    *(("ção", "ções"), ("al", "ais"), ("or", "ores"), ("o", "os"), ("a", "as"), ("ável", "áveis"), ("ência", "ências")),
    *(
        ("ário", "ários"),
        ("mento", "mentos"),
        ("dade", "dades"),
        ("eiro", "eiros"),
        ("ante", "antes"),
        ("ista", "istas"),
    ),
)
_SYLLABLES = [consonant + vowel for vowel in "aei" for consonant in "bcdfglmnprstv"]
_SMALL = ("de", "a", "o", "que", "e", "do", "da", "em", "um", "para", "com", "no", "na", "por", "os", "as", "dos", "ao")
_WORDS = 20_000


@cache
def _vocabulary() -> tuple[tuple[str, str], ...]:
    """Return words that look Portuguese, in singular and plural; the first are the most frequent."""
    drawn = Random("vocabulary")
    plurals: dict[str, str] = {}
    while len(plurals) < _WORDS:
        start = "".join(drawn.choices(_SYLLABLES, k=drawn.randint(2, 4)))
        singular, plural = drawn.choice(_ENDINGS)
        plurals.setdefault(start + singular, start + plural)
    return tuple(plurals.items())


@cache
def _sentences() -> tuple[str, ...]:
    """Return the sentences of the files in the folder of the environment variable, if it is set."""
    folder = os.environ.get(TEXTS)
    sentences: dict[str, None] = {}
    for path in sorted(Path(folder).rglob("*.[hx]tml")) + sorted(Path(folder).rglob("*.xml")) if folder else ():
        raw = path.read_bytes()
        text = raw.decode("utf-8") if raw.startswith((b"<?xml", b"\xef\xbb\xbf")) else raw.decode("latin-1")
        plain = html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</p>", "\n", text)))
        for piece in re.split(r"\n\s*\n|(?<=[;.])\s", plain):
            sentence = " ".join(piece.split())
            if 40 < len(sentence) < 600 and sentence.isprintable():
                sentences[sentence] = None
    return tuple(sentences)


def wording(seed: str) -> str:
    """Return the words of one version of a provision, about as long as those of real laws."""
    drawn = Random(seed)
    if sentences := _sentences():
        return " ".join(drawn.choice(sentences) for _ in range(drawn.randint(1, 3)))
    words = []
    for _ in range(drawn.randint(12, 45)):
        if drawn.random() < 0.4:
            words.append(drawn.choice(_SMALL))
        else:
            index = int(_WORDS ** drawn.random()) - 1  # frequencies follow Zipf's law
            words.append(_vocabulary()[index][drawn.random() < 0.3])
    return " ".join(words).capitalize() + "."


def law(number: int) -> str:
    """Return the name of a fictional law."""
    return f"urn:lex:br:federal:lei:{1991 + number % 30}-01-01;{99_901 + number}"


def document(number: int) -> str:
    """Return a law of 80 provisions: articles of a caput and a paragraph; one caput in four was amended once."""
    first = _first(number)
    last = _amended(number)
    return (
        '<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado>'
        f'<Identificacao URN="{law(number)}@{first};publicacao;{first}"/><CicloDeVida>'
        f'<Evento id="p" data="{first}"><Publicacao/></Evento>'
        f'<Evento id="v" data="{first}"><EntradaEmVigor/></Evento>'
        f'<Evento id="a" data="{last}"><AlteracaoFragmento><ModificacaoTextual/></AlteracaoFragmento></Evento>'
        f"</CicloDeVida></Metadado><Norma><Articulacao>{''.join(_articles(number))}</Articulacao></Norma></LexML>"
    )


def _first(number: int) -> date:
    return date(1991 + number % 30, 1, 2)


def _amended(number: int) -> date:
    return _first(number) + timedelta(days=400)


def _articles(number: int) -> Iterator[str]:
    for article in range(1, _ARTICLES + 1):
        amended = article % _AMENDED_EACH == 0
        ends = ' eventoFinal="#a"' if amended else ""
        yield f'<Artigo id="art{article}"><Rotulo>Art. {article}.</Rotulo>'
        yield f'<Caput id="art{article}_cpt"{ends}><p>{escape(wording(f"{number}/{article}"))}</p></Caput>'
        if amended:
            words = escape(wording(f"{number}/{article}/a"))
            yield f'<Caput id="art{article}_cpt" eventoInicial="#a"><p>{words}</p></Caput>'
        yield f'<Paragrafo id="art{article}_par1u"><Rotulo>Parágrafo único.</Rotulo>'
        yield f"<p>{escape(wording(f'{number}/{article}/p'))}</p></Paragrafo></Artigo>"


def _laws(versions: int) -> int:
    return max(1, versions // (2 * _ARTICLES + _ARTICLES // _AMENDED_EACH))


def load_laws(count: int, folder: Path) -> dict[str, float]:
    """Load and publish that many versions in a store on disk; then rebuild the full-text index (terms and days)."""
    pages = folder / "documents"
    pages.mkdir()
    for number in range(_laws(count)):
        (pages / f"{number:05d}.xml").write_text(document(number), "utf-8")
    where = folder / "store"
    began = time.perf_counter()
    with stores.open_for_writing(where, create=True) as store:
        load([pages], store, Quarantine(where / QUARANTINE))
    spent = time.perf_counter() - began
    with stores.open_for_writing(where) as store:
        began = time.perf_counter()
        store.names.remake_full_text()
        made = time.perf_counter() - began
    rows = sqlite3.connect(f"file:{where}/current/names.sqlite?mode=ro&immutable=1", uri=True)
    (versions,) = rows.execute("SELECT count(*) FROM words WHERE text > ''").fetchone()
    rows.close()
    return {"versions": versions, "seconds": spent, "terms and days, seconds": made, "share of the load": made / spent}


def ask(count: int, folder: Path) -> dict[str, float]:
    """Search for known items on their days and on other days."""
    spent: list[float] = []
    kinds: dict[str, list[bool]] = {kind: [] for kind in _WRITTEN}
    outside = shown = 0
    with stores.open(folder / "store") as store:
        drawn = Random("questions")
        find(store, "palavra")  # fills the caches
        for index in range(_QUESTIONS):
            kind = list(_WRITTEN)[index % len(_WRITTEN)]
            number, article = drawn.randrange(_laws(count)), drawn.randrange(1, _ARTICLES + 1)
            query = _WRITTEN[kind](wording(f"{number}/{article}"), drawn)
            on = _first(number) + timedelta(days=drawn.randrange(399))
            answer = _timed(store, query, on, spent)
            kinds[kind].append(any(result.name == law(number) for result in answer.results[:10]))
            other = _amended(number) + timedelta(days=5)
            for day, day_answer in ((on, answer), (other, _timed(store, query, other, spent))):
                provisions = [provision for norm in day_answer.results for provision in norm.provisions]
                shown += len(provisions)
                outside += sum(not _is_of(provision, day) for provision in provisions)
    marks = quantiles(spent, n=100)
    recalls = {f"recall@10, {kind}": sum(hits) / len(hits) for kind, hits in kinds.items()}
    figures = {"median ms": marks[49], "95 % ms": marks[94], "99 % ms": marks[98]}
    return {**figures, **recalls, "wordings shown": shown, "of another day": outside}


def _is_of(provision: ProvisionFound, day: date) -> bool:
    """Return whether an excerpt of a provision agrees with the generated words of a day."""
    match = re.fullmatch(r"[^;]+;([0-9]+)!art([0-9]+)(_cpt|_par1u|)", provision.name)
    if match is None:
        return False
    number, article, part = int(match[1]) - 99_901, int(match[2]), match[3]
    amended = article % _AMENDED_EACH == 0 and day >= _amended(number)
    seed = f"{number}/{article}" + ("/p" if part == "_par1u" else "/a" if amended else "")
    return day >= _first(number) and plain(provision.excerpt).strip("…") in " ".join(wording(seed).split())


def _timed(store: Store, query: str, on: date, spent: list[float]) -> FullTextAnswer:
    began = time.perf_counter()
    answer = find(store, query, SearchFilters(on=on))
    spent.append((time.perf_counter() - began) * 1000)
    return answer


def _consecutive_words(text: str, drawn: Random, count: int) -> list[str]:
    words = re.findall(r"\w+", text)
    significant = [word for word in words if len(word) > 4 and folded(word) not in STOP_WORDS] or words
    start = drawn.randrange(max(1, len(significant) - count + 1))
    return significant[start : start + count]


def _without_accents(text: str, drawn: Random) -> str:
    return folded(" ".join(_consecutive_words(text, drawn, 4)))


def _other_number(text: str, drawn: Random) -> str:
    return " ".join(map(_exchanged, _consecutive_words(text, drawn, 4)))


def _exchanged(word: str) -> str:
    """Return the plural of a word, or the singular of a plural, by the most frequent endings in laws."""
    for singular, plural in _ENDINGS:
        if word.endswith(plural):
            return word.removesuffix(plural) + singular
        if word.endswith(singular):
            return word.removesuffix(singular) + plural
    return word


def _phrase(text: str, drawn: Random) -> str:
    words = re.findall(r"\w+", text)
    start = drawn.randrange(max(1, len(words) - 4))
    return f'"{" ".join(words[start : start + 5])}"'


_WRITTEN: dict[str, Callable[[str, Random], str]] = {
    "accents": _without_accents,
    "number": _other_number,
    "phrases": _phrase,
}


def engines(count: int, folder: Path) -> dict[str, float]:
    """Compare both engines with the same terms; a search returns the best norms, their number, and counts by year."""
    texts = [wording(f"{number // 100}/{number % 100}") for number in range(count)]
    analysed = [" ".join(terms(text)) for text in texts]
    drawn = Random("engines")
    asked = [
        " ".join(terms(" ".join(_consecutive_words(drawn.choice(texts), drawn, drawn.randint(1, 3)))))
        for _ in range(_QUESTIONS)
    ]
    figures: dict[str, float] = {}
    for name, made in (
        ("FTS5", _fts5(folder / "fts5.sqlite", analysed)),
        ("tantivy", _tantivy(folder / "tantivy", analysed)),
    ):
        seconds, size, search = made
        spent = []
        for words in asked:
            began = time.perf_counter()
            search(words.split())
            spent.append((time.perf_counter() - began) * 1000)
        marks = quantiles(spent, n=100)
        figures |= {f"{name} index, seconds": seconds, f"{name} index, MiB": size / 2**20}
        figures |= {f"{name} search, median ms": marks[49], f"{name} search, 95 % ms": marks[94]}
    return figures


_Made = tuple[float, int, Callable[[Sequence[str]], object]]
_GROUPED = """
WITH hit AS MATERIALIZED (
    SELECT of.norm, of.year, bm25(terms) AS score FROM terms JOIN of ON of.id = terms.rowid WHERE terms MATCH ?
), each AS MATERIALIZED (SELECT norm, year, min(score) AS score FROM hit GROUP BY norm)
SELECT 0, norm, score FROM (SELECT * FROM each ORDER BY score LIMIT 20)
UNION ALL SELECT 1, year, count(*) FROM each GROUP BY year UNION ALL SELECT 2, 0, count(*) FROM each
"""


def _fts5(path: Path, texts: Sequence[str]) -> _Made:
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5(text, content = '')")
    connection.execute("CREATE TABLE of (id INTEGER PRIMARY KEY, norm INTEGER, year INTEGER)")
    began = time.perf_counter()
    connection.executemany("INSERT INTO terms (rowid, text) VALUES (?, ?)", enumerate(texts))
    connection.executemany(
        "INSERT INTO of VALUES (?, ?, ?)", ((n, n // 90, 1991 + n // 90 % 30) for n in range(len(texts)))
    )
    connection.commit()
    spent = time.perf_counter() - began

    def search(words: Sequence[str]) -> object:
        return connection.execute(_GROUPED, (" AND ".join(f'"{word}"' for word in words),)).fetchall()

    return spent, path.stat().st_size, search


def _tantivy(path: Path, texts: Sequence[str]) -> _Made:
    path.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace")
    builder.add_integer_field("norm", fast=True, stored=True)
    builder.add_integer_field("year", fast=True)
    schema = builder.build()
    index = tantivy.Index(schema, path=str(path))
    began = time.perf_counter()
    writer = index.writer(64 << 20, 1)
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(text=text, norm=number // 90, year=1991 + number // 90 % 30))
    writer.commit()
    writer.wait_merging_threads()
    spent = time.perf_counter() - began
    index.reload()
    searcher = index.searcher()
    counts = {"years": {"terms": {"field": "year"}}, "norms": {"cardinality": {"field": "norm"}}}

    def search(words: Sequence[str]) -> object:
        parts = [(tantivy.Occur.Must, tantivy.Query.term_query(schema, "text", word)) for word in words]
        query = tantivy.Query.boolean_query(parts)
        best = [searcher.doc(address) for _, address in searcher.search(query, 100).hits]
        return best, searcher.aggregate(query, counts)

    return spent, sum(file.stat().st_size for file in path.iterdir()), search


_STAGES = (load_laws, ask, engines)


def main() -> None:
    """Print every figure at every size."""
    figures_by_size = measured("benchmarks.search", __doc__, "versions", _SIZES, _STAGES)
    if figures_by_size is None:
        return
    sizes = list(figures_by_size)
    for stage, figures in figures_by_size[sizes[0]].items():
        for figure in figures:
            print(
                f"{stage:12}{figure:28}" + "".join(f"{figures_by_size[size][stage][figure]:>14,.2f}" for size in sizes)
            )


if __name__ == "__main__":
    main()
