"""Our headers, found before the system's: they agree with each other in any order."""

import re
import subprocess
from pathlib import Path

import pytest

from cseq.c import parse
from cseq.c.preprocess import Source, compiler
from cseq.model.errors import InputError
from cseq.pthread_stubs import INCLUDE

OURS = sorted(path.name for path in INCLUDE.glob("*.h"))
ALWAYS = sorted(path.name for path in (INCLUDE / "always").glob("*.h"))
_NAMES = """
    arpa/inet.h complex.h ctype.h dirent.h dlfcn.h errno.h fcntl.h fenv.h float.h getopt.h inttypes.h iso646.h libgen.h
    limits.h locale.h malloc.h math.h mqueue.h netdb.h netinet/in.h poll.h pwd.h regex.h sched.h search.h semaphore.h
    setjmp.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h
    string.h strings.h sys/ipc.h sys/mman.h sys/param.h sys/queue.h sys/resource.h sys/select.h sys/sem.h sys/shm.h
    sys/socket.h sys/stat.h sys/syscall.h sys/time.h sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h
    syslog.h termios.h tgmath.h threads.h time.h uchar.h ucontext.h unistd.h utime.h wchar.h wctype.h
"""
SYSTEM = _NAMES.split()


@pytest.fixture(scope="module")
def system() -> list[str]:
    """Those of the headers that this system has."""
    text = "".join(f"#if __has_include(<{name}>)\n@{name}\n#endif\n" for name in SYSTEM)
    done = subprocess.run([compiler(), "-E", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True)
    found = re.findall(r"^@(.*)$", done.stdout, re.MULTILINE)
    return [name.replace(" ", "") for name in found]


def _check(folder: Path, headers: list[str], all_ours: bool = True) -> None:
    path = folder / "include.c"
    path.write_text("#define _GNU_SOURCE\n" + "".join(f"#include <{name}>\n" for name in headers))
    source = Source(path, INCLUDE, system=not all_ours)
    try:
        source.check()
    except InputError as error:
        pytest.fail(f"{' '.join(headers)}: {error}")
    finally:
        source.close()


@pytest.mark.parametrize("name", SYSTEM)
def test_a_header_of_the_system_s_before_and_behind_ours(name, system, tmp_path):
    if name not in system:
        pytest.skip("this system does not have it")
    _check(tmp_path, [name, *OURS])
    _check(tmp_path, [*OURS, name])


@pytest.mark.parametrize("name", OURS)
def test_one_of_ours_before_and_behind_the_system_s(name, system, tmp_path):
    _check(tmp_path, [name, *system])
    _check(tmp_path, [*system, name])


@pytest.mark.parametrize("name", ALWAYS)
def test_the_headers_that_are_ours_where_others_are_the_system_s(name, system, tmp_path):
    _check(tmp_path, [name, *system], all_ours=False)
    _check(tmp_path, [*system, name], all_ours=False)


@pytest.mark.parametrize("name", OURS)
def test_each_of_ours_stands_alone_in_both_data_models(name, tmp_path):
    path = tmp_path / "include.c"
    path.write_text(f"#include <{name}>\n")
    for bits in (32, 64):
        source = Source(path, INCLUDE, bits=bits)
        try:
            parse(source.text(), str(path))
            source.check()
        finally:
            source.close()
