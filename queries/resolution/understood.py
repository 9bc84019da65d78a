"""What a text means for a question: the one name behind it, or why there is none.

Questions about a norm take whatever people write. A text that fits one work in every field that it says is followed,
and the answer says so; anything else is left to the asker, with the candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from graph.errors import BadName
from graph.references import Reference, read_reference, reference_of
from graph.store import Store
from graph.urn import Kind, Name, parse
from queries.evidence import records
from queries.notices import AgreesInPart, Ambiguous, Notice, SeveralCitations, UnderstoodAs, UnknownName
from queries.resolution.occupants import seated
from queries.resolution.spoken import by_nickname, not_understood, spoken, words_left
from queries.resolution.typed import is_name, loosely_read, out_of_address, sensible, without_marks
from queries.resolution.works import NAMED, Found, Works, works_of
from queries.unsourced import gone_for, withdrawn
from queries.vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class Understood:
    """The intended name, with notices on how it was found; ``name`` is None if it is not certain."""

    name: Name | None
    notices: tuple[Notice, ...] = ()


def understood(
    store: Store, text: str | Name, on: date | None = None, as_known: date | str | None = None
) -> Understood:
    """The name that a text means in this store.

    A name known to the store, or complete and unknown, stands for itself; so does one whose records are all gone. An
    incomplete name, a nickname and a citation stand for the one work that agrees with them in all that they say; where
    words are left over that are not understood, none does. The identifier of a provision that several had one after the
    other stands for the one of the day.

    Args:
        store: an opened store.
        text: a name, a citation or a nickname.
        on: the day of the citation, which decides between norms that had one nickname, and between provisions that
            had one identifier; default the day that the name says, else today.
        as_known: K, which decides likewise between provisions; default today.

    Raises:
        BadName: the text is meant as a name and is none.
        StoreProblem: the store cannot be read.
    """
    meant = _understood(store, text, on)
    if meant.name is None or meant.name.fragmento is None:
        return meant
    name, notice = seated(store, meant.name, on, as_known)
    return meant if notice is None else Understood(name, (*meant.notices, notice))


def _understood(store: Store, text: str | Name, on: date | None) -> Understood:
    if isinstance(text, Name):
        return _of_name(store, text)
    known = _known_as_it_stands(store, text)
    if known is not None:
        return Understood(known)
    spelled = out_of_address(sensible(text)) or text
    return _of_spelled(store, spelled) if is_name(spelled) else _of_words(store, text, on)


def _known_as_it_stands(store: Store, text: str) -> Name | None:
    """Return the name that a text spells, if the store knows it. Most questions have such a name."""
    try:
        name = parse(text)
    except BadName:
        return None
    return name if name.text == name.canonical and records(store, (name.provision or name.work).iri) else None


def _of_spelled(store: Store, text: str) -> Understood:
    """Return the meaning of a text in the form of a name. If it had to be repaired, a notice says so."""
    bare = without_marks(store, text)
    try:
        meant, plain = _of_name(store, parse(bare)), bare == text
    except BadName:
        said = loosely_read(bare, vocabulary(store))
        meant = _of_works(store, said) if said.name is None else _of_name(store, said.name, said)
        plain = False
    if plain or meant.name is None or any(isinstance(one, UnderstoodAs) for one in meant.notices):
        return meant
    repaired = UnderstoodAs(text, meant.name.canonical, repaired=True)
    return Understood(meant.name, (repaired, *meant.notices))


def _of_words(store: Store, text: str, on: date | None) -> Understood:
    """The norm or provision that a nickname or a citation means."""
    nicknamed = by_nickname(store, text, on)
    if nicknamed.found:
        return _chosen(Reference(text, None, "br", (), (), alias=text), nicknamed)
    found = spoken(text, on)
    if not found.names:
        return Understood(None, (not_understood(text, on),))
    if found.left:
        return Understood(None, (words_left(found),))
    if found.one_nickname:
        return Understood(None, (Ambiguous(tuple(found.names), len(found.names), nickname=True),))
    if len(found.names) > 1:
        return Understood(None, (SeveralCitations(tuple(found.names[:NAMED])),))
    meant = _of_name(store, parse(next(iter(found.names))))
    if meant.name is None:
        return meant
    if not (records(store, meant.name.work.iri) or withdrawn(store, meant.name.work.iri)):
        return Understood(None, (UnknownName(meant.name.canonical),))
    return Understood(meant.name, (_as(text, meant.name),))


def _of_name(store: Store, name: Name, said: Reference | None = None) -> Understood:
    """Return a known name, else the one work that agrees with it, else the name itself if it is complete."""
    bare = name.provision or name.work
    if records(store, bare.iri):
        return Understood(name)
    said = said or reference_of(name)
    inserted = name.fragmento
    if inserted is not None and inserted.inserido_por is not None:
        plain = name.with_fragmento(replace(inserted, inserido_por=None))
        if records(store, plain.provision.iri if plain.provision is not None else plain.iri):
            return Understood(plain, (_as(said.text, plain),))
    if records(store, name.work.iri):
        return Understood(name)
    if name.rfc is None:
        spelled = read_reference(name.canonical, vocabulary(store))
        if spelled.name is not None and spelled.name != name and records(store, spelled.name.work.iri):
            return Understood(spelled.name, (_as(said.text, spelled.name),))
        said = spelled
    found = _of_works(store, said)
    if found.name == name:  # a norm agrees, to which the name adds what nobody speaks of
        return Understood(name)
    if found.name is not None or name.work.kind is Kind.REFERENCE:
        return found
    if gone_for(store, bare):
        return Understood(name)
    nobody = bool(found.notices) and all(isinstance(one, UnknownName) for one in found.notices)
    return Understood(name) if nobody else found


def _of_works(store: Store, said: Reference) -> Understood:
    return _chosen(said, works_of(store, said))


def _chosen(said: Reference, works: Works) -> Understood:
    """The one work that agrees; else why there is none."""
    agreeing = [one for one in works.found if one.agrees]
    if len(agreeing) == 1 and not works.more:
        name = parse(agreeing[0].name.canonical + said.tail)
        return Understood(name, (_as(said.text, name),))
    if works.found:
        return Understood(None, (_choose(agreeing or list(works.found), more=works.more),))
    return Understood(None, (UnknownName(said.name.canonical if said.name else said.text),))


def _as(text: str, name: Name) -> Notice:
    return UnderstoodAs(text, name.canonical)


def _choose(found: list[Found], *, more: bool) -> Notice:
    names = tuple(one.name.canonical for one in found[:NAMED])
    if any(one.agrees for one in found):
        return Ambiguous(names, len(found), more)
    return AgreesInPart(names, more or len(found) > NAMED, found[0].why)
