"""Compile the catalogues of messages: ``words/locale/*/LC_MESSAGES/vigente.po`` into ``vigente.mo``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parents[1] / "words" / "locale"


def compiled(source: Path) -> bytes:
    """Return the compiled form of a ``.po`` file.

    Raises:
        PoFileError: the file has an error.
    """
    with source.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def main() -> None:
    """Compile every catalogue."""
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        source.with_suffix(".mo").write_bytes(compiled(source))


if __name__ == "__main__":
    main()
