"""The findings of the rules of drafting as documents and lines, for `structure --validate` and `check --drafting`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.urn import Name
from graph.wording.drafting import DraftedProvision, Finding, Rule, Scheme, findings, scheme_of
from graph.wording.provisions import provision_name
from service.cli.context import Exit
from service.output import print_json, print_lines

#: The source, the message and the mend of each rule. ``{found}`` and ``{expected}`` are the values of the finding.
_WORDS: dict[Rule, tuple[str, str, str]] = {
    Rule.NUMBERING_GAP: (
        "LC 95/1998, art. 10, I, III and V",
        "the number does not follow the one before: {found}",
        "number it {expected}, or add the missing provision",
    ),
    Rule.NUMBERING_REPEAT: (
        "LC 95/1998, art. 10, I, III and V",
        "the number stands twice: {found}",
        "give each provision a number of its own",
    ),
    Rule.SOLE_PARAGRAPH: (
        "LC 95/1998, art. 10, III",
        "a sole paragraph stands beside another one: {found}",
        "write § 1º, § 2º and so on where there are several paragraphs",
    ),
    Rule.WRONG_PARENT: (
        "LC 95/1998, art. 10, II",
        "the provision is in a container that it cannot have: {found}",
        "place it under one of: {expected}",
    ),
    Rule.GROUPING_ORDER: (
        "LC 95/1998, art. 10, V",
        "the grouping is out of order: {found}",
        "place it under one of: {expected}",
    ),
    Rule.ORDINAL_NUMBER: (
        "LC 95/1998, art. 10, I and III",
        "expected an ordinal number to nine and a cardinal one from ten, got {found}",
        "write {expected}",
    ),
    Rule.LABEL_SIGN: (
        "LexML 0.7 part 3, section 4.2",
        "expected the sign {expected}, got {found}",
        "write {expected}",
    ),
    Rule.NO_SUMMARY: ("LC 95/1998, art. 5", "the text has no summary (ementa)", "add the summary after the title"),
    Rule.NO_CLOSING: (
        "LexML 0.7 part 3, ParteFinal",
        "the text has no closing: neither place and day nor a signature",
        "add place, day and signature",
    ),
    Rule.NO_FORCE_CLAUSE: (
        "LC 95/1998, art. 8",
        "the text does not state when it enters into force",
        "add an article that states the first day of force",
    ),
    Rule.REVOCATION_UNNAMED: (
        "LC 95/1998, art. 9",
        "the clause of revocation does not name what it revokes",
        "list the norms or provisions that are revoked",
    ),
    Rule.AMENDS_UNNAMED: (
        "LexML 0.7 part 3, section 3 (xml:base)",
        "the article changes a norm that it does not name",
        "name the norm by type, number and day",
    ),
}
_CONTAINERS = {"": "a container that these rules have", "cpt": "the caput of an article"}


def report(provisions: Sequence[DraftedProvision], name: Name | None, *, as_json: bool) -> Exit:
    """Print the findings of a text, and return the exit code: REFUSED where there are findings."""
    scheme = scheme_of(name)
    found = findings(provisions, scheme)
    if as_json:
        print_json(_document(found, scheme, name))
    else:
        print_lines(_lines(found, scheme))
    return Exit.REFUSED if found else Exit.ANSWERED


def _document(found: Sequence[Finding], scheme: Scheme, name: Name | None) -> dict[str, object]:
    return {
        "name": None if name is None else name.canonical,
        "scheme": scheme.code,
        "findings": [
            {
                "rule": finding.rule.value,
                "source": _WORDS[finding.rule][0],
                "line": finding.line,
                "provision": finding.provision,
                "message": _worded(_WORDS[finding.rule][1], finding),
                "fix": _worded(_WORDS[finding.rule][2], finding),
            }
            for finding in found
        ],
    }


def _lines(found: Sequence[Finding], scheme: Scheme) -> Iterator[str]:
    yield f"rules: {scheme.title}; {len(found)} finding{'' if len(found) == 1 else 's'}"
    for finding in found:
        place = f"line {finding.line}" if finding.line is not None else "text"
        where = f", {provision_name(finding.provision, language='en')}" if finding.provision else ""
        source, message, fix = _WORDS[finding.rule]
        yield f"{place}{where}: {finding.rule}: {_worded(message, finding)}"
        yield f"  {_worded(fix, finding)} ({source})"


def _worded(text: str, finding: Finding) -> str:
    return text.format(found=" ".join((finding.found or "").split())[:160], expected=_expected(finding))


def _expected(finding: Finding) -> str:
    if finding.rule not in {Rule.WRONG_PARENT, Rule.GROUPING_ORDER}:
        return finding.expected or ""
    containers = (finding.expected or "").split(", ")
    return ", ".join(_CONTAINERS.get(each) or provision_name(each, language="en") for each in containers)
