"""Reader of the lines of Word documents (DOCX), by python-docx, within limits on the unpacked size."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

from graph.errors import BadRecord
from loaders.articulated.lines import Line, LineWriter
from loaders.codes import RefusalCode

#: The maximum unpacked size of a document in MiB, and the maximum number of members.
_MAX_MIB = 128
_MAX_MEMBERS = 5_000


def lines_of_docx(raw: bytes) -> list[Line]:
    """Return the lines of a document; a line's number is that of its paragraph, from 1.

    Raises:
        BadRecord: ``bad-archive`` if it is not DOCX, ``archive-bomb`` if it is too large unpacked, or has too many
            members.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            members = packed.infolist()
            if len(members) > _MAX_MEMBERS or sum(member.file_size for member in members) > _MAX_MIB << 20:
                problem = f"the document has more than {_MAX_MIB} MiB unpacked"
                raise BadRecord(RefusalCode.ARCHIVE_BOMB, problem, f"at most {_MAX_MIB} MiB")
        document = Document(io.BytesIO(raw))
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError, etree.XMLSyntaxError) as error:
        raise BadRecord(RefusalCode.BAD_ARCHIVE, f"the document cannot be read: {error}", "a DOCX document") from None
    writer = LineWriter()
    number = 0
    for block in document.iter_inner_content():
        for paragraph, in_table in _paragraphs(block):
            number += 1
            centred = paragraph.alignment == WD_ALIGN_PARAGRAPH.CENTER
            for run in paragraph.runs:
                struck = bool(run.font.strike or run.font.double_strike)
                pieces = run.text.split("\n")
                for index, piece in enumerate(pieces):
                    if index:
                        writer.end(breaks=True, centred=centred, in_table=in_table)
                    writer.add(piece, number, struck=struck, bold=bool(run.bold))
            writer.end(centred=centred, in_table=in_table)
    return writer.lines


def _paragraphs(block: Paragraph | Table) -> Iterator[tuple[Paragraph, bool]]:
    if isinstance(block, Paragraph):
        yield block, False
        return
    for row in block.rows:
        for cell in row.cells:
            for paragraph in cell.paragraphs:
                yield paragraph, True
