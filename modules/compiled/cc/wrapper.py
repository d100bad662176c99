"""`cseq-cc` and `cseq-c++`: gcc and clang with hooks, and with our runtime in place of that of ThreadSanitizer."""

import os
import sys

from cseq.modules.compiled.cc import compilers
from cseq.modules.compiled.cc.commandline import CommandLine, expanded, joined
from cseq.modules.compiled.cc.hooking import HOOKED, RECORD, Plan

_ROOT = os.path.abspath(__file__).rsplit(os.sep, 5)[0]  # noqa: PTH100
"""The folder in which Python finds the package."""

_LONG = 100_000
"""Characters of a command line that goes through a response file."""


def cc() -> int:
    """The command `cseq-cc`."""
    return main(sys.argv[1:], cxx=False)


def cxx() -> int:
    """The command `cseq-c++`."""
    return main(sys.argv[1:], cxx=True)


def tool() -> int:
    """The commands `cseq-gcc-ar` and the like, which CMake expects beside a compiler with this prefix."""
    name = os.path.basename(sys.argv[0]).removeprefix("cseq-")  # noqa: PTH119
    for choice in (name, name.rpartition("-")[2]):
        if path := compilers.which(choice):
            return _become([path, *sys.argv[1:]])
    _say(f"cseq-{name}", f"error: no {name} found")
    return 1


def invocation(cxx: bool) -> list[str]:
    """The command that starts `cseq-cc` or `cseq-c++` where this Python runs, also from a checkout."""
    script = (
        f"import sys; sys.path.insert(0, {_ROOT!r}); from cseq.modules.compiled.cc.wrapper import main; "
        f"sys.exit(main(sys.argv[1:], cxx={cxx}))"
    )
    return [sys.executable, "-c", script]


def main(words: list[str], cxx: bool) -> int:
    """Do what the compiler does with the arguments *words*; returns its exit status.

    Where nothing is left to do after the compiler, the process becomes the compiler, and does not return.
    """
    name = compilers.NAMES[cxx]
    try:
        command = compilers.command(cxx)
        line = CommandLine(expanded(words), cxx)
        if line.asks:
            return _become([*command, *words])
        compiler = compilers.known(command)
        plan = Plan(line)
        for kind in plan.dropped:
            _say(name, f"warning: -fsanitize={kind} cannot be combined with the hooks: dropped")
        if not line.links:
            return _become([*command, *plan.compiling(compiler)])
        return _link(name, compiler, plan)
    except compilers.CompilerError as error:
        _say(name, f"error: {error}")
        return 1


def _link(name: str, compiler: compilers.Compiler, plan: Plan) -> int:
    from cseq.modules.compiled.cc import building

    line = plan.line
    for option in line.options:
        if option[0] in ("-m32", "-mx32"):
            raise compilers.CompilerError(f"{option[0]}: programs for another architecture cannot be explored")
        if compiler.kind == "clang" and option[0] in ("-fopenmp", "-fopenmp=libomp", "-fopenmp=libiomp5"):
            raise compilers.CompilerError(f"{option[0]}: threads of clang's OpenMP are not seen; use gcc")
    folder = building.built(compiler)
    words = [*compiler.words, *plan.linking(compiler, str(folder), building.wraps(folder, line.static))]
    if line.shared or line.relocatable or line.bare:
        return _become(words)
    status = _run(words)
    program = line.output or "a.out"
    if status == 0 and not _is_hooked(program, line):
        _say(name, f"error: no part of {program} was compiled by cseq-cc or cseq-c++, so there is nothing to explore")
        _remove(program)
        return 1
    return status


def _is_hooked(program: str, line: CommandLine) -> bool:
    """Whether the program, or a shared library that was linked to it, was compiled with hooks.

    A program without any C, and what is no program (an output for another machine, say), is fine as it is.
    """
    from cseq.modules.compiled.cc.elf import section

    if line.assembled and not (line.sources or line.objects):
        return True
    if not os.path.isfile(program):  # noqa: PTH113
        return True
    folders = [option[-1].removeprefix("-L") for option in line.options if option[0].startswith("-L")]
    paths = [program]
    for name in line.objects:
        if name.startswith("-l"):
            paths += [os.path.join(folder, f"lib{name[2:]}.so") for folder in folders]  # noqa: PTH118
        elif ".so" in name:
            paths.append(name)
    for path in paths:
        try:
            if HOOKED in (section(path, RECORD) or b""):
                return True
        except OSError:
            continue
    return False


def _become(words: list[str]) -> int:
    """Run a command in place of this process; one that is too long for the system goes through a file."""
    if _is_long(words):
        return _run(words)
    import signal

    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the compiler would inherit that
    os.execv(words[0], words)


def _run(words: list[str]) -> int:
    """Run a command, and wait for it; returns its exit status."""
    import signal
    import tempfile

    path = ""
    if _is_long(words):
        number, path = tempfile.mkstemp(prefix="cseq-", suffix=".rsp")
        with open(number, "w", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            file.write(joined(words[1:]))
        words = [words[0], f"@{path}"]
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it goes to the compiler, which cleans up
        child = os.posix_spawn(words[0], words, os.environ, setsigdef=[signal.SIGPIPE, signal.SIGINT])
        _, status = os.waitpid(child, 0)
        signal.signal(signal.SIGINT, before)
    finally:
        if path:
            _remove(path)
    status = os.waitstatus_to_exitcode(status)
    return status if status >= 0 else 128 - status


def _is_long(words: list[str]) -> bool:
    return sum(map(len, words)) + len(words) > _LONG


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return


def _say(name: str, text: str) -> None:
    print(f"{name}: {text}", file=sys.stderr, flush=True)
