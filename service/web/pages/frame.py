"""The frame of a page: its messages in two languages, its templates, its address and its parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from urllib.parse import quote, urlencode, urlsplit

import pyoxigraph as ox
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request

from graph.civil import Counting
from graph.errors import BadParameter
from graph.urn import parse_or_none
from graph.vocabulary import Vocabulary
from graph.wording.labels import is_feminine
from graph.wording.provisions import is_feminine_provision
from ontology.iris import ID
from ontology.namespaces import DCTERMS, RDFS, SKOS
from queries.catalogue import Column, Parameter
from queries.documents import document, read_document
from queries.related import Record
from service.output import shown
from service.web.cached_documents import asset_path
from service.web.http.name_paths import description_path, name_path
from service.web.http.negotiation import Language, best_language, parse_language
from service.web.pages.meanings import meaning, without_variables
from service.web.replies import address_of
from service.web.text_layout import DOTS, cut
from words.formats import day_in, number_in
from words.texts import FEMININE, texts_in

# The words of a page: its language, its messages, the labels of events and relations, and grammatical agreement.


def escape_invisible(value: object) -> object:
    """Return a value as a page prints it: text has its invisible characters escaped, Markup is unchanged.

    >>> escape_invisible("Lei\\u202e"), escape_invisible(Markup("<b>"))
    ('Lei\\\\u202e', Markup('<b>'))
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return shown(value, keep="\n")
    return value


def format_markup(template: str, /, *values: object, **named: object) -> Markup:
    """Return a trusted template with the values inserted. Text is escaped, Markup is unchanged."""
    given = {key: escape_invisible(value) for key, value in named.items()}
    return Markup(template).format(*map(escape_invisible, values), **given)  # noqa: S704 - templates are ours


@dataclass(frozen=True, slots=True)
class Messages:
    """The messages of the pages in one language."""

    language: Language

    def __call__(self, key: str, /, *contexts: str, **values: object) -> Markup:
        """Return a message with the values inserted. Text is escaped, Markup is unchanged.

        Args:
            key: the code of the message.
            contexts: as for :meth:`words.texts.Texts.text`.
            values: the fields of the message.

        Raises:
            KeyError: there is no such message, or a value that it needs is missing.
        """
        return format_markup(texts_in(self.language).text(key, *contexts), **values)

    def has(self, key: str) -> bool:
        """Return whether there is such a message."""
        return texts_in(self.language).has(key)

    def count(self, key: str, number: int, /, *contexts: str, **values: object) -> Markup:
        """Return the form of a message for a number, which is its field ``n``."""
        text = texts_in(self.language).text(key, *contexts, number=number)
        return format_markup(text, n=self.number(number), **values)

    def number(self, number: int) -> str:
        """Return a whole number with separators of thousands."""
        return number_in(self.language, number)

    def day(self, day: date) -> str:
        """Return a civil day as the language writes it."""
        return day_in(self.language, day)

    def written(self, day: date | str | None) -> str:
        """Return a civil day as a form field has it, dd/mm/yyyy in every language; empty for None.

        Text that is no day is unchanged, so that a reader can correct it.

        >>> Messages(Language.ENGLISH).written(date(1991, 3, 11)), Messages(Language.ENGLISH).written(None)
        ('11/03/1991', '')
        """
        if not day:
            return ""
        try:
            civil_day = date.fromisoformat(day) if isinstance(day, str) else day
        except ValueError:
            return str(day)
        return f"{civil_day:%d/%m/}{civil_day.year:04d}"

    def time(self, day: date) -> Markup:
        """Return a civil day as an HTML ``time`` element."""
        return format_markup('<time datetime="{}">{}</time>', day.isoformat(), self.day(day))


@cache
def words_in(language: Language) -> Messages:
    """Return the messages of a language."""
    return Messages(language)


def counted(counting: Counting, words: Messages) -> Markup:
    """Return the counting of a day in parentheses: the term and the day of publication.

    >>> from datetime import date
    >>> from graph.civil import Unit
    >>> portuguese = Messages(Language.PORTUGUESE)
    >>> str(counted(Counting(45, Unit.DAY, date(2002, 3, 11)), portuguese)).partition("<")[0]
    ' (contagem: 45 dias a partir de '
    """
    term, since = words.count(f"norm.term_{counting.unit.name.lower()}", counting.number), words.time(counting.since)
    if counting.counted is None:
        return words("norm.counted", term=term, day=since)
    return words("norm.counted_otherwise", term=term, day=since, counted=words.time(counting.counted))


