"""Which day today is: the civil date in Brazil, unless ``VIGENTE_TIMEZONE`` names another zone.

This is the one place that asks a clock for a civil date. The zone of the process (``TZ``) counts for nothing: a server
that keeps UTC would answer with tomorrow's law from nine in the evening in Brasília on.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graph.errors import BadParameter

#: The zone of Brasília, by which the law of Brazil counts its days.
BRASILIA = "America/Sao_Paulo"
#: The environment variable that names another zone.
ZONE_VARIABLE = "VIGENTE_TIMEZONE"


def zone() -> ZoneInfo:
    """The zone whose civil date today is.

    Raises:
        BadParameter: the variable names no zone of the IANA database.
    """
    return _zone(os.environ.get(ZONE_VARIABLE) or BRASILIA)


@lru_cache(maxsize=8)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        problem = f"expected {ZONE_VARIABLE} to be a zone of the IANA database, such as {BRASILIA}, got {name[:60]!r}"
        raise BadParameter(problem) from None


def today() -> date:
    """The civil date at this moment.

    Raises:
        BadParameter: as of :func:`zone`.
    """
    return _now().astimezone(zone()).date()


def seconds_left(day: date) -> int:
    """Whole seconds from this moment until a civil day is over, rounded down; 0 where it is over.

    Where clocks are changed at midnight, the day is as long as it is there.

    Raises:
        BadParameter: as of :func:`zone`.
    """
    end = datetime.combine(day + timedelta(days=1), time(), zone()).astimezone(UTC)
    return max(0, int((end - _now()).total_seconds()))


def _now() -> datetime:
    return datetime.now(UTC)
