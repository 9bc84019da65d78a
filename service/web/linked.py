"""Linked data: vocabularies, queries, and the description of the dataset, as triples."""

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
from loaders.harvest.state import State, stored_states, written
from ontology.describing import CSVW, DCAT, FOAF, SH, VOID
from ontology.iris import ID, VOCAB, provider_iri, vocab_iri
from ontology.namespaces import DCTERMS, NAMESPACES, PROV, RDF, RDFS, SCHEMA, SKOS, VIG, XSD
from queries.catalogue import Column, Kind, Parameter, Query, named
from service.web.http.problems import Problem
from service.web.settings import DatasetSettings
from service.web.tasks.messages import Answer
from service.web.tasks.pool import Pool, Task

# The task that counts the contents of a snapshot.


def count_statements(store: Store, _: Mapping[str, object]) -> Answer:
    """Count the contents of a snapshot; the task takes no arguments.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    classes = {str(row["classe"]): row["entidades"] for row in named("statistics").rows(store)}
    rows = named("statistics_of_properties").rows(store)
    properties = {str(row["propriedade"]): row["declaracoes"] for row in rows}
    (subjects,) = (row["sujeitos"] for row in named("statistics_of_subjects").rows(store))
    return Answer(json.dumps([classes, properties, subjects]).encode(), "application/json")


# Triples about the service, from terms of the closed namespaces.


_Value = str | int | date | datetime | ox.NamedNode | ox.BlankNode | ox.Literal


def iri(text: str) -> ox.NamedNode:
    """Return an IRI as a term."""
    return ox.NamedNode(text)


@dataclass(slots=True)
class TripleBuilder:
    """A builder of triples."""

    triples: list[ox.Triple] = field(default_factory=list)

    def add(self, subject: ox.NamedNode | ox.BlankNode, *properties: tuple[str, _Value]) -> None:
        """Add properties of a subject. A ``str`` becomes a plain literal; numbers, days and times are typed."""
        self.triples.extend(ox.Triple(subject, iri(name), _term(value)) for name, value in properties)

    def add_typed(self, subject: ox.NamedNode | ox.BlankNode, kind: str, *properties: tuple[str, _Value]) -> None:
        """Add the class of a subject, and its properties."""
        self.add(subject, (RDF["type"], iri(kind)), *properties)

    def add_node(self, subject: ox.NamedNode, link: str, *properties: tuple[str, _Value]) -> None:
        """Add a blank node with properties, linked from a subject. Equal properties give the same node."""
        digest = sha256(
            "\x1f".join([subject.value, link, *(f"{name} {_term(value)}" for name, value in properties)]).encode()
        )
        node = ox.BlankNode(f"b{digest.hexdigest()[:24]}")
        self.add(subject, (link, node))
        self.add(node, *properties)


def _term(value: _Value) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, datetime):
        return ox.Literal(value.isoformat(timespec="seconds"), datatype=iri(XSD["dateTime"]))
    if isinstance(value, date):
        return ox.Literal(value.isoformat(), datatype=iri(XSD["date"]))
    return ox.Literal(value) if isinstance(value, str | int) else value


# The statistics of a snapshot, counted once by a task, which takes long on a large store.


#: The type of the counting task (:data:`service.web.task_types.TASK_TYPES`).
TASK = "statistics"
#: Seconds that counting may take.
_COUNT_SECONDS = 900.0
#: Seconds that a request waits for the count before it is answered without it.
_WAIT_SECONDS = 2.0
_LOG = logging.getLogger("vigente.statistics")


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a snapshot.

    Attributes:
        classes: the number of entities by class.
        properties: the number of statements by property, where each source of a statement counts.
        subjects: the number of distinct subjects.
    """

    classes: Mapping[str, int]
    properties: Mapping[str, int]
    subjects: int

    @property
    def statements(self) -> int:
        """The number of statements."""
        return sum(self.properties.values())


