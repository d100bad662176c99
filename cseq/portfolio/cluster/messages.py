"""What the process of a run and its broker, which is connected to the cluster, say to each other."""

import pickle
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from cseq.options.cluster_options import TLS_CA, TLS_CERT, TLS_KEY

LENGTH = struct.Struct("=Q")
"""How the length of a message is written, before it."""


def tls_of(values: Mapping[str, object]) -> tuple[str | None, str | None, str | None]:
    """The files that *values* of options name: the certificate authority, our certificate, our key."""
    return TLS_CA.of(values), TLS_CERT.of(values), TLS_KEY.of(values)


@dataclass(frozen=True)
class Settings:
    """What the broker is to do.

    url: the scheduler; empty to start one. workers: how many to start then, in *folder*. tls: the certificate
    authority, our certificate, our key. engines: those that the workers need. is_open: whether some of them may be
    missing.
    """

    url: str
    workers: int = 0
    folder: str = ""
    tls: tuple[str | None, str | None, str | None] = (None, None, None)
    engines: tuple[str, ...] = ()
    is_open: bool = False


@dataclass(frozen=True)
class Ready:
    """The cluster can be used. width: how many jobs it does at a time. engines: those that the workers have."""

    width: int
    engines: frozenset[str]


@dataclass(frozen=True)
class Width:
    """The cluster has become larger or smaller."""

    width: int


@dataclass(frozen=True)
class Unavailable:
    """The cluster cannot be used, or not any more. is_usage: whether the user has to change something."""

    message: str
    is_usage: bool


@dataclass(frozen=True)
class Submit:
    """A job to be done. payload: for the worker. is_urgent: before those that are not."""

    number: int
    payload: bytes
    is_urgent: bool


@dataclass(frozen=True)
class Report:
    """What a worker says of a job.

    done: the result, packed; empty where the job was not done. worker: its name for people. address: its name in the
    cluster. seconds: how long it took. has_failed: for a reason that may not be there on another machine.
    refusal: why the worker may not do the job.
    """

    done: bytes
    worker: str
    address: str
    seconds: float = 0.0
    has_failed: bool = False
    refusal: str = ""


@dataclass(frozen=True)
class AttemptLost:
    """An attempt at a job that came to nothing; it was made again."""

    worker: str
    seconds: float


@dataclass(frozen=True)
class Answer:
    """A job has been done, or given up. report: None where workers died with it again and again."""

    number: int
    report: Report | None
    lost: tuple[AttemptLost, ...] = ()


Said: TypeAlias = Ready | Width | Unavailable | Answer
"""What the broker says."""


def framed(message: object) -> bytes:
    """*message* as bytes that say where they end."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


class Link:
    """The end of the run's process of a connection to the broker."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def say(self, message: Submit) -> None:
        """Send *message*. Raises OSError where the broker is gone."""
        self._end.sendall(framed(message))

    def heard(self) -> Said:
        """The next message; waits for it. Raises EOFError where the broker is gone."""
        (length,) = LENGTH.unpack(self._bytes(LENGTH.size))
        said: Said = pickle.loads(self._bytes(length))
        return said

    def close(self) -> None:
        """Close the connection: the broker then has the jobs stopped that were submitted."""
        self._end.close()

    def _bytes(self, number: int) -> bytes:
        parts: list[bytes] = []
        while number:
            part = self._end.recv(min(number, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            number -= len(part)
        return b"".join(parts)


def connect(control: socket.socket) -> Link:
    """A new connection through *control*, which all processes of a run share. Raises OSError if the broker is gone."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with theirs:
            socket.send_fds(control, [b"link"], [theirs.fileno()])
    except OSError:
        ours.close()
        raise
    return Link(ours)
