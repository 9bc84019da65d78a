"""Tests of citations in running text: the words and names found, annotated bills, and malformed or huge input."""

from __future__ import annotations

import csv
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from graph.errors import BadName, BadParameter
from graph.urn import parse
from graph.wording.citations import Citation, Context, cite, cite_ends, read_citations
from graph.wording.nicknames import nicknames
from tests.support.cases import constant, tuples, values
from tests.support.rows import Row, full_name, rows

# Recall and precision of citations, compared with anchors and names that others annotated
# The annotation has faults, and three kinds are handled separately: resolutions of the Senate that are annotated as
# federal; anchors that cover only the norm although the words before it cite a provision of it; the only paragraph,
# which is annotated as the first one. A range counts by its ends. Every other difference counts as an error.


@dataclass(frozen=True)
class Anchor:
    """A half-open range of annotated words and its name; ``#FRAGMENT`` names a provision of the text's own norm."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class Text:
    """A paragraph with its anchors, its norm, and its provision in that norm."""

    text: str
    anchors: tuple[Anchor, ...]
    norm: str
    provision: str


@dataclass
class Score:
    """Counts over many texts.

    Attributes:
        met: the number of anchors that a citation of the same name overlaps.
        missed: the other anchors, each as the words and the name.
        right: the number of citations that overlap an anchor and have its name.
        wrong: citations that overlap an anchor and have another name, with what was expected.
        finer: the number of wrong citations that name a provision of the annotated norm.
        senate: the number of wrong citations that assign a resolution to the Senate where the annotation says federal.
        alone: citations that overlap no anchor.
    """

    met: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    right: int = 0
    wrong: list[tuple[Citation, str]] = field(default_factory=list)
    finer: int = 0
    senate: int = 0
    alone: list[Citation] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The recall; every difference counts as an error."""
        return self.met / (self.met + len(self.missed))

    @property
    def precision(self) -> float:
        """The precision; every difference counts as an error."""
        return self.right / (self.right + len(self.wrong))

    @property
    def recall_apart(self) -> float:
        """The recall without ``finer`` and ``senate``."""
        return self.met / (self.met + len(self.missed) - self.finer - self.senate)

    @property
    def precision_apart(self) -> float:
        """The precision without ``finer`` and ``senate``."""
        return self.right / (self.right + len(self.wrong) - self.finer - self.senate)

    def __str__(self) -> str:
        return (
            f"anchors {self.met + len(self.missed)}, recall {self.recall:.3f} ({self.recall_apart:.3f} apart), "
            f"precision {self.precision:.3f} ({self.precision_apart:.3f} apart), finer {self.finer}, "
            f"senate {self.senate}, alone {len(self.alone)}"
        )


def score(texts: Iterable[Text]) -> Score:
    """Return the score of all texts, each read with its context."""
    result = Score()
    for text in texts:
        norm = _norm(text.norm)
        cited = cite_ends(text.text, Context(norm=norm, provision=text.provision or None))
        work = str(parse(norm).work)
        named = [
            (anchor, _plain(f"{work}!{anchor.name[1:]}" if anchor.name[0] == "#" else anchor.name))
            for anchor in text.anchors
        ]
        for anchor, name in named:
            if any(_plain(overlap.name) == name for overlap in _sharing(cited, anchor)):
                result.met += 1
            else:
                result.missed.append((text.text[anchor.start : anchor.end], name))
        for citation in cited:
            names = [name for anchor, name in named if citation.start < anchor.end and anchor.start < citation.end]
            if not names:
                result.alone.append(citation)
            elif _plain(citation.name) in names:
                result.right += 1
            else:
                result.wrong.append((citation, names[0]))
                result.finer += _plain(citation.name).startswith(f"{names[0]}!")
                result.senate += citation.name.replace("senado.federal:resolucao", "federal:resolucao") in names
    return result


def anchor_of(text: str, words: str, name: str, norm: str, provision: str) -> Anchor:
    """Return the anchor of words that were annotated without their position.

    The words may occur several times. The result is the first occurrence with a citation of the name, else the first
    that overlaps a citation, else the first.
    """
    cited = cite_ends(text, Context(norm=_norm(norm), provision=provision or None))
    wanted = _plain(f"{parse(_norm(norm)).work}!{name[1:]}" if name[0] == "#" else name)
    places = [Anchor(match.start(), match.end(), name) for match in re.finditer(re.escape(words), text)]

    def rank(place: Anchor) -> int:
        overlapping = _sharing(cited, place)
        return 0 if any(_plain(citation.name) == wanted for citation in overlapping) else 1 if overlapping else 2

    return min(places, key=rank)


