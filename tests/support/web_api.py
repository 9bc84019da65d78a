"""Helpers for tests of the API: a service over the bundled sample, whose answers are validated by their schemas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema_rs

from service.cli import main
from service.web.settings import Limits, Settings
from tests.support.web import serving

CODE = "urn:lex:br:federal:lei:1990-09-11;8078"
#: A fictional law of the sample that has a text.
LAW = "urn:lex:br:federal:lei:2001-03-05;99916"
UNKNOWN = "urn:lex:br:federal:lei:2020-01-02;99999"


class Api:
    """A client of the API of a service; every answer is validated by its schema in the OpenAPI document.

    Attributes:
        store: the folder of the store.
        address: the address of the service, without a final slash.
        description: the OpenAPI document.
    """

    def __init__(self, store: Path, address: str, client: httpx.Client) -> None:
        self.store = store
        self.address = address
        self.client = client
        self.description: dict[str, Any] = client.get("/openapi.json").json()

    def get(self, path: str, **parameters: object) -> httpx.Response:
        """Send GET to an endpoint and return the response; ``from_`` stands for ``from``."""
        named = {key.rstrip("_"): str(value) for key, value in parameters.items()}
        in_path = {key: named.pop(key) for key in list(named) if f"{{{key}}}" in path}
        asked = path.format(**{key: quote(value, safe="") for key, value in in_path.items()})
        return self.checked(self.client.get(f"/api/v1/{asked}", params=named))

    def raw(self, path: str, query: str) -> httpx.Response:
        """Send GET to an endpoint with a raw query string; return the response."""
        return self.checked(self.client.get(f"/api/v1/{path}?{query}"))

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Send POST to an endpoint; return the response."""
        return self.checked(self.client.post(f"/api/v1/{path}", **options))

    def checked(self, response: httpx.Response) -> httpx.Response:
        """Return the response; fail if it is not declared or does not match its schema."""
        response.content.decode("utf-8")
        method = response.request.method.lower()
        path = response.request.url.path
        if path not in self.description["paths"]:
            path = f"{path[: path.index('/', len('/api/v1/'))]}/{{name}}"
        declared = self.description["paths"][path][method]["responses"]
        assert str(response.status_code) in declared, (response.status_code, response.text)
        content = declared[str(response.status_code)].get("content")
        if content is None:
            assert response.content == b""
            return response
        media = response.headers["content-type"]
        assert media in content, response.text
        self.hold(content[media]["schema"], response.json())
        return response

    def hold(self, schema: dict[str, Any], document: object) -> None:
        """Validate a document by a schema of the OpenAPI document."""
        full_schema = {**schema, "components": self.description["components"]}
        jsonschema_rs.Draft202012Validator(full_schema, validate_formats=True).validate(document)


@contextmanager
def sampled(folder: Path, limits: Limits | None = None) -> Iterator[Api]:
    """Run a service over the bundled sample until the block ends; yield a client of its API."""
    assert main(["--store", str(folder), "demo"]) == 0
    with (
        serving(Settings(folder, limits=limits or Limits())) as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):
        yield Api(folder, address, client)
