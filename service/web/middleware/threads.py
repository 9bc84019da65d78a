"""How many threads work at once: many while the loop is on time, few when it is late.

Threads share one interpreter with the loop, which for each thing that it hears of waits behind all of them. Where that
is much, as when clients connect and hang up again and again, it would be heard by nobody for seconds.
"""

from __future__ import annotations

import anyio
import anyio.to_thread

_MANY, _FEW = 16, 2
#: Seconds between looks, how much later than that is late, and for how long there are few threads then.
_EVERY = 0.1
_LATE = 0.03
_CAREFUL = 10.0


async def spare_the_loop() -> None:
    """Set how many threads may work at once, as long as this task lasts."""
    threads = anyio.to_thread.current_default_thread_limiter()
    threads.total_tokens = _MANY
    careful_until = 0.0
    while True:
        began = anyio.current_time()
        await anyio.sleep(_EVERY)
        now = anyio.current_time()
        if now - began > _EVERY + _LATE:
            careful_until = now + _CAREFUL
        threads.total_tokens = _FEW if now < careful_until else _MANY
