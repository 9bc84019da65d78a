"""The command publish, which publishes records by OAI-PMH. Messages about norms are in Portuguese."""

from __future__ import annotations

import csv
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import date
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Annotated
from xml.sax.saxutils import escape

import typer

from graph.civil import today
from graph.entities import Record, Source
from graph.errors import BadParameter
from graph.mapping import Arriving
from graph.publication import Batch, publishing
from graph.record_rules import RecordRules
from graph.store import WritableStore
from graph.urn import Name, parse
from graph.vocabulary import Vocabulary
from graph.wording.citations.values import place_of
from loaders.act_numbers import ActNumbers
from loaders.articulated.issuer import Origin
from loaders.outcomes import Note
from loaders.pipeline import TransactionResult, load
from loaders.publishing import (
    PAGE_ENDING,
    BadPublication,
    Fault,
    FolderContext,
    Issuer,
    Norm,
    Outcome,
    check_domain,
    check_issuer,
    identifier_of,
    is_mass_removal,
    publish,
    read_chamber,
    read_folder,
    republish,
    union_of,
    with_amendments,
    with_one_day,
)
from loaders.publishing_columns import PUBLISHED, days_of_originals, facts_of, full_names
from loaders.publishing_sheet import read_spreadsheet, write_template
from loaders.sources.amendments import AmendmentCode
from loaders.sources.facts import COLUMNS as FACT_COLUMNS
from loaders.sources.vocabulary import built_in_record
from ontology.events import EventKind
from queries.consolidation.derive import acts, norm_meant, norms_with_operations
from queries.evidence import derived_record, records
from queries.vocabulary import vocabulary
from service.cli.amending import derive_again
from service.cli.context import AsJson, Exit, Settings
from service.cli.dated_records import publish_versions
from service.cli.opening import quarantine, settings, writing
from service.cli.timer import timer_line
from service.output import print_json, print_message
from service.web.pages.publication import (
    SETTING,
    Report,
    ReportedNorm,
    publication_file,
    reported_norms,
)

_REQUIRED_OPTIONS = {"domain": "--domain", "email": "--email"}
_DEFAULTS = {"system": "vigente"}
#: What happens to orders on other norms, by the codes of notes.
_ORDERS: Mapping[str, str] = MappingProxyType(
    {AmendmentCode.NOT_UNDERSTOOD: "não entendidas", AmendmentCode.REFUSED_OPERATIONS: "recusadas"}
)
#: The acts of a municipality that have the words of those of a chamber or of its board, by their names and records.
_CHAMBER = re.compile(
    r"\S+:municipal:(?:ato\.mesa|decreto\.legislativo|"
    r"(?:ato|resolucao):.*?(?:\bda mesa\b|câmara (?:municipal|de vereadores)))",
    re.IGNORECASE | re.DOTALL,
)
_OF_CHAMBER = (
    "com a autoridade municipal, parecem atos da câmara ou da Mesa, que costumam ter a autoridade camara.municipal; se "
    "são, ponha-os em outra pasta e planilha, publicadas com --authority camara.municipal"
)
_CHECK_NUMBER = "confira o número e o ano"
#: The maximum number of listed files.
_LISTED = 5
_SOURCE_HELP = (
    "A folder of texts or LexML XML, or a .csv or .xlsx file, with all norms of the authority. Published norms that "
    "are missing from it are deleted."
)
_RESPONSE = (
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>{now}</responseDate>'
    '<request verb="ListRecords" metadataPrefix="oai_lexml">{url}</request><ListRecords>'
)


