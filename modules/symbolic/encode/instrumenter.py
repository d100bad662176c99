"""Write the sequentialized program in the dialect of one backend."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pycparser import c_ast

from cseq.backends.base import Backend, Dialect
from cseq.backends.registry import backend
from cseq.c.scanner import arguments
from cseq.model.errors import ChainError, UsageError
from cseq.model.origin import LineMap
from cseq.modules.core.undefined_behaviour.checks import CHECKS
from cseq.modules.library import lexicon
from cseq.modules.library.alignment import ALIGNABLE, alignment_of, with_alignment, without_alignment
from cseq.modules.symbolic.encode.conversions import RELATIONS, Conversions
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.options.properties import CHECKED, PROPERTY
from cseq.pipeline.facts import Gives, Uses
from cseq.pipeline.stage import Context, Parameter, Unit
from cseq.pipeline.translator import rebuilt
from cseq.pipeline.unparser import Unparser

BACKEND = Parameter(
    "backend",
    str,
    "cbmc",
    "the engine that checks the program: its name, or a .toml file that declares one",
    ("--backend", "-b"),
    "NAME",
    check=backend,
)
"""Shared by the stages that deal with the engine."""

CLAIM = "__CSEQ_claim"
"""The name of the assertion in dialects that write claims out."""

COMMENT_END = "*\\/"
"""The replacement of the comment terminator within a comment."""

_PRIMITIVE = re.compile(r"\b__CSEQ_[a-z]\w*")
_NONDET_BITS = f"{lexicon.NONDET}bits_"
_CALL = re.compile(r"\b(__CSEQ_[a-z]\w*)\(")
_DEFINED = re.compile(r"\b(__CSEQ_[a-z]\w*)\([^(){};]*\)\s*\{")
_PROTOTYPE = re.compile(r"^\w[\w *]*\b__CSEQ_[a-z]\w*\([^(){};]*\);$", re.MULTILINE)
_BITS = re.compile(r"__CSEQ_bits_(\d+)")


class Instrumenter(Unparser):
    """in: the sequentialized program. out: the same as text in the dialect of the chosen backend.

    Primitives get the engine's names. Primitives that it has no name for are defined in lines of our own at the
    beginning. The text is in the engine's own language, and need not be C that we could parse again.

    dialect: a dialect other than that of the chosen backend.
    """

    takes = (BACKEND, PROPERTY, CHECKED)
    checks = Uses(CHECKS, None)
    sequentialized = Gives(SEQUENTIALIZED)
    repeatable = True

    def __init__(self, context: Context, dialect: Dialect | None = None) -> None:
        super().__init__(context)
        self._dialect = dialect or backend(self.parameter(BACKEND)).dialect
        self._used: dict[str, str] = {}  # primitives, and the engine's names for them
        self._widths: set[int] = set()
        self._conversions: Conversions | None = None

    def unparse(self, tree: c_ast.FileAST) -> Unit:
        """Instrument for the engine; leaves the sequentialized unit for the replay."""
        if self.parameter(CHECKED) and self.checks is None:
            raise ChainError(f"no stage of this chain supports the property {self.parameter(PROPERTY)}")
        self.sequentialized = Unit(tree=tree)
        program = self.instrumented(tree)
        _demand(program.text, backend(self.parameter(BACKEND)))
        return program

    def instrumented(self, tree: c_ast.FileAST) -> Instrumented:
        """The program *tree* in the dialect."""
        dialect = self._dialect
        if dialect.made_pointer or dialect.as_unsigned or self.context.model.pointer == 4:
            self._conversions = Conversions(tree, self.context.model)
        text, linemap = self.unit(tree)
        before = [*dialect.prologue, *(f"typedef {_bits(dialect, width)};" for width in sorted(self._widths))]
        before += _definitions(self._used, dialect).values()
        for pattern, replacement in dialect.rewritten:
            text = re.sub(pattern, replacement, text)
        text = "\n".join([*before, text])
        if dialect.claim:
            text = "\n".join(_written_out(line, dialect.claim) for line in text.split("\n"))
        return Instrumented(text, linemap.shifted(len(before)), len(before))

    def visit_ID(self, n: c_ast.ID) -> str:
        """The engine's name for a primitive."""
        name: str = n.name
        if not name.startswith("__CSEQ_"):
            return name
        used = self._used.get(name)
        if used is None:
            used = self._used[name] = _name(name, self._dialect) if _PRIMITIVE.fullmatch(name) else name
        return used

    def visit_FuncDef(self, n: c_ast.FuncDef) -> str:
        """The function; what its names mean is needed for conversions."""
        if self._conversions is not None:
            self._conversions.enter(n)
        return super().visit_FuncDef(n)

    def visit_Cast(self, n: c_ast.Cast) -> str:
        """A cast between numbers and pointers such that the engine does what gcc does."""
        conversions = self._conversions
        if conversions is None:
            return super().visit_Cast(n)
        to = f"({self._generate_type(n.to_type, emit_declname=False)})"
        if self._dialect.made_pointer and conversions.loses(n.to_type, n.expr):
            return f"{to} {self._made_pointer(n.expr)}"
        if conversions.widened(n.to_type, n.expr):
            return f"{to} (long) ({self._visit_expr(n.expr)})"
        return super().visit_Cast(n)

    def visit_Assignment(self, n: c_ast.Assignment) -> str:
        """The same for an assignment that converts without a cast."""
        conversions = self._conversions
        if conversions is not None and self._dialect.made_pointer and conversions.stored(n):
            return f"{self._visit_expr(n.lvalue)} = {self._made_pointer(n.rvalue)}"
        if conversions is not None and conversions.stored_wider(n):
            return f"{self._visit_expr(n.lvalue)} = (long) ({self._visit_expr(n.rvalue)})"
        return super().visit_Assignment(n)

    def visit_BinaryOp(self, n: c_ast.BinaryOp) -> str:
        """A comparison of signed numbers that may have been addresses: of unsigned numbers in the same order.

        And an operator that the engine only computes for unsigned numbers.
        """
        conversions = self._conversions
        if conversions is None:
            return super().visit_BinaryOp(n)
        if n.op in RELATIONS and self._dialect.made_pointer and (size := conversions.width(n)):
            return f"{self._ordered(n.left, size)} {n.op} {self._ordered(n.right, size)}"
        if n.op in self._dialect.as_unsigned and (kind := conversions.repeated(n)):
            left, right = (f"(unsigned {kind}) ({self._visit_expr(side)})" for side in (n.left, n.right))
            return f"({kind}) ({left} {n.op} {right})"
        return super().visit_BinaryOp(n)

    def _made_pointer(self, number: c_ast.Node) -> str:
        assert self._conversions is not None
        value = self._conversions.constant(number)
        if value is not None:
            return self._conversions.literal(value)
        name = self._dialect.made_pointer
        self._used[name] = name
        return f"{name}({self._visit_expr(number)})"

    def _ordered(self, number: c_ast.Node, size: int) -> str:
        assert self._conversions is not None
        kind, suffix, least = ("long long", "ull", 1 << 63) if size == 8 else ("int", "u", 1 << 31)
        value = self._conversions.constant(number)
        if value is not None:
            return f"{hex(value + least)}{suffix}"
        return f"((unsigned {kind}) ({kind}) ({self._visit_expr(number)}) ^ {hex(least)}{suffix})"

    def visit_FuncCall(self, n: c_ast.FuncCall) -> str:
        """A call; one that allocates passes on the alignment of the block."""
        if not self._dialect.alignment or not isinstance(n.name, c_ast.ID) or n.name.name not in ALIGNABLE:
            return super().visit_FuncCall(n)
        size = n.args.exprs[0]
        if (alignment := alignment_of(size)) is None:
            return super().visit_FuncCall(n)
        stored = c_ast.Assignment("=", c_ast.ID(self._dialect.alignment), alignment)
        aligned = with_alignment(stored, without_alignment(size))
        return super().visit_FuncCall(rebuilt(n, args=c_ast.ExprList([aligned])))

    def visit_Typedef(self, n: c_ast.Typedef) -> str:
        """Nothing for the type of numbers of a given width: the engine has its own."""
        width = _BITS.fullmatch(n.name)
        if width is None:
            return super().visit_Typedef(n)
        self._widths.add(int(width[1]))
        return ""


