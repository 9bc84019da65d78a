"""Tests of pages whose cases are data (tests/data/pages)."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from tests.support.page_cases import PageCase, cases, check


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file}: {case.name}")
def test_page_has_what_its_case_says(site_of: Callable[[str], httpx.Client], case: PageCase) -> None:
    check(site_of(case.site), case)
