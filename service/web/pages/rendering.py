"""Templates, and how much of long texts and lists a page has room for."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import escape

from service.web.http.name_paths import description_path, name_path
from service.web.pages.assets import asset_path
from service.web.pages.frame import Frame
from service.web.pages.words import Language, printing, words_in

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Some(Generic[_T]):
    """The first ones of several.

    Attributes:
        shown: in their order.
        more: how many are not among them.
    """

    shown: tuple[_T, ...]
    more: int


def some(those: Collection[_T], most: int, room: int, weigh: Callable[[_T], int]) -> Some[_T]:
    """As many as a page has room for, the first one in any case.

    Args:
        those: in their order.
        most: how many at most.
        room: how many bytes they may take together.
        weigh: about how many bytes one takes.
    """
    shown: list[_T] = []
    for one in those:
        room -= weigh(one)
        if len(shown) == most or (shown and room < 0):
            break
        shown.append(one)
    return Some(tuple(shown), len(those) - len(shown))


def bytes_of(text: str) -> int:
    """How many bytes words take on a page, signs of markup written out."""
    return len(str(escape(text)).encode("utf-8", "replace"))


def cut(text: str, longest: int) -> str:
    """Words as far as a page has room for them; the description of what they are about has the whole.

    Args:
        text: of any length.
        longest: in characters.
    """
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"


_SCHEMES = ("http", "https")
#: Longest address of another site that becomes a link.
_LONGEST_ADDRESS = 2_000


def web_address(text: str | None) -> str | None:
    """An address of a source, where it is one that a browser may be sent to; else None: it is shown as text.

    >>> web_address("https://exemplo.vigente.invalid/a?b=c")
    'https://exemplo.vigente.invalid/a?b=c'
    >>> [web_address(text) for text in ("javascript:alert(1)", "//x.example", "https://a b.example/", "http://", None)]
    [None, None, None, None, None]
    """
    if text is None or len(text) > _LONGEST_ADDRESS or not text.isprintable() or " " in text or "\\" in text:
        return None
    try:
        parts = urlsplit(text)
        fit = parts.scheme in _SCHEMES and parts.hostname and parts.username is None
    except ValueError:
        fit = False
    return text if fit else None


@cache
def _environment() -> Environment:
    folder = files("service.web.pages").joinpath("templates")

    def load(name: str) -> str | None:
        file = folder.joinpath(name)
        return file.read_text(encoding="utf-8") if file.is_file() else None

    made = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printing,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(asset=asset_path, languages=tuple(Language))
    made.filters.update(cut=cut, name_path=name_path, description_path=description_path, web_address=web_address)
    return made


def render(template: str, frame: Frame, **values: object) -> bytes:
    """A page.

    Args:
        template: the name of a file of ``templates``.
        frame: what stands around it.
        values: what the template shows.
    """
    words = words_in(frame.language)
    text = _environment().get_template(template).render(frame=frame, words=words, **values)
    return text.encode("utf-8", "backslashreplace")
