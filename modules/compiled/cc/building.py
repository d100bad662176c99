"""The runtime, compiled by the user's compiler when it is first needed, and kept in the user's cache."""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cseq.backends.compiled import FOLDER
from cseq.modules.compiled.cc.compilers import Compiler, CompilerError, cache

SOURCES = Path(FOLDER) / "runtime"
"""The folder with the C of the runtime, a folder for each layer; no two files have one name, and none is table.c."""

FLAGS = (
    "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-ftls-model=initial-exec",
    "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fexceptions",
    *(("-mcx16",) if os.uname().machine == "x86_64" else ()),
)  # fmt: skip

OBJECT = "runtime.o"
"""All of the runtime. As one object file it is linked as a whole wherever it stands."""

STATIC = "static.o"
"""The same for static programs, where each function that stands in for one X of a library is called __wrap_X."""

EXPORTED = "exported.list"
"""The symbols that programs export for the libraries that they load, in the linker's form."""

WRAPS = "wraps"
"""The functions X for which the runtime defines __wrap_X, one in each line."""

STATIC_WRAPS = "static.wraps"
"""The functions X of libraries for which the runtime for static programs defines __wrap_X."""

_KEPT = ("__", "pthread_", "sem_", "mtx_", "cnd_", "thrd_", "Annotate")
"""How names of the runtime begin that a program may not define itself. All others it may, `send` for instance."""

_OWN = ("__tsan_", "__wrap_", "Annotate", "RunningOnValgrind", "__VERIFIER_", "reach_error", "assume_abort_if_not")
"""How names begin of what the runtime defines and no library does."""

_TABLE = """\
static const struct {{ const char *name; const void *real; }} table[] = {{
{rows}{{ 0, 0 }} }};
__attribute__((visibility("hidden"))) const void *cs_static_real(const char *name)
{{
    for (unsigned i = 0; table[i].name != 0; i++) {{
        unsigned k = 0;
        while (table[i].name[k] == name[k] && name[k] != 0) {{
            k++;
        }}
        if (table[i].name[k] == name[k]) {{
            return table[i].real;
        }}
    }}
    return 0;
}}
"""


def built(compiler: Compiler, sources: Path | None = None) -> Path:
    """The folder with the runtime, made by the compiler unless it is there already.

    sources: the folder of the C, if not SOURCES. Any number of processes may ask at the same time. Raises
    CompilerError if the runtime cannot be built.
    """
    files = sorted(path for path in (sources or SOURCES).rglob("*") if path.suffix in (".c", ".h", ".def"))
    key = hashlib.sha256(f"{compiler.kind} {compiler.version} {FLAGS}".encode())
    for path in [Path(__file__), *files]:
        key.update(f"\0{path.name}\0".encode() + path.read_bytes())
    folder = Path(cache()) / "runtimes" / key.hexdigest()[:24]
    if (folder / OBJECT).exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _alone(folder.parent / "lock"):
            if not (folder / OBJECT).exists():
                _build(compiler, files, folder)
    except OSError as error:
        raise CompilerError(f"the runtime cannot be kept in {folder.parent}: {error.strerror}") from None
    return folder


