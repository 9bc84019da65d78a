"""``/``: where everything is, for who knows nothing but the address of the service."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.web.cached_documents import HTML, JSON, as_json, chosen, document
from service.web.linked.dataset import PATH
from service.web.links import PATH_OF_EDITOR
from service.web.pages import home
from service.web.pages.badge import PREFIX as PREFIX_OF_BADGES
from service.web.pages.routes import page_wanted
from service.web.pages.sitemap import PATH as SITEMAP
from service.web.pages.timeline import PREFIX as PREFIX_OF_TIMELINES
from service.web.replies import METHODS, Wanted, readable

#: What is where, by the names of the index; ``{}`` stands for a name.
LINKS: Mapping[str, str] = MappingProxyType(
    {
        "name": "/{urn}",
        "search": "/search",
        "difference": "/diff/{urn}",
        "api": "/openapi.json",
        "badge": PREFIX_OF_BADGES + "/{urn}",
        "timeline": PREFIX_OF_TIMELINES + "/{urn}",
        "sitemap": SITEMAP,
        "sparql": "/sparql",
        "editor": PATH_OF_EDITOR,
        "dataset": PATH,
        "ontology": "/ns",
        "shapes": "/shapes",
        "vocabularies": "/vocab",
        "queries": "/queries",
        "problems": "/problems",
        "timegate": "/timegate/{urn}",
        "timemap": "/timemap/{urn}",
    }
)


@readable
def _index(request: Request) -> Response | Wanted:
    media = chosen(request, (JSON, HTML))
    if media == HTML:
        return page_wanted(request, home.KIND, {})
    index = {
        "title": "Vigente",
        "descricao": "Qual texto da norma vigorava naquele dia, e como o sabemos?",
        "description": "Which text of the law was in force on that day, and how do we know?",
        "example": "/urn:lex:br:federal:lei:1990-09-11;8078?on=1993-06-15",
        "links": dict(LINKS),
    }
    return document(request, as_json(index), media)


def routes() -> list[Route]:
    """The route of this part."""
    return [Route("/", _index, methods=METHODS)]