class StatisticsCache:
    """Caches the statistics of snapshots, and counts each snapshot once."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: WeakKeyDictionary[Store, Statistics | None] = WeakKeyDictionary()
        self._under_way: WeakKeyDictionary[Store, anyio.Event] = WeakKeyDictionary()

    async def of(self, store: Store, group: TaskGroup) -> Statistics | None:
        """Return the statistics of a snapshot; None where they are not counted yet, or counting failed.

        Args:
            store: the snapshot.
            group: the task group in which counting continues after the request.
        """
        if store not in self._known:
            ended = self._under_way.get(store)
            if ended is None:
                ended = self._under_way[store] = anyio.Event()
                group.start_soon(self._count, store, ended)
            with anyio.move_on_after(_WAIT_SECONDS):
                await ended.wait()
        return self._known.get(store)

    async def _count(self, store: Store, ended: anyio.Event) -> None:
        try:
            answer = await self._pool.run(Task(TASK, {}, client=TASK, seconds=_COUNT_SECONDS))
            self._known[store] = Statistics(*json.loads(answer.body))
        except Problem as problem:
            if problem.code not in ("busy", "too-many-requests"):  # retried at the next request
                self._known[store] = None
            _LOG.warning("the snapshot is not counted: %s", problem.code)
        except VigenteError:
            self._known[store] = None
            _LOG.warning("the snapshot is not counted: it cannot be read")
        finally:
            self._under_way.pop(store, None)
            ended.set()


# Watermarks: the newest datestamp of each provider, and the day up to which each list was harvested.


_WATERMARKS: WeakKeyDictionary[Store, tuple[tuple[str, date], ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Watermarks:
    """How current the data of each source are.

    Attributes:
        known_up_to: by provider, the newest datestamp of its records.
        harvests: the state of each harvested list.
    """

    known_up_to: tuple[tuple[str, date], ...]
    harvests: tuple[State, ...]


def watermarks(store: Store, folder: Path) -> Watermarks:
    """Return the watermarks of a snapshot; the datestamps are read once for each snapshot.

    Args:
        store: the snapshot.
        folder: the folder of the store with the states of harvests; an unreadable state is ignored.

    Raises:
        StoreProblem: the snapshot cannot be read.
    """
    facts = _WATERMARKS.get(store)
    if facts is None:
        rows = named("providers").rows(store)
        facts = _WATERMARKS[store] = tuple((str(row["provedor"]), _day(row["horizonte"])) for row in rows)
    try:
        harvests = tuple(stored_states(folder / HARVEST))
    except (OSError, StoreProblem):
        harvests = ()
    return Watermarks(facts, harvests)


def _day(value: object) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))


# The vocabularies as SKOS: the built-in values, and those of the store.


_IN_SCHEME = iri(SKOS["inScheme"])


def all_schemes(store: Store) -> list[ox.Triple]:
    """Return the triples of all vocabularies, without their values."""
    return [triple for scheme_name in Scheme for triple in _triples_of(store, iri(VOCAB + scheme_name))]


def scheme(store: Store, name: str) -> list[ox.Triple]:
    """Return the triples of a vocabulary with all its values and groups; empty for an unknown name.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    if name not in set(Scheme):
        return []
    scheme_node = iri(VOCAB + name)
    members = {
        triple.subject for triple in _built_in() if triple.predicate == _IN_SCHEME and triple.object == scheme_node
    }
    with translating_engine_errors():
        members.update(quad.subject for quad in store.engine.quads_for_pattern(None, _IN_SCHEME, scheme_node, None))
    named = [member for member in members if isinstance(member, ox.NamedNode)]
    return [triple for subject in (scheme_node, *named) for triple in _triples_of(store, subject)]


def concept(store: Store, of: str, notation: str) -> list[ox.Triple]:
    """Return the triples of a value of a vocabulary; empty for an unknown value.

    Raises:
        StoreDamaged: the store cannot be read.
    """
    try:
        triples = _triples_of(store, iri(vocab_iri(of, notation)))
    except ValueError:  # the text cannot be part of an IRI
        return []
    kinds = {triple.object for triple in triples if triple.predicate == iri(RDF["type"])}
    return triples if iri(SKOS["Concept"]) in kinds else []