def _sharing(cited: tuple[Citation, ...], anchor: Anchor) -> list[Citation]:
    return [citation for citation in cited if citation.start < anchor.end and anchor.start < citation.end]


def _norm(text: str) -> str:
    """Return the canonical name of the norm of a text; a bill without a number gets a fictional name."""
    try:
        return parse(text).canonical
    except BadName:
        return "urn:lex:br:senado.federal:projeto.lei;pls:2017;99901"


def _plain(name: str) -> str:
    """Return a name with the only paragraph written as the annotation does (``par1``)."""
    return re.sub(r"par1u(?=_|$)", "par1", name)


# Citations in running text


# Citations in running text
# The cases are in tests/data/wording/citations.txt.


FEDERAL = "urn:lex:br:federal:"
NORMS = constant("citations", "norms")
LAW = f"{FEDERAL}lei:2020;99901"


def full(name: str) -> str:
    """Return the name that the table abbreviates."""
    norm, mark, fragment = name.partition("!")
    return full_name(NORMS.get(norm, norm)) + mark + fragment


def context_of(given: dict[str, str]) -> Context:
    norm, day = given.get("norm"), given.get("on")
    return Context(
        norm=full(norm) if norm is not None else None,
        provision=given.get("provision"),
        place=given.get("place"),
        authority=given.get("authority"),
        on=date.fromisoformat(day) if day is not None else None,
    )


@pytest.mark.parametrize("row", rows("wording/citations.txt"))
def test_text_gives_its_citations(row: Row) -> None:
    """Check the words, the names, and the confidence and unread words if stated; nothing else is cited or left out."""
    text = re.sub("[«»]", "", row.text)
    read = read_citations(text, context_of(dict(row.given)))
    assert [citation.text for citation in read.citations] == re.findall("«(.*?)»", row.text, re.DOTALL)
    assert all(text[each.start : each.end] == each.text for each in read.citations)
    assert [f"!{left.code.value}" for left in read.left_out] == [one for one in row.answers if one[0] == "!"]
    assert all(left.text in text for left in read.left_out)
    stated = [one.partition(" unread: ") for one in row.answers if one[0] != "!"]
    for citation, (answer, _, unread) in zip(read.citations, stated, strict=True):
        name, _, confidence = answer.partition(" ~")
        assert (citation.name, citation.kind) == (full(name), parse(citation.name).kind)
        if confidence:
            assert f"{citation.confidence:g}" == confidence
        assert (citation.reason is None) == (citation.confidence == 1.0)
        assert (citation.reason or "").partition("not read: ")[2] == unread or not confidence


# Other countries, states, municipalities and periods

ADJECTIVES = "italian argentin paraguai uruguai american chilen baian mineir gaúch pernambucan goian revogad antig"
SAME_FOR_BOTH = """português alemão francês espanhol japonês paulista fluminense cearense paranaense catarinense
estadual municipal distrital anterior"""


def test_adjective_after_a_nickname_makes_it_a_foreign_norm() -> None:
    for word in (*(f"{stem}o" for stem in ADJECTIVES.split()), *SAME_FOR_BOTH.split()):
        norms = (f"o Código Civil {word}, que", f"o art. 5º do Código Penal {word}.", f"O CÓDIGO CIVIL {word.upper()}")
        assert [cite(text) for text in norms] == [()] * 3, word


def test_adjective_after_constitution_makes_it_a_foreign_one() -> None:
    for word in (*(f"{stem}a" for stem in ADJECTIVES.split()), "portuguesa", "alemã", "francesa", "espanhola"):
        assert cite(f"a Constituição {word} e o art. 5º da Constituição da República {word}") == (), word


def test_place_after_a_norm_makes_it_a_foreign_norm() -> None:
    for norm in ("a Lei nº 8.078/90", "o art. 6º da Lei nº 8.078, de 11 de setembro de 1990", "o Código Civil", "a CF"):
        for of in ("da Itália", "da Argentina", "de Portugal", "de Campinas", "do Paraguai", "dos Estados Unidos"):
            assert cite(f"{norm} {of} e o resto") == cite(f"{norm} {of}, de 1962") == (), (norm, of)
        assert cite(f"{norm} do Estado e o resto") == cite(f"{norm} do Estado, de 1962") == (), norm


