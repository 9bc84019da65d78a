"""The operations of the API: functions from plain arguments to JSON documents, batches, and search with cursors."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as day_type
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, TypeAlias, cast

import orjson
import pyoxigraph as ox
from pydantic import Field

from graph.amendments import Amendments
from graph.civil import parse_day, today
from graph.errors import BadParameter, NoSuchProvision, StoreProblem, VigenteError
from graph.store import Store
from graph.store.caching import CachingStore, MemoizingStore
from graph.store.embedded import translating_engine_errors
from graph.time.kinds import Status
from graph.urn import Name, parse, parse_or_none
from graph.wording.labels import label
from queries.answers import Candidate, InForce, Resolution
from queries.catalogue import find as find_query
from queries.consolidation.applied import amendments_document, apply_in_store, preview_bill
from queries.consolidation.blame import blame
from queries.consolidation.disagreements import disagreements_on
from queries.coverage import coverage
from queries.documents import Notices, document
from queries.dossier import Dossier, dossier
from queries.evidence import records
from queries.full_text import FARTHEST, Facets, NamedTarget, NormMatch, SearchFilters, find
from queries.in_force import in_force
from queries.messages import why_unknown
from queries.naming import UNLESS_NONE
from queries.notices import CandidatesCut, Notice, NoVersionAnswers, ProvisionUnknown
from queries.question import days
from queries.questions import Asks, understood
from queries.recent import recent_changes
from queries.related_acts import relations
from queries.resolution.interpretation import cited_names, refuse_bad_question
from queries.resolution.searching import MOST_WORKS, SearchFields, search, search_words
from queries.resolution.suggesting import Suggestion, suggest
from queries.resolution.works import order_of
from queries.resolve import resolve
from queries.several import SeveralInForce, is_absent, several_in_force
from queries.several_texts import SeveralTexts, several_texts
from queries.statistics import stats
from queries.text.absent import located, missing_error, refusing_missing
from queries.text.answers import Difference, TextAnswer
from queries.text.diff import ORIGINAL, diff
from queries.text.text import text
from queries.timeline import timeline
from queries.vocabulary import vocabulary
from service.documents import (
    canonical_document,
    citations_document,
    context_of,
    epigraph_document,
    label_document,
    parts_document,
)
from service.results import queries_document, write_results
from service.web.api.parameters import Parameter, pairs_of_json, values_of
from service.web.http.negotiation import RESULTS
from service.web.http.problems import Problem, problem_of
from service.web.laid_out import text_on
from service.web.names.questions import answer_path
from service.web.tasks.messages import Answer, CappedBuffer

#: The media type of every answer.
JSON = "application/json"
#: The other media type of the answers of queries, and the parameter that chooses it.
CSV, FORMAT = "text/csv", "format"
#: Values of parameters by name.
Arguments: TypeAlias = Mapping[str, object]

#: Largest weight of a norm whose further answers are computed in the event loop. One takes at most three milliseconds;
#: a thread would wait longer for the interpreter lock.
_MAX_WEIGHT = 150


def encode_json(document: object) -> bytes:
    r"""Return a document as compact JSON in UTF-8. A lone surrogate, which UTF-8 cannot encode, is escaped.

    >>> encode_json({"text": "Lei nº 1 \ud800"})
    b'{"text":"Lei n\xc2\xba 1 \\ud800"}'
    """
    try:
        return orjson.dumps(document)
    except orjson.JSONEncodeError:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def get_in_force(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return which version was in force.

    Raises:
        BadName, BadDate, BadParameter: an argument is invalid.
        Problem: 404 ``unknown-name`` or ``no-such-provision`` with the answer as a member.
    """
    name, on, known, axis = (_text_argument(arguments, key) for key in ("urn", "on", "as_known", "axis"))
    several = several_in_force(store, name or "", on, known, axis)
    if several is not None:
        return _document_of_several(several)
    key = get_in_force, name, on, known, axis
    answer = store.memoized(key, lambda: located(store, in_force(store, name or "", on, known, axis), text_on))
    return _document_of(answer)


