"""A batch on its way into the store, in a thread of its own: the engine lets others run while it loads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Thread

from graph.store.together import Index


@dataclass(frozen=True, slots=True)
class Derived:
    """What a batch changes in the derived graph.

    Attributes:
        works: the works that it derives anew.
        gone: the lines that no longer hold.
        come: the lines that hold now.
        packed: by work, the summary of what is derived of it now; None where nothing is.
    """

    works: Sequence[str]
    gone: set[str]
    come: set[str]
    packed: Mapping[str, str | None]


class Flight(Thread):
    """A batch that is being written.

    Attributes:
        graphs: the named graphs that it makes.
        index: what it says that decides the lives of works, and what was derived with it.
        gone: the lines of the derived graph that it takes away.
    """

    def __init__(self, write: Callable[[], None], graphs: Collection[str], index: Index, gone: set[str]) -> None:
        super().__init__(name="writing")
        self.graphs = graphs
        self.index = index
        self.gone = gone
        self._fault: BaseException | None = None
        self._write: Callable[[], None] | None = write
        self._over = Event()

    def run(self) -> None:
        """Write it."""
        write, self._write = self._write, None
        try:
            if write is not None:
                write()
        except BaseException as error:  # noqa: BLE001 - whatever it is, who waits for the batch raises it
            self._fault = error
        finally:
            self._over.set()

    def taken_fault(self) -> BaseException | None:
        """Why it could not be written, once: the error knows the engine, and a batch that knew the error would be in a
        circle with it, in which the engine's files stay open until Python looks for such."""
        fault, self._fault = self._fault, None
        return fault

    def join(self, timeout: float | None = None) -> None:
        """Wait until it is written; one that was stopped before it began never is.

        A thread that is waited for by what Python has for it counts as ended once Ctrl-C was heard meanwhile, though it
        is still at work (CPython before 3.13).
        """
        if self.ident is not None:
            self._over.wait(timeout)
