"""Tests of random life cycles of provisions, from LexML XML to the answers on every provision and on the whole text.

An independent evaluator reads the drawn events day by day, by the rules of docs/explanation/time.md, without records or
periods. The answers of ``in_force`` and ``text``, which use SPARQL over the derived periods, must be the same on every
pair of days.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.entities import Record
from graph.store import WritableStore, in_memory
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml
from queries.in_force import in_force
from queries.text.text import text
from tests.support.cases import constant

FIRST = date(2001, 3, 1)
WINDOW = [FIRST + timedelta(n) for n in range(9)]
LAW = f"urn:lex:br:federal:lei:{FIRST};99950"
AMENDING = "urn:lex:br:federal:lei:2001-02-01;99951"
JUDGMENT = "urn:lex:br:supremo.tribunal.federal:acordao;adi:2001-02-01;99952"
LEAVES = ("art1_cpt", "art1_par1", "art2_cpt", "art3_cpt")
HOLDERS = constant("property_documents", "holders")
ENDING = {"RevogacaoParcial": "revoked", "AnulamentoParcial": "annulled"}


@dataclass(frozen=True)
class Reading:
    """A wording of a leaf: its start, its day of knowledge, and the event that begins it."""

    start: date
    known: date
    event: str | None
    rectified: bool = False

    @property
    def words(self) -> str:
        return f"Redação de {self.event}."


@dataclass(frozen=True)
class Ending:
    """The ending of a provision or of the norm (``scope`` None)."""

    scope: str | None
    status: str
    effect: date
    known: date


@dataclass
class Drawn:
    """A life cycle, published on the first day of the window."""

    entry: date
    readings: dict[str, list[Reading]]
    endings: list[Ending] = field(default_factory=list)
    events: list[str] = field(default_factory=list)


@st.composite
def lives(draw: st.DrawFn) -> Drawn:
    """Draw amendments (one an insertion), rectifications of wordings, and endings of provisions and of the norm."""
    entry = draw(st.sampled_from(WINDOW[:3]))
    drawn = Drawn(entry, {leaf: [Reading(entry, FIRST, None)] for leaf in LEAVES if leaf != "art1_par1"})
    drawn.readings["art1_par1"] = []
    later = [day for day in WINDOW if day >= entry]
    for number, leaf in enumerate(draw(st.lists(st.sampled_from(LEAVES), max_size=4))):
        start, known = draw(st.sampled_from(later)), draw(st.sampled_from(WINDOW))
        chain = drawn.readings[leaf]
        if known > start or any(reading.start >= start for reading in chain):
            continue
        if leaf == "art1_par1" and chain and known < chain[0].known:
            continue  # an amendment known before the text that it amends would make the status unknown
        event = f"a{number}"
        chain.append(Reading(start, known, event))
        drawn.events.append(_event(event, start, "ModificacaoTextual", f"{AMENDING}@{start};publicacao;{known}", leaf))
        if draw(st.booleans()):
            day = draw(st.sampled_from(WINDOW))
            if day > known:
                chain.append(Reading(start, day, f"r{number}", rectified=True))
                target = f"{LAW}@{start}"
                drawn.events.append(f'<Evento id="r{number}" data="{day}"><Retificacao AlvoURN="{target}"/></Evento>')
    for number, scope in enumerate(
        draw(st.lists(st.sampled_from(["art1", "art2_cpt", "cap1", "art3"]), max_size=2, unique=True))
    ):
        kind = draw(st.sampled_from(sorted(ENDING)))
        effect, known = draw(st.sampled_from(later)), draw(st.sampled_from(WINDOW))
        if kind == "RevogacaoParcial" and known > effect:
            continue
        drawn.endings.append(Ending(scope, ENDING[kind], effect, known))
        source = (
            f"{JUDGMENT}@{effect};julgamento;{known}" if kind[0] == "A" else f"{AMENDING}@{effect};publicacao;{known}"
        )
        drawn.events.append(_event(f"e{number}", effect, kind, source, scope))
    if draw(st.booleans()):
        effect, known = draw(st.sampled_from(later)), draw(st.sampled_from(WINDOW))
        if known <= effect:
            drawn.endings.append(Ending(None, "revoked", effect, known))
            source = f"{AMENDING}@{effect};publicacao;{known}"
            drawn.events.append(f'<Evento id="f" data="{effect}"><RevogacaoTotal FonteURN="{source}"/></Evento>')
    return drawn


def _event(identifier: str, day: date, kind: str, source: str, local: str) -> str:
    inner = f'<{kind} FonteURN="{source}" AlvoLocal="{local}"/>'
    return f'<Evento id="{identifier}" data="{day}"><AlteracaoFragmento>{inner}</AlteracaoFragmento></Evento>'


def document(drawn: Drawn) -> bytes:
    """Return the life cycle as a document of many wordings."""

    def leaf(name: str) -> str:
        element = "Caput" if name.endswith("cpt") else "Paragrafo"
        chain = drawn.readings[name]
        elements = []
        for index, reading in enumerate(chain):
            begins = f' eventoInicial="#{reading.event}"' if reading.event else ""
            ends = f' eventoFinal="#{chain[index + 1].event}"' if index + 1 < len(chain) else ""
            elements.append(f'<{element} id="{name}"{begins}{ends}><p>{reading.words}</p></{element}>')
        return "".join(elements)

    art = f'<Artigo id="art1">{leaf("art1_cpt")}{leaf("art1_par1")}</Artigo>'
    second_article, third_article = (f'<Artigo id="art{n}">{leaf(f"art{n}_cpt")}</Artigo>' for n in (2, 3))
    published = f'<Evento id="p" data="{FIRST}"><Publicacao/></Evento>'
    published += f'<Evento id="v" data="{drawn.entry}"><EntradaEmVigor/></Evento>'
    return (
        f'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao URN="{LAW}"/><CicloDeVida>{published}'
        f'{"".join(drawn.events)}</CicloDeVida></Metadado><Norma><Articulacao><Capitulo id="cap1">{art}'
        f"{second_article}</Capitulo>{third_article}</Articulacao></Norma></LexML>"
    ).encode()


def status_on(endings: Sequence[Ending], scope: str | None, day: date, known: date, first: date) -> str | None:
    """Return the ending of a scope by a day, as known on another; an annulment from the start voids every day."""
    known_endings = [e for e in endings if e.scope == scope and e.known <= known]
    acting = [e for e in known_endings if e.effect <= day or (e.status == "annulled" and e.effect <= first)]
    return min(acting, key=lambda e: (e.effect, e.known)).status if acting else None


def expected(drawn: Drawn, leaf: str, day: date, known: date) -> tuple[str, str | None]:
    """Return the status and the words of a leaf by the rules, applied one after the other."""
    if known < FIRST or day < FIRST:
        return "not-published", None
    known_readings = [reading for reading in drawn.readings[leaf] if reading.known <= known]
    first = min((known_reading.start for known_reading in known_readings), default=drawn.entry)
    inserted = leaf == "art1_par1"
    if known_readings and not (
        inserted and day < min(known_reading.known for known_reading in known_readings) and day < first
    ):
        for scope in (leaf, *HOLDERS[leaf]):
            status = status_on(drawn.endings, scope, day, known, first)
            if status is not None:
                return status, None
    if status_on(drawn.endings, None, day, known, drawn.entry) is not None:
        return "revoked", None
    if day < drawn.entry and not (
        inserted and all(known_reading.start > drawn.entry for known_reading in known_readings)
    ):
        is_known = not inserted or day >= min(known_reading.known for known_reading in known_readings)
        return ("vacatio" if is_known else "not-published"), None
    begun = [known_reading for known_reading in known_readings if known_reading.start <= day]
    if not begun:
        announced = any(known_reading.known <= day for known_reading in known_readings)
        return ("vacatio" if announced else "not-published"), None
    last = max(begun, key=lambda reading: (reading.start, reading.known, reading.rectified))
    return "in-force", last.words


def loaded(drawn: Drawn) -> WritableStore:
    data = document(drawn)
    (record,) = read_lexml_xml(SourceDocument("a.xml", lambda: io.BytesIO(data)))
    assert isinstance(record, Record), record
    store = in_memory()
    store.apply([record])
    return store


def ended_as_it_begins() -> Drawn:
    """Return a norm revoked on the day of its start, with a paragraph inserted later."""
    begins, known = WINDOW[1], WINDOW[2]
    drawn = Drawn(begins, {leaf: [Reading(begins, FIRST, None)] for leaf in LEAVES})
    drawn.readings["art1_par1"] = [Reading(WINDOW[3], known, "a0")]
    source = f"{AMENDING}@{WINDOW[3]};publicacao;{known}"
    drawn.events.append(_event("a0", WINDOW[3], "ModificacaoTextual", source, "art1_par1"))
    drawn.endings.append(Ending(None, "revoked", begins, FIRST))
    source = f"{AMENDING}@{begins};publicacao;{FIRST}"
    drawn.events.append(f'<Evento id="f" data="{begins}"><RevogacaoTotal FonteURN="{source}"/></Evento>')
    return drawn


def annulled_as_it_begins() -> Drawn:
    """Return an article annulled on the first day of its norm, with a paragraph inserted into it later."""
    begins = WINDOW[1]
    drawn = Drawn(begins, {leaf: [Reading(begins, FIRST, None)] for leaf in LEAVES})
    drawn.readings["art1_par1"] = [Reading(WINDOW[3], begins, "a0")]
    source = f"{AMENDING}@{WINDOW[3]};publicacao;{begins}"
    drawn.events.append(_event("a0", WINDOW[3], "ModificacaoTextual", source, "art1_par1"))
    drawn.endings.append(Ending("art1", "annulled", begins, FIRST))
    source = f"{JUDGMENT}@{begins};julgamento;{FIRST}"
    drawn.events.append(_event("e0", begins, "AnulamentoParcial", source, "art1"))
    return drawn


@pytest.mark.slow
@example(annulled_as_it_begins(), [(day, known) for day in WINDOW for known in WINDOW])
@example(ended_as_it_begins(), [(day, known) for day in WINDOW for known in WINDOW])
@settings(max_examples=60)
@given(lives(), st.lists(st.tuples(st.sampled_from(WINDOW), st.sampled_from(WINDOW)), min_size=8, max_size=14))
def test_provisions_and_text_agree_with_the_rules_on_random_days(drawn: Drawn, pairs: list[tuple[date, date]]) -> None:
    store = loaded(drawn)
    for day, known in pairs:
        composed = {
            provision.name.rpartition("!")[2]: provision.text
            for provision in text(store, LAW, day, known).provisions
            if provision.text is not None
        }
        for leaf in LEAVES:
            status, words = expected(drawn, leaf, day, known)
            answer = in_force(store, f"{LAW}!{leaf}", day, known)
            if leaf == "art1_par1" and not drawn.readings[leaf]:
                assert answer.version is None
                continue
            assert answer.status.value == status, (leaf, day, known)
            if status == "not-published" and FIRST <= day < drawn.entry:
                # in vacatio the text is the future one, with the insertions known on K that begin with the norm
                readings = [
                    reading
                    for reading in drawn.readings[leaf]
                    if reading.known <= known and reading.start <= drawn.entry
                ]
                coming = {reading.words for reading in readings}
                assert composed.get(leaf) in {None, *coming}, (leaf, day, known)
            elif status != "vacatio":
                assert composed.get(leaf) == words, (leaf, day, known)
