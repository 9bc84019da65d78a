"""What LexML part 4 expects of a record: an item, its media type, a known authority, the profile of the publisher.

A record that does not follow these rules is loaded. A load reports it as a note, and ``vigente check`` lists it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from graph.entities import Item, ItemKind
from graph.errors import BadName, BadParameter
from graph.urn import Name, parse
from graph.vocabulary import Scheme, Vocabulary, built_in

#: The values of ``formato`` (annex 1, ``FormatoIdentificadorItemType``).
FORMATS = frozenset(
    {
        *("application/mpeg4-generic", "application/mp4", "application/msword", "application/ogg"),
        *("application/pdf", "application/postscript", "application/rtf", "application/sgml"),
        *("application/xhtml+xml", "application/xml", "application/zip"),
        *("application/vnd.oasis.opendocument.chart", "application/vnd.oasis.opendocument.image"),
        "application/vnd.oasis.opendocument.text-web",
        *("audio/ac3", "audio/mp4", "audio/mpeg", "audio/mpeg4-generic", "audio/ogg"),
        *("image/gif", "image/png", "image/jpeg", "image/tiff", "image/bmp"),
        *("text/plain", "text/html", "text/xml", "text/sgml", "text/rtf"),
    }
)
#: Kinds of items that are not files.
_NO_FILE = frozenset({ItemKind.PHYSICAL_OBJECT, ItemKind.UNAVAILABLE_CONTENT})
#: The first words of authorities of states, municipalities and courts, besides those of the vocabularies.
_ORGANS = frozenset(
    {
        *("administracao", "agencia", "autarquia", "cartorio", "colegio", "comarca", "comissao", "comite", "companhia"),
        *("conselho", "consorcio", "controladoria", "coordenadoria", "corpo", "corregedoria", "defensoria"),
        *("departamento", "diretoria", "distrito", "empresa", "escola", "faculdade", "foro", "fundacao", "fundo"),
        *("gabinete", "governador", "governadoria", "governo", "guarda", "hospital", "instituto", "juiz", "juizado"),
        *("junta", "mesa", "ministerio", "ouvidoria", "policia", "prefeito", "prefeitura", "presidencia"),
        *("presidente", "procuradoria", "secao", "secretaria", "servico", "subprefeitura", "superintendencia"),
        *("tribunal", "turma", "universidade", "vara"),
    }
)


class RecordRule(StrEnum):
    """A rule that a record does not follow; the values are codes of notes and of checks."""

    ITEM_MISSING = "item-missing"
    FORMAT_UNKNOWN = "format-unknown"
    AUTHORITY_UNKNOWN = "authority-unknown"
    OUTSIDE_PROFILE = "outside-profile"


class ProfileKey(StrEnum):
    """A key of a profile; the values are the keys in TOML."""

    PLACES = "places"
    AUTHORITIES = "authorities"
    TYPES = "types"


@dataclass(frozen=True, slots=True)
class RecordFinding:
    """One rule that a record does not follow.

    Attributes:
        value: the format, authority, place or type; empty if it is missing.
        publisher: the number of the publisher whose profile does not have the value.
        key: the part of the profile that does not have the value; None if no table of the profile has the combination.
    """

    rule: RecordRule
    value: str = ""
    publisher: str | None = None
    key: ProfileKey | None = None

    @property
    def message(self) -> str:
        """The finding as an English sentence without a full stop."""
        match self.rule:
            case RecordRule.ITEM_MISSING:
                return "the record has no Item that could be read: expected the address of the document"
            case RecordRule.FORMAT_UNKNOWN:
                got = f"formato={self.value!r}" if self.value else "no formato"
                return f"an Item has {got}: expected a media type of LexML part 4, annex 1"
            case RecordRule.AUTHORITY_UNKNOWN:
                return f"the authority {self.value!r} is not in the vocabularies: correct it, or load autoridade.csv"
            case RecordRule.OUTSIDE_PROFILE:
                part = "combination" if self.key is None else self.key.value
                return f"the profile of publisher {self.publisher} does not permit {self.value!r} ({part})"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a publisher may publish (LexML part 4, section 3.1). An empty part permits every value.

    Attributes:
        publisher: its number at LexML (``idPublicador``).
        places: places in the notation of names; one that ends in ``;*`` permits every place within it.
        authorities: authorities; each permits its own parts too (``supremo.tribunal.federal;turma.1``).
        types: types of documents; each permits its own subtypes too.
    """

    publisher: str
    places: tuple[str, ...] = ()
    authorities: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def missing(self, place: str, authority: str, kind: str) -> Iterator[tuple[ProfileKey, str]]:
        """Yield the parts of a name that the profile does not permit."""
        if self.places and not any(
            place == known or (known.endswith(";*") and place.startswith(known[:-1])) for known in self.places
        ):
            yield ProfileKey.PLACES, place
        for subject in authority.split(","):
            if self.authorities and not _permits(self.authorities, subject):
                yield ProfileKey.AUTHORITIES, subject
        if self.types and not _permits(self.types, kind):
            yield ProfileKey.TYPES, kind


def _permits(known: Iterable[str], value: str) -> bool:
    return any(value == each or value.startswith(f"{each};") for each in known)


