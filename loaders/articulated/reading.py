"""Reading of an articulated text in any format: plain text, HTML, DOCX, ODT, PDF, or JSON of the LexML editor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from graph.errors import BadEpigraph, BadName, BadParameter, BadRecord
from graph.urn import Name, parse, parse_or_none
from graph.wording.epigraph import from_epigraph
from graph.wording.numerals import DATE, when_of
from graph.wording.provisions import SIGNATURE
from loaders.articulated.acts import day_of_gazette, is_title, structured_acts
from loaders.articulated.issuer import FEDERAL, NOWHERE, Issuer, Origin, issuer_of
from loaders.articulated.lines import DocumentText, decode_text, lines_of_html, lines_of_text
from loaders.articulated.occurrences import Occurrence, StructuredText
from loaders.articulated.tree import structure_lines
from loaders.codes import RefusalCode
from loaders.xml import spaced

# JSON of the official editor of LexML texts (Jsonix: LexML XML written as JSON objects) as provisions.


#: The maximum depth of nested objects.
_DEEPEST = 200
_SHAPE = "LexML XML as JSON, as the LexML editor writes it (TYPE_NAME br_gov_lexml__1.LexML)"
_PREFIXES = {
    "Parte": "prt",
    "Livro": "liv",
    "Titulo": "tit",
    "Subtitulo": "agh",
    "Capitulo": "cap",
    "Secao": "sec",
    "Subsecao": "sub",
    "AgrupamentoHierarquico": "agh",
    "Artigo": "art",
    "Caput": "cpt",
    "Paragrafo": "par",
    "Inciso": "inc",
    "Alinea": "ali",
    "Item": "ite",
    "DispositivoGenerico": "dpg",
    "Alteracao": "alt",
    "Omissis": "omi",
}
_PARTS = {
    "epigrafe": "epigrafe",
    "ementa": "ementa",
    "preambulo": "preambulo",
    "localDataFecho": "localdatafecho",
    SIGNATURE: SIGNATURE,
}
#: The element of a quoted amendment.
_AMENDMENT = "alteracao"
_HOLDERS = frozenset(
    {"projetoNorma", "norma", "parteInicial", "articulacao", "parteFinal", "lXhier", "lXcontainersOmissis", _AMENDMENT}
    | {"content", "value", "documentoArticulado", "p"}
)


def is_editor_json(head: bytes) -> bool:
    """Return whether a document begins like the editor's JSON."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b"br_gov_lexml__1" in head


def structured_of_editor(raw: bytes) -> tuple[StructuredText, Name | None]:
    """Return the provisions of a document of the editor, and the norm's name if it states one.

    Raises:
        BadRecord: ``bad-json``: it is not JSON, not a document of the editor, or its objects are nested too deep.
    """
    try:
        root: object = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadRecord(RefusalCode.BAD_JSON, f"the file is not valid JSON: {error}", _SHAPE) from None
    value = root.get("value") if isinstance(root, dict) else None
    if not isinstance(value, dict) or "br_gov_lexml" not in str(value.get("TYPE_NAME")):
        raise BadRecord(RefusalCode.BAD_JSON, "the file has no object of type br_gov_lexml__1.LexML", _SHAPE)
    structured = StructuredText()
    _walk(structured, value)
    return structured, _name(value)


def _name(value: Mapping[str, object]) -> Name | None:
    metadata = value.get("metadado")
    identification = metadata.get("identificacao") if isinstance(metadata, dict) else None
    urn = identification.get("urn") if isinstance(identification, dict) else None
    return parse_or_none(urn) if isinstance(urn, str) and urn else None


