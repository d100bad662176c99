"""What is known about the functions of the C library and of POSIX that have nothing to do with threads.

A function is modelled in C (in ``pthread_stubs/``: one step, the same for engines and replay), modelled by the engine
itself (`lexicon.MODELLED`), in one of the tables here, or refused.
"""

from typing import NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import stubs
from cseq.modules.library.primitives import GIVEN, without_variant
from cseq.pipeline.translator import rebuilt

FILES = (
    "ctype.c",
    "descriptors.c",
    "getopt.c",
    "given.c",
    "math.c",
    "process.c",
    "scanning.c",
    "signalsets.c",
    "sorting.c",
    "stdio.c",
    "stdlib.c",
    "string.c",
    "tokens.c",
)
"""The files of ``pthread_stubs/`` that do not belong to the thread library. Programs get only what they use of them."""

FORMATTED = frozenset({"sprintf", "snprintf", "vsprintf", "vsnprintf"})
"""Functions that print into memory."""

ALLOCATES_TEXT = "asprintf"
"""The function that prints into a block of its own."""

NEW_TEXT = "__cs_new_text"
"""The modelled function that makes the block."""

SORTS = {"qsort": 4, "qsort_r": 5, "bsearch": 5}
"""Functions that call a function of the user's for the elements of an array → the number of arguments."""

SWAP = "__cs_swap"
"""The modelled function that exchanges two elements of unknown type."""

SCANNED = {"scanf": 0, "fscanf": 1, "sscanf": 1}
"""Functions that read what a format describes → the position of the format."""

_SCANNING = ("__cs_scan_space", "__cs_scan_character", "__cs_scan_number", "__cs_scan_text", "__cs_scan_bytes")
_PARTS = ("__cs_text", "__cs_put_character", "__cs_put_text", "__cs_put_number", "__cs_put_end")

SHOWS = {"puts": 0, "fputs": 0, "fputs_unlocked": 0, "perror": 0}
"""Functions that output a string → its position."""

PRINTS = {"printf": 0, "fprintf": 1, "dprintf": 1, "warn": 0, "warnx": 0, "syslog": 1}
"""Functions that output what a format describes → the position of the format."""

RUN_EXIT, RUN_QUICK_EXIT, END_OF_PROCESS = "__cs_run_exit", "__cs_run_quick_exit", "__cs_end_of_process"
"""What calls the functions that `atexit` and `on_exit`, and `at_quick_exit` register; what the last thread calls."""

IS_SET = "__cs_is_set"
"""The modelled function for variables of the environment of which only that they are set matters."""

HELPERS = {
    **dict.fromkeys(("getenv", "secure_getenv"), (IS_SET,)),
    **dict.fromkeys(("atexit", "on_exit"), (RUN_EXIT, END_OF_PROCESS)),
    "at_quick_exit": (RUN_QUICK_EXIT,),
    "gettid": ("pthread_self",),
    **dict.fromkeys((*SHOWS, *PRINTS), ("__cs_shown",)),
    **dict.fromkeys(("sprintf", "snprintf"), _PARTS),
    ALLOCATES_TEXT: (*_PARTS, NEW_TEXT),
    **dict.fromkeys(("vsprintf", "vsnprintf", *SCANNED), ("__cs_text",)),
    **dict.fromkeys((name + GIVEN for name in SCANNED), _SCANNING),
}
"""Functions → the modelled functions that their calls are turned into."""

_MATH = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma", "fmod",
    "remainder", "fma", "nextafter", "ldexp", "scalbn", "ilogb", "logb",
)  # fmt: skip
_EXACT = (
    "fabs", "trunc", "floor", "ceil", "round", "lround", "llround", "rint", "nearbyint", "lrint", "llrint", "copysign",
    "fmin", "fmax", "fdim", "sqrt",
)  # fmt: skip

