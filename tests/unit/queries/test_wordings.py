"""Tests of the index of words: search, folding and ranking, and removal of replaced or withdrawn words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import samples
from graph.index_entries import indexed_texts_of
from graph.index_rows import IndexedText, IndexEntries
from graph.quarantine import Quarantine
from graph.store import Store, in_memory
from graph.store.names import NameIndex
from graph.terms import Text, iri, statement
from graph.wording.folding import folded, words
from loaders.pipeline import load
from ontology.namespaces import CRM, FRBROO, VIG
from queries.resolution.searching import LONGEST, excerpt, search_words
from tests.support.records import deletion, record

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
CLOCKS = "urn:lex:br:federal:lei:2001-03-05;99916"
LAW = "urn:lex:br:federal:lei:2001-03-05;99901"


@given(st.text())
@example("ÀÉ\u034fü\u0303\u20d0ß\u0345ǅ")
def test_accents_are_the_only_combining_characters(text: str) -> None:
    signs = str.maketrans({"º": "", "ª": "", "°": "", "’": "'", "–": "-", "—": "-"})
    decomposed = unicodedata.normalize("NFKD", text.translate(signs))
    assert folded(text) == "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = in_memory()
    load([samples.folder()], store, Quarantine(tmp_path_factory.mktemp("quarantine")))
    return store


def names(store: Store, text: str) -> list[str]:
    return [word_match.name for word_match in search_words(store, text)[0]]


def test_words_of_a_provision_find_it_with_an_excerpt(sample: Store) -> None:
    word_matches, complete = search_words(sample, "relogio FICTICIO mostra hora")
    assert complete
    assert [(word_match.name, word_match.version, word_match.every) for word_match in word_matches] == [
        (f"{CLOCKS}!art1_cpt", f"{CLOCKS}@2001-06-01;publicacao;2001-03-06~texto;pt-br!art1_cpt", True)
    ]
    assert word_matches[0].excerpt == "Todo relógio fictício mostra uma hora."
    assert [word_match.version for word_match in search_words(sample, "duas oras")[0]] == [
        f"{CLOCKS}@2002-05-02;alteracao;2002-04-22~texto;pt-br!art1_cpt"
    ]


def test_partial_matches_are_returned_when_none_is_complete(sample: Store) -> None:
    word_matches, _ = search_words(sample, "consumidor xilofone")
    assert word_matches
    assert not any(word_match.every for word_match in word_matches)
    assert names(sample, "xilofone") == []


@pytest.mark.parametrize("text", ["", "   ", '"', "()*:^-", "\x00", "\ud800", "NEAR(a b)", "title: OR AND NOT", "de"])
def test_any_text_can_be_searched(sample: Store, text: str) -> None:
    search_words(sample, text)


@given(st.text(max_size=40))
def test_text_is_never_executed_as_an_fts_expression(text: str) -> None:
    index = NameIndex(None)
    index.put({"urn:r": IndexEntries((), [IndexedText(LAW, LAW, text="abc")])}, {})
    store = Store(in_memory().engine, None, index)
    assert all(word_match.name == LAW for word_match in search_words(store, text)[0])


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from("123"), st.sampled_from(["", "água", "Água fria", "agua-ardente", "fogo"]))))
def test_search_equals_a_full_scan(texts: list[tuple[str, str]]) -> None:
    """Compare with scanning each text, also after replacements."""
    index, last = NameIndex(None), dict[str, str]()
    for suffix, text in texts:
        name = f"{LAW}{suffix}"
        index.put({name: IndexEntries((), [IndexedText(name, name, text=text)] if text else [])}, {})
        last[name] = text
    store = Store(in_memory().engine, None, index)
    for asked in ("agua", "fogo", "água fria", "ardente"):
        expected = {name for name, text in last.items() if set(words(asked)) <= set(words(text))}
        word_matches = search_words(store, asked)[0]
        assert {word_match.name for word_match in word_matches if word_match.every} == expected


def test_deleted_record_is_not_found() -> None:
    store = in_memory()
    store.apply([record(f"{LAW}@2001-04-01;publicacao;2001-03-06", key="a", summaries=[Text("Das águas", "pt-br")])])
    assert names(store, "aguas") == [LAW]
    store.apply([deletion("a")])
    assert names(store, "aguas") == []


def test_words_are_indexed_under_the_name_without_version_and_form() -> None:
    version, text = f"{LAW}@2001-04-01!art1", f"{LAW}@2001-04-01~texto;pt-br!art1"
    lines = [
        f'<{text}> {iri(CRM["P190_has_symbolic_content"])} "uma \\"linha\\"\\ne outra"@pt-br .',
        f"<{LAW}!art1> {iri(FRBROO['R10_has_member'])} <{version}> .",
        f"<{version}> {iri(FRBROO['R3_is_realised_in'])} <{text}> .",
    ]
    assert list(indexed_texts_of(sorted(map(statement, lines)))) == [
        IndexedText(f"{LAW}!art1", text, text='uma "linha"\ne outra')
    ]


def test_only_literals_are_indexed() -> None:
    ementa = iri(VIG["ementa"])
    assert list(indexed_texts_of([(f"<{LAW}>", ementa, "<urn:x:a>"), (f"<{LAW}>", ementa, "_:b0")])) == []
    member = f"<{FRBROO['R10_has_member']}>"
    of_itself = [(f"<{LAW}>", member, f"<{LAW}>"), (f"<{LAW}>", ementa, '"Texto"')]
    assert [each.name for each in indexed_texts_of(of_itself)] == [LAW], "a cycle of owners ends"


@pytest.mark.slow
@pytest.mark.parametrize("place", ["title", "nicknames", "summary", "text"])
def test_excerpt_time_is_linear_in_the_text_length(place: str) -> None:
    """Check a text for which the excerpts of FTS5, quadratic in the number of matches, would take hours."""
    index = NameIndex(None)
    long = IndexedText(LAW, LAW)._replace(**{place: "palavra comprida " * 300_000})
    index.put({"urn:r": IndexEntries((), [long, IndexedText(CODE, CODE, text="uma só palavra comprida")])}, {})
    store = Store(in_memory().engine, None, index)
    for asked in ("palavra", "comp", "palavra comprida", "palavra xilofone"):
        word_matches, complete = search_words(store, asked)
        assert (complete, {word_match.name for word_match in word_matches}) == (True, {LAW, CODE})
        assert all(0 < len(word_match.excerpt) <= LONGEST + 2 for word_match in word_matches)


WORDS = st.lists(st.sampled_from(["água", "fogo", "Terra", "ar", "x" * 400, "pedra", "terr"]), max_size=60)


@given(WORDS, WORDS, st.sampled_from(["agua", "fogo agua", "terra", "ar", "agua terra fogo", "ter", "metal"]))
@example(["água", "x" * 400, "fogo", "água"], [], "fogo agua")
def test_excerpt_has_the_most_words_of_any_window(first_words: list[str], other_words: list[str], asked: str) -> None:
    """Compare with scanning every interval of six words."""

    def had(text: str) -> int:
        text_words, terms = words(text, keep_connectives=True), words(asked)
        plain = sum(term in text_words for term in set(terms[:-1]))
        return plain + any(word.startswith(terms[-1]) for word in text_words)

    texts = [" ".join(word_list).rstrip() for word_list in (first_words, other_words)]
    short = [
        " ".join(word_list[index : index + 6])
        for word_list in (first_words, other_words)
        for index in range(len(word_list))
    ]
    best = max((had(piece) for piece in short if len(piece) < 100), default=0)
    chosen_excerpt = excerpt(texts, words(asked))
    assert had(chosen_excerpt) >= best
    assert any(chosen_excerpt.strip("…") in text for text in texts)
    assert len(chosen_excerpt) <= LONGEST + 2


def test_invisible_characters_do_not_split_words() -> None:
    store = in_memory()
    store.apply([record(LAW, key="a", summaries=[Text("Tinta in\u200bvi\u00adsí\ufeffvel e á\u2060gua", "pt-br")])])
    for asked in ("invisivel", "tinta agua", "invi\u00adsível", "inv\u200bisi"):
        assert names(store, asked) == [LAW]
    assert search_words(store, "invisivel")[0][0].excerpt == "Tinta invisível e água"


def test_document_type_alone_does_not_match() -> None:
    """Check that a search for ``lei seca`` without exact matches does not return every law or every section."""
    index = NameIndex(None)
    laws = [IndexedText(f"{LAW}{n}", f"{LAW}{n}", title=f"Lei nº {n}", text="Esta seção da lei.") for n in range(1, 6)]
    index.put(
        {"urn:r": IndexEntries((), [*laws, IndexedText(f"{LAW}9", f"{LAW}9", title="Lei nº 9", nicknames="Lei Seca")])},
        {},
    )
    store = Store(in_memory().engine, None, index)
    assert names(store, "lei seca") == [f"{LAW}9"]
    assert names(store, "lei ampulheta") == []
    assert names(store, "lei sec") == [f"{LAW}{n}" for n in (9, 1, 2, 3, 4, 5)], "cut short it may be either"
    assert len(names(store, "lei")) == len(names(store, "leis lei")) == 6, "where nothing else was asked"
