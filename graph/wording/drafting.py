"""Rules of legislative drafting (LC 95/1998; LexML 0.7 part 3, sections 2, 4.2 and 5), as findings on a text.

A scheme lists the rules that are checked: the rigid scheme of LC 95/1998 for acts from its own start of force on, the
flexible scheme for all others. ``drafting_schemes.toml`` lists the schemes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.resources import files

from graph.urn import Name
from graph.wording.citations import cite
from graph.wording.folding import folded
from graph.wording.provisions import SIGNATURE, Style, provision_name


class Rule(StrEnum):
    """The rules, a closed list; docs/reference/drafting.md has their sources."""

    NUMBERING_GAP = "numbering-gap"
    NUMBERING_REPEAT = "numbering-repeat"
    SOLE_PARAGRAPH = "sole-paragraph"
    WRONG_PARENT = "wrong-parent"
    GROUPING_ORDER = "grouping-order"
    ORDINAL_NUMBER = "ordinal-number"
    LABEL_SIGN = "label-sign"
    NO_SUMMARY = "no-summary"
    NO_CLOSING = "no-closing"
    NO_FORCE_CLAUSE = "no-force-clause"
    REVOCATION_UNNAMED = "revocation-unnamed"
    AMENDS_UNNAMED = "amends-unnamed"


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme of drafting.

    Attributes:
        code: its identifier.
        title: the norm that states the rules.
        place: the place of the norms; ``br`` applies to every place.
        since: the first day of force of the rules; None if they apply to every day.
        rules: the rules that are checked.
        parents: the prefixes of the containers that each kind of provision may have; ``""`` is the text itself.
    """

    code: str
    title: str
    place: str
    since: date | None
    rules: frozenset[Rule]
    parents: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DraftedProvision:
    """A provision or part of a text, as it is written.

    Attributes:
        id: its identifier in LexML XML.
        label: its label; None if it has none.
        text: its own text; None if it has none.
        line: the number of its line in the file; None if the text comes from a store.
    """

    id: str
    label: str | None
    text: str | None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a text does not follow a rule.

    Attributes:
        rule: the rule.
        provision: the identifier of the provision; None for the whole text.
        line: the number of its line; None if the text has no lines.
        found: the label or the words that were found; None if something is missing.
        expected: the label, sign or containers that the rule asks for; None if the rule has one answer for every text.
    """

    rule: Rule
    provision: str | None
    line: int | None
    found: str | None
    expected: str | None = None


@cache
def schemes() -> tuple[Scheme, ...]:
    """Return the schemes of ``drafting_schemes.toml`` in order; the last one is the flexible scheme."""
    table = tomllib.loads(files("graph.wording").joinpath("drafting_schemes.toml").read_text(encoding="utf-8"))
    return tuple(
        Scheme(
            row["code"],
            row["title"],
            row["place"],
            row.get("since"),
            frozenset(map(Rule, row["rules"])),
            {prefix: tuple(containers) for prefix, containers in row["parents"].items()},
        )
        for row in table["scheme"]
    )


def scheme_of(name: Name | None) -> Scheme:
    """Return the scheme for a norm, by its place and the earliest day of its name; the flexible one if there is no day.

    >>> from graph.urn import parse
    >>> [scheme_of(parse(f"urn:lex:br:federal:lei:{day};99901")).code for day in ("1998-05-27", "1998-05-28", "1998")]
    ['flexivel', 'lc-95-1998', 'flexivel']
    """
    day = None if name is None else name.oldest_day
    place = "" if name is None else name.canonical.split(":")[2]
    return next(
        scheme
        for scheme in schemes()
        if (scheme.since is None or (day is not None and day >= scheme.since))
        and (scheme.place == "br" or f"{place};".startswith(f"{scheme.place};"))
    )


def findings(provisions: Sequence[DraftedProvision], scheme: Scheme) -> tuple[Finding, ...]:
    """Return where a text does not follow the rules of a scheme, in the order of the text.

    Provisions inside a quotation belong to another norm; only the norm's name is asked for. A text without articles has
    no findings, because nothing of it was understood as an articulated text.

    Args:
        provisions: the provisions and parts of the text in order, earlier wordings left out.
        scheme: the rules.
    """
    own = [each for each in provisions if not _is_quoted(each.id)]
    if not any(_last(each.id).prefix == "art" for each in own):
        return ()
    found = [*_numbering(own), *_parents(own, scheme), *_labels(own), *_clauses(own), *_unnamed_targets(provisions)]
    order = {each.id: index for index, each in reversed(list(enumerate(provisions)))}
    found.sort(key=lambda finding: order.get(finding.provision or "", len(order)))
    return tuple(finding for finding in found if finding.rule in scheme.rules)


_STEP = re.compile(r"([a-z]+?)(?:(1u)|(\d+(?:-\d+)*))?", re.ASCII)
_GROUPINGS = frozenset({"prt", "liv", "tit", "cap", "sec", "sub", "agh"})
_COUNTED = _GROUPINGS | {"art", "par", "inc", "ali", "ite"}


@dataclass(frozen=True, slots=True)
class _Step:
    """The last step of an identifier: its prefix and its numbers, ``(55, 1)`` for ``art55-1``."""

    prefix: str
    numbers: tuple[int, ...] = ()
    sole: bool = False


def _last(identifier: str) -> _Step:
    match = _STEP.fullmatch(identifier.rpartition("_")[2])
    if match is None:
        return _Step("")
    return _Step(match[1], tuple(map(int, match[3].split("-"))) if match[3] else (), match[2] is not None)


def _container(identifier: str) -> str:
    return identifier.rpartition("_")[0]


def _is_quoted(identifier: str) -> bool:
    return "_alt" in identifier or "_asp" in identifier


def _numbering(own: Iterable[DraftedProvision]) -> Iterator[Finding]:
    """Gaps and repeats among the parts of one container, and a sole paragraph that is not alone."""
    last: dict[tuple[str, str], tuple[int, ...]] = {}
    seen: set[str] = set()
    for each in own:
        step = _last(each.id)
        if step.prefix not in _COUNTED or not (step.numbers or step.sole):
            continue
        siblings = (_container(each.id), step.prefix)
        before = last.get(siblings)
        if each.id in seen:
            yield Finding(Rule.NUMBERING_REPEAT, each.id, each.line, each.label)
        elif step.prefix == "par" and before is not None and (step.sole or before == ()):
            yield Finding(Rule.SOLE_PARAGRAPH, each.id, each.line, each.label)
        elif not step.sole and not _follows(before or (), step.numbers):
            yield Finding(Rule.NUMBERING_GAP, each.id, each.line, each.label, _next_label(each.id, before or ()))
        seen.add(each.id)
        last[siblings] = max(before or (), step.numbers)


def _follows(before: tuple[int, ...], numbers: tuple[int, ...]) -> bool:
    """Return whether a number follows another: 6 or 5-A after 5; 6, 5-B or 5-A-A after 5-A."""
    if numbers in {((before or (0,))[0] + 1,), (*before, 1)}:
        return True
    return any(numbers == (*before[:place], before[place] + 1) for place in range(1, len(before)))


def _next_label(identifier: str, before: tuple[int, ...]) -> str:
    step = f"{_last(identifier).prefix}{(before or (0,))[0] + 1}"
    return provision_name(step, Style.ROTULO)


def _parents(own: Iterable[DraftedProvision], scheme: Scheme) -> Iterator[Finding]:
    """Provisions and groupings inside a container that the scheme does not allow."""
    for each in own:
        step, container = _last(each.id), _last(_container(each.id)).prefix
        allowed = scheme.parents.get(step.prefix)
        if allowed is None or container in allowed or each.id.startswith("anx") or each.label is None:
            continue
        rule = Rule.GROUPING_ORDER if step.prefix in _GROUPINGS else Rule.WRONG_PARENT
        yield Finding(rule, each.id, each.line, each.label, ", ".join(filter(None, allowed)) or None)


_NUMBERED = re.compile(
    r"(?:Art|ART)\w*\.?\s*([\d.]+)\s?([^\w\s.,:;)\-–—]|[oaºª](?![^\W\d_]))?|§\s*(\d+)\s?([^\w\s.,:;)\-–—]|[oaºª](?![^\W\d_]))?"
)
_ROMAN = re.compile(r"[IVXLCDM]+(?:-[A-Z]+)*\s*([^\sA-Z\w])")


def _labels(own: Iterable[DraftedProvision]) -> Iterator[Finding]:
    """Ordinal numbers to nine and cardinal ones from ten, the ordinal sign, and the hyphen after an inciso."""
    for each in own:
        step = _last(each.id)
        if each.label is None or step.sole or not step.numbers:
            continue
        if step.prefix in {"art", "par"}:
            match = _NUMBERED.match(each.label)
            if match is None:
                continue
            sign = match[2] or match[4]
            if (sign is None) == (step.numbers[0] <= 9):
                expected = provision_name(f"{step.prefix}{'-'.join(map(str, step.numbers))}", Style.ROTULO)
                yield Finding(Rule.ORDINAL_NUMBER, each.id, each.line, each.label, expected)
            elif sign not in {None, "º"}:
                yield Finding(Rule.LABEL_SIGN, each.id, each.line, sign, "º")
        elif step.prefix == "inc":
            match = _ROMAN.match(each.label)
            if match is not None and match[1] != "-":
                yield Finding(Rule.LABEL_SIGN, each.id, each.line, match[1], "-")


_FORCE = re.compile(r"\bentra\w* (?:\w+ )?em vigor\b|\bvigorar[ao]?o?\b|\bem vigor na data\b")
_REVOKES_IN_GENERAL = re.compile(r"\brevoga\w*(?:-se)?\b.*\bdisposic\w+ em contrario\b", re.DOTALL)


def _clauses(own: Sequence[DraftedProvision]) -> Iterator[Finding]:
    """The parts and clauses of the whole text."""
    parts = {re.sub(r"\d+$", "", each.id) for each in own}
    if "ementa" not in parts:
        yield Finding(Rule.NO_SUMMARY, None, None, None)
    if parts.isdisjoint({"localdatafecho", SIGNATURE}):
        yield Finding(Rule.NO_CLOSING, None, None, None)
    if not any(_FORCE.search(folded(each.text or "")) for each in own if each.id.startswith("art")):
        yield Finding(Rule.NO_FORCE_CLAUSE, None, None, None)
    for each in own:
        if each.text and _REVOKES_IN_GENERAL.search(folded(each.text)) and not cite(each.text):
            yield Finding(Rule.REVOCATION_UNNAMED, each.id, each.line, each.text)


def _unnamed_targets(provisions: Sequence[DraftedProvision]) -> Iterator[Finding]:
    """Provisions with a quotation of another norm that neither they nor their containers name."""
    texts = {each.id: each.text or "" for each in provisions}
    lines = {each.id: each.line for each in provisions}
    quoting = dict.fromkeys(re.split(r"_(?:alt|asp)\d", each.id)[0] for each in provisions if _is_quoted(each.id))
    for identifier in quoting:
        holders = [identifier]
        while _container(holders[-1]):
            holders.append(_container(holders[-1]))
        article = holders[-1]
        words = "\n".join(texts.get(holder, "") for holder in (f"{article}_cpt", *holders))
        if not cite(words):
            yield Finding(Rule.AMENDS_UNNAMED, identifier, lines.get(identifier), texts.get(identifier) or None)
