"""Allocate memory from arenas in the state."""

from types import MappingProxyType
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Claim, Cut, Kind, Limit, Reason
from cseq.model.verdict import Bound
from cseq.modules.analysis.places import called, calling
from cseq.modules.core.definedness import ALLOCATES, DEFINEDNESS, ZEROED
from cseq.modules.explicit.encode.step_program import RUN, STEPS
from cseq.modules.explicit.encode.stepper.stepper import in_state
from cseq.modules.library import lexicon
from cseq.modules.library.alignment import ALIGNABLE, PAGE, PROMISED, alignment_of, without_alignment
from cseq.modules.library.assertions import Claims
from cseq.options.properties import EXCUSED, MEMSAFETY, PROPERTY, UNREACH
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

HEAP: Parameter[int | None] = Parameter(
    "heap", int, None, "limit the memory that each thread allocates to BYTES bytes (without it, as its text suggests)",
    ("--heap",), "BYTES", minimum=1,
)  # fmt: skip

BAD_FREE = Claim(Kind.MISUSE, Reason.NO_BLOCK, function="free")
BAD_SIZE = Claim(Kind.MISUSE, Reason.NO_BLOCK_OF_SIZE, function="realloc")

NO_BLOCK = "memory is freed or resized that is no block from malloc, or has been freed already"
"""What is refused where nothing is claimed about that."""

FREEABLE = "__CSEQ_allocate_freeable"
_USES = ALLOCATES | ZEROED | {"free", "__CSEQ_release"}
_UNIT = PROMISED
_AT_ODD = 3  # times the memory, where each block is at an odd multiple of its alignment
_WITH_SPARE = 3  # times the memory, where blocks have a spare unit and wait when they are freed
_GIVEN_BACK, _TAKEN_BACK, _STAYS = "__cs_given_back", "__cs_taken_back", "__cs_stays"
_FREED, _TAKEN, _EXISTS = "__cs_freed_now", "__cs_taken_now", "__cs_exists"
_OTHERWISE = "__cs_waits_otherwise"
_REPLACED = frozenset({_GIVEN_BACK, _TAKEN_BACK, _STAYS, _FREED, _TAKEN, _EXISTS, _OTHERWISE})
"""How the library lets freed memory come back; the arenas have their own way."""


