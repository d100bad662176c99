"""The compilers behind `cseq-cc` and `cseq-c++`: which they are, and what they can do.

What a compiler can do is asked once and kept in the user's cache. This is imported for each file that is compiled, so
it imports little.
"""

import os

from cseq.modules.compiled.cc.commandline import split

NAMES = ("cseq-cc", "cseq-c++")
VARIABLES = ("CSEQ_CC", "CSEQ_CXX")
_CHOICES = (("gcc", "clang"), ("g++", "clang++"))
_CLANGS = range(30, 10, -1)
"""The versions that may be part of a name, as in clang-14."""

_FORMAT = "1"
"""The version of what is kept. Another one is not read."""

DISTINCTION = {
    "gcc": ("--param", "tsan-distinguish-volatile=1"),
    "clang": ("-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-read-before-write=1"),
}
"""The options by which the hooks of volatile accesses are others than those of plain ones. Without the last, clang
leaves out the hook of a read that is followed by a write: an exhaustive search would not know of the read."""


class CompilerError(Exception):
    """There is no compiler, or it cannot be used. The argument is one line for the user."""


class Compiler:
    """A compiler.

    words: the command that starts it. kind: ``gcc`` or ``clang``; "" if neither. version: as in 12.2.0.
    hooks: whether it has ``-fsanitize=thread``. distinguishes: whether it has hooks for volatile accesses, as
    gcc 11 and clang 11 have.
    """

    __slots__ = ("distinguishes", "hooks", "kind", "version", "words")

    def __init__(self, words: list[str], kind: str, version: str, hooks: bool, distinguishes: bool) -> None:
        self.words = words
        self.kind = kind
        self.version = version
        self.hooks = hooks
        self.distinguishes = distinguishes


def command(cxx: bool) -> list[str]:
    """The command of the compiler for C, or for C++: what the variable says, or the first that is installed."""
    variable = VARIABLES[cxx]
    if named := os.environ.get(variable, "").strip():
        words = split(named)
        path = which(words[0])
        if path is None:
            raise CompilerError(f"{variable} is {words[0]}, which is not a program")
        if any(os.path.basename(word) in NAMES for word in words):  # noqa: PTH119
            raise CompilerError(f"{variable} is {named}, but has to be the compiler that {NAMES[cxx]} calls")
        return [path, *words[1:]]
    names = list(_CHOICES[cxx])
    for name in [*names, *(f"{names[-1]}-{version}" for version in _CLANGS)]:
        if path := which(name):
            return [path]
    raise CompilerError(f"no compiler found (looked for ${variable}, {names[0]} and {names[1]})")


def known(words: list[str]) -> Compiler:
    """The compiler that the command starts. CompilerError if it cannot be used for hooks."""
    kept = os.path.join(cache(), "compilers", "%".join(words).replace("/", "%"))  # noqa: PTH118
    stamp = " ".join([_FORMAT, *(_stamp(word) for word in words)])
    try:
        with open(kept, encoding="utf-8") as file:  # noqa: PTH123
            facts = file.read().split("\n")
    except OSError:
        facts = []
    if len(facts) != 5 or facts[0] != stamp:
        facts = [stamp, *_asked(words)]
        keep(kept, "\n".join(facts))
    compiler = Compiler(words, facts[1], facts[2], facts[3] == "1", facts[4] == "1")
    if not compiler.hooks:
        name = " ".join(words)
        raise CompilerError(f"{name} has no -fsanitize=thread: choose another compiler with {' and '.join(VARIABLES)}")
    return compiler


def cache() -> str:
    """The folder for what can be made again."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")  # noqa: PTH111, PTH118
    return os.path.join(base, "cseq", "compiled")  # noqa: PTH118


def keep(path: str, text: str) -> None:
    """Write a file in the cache at once, also if others write it now; without a cache, nothing is kept."""
    part = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(part, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(text)
        os.replace(part, path)  # noqa: PTH105
    except OSError:
        return


def which(name: str) -> str | None:
    """The path of a program, as the shell finds it."""
    folders = [""] if "/" in name else os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in folders:
        path = os.path.join(folder, name)  # noqa: PTH118
        if os.access(path, os.X_OK) and os.path.isfile(path):  # noqa: PTH113
            return path
    return None


def _stamp(word: str) -> str:
    """What changes when the program *word* is replaced by another one."""
    try:
        status = os.stat(which(word) or word)  # noqa: PTH116
    except OSError:
        return "-"
    return f"{status.st_mtime_ns}.{status.st_size}.{status.st_ino}"


def _asked(words: list[str]) -> list[str]:
    """The kind and the version of a compiler, whether it has hooks, and whether they distinguish volatile accesses."""
    macros = dict.fromkeys(("__clang__", "__GNUC__"), "")
    for line in _output([*words, "-dM", "-E", "-x", "c", os.devnull], "").splitlines():
        name, _, value = line.removeprefix("#define ").partition(" ")
        macros[name] = value
    kind = "clang" if macros["__clang__"] else "gcc" if macros["__GNUC__"] else ""
    if not kind:
        return ["", "", "0", "0"]
    numbers = {
        "gcc": ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"),
        "clang": ("__clang_major__", "__clang_minor__", "__clang_patchlevel__"),
    }
    version = ".".join(macros.get(number, "0") for number in numbers[kind])
    text = "volatile int x;\nint y;\nint f(void) { return x + y; }\n"
    hooked = [*words, "-fsanitize=thread", "-S", "-o", "-"]
    distinguished = _output([*hooked, *DISTINCTION[kind], "-x", "c", "-"], text)
    if "__tsan_volatile_read4" in distinguished:
        return [kind, version, "1", "1"]
    return [kind, version, str(int("__tsan_read4" in _output([*hooked, "-x", "c", "-"], text))), "0"]


def _output(words: list[str], text: str) -> str:
    """What a command prints, given an input; "" if it fails."""
    import subprocess

    environment = {**os.environ, "LC_ALL": "C"}
    try:
        run = subprocess.run(
            words, check=False, input=text, capture_output=True, text=True, errors="replace", env=environment
        )
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""
