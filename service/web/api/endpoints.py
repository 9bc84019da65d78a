"""The endpoints of the API. One declaration serves the parser, the handler and the OpenAPI description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from graph.store import Store
from graph.store.caching import CachingStore, MemoizingStore
from graph.time.kinds import Axis
from queries.catalogue import Kind as QueryKind
from queries.catalogue import catalogue
from queries.full_text import LONGEST as LONGEST_QUERY
from queries.resolution.spelling import LONGEST, is_name
from queries.resolution.suggesting import LONGEST as LONGEST_BEGINNING
from queries.resolution.suggesting import MOST as MOST_SUGGESTED
from queries.text.diff import ORIGINAL
from service.web.api import operations
from service.web.api.operations import (
    CSV,
    DEFAULT_LIMIT,
    DEFAULT_SUGGESTIONS,
    FORMAT,
    JSON,
    MAX_LIMIT,
    Arguments,
    get_in_force_batch,
    get_search_page,
    get_suggestions,
    get_words,
)
from service.web.api.parameters import Alias, Kind, Parameter

#: The path prefix of the API.
PREFIX = "/api/v1/"
#: Citations in a text of more characters are found in a worker process.
_LONG_TEXT = 2_000
#: Longest ``text`` in a query string, in characters, so that the address stays within 64 KiB. Longer ones need POST.
_LONGEST_TEXT = 3_000
#: Seconds for which a cache may reuse suggestions; a harvest may change them.
_SUGGESTIONS_MAX_AGE = 300
#: Longest value of a parameter of a query, in characters, so that the address stays within 64 KiB; its largest number.
_LONGEST_VALUE, _LARGEST = 500, 999_999_999
#: Longest epigraph that is accepted, in characters.
_LONGEST_EPIGRAPH = 1_000

_CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
_NAME_ALIASES = (Alias("name"), Alias("nome"))

_NAME = Parameter(
    "urn",
    "A name `urn:lex:...` in any dialect, an incomplete name, a citation or a nickname.",
    required=True,
    example=_CODE,
    aliases=_NAME_ALIASES,
    longest=LONGEST,
)
_ANY_NAME = replace(_NAME, meaning=f"{_NAME.meaning} Without it, the answer is about the whole store.", required=False)
#: `name` is the name of an act in the same request.
_NAME_ALONE = replace(_NAME, aliases=(), example="urn:lex:br:federal:lei:2001-03-05;99916")
_PROPER_NAME = Parameter(
    "urn", "A name `urn:lex:...` in any dialect.", required=True, example=_CODE, aliases=_NAME_ALIASES, longest=LONGEST
)
_NAME_IN_PATH = Parameter(
    "name",
    "A name `urn:lex:...` in any dialect, an incomplete name, a citation or a nickname; percent-encoded once.",
    required=True,
    example=_CODE,
    longest=LONGEST,
    in_path=True,
)
_ON = Parameter(
    "on",
    "D: the day on which the text applies; default today.",
    Kind.DAY,
    example="1993-06-15",
    aliases=(
        Alias("vigente_em", MappingProxyType({"axis": Axis.FORCE.value})),
        Alias("eficaz_em", MappingProxyType({"axis": Axis.EFFICACY.value})),
    ),
)
_CITED_ON = Parameter(
    "on",
    "The day of the citation or text; it decides between norms with the same nickname.",
    Kind.DAY,
    example="2000-01-01",
    aliases=(Alias("vigente_em"),),
)
_ACT = (
    Parameter(
        "text",
        f"The act: plain text, HTML or LexML XML, of at most {_LONGEST_TEXT} characters; send a longer one by POST.",
        required=True,
        example="Art. 1º Fica revogado o art. 3º da Lei nº 99.916, de 5 de março de 2001.",
        longest=_LONGEST_TEXT,
    ),
    Parameter("name", "The name of the act, if its title does not contain it.", longest=LONGEST),
    Parameter("place", "The state or municipality of the act, if it does not state it: sp;campinas."),
    Parameter("authority", "The authority of an act whose type does not state it: camara.municipal."),
)
_TEXT_ON = Parameter("on", "The day of the text to change; default today.", Kind.DAY, example="2002-05-02")
_TEXT_POSTS = ("application/json", "text/plain")
_AS_KNOWN = Parameter(
    "as_known",
    "K: the day of knowledge; the answer uses only what was known on it. Not in the future; default today.",
    Kind.DAY,
    example="2007-01-10",
    aliases=(Alias("conhecido_em"),),
)
_AXIS = Parameter(
    "axis", "The axis of the answer: force or efficacy; default `force`.", Kind.WORD, example="force", words=tuple(Axis)
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the API.

    Attributes:
        path: the path after :data:`PREFIX`; ends with ``{NAME}`` where the path has the parameter NAME.
        operation: the operation id in the description.
        summary: what it answers.
        schema: the schema of its answer.
        several: the schema of its answer to a list or range of provisions; None if it answers no such name.
        parameters: the parameters of the path and of the query string.
        from_store: the function that answers from a store. Exactly one of it and ``without_store`` is set.
        without_store: the function that answers without one.
        is_slow: returns whether the arguments need a worker process, which can be killed.
        about: returns the store that keeps results about the norm of the question, or None. If it is warm, the answer
            takes less time than a switch to a thread.
        max_age: seconds for which a cache may reuse any answer; 0 for none.
        required_days: parameters that together fix the days of the question, so that a cache may reuse the answer.
        may_be_unknown: whether the name may be unknown (404).
        media: the media types of the answer, the default first; with several, ``format`` chooses.
        posts: media types that POST accepts at the same path: one text, if that is the first parameter, else a batch.
    """

    path: str
    operation: str
    summary: str
    schema: str
    parameters: tuple[Parameter, ...] = ()
    from_store: Callable[[Store, Arguments], object] | None = None
    without_store: Callable[[Arguments], object] | None = None
    is_slow: Callable[[Arguments], bool] = lambda _: False
    about: Callable[[CachingStore, Arguments], MemoizingStore | None] = lambda *_: None
    max_age: int = 0
    required_days: tuple[str, ...] = ()
    may_be_unknown: bool = False
    posts: tuple[str, ...] = ()
    several: str | None = None
    media: tuple[str, ...] = (JSON,)

    @property
    def prefix(self) -> str:
        """The path before its parameter, or the whole path."""
        return PREFIX + self.path.partition("{")[0]

    @property
    def task_type(self) -> str:
        """The type of its task."""
        return f"api.{self.path}"

    @property
    def takes_text(self) -> bool:
        """Whether POST takes a text in the body."""
        return bool(self.posts) and self.parameters[0].name == "text"

    def run(self, store: Store, arguments: Arguments) -> object:
        """Return the document of the answer."""
        if self.from_store is not None:
            return self.from_store(store, arguments)
        assert self.without_store is not None  # noqa: S101 - one of both is declared
        return self.without_store(arguments)