ANY_VALUE = frozenset({
    # output
    "printf", "fprintf", "dprintf", "vprintf", "vfprintf", "vdprintf", "puts", "fputs", "putchar", "putc", "fputc",
    "putchar_unlocked", "putc_unlocked", "fputs_unlocked", "fwrite", "fwrite_unlocked", "write", "pwrite", "fflush",
    "perror", "setvbuf", "setbuf", "setlinebuf", "setbuffer", "warn", "warnx", "vwarn", "vwarnx", "psignal", "wprintf",
    # files
    "fclose", "pclose", "fseek", "fseeko", "ftell", "ftello", "rewind", "feof", "ferror", "clearerr", "fileno",
    "ungetc", "remove", "rename", "unlink", "open", "open64", "openat", "creat", "close", "lseek", "lseek64", "access",
    "isatty", "fsync", "fdatasync", "sync", "ftruncate", "truncate", "mkdir", "rmdir", "chdir", "chmod", "fchmod",
    "chown", "link", "symlink", "dup", "dup2", "umask", "posix_fadvise",
    # the process and the system
    "srand", "srandom", "srand48", "nice",
    "getpriority", "setpriority", "clock", "setrlimit", "prctl", "mlock", "munlock",
    "mlockall", "munlockall", "madvise", "mprotect", "msync", "munmap", "setenv", "unsetenv", "putenv", "malloc_trim",
    "difftime", "tzset", "utime",
    "sched_setscheduler", "sched_getscheduler", "sched_setparam", "sched_setaffinity", "siginterrupt", "openlog",
    "syslog", "closelog", "vsyslog", "setlogmask", "arc4random",
    "malloc_usable_size", "mallopt", "wcwidth", "btowc", "wctob", "mblen", "malloc_stats",
    # sockets
    "socket", "bind", "listen", "send", "sendto", "sendmsg", "shutdown", "setsockopt",
    "strtod", "strtof", "strtold", "atof", "j0", "j1", "y0", "y1",
    *(f"{name}{suffix}" for name in _MATH for suffix in ("", "f", "l")), *(f"{name}l" for name in _EXACT), "sqrtf",
})  # fmt: skip
"""Calls that change nothing that a property can see, and that return an arbitrary value of their type."""

_SETS = frozenset({1, 4, 15, 29, 38})  # the signal at the parent's death, dumps, the name, timer slack, new privileges
_ADVICE = frozenset({0, 1, 2, 3, 12, 13, 14, 15, 16, 17})  # what changes no contents

ONLY_WITH: dict[str, tuple[int, frozenset[int]]] = {
    **dict.fromkeys(("strtod", "strtof", "strtold"), (1, frozenset({0}))), "prctl": (0, _SETS), "madvise": (2, _ADVICE),
}  # fmt: skip
"""Those of them that change something with other values of an argument → its position, and these values."""

PROCESS, THREAD = "getpid", "gettid"

_LARGEST_PROCESS = 1 << 22  # of Linux

CONSTANT: dict[str, tuple[int | None, int | None]] = {
    PROCESS: (2, _LARGEST_PROCESS), "getppid": (0, _LARGEST_PROCESS), "getpgrp": (0, _LARGEST_PROCESS),
    **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid", "gethostid", "sysconf"), (None, None)),
    "getpagesize": (4096, 4096), "get_nprocs": (1, None), "get_nprocs_conf": (1, None), "getdtablesize": (1, None),
}  # fmt: skip
"""Functions that return the same for the same argument, a constant, throughout an execution → the least and the
largest value that they return; None for that of the type."""

SYSCONF = {30: CONSTANT["getpagesize"], 83: CONSTANT["get_nprocs_conf"], 84: CONSTANT["get_nprocs"]}
"""The same for arguments of `sysconf`: _SC_PAGESIZE, _SC_NPROCESSORS_CONF and _SC_NPROCESSORS_ONLN of Linux."""

