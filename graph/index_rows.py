"""The rows of the index of names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from graph.summaries import Key


class IndexedText(NamedTuple):
    """The indexed texts of one node in a record.

    Attributes:
        name: the IRI of the norm or provision.
        of: the IRI of the node: the name itself, or the text of one of its versions.
        title: epigraph, label and heading.
        nicknames: its common names.
        summary: its ementa.
        text: its own words.
    """

    name: str
    of: str
    title: str = ""
    nicknames: str = ""
    summary: str = ""
    text: str = ""


#: The number of depths: the country, states, and municipalities with lower levels.
DEPTHS = 3


#: An entry for the completion of a norm's name: depth, folded words, the IRI of the norm, and the nickname. The
#: nickname is empty if the words are not from one. A plain tuple is much faster to send to another process than an
#: object.
Beginning: TypeAlias = tuple[int, str, str, str]


#: A lookup key of a work, the IRI of the work, and whether the key is made from a nickname instead of the name. A plain
#: tuple is much faster to send to another process than an object.
LookupKey: TypeAlias = tuple[str, str, bool]


#: The IRI of the text of a norm's version with its parts, and whether these are the complete text; otherwise they are
#: the parts of a history.
Edition: TypeAlias = tuple[str, bool]


#: The text that occurs in a summary only if the record is about the name: quotation marks within strings are escaped.
IS_ABOUT = f'"{Key.IS_ABOUT}":1'


class PrintedPart(NamedTuple):
    """A provision as a record prints it.

    Attributes:
        fragment: its identifier, e.g. ``"art5_cpt_inc1"``.
        place: its position in the document of the record; 0 for a curated wording, which has none.
        label, heading, words: as printed; None if the record has none.
        markup: the words as XML, if they have markup that the plain words do not show.
        situation: its status in the record, e.g. ``"vetado"``.
    """

    fragment: str
    place: int
    label: str | None
    heading: str | None
    words: str | None
    markup: str | None
    situation: str | None


class IndexEntries(NamedTuple):
    """The entries of one record in the index of names.

    Attributes:
        summaries: by the IRI of the name.
        words: for full-text search.
        beginnings: for the completion of names of norms.
        keys: for the lookup of works by a part of their name.
        editions: the texts of norms' versions whose parts the record has.
        parts: the provisions that the record prints, each with the IRI of the text.
        digest: of all statements of the record; empty if it has none of the above.
    """

    summaries: Sequence[tuple[str, str]] = ()
    words: Sequence[IndexedText] = ()
    beginnings: Sequence[Beginning] = ()
    keys: Sequence[LookupKey] = ()
    editions: Sequence[Edition] = ()
    parts: Sequence[tuple[str, PrintedPart]] = ()
    digest: bytes = b""
