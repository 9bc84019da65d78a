"""HTTP as bytes on a socket: requests that no client library would send, and their responses."""

from __future__ import annotations

import json
import re
import socket
from urllib.parse import urlsplit


def connect(address: str, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection to a service on loopback, from a loopback address."""
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    assert parts.port is not None
    made = socket.create_connection((parts.hostname, parts.port), timeout=10, source_address=(source, 0))
    made.settimeout(20)
    return made


def response_to(address: str, request: bytes) -> bytes:
    """Send a request and return all bytes until the service closes the connection."""
    with connect(address) as connection:
        connection.sendall(request)
        return rest(connection)


def rest(connection: socket.socket) -> bytes:
    """Return all bytes until the end of a connection."""
    received = b""
    while True:
        try:
            piece = connection.recv(65536)
        except ConnectionResetError:
            return received
        if not piece:
            return received
        received += piece


def statuses(answer: bytes) -> list[int]:
    """Return the status of each response, in order."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] ([0-9]{3}) ", answer)]


def problem(answer: bytes) -> str:
    """Return the reason code of a response with a problem document."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, answer
    document = json.loads(body)
    assert document["type"] == f"/problems/{document['code']}"
    assert statuses(head) == [document["status"]]
    return str(document["code"])