ENVIRONMENT, ENVIRONMENT_CHANGES = ("getenv", "secure_getenv"), frozenset({"setenv", "unsetenv", "putenv", "clearenv"})
"""Functions that read the environment, and those that change it."""

WRITES = {
    "gettimeofday": (0, 1), "settimeofday": (), "times": (0,),
    "getrusage": (1,), "getrlimit": (1,), "stat": (1,), "fstat": (1,), "lstat": (1,), "statvfs": (1,), "uname": (0,),
    "mktime": (0,), "timegm": (0,), "erand48": (0,), "sigaction": (2,), "pthread_getaffinity_np": (2,),
    "sigprocmask": (2,), "sigpending": (0,),
    "getsockname": (1, 2), "getpeername": (1, 2), "getsockopt": (4,), "sysinfo": (0,),
    "sched_getparam": (1,), "sched_getaffinity": (2,), "ftime": (0,), "sincos": (1, 2), "frexp": (1,),
    "modf": (1,), "remquo": (2,), "gmtime_r": (1,), "localtime_r": (1,), "getitimer": (1,), "fgetpos": (1,),
    "select": (1, 2, 3, 4), "poll": (0,), "getdomainname": (), "mbtowc": (0,), "timer_create": (2,),
}  # fmt: skip
"""Functions that store arbitrary values through some of their arguments, unless these are null → the positions."""


class Argument(NamedTuple):
    """The value of the argument at this position of a call."""

    position: int


RESULTS: dict[str, tuple[float | None, float | Argument | None]] = {
    **dict.fromkeys(
        ("fflush", "fclose", "fseek", "fseeko", "remove", "rename", "unlink", "close", "access", "fsync", "fdatasync",
         "ftruncate", "truncate", "mkdir", "rmdir", "chdir", "chmod", "fchmod", "chown", "link", "symlink",
         "setpriority", "setrlimit", "mlock", "munlock", "mlockall", "munlockall", "madvise", "mprotect", "msync",
         "munmap", "setenv", "unsetenv", "utime", "sched_setscheduler", "sched_setparam", "sched_setaffinity",
         "siginterrupt", "bind", "listen", "shutdown", "setsockopt", "settimeofday", "getrusage", "getrlimit", "stat",
         "fstat", "lstat", "statvfs", "sigaction", "sigprocmask", "sigpending", "getsockname", "getpeername",
         "getsockopt", "sysinfo", "sched_getparam", "getitimer", "fgetpos", "getdomainname", "timer_create"),
        (-1, 0),
    ),
    **dict.fromkeys(
        ("open", "open64", "openat", "creat", "socket", "dup", "dup2", "fileno", "lseek", "lseek64", "ftell", "ftello",
         "puts", "fputs", "fputs_unlocked", "printf", "fprintf", "dprintf", "vprintf", "vfprintf", "vdprintf",
         "sendmsg", "sched_getscheduler", "sched_getaffinity", "prctl", "uname", "times", "clock", "select", "mbtowc"),
        (-1, None),
    ),
    **dict.fromkeys(("putchar", "putc", "fputc", "putchar_unlocked", "putc_unlocked", "ungetc"), (-1, 255)),
    **dict.fromkeys(("write", "pwrite", "send", "sendto"), (-1, Argument(2))),
    **dict.fromkeys(("fwrite", "fwrite_unlocked"), (0, Argument(2))),
    **dict.fromkeys(("isatty", "malloc_trim", "mallopt"), (0, 1)),
    "poll": (-1, Argument(1)), "umask": (0, 0o777), "gettimeofday": (0, 0), "pthread_getaffinity_np": (0, None),
    **dict.fromkeys(
        (f"{name}{suffix}" for name in ("sin", "cos", "tanh", "erf") for suffix in ("", "f", "l")), (-1, 1)
    ),
    **dict.fromkeys(
        (f"{name}{suffix}" for name in ("exp", "exp2", "cosh", "erfc") for suffix in ("", "f", "l")), (0, None)
    ),
}  # fmt: skip
"""The least and the largest value that functions return (as in glibc), of those that `ANY_VALUE` and `WRITES` list;
None for that of the type. For floating-point functions this holds if their argument is finite."""

