"""Tests of the texts of pages: each is in both languages and used; docs/reference/pages.md lists the parameters."""

from __future__ import annotations

import io
import re
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from markupsafe import Markup

import queries.notices as n
from graph.time.kinds import Axis, Status
from graph.vocabulary import built_in
from ontology.namespaces import VIG
from queries.answers import AxisAnswer, InForce
from queries.messages import message
from queries.naming import Agreement, MatchReason
from queries.reasons import Reason
from queries.text.answers import ProvisionText
from scripts.catalogues import compiled
from service.web.http.negotiation import Language
from service.web.http.problem_codes import MEANINGS, MEANINGS_PT
from service.web.pages.frame import Frame, label_of
from service.web.pages.notices import facts_sentence, notice_sentence, notice_sentences, why
from service.web.pages.reasons import reason_sentence, undone_change
from service.web.pages.routes import DIFFERENCE_PARAMETERS, SEARCH_PARAMETERS
from service.web.pages.status import status_label, status_sentence
from service.web.pages.text_status import coming_sentence
from service.web.pages.writer import PageWriter
from service.web.text_layout import coming_block
from tests.support.cases import tuples, values
from words.texts import FUTURE, PAST, PRESENT

ROOT = Path(__file__).resolve().parents[3]
#: Expected sentences, and the beginnings of the keys of messages that the code puts together.
WORDS = tomllib.loads((ROOT / "tests" / "data" / "words_of_pages.toml").read_text("utf-8"))
PAGES = ROOT / "service" / "web" / "pages"


SOURCES = {tag: ROOT / f"words/locale/{tag.replace('-', '_')}/LC_MESSAGES/vigente.po" for tag in Language}


def _texts(made: Catalog) -> dict[tuple[str, str], list[str]]:
    """Return the texts of every message of a catalogue, by its code and context, in its order."""
    by_id = ((m.id if isinstance(m.id, str) else m.id[0], m.context or "", m.string or "") for m in made if m.id)
    return {(key, context): [text] if isinstance(text, str) else list(text) for key, context, text in by_id}


TEXTS = {tag: _texts(read_po(io.BytesIO(path.read_bytes()), abort_invalid=True)) for tag, path in SOURCES.items()}


#: Messages of which each language has its own parts.
_IN_PARTS = re.compile(r"((?:notice|why)\.[^.]+|reason)\..+")


def test_every_message_is_translated_and_used() -> None:
    """Check that no message is unused and that none is missing."""
    sources = [*PAGES.rglob("*.py"), *PAGES.rglob("*.html"), ROOT / "queries/messages.py", ROOT / "words/messages.py"]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    portuguese, english = (
        {_IN_PARTS.sub(r"\1", key) for key, context in TEXTS[language] if context != "meaning"} for language in Language
    )
    assert portuguese == english - {"notice.sources-contradict"}, "pages have messages of their own on contradictions"
    for key in english:
        assert key.startswith(tuple(WORDS["built"])) or f'"{key}"' in written or f"'{key}'" in written, key
    assert {key for key in english if key.startswith("notice.")} == {
        f"notice.{kind.CODE}" for kind in get_args(n.AnyNotice)
    }
    for texts in TEXTS.values():
        assert all(text.strip() for forms in texts.values() for text in forms)
        assert list(texts) == sorted(texts)
        for key, context in texts:
            has_tenses = all((key, tense) in texts for tense in (PAST, PRESENT, FUTURE))
            assert context == "meaning" or (key, "") in texts or has_tenses, (key, context)


@pytest.mark.parametrize("language", Language)
def test_compiled_catalogues_are_current(language: Language) -> None:
    files = (SOURCES[language].with_suffix(".mo").read_bytes(), compiled(SOURCES[language]))
    kept, made = (_texts(read_mo(io.BytesIO(file))) for file in files)
    assert kept == made, "python -m scripts.catalogues compiles them"


def test_translations_have_the_same_fields() -> None:
    english = {key: set(re.findall(r"{(\w+)", " ".join(forms))) for (key, _), forms in TEXTS[Language.ENGLISH].items()}
    for (key, context), forms in TEXTS[Language.PORTUGUESE].items():
        own = context == "meaning" or key.startswith(("notice.", "problem.", "why."))
        assert own or english[key] == set(re.findall(r"{(\w+)", " ".join(forms))), key