def _triples_of(store: Store, subject: ox.NamedNode) -> list[ox.Triple]:
    """Return the built-in triples of a subject and those of the store."""
    with translating_engine_errors():
        held = {quad.triple for quad in store.engine.quads_for_pattern(subject, None, None, None)}
    return [*_by_subject().get(subject, ()), *held]


@cache
def _built_in() -> tuple[ox.Triple, ...]:
    texts = (files("ontology").joinpath(name).read_bytes() for name in BUILT_IN_FILES)
    return tuple(quad.triple for text in texts for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


@cache
def _by_subject() -> dict[ox.NamedNode, list[ox.Triple]]:
    triples_by_subject: dict[ox.NamedNode, list[ox.Triple]] = {}
    for triple in _built_in():
        if isinstance(triple.subject, ox.NamedNode):
            triples_by_subject.setdefault(triple.subject, []).append(triple)
    return triples_by_subject


# The queries of the catalogue as resources (SHACL, section 5.3), with their parameters (section 5.2.1) and columns.
#
# The columns are described with the W3C vocabulary for CSV, one of the formats of answers (Metadata Vocabulary for
# Tabular Data, sections 5.5 and 5.6).


#: The namespace of the queries of the catalogue.
QUERIES = "https://w3id.org/vigente/queries/"
_DATATYPES = {Kind.DATE: XSD["date"], Kind.INTEGER: XSD["integer"], Kind.STRING: XSD["string"]}


def describe_query(query: Query) -> list[ox.Triple]:
    """Return the triples of a SELECT query of the catalogue: its text, meaning, limits, parameters and columns.

    ``schema:position`` is the number of a competency question that it answers (docs/reference/queries.md).
    """
    statements = TripleBuilder()
    subject = iri(QUERIES + query.name)
    statements.add_typed(
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
            statements.add(subject, (DCTERMS["description"], ox.Literal(limits, language=language)))
    for order, parameter in enumerate(query.parameters):
        statements.add_node(subject, SH["parameter"], *_parameter_properties(query, parameter, order))
    _add_table(statements, subject, (*query.parameters, *query.columns))
    return statements.triples


def _add_table(statements: TripleBuilder, query: ox.NamedNode, columns: Sequence[Parameter | Column]) -> None:
    """Add the columns of the answer as an RDF list: first the parameters, then the columns."""
    schema = iri(f"{query.value}#colunas")
    name = query.value.removeprefix(QUERIES)
    rests = [ox.BlankNode(f"colunas-{name}-{number}") for number in range(1, len(columns) + 1)]
    following: list[ox.BlankNode | ox.NamedNode] = [*rests[1:], iri(RDF["nil"])]
    statements.add(query, (CSVW["tableSchema"], schema))
    statements.add_typed(schema, CSVW["Schema"], (CSVW["column"], rests[0]))
    for column, item, rest in zip(columns, rests, following, strict=True):
        node = iri(f"{query.value}#coluna-{column.name}")
        statements.add(item, (RDF["first"], node), (RDF["rest"], rest))
        statements.add_typed(
            node,
            CSVW["Column"],
            (CSVW["name"], column.name),
            (CSVW["datatype"], iri(_DATATYPES.get(column.kind, XSD["anyURI"]))),
            (CSVW["title"], ox.Literal(column.rotulo, language="pt-BR")),
            (CSVW["title"], ox.Literal(column.label, language="en")),
            (DCTERMS["description"], ox.Literal(column.meaning, language="en")),
        )


def _parameter_properties(
    query: Query, parameter: Parameter, order: int
) -> list[tuple[str, ox.NamedNode | ox.Literal]]:
    """Return the properties of a parameter. The local name of its path is its variable (SHACL, section 5.2.1)."""
    iri_valued = parameter.kind is Kind.IRI
    properties: list[tuple[str, ox.NamedNode | ox.Literal]] = [
        (RDF["type"], iri(SH["Parameter"])),
        (SH["path"], iri(f"{QUERIES}{query.name}#{parameter.name}")),
        (SH["order"], ox.Literal(order)),
        (SH["name"], ox.Literal(parameter.rotulo, language="pt-BR")),
        (SH["name"], ox.Literal(parameter.label, language="en")),
        (SH["description"], ox.Literal(parameter.meaning, language="en")),
        (SH["optional"], ox.Literal(parameter.default is not None)),
    ]
    if iri_valued:
        properties.append((SH["nodeKind"], iri(SH["IRI"])))
    else:
        properties.append((SH["datatype"], iri(_DATATYPES[parameter.kind])))
    if parameter.default is not None:
        properties.append((SH["defaultValue"], to_engine(_value(parameter), as_iri=iri_valued)))
    return properties


def _value(parameter: Parameter) -> str | int | date:
    default = str(parameter.default)
    match parameter.kind:
        case Kind.DATE:
            return parse_day(default)
        case Kind.INTEGER:
            return int(default)
        case _:
            return default


# The description of the dataset in VoID and DCAT 3, from known facts only.


#: The path of the description (VoID, section 7.2).
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
        "As declarações vêm de vários provedores, cada um com seus próprios termos, que os registros não informam. Não "
        "há licença única para o conjunto: o grafo nomeado de cada declaração identifica o provedor.",
        language="pt-BR",
    ),
    ox.Literal(
        "The statements come from several providers, each with its own terms, which the records do not state. There "
        "is no single licence for the dataset: the named graph of each statement identifies its provider.",
        language="en",
    ),
)


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """The facts for the description of a dataset.

    Attributes:
        base: the address of the service, without a slash at its end.
        paths: the path templates of the service; only these are described.
        snapshot: the number of the snapshot.
        published: the time of its publication, with a time zone; None where it is unknown.
        example: the name of a norm in it, or None where there is none.
        marks: the watermarks of its sources.
        statistics: its statistics; None where they are not counted.
        settings: the statements of the operator.
    """

    base: str
    paths: Collection[str]
    snapshot: str
    published: datetime | None
    example: str | None
    marks: Watermarks
    statistics: Statistics | None
    settings: DatasetSettings


