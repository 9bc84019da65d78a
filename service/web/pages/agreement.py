"""Words that agree with what they are said of: in Portuguese a law is a ``she``, a decree is not."""

from __future__ import annotations

import re
from functools import lru_cache

from graph.errors import BadName
from graph.urn import parse
from graph.vocabulary import Vocabulary
from graph.wording.labels import is_feminine
from graph.wording.provision_kinds import KINDS
from service.web.pages.words import Words

__all__ = ["agreeing"]

#: The kind of the last step of a provision's identifier.
_STEP = re.compile("(?:^|_)([a-z]+)[0-9-]*u?$", re.ASCII)


def agreeing(words: Words, key: str, name: str, vocabulary: Vocabulary) -> str:
    """The message of a norm or provision that is a ``she`` in Portuguese, as laws and sections are, where there is one;
    else the other.

    Args:
        key: of the message; ``_her`` after it is that of a ``she``.
        name: of the norm or provision.
    """
    return f"{key}_her" if words.has(f"{key}_her") and _is_she(name, vocabulary) else key


@lru_cache(maxsize=1 << 10)
def _is_she(name: str, vocabulary: Vocabulary) -> bool:
    try:
        read = parse(name)
    except BadName:
        return False
    if read.fragmento is None:
        return is_feminine(read, vocabulary)
    kind = _STEP.search(name.rpartition("!")[2])
    return kind is not None and kind[1] in KINDS and KINDS[kind[1]].feminine
