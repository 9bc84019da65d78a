"""The elements of LexML XML that are provisions or contain them, the text of each, and the names that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from lxml import etree

from graph.errors import BadName
from graph.urn import Name, parse
from graph.wording.provisions import SIGNATURE
from graph.wording.tables import cells_of, image_mark
from loaders.xml import Element, bounded, local_name, spaced

#: Groupings of articles (section 5.3; ``Subtitulo`` since version 1.7 of the schema). Their ``TextoSimples`` is a
#: heading.
GROUPINGS = frozenset(
    {"Parte", "Livro", "Titulo", "Subtitulo", "Capitulo", "Secao", "Subsecao", "AgrupamentoHierarquico"}
)
#: The element of quoted provisions of another norm.
ALTERATION = "Alteracao"
#: Elements with an identifier of their own (sections 5.3 to 5.5).
PROVISIONS = GROUPINGS | {
    "Artigo",
    "Caput",
    "Paragrafo",
    "Inciso",
    "Alinea",
    "Item",
    "DispositivoGenerico",
    "Pena",
    "Omissis",
    ALTERATION,
}
#: Parts of a text with their default identifier (section 5.5; from the fourth on our own).
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "Epigrafe": "epigrafe",
        "Ementa": "ementa",
        "Preambulo": "preambulo",
        "LocalDataFecho": "localdatafecho",
        "Assinatura": SIGNATURE,
        "Observacao": "observacao",
        "DataJulgamento": "datajulgamento",
        "OrgaoJulgador": "orgaojulgador",
        "Relator": "relator",
        "PartesProcesso": "partes",
        "EmentaAcordao": "ementa",
        "AcordaoTexto": "acordao",
        "RelatorioTexto": "relatorio",
        "VotoTexto": "voto",
        "DebateTexto": "debate",
        "ExtratoAtaTexto": "extratoata",
        "DocumentoGenerico": "principal",
        "Justificacao": "justificacao",
        "AutorProjeto": "autor",
        "NomeGrupo": "grupo",
    }
)
#: Elements that only contain provisions and parts.
HOLDERS = frozenset(
    {
        "Norma",
        "ProjetoNorma",
        "Jurisprudencia",
        "DocumentoArticulado",
        "Anexo",
        "Anexos",
        "ParteInicial",
        "Articulacao",
        "ParteFinal",
        "Sumula",
        "Acordao",
        "CabecalhoAcordao",
        "AssinaturaGrupo",
        "Assinaturas",
        "AspasEstrutura",
    }
)
#: Elements with the text of a provision or part.
TEXTS = frozenset(
    {"p", "Texto", "TextoSimples", "div", "ul", "ol", "table", "Bloco", "ConteudoExterno", "AspasTexto", "Agrupamento"}
    | {"PartePrincipal"}
)
#: The heading of a provision.
TITLES = frozenset({"NomeAgrupador", "TituloDispositivo", "TituloArtigo"})
#: Elements on the printing of a quotation, and struck text: not part of the text.
LEFT_OUT = frozenset({"AbreAspas", "FechaAspas", "NotaAlteracao", "NotaReferenciada", "del"})
#: Elements of a provision that are not its text.
BESIDE = TITLES | LEFT_OUT | {"Rotulo", "ReferenciaAnexo"}


HREF = "{http://www.w3.org/1999/xlink}href"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_BREAKS = frozenset(
    {"p", "br", "li", "tr", "div", "table", "Bloco", "Texto", "Agrupamento", "math", "ParteProcesso"}
    | {"AdvogadosParte"}
)
_SPACED = frozenset({"NomePessoa", "Cargo", "Tratamento", "NomeAgente", "Rotulo"})
_CELLS = frozenset({"td", "th"})
_EMPTY_ROW = re.compile(r"[| ]*")
_DECLARED = re.compile(r' xmlns(?::xlink|:xsi)?="http://www\.(?:w3|lexml)\.[^"]*"')
_SLASH = re.compile(r"(?<=[0-9])/(?=[0-9])")
_YEAR_AGAIN = re.compile(r":[0-9]{0,2}([0-9]{2})(?:-[0-9]{2}-[0-9]{2})?;[0-9.]+/(?:[0-9]{2})?\1(?![0-9-])", re.ASCII)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@lru_cache(maxsize=1 << 14)
def _tag(tag: str) -> str:
    return local_name(tag)


def words(elements: list[Element]) -> str | None:
    r"""Return the plain text of some elements: one line for each block, white space normalised; None if there is none.

    A row of a table is a line with a vertical bar around each cell.

    >>> from lxml.etree import fromstring
    >>> words([fromstring("<p>a <b>b</b></p>"), fromstring("<p>c<Alteracao id='x'><p>d</p></Alteracao></p>")])
    'a b\nc'
    >>> words([fromstring("<table><tr><td>a</td><td/></tr><tr><td>b</td><td><img src='f.gif'/></td></tr></table>")])
    '| a | |\n| b | [imagem f.gif] |'
    """
    if len(elements) == 1 and len(elements[0]) == 0:
        return bounded(spaced(elements[0].text or "")) or None
    lines: list[list[str]] = [[]]
    for element in elements:
        lines.append([])
        for piece in _pieces(element):
            if piece is None:
                lines.append([])
            else:
                lines[-1].append(piece)
    plain = (_without_single_cell(spaced("".join(line))) for line in lines)
    return bounded("\n".join(line for line in plain if not _EMPTY_ROW.fullmatch(line))) or None


def _without_single_cell(line: str) -> str:
    cells = cells_of(line)
    return cells[0] if cells is not None and len(cells) == 1 else line


def _pieces(top: Element) -> Iterator[str | None]:
    """Yield the pieces of text in order, and None at each line break; of an inner provision only the text after it."""
    walker = etree.iterwalk(top, events=("start", "end"))
    rows = 0
    for event, node in walker:
        if not isinstance(node, Element):
            continue
        name = _tag(node.tag)
        within_row = rows > 0
        if event == "start":
            if node is not top and (name in PROVISIONS or name in LEFT_OUT):
                walker.skip_subtree()
                continue
            rows += name == "tr"
            yield from _before(node, name, within_row=within_row)
            if node.text:
                yield _in_row(node.text, within_row=rows > 0)
            continue
        rows -= name == "tr"
        if name in _CELLS:
            yield " | "
        elif name in _BREAKS:
            yield " " if rows else None
        if node is not top and node.tail:
            yield _in_row(node.tail, within_row=rows > 0)


def _before(node: Element, name: str, *, within_row: bool) -> Iterator[str | None]:
    """Yield what begins before the text of an element: a break, a row, or an image."""
    if name in _BREAKS:
        yield " " if within_row else None
    elif name in _SPACED:
        yield " "
    if name == "tr" and not within_row:
        yield "| "
    if name == "img":
        yield f" {image_mark(node.get('src') or '', node.get('alt') or '')} "


def _in_row(text: str, *, within_row: bool) -> str:
    return text.replace("|", "\\|") if within_row else text


def markup(elements: list[Element]) -> str | None:
    """Return the elements as XML if they have more than plain paragraphs; not if they contain provisions."""
    inside = [node for element in elements for node in element.iterdescendants("*")]
    if all(_tag(node.tag) == "p" for node in inside) and all(_tag(e.tag) != "table" for e in elements):
        return None
    if any(_tag(node.tag) in PROVISIONS for node in inside):
        return None
    return bounded("".join(_element_xml(element) for element in elements))


def _element_xml(element: Element) -> str:
    """Return an element as XML; for a part of the text, which has a name of its own, only the content."""
    written = _DECLARED.sub("", etree.tostring(element, encoding="unicode", with_tail=False).strip())
    if _tag(element.tag) not in PARTS:
        return written
    return written[written.index(">") + 1 : written.rindex("</")].strip()


def citations_in(elements: list[Element]) -> Iterator[tuple[str, Element]]:
    """Yield each citation in some elements, as in its ``xlink:href``, without those of inner provisions."""
    for element in elements:
        walker = etree.iterwalk(element, events=("start",))
        for _, node in walker:
            if not isinstance(node, Element):
                continue
            if node is not element and _tag(node.tag) in PROVISIONS:
                walker.skip_subtree()
                continue
            href = node.get(HREF)
            if href is not None:
                yield href, node


def resolve_href(href: str, element: Element, document: str) -> str | None:
    """Return the target of an ``xlink:href``: a name, or a fragment resolved by the nearest ``xml:base`` (LexML part 3,
    section 7).

    None for a web address, which is not a citation of a norm. Without a base the document itself is the target.
    """
    href = href.strip()
    if href.lower().startswith(("urn:", "lex:")):
        return href
    if _SCHEME.match(href):
        return None
    base = document
    above: Element | None = element
    while above is not None:
        written = above.get(_BASE)
        if written is not None and written.strip().lower().startswith(("urn:", "lex:")):
            base = written.strip().rstrip(":")
            break
        above = above.getparent()
    return f"{base}!{href.lstrip('#!')}"


@lru_cache(maxsize=1 << 14)
def read_name(text: str) -> Name | None:
    """Return a name, also a reference; None for other text, and if a slash may separate the year from the number."""
    for spelling in (text, *(() if repeats_year(text) else (replace_slash(text),))):
        try:
            return parse(spelling)
        except BadName:
            continue
    return None


def repeats_year(name: str) -> bool:
    """Return whether the part of a number after a slash equals the year of the name, and may thus repeat it.

    >>> repeats_year("urn:lex:br:federal:lei:1990-09-11;8078/90")
    True
    >>> repeats_year("urn:lex:br:federal:lei:1990-09-11;8078/1")
    False
    """
    return _YEAR_AGAIN.search(name) is not None


def replace_slash(name: str) -> str:
    """Return a name with ``-`` for a slash in a number (LexML 1.0 part 2, section 10.2).

    >>> replace_slash("urn:lex:br:conselho.ficticio:acordao:2011;08012.003582/2010-39")
    'urn:lex:br:conselho.ficticio:acordao:2011;08012.003582-2010-39'
    """
    return _SLASH.sub("-", name)
