"""The reason codes of problems, and their meanings in English and Portuguese, for the pages below ``/problems``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from words.texts import texts_in

_CODES = """
address-too-long answer-too-large bad-accept-datetime bad-date bad-host bad-json bad-name bad-parameter bad-query
bad-request before-first-version body-too-large busy client-gone client-stalled encoded-twice forbidden
fragment-absent-in-version internal-error method-not-allowed missing-parameter name-in-query no-mementos
no-such-provision not-acceptable not-in-force not-ready other-version out-of-memory outside-knowledge-horizon
precondition-failed provision-unknown query-too-long read-only repeated-parameter slow-body store-unavailable
target-too-long task-died time-limit too-many-questions too-many-requests undecided unknown-address unknown-name
unknown-parameter unknown-version unsupported-encoding unsupported-media-type withdrawn
""".split()  # noqa: SIM905 - words of a list


def _meanings(language: str) -> Mapping[str, str]:
    return MappingProxyType({code: texts_in(language).text(f"problem_code.{code}") for code in _CODES})


#: The meanings in English by code, in alphabetical order: what happened, and what to do.
MEANINGS = _meanings("en")
#: The same meanings in Portuguese.
MEANINGS_PT = _meanings("pt-BR")
