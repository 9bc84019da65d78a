"""The class :class:`Name`: an immutable name of any dialect, with its IRI. :func:`parse` creates one from text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date, time
from functools import lru_cache

from graph.errors import BadName, BadParameter, Span
from graph.urn import brazil, rfc9676
from graph.urn.brazil import canonical, is_reference
from graph.urn.deviations import DEVIATIONS, SpellingCode
from graph.urn.scan import Refused, scan
from graph.urn.values import (
    Descritor,
    Deviation,
    Dialect,
    Forma,
    Fragmento,
    Kind,
    Local,
    Propriedade,
    Reading,
    RfcParts,
    Versao,
)

# Names as IRIs: percent-encodes characters that IRIs exclude, and decodes them (RFC 3987, section 2.2).


#: The percent-encoded form of each character that IRIs exclude (controls, space, ``"<>[\]^`{|}``), and of ``%``.
_OURS = r"%(?:[01][0-9A-F]|2[025]|3[CE]|5[B-E]|60|7[B-DF]|C2%[89][0-9A-F])"
_ENCODED = re.compile(_OURS, re.ASCII | re.IGNORECASE)
#: Matches what must be encoded. This includes a percent sign that encodes nothing or would be decoded by from_iri.
_FORBIDDEN = re.compile(
    rf'[\x00-\x20\x7f-\x9f"<>\[\\\]^`{{|}}]|%(?![0-9A-F][0-9A-F])|(?={_OURS})%', re.ASCII | re.IGNORECASE
)


@lru_cache(maxsize=1 << 12)
def to_iri(name: str) -> str:
    """Return the IRI of a name: only characters that IRIs exclude, and a bare ``%``, are percent-encoded in UTF-8.

    >>> to_iri("urn:lex:br:federal:lei:1990-09-11;8078@[1991-03-11,1993-09-08]")
    'urn:lex:br:federal:lei:1990-09-11;8078@%5B1991-03-11,1993-09-08%5D'
    """
    return _FORBIDDEN.sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), name)


def from_iri(iri: str) -> str:
    """Return the name of an IRI: ``from_iri(to_iri(name)) == name`` for every text.

    >>> from_iri("urn:lex:br:federal:lei:2000-12-06;126!%5Bart6,art10%5D")
    'urn:lex:br:federal:lei:2000-12-06;126![art6,art10]'
    """
    return _ENCODED.sub(lambda match: bytes.fromhex(match.group().replace("%", "")).decode(), iri)


# The name itself.


def parse(text: str) -> Name:
    """Return the name in a text of LexML 1.0, LexML 0.7 or RFC 9676, distinguished by country and separators.

    Invalid spellings are accepted only if their meaning is certain; they are listed in :attr:`Name.deviations`.

    >>> name = parse("urn:lex:br;sp:estadual:lei:1997-12-30;9990")
    >>> str(name), name.kind.value, name.normalisations
    ('urn:lex:br;sao.paulo:estadual:lei:1997-12-30;9990', 'complex', ('unit-spelled-out',))

    Raises:
        BadName: the text is not a name; the error has code, span, problem and the section of the specification.
    """
    return _parsed(text)


def parse_or_none(text: str) -> Name | None:
    """Return the name in a text, as :func:`parse`; None for another text."""
    try:
        return parse(text)
    except BadName:
        return None


@lru_cache(maxsize=1 << 11)
def _parsed(text: str) -> Name:
    """Parse a name, with a cache: many records and questions have the same name."""
    try:
        scanned = scan(text)
    except Refused as refused:
        raise _bad_name(refused, text, Span(refused.start, refused.end)) from None
    try:
        result = (brazil.read if scanned.brazilian else rfc9676.read)(scanned.body)
    except Refused as refused:
        raise _bad_name(refused, text, scanned.span(refused.start, refused.end)) from None
    normalised = scanned.normalised + result.normalised
    deviations: tuple[Deviation, ...] = ()
    if scanned.marks or result.marks:
        spans = [*scanned.marks, *((mark.code, scanned.span(mark.start, mark.end)) for mark in result.marks)]
        deviations = tuple(Deviation(code.value, DEVIATIONS[code], span) for code, span in spans)
    return _named(result.value, canonical(result.value), text, deviations, normalised)


#: The parts of a name that are empty in the name of a work.
_NOTHING_FURTHER = (None, None, None, None, None)
#: The parts of RFC 9676 for a name of Brazil: none.
_NO_RFC = RfcParts()


def _bad_name(refused: Refused, text: str, span: Span) -> BadName:
    return BadName(refused.problem, text, span=span, code=refused.code.value, section=refused.section)


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """A name of the ``lex`` namespace. Names are equal if their canonical texts are equal.

    Attributes:
        canonical: the canonical text of this name (LexML 1.0 part 2, section 1.4).
        text: the text as it was given; for a derived name its canonical text.
        dialect: the grammar by which it was read.
        local, autoridade, tipo_documento, descritor: the document (sections 6 to 10); ``autoridade`` has the
            subjects, each from institution to function.
        versao, forma, fragmento: None if the name has none (sections 11 to 13).
        propriedade: the property asked for, ``$vig=`` or ``$efi=`` (0.7, section 14.5).
        rfc: the parts that only names of RFC 9676 have; None for Brazil.
        deviations: spellings that no grammar allows, in the order found.
        normalisations: codes of allowed spellings that differ from the canonical text.
    """

    canonical: str
    text: str = field(compare=False)
    dialect: Dialect = field(compare=False)
    local: Local = field(compare=False)
    autoridade: tuple[tuple[str, ...], ...] = field(compare=False)
    tipo_documento: tuple[str, ...] = field(compare=False)
    descritor: Descritor = field(compare=False)
    versao: Versao | None = field(default=None, compare=False)
    forma: Forma | None = field(default=None, compare=False)
    fragmento: Fragmento | None = field(default=None, compare=False)
    propriedade: Propriedade | None = field(default=None, compare=False)
    rfc: RfcParts | None = field(default=None, compare=False)
    deviations: tuple[Deviation, ...] = field(default=(), compare=False)
    normalisations: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.canonical

    def __repr__(self) -> str:
        return f"Name({self.canonical!r})"

    @property
    def is_reference(self) -> bool:
        """Return whether the name is a reference, which identifies nothing (LexML 1.0 part 2, only Annex B)."""
        return is_reference(self)

    @property
    def kind(self) -> Kind:
        """Return what the name identifies (LexML 1.0 part 2, section 5.1). In RFC 9676 a version is an individual work,
        a language or manifestation an expression, a partition a fragment."""
        if self.is_reference:
            return Kind.REFERENCE
        rfc = self.rfc or _NO_RFC
        if self.fragmento is not None or rfc.particao is not None:
            return Kind.FRAGMENT
        if self.forma is not None or rfc.lingua is not None or rfc.manifestacao:
            return Kind.EXPRESSION
        if self.versao is not None or rfc.expressao:
            return Kind.INDIVIDUAL
        return Kind.COMPLEX

    @property
    def iri(self) -> str:
        """Return the canonical name as an IRI."""
        return to_iri(self.canonical)

    @property
    def work(self) -> Name:
        """Return the complex work: the name without version, form, fragment and property; annexes are kept."""
        further = self.versao, self.forma, self.fragmento, self.propriedade, self.rfc
        if further == _NOTHING_FURTHER and self.dialect is Dialect.LEXML_10 and self.text == self.canonical:
            return self
        return _work(self)

    @property
    def whole(self) -> Name:
        """Return the document that an annex or a rectification belongs to (10.3.2 to 10.3.4); else the work itself.

        >>> str(parse("urn:lex:br:federal:decreto:1980-08-18;85080;anexo.1,tratado.cooperacao.amazonica").whole)
        'urn:lex:br:federal:decreto:1980-08-18;85080'
        """
        if self.rfc is None and not self.descritor.componentes and self.descritor.retificacao is None:
            return self.work
        descritor = replace(self.descritor, componentes=(), retificacao=None)
        rfc = self.rfc and RfcParts(datas_locais=self.rfc.datas_locais)
        return _derived(self, _document(self)._replace(descritor=descritor, rfc=rfc))

    @property
    def individual(self) -> Name | None:
        """Return the name with its version, without form and fragment; None if it has no version.

        >>> str(parse("urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11~texto;pt-br!art43").individual)
        'urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11'
        """
        if self.rfc is not None and self.rfc.expressao:
            rfc = replace(self.rfc, lingua=None, manifestacao=(), particao=None)
            return _derived(self, _document(self)._replace(rfc=rfc))
        return None if self.versao is None else _derived(self, _document(self, versao=self.versao))

    @property
    def names_several(self) -> bool:
        """Return whether the fragment is a list or range of provisions (section 11).

        >>> work = "urn:lex:br:federal:lei:2021-04-01;14133"
        >>> [parse(f"{work}!{fragment}").names_several for fragment in ("art1", "art1,art3", "[art1,art3]")]
        [False, True, True]
        """
        parts = self.fragmento.partes if self.fragmento is not None else ()
        return len(parts) > 1 or any(not isinstance(part, str) for part in parts)

    @property
    def provision(self) -> Name | None:
        """Return the work with the fragment, without version and form; None if the name has no fragment."""
        if self.rfc is not None and self.rfc.particao is not None:
            rfc = replace(self.rfc, expressao=(), lingua=None, manifestacao=())
            return _derived(self, _document(self)._replace(rfc=rfc))
        return None if self.fragmento is None else _derived(self, _document(self, fragmento=self.fragmento))

    def with_versao(self, versao: Versao | None) -> Name:
        """Return the same name with another version, or without one.

        Raises:
            BadParameter: the value cannot be written as a version, or the name is one of RFC 9676.
        """
        return self._with_reading(_reading(self)._replace(dialect=Dialect.LEXML_10, versao=versao))

    def with_forma(self, forma: Forma | None) -> Name:
        """Return the same name with another form, or without one; raises as :meth:`with_versao`."""
        reading = _reading(self)._replace(forma=forma)
        if self.dialect is Dialect.LEXML_10 and (forma is None or _is_form(forma)):
            return _derived(self, reading)
        return self._with_reading(reading)

    def with_fragmento(self, fragmento: Fragmento | None) -> Name:
        """Return the same name with another fragment, or without one; raises as :meth:`with_versao`."""
        return self._with_reading(_reading(self)._replace(fragmento=fragmento))

    def with_evento(self, evento: str) -> Name:
        """Return the 1.0 name of a 0.7 name, given the event of its view (LexML 1.0 part 2, section 12.3).

        >>> old = parse("urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11!2007-01-10")
        >>> str(old.with_evento("retificacao"))
        'urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11;retificacao;2007-01-10'

        Raises:
            BadParameter: the text is not an event, or the name has no version to which an event can be added.
        """
        if self.versao is None:
            raise BadParameter(f"expected a name with a version, got {self.canonical}")
        return self.with_versao(replace(self.versao, evento=evento))

    def _with_reading(self, reading: Reading) -> Name:
        """Return the name of changed parts, if parsing its text returns the same parts."""
        if self.dialect is Dialect.RFC_9676:
            raise BadParameter(f"expected a name of br, got {self.canonical}")
        text = canonical(reading)
        try:
            changed = parse(text)
        except BadName as refused:
            raise BadParameter(f"{refused.problem} in {text}") from refused
        for given, read in (
            (reading.versao, changed.versao),
            (reading.forma, changed.forma),
            (reading.fragmento, changed.fragmento),
        ):
            if given != read:
                raise BadParameter(f"expected a value that a name can express, got {given!r}")
        return changed

    @property
    def version_date(self) -> date | None:
        """Return the date of the version; None if there is none, it is a word, or there are several dates."""
        if self.rfc is not None and self.rfc.expressao:
            first = self.rfc.expressao[0].partition("|")[0]
            return date.fromisoformat(first) if first[4:5] == "-" else None
        return self.versao.datas[0] if self.versao is not None and len(self.versao.datas) == 1 else None

    @property
    def view_date(self) -> date | None:
        """Return the date of the view; None if there is none or there are several."""
        return self.versao.visao[0] if self.versao is not None and len(self.versao.visao) == 1 else None

    @property
    def event(self) -> str | None:
        """Return the event of the view; None if it is not stated."""
        return None if self.versao is None else self.versao.evento

    @property
    def representative_date(self) -> date | None:
        """Return the date of the descriptor; None for a year, several dates, a period or no date (section 10.1)."""
        return self.descritor.datas[0] if len(self.descritor.datas) == 1 else None

    @property
    def representative_year(self) -> int | None:
        """Return the year of the descriptor; None if it has none, or dates of several years."""
        years = {day.year for day in self.descritor.datas}
        return years.pop() if len(years) == 1 else self.descritor.ano

    @property
    def oldest_day(self) -> date | None:
        """Return the earliest day that the descriptor allows: the document cannot be older; None without a date.

        >>> str(parse("urn:lex:br:federal:lei:1993;8656").oldest_day)
        '1993-01-01'
        """
        if self.representative_date is not None:
            return self.representative_date
        return date(self.representative_year, 1, 1) if self.representative_year else None

    def parts(self) -> dict[str, object]:
        """Return every part by its name in the grammar, as values for JSON: dates ``YYYY-MM-DD``, lists, texts, None.

        >>> found = parse("urn:lex:br:federal:lei:1990-09-11;8078@1991-03-11;publicacao;1990-09-12").parts()
        >>> found["evento"], found["visao"], found["kind"]
        ('publicacao', ['1990-09-12'], 'individual')
        """
        parts: dict[str, object] = {
            "canonical": self.canonical,
            "text": self.text,
            "dialect": self.dialect.value,
            "kind": self.kind.value,
            "evento": self.event,
            "visao": None if self.versao is None else _json_value(self.versao.visao),
        }
        for part in ("local", "autoridade", "tipo_documento", "descritor", "versao", "forma", "fragmento"):
            parts[part] = _json_value(getattr(self, part))
        for part in ("propriedade", "rfc", "deviations", "normalisations"):
            parts[part] = _json_value(getattr(self, part))
        return parts


def _json_value(value: object) -> object:
    """Return a value of dates, tuples and dataclasses as a value for JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, tuple):
        return [_json_value(item) for item in value]
    if is_dataclass(value):
        return {part.name: _json_value(getattr(value, part.name)) for part in fields(value)}
    return value