def about_norm(store: CachingStore, arguments: Arguments) -> MemoizingStore | None:
    """Return the store with results about the norm of a question, by its exact name, if few records are about it."""
    name = parse_or_none(str(arguments["urn"]))
    if name is None or name.fragmento is not None or name.rfc is not None:
        return None
    noted = store.about(name.work.iri, today())
    return noted if 0 < noted.summary(name.work.iri).weight <= _MAX_WEIGHT else None


def get_dossier(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the dossier of a norm; raises as :func:`get_in_force`."""
    name, on, known, axis = (_text_argument(arguments, key) for key in ("name", "on", "as_known", "axis"))
    refuse_bad_question(name or "", on, known, axis)
    return _document_of(dossier(store, name or "", on, known, axis, reading=text_on))


def get_text(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the text of a norm or provision; raises as :func:`get_in_force`."""
    name, on, known, axis = (_text_argument(arguments, key) for key in ("urn", "on", "as_known", "axis"))
    refuse_bad_question(name or "", on, known, axis)
    several = several_texts(store, name or "", on, known, axis)
    if several is not None:
        return _document_of_several(several)
    return _document_of(located(store, text(store, name or "", on, known, axis), text_on))


def get_timeline(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return all versions of a norm; raises as :func:`get_in_force`, and UnknownName."""
    name = str(arguments["urn"])
    refuse_bad_question(name)
    with refusing_missing(store):
        return timeline(store, name).as_json()


def get_coverage(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return what the store has of a norm, or of all; raises BadName and UnknownName."""
    name = _text_argument(arguments, "urn")
    if name is not None:
        refuse_bad_question(name)
    return coverage(store, name).as_json()


def get_blame(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return which act made each text; raises as :func:`get_timeline`."""
    name, on = str(arguments["urn"]), _day_argument(arguments, "on")
    refuse_bad_question(name, on)
    with refusing_missing(store):
        return blame(store, name, on).as_json()


def get_disagreements(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return where sources and amending acts disagree; raises BadName and UnknownName."""
    name = _text_argument(arguments, "urn")
    if name is not None:
        refuse_bad_question(name)
    return {"rows": [document(row) for row in disagreements_on(store, name)]}


def get_relations(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the acts with relations to a norm; raises BadName, NotYetKnown and UnknownName."""
    name, known = str(arguments["urn"]), _text_argument(arguments, "as_known")
    refuse_bad_question(name, as_known=known)
    return relations(store, name, known).as_json()


def get_recent(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return what changed between two days. Raises BadParameter."""
    first, last = _day_argument(arguments, "from"), _day_argument(arguments, "to")
    return recent_changes(store, first, last, days(None, _text_argument(arguments, "as_known")).as_known).as_json()


def get_stats(store: Store, _: Arguments) -> dict[str, object]:
    """Return the statistics of the store."""
    return stats(store).as_json()


def get_amendments(arguments: Arguments) -> object:
    """Return the operations of an act. Raises BadName, BadParameter."""
    return amendments_document(_act(arguments))


def get_preview(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the norms of the store after a bill. Raises BadName, BadParameter."""
    return preview_bill(store, _act(arguments), _day_argument(arguments, "on")).as_json()


def get_application(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return a norm after the operations of an act. Raises BadName, BadParameter, UnknownName."""
    name = str(arguments["urn"])
    refuse_bad_question(name)
    applied = apply_in_store(store, name, [_act(arguments)], _day_argument(arguments, "on"))
    if applied is None:
        raise BadParameter(f"expected urn to be a norm with a text in the store for that day, got {name}")
    return applied.as_json()


def _act(arguments: Arguments) -> Amendments:
    """Return the operations of the act in the argument ``text``."""
    from loaders.acts_in_files import read_act  # noqa: PLC0415 - slow to import; few questions need it
    from loaders.articulated.issuer import Origin  # noqa: PLC0415

    name, place, authority = (_text_argument(arguments, key) for key in ("name", "place", "authority"))
    raw = str(arguments["text"]).encode("utf-8", "surrogatepass")
    return read_act(raw, "text", name, Origin.of(place, authority))


def _day_argument(arguments: Arguments, key: str) -> day_type | None:
    text = _text_argument(arguments, key)
    return parse_day(text) if text is not None else None


def get_diff(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the changes between two days, from the cache of the pages; raises as :func:`get_in_force`."""
    asked, known = str(arguments["urn"]), _text_argument(arguments, "as_known")
    refuse_bad_question(asked, str(arguments["to"]), known)
    until, first = parse_day(str(arguments["to"])), str(arguments["from"])
    since = ORIGINAL if first == ORIGINAL else parse_day(first)
    name = _name_without_version(store, asked)
    if name is None or (not isinstance(since, str) and until < since):
        return _document_of(diff(store, asked, since, until, known))
    return _document_of(diff(store, name, since, until, days(until, known).as_known, reading=text_on))


def _name_without_version(store: Store, asked: str) -> Name | None:
    """Return the known norm or provision whose canonical name, without a version, is the text; else None."""
    name = parse_or_none(asked)
    if name is None:
        return None
    plain = name.text == name.canonical == (name.provision or name.work).canonical
    return name if plain and records(store, name.iri) else None


def get_resolution(store: Store, arguments: Arguments) -> dict[str, object]:
    """Return the resolution of a name, citation or nickname; raises as :func:`get_in_force`."""
    name, on, known = str(arguments["urn"]), _text_argument(arguments, "on"), _text_argument(arguments, "as_known")
    refuse_bad_question(name, as_known=known)
    return _document_of(resolve(store, name, known, on))


def _text_argument(arguments: Arguments, key: str) -> str | None:
    value = arguments.get(key)
    return None if value is None else str(value)


def _document_of(answer: InForce | TextAnswer | Difference | Resolution | Dossier) -> dict[str, object]:
    """Return the document of an answer.

    Raises:
        Problem: 404: the name is unknown, the norm has no such provision, or the text has no candidates.
    """
    led = isinstance(answer, Resolution) and bool(answer.candidates or any(map(_explains_no_version, answer.notices)))
    refusal = _missing_error_of(answer)
    if refusal is not None:
        problem = problem_of(refusal)
        problem.more["answer"] = answer.as_json()
        raise problem
    if not led and (isinstance(answer, Resolution) or answer.is_unknown):
        raise Problem(404, "unknown-name", _reason_unknown(answer.notices), more={"answer": answer.as_json()})
    return answer.as_json()


def _missing_error_of(answer: InForce | TextAnswer | Difference | Resolution | Dossier) -> NoSuchProvision | None:
    """Return the error of a provision that its norm does not have; None for all other answers."""
    if isinstance(answer, Difference):
        last = answer.until.isoformat()
        return NoSuchProvision(answer.name, last, answer.nearest) if answer.lacks_provision else None
    if isinstance(answer, Resolution):
        reason = next((notice for notice in answer.notices if isinstance(notice, NoVersionAnswers)), None)
        if reason is None or reason.status is not Status.NO_SUCH_PROVISION:
            return None
        lacking = (notice.nearest for notice in answer.notices if isinstance(notice, ProvisionUnknown))
        return NoSuchProvision(reason.name, reason.on.isoformat(), next(lacking, None))
    return missing_error(answer.day.answer if isinstance(answer, Dossier) else answer)


def _document_of_several(several: SeveralInForce | SeveralTexts) -> dict[str, object]:
    """Return the document of the answers for several provisions.

    Raises:
        Problem: 404: no source has any of them.
    """
    if all(map(is_absent, several.answers)):
        errors = [error for error in map(missing_error, several.answers) if error is not None]
        detail = f"no source in this store has a provision of {several.name}"
        problem = Problem(404, "provision-unknown", detail)
        if errors and len(errors) == len(several.answers):
            problem = problem_of(errors[0])
        problem.more["answer"] = several.as_json()
        raise problem
    return several.as_json()


def _reason_unknown(notices: tuple[Notice, ...]) -> str:
    return why_unknown(notices) or "no source in this store mentions the name"


def _explains_no_version(notice: Notice) -> bool:
    """Return whether a notice explains why no version answers for a known name."""
    return isinstance(notice, NoVersionAnswers) and not notice.status.names_nothing


def get_name_parts(arguments: Arguments) -> object:
    """Return the parts of a name. Raises BadName."""
    return parts_document(str(arguments["urn"]))


def get_canonical_name(arguments: Arguments) -> object:
    """Return the canonical spelling of a name. Raises BadName."""
    return canonical_document(str(arguments["urn"]))


def get_label(arguments: Arguments) -> object:
    """Return a name in words. Raises BadName, BadParameter."""
    return label_document(str(arguments["urn"]), _text_argument(arguments, "context"))


def get_name_from_epigraph(arguments: Arguments) -> object:
    """Return the name that an epigraph states. Raises BadEpigraph, BadParameter."""
    return epigraph_document(
        str(arguments["text"]), _text_argument(arguments, "place"), _text_argument(arguments, "authority")
    )


def get_citations(arguments: Arguments) -> object:
    """Return the citations in a text. Raises BadName, BadParameter."""
    context = context_of(
        _text_argument(arguments, "norm"),
        _text_argument(arguments, "provision"),
        _day_argument(arguments, "on"),
        place=_text_argument(arguments, "place"),
    )
    return citations_document(str(arguments["text"]), context)


def get_queries(_: Arguments) -> object:
    """Return the catalogue of queries."""
    return queries_document()


def get_query_result(store: Store, arguments: Arguments) -> Answer:
    """Return the answer of a query of the catalogue, as SPARQL JSON or CSV.

    Args:
        arguments: ``name`` of the query; ``format``, ``json`` or ``csv``; and the parameters of the query.

    Raises:
        BadParameter, NotYetKnown: a value is missing, not declared or invalid.
        Problem: 404 ``unknown-address``: there is no such query; 413 ``answer-too-large``.
    """
    query = find_query(str(arguments["name"]))
    if query is None:
        raise Problem(404, "unknown-address", "there is no query of that name; /api/v1/queries lists the queries")
    values = {key: value for key, value in arguments.items() if key not in ("name", FORMAT)}
    answer = query.answer(store, {**values, **cited_names(store, query, values)})
    assert isinstance(answer, ox.QuerySolutions)  # noqa: S101 - every query of the catalogue is a SELECT
    media, written = CSV if arguments.get(FORMAT) == "csv" else JSON, CappedBuffer()
    with translating_engine_errors():
        write_results(answer, written, RESULTS[media])
    return Answer(written.getvalue(), media)


# Batches: many questions in one request, each answered in order by its document or by a problem document.


#: A question of a batch in plain values: its arguments under ``asked``, or its problem document under ``refused``.
Question: TypeAlias = Mapping[str, Mapping[str, object]]


def read_questions(document: object, parameters: Sequence[Parameter], most: int) -> list[Question]:
    """Return the questions of a body: ``{"names": [...], "on", "as_known", "axis"}``, or a list of questions.

    Args:
        document: the parsed body.
        parameters: the parameters of one question. A body has them by their names, not by aliases.
        most: the maximum number of questions of a request.

    Returns:
        For each question, its arguments or its problem document.

    Raises:
        Problem: 413 ``too-many-questions``; 400 and 422 for another body, or an invalid shared value.
    """
    own = [replace(parameter, aliases=()) for parameter in parameters]
    if isinstance(document, list):
        _check_count(len(document), most)
        return [_read_question(entry, own) for entry in document]
    if not isinstance(document, dict) or not isinstance(document.get("names"), list):
        raise Problem(422, "bad-parameter", 'expected {"names": [...]} or a list of questions')
    names = document["names"]
    _check_count(len(names), most)
    named, days = ([parameter for parameter in own if (parameter.name == "urn") is wanted] for wanted in (True, False))
    shared = pairs_of_json({key: value for key, value in document.items() if key != "names"}, days)
    shared_values = values_of(days, shared)
    return [_read_question({"urn": name}, named, shared_values) for name in names]


def _check_count(count: int, most: int) -> None:
    if count > most:
        raise Problem(413, "too-many-questions", f"expected at most {most} questions, got {count}")


def _read_question(
    document: object, parameters: Sequence[Parameter], shared: Mapping[str, object] = MappingProxyType({})
) -> Question:
    """Return one question by parameter names, or the problem that it would be as a single request.

    Args:
        shared: values that all questions share.
    """
    try:
        return {"asked": {**values_of(parameters, pairs_of_json(document, parameters)), **shared}}
    except Problem as problem:
        return {"refused": problem.document()}


def get_in_force_batch(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the answers to ``questions``, in order. A repeated question is answered once.

    Args:
        arguments: ``questions``, the result of :func:`read_questions`, and ``seconds``, the time limit. A question
            that is not started in time gets the problem ``time-limit`` instead of an answer.
    """
    questions = cast("Sequence[Question]", arguments["questions"])
    seconds = cast("float", arguments["seconds"])
    until = time.process_time() + seconds
    unanswered = Problem(
        504, "time-limit", f"not started within {seconds:g} seconds: send it in another request"
    ).document()
    answers: dict[str, object] = {}

    def answer(question: Question) -> object:
        if "refused" in question:
            return question["refused"]
        asked = repr(sorted(question["asked"].items()))
        if asked not in answers:
            answers[asked] = _answer_or_problem(store, question["asked"]) if time.process_time() < until else unanswered
        return answers[asked]

    return {"answers": [answer(question) for question in questions]}


def join_answers(answers: Sequence[Answer]) -> Answer:
    """Join the answers to the parts of a batch into one, equal to that of :func:`get_in_force_batch` for the whole.

    >>> json = "application/json"
    >>> join_answers([Answer(b'{"answers":[1,2]}', json), Answer(b'{"answers":[3]}', json)]).body
    b'{"answers":[1,2,3]}'
    """
    begin, end = b'{"answers":[', b"]}"
    inner = b",".join(answer.body.removeprefix(begin).removesuffix(end) for answer in answers)
    return Answer(begin + inner + end, answers[0].media)


def _answer_or_problem(store: Store, question: Mapping[str, object]) -> dict[str, object]:
    try:
        return get_in_force(store, question)
    except Problem as problem:
        return problem.document()
    except StoreProblem:
        raise
    except VigenteError as error:
        return problem_of(error).document()


# Search: works by identification, with a cursor that stays valid when the store grows; texts by words; suggestions.


#: Default and largest number of candidates of a page.
DEFAULT_LIMIT, MAX_LIMIT = 20, 100
#: Default number of suggestions.
DEFAULT_SUGGESTIONS = 8
_FIELDS = ("type", "authority", "place", "year", "number", "date", "words")

_WORK_FIELDS = ("type", "authority", "place", "year")
_TEXT_SEARCH_FIELDS = ("on", "as_known", "in_force", "norm")

_SortKey: TypeAlias = tuple[float, int, int, str]
_Total: TypeAlias = Annotated[int, Field(ge=0)] | None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The arguments of a search; None for each one that was not given."""

    type: str | None
    authority: str | None
    place: str | None
    year: int | None
    number: str | None
    date: day_type | None
    words: str | None
    q: str | None = None
    on: day_type | None = None
    as_known: day_type | None = None
    in_force: bool | None = None
    norm: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The page that answers a question in words.

    Attributes:
        asks: what the question asks for.
        name: canonical name of the norm or provision that it is about.
        address: the path of the page.
    """

    asks: Asks
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of the works that match the arguments, or of the norms that have the words of ``q``.

    Attributes:
        asked: the arguments.
        candidates: matching works, best first; empty with ``q``.
        total: how many works match; None where not all were compared.
        facets: how many norms have each type, year and place; None without ``q``.
        results: norms that have the words of ``q``, best first.
        every_word: whether each result has all the words; None without ``q``.
        in_one_provision: whether each of their provisions has all the words; None without ``q``.
        suggestion: a query with results, where a word of ``q`` is unknown; else None.
        meant: norms with the nickname ``q``, including those that the store does not have.
        next: ``after`` of the next page; None on the last page.
        steps: how the arguments were interpreted.
        notices: which arguments were not understood.
        answered: the page that answers ``q``, where it is a question in words or a nickname of one norm.
    """

    asked: SearchRequest
    candidates: tuple[Candidate, ...]
    total: _Total
    facets: Facets | None
    results: tuple[NormMatch, ...]
    every_word: bool | None
    in_one_provision: bool | None
    suggestion: str | None
    meant: tuple[NamedTarget, ...]
    next: str | None
    steps: tuple[str, ...]
    notices: Notices
    answered: Annotated[Answered | None, UNLESS_NONE] = None


@dataclass(frozen=True, slots=True)
class WordsRequest:
    """The arguments of a search by words; None for each one that was not given."""

    text: str
    type: str | None
    authority: str | None
    place: str | None
    year: int | None


@dataclass(frozen=True, slots=True)
class WordFound:
    """A norm or provision that has the words.

    Attributes:
        name: the norm or provision, canonical.
        label: the name in words, in Portuguese.
        version: the version that has the words.
        excerpt: the text around the words.
        every_word: whether it has all the words.
        score: the relevance; comparable only within one answer.
        source: the record that states the words.
    """

    name: str
    label: str | None
    version: str | None
    excerpt: str
    every_word: bool
    score: Annotated[float, Field(ge=0)]
    source: str


@dataclass(frozen=True, slots=True)
class WordsFound:
    """The norms and provisions that have some of the words.

    Attributes:
        asked: the arguments.
        found: the results, best first.
        total: how many there are; None where not all were compared.
    """

    asked: WordsRequest
    found: tuple[WordFound, ...]
    total: _Total


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Completions of an incomplete text.

    Attributes:
        asked: the text.
        suggestions: the completions, best first.
    """

    asked: str
    suggestions: tuple[Suggestion, ...]


def get_search_page(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return a page of matching works, best first; with equal scores the higher place, then the newest, is first.

    With ``q`` it is a page of the norms that have its words, as :func:`queries.full_text.find` orders them.

    Args:
        arguments: the fields of :class:`queries.resolution.searching.SearchFields` (``date`` for its day), or ``q``
            with ``type``, ``authority``, ``place``, ``year``, ``on``, ``as_known``, ``in_force`` and ``norm``. In both
            cases also ``limit``, and ``after``: the ``next`` of an earlier page of the same search.

    Raises:
        BadParameter: the arguments are too few, a value is invalid, or the cursor is of another search.
    """
    if arguments.get("q") is not None:
        return _text_search_page(store, arguments)
    extra = [key for key in _TEXT_SEARCH_FIELDS if arguments.get(key) is not None]
    if extra:
        raise BadParameter(f"expected q, the words to search for, together with {' and '.join(extra)}")
    criteria = {key: arguments.get(key) for key in _FIELDS}
    texts = {
        key: None if value is None else str(value) for key, value in criteria.items() if key not in ("year", "date")
    }
    day = parse_day(str(criteria["date"])) if criteria["date"] is not None else None
    sought = SearchFields(year=cast("int | None", criteria["year"]), day=day, **texts)
    result = search(store, sought)
    question = sha256(json.dumps(criteria, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    ranked = list(result.matches)
    after = arguments.get("after")
    if after is not None:
        passed = _read_cursor(str(after), question)
        ranked = [match for match in ranked if order_of(match) > passed]
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    page = ranked[:limit]
    words = vocabulary(store)
    cut = () if result.complete else (CandidatesCut(looked_at=MOST_WORKS),)
    return document(
        SearchPage(
            SearchRequest(sought.type, sought.authority, sought.place, sought.year, sought.number, day, sought.words),
            tuple(
                Candidate(match.name.canonical, label(match.name, vocabulary=words), match.score, match.why)
                for match in page
            ),
            len(result.matches) if result.complete else None,
            None,
            (),
            None,
            None,
            None,
            (),
            _encode_cursor([question, *order_of(page[-1])]) if len(ranked) > limit else None,
            result.steps,
            (*result.notices, *cut),
        )
    )


def _text_search_page(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return a page of the norms that have the words of ``q``."""
    extra = [key for key in ("number", "date", "words") if arguments.get(key) is not None]
    if extra:
        raise BadParameter(f"expected q without {' and '.join(extra)}, which belong to the search without q")
    text = str(arguments["q"])
    kind, authority, place = (None if (value := arguments.get(key)) is None else str(value) for key in _WORK_FIELDS[:3])
    narrowed = SearchFilters(
        on=parse_day(str(arguments["on"])) if arguments.get("on") is not None else None,
        as_known=parse_day(str(arguments["as_known"])) if arguments.get("as_known") is not None else None,
        type=kind,
        authority=authority,
        place=place,
        year=cast("int | None", arguments.get("year")),
        in_force=arguments.get("in_force") == "true",
        norm=None if (norm := arguments.get("norm")) is None else str(norm),
    )
    criteria = {key: arguments.get(key) for key in ("q", *_WORK_FIELDS, *_TEXT_SEARCH_FIELDS)}
    question = sha256(json.dumps(criteria, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    after = arguments.get("after")
    offset = _read_offset_cursor(str(after), question) if after is not None else 0
    asked = understood(store, text, today()) if narrowed == SearchFilters() else None
    answer = find(store, text, narrowed, limit=cast("int", arguments.get("limit", DEFAULT_LIMIT)), offset=offset)
    return document(
        SearchPage(
            SearchRequest(
                *(kind, authority, place, narrowed.year, None, None, None, text),
                narrowed.on,
                narrowed.as_known,
                narrowed.in_force,
                narrowed.norm,
            ),
            (),
            answer.total,
            answer.facets,
            answer.results,
            answer.every_word,
            answer.in_one_provision,
            answer.suggestion,
            answer.meant,
            _encode_cursor([question, answer.next_offset]) if answer.next_offset is not None else None,
            (),
            (),
            Answered(asked.asks, asked.name, answer_path(asked)) if asked is not None else None,
        )
    )


def _read_offset_cursor(cursor: str, question: str) -> int:
    match _decode_cursor(cursor):
        case [str(of), int(offset)] if of == question and 0 <= offset <= FARTHEST:
            return offset
        case _:
            raise _bad_cursor()


def get_words(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the norms and provisions that have some of the words, best first.

    Args:
        arguments: ``text`` and ``limit``, and the fields ``type``, ``authority``, ``place`` and ``year`` of
            :class:`queries.resolution.searching.SearchFields`.

    Raises:
        BadParameter: a value is invalid.
    """
    fields = {key: arguments.get(key) for key in _WORK_FIELDS}
    kind, authority, place = (None if fields[key] is None else str(fields[key]) for key in _WORK_FIELDS[:3])
    within = SearchFields(type=kind, authority=authority, place=place, year=cast("int | None", fields["year"]))
    text = str(arguments["text"])
    word_matches, complete = search_words(store, text, within)
    limit = cast("int", arguments.get("limit", DEFAULT_LIMIT))
    known = vocabulary(store)
    return document(
        WordsFound(
            WordsRequest(text, kind, authority, place, within.year),
            tuple(
                WordFound(
                    word_match.name,
                    label(parse(word_match.name), vocabulary=known),
                    word_match.version,
                    word_match.excerpt,
                    word_match.every,
                    round(word_match.score, 3),
                    word_match.record,
                )
                for word_match in word_matches[:limit]
            ),
            len(word_matches) if complete else None,
        )
    )


def get_suggestions(store: Store, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the norms whose names or nicknames begin with a text.

    Args:
        arguments: ``text``; ``limit``.
    """
    text = str(arguments["text"])
    suggestions = suggest(store, text, cast("int", arguments.get("limit", DEFAULT_SUGGESTIONS)))
    return document(Suggestions(text, suggestions))


def _read_cursor(cursor: str, question: str) -> _SortKey:
    match _decode_cursor(cursor):
        case [str(of), int() | float() as score, int(depth), int(day), str(name)] if of == question:
            return float(score), depth, day, name
        case _:
            raise _bad_cursor()


def _encode_cursor(place: list[object]) -> str:
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _decode_cursor(cursor: str) -> object:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return json.loads(urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, RecursionError):
        raise _bad_cursor() from None


def _bad_cursor() -> BadParameter:
    return BadParameter("expected after to be the `next` of an earlier page of the same search")