@pytest.mark.parametrize(("norm", "own"), tuples("citations", "this_norm_matches_only_the_type_of_the_context"))
def test_this_norm_matches_only_the_type_of_the_context(norm: str, own: tuple[str, ...]) -> None:
    context = Context(norm=FEDERAL + norm)
    for phrase in ("desta Lei", "deste Decreto", "desta Medida Provisória", "desta Constituição", *own):
        fits = phrase.removesuffix("-Lei") in {own_phrase.removesuffix("-Lei") for own_phrase in own}
        named = [each.name for each in cite(f"o art. 2º {phrase}", context)]
        assert named == ([f"{FEDERAL}{norm}!art2"] if fits else []), phrase
        if phrase.split(" ", 1)[1] in {"Lei", "Decreto", "Medida Provisória"}:
            named = [each.name for each in cite(f"na forma {phrase}", context)]
            assert named == ([FEDERAL + norm] if fits else []), phrase


# Ranges, offsets, reasons, contexts


def test_range_lists_its_ends_at_their_offsets() -> None:
    text = "veja    os arts. 6º a 10 e 15 da Lei nº 99.901, de 1º de março de 2001"
    law = f"{FEDERAL}lei:2001-03-01;99901"
    interval, single = cite(text)
    assert (interval.name, single.name, single.ends) == (f"{law}![art6,art10]", f"{law}!art15", ())
    ends = [(end.text, end.name) for end in interval.ends]
    assert ends == [("arts. 6º", f"{law}!art6"), ("10", f"{law}!art10")]
    assert all(text[end.start : end.end] == end.text for end in interval.ends)
    assert [each.name for each in cite_ends(text)] == [end.name for end in interval.ends] + [single.name]


def test_offsets_count_characters_of_the_original_text() -> None:
    text = "“Ação” \U0001d11e,   \n\n\tnos termos do art. 5º,\n      XI,      da   Constituição   Federal."
    (citation,) = cite(text)
    assert text[citation.start : citation.end] == "art. 5º,\n      XI,      da   Constituição   Federal"
    assert citation.as_json() == {
        "text": text[citation.start : citation.end],
        "start": citation.start,
        "end": citation.end,
        "name": "urn:lex:br:federal:constituicao:1988-10-05;1988!art5_cpt_inc11",
        "kind": "fragment",
        "confidence": 0.8,
        "reason": "the Constitution without its year",
        "ends": (),
    }


@pytest.mark.parametrize(
    ("text", "context", "reason"),
    [
        ("a CDC, e o art. 6º da mesma Lei", Context(norm=LAW), "the norm is the one cited before"),
        ("Portaria Conjunta RFB/PGFN nº 1.751, de 2 de outubro de 2014", None, "the text names PGFN beside the body"),
        ("CPC", Context(on=date(1990, 1, 1)), "nickname of this norm from 1974-01-01 until 2016-03-18"),
    ],
)
def test_doubtful_citation_states_its_reason(text: str, context: Context | None, reason: str) -> None:
    assert cite(text.replace("CDC", "Lei nº 8.078/90"), context)[-1].reason == reason


def test_invalid_context_is_refused() -> None:
    with pytest.raises(BadName):
        Context(norm="Lei nº 1")
    with pytest.raises(BadParameter, match="expected a place"):
        Context(place="nowhere")


# Nicknames


def test_every_nickname_maps_to_a_canonical_name() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            assert parse(nickname.name).canonical == nickname.name
            assert nickname.since is None or nickname.until is None or nickname.since < nickname.until
        ends = [nickname.until for nickname in listed if nickname.name != listed[-1].name]
        assert all(ends), f"{listed[0].text}: only the last norm may have no end"


def test_nickname_dates_are_not_before_the_norm() -> None:
    for listed in nicknames().values():
        for nickname in listed:
            made = parse(nickname.name).oldest_day
            assert made is not None
            assert nickname.since is not None
            assert made <= nickname.since
            before = cite(f"o {nickname.text}", Context(on=nickname.since - timedelta(days=1)))
            assert nickname.name not in [citation.name for citation in before], nickname.text
            if nickname == listed[-1] and len(nickname.text) > 2:
                now = cite(f"o {nickname.text}", Context(on=date(2025, 1, 1)))
                assert [citation.name for citation in now] == [nickname.name]