def _reading(name: Name) -> Reading:
    return Reading(
        name.dialect,
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor,
        name.versao,
        name.forma,
        name.fragmento,
        name.propriedade,
        name.rfc,
    )


def _document(name: Name, *, versao: Versao | None = None, fragmento: Fragmento | None = None) -> Reading:
    return Reading(
        name.dialect,
        name.local,
        name.autoridade,
        name.tipo_documento,
        name.descritor,
        versao,
        fragmento=fragmento,
    )


def _named(
    reading: Reading,
    named: str,
    text: str,
    deviations: tuple[Deviation, ...] = (),
    normalised: tuple[SpellingCode, ...] = (),
) -> Name:
    return Name(
        named,
        text,
        reading.dialect,
        reading.local,
        reading.autoridade,
        reading.tipo_documento,
        reading.descritor,
        reading.versao,
        reading.forma,
        reading.fragmento,
        reading.propriedade,
        reading.rfc,
        deviations,
        tuple(code.value for code in dict.fromkeys(normalised)),
    )


def _derived(name: Name, reading: Reading) -> Name:
    """Return the name of parts that were taken from a name, with the dialect of its canonical text.

    The text is parsed again unless it is a canonical text of 1.0, whose parts are known.
    """
    text = canonical(reading)
    if name.dialect is not Dialect.LEXML_10 or name.deviations:
        return parse(text)
    return _named(reading, text, text)


@lru_cache(maxsize=1 << 11)
def _work(name: Name) -> Name:
    """Return the work of a name, cached by name."""
    rfc = name.rfc and replace(name.rfc, expressao=(), lingua=None, manifestacao=(), particao=None)
    return _derived(name, _document(name)._replace(rfc=rfc) if rfc is not None else _document(name))


@lru_cache(maxsize=1 << 7)
def _is_form(forma: Forma) -> bool:
    """Return whether a form can be written, and parsing its text returns the same form."""
    reading = Reading(
        Dialect.LEXML_10, Local("br"), (("federal",),), ("lei",), Descritor(ano=1988, identificadores=("1",))
    )
    try:
        return parse(canonical(reading._replace(forma=forma))).forma == forma
    except BadName:
        return False
