"""Parser that builds a tree of provisions from lines (LexML part 3, sections 5.3 to 5.5; LC 95/1998, arts. 3 and 10).

The reader makes one pass over the lines. A line that it cannot place is listed with its number. A provision with
several occurrences, as in a compilation that keeps earlier wordings, has one entry for each, in the same order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from graph.wording.folding import folded
from graph.wording.marks import begins_with_mark, is_unchanged
from graph.wording.provisions import SIGNATURE
from graph.wording.tables import is_image
from loaders.articulated.ahead import FAR, Ahead
from loaders.articulated.index import lines_with_groupings, lines_with_pages
from loaders.articulated.labels import (
    Label,
    annex_label,
    begins_items,
    damaged_label,
    grouping_label,
    heading_label,
    is_unread_article,
    numbered_label,
    read_label,
    seems_labelled,
    unbracketed_letter,
    without_several_labels,
)
from loaders.articulated.lines import Line
from loaders.articulated.notes import Note, NoteKind, day_of, note_beside_title
from loaders.articulated.occurrences import Doubt, Occurrence, StructuredText, out_of_order
from loaders.articulated.outside import (
    ANOTHER_ACT,
    CLOSING,
    CLOSING_FORMULA,
    CLOSING_OF_PLACE,
    EPIGRAPH,
    FURNITURE,
    JUSTIFICATIONS,
    LONGEST_RUBRIC,
    LONGEST_SIGNATURES,
    MATTER,
    NUMBERS,
    ORDERS,
    PENALTY,
    PREAMBLE,
    PROMULGATED,
    PUBLISHED,
    REMARK,
    START_CLAUSE,
    TERM,
    TRANSITORY,
    TRANSITORY_OF_PLACE,
    WHOLE_TITLE,
    is_name,
    is_title_of_annex,
    joined,
    name_signed,
    with_notes_apart,
)
from loaders.articulated.quotations import (
    CLOSE,
    CLOSE_SINGLE,
    DOTTED,
    INCHES,
    MARK,
    OPENING,
    REPLACED,
    SINGLE,
    balance,
    is_row_of_dots,
    quotation_bounds,
    split,
)
from loaders.articulated.scopes import ENDS, HOLDERS, Scope
from loaders.articulated.unquoted import begins_own_order, introduces_words, names_as_new, names_letter

_GROUPS = {"prt": 1, "liv": 2, "tit": 3, "agh": 4, "cap": 5, "sec": 6, "sub": 7}
_MOST_SIGNED, _MOST_SIGNED_IN_LOWER_CASE = 14, 4
#: The kinds of notes about one wording of a provision.
_REWORDS = frozenset({NoteKind.WORDING, NoteKind.INSERTION, NoteKind.REPEAL, NoteKind.VETO, NoteKind.RESTORATION})
#: The first words of an article that only an act itself has.
_OWN_CLAUSE = re.compile(r"\W*(?:est[ea] \w+(?: \w+){0,3} entra|revogam-se|ficam revogad[oa]s as disposicoes)")
#: The maximum number of articles that an act may skip by mistake.
_GAP = 10
_LONGEST_RANGE = 60
#: The number of lines in which the next label of a kind is searched for.
_NEAR = 12
_LONGEST_LABEL = 80
#: The number of provisions at the end of a text that no unclosed quotation contains.
_MOST_UNCLOSED = 100
_TERMINAL = '.;:,”"!?)'


def structure_lines(lines: Iterable[Line]) -> StructuredText:
    """Return the provisions of a text, in time linear in its length."""
    return structure_pieces([piece for line in lines for piece in split(line)])[0]


def structure_pieces(pieces: Sequence[Line], *, stops: bool = False) -> tuple[StructuredText, int | None]:
    """Return the provisions of a text whose lines are split, and the index of the line at which something else begins.

    Args:
        stops: whether the text ends there; otherwise the lines after it are listed as not placed.
    """
    reading = _Parser(pieces, stops=stops)
    reading.run()
    not_opened: frozenset[int] = frozenset()
    while reading.is_rest_quoted and reading.opened_at not in not_opened:
        not_opened |= {reading.opened_at}
        reading = _Parser(pieces, not_opened, stops=stops)
        reading.run()
    known = {doubt.line for doubt in reading.found.doubts}
    reading.found.doubts += (doubt for doubt in out_of_order(reading.found.provisions) if doubt.line not in known)
    return reading.found, reading.ended_at


class _Parser:
    """The state of reading one text."""

    def __init__(self, lines: Sequence[Line], not_opened: frozenset[int] = frozenset(), *, stops: bool = False) -> None:
        self.found = StructuredText()
        self._stops = stops
        self.ended_at: int | None = None
        self._not_opened = not_opened
        #: The index of the line that opened the last quotation, and the number of provisions before it.
        self.opened_at = self._placed_before = 0
        self._lines: list[tuple[Line, tuple[Note, ...]]] = [with_notes_apart(line) for line in lines]
        self._main = Scope("", None)
        self._outer: Scope | None = None
        self._scope = self._main
        self._stage = "front"
        self._current: Occurrence | None = None
        self._pending: list[tuple[Line, tuple[Note, ...]]] = []
        self._counts: Counter[str] = Counter()
        #: For each provision with a penalty, the identifiers of its penalties by their kind.
        self._penalties: dict[str, dict[str, str]] = {}
        self._naming: Occurrence | None = None
        self._depth = 0
        self._straight = False
        self._marks = "“”"
        self._single = False
        self._marked = True
        self._transitory = False
        self._formula = ""
        self._unread = False
        self._summary_at: Occurrence | None = None
        self._kept: Scope | None = None
        self._kept_last: Occurrence | None = None
        self._next_open, self._next_close, self._next_end = quotation_bounds([line.text for line, _ in self._lines])
        texts = [line for line, _ in self._lines]
        self._index = lines_with_pages(texts)
        self._ahead = Ahead(texts, self._index)
        self._next_article, self._next_annex = self._ahead.next_article, self._ahead.next_annex
        self._has_articles = self._next_article[0] < len(self._lines)
        self._index = self._index or lines_with_groupings(texts, self._next_article[0] if self._has_articles else 0)

    def run(self) -> None:
        for index, (whole, notes) in enumerate(self._lines):
            if self._stops and self.ended_at is not None:
                break
            line = self._without_struck_words(whole)
            if not line.text:
                self._add_notes(notes, line)
            elif index in self._index:
                self.found.beside.append((line.number, line.text))
            else:
                self._read_line(index, line, notes)
        self._flush_rubric()

    @property
    def is_rest_quoted(self) -> bool:
        """Return whether a quotation that nothing closes contains the rest of a long text: it is none."""
        return self._outer is not None and len(self.found.provisions) - self._placed_before >= _MOST_UNCLOSED

    # Quotations

    def _quotation_continues(self, index: int) -> bool:
        """Return whether the current quotation continues after a line that seems to close it.

        It does if a later line closes a quotation that no line in between opens, and no article of the amending act
        begins before that line.
        """
        following = self._next_end[index + 1]
        if following >= self._next_open[index + 1] or self._outer is None:
            return False
        number = self._outer.number + 1
        for later in range(index + 1, following + 1):
            label = self._ahead.label(later)
            if label is not None and label.prefix == "art" and label.count == number:
                return False
        return True

    def _begins_quotation(self, index: int, line: Line) -> bool:
        if (
            index in self._not_opened
            or self._outer is not None
            or self._stage not in {"body", "annex"}
            or self._current is None
        ):
            return False
        inner = line.text[1:].lstrip()
        follows = self._kept is not None and self._current is self._kept_last
        if line.text[:1] in SINGLE:  # an act may change from double to single quotation marks
            label = read_label(inner)
            is_new = (self._current.text or "").endswith(":") and introduces_words(self._current.text or "")
            return label is not None and (is_new or (follows and label.prefix == "art"))
        if line.text[:1] not in OPENING:
            return False
        known = read_label(inner) is not None or grouping_label(inner) is not None or DOTTED.match(inner) is not None
        words = self._current.text or ""
        opens = introduces_words(words)
        is_likely = opens or not words or words.endswith(":") or self._kept is not None
        return follows or (known and is_likely) or (words.endswith(":") and opens)

    def _begins_unquoted_words(self, index: int, line: Line) -> bool:
        """Return whether the new words of the provision that a formula names begin, without quotation marks."""
        now = self._current
        if self._outer is not None or self._stage != "body" or now is None or line.struck:
            return False
        words, label = now.text or "", read_label(line.text)
        if label is None or not names_as_new(words, label):
            return False
        if label.prefix != "art" or label.count != self._main.number + 1:
            return True
        following = self._next_article[index + 1]  # the article may be the next one of the act itself
        again = self._ahead.label(following) if following < len(self._lines) else None
        return again is not None and again.count == label.count

    def _ends_unquoted_words(self, index: int, line: Line) -> bool:
        """Return whether a line is after new words without quotation marks: the act's own article, or its closing."""
        label = self._ahead.label(index)
        own = self._outer.number if self._outer is not None else 0
        if label is not None and label.prefix == "art":
            text = folded(line.text[label.end : label.end + _LONGEST_LABEL])
            is_own = not names_as_new(self._formula, label) or begins_own_order(text)
            return (
                (label.count == own + 1 and is_own)
                or label.step == self._scope.steps.get("art")
                or _OWN_CLAUSE.match(text) is not None
            )
        if label is not None:
            return False
        return bool(PUBLISHED.match(line.text) or CLOSING.match(line.text) or annex_label(line.text))

    def _open_quotation(self, line: Line, *, is_marked: bool = True) -> Line:
        holder = self._current.id if self._current is not None else None
        for prefix in ("ite", "ali", "inc", "par", "cpt"):
            if prefix in self._scope.chain:
                holder = self._scope.chain[prefix]
                break
        kept = self._kept
        self._outer = self._scope
        if (
            kept is not None
            and kept.holder == f"{holder}_alt{self._counts[f'{holder}/alt']}"
            and self._current is self._kept_last
        ):
            self._scope = kept  # one alteration may have several quotations, one after the other
            kept.chain.clear()
            kept.groups.clear()
            kept.article = None
        else:
            self._counts[f"{holder}/alt"] += 1
            fragment = f"{holder}_alt{self._counts[f'{holder}/alt']}"
            self._add_placed(Occurrence(fragment, holder, "alt", None, line.number))
            self._scope = Scope(f"{fragment}_", fragment)
        self._depth = 0
        self._marked = is_marked
        self._straight = line.text[0] == '"'
        self._marks = "«»" if line.text[0] == "«" else "“”"
        self._single = line.text[0] in SINGLE
        if self._scope is not kept and self._current is not None:
            self._formula = next((placed.text or "" for placed in reversed(self.found.provisions) if placed.text), "")
        return line.part(1) if is_marked else line

    def _closing_match(self, text: str) -> re.Match[str] | None:
        """Return the match of the closing mark if the quotation ends in this line; else None, and update the depth."""
        if not self._marked:
            return None
        marked = (CLOSE_SINGLE.search(text) if self._single else None) or MARK.search(text)
        match = CLOSE.search(text) or marked
        if match is None:
            self._depth += balance(text, self._marks, is_straight=self._straight)
            return None
        difference = balance(text, self._marks, is_straight=self._straight)
        if marked is None and difference >= 0:
            self._depth += difference
            return None
        return (
            match if difference < 0 or marked is None else marked
        )  # the closing quotation mark is of an inner quotation

    def _begins_outer_article(self, index: int, line: Line) -> bool:
        """Return whether an article of the amending act begins although the quotation before it was not closed."""
        if self._outer is None or line.text[:1] in OPENING:
            return False
        label = self._ahead.label(index)
        if label is None or label.prefix != "art" or self._next_end[index] < self._next_open[index]:
            return False
        own, quoted = self._outer.number, self._scope.number
        if label.count == own + 1:
            return True
        text = folded(line.text[label.end : label.end + _LONGEST_LABEL])
        return own < label.count <= own + _GAP and (label.count <= quoted or _OWN_CLAUSE.match(text) is not None)

    def _end_quotation(self) -> None:
        if self._outer is not None:
            self._kept, self._kept_last = self._scope, self._current
            self._scope, self._outer = self._outer, None

    # Lines

    def _without_struck_words(self, line: Line) -> Line:
        """Return a line without the struck words in it, which are listed: they are no longer part of the text.

        A line with nothing but a label besides them is returned whole, as are those of a struck provision: they are
        earlier wordings.
        """
        struck = [(span.start, span.end) for span in line.spans if span.struck]
        words = " ".join(line.text[start:end].strip() for start, end in struck)
        if not struck or struck[0][0] == 0 or not any(map(str.isalnum, words)):
            return line
        rest = line.without(struck)
        label = read_label(rest.text) or grouping_label(rest.text)
        is_row = line.in_table and rest.text[:1] == "|"
        if label is None and self._current is not None and self._current.struck:
            return line
        if not is_row and not any(map(str.isalnum, rest.text[label.end if label is not None else 0 :])):
            return line
        self.found.not_placed.append((line.number, words))
        return rest if any(map(str.isalnum, rest.text)) else line.part(0, 0)

    def _read_line(self, index: int, line: Line, notes: tuple[Note, ...]) -> None:
        if self._outer is not None and not self._marked:
            if self._ends_unquoted_words(index, line):
                self._flush_rubric()
                self._end_quotation()
        elif self._begins_outer_article(index, line):
            self._end_quotation()
        if self._begins_unquoted_words(index, line):
            self._flush_rubric()
            self._open_quotation(line, is_marked=False)
        if self._begins_quotation(index, line):
            self._flush_rubric()
            self.opened_at, self._placed_before = index, len(self.found.provisions)
            line = self._open_quotation(line)
            self._read_quoted_line(index, line, notes, first=True)
        elif self._outer is not None:
            label = self._ahead.label(index) if line.text[:1] in OPENING else None
            if label is not None:
                goes_on = label.prefix != "art" and self._current is not None and self._current.omitted
                if not goes_on and self._next_close[index] <= self._next_open[index + 1]:
                    self._end_quotation()
                    line = self._open_quotation(line)
                    self._read_quoted_line(index, line, notes, first=True)
                    return
                line = line.part(1)
            self._read_quoted_line(index, line, notes, first=False)
        else:
            self._read_text_line(index, line, notes)

    def _read_quoted_line(self, index: int, line: Line, notes: tuple[Note, ...], *, first: bool) -> None:
        closing = self._closing_match(line.text)
        goes_on = closing is not None and self._quotation_continues(index)
        before = len(self.found.provisions)
        mark = None
        if closing is not None:
            mark = re.sub(r"[\s.]", "", closing["mark"] or "") or None
            if not goes_on or INCHES.search(line.text) is None:
                line = line.part(0, closing.start())
        if line.text:
            self._read_text_line(index, line, notes)
        else:
            self._add_notes(notes, line)
        if first and len(self.found.provisions) > before:
            self.found.provisions[before].opens = True
        if closing is not None:
            self._flush_rubric()
            if self._current is not None and self._current.prefix != "alt":
                self._current.closes, self._current.mark = True, mark
            if not goes_on:
                self._end_quotation()

    def _read_text_line(self, index: int, line: Line, notes: tuple[Note, ...]) -> None:
        if line.text[:1] in SINGLE and read_label(line.text[1:].lstrip()) is not None:
            line = line.part(1)
        text = line.text
        if self._outer is None and self._read_outside_provisions(index, line, notes):
            return
        grouping = grouping_label(text) if not line.in_table or line.centred else None
        if grouping is not None and self._stage in {"front", "title", "preamble", "body", "annex"}:
            self._flush_rubric()
            self._begin_grouping(line, notes, grouping)
            return
        label = read_label(text)
        if self._outer is None and self._read_numbered(line, notes, label):
            return
        if label is None:
            reads = self._damaged_label if self._outer is None else self._letter_without_bracket
            label = reads(index, line)
        if self._outer is not None and (label is None or label.last is not None):
            words = without_several_labels(text)
            if is_row_of_dots(words) or is_unchanged(words):
                self._read_omission(index, line, notes)
                return
            if label is None and words != text:
                self._read_quoted_text(line, notes)
                return
        if label is not None and self._is_label_here(label, line):
            self._read_labelled(index, line, notes, self._decided(label, index))
            return
        self._read_unlabelled(index, line, notes)

    def _read_outside_provisions(self, index: int, line: Line, notes: tuple[Note, ...]) -> bool:
        """Read a line if it is outside the provisions (title, preamble, closing, annex). Return whether it is."""
        text = line.text
        if PUBLISHED.match(text):
            self._flush_rubric()
            self.found.published = self.found.published or day_of(self.found.dated_words(text))
            self.found.notes.extend(notes)
            self._stage = "end" if self._stage not in {"front", "title", "preamble"} else self._stage
            self.found.beside.append((line.number, text))
            return True
        if self._stage == "justification":
            self._append_text(line, notes)
            return True
        if self._stage == "other" or self._is_in_unread_article(index, line):
            self.found.not_placed.append((line.number, text))
            self.found.notes.extend(notes)
            return True
        is_remark = self._main.article and REMARK.match(text) and self._next_article[index] >= self._next_annex[index]
        if is_remark or (is_image(text) and self._stage in {"front", "title", "preamble", "closing"}):
            self._flush_rubric()
            self.found.notes.extend(notes)
            self.found.beside.append((line.number, text))
            return True
        label = self._ahead.label(index)
        if self._stage in {"front", "title", "preamble"}:
            if self._stops and self._stage != "front" and self._is_act_without_articles(index, line):
                return True
            if (label is not None and label.prefix == "art") or grouping_label(text) is not None:
                return False
            if self._stage == "preamble" and not self._has_articles and begins_items(line.text, label):
                self._stage = "body"
                return False
            return self._read_front(line, notes)
        return self._read_after_front(index, line, notes, label)

    def _is_in_unread_article(self, index: int, line: Line) -> bool:
        """Return whether a line is in an article whose number cannot be read ("Art. Xº"): its parts have no name."""
        label = self._ahead.label(index)
        if self._stage not in {"body", "annex"} or line.in_table:
            return False
        if is_unread_article(line.text):
            self._flush_rubric()
            self._unread = True
        elif self._unread:
            begins = (
                (label is not None and label.prefix == "art") or grouping_label(line.text) or annex_label(line.text)
            )
            ends = PUBLISHED.match(line.text) or self._is_closing(index, line)
            self._unread = not (begins or ends)
        return self._unread

    def _read_after_front(self, index: int, line: Line, notes: tuple[Note, ...], label: Label | None) -> bool:
        """Read a line that ends the provisions, or is after them. Return whether it is one."""
        text = line.text
        has_text = self._main.article is not None or bool(self._main.numbered)
        if has_text and folded(text).strip(" .:") in JUSTIFICATIONS:
            self._flush_rubric()
            self._add_placed(Occurrence("justificacao", None, "justificacao", None, line.number, text))
            self._stage = "justification"
            return True
        is_transitory = folded(text).startswith(TRANSITORY) or (
            TRANSITORY_OF_PLACE.fullmatch(folded(text)) is not None and self._ahead.begins_text(index)
        )
        if is_transitory and len(text) < LONGEST_RUBRIC and self._main.article:
            self._flush_rubric()
            self._transitory = True
            self._begin_annex(line, notes, Label("anx", str(self._counts["/anx"] + 1), text, len(text)))
            return True
        annex = annex_label(text) if has_text or self._stage == "end" else None
        if annex is not None:
            self._flush_rubric()
            self._begin_annex(line, notes, annex)
            return True
        is_last = self._stage == "annex" and self._transitory and self._next_article[index] >= len(self._lines)
        if (self._stage == "body" or is_last) and label is None and has_text:
            if self._is_closing(index, line):
                self._flush_rubric()
                self._add_closing(line, notes)
                self._stage = "closing"
                return True
            if self._is_signature_block(index):
                self._flush_rubric()
                self._stage = "closing"
        is_after = self._stage in {"body", "closing", "end"} or (self._stops and self._ahead.begins_text(index))
        if is_after and has_text and self._is_another_act(index, line):
            return True
        if self._stage in {"closing", "end"}:
            self._read_after_closing(index, line, notes, label)
            return True
        if self._stage == "annex" and self._scope.article and self._is_annexed_title(index, line):
            self._flush_rubric()
            self._begin_annex(line, notes, Label("anx", str(self._counts["/anx"] + 1), "", 0))
            return True
        return False

    def _is_closing(self, index: int, line: Line) -> bool:
        """Return whether a line is the place and day at the end of the text, after which no article follows."""
        if line.continues and line.text[0].islower():
            return False
        if self._current is not None and self._current.text and line.text[0].islower():
            return False
        ends = CLOSING.match(line.text) or CLOSING_FORMULA.match(line.text)
        if ends is None or TERM.search(ends[0]) is not None:
            following = self._lines[index + 1][0].text if index + 1 < len(self._lines) else ""
            wrapped = f"{line.text} {following}" if following and line.text[-1] not in _TERMINAL else line.text
            ends = CLOSING_OF_PLACE.match(line.text) or CLOSING_OF_PLACE.match(wrapped)
        return ends is not None and self._ahead.next_article_count(index + 1) != self._main.number + 1

    def _is_signature_block(self, index: int) -> bool:
        """Return whether only names and offices follow up to an annex or the end of the text."""
        now = self._current
        if now is None or now.prefix in _GROUPS or (now.text or "")[-1:] not in {".", ";", "”", '"', ")"}:
            return False
        end = self._next_annex[index]
        ahead = range(index, min(end, index + _MOST_SIGNED + 1))
        end = next((later for later in ahead if self._is_annexed_title(later, self._lines[later][0])), end)
        lines = [line for line, _ in self._lines[index : min(end, ahead.stop)]]
        names = [line for line in lines if line.text and not REMARK.match(line.text)]
        if self._next_article[index] < end or not 0 < len(names) <= _MOST_SIGNED:
            return False
        if not all(map(is_name, names)) or len(names[0].text.split()) < 2:
            return False
        if name_signed(names[0].text).isupper():
            return True
        return len(names) <= _MOST_SIGNED_IN_LOWER_CASE and START_CLAUSE.search(now.text or "") is not None

    def _is_another_act(self, index: int, line: Line) -> bool:
        """Report a line with the title of another act, and what follows it. Return whether it is one.

        The title of this act may be printed again, at the head of a page.
        """
        begins = ANOTHER_ACT.match(line.text) or (self._stops and WHOLE_TITLE.fullmatch(line.text))
        ends = self._stops and self._stage in {"closing", "end"} and MATTER.match(line.text)
        if not (begins or ends) or self._goes_on(line):
            return False
        if self._repeats_title(line.text) and not (self._stops and self._ahead.has_preamble(index)):
            self.found.beside.append((line.number, line.text))
            return True
        if self._stage == "body" and not self._ahead.begins_text(index):
            return False
        return self._end_at(index, line)

    def _is_act_without_articles(self, index: int, line: Line) -> bool:
        """Return whether another act begins before an article of this one: it has none, such as an appointment."""
        before = self._current.text or "" if self._current is not None else ""
        is_title = WHOLE_TITLE.fullmatch(line.text) is not None and not self._repeats_title(line.text)
        return is_title and before[-1:] in {".", ";", ")"} and self._end_at(index, line)

    def _end_at(self, index: int, line: Line) -> bool:
        self._flush_rubric()
        if not self._stops:
            self.found.not_placed.append((line.number, line.text))
        self._stage, self.ended_at = "other", index
        return True

    def _is_annexed_title(self, index: int, line: Line) -> bool:
        """Return whether a line is the title of an annexed text, whose articles follow."""
        return bool(line.text) and is_title_of_annex(line) and self._ahead.begins_text(index)

    def _read_front(self, line: Line, notes: tuple[Note, ...]) -> bool:
        text = line.text
        beside = note_beside_title(line) if self._stage in {"front", "title"} else None
        if beside is not None:
            self.found.notes += [beside, *notes]
        elif self._stage == "front" and EPIGRAPH.match(text):
            self._add_part("epigrafe", line, notes)
            self._stage = "title"
        elif self._repeats_title(text) or (self._stage == "front" and folded(text).strip(" .") in FURNITURE):
            self.found.beside.append((line.number, text))
            self.found.notes.extend(notes)
        elif self._stage == "preamble" and self._current is not None:
            self._append_text(line, notes)
        elif PREAMBLE.match(text) and (text[:12].isupper() or ORDERS.search(text[:400]) is not None):
            self._add_part("preambulo", line, notes)
            self._stage = "preamble"
        elif self._stage == "title":
            self._read_summary(line, notes)
        else:
            self.found.not_placed.append((line.number, text))
            self.found.notes.extend(notes)
        return True

    def _repeats_title(self, text: str) -> bool:
        """Return whether a line is the title of the act again: the same type, number and day."""
        title = self.found.first("epigrafe")
        if title is None or EPIGRAPH.match(text) is None:
            return False
        written, again = ((folded(each).split()[:1], NUMBERS.findall(each)) for each in (title.text or "", text))
        return written == again

    def _read_summary(self, line: Line, notes: tuple[Note, ...]) -> None:
        known = self._summary_at
        if folded(line.text).strip(" .") in FURNITURE or PROMULGATED.fullmatch(line.text):
            self.found.beside.append((line.number, line.text))
            self.found.notes.extend(notes)
        elif (
            known is not None and self._current is known and not (known.struck and not line.struck) and not known.notes
        ):
            self._append_text(line, notes)
        else:
            self._add_part("ementa", line, notes)
            self._summary_at = self._current

    def _read_after_closing(self, index: int, line: Line, notes: tuple[Note, ...], label: Label | None) -> None:
        """Read a line after the closing: a signature, or an annex without a label, with its title or articles."""
        grouping = grouping_label(line.text)
        unlabelled = Label("anx", str(self._counts["/anx"] + 1), "", 0)
        is_own = self._scope is self._main and label is not None and label.prefix == "art"
        if self._ends_closing(line):
            self._append_text(replace(line, continues=True), notes)
            return
        if label is not None and is_own and self._main.number < label.count <= self._main.number + _GAP:
            self._reopen_text()
            self._begin_provision(line, line.part(label.end), notes, label)
        elif label is not None and label.prefix == "art" and label.number in {"1", "1u"}:
            self._begin_annex(None, (), unlabelled)
            self._begin_provision(line, line.part(label.end), notes, label)
        elif grouping is not None and self._ahead.begins_text(index):
            self._begin_annex(None, (), unlabelled)
            self._begin_grouping(line, notes, grouping)
        elif is_title_of_annex(line) or (self._stage == "end" and label is None and self._ahead.begins_text(index)):
            self._begin_annex(line, notes, unlabelled)
        elif not any(map(str.isalnum, line.text)):
            self.found.beside.append((line.number, line.text))
        elif self._stage == "closing" and self._current is not None and CLOSING.match(line.text):
            self._add_closing(line, notes)
        elif (
            self._stage == "closing"
            and label is None
            and len(line.text) <= (LONGEST_SIGNATURES if line.text.isupper() else LONGEST_RUBRIC)
        ):
            self._add_signature(line, notes)
        else:
            self.found.not_placed.append((line.number, line.text))
            self.found.notes.extend(notes)

    def _ends_closing(self, line: Line) -> bool:
        """Return whether a line has the day of the closing whose place is in the line before it."""
        before = self._current.text or "" if self._current is not None else ""
        if self._current is None or self._current.prefix != "localdatafecho" or CLOSING.match(before):
            return False
        is_whole = CLOSING_OF_PLACE.match(before) is not None
        return not is_whole and CLOSING_OF_PLACE.match(f"{before} {line.text}") is not None

    def _reopen_text(self) -> None:
        """Go on with the articles after a line that seemed to close the text; that line is listed as not placed."""
        while self.found.provisions[-1].prefix in {"localdatafecho", SIGNATURE}:
            part = self.found.provisions.pop()
            self.found.not_placed.append((part.line, part.text or ""))
            self._counts["/assinatura"] = 0
        self._stage = "body"

    def _add_closing(self, line: Line, notes: tuple[Note, ...]) -> None:
        """Add the place and day of a text; a second one, after transitional provisions, is among the signatures."""
        if self.found.first("localdatafecho") is None:
            self._add_part("localdatafecho", line, notes)
        else:
            self._add_signature(line, notes)

    def _add_signature(self, line: Line, notes: tuple[Note, ...]) -> None:
        self._counts["/assinatura"] += 1
        count = self._counts["/assinatura"]
        self._add_part(SIGNATURE if count == 1 else f"{SIGNATURE}{count}", line, notes)

    def _add_part(self, fragment: str, line: Line, notes: tuple[Note, ...]) -> None:
        prefix = SIGNATURE if fragment.startswith(SIGNATURE) else fragment
        self._add_placed(Occurrence(fragment, None, prefix, None, line.number, anchors=line.anchors))
        self._append_text(line, notes)

    def _begin_annex(self, line: Line | None, notes: tuple[Note, ...], label: Label) -> None:
        self._counts["/anx"] += 1
        number = line.number if line is not None else 0
        fragment = label.step
        while self._counts[f"{fragment}/annex"]:
            fragment = f"anx{self._counts['/anx']}"
            self._counts["/anx"] += 1
        self._counts[f"{fragment}/annex"] += 1
        placed = Occurrence(fragment, None, "anx", label.text or None, number, anchors=line.anchors if line else ())
        self._add_placed(placed)
        rest = line.text[label.end :].strip() if line is not None else ""
        placed.heading = rest or None
        placed.notes.extend(notes)
        self._naming = None
        self._scope = Scope(f"{fragment}_", fragment)
        self._stage = "annex"

    def _begin_grouping(self, line: Line, notes: tuple[Note, ...], label: Label) -> None:
        if self._stage in {"front", "title", "preamble"}:
            self._stage = "body"
        scope = self._scope
        level = _GROUPS[label.prefix]
        if self._repeats_grouping(line, notes, label):
            return
        while scope.groups and scope.groups[-1][0] >= level:
            scope.groups.pop()
        above = scope.groups[-1][1] if scope.groups else None
        fragment = f"{above}_{label.step}" if above is not None else f"{scope.prefix}{label.step}"
        placed = Occurrence(fragment, scope.group, label.prefix, label.text, line.number, anchors=line.anchors)
        scope.groups.append((level, fragment))
        scope.chain.clear()
        if self._outer is not None:
            scope.article = None
        self._add_placed(placed)
        placed.lines.append(line)
        placed.heading = line.text[label.end :].strip() or None
        placed.notes.extend(notes)
        self._naming = placed

    def _repeats_grouping(self, line: Line, notes: tuple[Note, ...], label: Label) -> bool:
        """Return whether the grouping just named is named again, with the same name or without one."""
        now = self._current
        if now is None or now is not self._naming or notes or now.notes or line.struck != now.struck:
            return False
        if now.id.rpartition("_")[2] != label.step or self._outer is not None:
            return False
        name = line.text[label.end :].strip()
        if name and now.heading and folded(name) != folded(now.heading):
            return False
        now.heading = now.heading or name or None
        self.found.beside.append((line.number, line.text))
        return True

    def _read_numbered(self, line: Line, notes: tuple[Note, ...], label: Label | None) -> bool:
        """Read an item that is numbered with those that contain it ("2.3.1"), or one of a text without an article.

        Return whether the line is one in this position.
        """
        scope = self._scope
        if self._stage not in {"body", "annex"} or line.in_table or self._goes_on(line):
            return False
        numbered = numbered_label(line.text)
        if numbered is not None:
            numbers, item = numbered
        elif label is not None and label.prefix == "ite" and label.number.isdecimal() and "art" not in scope.chain:
            numbers, item = (label.count,), label
        elif scope.numbered and "art" not in scope.chain and (heading := heading_label(line.text)) is not None:
            numbers, item = heading
        else:
            return False
        is_introduced = self._current is not None and (self._current.text or "").endswith(":")
        if not scope.follows_items(numbers, is_introduced=is_introduced):
            return False
        while scope.numbered and len(scope.numbered[-1][0]) >= len(numbers):
            scope.numbered.pop()
        inside = bool(scope.numbered) and scope.numbered[-1][0] == numbers[:-1]
        base = scope.numbered[-1][1] if inside else self._base_of_items()
        steps = numbers[-1:] if inside else numbers
        fragment = "_".join(filter(None, (base, *(f"dpg{number}" for number in steps))))
        for prefix in ("inc", "ali", "ite") if "art" not in scope.chain else ():
            scope.chain.pop(prefix, None)
        self._flush_rubric()
        placed = Occurrence(fragment, base, "dpg", item.text, line.number, anchors=line.anchors)
        scope.numbered.append((numbers, fragment))
        scope.chain["dpg"] = fragment
        self._add_placed(placed)
        self._naming = None
        self._append_text(line.part(item.end), notes)
        return True

    def _base_of_items(self) -> str | None:
        """Return the container of the outermost numbered items."""
        chain = self._scope.chain
        if "art" in chain and self._current is not None:
            return next((chain[prefix] for prefix in ("ali", "inc", "par", "cpt") if prefix in chain), None)
        return self._scope.group

    def _goes_on(self, line: Line) -> bool:
        """Return whether a line continues the sentence of the line before it."""
        now = self._current
        return line.continues and now is not None and bool(now.text) and (now.text or "")[-1] not in _TERMINAL

    def _damaged_label(self, index: int, line: Line) -> Label | None:
        """Return the label of a line whose label is mistyped, by the provision before it; None if it has none."""
        scope = self._scope
        if self._stage not in {"body", "annex"} or not scope.chain or line.in_table or self._goes_on(line):
            return None
        now = self._current
        opens = now is not None and (now.text or "").endswith(":")
        for prefix in ("ali", "inc", "par", "art"):
            if prefix == "art":
                expected = scope.number + 1
            elif prefix in scope.chain:
                expected = scope.items[prefix] + 1
            elif (prefix in {"ali", "inc"} and opens) or (prefix == "par" and "art" in scope.chain):
                expected = 1
            else:
                continue
            following = (
                self._ahead.next_sibling(index, prefix) if prefix == "inc" and seems_labelled(line.text) else None
            )
            is_between = following is not None and following.number == str(expected + 1)
            label = damaged_label(line.text, prefix, expected, is_between=is_between)
            if label is not None:
                return label
        return None

    def _letter_without_bracket(self, index: int, line: Line) -> Label | None:
        """Return the label of a quoted alínea such as "d - taxas", if a list or the formula asks for it."""
        label = unbracketed_letter(line.text)
        if label is None or self._current is None or line.in_table or self._goes_on(line):
            return None
        if "ali" in self._scope.chain:
            follows = label.count == self._scope.items["ali"] + 1
        else:
            beside = [unbracketed_letter(after.text) for after, _ in self._lines[index + 1 : index + 2]]
            begins = (self._current.text or "").endswith(":") or any(each and each.count == 2 for each in beside)
            follows = label.count == 1 and begins
        return label if follows or names_as_new(self._formula, label) else None

    def _is_label_here(self, label: Label, line: Line) -> bool:
        """Return whether the start of a line is a label in this position, rather than a word or number of a
        sentence."""
        chain = self._scope.chain
        if label.prefix == "art":
            return self._stage in {"front", "title", "preamble", "body", "annex"}
        if self._stage not in {"body", "annex"} or (not chain and self._outer is None):
            return False
        if label.prefix == "par" and self._goes_on(line) and line.text[label.end : label.end + 1].islower():
            return False
        if label.prefix == "ite":
            if self._outer is not None and self._current is not None and self._current.prefix == "alt":
                return True
            if (
                "ali" not in chain
                and "inc" not in chain
                and not (self._current and (self._current.text or "").endswith(":"))
            ):
                return "ite" in chain
            before = self._scope.items.get("ite", 0) if "ite" in chain else 0
            if self._outer is not None and self._current is not None and self._current.omitted:
                return label.count > before  # a row of dots replaces the items before it
            return label.count in {1, before, before + 1}
        return not (label.prefix == "inc" and line.continues and label.count >= 50)

    def _decided(self, label: Label, index: int) -> Label:
        """Return the label with or without a letter that may also be a word, by the labels beside it and the formula.

        Outside of quotations, such a letter is a word.
        """
        rival = label.rival
        if self._outer is None:
            return replace(label, undecided=False)
        if rival is None:
            return label
        before = self._scope.steps.get(label.prefix, "")
        near = (before, self._next_step(index, label.prefix))
        lettered = before == label.step or any(step.startswith(f"{label.step}-") for step in near)
        return rival if names_letter(self._formula, label, rival) or lettered else label

    def _next_step(self, index: int, prefix: str) -> str:
        """Return the step of the next label of a kind in the quotation; empty if there is none."""
        for later in range(index + 1, min(index + _NEAR, len(self._lines))):
            label = self._ahead.label(later)
            if label is not None and label.prefix == prefix:
                return label.step
            if label is not None and label.prefix == "art":
                return ""
        return ""

    def _read_labelled(self, index: int, line: Line, notes: tuple[Note, ...], label: Label) -> None:
        if label.last is not None:
            self._add_range(line, notes, label)
            return
        placed = self._label_of_position(index, line, notes, label)
        self._begin_provision(line, line.part(placed.end), notes, placed)
        read = read_label(line.text)
        if placed is not label or read is None or (read.undecided and read.rival is None):
            target = self._scope.chain.get(placed.prefix, self.found.provisions[-1].id)
            self.found.doubts.append(Doubt(line.number, line.text[:_LONGEST_LABEL], target, is_label=True))

    def _label_of_position(self, index: int, line: Line, notes: tuple[Note, ...], label: Label) -> Label:
        """Return the label with the number between those before and after it, if it has another: one is mistyped.

        Words with a note or struck out may be another wording of an earlier provision.
        """
        scope = self._scope
        if label.prefix not in {"inc", "ali"} or label.prefix not in scope.chain or self._outer is not None:
            return label
        expected = scope.items[label.prefix] + 1
        if label.count in {expected, expected + 1} or "-" in label.number or notes or line.struck:
            return label
        if any(span.struck for span in line.spans) or (self._current is not None and self._current.struck):
            return label
        following = self._ahead.next_sibling(index, label.prefix)
        if following is None or following.number != str(expected + 1):
            return label
        return Label(label.prefix, str(expected), label.text, label.end)

    def _add_range(self, line: Line, notes: tuple[Note, ...], label: Label) -> None:
        """Place several provisions that share their text, as vetoed or revoked ones do; list another such line."""
        first, last = label.count, label.last or 0
        rest = line.part(label.end)
        if not first < last <= first + _LONGEST_RANGE or not begins_with_mark(rest.text):
            if self._outer is not None:
                self._read_quoted_text(line, notes)
            elif self._goes_on(line):
                self._append_text(line, notes)
            else:
                self.found.not_placed.append((line.number, line.text))
                self.found.notes.extend(notes)
            return
        for count in range(first, last + 1):
            text = (
                label.text
                if count == first
                else f"{'Art.' if label.prefix == 'art' else '§'} {count}{'º' if count < 10 else ''}"
            )
            self._begin_provision(line, rest, notes, Label(label.prefix, str(count), text, label.end))

    def _begin_provision(self, line: Line, rest: Line, notes: tuple[Note, ...], label: Label) -> None:
        if self._stage in {"front", "title", "preamble"}:
            self._stage = "body"
        scope = self._scope
        heading = self._take_rubric() if label.prefix in {"art", "par"} else None
        if label.prefix not in {"art", "par"}:
            self._flush_rubric()
        for prefix in ENDS[label.prefix]:
            scope.chain.pop(prefix, None)
        if label.prefix not in {"ali", "inc"} or "art" in scope.chain:
            scope.numbered.clear()
        if label.prefix == "art":
            fragment = f"{scope.prefix}{label.step}"
            article = Occurrence(fragment, scope.group, "art", label.text, line.number, heading, anchors=line.anchors)
            article.lines.append(line)
            scope.article, scope.number = fragment, label.count
            scope.steps = {"art": label.step}
            article.ambiguous = label.undecided
            scope.chain.clear()
            scope.chain["art"] = fragment
            self._add_placed(article)
            placed = Occurrence(f"{fragment}_cpt", fragment, "cpt", None, line.number, anchors=line.anchors)
            scope.chain["cpt"] = placed.id
        else:
            holder = next(
                (scope.chain[holder_prefix] for holder_prefix in HOLDERS[label.prefix] if holder_prefix in scope.chain),
                None,
            )
            if label.prefix == "par" and holder is None:
                holder = scope.article
            holder = holder or scope.holder
            prefix = label.prefix
            if prefix == "ite" and "ali" not in scope.chain:
                prefix = "dpg"
            fragment = f"{holder}_{prefix}{label.number}"
            placed = Occurrence(fragment, holder, prefix, label.text, line.number, heading, anchors=line.anchors)
            scope.chain[label.prefix] = fragment
            scope.items[label.prefix] = label.count
            if prefix in {"ite", "dpg"}:
                scope.numbered.append(((label.count,), fragment))
            scope.steps[label.prefix] = label.step
            placed.ambiguous = label.undecided
        self._add_placed(placed)
        self._naming = None
        if not rest.text:
            placed.lines.append(line)
            placed.notes.extend(notes)
        elif self._outer is not None and is_row_of_dots(rest.text):
            placed.omitted = True
            placed.lines.append(rest)
            placed.notes.extend(notes)
        else:
            self._append_text(rest, notes)

    def _read_omission(self, index: int, line: Line, notes: tuple[Note, ...]) -> None:
        """Read a row of dots in a quotation. It replaces unchanged parts of the container of the next provision."""
        self._flush_rubric()
        scope = self._scope
        following = self._next_label(index)
        holders = {"par": ("art",), "inc": ("par", "cpt"), "ali": ("inc", "par", "cpt"), "ite": ("ali", "inc")}
        wanted = holders.get(following.prefix, ("art",)) if following is not None else ("art",)
        holder = (
            next((scope.chain[holder_prefix] for holder_prefix in wanted if holder_prefix in scope.chain), None)
            or scope.holder
        )
        self._add_omission(holder, line).notes.extend(notes)

    def _add_omission(self, holder: str | None, line: Line) -> Occurrence:
        self._counts[f"{holder}/omi"] += 1
        placed = Occurrence(f"{holder}_omi{self._counts[f'{holder}/omi']}", holder, "omi", None, line.number)
        placed.omitted = True
        self._add_placed(placed)
        return placed

    def _next_label(self, index: int) -> Label | None:
        """Return the label of the next line without dots; None for an article, or if the quotation ends."""
        text = self._lines[index][0].text
        if CLOSE.search(text) or MARK.search(text):
            return None
        for later in range(index + 1, min(index + 4, len(self._lines))):
            following = self._lines[later][0].text
            if following and not is_row_of_dots(following):
                label = self._ahead.label(later)
                return label if label is not None and label.prefix != "art" else None
        return None

    def _read_unlabelled(self, index: int, line: Line, notes: tuple[Note, ...]) -> None:
        if self._current is None:
            self.found.not_placed.append((line.number, line.text))
            self.found.notes.extend(notes)
            return
        if self._naming is not None and folded(line.text) == folded(self._naming.heading or ""):
            self.found.beside.append((line.number, line.text))
            self.found.notes.extend(notes)
            return
        if self._naming is not None and self._is_grouping_name(line):
            self._naming.heading = f"{self._naming.heading or ''} {line.text}".strip()
            self._naming.lines.append(line)
            self._naming.notes.extend(notes)
            return
        penalty = PENALTY.match(line.text)
        if penalty is None and self._may_be_rubric(index, line):
            self._pending.append((line, notes))
            return
        self._flush_rubric()
        if penalty is not None and self._read_penalty(index, line, notes, penalty):
            return
        if self._outer is not None and self._current.omitted and self._current.prefix != "omi":
            self._read_quoted_text(line, notes)
            return
        lettered = self._outer is not None and unbracketed_letter(line.text) is not None and not self._goes_on(line)
        if (seems_labelled(line.text) or lettered) and not line.in_table:
            self.found.doubts.append(Doubt(line.number, line.text[:_LONGEST_LABEL], self._current.id, is_label=False))
            self._current.ambiguous |= self._outer is not None and self._current.prefix not in {*_GROUPS, "omi", "alt"}
        if self._current.prefix in _GROUPS or self._current.prefix in {"omi", "alt"}:
            if self._current.prefix == "alt" or self._outer is not None:
                self._read_quoted_text(line, notes)
                return
            self.found.not_placed.append((line.number, line.text))
            self._current.notes.extend(notes)
            return
        self._append_text(line, notes)

    def _read_quoted_text(self, line: Line, notes: tuple[Note, ...]) -> None:
        """Read a quoted line that does not begin a provision: a summary, or a text without a label."""
        holder = self._scope.holder
        self._counts[f"{holder}/dpg"] += 1
        self._add_placed(Occurrence(f"{holder}_dpg{self._counts[f'{holder}/dpg']}", holder, "dpg", None, line.number))
        self._append_text(line, notes)

    def _read_penalty(self, index: int, line: Line, notes: tuple[Note, ...], match: re.Match[str]) -> bool:
        """Read a penalty that is not a line of the provision before it (``Pena``, LexML part 3). Return whether it is.

        It is not, if it follows a list or dots, or has another wording or other notes than the provision.
        """
        now, holder = self._current, self._holder_of_penalty(index)
        if now is None or holder is None:
            return False
        changed = self._outer is None and (line.struck != now.struck or any(note.kind in _REWORDS for note in notes))
        if holder == now.id and not now.omitted and not changed:
            self._penalties.setdefault(holder, {})
            return False
        known = self._penalties.setdefault(holder, {})
        kind = folded(match["label"]).strip(" -–—:.").removesuffix("s")
        is_beside = now.prefix == "pen" and now.within == holder
        if is_beside and kind not in known and not changed and not now.notes:
            known[kind] = now.id
        else:
            fragment = known.setdefault(kind, f"{holder}_pen{len(set(known.values())) + 1}")
            self._add_placed(Occurrence(fragment, holder, "pen", match["label"].strip(), line.number))
            line = line.part(match.end())
        self._append_text(line, notes)
        return True

    def _holder_of_penalty(self, index: int) -> str | None:
        """Return the provision to which a penalty belongs.

        This is an item of a list if its text introduces the penalty (":"), if the list goes on, or if another item has
        its own; otherwise it is the paragraph or caput that contains the list.
        """
        chain, now = self._scope.chain, self._current
        for prefix in ("ite", "ali", "inc"):
            item = chain.get(prefix)
            if item is None:
                continue
            introduces = now is not None and now.id == item and (now.text or "").endswith(":")
            stem = f"{item.rpartition('_')[0]}_{prefix}"
            own = any(each.startswith(stem) and each.count("_") == stem.count("_") for each in self._penalties)
            if introduces or own or self._list_goes_on(index, prefix):
                return item
        return next((chain[prefix] for prefix in ("par", "cpt", "dpg") if prefix in chain), None)

    def _list_goes_on(self, index: int, prefix: str) -> bool:
        """Return whether a later item of the current list follows a line in the same quotation."""
        for later in range(index, min(index + FAR, len(self._lines))):
            text = self._lines[later][0].text
            label = self._ahead.label(later)
            if later > index and label is not None and label.prefix == prefix:
                return label.count > self._scope.items[prefix]
            ends = self._outer is not None and (CLOSE.search(text) or MARK.search(text))
            if ends or (label is not None and prefix in ENDS[label.prefix]) or annex_label(text):
                return False
        return False

    def _is_grouping_name(self, line: Line) -> bool:
        """Return whether a line is the name of the current grouping, or continues it."""
        naming = self._naming
        if naming is None or len(line.text) > 2 * LONGEST_RUBRIC or line.in_table or is_image(line.text):
            return False
        if not naming.heading:
            return True
        first = naming.lines[-1]
        alike = line.centred and first.centred and line.bold == first.bold
        return line.continues or (alike and line.text.isupper()) or (line.text.isupper() and naming.heading.isupper())

    def _may_be_rubric(self, index: int, line: Line) -> bool:
        """Return whether a line may be the rubric of the next article or paragraph."""
        text = line.text
        if len(text) > LONGEST_RUBRIC or text[-1] in ".;:," or not text[0].isupper() or line.in_table:
            return False
        if seems_labelled(text):
            return False
        if self._current is not None and self._current.text and self._current.text[-1] not in _TERMINAL:
            return False
        for later in range(index + 1, min(index + 4, len(self._lines))):
            following = self._lines[later][0]
            if not following.text:
                continue
            label = self._ahead.label(later)
            if label is not None:
                return label.prefix == "art" or (label.prefix == "par" and (line.bold or not line.continues))
            if following.text[-1] in ".;:,":
                return False
        return False

    def _take_rubric(self) -> str | None:
        """Return the pending rubric for the provision that begins now."""
        if not self._pending:
            return None
        rubric = " ".join(line.text for line, _ in self._pending)
        for line, notes in self._pending:
            self._add_notes(notes, line)
        self._pending.clear()
        return rubric

    def _flush_rubric(self) -> None:
        """Add the pending rubric to the text of the provision before it: it is not a rubric."""
        pending, self._pending = self._pending, []
        for line, notes in pending:
            if self._current is None or self._current.prefix in _GROUPS or self._current.prefix in {"omi", "alt"}:
                self.found.not_placed.append((line.number, line.text))
                self.found.notes.extend(notes)
            else:
                self._append_text(line, notes)

    def _add_placed(self, placed: Occurrence) -> None:
        self.found.provisions.append(placed)
        self._current = placed

    def _append_text(self, line: Line, notes: tuple[Note, ...]) -> None:
        """Add text to the current provision. In a quotation, dots may replace some of its words."""
        now = self._current
        if now is None:
            return
        if line.struck and now.paragraphs and not now.struck:
            self.found.not_placed.append((line.number, line.text))
            self.found.notes.extend(notes)
            return
        dots = REPLACED.search(line.text) if self._outer is not None else None
        penalty = PENALTY.match(line.text) is not None
        if dots is not None and not penalty and now.prefix != "pen":
            words = line.text[: dots.start()] + ("." if re.match(r"\.\s", dots[0]) else "")
            if line.text[dots.end() :].strip(" ;,") in {"", "e", "ou"} and words[-1:] in {".", ":", ";"}:
                self._append_text(line.part(0, len(words)), notes)
                self._add_omission(now.id, line)
                return
            now.cut = True
        if line.continues and not penalty and now.paragraphs and now.paragraphs[-1][-1] not in ".;:|":
            now.paragraphs[-1] = joined(now.paragraphs[-1], line.text)
        else:
            now.paragraphs.append(line.text)
        now.lines.append(line)
        now.notes.extend(notes)

    def _add_notes(self, notes: tuple[Note, ...], line: Line) -> None:
        """Add the notes of a line without other text to the provision before them."""
        if self._current is None or self._stage in {"front", "title", "preamble"}:
            self.found.notes.extend(notes)
        else:
            self._current.notes.extend(notes)
            if not line.text and not notes:
                return
