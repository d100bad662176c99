"""Let freed memory come back."""

from collections.abc import Iterable, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.c.unused import names_of
from cseq.modules.analysis.address_numbers import IDENTIFIERS
from cseq.modules.analysis.same_address import looks_at_addresses, tells_sizes_apart
from cseq.modules.core.freed_objects import EXISTS, NOTES, claimed, may_be_freed, without_notes
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.modules.library.primitives import REUSING
from cseq.options.properties import PROPERTY, UNREACH
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

_ALLOCATING = frozenset({
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "strdup", "strndup",
    "asprintf",
})  # fmt: skip
_FREEING = frozenset({"free", "realloc", "reallocarray"})
_CREATING = frozenset({lexicon.CREATE, lexicon.THRD_CREATE})
_COMPARING = frozenset({"pthread_equal", "thrd_equal"})
_STATES = frozenset({"__cs_active", "__cs_finished", "__cs_joined", "__cs_detached"})
_OWN = frozenset({"pthread_self", "thrd_current"})
_WATCHED = "__cs_watched"
_OTHER_SIZE = "__cs_other_size"
_NUMBER = 2  # which parameter of the step that creates a thread is the thread's number
_VARIANTS = frozenset({"malloc", "calloc", "free", "realloc", "reallocarray"})
EQUAL, IDENTIFIED = f"pthread_equal{REUSING}", "__cs_identified"
PRECEDES, RANKED = "__cs_precedes", "__cs_ranked"
_RELATIONS = {
    "==": (EQUAL, False, True), "!=": (EQUAL, False, False), "<": (PRECEDES, False, True),
    ">": (PRECEDES, True, True), ">=": (PRECEDES, False, False), "<=": (PRECEDES, True, False),
}  # fmt: skip
"""Comparisons of identifiers → the function that makes them, whether its arguments are swapped, whether it holds."""
_INSIDE = {"__CSEQ_allocate_freeable": "malloc", "__CSEQ_release": "free"}


