"""Conditional requests: whether who asks has the answer already, or wants no other than it (RFC 9110, section 13)."""

from __future__ import annotations

import re

from starlette.requests import Request

from service.web.http.problems import Problem

_STRONG = re.compile(r'(?<!W/)"[^"\x00-\x20\x7f]*"', re.ASCII)
_TAG = re.compile(r'(?:W/)?("[^"\x00-\x20\x7f]*")', re.ASCII)


def is_held(request: Request, tag: str, *, there: bool = True) -> bool:
    """Whether ``If-None-Match`` says that its sender has this; weak tags compare as strong ones do.

    Args:
        tag: the entity tag of the answer.
        there: whether the answer is known to be there, so that ``*`` is true as well, and ``If-Match`` counts.

    Raises:
        Problem: 412 where ``If-Match`` names others: a weak tag never matches (RFC 9110, section 13.1.1).
    """
    if "if-match" in request.headers:
        if not there:
            return False  # it counts first, and only of an answer that is there
        named = ", ".join(request.headers.getlist("if-match")).strip()
        if named != "*" and tag not in _STRONG.findall(named):
            detail = f"expected an answer with a tag of If-Match, {named[:100]!a}; it has {tag}"
            raise Problem(412, "precondition-failed", detail)
    if "if-none-match" not in request.headers:
        return False
    field = ", ".join(request.headers.getlist("if-none-match")).strip()
    return there if field == "*" else tag.removeprefix("W/") in _TAG.findall(field)
