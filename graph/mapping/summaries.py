"""What a record says of each norm and provision, packed into one text: a question then needs one look-up of a norm.

The text repeats what the record's triples say, in the shape that answers need; docs/reference/graph.md shows it, and
:mod:`graph.summaries` reads it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import orjson

from graph.summaries import Key, shortened
from graph.terms import Statement, iri
from ontology.namespaces import CRM, DCTERMS, ELI, FRBROO, PROV, RDF, SCHEMA, VIG, XSD

_TYPE = iri(RDF["type"])
_MEMBER = iri(FRBROO["R10_has_member"])
_REALISED = iri(FRBROO["R3_is_realised_in"])
_COMPONENT = iri(FRBROO["R5_has_component"])
_NAME = iri(VIG["nome"])
_VERSION_DATE = iri(VIG["dataVersao"])
_VERSION_WORD = iri(VIG["palavraVersao"])
_VIEW_EVENT = iri(VIG["eventoVisao"])
_VIEW_DATE = iri(VIG["dataVisao"])
_VIEW_ORDER = iri(VIG["ordemVisao"])
_INSERTS = iri(VIG["insercao"])
_TARGET = iri(VIG["alvo"])
_KIND = iri(CRM["P2_has_type"])
_EFFECT = iri(VIG["dataEfeito"])
_KNOWN = iri(VIG["dataConhecimento"])
_CAUSE = iri(VIG["causadoPor"])
_COUNTED = iri(VIG["contagem"])
_MADE = (iri(FRBROO["R16_initiated"]), iri(FRBROO["R19_created_a_realisation_of"]))
_AMENDS = iri(ELI["amends"])
_PART_OF = iri(VIG["componenteDe"])
_LANGUAGE = iri(CRM["P72_has_language"])
_COPY_OF = iri(VIG["copiaDe"])
_URL = iri(SCHEMA["contentUrl"])
_FORMAT = iri(SCHEMA["encodingFormat"])
_ITEM_KIND = iri(VIG["tipoItem"])
_PUBLISHER = iri(VIG["idPublicador"])
_ABOUT = iri(CRM["P129_is_about"])
_TOMBSTONE = iri(VIG["lapide"])
_WITHDRAWN = iri(VIG["retiradoEm"])
_MISSING = iri(VIG["ausenteDesde"])
_PROVIDER = iri(PROV["wasAttributedTo"])
_IDENTIFIER = iri(DCTERMS["identifier"])
_DATESTAMP = iri(VIG["datestamp"])

_HEARD = frozenset(
    {
        *(_TYPE, _MEMBER, _REALISED, _COMPONENT, _NAME, _VERSION_DATE, _VERSION_WORD, _VIEW_EVENT, _VIEW_DATE),
        *(_VIEW_ORDER, _INSERTS, _TARGET, _KIND, _EFFECT, _KNOWN, _CAUSE, *_MADE, _AMENDS, _PART_OF, _LANGUAGE),
        *(_COPY_OF, _URL, _FORMAT, _ITEM_KIND, _PUBLISHER, _ABOUT, _TOMBSTONE, _WITHDRAWN, _MISSING, _PROVIDER),
        *(_IDENTIFIER, _DATESTAMP, _COUNTED),
    }
)
_NAMES = "<urn:lex:"
#: Numbers that no reader of JSON need take.
_TOO_LARGE = 1 << 53
_DATE = f"^^<{XSD['date']}>"

#: Objects by subject.
_Said: TypeAlias = dict[str, list[str]]
_Summary: TypeAlias = dict[str, object]


def summaries_of(record: str, said: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    """Each norm and provision that a record speaks of, or that an event or relation in it concerns, with its summary.

    Args:
        record: the IRI of the record.
        said: its statements, each as three written terms, in order.
    """
    facts: defaultdict[str, _Said] = defaultdict(dict)
    for subject, predicate, term in said:
        if predicate in _HEARD:
            facts[predicate].setdefault(subject, []).append(term)
    summaries = _Summaries(facts)
    about_record = {
        key.value: _text(values[0])
        for key, predicate in (
            (Key.PROVIDER, _PROVIDER),
            (Key.DATESTAMP, _DATESTAMP),
            (Key.IDENTIFIER, _IDENTIFIER),
        )
        if (values := facts[predicate].get(f"<{record}>"))
    }
    for name, summary in summaries.of_names(f"<{record}>"):
        yield name[1:-1], orjson.dumps(about_record | summary).decode()


class _Summaries:
    """The summaries of one record while they are put together, by the written IRI of what they are of."""

    def __init__(self, facts: defaultdict[str, _Said]) -> None:
        self._facts = facts
        self._found: dict[str, dict[str, list[object]]] = {}

    def of_names(self, record: str) -> Iterator[tuple[str, _Summary]]:
        """Each name with its summary, in the order in which the record has them."""
        facts = self._facts
        owner = {
            version: work
            for work, members in facts[_MEMBER].items()
            if work.startswith(_NAMES)  # the issues of a gazette's series are works
            for version in members
        }
        texts = {text: owner.get(base, base) for base, found in facts[_REALISED].items() for text in found}
        parts = {part for found in facts[_COMPONENT].values() for part in found}
        spoken = [
            name
            for name in facts[_TYPE]
            if name not in owner and name not in texts and name not in parts and name.startswith(_NAMES)
        ]
        for name in spoken:
            self._of(name)
        self._versions()
        self._events()
        for key, predicate in ((Key.AMENDED_BY, _AMENDS), (Key.COMPONENTS, _PART_OF)):
            for subject, targets in facts[predicate].items():
                for target in targets:
                    self._add(target, key, shortened(subject[1:-1], target[1:-1]))
        for base, found in facts[_REALISED].items():
            for text in found:
                self._text(owner.get(base, base), base, text)
        for item, copied in facts[_COPY_OF].items():
            for one in copied:
                self._item(texts.get(one) or owner.get(one, one), one, item)
        if _TOMBSTONE in facts:
            for name in facts[_ABOUT].get(record, ()):
                days = [_day(facts[p].get(record)) for p in (_WITHDRAWN, _MISSING)]
                self._of(name)[Key.WITHDRAWN.value] = list[object](days)
        known = set(spoken)
        for name, summary in self._found.items():
            if name.startswith(_NAMES):
                yield name, {**({Key.SPOKEN_OF.value: 1} if name in known else {}), **summary}

    def _of(self, name: str) -> dict[str, list[object]]:
        return self._found.setdefault(name, {})

    def _add(self, name: str, key: Key, value: object) -> None:
        self._of(name).setdefault(key.value, []).append(value)

    def _versions(self) -> None:
        facts = self._facts
        for work, members in facts[_MEMBER].items():
            base = work[1:-1]
            for version in members:
                order = _number(facts[_VIEW_ORDER].get(version))
                if order is None:
                    continue
                name = _first(facts[_NAME].get(version))
                row = [
                    shortened(version[1:-1], base),
                    shortened(name, base) if name is not None and name != version[1:-1] else None,
                    _day(facts[_VERSION_DATE].get(version)),
                    _first(facts[_VERSION_WORD].get(version)),
                    _link(facts[_VIEW_EVENT].get(version), base),
                    _day(facts[_VIEW_DATE].get(version)),
                    order,
                    int(version in facts[_INSERTS]),
                ]
                self._add(work, Key.VERSIONS, row)

    def _events(self) -> None:
        """The events that act on a name; of those that made a version of it only what caused them."""
        facts = self._facts
        for event, targets in facts[_TARGET].items():
            made = [version for predicate in _MADE for version in facts[predicate].get(event, ())]
            causes = facts[_CAUSE].get(event, ())
            counted = _first(facts[_COUNTED].get(event))
            for target in targets:
                base = target[1:-1]
                for one in made or [event] if counted is not None else ():
                    self._add(target, Key.COUNTED, [shortened(one[1:-1], base), counted])
                for version in made:
                    for cause in causes:
                        self._add(target, Key.MADE, [shortened(version[1:-1], base), shortened(cause[1:-1], base)])
                if made:
                    continue
                for kind in facts[_KIND].get(event, ()):
                    row = [
                        shortened(event[1:-1], base),
                        shortened(kind[1:-1], base),
                        _first(facts[_EFFECT].get(event)),
                        _first(facts[_KNOWN].get(event)),
                    ]
                    for caused_by in [shortened(one[1:-1], base) for one in causes] or (None,):
                        self._add(target, Key.EVENTS, [*row, caused_by])

    def _text(self, name: str, realises: str, text: str) -> None:
        facts = self._facts
        base = name[1:-1]
        for kind in facts[_KIND].get(text) or (None,):
            for language in facts[_LANGUAGE].get(text) or (None,):
                row = [
                    shortened(realises[1:-1], base),
                    shortened(text[1:-1], base),
                    shortened(kind[1:-1], base) if kind is not None else None,
                    shortened(language[1:-1], base) if language is not None else None,
                ]
                self._add(name, Key.TEXTS, row)

    def _item(self, name: str, copied: str, item: str) -> None:
        base = name[1:-1]
        told = [_first(self._facts[p].get(item)) for p in (_URL, _FORMAT, _ITEM_KIND, _PUBLISHER)]
        self._add(name, Key.COPIES, [shortened(copied[1:-1], base), shortened(item[1:-1], base), *told])


def _text(term: str) -> str:
    """What a written term says: an IRI, or the characters of a literal."""
    if term[0] != '"':
        return term.strip("<>")
    quoted = term[: term.rindex('"') + 1]
    return str(json.loads(quoted)) if "\\" in quoted else quoted[1:-1]


def _first(terms: list[str] | None) -> str | None:
    return _text(terms[0]) if terms else None


def _link(terms: list[str] | None, base: str) -> str | None:
    return shortened(terms[0][1:-1], base) if terms else None


def _number(terms: Sequence[str] | None) -> int | None:
    """The first as a number; None where there is none. What is wrong in a graph, checks tell."""
    try:
        found = int(_text(terms[0])) if terms else None
    except ValueError:
        return None
    return found if found is not None and -_TOO_LARGE < found < _TOO_LARGE else None


def _day(terms: list[str] | None) -> str | None:
    return next((_text(term) for term in terms or () if term.endswith(_DATE)), None)
