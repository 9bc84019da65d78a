"""The nursery: a process with one thread that has imported what tasks need, and forks a worker when it is told to.

Forking a process with threads is unsafe and starting an interpreter for each worker takes most of a second; a fork of
this one takes milliseconds. The service tells it what to do in messages of 8 bytes, ``F`` and a number with the
worker's end of a connection, or ``K`` and the number of a worker to kill; it tells the service, by the same number, how
each worker ended. When the service hangs up, all end.
"""

from __future__ import annotations

import array
import gc
import os
import pickle
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import cast

from graph.store.heap import one_heap
from service.web.tasks.worker import Orders, work

#: A message: what, and the worker's number. What comes back has how it ended (as ``waitpid`` tells) in the first place.
ORDER = struct.Struct(">4sI")
#: How a worker ended, and its number.
ENDED = struct.Struct(">iI")
FORK, KILL = b"F\0\0\0", b"K\0\0\0"


def main(control: int) -> None:
    """Serve the service at the other end of a socket until it hangs up.

    Args:
        control: the socket's file descriptor; the first that comes by it are the :class:`Orders`.
    """
    with socket.socket(fileno=control) as service:
        _Nursery(service, _orders(service)).serve()


def _orders(service: socket.socket) -> Orders:
    size = int.from_bytes(_exactly(service, 4), "big")
    return cast("Orders", pickle.loads(_exactly(service, size)))  # noqa: S301 - from the process that started this one


def _exactly(service: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = service.recv(size - len(found))
        if not piece:
            sys.exit(0)
        found += piece
    return found


class _Nursery:
    """The workers of a pool, as the process that forks them knows them."""

    def __init__(self, service: socket.socket, orders: Orders) -> None:
        self._service = service
        self._orders = orders
        self._workers: dict[int, int] = {}
        self._woken, self._wake = os.pipe()

    def serve(self) -> None:
        """Do what is told until the service hangs up, then end all workers."""
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        one_heap()  # and so for the workers: what a task has freed is given back whole
        gc.freeze()  # what is here stays shared with the workers
        while True:
            ready = select.select([self._service.fileno(), self._woken], [], [])[0]
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._tell_ended()
            if self._service.fileno() in ready and not self._obeyed():
                break
        for process in self._workers.values():
            os.kill(process, signal.SIGKILL)
        for process in self._workers.values():
            os.waitpid(process, 0)

    def _obeyed(self) -> bool:
        """Do one thing that is told; whether there was one."""
        try:
            said, handed, _, _ = self._service.recvmsg(ORDER.size, socket.CMSG_SPACE(4))
        except ConnectionError:
            return False
        if not said:
            return False
        descriptors = array.array("i", [d for _, _, data in handed for d in array.array("i", data)])
        what, number = ORDER.unpack(said)
        if what == FORK:
            self._fork(number, descriptors[0])
        elif number in self._workers:  # it has not been waited for: its number is still its own
            os.kill(self._workers[number], signal.SIGKILL)
        return True

    def _fork(self, number: int, descriptor: int) -> None:
        parent = os.getpid()
        process = os.fork()
        if process:
            os.close(descriptor)
            self._workers[number] = process
            return
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._service.close()
            os.close(self._woken)
            os.close(self._wake)
            work(socket.socket(fileno=descriptor), self._orders, parent)
            status = 0
        finally:
            os._exit(status)

    def _tell_ended(self) -> None:
        """Wait for the workers that have ended, and tell the service how."""
        for number, process in list(self._workers.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                del self._workers[number]
                with suppress(OSError):
                    self._service.sendall(ENDED.pack(status, number))