@pytest.mark.parametrize(("text", "first"), values("citations", "nickname_is_valid_from_the_day_of_publication"))
def test_nickname_is_valid_from_the_day_of_publication(text: str, first: date) -> None:
    assert len(cite(f"o {text}", Context(on=first))) == 1
    assert cite(f"o {text}", Context(on=first - timedelta(days=1))) == ()


# Citations against annotated bills
# The documents are a sample of citations, bills used to develop the rules, and bills used only for the evaluation.
# ``python -m tests.unit.graph.test_citations`` prints the figures of docs/reference/citations.md.


SHARED = Path(__file__).resolve().parents[4] / "shared"
SAMPLE = SHARED / "data" / "citations-sample.tsv"
BILLS = SHARED / "data" / "lexml-xml"
_HREF = "{http://www.w3.org/1999/xlink}href"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_LEXML = "{http://www.lexml.gov.br/1.0}"


def sample(half: int | None = None) -> Iterator[Text]:
    """Return the annotated citations of a half of the sample of 250, each with its paragraph.

    Half 0 was used to develop the rules. Half 1 was kept for the evaluation.
    """
    csv.field_size_limit(10**7)
    with SAMPLE.open(encoding="utf-8", newline="") as lines:
        for position, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)):
            if half is not None and position % 2 != half:
                continue
            norm, provision = row["in_alteracao_base"] or row["doc_urn"], row["provision_id"]
            anchor = anchor_of(row["paragraph_text"], row["anchor_text"], row["urn"], norm, provision)
            yield Text(row["paragraph_text"], (anchor,), norm, provision)


def bills(*, unseen: bool) -> Iterator[Text]:
    """Return the annotated paragraphs of every second bill: those used to develop the rules, or the others."""
    files = sorted(path for path in BILLS.glob("*.xml") if not path.name.startswith("RISF"))
    for path in files[1 if unseen else 0 :: 2]:
        yield from paragraphs(path)


def paragraphs(path: Path) -> Iterator[Text]:
    """Return the annotated paragraphs of one document."""
    root = etree.parse(path).getroot()
    identity = root.find(f".//{_LEXML}Identificacao")
    own = identity.get("URN", "") if identity is not None else ""
    for element in root.iter(f"{_LEXML}p", f"{_LEXML}Ementa"):
        pieces: list[str] = []
        anchors: list[Anchor] = []
        _gather(element, pieces, anchors)
        if anchors:
            within = [element, *element.iterancestors()]
            provision = next((ancestor.get("id", "") for ancestor in within if ancestor.get("id")), "")
            base = next((ancestor.get(_BASE, "") for ancestor in within if ancestor.tag == f"{_LEXML}Alteracao"), "")
            yield Text("".join(pieces), tuple(anchors), base or own, provision)


