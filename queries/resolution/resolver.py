"""The resolver: from any way in which a norm is cited to its name, or to ranked candidates (LexML part 5, section 2.5).

A resolution says what was done and how the name was met. It never guesses: what agrees less than wholly is a candidate
with its reasons, and of a name of which nothing is known there is none.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from graph.civil import parse_day
from graph.errors import BadName
from graph.lookup import numbers_of
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import Kind, Name, parse
from graph.wording.labels import label
from queries.answers import Candidate, Level, Match, Resolution
from queries.evidence import equivalents, records
from queries.naming import Agreement, MatchReason
from queries.notices import (
    AgreesInPart,
    Ambiguous,
    CandidatesCut,
    EquivalentNames,
    Notice,
    NumbersBeganAnew,
    ReferenceName,
    SameNumber,
    SeveralCitations,
    TailLeft,
    UnknownName,
)
from queries.question import ask, days
from queries.resolution.spoken import Spoken, by_nickname, not_understood, spoken, words_left
from queries.resolution.typed import is_name, loosely_read, out_of_address, sensible, without_marks
from queries.resolution.versions import by_name, level_of
from queries.resolution.works import AT_MOST, NAMED, Found, Works, works_of
from queries.unsourced import of_withdrawn, withdrawn
from queries.vocabulary import vocabulary

#: A resolution shows at most so many candidates, and says so when there are more.
MOST_CANDIDATES = 20
#: What a candidate is worth where words were left over.
_WORDS_LEFT = 0.5


def resolve(
    store: Store, name: str | Name, as_known: date | str | None = None, on: date | str | None = None
) -> Resolution:
    """What a name, a citation or a nickname leads to in this store.

    The exact name comes first, then the alias, then the incomplete name, then the wider level, and each is told
    (LexML part 5, section 2.5). Temporal references are executed: ``@versao.vigente.em;D``, ``@versao.eficaz.em;D``,
    ``@versao.consultada.em;D``, ``$vig=D``, ``$efi=D``, ``@multivigente``, lists of dates and periods;
    ``@versao.original``, ``@inicio.vigencia`` and versions with open parts take the defaults of LexML 1.0 part 2,
    section 12.5.

    Args:
        store: an opened store.
        name: a name in any dialect, complete or not; or a citation or nickname in Portuguese.
        as_known: K, a civil date: only what was known then counts; default today.
        on: the day of the citation, which decides between norms that had one nickname; default ``as_known``.

    Raises:
        BadName, BadDate: the text is meant as a name and is none; a date is none.
        NotYetKnown: K lies in the future.
        StoreProblem: the store cannot be read.

    >>> from graph.store import in_memory
    >>> nothing = resolve(in_memory(), "Lei nº 8.078, de 11 de setembro de 1990")
    >>> nothing.match.value, nothing.canonical, nothing.candidates
    ('none', 'urn:lex:br:federal:lei:1990-09-11;8078', ())
    """
    days(as_known=as_known)  # refused here whatever the text is
    inquiry = _Inquiry(store, as_known)
    if isinstance(name, Name):
        found = inquiry.of_name(name)
    elif (text := out_of_address(sensible(name))) is not None:
        found = replace(inquiry.of_text(text), asked=name)
        found = replace(found, steps=("the name taken out of an address", *found.steps))
    elif is_name(name):
        found = inquiry.of_text(name)
    else:
        day = on if on is not None else as_known
        day = parse_day(day) if isinstance(day, str) else day
        found = inquiry.of_words(name, day)
    return _shown(store, found)


class _Inquiry:
    """One text on its way to what it means in one store."""

    def __init__(self, store: Store, as_known: date | str | None) -> None:
        self._store = store
        self._as_known = as_known

    def of_text(self, text: str) -> Resolution:
        """What a text in the shape of a name leads to."""
        bare = without_marks(self._store, text)
        try:
            found = self.of_name(parse(bare))
        except BadName:
            said = loosely_read(bare, vocabulary(self._store))
            found = self._of_reference(said) if said.name is None else self.of_name(said.name, said)
        if bare == text:
            return found
        return replace(found, asked=text, steps=("read without what stands around the name", *found.steps))

    def of_name(self, name: Name, said: Reference | None = None) -> Resolution:
        """What a name leads to: as it stands, then as the vocabularies spell it, then by its fields."""
        said = said or reference_of(name)
        found = self._known(name, said.steps)
        if found is not None:
            return found
        if name.rfc is None:
            spelled = read_reference(name.canonical, vocabulary(self._store))
            if spelled.name is not None and spelled.name != name:
                found = self._known(spelled.name, tuple(dict.fromkeys((*said.steps, *spelled.steps))))
                if found is not None:
                    return replace(found, asked=said.text)
            said = replace(spelled, text=said.text, steps=tuple(dict.fromkeys((*said.steps, *spelled.steps))))
        found = self._of_reference(said)
        return found if found.candidates else self._gone(name, said) or found

    def _gone(self, name: Name, said: Reference) -> Resolution | None:
        """The name itself, or its norm, where there were records about it and all of them are gone; else None."""
        for match, one in ((Match.EXACT, name), (Match.WIDER, name.work)):
            gone = withdrawn(self._store, one.iri)
            if gone:
                itself = Candidate(one.canonical, None, 1.0 if one == name else 0.5, (MatchReason(Agreement.GONE),))
                return replace(_made(said, match, said.steps, (itself,), [*of_withdrawn(gone)]), level=level_of(one))
        return None

    def _known(self, name: Name, steps: tuple[str, ...]) -> Resolution | None:
        """What a name leads to where its norm is known under that very name; else None."""
        if not (records(self._store, name.iri) or records(self._store, name.work.iri)):
            return None
        found = by_name(self._store, ask(name, as_known=self._as_known), steps)
        gone = of_withdrawn(withdrawn(self._store, name.iri))
        found = replace(found, notices=tuple(dict.fromkeys((*found.notices, *gone))))
        if found.match is not Match.EXACT or name.kind is not Kind.COMPLEX:
            return found
        return self._with_other_names(found, name)

    def _with_other_names(self, found: Resolution, name: Name) -> Resolution:
        """Other names that sources give the norm are candidates too, never merged with it."""
        candidates = list(found.candidates)
        notices = list(found.notices)
        others = equivalents(self._store, name.iri)
        equivalent = (MatchReason(Agreement.EQUIVALENT, name.canonical),)
        candidates += [Candidate(other, None, 0.9, equivalent) for other in others]
        if others:
            notices.append(EquivalentNames(tuple(others)))
        twins = [
            one.name.canonical for one in self._twins(name) if one.name.canonical not in {c.name for c in candidates}
        ]
        if twins:
            notices.append(SameNumber(tuple(twins)))
        return replace(found, candidates=tuple(candidates), notices=tuple(notices))

    def _twins(self, name: Name) -> list[Found]:
        """Names with the year alone of a norm with its full date, and the other way round."""
        said = replace(reference_of(name), month=None, day=None)
        if said.year is None or not said.numbers or name.rfc is not None:
            return []
        asked = {numbers_of(number)[0] for number in said.numbers}
        return [
            one
            for one in works_of(self._store, said).found
            if one.name != name
            and one.name.representative_year == said.year
            and set(one.name.autoridade) == set(said.authority)
            and one.name.tipo_documento == said.kind
            and {numbers_of(number)[0] for number in one.name.descritor.identificadores} == asked
            and (one.name.representative_date is None or name.representative_date is None)
        ]

    def _of_reference(self, said: Reference) -> Resolution:
        """The works that agree with the fields said; followed to version and provision where it is one work."""
        return self._of_works(said, works_of(self._store, said))

    def _of_works(self, said: Reference, works: Works) -> Resolution:
        if not works.found:
            return self._nothing(said)
        match = Match.ALIAS if said.alias is not None else Match.PARTIAL
        steps = (*said.steps, *_left_out(said))
        if len(works.found) == 1 and said.tail:
            led = self._followed(said, works.found[0], match, steps)
            return replace(led, notices=(*_choice(said, works), *led.notices))
        candidates = tuple(Candidate(one.name.canonical, None, one.score, one.why) for one in works.found)
        notices = list(_choice(said, works))
        if said.tail:
            notices.append(TailLeft(said.tail))
        return _made(said, match, steps, candidates, notices)

    def _followed(self, said: Reference, work: Found, match: Match, steps: tuple[str, ...]) -> Resolution:
        """The version or provision of the one work that agrees."""
        whole = work.name.canonical + said.tail
        found = by_name(self._store, ask(parse(whole), as_known=self._as_known), ())
        candidates = tuple(
            replace(one, score=round(one.score * work.score, 3), why=(*one.why, *work.why)) for one in found.candidates
        )
        wider = found.match in {Match.WIDER, Match.NONE}
        return replace(
            found,
            asked=said.text,
            canonical=said.name.canonical if said.name else None,
            match=found.match if wider else match,
            steps=(*steps, f"the norm is {work.name.canonical}", *found.steps),
            candidates=candidates,
        )

    def of_words(self, text: str, on: date | None) -> Resolution:
        """What a nickname or a citation leads to; nothing for certain where words are left over."""
        nicknamed = by_nickname(self._store, text, on)
        if any(_is_of(one.name, on) for one in nicknamed.found):
            kept = tuple(one for one in nicknamed.found if _is_of(one.name, on))
            steps = ("read as a nickname", *spoken(text, on).nicknames)
            said = Reference(text, None, "br", (), (), alias=text, steps=steps)
            return self._of_works(said, Works(kept, nicknamed.more))
        found = spoken(text, on)
        if not found.names:
            return Resolution(text, None, None, Match.NONE, "complex", (), (), (not_understood(text, on),))
        if found.left:
            return self._listed(text, found, Match.NONE, words_left(found), share=_WORDS_LEFT)
        if found.one_nickname:
            several = Ambiguous(tuple(found.names), len(found.names), nickname=True)
            return self._listed(text, found, Match.ALIAS, several)
        if len(found.names) > 1:
            return self._listed(text, found, Match.NONE, SeveralCitations(tuple(found.names[:NAMED])))
        led = self.of_name(parse(next(iter(found.names))))
        step = f"read as the citation {found.cited!r}" if found.cited != text else "read as a citation"
        return replace(led, asked=text, steps=(step, *found.nicknames, *led.steps))

    def _listed(self, text: str, found: Spoken, match: Match, notice: Notice, share: float = 1.0) -> Resolution:
        """What each of several names leads to."""
        names = found.names[:MOST_CANDIDATES]
        candidates = tuple(
            replace(one, score=round(one.score * share, 3), why=(MatchReason(Agreement.CITED_AS, name), *one.why))
            for name in names
            for one in self.of_name(parse(name)).candidates[:1]
        )
        return Resolution(text, None, None, match if candidates else Match.NONE, "complex", (), candidates, (notice,))

    def _nothing(self, said: Reference) -> Resolution:
        """Nothing agrees: told with what would have to be said."""
        spoken = said.name.canonical if said.name else said.text
        if said.alias is not None or said.numbers or (said.year is not None and said.authority):
            notice: Notice = UnknownName(spoken)
        else:
            notice = ReferenceName()
        return _made(said, Match.NONE, said.steps, (), [notice])


def _made(
    said: Reference, match: Match, steps: tuple[str, ...], candidates: tuple[Candidate, ...], notices: list[Notice]
) -> Resolution:
    name = said.name
    return Resolution(
        said.text,
        name.canonical if name else None,
        name.dialect if name else None,
        match,
        _level(said.tail),
        steps,
        candidates,
        tuple(notices),
    )


def _is_of(work: Name, on: date | None) -> bool:
    """Whether a text of a day can mean a work: it was there."""
    return on is None or work.oldest_day is None or work.oldest_day <= on


def _level(tail: str) -> Level:
    """The level of section 2.5 of LexML part 5 at which a reference asks."""
    if "!" in tail:
        return "fragment"
    return "individual" if "@" in tail or "~" in tail or "$" in tail else "complex"


def _left_out(said: Reference) -> list[str]:
    """The fields that the question does not say, as one step."""
    if said.alias is not None:
        return []
    fields = {"authority": said.authority, "number": said.numbers, "year": said.year}
    missing = [field for field, value in fields.items() if not value]
    return [f"compared by what is said; not said: {', '.join(missing)} (LexML part 5, section 2.5)"] if missing else []


def _choice(said: Reference, works: Works) -> list[Notice]:
    """What to know of a list of candidates: that there is a choice, why, and whether the list is cut."""
    notices: list[Notice] = []
    count, more = len(works.found), works.more
    names = tuple(one.name.canonical for one in works.found[:NAMED])
    if not works.found[0].agrees:
        notices.append(AgreesInPart(names, more or count > NAMED, works.found[0].why))
    elif count > 1:
        notices.append(Ambiguous(names, count, more))
    if said.kind[:1] == ("emenda.constitucional",) and said.year is None:
        notices.append(NumbersBeganAnew())
    if more:
        notices.append(CandidatesCut(looked_at=AT_MOST))
    return notices


def _shown(store: Store, found: Resolution) -> Resolution:
    """The resolution with labels, and no more candidates than anyone reads; what is cut is told."""
    shown = found.candidates[:MOST_CANDIDATES]
    notices = found.notices
    if len(shown) < len(found.candidates) and not any(isinstance(one, CandidatesCut) for one in notices):
        notices = (*notices, CandidatesCut(found=len(found.candidates), shown=len(shown)))
    candidates = tuple(replace(one, label=label(parse(one.name), vocabulary=vocabulary(store))) for one in shown)
    return replace(found, candidates=candidates, notices=notices)