def description(facts: DatasetFacts) -> list[ox.Triple]:
    """Return the description of the dataset and its services, as triples."""
    statements = TripleBuilder()
    page = facts.base + PATH
    dataset = iri(f"{page}#dataset")
    statements.add_typed(iri(page), VOID["DatasetDescription"], (FOAF["primaryTopic"], dataset))
    statements.add_typed(dataset, VOID["Dataset"], *((DCTERMS["title"], title) for title in _TITLES))
    statements.add_typed(dataset, DCAT["Dataset"], *((DCTERMS["description"], about) for about in _ABOUT))
    statements.add(dataset, (DCAT["version"], facts.snapshot))
    if facts.published is not None:
        statements.add(dataset, (DCTERMS["modified"], facts.published))
    _add_operator_statements(statements, facts, dataset)
    statements.add(dataset, *((VOID["uriSpace"], space) for space in ("urn:lex:", ID, VOCAB)))
    statements.add(dataset, *((VOID["vocabulary"], iri(str(space))) for space in _VOCABULARIES))
    if facts.example is not None:
        statements.add(dataset, (VOID["exampleResource"], iri(facts.example)))
    _add_services(statements, facts, dataset)
    _add_sources(statements, facts.marks, dataset)
    if facts.statistics is not None:
        _add_counts(statements, facts.statistics, dataset)
    return statements.triples


def _add_operator_statements(statements: TripleBuilder, facts: DatasetFacts, dataset: ox.NamedNode) -> None:
    """Add the statements of the operator; without a licence, the statement that there is no single licence."""
    settings = facts.settings
    if settings.licence is not None:
        statements.add(dataset, (DCTERMS["license"], iri(settings.licence)))
    else:
        statements.add_node(
            dataset,
            DCTERMS["rights"],
            (_TYPE, iri(DCTERMS["RightsStatement"])),
            *((RDFS["label"], label) for label in _RIGHTS),
        )
    if settings.publisher is not None:
        agent = iri(f"{facts.base}{PATH}#publisher")
        statements.add_typed(agent, FOAF["Agent"], (FOAF["name"], settings.publisher))
        statements.add(dataset, (DCTERMS["publisher"], agent))
    statements.add(dataset, *((DCAT["keyword"], keyword) for keyword in settings.keywords))
    statements.add(dataset, (DCAT["landingPage"], iri(settings.landing_page or f"{facts.base}/")))
    if settings.dump is not None:
        statements.add(dataset, (VOID["dataDump"], iri(settings.dump)))
        statements.add_node(
            dataset,
            DCAT["distribution"],
            (_TYPE, iri(DCAT["Distribution"])),
            (DCTERMS["title"], ox.Literal("as one file", language="en")),
            (DCAT["accessURL"], iri(settings.dump)),
            (DCAT["downloadURL"], iri(settings.dump)),
        )