class Allocator(Translator):
    """in: a step program. out: the same; what it allocates is in arenas that belong to the state."""

    takes = (HEAP, PROPERTY, EXCUSED)
    definedness = Needs(DEFINEDNESS)
    steps = Needs(STEPS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the calls that allocate and release memory, and define the arenas if there are any."""
        functions = {n.decl.name: set(called(n.body)) for n in tree.ext if isinstance(n, c_ast.FuncDef)}
        using = calling(functions, _USES)
        if not any(name.startswith(RUN) for name in using):
            return tree
        found, steps = self.definedness, self.steps
        memory = self.parameter(PROPERTY) == MEMSAFETY
        guessed = found.allocated * (_WITH_SPARE if memory else 1) * (_AT_ODD if self.steps.makes_numbers else 1)
        size = -(-(self.parameter(HEAP) or guessed) // _UNIT) * _UNIT
        cut = Cut(Limit.HEAP, size)
        steps.bounds.setdefault(cut, Bound.of(cut))
        claims = Claims(self.parameter(PROPERTY) == UNREACH, self.parameter(EXCUSED))
        reusing = _GIVEN_BACK in functions
        symbols = Symbols(tree, self.context.model)
        calls = (_CheckedCalls if memory else _Calls)(symbols, cut, found.is_tracked, claims, reusing)
        new = [
            calls.visit(node) if isinstance(node, c_ast.FuncDef) else node
            for node in tree.ext
            if not isinstance(node, c_ast.FuncDef) or node.decl.name not in _REPLACED
        ]
        allocating = calling(functions, ALLOCATES | ZEROED)
        by_others = any(name.startswith(RUN) and name != f"{RUN}main" for name in allocating)
        arenas = lexicon.THREADS if by_others else "1"
        sizes = [
            f"const unsigned long __cs_heap_size = {size};",
            f"const unsigned long __cs_heap_total = {arenas} * {size};",
            f"const unsigned int __cs_heap_odd = {int(steps.makes_numbers)};",
        ]
        objects = [
            f"_Alignas({calls.alignment * (1 + steps.makes_numbers)}) unsigned char __cs_heap[{arenas} * {size}];",
            f"unsigned char __cs_heap_units[{arenas} * {size // _UNIT}];",
        ]
        return c_ast.FileAST([*new, *ours(sizes), *(in_state(node, False) for node in ours(objects))])


class _Calls(Rewriter):
    """Replaces the functions that allocate and release memory by the arenas' functions.

    alignment: the greatest alignment of a block that is known to be allocated.
    """

    _FUNCTIONS = MappingProxyType({"malloc": "__CSEQ_fresh_aligned", "__CSEQ_zeroed": "__CSEQ_new_aligned"})

    def __init__(self, symbols: Symbols, cut: Cut, tracked: bool, claims: Claims, reusing: bool) -> None:
        super().__init__()
        self.alignment = _UNIT
        self._symbols = symbols
        self._reusing = reusing
        self._cut = build.string(cut.key)
        self._tracked = tracked
        self._claims = claims

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        arguments = self.visit_all(node.args.exprs) if node.args else []
        thread = build.ident(lexicon.THREAD)
        if name in ALIGNABLE and (alignment := alignment_of(node.args.exprs[0])) is not None:
            return self._aligned(name, alignment, without_alignment(node.args.exprs[0]), node)
        if name == "calloc":
            return build.call("__CSEQ_new_blocks", thread, *arguments, self._cut, origin=node.coord)
        if name == "__CSEQ_zeroed":
            return build.call("__CSEQ_new_block", thread, *arguments, self._cut, origin=node.coord)
        if name == _TAKEN_BACK:
            return c_ast.Cast(build.typename(pointer_to(basic("void"))), build.number(0))
        if name == _OTHERWISE:
            return build.call("__CSEQ_other_sizes", *arguments, origin=node.coord)
        if name == _EXISTS:
            return build.call("__CSEQ_is_allocated", *arguments, build.number(1), origin=node.coord)
        if name in (_GIVEN_BACK, _FREED, _TAKEN):
            return c_ast.Cast(build.typename(basic("void")), build.number(0))
        if name == _STAYS:
            return build.call("__CSEQ_resized", *arguments, origin=node.coord)
        if name == FREEABLE and self._reusing:
            return build.call("__CSEQ_any_block", thread, *arguments, self._cut, origin=node.coord)
        if name == "__CSEQ_release" and self._reusing:
            return build.call("__CSEQ_free_waiting", *arguments, *self._wrong(BAD_FREE, node), origin=node.coord)
        if name in ("malloc", "__CSEQ_allocate", FREEABLE):
            return build.call("__CSEQ_fresh_block", thread, *arguments, self._cut, origin=node.coord)
        if name in ("free", "__CSEQ_release"):
            function = "__CSEQ_free_tracked" if self._tracked else "__CSEQ_free"
            return build.call(function, *arguments, *self._wrong(BAD_FREE, node), origin=node.coord)
        if name == "__CSEQ_size":
            return build.call("__CSEQ_block_size", *arguments, *self._wrong(BAD_SIZE, node), origin=node.coord)
        return rebuilt(node, args=c_ast.ExprList(arguments)) if node.args else node

    def _aligned(self, name: str, alignment: c_ast.Node, size: c_ast.Node, node: c_ast.FuncCall) -> c_ast.Node:
        known = self._symbols.constant_or_none(alignment)
        self.alignment = max(self.alignment, PAGE if known is None else known)
        function = self._FUNCTIONS[name]
        given = [build.ident(lexicon.THREAD), self.visit(alignment), self.visit(size), self._cut]
        return build.call(function, *given, origin=node.coord)

    def _wrong(self, claim: Claim, node: c_ast.Node) -> list[c_ast.Node]:
        """What says that there is no such block, for a call: the claim, or what is refused, with its place if known."""
        message = build.string(claim.key)
        if self._claims.has(message):
            return [message, build.number(1)]
        origin = node.coord
        place = "" if origin is None or lexicon.is_ours(origin) else f"{origin.file}:{origin.line}: "
        return [build.string(f"{place}{NO_BLOCK}"), build.number(0)]


class _CheckedCalls(_Calls):
    """The same for programs whose memory accesses are checked."""

    _FUNCTIONS = MappingProxyType({"malloc": "__CSEQ_made_aligned", "__CSEQ_zeroed": "__CSEQ_made_zeroed_aligned"})

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name in ALIGNABLE and alignment_of(node.args.exprs[0]) is not None:
            return super().visit_FuncCall(node)
        whose = build.number(int(name in _FOR_USERS))
        arguments = self.visit_all(node.args.exprs) if node.args else []
        thread = build.ident(lexicon.THREAD)
        if name == FREEABLE and self._reusing:
            return build.call("__CSEQ_made_any", thread, *arguments, self._cut, whose, origin=node.coord)
        if name in ("malloc", "__CSEQ_allocate", FREEABLE):
            return build.call("__CSEQ_made_fresh", thread, *arguments, self._cut, whose, origin=node.coord)
        if name in ("calloc", "__CSEQ_zeroed"):
            counted = arguments if name == "calloc" else [build.number(1), *arguments]
            return build.call("__CSEQ_made_zeroed", thread, *counted, self._cut, whose, origin=node.coord)
        if name in ("free", "__CSEQ_release"):
            return build.call("__CSEQ_free_made", *arguments, origin=node.coord)
        if name == "__CSEQ_size":
            return build.call("__CSEQ_size_made", *arguments, origin=node.coord)
        if name == _STAYS:
            return build.call("__CSEQ_resized_made", *arguments, origin=node.coord)
        if name == _OTHERWISE:
            spared = build.call("__CSEQ_with_spare", *arguments)
            return build.call("__CSEQ_other_sizes", spared, origin=node.coord)
        return super().visit_FuncCall(node)


_FOR_USERS = frozenset({"malloc", "calloc", FREEABLE})
"""Functions that allocate blocks that the user is to free."""