BROKEN_PIPE = "__cs_broken_pipe"
"""The modelled function that stands for what a write does to the process if there is no reader."""

CONNECTED = frozenset({"pipe", "pipe2", "socketpair", "eventfd"})
"""Functions that make descriptors whose ends all belong to the program."""

RETURNED = {"gmtime_r": 1, "localtime_r": 1}
"""Functions that return one of their arguments → its position."""

FRESH = {"aligned_alloc": (1, 0), "memalign": (1, 0), "valloc": (0, None), "pvalloc": (0, None)}
"""Functions that are `malloc` with an alignment → the positions of the size and of the alignment; None: a page."""

STOPS = frozenset({
    "exit", "_exit", "_Exit", "quick_exit", "abort", "err", "errx", "verr", "verrx",
})  # fmt: skip
"""Calls that end the process."""

_OF_EXIT = frozenset({"exit", "err", "errx", "verr", "verrx"})


def at_end(function: str, arguments: list[c_ast.Node]) -> tuple[str, list[c_ast.Node]] | None:
    """What a call of *function*, one of `STOPS`, calls first, and with which of its *arguments*; None for nothing."""
    if function in _OF_EXIT:
        return RUN_EXIT, arguments[:1]
    return (RUN_QUICK_EXIT, []) if function == "quick_exit" else None


REFUSED = frozenset({
    "setuid", "setgid", "setsid", "system", "popen", "execl", "execlp", "execle", "execv", "execvp", "execve",
    "posix_spawn", "clone", "killpg", "ualarm", "setitimer", "sigwaitinfo", "sigtimedwait", "sigqueue", "sigsetmask",
    "sigblock", "sigaltstack", "timer_settime", "lfind", "lsearch", "tsearch",
    "dlopen", "dlsym", "shm_open", "shmget", "shmat", "brk", "sbrk", "mremap", "setlocale", "localeconv", "vasprintf",
    "getopt_long", "vscanf", "vfscanf", "vsscanf", "gets", "opendir", "readdir",
    "gethostbyname", "getaddrinfo", "getpwnam", "getpwuid", "inet_ntoa", "strerror_r", "readv", "writev", "pread",
    "ftw", "nftw", "glob", "regcomp", "regexec", "pthread_attr_setsigmask_np", "pthread_setattr_default_np",
})  # fmt: skip
"""Functions that are known not to be modelled. (Unknown ones are refused as well, with another message.)"""

_OUTSIDE = "it may wait for something outside of the program"
_LOCKS_FILE = "it may wait for a lock on a file"
_QUEUES = "it may wait for a message or a semaphore of another process"
_EVENTS = "it may wait for events"

WAITING = {
    **dict.fromkeys(
        ("accept", "accept4", "connect", "recv", "recvfrom", "recvmsg", "recvmmsg", "sendmmsg"), _OUTSIDE
    ),
    **dict.fromkeys(("flock", "lockf", "lockf64"), _LOCKS_FILE),
    "fcntl64": "it may wait, or make a descriptor", "ioctl": "it may wait, or carry data between threads",
    **dict.fromkeys(
        ("epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "ppoll", "pselect",
         "inotify_init", "inotify_init1", "signalfd", "timerfd_create", "timerfd_settime"),
        _EVENTS,
    ),
    **dict.fromkeys(
        ("mq_open", "mq_send", "mq_receive", "mq_timedsend", "mq_timedreceive", "mq_notify", "msgget", "msgsnd",
         "msgrcv", "semget", "semop", "semtimedop"),
        _QUEUES,
    ),
    **dict.fromkeys(("tmpfile", "fmemopen", "open_memstream", "mkfifo", "mkstemp", "memfd_create"),
                    "what is written to it can be read back"),
    **dict.fromkeys(("splice", "tee", "vmsplice", "sendfile", "copy_file_range"), "it carries data between files"),
    **dict.fromkeys(("aio_read", "aio_write", "aio_suspend", "io_setup", "io_submit", "io_getevents"),
                    "what it starts goes on in the background"),
}  # fmt: skip
"""Functions that may wait, or that carry data from one thread to another, and are not modelled → why that counts."""