class AddressReuse(Translator):
    """in: C in one scope. out: the same; where the program can tell, freed memory and identifiers may come back.

    The functions that allocate and free are replaced by variants (`pthread_stubs/stdlib.c`). Their calls are visible
    to other threads, since what one thread frees another one may get. Where an object of the thread library may be in
    a block, its functions claim that it has not been freed. Threads are compared by what their identifiers
    may have become (`pthread_stubs/thread.c`).
    """

    takes = (PROPERTY,)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Replace the functions where addresses or identifiers that come back matter."""
        functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
        self._of_user = [node for node in functions if not lexicon.is_ours(node.coord or node.decl.coord)]
        self._defined = {node.decl.name for node in self._of_user}
        others = [node for node in tree.ext if node not in functions and not isinstance(node, c_ast.Typedef)]
        self._used = {name for node in (*others, *self._of_user) for name in names_of(node).mentioned} - self._defined
        self._symbols = Symbols(tree, self.context.model)
        return self._with_identifiers(self._with_memory(tree))

    def _with_memory(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        used = self._used
        if used.isdisjoint(_FREEING) or used.isdisjoint(_ALLOCATING):
            return tree
        objects = self.parameter(PROPERTY) == UNREACH and may_be_freed(self._symbols, self._of_user)
        looks = looks_at_addresses(self._symbols, self._of_user)
        if not objects and not looks:
            return tree
        omitted = () if looks and tells_sizes_apart(self._symbols, self._of_user) else (_OTHER_SIZE,)
        wanted = {name + REUSING for name in ("malloc", "free", *(_VARIANTS & used))}
        variants = {name: name + REUSING for name in _VARIANTS if name + REUSING in wanted}
        of_users = _Renaming({name: new for name, new in variants.items() if name not in self._defined})
        inside = _Renaming({name: variants[base] for name, base in _INSIDE.items()})
        rest = []
        for node in tree.ext:
            of_user = node in self._of_user
            new = (of_users if of_user else inside).visit(node) if isinstance(node, c_ast.FuncDef) else node
            if of_user:
                self._of_user[self._of_user.index(node)] = new
            rest.append(claimed(new) if objects else new)
        if not objects:
            omitted = (*omitted, *NOTES)
            added = behind_scoper(stubs.needed(wanted, without=(*omitted, "__cs_gone")))
            return c_ast.FileAST(_before_functions(rest, [without_notes(node, omitted) for node in added]))
        watched = [node for node in rest if getattr(node, "name", None) == _WATCHED]
        rest = [node for node in rest if node not in watched]
        without = (*omitted, _WATCHED) if watched else omitted
        added = behind_scoper(stubs.needed({*wanted, EXISTS}, without=without))
        added = [without_notes(node, omitted) for node in added]
        return c_ast.FileAST(_before_functions(rest, [*watched, *added]))

    def _with_identifiers(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        if self._used.isdisjoint(_CREATING):
            return tree
        comparisons = _Comparisons(self._symbols)
        compared = {id(node): comparisons.visit(node) for node in self._of_user}
        if not comparisons.found:
            return tree
        present = {name for node in tree.ext for name in names_of(node).declared}
        steps = (IDENTIFIED, *((RANKED,) if comparisons.ordered else ()))
        needed = {EQUAL, *steps, *((PRECEDES,) if comparisons.ordered else ())}
        added = behind_scoper(stubs.needed(needed, without=present))
        states = [node for node in tree.ext if getattr(node, "name", None) in _STATES]
        rest = [_identified(compared.get(id(node), node), steps) for node in tree.ext if node not in states]
        return c_ast.FileAST(_before_functions(rest, [*states, *added]))


def _before_functions(nodes: list[Any], added: Sequence[c_ast.Node]) -> list[Any]:
    """*nodes* with what is *added*: before the first function, but after the types that it mentions."""
    first = next(number for number, node in enumerate(nodes) if isinstance(node, c_ast.FuncDef))
    mentioned = {name for node in added for name in names_of(node).mentioned}
    types = [
        number for number, node in enumerate(nodes)
        if isinstance(node, c_ast.Typedef) and not names_of(node).declared.isdisjoint(mentioned)
    ]  # fmt: skip
    first = max(first, *(number + 1 for number in types), 0)
    return [*nodes[:first], *added, *nodes[first:]]


def _identified(node: Any, steps: Iterable[str]) -> Any:
    """The step that creates a thread also chooses its identifier by *steps*; other nodes stay."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != lexicon.CREATE_STEP:
        return node
    number = build.ident(node.decl.type.args.params[_NUMBER].name)
    items = [*(build.call(step, number, origin=node.coord) for step in steps), *node.body.block_items]
    return rebuilt(node, body=rebuilt(node.body, block_items=items))


class _Comparisons(Rewriter):
    """Has identifiers of threads compared by the library.

    found: whether there are such comparisons. ordered: whether there are others than by `==` and `!=`.
    """

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self._symbols = symbols
        self.found = self.ordered = False

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        new = self.generic_visit(node)
        if not isinstance(node.name, c_ast.ID) or node.name.name not in _COMPARING:
            return new
        self.found = True
        return rebuilt(new, name=c_ast.ID(EQUAL, node.name.coord))

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        new = self.generic_visit(node)
        if node.op not in _RELATIONS or not (self._is_identifier(node.left) and self._is_identifier(node.right)):
            return new
        self.found = True
        function, swaps, holds = _RELATIONS[node.op]
        self.ordered |= function == PRECEDES
        sides = (new.right, new.left) if swaps else (new.left, new.right)
        result = build.call(function, *sides, origin=node.coord)
        return result if holds else c_ast.UnaryOp("!", result, node.coord)

    def _is_identifier(self, node: c_ast.Node) -> bool:
        node = build.uncast(node)
        if isinstance(node, c_ast.FuncCall):
            return isinstance(node.name, c_ast.ID) and node.name.name in _OWN
        if not isinstance(node, (c_ast.ID, c_ast.StructRef, c_ast.ArrayRef, c_ast.UnaryOp)):
            return False
        type_: Any = self._symbols.type_of(node)
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            name = type_.type.names[-1]
            if name in IDENTIFIERS:
                return True
            if name not in self._symbols.typedefs:
                return False
            type_ = self._symbols.typedefs[name]
        return False


class _Renaming(Rewriter):
    """Replaces the names of functions."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def visit_ID(self, node: c_ast.ID) -> Any:
        return rebuilt(node, name=self._names[node.name]) if node.name in self._names else node

    def visit_StructRef(self, node: c_ast.StructRef) -> Any:
        return rebuilt(node, name=self.visit(node.name))
