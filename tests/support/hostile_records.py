"""Records of a hostile provider: scripts, markup, unusual URLs, and characters that reverse the direction of text."""

from __future__ import annotations

from collections.abc import Iterable

from graph.entities import Item, ItemKind, Record
from graph.terms import Text
from tests.support.records import record

#: A fictional norm for which every text of the source is hostile.
HOSTILE = "urn:lex:br:federal:lei:2001-03-05;99951"
_MARK = "\u202e"
#: Epigraph, nickname, summary and index term.
TEXTS = (
    "</script><script>window.hostile = 1</script>",
    '"><img src=x onerror="window.hostile = 2">{{ 7 * 7 }}',
    f"{_MARK}revogada</title><svg onload=window.hostile=3>\u2066\x85",
    "<style>body { display: none }</style><iframe src='//elsewhere.example'></iframe>",
)
_ADDRESSES = (
    "javascript:window.hostile = 4",
    "JaVaScRiPt:window.hostile=5",
    "data:text/html,<script>window.hostile = 6</script>",
    "//elsewhere.example/x",
    "https://a@elsewhere.example/",
    'https://elsewhere.example/"onmouseover="window.hostile=7',
    "vbscript:x",
)


def hostile_records() -> Iterable[Record]:
    """Yield the records; ``record`` is the fixture of that name."""
    epigraph, nickname, summary, term = TEXTS
    for day in ("2001-03-06;publicacao;2001-03-06", "2002-01-01;alteracao;2002-01-01"):
        yield record(
            f"{HOSTILE}@{day}",
            key=f"<b>{_MARK}oai:{day}</b><script>window.hostile = 8</script>",
            provider="https://elsewhere.example/<script>window.hostile=9</script>",
            items=tuple(
                Item(address, 'text/html"><script>window.hostile=10</script>', ItemKind.CONTENT, "1", 1)
                for address in _ADDRESSES
            ),
            epigraphs=(Text(epigraph),),
            nicknames=(Text(nickname),),
            summaries=(Text(summary),),
            index_terms=(Text(term),),
        )