_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
#: The vocabularies that the graph uses.
_VOCABULARIES = [NAMESPACES[prefix] for prefix in ("vig", "frbroo", "crm", "eli", "prov", "skos", "dcterms")]


def _add_services(statements: TripleBuilder, facts: DatasetFacts, dataset: ox.NamedNode) -> None:
    if "/sparql" in facts.paths:
        endpoint = iri(f"{facts.base}/sparql")
        service = iri(f"{facts.base}{PATH}#sparql")
        statements.add(dataset, (VOID["sparqlEndpoint"], endpoint))
        statements.add_typed(
            service,
            DCAT["DataService"],
            (DCTERMS["title"], ox.Literal("SPARQL 1.1, read only", language="en")),
            (DCTERMS["conformsTo"], iri(_PROTOCOL)),
            (DCAT["endpointURL"], endpoint),
            (DCAT["endpointDescription"], endpoint),
            (DCAT["servesDataset"], dataset),
        )
        statements.add_node(
            dataset,
            DCAT["distribution"],
            (_TYPE, iri(DCAT["Distribution"])),
            (DCTERMS["title"], ox.Literal("by SPARQL queries", language="en")),
            (DCAT["accessURL"], endpoint),
            (DCAT["accessService"], service),
        )
    if "/openapi.json" in facts.paths:
        statements.add_typed(
            iri(f"{facts.base}{PATH}#api"),
            DCAT["DataService"],
            (DCTERMS["title"], ox.Literal("JSON answers over HTTP", language="en")),
            (DCTERMS["conformsTo"], iri(_OPENAPI)),
            (DCAT["endpointURL"], iri(f"{facts.base}/openapi.json")),
            (DCAT["endpointDescription"], iri(f"{facts.base}/openapi.json")),
            (DCAT["servesDataset"], dataset),
        )


def _add_sources(statements: TripleBuilder, marks: Watermarks, dataset: ox.NamedNode) -> None:
    for provider, day in marks.known_up_to:
        agent = iri(provider_iri(provider))
        statements.add_typed(agent, PROV["Agent"], (RDFS["label"], provider), (VIG["horizonte"], day))
        statements.add(dataset, (PROV["wasAttributedTo"], agent))
    for state in marks.harvests:
        if state.watermark is not None:
            whose = state.url if state.set is None else f"{state.url}, set {state.set}"
            statements.add_node(
                dataset,
                PROV["wasDerivedFrom"],
                (_TYPE, iri(PROV["Entity"])),
                (DCTERMS["identifier"], whose),
                (RDFS["comment"], ox.Literal(f"harvested up to {written(state.watermark)}", language="en")),
                (PROV["wasAttributedTo"], iri(provider_iri(state.url))),
            )


def _add_counts(statements: TripleBuilder, statistics: Statistics, dataset: ox.NamedNode) -> None:
    statements.add(
        dataset,
        (VOID["triples"], statistics.statements),
        (VOID["classes"], len(statistics.classes)),
        (VOID["properties"], len(statistics.properties)),
        (VOID["distinctSubjects"], statistics.subjects),
    )
    for class_, entities in statistics.classes.items():
        statements.add_node(dataset, VOID["classPartition"], (VOID["class"], iri(class_)), (VOID["entities"], entities))
    for property_, triples in statistics.properties.items():
        statements.add_node(
            dataset, VOID["propertyPartition"], (VOID["property"], iri(property_)), (VOID["triples"], triples)
        )
