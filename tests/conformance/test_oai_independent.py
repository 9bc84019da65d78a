"""Tests of the OAI-PMH client against an independent provider."""

from __future__ import annotations

import pytest

from loaders.oai_pmh import (
    BadToken,
    Client,
    DeletedRecord,
    FaultCode,
    Granularity,
    MetadataFormat,
    ProtocolFault,
    Request,
    SetSpec,
    Verb,
)
from tests.support.oai_asking import LIST, quick
from tests.support.oai_independent import LEXML, IndependentProvider, norms
from tests.support.oai_server import identifier


def test_foreign_provider_is_listed_in_full() -> None:
    held = norms(330)
    with IndependentProvider(held) as provider, Client(provider.url, quick()) as client:
        about = client.identify()
        assert (about.deleted, about.granularity, about.page.notes) == (
            DeletedRecord.PERSISTENT,
            Granularity.SECOND,
            (),
        )
        schema = "http://projeto.lexml.gov.br/esquemas/oai_lexml.xsd"
        assert client.metadata_formats() == (MetadataFormat("oai_lexml", schema, LEXML),)
        specs = ["normas", "normas:leis"]
        assert list(client.sets()) == [SetSpec(spec, f"Conjunto {spec}") for spec in specs]
        for verb in (Verb.LIST_RECORDS, Verb.LIST_IDENTIFIERS):
            pages = list(client.pages(Request(verb, prefix="oai_lexml")))
            assert [page.size for page in pages] == [50] * 6 + [30]
            assert [page.notes for page in pages] == [()] * 7
            headers = [header for page in pages for header in page.headers]
            assert {h.identifier: (h.deleted, h.sets) for h in headers} == {
                name: (norm.deleted, norm.sets) for name, norm in held.items()
            }
            assert len(headers) == 330


def test_list_that_exactly_fills_its_pages_ends() -> None:
    with IndependentProvider(norms(100)) as provider, Client(provider.url, quick()) as client:
        pages = list(client.pages(LIST))
        assert [(page.size, page.is_last, page.notes) for page in pages] == [(50, False, ()), (50, True, ())]
        assert len(provider.requests) == 2


def test_requested_sets_and_windows_are_returned() -> None:
    held = norms(200)
    window = ("2026-01-02T00:00:00Z", "2026-01-05T23:59:59Z")
    request = Request(Verb.LIST_RECORDS, prefix="oai_lexml", set="normas:leis", from_=window[0], until=window[1])
    with IndependentProvider(held, limit=20) as provider, Client(provider.url, quick()) as client:
        identifiers = {header.identifier for page in client.pages(request) for header in page.headers}
    assert identifiers == {identifier(99901 + n) for n in range(24, 120) if n % 3}


def test_single_record_and_errors_of_a_foreign_provider() -> None:
    with IndependentProvider(norms(10)) as provider, Client(provider.url, quick()) as client:
        page = client.record(identifier(99903), "oai_lexml")
        assert [header.identifier for header in page.headers] == [identifier(99903)]
        assert client.record(identifier(99907), "oai_lexml").headers[0].deleted
        for arguments, code in (
            ((identifier(99999), "oai_lexml"), FaultCode.NO_RECORD),
            ((identifier(99903), "marc"), FaultCode.NO_FORMAT),
        ):
            with pytest.raises(ProtocolFault) as raised:
                client.record(*arguments)
            assert raised.value.code == code
        with pytest.raises(BadToken):
            client.page(Request(Verb.LIST_RECORDS, token="abc"))  # noqa: S106 (no secret)
        nothing = client.page(Request(Verb.LIST_RECORDS, prefix="oai_lexml", from_="2030-01-01"))
        assert (nothing.size, nothing.is_last, [error.code for error in nothing.errors]) == (
            0,
            True,
            ["noRecordsMatch"],
        )
