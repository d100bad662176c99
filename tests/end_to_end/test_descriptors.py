"""Pipes, socket pairs, event counters and futexes: the models against the machine, and what they leave out."""

from pathlib import Path
from typing import Any

import pytest

from cseq.model.claims import Limit
from cseq.model.verdict import Verdict
from tests.programs.test_checks_natively import explored
from tests.support.checkout import ROOT

pytestmark = pytest.mark.engine

CONFORMANCE = ROOT / "tests" / "programs" / "conformance"
PAIRS = {
    "library": ["pipe", "pipe_nonblocking", "pipe_broken", "pipe_sigpipe", "eventfd", "eventfd_semaphore", "socketpair",
                "poll", "select", "futex"],
    "deadlock": ["pipe_open", "pipe_in_use", "eventfd", "poll", "futex"],
    "race": ["pipe", "pipe_buffer"],
}  # fmt: skip
"""Programs with a bug, and their repaired versions."""

PROPERTIES = {"library": "unreach-call", "deadlock": "no-deadlock", "race": "no-data-race"}

TWINS = [(area, name) for area, names in PAIRS.items() for name in names]

HEADERS = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
int ends[2];
void *reader(void *arg) { char byte; read(ends[0], &byte, 1); return 0; }
"""

RESULTS = """\
int main(void)
{
  char text[80] = "abcdef", got[8] = "";
  uint64_t count = 3;
  signal(SIGPIPE, SIG_IGN);
  assert(pipe(ends) == 0 && ends[0] == 3 && ends[1] == 4);
  struct pollfd polled[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  assert(poll(polled, 2, 0) == 1 && polled[0].revents == 0 && polled[1].revents == POLLOUT);
  assert(read(ends[1], got, 1) == -1 && errno == EBADF);
  assert(write(ends[0], text, 1) == -1 && errno == EBADF);
  assert(write(ends[1], text, 6) == 6 && read(ends[0], got, 4) == 4 && memcmp(got, "abcd", 4) == 0);
  assert(read(ends[0], got, 0) == 0 && read(ends[0], got, 8) == 2 && memcmp(got, "ef", 2) == 0);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && read(ends[0], got, 1) == -1 && errno == EAGAIN);
  assert(fcntl(ends[0], F_GETFL) == O_NONBLOCK && (fcntl(ends[1], F_GETFL) & O_ACCMODE) == O_WRONLY);
  assert(write(ends[1], text, 60) == 60 && read(ends[0], text, 50) == 50 && write(ends[1], "xyz", 3) == 3);
  assert(read(ends[0], text, 80) == 13 && memcmp(text + 10, "xyz", 3) == 0);
  assert(close(ends[1]) == 0 && read(ends[0], got, 1) == 0 && close(ends[1]) == -1 && errno == EBADF);
  assert(poll(polled, 2, 0) == 2 && polled[0].revents == POLLHUP && polled[1].revents == POLLNVAL);
  assert(eventfd(0, 64) == -1 && errno == EINVAL);
  int counter = eventfd(2, EFD_NONBLOCK);
  assert(counter == 4 && write(counter, &count, 8) == 8 && write(counter, &count, 7) == -1 && errno == EINVAL);
  assert(read(counter, &count, 8) == 8 && count == 5 && read(counter, &count, 8) == -1 && errno == EAGAIN);
  count = -1;
  assert(write(counter, &count, 8) == -1 && errno == EINVAL);
  count = -2;
  assert(write(counter, &count, 8) == 8 && write(counter, "\\1\\0\\0\\0\\0\\0\\0", 8) == -1 && errno == EAGAIN);
  assert(read(counter, &count, 8) == 8 && count == (uint64_t)-2);
  int one = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  assert(read(one, &count, 8) == 8 && count == 1 && eventfd_read(one, &count) == 0 && count == 1);
  assert(eventfd_read(one, &count) == -1 && eventfd_write(one, 2) == 0 && eventfd_read(one, &count) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(send(ends[0], "ping", 4, 0) == 4 && write(ends[1], "pong", 4) == 4);
  assert(recv(ends[1], got, 8, 0) == 4 && memcmp(got, "ping", 4) == 0 && read(ends[0], got, 8) == 4);
  assert(recv(ends[0], got, 8, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(close(ends[1]) == 0 && read(ends[0], got, 1) == 0);
  assert(send(ends[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  assert(read(-1, got, 1) == -1 && errno == EBADF);
  return 0;
}
"""


def written(path: Path, text: str) -> Path:
    """*path*, which has the contents *text* now."""
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("area", "name"), TWINS)
def test_the_bug_is_found_and_the_twin_is_proved(area: str, name: str) -> None:
    path = CONFORMANCE / area / f"{name}.c"
    assert explored(path, PROPERTIES[area], "-D", "BUG").verdict is Verdict.FALSE
    assert explored(path, PROPERTIES[area]).verdict is Verdict.TRUE


def test_results_are_those_of_the_machine(compiler: Any, tmp_path: Path) -> None:
    assert compiler.run(HEADERS + RESULTS, "-pthread", "-w") == ""
    path = written(tmp_path / "results.c", HEADERS + RESULTS)
    assert explored(path, "unreach-call").verdict is Verdict.TRUE


CUTS = {
    "pipe(ends); write(ends[1], text, 65);": Limit.CHANNEL_ROOM,
    "pipe(ends); write(ends[1], text, 64); write(ends[1], text, 1);": Limit.CHANNEL_ROOM,
    "for (int k = 0; k < 9; k++) pipe(ends);": Limit.DESCRIPTORS,
    "pipe2(ends, O_DIRECT);": Limit.DESCRIPTOR_FLAGS,
    "socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);": Limit.DESCRIPTOR_FLAGS,
    "socketpair(AF_UNIX, SOCK_STREAM, 0, ends); write(ends[0], text, 1); close(ends[1]);": Limit.CLOSED_UNREAD,
    "pipe(ends); close(0);": Limit.STANDARD_CLOSED,
    "sigset_t set; sigemptyset(&set); sigprocmask(SIG_BLOCK, &set, 0);"
    " pipe(ends); close(ends[0]); write(ends[1], text, 1);": Limit.BROKEN_PIPE,
    "struct pollfd many[9]; memset(many, 0, sizeof many); pipe(ends); poll(many, 9, 0);": Limit.POLLED,
    "pthread_t t; pipe(ends); pthread_create(&t, 0, reader, 0); write(ends[1], text, 1); close(ends[0]);"
    " pthread_join(t, 0);": Limit.CLOSED_IN_USE,
}
"""What is not modelled → what is reported."""


@pytest.mark.parametrize("statements", CUTS)
def test_what_is_not_modelled_is_a_cut(statements: str, tmp_path: Path) -> None:
    path = written(tmp_path / "cut.c", f'{HEADERS}int main(void)\n{{\n  char text[80] = "";\n  {statements}\n}}\n')
    outcome = explored(path, "unreach-call")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound.cut.limit for bound in outcome.bounds] == [CUTS[statements]]


CANCELLED = """\
int main(void)
{
  pthread_t t;
  pipe(ends);
  pthread_create(&t, 0, reader, 0);
#ifndef BUG
  pthread_cancel(t);
#endif
  pthread_join(t, 0);
#ifdef BUG
  pthread_cancel(t);
#endif
}
"""


def test_a_thread_that_reads_can_be_cancelled(tmp_path: Path) -> None:
    path = written(tmp_path / "cancelled.c", HEADERS + CANCELLED)
    assert explored(path, "no-deadlock", "-D", "BUG").verdict is Verdict.FALSE
    assert explored(path, "no-deadlock").verdict is Verdict.TRUE


OPENED = """\
int main(void)
{
  char byte = 1;
  pipe(ends);
  int file = open("input", O_RDONLY);
  assert(file != ends[0] && file != ends[1]);
  write(ends[1], &byte, 1);
  read(BUG ? file : ends[0], &byte, 1);
  assert(byte == 1);
}
"""


def test_other_files_have_descriptors_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path / "opened.c", HEADERS + OPENED)
    assert explored(path, "unreach-call", "-D", "BUG=1").verdict is Verdict.FALSE
    assert explored(path, "unreach-call", "-D", "BUG=0").verdict is not Verdict.FALSE
