"""Gives the classes of internal modules the name of the public module that re-exports them."""

from __future__ import annotations

import sys
from typing import get_type_hints

#: The package of the public modules.
_PUBLIC = "vigente"


def make_public(module: str, *names: str) -> None:
    """Let classes name a public module as theirs, so that a user never sees where they are defined.

    Their annotations are evaluated first: Python and pydantic look up their names in the module of a class.

    Args:
        module: the name of the public module.
        names: the names of the classes in it; default all of its ``__all__``.
    """
    namespace = vars(sys.modules[module])
    exported = [namespace[name] for name in names or namespace["__all__"]]
    classes = [each for each in exported if isinstance(each, type) and not each.__module__.startswith(_PUBLIC)]
    hints = {each: get_type_hints(each, include_extras=True) for each in classes}
    for each in classes:
        own = hints[each]
        if "__annotations__" in vars(each):
            each.__annotations__ = {name: own[name] for name in each.__annotations__}
        for name, field in getattr(each, "__dataclass_fields__", {}).items():
            field.type = own[name]
        each.__module__ = module