_FILES = ("vigente.ttl", "eventos.ttl", "vocabularios.ttl")
_LABELS = frozenset({DCTERMS["title"], RDFS["label"], SKOS["prefLabel"]})


def label_of(iri: str, language: Language) -> str | None:
    """Return the label of a term, a vocabulary or a built-in value; None where the ontology does not have it.

    >>> label_of("https://w3id.org/vigente/vocab/evento/retificacao", Language.ENGLISH)
    'Rectification'
    """
    return _labels().get(iri, {}).get(language.value.lower())


@cache
def _labels() -> Mapping[str, Mapping[str, str]]:
    labels: dict[str, dict[str, str]] = {}
    for name in _FILES:
        text = files("ontology").joinpath(name).read_bytes()
        for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
            node, stated = quad.subject, quad.object
            if quad.predicate.value in _LABELS and isinstance(node, ox.NamedNode) and isinstance(stated, ox.Literal):
                labels.setdefault(node.value, {})[(stated.language or "").lower()] = stated.value
    return MappingProxyType(labels)


def gender(name: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the contexts in which a message agrees in gender with a norm or provision."""
    return (FEMININE,) if is_feminine_name(name, vocabulary) else ()


@lru_cache(maxsize=1 << 10)
def is_feminine_name(name: str, vocabulary: Vocabulary) -> bool:
    """Return whether the noun for a norm or provision is feminine in Portuguese; False for an invalid name."""
    read = parse_or_none(name)
    if read is None:
        return False
    if read.fragmento is None:
        return is_feminine(read, vocabulary)
    return is_feminine_provision(name.rpartition("!")[2])


# The frame of a page: its language, its address and its parameters.


#: The parameter with the language.
LANG = "lang"
#: The names of the parameter with the part of a long page.
_OF_PART = ("part", "parte")


@dataclass(frozen=True, slots=True)
class Frame:
    """The language and the address of one page.

    Attributes:
        language: the language of the page.
        has_language: whether the address has the language, so that the links of the page repeat it.
        path: the path of the page, percent-encoded.
        query: the parameters of its address without the language, each a name and a value.
        base: the address of the service, without a slash at its end.
    """

    language: Language
    has_language: bool
    path: str
    query: tuple[tuple[str, str], ...]
    base: str

    def to(self, path: str, **query: object) -> str:
        """Return the address of another page, in the language of this one.

        Args:
            path: the path, percent-encoded; it may have a query and a fragment.
            query: the parameters to add; None leaves a parameter out.
        """
        pairs = [(key.rstrip("_"), str(value)) for key, value in query.items() if value is not None]
        if self.has_language:
            pairs.append((LANG, self.language.value))
        return _with_query(path, pairs)

    def in_language(self, language: Language) -> str:
        """Return the address of this page in a language."""
        return _with_query(self.path, [*self.query, (LANG, language.value)])

    def here(self, part: int) -> str:
        """Return the address of another part of this page, without its ``format``."""
        kept = [(key, value) for key, value in self.query if key not in _OF_PART and key != "format"]
        return self.to(_with_query(self.path, kept), part=part)

    def with_(self, **query: object) -> str:
        """Return the address of the first part of this page with other parameters; None leaves a parameter out."""
        dropped = {*query, *_OF_PART, "format"}
        return self.to(
            _with_query(self.path, [(key, value) for key, value in self.query if key not in dropped]), **query
        )

    @property
    def own(self) -> str:
        """Return the address of this page, without a language."""
        return _with_query(self.path, self.query)

    def as_json(self) -> dict[str, object]:
        """Return the frame as values of JSON types, for another process."""
        return document(self)

    @classmethod
    def of_json(cls, stated: object) -> Frame:
        """Return the frame from the values of :meth:`as_json`."""
        return read_document(cls, stated)


def _with_query(path: str, pairs: object) -> str:
    assert isinstance(pairs, list | tuple)  # noqa: S101 - by the callers
    if not pairs:
        return path
    path, mark, fragment = path.partition("#")
    return f"{path}{'&' if '?' in path else '?'}{urlencode(pairs)}{mark}{fragment}"


def page_tag(tag: str, frame: Frame) -> str:
    """Return the entity tag of a page. The tag is weak, because the process that renders it may have a newer snapshot.

    Args:
        tag: a strong tag of the data that the page shows.
    """
    return f'W/{tag[:-1]}-{frame.language.value}"'


def vary_headers(frame: Frame | None) -> dict[str, str]:
    """Return the ``Vary`` header of an answer. A page also varies by language and has a ``Content-Language``."""
    if frame is None:
        return {"Vary": "Accept, Accept-Encoding"}
    return {"Vary": "Accept, Accept-Language, Accept-Encoding", "Content-Language": frame.language.value}


#: The characters of a raw path that our addresses keep. All others are percent-encoded.
_AS_THEY_ARE = "/:@!~$;,=%-._+"


def frame_of(request: Request) -> Frame:
    """Return the frame of the page that answers a request. The address of a problem page may have any content.

    An invalid ``lang`` is ignored here. The code that reads the parameters rejects it.
    """
    pairs = [(key, value) for key, value in request.query_params.multi_items() if key != LANG]
    stated: Language | None = None
    try:
        stated = parse_language(request.query_params[LANG]) if LANG in request.query_params else None
    except BadParameter:
        stated = None
    language = stated or best_language(", ".join(request.headers.getlist("accept-language")) or None)
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode("utf-8", "surrogateescape")
    path = "/" + quote(raw, safe=_AS_THEY_ARE).lstrip("/")
    return Frame(language, stated is not None, path, tuple(pairs), address_of(request))


# The templates of the pages, and the check of addresses from sources.


_SCHEMES = ("http", "https")
#: The maximum number of characters of an external address that becomes a link.
_LONGEST_ADDRESS = 2_000


def web_address(text: str | None) -> str | None:
    """Return an address of a source where a browser may follow it; else None, and the page shows it as text.

    >>> web_address("https://exemplo.vigente.invalid/a?b=c")
    'https://exemplo.vigente.invalid/a?b=c'
    >>> [web_address(text) for text in ("javascript:alert(1)", "//x.example", "https://a b.example/", "http://", None)]
    [None, None, None, None, None]
    """
    if text is None or len(text) > _LONGEST_ADDRESS or not text.isprintable() or " " in text or "\\" in text:
        return None
    try:
        parts = urlsplit(text)
        fit = parts.scheme in _SCHEMES and parts.hostname and parts.username is None
    except ValueError:
        fit = False
    return text if fit else None


#: The names of official publishers, by their domains and by the kinds of our IRIs for their files.
_PUBLISHERS: Mapping[str, str] = MappingProxyType(
    {
        "camara.leg.br": "Câmara dos Deputados",
        "constituicao": "Senado Federal",
        "in.gov.br": "Imprensa Nacional",
        "lexml.gov.br": "LexML Brasil",
        "normas": "Normas.leg.br",
        "normas.leg.br": "Normas.leg.br",
        "planalto": "Planalto",
        "planalto.gov.br": "Planalto",
        "senado": "Senado Federal",
        "senado.leg.br": "Senado Federal",
        "stf.jus.br": "Supremo Tribunal Federal",
        "tcu.gov.br": "Tribunal de Contas da União",
    }
)


#: The origin of a record that was made from several dated texts, as the loader writes it.
_STATES = re.compile(r"(\d+) states, (.+) to (.+)", re.DOTALL)


def origin_in_words(origin: str, words: Messages) -> str:
    """Return the origin of a record in the language of a page."""
    states = _STATES.fullmatch(origin)
    if states is None:
        return origin
    return str(words("common.states_loaded", n=states[1], first=states[2], last=states[3]).striptags())


def record_name(record: Record, words: Messages) -> str:
    """Return the name of a source record for readers: who states a fact, and of a file its name without its folder."""
    file = file_name(record.origin, words) if record.origin is not None else None
    if record.curator is not None:
        key = "norm.curated_fact" if file is None else "norm.curated_fact_file"
        return str(words(key, who=record.curator, file=file or "").striptags())
    if record.identifier is not None:
        return record.identifier
    return str(words("norm.file", file=file).striptags()) if file is not None else record.iri


def file_name(origin: str, words: Messages) -> str:
    """Return the name of the file of a record, without its folder, in the language of a page.

    >>> file_name("samples/facts/vidas-reais.toml", Messages(Language.PORTUGUESE))
    'vidas-reais.toml'
    """
    return origin_in_words(origin, words).rpartition("/")[2] or origin


def source_name(provider: str) -> str:
    """Return the name of a source for readers: that of an official publisher, or the host in its address.

    >>> source_name("https://legis.senado.leg.br/dadosabertos"), source_name("https://um.example/oai")
    ('Senado Federal', 'um.example')
    >>> source_name("https://w3id.org/vigente/id/planalto/00c9"), source_name("a curator")
    ('Planalto', 'a curator')
    """
    if provider.startswith(ID):
        return _PUBLISHERS.get(provider.removeprefix(ID).partition("/")[0], provider)
    try:
        host = urlsplit(provider if "//" in provider else f"//{provider}").hostname or provider
    except ValueError:
        return provider
    if "." not in host or " " in host or not host.isascii():
        return provider
    known = (name for domain, name in _PUBLISHERS.items() if host == domain or host.endswith(f".{domain}"))
    return next(known, host)


_VARIABLE = re.compile(r"\?([A-Za-z]\w*)", re.ASCII)


def labelled(declared: Parameter | Column, language: Language) -> str:
    """Return the label of a parameter or column of a query in the language of a page."""
    return declared.rotulo if language is Language.PORTUGUESE else declared.label


def variables(text: str, said: Mapping[str, str]) -> Markup:
    """Return a question with words in place of its variables; a variable without words stays, as code.

    >>> variables("Que versão em ?em, até ?outro?", {"em": "15/06/1993"})
    Markup('Que versão em <strong>15/06/1993</strong>, até <code class="variable">?outro</code>?')
    """
    markup, end = Markup(""), 0
    for match in _VARIABLE.finditer(text):
        markup += format_markup("{}", text[end : match.start()])
        words = said.get(match[1])
        if words is not None:
            markup += format_markup("<strong>{}</strong>", words)
        else:
            markup += format_markup('<code class="variable">{}</code>', match[0])
        end = match.end()
    return markup + format_markup("{}", text[end:])


#: Matches a tag, or the sign of a number of a norm or provision with the number.
_NUMBER = re.compile(r"<[^>]*>|(?:\bn[oº]s?|\bNos?\.|\barts?\.|§§?) \d[\w.ºª/-]*\w", re.IGNORECASE)


def unbroken(text: Markup | str) -> Markup:
    """Return words of a page in which no line ends between the sign of a number and the number.

    >>> unbroken("art. 57 da Lei")
    Markup('<span class="unbroken">art. 57</span> da Lei')
    """
    written = text if isinstance(text, Markup) else format_markup("{}", text)
    bound = _NUMBER.sub(lambda met: met[0] if met[0][0] == "<" else f'<span class="unbroken">{met[0]}</span>', written)
    return Markup(bound)  # noqa: S704 - the text is markup already


_CODE = re.compile(r"`([^`]+)`")


def with_code(text: str) -> Markup:
    """Return a description with its names between backticks as code.

    >>> with_code("default by `Accept`")
    Markup('default by <code>Accept</code>')
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - the text is escaped


@cache
def _environment() -> Environment:
    folder = files("service.web.pages").joinpath("templates")

    def load(name: str) -> str | None:
        file = folder.joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else None

    made = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=escape_invisible,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(asset=asset_path, dots=DOTS, languages=tuple(Language), meaning=meaning)
    made.filters.update(
        labelled=labelled,
        cut=cut,
        name_path=name_path,
        description_path=description_path,
        web_address=web_address,
        source_name=source_name,
        origin_in_words=origin_in_words,
        record_name=record_name,
        unbroken=unbroken,
        with_code=with_code,
        without_variables=without_variables,
    )
    return made


def prepare() -> None:
    """Compile every template. The process from which workers are forked calls it once."""
    made = _environment()
    for file in files("service.web.pages").joinpath("templates").iterdir():
        made.get_template(file.name)


def render(template: str, frame: Frame, **values: object) -> bytes:
    """Return a page in UTF-8.

    Args:
        template: the name of a file in ``templates``.
        values: the variables of the template.
    """
    return filled(template, frame=frame, words=words_in(frame.language), **values)


def filled(template: str, **values: object) -> bytes:
    """Return a document that is no page, in UTF-8; the arguments are those of :func:`render`."""
    return _environment().get_template(template).render(**values).encode("utf-8", "backslashreplace")
