"""Programs that call the functions that are known of the C library and of POSIX, made from their prototypes.

A function is called with arguments for which it is defined, wherever types and a few names of parameters say which
those are; what it returns is only freed, or compared with itself. So no call does anything wrong, whatever it returns.
"""

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, parse
from cseq.c.preprocess import compiler
from cseq.modules.library import clibrary, stubs
from cseq.pthread_stubs import INCLUDE

HEADERS = (
    "ctype.h", "err.h", "errno.h", "fcntl.h", "malloc.h", "math.h", "poll.h", "sched.h", "signal.h", "stdio.h",
    "stdlib.h", "string.h", "strings.h", "sys/file.h", "sys/ioctl.h", "sys/mman.h", "sys/prctl.h", "sys/resource.h",
    "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/statvfs.h", "sys/sysinfo.h", "sys/time.h", "sys/timeb.h",
    "sys/times.h", "sys/types.h", "sys/utsname.h", "syslog.h", "time.h", "unistd.h", "utime.h", "wchar.h",
)  # fmt: skip

INCLUDES = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in HEADERS)

OBJECTS = """\
char text[16] = "12", buffer[256];
char *end;
void *block;
char *names[] = {text, 0};
int compare(const void *one, const void *other) { return 0; }
void nothing(void) {}
va_list arguments;
"""

CALLS = {
    "realloc": "free(realloc(malloc(4), 8))",
    "reallocarray": "free(reallocarray(malloc(4), 2, 4))",
    "free": "free(malloc(4))",
    "posix_memalign": "if (posix_memalign(&block, 16, 8) == 0) free(block)",
    "aligned_alloc": "free(aligned_alloc(16, 16))",
    "memalign": "free(memalign(16, 16))",
    "malloc_usable_size": "block = malloc(4); malloc_usable_size(block); free(block)",
    "sscanf": 'int number; sscanf(text, "%d", &number)',
    "scanf": 'int number; scanf("%d", &number)',
    "fscanf": 'int number; fscanf(stdin, "%d", &number)',
    "sprintf": 'sprintf(buffer, "%d %s", 1, text)',
    "snprintf": 'snprintf(buffer, 8, "%d %s", 1, text)',
    "getenv": 'end = getenv("HOME"); if (end) buffer[0] = *end',
    "secure_getenv": 'end = secure_getenv("HOME"); if (end) buffer[0] = *end',
    "strtod": "strtod(text, 0)", "strtof": "strtof(text, 0)", "strtold": "strtold(text, 0)",
    "nan": 'nan("")', "nanf": 'nanf("")', "nanl": 'nanl("")',
    "strerror": "end = strerror(1)",
    "fopen": 'block = fopen(text, "r")', "freopen": 'block = freopen(text, "r", stdin)',
    "fdopen": 'block = fdopen(1, "r")', "open": "open(text, O_RDONLY)", "open64": "open64(text, O_RDONLY)",
    "openat": "openat(1, text, O_RDONLY)",
    "fclose": 'FILE *file = fopen(text, "r"); if (file) fclose(file)',
    "modf": "double whole; modf(1.5, &whole)",
    "qsort": "qsort(buffer, 2, 1, compare)",
    "bsearch": "block = bsearch(text, buffer, 2, 1, compare)",
    "atexit": "atexit(nothing)",
    "getopt": 'getopt(1, names, "a")',
    "select": "fd_set set; FD_ZERO(&set); select(1, &set, 0, 0, 0)",
}  # fmt: skip
"""The calls of functions whose arguments the types do not tell."""

MANY = frozenset({
    "asctime", "ctime", "drand48", "fgetc", "fgets", "fread", "getc", "getchar", "getcwd", "getdelim", "getline",
    "getenv", "gethostname", "gmtime", "localtime",
    "lrand48", "mrand48", "rand_r", "read", "secure_getenv", "strftime", "strsignal",
    "uname", "vsnprintf", "vsprintf",
})  # fmt: skip
"""Modelled functions with a result of more values than explicit-state search tries one by one."""

_WRITING = frozenset({"creat"})
"""Functions that open a file for writing: a program that calls one and reads a file as well is not followed.

Programs that call functions of `clibrary.CONNECTED` are in tests/end_to_end/test_descriptors.py."""

_FREED = frozenset({"malloc", "calloc", "strdup", "strndup", "valloc", "pvalloc"})
_NUMBERS = re.compile(r"\b(?:int|char|short|long|float|double|_Bool)\b")


