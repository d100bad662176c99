"""Merge the user's files, and the part of the thread library that they use, into one translation unit."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import Printer
from cseq.c.preprocess import check_readable, is_preprocessed
from cseq.c.reading import File
from cseq.c.sources import note_sources, refuse_reserved, without_predefined
from cseq.c.unused import Declarations, names_of, undeclared_calls
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.modules.frontend.merger.expansions import with_macros_found
from cseq.modules.frontend.merger.linkage import linked, starting, with_start_and_end
from cseq.modules.frontend.merger.packing import with_packing
from cseq.modules.frontend.merger.units import check_defined_once, is_inline, merged
from cseq.modules.frontend.system_types import with_own_threads
from cseq.modules.library.headers import INITIAL, is_own, own_declarations
from cseq.modules.library.linking import with_library
from cseq.options.environment import INPUT, VARIABLES, contents
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import BITS, Parameter, Stage, Unit

_MARKER = re.compile(r"^# \d.*$", re.MULTILINE)

_NOBODY_DECLARES = ("__", "reach_error")
"""The prefixes of the names of functions that programs call without including a header for them."""

HEADERS: Parameter[Sequence[str]] = Parameter(
    "include", str, (), "search DIR for headers", ("-I",), "DIR", multiple=True
)
MACROS: Parameter[Sequence[str]] = Parameter(
    "define", str, (), "define a macro, as for the compiler", ("-D",), "NAME[=VALUE]", multiple=True
)


class UnitFlags(NamedTuple):
    """The flags of the preprocessor for one file of the program. path: of the file, as the chain is given it."""

    path: str
    flags: tuple[str, ...]


UNIT_FLAGS: Parameter[Sequence[UnitFlags]] = Parameter(
    "unit_flags", UnitFlags, (), "flags of the preprocessor, for some files each its own", multiple=True
)
"""Set for programs whose files are compiled with different flags. They come after those of `HEADERS` and `MACROS`."""

MOVES = Parameter("moves", bool, False, "include in a counterexample all that a reproducer needs")
"""Set for reproducers: statements have numbers, and counterexamples have `cseq.model.trace.Move`."""

ROOTS: Parameter[Sequence[str]] = Parameter(
    "roots", str, (), "names at file level that are kept, whether or not they are used", multiple=True
)
"""Set by the stages that later remove what these names declare."""

MENTIONED: Parameter[Sequence[str]] = Parameter(
    "mentioned", str, (), "names at file level whose objects are kept as they are, whether or not they are used",
    multiple=True,
)  # fmt: skip
"""Set by the stages that know of formulas outside of the program."""

KEEP_UNUSED = Parameter(
    "keep_unused", bool, False, "keep functions that are not called, and all other unused declarations"
)

SOURCES = Fact[dict[str, list[str]]]("sources")
"""The lines of the user's files, by file name."""


def objects_of(tree: c_ast.FileAST) -> list[str]:
    """The names of the objects that are defined at file level."""
    found = [node for node in tree.ext if isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl)]
    return [node.name for node in found if node.name and "extern" not in node.storage]


UNCALLED = Fact[list[c_ast.FuncDef]]("uncalled")
"""The functions that were left out, since nothing calls them."""


