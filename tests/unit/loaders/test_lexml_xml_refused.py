"""Tests of invalid or hostile LexML XML: it is refused with a clear message, or loaded without harm."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.entities import Record, Situation
from graph.quarantine import Quarantine, Refusal
from graph.store import in_memory
from loaders.documents import SourceDocument
from loaders.outcomes import Note, Outcome
from loaders.pipeline import load, retry
from loaders.sources.lexml_xml import read_lexml_xml
from queries.text.text import text
from tests.support.memory import needs_peak

ROOT = Path(__file__).resolve().parents[3]
NAME = "urn:lex:br:federal:lei:2001-03-05;99940"
FIXTURE = (Path(__file__).parents[2] / "data" / "lexml_xml" / "historia.xml").read_bytes()
ARTICLE = '<Artigo id="art1"><Rotulo>Art. 1º</Rotulo><Caput id="art1_cpt"><p>Palavras.</p></Caput></Artigo>'


def xml(
    body: str = ARTICLE, metadata: str = "", *, name: str = NAME, namespace: str = "http://www.lexml.gov.br/1.0"
) -> bytes:
    return (
        f'<LexML xmlns="{namespace}" xmlns:xlink="http://www.w3.org/1999/xlink"><Metadado><Identificacao URN="{name}"/>'
        f"{metadata}</Metadado><Norma><Articulacao>{body}</Articulacao></Norma></LexML>"
    ).encode()


def read(data: bytes) -> list[Outcome]:
    return list(read_lexml_xml(SourceDocument("a.xml", lambda: io.BytesIO(data))))


def refused(data: bytes) -> tuple[str, str]:
    (refusal,) = read(data)
    assert isinstance(refusal, Refusal), refusal
    return str(refusal.code), refusal.problem


def record(data: bytes) -> Record:
    (parsed_record,) = (outcome for outcome in read(data) if isinstance(outcome, Record))
    return parsed_record


def life(*events: str) -> str:
    return f"<CicloDeVida>{''.join(events)}</CicloDeVida>"


@pytest.mark.parametrize(
    ("data", "code", "problem"),
    [
        (b"", "empty-file", "the file is empty"),
        (xml()[:-20], "ill-formed-xml", "the XML is not well-formed"),
        (xml().replace(b"Palavras", b"Pal\xe3vras"), "bad-encoding", "bytes that are not text"),
        (xml().replace(b"Palavras", b"Pal\x01vras"), "ill-formed-xml", "the XML is not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]>' + xml(), "doctype", "the file has a document type declaration"),
        (xml(namespace="http://www.lexml.gov.br/2.0"), "wrong-namespace", "the document is <LexML> in the namespace"),
        (b"<Norma/>", "unknown-root", "the root element is <Norma>"),
        (xml(name="urn:lex:br:federal"), "bad-name", ""),
        (xml(name="urn:lex:br:federal:lei:lei.ficticia"), "reference-name", ""),
        (
            xml().replace(b"<Norma>", b"").replace(b"</Norma>", b"").replace(ARTICLE.encode(), b"")[:-40],
            "ill-formed-xml",
            "",
        ),
        (b'<LexML xmlns="http://www.lexml.gov.br/1.0"/>', "no-document", "the document has no Metadado/Identificacao"),
        (
            b'<LexML xmlns="http://www.lexml.gov.br/1.0"><Metadado><Identificacao/></Metadado></LexML>',
            "no-document",
            "the Identificacao has neither a URN",
        ),
        (xml(ARTICLE + ARTICLE), "bad-provision-id", "the id art1 occurs twice, first in line 1"),
        (xml(ARTICLE.replace(' id="art1_cpt"', "")), "bad-provision-id", "<Caput> has no id"),
        (
            xml(ARTICLE.replace("art1_cpt", "art 1")),
            "bad-provision-id",
            "the id 'art 1' of <Caput> is not allowed in a name",
        ),
        (xml(ARTICLE.replace("art1_cpt", "a" * 300)), "bad-provision-id", "the id 'aaa"),
        (
            xml(ARTICLE.replace("<Caput ", '<Caput eventoInicial="#x" ')),
            "bad-event",
            "art1_cpt points at the event",
        ),
        (xml(ARTICLE.replace("<Caput ", '<Caput eventoFinal="#x" ')), "bad-event", "art1_cpt points at the event"),
        (xml(metadata=life('<Evento id="a"><Publicacao/></Evento>')), "bad-event", "the event 'a' has no day"),
        (
            xml(metadata=life('<Evento id="a" data="2001-02-30"><Publicacao/></Evento>')),
            "bad-event",
            "the event 'a' has",
        ),
        (
            xml(metadata=life('<Evento id="a" data="2001-02-03"><Festa/></Evento>')),
            "bad-event",
            "the event 'a' holds <Festa>",
        ),
        (
            xml(metadata=life('<Evento id="a" data="2001-02-03"><RevogacaoTotal FonteURN="x"/></Evento>')),
            "bad-event",
            "FonteURN='x' of <RevogacaoTotal> is no name",
        ),
        (
            xml(metadata=life(*(f'<Evento id="{i}" data="2001-03-0{i}"><Publicacao/></Evento>' for i in "67"))),
            "bad-event",
            "the event '7' is a second Publicacao",
        ),
    ],
)
def test_invalid_document_is_refused_with_its_reason(data: bytes, code: str, problem: str) -> None:
    refusal_code, message = refused(data)
    assert (refusal_code, message[: len(problem)]) == (code, problem)


def test_ten_thousand_levels_are_refused() -> None:
    deep = "<Secao id='s'>" * 10_000 + "</Secao>" * 10_000
    assert refused(xml(deep))[0] == "xml-limit"


def test_two_hundred_levels_are_read() -> None:
    deep = "".join(f"<Secao id='sec{n}'>" for n in range(200)) + "</Secao>" * 200
    parsed_record = record(xml(deep))
    assert len(parsed_record.provisions) == 200
    store = in_memory()
    store.apply([parsed_record])
    assert [p.level for p in text(store, NAME).provisions] == list(range(1, 201))


class Endless(io.RawIOBase):
    """A document of a given number of bytes, generated without holding it in memory."""

    def __init__(self, size: int) -> None:
        self._head = xml().partition(b"<Articulacao>")[0] + b"<Articulacao>"
        self._left = size
        self._number = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._head:
            head, self._head = self._head, b""
            return head
        if self._left <= 0:
            return b""
        self._number += 1
        piece = ARTICLE.replace("art1", f"art{self._number}").encode()
        filler = b"<!-- " + b"-x" * (max(size, 0) // 2) + b" -->"
        self._left -= len(piece) + len(filler)
        return piece + filler


HELD = """
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml
from tests.support.memory import peak
from tests.unit.loaders.test_lexml_xml_refused import Endless
before = peak()
for outcome in read_lexml_xml(SourceDocument("big.xml", lambda: Endless(500 << 20))):
    print(outcome.code)