FILE_OF, OTHER_FILE = "__cs_file_of", "__cs_file_other"
"""Modelled functions: the open file of a descriptor, and a descriptor of another kind of file."""

OF_DESCRIPTORS = frozenset({
    "dup", "dup2", "dup3", "fdopen", "shutdown", "dprintf", "vdprintf", "sendto", "sendmsg", "pwrite",
})  # fmt: skip
"""Functions of descriptors that are not modelled where those may be of pipes, sockets or event counters."""

OPENS = frozenset({"open", "open64", "openat", "creat", "socket", "fileno"})
"""Functions that return the descriptor of a file that other processes may use, too."""

READS_FILE = {
    "fgets": 2, "fread": 3, "fscanf": 0, "fgetc": 0, "getc": 0, "getline": 2, "getdelim": 3, "read": 0,
}  # fmt: skip
"""Functions that read from a file → the argument that says from which."""

OPEN_WAITS = frozenset(READS_FILE) | {"getchar", "getchar_unlocked", "getc_unlocked", "scanf", "pause"}
"""Functions in which a thread waits for something outside of the program, as long as that may take."""

POLLS = {"poll": 2, "select": 4}
"""The same, unless there is a time limit → the argument that says so."""

OPEN_WAIT = "__cs_open_wait"
"""The modelled function that is called before those, if nothing outside of the program ever ends a wait."""

STREAMS = ("stdin", "stdout", "stderr")
"""Objects that the C library defines."""

_MAP_ANONYMOUS = 0x20


def is_modelled(function: str) -> bool:
    """Whether *function* is a function of the C library that is modelled in C."""
    item = stubs.items().get(function)
    return item is not None and item.file in FILES and item.is_function


def is_known(function: str) -> bool:
    """Whether calls of *function* have a meaning, and are not refused."""
    if function == "sqrt":
        return True
    named = (ANY_VALUE, CONSTANT, {THREAD, ALLOCATES_TEXT}, WRITES, FRESH, STOPS, FORMATTED, SORTS)
    return is_modelled(function) or any(function in group for group in named)


def is_scanned(function: str) -> bool:
    """Whether *function* reads what a format describes."""
    return without_variant(function) in SCANNED


def is_ordinary(function: str) -> bool:
    """Whether a program may use the name of the modelled *function* for something else."""
    return is_modelled(function) and not function.startswith("__cs_")


def keeps_addresses(function: str) -> bool:
    """Whether the modelled *function* may return or store an address that it is given."""
    head = stubs.items()[function].text.partition(")")[0].replace(" ", "")
    return f"*{function}(" in head or "**" in head


def with_helpers(functions: set[str]) -> set[str]:
    """*functions*, and the modelled functions that calls of them are turned into."""
    return functions | {helper for name in functions for helper in HELPERS.get(name, ())}


def is_anonymous(flags: int) -> bool:
    """Whether mmap returns fresh memory with these *flags*."""
    return bool(flags & _MAP_ANONYMOUS)


def streams(nodes: list[c_ast.Node]) -> list[c_ast.Decl]:
    """Definitions of the streams that *nodes* declare: pointers that are not null, and lead nowhere."""
    found = []
    for node in nodes:
        if isinstance(node, c_ast.Decl) and node.name in STREAMS and "extern" in node.storage:
            place = c_ast.Cast(build.typename(node.type), build.number(1 + STREAMS.index(node.name)))
            found.append(rebuilt(node, storage=[], init=place))
    return found
