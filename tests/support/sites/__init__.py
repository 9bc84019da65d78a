"""Stores of tests of pages, by name: each is made once a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.support.sites import (
    compared,
    disputed,
    excerpts,
    lgpd,
    limits,
    open_wording,
    reading,
    resolver_descriptions,
    search_filters,
    search_within_norm,
    several_provisions,
    tables,
    timeline_long,
    undated_norms,
    unsourced,
    within,
)

#: What makes each store in a new folder, and returns the folder of the store.
SITES: Mapping[str, Callable[[Path], Path]] = {
    "compared": compared.build,
    "disputed": disputed.build,
    "excerpts": excerpts.build,
    "limits": limits.build,
    "open_wording": open_wording.build,
    "reading": reading.build,
    "resolver_descriptions": resolver_descriptions.build,
    "search_filters": search_filters.build,
    "search_within_norm": search_within_norm.build,
    "several_provisions": several_provisions.build,
    "timeline_long": timeline_long.build,
    "undated_norms": undated_norms.build,
    "unsourced": unsourced.build,
    "within": within.build,
    "ended": undated_norms.ended,
    "many": search_within_norm.many,
    "lgpd": lgpd.lgpd,
    "several": lgpd.several,
    "all_sources": lgpd.all_sources,
    "page_alone": lgpd.page_alone,
    "planalto": lgpd.planalto,
    "bills": lgpd.bills,
    **{site: partial(tables.build, site) for site in tables.TABLES},
}


def names(site: str) -> dict[str, str]:
    """Return the names of norms that the module or the table of a site declares."""
    if site in tables.TABLES:
        return dict(tables.TABLES[site]["names"])
    module = sys.modules[SITES[site].__module__]
    return {key: value for key, value in vars(module).items() if key.isupper() and isinstance(value, str)}