print(peak() - before)
"""


@needs_peak
@pytest.mark.slow
def test_half_a_gigabyte_is_refused_without_being_held_in_memory() -> None:
    run = subprocess.run([sys.executable, "-c", HELD], cwd=ROOT, capture_output=True, text=True, check=True)
    *codes, grown = run.stdout.splitlines()
    assert codes == ["record-too-large"]
    assert int(grown) < 400 << 10, f"{int(grown) >> 10} MiB"


def test_circular_documents_are_loaded() -> None:
    """Check cycles of annexes and successors, and a provision that another source contains in its own descendant."""
    other = NAME.replace("99940", "99941")
    body = '<Capitulo id="cap1"><Artigo id="art1"><Caput id="art1_cpt"><p>A.</p></Caput></Artigo></Capitulo>'
    turned = '<Artigo id="art1"><Capitulo id="cap1"><Caput id="art1_cpt"><p>B.</p></Caput></Capitulo></Artigo>'
    context = (
        '<Contexto><FRBRObraComplexa URN="{}"><SucessorLogicoDe URN="{}"/><EquivalenteA URN="{}"/></FRBRObraComplexa>'
        "</Contexto>"
    )
    store = in_memory()
    first = f"{NAME}@2001-06-01;publicacao;2001-03-06"
    second = f"{NAME}@2002-06-01;alteracao;2002-06-01"
    for data in (
        xml(body, context.format(NAME, other, NAME), name=first),
        xml(turned, name=second),
        xml(body, context.format(other, NAME, other), name=other),
    ):
        store.apply([record(data)])
    for day in ("2001-06-01", "2002-06-01"):
        answer = text(store, NAME, day, "2003-01-01")
        assert {p.name.rpartition("!")[2] for p in answer.provisions} == {"cap1", "art1", "art1_cpt"}
    store.rebuild()


def test_dropped_content_is_reported() -> None:
    body = ARTICLE.replace(
        "Palavras.", '<span xlink:href="urn:lex:nada">Palavras</span> <span xlink:href="http://a.example/">x</span>'
    )
    body = body.replace("<Caput ", '<Caput situacao="perdido" ') + "<Estranho>y</Estranho>"
    outcomes = read(xml(body))
    codes = sorted(str(outcome.code) for outcome in outcomes if isinstance(outcome, Note))
    assert codes == ["citation-refused", "unknown-situation", "unread-element", "unread-element"]
    assert [outcome.dropped for outcome in outcomes if isinstance(outcome, Note)] == [True, False, False, False]
    (wording,) = next(p for p in record(xml(body)).provisions if p.fragment == "art1_cpt").wordings
    assert (wording.text, wording.situation, wording.cites) == ("Palavras x", None, ())


def test_provisions_in_the_metadata_are_dropped_and_reported() -> None:
    lost = xml(ARTICLE).replace(b"</Metadado>", b"<Articulacao><p>Palavras perdidas.</p></Articulacao></Metadado>", 1)
    notes = [(str(note.code), note.count, note.dropped) for note in read(lost) if isinstance(note, Note)]
    assert ("unread-element", 1, True) in notes


def test_name_of_version_07_is_built_from_its_parts() -> None:
    section = (
        '<Identificacao FRBRitemRef="self"><JurisdicaoAutoridade xlink:href="br;sao.paulo"/>'
        '<Autoridade xlink:href="estadual"/><TipoDocumento xlink:href="lei"/><IdentificadorDocumento>'
        "<DataRepresentativa>2001-03-05</DataRepresentativa><Identificador>99942</Identificador></IdentificadorDocumento>"
        "<DataVersao>2001-06-01</DataVersao><DataVisao>2001-03-06</DataVisao><FormaConteudo>"
        '<TipoConteudo xlink:href="texto"/><Lingua xlink:href="pt-br"/></FormaConteudo></Identificacao>'
        + life('<Evento id="p" data="2001-03-06"><Publicacao/></Evento>')
    )
    data = xml(namespace="http://www.lexml.gov.br/0.7").replace(
        f'<Identificacao URN="{NAME}"/>'.encode(), section.encode()
    )
    document = record(data).document
    assert document is not None
    assert document.name.canonical == (
        "urn:lex:br;sao.paulo:estadual:lei:2001-03-05;99942@2001-06-01;publicacao;2001-03-06~texto;pt-br"
    )


def test_wording_marked_as_revoked_ends_within_bounds() -> None:
    body = ARTICLE.replace("<Caput ", '<Caput situacao="revogado" ')
    parsed_record = record(xml(body, name=f"{NAME}@2005-01-01;alteracao;2005-01-01"))
    ended = {(str(e.target).partition("!")[2], e.kind, str(e.effect)) for e in parsed_record.events}
    bounds = "2001-03-05/2005-01-01"
    assert ended == {("art1", "revogacao", bounds), ("art1_cpt", "revogacao", bounds)}, "and the article without parts"
    (wording,) = next(p for p in parsed_record.provisions if p.fragment == "art1_cpt").wordings
    assert wording.situation is Situation.REVOGADO


def test_bill_changes_nothing() -> None:
    target = "urn:lex:br:federal:lei:1999-01-04;99943"
    revoked = f'<RevogacaoTotal AlvoURN="{target}"/>'
    generated = f'<EventosGerados><Evento id="a" data="2001-03-05">{revoked}</Evento></EventosGerados>'
    bill = "urn:lex:br:camara.deputados:projeto.lei;pl:2001;99944"
    inner = '<Caput id="art1_cpt_alt1_art2_cpt" xlink:href="art2_cpt"><p>Novo.</p></Caput>'
    inner = f'<Artigo id="art1_cpt_alt1_art2" xlink:href="art2">{inner}</Artigo>'
    inner = f'<p>Altera:</p><Alteracao id="art1_cpt_alt1" xml:base="{target}">{inner}</Alteracao>'
    quoted = f'<Artigo id="art1"><Caput id="art1_cpt">{inner}</Caput></Artigo>'
    proposed, made = record(xml(quoted, generated, name=bill)), record(xml(quoted, generated))
    assert (proposed.events, proposed.document and proposed.document.relations) == ((), ())
    ((kind, ended, cause),) = [(e.kind, e.target.canonical, str(e.cause)) for e in made.events]
    assert (kind, ended, cause) == ("revogacao", target, NAME)
    assert made.document is not None
    assert [(r.kind.value, r.target.canonical) for r in made.document.relations] == [("altera", target)]
    for parsed_record in (proposed, made):
        words = {p.fragment: p.words.canonical for p in parsed_record.provisions if p.words is not None}
        assert words == {"art1_cpt_alt1_art2": f"{target}!art2", "art1_cpt_alt1_art2_cpt": f"{target}!art2_cpt"}


def open_text(*paragraphs: str) -> str:
    return "<PartePrincipal>" + "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs) + "</PartePrincipal>"


SUMULA = (
    "<Jurisprudencia><Sumula><Epigrafe id='epigrafe'>Súmula 99.945</Epigrafe><Ementa id='ementa'>Decide-se.</Ementa>"
    "<Observacao id='observacao'><TextoSimples>Nota.</TextoSimples></Observacao></Sumula></Jurisprudencia>"
)
ACORDAO = (
    "<Jurisprudencia><Acordao><CabecalhoAcordao><Epigrafe id='epigrafe'>ADI</Epigrafe>"
    "<DataJulgamento>2003-05-05</DataJulgamento><OrgaoJulgador>Pleno</OrgaoJulgador>"
    "<Relator><Rotulo>Relator</Rotulo><NomeAgente>Fulano</NomeAgente></Relator>"
    "<PartesProcesso><ParteProcesso><Rotulo>Autor</Rotulo><NomeAgente>A</NomeAgente></ParteProcesso></PartesProcesso>"
    "<EmentaAcordao id='ementa'><Texto><p>Ementa.</p></Texto></EmentaAcordao></CabecalhoAcordao>"
    f"<AcordaoTexto>{open_text('Acordam.')}</AcordaoTexto><RelatorioTexto>{open_text('R.')}</RelatorioTexto>"
    "</Acordao></Jurisprudencia>"
)
ANEXO = f"<Anexo><DocumentoArticulado><Articulacao>{ARTICLE}</Articulacao></DocumentoArticulado></Anexo>"
PROJETO = (
    f"<ProjetoNorma><Norma><Articulacao>{ARTICLE}</Articulacao></Norma><Justificacao>{open_text('J.')}</Justificacao>"
    f"<Justificacao>{open_text('K.')}</Justificacao><AutorProjeto>Beltrana</AutorProjeto></ProjetoNorma>"
)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (SUMULA, ["epigrafe", "ementa", "observacao"]),
        (
            ACORDAO,
            ["epigrafe", "datajulgamento", "orgaojulgador", "relator", "partes", "ementa", "acordao", "relatorio"],
        ),
        (f"<DocumentoGenerico>{open_text('Um.', 'Dois.')}</DocumentoGenerico>", ["principal"]),
        (ANEXO, ["art1", "art1_cpt"]),
        (PROJETO, ["art1", "art1_cpt", "justificacao", "justificacao2", "autor"]),
    ],
)
def test_every_document_type_is_read(inside: str, expected: list[str]) -> None:
    data = xml()
    start, end = data.index(b"<Norma>"), data.index(b"</LexML>")
    parsed_record = record(data[:start] + inside.encode() + data[end:])
    assert [p.fragment for p in parsed_record.provisions] == expected
    store = in_memory()
    store.apply([parsed_record])
    assert all(p.text for p in text(store, NAME).provisions if p.name.endswith(expected[-1]))
    assert len(text(store, NAME).provisions) == len(expected)


def test_refused_document_is_retried_and_good_ones_load(tmp_path: Path) -> None:
    folder = tmp_path / "fontes"
    folder.mkdir()
    (folder / "a.xml").write_bytes(xml(ARTICLE + ARTICLE))
    (folder / "b.xml").write_bytes(xml(name=NAME.replace("99940", "99946")))
    quarantine = Quarantine(tmp_path / "quarantine")
    store = in_memory()
    summary = load([folder], store, quarantine)
    assert (summary.loaded, dict(summary.refused)) == (1, {"bad-provision-id": 1})
    again = retry(quarantine, store)
    assert (again.loaded, again.refused.total(), len(list(quarantine.list()))) == (0, 1, 1)


def cuts() -> Iterator[bytes]:
    for index in range(0, len(FIXTURE), 997):
        yield FIXTURE[:index]


def test_truncated_document_gives_nothing_partial() -> None:
    for data in cuts():
        (outcome,) = read(data)
        assert isinstance(outcome, Refusal), len(data)


@settings(max_examples=300)
@given(st.data())
def test_damaged_document_never_raises(data: st.DataObject) -> None:
    """Replace up to 40 bytes anywhere by up to two: the result is one record that can be stored, or one refusal."""
    index = data.draw(st.integers(0, len(FIXTURE) - 1))
    byte = data.draw(st.binary(max_size=2))
    taken = data.draw(st.integers(0, 40))
    outcomes = read(FIXTURE[:index] + byte + FIXTURE[index + taken :])
    final = [o for o in outcomes if isinstance(o, Record | Refusal)]
    assert len(final) == 1
    if isinstance(final[0], Record):
        in_memory().apply([final[0]])
