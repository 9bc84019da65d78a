"""Complete lists by OAI-PMH clients of other projects: Sickle, oaipmh-scythe, pyoai and Perl's HTTP::OAI."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType, SimpleNamespace
from typing import Any

import oaipmh.client  # type: ignore[import-untyped]
import oaipmh.metadata  # type: ignore[import-untyped]
import pytest
from lxml import etree
from oaipmh.error import NoRecordsMatchError  # type: ignore[import-untyped]
from oaipmh_scythe import Scythe
from oaipmh_scythe.exceptions import NoRecordsMatch as NothingForScythe
from oaipmh_scythe.models import Record as ScytheRecord

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer Python versions warn about escapes in its patterns
    from sickle import Sickle  # type: ignore[import-untyped]
    from sickle.oaiexceptions import NoRecordsMatch as NothingForSickle  # type: ignore[import-untyped]

#: By identifier of a record, whether it is deleted.
Listed = dict[str, bool]

_PERL = """
use HTTP::OAI;
my ($url, $from) = @ARGV;
my $harvester = HTTP::OAI::Harvester->new(baseURL => $url);
my %bounds = length($from) ? (from => $from) : ();
my $told = sub {
    my $record = shift;
    print $record->identifier, "\\t", ($record->is_deleted ? 1 : 0), "\\n";
};
my $list = $harvester->ListRecords(metadataPrefix => 'oai_lexml', onRecord => $told, %bounds);
die $list->message if $list->is_error && $list->message !~ /noRecordsMatch/;
"""


def sickle(url: str, since: str | None) -> Listed:
    """Return the list that Sickle receives."""
    bounds: dict[str, Any] = {} if since is None else {"from": since}
    try:
        records = Sickle(url).ListRecords(metadataPrefix="oai_lexml", **bounds)
        return {record.header.identifier: record.deleted for record in records}
    except NothingForSickle:
        return {}


def scythe(url: str, since: str | None) -> Listed:
    """Return the list that oaipmh-scythe receives."""
    with Scythe(url) as client:
        try:
            records = client.list_records(metadata_prefix="oai_lexml", from_=since)
            headers = [record.header for record in records if isinstance(record, ScytheRecord)]
            return {header.identifier or "": header.deleted for header in headers}
        except NothingForScythe:
            return {}


class _Evaluator:
    """An evaluator with the method ``evaluate``, which pyoai 2.5 needs and lxml 5 removed."""

    def __init__(self, tree: Any, namespaces: Mapping[str, str]) -> None:
        self.evaluate = etree.XPathEvaluator(tree, namespaces=dict(namespaces))


@contextmanager
def _older_lxml() -> Iterator[None]:
    older = SimpleNamespace(**{**vars(etree), "XPathEvaluator": _Evaluator})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oaipmh.client, "etree", older)
        patch.setattr(oaipmh.metadata, "etree", older)
        yield


def pyoai(url: str, since: str | None) -> Listed:
    """Return the list that pyoai receives."""
    registry = oaipmh.metadata.MetadataRegistry()
    reader = oaipmh.metadata.MetadataReader(
        fields={"name": ("textList", "l:LexML/l:DocumentoIndividual/text()")},
        namespaces={"l": "http://www.lexml.gov.br/oai_lexml"},
    )
    registry.registerReader("oai_lexml", reader)
    client = oaipmh.client.Client(url, registry)
    bounds = {} if since is None else {"from_": datetime.fromisoformat(since).replace(tzinfo=None)}
    with _older_lxml():
        client.updateGranularity()
        try:
            records = client.listRecords(metadataPrefix="oai_lexml", **bounds)
            return {header.identifier(): header.isDeleted() for header, _, _ in records}
        except NoRecordsMatchError:
            return {}


def perl(url: str, since: str | None) -> Listed:
    """Return the list that HTTP::OAI receives."""
    if (
        shutil.which("perl") is None
        or subprocess.run(["perl", "-MHTTP::OAI", "-e", "1"], check=False, capture_output=True).returncode
    ):
        pytest.skip("Perl's HTTP::OAI is not installed (Debian: libhttp-oai-perl)")
    asked = ["perl", "-e", _PERL, url, since or ""]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=120)
    return {name: gone == "1" for name, gone in (line.split("\t") for line in done.stdout.splitlines())}


#: By name, a function that returns the list of a base URL since a datestamp (None: all records).
CLIENTS: Mapping[str, Callable[[str, str | None], Listed]] = MappingProxyType(
    {"sickle": sickle, "oaipmh-scythe": scythe, "pyoai": pyoai, "HTTP::OAI": perl}
)