@dataclass(frozen=True, slots=True)
class RecordRules:
    """The rules with their tables.

    Attributes:
        authorities: the authorities of the vocabularies, without their parts.
        organs: the first words of authorities and of their parts.
        profiles: the profiles of publishers; a publisher may have several, of which a record must follow one.
    """

    authorities: frozenset[str]
    organs: frozenset[str]
    profiles: tuple[Profile, ...] = ()

    @classmethod
    def of(cls, known: Vocabulary, profiles: Sequence[Profile] = ()) -> RecordRules:
        """Return the rules with the authorities of a vocabulary."""
        names = {
            subject
            for concept in known.concepts(Scheme.AUTORIDADE)
            for subject in concept.notation.split(",")  # the official list has joint authorities
        }
        organs = {part.partition(".")[0] for subject in names for part in subject.split(";")}
        return cls(
            frozenset(subject.partition(";")[0] for subject in names), frozenset(organs) | _ORGANS, tuple(profiles)
        )

    def findings(self, name: Name, items: Sequence[Item]) -> Iterator[RecordFinding]:
        """Yield the rules that a record does not follow.

        >>> from graph.urn import parse
        >>> norm = parse("urn:lex:br:ministerio.ficticio:portaria:2026-01-02;99901")
        >>> [(finding.rule.value, finding.value) for finding in built_in_rules().findings(norm, [])]
        [('item-missing', ''), ('authority-unknown', 'ministerio.ficticio')]

        Args:
            name: of the document.
            items: the items of the record that could be read.
        """
        if not items:
            yield RecordFinding(RecordRule.ITEM_MISSING)
        for form in dict.fromkeys(item.format for item in items if item.kind not in _NO_FILE):
            if form not in FORMATS:
                yield RecordFinding(RecordRule.FORMAT_UNKNOWN, form or "")
        if name.local.pais == "br":
            yield from self._unknown_authorities(name)
        for publisher in dict.fromkeys(item.publisher for item in items if item.publisher is not None):
            yield from self._outside_profile(name, publisher)

    def _unknown_authorities(self, name: Name) -> Iterator[RecordFinding]:
        """Yield the authorities that are not in the vocabularies.

        The vocabularies list the authorities of the federation. They do not list the organs of each state, municipality
        and court; there, the first word must be that of a known kind of organ.
        """
        for subject in name.autoridade:
            known = subject[0] in self.authorities
            if not known and name.local.detalhe:
                known = subject[0].partition(".")[0] in self.organs
            if not known:
                yield RecordFinding(RecordRule.AUTHORITY_UNKNOWN, ";".join(subject))

    def _outside_profile(self, name: Name, publisher: str) -> Iterator[RecordFinding]:
        own = [profile for profile in self.profiles if profile.publisher == publisher]
        place = ";".join((name.local.pais, *name.local.detalhe))
        authority, kind = ",".join(map(";".join, name.autoridade)), ";".join(name.tipo_documento)
        missing = [list(profile.missing(place, authority, kind)) for profile in own]
        if not missing or not all(missing):
            return
        if len(missing) > 1:
            yield RecordFinding(RecordRule.OUTSIDE_PROFILE, f"{place}:{authority}:{kind}", publisher)
            return
        for key, value in missing[0]:
            yield RecordFinding(RecordRule.OUTSIDE_PROFILE, value, publisher, key)


@cache
def built_in_rules() -> RecordRules:
    """Return the rules with the built-in vocabularies and without profiles."""
    return RecordRules.of(built_in())


#: The maximum size of a file of profiles, in bytes.
_LARGEST = 1 << 20


def read_profiles(path: Path) -> tuple[Profile, ...]:
    """Return the profiles of a TOML file (docs/reference/profiles.md).

    Raises:
        BadParameter: it cannot be read, or is not a file of profiles; the message says where.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(_LARGEST + 1)
        if len(raw) > _LARGEST:
            raise BadParameter(f"{path}: expected a file of at most {_LARGEST} bytes")
        document: Mapping[str, object] = tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        raise BadParameter(f"{path}: expected a readable TOML file: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadParameter(f"{path}: expected TOML in UTF-8: {error}") from None
    publishers = document.get("publishers")
    if not isinstance(publishers, dict) or len(document) > 1:
        others = ", ".join(sorted(document)) or "nothing"
        raise BadParameter(f"{path}: expected tables [publishers.NUMBER] only, got {others}")
    return tuple(
        _profile(f"{path}, [publishers.{number}]", number, table)
        for number, tables in publishers.items()
        for table in (tables if isinstance(tables, list) else [tables])
    )


def _profile(where: str, publisher: str, table: object) -> Profile:
    if not (publisher.isascii() and publisher.isdecimal()):
        raise BadParameter(f"{where}: expected the number of a publisher (idPublicador), got {publisher!r}")
    if not isinstance(table, dict) or not set(table) & set(ProfileKey):
        raise BadParameter(f"{where}: expected a table with some of {', '.join(ProfileKey)}")
    parts: dict[str, tuple[str, ...]] = {}
    for key, values in table.items():
        if key == "name" and isinstance(values, str):
            continue
        if key not in set(ProfileKey):
            raise BadParameter(f"{where}: expected the keys name, {', '.join(ProfileKey)}, got {key!r} = {values!r}")
        if not isinstance(values, list) or not values or not all(isinstance(each, str) for each in values):
            raise BadParameter(f"{where}: expected {key} to be a list of texts, got {values!r}")
        for each in values:
            _check_notation(where, ProfileKey(key), each)
        parts[key] = tuple(values)
    return Profile(publisher, **parts)


def _check_notation(where: str, key: ProfileKey, value: str) -> None:
    """Raise :class:`BadParameter` if a value is not written as in canonical names."""
    place = value.removesuffix(";*") if key is ProfileKey.PLACES else "br"
    authority = value if key is ProfileKey.AUTHORITIES else "federal"
    kind = value if key is ProfileKey.TYPES else "lei"
    text = f"urn:lex:{place}:{authority}:{kind}:2026-01-02;99901"
    try:
        canonical = parse(text).canonical
    except BadName as error:
        raise BadParameter(f"{where}: expected {key} in the notation of names, got {value!r}: {error}") from None
    if canonical != text:
        raise BadParameter(f"{where}: expected {key} in the notation of names, got {value!r} (written {canonical})")