class Merger(Stage):
    """in: a list of paths of C files. out: one unit, preprocessed, where every statement knows its file and line.

    Unused declarations are left out. Declarations that two files share are kept once; static names that two files use
    are renamed in the later one. The functions of the thread library that are called are appended.
    """

    takes = (HEADERS, MACROS, UNIT_FLAGS, BITS, KEEP_UNUSED, ROOTS, MENTIONED, MOVES, VARIABLES, INPUT)
    initial = Gives(INITIAL)
    sources = Gives(SOURCES)
    uncalled = Gives(UNCALLED)

    def run(self, value: Any) -> Unit:
        """Preprocess, parse and merge; raise InputError, with its place, for whatever is not C."""
        paths = [Path(path) for path in value]
        if not paths:
            raise InputError("no input file")
        sources: dict[str, list[str]] = {}
        trees = []
        self._digests: dict[Path, str] = {}
        self._begin = 1
        for path in paths:
            sources[str(path)] = check_readable(path).splitlines()
            trees.append(self._parsed(path, sources))
        self.context.program = self._identity(paths)
        defined = {node.decl.name for tree in trees for node in tree.ext if isinstance(node, c_ast.FuncDef)}
        self.initial = {}
        trees = [self._as_ours(tree, defined) for tree in trees]
        self.sources = sources
        trees = linked(trees)
        if len(trees) > 1:
            check_defined_once(trees)
        used = self._used(trees)
        nodes = used[0].ext if len(used) == 1 else merged(used)
        if not any(isinstance(node, c_ast.FuncDef) and node.decl.name == "main" for node in nodes):
            raise InputError("there is no function `main`", Origin(str(paths[0]), 1))
        nodes = with_start_and_end(_deduplicated(nodes))
        return Unit(tree=c_ast.FileAST(self._with_library(nodes, trees)))

    def _identity(self, paths: Sequence[Path]) -> str:
        """The hash of the program in the files *paths*, with what it reads from its standard input."""
        file = self.parameter(INPUT)
        read = "" if file is None else _digest(repr(contents(file)))
        return _digest("\n".join([str(self.parameter(BITS)), read, *(self._digests[path] for path in paths)]))

    def _with_library(self, nodes: list[c_ast.Node], trees: list[c_ast.FileAST]) -> list[c_ast.Node]:
        variables, file = self.parameter(VARIABLES), self.parameter(INPUT)
        if not variables and file is None:
            return with_library(nodes, trees, self.parameter(BITS))
        from cseq.modules.frontend.merger.given import filled, with_calls

        nodes = with_calls(nodes, bool(variables), file is not None)
        text = None if file is None else contents(file)
        return filled(with_library(nodes, trees, self.parameter(BITS)), variables, text)

    def _as_ours(self, tree: c_ast.FileAST, defined: set[str]) -> c_ast.FileAST:
        """The unit with our types of threads; *defined* are the functions of the program.

        Our static initialisers are left for the normalisation as the fact `initial`.
        """
        bits = self.parameter(BITS)
        new, foreign = with_own_threads(tree, bits, defined)
        if foreign:
            self.initial = own_declarations(bits).initial
        return c_ast.FileAST(with_macros_found(with_packing(new.ext)))

    def _used(self, trees: list[c_ast.FileAST]) -> list[c_ast.FileAST]:
        """The units without unused declarations."""
        declarations = Declarations()
        for tree in trees:
            declarations.add(tree.ext)
            declarations.use(["main", *starting(tree.ext), *self.parameter(ROOTS)])
            declarations.use(set(objects_of(tree)) & set(self.parameter(MENTIONED)))
            if self.parameter(KEEP_UNUSED):
                declarations.use(name for node in tree.ext if not is_own(node) for name in names_of(node).declared)
        used = [c_ast.FileAST(declarations.used(tree.ext)) for tree in trees]
        kept = {id(node) for tree in used for node in tree.ext}
        functions = [node for tree in trees for node in tree.ext if isinstance(node, c_ast.FuncDef)]
        self.uncalled = [node for node in functions if id(node) not in kept]
        return used

    def _numbered(self, path: Path) -> Path | None:
        """The file with the text of *path* and the numbers of its statements; None unless these are wanted."""
        if not self.parameter(MOVES):
            return None
        from cseq.c.numbering import Text, flat

        text = Text(str(path), flat(path, self.parameter(HEADERS), is_preprocessed(path)), self._begin)
        self._begin = text.end
        numbered = self.context.workdir / f"numbered-{text.end}{path.suffix}"
        numbered.write_text(text.numbered(), encoding="utf-8", errors="surrogateescape")
        return numbered

    def _parsed(self, path: Path, sources: dict[str, list[str]]) -> c_ast.FileAST:
        """The tree of one file; its lines are added to *sources*."""
        numbered = self._numbered(path)
        flags = dict(self.parameter(UNIT_FLAGS)).get(str(path), ())

        def prepared(text: str) -> str:
            self._digests[path] = _digest(text)
            if numbered is not None:
                from cseq.c.numbering import marked

                text = marked(text)
            refuse_reserved(path, text)
            note_sources(path, text, sources)
            return without_predefined(text)

        headers, macros = self.parameter(HEADERS), self.parameter(MACROS)
        return File(path, headers, macros, self.parameter(BITS), numbered, flags).parsed(prepared, _wants_more)


def _digest(text: str) -> str:
    """The hash of a *text*, however its lines are broken.

    Line markers of the preprocessor do not count: they name folders of the machine, and numbers of statements.
    """
    words = " ".join(_MARKER.sub("", text).split())
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()


def _wants_more(tree: c_ast.FileAST) -> bool:
    """Whether the unit calls a function that a header may declare, but ours do not."""
    if not any(is_own(node) for node in tree.ext):
        return False
    return any(not name.startswith(_NOBODY_DECLARES) for name in undeclared_calls(tree.ext))


def _deduplicated(nodes: Iterable[c_ast.Node]) -> list[c_ast.Node]:
    """Drop declarations that repeat an earlier one, such as those of a header that is read twice.

    If a function is inline in several units, one definition is kept; any of them will do.
    """
    seen: set[str] = set()
    defined: dict[str, c_ast.FuncDef] = {}
    kept: list[c_ast.Node] = []
    for node in nodes:
        if isinstance(node, c_ast.FuncDef):
            before = defined.setdefault(node.decl.name, node)
            if before is not node:
                if not is_inline(node):
                    kept[kept.index(before)] = node
                continue
        elif not isinstance(node, c_ast.Pragma):
            text = Printer().visit(node)
            if text in seen:
                continue
            seen.add(text)
        kept.append(node)
    return kept
