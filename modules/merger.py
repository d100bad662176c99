"""Merge the user's files, and the part of the thread library that they use, into one translation unit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cseq.cparser import Printer, parse
from cseq.cparser.preprocess import Source, check_readable
from cseq.errors import InputError, UnsupportedError
from cseq.linemap import LineMap, Origin
from cseq.modules import library, stubs
from cseq.modules.units import merged
from cseq.pthread_stubs import INCLUDE
from cseq.stage import Parameter, Stage, Unit

_RESERVED = re.compile(r"\b\w*__cs\w*|\b__CSEQ_\w+")
_EXTENSION = re.compile(
    r"\b(?:__attribute__|__extension__|__asm__|__asm|asm|__typeof__|typeof|__auto_type|__builtin_\w+|__label__|_Float\w+)\b"
    r"|&&\s*[A-Za-z_]\w*\s*[;,}]|\(\s*\{"
)
_STATEMENT_EXPRESSION = re.compile(r"\(\s*\{")
_MARKER = re.compile(r'# (\d+) "(.*)"')
_SYSTEM_MARKER = re.compile(r'^# \d+ "([^"]*)"', re.MULTILINE)


_STATEMENTS = (
    c_ast.Case,
    c_ast.Compound,
    c_ast.Default,
    c_ast.DoWhile,
    c_ast.For,
    c_ast.FuncDef,
    c_ast.If,
    c_ast.Label,
    c_ast.Switch,
    c_ast.While,
)


class Merger(Stage):
    """in: a list of paths of C files. out: one unit, preprocessed, where every statement knows its file and line.

    Declarations that two files share are kept once; static names that two files use are renamed in the
    later one. Of the thread library, what the program uses is appended.
    """

    takes = (
        Parameter("include", str, (), "search DIR for headers", ("-I",), "DIR", multiple=True),
        Parameter("define", str, (), "define a macro, as for the compiler", ("-D",), "NAME[=VALUE]", multiple=True),
        Parameter("bits", int, 64, "the data model: 32 (ILP32) or 64 (LP64)"),
    )
    gives = ("sources",)

    def run(self, value: Any) -> Unit:
        """Preprocess, parse and merge; InputError with its place for whatever is not C."""
        paths = [Path(path) for path in value]
        if not paths:
            raise InputError("no input file")
        sources: dict[str, list[str]] = {}
        trees = []
        for path in paths:
            sources[str(path)] = check_readable(path).splitlines()
            trees.append(self._parsed(path, sources))
        self.context.facts["sources"] = sources
        nodes = trees[0].ext if len(trees) == 1 else merged(trees)
        if not any(isinstance(node, c_ast.FuncDef) and node.decl.name == "main" for node in nodes):
            raise InputError("there is no function `main`", Origin(str(paths[0]), 1))
        return Unit(tree=c_ast.FileAST(_with_library(_deduplicated(nodes))))

    def _parsed(self, path: Path, sources: dict[str, list[str]]) -> c_ast.FileAST:
        """Preprocess and parse one file. What the compiler has to say about it comes before what we have."""
        source = Source(path, INCLUDE, self.parameter("include"), self.parameter("define"), self.parameter("bits"))
        try:
            text = source.text()
            self._refuse_reserved(text, path)
            for header in set(_SYSTEM_MARKER.findall(text)):
                self._note_source(header, sources)
            try:
                tree = parse(text, str(path))
            except InputError as error:
                source.check()
                raise self._not_supported(error, sources) from None
            source.check()
            if _STATEMENT_EXPRESSION.search(text):
                _StatementExpressions().visit(tree)
            return tree
        finally:
            source.close()

    def _not_supported(self, error: InputError, sources: dict[str, list[str]]) -> UnsupportedError:
        """For what the compiler takes and our parser does not: name the extension, if it is one that we know."""
        lines = sources.get(error.origin.file, []) if error.origin else []
        line = lines[error.origin.line - 1] if error.origin and error.origin.line <= len(lines) else ""
        extension = _EXTENSION.search(line)
        what = f"`{extension.group()}`" if extension else f"something here ({error.message})"
        return UnsupportedError(f"{what} is not supported", error.origin)

    def _note_source(self, header: str, sources: dict[str, list[str]]) -> None:
        """Keep the text of the user's own headers: a counterexample may lead through them."""
        path = Path(header)
        if header.startswith("<") or header in sources or INCLUDE in path.resolve().parents or not path.is_file():
            return
        sources[header] = path.read_text(encoding="utf-8", errors="replace").splitlines()

    def _refuse_reserved(self, text: str, path: Path) -> None:
        """Names like our own would be taken for ours."""
        file, number = str(path), 0
        for line in text.splitlines():
            number += 1
            if line.startswith("# "):
                marker = _MARKER.match(line)
                if marker:
                    number, file = int(marker.group(1)) - 1, marker.group(2)
                continue
            if "__cs" not in line and "__CSEQ_" not in line:
                continue
            match = _RESERVED.search(line)
            if match and INCLUDE not in Path(file).resolve().parents and match.group() != "__CSEQ_check":
                raise InputError(f"the name `{match.group()}` is reserved for CSeq's own use", Origin(file, number))