def _walk(text: StructuredText, value: Mapping[str, object]) -> None:
    """Add all provisions to ``text``, in the order of the document, without recursion."""
    stack: list[tuple[str, object, str | None, int]] = [("LexML", value, None, 0)]
    while stack:
        kind, node, within, depth = stack.pop()
        if depth > _DEEPEST:
            raise BadRecord(RefusalCode.BAD_JSON, f"objects are nested more than {_DEEPEST} deep", _SHAPE)
        if isinstance(node, list):
            stack.extend((kind, child, within, depth + 1) for child in reversed(node))
        if not isinstance(node, dict):
            continue
        name = node.get("name")
        if isinstance(name, dict) and "value" in node:
            stack.append((str(name.get("localPart")), node["value"], within, depth + 1))
            continue
        if kind in _PREFIXES or kind in _PARTS or kind == _AMENDMENT:
            within = _add_placed(text, kind, node, within)
        if kind in _PARTS:
            continue
        children = [(key, child, within, depth + 1) for key, child in node.items() if key in _HOLDERS or key in _PARTS]
        stack.extend(reversed(children))


def _add_placed(text: StructuredText, kind: str, node: Mapping[str, object], within: str | None) -> str:
    prefix = _PARTS.get(kind) or ("alt" if kind == _AMENDMENT else _PREFIXES[kind])
    written = node.get("id")
    fragment = written if isinstance(written, str) and written else prefix
    order = len(text.provisions) + 1
    placed = Occurrence(fragment, within, prefix, _text(node.get("rotulo")), order)
    placed.heading = next(
        (title for key in ("nomeAgrupador", "tituloDispositivo", "tituloArtigo") if (title := _text(node.get(key)))),
        None,
    )
    paragraphs = node.get("p") if "p" in node else [node.get("content")] if prefix not in {"alt", "omi"} else []
    for paragraph in paragraphs if isinstance(paragraphs, list) else [paragraphs]:
        words = _text(paragraph)
        if words:
            placed.paragraphs.append(words)
    placed.omitted = node.get("textoOmitido") == "s" or prefix == "omi"
    placed.opens, placed.closes = node.get("abreAspas") == "s", node.get("fechaAspas") == "s"
    mark = node.get("notaAlteracao")
    placed.mark = mark if isinstance(mark, str) else None
    text.provisions.append(placed)
    return fragment


def _text(value: object) -> str | None:
    """Return the text in a value without tags, and without the text of its provisions; None if there is none."""
    return spaced("".join(_pieces(value))) or None