def test_documented_parameters_are_those_of_the_code() -> None:
    reported = (ROOT / "docs" / "reference" / "pages.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", reported, re.MULTILINE))
    for address, parameters in (("/search", SEARCH_PARAMETERS), ("/diff/{urn}", DIFFERENCE_PARAMETERS)):
        assert re.findall("`([a-z_]+)`", rows[address]) == list(parameters)
    also = re.findall(r"^\| ((?:`[a-z_]+` ?)+) \| ((?:`[a-z_]+` ?)+) \|$", reported, re.MULTILINE)
    aliases = [pair for names, others in also for pair in zip(names.split(), others.split(), strict=True)]
    all_parameters = [*SEARCH_PARAMETERS.items(), *DIFFERENCE_PARAMETERS.items()]
    assert aliases == [(f"`{name}`", f"`{alias}`") for name, alias in all_parameters if alias is not None]


def test_every_problem_code_has_a_portuguese_meaning() -> None:
    assert list(MEANINGS_PT) == list(MEANINGS)
    for code, stated in MEANINGS_PT.items():
        assert stated.endswith("."), code
        assert stated != MEANINGS[code]


_NORM = "urn:lex:br:federal:lei:2001-03-05;99907"


def test_disputes_are_translated() -> None:
    """Check each kind of disagreement: the sentence has the contradicting statements, with days and sources."""
    law, writer = _NORM, _writer(described=True)
    first, other = f"{law}@2001-03-06;publicacao;2001-03-06", f"{law}@2001-04-06;publicacao;2001-03-06"
    statements = (
        n.Statement("https://um.example", False, "urn:a", version=first),
        n.Statement("Ana", True, "urn:b", version=other),
    )
    many = tuple(f"{law}!art{number}" for number in range(1, 7))
    disagreements = (
        n.SourcesContradict(n.Disagreement.DATES, (law,), "publicacao", statements=statements),
        n.SourcesContradict(n.Disagreement.DATES, (law,), "alteracao", start=date(2002, 5, 2), statements=statements),
        n.SourcesContradict(n.Disagreement.WORDINGS, many),
        n.SourcesContradict(n.Disagreement.ENDED_AND_PRINTED, (f"{law}@2002-05-02;alteracao;2002-04-22",)),
    )
    reported = [notice_sentence(disagreement, writer) for disagreement in disagreements]
    dated, published, worded, ended = map(_plain_text, reported)
    assert dated == (
        "As fontes divergem quanto à data do mesmo evento (publicação original; Lei nº 99.907, de 5 de março de 2001): "
        "segundo um.example, texto de 06/03/2001, com publicação em 06/03/2001"
        "; segundo o curador Ana, texto de 06/04/2001, com publicação em 06/03/2001."
    )
    assert "art. 1º da Lei nº 99.907, de 5 de março de 2001, art. 2º da Lei" in worded
    assert "(publicação da alteração com vigência desde 02/05/2002; Lei nº 99.907" in published
    assert "segundo um.example, texto de" in published
    assert f'href="/descriptions/{law}!art1"' in str(reported[2])
    assert "texto de 02/05/2002" in ended
    assert all(sentence.startswith("As fontes divergem") for sentence in (dated, published, worded, ended))


@pytest.mark.parametrize(("name", "feminine"), values("pages_words", "participles_agree_in_gender"))
def test_participles_agree_in_gender(name: str, feminine: bool) -> None:
    writer = _writer(described=True)
    assert writer.agreed("status.revoked", name) == ("Revogada" if feminine else "Revogado")
    assert writer.agreed("difference.kind_inserted", name) == ("incluída" if feminine else "incluído")
    assert writer.agreed("status.in-force", name) == "Em vigor", "what has one form only stays"


def test_each_status_has_one_term() -> None:
    """Check the status, sentences, the meanings of reason codes, and the ontology."""
    texts = TEXTS[Language.PORTUGUESE]
    stated = [text for (key, _), forms in texts.items() if "expired" in key for text in forms]
    stated += [MEANINGS_PT["not-in-force"], str(label_of(VIG["expirada"], Language.PORTUGUESE))]
    assert len(stated) >= 5
    for text in stated:
        assert "encerrada" in text, text
    stems = {"revoked": "evogad", "annulled": "nulad"}
    for status, stem in stems.items():
        stated = [
            forms[0] for (key, _), forms in texts.items() if key.startswith((f"status.{status}", f"norm.is_{status}"))
        ]
        assert len(stated) >= 4
        assert all(stem in text for text in stated), status


def test_many_disputes_are_one_notice() -> None:
    writer = _writer(described=True)
    every = [n.SourcesContradict(n.Disagreement.WORDINGS, (f"{_NORM}!art{index}",)) for index in range(1, 26)]
    apart = list(notice_sentences(every[:2], writer))
    assert len(apart) == 2
    (together,) = notice_sentences(every, writer)
    text = str(together.text)
    assert "<summary>As fontes divergem em 25 pontos" in text
    assert text.count("<li>") == 21
    assert "e mais 5" in text