def publish_norms(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    context: typer.Context,
    source: Annotated[Path | None, typer.Argument(metavar="SOURCE", help=_SOURCE_HELP)] = None,
    authority: Annotated[
        str | None, typer.Option(metavar="A", help="Authority of the norms, as in URNs: municipal.")
    ] = None,
    place: Annotated[
        str | None,
        typer.Option(metavar="P", envvar="VIGENTE_PLACE", help="State or municipality of the authority: sp;campinas."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check the norms and report; write nothing.")] = False,
    harvested: Annotated[
        bool, typer.Option("--harvested", help="Publish harvested records, as an aggregator does.")
    ] = False,
    template: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a spreadsheet with one example row, .csv or .xlsx.")
    ] = None,
    domain: Annotated[
        str | None, typer.Option(metavar="DOMAIN", help="Domain of the identifiers; stored for later calls.")
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME", help="System within the domain; stored for later calls.")
    ] = None,
    email: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Email of the administrator; stored for later calls.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Name of the repository; stored for later calls.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="URL", help="Public address of the service; stored for later calls.")
    ] = None,
    publisher: Annotated[
        str | None, typer.Option(metavar="N", help="Number from LexML (idPublicador); stored for later calls.")
    ] = None,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Publish even if more than half of the norms are deleted.")
    ] = False,
    column: Annotated[
        list[str] | None, typer.Option(metavar="OWN=COLUMN", help="A column under another title; repeatable.")
    ] = None,
    sheet: Annotated[Path | None, typer.Option(metavar="FILE", help="A spreadsheet besides the folder SOURCE.")] = None,
    sapl: Annotated[
        str | None, typer.Option(metavar="URL", help="The SAPL of the chamber, by its URL or a folder of its answers.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Publish norms or harvested records by OAI-PMH; `vigente serve` answers at /oai."""
    where = settings(context)
    settings_given = {"domain": domain, "system": system, "email": email, "name": name, "address": address}
    settings_given["publisher"] = publisher
    try:
        if template is not None:
            write_template(template)
            print_message(f"modelo gravado em {template}")
            return Exit.ANSWERED
        own = _own_columns(column or [])
        paths = [path for path in (source, sheet) if path is not None]
        chosen_source = (
            None if harvested else _Source(paths, sapl, authority, place, own, accept_removals=accept_removals)
        )
        with _target(where, check=check) as target:
            document = _publish_source(target, settings_given, chosen_source, check=check)
    except BadPublication as error:
        raise BadParameter(str(error)) from None
    if as_json:
        print_json({**document, "checked": check})
    return Exit.REFUSED if document.get("refused") else Exit.ANSWERED


class _Source:
    """The source of norms to publish, with its authority and place.

    Attributes:
        paths: the spreadsheets and folders, in the order of the command.
        sheets: spreadsheets.
        folders: folders of texts and of LexML XML.
        sapl: the URL of the SAPL of the chamber, or a folder of its answers.
        own: the spreadsheets' own titles of columns, with the columns that they stand for.
        missing: the required options that were not given.

    Raises:
        BadPublication: the source does not exist.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        sapl: str | None,
        authority: str | None,
        place: str | None,
        own: Mapping[str, str],
        *,
        accept_removals: bool,
    ) -> None:
        if not paths and sapl is None:
            raise BadPublication("informe uma pasta ou planilha, --sapl ou --harvested")
        is_url = sapl is not None and sapl.startswith(("http://", "https://"))
        for path in (*paths, *([Path(sapl)] if sapl is not None and not is_url else [])):
            if not path.exists():
                raise BadPublication(f"{path}: não existe")
        self.paths = paths
        self.sheets = [path for path in paths if not path.is_dir()]
        self.folders = [path for path in paths if path.is_dir()]
        self.sapl = sapl
        self.sapl_is_url = is_url
        self.own = own
        self.place = place or ""
        with suppress(BadParameter):  # the vocabularies say what is wrong with it
            self.place = place_of(self.place)
        self.authority = authority or ""
        self.accept_removals = accept_removals
        self.missing = [option for option, text in (("--authority", authority), ("--place", place)) if not text]

    @property
    def key(self) -> str:
        """The key of the source in the publication."""
        return f"{self.place}:{self.authority}"


def _own_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the titles of ``--column``, each with its column.

    Raises:
        BadPublication: a text has no ``=``.
    """
    own = {}
    for text in texts:
        title, equals, name = text.rpartition("=")
        if not equals or not title.strip():
            raise BadPublication(f"--column: informe TÍTULO=coluna, como num_lei=numero; valor recebido: {text!r}")
        own[title.strip()] = name.strip()
    return own


#: Why the dated versions of a norm are not published: LexML part 4, annex 1, and part 2, section 12.3.
_ENDS_OTHERWISE = (
    "as redações com data não são publicadas na rede, porque o registro LexML não tem o último dia de vigência, e o "
    "vizinho tomaria a norma por vigente depois do fim. Se outra norma a revogou ao entrar em vigor, preencha "
    "revogada_por e deixe vigencia_fim vazia; se não, indique este serviço ao vizinho"
)


@contextmanager
def _target(where: Settings, *, check: bool) -> Iterator[Settings]:
    """Yield the settings with the store to write.

    A new store is written in a temporary folder. It is moved to its place if the publication succeeds, and is dropped
    for a check, so that a refused first publication leaves no store.
    """
    if where.store.exists():
        yield where
        return
    place = where.store.absolute()
    above = next(folder for folder in place.parents if folder.exists())
    with TemporaryDirectory(prefix=".vigente-", dir=None if check else above) as folder:
        new = Settings(Path(folder) / "store")
        yield new
        if not check:
            place.parent.mkdir(parents=True, exist_ok=True)
            new.store.rename(place)


def _publish_source(
    where: Settings, settings_given: Mapping[str, str | None], source: _Source | None, *, check: bool
) -> dict[str, object]:
    """Publish a source and return the report. A check returns the same report and writes nothing."""
    document: dict[str, object] = {}
    with writing(where, create=True) as store, suppress(_CheckOnly):
        store.apply([built_in_record()])
        with publishing(where.store) as batch:
            _store_settings(batch, settings_given, [] if source is None else source.missing)
            document = (
                _republish(batch, where) if source is None else _publish(batch, store, where, source, check=check)
            )
            if check:
                print_message("--check: nada foi gravado")
                raise _CheckOnly
    return document


class _CheckOnly(Exception):
    """A check has finished, and nothing is to be written."""


def _store_settings(batch: Batch, settings_given: Mapping[str, str | None], missing: list[str]) -> None:
    """Store the settings of the repository.

    Raises:
        BadPublication: options are missing, or a setting that Identify or identifiers need was never given.
    """
    for key, text in settings_given.items():
        if text is not None:
            batch.set(key, text.rstrip("/") if key == "address" else text)
        elif key in _DEFAULTS and batch.setting(key) is None:
            batch.set(key, _DEFAULTS[key])
    never_given = [option for key, option in _REQUIRED_OPTIONS.items() if batch.setting(key) is None]
    options = [*missing, *never_given]
    if options:
        listed = " e ".join((", ".join(options[:-1]), options[-1])) if len(options) > 1 else options[0]
        first = "na primeira publicação, " if never_given else ""
        raise BadPublication(f"{first}informe também {listed}")
    check_domain(batch.setting("domain") or "", batch.setting("system") or "")


def _republish(batch: Batch, where: Settings) -> dict[str, object]:
    with timer_line("publish"):
        done = republish(batch, where.store, batch.setting("domain") or "", batch.setting("system") or "")
    counts = {key: getattr(batch, key) for key in ("new", "changed", "unchanged", "deleted")}
    changes = ", ".join(_count_text(counts[key], word) for key, word in _CHANGES.items())
    print_message(f"{changes}, {batch.unchanged} sem alteração; {_count_text(done.pages, 'resposta armazenada')}")
    for key, (singular, several) in _HARVESTED_TEXTS.items():
        count = getattr(done, key)
        if count:
            print_message(f"  {count} {singular if count == 1 else several}")
    return {
        **counts,
        **{_JSON_KEYS.get(key, key): value for key, value in asdict(done).items()},
    }


#: The keys of counts in the report that have another name in :class:`loaders.publishing.RepublishedCounts`.
_JSON_KEYS = {"renamed": "minted", "refused": "left_out"}
_CHANGES = {"new": "novo", "changed": "alterado", "deleted": "excluído"}
_HARVESTED_TEXTS = {
    "renamed": (
        "registro recebeu um identificador deste repositório: o original não segue o esquema oai, ou já está em uso",
        "registros receberam um identificador deste repositório: o original não segue o esquema oai, ou já está em uso",
    ),
    "own": (
        "registro é deste repositório e não é publicado outra vez",
        "registros são deste repositório e não são publicados outra vez",
    ),
    "refused": (
        "registro foi recusado na coleta e não é publicado",
        "registros foram recusados na coleta e não são publicados",
    ),
    "other": (
        "resposta armazenada não é do protocolo OAI-PMH e não é publicada",
        "respostas armazenadas não são do protocolo OAI-PMH e não são publicadas",
    ),
}


def _publish(
    batch: Batch,
    store: WritableStore,
    where: Settings,
    source: _Source,
    *,
    check: bool,
) -> dict[str, object]:
    outcome = Outcome()
    address, publisher = batch.setting("address"), batch.setting("publisher")
    known = vocabulary(store)
    issuer = Issuer(source.place, source.authority, publisher)
    check_issuer(issuer, known)
    unused: list[str] = []
    left_out: list[str] = []
    read: list[Norm] = []
    texts: list[Norm] = []
    notes: list[str] = []
    rules = RecordRules.of(known)
    contents: set[bytes] = set()
    context = FolderContext(Origin(source.place, source.authority), address, publisher, known, contents)
    dated: int | None = None
    with ExitStack() as stack, _report_on_failure(outcome, source, known, check=check), timer_line("publish"):
        chamber = _chamber_folder(where, source, stack, check=check)
        numbers = _act_numbers(batch, source.key)
        sources: list[Iterable[Norm | Fault]] = [
            _with_texts(
                read_spreadsheet(
                    sheet,
                    issuer,
                    known,
                    numbers,
                    address=address,
                    own=source.own,
                    unused=unused,
                    folders=source.folders,
                ),
                texts,
                contents,
            )
            for sheet in source.sheets
        ]
        sources += [
            _check_place(read_folder(folder, context, outcome), source, texts, notes) for folder in source.folders
        ]
        sources = [with_one_day(union_of(sources))]
        if chamber is not None:
            sources.append(read_chamber(chamber, Origin(source.place, None), address, publisher, left_out))
        changes = publish(
            batch,
            _kept(with_amendments(union_of(sources)), read),
            outcome,
            source=source.key,
            domain=batch.setting("domain") or "",
            system=batch.setting("system") or "",
            accept_removals=source.accept_removals,
        )
        with _as_response(changes, batch, address) as response:
            if batch.has_changes and not check:
                load([response], store, quarantine(where), as_kind="oai_lexml", rules=rules)
        if not check:
            operated, loaded = norms_with_operations(store), _LoadedTexts(store)
            published = {identifier.partition("/")[2] for identifier in batch.living(source.key)}
            texts = [norm for norm in texts if norm.name.canonical in published]
            if source.sheets:
                _load_stated(batch, store, where, source, read, withheld=bool(outcome.faults))
            notes += _load_texts(loaded, where, source, texts, days_of_originals(read), chamber=chamber, rules=rules)
            notes += loaded.withdraw_missing(batch, source, keep=bool(outcome.faults or loaded.refused))
            notes += _apply_orders(store, source.place, operated)
            notes += _missing_norms(store, read)
            dated, withheld = publish_versions(batch, store, read, source.key, keep=bool(outcome.faults))
            notes += [f"{', '.join(withheld)}: {_ENDS_OTHERWISE}"] if withheld else []
    _print_outcome(outcome, dated)
    notes += _doubtful_rows(read, texts)
    notes += [f"colunas que não são usadas: {', '.join(unused)}"] if unused else []
    notes += [f"do SAPL não foi usado (em inglês): {message}" for message in left_out]
    for message in notes:
        print_message(f"  {message}")
    document = {**outcome.as_json(), "unused_columns": unused, "left_out": left_out}
    if check:
        return document
    origins = {norm.name.canonical: norm.where for norm in read}
    names = (identifier.partition("/")[2] for identifier in batch.living(source.key))
    norms = [name for name in names if not parse(name).descritor.componentes]
    report = _report(source, outcome, notes, address, reported_norms(store, norms, origins, today()))
    batch.set(f"{SETTING}{source.key}", json.dumps(report.as_json()))
    return {**document, "page": _write_page(source, report, known)}


def _report(
    source: _Source,
    outcome: Outcome,
    notes: Iterable[str] = (),
    address: str | None = None,
    norms: Iterable[ReportedNorm] = (),
) -> Report:
    """Return what the page of a publication has."""
    counts = {key: getattr(outcome, key) for key in ("new", "changed", "unchanged", "deleted", "withheld")}
    return Report(
        source.place,
        source.authority,
        today(),
        counts,
        tuple(norms),
        tuple((fault.where, fault.message) for fault in outcome.faults),
        (*notes, *_ignored_text(outcome)),
        address,
    )


def _write_page(source: _Source, report: Report, known: Vocabulary) -> str | None:
    """Write the page of a publication beside its first source; return its path, or None if it cannot be written."""
    first = next(iter([*source.paths, Path("sapl")])).resolve()
    page = first.with_name(f"{first.stem if first.suffix else first.name}{PAGE_ENDING}")
    try:
        page.write_bytes(publication_file(report, known))
    except OSError as error:
        print_message(f"a página do resultado não pôde ser gravada: {error}")
        return None
    print_message(f"página do resultado: {page}")
    return str(page)


def _chamber_folder(where: Settings, source: _Source, stack: ExitStack, *, check: bool) -> Path | None:
    """Return the folder with the answers of the chamber's SAPL; those of a URL are fetched first.

    Raises:
        BadPublication: the SAPL gave no valid answer.
    """
    if source.sapl is None or not source.sapl_is_url:
        return None if source.sapl is None else Path(source.sapl)
    from service.cli.chambers import fetch_chamber  # noqa: PLC0415 - it imports httpx, which other calls do not need

    place = Settings(Path(stack.enter_context(TemporaryDirectory()))) if check else where
    folder = fetch_chamber(place, source.sapl, 0.5, None)
    if folder is None:
        raise BadPublication("o SAPL não respondeu como esperado: nada foi alterado")
    return folder


def _kept(norms: Iterable[Norm | Fault], read: list[Norm]) -> Iterator[Norm | Fault]:
    """Yield norms and faults, and keep the norms."""
    for norm in norms:
        if isinstance(norm, Norm):
            read.append(norm)
        yield norm


def _load_stated(
    batch: Batch,
    store: WritableStore,
    where: Settings,
    source: _Source,
    norms: Sequence[Norm],
    *,
    withheld: bool,
) -> None:
    """Load what the cells of a spreadsheet state besides the records, as facts.

    A fact that the spreadsheet no longer states is withdrawn, but not while rows are refused.
    """
    curator = batch.setting("domain") or ""
    full = full_names(norms)
    facts = [fact for norm in norms for fact in facts_of(norm.name, norm.stated, norm.where, curator, full)]
    key = f"facts:{source.key}"
    before: dict[str, list[str]] = json.loads(batch.setting(key) or "{}")
    ids: dict[str, list[str]] = {}
    for fact in facts:
        ids.setdefault(fact["norm"], []).append(fact["id"])
    present = {norm.name.canonical for norm in norms if norm.stated}  # a refused row states nothing
    for name, known in before.items():
        if withheld and name not in present:
            ids[name] = known
            continue
        gone = [each for each in known if each not in ids.get(name, [])]
        facts += [
            {"norm": name, "event": EventKind.PUBLICACAO.value, "curator": curator, "id": each, "withdrawn": "true"}
            for each in gone
        ]
    if not facts:
        return
    batch.set(key, json.dumps(ids))
    with TemporaryDirectory() as folder:
        file = Path(folder) / source.sheets[0].name
        with file.open("w", encoding="utf-8", newline="") as output:
            writer = csv.DictWriter(output, FACT_COLUMNS, restval="")
            writer.writeheader()
            writer.writerows(facts)
        summary = load([file], store, quarantine(where), as_kind="facts")
    for refusal in summary.refusals:
        print_message(f"  {refusal.identifier}: {refusal.problem} (em inglês)")


class _LoadedTexts:
    """A sink that writes the records of texts to the store, and withdraws those that the sources no longer have.

    Attributes:
        records: the kind and the loader of each written record, by its IRI.
        refused: whether a text was refused.
    """

    def __init__(self, store: WritableStore) -> None:
        self._store = store
        self.records: dict[str, tuple[str, str]] = {}
        self.refused = False

    def apply(self, records: Sequence[Arriving], /) -> TransactionResult:
        stated = ((record.source, record.deleted) for record in records)
        self.records |= {source.iri: (source.kind, source.loader) for source, deleted in stated if not deleted}
        return self._store.apply(records)

    def withdraw_missing(self, batch: Batch, source: _Source, *, keep: bool) -> Iterator[str]:
        """Replace the records of texts that the source no longer has with tombstones; yield why they are kept instead.

        Args:
            keep: whether nothing is withdrawn, because something was refused.
        """
        key, empty = f"texts:{source.key}", sha256(b"").hexdigest()
        before: dict[str, tuple[str, str]] = json.loads(batch.setting(key) or "{}")
        gone = {record: stated for record, stated in before.items() if record not in self.records}
        if is_mass_removal(len(gone), len(before)) and not source.accept_removals:
            keep = True
            problem = f"{len(gone)} de {len(before)} textos não estão mais na origem, e continuam no acervo"
            yield f"{problem}. Se foram mesmo retirados, repita com --accept-removals"
        if keep:
            self.records |= gone
        else:
            self._store.apply([Record(Source(iri, kind, empty, loader), None) for iri, (kind, loader) in gone.items()])
        batch.set(key, json.dumps(self.records))


def _load_texts(
    loaded: _LoadedTexts,
    where: Settings,
    source: _Source,
    texts: Sequence[Norm],
    originals: Mapping[Name, date],
    *,
    chamber: Path | None,
    rules: RecordRules,
) -> list[str]:
    """Load the answers of a SAPL, XML documents, and the texts of norms; return the messages on unused texts.

    Args:
        originals: the days of publication of norms whose files have the text as published.
    """
    if chamber is not None:
        load([chamber], loaded, quarantine(where), as_kind="sapl", rules=rules, origin=Origin(source.place, None))
    below = (path for folder in source.folders for path in sorted(folder.rglob("*")) if path.is_file())
    documents = [path for path in below if path.suffix.lower() in {".xml", ".zip", ".gz", ".tar"}]
    if documents:
        load(documents, loaded, quarantine(where), rules=rules)
    messages: list[str] = []
    unused: dict[str, list[str]] = {}
    with TemporaryDirectory() as place:
        paths: dict[tuple[str, date | None], list[Path]] = {}
        for number, norm in enumerate(texts):
            text = norm.text
            if text is None or not text.raw:  # a further act of a file
                continue
            path = Path(place) / str(number) / text.file
            path.parent.mkdir()
            path.write_bytes(text.raw)
            paths.setdefault((text.kind, originals.get(norm.name)), []).append(path)
        for (kind, day), files in paths.items():
            origin = Origin(source.place, source.authority)
            summary = load(files, loaded, quarantine(where), as_kind=kind, origin=origin, published=day)
            loaded.refused |= bool(summary.refused)
            messages += [
                f"{refusal.origin} não foi lido (em inglês): {refusal.problem}" for refusal in summary.refusals
            ]
            for note in summary.notes:
                if note.code in _ORDERS:
                    messages.append(_order_message(note, source, texts))
                elif note.dropped:
                    line = f"{note.origin}, {note.position.replace('line', 'linha')}"
                    unused.setdefault(note.message, []).append(line)
    return messages + [f"{_listed(places)}: não foi usado: {message}" for message, places in unused.items()]


def _apply_orders(store: WritableStore, place: str, before: Iterable[Name]) -> Iterator[str]:
    """Derive the texts of the norms of a place from the acts in the store; yield messages on orders not applied.

    Args:
        before: the norms that acts changed before this publication, which may have withdrawn their orders.
    """
    operated = dict.fromkeys((*norms_with_operations(store), *before))
    norms = [norm for norm in operated if norm.canonical.startswith(f"urn:lex:{place}:")]
    for each in derive_again(store, norms):
        if not _is_known(store, each.norm):
            by = " e ".join(act.name.canonical for act in acts(store, each.norm))
            if by:
                yield f"a norma {each.norm}, alterada ou revogada por {by}, não consta do acervo; {_CHECK_NUMBER}"
            continue
        for act, count in each.undated.items():
            missing = "da publicação ou do início da vigência"
            yield f"{each.norm}: {_not_applied(count)}, porque falta o dia {missing} de {act}"
        others = len(each.refused) + sum(each.with_own_day.values()) + len(each.days_without_base_text)
        if others:
            yield f"{each.norm}: {_not_applied(others)}; veja `vigente derive '{each.norm}'` (em inglês)"


def _not_applied(count: int) -> str:
    return "1 alteração não aplicada" if count == 1 else f"{count} alterações não aplicadas"


def _is_known(store: WritableStore, norm: Name) -> bool:
    """Return whether a record of a source is about a norm; the record of derived texts is none."""
    return any(record.iri != derived_record(norm) for record in records(store, norm.iri))


def _missing_norms(store: WritableStore, norms: Sequence[Norm]) -> Iterator[str]:
    """Yield messages on norms that cells name as revoking, amended or amending, and that the store does not have."""
    full = full_names(norms)
    for norm in norms:
        for key, column in (("revogada_por", "revogada_por"), ("altera", "altera"), ("alterada_por", "situacao")):
            stated = norm.stated.get(key)
            for name in stated if isinstance(stated, tuple) else (stated,):
                if isinstance(name, Name) and not _is_known(store, norm_meant(store, full(name))):
                    yield f"{norm.where}, coluna {column}: a norma {name} não consta do acervo; {_CHECK_NUMBER}"


def _doubtful_rows(norms: Sequence[Norm], texts: Iterable[Norm]) -> Iterator[str]:
    """Yield messages on texts with another publication than their row, situations not read, and acts of the board."""
    rows = {norm.name: norm for norm in norms if PUBLISHED in norm.stated}
    for norm in texts:
        row, day = rows.get(norm.name), norm.text.published if norm.text is not None else None
        if row is not None and day is not None and (stated := row.stated[PUBLISHED]) != day:
            file = norm.where if norm.where != row.where else row.stated.get("arquivo")
            written = f"{file}: o texto informa a publicação em {day:%d/%m/%Y}"
            yield f"{written}, e {row.where}, coluna {PUBLISHED}, em {stated:%d/%m/%Y}; confira e corrija um dos dois"
    unread = [f"{norm.where} ({norm.stated['situacao']!r})" for norm in norms if "situacao" in norm.stated]
    if unread:
        yield f"a coluna situacao não foi usada em {_listed(unread)}"
    acts_of_chamber = [norm.where for norm in norms if _CHAMBER.match(f"{norm.name} {norm.metadata.decode()}")]
    if acts_of_chamber:
        yield f"{_listed(acts_of_chamber)}: {_OF_CHAMBER}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + (f" e mais {len(names) - _LISTED}" if len(names) > _LISTED else "")


def _order_message(note: Note, source: _Source, texts: Iterable[Norm]) -> str:
    """Return the message on the orders of a text on other norms that are not used."""
    of_rows = (norm.stated.get("arquivo") for norm in texts if norm.text and norm.text.file == note.origin)
    below = (path for folder in source.folders for path in folder.rglob("*") if path.name == note.origin)
    rows = (sheet.parent / str(file) for file in of_rows if file is not None for sheet in source.sheets)
    command = f"vigente amendments '{next(chain(rows, below), note.origin)}'"
    options = f"--place '{source.place}' --authority {source.authority}"
    orders = f"alterações de outras normas {_ORDERS[note.code]}: {note.count}"
    return f"{note.origin}, {orders}; veja `{command} {options}`"


def _act_numbers(batch: Batch, source: str) -> ActNumbers:
    """Return the numbers that a publication gave to acts without number."""
    domain, system = batch.setting("domain") or "", batch.setting("system") or ""
    return ActNumbers(
        batch,
        (identifier.partition("/")[2] for identifier in batch.living(source)),
        lambda name: batch.source_of(identifier_of(parse(name), domain, system)) is not None,
    )


@contextmanager
def _report_on_failure(outcome: Outcome, source: _Source, known: Vocabulary, *, check: bool) -> Iterator[None]:
    """Print the faults of a publication that fails, and write its page."""
    try:
        yield
    except BadPublication:
        _print_faults(outcome)
        if outcome.faults and not check:
            _write_page(source, _report(source, outcome), known)
        raise


def _with_texts(norms: Iterable[Norm | Fault], texts: list[Norm], contents: set[bytes]) -> Iterator[Norm | Fault]:
    """Yield norms and faults, and keep the norms with a text, and the contents of their files."""
    for norm in norms:
        if isinstance(norm, Norm) and norm.text is not None:
            texts.append(norm)
            contents.add(norm.text.raw if norm.text.converted is None else norm.text.converted)
        yield norm


def _check_place(
    norms: Iterable[Norm | Fault], source: _Source, texts: list[Norm], notes: list[str]
) -> Iterator[Norm | Fault]:
    """Yield the norms of the place of the source, of any of its authorities, and a fault for each other norm.

    Args:
        texts: receives the norms with a text.
        notes: receives a message on each further text of a norm, which is loaded, too.
    """
    first: dict[Name, str] = {}
    begins = f"urn:lex:{source.place}:"
    for norm in norms:
        if isinstance(norm, Norm) and not norm.name.canonical.startswith(begins):
            yield Fault(norm.where, f"a URN {norm.name.canonical} não é desta autoridade e localidade ({begins}...)")
            continue
        if isinstance(norm, Norm) and norm.text is not None:
            texts.append(norm)
            if first.setdefault(norm.name, norm.where) != norm.where:
                notes.append(f"{norm.where} é outro texto da mesma norma que {first[norm.name]}; os dois foram lidos")
                continue
        yield norm


@contextmanager
def _as_response(changes: Iterable[tuple[str, bytes | None]], batch: Batch, address: str | None) -> Iterator[Path]:
    """Write the changes to a temporary file as an OAI-PMH response, for the loader."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    url = f"{address or 'https://' + (batch.setting('domain') or '')}/oai"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "publication.xml"
        with file.open("wb") as output:
            output.write(_RESPONSE.format(now=now, url=escape(url)).encode())
            for identifier, metadata in changes:
                gone = ' status="deleted"' if metadata is None else ""
                header = f"<header{gone}><identifier>{escape(identifier)}</identifier><datestamp>{now}</datestamp>"
                output.write(f"<record>{header}</header>".encode())
                if metadata is not None:
                    output.write(b"<metadata>" + metadata + b"</metadata>")
                output.write(b"</record>")
            output.write(b"</ListRecords></OAI-PMH>")
        yield file


def _print_outcome(outcome: Outcome, dated: int | None) -> None:
    settings_given = (
        f"{_count_text(outcome.new, 'nova')}, {_count_text(outcome.changed, 'alterada')}, "
        f"{_count_text(outcome.deleted, 'excluída')}, {outcome.unchanged} sem alteração, "
        f"{_count_text(len(outcome.faults), 'recusada')}"
    )
    if dated is not None:
        settings_given += f", {dated} {'redação' if dated == 1 else 'redações'} com data"
    print_message(settings_given)
    for norm in outcome.generated:
        print_message(f"  {norm.where}: ato sem número, publicado como {norm.name.canonical}")
    _print_faults(outcome)
    if outcome.withheld:
        problem = (
            "norma não está mais na origem; não foi excluída, porque houve recusas"
            if outcome.withheld == 1
            else "normas não estão mais na origem; não foram excluídas, porque houve recusas"
        )
        print_message(f"  {outcome.withheld} {problem}")


def _print_faults(outcome: Outcome) -> None:
    """Print what is not published: the faults, and the files that are not XML."""
    for fault in outcome.faults:
        print_message(f"  {fault.where}: {fault.message}")
    for message in _ignored_text(outcome):
        print_message(f"  {message}")


def _ignored_text(outcome: Outcome) -> list[str]:
    """Return the message on files that are not read; none if there are no such files."""
    count = len(outcome.ignored)
    return (
        [f"{_count_text(count, 'arquivo ignorado')}, sem texto de norma: {_listed(outcome.ignored)}"] if count else []
    )


def _count_text(count: int, words: str) -> str:
    """Return a number with its words, e.g. ``1 nova`` and ``0 respostas armazenadas``."""
    return f"{count} {words if count == 1 else ' '.join(f'{word}s' for word in words.split())}"
