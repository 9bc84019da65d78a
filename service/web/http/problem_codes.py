"""The meaning of each reason code of a problem, in English and Portuguese, for the pages below ``/problems``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

_BY_CODE: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files("service.web.http").joinpath("problem_codes.toml").read_text(encoding="utf-8")
)
#: The meanings in English by code, in alphabetical order: what happened, and what to do.
MEANINGS: Mapping[str, str] = MappingProxyType({code: stated["en"] for code, stated in _BY_CODE.items()})
#: The same meanings in Portuguese.
MEANINGS_PT: Mapping[str, str] = MappingProxyType({code: stated["pt-BR"] for code, stated in _BY_CODE.items()})
