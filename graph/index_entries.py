"""Entries of the index of names from one record: summaries, lookup keys, words, and beginnings of names."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from typing import TypeAlias

import orjson

from graph.index_rows import DEPTHS, IS_ABOUT, Beginning, Edition, IndexedText, IndexEntries, LookupKey, PrintedPart
from graph.references import keys_of, nickname_key
from graph.summaries import Key, abbreviated_iri
from graph.terms import Statement, iri
from graph.time.kinds import Situation
from graph.urn import Name, from_iri, parse
from graph.wording.folding import folded, without_invisible_marks, words
from graph.wording.labels import label
from ontology.namespaces import CRM, DCTERMS, ELI, FRBROO, PROV, RDF, SCHEMA, VIG, XSD

# Summaries: the statements of a record about each norm and provision as one text, so that a question needs one lookup.
#
# The text repeats the record's triples in the form that answers need. docs/reference/graph.md documents it, and
# :mod:`graph.summaries` reads it.


_TYPE = iri(RDF["type"])
_CONTAINER = iri(FRBROO["F16_Container_Work"])
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
_CONTAINED_IN = iri(VIG["contidoEm"])
_OWN_LIFE = iri(VIG["vidaPropriaEm"])
_SITUATION = iri(VIG["situacaoTexto"])
_ENDED = frozenset(f'"{situation}"' for situation in (Situation.REVOGADO, Situation.VETADO))
_ACT_DATED = iri(VIG["datasDeRedacao"])

_INDEXED_PREDICATES = frozenset(
    {
        *(_TYPE, _MEMBER, _REALISED, _COMPONENT, _NAME, _VERSION_DATE, _VERSION_WORD, _VIEW_EVENT, _VIEW_DATE),
        *(_VIEW_ORDER, _INSERTS, _TARGET, _KIND, _EFFECT, _KNOWN, _CAUSE, *_MADE, _AMENDS, _PART_OF, _LANGUAGE),
        *(_COPY_OF, _URL, _FORMAT, _ITEM_KIND, _PUBLISHER, _ABOUT, _TOMBSTONE, _WITHDRAWN, _MISSING, _PROVIDER),
        *(_IDENTIFIER, _DATESTAMP, _COUNTED, _CONTAINED_IN, _OWN_LIFE, _SITUATION, _ACT_DATED),
    }
)
_LEX_NAMES = "<urn:lex:"
#: Numbers in a summary are below this one: JSON parsers need not support larger ones.
_TOO_LARGE = 1 << 53
_DATE = f"^^<{XSD['date']}>"

#: Objects by subject.
_Objects: TypeAlias = dict[str, list[str]]
_Summary: TypeAlias = dict[str, object]


def summaries_of(record: str, statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    """Yield the IRI and summary of each norm and provision that a record describes, or that its events and relations
    concern.

    Args:
        record: the IRI of the record.
        statements: its statements in order, each as three terms in N-Triples.
    """
    facts: defaultdict[str, _Objects] = defaultdict(dict)
    for subject, predicate, term in statements:
        if predicate in _INDEXED_PREDICATES:
            facts[predicate].setdefault(subject, []).append(term)
    summaries = _Summaries(facts)
    about_record = {
        key.value: _text_of_term(values[0])
        for key, predicate in (
            (Key.PROVIDER, _PROVIDER),
            (Key.DATESTAMP, _DATESTAMP),
            (Key.IDENTIFIER, _IDENTIFIER),
        )
        if (values := facts[predicate].get(f"<{record}>"))
    }
    for name, summary in summaries.named_summaries(f"<{record}>"):
        yield name[1:-1], orjson.dumps(about_record | summary).decode()


class _Summaries:
    """The summaries of one record during construction, by the IRI of their subject in N-Triples."""

    def __init__(self, facts: defaultdict[str, _Objects]) -> None:
        self._facts = facts
        self._found: dict[str, dict[str, list[object]]] = {}

    def named_summaries(self, record: str) -> Iterator[tuple[str, _Summary]]:
        """Yield each name with its summary, in the order of the record."""
        facts = self._facts
        owner = {
            version: work
            for work, members in facts[_MEMBER].items()
            if work.startswith(_LEX_NAMES)  # a series of a gazette: its members are works, not versions
            for version in members
        }
        texts = {text: owner.get(base, base) for base, realised in facts[_REALISED].items() for text in realised}
        parts = {part for components in facts[_COMPONENT].values() for part in components}
        spoken = [
            name
            for name in facts[_TYPE]
            if name not in owner
            and name not in texts
            and name not in parts
            and name.startswith(_LEX_NAMES)
            and facts[_TYPE][name] != [_CONTAINER]
        ]
        for name in spoken:
            self._values_of(name)
        self._versions()
        self._events()
        self._relations()
        for base, realised in facts[_REALISED].items():
            for text in realised:
                self._text(owner.get(base, base), base, text)
        for item, copied in facts[_COPY_OF].items():
            for original in copied:
                self._item(texts.get(original) or owner.get(original, original), original, item)
        if _TOMBSTONE in facts:
            for name in facts[_ABOUT].get(record, ()):
                days = [_day(facts[p].get(record)) for p in (_WITHDRAWN, _MISSING)]
                self._values_of(name)[Key.WITHDRAWN.value] = list[object](days)
        known = set(spoken)
        common = {Key.ACT_DATED.value: 1} if _ACT_DATED in facts else {}
        for name, summary in self._found.items():
            if name.startswith(_LEX_NAMES):
                yield name, {**({Key.IS_ABOUT.value: 1} if name in known else {}), **common, **summary}

    def _values_of(self, name: str) -> dict[str, list[object]]:
        return self._found.setdefault(name, {})

    def _add(self, name: str, key: Key, value: object) -> None:
        self._values_of(name).setdefault(key.value, []).append(value)

    def _relations(self) -> None:
        """Add to a name what amends it, its components, and the containers of a provision."""
        for key, predicate in ((Key.AMENDED_BY, _AMENDS), (Key.COMPONENTS, _PART_OF)):
            for subject, targets in self._facts[predicate].items():
                for target in targets:
                    self._add(target, key, abbreviated_iri(subject[1:-1], target[1:-1]))
        for provision in self._facts[_OWN_LIFE]:
            self._values_of(provision)[Key.OWN_LIFE.value] = [1]
        for provision, containers in self._facts[_CONTAINED_IN].items():
            for container in containers:
                self._add(provision, Key.CONTAINERS, abbreviated_iri(container[1:-1], provision[1:-1]))

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
                    abbreviated_iri(version[1:-1], base),
                    abbreviated_iri(name, base) if name is not None and name != version[1:-1] else None,
                    _day(facts[_VERSION_DATE].get(version)),
                    _first(facts[_VERSION_WORD].get(version)),
                    _link(facts[_VIEW_EVENT].get(version), base),
                    _day(facts[_VIEW_DATE].get(version)),
                    order,
                    int(version in facts[_INSERTS]),
                ]
                self._add(work, Key.VERSIONS, row)

    def _events(self) -> None:
        """Add the events that act on a name; of an event that made a version, add only the causes."""
        facts = self._facts
        for event, targets in facts[_TARGET].items():
            made = [version for predicate in _MADE for version in facts[predicate].get(event, ())]
            causes = facts[_CAUSE].get(event, ())
            counted = _first(facts[_COUNTED].get(event))
            for target in targets:
                base = target[1:-1]
                for counted_node in made or [event] if counted is not None else ():
                    self._add(target, Key.COUNTED, [abbreviated_iri(counted_node[1:-1], base), counted])
                for version in made:
                    for cause in causes:
                        self._add(
                            target, Key.MADE, [abbreviated_iri(version[1:-1], base), abbreviated_iri(cause[1:-1], base)]
                        )
                if made:
                    continue
                for kind in facts[_KIND].get(event, ()):
                    row = [
                        abbreviated_iri(event[1:-1], base),
                        abbreviated_iri(kind[1:-1], base),
                        _first(facts[_EFFECT].get(event)),
                        _first(facts[_KNOWN].get(event)),
                    ]
                    for caused_by in [abbreviated_iri(cause_iri[1:-1], base) for cause_iri in causes] or (None,):
                        self._add(target, Key.EVENTS, [*row, caused_by])

    def _text(self, name: str, realises: str, text: str) -> None:
        facts = self._facts
        base = name[1:-1]
        for kind in facts[_KIND].get(text) or (None,):
            for language in facts[_LANGUAGE].get(text) or (None,):
                row = [
                    abbreviated_iri(realises[1:-1], base),
                    abbreviated_iri(text[1:-1], base),
                    abbreviated_iri(kind[1:-1], base) if kind is not None else None,
                    abbreviated_iri(language[1:-1], base) if language is not None else None,
                ]
                self._add(name, Key.TEXTS, row)
        if not _ENDED.isdisjoint(facts[_SITUATION].get(text, ())):
            self._add(name, Key.ENDED_IN, abbreviated_iri(text[1:-1], base))

    def _item(self, name: str, copied: str, item: str) -> None:
        base = name[1:-1]
        values = [_first(self._facts[p].get(item)) for p in (_URL, _FORMAT, _ITEM_KIND, _PUBLISHER)]
        self._add(name, Key.COPIES, [abbreviated_iri(copied[1:-1], base), abbreviated_iri(item[1:-1], base), *values])


def _text_of_term(term: str) -> str:
    """Return the value of a term in N-Triples: the IRI, or the characters of the literal."""
    if term[0] != '"':
        return term.strip("<>")
    quoted = term[: term.rindex('"') + 1]
    return str(json.loads(quoted)) if "\\" in quoted else quoted[1:-1]


def _first(terms: list[str] | None) -> str | None:
    return _text_of_term(terms[0]) if terms else None


def _link(terms: list[str] | None, base: str) -> str | None:
    return abbreviated_iri(terms[0][1:-1], base) if terms else None


def _number(terms: Sequence[str] | None) -> int | None:
    """Return the first value as a number; None if there is none. Checks report invalid values."""
    try:
        value = int(_text_of_term(terms[0])) if terms else None
    except ValueError:
        return None
    return value if value is not None and -_TOO_LARGE < value < _TOO_LARGE else None


def _day(terms: list[str] | None) -> str | None:
    return next((_text_of_term(term) for term in terms or () if term.endswith(_DATE)), None)


# The entries of the index of names: lookup keys, words, and beginnings of names.


#: The properties of a norm, or of its versions, whose values are indexed for the norm.
_OF_NORMS = {iri(VIG["epigrafe"]): "title", iri(VIG["apelido"]): "nicknames", iri(VIG["ementa"]): "summary"}
#: The properties of the text of a version whose values are indexed for that text.
_OF_TEXTS = {
    iri(VIG["rotulo"]): "title",
    iri(VIG["nomeAgrupador"]): "title",
    iri(CRM["P190_has_symbolic_content"]): "text",
}
_OWNS = frozenset({iri(FRBROO["R10_has_member"]), iri(FRBROO["R3_is_realised_in"])})
_NAMES = "urn:lex:"


def indexed_texts_of(statements: Iterable[Statement]) -> Iterator[IndexedText]:
    """Yield the indexed texts of each norm and of each text of a version, sorted by node.

    Several values of one kind, such as languages, are joined by line feeds. Invisible marks are removed.

    Args:
        statements: of the record, each as three terms in N-Triples, in order.
    """
    owners: dict[str, str] = {}
    texts: list[tuple[str, bool, str, str]] = []
    for subject, predicate, term in statements:
        if predicate in _OWNS:
            owners[term[1:-1]] = subject[1:-1]
        elif term[0] != '"':  # not text; checks report invalid values
            continue
        elif predicate in _OF_NORMS:
            texts.append((subject[1:-1], False, _OF_NORMS[predicate], _text(term)))
        elif predicate in _OF_TEXTS:
            texts.append((subject[1:-1], True, _OF_TEXTS[predicate], _text(term)))
    indexed: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for node, is_text, place, text in texts:
        name, seen = node, {node}
        while (owner := owners.get(name, "")).startswith(_NAMES) and owner not in seen:  # an issue in a series
            name = owner
            seen.add(name)
        indexed.setdefault((name, node if is_text else name), {}).setdefault(place, {})[text] = None
    for (name, of), places in sorted(indexed.items(), key=lambda item: item[0][1]):
        yield IndexedText(name, of, **{place: "\n".join(words) for place, words in places.items()})


def _text(term: str) -> str:
    """Return the visible characters of a literal."""
    quoted = term[: term.rindex('"') + 1]
    return without_invisible_marks(str(json.loads(quoted, strict=False)) if "\\" in quoted else quoted[1:-1])


#: The maximum number of characters of a beginning, and the number of words at which the beginning of a nickname may
#: start.
_LONGEST, _MAX_SUFFIXES = 100, 6
#: The separator of thousands; less than three digits may follow, because the user may still be typing.
_THOUSANDS = re.compile(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9])|[0-9]{1,2}\Z)", re.ASCII)
#: Words before a number that are ignored.
_NUMBER_SIGNS = frozenset({"n", "nr", "num", "numero"})
#: Matches the IRI of a norm, but not those of versions and provisions.
NORM = re.compile("urn:lex:[^@!~$]+")


def plain_form(text: str) -> str:
    """Return a text in the form of beginnings: folded words without connectives and number signs, numbers without
    dots.

    >>> plain_form("Lei nº 8.078, de 11 de setembro de 1990"), plain_form("Código de Def")
    ('lei 8078 11 setembro 1990', 'codigo def')
    """
    plain = _THOUSANDS.sub("", folded(text))
    return " ".join(word for word in words(plain) if word not in _NUMBER_SIGNS)


def suffixes_by_word(text: str) -> Iterator[str]:
    """Yield a text, and the rest of it from each of its first six words.

    >>> list(suffixes_by_word("codigo defesa consumidor"))
    ['codigo defesa consumidor', 'defesa consumidor', 'consumidor']
    """
    pieces = text.split()
    for index in range(min(len(pieces), _MAX_SUFFIXES)):
        yield " ".join(pieces[index:])


def beginnings_of(names: Mapping[str, Name], worded: Sequence[IndexedText]) -> Iterator[Beginning]:
    """Yield the completion entries of the norms that a record describes, from their names, titles and nicknames.

    Args:
        names: norms, not provisions, by their IRIs.
        worded: the indexed texts of the record, of these and other names.
    """
    titled = {indexed_text.name for indexed_text in worded if indexed_text.title}
    for work, name in names.items():
        depth = _depth(name)
        yield from ((depth, beginning, work, "") for beginning in _forms_with_number(name))
        if work not in titled and (beginning := plain_form(label(name))[:_LONGEST]):
            yield depth, beginning, work, ""
    for indexed_text in worded:
        if not (indexed_text.title or indexed_text.nicknames) or NORM.fullmatch(indexed_text.name) is None:
            continue
        depth = _depth(names.get(indexed_text.name) or parse(from_iri(indexed_text.name)))
        for title in indexed_text.title.split("\n"):
            if beginning := plain_form(title[:_LONGEST]):
                yield depth, beginning, indexed_text.name, ""
        for nickname in indexed_text.nicknames.split("\n"):
            for beginning in suffixes_by_word(plain_form(nickname[:_LONGEST])):
                yield depth, beginning, indexed_text.name, nickname[:_LONGEST]


def _depth(name: Name) -> int:
    return min(len(name.local.detalhe), DEPTHS - 1)


def _forms_with_number(name: Name) -> Iterator[str]:
    """Yield the number and year alone, with the type, and with the subtype."""
    year = name.representative_year
    for number in name.descritor.identificadores:
        pieces = (number,) if number.isdecimal() else words(number)
        numbered = " ".join((*pieces, f"{year:04d}" if year is not None else "")).rstrip()[:_LONGEST]
        yield numbered
        for kind in dict.fromkeys((name.tipo_documento[0], name.tipo_documento[-1])):
            yield f"{kind.replace('.', ' ')} {numbered}"


def lookup_keys_of(names: Mapping[str, Name], worded: Iterable[IndexedText]) -> Iterator[LookupKey]:
    """Yield the lookup keys of the works that a record describes.

    Args:
        names: works, not provisions, by their IRIs.
        worded: the indexed texts of the record, of these and other names.
    """
    for work, name in names.items():
        for key in keys_of(name):
            yield key, work, False
    for indexed_text in worded:
        if indexed_text.nicknames and NORM.fullmatch(indexed_text.name) is not None:
            for nickname in indexed_text.nicknames.split("\n"):
                yield nickname_key(nickname), indexed_text.name, True


_WHOLE, _COMPOSED = iri(VIG["textoCompleto"]), iri(VIG["textoComposto"])


def editions_of(statements: Iterable[Statement]) -> Iterator[Edition]:
    """Yield the texts of norms' versions whose parts a record has, in order.

    Args:
        statements: of the record, each as three terms in N-Triples, in order.
    """
    editions: dict[str, bool] = {}
    for subject, predicate, _ in statements:
        if predicate in (_WHOLE, _COMPOSED):
            editions[subject[1:-1]] = predicate == _WHOLE or editions.get(subject[1:-1], False)
    yield from editions.items()


_ORDER = iri(VIG["ordem"])
#: The properties of the text of a provision, in the order of :class:`graph.index_rows.PrintedPart`.
_PRINTED = (
    iri(VIG["rotulo"]),
    iri(VIG["nomeAgrupador"]),
    iri(CRM["P190_has_symbolic_content"]),
    iri(VIG["marcacao"]),
    _SITUATION,
)


def parts_of(statements: Iterable[Statement]) -> Iterator[tuple[str, PrintedPart]]:
    """Yield the provisions that a record prints, each with the IRI of the text.

    Args:
        statements: of the record, each as three terms in N-Triples, in order.
    """
    text_of: dict[str, str] = {}
    printed: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, term in statements:
        if predicate == _COMPONENT:
            text_of[term] = subject[1:-1]
        elif predicate == _ORDER or predicate in _PRINTED:
            printed.setdefault(subject, {}).setdefault(predicate, []).append(term)
    for part, values in printed.items():
        order = _number(values.get(_ORDER))
        if part in text_of and order is not None:
            fragment = from_iri(part[1:-1].rpartition("!")[2])
            columns: Iterator[list[str | None]] = (
                [*map(_text_of_term, values[predicate])] if predicate in values else [None] for predicate in _PRINTED
            )
            for row in product(*columns):
                yield text_of[part], PrintedPart(fragment, order, *row)


def index_entries_of(record: str, statements: Iterable[Statement]) -> IndexEntries:
    """Return the index entries of a record.

    Args:
        record: its IRI.
        statements: its triples as terms in N-Triples.
    """
    ordered = sorted(statements)
    words = tuple(indexed_texts_of(ordered))
    summaries = tuple(summaries_of(record, ordered))
    entries = index_entries_from(summaries, words, tuple(editions_of(ordered)), tuple(parts_of(ordered)))
    lines = "\n".join(map(" ".join, dict.fromkeys(ordered)))
    return entries._replace(digest=blake2b(lines.encode(), digest_size=16).digest()) if any(entries) else entries


def index_entries_from(
    summaries: Sequence[tuple[str, str]],
    words: Sequence[IndexedText],
    editions: Sequence[Edition] = (),
    parts: Sequence[tuple[str, PrintedPart]] = (),
) -> IndexEntries:
    """Return the index entries of a record from stored ones; keys and beginnings are made from summaries and words."""
    spoken = (name for name, packed in summaries if "!" not in name and IS_ABOUT in packed)
    norms = {name: parse(from_iri(name)) for name in spoken}
    return IndexEntries(
        summaries, words, tuple(beginnings_of(norms, words)), tuple(lookup_keys_of(norms, words)), editions, parts
    )
