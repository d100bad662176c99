"""The short names of functions that reports use, made from demangled ones."""

import re

_CLONES = re.compile(r"\s*\[clone [^]]*\]|\s*\(\.[\w.]+\)|\[abi:\w+\]")
_ANONYMOUS = re.compile(r"\(anonymous namespace\)::|\{anonymous\}::|<unnamed>::")
_LAMBDA = re.compile(
    r"(\{lambda\([^{}]*\)#\d+\}|'lambda\d*'\([^']*\)|<lambda\([^<>]*\)>|\$_\d+(\{[^}]*\})?)"
    r"(::operator\(\)|::_FUN|::__invoke)|^operator\(\)$"
)
_OPERATOR = re.compile(r"\boperator\s*(\(\)|\[\]|new\[\]|delete\[\]|new|delete|[-+*/%^&|~!=<>,]+|\"\"\s*\w+)")
_LONG = 60
_OPENING, _CLOSING = "(<[{", ")>]}"

LAMBDA = "lambda"
"""The name of each function without a name."""


def short(name: str) -> str:
    """``Queue<int>::push`` for ``void Queue<int>::push(int) const [clone .isra.0]``; "" for an unknown function."""
    name = _ANONYMOUS.sub("", _CLONES.sub("", name)).strip()
    if name in ("", "??"):
        return ""
    if _LAMBDA.search(name):
        return LAMBDA
    kept: dict[str, str] = {}
    for number, found in enumerate(list(_OPERATOR.finditer(name))):
        kept[chr(0xE000 + number)] = found[0]
        name = name.replace(found[0], chr(0xE000 + number), 1)
    name = _without_type(_without_parameters(name))
    for mark, operator in kept.items():
        name = name.replace(mark, operator)
    return re.sub(r"<.*>", "", name) if len(name) > _LONG else name


def without_arguments(name: str) -> str:
    """*name* without the arguments of templates: ``std::vector::begin``."""
    kept, depth = "", 0
    for letter in name:
        depth -= letter == ">"
        kept += letter if depth == 0 and letter not in "<>" else ""
        depth += letter == "<"
    return kept


def _without_parameters(name: str) -> str:
    """*name* up to its parameters, the last parentheses that are not inside of other brackets."""
    depth, start = 0, -1
    for at, letter in enumerate(name):
        if letter in _OPENING:
            if letter == "(" and depth == 0:
                start = at
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
    return name[:start] if start > 0 else name


def _without_type(name: str) -> str:
    """*name* without the type of its result, which the names of instances of templates begin with."""
    depth, start = 0, 0
    for at, letter in enumerate(name):
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == " " and depth == 0:
            start = at + 1
    return name[start:]


def is_of_library(name: str) -> bool:
    """Whether a demangled name is that of a function of the C++ library, or of a part of it that a compiler makes."""
    bare = _without_type(_without_parameters(_ANONYMOUS.sub("", _CLONES.sub("", name))))
    return bare.startswith(("std::", "__gnu_cxx::", "__gthread_", "__gthrw_", "__cxx", "_Unwind_"))
