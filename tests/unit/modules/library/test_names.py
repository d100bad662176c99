"""No name in a text of the library, or of an engine, is one that a program may have."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c.scanner import is_name, lexemes, without_comments
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.modules.library.linking import behind_scoper, parsed
from cseq.pthread_stubs import INCLUDE
from tests.support.checkout import ROOT

STANDARD_MEMBERS = {"tv_sec", "tv_nsec", "sched_priority", "quot", "rem", "fd", "events", "revents"}
STANDARD_TAGS = {"tm", "timespec", "sched_param", "pollfd", "timeval"}
EXPLORER = ROOT / "backends" / "explorer"
BEFORE_PROGRAMS = (
    EXPLORER / "interface.h",
    *sorted((EXPLORER / "program").glob("*.h")),
    ROOT / "backends" / "native_runtime.h",
)
RESERVED = re.compile(r"__|_[A-Z]|\w*__cs\d")


def nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in tree:
        yield from nodes(child)


@pytest.fixture(scope="module")
def functions() -> list[Any]:
    items = list(dict.fromkeys(stubs.items().values()))
    return [node for made in (parsed, behind_scoper) for node in made(items) if isinstance(node, c_ast.FuncDef)]


def test_parameters_and_locals_of_library_functions_are_reserved(functions) -> None:
    declared = [
        node.name
        for function in functions
        for part in (function.decl.type, function.body)
        for node in nodes(part)
        if isinstance(node, c_ast.Decl) and node.name
    ]
    assert len(declared) > 1000
    assert [name for name in declared if not re.fullmatch(r"__cs_\w+|\w+__cs0(_\d+)?", name)] == []


def test_what_library_functions_mention_is_reserved_or_of_the_library(functions) -> None:
    known = stubs.items().keys() | lexicon.MODELLED | {"pthread_exit"}
    used: set[str] = set()
    members: set[str] = set()
    for function in functions:
        for node in nodes(function):
            if isinstance(node, c_ast.StructRef):
                members.add(node.field.name)
            elif isinstance(node, (c_ast.ID, c_ast.Label, c_ast.Goto, c_ast.Struct, c_ast.Union, c_ast.Enum)):
                used.add(node.name)
    assert members - STANDARD_MEMBERS == {name for name in members if name.startswith("__cs_")}
    assert {name for name in used - known - members if not RESERVED.match(name)} == STANDARD_TAGS


def test_types_in_library_functions_are_standard(functions) -> None:
    words = {word for node in functions for part in nodes(node) if isinstance(part, c_ast.IdentifierType)
             for word in part.names}  # fmt: skip
    kept = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"}
    assert all(stubs.is_type(word) for word in words - kept)
    assert not [word for item in stubs.items().values() for word in item.names if stubs.is_type(word)]


@pytest.mark.parametrize("path", sorted(INCLUDE.rglob("*.h")), ids=lambda path: path.name)
def test_parameters_in_our_headers_are_reserved(path) -> None:
    text = without_comments(path.read_text(encoding="utf-8"))
    for line in text.splitlines():
        match = re.match(r"(?!typedef)[A-Za-z_][\w *]*?\b\w+(\(.*\));$", line)
        for name in re.findall(r"\b([A-Za-z_]\w*)\s*(?=[,)\[])", match[1]) if match else ():
            assert RESERVED.match(name) or name in _TYPES, line


_TYPES = {"void", "int", "long", "char", "double", "unsigned", "const", "size_t", "__attribute__"}


@pytest.mark.parametrize("path", BEFORE_PROGRAMS, ids=lambda path: path.name)
def test_what_comes_before_programs_leaves_their_names_to_them(path) -> None:
    """Macros, and what is declared at file level, enumerators and tags included."""
    text = path.read_text(encoding="utf-8")
    assert [name for name in re.findall(r"#\s*define\s+(\w+)", text) if not RESERVED.match(name)] == []
    assert [name for name in _at_file_level(text) if not RESERVED.match(name) and name not in _LINKED] == []


_LINKED = {"main", "_start", "read", "write", "_exit", "malloc_usable_size"}
"""Functions that a replay on other systems than Linux declares, as the C library does; and what a linker knows."""


def _at_file_level(text: str) -> list[str]:
    """The names of *text* that are declared outside of braces and parentheses, tags, and enumerators."""
    words = ["", "", *(lexeme.text for lexeme in lexemes(text) if lexeme.kind not in ("comment", "directive"))]
    found = []
    depth = 0
    in_enumeration = False
    for earlier, before, word, after in zip(words, words[1:], words[2:], [*words[3:], ""], strict=False):
        is_declared = (depth == 0 or in_enumeration) and after in ("(", "[", "=", ";", ",", "}")
        if is_name(word) and (before in ("struct", "union", "enum") or is_declared):
            found.append(word)
        if word == "{":
            in_enumeration = depth == 0 and "enum" in (earlier, before)
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(word, 0)
        in_enumeration = in_enumeration and depth > 0
    return [name for name in found if name not in _TYPES]


def test_what_a_text_has_at_file_level() -> None:
    text = (
        "enum { a, b = 2 }; enum e { c }; struct s { int m; } o; int f(int p) { int l; return l; } static int g[2], h;"
    )
    assert _at_file_level(text) == ["a", "b", "e", "c", "s", "o", "f", "g", "h"]


def test_later_stages_know_no_name_that_a_local_keeps(translated) -> None:
    text = translated(
        "normalise", "int main(void) { int read = 1, strlen = 2, pthread_join = read; return pthread_join; }"
    )
    assert "read__cs2" in text and "strlen__cs2" in text and "pthread_join__cs2" in text
    assert clibrary.ANY_VALUE | lexicon.MODELLED | lexicon.REFUSED.keys() < lexicon.known_names()