def _always(_: Arguments) -> bool:
    return True


def _in_words(arguments: Arguments) -> bool:
    """Return whether the argument is not a name, so that it must be interpreted first."""
    return not is_name(str(arguments["urn"]))


def _is_long(arguments: Arguments) -> bool:
    return len(str(arguments["text"])) > _LONG_TEXT


_WORK_PARAMETERS = (
    Parameter("type", "Type of document: lei, decreto-lei, acórdão.", example="lei", aliases=(Alias("tipo"),)),
    Parameter(
        "authority",
        "The issuing authority, in full or as an acronym: federal, STF; without a place, of any place.",
        aliases=(Alias("autoridade"),),
    ),
    Parameter(
        "place",
        "A country, a unit of the federation or a municipality: SP, Campinas - SP, br;sao.paulo;campinas.",
        aliases=(Alias("local"),),
    ),
    Parameter(
        "year", "Year of the document.", Kind.INTEGER, example=1990, aliases=(Alias("ano"),), least=1500, most=2199
    ),
)
_LIMIT = Parameter(
    "limit",
    f"Maximum number of candidates per page; default {DEFAULT_LIMIT}.",
    Kind.INTEGER,
    example=10,
    least=1,
    most=MAX_LIMIT,
)
_SEARCH_PARAMETERS = (
    *_WORK_PARAMETERS,
    Parameter("number", "Number, with or without dots.", example="8.078", aliases=(Alias("numero"),)),
    Parameter("date", "Date of the document.", Kind.DAY, example="1990-09-11", aliases=(Alias("data"),)),
    Parameter("words", "An epigraph, a citation or a nickname; not words of the text.", aliases=(Alias("palavras"),)),
    Parameter(
        "q",
        "Words of titles, nicknames, summaries and texts; a phrase in quotation marks, `-word`, `begin*`.",
        longest=LONGEST_QUERY,
    ),
    Parameter("on", "D, with `q`: only words that apply on that day.", Kind.DAY, aliases=(Alias("vigente_em"),)),
    Parameter("as_known", "K, with `q`: only what was known on that day.", Kind.DAY, aliases=(Alias("conhecido_em"),)),
    Parameter("in_force", "With `q`: only words and norms in force on D.", Kind.WORD, words=("true", "false")),
    Parameter(
        "norm",
        "With `q`: only this norm, by name, citation or nickname; `limit` counts its provisions.",
        aliases=(Alias("norma"),),
    ),
    _LIMIT,
    Parameter("after", "The `next` of an earlier page of the same search.", longest=1_000),
)

