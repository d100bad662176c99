"""Run one command, measure it and all that it starts, and let nothing of it survive. A program of its own.

It reads an order, one JSON object, from standard input, and writes what it measured, another one, to standard output
(`measure.py` says what they are). It is a program because it becomes the parent of whatever the command leaves running:
a process belongs to the run exactly if it descends from here, whatever group or session it has made for itself.

BenchExec does this with cgroups, and has no way without them. As this is started once per run, it imports only what
starts fast.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import time
from typing import Any

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SHORTEST, _LONGEST = 0.01, 0.1  # seconds between two looks; short runs are looked at more often
_PATIENCE = 10.0  # for what has been killed to be gone


class _Stopped(Exception):
    """A signal asks to stop."""


def descendants() -> dict[int, list[int]]:
    """The processes that descend from this one: identifier → time in ticks, resident bytes."""
    known: dict[int, list[int]] = {}
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208  # pathlib is slow to import, and each run imports anew
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                words = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(name)] = int(words[1])
        known[int(name)] = [sum(map(int, words[11:15])), int(words[21]) * _PAGE]
    found: dict[int, list[int]] = {}
    for process, usage in known.items():
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() and process != above:
            found[process] = usage
    return found


def spent() -> float:
    """Seconds of processor time of the descendants that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def reaped(leader: int) -> int | None:
    """Wait for all that have ended; the status of *leader* if it is one of them."""
    status = None
    while True:
        try:
            process, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if process == 0:
            return status
        if process == leader:
            status = ended


def cleared(leader: int) -> int | None:
    """Kill all descendants, also those that are started meanwhile; the status of *leader* if it ends here."""
    status = None
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = descendants()
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        ended = reaped(leader)
        status = ended if ended is not None else status
        if not found:
            break
        time.sleep(_SHORTEST)
    return status


def started(order: dict[str, Any]) -> int:
    """Start the command, with its output in the file."""
    log = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    process = os.fork()
    if process:
        os.close(log)
        return process
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(order["folder"])
        if order.get("cores"):
            os.sched_setaffinity(0, order["cores"])
        os.execve(order["command"][0], order["command"], order["environment"])
    except OSError as error:
        os.write(2, f"cannot start {order['command'][0]}: {error.strerror}\n".encode())
    os._exit(127)


def supervised(order: dict[str, Any]) -> dict[str, Any]:
    """Run the command of *order* to its end, or until a limit is reached."""
    limits = order["limits"]
    begin = time.monotonic()
    memory, pause = 0, _SHORTEST
    reason, status, leader = None, None, 0
    try:
        leader = started(order)
        while status is None and reason is None:
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST)
            status = reaped(leader)
            found = descendants()
            memory = max(memory, sum(resident for _, resident in found.values()))
            used = spent() + sum(ticks for ticks, _ in found.values()) / _TICKS
            if status is None:
                if limits["memory"] and memory > limits["memory"]:
                    reason = "memory"
                elif limits["cputime"] and used > limits["cputime"]:
                    reason = "cputime"
                elif limits["walltime"] and time.monotonic() - begin > limits["walltime"]:
                    reason = "walltime"
    except _Stopped:
        reason = "killed"
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    ended = cleared(leader)
    status = ended if status is None else status
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {
        "status": status if status is not None else signal.SIGKILL,
        "walltime": time.monotonic() - begin,
        "cputime": spent(),
        "memory": max(memory, largest),
        "reason": reason,
    }


def main() -> None:
    """Read the order, carry it out, and write the result."""

    def stop(*_: Any) -> None:
        raise _Stopped

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    with contextlib.suppress(BrokenPipeError):
        json.dump(supervised(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
