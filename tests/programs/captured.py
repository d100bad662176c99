"""Programs that use the words of the texts that CSeq adds to programs, for things of their own.

All texts that become part of a program have parameters, locals and members with plain names, and a program may have
each of these as the name of an enumerator, a type, a macro and so on. That must not change what the texts mean.
"""

import re
import subprocess
from collections.abc import Callable, Iterable
from functools import cache

from cseq.c.preprocess import compiler
from cseq.c.scanner import lexemes
from cseq.modules.library import clibrary, stubs
from cseq.pthread_stubs import FOLDER, INCLUDE
from tests.programs import calls, misuses
from tests.support.checkout import ROOT

TEXTS = (
    *FOLDER.glob("*.[ch]"),
    *INCLUDE.rglob("*.h"),
    ROOT / "backends" / "explorer" / "interface.h",
    *(ROOT / "backends" / "explorer" / "program").glob("*.h"),
    ROOT / "backends" / "native_runtime.h",
    *(ROOT / "cseq" / "reproducer").glob("*.h"),
)
"""The files of C whose text becomes part of a program, whole or in parts."""

_HEADERS = ("assert.h", "pthread.h", "semaphore.h", "stdatomic.h", "threads.h")
INCLUDES = calls.INCLUDES + "".join(f"#include <{header}>\n" for header in _HEADERS)

_KEYWORDS = frozenset({
    "asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unsigned", "void", "volatile", "while",
    "defined", "i386", "linux", "main", "unix", "eventfd", "eventfd_read", "eventfd_write", "NDEBUG",
})  # fmt: skip
"""Words that no program defines: keywords, what gcc predefines, and the macro without which `assert` fails."""

_OURS = re.compile(r"__|_[A-Z]|.*__cs|cseq_|CSEQ_|mine_")
"""Names that are reserved, for the system or for CSeq, or that the programs below have already."""

_NOT_CALLED = frozenset({
    "pthread_exit", "thrd_exit",  # which end the thread
    "pthread_mutexattr_setrobust",  # without which there are other models, of fewer functions
    "pthread_kill", "pthread_setaffinity_np",  # which are refused
    "syscall", "fdopen",  # which `_DESCRIPTORS` calls rightly, and which is refused together with those
})  # fmt: skip
_FUNCTIONS = {
    "void *(*)(void *)": "mine_work", "thrd_start_t": "mine_start", "void (*)(void)": "mine_routine",
    "void (*)(void *)": "mine_destroy", "tss_dtor_t": "mine_destroy",
}  # fmt: skip
_DESCRIPTORS = """\
int mine_ends[2];
struct pollfd mine_polled;
fd_set mine_chosen;
pipe(mine_ends);
pipe2(mine_ends, 0);
socketpair(1, 1, 0, mine_ends);
mine_ends[0] = eventfd(1, 0);
eventfd_write(mine_ends[0], 1);
eventfd_read(mine_ends[0], (void *)&mine_chosen);
write(mine_ends[1], &mine_chosen, 8);
read(mine_ends[1], &mine_chosen, 8);
send(mine_ends[1], &mine_chosen, 1, 0);
recv(mine_ends[1], &mine_chosen, 1, 64);
poll(&mine_polled, 1, 1);
select(1, &mine_chosen, 0, 0, 0);
fcntl(mine_ends[1], 3);
close(mine_ends[1]);
syscall(202, mine_ends, 0, 1, 0);
syscall(202, mine_ends, 1, 1);
"""
"""Calls of the functions whose models need more than an argument of the right type."""

_BEGINNING = """\
extern int eventfd(unsigned int, int);
extern int eventfd_read(int, unsigned long *);
extern int eventfd_write(int, unsigned long);
static void *mine_work(void *mine_arg) { return mine_arg; }
static int mine_start(void *mine_arg) { return 0; }
static void mine_routine(void) {}
static void mine_destroy(void *mine_arg) {}
"""


def words_of(text: str) -> set[str]:
    """The identifiers in *text*, also in directives and in texts of tokens that a table of a backend has."""
    found = set()
    for lexeme in lexemes(text):
        if lexeme.kind == "directive":
            found.update(re.findall(r"[A-Za-z_]\w*", lexeme.text))
        elif lexeme.kind == "name":
            found.add(lexeme.text)
    return found


def definable(words: Iterable[str]) -> list[str]:
    """Those of *words* that a program with `INCLUDES` may define at file level, and as macros."""
    return sorted(
        word for word in set(words) - _KEYWORDS - declared()
        if not _OURS.match(word) and re.fullmatch(r"[A-Za-z_]\w*", word, re.ASCII)
    )  # fmt: skip


def functions() -> list[str]:
    """The functions of the library that `INCLUDES` declare: names for locals, members, tags and labels, too."""
    tags = set(re.findall(r"\b(?:struct|union|enum)\s+(\w+)", _preprocessed(*_WAYS[0], "-P")))
    return sorted(({*calls.known(), *_threads()} & declared()) - _macros() - tags)


def _threads() -> list[str]:
    return sorted(name for name in stubs.prototypes() if not name.startswith("__"))


@cache
def declared() -> frozenset[str]:
    """All that `INCLUDES` declare or mention, with our headers and with the system's alone."""
    found = set(_macros())
    for flags in _WAYS:
        found |= words_of(_preprocessed(*flags, "-P"))
    return frozenset(found)


