"""Operations of amending acts: the changes of an act to provisions of other norms (Akoma Ntoso's ``textualMod``).

An operation is data: it can be listed and exported without being applied. :func:`apply` applies operations to a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import dropwhile, groupby

from graph.civil import Term
from graph.urn import Name, parse


class OperationKind(StrEnum):
    """The kind of change to the target."""

    SUBSTITUTION = "substitution"
    """The target gets a new text; a provision that does not exist is inserted."""
    INSERTION = "insertion"
    REPEAL = "repeal"
    RENUMBERING = "renumbering"
    SUPPRESSION = "suppression"
    EXPRESSION = "expression"
    """Some words of the target are replaced by others."""


class RefusalReason(StrEnum):
    """Why an operation must not be applied, or was not applied to a text."""

    VETOED = "vetoed"
    AMBIGUOUS_SCOPE = "ambiguous-scope"
    AMBIGUOUS_LABEL = "ambiguous-label"
    """The letter after the number of the quoted label may belong to the label or be a word ("Art. 5º E União")."""
    PARTIAL_TEXT = "partial-text"
    """Dots replace some words of the quoted text, or a quotation mark in it has no pair."""
    NOT_QUOTED = "not-quoted"
    """The order names the provision, and its quotation has no words of it."""
    TARGET_NOT_FOUND = "target-not-found"
    """The text has no such provision, or no container for it."""
    LABEL_TAKEN = "label-taken"
    """A provision with the label of the insertion or the new number already exists."""
    SOLE_PARAGRAPH = "sole-paragraph"
    """A numbered paragraph is inserted into an article with a "parágrafo único", or vice versa."""
    WORDS_NOT_FOUND = "words-not-found"
    """The target does not contain the words to be replaced."""
    IN_PART = "in-part"
    """Only the effect of a provision on some subject is repealed ("na parte em que"); its words stay."""
    OVERTAKEN = "overtaken"
    """A later act changed the provision before the operation had effect; no source states which applies."""
    NOT_UNDERSTOOD = "not-understood"
    """The act names the provision in an order that is not understood."""
    WHOLE_NORM = "whole-norm"
    """The whole norm is repealed: this is an event, not a change of its text."""


class Rest(StrEnum):
    """What happens to parts of a provision that a quotation of its new text omits (Decreto 12.002/2024)."""

    KEPT = "kept"
    """They are kept: the quotation marks them by rows of dots, or changes only the caput."""
    GONE = "gone"
    """They are removed: the quotation is complete."""
    UNSTATED = "unsaid"
    """The quotation does not state what happens to them."""
    UNDECIDED = "undecided"
    """As ``unsaid``, in an act of a state or municipality: they stay until a source decides, with a notice."""


class Follows(StrEnum):
    """What dates an operation for which its act states no day."""

    FORCE = "force"
    """The first day of force of the act."""
    PUBLICATION = "publication"
    """The day of the act's publication, by its clause of commencement; if the order states a day, that day."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One change that one act makes to one provision.

    Attributes:
        source: the provision of the amending act that makes the change; None if the act's name is not known.
        target: the norm or provision that is changed.
        kind: the kind of change.
        label: the new label of the target, if it gets a text or another number.
        text: its new words without label; None for a repeal, a suppression and a renumbering.
        heading: the new name of a grouping, or title of an article.
        replaced: for the kind ``expression``, the words that ``text`` replaces.
        position: of an insertion, the provision that precedes it by label; None if it is the first.
        effect: the first day of force that the act states; None if it states none.
        known: the day of the act's publication; None if it is not known.
        line: its line number in the act, from 1.
        refused: why it must not be applied; None if it may be.
        becomes: of a renumbering, the target's new name.
        group: of an article or a part of it, the identifier of the grouping that contains it in the quotation.
        parts: what happens to the parts of the target that the quotation omits.
        paragraphs: if the target is a caput, what happens to the omitted paragraphs of its article.
        replaces: of an insertion, whether it may also replace an existing provision.
        letters: whether provisions with the target's number and a letter are included, as for a range of targets.
        follows: what dates it, if ``effect`` or ``known`` is None: the act, or a term counted from its publication;
            None if a part of the act may have its own day.
    """

    source: Name | None
    target: Name
    kind: OperationKind
    label: str | None = None
    text: str | None = None
    heading: str | None = None
    replaced: str | None = None
    position: Name | None = None
    effect: date | None = None
    known: date | None = None
    line: int = 0
    refused: RefusalReason | None = None
    becomes: Name | None = None
    group: str | None = None
    parts: Rest = Rest.KEPT
    paragraphs: Rest = Rest.KEPT
    replaces: bool = True
    letters: bool = False
    follows: Follows | Term | None = None


class UnparsedReason(StrEnum):
    """The reason why no operation was read from a text of an amending act."""

    NO_TARGET = "no-target"
    """It quotes new words, and names no norm that gets them."""
    NOT_PLACED = "not-placed"
    """It is in a quotation and has no label, or belongs to no provision of the act."""
    FORMULA = "formula"
    """It describes a change in words that are not supported."""
    ANNEX = "annex"
    """It changes an annex, or an annexed text, that it does not identify."""
    COMMENCEMENT = "commencement"
    """It states the first day of force of an act of a state or municipality in words that are not supported."""


@dataclass(frozen=True, slots=True)
class UnparsedText:
    """A text of an amending act from which no operation was read.

    Attributes:
        line: the number of its first line, from 1.
        text: the text.
        code: the reason.
        named: of an act of a state or municipality, the canonical names of the provisions or norms that an order
            without operations names.
    """

    line: int
    text: str
    code: UnparsedReason
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Amendments:
    """The changes that an act makes.

    Attributes:
        act: its name; None if neither the act nor the caller gives it.
        operations: in the order of the act.
        left: the texts from which no operation was read, in the same order.
    """

    act: Name | None
    operations: tuple[Operation, ...]
    left: tuple[UnparsedText, ...]

    @property
    def doubts(self) -> tuple[Operation, ...]:
        """A refused operation for each provision that an order without operations names: its text is in doubt."""
        refused = RefusalReason.NOT_UNDERSTOOD
        return tuple(
            Operation(self.act, parse(name), OperationKind.SUBSTITUTION, line=unparsed.line, refused=refused)
            for unparsed in self.left
            for name in unparsed.named
        )


class PartStatus(StrEnum):
    """The status of a provision after operations."""

    IN_FORCE = "in-force"
    REPEALED = "repealed"
    UNKNOWN = "unknown"
    """An operation on it was refused, so its text is not known."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A provision of a text to which operations are applied.

    Attributes:
        fragment: its identifier, e.g. ``"art5_cpt_inc1"``.
        within: the identifier of its container; None directly under the norm.
        label, heading, text: its wording; ``text`` is without the text of its parts.
        made_by: the provisions of amending acts that made this wording, in the order of their application.
        status: its status after operations.
        reason: why it is unknown.
    """

    fragment: str
    within: str | None
    label: str | None
    heading: str | None
    text: str | None
    made_by: tuple[Name, ...] = ()
    status: PartStatus = PartStatus.IN_FORCE
    reason: RefusalReason | Rest | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one operation.

    Attributes:
        refused: why it was not applied; None if it was.
        touched: the identifiers of the provisions that it changed, or made unknown.
    """

    operation: Operation
    refused: RefusalReason | None
    touched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AmendedText:
    """A text after operations.

    Attributes:
        parts: its provisions in their order.
        outcomes: one for each operation, in the order in which they were applied.
    """

    parts: tuple[TextPart, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def is_certain(self) -> bool:
        """Return whether every provision is known and no operation on the norm as a whole was refused."""
        if any(part.status is PartStatus.UNKNOWN for part in self.parts):
            return False
        return all(outcome.touched or outcome.refused in {None, RefusalReason.VETOED} for outcome in self.outcomes)


def apply(text: Iterable[TextPart], operations: Iterable[Operation]) -> AmendedText:
    """Return a text after operations of one or several acts.

    Args:
        text: the provisions of one norm in their order, each after its container.
        operations: on that norm, in the order of their effect (:func:`in_order_of_effect`). Among the operations of one
            provision of an act, renumberings are applied first.

    Returns:
        The text, and the outcome of each operation. An operation that cannot be applied changes nothing, and makes its
        target unknown. If a quotation does not state what happens to omitted parts, they become unknown.

    >>> from graph.urn import parse
    >>> law = "urn:lex:br:federal:lei:2001-03-05;99901"
    >>> before = [TextPart("art1", None, "Art. 1º", None, None), TextPart("art1_cpt", "art1", None, None, "Antes.")]
    >>> change = Operation(None, parse(law + "!art1_cpt"), OperationKind.SUBSTITUTION, "Art. 1º", "Depois.")
    >>> [part.text for part in apply(before, [change]).parts]
    [None, 'Depois.']
    """
    changing = _TextUnderChange(text)
    outcomes: list[Outcome] = []
    for _, by_act in groupby(operations, key=lambda operation: operation.source and operation.source.work):
        of_act = list(by_act)
        changing.targets_of_act = {_fragment(operation.target) for operation in of_act}
        for together in _grouped_by_provision(of_act):
            changing.together = together
            outcomes += [changing.apply(operation) for operation in together]
    return AmendedText(changing.parts(), tuple(outcomes))


def in_order_of_effect(operations: Iterable[Operation]) -> list[Operation]:
    """Return operations of several acts in the order of their effective days; undated ones keep their position.

    An act may change a provision that an earlier published act changes on a later day. If that act inserts the
    provision, the operation is postponed to that day. If both change an existing provision, the one that comes into
    force last is refused (``overtaken``): no source states which of them prevails.
    """
    some = list(operations)
    if any(operation.effect is None for operation in some):
        return some
    waiting = [_postponed_to_insertion(operation, some) for operation in some]
    ordered = [
        replace(operation, refused=RefusalReason.OVERTAKEN)
        if operation.refused is None and _is_overtaken(operation, waiting)
        else operation
        for operation in waiting
    ]
    return sorted(ordered, key=lambda operation: (operation.effect or date.max, operation.known or date.max))


def _postponed_to_insertion(operation: Operation, others: Iterable[Operation]) -> Operation:
    """Return an operation, postponed to the day on which an earlier published act inserts its target."""
    inserts = (
        other
        for other in others
        if other.kind is OperationKind.INSERTION
        and _is_earlier_with_later_effect(other, operation)
        and _contains(_fragment(other.target).removesuffix("_cpt"), _fragment(operation.target))
    )
    latest = max((other.effect for other in inserts if other.effect is not None), default=None)
    return operation if latest is None else replace(operation, effect=latest)


def _is_overtaken(operation: Operation, others: Iterable[Operation]) -> bool:
    """Return whether a later published act changed the target, or its container, before the operation has effect."""
    rewords = {OperationKind.SUBSTITUTION, OperationKind.REPEAL, OperationKind.SUPPRESSION}
    return any(
        other.kind in rewords
        and _is_earlier_with_later_effect(operation, other)
        and _contains(_fragment(other.target), _fragment(operation.target))
        for other in others
    )


def _is_earlier_with_later_effect(operation: Operation, other: Operation) -> bool:
    """Return whether one operation was published before the other and has effect after it."""
    if operation.known is None or other.known is None or operation.effect is None or other.effect is None:
        return False
    return operation.known < other.known and operation.effect > other.effect


def _contains(fragment: str, other: str) -> bool:
    return fragment == other or other.startswith(f"{fragment}_")


def _has_target(targets: Iterable[str], fragment: str) -> bool:
    """Return whether a provision, or a part of it, is among these targets."""
    return any(_contains(fragment, target) for target in targets)


def _grouped_by_provision(operations: Iterable[Operation]) -> Iterator[list[Operation]]:
    """Yield the operations of each provision of an act, its renumberings first."""
    for _, some in groupby(operations, key=lambda operation: operation.source):
        yield sorted(some, key=_turn)


def _turn(operation: Operation) -> tuple[bool, int]:
    """Return the turn of an operation: of renumberings to higher numbers, the last one is first."""
    place, new = (_place(_fragment(name)) for name in (operation.target, operation.becomes or operation.target))
    if operation.kind is not OperationKind.RENUMBERING or place is None or new is None:
        return operation.kind is not OperationKind.RENUMBERING, 0
    return False, -place[1] if new > place else place[1]


_LAST = re.compile(r"([a-z]+)([0-9]*)(u?)((?:-[0-9]+)*)", re.ASCII)
#: The order of the kinds of provisions within one container.
_KINDS = {"cpt": 0, "par": 1, "pen": 2}
#: The kinds of provisions that an amendment of an article may remove.
_PARAGRAPHS = ("par", "dpg", "pen")


#: The word that begins a line with a penalty.
_PENALTY = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?(?=\s?[-–—:.])")


def _place(fragment: str) -> tuple[int, int, tuple[int, ...]] | None:
    """Return the position of a provision among its siblings by label; None if its identifier has no number."""
    match = _LAST.fullmatch(fragment.rpartition("_")[2])
    if match is None:
        return None
    letters = tuple(int(letter) for letter in match[4].split("-") if letter)
    return _KINDS.get(match[1], 0), int(match[2] or 0), letters


def _kind(fragment: str) -> str:
    match = _LAST.match(fragment.rpartition("_")[2])
    return match[1] if match is not None else fragment


class _TextUnderChange:
    """A text during the application of operations."""

    def __init__(self, text: Iterable[TextPart]) -> None:
        self.together: Sequence[Operation] = ()  # the operations of one provision of an act
        self.targets_of_act: Set[str] = frozenset()  # what the operations of the whole act change
        self._parts = {part.fragment: part for part in text}
        self._inner: dict[str | None, list[str]] = {}
        for part in self._parts.values():
            self._inner.setdefault(self._container(part), []).append(part.fragment)

    def _container(self, part: TextPart) -> str | None:
        return part.within if part.within in self._parts else None

    def parts(self) -> tuple[TextPart, ...]:
        return tuple(self._parts[part_id] for top in self._inner.get(None, ()) for part_id in self._with_parts(top))

    def _with_parts(self, fragment: str) -> Iterator[str]:
        """Yield a provision and all its parts, in order."""
        waiting = [fragment]
        while waiting:
            part_id = waiting.pop()
            yield part_id
            waiting.extend(reversed(self._inner.get(part_id, [])))

    def apply(self, operation: Operation) -> Outcome:
        """Apply one operation and return its outcome."""
        if operation.refused is RefusalReason.VETOED:
            return Outcome(operation, RefusalReason.VETOED, ())
        fragment = _fragment(operation.target)
        if operation.refused is not None:
            touched = self._leave_unknown(fragment, operation.refused)
            if not fragment and operation.kind is OperationKind.EXPRESSION:
                touched = tuple(
                    part_id
                    for part_id in self._parts
                    if (operation.replaced or "") in (self._parts[part_id].text or "")
                )
                for part_id in touched:
                    self._mark_unknown(part_id, operation.refused)
            return Outcome(operation, operation.refused, touched)
        try:
            touched = tuple(dict.fromkeys(self._method_for(operation.kind)(operation, fragment)))
        except _CannotApply as error:
            return Outcome(operation, error.reason, self._leave_unknown(fragment, error.reason))
        return Outcome(operation, None, touched)

    def _method_for(self, kind: OperationKind) -> Callable[[Operation, str], Iterable[str]]:
        match kind:
            case OperationKind.SUBSTITUTION | OperationKind.INSERTION:
                return self._reword
            case OperationKind.REPEAL:
                return self._repeal
            case OperationKind.SUPPRESSION:
                return self._suppress
            case OperationKind.RENUMBERING:
                return self._renumber
            case OperationKind.EXPRESSION:
                return self._replace

    def _leave_unknown(self, fragment: str, reason: RefusalReason) -> tuple[str, ...]:
        """Mark as unknown the provisions that a refused operation would have changed."""
        if reason is RefusalReason.AMBIGUOUS_SCOPE:
            first, _, rest = fragment.rpartition("_")
            touched = [
                candidate
                for candidate in self._parts
                if candidate == fragment
                or candidate.endswith(f"_{fragment}")
                or (first and candidate.startswith(f"{first}_") and candidate.endswith(f"_{rest}"))
            ]
        elif reason in {RefusalReason.NOT_QUOTED, RefusalReason.NOT_UNDERSTOOD} and fragment in self._parts:
            touched = [*self._with_parts(fragment)]
        else:
            touched = [nearest] if (nearest := self._nearest(fragment)) is not None else []
        for touched_id in touched:
            self._mark_unknown(touched_id, reason)
        return tuple(touched)

    def _nearest(self, fragment: str) -> str | None:
        """Return the provision itself, or the nearest container of it that exists."""
        while fragment and fragment not in self._parts:
            fragment = fragment.rpartition("_")[0]
        return fragment or None

    def _mark_unknown(self, fragment: str, reason: RefusalReason | Rest) -> None:
        part = self._parts[fragment]
        text = part.text if reason in {Rest.UNDECIDED, RefusalReason.NOT_UNDERSTOOD} else None
        self._parts[fragment] = replace(part, text=text, status=PartStatus.UNKNOWN, reason=reason)

    # Kinds of operations

    def _reword(self, operation: Operation, fragment: str) -> Iterator[str]:
        if not fragment:
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        is_group = _kind(fragment) in _GROUPS
        if is_group:
            try:
                fragment = self._group(fragment)
            except _CannotApply as error:
                if error.reason is not RefusalReason.TARGET_NOT_FOUND or operation.kind is not OperationKind.INSERTION:
                    raise
                fragment = self._new_group(fragment)
        if _kind(fragment) == "pen" and fragment not in self._parts:
            lines = self._lines_of_penalty(operation, fragment)
            if lines or not self._is_quoted(fragment.rpartition("_")[0], apart_from=fragment):
                yield from self._reword_penalty(operation, lines)
                return
        label_at = fragment.removesuffix("_cpt") if _kind(fragment) == "cpt" else fragment
        label_taken = label_at in self._parts and self._parts[label_at].status is not PartStatus.REPEALED
        if label_taken and operation.kind is OperationKind.INSERTION and not operation.replaces:
            if fragment in self._parts and _words(self._parts[fragment].text) == _words(operation.text):
                return  # quoted only to show the position of the insertion
            raise _CannotApply(RefusalReason.LABEL_TAKEN)
        if label_at not in self._parts:
            self._insert(label_at, operation)
        yield label_at
        self._set_text(label_at, operation, words=label_at == fragment)
        if label_at != fragment:
            if fragment not in self._parts:
                self._add(TextPart(fragment, label_at, None, None, None), index=0)
            self._set_text(fragment, operation, words=True)
            yield fragment
            yield from self._apply_to_omitted_parts(label_at, operation, operation.paragraphs, _PARAGRAPHS)
        if not is_group:
            yield from self._apply_to_omitted_parts(fragment, operation, operation.parts, ())

    def _lines_of_penalty(self, operation: Operation, fragment: str) -> list[tuple[str, list[tuple[str, int]]]]:
        """Return the lines of a new penalty, each with the lines of its kind ("Pena", "Infração") in the text: those
        of its provision and of the parts of that.

        Empty if the text has none of them.
        """
        holder = self._existing_fragment(fragment.rpartition("_")[0])
        found: list[tuple[str, list[tuple[str, int]]]] = []
        for line in f"{operation.label or ''} {operation.text or ''}".strip().split("\n"):
            kind = _PENALTY.match(line)
            places = [
                (part_id, index)
                for part_id in self._with_parts(holder)
                for index, old in enumerate((self._parts[part_id].text or "").split("\n"))
                if kind is not None and old.casefold().startswith(kind[0].casefold())
            ]
            found.append((line, places))
        return found if any(places for _, places in found) else []

    def _reword_penalty(
        self, operation: Operation, lines: Sequence[tuple[str, Sequence[tuple[str, int]]]]
    ) -> Iterator[str]:
        """Replace the lines of a penalty, and yield the provisions with them; dots keep a line."""
        if not lines or any(len(places) != 1 for _, places in lines):
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        for line, [(holder, index)] in lines:
            part = self._parts[holder]
            words = (part.text or "").split("\n")
            if ".." not in line and "…" not in line:
                words[index] = line
            self._parts[holder] = _with_source(replace(part, text="\n".join(words)), operation)
            yield holder

    def _set_text(self, fragment: str, operation: Operation, *, words: bool) -> None:
        """Set the new label and heading of a provision, and its text if ``words`` is true."""
        part = self._parts[fragment]
        carries_label = fragment == _fragment(operation.target).removesuffix("_cpt") or words
        part = replace(
            part,
            label=(operation.label or part.label) if carries_label and _kind(fragment) != "cpt" else part.label,
            heading=operation.heading or part.heading if _kind(fragment) != "cpt" else part.heading,
            text=operation.text if words else part.text,
            status=PartStatus.IN_FORCE,
            reason=None,
        )
        self._parts[fragment] = _with_source(part, operation)

    def _apply_to_omitted_parts(
        self, fragment: str, operation: Operation, rest: Rest, kinds: Sequence[str]
    ) -> Iterator[str]:
        """Apply the rule for parts that a quotation omits, and yield the changed ones.

        Quoted parts are unchanged, and so are parts that another provision of the same act changes: its operation
        decides on them.

        Args:
            kinds: the kinds of parts to which the rule applies; all if empty.
        """
        if rest is Rest.KEPT:
            return
        for inner in tuple(self._inner.get(fragment, ())):
            if (kinds and _kind(inner) not in kinds) or _has_target(self.targets_of_act, inner):
                continue
            if rest is Rest.GONE:
                yield inner
                self._remove(inner)
                continue
            for part_id in self._with_parts(inner):
                yield part_id
                self._parts[part_id] = _with_source(self._parts[part_id], operation)
                self._mark_unknown(part_id, rest)

    def _is_quoted(self, fragment: str, apart_from: str) -> bool:
        targets = {_fragment(operation.target) for operation in self.together} - {apart_from}
        return _has_target(targets, fragment)

    def _repeal(self, operation: Operation, fragment: str) -> Iterator[str]:
        for part_id in self._in_range(operation, fragment):
            if self._parts[part_id].status is not PartStatus.REPEALED:
                gone = replace(self._parts[part_id], text=None, status=PartStatus.REPEALED, reason=None)
                self._parts[part_id] = _with_source(gone, operation)
            yield part_id

    def _in_range(self, operation: Operation, fragment: str) -> list[str]:
        """Return the target and all its parts, with the provisions of its number and a letter if they are included."""
        targets = [self._existing_fragment(fragment)]
        if operation.letters:
            lettered = re.compile(rf"{re.escape(fragment)}(?:-[0-9]+)+")
            targets += [candidate for candidate in self._parts if lettered.fullmatch(candidate)]
        return [part_id for target in targets for part_id in self._with_parts(target)]

    def _suppress(self, _: Operation, fragment: str) -> Iterator[str]:
        existing = self._existing_fragment(fragment)
        yield from self._with_parts(existing)
        self._remove(existing)

    def _renumber(self, operation: Operation, fragment: str) -> Iterator[str]:
        old = self._existing_fragment(fragment)
        new = _fragment(operation.becomes) if operation.becomes is not None else ""
        if not new:
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        if new in self._parts:
            raise _CannotApply(RefusalReason.LABEL_TAKEN)
        moved = [self._parts[part_id] for part_id in self._with_parts(old)]
        within = self._parts[old].within
        self._remove(old)
        for part in moved:
            renamed = replace(
                part,
                fragment=new + part.fragment.removeprefix(old),
                within=within if part.fragment == old else new + str(part.within).removeprefix(old),
                label=operation.label if part.fragment == old else part.label,
            )
            self._add(_with_source(renamed, operation) if part.fragment == old else renamed)
            yield renamed.fragment

    def _replace(self, operation: Operation, fragment: str) -> Iterator[str]:
        held = self._in_range(operation, fragment) if fragment else tuple(self._parts)
        words = operation.replaced or ""
        pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
        touched = [part_id for part_id in held if words and pattern.search(self._parts[part_id].text or "")]
        if not touched:
            raise _CannotApply(RefusalReason.WORDS_NOT_FOUND)
        for part_id in touched:
            part = self._parts[part_id]
            text = pattern.sub(lambda _: operation.text or "", part.text or "")
            self._parts[part_id] = _with_source(replace(part, text=text), operation)
            yield part_id

    # Places

    def _existing_fragment(self, fragment: str) -> str:
        if not fragment:
            raise _CannotApply(RefusalReason.WHOLE_NORM)
        if fragment in self._parts:
            return fragment
        return self._group(fragment)

    def _group(self, fragment: str) -> str:
        """Return the grouping that a quotation names by label; of several, that of the articles quoted in it."""
        groups = [candidate for candidate in self._parts if candidate == fragment or candidate.endswith(f"_{fragment}")]
        if len(groups) > 1:
            held = {holder for article in self._quoted_in(fragment) for holder in self._containers(article)}
            groups = [candidate for candidate in groups if candidate in held]
        if len(groups) == 1 and _kind(fragment) in _GROUPS:
            return groups[0]
        raise _CannotApply(RefusalReason.AMBIGUOUS_SCOPE if groups else RefusalReason.TARGET_NOT_FOUND)

    def _new_group(self, fragment: str) -> str:
        """Return the identifier of a grouping that follows the one before it by label."""
        last = _preceding_group(fragment)
        before = [
            candidate
            for candidate in self._parts
            if last is not None and (candidate == last or candidate.endswith(f"_{last}"))
        ]
        articles = self._quoted_in(fragment)
        if any(article in self._parts for article in articles):
            raise _CannotApply(
                RefusalReason.AMBIGUOUS_SCOPE
            )  # it is not stated which of the following articles belong to it
        if len(before) > 1:
            held = {holder for article in articles for holder in self._containers(self._article_before(article))}
            before = [candidate for candidate in before if candidate in held]
        if len(before) != 1:
            raise _CannotApply(RefusalReason.AMBIGUOUS_SCOPE if before else RefusalReason.TARGET_NOT_FOUND)
        stem, cut, _ = before[0].rpartition("_")
        return f"{stem}{cut}{fragment}"

    def _quoted_in(self, group: str) -> list[str]:
        """Return the articles quoted in a grouping; for a label alone, the next quoted article."""
        articles = [(operation, _article(_fragment(operation.target))) for operation in self.together]
        inside = [article for operation, article in articles if operation.group == group and article is not None]
        if inside:
            return inside
        behind = dropwhile(lambda pair: _fragment(pair[0].target) != group, articles)
        return [article for _, article in behind if article is not None][:1]

    def _containers(self, fragment: str | None) -> Iterator[str]:
        """Yield the containers of a provision, innermost first."""
        while fragment is not None and fragment in self._parts:
            yield fragment
            fragment = self._container(self._parts[fragment])

    def _insert(self, fragment: str, operation: Operation) -> None:
        """Add an empty provision at the position of an insertion."""
        kind = _kind(fragment)
        if kind == "art":
            self._insert_article(fragment, operation.group)
            return
        stem = fragment.rpartition("_")[0]
        if kind in _GROUPS:
            before = next(
                (part_id for part_id in self._parts if part_id == f"{stem}_{_preceding_group(fragment)}".lstrip("_")),
                None,
            )
            holder = self._container(self._parts[before]) if before is not None else stem or None
        else:
            holder = stem
        if holder is not None and holder not in self._parts:
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        if kind == "par":
            step = fragment.rpartition("_")[2]
            rivals = [
                sibling
                for sibling in self._inner.get(holder, ())
                if _kind(sibling) == "par" and self._is_not_repealed(sibling)
            ]
            if any(rival.endswith("_par1u") != (step == "par1u") for rival in rivals):
                raise _CannotApply(RefusalReason.SOLE_PARAGRAPH)
        self._add(TextPart(fragment, holder, None, None, None))

    def _is_not_repealed(self, fragment: str) -> bool:
        return self._parts[fragment].status is not PartStatus.REPEALED

    def _insert_article(self, fragment: str, group: str | None) -> None:
        before = self._article_before(fragment)
        holder = self._container(self._parts[before]) if before is not None else fragment.rpartition("_")[0] or None
        if holder is not None and holder not in self._parts:
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        if group is not None:
            with suppress(_CannotApply):
                holder = self._group(group)
        self._add(TextPart(fragment, holder, None, None, None))

    def _article_before(self, fragment: str) -> str | None:
        """Return the last article whose label precedes that of this article; None if there is none."""
        place, scope = _place(fragment), fragment.rpartition("_")[0]
        if place is None:
            raise _CannotApply(RefusalReason.TARGET_NOT_FOUND)
        before = [
            (other, part_id)
            for part_id in self._parts
            if _kind(part_id) == "art" and part_id.rpartition("_")[0] == scope
            if (other := _place(part_id)) is not None and other < place
        ]
        return max(before)[1] if before else None

    def _add(self, part: TextPart, index: int | None = None) -> None:
        """Add a provision after the last sibling with a lower label."""
        siblings = self._inner.setdefault(self._container(part), [])
        place = _place(part.fragment)
        if index is None:
            index = len(siblings)
            while index and place is not None:
                other = _place(siblings[index - 1])
                if other is not None and _comparable(siblings[index - 1], part.fragment) and other <= place:
                    break
                index -= 1
            if index == 0 and not any(_comparable(sibling, part.fragment) for sibling in siblings):
                index = len(siblings)
        siblings.insert(index, part.fragment)
        self._parts[part.fragment] = part

    def _remove(self, fragment: str) -> None:
        siblings = self._inner[self._container(self._parts[fragment])]
        siblings.remove(fragment)
        for part_id in tuple(self._with_parts(fragment)):
            self._inner.pop(part_id, None)
            del self._parts[part_id]


_GROUPS = frozenset({"prt", "liv", "tit", "agh", "cap", "sec", "sub"})


class _CannotApply(Exception):
    """Raised if an operation cannot be applied to the text."""

    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason)
        self.reason = reason


