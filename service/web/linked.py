"""Linked data: terms, vocabularies, queries, descriptions, and the dataset itself."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from weakref import WeakKeyDictionary

import anyio
import pyoxigraph as ox
from anyio.abc import TaskGroup

from graph.civil import parse_day
from graph.errors import StoreProblem, VigenteError
from graph.store import Store
from graph.store.embedded import translating_engine_errors
from graph.store.published import HARVEST
from graph.terms import to_engine
from graph.vocabulary import BUILT_IN_FILES, Scheme
from loaders.harvest.state import State, kept_states, written
from ontology.describing import CSVW, DCAT, FOAF, SH, VOID
from ontology.iris import ID, VOCAB, provider_iri, vocab_iri
from ontology.namespaces import DCTERMS, NAMESPACES, PROV, RDF, RDFS, SCHEMA, SKOS, VIG, XSD
from queries.catalogue import Column, Kind, Parameter, Query, named
from service.web.http.problems import Problem
from service.web.settings import DatasetSettings
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task

# The kind of task that counts what a snapshot holds.


def count_statements(store: Store, _: Mapping[str, object]) -> Answer:
    """The task: count a snapshot. Takes no arguments.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    classes = {str(row["classe"]): row["entidades"] for row in named("statistics").rows(store)}
    rows = named("statistics_of_properties").rows(store)
    properties = {str(row["propriedade"]): row["declaracoes"] for row in rows}
    (subjects,) = (row["sujeitos"] for row in named("statistics_of_subjects").rows(store))
    return Answer(json.dumps([classes, properties, subjects]).encode(), "application/json")


# Statements that the service makes of itself: triples from terms of the closed namespaces.


_Value = str | int | date | datetime | ox.NamedNode | ox.BlankNode | ox.Literal


def iri(text: str) -> ox.NamedNode:
    """An IRI as a term."""
    return ox.NamedNode(text)


@dataclass(slots=True)
class Statements:
    """Triples, in the making."""

    triples: list[ox.Triple] = field(default_factory=list)

    def say(self, subject: ox.NamedNode | ox.BlankNode, *said: tuple[str, _Value]) -> None:
        """State properties of a subject; a ``str`` is a text, numbers, days and moments are typed."""
        self.triples.extend(ox.Triple(subject, iri(name), _term(value)) for name, value in said)

    def be(self, subject: ox.NamedNode | ox.BlankNode, kind: str, *said: tuple[str, _Value]) -> None:
        """State the class of a subject, and its properties."""
        self.say(subject, (RDF["type"], iri(kind)), *said)

    def part(self, whole: ox.NamedNode, link: str, *said: tuple[str, _Value]) -> None:
        """State something without a name of its own, and to what it belongs; the same is the same every time."""
        digest = sha256("\x1f".join([whole.value, link, *(f"{name} {_term(value)}" for name, value in said)]).encode())
        node = ox.BlankNode(f"b{digest.hexdigest()[:24]}")
        self.say(whole, (link, node))
        self.say(node, *said)


def _term(value: _Value) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, datetime):
        return ox.Literal(value.isoformat(timespec="seconds"), datatype=iri(XSD["dateTime"]))
    if isinstance(value, date):
        return ox.Literal(value.isoformat(), datatype=iri(XSD["date"]))
    return ox.Literal(value) if isinstance(value, str | int) else value


# How much a snapshot holds, counted once, by a task of its own: on a large store that takes a while.


#: The kind of task that counts (:data:`service.web.task_types.KINDS`).
TASK = "statistics"
#: Seconds that counting may take.
_LONGEST = 900.0
#: Seconds for which who asks first waits for the count, before the answer goes without it.
_WORTH_WAITING = 2.0
_LOG = logging.getLogger("vigente.statistics")


@dataclass(frozen=True, slots=True)
class Statistics:
    """How much a snapshot holds.

    Attributes:
        classes: entities by class.
        properties: statements by property; what several sources state counts for each of them.
        subjects: how many distinct things anything is stated of.
    """

    classes: Mapping[str, int]
    properties: Mapping[str, int]
    subjects: int

    @property
    def statements(self) -> int:
        """All statements."""
        return sum(self.properties.values())


