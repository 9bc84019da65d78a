"""Conditional requests: whether who asks has the answer already (RFC 9110, section 13.1.2)."""

from __future__ import annotations

import re

from starlette.requests import Request

__all__ = ["is_held"]

_TAG = re.compile(r'(?:W/)?("[^"\x00-\x20\x7f]*")', re.ASCII)


def is_held(request: Request, tag: str, *, there: bool = True) -> bool:
    """Whether ``If-None-Match`` says that its sender has this; weak tags compare as strong ones do.

    Args:
        tag: the entity tag of the answer.
        there: whether the answer is known to be there, so that ``*`` is true as well.
    """
    if "if-none-match" not in request.headers:
        return False
    field = ", ".join(request.headers.getlist("if-none-match")).strip()
    return there if field == "*" else tag.removeprefix("W/") in _TAG.findall(field)
