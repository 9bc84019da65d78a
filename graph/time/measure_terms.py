"""The latest possible day of a provisional measure (MPV): Constitution, art. 62, §§ 3, 4, 7 and 12, and art. 57.

A measure lasts 60 days and may be prolonged by 60 more. The recess of Congress does not count. It then stays in force
while the bill of conversion waits for sanction. No source has to state how it ended for it to have ended by that day.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from graph.civil import ONE_DAY
from ontology.namespaces import VIG

#: The reason of a period of a measure after its latest possible day.
TERM_PASSED = VIG["prazoDecorrido"]
#: The publication of EC 50/2006, which shortened the recess.
_EC_50_2006 = date(2006, 2, 15)
#: The term and its prolongation, and the days allowed for transfers between the houses and for sanction.
_TERM, _SANCTION = 60 + 60, timedelta(days=30)


@lru_cache(maxsize=1 << 10)
def latest_day(published: date) -> date | None:
    """Return the latest possible day of force of a measure without a stated end; None after the end of the calendar.

    It is the day of publication, plus 120 days, plus the days of recess from the publication on, plus 30 days.

    >>> str(latest_day(date(2019, 1, 1)))
    '2019-07-02'

    Args:
        published: the day of publication, on or after that of EC 32/2001.
    """
    try:
        day, left = published, _TERM
        while left or is_recess(day):
            left -= not is_recess(day)
            day += ONE_DAY
        return day + _SANCTION
    except OverflowError:
        return None


def is_recess(day: date) -> bool:
    """Return whether Congress is in recess on a day (Constitution, art. 57, before and since EC 50/2006).

    >>> is_recess(date(2019, 7, 17)), is_recess(date(2019, 7, 18))
    (False, True)
    """
    of_year = day.month, day.day
    if day < _EC_50_2006:
        return of_year >= (12, 16) or of_year <= (2, 14) or of_year[0] == 7
    return of_year >= (12, 23) or of_year <= (2, 1) or (7, 18) <= of_year <= (7, 31)