class Instrumented(Unit):
    """A program in an engine's dialect. before: how many lines of the dialect come before it."""

    def __init__(self, text: str, linemap: LineMap, before: int) -> None:
        super().__init__(text=text, linemap=linemap)
        self.before = before

    def place(self, line: int) -> int | str:
        """The origin of *line* of the text: a line of the program, or the name of the primitive defined there."""
        defined = _DEFINED.search(self.text.splitlines()[line - 1]) if 0 < line <= self.before else None
        return defined.group(1) if defined else line - self.before


def instrumented(unit: Unit, dialect: Dialect) -> Instrumented:
    """*unit* in *dialect*: text with a line map."""
    return Instrumenter(Context({}, Path()), dialect).instrumented(unit.tree)


def _name(primitive: str, dialect: Dialect) -> str:
    """The engine's name for the *primitive*, or its own."""
    general = _NONDET_BITS if primitive.startswith(_NONDET_BITS) else primitive
    return dialect.names.get(primitive) or dialect.names.get(general, primitive)


def _written_out(line: str, claim: str) -> str:
    """*line* with its claims as the statement *claim*, and with their texts in comments at the end."""
    comments = []
    while (start := line.find(f"{CLAIM}(")) >= 0:
        first = start + len(CLAIM) + 1
        last, end = arguments(line, first)[-1]
        condition, text = line[first : last - 1], line[last:end].strip()
        if text.startswith('"'):
            comments.append(f"/* {text[1:-1].replace('*/', COMMENT_END)} */")
        statement = claim.replace("{text}", text).replace("{condition}", condition)
        line = line[:start] + statement + line[end + 1 :].removeprefix(";")
    return " ".join([line, *comments])


