"""What a lawyer answers about the fictional town, from the model alone, slowly: status and words on D as known on K.

The rules, each with its source:

1. Nobody knows a norm before its publication, and it is no law before it: `not-published` (LINDB, art. 1).
2. It is in force from the day of its clause: on publication; after N days, of which the day of publication is the first
   (LC 95/1998, art. 8, § 1); on a stated day. Before that day it is `vacatio`.
3. Where no form states the day of publication, that day is on or after the signature (CF, art. 66, § 7; LC 95/1998,
   art. 8): the norm is `not-published` before its signature, and `unknown` from then on. A stated day of force, or a
   number of days, is a lower bound of its effects on other norms.
4. A change has effect from the first day of force of its act and is known from the publication of its act (LINDB,
   art. 1 and 2, § 1). Of two changes of a provision the later one counts (LINDB, art. 2, § 1).
5. An act of which the start is not known leaves what it changes `unknown` from the earliest day on which it may have
   begun, until a later change of the same provision whose day is known.
6. A revoked norm ends with all its provisions; an article ends with its parts (LC 95/1998, art. 10). Words that an act
   gave stay when the act itself is revoked (LINDB, art. 2, § 3). "Revogam-se as disposições em contrário" ends
   nothing that could be named (LC 95/1998, art. 9).
7. A provision that an act inserts was not law before: `not-published` before the publication of the act, `vacatio`
   until its start.
   If no dated act gave it words, or they were given to an undated norm, `unknown` is an answer too.
8. A revocation that only the SAPL lists, of an act whose clause is not known, counts from the publication of the act.
9. A temporary norm ends after its last day, if no act revoked it before (LINDB, art. 2). Only the SAPL and the sheet
   state that day.
10. A declaration of unconstitutionality voids the provision with its parts from the start, as known from the
   publication of the ruling on (CF, art. 102, § 2, and art. 125, § 2; Lei 9.868/1999, art. 28).
11. A compiled text of the SAPL that lacks a change is a second witness: the answer may be its words, with a notice. If
   it has the change without a day, which another form states, `unknown` is an answer too.
12. A file that does not state its publication may be of any day, although another form dates the norm: `unknown` is an
   answer too for its words, and for what its clause alone dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tests.support.town import FOLDER, SAPL, SHEET, Edit, Norm, Town, article_of


@dataclass(frozen=True)
class Expected:
    """Status, and words where the provision is in force.

    Attributes:
        is_open: whether `unknown` is an answer too: the bounds of a day or the text are not stated by one source.
        has_doubt: whether it is unknown because an act may have changed or ended it.
    """

    status: str
    words: str | None = None
    is_open: bool = False
    has_doubt: bool = False


class Oracle:
    """Answers from the model as the given forms state it."""

    def __init__(self, town: Town, forms: Iterable[str]) -> None:
        self.town = town
        self.forms = frozenset(forms)

    def published(self, norm: Norm) -> date | None:
        stated = norm.stated & self.forms
        return norm.published if stated - ({FOLDER} if FOLDER not in norm.worded else set()) else None

    def has_words(self, norm: Norm) -> bool:
        return bool(norm.worded & self.forms)

    def has_norm(self, norm: Norm) -> bool:
        return self.has_words(norm) or bool({SAPL, SHEET} & self.forms)

    def start(self, norm: Norm) -> date | None:
        """Return the first day of force, if the publication and the clause are known."""
        return norm.start if self.published(norm) is not None and self.has_clause(norm) else None

    def has_clause(self, norm: Norm) -> bool:
        return self.has_words(norm) or (SHEET in self.forms and norm.starts_in_sheet)

    def over(self, norm: Norm) -> date | None:
        """Return the day after the last one of a temporary norm, if a form states it.

        A sheet states it only of a norm that no act revoked.
        """
        revoked = any(norm.id in act.repeals for act in self.town.norms.values())
        stated = SAPL in self.forms or (SHEET in self.forms and not revoked)
        return norm.last + timedelta(days=1) if norm.last is not None and stated else None

    def answer(self, norm: Norm, fragment: str | None, day: date, known: date) -> Expected:
        """Return the answer about a norm, or about a provision of it."""
        return self.norm(norm, day, known) if fragment is None else self.provision(norm, fragment, day, known)

    def known(self, norm: Norm) -> date:
        """Return the first day on which somebody may have known a norm."""
        return self.published(norm) or norm.signed

    def earliest(self, norm: Norm) -> date:
        """Return the first day on which an act may have had effect."""
        begins = self.start(norm) or self.published(norm)
        if begins is not None or not self.has_clause(norm):
            return begins or norm.signed
        if isinstance(norm.clause, date):
            return max(norm.clause, norm.signed)
        return norm.signed + timedelta(days=norm.clause if isinstance(norm.clause, int) else 0)

    def norm(self, norm: Norm, day: date, known: date) -> Expected:
        """Return the status of a norm."""
        if known < self.known(norm) or day < self.known(norm):
            return Expected("not-published")
        start = self.start(norm)
        status = "unknown" if start is None else "vacatio" if day < start else "in-force"
        answer = Expected(status)
        over = self.over(norm)
        if over is not None and over <= min(day, known):
            answer = Expected("expired")
        for act in self.town.norms.values():
            listed = self.has_words(act) or bool({SAPL, SHEET} & self.forms)
            if norm.id not in act.repeals or not listed or known < self.known(act):
                continue
            vague = self.start(act) is None
            if day < self.known(act):
                answer = replace(answer, is_open=answer.is_open or (vague and day >= act.signed))
                continue
            if answer.status == "expired" and over is not None and over < self.earliest(act):
                continue
            if day < self.earliest(act):
                answer = replace(answer, is_open=answer.is_open or self.published(act) is None)
            else:
                sure = self.start(act) is not None or (SAPL in self.forms and self.published(act) is not None)
                answer = Expected("revoked") if sure else Expected("unknown", has_doubt=True)
        return answer

    def provision(self, norm: Norm, fragment: str, day: date, known: date) -> Expected:
        """Return the status and the words of a provision."""
        whole = self.norm(norm, day, known)
        if whole.status == "not-published":
            return whole
        if whole.status != "unknown" and any(
            each.target == norm.id and known >= each.known and f"{fragment}_".startswith(f"{each.fragment}_")
            for each in self.town.rulings
        ):
            return Expected("annulled")
        words = norm.words.get(fragment)
        own = Expected("not-published" if words is None else "in-force", words)
        changed = False
        for act, edit in self.changes(norm, fragment):
            if min(day, known) < self.known(act):
                undated = self.beside_compiled(norm, act, own).is_open and min(day, known) >= act.signed
                own = replace(own, is_open=own.is_open or undated)
                continue
            if day < self.earliest(act):
                own = Expected("vacatio") if own.status == "not-published" else own
                undated = self.published(act) is None or self.beside_compiled(norm, act, own).is_open
                own = replace(own, is_open=undated)
                continue
            changed = self.start(act) is not None
            own = Expected("revoked" if edit.words is None else "in-force", edit.words)
            own = self.beside_compiled(norm, act, own) if changed else Expected("unknown", has_doubt=True)
        if own.status == "not-published":
            dated = any(edit.words and self.start(act) for act, edit in self.changes(norm, fragment))
            return replace(own, is_open=not dated or self.start(norm) is None)
        if whole.status == "in-force":
            return replace(own, is_open=own.is_open or whole.is_open or not self.is_text_dated(norm))
        if whole.status == "unknown" and (changed or own.status == "vacatio") and not whole.has_doubt:
            return replace(own, is_open=True)  # the change presupposes the norm
        return whole

    def is_text_dated(self, norm: Norm) -> bool:
        """Return whether a form states the day of a text itself (rule 12)."""
        return (FOLDER in self.forms & norm.worded & norm.stated) or SAPL in self.forms & norm.worded

    def beside_compiled(self, norm: Norm, act: Norm, answer: Expected) -> Expected:
        """Return an answer as far as the compiled text of the SAPL does not differ from it (rule 11)."""
        if SAPL not in self.forms or SAPL not in norm.worded:
            return replace(answer, is_open=False)
        return replace(answer, has_doubt=SAPL not in act.worded)

    def changes(self, norm: Norm, fragment: str) -> Iterator[tuple[Norm, Edit]]:
        """Yield the changes of a provision, or of the article that it is in, in the order of the acts."""
        for act in self.town.norms.values():
            for edit in act.edits:
                is_it = edit.fragment in {fragment, article_of(fragment)}
                if edit.target == norm.id and is_it and self.has_words(act):
                    yield act, edit
