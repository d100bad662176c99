"""The command lines with which programs are compiled with hooks, and linked with the runtime."""

import os

from cseq.backends.compiled import FOLDER
from cseq.modules.compiled.cc.commandline import CommandLine
from cseq.modules.compiled.cc.compilers import DISTINCTION, Compiler

SPECS = os.path.join(FOLDER, "thread.specs")  # noqa: PTH118
PRELUDE = os.path.join(FOLDER, "prelude.hpp")  # noqa: PTH118

RECORD = ".GCC.command.line"
"""The section of object files in which the compilers note their options."""

HOOKED = b"fsanitize=thread"
"""A part of the note of each file that was compiled with hooks."""

CALLED = (
    "memcpy", "memmove", "memset", "mempcpy", "bzero", "memcmp", "bcmp", "strcpy", "stpcpy", "strncpy", "strcat",
    "strncat",
)  # fmt: skip
"""Functions that gcc expands after it has placed the hooks. They have to be called to be seen; clang does that."""

_COMPARED = ("--param", "builtin-string-cmp-inline-length=0")
"""The same for comparisons with short strings. Without strcmp as a builtin there would be no constant comparisons."""

_OTHER_SHADOWS = frozenset({
    "address", "hwaddress", "kernel-address", "kernel-hwaddress", "leak", "memory", "kernel-memory", "dataflow",
    "pointer-compare", "pointer-subtract", "safe-stack", "memtag", "memtag-stack", "memtag-heap",
    "memtag-globals", "type", "numerical", "realtime",
})  # fmt: skip
"""The sanitizers that cannot be combined with hooks."""

