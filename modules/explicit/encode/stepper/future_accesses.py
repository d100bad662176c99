"""What a thread may still touch when it stands at a place, as a static approximation.

A transition of one thread that touches nothing that any other thread may touch later on need not be made in every
order with theirs: the engine makes it alone (`backends/explorer/alone.c` has the argument). What a thread may touch
from a place on is a backward may-analysis of its step function (Aho, Lam, Sethi, Ullman: Compilers, §9.2). Objects at
file level count one by one, as long as there are bits; all others are one. Through a pointer a thread may touch what
has no name, and each object whose address the program uses in any other way than to touch the object there and then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.places import variable
from cseq.modules.explicit.encode.step_accesses import ATOMIC, EVERYTHING, READ, TOUCH, WRITE
from cseq.modules.library import lexicon, stubs

_NAMED = 62
REST = 1 << 63
"""The bit of all that has no bit of its own."""
ALL = (1 << 64) - 1

_RACE_ACCESS = "__cs_race_accesses"
_ENDED = "__cs_finished"
_WAITING = frozenset({"pthread_join", "thrd_join"})
_GIVEN = ("pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "sem_",
          "mtx_", "cnd_", TOUCH, "__cs_race_")  # fmt: skip
"""Functions, by how their names begin, that use a pointer only to touch what it points to."""
_STORING = (lexicon.CREATE, lexicon.CREATE_STEP)
"""Functions that use their first argument only to store something there."""
_CALLS = ("__CSEQ_address",)


@dataclass(frozen=True)
class AccessedObjects:
    """What may be touched, as bits. reads, writes: the objects that may be read, and written."""

    reads: int = 0
    writes: int = 0

    def __or__(self, other: AccessedObjects) -> AccessedObjects:
        return AccessedObjects(self.reads | other.reads, self.writes | other.writes)


NOTHING = AccessedObjects()
EVERYWHERE = AccessedObjects(ALL, ALL)


class Objects:
    """The objects at file level that have bits. names: of these, in the order of the bits. unnoticed: those of which
    no thread can notice when they are touched.

    symbols: of the unit. nodes: all that uses the objects. state: the objects of the state by name, each as the
    expression that the step program has for it. functions: the library functions that the program calls.
    """

    def __init__(
        self, symbols: Symbols, nodes: Iterable[c_ast.Node], state: Mapping[str, str], functions: Collection[str]
    ) -> None:
        self._symbols = symbols
        self.names = list(state)[:_NAMED]
        self._expressions = state
        self._bits = {name: 1 << number for number, name in enumerate(self.names)}
        self._escaping = REST
        for node in nodes:
            self._escapes(node, False)
        # No thread can notice that a thread has not ended yet, but by waiting for that: so its end is never too early.
        observing = {name for name in functions if _ENDED in stubs.objects(name)}
        is_seen = not observing <= _WAITING | {lexicon.END_STEP}
        self.unnoticed = 0 if is_seen else self._bits.get(_ENDED, 0)

    @property
    def expressions(self) -> list[str]:
        """The objects in the step program, in the order of the bits."""
        return [self._expressions[name] for name in self.names]

    def touched(self, call: c_ast.FuncCall) -> AccessedObjects:
        """What a call that announces an access touches."""
        at, _, kind = call.args.exprs[:3]
        kinds = int(kind.value, 0)
        if call.name.name == _RACE_ACCESS:
            at = at.args.exprs[0]
            kinds = WRITE if kinds else READ
        if kinds & EVERYTHING:
            return EVERYWHERE
        bits = self._at(at)
        if bits == self.unnoticed and kinds & ATOMIC:
            return NOTHING
        return AccessedObjects(bits if kinds & READ else 0, bits if kinds & WRITE else 0)

    def _at(self, pointer: Any) -> int:
        """The bits of what *pointer* may point to."""
        pointer = build.uncast(pointer)
        if isinstance(pointer, c_ast.UnaryOp) and pointer.op == "&":
            root = variable(self._symbols, pointer.expr)
            return self._escaping if root is None else self._bits.get(root, REST)
        return self._escaping | (self._bits.get(pointer.name, 0) if isinstance(pointer, c_ast.ID) else 0)

    def _escapes(self, node: Any, is_touched: bool) -> None:
        """Note the objects whose addresses are used in *node*; is_touched: but for what has its address there."""
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name)):
                only = name.startswith(_GIVEN) or (is_touched and name in _CALLS)
                for number, argument in enumerate(node.args.exprs if node.args else []):
                    self._escapes(argument, only or (number == 0 and name in _STORING))
            case c_ast.UnaryOp(op="sizeof"):
                return
            case c_ast.UnaryOp(op="&"):
                self._used(node.expr, not is_touched)
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef():
                self._used(node, not is_touched and self._decays(node))
            case c_ast.Cast():
                self._escapes(node.expr, is_touched)
            case c_ast.Decl():
                if node.init is not None:
                    self._escapes(node.init, False)
            case _:
                for _, child in node.children():
                    self._escapes(child, False)

    def _used(self, place: Any, escapes: bool) -> None:
        """Go through the parts of the lvalue *place*, whose variable's address escapes or does not."""
        while not isinstance(place, c_ast.ID):
            match place:
                case c_ast.ArrayRef():
                    self._escapes(place.subscript, False)
                    if not self._symbols.is_array(self._symbols.type_of(place.name)):
                        return self._escapes(place.name, False)
                    place = place.name
                case c_ast.StructRef(type="."):
                    place = place.name
                case c_ast.StructRef():
                    return self._escapes(place.name, False)
                case _:
                    return self._escapes(place, False)
        if escapes and place.name in self._bits:
            self._escaping |= self._bits[place.name]
        return None

    def _decays(self, place: Any) -> bool:
        """Whether the value of *place* is the address of an array."""
        if isinstance(place, c_ast.ID) and place.name not in self._bits:
            return False
        return bool(self._symbols.is_array(self._symbols.type_of(place)))


