"""Write the functions of the C library for strings and bytes as loops whose accesses other threads can notice."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import has_call
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import without_variant
from cseq.options.properties import MEMSAFETY, PROPERTY, RACE
from cseq.pipeline.translator import Rewriter, Translator, beginning_with, rebuilt

_LONGEST = 63
"""The length up to which strings are followed, as in the models of `pthread_stubs/string.c`."""

_END = "end = 0; c = a[0]; while (c) { end = end + 1; short_enough(end < 64); c = a[end]; }"
_TEXTS = {
    "strlen(a)": "at = 0; c = a[0]; while (c) { at = at + 1; short_enough(at < 64); c = a[at]; } return at;",
    "strnlen(a, n)": """
        at = 0; c = 1;
        while (c && at < n) { c = a[at]; if (c) { at = at + 1; short_enough(at < 64); } }
        return at;""",
    "strcpy(a, b)": """
        at = 0; c = b[0]; a[0] = c;
        while (c) { at = at + 1; short_enough(at < 64); c = b[at]; a[at] = c; }
        return a;""",
    "stpcpy(a, b)": """
        at = 0; c = b[0]; a[0] = c;
        while (c) { at = at + 1; short_enough(at < 64); c = b[at]; a[at] = c; }
        return a + at;""",
    "strncpy(a, b, n)": """
        at = 0; c = 1;
        while (at < n) { if (c) { c = b[at]; } a[at] = c; at = at + 1; }
        return a;""",
    "strcat(a, b)": f"""{_END}
        at = 0; c = b[0]; a[end] = c;
        while (c) {{ at = at + 1; short_enough(at < 64); c = b[at]; a[end + at] = c; }}
        return a;""",
    "strncat(a, b, n)": f"""{_END}
        at = 0; c = 1;
        while (c && at < n) {{
            c = b[at];
            if (c) {{ a[end + at] = c; at = at + 1; short_enough(at < 64); }}
        }}
        a[end + at] = 0;
        return a;""",
    "strcmp(a, b)": """
        at = 0; c = a[0]; d = b[0];
        while (c && c == d) { at = at + 1; short_enough(at < 64); c = a[at]; d = b[at]; }
        return c - d;""",
    "strncmp(a, b, n)": """
        at = 0; c = 1; d = 1;
        while (c && c == d && at < n) { short_enough(at < 64); c = a[at]; d = b[at]; at = at + 1; }
        return c - d;""",
    "strchr(a, v)": """
        d = v; at = 0; c = a[0];
        while (c && c != d) { at = at + 1; short_enough(at < 64); c = a[at]; }
        return c == d ? a + at : (char *) 0;""",
    "strrchr(a, v)": """
        d = v; at = 0; c = a[0]; end = c == d;
        while (c) { at = at + 1; short_enough(at < 64); c = a[at]; if (c == d) { end = at + 1; } }
        return end ? a + (end - 1) : (char *) 0;""",
    "memcpy(a, b, n)": "at = 0; while (at < n) { k = b[at]; a[at] = k; at = at + 1; } return a;",
    "memset(a, v, n)": "c = v; at = 0; while (at < n) { a[at] = c; at = at + 1; } return a;",
    "memcmp(a, b, n)": """
        at = 0; c = 0; d = 0;
        while (c == d && at < n) { c = a[at]; d = b[at]; at = at + 1; }
        return c - d;""",
}
"""Calls → what they do, in the core language. Numbers of bytes are `n`, a byte is `v`, and pointers are `a` and `b`."""

_LIMITS = {"strcmp": Limit.STRINGS, "strncmp": Limit.STRINGS, "strcat": Limit.A_STRING, "strncat": Limit.A_STRING}
"""What is cut off where a string is longer; for the others `Limit.STRING`."""

_TYPES = {
    **dict.fromkeys("ab", pointer_to(basic("char"))),
    **dict.fromkeys(("n", "at", "end"), basic("unsigned long")),
    **dict.fromkeys("cdv", basic("unsigned char")),
    "k": basic("char"),
}


class Bytewise(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with marked calls of the C library's
    functions for strings as loops, which access one byte at a time.

    Only calls that are marked as coarser than an access are written so; the mark goes. Memory is copied, compared and
    set byte by byte where it is known to consist of characters. For the other properties it matters which function
    makes an access, or what it demands of its arguments: there the calls remain.
    """

    takes = (PROPERTY,)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the functions of threads."""
        threads = threads_of(tree)
        if self.parameter(PROPERTY) in (MEMSAFETY, RACE) or not any(has_call(node, lexicon.COARSE) for node in threads):
            return tree
        self._symbols = Symbols(tree, self.context.model)
        return c_ast.FileAST([self._function(n) if n in threads else n for n in tree.ext])

    def _function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self._name = node.decl.name
        self._locals: dict[str, c_ast.Decl] = {}
        function = rebuilt(node, body=self.visit(node.body))
        return beginning_with(self._locals.values(), function)

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        """A block with loops in place of the calls that are marked."""
        out: list[c_ast.Node] = []
        marked = False
        for item in node.block_items or []:
            written = self._written(item) if marked else None
            if written is not None:
                out[-1:] = written
            else:
                out.append(self.visit(item))
            marked = build.is_call(item, lexicon.COARSE)
        return rebuilt(node, block_items=out)

    def _written(self, node: Any) -> list[c_ast.Node] | None:
        """The statement *node* at the grain of bytes; None if that is not known."""
        call = node.rvalue if isinstance(node, c_ast.Assignment) else node
        if not isinstance(call, c_ast.FuncCall):
            return None
        name = without_variant(call.name.name)
        arguments = call.args.exprs if call.args else []
        parameters, statements = models().get(name, ((), ()))
        if len(arguments) != len(parameters) or not statements:
            return None
        pairs = list(zip(parameters, arguments, strict=True))
        if name.startswith("mem") and not all(self._is_text(value) for what, value in pairs if what in "ab"):
            return None
        out: list[c_ast.Node] = []
        names = {what: self._argument(what, value, node.coord, out) for what, value in pairs}
        *actions, result = statements
        names |= {local: self._local(local) for local in _locals(statements)}
        cut = Cut(_LIMITS.get(name, Limit.STRING), _LONGEST, function=name)
        writing = _Writing(names, cut, node.coord)
        out += writing.visit_all(actions)
        if isinstance(node, c_ast.Assignment):
            out.append(build.assign(node.lvalue, writing.visit(result.expr), node.coord))
        return out

    def _is_text(self, pointer: c_ast.Node) -> bool:
        """Whether *pointer* leads to characters; what a copy does to padding and pointers is not known byte by byte."""
        plain = build.uncast(pointer)
        if isinstance(plain, c_ast.Constant):
            return bool(plain.type == "string")
        type_ = self._symbols.type_of(plain)
        if not self._symbols.is_pointer(type_) and not self._symbols.is_array(type_):
            return False
        inner = self._symbols.element(type_)
        return self._symbols.arithmetic(inner) is not None and self._symbols.sizeof(inner) == 1

    def _is_fixed(self, value: c_ast.Node) -> bool:
        """Whether the pointer *value* is a string, or an object that is an array."""
        array = isinstance(value, c_ast.ID) and self._symbols.is_array(self._symbols.type_of(value))
        return array or isinstance(value, c_ast.Constant)

    def _argument(self, what: str, value: c_ast.Node, origin: Origin | None, out: list[c_ast.Node]) -> c_ast.Node:
        """An expression for an argument whose value does not change any more."""
        plain = build.uncast(value)
        if what in "ab" and self._is_text(plain) and self._is_fixed(plain):
            return plain
        if what == "n" and self._symbols.constant_or_none(value) is not None:
            return value
        place = self._local(what)
        if what not in "ab" or not self._is_text(value):
            value = c_ast.Cast(build.typename(_TYPES[what]), value)
        out.append(build.assign(place, value, origin))
        return place

    def _local(self, what: str) -> c_ast.ID:
        name = f"{lexicon.BYTE}{what}_of_{self._name}"
        if name not in self._locals:
            self._locals[name] = build.declare(name, _TYPES[what])
        return build.ident(name)


@cache
def models() -> Mapping[str, tuple[tuple[str, ...], tuple[Any, ...]]]:
    """The functions that are known byte by byte → their parameters and statements, of which the last is `return`."""
    heads = [head.rstrip(")").partition("(") for head in _TEXTS]
    parsed = ours([f"void {name}(void) {{ {text} }}".replace("\n", " ")
                   for (name, _, _), text in zip(heads, _TEXTS.values(), strict=True)])  # fmt: skip
    return {
        name: (tuple(parameters.split(", ")), tuple(node.body.block_items))  # type: ignore[attr-defined]
        for (name, _, parameters), node in zip(heads, parsed, strict=True)
    }


def _locals(statements: Iterable[c_ast.Node]) -> list[str]:
    """The variables of a model with these *statements*, in a certain order."""
    used = {name for node in statements for name in build.names(node)}
    return [name for name in ("at", "end", "c", "d", "k") if name in used]


class _Writing(Rewriter):
    """Copies the statements of a model for a call at *origin*, with these meanings of its names."""

    def __init__(self, names: Mapping[str, c_ast.Node], cut: Cut, origin: Origin | None) -> None:
        super().__init__()
        self._names, self._cut, self._origin = names, cut, origin

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._names[node.name]

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        return cuts.unwound(self.visit(node.args.exprs[0]), self._cut, self._origin)

    def visit_Assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        return build.assign(self.visit(node.lvalue), self.visit(node.rvalue), self._origin)

    def visit_If(self, node: c_ast.If) -> c_ast.Node:
        return build.branch(self.visit(node.cond), self.visit_all(node.iftrue.block_items), None, self._origin)