def _comparable(label: str, other: str) -> bool:
    """Return whether labels decide the order of two siblings: they are of one kind, or parts of an article."""
    kinds = _kind(label), _kind(other)
    return kinds[0] == kinds[1] or set(kinds) <= set(_KINDS) or set(kinds) <= {"art"}


def _with_source(part: TextPart, operation: Operation) -> TextPart:
    if operation.source is None or operation.source in part.made_by[-1:]:
        return part
    return replace(part, made_by=(*part.made_by, operation.source))


def _article(fragment: str) -> str | None:
    """Return the article that a provision is or belongs to."""
    match = re.match(r"(?:[a-z0-9-]+_)*?art[0-9]+u?(?:-[0-9]+)*", fragment)
    return match[0] if match is not None else None


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


def _fragment(name: Name) -> str:
    return str(name.canonical.partition("!")[2])


def _preceding_group(fragment: str) -> str | None:
    """Return the grouping with the preceding label: ``cap2`` for ``cap2-1`` and for ``cap3``."""
    match = _LAST.fullmatch(fragment.rpartition("_")[2])
    if match is None or not match[2]:
        return None
    letters = [int(letter) for letter in match[4].split("-") if letter]
    if letters:
        letters[-1] -= 1
        kept = letters if letters[-1] else letters[:-1]
        return f"{match[1]}{match[2]}" + "".join(f"-{letter}" for letter in kept)
    return f"{match[1]}{int(match[2]) - 1}" if int(match[2]) > 1 else None
