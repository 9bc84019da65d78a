"""Tests of what follows from random statements, against the slow evaluator of the rules of evidence.

The statements are lines of the table of the rules (tests/data/rules_of_evidence.toml), on days close together.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.time.events import History, Member
from graph.time.evidence import Evidence
from graph.time.statements import Statements
from ontology.events import EVENTS
from tests.support import evidence_oracle
from tests.support.cases import constant
from tests.support.evidence_table import statements

Lines = st.SearchStrategy[str]

#: Days around the signature of A, which is the third of them, and days far from them.
DAYS = [str(date(2002, 1, 8) + timedelta(n)) for n in range(7)]
FAR = ["2001-03-06", "2001-08-02", "2001-09-11", "2002-04-20", "2002-04-21", "2002-06-30", "2003-02-01"]

near = st.sampled_from(DAYS)
days = st.one_of(near, near, st.sampled_from(FAR))
pairs = st.tuples(near, days).map(lambda pair: f"{min(pair)}/{max(pair)}")
opened = days.map("{}/..".format)
#: Bounds that sources have for the parts of an act of 2002, in their order.
parts = st.sampled_from(["2002", "2002-01-02/2002-12-31", "2002-01-03/2002-12-31"])
#: Bounds that end soon after the signature of A.
ending = st.sampled_from(["2002-01-08/2002-01-12", "2002-01-09/2002-01-12", "2002-01-10/2002-01-12"])
#: The bounds of a source that knows only the day of signature of A.
signed = st.just("2002-01-10/2002-01-11")
unstated = st.just("-")
whens = st.one_of(days, unstated, parts, st.just("2003"), pairs, opened)

STRUCTURE = constant("evidence", "structure")
PROVISIONS = ["T!cap1", "T!art1", "T!art1_cpt", "T!art1_par1"]
CAUSES = ["", "A", "A", "Y", "Y", "A!art1", "A!art1", "Y!art1", "B", "M", "O", "T"]
KINDS = [term.notation for term in EVENTS.values() if term.effect is not None]
WORDINGS = {"redacao", "restauracao"}
FIRST = ["assinatura", "publicacao", "publicacao", "alteracao"]
VIEWS = [*FIRST, "retificacao", "republicacao", "prorrogacao.vacatio", "entrada.vigor"]
VETO_LATER = ["derrubada.veto.parcial", "alteracao"]


def _options(*names: str) -> Lines:
    return st.one_of(st.just(""), *(days.map(f" {name}={{}}".format) for name in names))


def _caused(causes: Sequence[str]) -> Lines:
    return st.sampled_from([f" cause={cause}" if cause else "" for cause in causes])


def _events(works: Sequence[str], kinds: Sequence[str], causes: Sequence[str], *days_of: Lines) -> Lines:
    """Draw a line with an event without its name; often both of its days are one day, or one pair of bounds."""
    drawn = st.one_of(*(days_of or (whens,)))
    both = st.one_of(st.tuples(drawn, drawn), drawn.map(lambda when: (when, when)))
    wordings = st.sampled_from(["multivigente", "multivigente", "2002-01-09;alteracao;2002-01-09"])

    def line(work: str, kind: str, at: tuple[str, str], cause: str, more: str, wording: str) -> str:
        words = f" wording={wording}" if kind in WORDINGS else ""
        return f"{work} event {{}} {kind} {at[0]} {at[1]}{cause}{more}{words}"

    more = st.one_of(_options("harvested", "proven"), st.sampled_from([" undoes=no", " term=31-days", " term=0-days"]))
    return st.builds(line, st.sampled_from(works), st.sampled_from(kinds), both, _caused(causes), more, wordings)


def _versions(works: Sequence[str], kinds: Sequence[str], causes: Sequence[str]) -> Lines:
    """Draw a line with a version: with all days, without a start, or without a view."""
    kind = st.sampled_from(kinds)
    names = st.one_of(
        st.builds("{};{};{}".format, days, kind, days),
        st.builds("{};{};{}".format, days, kind, days),
        st.builds("inicio.vigencia;{};{}".format, kind, days),
        st.builds("{};{}".format, days, kind),
        days,
    )
    more = st.one_of(_options("harvested", "cancels"), st.just(" inserts=yes"))
    return st.builds("{} version {}{}{}".format, st.sampled_from(works), names, _caused(causes), more)


def _of_a_year(work: str) -> Lines:
    """Draw a line with a version, of which the view has the bounds of a part of an act."""
    bounds = st.sampled_from(["[2002-01-01,2002-12-31]", "[2002-01-02,2002-12-31]", "[2002-01-03,2002-12-31]"])
    starts = st.one_of(st.just("inicio.vigencia"), st.just("inicio.vigencia"), days)
    causes = _caused(["Y", "Y", "Y", "Y!art1", "B+Y", ""])
    return st.builds("{} version {};alteracao;{}{}".format, st.just(work), starts, bounds, causes)


acts = _versions(["A", "A", "A", "A!art1", "B", "M", "O"], FIRST, ["", "Y", "B"])
undated = st.sampled_from([f"{work} version multivigente" for work in ("T!art1", "T!art1_par1")])
#: Lines about one case each; two or more of them often meet.
CASES: dict[str, tuple[Lines, ...]] = {
    "parts of an act": (_events(["T"], ["redacao", "revogacao"], ["Y", "Y", "Y!art1", ""], parts, parts, days),),
    "parts that end": (_events(["T"], ["redacao", "revogacao", "suspensao"], ["Y", ""], ending),),
    "wordings and versions": (
        _events(["T!art1"], ["redacao", "redacao", "veto"], ["Y", "A", "B", ""], parts, opened),
        _versions(["T!art1"], VETO_LATER, ["A", "M", "A+M"]),
    ),
    "wordings and their endings": (
        _events(["T"], ["redacao"], ["Y", "B", ""], st.just("2002")),
        _events(["T"], ["revogacao", "anulacao"], ["Y", ""], st.just("2002-01-02/2002-12-31")),
    ),
    "versions of a year": (_of_a_year("T"), _of_a_year("T"), _versions(["T"], ["alteracao"], ["A", "A!art1"])),
    "acts that date each other": (
        _of_a_year("A"),
        _of_a_year("T"),
        _events(["T"], ["revogacao"], ["A", "Y"], unstated),
    ),
    "endings by one act": (
        _events(["T"], ["revogacao", "revogacao", "caducidade"], ["A", "A", "Y"], unstated, pairs, near, opened),
    ),
    "own starts": (_events(["T!art1", "T!cap1"], ["vigencia.propria"], ["A", "Y", ""], pairs, near, parts),),
    "revocations by one provision": (_events(["T"], ["revogacao"], ["A!art1"], pairs, near),),
    "starts of acts": (
        acts,
        _versions(["A"], VIEWS, [""]),
        _events(["T"], ["revogacao", "revogacao", "conversao", "veto"], ["A", "A!art1"], unstated, unstated, days),
    ),
    "clauses of commencement": (
        _events(["A"], ["inicio.vigencia"], ["", "Y", "B", "A!art1"], signed, signed, near, opened, pairs),
        _versions(["A", "B"], ["publicacao", "publicacao", "assinatura"], [""]),
        _events(["T"], ["revogacao", "conversao"], ["A"], unstated),
    ),
    "vetoes": (
        _events(PROVISIONS, ["veto", "redacao", "repristinacao", "revogacao"], ["", "A", "T", "Y"], near, opened),
        _versions(PROVISIONS, VETO_LATER, ["A", "M"]),
    ),
    "undated versions": (undated, _events(["T!art1", "T!art1_par1"], ["redacao"], ["", "A"], days, opened, pairs)),
    "own causes": (_versions(["T", "T!art1"], ["retificacao", "alteracao"], ["T", "T!art1", "T;anexo.1"]),),
    "bills": (_versions(["P"], ["leitura", "alteracao"], ["", "A"]), _events(["P"], ["conversao"], ["A"])),
    "measures": (
        _events(["O", "O!art1", "M"], ["caducidade", "rejeicao", "conversao"], ["B"], days, pairs),
        _versions(["O!art1", "M", "M!art1"], VIEWS, ["B"]),
        _events(["T"], ["revogacao"], ["O", "O!art1", "M!art1"], days),
    ),
    "provisions as causes": (
        _events(["A", "A!art1"], ["revogacao"], ["B"], days, pairs),
        _versions(["A", "A!art1"], VIEWS, ["B"]),
        _events(["T"], ["revogacao", "suspensao"], ["A!art1"], days),
    ),
}
rest = st.one_of(
    _events(["T", *PROVISIONS, "A"], KINDS, CAUSES),
    _versions(["T", *PROVISIONS], [*VIEWS, *VETO_LATER], [*CAUSES, "A+M", "B+Y"]),
    acts,
    st.sampled_from([f"{work} lives" for work in (*PROVISIONS, "A!art1", "M!art1")]),
)
described = st.sampled_from(
    ["T lives", "A lives", "A version 2002-01-11;publicacao;2002-01-11", "A version 2002-02-01;publicacao;2002-01-12"]
)


@st.composite
def stories(draw: st.DrawFn, case: Sequence[Lines]) -> list[str]:
    """Draw lines about a case, and some on the acts that change a norm, on the norm and on its provisions."""
    drawn = [
        *draw(st.lists(st.one_of(*case), min_size=2, max_size=5)),
        *draw(st.lists(described, min_size=1, max_size=1)),
        *draw(st.lists(st.one_of(acts, rest), max_size=3)),
    ]
    lines = [line.format(f"e{number}") for number, line in enumerate(drawn)]
    return list({tuple(line.split()[:3]): line for line in lines}.values())


def stated(lines: Iterable[str]) -> Statements:
    """Return the statements in some lines; the structure of the norm is always stated."""
    return statements("\n".join((STRUCTURE, *lines)))


def order_matters(lines: Iterable[str]) -> bool:
    """Return whether the table does not decide which of several events counts: the first or last one does.

    These are three parts of an act (E2), three revocations by one provision (E25), two events that give a provision
    one wording (E26), and two versions that cancel another start (E8).
    """
    words = [line.split() for line in lines]
    counts = Counter((work, more[1]) for work, what, *more in words if what == "event")
    return sum("cancels=" in line for line in lines) > 1 or any(
        number > 2 or (number > 1 and kind in WORDINGS) for (_, kind), number in counts.items()
    )


def comparable(known: History) -> dict[str, object]:
    """Return all parts of a history; the order of its versions and events does not matter."""
    return {
        "members": sorted(map(str, known.members)),
        "events": sorted(map(str, known.events)),
        "inherited": [sorted(map(str, events)) for events in known.inherited if events],
        "rest": (known.provisional, known.norm, known.latest),
    }


def given_by(history: Callable[[str], History], works: Iterable[str]) -> dict[str, object]:
    """Return each part of the histories of works."""
    return {f"{part} of {work}": value for work in works for part, value in comparable(history(work)).items()}


def may_fall(member: Member) -> bool:
    """Return whether the fall of an act takes or moves the start of a work."""
    return member.sets_start or (member.original and bool(member.causes))


@pytest.mark.parametrize("case", CASES)
def test_rules_give_what_the_slow_evaluator_gives(case: str) -> None:
    """Check every work of the statements and every cause, and the works in another order of the statements."""

    @settings(max_examples=30)
    @given(stories(CASES[case]), st.randoms(use_true_random=False))
    def check(lines: list[str], order: random.Random) -> None:
        drawn = stated(lines)
        evidence = Evidence(drawn)
        expected = given_by(partial(evidence_oracle.history, drawn), drawn.works)
        assert given_by(evidence.history, drawn.works) == expected
        for history in map(evidence.history, drawn.works):
            causes, found = evidence_oracle.causes(drawn, history), evidence.causes_of(history)
            both = causes.keys() & found
            assert given_by(found.__getitem__, both) == given_by(causes.__getitem__, both)
            assert both == {
                name for name, each in causes.items() if any(each.lists) or any(map(may_fall, each.members))
            }
        if not order_matters(lines):
            shuffled = stated(order.sample(lines, len(lines)))
            assert given_by(Evidence(shuffled).history, drawn.works) == expected

    check()
