"""The endpoints, declared once: what parses their parameters, answers them and describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graph.entities import Axis
from graph.store import Store
from queries.full_text import LONGEST as LONGEST_QUERY
from queries.resolution.interpretation import LONGEST, is_name
from queries.resolution.suggesting import LONGEST as LONGEST_BEGINNING
from queries.resolution.suggesting import MOST as MOST_SUGGESTED
from service.web.api import operations
from service.web.api.operations import (
    DEFAULT_LIMIT,
    DEFAULT_SUGGESTIONS,
    MAX_LIMIT,
    Arguments,
    get_in_force_batch,
    get_search_page,
    get_suggestions,
    get_words,
)
from service.web.api.parameters import Alias, Kind, Parameter

#: Where the API begins.
PREFIX = "/api/v1/"
#: A text to be read for citations is worked on in a process of its own from this many characters on.
_LONG_TEXT = 2_000
#: Longest ``text`` in a query string, in characters, so that any address stays within 64 KiB; longer ones are posted.
_LONGEST_TEXT = 3_000
#: How long a suggestion may be kept, in seconds: a harvest may bring others.
_SUGGESTIONS_MAX_AGE = 300
#: Longest epigraph that is looked at.
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
    "D: the day on which it applies; today where it is left out.",
    Kind.DAY,
    example="1993-06-15",
    aliases=(
        Alias("vigente_em", MappingProxyType({"axis": Axis.FORCE.value})),
        Alias("eficaz_em", MappingProxyType({"axis": Axis.EFFICACY.value})),
    ),
)
_CITED_ON = Parameter(
    "on",
    "The day of the citation or text: it decides between norms that had one nickname.",
    Kind.DAY,
    example="2000-01-01",
    aliases=(Alias("vigente_em"),),
)
_AS_KNOWN = Parameter(
    "as_known",
    "K: only what was known on that day counts; not in the future, today where it is left out.",
    Kind.DAY,
    example="2007-01-10",
    aliases=(Alias("conhecido_em"),),
)
_AXIS = Parameter("axis", "The clock to read; `force` where it is left out.", Kind.AXIS, example="force")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One question that the API answers.

    Attributes:
        path: behind :data:`PREFIX`; ends with ``{NAME}`` where a parameter of that name is in it.
        operation: its name in the description.
        summary: what it answers.
        schema: the schema of its answer.
        parameters: of the query string.
        of_store: what answers from a store; or
        of_nothing: what answers without one.
        lasts: whether a question is worked on in a process that can be killed.
        quick: whether a question that doesn't last is answered sooner than a thread could be found for it.
        fresh: for how many seconds a cache may keep the answer whatever it asks; 0 for none.
        exact: parameters that, all given, fix the days of the question: a cache may keep its answer for a while.
        says_404: whether the name may be unknown.
        posts: media types that a POST to the same path takes.
    """

    path: str
    operation: str
    summary: str
    schema: str
    parameters: tuple[Parameter, ...] = ()
    from_store: Callable[[Store, Arguments], object] | None = None
    without_store: Callable[[Arguments], object] | None = None
    is_slow: Callable[[Arguments], bool] = lambda _: False
    quick: Callable[[Store, Arguments], bool] = lambda *_: False
    max_age: int = 0
    required_days: tuple[str, ...] = ()
    may_be_unknown: bool = False
    posts: tuple[str, ...] = ()

    @property
    def prefix(self) -> str:
        """What stands in the address before the parameter in its path, or the whole of it."""
        return PREFIX + self.path.partition("{")[0]

    @property
    def task_type(self) -> str:
        """The kind of task that it is."""
        return f"api.{self.path}"

    def run(self, store: Store, arguments: Arguments) -> object:
        """The document, from a store or from nothing."""
        if self.from_store is not None:
            return self.from_store(store, arguments)
        assert self.without_store is not None  # noqa: S101 - one of both is declared
        return self.without_store(arguments)


def _always(_: Arguments) -> bool:
    return True


def _in_words(arguments: Arguments) -> bool:
    """Whether a text in the place of a name has to be understood first."""
    return not is_name(str(arguments["urn"]))


def _is_long(arguments: Arguments) -> bool:
    return len(str(arguments["text"])) > _LONG_TEXT


