"""Records of the dated versions of published norms, from which a harvester knows the days of force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from lxml import etree

from graph.entities import RelationKind
from graph.publication import Batch
from graph.store import Store
from graph.time.editions import may_be_first
from graph.urn import Name, parse
from loaders.publishing import LEXML, Norm, canonical, identifier_of, names_of_sets, sets_of
from ontology.events import EVENTS, Effect, EventKind
from queries.causes import changes_by_act
from queries.evidence import lifecycle_events, versions
from queries.reasons import Reason

_RELATION = f"{{{LEXML}}}Relacionamento"


def publish_versions(
    batch: Batch, store: Store, norms: Iterable[Norm], source: str, *, keep: bool
) -> tuple[int, list[str]]:
    """Publish a record for each dated version of norms, and delete those of versions that are no longer dated.

    LexML part 4 gives each version a record of its own, whose name has the first day of force and the day of
    publication. The record of a norm that revokes or amends another one states it (``revoga``, ``altera``). No version
    is published of a norm that ends in another way, because no record can state that end.

    Args:
        batch: receives the changes.
        store: has the days.
        norms: the norms that were read.
        source: the key of the source of the norms.
        keep: whether no record is deleted, because something was refused.

    Returns:
        The number of published versions, and the canonical names of the norms whose dated versions are not published.
    """
    living = {identifier.partition("/")[2] for identifier in batch.living(source)}
    read = {norm.name.canonical: norm for norm in norms if not norm.name.descritor.componentes}
    own = {name: norm for name, norm in read.items() if name in living}
    dated = {name: found for name, norm in own.items() if (found := _dated(store, norm.name))}
    endings = {name: list(_endings(store, own[name].name)) for name in dated}
    withheld: list[str] = []
    while unstated := [name for name in dated if not all(_is_stated(each, dated) for each in endings[name])]:
        for name in unstated:  # a norm that such a norm revokes cannot be stated either
            del dated[name]
            withheld.append(name)
    related: dict[str, dict[str, RelationKind]] = {}
    for name in dated:
        for act in changes_by_act(store, own[name].name):
            related.setdefault(act or "", {})[name] = RelationKind.ALTERA
        for reason in endings[name]:
            related.setdefault(_act(reason), {})[name] = RelationKind.REVOGA
    kept = f"{source}:versoes"
    published: set[str] = set()
    domain, system = batch.setting("domain") or "", batch.setting("system") or ""
    for name, dated_versions in dated.items():
        for number, named in enumerate(dated_versions):
            metadata = _metadata(own[name], named, related.get(name, {}) if number == 0 else {})
            specs = list(sets_of(named))
            for spec, text in (pair for each in specs for pair in names_of_sets(*each)):
                batch.name_set(spec, text)
            identifier = identifier_of(named, domain, system)
            batch.put(identifier, metadata, [spec for spec, _ in specs], source=kept, origin=identifier)
            published.add(identifier)
    for identifier in [] if keep else batch.living(kept):
        if identifier not in published:
            batch.put(identifier, None, (), source=kept, origin=identifier)
    return len(batch.living(kept)), sorted(withheld)


def _endings(store: Store, norm: Name) -> Iterator[Reason]:
    """Yield the events that end, suspend or restore a norm. A record states its force alone, not its efficacy."""
    stated = {None, Effect.INTERPRETS, Effect.STARTS_FORCE, Effect.STARTS_EFFICACY}
    for _, reason in lifecycle_events(store, norm.iri):
        term = EVENTS.get(reason.event or "")
        if term is None or term.effect not in stated:
            yield reason


def _is_stated(reason: Reason, dated: Mapping[str, Sequence[Name]]) -> bool:
    """Return whether the record of a dated norm states an ending: it revokes the norm when it enters into force."""
    cause = dated.get(_act(reason), ())
    return reason.event == EventKind.REVOGACAO and bool(cause) and reason.effect == str(cause[0].version_date)


def _act(reason: Reason) -> str:
    """Return the act that causes an event, of which the reason may name the article; empty if no source names it."""
    return (reason.cause or "").partition("!")[0]


def _dated(store: Store, norm: Name) -> list[Name]:
    """Return the versions of a norm with a first day of force and a day of publication, in their order.

    A first text without a first day has the start that its clause of commencement has from that publication (E13).
    """
    reasons = (reason for _, reason in lifecycle_events(store, norm.iri) if reason.event == EventKind.INICIO_VIGENCIA)
    stated = {(reason.known, reason.effect) for reason in reasons}
    starts = {known: start for known, start in stated if len(stated) == 1 and "/" not in (start or "/")}
    dated: list[Name] = []
    for version in versions(store, norm.iri):
        name = parse(version.name)
        start = starts.get(str(version.view_date)) if may_be_first(version) else None
        if version.version_date is None and start is not None and name.versao is not None:
            name = name.with_versao(replace(name.versao, datas=(date.fromisoformat(start),), palavra=None))
        if name.version_date is not None and name.view_date is not None:
            dated.append(name)
    return dated


def _metadata(norm: Norm, version: Name, related: Mapping[str, RelationKind]) -> bytes:
    """Return the record of a norm with the name of a version and the norms that it revokes or amends."""
    root = etree.fromstring(norm.metadata)
    for element in root.iter(f"{{{LEXML}}}DocumentoIndividual"):
        element.text = version.canonical
    stated = {(each.get("tipo"), each.text) for each in root.iter(_RELATION)}
    for name, kind in related.items():
        if (kind.value, name) not in stated:
            etree.SubElement(root, _RELATION, {"tipo": kind.value}).text = name
    return canonical(root)
