"""Each optional part of the schema of LexML 0.7 (part 3, annexes 1 to 3) may be absent: the document still loads."""

from __future__ import annotations

import io

import pytest
from lxml import etree

from graph.entities import Record
from loaders.documents import SourceDocument
from loaders.sources.lexml_xml import read_lexml_xml

WHOLE = """
<LexML xmlns="http://www.lexml.gov.br/0.7" xmlns:xlink="http://www.w3.org/1999/xlink">
<Metadado><Identificacao URN="urn:lex:br:federal:lei:2001-03-05;99930@2001-06-01!2001-03-06"/></Metadado>
<Norma xml:lang="pt-BR">
<ParteInicial>
 <Epigrafe id="epigrafe"><TextoSimples>LEI Nº 99.930 (fictícia)</TextoSimples></Epigrafe>
 <Ementa id="ementa"><TextoSimples>Dispõe.</TextoSimples></Ementa>
 <Preambulo id="preambulo"><Texto><p>Decreta:</p></Texto></Preambulo>
</ParteInicial>
<Articulacao id="articulacao" class="a">
 <Titulo id="tit1"><Rotulo>TÍTULO I</Rotulo><TextoSimples>DO TEMPO</TextoSimples>
  <Artigo id="art1"><TituloArtigo>Do relógio</TituloArtigo><Rotulo>Art. 1º</Rotulo>
   <Caput id="art1_cpt" seqOrdem="1" situacao="revogado">
    <Texto id="t1"><p id="p1" style="s" title="t">Adulterar:</p></Texto>
    <Inciso id="art1_cpt_inc1"><Rotulo>I</Rotulo><Texto><p>relógio;</p></Texto></Inciso>
    <Pena id="art1_cpt_pen1"><Rotulo>Pena</Rotulo><Texto><p>multa.</p></Texto></Pena>
   </Caput>
   <Paragrafo id="art1_par1"><Rotulo>§ 1º</Rotulo><Texto><p>Outro:
     <Formula fonte="f"><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>2</mn></math></Formula>
     </p><table><tr><td>um</td><td>dois</td></tr></table>
     <ConteudoExterno><nota xmlns="urn:x">de fora</nota></ConteudoExterno></Texto>
    <DispositivoGenerico nome="alinea" id="art1_par1_dpg1"><Rotulo>a)</Rotulo>
     <Texto><p>um.</p></Texto></DispositivoGenerico>
   </Paragrafo>
  </Artigo>
  <Artigo id="art2"><Rotulo>Art. 2º</Rotulo>
   <Caput id="art2_cpt">
    <Texto><p>A <Remissao xlink:href="urn:lex:br:federal:lei:1999;99931">Lei</Remissao> muda:</p></Texto>
    <Alteracao id="art2_cpt_alt1" xml:base="urn:lex:br:federal:lei:1999-01-01;99931">
     <AspasEstrutura id="art2_cpt_asp1"><AbreAspas>\u201c</AbreAspas>
      <Omissis><Rotulo>I</Rotulo><TextoSimples>...</TextoSimples></Omissis>
      <Inciso id="art2_cpt_asp1_art4_cpt_inc3"><Rotulo>III</Rotulo><Texto><p>novo</p></Texto></Inciso>
      <FechaAspas>\u201d</FechaAspas>
      <NotaAlteracao id="n1"><TextoSimples>NR</TextoSimples></NotaAlteracao></AspasEstrutura>
    </Alteracao>
   </Caput>
  </Artigo>
 </Titulo>
</Articulacao>
<ParteFinal><LocalDataFecho id="localdatafecho"><TextoSimples>Brasília</TextoSimples></LocalDataFecho>
 <Assinatura><NomePessoa>Fulana</NomePessoa><Cargo>Presidente</Cargo></Assinatura></ParteFinal>
</Norma></LexML>"""
#: The optional parts (``minOccurs="0"``, and attributes that are not ``required``), as paths in the document.
OPTIONAL = [
    "//n:ParteInicial", "//n:Epigrafe", "//n:Ementa", "//n:Preambulo", "//n:Epigrafe/n:TextoSimples",
    "//n:Preambulo/n:Texto",
    "//n:Titulo/n:Rotulo", "//n:Titulo/n:TextoSimples", "//n:TituloArtigo", "//n:Inciso[1]", "//n:Inciso/n:Rotulo",
    "//n:Caput/n:Texto", "//n:Pena", "//n:Pena/n:Rotulo", "//n:Pena/n:Texto", "//n:Paragrafo", "//n:Paragrafo/n:Texto",
    "//n:Formula", "//n:Formula/*", "//n:Formula/@fonte",
    "//n:DispositivoGenerico", "//n:Alteracao", "//n:Omissis", "//n:Omissis/n:Rotulo", "//n:Omissis/n:TextoSimples",
    "//n:NotaAlteracao", "//n:NotaAlteracao/n:TextoSimples", "//n:ParteFinal", "//n:LocalDataFecho", "//n:Assinatura",
    "//n:Cargo", "//n:Norma/@xml:lang", "//n:Articulacao/@id", "//n:Articulacao/@class", "//n:Caput/@seqOrdem",
    "//n:Caput/@situacao", "//n:Texto/@id", "//n:p/@id", "//n:p/@style", "//n:p/@title", "//n:Pena/@id",
    "//n:Alteracao/@id",
    "//n:Alteracao/@xml:base", "//n:NotaAlteracao/@id",
]  # fmt: skip