#: The query of the example.
_QUERY = catalogue()["amending_acts"]
_KINDS = {QueryKind.DATE: Kind.DAY, QueryKind.INTEGER: Kind.INTEGER}
#: The parameters of the queries of the catalogue. A query refuses those that it does not declare.
_QUERY_PARAMETERS = tuple(
    Parameter(
        name,
        parameter.meaning,
        _KINDS.get(parameter.kind, Kind.TEXT),
        example=parameter.example if parameter in _QUERY.parameters else None,
        longest=_LONGEST_VALUE,
        most=_LARGEST,
    )
    for name, parameter in {
        parameter.name: parameter for query in (*catalogue().values(), _QUERY) for parameter in query.parameters
    }.items()
)

#: Every endpoint, in the order of the description.
ENDPOINTS = (
    Endpoint(
        "in-force",
        "inForce",
        "Which version was in force on D, as known on K, and why",
        "InForce",
        (_NAME, _ON, _AS_KNOWN, _AXIS),
        from_store=operations.get_in_force,
        is_slow=_in_words,
        about=operations.about_norm,
        required_days=("on", "as_known"),
        may_be_unknown=True,
        posts=("application/json",),
        several="SeveralInForce",
    ),
    Endpoint(
        "norms/{name}",
        "showNorm",
        "The dossier of a norm on D, as known on K: status, texts, reasons, contradictions, effects, related acts, "
        "sources",
        "Dossier",
        (_NAME_IN_PATH, _ON, _AS_KNOWN, _AXIS),
        from_store=operations.get_dossier,
        is_slow=_always,
        required_days=("on", "as_known"),
        may_be_unknown=True,
    ),
    Endpoint(
        "coverage",
        "coverage",
        "What the store has of a norm, or of all: sources and their last days, texts, amending acts, what is missing",
        "Coverage",
        (_ANY_NAME,),
        from_store=operations.get_coverage,
        is_slow=_always,
        may_be_unknown=True,
    ),
    Endpoint(
        "timeline",
        "timeline",
        "All versions on both axes, and the events that made them",
        "Timeline",
        (_NAME,),
        from_store=operations.get_timeline,
        is_slow=_always,
        may_be_unknown=True,
    ),
    Endpoint(
        "text",
        "text",
        "How a norm or provision read on D, as known on K",
        "Text",
        (_NAME, _ON, _AS_KNOWN, _AXIS),
        from_store=operations.get_text,
        is_slow=_always,
        required_days=("on", "as_known"),
        may_be_unknown=True,
        several="SeveralTexts",
    ),
    Endpoint(
        "diff",
        "diff",
        "What changed from one day to another, provision by provision",
        "Diff",
        (
            _NAME,
            Parameter(
                "from",
                "The first day; or `original` for the text as published, whether it was in force or not.",
                Kind.DAY,
                required=True,
                example="1991-03-11",
                words=(ORIGINAL,),
            ),
            Parameter("to", "The second day.", Kind.DAY, required=True, example="1993-06-15"),
            _AS_KNOWN,
        ),
        from_store=operations.get_diff,
        is_slow=_always,
        required_days=("from", "to", "as_known"),
        may_be_unknown=True,
    ),
    Endpoint(
        "resolve",
        "resolve",
        "The norm that a name, a citation or a nickname identifies, or ranked candidates with reasons",
        "Resolution",
        (_NAME, _CITED_ON, _AS_KNOWN),
        from_store=operations.get_resolution,
        is_slow=_in_words,
        required_days=("on", "as_known"),
        may_be_unknown=True,
    ),
    Endpoint(
        "search",
        "search",
        "Norms by words of their texts (`q`), or works by type, authority, place, date, number, epigraph or nickname",
        "Search",
        _SEARCH_PARAMETERS,
        from_store=get_search_page,
        is_slow=_always,
    ),
    Endpoint(
        "words",
        "words",
        "Norms and provisions that have words in titles, nicknames, summaries or texts",
        "Words",
        (
            Parameter(
                "text",
                "Words. Accents, case and connectives are ignored. If no text has the last word, it may be a prefix.",
                required=True,
                example="proteção do consumidor",
                longest=1_000,
            ),
            *_WORK_PARAMETERS,
            _LIMIT,
        ),
        from_store=get_words,
        is_slow=_always,
    ),
    Endpoint(
        "suggest",
        "suggest",
        "Norms whose nicknames, names or titles begin with a text",
        "Suggestions",
        (
            Parameter(
                "text",
                "The beginning of the text. Accents, case, connectives and dots in numbers are ignored.",
                required=True,
                example="codigo de def",
                longest=LONGEST_BEGINNING,
            ),
            Parameter(
                "limit",
                f"Maximum number of suggestions; default {DEFAULT_SUGGESTIONS}.",
                Kind.INTEGER,
                example=5,
                least=1,
                most=MOST_SUGGESTED,
            ),
        ),
        from_store=get_suggestions,
        max_age=_SUGGESTIONS_MAX_AGE,
    ),
    Endpoint(
        "name/parse",
        "nameParse",
        "The parts of a name, with the field names of the grammar",
        "NameParts",
        (_PROPER_NAME,),
        without_store=operations.get_name_parts,
    ),
    Endpoint(
        "name/canonical",
        "nameCanonical",
        "The canonical spelling of a name",
        "NameCanonical",
        (_PROPER_NAME,),
        without_store=operations.get_canonical_name,
    ),
    Endpoint(
        "name/label",
        "nameLabel",
        "A name, or ids of provisions, in words: Portuguese and English",
        "NameLabel",
        (
            Parameter(
                "urn",
                "A name `urn:lex:...`, or ids of provisions separated by commas.",
                required=True,
                example=f"{_CODE}!art6_cpt_inc8",
                aliases=_NAME_ALIASES,
                longest=LONGEST,
            ),
            Parameter("context", "The id of the provision that contains the short label.", example="art6"),
        ),
        without_store=operations.get_label,
    ),
    Endpoint(
        "name/from-epigraph",
        "nameFromEpigraph",
        "The name that an epigraph states",
        "NameFromEpigraph",
        (
            Parameter(
                "text",
                "An epigraph.",
                required=True,
                example="LEI Nº 8.078, DE 11 DE SETEMBRO DE 1990",
                longest=_LONGEST_EPIGRAPH,
            ),
            Parameter("place", "The place of the authority, if it is not federal: sp;campinas."),
            Parameter("authority", "The issuing authority: STF, senado.federal."),
        ),
        without_store=operations.get_name_from_epigraph,
    ),
    Endpoint(
        "cite",
        "cite",
        "The citations in a text, each with its name and position",
        "Citations",
        (
            Parameter(
                "text",
                f"A text in Portuguese of at most {_LONGEST_TEXT} characters; send a longer one by POST.",
                required=True,
                example="Nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990.",
                longest=_LONGEST_TEXT,
            ),
            Parameter("norm", "The norm that contains the text: what `desta Lei` means.", example=_CODE, longest=1_000),
            Parameter("provision", "The id of the provision that contains the text.", example="art6_par1"),
            _CITED_ON,
            Parameter("place", "The state or municipality that the text is from: sp;campinas."),
        ),
        without_store=operations.get_citations,
        is_slow=_is_long,
        posts=_TEXT_POSTS,
    ),
    Endpoint(
        "blame",
        "blame",
        "Which act made each text that a norm or provision has on a day, and its earlier texts",
        "Blame",
        (_NAME, _ON),
        from_store=operations.get_blame,
        is_slow=_always,
        may_be_unknown=True,
    ),
    Endpoint(
        "disagreements",
        "disagreements",
        "Where sources and amending acts disagree on the text of a norm, or of all",
        "Disagreements",
        (_ANY_NAME,),
        from_store=operations.get_disagreements,
        is_slow=_always,
        may_be_unknown=True,
    ),
    Endpoint(
        "amendments",
        "amendments",
        "The operations of an amending act, and its texts that are not understood",
        "ActOperations",
        _ACT,
        without_store=operations.get_amendments,
        is_slow=_always,
        posts=_TEXT_POSTS,
    ),
    Endpoint(
        "apply",
        "apply",
        "The text of a norm after the operations of an act, with the outcome of each; nothing is stored",
        "Application",
        (*_ACT, _NAME_ALONE, _TEXT_ON),
        from_store=operations.get_application,
        is_slow=_always,
        may_be_unknown=True,
        posts=_TEXT_POSTS,
    ),
    Endpoint(
        "preview",
        "preview",
        "The norms of the store as if a bill were passed; nothing is stored",
        "BillPreview",
        (*_ACT, _TEXT_ON),
        from_store=operations.get_preview,
        is_slow=_always,
        posts=_TEXT_POSTS,
    ),
    Endpoint(
        "relations",
        "relations",
        "The acts that end, change or cite a norm, and those that it ends, changes or cites, as known on K",
        "Relations",
        (_NAME, _AS_KNOWN),
        from_store=operations.get_relations,
        is_slow=_always,
        may_be_unknown=True,
    ),
    Endpoint(
        "recent",
        "recent",
        "What changed in the norms of the store between two days, as known on K",
        "RecentChanges",
        (
            Parameter("from", "The first day; default 90 days before the second.", Kind.DAY, example="1993-05-01"),
            Parameter("to", "The second day, included; default today.", Kind.DAY, example="1993-09-30"),
            _AS_KNOWN,
        ),
        from_store=operations.get_recent,
        is_slow=_always,
        required_days=("from", "to", "as_known"),
    ),
    Endpoint(
        "stats",
        "stats",
        "The statistics of the store: statements, entities by class, and the last day of each provider",
        "Stats",
        from_store=operations.get_stats,
        is_slow=_always,
    ),
    Endpoint("queries", "queries", "The catalogue of queries", "Queries", without_store=operations.get_queries),
    Endpoint(
        "queries/{name}",
        "runQuery",
        "The answer of a query of the catalogue",
        "QueryResult",
        (
            Parameter("name", "The name of the query.", required=True, example=_QUERY.name, in_path=True),
            Parameter(FORMAT, "The format of the answer; default by `Accept`.", Kind.WORD, words=("json", "csv")),
            *_QUERY_PARAMETERS,
        ),
        from_store=operations.get_query_result,
        is_slow=_always,
        may_be_unknown=True,
        media=(JSON, CSV),
    ),
)

#: The task functions of the endpoints, by type.
TASKS: Mapping[str, Callable[[Store, Arguments], object]] = MappingProxyType(
    {**{endpoint.task_type: endpoint.run for endpoint in ENDPOINTS}, "api.in-force-batch": get_in_force_batch}
)
