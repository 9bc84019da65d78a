"""Tests that the pages about the rules of time are generated from the table of the rules."""

from __future__ import annotations

from tests.support.rules_of_time import REFERENCE, TIME, reference_page, time_page


def test_generated_rule_pages_are_up_to_date() -> None:
    assert TIME.read_text("utf-8") == time_page(TIME.read_text("utf-8")), "run `make docs`"
    assert REFERENCE.read_text("utf-8") == reference_page(), "run `make docs`"