def _pieces(value: object) -> Iterator[str]:
    stack: list[tuple[object, int]] = [(value, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _DEEPEST:
            raise BadRecord(RefusalCode.BAD_JSON, f"objects are nested more than {_DEEPEST} deep", _SHAPE)
        if isinstance(node, str):
            yield node
        elif isinstance(node, list):
            stack.extend((child, depth + 1) for child in reversed(node))
        elif isinstance(node, dict):
            name = node.get("name")
            local = str(name.get("localPart")) if isinstance(name, dict) else ""
            if local not in _PREFIXES:
                stack.extend((node[key], depth + 1) for key in ("value", "content") if key in node)


# From a text in any format to a tree of provisions.


#: The maximum size of a text, in MiB.
MAX_MIB = 32
_HEAD = 4096
_CLOSING_DAY = re.compile(rf"(?i:{DATE})")


@dataclass(frozen=True, slots=True)
class ArticulatedText:
    """A text with its provisions.

    Attributes:
        name: the norm that its title names; None if it names none.
    """

    text: StructuredText
    name: Name | None


def read_articulated(raw: bytes, origin: Origin = NOWHERE) -> ArticulatedText:
    """Return the provisions of a text; its content decides its format.

    Args:
        raw: the file.
        origin: where it is from, if its title and preamble do not state it.

    Raises:
        BadRecord: it is empty, too large, damaged, or in an unsupported format.
    """
    if is_editor_json(raw[: 1 << 16]):
        return ArticulatedText(*structured_of_editor(raw))
    document = _document(raw)
    structured = structure_lines(document.lines)
    structured.beside += document.beside
    structured.not_placed += document.notes
    return ArticulatedText(structured, name_of_title(structured, origin))


def read_acts(raw: bytes, origin: Origin = NOWHERE) -> list[ArticulatedText]:
    """Return the provisions of each act of a file: one as a rule, several of a gazette.

    An act that does not state its publication is published on the day in the head of the gazette. Args and errors are
    those of :func:`read_articulated`.
    """
    if is_editor_json(raw[: 1 << 16]):
        return [read_articulated(raw, origin)]
    document = _document(raw)
    acts = [ArticulatedText(text, name_of_title(text, origin)) for text in structured_acts(document.lines)]
    acts[0].text.beside += document.beside
    acts[0].text.not_placed += document.notes
    first = next((number for number, line in enumerate(document.lines) if is_title(line)), 0)
    issued = day_of_gazette([*(line.text for line in document.lines[:first]), *(words for _, words in document.beside)])
    for act in acts:
        day = act.name.representative_date if act.name is not None else None
        if act.text.published is None and issued is not None and day is not None and str(day) <= str(issued):
            act.text.published = issued
    return acts


def _document(raw: bytes) -> DocumentText:
    """Return the lines of a file; the modules that read a document with pages are imported only for one."""
    head = raw[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head:
        formats = "text, HTML, DOCX, ODT, PDF or JSON of the LexML editor"
        raise BadRecord(RefusalCode.EMPTY_FILE, "the file is empty", formats)
    if len(raw) > MAX_MIB << 20:
        problem = f"the file has more than {MAX_MIB} MiB"
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_MIB} MiB")
    if head.startswith(b"%PDF-"):
        from loaders.articulated.pdf import read_pdf  # noqa: PLC0415

        return read_pdf(raw)
    if head.startswith(b"PK\x03\x04"):
        from loaders.articulated.odt import is_odt, read_odt  # noqa: PLC0415
        from loaders.articulated.word import read_docx  # noqa: PLC0415

        return read_odt(raw) if is_odt(raw) else read_docx(raw)
    if head.startswith((b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file is DOC or RTF", "text, HTML, DOCX, ODT or PDF: convert it")
    if head.startswith((b"<", b"\xff\xfe<", b"\xfe\xff\x00<")):
        return DocumentText(lines_of_html(raw), [], [])
    return DocumentText(list(lines_of_text(decode_text(raw))), [], [])


def name_of_title(text: StructuredText, origin: Origin = NOWHERE) -> Name | None:
    """Return the name that the epigraph of a text states, with the issuer that its preamble or its origin states; None
    if they state none, or only a reference.

    A norm without a number, such as an organic law, has the day of the closing of its text.
    """
    epigraph, preamble, closing = map(text.first, ("epigrafe", "preambulo", "localdatafecho"))
    if epigraph is None or epigraph.text is None:
        return None
    words = preamble.text or "" if preamble is not None else ""
    issuer = issuer_of(words, epigraph.text) if preamble is not None else Issuer()
    dated = _CLOSING_DAY.search(closing.text or "") if closing is not None else None
    when = when_of(dated, 1) if dated is not None else None
    day = when.day if when is not None else None
    place = _place(issuer, origin, is_federal=FEDERAL.search(words[:400]) is not None)
    try:
        authority = issuer.authority or origin.authority
        name = parse(_name_of_epigraph(epigraph.text, place, issuer.authority, authority, day))
    except (BadName, BadParameter):
        return None
    is_of_unnamed_place = issuer.is_local and not name.local.detalhe
    return None if name.is_reference or is_of_unnamed_place else name


def _place(issuer: Issuer, origin: Origin, *, is_federal: bool) -> str | None:
    """Return the state or municipality of an act: that of its preamble, else that of its origin; None for a federal
    one."""
    if issuer.is_local and issuer.place is not None and (";" in issuer.place or not origin.is_local):
        return issuer.place
    is_of_body = not issuer.is_local and issuer.authority is not None
    return None if is_federal or is_of_body or not origin.is_local else origin.place


def _name_of_epigraph(
    epigraph: str, place: str | None, stated: str | None, fallback: str | None, day: date | None
) -> str:
    """Return the name that an epigraph states; the fallback authority is used only if nothing states one."""
    authority = stated if place is not None else None
    try:
        return from_epigraph(epigraph, place=place, authority=authority, day=day).name
    except BadEpigraph as error:
        if fallback is None or error.code != "authority-missing":
            raise
    return from_epigraph(epigraph, place=place, authority=fallback, day=day).name
