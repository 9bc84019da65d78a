"""Records of the dated versions of published norms, from which a harvester knows the days of force."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from graph.entities import RelationKind
from graph.publication import Batch
from graph.store import Store
from graph.urn import Name, parse
from loaders.publishing import LEXML, Norm, canonical, identifier_of, names_of_sets, sets_of
from ontology.events import EVENTS, Effect, EventKind
from queries.evidence import Version, lifecycle_events, versions


def publish_versions(batch: Batch, store: Store, norms: Iterable[Norm], source: str, *, keep: bool) -> int:
    """Publish a record for each dated version of norms, and delete those of versions that are no longer dated.

    LexML part 4 gives each version a record of its own, whose name has the first day of force and the day of
    publication. The record of a norm that revokes another one states it (``revoga``). No version is published of a
    norm that ends in another way, because no record can state that end.

    Args:
        batch: receives the changes.
        store: has the days.
        norms: the published norms.
        source: the key of the source of the norms.
        keep: whether no record is deleted, because something was refused.

    Returns:
        The number of published versions.
    """
    own = {norm.name.canonical: norm for norm in norms if not norm.name.descritor.componentes}
    dated = {name: _dated(store, norm.name) for name, norm in own.items()}
    revoked: dict[str, list[str]] = {}
    for name in own:
        for _, reason in lifecycle_events(store, parse(name).iri):
            first = dated.get(reason.cause or "", [])
            if reason.event == EventKind.REVOGACAO and first and reason.effect == str(first[0].version_date):
                revoked.setdefault(reason.cause or "", []).append(name)
            elif (term := EVENTS.get(reason.event or "")) is None or term.effect not in {None, Effect.INTERPRETS}:
                dated[name] = []
    kept = f"{source}:versoes"
    published: set[str] = set()
    domain, system = batch.setting("domain") or "", batch.setting("system") or ""
    for name, norm in own.items():
        for number, version in enumerate(dated[name]):
            named = parse(version.name)
            metadata = _metadata(norm, named, revoked.get(name, []) if number == 0 else [])
            specs = list(sets_of(named))
            for spec, text in (pair for each in specs for pair in names_of_sets(*each)):
                batch.name_set(spec, text)
            identifier = identifier_of(named, domain, system)
            batch.put(identifier, metadata, [spec for spec, _ in specs], source=kept, origin=identifier)
            published.add(identifier)
    for identifier in [] if keep else batch.living(kept):
        if identifier not in published:
            batch.put(identifier, None, (), source=kept, origin=identifier)
    return len(batch.living(kept))


def _dated(store: Store, norm: Name) -> list[Version]:
    """Return the versions of a norm with a first day of force and a day of publication, in their order."""
    return [each for each in versions(store, norm.iri) if each.version_date is not None and each.view_date is not None]


def _metadata(norm: Norm, version: Name, revoked: Iterable[str]) -> bytes:
    """Return the record of a norm with the name of a version and the norms that it revokes."""
    root = etree.fromstring(norm.metadata)
    for element in root.iter(f"{{{LEXML}}}DocumentoIndividual"):
        element.text = version.canonical
    for name in revoked:
        relation = etree.SubElement(root, f"{{{LEXML}}}Relacionamento", {"tipo": RelationKind.REVOGA.value})
        relation.text = name
    return canonical(root)
