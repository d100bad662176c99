"""Mark where objects become undefined, if they may be read in that state."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.initializers import leaf_key, leaf_keys
from cseq.modules.analysis.inputs import is_undefined
from cseq.modules.analysis.liveness import Liveness, whole_object
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import called, calling, calls
from cseq.modules.analysis.visibility import Visibility, object_of
from cseq.modules.core.definedness import (
    ALLOCATES,
    COPIES,
    DEFINEDNESS,
    ZEROED,
    Copies,
    Definedness,
    assignments,
    pointed,
)
from cseq.modules.library import lexicon
from cseq.modules.library.alignment import PAGE, alignment_of, without_alignment
from cseq.modules.library.primitives import REUSING
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.translator import Translator, rebuilt

_OF_USERS = {"malloc": (0,), "calloc": (0, 1), "realloc": (1,), "reallocarray": (1, 2)}
_SIZES = {
    **_OF_USERS,
    **{name + REUSING: arguments for name, arguments in _OF_USERS.items()},
    "__CSEQ_allocate": (0,),
    "__CSEQ_zeroed": (0,),
}
"""Functions that allocate memory: which of their arguments make up the size."""
_GUESSED, _ITERATIONS, _LEAST, _UNIT = 8, 8, 128, 16
_TEXT = 64
"""The bytes that a function of the library that allocates, such as `strdup`, takes at most."""


CORE = Fact[c_ast.FileAST]("core")
"""The program as it was before the uninitialised-reads stage, for the replay."""


class UninitialisedReads(Translator):
    """in: the core language with choices for inputs. out: the same; what is undefined has no value, but a mark.

    A mark, ``__CSEQ_undefine(&x, sizeof(x))``, is only inserted where, according to the text, x may be read before it
    is written. Whether it is depends on the execution: `Definedness` lists what later stages have to track.
    """

    definedness = Gives(DEFINEDNESS)
    core = Gives(CORE)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the threads' functions; the original program also becomes a fact, for the replay."""
        self.core = tree
        self.symbols = Symbols(tree, self.context.model)
        self._visibility = Visibility(self.symbols, tree)
        self._found = Definedness()
        self._allocating = _allocating(tree)
        threads = threads_of(tree)
        rewritten = {id(node): self._function(node) for node in threads}
        self._spread([rewritten[id(node)] for node in threads])
        self.definedness = self._found
        return c_ast.FileAST([rewritten.get(id(node), node) for node in tree.ext])

    def _function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self._liveness = Liveness(node, self.symbols, self._visibility)
        return rebuilt(node, body=self.visit(node.body))

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        """A block, in which consecutive marks of the parts of an object become one mark of the object."""
        items: list[c_ast.Node] = []
        marks: list[c_ast.Node] = []
        root: str | None = None
        for item in node.block_items or []:
            place = self._marked(item)
            if marks and (place is None or object_of(self.symbols, place) != root or root is None):
                items.extend(self._mark(root, marks))
                marks = []
            if place is None:
                if not _is_fresh(item):
                    items.append(self.visit(item))
                continue
            root = object_of(self.symbols, place)
            marks.append(item)
        if marks:
            items.extend(self._mark(root, marks))
        return rebuilt(node, block_items=items)

    def _marked(self, node: Any) -> c_ast.Node | None:
        """The place that a statement marks as undefined or uninitialised; None for other statements."""
        if is_undefined(node) or self._is_state(node):
            return node.lvalue  # type: ignore[no-any-return]
        if isinstance(node, c_ast.FuncCall) and node.name.name == lexicon.HAVOC and whole_object(node) is not None:
            return build.ident(str(whole_object(node)))
        return None

    def _is_state(self, node: Any) -> bool:
        """Whether *node* marks an object of the thread library as uninitialised."""
        if not isinstance(node, c_ast.Assignment) or not build.is_constant(node.rvalue, 0):
            return False
        return isinstance(node.lvalue, c_ast.StructRef) and str(node.lvalue.field.name).startswith("__cs_")

    def _mark(self, root: str | None, marks: list[Any]) -> list[c_ast.Node]:
        """The replacement of *marks*, all of the object *root*."""
        states = [node for node in marks if self._is_state(node)]
        if len(states) == len(marks):
            return marks
        if root in self._liveness.locals and root not in self._liveness.after(marks[-1]):
            return []
        places = [place for node in marks if node not in states and (place := self._marked(node)) is not None]
        whole = build.ident(str(root))
        if root is not None and (
            any(isinstance(place, c_ast.ID) for place in places)
            or leaf_keys(self.symbols, whole, self.symbols.types[root])
            <= {leaf_key(place) for place in (*places, *_left(states))}
        ):
            places = [whole]
        for place in places:
            self._found.note(self.symbols, place)
            if root is not None and root in self.symbols.locals and root not in self._liveness.locals:
                self._found.pointers = True
        origin = marks[0].coord
        undefined = [
            build.call(
                lexicon.UNDEFINE, self._address(place), c_ast.UnaryOp("sizeof", self._holder(place)), origin=origin
            )
            for place in places
        ]
        return [*undefined, *states]

    def _address(self, place: c_ast.Node) -> c_ast.Node:
        return c_ast.UnaryOp("&", self._holder(place))

    def _holder(self, place: Any) -> c_ast.Node:
        """The smallest object around *place* that has an address."""
        while self.symbols.bit_field(place) is not None:
            place = place.name if place.type == "." else c_ast.UnaryOp("*", place.name)
        return place  # type: ignore[no-any-return]

    # What copies make undefined

    def _spread(self, threads: list[c_ast.FuncDef]) -> None:
        """Propagate undefinedness through copies, up to the fixed point."""
        found = self._found
        found.allocated = max(_LEAST, *(self._allocated(function.body, 1) for function in threads))
        if not self._allocating.isdisjoint(name for function in threads for name in called(function.body)):
            found.pointers = found.has_heap = True
        if not found.is_tracked:
            return
        known = Copies(self.symbols)
        known.find_carriers(threads)
        found.carriers |= known.carriers
        copies = [(node.lvalue, node.rvalue) for node in assignments(threads) if known.is_copy(node)]
        for function in threads:
            for call in calls(function.body):
                if call.name.name in COPIES:
                    to, source = (pointed(self.symbols, argument) for argument in call.args.exprs[:2])
                    copies.append((to, source))
        while any(found.may_be(self.symbols, source) and found.note(self.symbols, to) for to, source in copies):
            if found.everything:  # including locals that pointers lead to
                found.names.update(n for n in self.symbols.locals if self._visibility.is_visible(build.ident(n)))

    def _allocated(self, node: c_ast.Node, times: int) -> int:
        """How many bytes a statement may allocate if executed *times* times; a guess where the text does not say."""
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in _SIZES:
            size = 1
            for position in _SIZES[node.name.name]:
                asked = node.args.exprs[position]
                size *= self.symbols.constant_or_none(without_alignment(asked)) or _GUESSED
                size += (alignment_of(asked) is not None) * (self.symbols.constant_or_none(alignment_of(asked)) or PAGE)
            if node.name.name.endswith(REUSING):
                size *= 2  # what was freed may have to wait
            return times * max(-(-size // _UNIT) * _UNIT, _UNIT)
        if isinstance(node, c_ast.FuncCall) and self._allocating.intersection(called(node)):
            return times * _TEXT
        times = _ITERATIONS if isinstance(node, c_ast.While) else times
        return sum(self._allocated(child, times) for _, child in node.children())


def _allocating(tree: c_ast.FileAST) -> set[str]:
    """The functions that allocate memory: those of the engine, and those of the library that call one."""
    functions = {n.decl.name: set(called(n.body)) for n in tree.ext if isinstance(n, c_ast.FuncDef)}
    return {*ALLOCATES, *ZEROED, *calling(functions, ALLOCATES | ZEROED)}


def _left(nodes: list[Any]) -> list[c_ast.Node]:
    return [node.lvalue for node in nodes]


def _is_fresh(node: c_ast.Node) -> bool:
    """Whether *node* marks memory as undefined, as all memory from an allocation is."""
    return isinstance(node, c_ast.FuncCall) and node.name.name == lexicon.FRESH