def _bits(dialect: Dialect, width: int) -> str:
    base, bracket, size = dialect.bits.format(width=width).partition("[")
    return f"{base}{bracket}{size} __CSEQ_bits_{width}"


def _definitions(used: Iterable[str], dialect: Dialect, known: dict[str, str] | None = None) -> dict[str, str]:
    """The definitions of primitives, by name: each after those that it uses."""
    known = {} if known is None else known
    for name in sorted(set(used)):
        text = _definition(name, dialect)
        if text is not None and name not in known:
            _definitions([other for other in _PRIMITIVE.findall(text) if other != name], dialect, known)
            known[name] = text
    return known


def _definition(name: str, dialect: Dialect) -> str | None:
    """The definition of the primitive *name*; None if the engine has it, or if it is not a function."""
    kind = name.removeprefix(lexicon.NONDET)
    text: str | None
    if name in dialect.definitions:
        text = dialect.definitions[name]
    elif not name.startswith(lexicon.NONDET):
        return None
    elif kind.startswith("bits_"):
        text = dialect.definitions.get(_NONDET_BITS) or dialect.definitions.get(lexicon.NONDET, "")
        text = text.replace("{mask}", str(2 ** int(kind.removeprefix("bits_")) - 1))
    else:
        text = dialect.definitions.get(lexicon.NONDET)
    if not text:
        return None
    type_ = f"__CSEQ_{kind}" if kind.startswith("bits_") else lexicon.NONDET_TYPES.get(kind, "")
    return text.replace("{type}", type_).replace("{name}", name).replace("{kind}", kind)


def _demand(program: str, engine: Backend) -> None:
    """UsageError if the instrumented *program* calls a function of ours that is not defined in it.

    Most engines take such a function to return any value, and would answer about a different program.
    """
    known = {*_DEFINED.findall(program), *engine.dialect.names.values()}
    for name in dict.fromkeys(_CALL.findall(_PROTOTYPE.sub("", program))):
        if name not in known:
            raise UsageError(f"the backend `{engine.name}` cannot check this program: it has no `{name}`")
