"""The provisions that an amending act quotes: their words, and what their quotation leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph.amendments import Rest
from graph.wording.folding import folded
from graph.wording.marks import is_repealed, is_unchanged, is_vetoed
from loaders.articulated.lines import lines_of_text
from loaders.articulated.notes import NoteKind
from loaders.articulated.occurrences import Occurrence
from loaders.articulated.outside import PENALTY
from loaders.articulated.quotations import INCHES, is_row_of_dots
from loaders.articulated.tree import structure_lines
from loaders.articulated.unquoted import begins_own_order
from loaders.order_targets import STEP

_CLOSED = re.compile(r"\s*\(\s*(?:NR|AC|N\. ?R\.?|A\. ?C\.?)\s*\)[”\"’'».]*\s*$")
_ELLIPSIS = re.compile(r"\s*[(\[]\s*(?:\.{2,}|…)\s*[)\]]\s*[.;]?$")
#: The maximum number of consecutive articles that an act may omit, for example vetoed ones.
_GAP = 10


def parse_plain_quotation(occurrence: Occurrence) -> list[Occurrence]:
    """Return the provisions of a quotation that the source gives as plain paragraphs."""
    words = (occurrence.text or "").strip().lstrip('“"')
    structured = structure_lines(lines_of_text(f"Art. 1º Passa a vigorar:\n\n“{words}"))
    return [
        replace(provision, line=occurrence.line)
        for provision in structured.provisions
        if provision.quoted and provision.prefix != "alt"
    ]


def without_marks(quoted: Sequence[Occurrence]) -> Iterator[Occurrence]:
    """Return quoted provisions without "(NR)" in their text; dots in brackets and "(mantido)" become rows of dots."""
    for occurrence in quoted:
        text = occurrence.text
        if text is None or occurrence.prefix == "alt":
            yield occurrence
            continue
        shorter = _CLOSED.sub("", text)
        for opening, closing in (("‘", "’"), ("«", "»"), ("“", "”")):
            is_inches = occurrence.closes and INCHES.search(shorter) is not None
            if shorter.count(closing) > shorter.count(opening) and not is_inches:
                shorter = shorter.rstrip().removesuffix(closing)
        bare = _ELLIPSIS.sub("", shorter)
        if bare == text and not is_unchanged(bare):
            yield occurrence
        elif not bare.strip() or is_row_of_dots(bare) or is_unchanged(bare):
            yield replace(occurrence, paragraphs=[], lines=[], omitted=True)
        else:
            yield replace(occurrence, paragraphs=[bare], lines=[])
            if bare != shorter:
                yield Occurrence(f"{occurrence.id}_omi", occurrence.within, "omi", None, occurrence.line, omitted=True)


def is_shown_repealed(occurrence: Occurrence) -> bool:
    """Return whether a quoted provision has no words but those of its repeal: "(Revogado pela Lei ...)"."""
    noted = any(note.kind is NoteKind.REPEAL and not note.struck for note in occurrence.notes)
    return is_repealed(occurrence.text) or (noted and not (occurrence.text or "").strip(".;, "))


def without_vetoed_penalty(text: str) -> tuple[str, re.Match[str] | None]:
    """Return a text without the line of its vetoed penalty, and the label of that line; None if it has none."""
    for line in text.split("\n")[1:]:
        label = PENALTY.match(line)
        if label is not None and is_vetoed(line[label.end() :]):
            return text.replace(f"\n{line}", "", 1), label
    return text, None


def is_omitted(occurrence: Occurrence) -> bool:
    """Return whether dots replace the text of a quoted provision."""
    return occurrence.omitted or is_row_of_dots(occurrence.text or "")


def parts_left_out(
    quoted: Sequence[Occurrence], index: int, address: str, narrow: Sequence[str], *, is_local: bool = False
) -> Rest:
    """Return what happens to the parts of a quoted provision that the quotation omits.

    A row of dots within the provision keeps them. If its text introduces parts (``:``), a row of dots after the quoted
    parts keeps the following ones. Elsewhere such a row may replace text after the provision (Decreto 12.002/2024).

    Args:
        address: the identifier of the provision in the changed norm, without its annex.
        narrow: the identifiers of the provisions that the formula names.
    """
    unstated = Rest.UNDECIDED if is_local else Rest.UNSTATED
    inside, behind = _find_dot_rows(quoted, index)
    if inside:
        return Rest.KEPT
    if is_local and _is_context(address, narrow):
        return Rest.KEPT
    if is_local and not behind and quoted[index].prefix == "cpt" and not _parts_of_article(quoted, index):
        return Rest.UNDECIDED
    if (quoted[index].text or "").rstrip('”" ').endswith(":"):
        listed = any(occurrence.id.startswith(f"{quoted[index].id}_") for occurrence in quoted[index + 1 :])
        return Rest.KEPT if behind else Rest.GONE if listed else unstated
    return unstated if behind else Rest.GONE


def _is_context(address: str, narrow: Sequence[str]) -> bool:
    """Return whether a provision is only quoted around parts of it, or of its article, that the formula names."""
    whole = address.removesuffix("_cpt")
    parts = [each for each in narrow if each.startswith(f"{whole}_") and each != address]
    return bool(parts) and whole not in narrow and address not in narrow


def _parts_of_article(quoted: Sequence[Occurrence], index: int) -> list[Occurrence]:
    """Return the quoted parts of an article besides its caput."""
    article = quoted[index].id.removesuffix("_cpt")
    return [part for part in quoted if part.id.startswith(f"{article}_") and part is not quoted[index]]


def _find_dot_rows(quoted: Sequence[Occurrence], index: int) -> tuple[bool, bool]:
    """Return whether rows of dots occur between the parts of a quoted provision, and after them."""
    stem = f"{quoted[index].id}_"
    inside = behind = False
    for occurrence in quoted[index + 1 :]:
        if occurrence.prefix == "omi":
            behind = True
        elif occurrence.id.startswith(stem):
            inside, behind = inside or behind or is_omitted(occurrence), False
        else:
            break
    return inside, behind


def paragraphs_left_out(
    quoted: Sequence[Occurrence], index: int, narrow: Sequence[str], *, is_local: bool = False
) -> Rest:
    """Return what happens to the paragraphs of an article that are not quoted with its caput.

    An article quoted with a paragraph and without a row of dots is complete. If only its caput is quoted, the new words
    may be those of the caput or of the whole article: LC 95/1998 prescribes no dots, and many acts omit them. If the
    formula names only the caput, the paragraphs stay. Acts of states and municipalities leave them undecided, also if
    they quote paragraphs beside the caput that the formula names.
    """
    if quoted[index].prefix != "cpt":
        return Rest.KEPT
    article = quoted[index].id.removesuffix("_cpt")
    named = article.partition("_alt")[2].partition("_")[2]
    own = {each for each in narrow if each.startswith(f"{named}_")}
    if is_local and own and named not in narrow:
        beside = {part.id.removeprefix(article).split("_")[1] for part in _parts_of_article(quoted, index)}
        is_more = any(step.startswith("par") and f"{named}_{step}" not in own for step in beside)
        return Rest.UNDECIDED if is_more and f"{named}_cpt" in own else Rest.KEPT
    parts = [occurrence for occurrence in quoted if occurrence.id.startswith(f"{article}_")]
    if any(is_omitted(part) or part.prefix == "omi" for part in parts):
        return Rest.KEPT
    if any(named.endswith("_cpt") for named in narrow if article.endswith(f"_{named.removesuffix('_cpt')}")):
        return Rest.KEPT
    has_paragraph = any(part.id.removeprefix(f"{article}_").startswith("par") for part in parts)
    if has_paragraph:
        return Rest.GONE
    return Rest.UNDECIDED if is_local else Rest.UNSTATED


def self_and_containers(identifier: str) -> Iterator[str]:
    """Yield an identifier and those of its containers, innermost first."""
    while identifier:
        yield identifier
        identifier = identifier.rpartition("_")[0]


def group_of(article: Occurrence, annex: str | None) -> str | None:
    """Return the identifier, in the quotation, of the grouping that contains a quoted article."""
    within = (article.within or "").partition("_alt")[2].partition("_")[2]
    return f"{annex}_{within}" if annex is not None and within else within or None


def stray_articles(own: Sequence[Occurrence], *, is_local: bool = False) -> set[str]:
    """Return articles that break the order of the act's own articles: parts of a quotation whose marks were not
    recognised."""
    strays: set[str] = set()
    last: int | None = None
    for occurrence in own:
        step = STEP.fullmatch(occurrence.id.partition("_")[0])
        if occurrence.prefix != "cpt" or step is None or step[1] != "art" or not step[2].isdecimal():
            continue
        number = int(step[2])
        is_again = number == last and not step[3]
        if is_local and is_again and begins_own_order(folded(occurrence.text or "")):
            continue  # an act of a town may have two articles with one number
        if last is not None and (number < last or number > last + _GAP or is_again):
            strays.add(step[0])
        else:
            last = number
    return strays