_WORK_PARAMETERS = (
    Parameter("type", "Type of document: lei, decreto-lei, acórdão.", example="lei", aliases=(Alias("tipo"),)),
    Parameter(
        "authority",
        "Who issued it, in full or as an acronym: federal, STF; of any place where none is said.",
        aliases=(Alias("autoridade"),),
    ),
    Parameter(
        "place",
        "A country, a unit of the federation or a town: SP, Campinas - SP, br;sao.paulo;campinas.",
        aliases=(Alias("local"),),
    ),
    Parameter(
        "year", "Year of the document.", Kind.INTEGER, example=1990, aliases=(Alias("ano"),), least=1500, most=2199
    ),
)
_LIMIT = Parameter(
    "limit",
    f"Candidates of a page; {DEFAULT_LIMIT} where it is left out.",
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
    Parameter("on", "D, beside `q`: only words that apply on that day.", Kind.DAY, aliases=(Alias("vigente_em"),)),
    Parameter(
        "as_known", "K, beside `q`: only what was known on that day.", Kind.DAY, aliases=(Alias("conhecido_em"),)
    ),
    Parameter("in_force", "Beside `q`: only words and norms in force on D.", Kind.FLAG),
    _LIMIT,
    Parameter("after", "The `next` of an earlier page of the same question.", longest=1_000),
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
        quick=operations.is_quick,
        required_days=("on", "as_known"),
        may_be_unknown=True,
        posts=("application/json",),
    ),
    Endpoint(
        "norms/{name}",
        "showNorm",
        "All about a norm on D, as known on K: status, texts, reasons, contradictions, effects, related acts, sources",
        "Dossier",
        (_NAME_IN_PATH, _ON, _AS_KNOWN, _AXIS),
        from_store=operations.get_dossier,
        is_slow=_always,
        required_days=("on", "as_known"),
        may_be_unknown=True,
    ),
    Endpoint(
        "timeline",
        "timeline",
        "All versions with both clocks, and the events behind them",
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
    ),
    Endpoint(
        "diff",
        "diff",
        "What changed from one day to another, provision by provision",
        "Diff",
        (
            _NAME,
            Parameter("from", "The first day.", Kind.DAY, required=True, example="1991-03-11"),
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
        "What a name, a citation or a nickname leads to: itself, or ranked candidates with reasons",
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
                "Words; accents, case and connectives don't count; the last may be cut short if nothing has it whole.",
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
        "Norms whose nicknames, names or titles begin with what is written so far",
        "Suggestions",
        (
            Parameter(
                "text",
                "What is written so far; accents, case, connectives and dots in numbers don't count.",
                required=True,
                example="codigo de def",
                longest=LONGEST_BEGINNING,
            ),
            Parameter(
                "limit",
                f"Suggestions at most; {DEFAULT_SUGGESTIONS} where it is left out.",
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
        "Every part of a name, under the names of the grammar",
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
        "A name in words, Portuguese and English; also ids of provisions alone",
        "NameLabel",
        (
            Parameter(
                "urn",
                "A name `urn:lex:...`, or ids of provisions with commas between them.",
                required=True,
                example=f"{_CODE}!art6_cpt_inc8",
                aliases=_NAME_ALIASES,
                longest=LONGEST,
            ),
            Parameter("context", "The id of the provision that the short words stand in.", example="art6"),
        ),
        without_store=operations.get_label,
    ),
    Endpoint(
        "name/from-epigraph",
        "nameFromEpigraph",
        "The name that an epigraph spells",
        "NameFromEpigraph",
        (
            Parameter(
                "text",
                "An epigraph.",
                required=True,
                example="LEI Nº 8.078, DE 11 DE SETEMBRO DE 1990",
                longest=_LONGEST_EPIGRAPH,
            ),
            Parameter("place", "Where it is of, if not federal: sp;campinas."),
            Parameter("authority", "Who issued it: STF, senado.federal."),
        ),
        without_store=operations.get_name_from_epigraph,
    ),
    Endpoint(
        "cite",
        "cite",
        "The citations in a running text, with what each means and where it stands",
        "Citations",
        (
            Parameter(
                "text",
                f"A text in Portuguese of at most {_LONGEST_TEXT} characters; a longer one comes by POST.",
                required=True,
                example="Nos termos do art. 6º, VIII, da Lei nº 8.078, de 11 de setembro de 1990.",
                longest=_LONGEST_TEXT,
            ),
            Parameter("norm", "The norm that the text is of: what `desta Lei` means.", example=_CODE, longest=1_000),
            Parameter("provision", "The id of the provision that the text is of.", example="art6_par1"),
            _CITED_ON,
            Parameter("place", "The state or municipality that the text is from: sp;campinas."),
        ),
        without_store=operations.get_citations,
        is_slow=_is_long,
        posts=("application/json", "text/plain"),
    ),
    Endpoint("queries", "queries", "The catalogue of queries", "Queries", without_store=operations.get_queries),
)

#: The functions by which the endpoints are tasks, by kind.
TASKS: Mapping[str, Callable[[Store, Arguments], object]] = MappingProxyType(
    {**{one.task_type: one.run for one in ENDPOINTS}, "api.in-force-batch": get_in_force_batch}
)
