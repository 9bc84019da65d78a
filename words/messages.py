"""Messages with typed fields.

A field in a message is ``{name}`` or ``{name:form}``. A writer writes its value in that form. If the value decides a
part of the message, the part is a message of its own. Its code is that of the message with the name of the field:
``code.name.VALUE`` for a value of an enumeration, ``yes``, ``no`` or ``none``; ``code.name`` for any other value. A
field that is absent writes nothing, unless it has such a part. Values of a list are joined by commas, or as the last
character of the form says. ``code.name.item`` is the message of a value in a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from string import Formatter
from typing import Protocol

from words.texts import Texts

#: The number of values of a list in the form ``first``.
SHOWN = 5
#: What stands between values of a list, by the last character of a form: words by their code, or signs.
_WORDS, _SIGNS = {"&": "list.and", "|": "list.nor"}, {";": "; ", "_": " "}


class Writer(Protocol):
    """Writes values in the words of one language, as plain text or as HTML."""

    @property
    def texts(self) -> Texts:
        """The messages of the language."""
        ...

    def fields_of(self, value: object) -> Mapping[str, object] | None:
        """Return the fields of a value that has a message of its own; else None."""
        ...

    def write(self, value: object, form: str, fields: Mapping[str, object], *, first: bool) -> str:
        """Return a value in a form.

        Args:
            value: the value of a field, or of a member of it.
            form: the form; empty for that of its type.
            fields: the fields of the message.
            first: whether the value begins the message.
        """
        ...


@dataclass(frozen=True, slots=True)
class Listing:
    """The first values of a list, and how many others there are.

    Attributes:
        shown: the first values.
        left_out: the number of the others; None if there are others, of an unknown number.
    """

    shown: tuple[object, ...]
    left_out: int | None = 0

    @classmethod
    def of(cls, values: tuple[object, ...], count: int | None = None, *, more: bool = False) -> Listing:
        """Return the first values.

        Args:
            values: the values.
            count: the number of all values; by default that of the given ones.
            more: whether there are others, of an unknown number.
        """
        shown = values[:SHOWN]
        return cls(shown, None if more else max((len(values) if count is None else count) - len(shown), 0))


def message(code: str, fields: Mapping[str, object], writer: Writer, contexts: Sequence[str] = ()) -> str:
    """Return a message with its fields.

    Args:
        code: the code of the message.
        fields: the values of its fields, by name.
        writer: writes the values.
        contexts: as for :meth:`words.texts.Texts.text`.

    Raises:
        KeyError: there is no such message, or a field that it needs is missing.
    """
    return _Message(code, fields, writer, tuple(contexts)).filled(code)


@dataclass(frozen=True, slots=True)
class _Message:
    code: str
    fields: Mapping[str, object]
    writer: Writer
    contexts: tuple[str, ...]
    open: frozenset[str] = frozenset()
    first: bool = True

    def filled(self, key: str) -> str:
        pieces: list[str] = []
        for literal, name, form, _ in Formatter().parse(self.writer.texts.text(key, *self.contexts)):
            pieces.append(literal)
            if name is not None:
                pieces.append(self._field(name, form or "", first=self.first and not any(pieces)))
        return "".join(pieces)

    def _field(self, name: str, form: str, *, first: bool) -> str:
        value, has = self.fields[name], self.writer.texts.has
        if name not in self.open:
            inner = replace(self, open=self.open | {name}, first=first)
            key = f"{self.code}.{name}"
            if has(f"{key}.{_variant(value)}"):
                return inner.filled(f"{key}.{_variant(value)}")
            if _is_absent(value) or value is True:
                return ""
            if has(key):
                return inner.filled(key)
        if not isinstance(value, tuple | Listing):
            return self.writer.write(value, form, self.fields, first=first)
        if form == "first" and isinstance(value, tuple):
            value = Listing.of(value)
        texts, joined = self.writer.texts, form[-1:]
        separator = texts.text(_WORDS[joined]) if joined in _WORDS else _SIGNS.get(joined, ", ")
        shown = value.shown if isinstance(value, Listing) else value
        listed = separator.join(self._items(name, shown, form.rstrip(";_&|"), first=first))
        if isinstance(value, Listing) and value.left_out != 0:
            key = "list.more_unknown" if value.left_out is None else "list.more"
            number = self.writer.write(value.left_out, "", self.fields, first=False) if value.left_out else ""
            return texts.text(key).format(names=listed, n=number)
        return listed

    def _items(self, name: str, values: tuple[object, ...], form: str, *, first: bool) -> Iterator[str]:
        key, writer = f"{self.code}.{name}", self.writer
        for index, value in enumerate(values):
            fields, begins = writer.fields_of(value), first and not index
            if writer.texts.has(f"{key}.item"):
                of_item = {"item": value} if fields is None else fields
                yield _Message(f"{key}.item", of_item, writer, (), first=begins).filled(f"{key}.item")
            elif writer.texts.has(f"{key}.{_variant(value)}"):
                yield writer.texts.text(f"{key}.{_variant(value)}")
            else:
                yield writer.write(value, form, self.fields, first=begins)


def _is_absent(value: object) -> bool:
    return value is None or value is False or value in ("", ())


def _variant(value: object) -> str:
    """Return the last part of the code of a message for a value; words with a space are no such part."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum | str) and value != "":
        return str(value.value if isinstance(value, Enum) else value)
    return "none" if _is_absent(value) else "other"
