"""Reading of an articulated text in any format: plain text, HTML, DOCX, or JSON of the LexML editor."""

from __future__ import annotations

from dataclasses import dataclass

from graph.errors import BadName, BadRecord
from graph.urn import Name, parse
from graph.wording.epigraph import from_epigraph
from loaders.articulated.editor import is_editor_json, structured_of_editor
from loaders.articulated.html import lines_of_html
from loaders.articulated.lines import lines_of_text, undecoded
from loaders.articulated.tree import Structured, structured
from loaders.codes import RefusalCode

#: How many MiB a text may have.
MAX_MIB = 32
_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Articulated:
    """A text with its provisions.

    Attributes:
        name: the norm that it says it is; None where its title does not say.
    """

    found: Structured
    name: Name | None


def read_articulated(raw: bytes) -> Articulated:
    """Return the provisions of a text; its content decides its format.

    Raises:
        BadRecord: it is empty, too large, in no format that is read, or damaged.
    """
    head = raw[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head:
        raise BadRecord(RefusalCode.EMPTY_FILE, "the file is empty", "text, HTML, DOCX or JSON of the LexML editor")
    if len(raw) > MAX_MIB << 20:
        problem = f"the file has more than {MAX_MIB} MiB"
        raise BadRecord(RefusalCode.RECORD_TOO_LARGE, problem, f"at most {MAX_MIB} MiB")
    if is_editor_json(raw[: 1 << 16]):
        return Articulated(*structured_of_editor(raw))
    if head.startswith(b"PK\x03\x04"):
        from loaders.articulated.word import lines_of_docx  # noqa: PLC0415 - much, and few texts are DOCX

        found = structured(lines_of_docx(raw))
    elif head.startswith((b"<", b"\xff\xfe<", b"\xfe\xff\x00<")):
        found = structured(lines_of_html(raw))
    elif head.startswith((b"%PDF", b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        raise BadRecord(RefusalCode.UNKNOWN_KIND, "the file is PDF, DOC or RTF", "text, HTML or DOCX: convert it")
    else:
        found = structured(lines_of_text(undecoded(raw)))
    return Articulated(found, name_of_title(found))


def name_of_title(found: Structured) -> Name | None:
    """The name that the epigraph of a text spells; None where it spells none, or only a reference."""
    epigraph = found.first("epigrafe")
    if epigraph is None or epigraph.text is None:
        return None
    try:
        name = parse(from_epigraph(epigraph.text).name)
    except BadName:
        return None
    return None if name.is_reference else name