def _without(path: str) -> bytes:
    """Return the document without the first place of a path."""
    root = etree.fromstring(WHOLE.strip().encode())
    found = root.xpath(path, namespaces={"n": "http://www.lexml.gov.br/0.7"})
    assert isinstance(found, list)
    first = found[0]
    if path.rpartition("/")[2].startswith("@"):
        parent = first.getparent()  # type: ignore[union-attr]  # an attribute's value
        del parent.attrib[first.attrname]  # type: ignore[union-attr,arg-type]
    else:
        first.getparent().remove(first)  # type: ignore[union-attr,arg-type]
    return etree.tostring(root, encoding="utf-8")


def _read(data: bytes) -> tuple[Record, list[str]]:
    outcomes = list(read_lexml_xml(SourceDocument("a.xml", lambda: io.BytesIO(data))))
    (record,) = (outcome for outcome in outcomes if isinstance(outcome, Record))
    return record, [str(outcome) for outcome in outcomes if not isinstance(outcome, Record)]


def test_whole_document_loads_without_a_note() -> None:
    record, notes = _read(WHOLE.strip().encode())
    assert notes == []
    words = {provision.fragment: provision.wordings[0].text for provision in record.provisions}
    assert words["art1_cpt_pen1"] == "multa."
    assert words["art1_par1"] == "Outro:\nx=2\n| um | dois |\nde fora"
    assert words["art1_par1_dpg1"] == "um."
    assert words["art2_cpt_asp1_art4_cpt_inc3"] == "novo"


@pytest.mark.parametrize("path", OPTIONAL)
def test_optional_part_may_be_absent(path: str) -> None:
    record, notes = _read(_without(path))
    assert notes == []
    assert {"art1", "art2"} <= {provision.fragment for provision in record.provisions}


def test_absent_identifiers_are_made_from_those_of_the_container() -> None:
    for path, made in (("//n:Pena/@id", "art1_cpt_pen1"), ("//n:Alteracao/@id", "art2_cpt_alt1")):
        record, _ = _read(_without(path))
        assert made in {provision.fragment for provision in record.provisions}
    taken = WHOLE.replace('<Pena id="art1_cpt_pen1">', "<Pena>").replace("art1_cpt_inc1", "art1_cpt_pen1")
    record, _ = _read(taken.strip().encode())
    assert "art1_cpt_pen2" in {provision.fragment for provision in record.provisions}
