"""Answers as JSON values, each by its declared type; notices with their messages, and notices parsed from JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import Field, PlainSerializer, TypeAdapter

from queries.messages import explanation_message, match_message, message
from queries.naming import MatchReason
from queries.notices import AnyNotice, Notice, NoVersionAnswers
from queries.reasons import Explanation

_Declared = TypeVar("_Declared")


def document(answer: object) -> dict[str, Any]:
    """Return the JSON object of an answer, by the fields of its dataclass.

    Days are ``YYYY-MM-DD``, tuples are lists; the keys are in the order of the fields.

    >>> from queries.reasons import Reason
    >>> document(Reason("veto", "2001", None, None, None))
    {'event': 'veto', 'effect': '2001', 'known': None, 'cause': None, 'source': None}
    """
    return _adapter(type(answer)).dump_python(answer, mode="json", by_alias=True)  # type: ignore[no-any-return]


def read_document(kind: type[_Declared], document: object) -> _Declared:
    """Return the dataclass that :func:`document` wrote as a JSON object.

    Raises:
        ValueError: it is another document.
    """
    made = _adapter(kind).validate_python(document)
    assert isinstance(made, kind)  # noqa: S101 - an adapter makes what it is of
    return made


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}


def _adapter(kind: type) -> TypeAdapter[Any]:
    """Return the cached serialiser of a type; for a class without fields of its own, that of its base dataclass."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        declared = next(base for base in kind.__mro__ if "__dataclass_fields__" in vars(base))
        adapter = _ADAPTERS[kind] = TypeAdapter(declared)
    return adapter


@cache
def _by_code() -> Mapping[str, type[Notice]]:
    return {notice_type.CODE: notice_type for notice_type in get_args(AnyNotice)}


def notice_document(notice: Notice) -> dict[str, object]:
    """Return the JSON object of a notice: its code, its fields and its English message.

    >>> from queries.notices import TailLeft
    >>> notice_document(TailLeft("!art1"))
    {'code': 'tail-left', 'tail': '!art1', 'message': "choose the norm first; '!art1' was not processed"}
    """
    return {"code": notice.code, **document(notice), "message": message(notice)}


def explanation_document(explanation: Explanation) -> dict[str, object]:
    """Return the JSON object of a reason with its role, its fields and its English message."""
    fields = document(explanation.reason)
    return {"code": explanation.role.value, **fields, "message": explanation_message(explanation)}


def read_notice(document: Mapping[str, object]) -> Notice:
    """Return the notice of a JSON object made by :func:`notice_document`.

    Raises:
        ValueError: it is not the document of a notice.
    """
    kind = _by_code().get(str(document["code"]), NoVersionAnswers)
    return read_document(kind, {key: value for key, value in document.items() if key not in ("code", "message")})


def reason_document(reason: MatchReason) -> dict[str, object]:
    """Return the JSON object of a match reason."""
    return document(reason)


def why_document(why: Iterable[MatchReason]) -> dict[str, object]:
    """Return the keys ``why`` and ``reasons`` of the JSON object of a possible name."""
    reasons = tuple(why)
    return {"why": match_message(reasons), "reasons": [reason_document(reason) for reason in reasons]}


def read_reason(document: Mapping[str, object]) -> MatchReason:
    """Return the match reason of a JSON object made by :func:`reason_document`."""
    return read_document(MatchReason, dict(document))


def _by_provider(horizon: tuple[tuple[str, date], ...]) -> dict[str, date]:
    return dict(horizon)


#: Notices of an answer.
Notices: TypeAlias = tuple[Annotated[Notice, PlainSerializer(notice_document)], ...]
#: Reasons of a match, which documents have as text.
WhyInWords: TypeAlias = Annotated[tuple[MatchReason, ...], PlainSerializer(match_message)]
#: The newest harvested datestamps by provider, which documents have as an object.
Horizon: TypeAlias = Annotated[tuple[tuple[str, date], ...], PlainSerializer(_by_provider)]
#: A number from 0 to 1.
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