_MEASURE = "urn:lex:br:federal:medida.provisoria:2002-03-08;99904"
_LAW = "urn:lex:br:federal:lei:2002-07-08;99905"
_BY_YEAR = "urn:lex:br:federal:lei:2002;99905"


@pytest.mark.parametrize(
    ("name", "notice"),
    [
        ("measure lapsed", n.MeasureLapsed(_MEASURE, n.MeasureEnd.LAPSED, "2002-07-07")),
        ("measure not kept", n.MeasureLapsed(_MEASURE, n.MeasureEnd.NOT_KEPT, None)),
        ("not kept by a provision", n.MeasureLapsed(_MEASURE, n.MeasureEnd.NOT_KEPT, "2002", (f"{_LAW}!art2",))),
        ("measure not converted or kept", n.MeasureLapsed(_MEASURE, n.MeasureEnd.NOT_STATED, None)),
        ("gap before the law of conversion", n.ConversionGap(_MEASURE, "2002-07-07", _LAW, date(2002, 7, 9))),
        ("act published", n.ActDays(_LAW, _BY_YEAR, date(2002, 7, 8), date(2002, 7, 9))),
        ("act cited by its year", n.ActDays(_LAW, _BY_YEAR, date(2002, 7, 8), None)),
        ("act without a day of publication", n.ActDays(_LAW, _LAW, date(2002, 7, 8), None)),
        ("suspended", n.EfficacyDiffers(Status.IN_FORCE, Status.SUSPENDED, date(2007, 8, 2), date(2009, 1, 1), ())),
        ("no efficacy yet", n.EfficacyDiffers(Status.IN_FORCE, Status.VACATIO, None, date(2009, 1, 1), ())),
        ("year of the name alone", n.NoVersionDates(None, 2002)),
        ("provisions not yet in force", n.ProvisionsNotYetInForce((f"{_LAW}!art2", f"{_LAW}!art3"), date(2003, 1, 1))),
        ("provisions in force early", n.ProvisionsInForceEarly(tuple(f"{_LAW}!art{number}" for number in range(2, 9)))),
        ("provisions without a day of force", n.ProvisionsNotYetInForce((f"{_LAW}!art2",), None)),
        ("curated fact", n.CuratedFact("Ana", "Livro")),
    ],
)
def test_notices_are_translated(name: str, notice: n.Notice) -> None:
    assert _plain_text(notice_sentence(notice, _writer())) == WORDS["notices"][name]


def _plain_text(text: Markup | str) -> str:
    return text.striptags() if isinstance(text, Markup) else text


def _writer(*, described: bool = False, published: date | None = None) -> PageWriter:
    frame = Frame(Language.PORTUGUESE, False, "/x", (), "http://um.example")
    return PageWriter(frame, built_in(), lambda _: described, published_on=lambda _: published)


def _answer(status: Status, day: date) -> InForce:
    axis = AxisAnswer(status)
    return InForce(_NORM, _NORM, day, day, Axis.FORCE, status, axis, axis, None, (), (), (), (), (), ())


def test_facts_of_one_curator_are_one_sentence() -> None:
    one, other, unsourced = (
        n.CuratedFact("Ana", "Livro 1; folha 2"),
        n.CuratedFact("Ana", "Livro 2"),
        n.CuratedFact("Rui", None),
    )
    notices = notice_sentences([one, n.NoHarvestDate(), other, unsourced], _writer())
    texts = [str(notice_sentence.text) for notice_sentence in notices]
    assert texts == [
        ("Fatos informados pelo curador “Ana”, e não por um provedor. Fontes: “Livro 1; folha 2”, “Livro 2”."),
        "As fontes desta resposta não informam a data da coleta.",
        "Fato informado pelo curador “Rui”, e não por um provedor.",
    ]
    facts = [n.CuratedFact("Ana", "Lei nº 99.901/2019"), other, other]
    text = facts_sentence(facts, _writer())
    assert isinstance(text, Markup)
    assert text.striptags().endswith("Fontes: Lei nº 99.901, de 2019, “Livro 2”."), "named as in the rest of the page"


def test_authority_is_named_in_words() -> None:
    stated = {
        "br;sao.paulo;campinas:municipal": "Município de Campinas - SP",
        "br:federal": "Federal",
        "br;sao.paulo:estadual": "Estadual (São Paulo)",
    }
    reported = {value: why([MatchReason(Agreement.OTHER_AUTHORITY, value)], _writer()) for value in stated}
    assert reported == {value: f"de outra autoridade: {words}" for value, words in stated.items()}