class _StatementExpressions(c_ast.NodeVisitor):
    """Refuse blocks inside of expressions, which the parser takes."""

    def generic_visit(self, node: c_ast.Node) -> None:
        for slot, child in node.children():
            statement = isinstance(node, _STATEMENTS) and slot not in ("cond", "init", "next", "expr")
            if isinstance(child, c_ast.Compound) and not statement:
                raise UnsupportedError("a statement expression `({ … })` is not supported", child.coord)
            self.visit(child)


def _deduplicated(nodes: Iterable[c_ast.Node]) -> list[c_ast.Node]:
    """Drop declarations that say the same as an earlier one, such as those of a header read twice."""
    seen: set[str] = set()
    kept = []
    for node in nodes:
        if not isinstance(node, c_ast.FuncDef):
            text = Printer().visit(node)
            if text in seen:
                continue
            seen.add(text)
        kept.append(node)
    return kept


class _Calls(c_ast.NodeVisitor):
    """Collect the identifiers of a tree."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_ID(self, node: c_ast.ID) -> None:
        self.names.add(node.name)


def _check_types(typedefs: dict[str, c_ast.Node], types: set[str], called: set[str]) -> None:
    """The library only works on the types of our own headers."""
    for name in sorted(types):
        own = typedefs.get(name)
        if own is None:
            raise InputError(f"`{min(called)}` is called, but <{_header(name)}> is not included")
        if own.coord is None or INCLUDE not in Path(own.coord.file).resolve().parents:
            header = f"the system's <{_header(name)}>"
            message = f"a file that is already preprocessed with {header} is not supported: give the source"
            raise UnsupportedError(message, own.coord)


def _header(type_: str) -> str:
    """The header that declares a type of the library."""
    prefix = type_.split("_", maxsplit=1)[0]
    return {"pthread": "pthread.h", "sem": "semaphore.h"}.get(prefix, "threads.h")


def _with_library(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """Append what the program uses of the library, and what that uses."""
    used = _Calls()
    defined = set()
    typedefs: dict[str, c_ast.Node] = {}
    for node in nodes:
        if isinstance(node, c_ast.FuncDef):
            used.visit(node.body)
            defined.add(node.decl.name)
        elif isinstance(node, c_ast.Typedef):
            typedefs[node.name] = node
        elif isinstance(node, c_ast.Decl):
            if not isinstance(node.type, c_ast.FuncDecl):
                defined.add(node.name)  # the user's own, whatever the library would mean by that
            if node.init is not None:
                used.visit(node.init)
    called = {name for name in used.names - defined if stubs.is_library(name)}
    items = stubs.needed(called, without=defined)
    types = {word for item in items for word in item.words if word.endswith("_t")}
    _check_types(typedefs, types, called)
    origins: list[Origin | None] = []
    for item in items:
        lines = range(item.line, item.line + item.text.count("\n") + 1)
        origins.extend(Origin(library.FILE_PREFIX + item.file, number) for number in lines)
    library_nodes: list[c_ast.Node] = parse(
        "\n".join(item.text for item in items), "", LineMap(origins), sorted(types)
    ).ext
    return nodes + library_nodes