def _gather(element: etree._Element, pieces: list[str], anchors: list[Anchor]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            start = sum(map(len, pieces))
            _gather(child, pieces, anchors)
            if (name := child.get(_HREF)) is not None:
                anchors.append(Anchor(start, sum(map(len, pieces)), name))
        pieces.append(child.tail or "")


@pytest.mark.skipif(not SAMPLE.exists(), reason="the annotated sample is not here")
def test_sample_matches_its_annotations() -> None:
    result = score(sample())
    assert result.met + len(result.missed) == 250
    assert result.recall_apart >= 0.93, result.missed
    assert result.precision_apart >= 0.97, result.wrong
    assert (result.recall, result.precision) >= (0.92, 0.94)
    assert result.finer <= 7
    assert result.senate == 4


@pytest.mark.skipif(not SAMPLE.exists(), reason="the annotated sample is not here")
@pytest.mark.parametrize("half", [0, 1])
def test_certain_citations_are_correct(half: int) -> None:
    """Check that wrong citations of confidence 1.0 name the annotated norm, and that at most three exist.

    The annotations of these three are wrong: they have the norm alone, or an identifier without its article.
    """
    result = score(sample(half))
    sure = [(citation, expected) for citation, expected in result.wrong if citation.confidence == 1.0]
    assert [
        citation for citation, expected in sure if citation.name.partition("!")[0] != expected.partition("!")[0]
    ] == []
    assert len(sure) <= 3


@pytest.mark.skipif(not BILLS.exists(), reason="the annotated bills are not here")
@pytest.mark.parametrize("unseen", [False, True])
def test_bills_match_their_annotations(*, unseen: bool) -> None:
    result = score(bills(unseen=unseen))
    assert result.met > 70
    assert result.recall >= 0.96, result.missed
    assert result.precision >= 0.97, result.wrong


def documented_figures() -> Iterator[str]:
    """Return the figures of docs/reference/citations.md, line by line."""
    yield f"sample: {score(sample())}"
    yield f"first half of the sample: {score(sample(0))}"
    yield f"second half of the sample: {score(sample(1))}"
    yield f"bills: {score(bills(unseen=False))}"
    yield f"unseen bills: {score(bills(unseen=True))}"
    yield f"regulation: {score(paragraphs(next(BILLS.glob('RISF*.xml'))))}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(documented_figures()) + "\n")


# Citations in malformed and huge input


CONTEXT = Context(norm="urn:lex:br:federal:lei:2020;99901", provision="art1_par1")

TRAPS = tomllib.loads((Path(__file__).parents[2] / "data" / "wording" / "traps.toml").read_text("utf-8"))

# Attempts before a reading counts as slow: other processes may slow down some of them.
_ATTEMPTS = 10


def _seconds(text: str) -> float:
    start = process_time()
    cite(text, CONTEXT)
    return process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("unit", TRAPS.values(), ids=TRAPS)
@pytest.mark.parametrize("head", ["", "Leis nºs 99.901, de 2001"])
def test_reading_time_is_linear_in_the_text_length(unit: str, head: str) -> None:
    """Check the time for eight times the text: a quadratic reading takes 64 times as long on every attempt.

    A linear reading may do so on a busy machine, but not on every attempt.
    """
    short, long = (head + unit * (size // len(unit)) + "x" for size in (2_000, 16_000))
    assert any(_seconds(long) < 0.05 + 24 * max(0.002, _seconds(short)) for _ in range(_ATTEMPTS))


@pytest.mark.slow
def test_ten_million_characters_without_citations_are_read() -> None:
    assert cite("\x00(1" * 3_330_000 + " Lei nº 99.901, de 2001")[0].name == "urn:lex:br:federal:lei:2001;99901"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "a" * 50_000, "art", "art.", "§", "Lei nº", "da Lei", "e"])
def test_text_without_citations_has_none(text: str) -> None:
    assert cite(text, CONTEXT) == ()


PIECES = (
    *("art. 5º", "arts. 1º", "§ 2º", "inciso II", "alínea a", "caput", "III", "7º", "12-B", "“b”", "Título II"),
    *(" e ", ", ", " do ", " da ", "; ", " a ", "(", ")", "\n", "   ", "\x00", "parágrafo único", "/98", "nº 99.902"),
    *("Lei nº 99.901, de 5 de maio de 2001", "Leis nºs 99.901", "de 31 de fevereiro de 2001", "CLT", "Resolução"),
    *("Constituição Federal", "desta Lei", "deste artigo"),
)


@pytest.mark.slow
@settings(max_examples=300)
@given(
    pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=14),
    context=st.sampled_from([None, CONTEXT, Context(norm=CONTEXT.norm), Context(provision="art1_cpt")]),
)
def test_citation_offsets_are_ordered_and_do_not_overlap(pieces: list[str], context: Context | None) -> None:
    text = "".join(pieces)
    citations = cite(text, context)
    for citation in citations:
        assert citation.text == text[citation.start : citation.end] == citation.text.strip()
        name = parse(citation.name)
        assert (name.canonical, name.kind) == (citation.name, citation.kind)
        assert 0 < citation.confidence <= 1
    assert [(citation.start, citation.end) for citation in citations] == sorted(
        (citation.start, citation.end) for citation in citations
    )
    assert _overlapping(citations) == []


def _overlapping(citations: tuple[Citation, ...]) -> list[tuple[Citation, Citation]]:
    return [(citation, following) for citation, following in pairwise(citations) if following.start < citation.end]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=8), st.integers(0, 60))
def test_prefixed_text_only_shifts_citations(pieces: list[str], blanks: int) -> None:
    text = "".join(pieces)
    moved = cite("\n" * blanks + text)
    assert [(citation.name, citation.start - blanks) for citation in moved] == [
        (citation.name, citation.start) for citation in cite(text)
    ]