@cache
def known() -> list[str]:
    """The functions of the C library that a program may call and go on after, by name."""
    modelled = {name for name in stubs.items() if clibrary.is_modelled(name) and clibrary.is_ordinary(name)}
    named = (clibrary.ANY_VALUE, clibrary.WRITES, clibrary.FRESH, clibrary.FORMATTED)
    found = modelled.union(*named, ("sqrt",)) - clibrary.STOPS - clibrary.CONNECTED - _WRITING
    return sorted(filter(has_call, found))


def modelled() -> list[str]:
    """Those of the known functions whose result has a model, with few enough values that each can be tried."""
    return [name for name in known() if clibrary.is_modelled(name) and name not in MANY]


def others() -> list[str]:
    """Those of the known functions that are not modelled."""
    return [name for name in known() if not clibrary.is_modelled(name) and name not in MANY]


def has_call(name: str) -> bool:
    """Whether it is known how to call the function *name*."""
    return name in CALLS or (name in prototypes() and not _takes_functions(name))


def _takes_functions(name: str) -> bool:
    """Whether a function calls others that it is given, which is only defined with a call in `CALLS`."""
    parameters = prototypes()[name].args.params
    types = (getattr(parameter, "type", None) for parameter in parameters)
    said = [Printer().visit(c_ast.Typename(None, [], None, _unnamed(type_))) for type_ in types if type_ is not None]
    return any("(" in text or "__compar" in text for text in said)


@cache
def prototypes() -> dict[str, c_ast.FuncDecl]:
    """What the headers say about the functions that they declare."""
    flags = [f"-isystem{INCLUDE / 'always'}", f"-idirafter{INCLUDE}", "-D__CSEQ__=1", "-std=gnu11"]
    done = subprocess.run(
        [compiler(), "-E", "-P", *flags, "-x", "c", "-"], input=INCLUDES, capture_output=True, text=True, check=True
    )
    found = (node for node in parse(done.stdout).ext if isinstance(node, c_ast.Decl))
    return {node.name: node.type for node in found if isinstance(node.type, c_ast.FuncDecl)}


def call(name: str) -> str:
    """A statement that calls the function *name*; empty where the headers do not declare it."""
    if name in CALLS:
        return f"{{ {CALLS[name]}; }}"
    declared = prototypes().get(name)
    if declared is None:
        return ""
    objects: list[str] = []
    given = [_argument(p, objects) for p in declared.args.params if isinstance(p, (c_ast.Decl, c_ast.Typename))]
    called = f"{name}({', '.join(word for word in given if word)})"
    return f"{{ {''.join(objects)}{f'free({called})' if name in _FREED else called}; }}"


def _argument(parameter: Any, objects: list[str]) -> str:
    """An argument for *parameter*, and the *objects* that it needs; empty for none."""
    type_ = parameter.type
    said = Printer().visit(c_ast.Typename(None, [], None, _unnamed(type_)))
    if said == "void":
        return ""
    if isinstance(type_, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        return _pointer(said.replace("restrict", "").replace("const", "").replace("  ", " ").strip(), said, objects)
    if _NUMBERS.search(said):
        return "1"
    if "SOCKADDR_ARG" in said:
        return "(struct sockaddr *)buffer"
    if said.startswith(("struct ", "union ")):
        objects.append(f"{said} object; memset(&object, 0, sizeof object); ")
        return "object"
    return "1"


def _pointer(pointed: str, said: str, objects: list[str]) -> str:
    base = pointed.removesuffix("*").strip()
    if base == "char":
        return "text" if "const" in said else "buffer"
    if base in ("void", "unsigned char"):
        return "buffer"
    if base in ("FILE", "struct _IO_FILE"):
        return "stdout"
    if base == "char *":
        return "&end"
    if "(" in base or base.endswith("*") or "va_list" in base:
        return "0"
    objects.append(f"static {base} object{len(objects)}[4]; ")
    return f"object{len(objects) - 1}"


def _unnamed(type_: Any) -> Any:
    if isinstance(type_, c_ast.TypeDecl):
        return c_ast.TypeDecl(None, type_.quals, None, type_.type)
    if isinstance(type_, c_ast.ArrayDecl):
        return c_ast.PtrDecl([], _unnamed(type_.type))
    if isinstance(type_, c_ast.PtrDecl) and not isinstance(type_.type, c_ast.FuncDecl):
        return c_ast.PtrDecl(type_.quals, _unnamed(type_.type))
    return type_


def program(names: Iterable[str]) -> str:
    """A program that calls each of the functions *names* once."""
    calls = "".join(f"    {made}\n" for name in names if (made := call(name)))
    return (
        f"{INCLUDES}#include <assert.h>\n{OBJECTS}int main(void)\n{{\n{calls}    assert(text[0]);\n    return 0;\n}}\n"
    )