@cache
def _macros() -> frozenset[str]:
    lines = [line for flags in _WAYS for line in _preprocessed(*flags, "-dM").splitlines()]
    return frozenset(line.split()[1].partition("(")[0] for line in lines if line.startswith("#define "))


_WAYS = (
    [f"-isystem{INCLUDE / 'always'}", f"-idirafter{INCLUDE}", "-D__CSEQ__=1"],
    [f"-isystem{INCLUDE}", "-D__CSEQ__=1"],
    [],
)


def _preprocessed(*flags: str) -> str:
    command = [compiler(), "-E", "-std=gnu11", *flags, "-x", "c", "-"]
    return subprocess.run(command, input=INCLUDES, capture_output=True, text=True, check=True).stdout


# What is defined, before and after the headers and in the function, and how it is used


def _file_level(form: str) -> Callable[[list[str]], str]:
    return lambda words: "".join(f"{form.replace('@', word)}\n" for word in words)


_FORMS: dict[str, tuple[Callable[[list[str]], str], str]] = {
    "nothing": (lambda words: "", ""),
    "enumerator": (lambda words: f"enum {{ {', '.join(f'{word} = 7' for word in words)} }};\n", "mine_sum = @;"),
    "typedef": (_file_level("typedef int @;"), "mine_sum = sizeof(@);"),
    "function": (_file_level("static int @(int mine_x) { return mine_x; }"), "mine_sum = @(1);"),
    "global": (_file_level("static int @ = 1;"), "mine_sum = @;"),
    "external": (_file_level("int @ = 1;"), "mine_sum = @;"),
    "tag": (_file_level("struct @ { int mine_x; };"), "mine_sum = sizeof(struct @);"),
    "member": (
        lambda words: (
            f"struct mine {{ char {', '.join(words)}; }};\nstatic const struct mine mine_all = "
            f"{{ {', '.join(f'.{word} = 1' for word in words)} }};\n"
        ),
        "mine_sum = mine_all.@;",
    ),
    "local": (lambda words: "", "int @ = 1; mine_sum = @;"),
    "label": (lambda words: "", "if (mine_sum > 9) goto @; @: ;"),
    "macro": (_file_level("#define @ ( @ } @"), ""),
}
KINDS = tuple(_FORMS)
"""What a program may have names for, and nothing."""

_OF_ANY_NAME = frozenset({"tag", "member", "local", "label"})
"""Kinds whose names may be those of the functions of the headers."""


def program(kind: str, words: list[str], text: str) -> str:
    """A program in which each of *words* is the name of a *kind* of thing.

    text: the rest, a function `mine_main`, whose own names all begin with ``mine_``.
    """
    words = sorted({*words, *functions()}) if kind in _OF_ANY_NAME else words
    define, use = _FORMS[kind]
    before, after = (define(words), "") if kind == "macro" else ("", define(words))
    uses = "".join(f"    {use.replace('@', word)}\n" for word in words) if use else ""
    main = f"int main(void)\n{{\n    int mine_sum = 0;\n{uses}    mine_main();\n    return mine_sum > 99;\n}}\n"
    return f'{before}#line 1 "program.c"\n{INCLUDES}{after}{text}{main}'


def everything() -> str:
    """A function `mine_main` that calls every function of the library that has a model."""
    names = [name for name in calls.known() if clibrary.is_modelled(name) and name not in _NOT_CALLED]
    body = "".join(f"    {made}\n" for name in names if (made := calls.call(name)))
    text = _as_mine(f"{calls.OBJECTS}static void everything(void)\n{{\n{body}}}\n")
    objects: dict[str, str] = {}
    made = [_call(name, objects) for name in _threads() if name not in _NOT_CALLED]
    made += _DESCRIPTORS.splitlines()
    made.append("pthread_cleanup_push(mine_destroy, 0); pthread_cleanup_pop(1);")
    declared = "".join(f"{type_} {name};\n" for type_, name in objects.items())
    threads = "".join(f"    {line}\n" for line in made)
    run = "static void mine_main(void)\n{\n    mine_everything();\n" + threads + "}\n"
    return f"{_BEGINNING}{declared}{text}{run}"


def _as_mine(text: str) -> str:
    """*text* with ``mine_`` before each name that no header declares."""
    known = declared() | _KEYWORDS

    def name(match: re.Match[str]) -> str:
        word = match[0]
        return word if word[0] == '"' or word in known else f"mine_{word}"

    return re.sub(r'"(?:[^"\\]|\\.)*"|\b[A-Za-z_]\w*', name, text)


def _call(function: str, objects: dict[str, str]) -> str:
    given = [_argument(type_.strip(), objects) for type_, _ in misuses.parameters(function)]
    return f"{function}({', '.join(word for word in given if word)});"


def _argument(type_: str, objects: dict[str, str]) -> str:
    if type_ in ("", "void", "..."):
        return ""
    if (function := _FUNCTIONS.get(re.sub(r"\(\*\w+\)", "(*)", type_))) is not None:
        return function
    pointed = type_.removeprefix("const ").removesuffix("*").strip()
    if not type_.endswith("*"):
        return (
            "0" if type_ in ("int", "size_t", "unsigned int") else objects.setdefault(pointed, f"mine_{len(objects)}")
        )
    if pointed in ("char", "void"):
        return '"name"' if pointed == "char" else "0"
    return "&" + objects.setdefault(pointed.replace("*", " *"), f"mine_{len(objects)}")