_LINK_TIME = ("-flto", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fthinlto-index", "-flinker-output")
_UNUSABLE = frozenset({
    "-fwhole-program-vtables", "-fvirtual-function-elimination", "-fsplit-lto-unit",
    "-static-libtsan", "-static-libasan", "-static-liblsan", "-ltsan", "-lasan", "-s", "-g0",
})  # fmt: skip
"""Options that need optimisation at link time, take another runtime, or leave no symbols."""

_STRIPS = frozenset({"-s", "--strip-all", "-S", "--strip-debug"})


class Plan:
    """What a command line becomes, without what is only for linking.

    options: the user's options that stay. hooks: whether the user wants hooks (``-fno-sanitize=thread``: no).
    dropped: the sanitizers that cannot be combined with ours.
    """

    def __init__(self, line: CommandLine) -> None:
        self.line = line
        self.options: list[list[str]] = []
        self.hooks = True
        self.dropped: list[str] = []
        for option in line.options:
            name = option[0]
            if name.startswith(("-fsanitize=", "-fno-sanitize=")):
                self._keep_others(name)
            elif name.startswith(_LINK_TIME) or name in _UNUSABLE:
                continue
            elif name.startswith("-Wp,") and "_FORTIFY_SOURCE" in name:
                kept = [word for word in name.split(",") if "_FORTIFY_SOURCE" not in word]
                self.options += [[",".join(kept)]] if len(kept) > 1 else []
            else:
                self.options.append(option)
        if line.links and line.bare and not line.shared:
            self.hooks = False  # nothing would define them

    def compiling(self, compiler: Compiler) -> list[str]:
        """The options for a command that compiles or preprocesses; one that also links takes those of `linking`, too.

        The place of a file's hooks is that of the compiler's own, and its optimisations are the user's. A command that
        also links must not hand the option for hooks to the linker, which would take libtsan.
        """
        words, inputs = self._parted()
        if not self.line.compiles:
            return [*words, *inputs]
        # With fortified functions, calls of read, poll or memcpy would be calls of other functions, or none.
        undefined = ["-U_FORTIFY_SOURCE"] if self.line.preprocesses else []
        words = ["-g", *words, "-frecord-gcc-switches", *undefined]
        if self.hooks:
            if compiler.kind == "clang":
                words += ["-Xclang", "-fsanitize=thread"]
            else:
                words += [f"-specs={SPECS}"] if self.line.links else ["-fsanitize=thread"]
                words += ["-Wno-tsan", *(f"-fno-builtin-{name}" for name in CALLED)]
                words += _COMPARED if compiler.distinguishes else ()
            words += DISTINCTION[compiler.kind] if compiler.distinguishes else ()
            words += ["-U__SANITIZE_THREAD__"] if self.line.preprocesses else []
            words += ["-include", PRELUDE] if _takes_prelude(self.line, compiler) else []
        return [*words, *inputs]

    def linking(self, compiler: Compiler, runtime: str, wraps: list[str]) -> list[str]:
        """The options for a command that links.

        runtime: the folder of `building`. wraps: the functions whose calls go to the runtime.
        """
        self.options = _linker_options(self.options, self.line.shared)
        words = self.compiling(compiler)
        if self.line.relocatable or self.line.bare:
            return words
        words += [f"-Wl,--wrap={name}" for name in wraps]
        if self.line.shared:
            return words
        # As the first input the runtime comes where no option -x is there yet.
        words = [os.path.join(runtime, "static.o" if self.line.static else "runtime.o"), *words]  # noqa: PTH118
        if self.line.static:
            # The runtime's weak references do not take these out of the archives of the libraries that have them.
            words += [f"-Wl,-u,{name}" for name in wraps if not name.startswith(self._foreign())]
        else:
            # Shared libraries find the hooks and the functions of the runtime here. -rdynamic would also export the
            # program's own functions, which could then take the place of those of libraries.
            words += [f"-Wl,--dynamic-list={runtime}/exported.list"]
        return [*words, "-ldl", "-lpthread"]

    def _foreign(self) -> tuple[str, ...]:
        """How functions begin that none of the libraries of a static program has."""
        cxx = () if self.line.cxx else ("__cxa_", "_Z")
        atomic = () if "-latomic" in self.line.objects else ("__atomic_",)
        openmp = () if any(option[0].startswith("-fopenmp") for option in self.options) else ("GOMP_", "omp_")
        return ("__ubsan_", *cxx, *atomic, *openmp)

    def _parted(self) -> tuple[list[str], list[str]]:
        """The options, and what comes from ``--`` on, after which no option can stand."""
        words = [word for option in self.options for word in option]
        end = words.index("--") if "--" in words else len(words)
        return words[:end], words[end:]

    def _keep_others(self, option: str) -> None:
        """Keep of a list of sanitizers those that can be combined with ours."""
        name, _, rest = option.partition("=")
        kinds = rest.split(",")
        wanted = name == "-fsanitize"
        if "thread" in kinds or (not wanted and "all" in kinds):
            self.hooks = wanted
        if wanted:
            self.dropped += [kind for kind in kinds if _is_other(kind) and kind not in self.dropped]
        kept = [kind for kind in kinds if kind != "thread" and not (wanted and _is_other(kind))]
        if kept:
            self.options.append([f"{name}={','.join(kept)}"])


def _takes_prelude(line: CommandLine, compiler: Compiler) -> bool:
    """Whether there is something to hide from the program: in C++, and from compilers that have __has_feature."""
    asked = line.cxx or compiler.kind == "clang" or int(compiler.version.partition(".")[0]) >= 14
    return asked and line.preprocesses


def _is_other(kind: str) -> bool:
    return kind in _OTHER_SHADOWS or kind == "cfi" or kind.startswith("cfi-")


def _linker_options(options: list[list[str]], shared: bool) -> list[list[str]]:
    """The options without those that strip symbols and, for a shared library, that forbid undefined ones.

    The hooks of a shared library are defined by the program that loads it.
    """
    result: list[list[str]] = []
    words: list[str] = []
    for option in [*options, ["end"]]:
        if option[0].startswith("-Wl,"):
            words += option[0].split(",")[1:]
        elif option[0] == "-Xlinker" and len(option) == 2:
            words.append(option[1])
        else:
            if words:
                result += _handed_on(_permitted(words, shared))
                words = []
            if not (shared and option in (["-z", "defs"], ["-zdefs"])):
                result.append(option)
    return result[:-1]


def _permitted(words: list[str], shared: bool) -> list[str]:
    kept: list[str] = []
    for word in words:
        if word in _STRIPS:
            continue
        if shared and (
            word in ("--no-undefined", "-no-undefined", "-zdefs") or word.startswith("--unresolved-symbols")
        ):
            continue
        if shared and word == "defs" and kept and kept[-1] == "-z":
            kept.pop()
            continue
        kept.append(word)
    return kept


def _handed_on(words: list[str]) -> list[list[str]]:
    """Options of the compiler that hand these words to the linker."""
    if any("," in word for word in words):
        return [["-Xlinker", word] for word in words]
    return [["-Wl," + ",".join(words)]] if words else []
