"""Style sheets and pictures of the pages, served by ourselves, under addresses that change with their content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

#: The media types of what is served, by the end of the name.
_MEDIA: Mapping[str, str] = MappingProxyType(
    {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
    }
)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that is served: its bytes, their media type, and a digest that changes with them."""

    body: bytes
    media: str
    digest: str


@cache
def assets() -> Mapping[str, Asset]:
    """What is served, by name."""
    found: dict[str, Asset] = {}
    for file in sorted(files("service.web").joinpath("assets").iterdir(), key=lambda each: each.name):
        media = _MEDIA.get(file.name.rpartition(".")[2])
        if media is not None:
            body = file.read_bytes()
            found[file.name] = Asset(body, media, sha256(body).hexdigest()[:16])
    return MappingProxyType(found)


def asset_path(name: str) -> str:
    """The address of a file of ``assets``.

    Raises:
        KeyError: there is no such file.
    """
    return f"/assets/{assets()[name].digest}/{name}"