@pytest.mark.parametrize(("ended", "kept"), [("caducidade", False), ("conversao", False), ("conversao", True)])
def test_amendment_by_a_lapsed_measure_is_undone(ended: str, kept: bool) -> None:
    end = Reason(ended, "2002-07-08", "2002-07-08", _LAW if ended == "conversao" else None, None)
    change = Reason("alteracao", "2002-03-08", "2002-03-08", _MEASURE, None, undone_by=(end,))
    answer = _answer(Status.IN_FORCE, date(2003, 1, 1))
    reported = undone_change(change, answer, _writer(), lambda _, __: kept).text
    expected = WORDS["undone"][f"{ended}, kept" if kept else ended]
    assert Markup("").join([reported]).striptags() == expected


@pytest.mark.parametrize(
    ("published", "words"),
    [(date(2001, 3, 6), "Assinada, ainda não publicada"), (date(2001, 3, 5), "Publicada, em vacatio legis")],
)
def test_norm_published_after_the_date_is_only_signed(published: date, words: str) -> None:
    """Check also a norm whose publication no source states: it counts as published."""
    answer, writer = _answer(Status.VACATIO, date(2001, 3, 5)), _writer(published=published)
    assert status_label(answer, writer) == words
    assert status_sentence(answer, (), None, writer) == f"{words}."
    assert status_label(answer, _writer()) == "Publicada, em vacatio legis"


@pytest.mark.parametrize(("published", "days"), tuples("pages_words", "signature_date_is_not_called_publication_date"))
def test_signature_date_is_not_called_publication_date(published: date | None, days: str) -> None:
    """Check that the day in the name of an act is that of its signature."""
    writer = _writer(published=published)
    changed = Reason("alteracao", "2002-07-08", "2002-07-08", _LAW, None)
    assert f": vigência a partir de 08/07/2002; {days}." in _plain_text(reason_sentence(changed, writer).text)
    later = replace(changed, known="2002-07-10")
    assert "; publicação em 10/07/2002." in _plain_text(reason_sentence(later, writer).text)


@pytest.mark.parametrize(
    ("status", "beginning"),
    [
        (Status.IN_FORCE, "Publicados e ainda não vigentes nesse dia"),
        (Status.UNKNOWN, "As fontes não informam se o texto estava em vigor nesse dia. Informam apenas que"),
        (Status.VACATIO, "O texto ainda não estava em vigor nesse dia (vacatio legis)."),
    ],
)
def test_text_suggests_force_only_if_its_norm_is_in_force(status: Status, beginning: str) -> None:
    name = "urn:lex:br:federal:lei:2018-08-14;13709!art52"
    coming = coming_block(ProvisionText(name, "Art. 52.", "Sanções.", 1, None, None, None), date(2021, 8, 1))
    sentence = coming_sentence((coming,), status, _writer())
    assert sentence is not None
    assert sentence.startswith(beginning)
    assert coming_sentence((), status, _writer()) is None


def test_provision_that_its_converting_law_did_not_keep_did_not_lapse() -> None:
    lapsed = Reason("caducidade", "2019", "2019", None, None)
    not_kept = replace(lapsed, cause="urn:lex:br:federal:lei:2019-07-08;99713")
    assert reason_sentence(lapsed, _writer()).text.startswith("Caducidade:")
    assert reason_sentence(not_kept, _writer()).text.startswith("Não mantido na conversão (")


def test_the_notice_of_an_unknown_original_text_does_not_speak_of_changes() -> None:
    original, later = f"{_LAW}@2002-07-08;publicacao;2002-07-08", f"{_LAW}@2003-01-01;alteracao;2003-01-01"
    writer = _writer(described=True)
    stated = [notice_sentence(n.TextUnknown(version), writer).striptags() for version in (original, later)]
    assert stated == [
        "O texto original (texto de 08/07/2002) não consta das fontes: a redação a partir dessa data é desconhecida.",
        (
            "O texto desta versão (texto de 01/01/2003) não consta das fontes, que também não informam o que ela "
            "alterou: a redação a partir dessa data é desconhecida."
        ),
    ]
    assert [message(n.TextUnknown(version)) for version in (original, later)] == [
        f"no source gives the text of {original}",
        f"no source gives the text of {later}, or states what that version changed",
    ]


def test_an_updated_text_of_its_own_day_is_stated_once() -> None:
    writer = _writer(described=True)
    versions = (f"{_LAW}@2020-05-07;texto.atualizado;2020-05-07", f"{_LAW}@2020-05-01;texto.atualizado;2020-05-07")
    assert [writer.wording(version).striptags() for version in versions] == [
        "texto atualizado de 07/05/2020",
        "texto de 01/05/2020; texto atualizado de 07/05/2020",
    ]