def wraps(folder: Path, static: bool) -> list[str]:
    """The functions whose calls the linker directs to the runtime in *folder*, in a static program or another one."""
    return (folder / (STATIC_WRAPS if static else WRAPS)).read_text(encoding="utf-8").split()


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Only one process is in here at a time: the others wait for what it makes."""
    with lock.open("w") as file:
        with contextlib.suppress(OSError):  # a file system without locks: then several make the same
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build(compiler: Compiler, files: list[Path], folder: Path) -> None:
    """Make the folder from the files of the runtime; others see it when it is complete."""
    sources = [path for path in files if path.suffix == ".c"]
    headers = [f"-I{parent}" for parent in sorted({path.parent for path in files})]
    part = Path(tempfile.mkdtemp(prefix="part-", dir=folder.parent))
    try:
        # A compiler for C++ takes each file for C++ unless it is said for each.
        inputs = [word for path in sources for word in ("-x", "c", str(path))]
        _run([*compiler.words, *FLAGS, *headers, "-c", *inputs], part)
        objects = [f"{path.stem}.o" for path in sources]
        names = _linked(compiler, objects, OBJECT, part)
        own = "".join(f"{name}\n" for name in names if not name.startswith(_KEPT))
        (part / "weak").write_text(own, encoding="utf-8")
        _run(["objcopy", "--weaken-symbols=weak", OBJECT], part)
        (part / EXPORTED).write_text("{" + "".join(f"{name};\n" for name in names) + "};\n", encoding="utf-8")
        wrapped = [name.removeprefix("__wrap_") for name in names if name.startswith("__wrap_")]
        (part / WRAPS).write_text("\n".join(wrapped), encoding="utf-8")
        replaced = [name for name in names if not name.startswith(_OWN)]
        _make_static(compiler, objects, replaced, _called(sources) - set(replaced), part)
        # What the C library copies is ordered by locks that are not seen here. In a static program its calls of memcpy
        # would come to the runtime, too, and be data races; so none of them does.
        (part / STATIC_WRAPS).write_text("\n".join(replaced), encoding="utf-8")
        for name in {path.name for path in part.iterdir()} - {OBJECT, EXPORTED, WRAPS, STATIC, STATIC_WRAPS}:
            (part / name).unlink()
        with contextlib.suppress(OSError):  # made by another process in the meantime
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _linked(compiler: Compiler, objects: list[str], name: str, folder: Path) -> list[str]:
    """Make one object file of many; returns the names that it defines for others.

    The runtime's own names are then no longer in the way of the program's.
    """
    _run([*compiler.words, "-r", "-nostdlib", *objects, "-o", name], folder)
    public: list[str] = []
    private: list[str] = []
    for line in _run(["readelf", "--symbols", "--wide", name], folder).splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[4] in ("GLOBAL", "WEAK") and fields[6] != "UND":
            (public if fields[5] == "DEFAULT" else private).append(fields[7])
    # What begins with DW. the compiler shares with other object files.
    names = "".join(f"{symbol}\n" for symbol in private if not symbol.startswith("DW."))
    (folder / "private").write_text(names, encoding="utf-8")
    _run(["objcopy", "--localize-symbols=private", name], folder)
    return sorted(public)


def _called(sources: list[Path]) -> set[str]:
    """The functions that the runtime asks libraries for."""
    lines = [line for path in sources for line in path.read_text(encoding="utf-8").splitlines()]
    text = "\n".join(line for line in lines if not line.startswith("#") and not line.endswith("\\"))
    return set(re.findall(r"\bCS_REAL\((\w+)\)", text))


def _make_static(compiler: Compiler, objects: list[str], replaced: list[str], called: set[str], folder: Path) -> None:
    """Make the object file for static programs, in which the functions *replaced* stand beside those of the library.

    The linker's --wrap tells the two apart there; the runtime finds those of the library in a table, and others that
    it has *called*, too.
    """
    symbols = [(name, f"__real_{name}") for name in replaced] + [(name, name) for name in sorted(called)]
    declared, rows = "", ""
    for number, (name, symbol) in enumerate(symbols):
        weak = "" if symbol == name else "__attribute__((weak))"
        declared += f'extern char real{number}[] __asm__("{symbol}") {weak};\n'
        rows += f'{{ "{name}", real{number} }},\n'
    (folder / "table.c").write_text(declared + _TABLE.format(rows=rows), encoding="utf-8")
    _run([*compiler.words, *FLAGS, "-c", "-x", "c", "table.c", "-o", "table.o"], folder)
    (folder / "renamed").write_text("".join(f"{name} __wrap_{name}\n" for name in replaced), encoding="utf-8")
    _linked(compiler, [*objects, "table.o"], STATIC, folder)
    _run(["objcopy", "--redefine-syms=renamed", STATIC], folder)


def _run(command: list[str], folder: Path) -> str:
    """What a command prints. CompilerError if it fails."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        run = subprocess.run(
            command,
            check=False,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise CompilerError(f"the runtime cannot be built: {command[0]}: {error.strerror}") from None
    if run.returncode != 0:
        lines = [line for line in run.stderr.splitlines() if "error" in line] or run.stderr.splitlines()
        raise CompilerError(f"the runtime cannot be built: {lines[0] if lines else command[0]}")
    return run.stdout