class StatisticsKept:
    """The statistics of each snapshot that was asked for; one count at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: WeakKeyDictionary[Store, Statistics | None] = WeakKeyDictionary()
        self._under_way: WeakKeyDictionary[Store, anyio.Event] = WeakKeyDictionary()

    async def of(self, store: Store, group: TaskGroup) -> Statistics | None:
        """The statistics of a snapshot, or None: not counted yet, or not to be counted.

        Args:
            store: the snapshot.
            group: where counting goes on when nobody waits for it any more.
        """
        if store not in self._known:
            ended = self._under_way.get(store)
            if ended is None:
                ended = self._under_way[store] = anyio.Event()
                group.start_soon(self._count, store, ended)
            with anyio.move_on_after(_WORTH_WAITING):
                await ended.wait()
        return self._known.get(store)

    async def _count(self, store: Store, ended: anyio.Event) -> None:
        try:
            answer = await self._pool.run(Task(TASK, {}, client=TASK, seconds=_LONGEST))
            self._known[store] = Statistics(*json.loads(answer.body))
        except Problem as problem:
            if problem.code not in ("busy", "too-many-requests"):  # another time, then
                self._known[store] = None
            _LOG.warning("the snapshot is not counted: %s", problem.code)
        except VigenteError:
            self._known[store] = None
            _LOG.warning("the snapshot is not counted: it cannot be read")
        finally:
            self._under_way.pop(store, None)
            ended.set()


# How far the sources reach: the newest datestamp of each provider, and what each harvest has heard.


_KNOWN: WeakKeyDictionary[Store, tuple[tuple[str, date], ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Watermarks:
    """How far the sources reach.

    Attributes:
        known_up_to: by provider, the newest day that its records are stamped with.
        harvests: what is remembered of each list that is harvested.
    """

    known_up_to: tuple[tuple[str, date], ...]
    harvests: tuple[State, ...]


def watermarks(store: Store, folder: Path) -> Watermarks:
    """How far the sources of a snapshot reach; what the store says is read once for each snapshot.

    Args:
        store: the snapshot.
        folder: the folder of the store, where harvests keep their state; one that cannot be read tells nothing.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    known = _KNOWN.get(store)
    if known is None:
        rows = named("providers").rows(store)
        known = _KNOWN[store] = tuple((str(row["provedor"]), _day(row["horizonte"])) for row in rows)
    try:
        harvests = tuple(kept_states(folder / HARVEST))
    except (OSError, StoreProblem):
        harvests = ()
    return Watermarks(known, harvests)


def _day(value: object) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))


# The vocabularies as SKOS: what comes with the project, and what the store holds besides.


_IN_SCHEME = iri(SKOS["inScheme"])


def all_schemes(store: Store) -> list[ox.Triple]:
    """The vocabularies themselves, without their values."""
    return [triple for each in Scheme for triple in _about(store, iri(VOCAB + each))]


def scheme(store: Store, name: str) -> list[ox.Triple]:
    """A vocabulary with all its values and groups; empty where there is none of that name.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    if name not in set(Scheme):
        return []
    whole = iri(VOCAB + name)
    members = {triple.subject for triple in _built_in() if triple.predicate == _IN_SCHEME and triple.object == whole}
    with translating_engine_errors():
        members.update(quad.subject for quad in store.engine.quads_for_pattern(None, _IN_SCHEME, whole, None))
    named = [member for member in members if isinstance(member, ox.NamedNode)]
    return [triple for subject in (whole, *named) for triple in _about(store, subject)]


def concept(store: Store, of: str, notation: str) -> list[ox.Triple]:
    """A value of a vocabulary; empty where nobody knows it.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    try:
        found = _about(store, iri(vocab_iri(of, notation)))
    except ValueError:  # no text that an IRI could hold
        return []
    kinds = {triple.object for triple in found if triple.predicate == iri(RDF["type"])}
    return found if iri(SKOS["Concept"]) in kinds else []


def _about(store: Store, subject: ox.NamedNode) -> list[ox.Triple]:
    """What the project and the store say of a subject."""
    with translating_engine_errors():
        held = {quad.triple for quad in store.engine.quads_for_pattern(subject, None, None, None)}
    return [*_by_subject().get(subject, ()), *held]


