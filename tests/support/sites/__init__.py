"""Stores of tests of pages, by name: each is made once a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from tests.support.sites import lgpd, search_within_norm, tables

_ALONE = "excerpts limits reading resolver_descriptions search_within_norm timeline_long unsourced within"
_REAL = (lgpd.lgpd, lgpd.several, lgpd.all_sources, lgpd.page_alone, lgpd.planalto, lgpd.bills)
#: What makes each store in a new folder, and returns the folder of the store.
SITES: Mapping[str, Callable[[Path], Path]] = {
    **{site: import_module(f"tests.support.sites.{site}").build for site in _ALONE.split()},
    **{build.__name__: build for build in (search_within_norm.many, *_REAL)},
    **{site: partial(tables.build, site) for site in tables.TABLES},
}


def names(site: str) -> dict[str, str]:
    """Return the names of norms that the module or the table of a site declares."""
    if site in tables.TABLES:
        return dict(tables.TABLES[site]["names"])
    module = sys.modules[SITES[site].__module__]
    return {key: value for key, value in vars(module).items() if key.isupper() and isinstance(value, str)}
