"""The frame of a page: its language, its address, its parameters, and the frame of the page that answers a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from starlette.requests import Request

from graph.errors import BadParameter
from service.web.http.negotiation import Language, best_language, language_said
from service.web.links import address_of

#: The parameter that says the language.
LANG = "lang"
#: The names of the parameter that says the part of a long page.
_OF_PART = ("part", "parte")


@dataclass(frozen=True, slots=True)
class Frame:
    """The surroundings of one page.

    Attributes:
        language: that it is written in.
        said: whether the address says it, so that the links of the page have to say it too.
        path: its path, percent-encoded.
        query: the rest of its address without the language, each a name and a value.
        base: the address of the service, without a slash at its end.
    """

    language: Language
    said: bool
    path: str
    query: tuple[tuple[str, str], ...]
    base: str

    def to(self, path: str, **query: object) -> str:
        """The address of another page, in the language of this one.

        Args:
            path: percent-encoded, perhaps with a query and a fragment.
            query: parameters to add; those that are None are left out.
        """
        pairs = [(key.rstrip("_"), str(value)) for key, value in query.items() if value is not None]
        if self.said:
            pairs.append((LANG, self.language.value))
        return _joined(path, pairs)

    def in_language(self, language: Language) -> str:
        """The address of this page in a language."""
        return _joined(self.path, [*self.query, (LANG, language.value)])

    def here(self, part: int) -> str:
        """The address of this page with another part; its format is not repeated."""
        kept = [(key, value) for key, value in self.query if key not in _OF_PART and key != "format"]
        return self.to(_joined(self.path, kept), part=part)

    def with_(self, **query: object) -> str:
        """The address of this page with other parameters, its first part; those that are None are left out."""
        dropped = {*query, *_OF_PART, "format"}
        return self.to(_joined(self.path, [(key, value) for key, value in self.query if key not in dropped]), **query)

    @property
    def own(self) -> str:
        """The address of this page, without a language."""
        return _joined(self.path, self.query)

    def as_json(self) -> dict[str, object]:
        """The same as plain values, for another process."""
        return {
            "language": self.language.value,
            "said": self.said,
            "path": self.path,
            "query": [list(pair) for pair in self.query],
            "base": self.base,
        }

    @classmethod
    def of_json(cls, said: Mapping[str, object]) -> Frame:
        """A frame from what :meth:`as_json` made."""
        query = said["query"]
        assert isinstance(query, list)  # noqa: S101 - as_json wrote it
        return cls(
            Language(str(said["language"])),
            bool(said["said"]),
            str(said["path"]),
            tuple((str(key), str(value)) for key, value in query),
            str(said["base"]),
        )


def _joined(path: str, pairs: object) -> str:
    assert isinstance(pairs, list | tuple)  # noqa: S101 - by the callers
    if not pairs:
        return path
    path, mark, fragment = path.partition("#")
    return f"{path}{'&' if '?' in path else '?'}{urlencode(pairs)}{mark}{fragment}"


def page_tag(tag: str, frame: Frame) -> str:
    """The entity tag of a page: weak, for it is made in another process, which may have a newer snapshot already.

    Args:
        tag: a strong tag of what the page shows.
    """
    return f'W/{tag[:-1]}-{frame.language.value}"'


def varied(frame: Frame | None) -> dict[str, str]:
    """What the answer depended on: of a page, its language too."""
    if frame is None:
        return {"Vary": "Accept, Accept-Encoding"}
    return {"Vary": "Accept, Accept-Language, Accept-Encoding", "Content-Language": frame.language.value}


#: Characters of a raw path that may stand in an address of ours as they are; anything else is encoded.
_AS_THEY_ARE = "/:@!~$;,=%-._+"


def frame_of(request: Request) -> Frame:
    """The frame of the page that answers a request: for a problem too, whose address may say anything.

    A ``lang`` that cannot be counts as not said here; who reads the parameters of an address refuses it.
    """
    pairs = [(key, value) for key, value in request.query_params.multi_items() if key != LANG]
    said: Language | None = None
    try:
        said = language_said(request.query_params[LANG]) if LANG in request.query_params else None
    except BadParameter:
        said = None
    language = said or best_language(", ".join(request.headers.getlist("accept-language")) or None)
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode("utf-8", "surrogateescape")
    path = "/" + quote(raw, safe=_AS_THEY_ARE).lstrip("/")
    return Frame(language, said is not None, path, tuple(pairs), address_of(request))