@cache
def _built_in() -> tuple[ox.Triple, ...]:
    texts = (files("ontology").joinpath(name).read_bytes() for name in BUILT_IN_FILES)
    return tuple(quad.triple for text in texts for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


@cache
def _by_subject() -> dict[ox.NamedNode, list[ox.Triple]]:
    found: dict[ox.NamedNode, list[ox.Triple]] = {}
    for triple in _built_in():
        if isinstance(triple.subject, ox.NamedNode):
            found.setdefault(triple.subject, []).append(triple)
    return found


# The queries of the catalogue as resources (SHACL, section 5.3), with their parameters (section 5.2.1) and columns.
#
# Columns are those of a table as the W3C describes tables for CSV (Metadata Vocabulary for Tabular Data, sections 5.5
# and 5.6), which is one of the formats that answers come in.


#: Where the queries of the catalogue live.
QUERIES = "https://w3id.org/vigente/queries/"
_DATATYPES = {Kind.DATE: XSD["date"], Kind.INTEGER: XSD["integer"], Kind.STRING: XSD["string"]}


def executable(query: Query) -> list[ox.Triple]:
    """A query with its text, what it answers and does not, parameters and columns; all of the catalogue are SELECT.

    ``schema:position`` is its place among the questions of research (docs/reference/queries.md), where it answers one
    of them.
    """
    made = Statements()
    subject = iri(QUERIES + query.name)
    made.be(
        subject,
        SH["SPARQLSelectExecutable"],
        (RDF["type"], iri(SH["SPARQLExecutable"])),
        (DCTERMS["identifier"], query.name),
        (DCTERMS["title"], ox.Literal(query.titulo, language="pt-BR")),
        (DCTERMS["title"], ox.Literal(query.title, language="en")),
        (RDFS["comment"], ox.Literal(query.pergunta, language="pt-BR")),
        (RDFS["comment"], ox.Literal(query.question, language="en")),
        *((SCHEMA["position"], number) for number in query.competency),
        (SH["select"], query.text),
    )
    for limits, language in ((query.limites, "pt-BR"), (query.limits, "en")):
        if limits is not None:
            made.say(subject, (DCTERMS["description"], ox.Literal(limits, language=language)))
    for order, parameter in enumerate(query.parameters):
        made.part(subject, SH["parameter"], *_said(query, parameter, order))
    _table(made, subject, (*query.parameters, *query.columns))
    return made.triples


def _table(made: Statements, query: ox.NamedNode, columns: Sequence[Parameter | Column]) -> None:
    """The columns of the answer, the parameters first, in their order: a list that begins again with each."""
    schema = iri(f"{query.value}#colunas")
    name = query.value.removeprefix(QUERIES)
    rests = [ox.BlankNode(f"colunas-{name}-{number}") for number in range(1, len(columns) + 1)]
    following: list[ox.BlankNode | ox.NamedNode] = [*rests[1:], iri(RDF["nil"])]
    made.say(query, (CSVW["tableSchema"], schema))
    made.be(schema, CSVW["Schema"], (CSVW["column"], rests[0]))
    for column, item, rest in zip(columns, rests, following, strict=True):
        node = iri(f"{query.value}#coluna-{column.name}")
        made.say(item, (RDF["first"], node), (RDF["rest"], rest))
        made.be(
            node,
            CSVW["Column"],
            (CSVW["name"], column.name),
            (CSVW["datatype"], iri(_DATATYPES.get(column.kind, XSD["anyURI"]))),
            (DCTERMS["description"], ox.Literal(column.meaning, language="en")),
        )


def _said(query: Query, parameter: Parameter, order: int) -> list[tuple[str, ox.NamedNode | ox.Literal]]:
    """A parameter: the local name of its path is its variable (SHACL, section 5.2.1)."""
    iri_valued = parameter.kind is Kind.IRI
    said: list[tuple[str, ox.NamedNode | ox.Literal]] = [
        (RDF["type"], iri(SH["Parameter"])),
        (SH["path"], iri(f"{QUERIES}{query.name}#{parameter.name}")),
        (SH["order"], ox.Literal(order)),
        (SH["description"], ox.Literal(parameter.meaning, language="en")),
        (SH["optional"], ox.Literal(parameter.default is not None)),
    ]
    if iri_valued:
        said.append((SH["nodeKind"], iri(SH["IRI"])))
    else:
        said.append((SH["datatype"], iri(_DATATYPES[parameter.kind])))
    if parameter.default is not None:
        said.append((SH["defaultValue"], to_engine(_value(parameter), as_iri=iri_valued)))
    return said


def _value(parameter: Parameter) -> str | int | date:
    default = str(parameter.default)
    match parameter.kind:
        case Kind.DATE:
            return parse_day(default)
        case Kind.INTEGER:
            return int(default)
        case _:
            return default


# What the service says of its data: VoID and DCAT 3, from what is known and nothing else.


#: Where the description is (VoID, section 7.2).
PATH = "/.well-known/void"
_PROTOCOL = "http://www.w3.org/TR/sparql11-protocol/"
_OPENAPI = "https://spec.openapis.org/oas/v3.1.0"
_TITLES = (
    ox.Literal("Vigente: o direito do Brasil no tempo", language="pt-BR"),
    ox.Literal("Vigente: the law of Brazil in time", language="en"),
)
_ABOUT = (
    ox.Literal(
        "Normas, versões e dispositivos, com os períodos em que cada versão se aplica e os dias em que isso se podia "
        "saber, e a fonte de cada declaração.",
        language="pt-BR",
    ),
    ox.Literal(
        "Norms, versions and provisions, with the periods in which each version applies and the days on which that "
        "could be known, and the source of each statement.",
        language="en",
    ),
)
_RIGHTS = (
    ox.Literal(
        "As declarações vêm de vários provedores, cada um com seus próprios termos, que os registros não dizem. Não há "
        "licença única para o conjunto: o grafo nomeado de cada declaração diz de que provedor ela veio.",
        language="pt-BR",
    ),
    ox.Literal(
        "The statements come from several providers, each with terms of its own, which the records do not tell. There "
        "is no one licence for the whole: the named graph of each statement tells from which provider it came.",
        language="en",
    ),
)


@dataclass(frozen=True, slots=True)
class Described:
    """What is known of the data of a service.

    Attributes:
        base: the address of the service, without a slash at its end.
        paths: the templates of the paths that it serves: nothing else is described.
        snapshot: the number of the snapshot.
        published: when it was, with a zone; None where nobody knows.
        example: the name of a norm in it, or None where there is none.
        marks: how far its sources reach.
        statistics: how much it holds; None where it has not been counted.
        settings: what the operator says of it.
    """

    base: str
    paths: Collection[str]
    snapshot: str
    published: datetime | None
    example: str | None
    marks: Watermarks
    statistics: Statistics | None
    settings: DatasetSettings


def description(known: Described) -> list[ox.Triple]:
    """The description of the dataset and its services, as triples."""
    made = Statements()
    page = known.base + PATH
    dataset = iri(f"{page}#dataset")
    made.be(iri(page), VOID["DatasetDescription"], (FOAF["primaryTopic"], dataset))
    made.be(dataset, VOID["Dataset"], *((DCTERMS["title"], title) for title in _TITLES))
    made.be(dataset, DCAT["Dataset"], *((DCTERMS["description"], about) for about in _ABOUT))
    made.say(dataset, (DCAT["version"], known.snapshot))
    if known.published is not None:
        made.say(dataset, (DCTERMS["modified"], known.published))
    _as_told(made, known, dataset)
    made.say(dataset, *((VOID["uriSpace"], space) for space in ("urn:lex:", ID, VOCAB)))
    made.say(dataset, *((VOID["vocabulary"], iri(str(space))) for space in _SPOKEN))
    if known.example is not None:
        made.say(dataset, (VOID["exampleResource"], iri(known.example)))
    _services(made, known, dataset)
    _sources(made, known.marks, dataset)
    if known.statistics is not None:
        _counts(made, known.statistics, dataset)
    return made.triples


def _as_told(made: Statements, known: Described, dataset: ox.NamedNode) -> None:
    """What the operator says of the data; without a licence, that there is no one licence for the whole."""
    told = known.settings
    if told.licence is not None:
        made.say(dataset, (DCTERMS["license"], iri(told.licence)))
    else:
        made.part(
            dataset,
            DCTERMS["rights"],
            (_TYPE, iri(DCTERMS["RightsStatement"])),
            *((RDFS["label"], said) for said in _RIGHTS),
        )
    if told.publisher is not None:
        agent = iri(f"{known.base}{PATH}#publisher")
        made.be(agent, FOAF["Agent"], (FOAF["name"], told.publisher))
        made.say(dataset, (DCTERMS["publisher"], agent))
    made.say(dataset, *((DCAT["keyword"], keyword) for keyword in told.keywords))
    made.say(dataset, (DCAT["landingPage"], iri(told.landing_page or f"{known.base}/")))
    if told.dump is not None:
        made.say(dataset, (VOID["dataDump"], iri(told.dump)))
        made.part(
            dataset,
            DCAT["distribution"],
            (_TYPE, iri(DCAT["Distribution"])),
            (DCTERMS["title"], ox.Literal("as one file", language="en")),
            (DCAT["accessURL"], iri(told.dump)),
            (DCAT["downloadURL"], iri(told.dump)),
        )


_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
#: The vocabularies that the graph speaks.
_SPOKEN = [NAMESPACES[prefix] for prefix in ("vig", "frbroo", "crm", "eli", "prov", "skos", "dcterms")]


def _services(made: Statements, known: Described, dataset: ox.NamedNode) -> None:
    """The services, those that are there."""
    if "/sparql" in known.paths:
        endpoint = iri(f"{known.base}/sparql")
        service = iri(f"{known.base}{PATH}#sparql")
        made.say(dataset, (VOID["sparqlEndpoint"], endpoint))
        made.be(
            service,
            DCAT["DataService"],
            (DCTERMS["title"], ox.Literal("SPARQL 1.1, read only", language="en")),
            (DCTERMS["conformsTo"], iri(_PROTOCOL)),
            (DCAT["endpointURL"], endpoint),
            (DCAT["endpointDescription"], endpoint),
            (DCAT["servesDataset"], dataset),
        )
        made.part(
            dataset,
            DCAT["distribution"],
            (_TYPE, iri(DCAT["Distribution"])),
            (DCTERMS["title"], ox.Literal("by SPARQL queries", language="en")),
            (DCAT["accessURL"], endpoint),
            (DCAT["accessService"], service),
        )
    if "/openapi.json" in known.paths:
        made.be(
            iri(f"{known.base}{PATH}#api"),
            DCAT["DataService"],
            (DCTERMS["title"], ox.Literal("JSON answers over HTTP", language="en")),
            (DCTERMS["conformsTo"], iri(_OPENAPI)),
            (DCAT["endpointURL"], iri(f"{known.base}/openapi.json")),
            (DCAT["endpointDescription"], iri(f"{known.base}/openapi.json")),
            (DCAT["servesDataset"], dataset),
        )


def _sources(made: Statements, marks: Watermarks, dataset: ox.NamedNode) -> None:
    """Who the statements come from, and up to when."""
    for provider, day in marks.known_up_to:
        agent = iri(provider_iri(provider))
        made.be(agent, PROV["Agent"], (RDFS["label"], provider), (VIG["horizonte"], day))
        made.say(dataset, (PROV["wasAttributedTo"], agent))
    for state in marks.harvests:
        if state.heard is not None:
            whose = state.url if state.set is None else f"{state.url}, set {state.set}"
            made.part(
                dataset,
                PROV["wasDerivedFrom"],
                (_TYPE, iri(PROV["Entity"])),
                (DCTERMS["identifier"], whose),
                (RDFS["comment"], ox.Literal(f"harvested up to {written(state.heard)}", language="en")),
                (PROV["wasAttributedTo"], iri(provider_iri(state.url))),
            )


def _counts(made: Statements, statistics: Statistics, dataset: ox.NamedNode) -> None:
    """How much there is, of what."""
    made.say(
        dataset,
        (VOID["triples"], statistics.statements),
        (VOID["classes"], len(statistics.classes)),
        (VOID["properties"], len(statistics.properties)),
        (VOID["distinctSubjects"], statistics.subjects),
    )
    for class_, entities in statistics.classes.items():
        made.part(dataset, VOID["classPartition"], (VOID["class"], iri(class_)), (VOID["entities"], entities))
    for property_, triples in statistics.properties.items():
        made.part(dataset, VOID["propertyPartition"], (VOID["property"], iri(property_)), (VOID["triples"], triples))
