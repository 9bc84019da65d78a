"""What each source says of the wordings of a norm: its witnesses, each for itself (docs/reference/amendments.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from graph.amendments import Operation
from graph.mapping.operations import operation_of
from graph.store import Store
from graph.urn import Name, from_iri, parse
from ontology.iris import hashed_iri, provider_of
from ontology.namespaces import VIG
from queries.catalogue import named
from queries.consolidation.preview import CONSTITUTION, TRANSITIONAL, in_annex, place_of

#: An act as sources name it, with or without its day: type of document, number, year.
ActKey: TypeAlias = tuple[str, str, int | None]

#: How the loaders of compiled pages with notes are named.
_NOTING = "planalto/"
_NUMBER = re.compile(r"\bn\s?[o°º]\.?\s*(?=[0-9])")
_ORDINAL = re.compile(r"(?<=[0-9])\s?[oa°ºª](?![a-zà-ü])")
_CONNECTIVE = re.compile(r"[;,]\s*(?:e|ou)\s*$")
_SPACE = re.compile(r"[\s“”\"]+")
_SIGNS = re.compile(r"[\W_]+")
_REPEALED = re.compile(r"\W*(?:revogad[oa]s?|suprimid[oa]s?)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """A wording of a provision as one source has it.

    Attributes:
        label, heading, text: how it reads.
        act: the act that made it so, as the source names it; None where it names none.
        days: the first and the last possible day of its beginning, both included; None where the source dates nothing.
        inserts: whether the provision came into the norm with it.
        unstruck: whether the source prints it as if it still applied.
        inferred: whether the source does not name the act there: it follows from what holds the provision.
        order: its place among the wordings of the provision, as far as the days of their versions tell.
    """

    label: str | None
    heading: str | None
    text: str | None
    act: Name | None
    days: tuple[date, date] | None
    inserts: bool
    unstruck: bool
    inferred: bool
    order: tuple[date, str]

    @property
    def letters(self) -> str:
        """What wordings are compared by."""
        return letters(self.text)

    @property
    def is_repealed(self) -> bool:
        """Whether its words only say that it was repealed."""
        return self.text is not None and _REPEALED.match(self.text) is not None


@dataclass(frozen=True, slots=True)
class Ended:
    """A repeal of a provision as one source has it."""

    act: Name | None
    effect: date | None


@dataclass(slots=True)
class Witness:
    """One source of a norm's wordings.

    Attributes:
        source: the IRI of its record.
        origin: the name of its file; None where it came from no file.
        provider: its provider; None if it is not known.
        signature_days: whether its days are those of the acts' signature, not of their force.
        notes_acts: whether it is of a kind that notes beside each change which act made it.
        wordings: by the place of the provision, oldest first.
        endings: repeals by the place of the provision.
    """

    source: str
    origin: str | None
    provider: str | None
    signature_days: bool
    notes_acts: bool
    wordings: dict[str, list[Seen]] = field(default_factory=dict)
    endings: dict[str, list[Ended]] = field(default_factory=dict)

    @property
    def names_acts(self) -> bool:
        """Whether it would say which act made a wording."""
        return self.notes_acts or any(one.act is not None for some in self.wordings.values() for one in some)


@dataclass(frozen=True, slots=True)
class Act:
    """An amending act in the store, with its operations on the norm.

    Attributes:
        source: the IRI of its record.
    """

    source: str
    name: Name
    operations: tuple[Operation, ...]


def witnesses(store: Store, norm: Name) -> list[Witness]:
    """The sources that have wordings of a norm, in the order of their records."""
    found: dict[str, Witness] = {}
    own = derived_record(norm)
    for row in named("wordings_by_source").rows(store, {"norma": norm.work.iri}):
        source = str(row["registro"])
        if source == own:
            continue  # derived texts are not witnesses
        witness = found.get(source) or found.setdefault(source, _witness(store, source))
        version = row["versao"]
        one = Seen(
            _text(row["rotulo"]),
            _text(row["nome"]),
            _text(row["conteudo"]),
            _act(row["causa"]),
            days_of(str(version)) if version is not None else None,
            _true(row["insercao"]),
            _true(row["naoTachado"]),
            _true(row["causaInferida"]),
            _order(str(version)) if version is not None else (date.min, ""),
        )
        witness.wordings.setdefault(_place(row["dispositivo"]), []).append(one)
    for row in named("endings_by_source").rows(store, {"norma": norm.work.iri}):
        ending = found.get(str(row["registro"]))
        if ending is not None:
            effect = row["efeito"]
            ended = Ended(_act(row["causa"]), effect if isinstance(effect, date) else None)
            ending.endings.setdefault(_place(row["dispositivo"]), []).append(ended)
    for each in found.values():
        for some in each.wordings.values():
            some.sort(key=lambda one: one.order)
    return list(found.values())


def derived_record(norm: Name) -> str:
    """The IRI of the record with the derived texts of a norm."""
    return hashed_iri("derivado", norm.work.canonical)


def several_witnesses(store: Store) -> list[Name]:
    """The norms that several records word, or that a record words and an act in the store changes, by name."""
    return [parse(from_iri(str(row["norma"]))) for row in named("norms_with_witnesses").rows(store)]


def acts(store: Store, norm: Name) -> list[Act]:
    """The amending acts in the store that change a norm, each with its operations in the order of the act."""
    found: dict[tuple[str, str], list[Operation]] = {}
    for target in _targets(norm.work):
        for row in named("operations_on").rows(store, {"norma": target.iri}):
            key = str(row["registro"]), from_iri(str(row["ato"]))
            found.setdefault(key, []).append(in_annex(operation_of(row)))
    return [Act(source, parse(act), tuple(some)) for (source, act), some in found.items()]


def _targets(norm: Name) -> Iterator[Name]:
    yield norm
    if norm.canonical == CONSTITUTION:
        yield parse(TRANSITIONAL)


def _witness(store: Store, source: str) -> Witness:
    for row in named("origin_of_record").rows(store, {"registro": source}):
        provider = row["provedor"]
        return Witness(
            source,
            _text(row["origem"]),
            provider_of(str(provider)) if provider is not None else None,
            bool(store.having([source], VIG["datasDeRedacao"])),
            str(row["carregador"]).startswith(_NOTING),
        )
    return Witness(source, None, None, signature_days=False, notes_acts=False)


def _place(cell: object) -> str:
    return place_of(from_iri(str(cell)).partition("!")[2])


def _true(cell: object) -> bool:
    return str(cell) in {"true", "True"}


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _act(cell: object) -> Name | None:
    return None if cell is None else parse(from_iri(str(cell))).work


def days_of(version: str) -> tuple[date, date] | None:
    """The bounds of the first day of a version, by its IRI; None where it names none."""
    individual = parse(from_iri(version)).individual
    versao = individual.versao if individual is not None else None
    if versao is None:
        return None
    if versao.datas:
        return versao.datas[0], versao.datas[0]
    if versao.visao:
        return versao.visao[0], versao.visao[-1]
    return None


def _order(version: str) -> tuple[date, str]:
    days = days_of(version)
    return (days[0] if days is not None else date.max), version


def act_key(act: Name) -> ActKey:
    """What two names of one act have in common: a source may leave out its day.

    >>> act_key(parse("urn:lex:br:federal:lei:2019;13853")) == act_key(parse("urn:lex:br:federal:lei:2019-07-08;13853"))
    True
    """
    work = act.work
    day = work.representative_date
    year = day.year if day is not None else work.representative_year
    return ";".join(work.tipo_documento), ";".join(work.descritor.identificadores), year


def letters(text: str | None) -> str:
    """A text without what editors change: case, white space, punctuation, quotation marks, ordinals, a last "e".

    >>> letters("prazo de 5o dia, nº 3; e") == letters("Prazo de 5º dia – no 3;")
    True
    """
    return _SIGNS.sub("", _CONNECTIVE.sub("", _plain(text)))


def spelled(text: str | None) -> str:
    """A text with its punctuation, since a later act may change no more than that.

    >>> spelled("a laje;") == spelled("A  laje.")
    False
    """
    return _SPACE.sub("", _plain(text))


def _plain(text: str | None) -> str:
    return _ORDINAL.sub("", _NUMBER.sub("n", (text or "").casefold().rstrip()))
