"""What documents of office programs share: ZIP packages within limits, and the numbers of their lists."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

from graph.errors import BadRecord
from graph.wording.numerals import ordinal, roman
from loaders.codes import RefusalCode
from loaders.documents import UNPACKING_ERRORS

#: The maximum unpacked size of a document in MiB, and the maximum number of members.
_MAX_MIB = 128
_MAX_MEMBERS = 5_000
#: What opening a damaged package raises: zipfile also RuntimeError for an encrypted member, KeyError for a missing one.
DAMAGED_PACKAGE = (*UNPACKING_ERRORS, EOFError, KeyError, RuntimeError)
_LARGEST_ROMAN = 3999


def open_package(raw: bytes) -> zipfile.ZipFile:
    """Open the package of a document.

    Raises:
        BadRecord: ``archive-bomb`` if it is too large unpacked, or has too many members.
        BadZipFile: it is damaged; see :data:`DAMAGED_PACKAGE`.
    """
    packed = zipfile.ZipFile(io.BytesIO(raw))
    members = packed.infolist()
    if len(members) > _MAX_MEMBERS or sum(member.file_size for member in members) > _MAX_MIB << 20:
        problem = f"the document has more than {_MAX_MIB} MiB unpacked, or more than {_MAX_MEMBERS} members"
        raise BadRecord(RefusalCode.ARCHIVE_BOMB, problem, f"at most {_MAX_MIB} MiB and {_MAX_MEMBERS} members")
    return packed


def unreadable(error: Exception, expected: str) -> BadRecord:
    """Return the refusal of a damaged document."""
    return BadRecord(RefusalCode.BAD_ARCHIVE, f"the document cannot be read: {error}", expected)


def _letter(number: int) -> str:
    """Return the letter of a number; after ``z`` come ``aa``, ``bb`` and so on."""
    repeated, place = divmod(number - 1, 26)
    return chr(ord("a") + place) * min(repeated + 1, 20)


def _roman(number: int) -> str:
    return roman(number) if 0 < number <= _LARGEST_ROMAN else str(number)


#: How a number is written, by the names of formats in both kinds of documents.
NUMBER_FORMATS: Mapping[str, Callable[[int], str]] = {
    **dict.fromkeys(("upperRoman", "I"), _roman),
    **dict.fromkeys(("lowerRoman", "i"), lambda number: _roman(number).lower()),
    **dict.fromkeys(("upperLetter", "A"), lambda number: _letter(number).upper()),
    **dict.fromkeys(("lowerLetter", "a"), _letter),
    **dict.fromkeys(("ordinal", "1º"), lambda number: ordinal(number) if number else "0"),
    **dict.fromkeys(("decimalZero", "01"), lambda number: f"{number:02}"),
}