class Futures:
    """What the thread of one step function may touch from each place on.

    body: its statements. entry: the number of the first place. places: the label of each other place → its number.
    marked: whether the statements also announce accesses in a way that is not known here.
    """

    def __init__(self, body: Sequence[c_ast.Node], entry: int, places: Mapping[str, int], marked: bool) -> None:
        self.entry = entry
        self._body = body
        self._places = places
        self._marked = marked

    def at(self, objects: Objects, created: Mapping[str, AccessedObjects]) -> dict[int, AccessedObjects]:
        """What may be touched from each place on, by number.

        created: what the threads touch that are created, by the names of their entries.
        """
        self._objects, self._created = objects, created
        self._labels: dict[str, AccessedObjects] = {}
        known: dict[str, AccessedObjects] | None = None
        begin = NOTHING
        while known != self._labels:
            known = dict(self._labels)
            begin = self._block(self._body, NOTHING)
        numbers = {number: self._labels.get(label, NOTHING) for label, number in self._places.items()}
        found = {self.entry: begin, **numbers}
        return dict.fromkeys(found, EVERYWHERE) if self._marked else found

    def _block(self, nodes: Sequence[Any], after: AccessedObjects) -> AccessedObjects:
        nodes = list(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            # Where the process just ends, nothing that is looked for comes after it.
            ends = number + 1 < len(nodes) and build.is_call(nodes[number + 1], "__CSEQ_exit")
            if ends and build.is_call(node, TOUCH) and int(node.args.exprs[2].value, 0) & EVERYTHING:
                continue
            after = self._statement(node, after)
        return after

    def _statement(self, node: Any, after: AccessedObjects) -> AccessedObjects:
        match node:
            case c_ast.Compound():
                return self._block(node.block_items or [], after)
            case c_ast.If():
                then = self._statement(node.iftrue, after)
                otherwise = after if node.iffalse is None else self._statement(node.iffalse, after)
                return then | otherwise | self._in(node.cond)
            case c_ast.Label():
                found = self._statement(node.stmt, after)
                self._labels[node.name] = found | self._labels.get(node.name, NOTHING)
                return found
            case c_ast.Goto():
                return self._labels.get(node.name, NOTHING)
            case c_ast.Return():
                # The thread goes on at the place whose label follows; where it has ended, that adds what is not there.
                return after | self._in(node)
            case c_ast.FuncCall(name=c_ast.ID(name="__CSEQ_exit")):
                return NOTHING
        return after | self._in(node)

    def _in(self, node: Any) -> AccessedObjects:
        """What the accesses that are announced anywhere in *node* touch."""
        if node is None:
            return NOTHING
        found = NOTHING
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            if node.name.name in (TOUCH, _RACE_ACCESS):
                return self._objects.touched(node)
            if node.name.name == "__CSEQ_starts":
                return self._created.get(node.args.exprs[0].name, NOTHING)
        for _, child in node.children():
            found |= self._in(child)
        return found


def is_announced(mark: c_ast.Node) -> bool:
    """Whether a mark of the race detection says what is accessed, rather than what finds that out."""
    return build.is_call(mark, _RACE_ACCESS)


def touched_later(futures: Mapping[str, Futures], objects: Objects) -> dict[int, AccessedObjects]:
    """What is touched from each place on, by number, also by threads that are created after it.

    futures: of the start functions, by the names of their entries.
    """
    whole: dict[str, AccessedObjects] = {}
    known: dict[str, AccessedObjects] | None = None
    while known != whole:
        known = dict(whole)
        found = {name: future.at(objects, known) for name, future in futures.items()}
        whole = {name: found[name][future.entry] for name, future in futures.items()}
    return {number: touched for places in found.values() for number, touched in places.items()}


def tables(objects: Objects, places: Mapping[int, AccessedObjects], count: int) -> list[str]:
    """The tables for the engine, as C. count: of places, with 0."""
    lines = [f"{{ &{each}, sizeof {each} }}," for each in objects.expressions]
    reads, writes = (
        ", ".join(f"{getattr(places.get(number, NOTHING), kind):#x}ULL" for number in range(count))
        for kind in ("reads", "writes")
    )
    return [
        "const struct __CSEQ_touchable __CSEQ_touchables[] = {", *lines, "{ 0, 0 }", "};",
        f"const unsigned long long __CSEQ_unnoticed = {objects.unnoticed:#x}ULL;",
        f"const unsigned long long __CSEQ_may_read[] = {{ {reads} }};",
        f"const unsigned long long __CSEQ_may_write[] = {{ {writes} }};",
    ]  # fmt: skip
