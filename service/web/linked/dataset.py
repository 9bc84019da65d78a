"""What the service says of its data: VoID and DCAT 3, from what is known and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import pyoxigraph as ox

from loaders.harvest.state import written
from ontology.describing import DCAT, FOAF, VOID
from ontology.iris import ID, VOCAB, provider_iri
from ontology.namespaces import DCTERMS, NAMESPACES, PROV, RDFS, VIG
from service.web.linked.statements import Statements, iri
from service.web.linked.statistics import Statistics
from service.web.linked.watermarks import Watermarks
from service.web.settings import DatasetSettings

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
