"""Templates of pages, and which addresses of sources become links."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from jinja2 import Environment, FunctionLoader, StrictUndefined

from service.web.cached_documents import asset_path
from service.web.http.name_paths import description_path, name_path
from service.web.http.negotiation import Language
from service.web.pages.frame import Frame
from service.web.pages.words import printing, words_in
from service.web.text_layout import cut

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


def prepare() -> None:
    """Compile every template: done once in the process that others are forked from, no reader waits for it."""
    made = _environment()
    for file in files("service.web.pages").joinpath("templates").iterdir():
        made.get_template(file.name)


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
