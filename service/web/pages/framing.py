"""The frame of the page that answers a request: its address and the language that it is read in."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request

from graph.errors import BadParameter
from service.web.http.links import address_of
from service.web.pages.frame import LANG, Frame
from service.web.pages.words import Language, best_language, language_said

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
