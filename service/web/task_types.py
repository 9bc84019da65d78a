"""The registry of task types: functions of a store and plain values, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graph.store import Store
from service.web.api.endpoints import TASKS
from service.web.api.operations import JSON, encode_json
from service.web.linked import count_statements
from service.web.pages import (
    badge,
    citing,
    consolidation,
    difference,
    feeds,
    home,
    pictures,
    queries,
    relations,
    search,
    several,
    timeline,
    whole_text,
)
from service.web.pages.norm import norm_page
from service.web.pages.norm_request import KIND as NORM_PAGE
from service.web.sparql import run_query
from service.web.tasks.messages import Answer, TaskFunction


@dataclass(frozen=True, slots=True)
class _DocumentTask:
    """Runs a task of the API and encodes its document. It is picklable, because it has only the name of the task."""

    name: str

    def __call__(self, store: Store, arguments: Mapping[str, object]) -> Answer:
        answer = TASKS[self.name](store, arguments)
        return answer if isinstance(answer, Answer) else Answer(encode_json(answer), JSON)


#: All task functions by type.
TASK_TYPES: Mapping[str, TaskFunction] = MappingProxyType(
    {
        NORM_PAGE: norm_page,
        badge.KIND: badge.show_badge,
        consolidation.BLAME: consolidation.show_blame,
        consolidation.DISAGREEMENTS: consolidation.show_disagreements,
        citing.KIND: citing.show_citation,
        feeds.NORM_FEED: feeds.show_norm_feed,
        feeds.SEARCH_FEED: feeds.show_search_feed,
        feeds.RECENT: feeds.show_recent,
        difference.KIND: difference.difference_page,
        home.KIND: home.home_page,
        pictures.ARTICLES: pictures.show_articles,
        pictures.STOCK: pictures.show_stock,
        queries.KIND: queries.show_answer,
        queries.NAMED_KIND: queries.show_named_file,
        relations.KIND: relations.show_relations,
        search.KIND: search.search_page,
        home.SITEMAP: home.show_sitemap,
        several.KIND: several.show_several,
        timeline.KIND: timeline.show_timeline,
        whole_text.KIND: whole_text.show_whole_text,
        "sparql": run_query,
        "statistics": count_statements,
        **{kind: _DocumentTask(kind) for kind in TASKS},
    }
)
