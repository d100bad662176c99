"""What a thread may still touch when it stands at a place, as a static approximation.

A transition of one thread that touches nothing that any other thread may touch later on need not be made in every
order with theirs: the engine makes it alone (`backends/explorer/alone.c` has the argument). What a thread may touch
from a place on is what is live there, in its step function, of variables that nothing overwrites: a backward
may-analysis (`modules/analysis/dataflow.py`). Objects at file level count one by one, as long as there are bits; all
others are one. Through a pointer a thread may touch what has no name, and each object whose address the program uses in
any other way than to touch the object there and then.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES
from cseq.c.symbols import Symbols
from cseq.modules.analysis.dataflow import Digraph, UseDef, live_variables
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
          "mtx_", "cnd_", TOUCH, "__cs_race_", "__cs_robust_")  # fmt: skip
"""Functions, by how their names begin, that use a pointer only to touch what it points to."""
_STORING = (lexicon.CREATE, lexicon.CREATE_STEP)
"""Functions that use their first argument only to store something there."""
_CALLS = ("__CSEQ_address",)


_WRITES = 64
"""How far the bits of the objects that may be written are to the left of those that may be read."""
_EVERYWHERE = ALL | ALL << _WRITES


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

    def touched(self, call: c_ast.FuncCall) -> int:
        """What a call that announces an access touches, as bits."""
        at, _, kind = call.args.exprs[:3]
        kinds = int(kind.value, 0)
        if call.name.name == _RACE_ACCESS:
            at = at.args.exprs[0]
            kinds = WRITE if kinds else READ
        if kinds & EVERYTHING:
            return _EVERYWHERE
        bits = self._at(at)
        if bits == self.unnoticed and kinds & ATOMIC:
            return 0
        return (bits if kinds & READ else 0) | (bits << _WRITES if kinds & WRITE else 0)

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


@dataclass(frozen=True)
class Futures:
    """The step function of a thread, for what it may touch from each place on.

    body: its statements. entry: the number of the first place. places: the label of each other place → its number.
    marked: whether the statements also announce accesses in a way that is not known here.
    """

    body: Sequence[c_ast.Node]
    entry: int
    places: Mapping[str, int]
    marked: bool


_Label = tuple[str, str]
"""The entry of a step function, and a label in it; "" is its beginning."""
_Rest = tuple[int, frozenset[_Label]]
"""What may be touched before control comes to the next label, as bits, and the labels that may be next."""
_NOTHING: _Rest = (0, frozenset())


class _Segments:
    """What the step function with this *entry* touches between its labels."""

    def __init__(self, entry: str, body: Sequence[c_ast.Node], objects: Objects) -> None:
        self._entry = entry
        self._objects = objects
        self.found: dict[_Label, _Rest] = {}
        self.found[entry, ""] = self._block(body, _NOTHING)

    def _block(self, nodes: Sequence[Any], after: _Rest) -> _Rest:
        ends = False
        for node in reversed(nodes):
            # Where the process just ends, nothing that is looked for comes after it.
            if not (ends and build.is_call(node, TOUCH) and int(node.args.exprs[2].value, 0) & EVERYTHING):
                after = self._statement(node, after)
            ends = build.is_call(node, "__CSEQ_exit")
        return after

    def _statement(self, node: Any, after: _Rest) -> _Rest:
        match node:
            case c_ast.Compound():
                return self._block(node.block_items or [], after)
            case c_ast.If():
                then = self._statement(node.iftrue, after)
                otherwise = after if node.iffalse is None else self._statement(node.iffalse, after)
                return self._with(node.cond, (then[0] | otherwise[0], then[1] | otherwise[1]))
            case c_ast.Label():
                self.found[self._entry, node.name] = self._statement(node.stmt, after)
                return 0, frozenset({(self._entry, node.name)})
            case c_ast.Goto():
                return 0, frozenset({(self._entry, node.name)})
            case c_ast.FuncCall(name=c_ast.ID(name="__CSEQ_exit")):
                return _NOTHING
        # After a return, the thread goes on at the place whose label follows; at its end, that adds what is not there.
        return self._with(node, after)

    def _with(self, node: Any, after: _Rest) -> _Rest:
        """*after*, with what the accesses touch that are announced anywhere in *node*."""
        bits, labels = after
        todo = [node]
        while todo:
            node = todo.pop()
            name = build.callee(node)
            if name in (TOUCH, _RACE_ACCESS):
                bits |= self._objects.touched(node)
            elif name == "__CSEQ_starts":
                labels |= {(node.args.exprs[0].name, "")}
            elif node.__class__ not in LEAVES:
                todo += build.parts(node)
        return bits, labels


def is_announced(mark: c_ast.Node) -> bool:
    """Whether a mark of the race detection says what is accessed, rather than what finds that out."""
    return build.is_call(mark, _RACE_ACCESS)


def touched_later(futures: Mapping[str, Futures], objects: Objects) -> dict[int, int]:
    """What is touched from each place on, by number, also by threads that are created after it.

    futures: of the start functions, by the names of their entries.
    """
    found: dict[_Label, _Rest] = {}
    for name, future in futures.items():
        found |= _Segments(name, future.body, objects).found
    edges = [(label, (), after) for label, (_, labels) in found.items() for after in labels if after in found]
    touched = {label: _EVERYWHERE if futures[label[0]].marked else bits for label, (bits, _) in found.items()}
    graph = Digraph(next(iter(found)), found, edges)
    later = live_variables(graph, lambda label: [UseDef(touched[label])]).before
    return {
        number: later.get((name, label), _EVERYWHERE if future.marked else 0)
        for name, future in futures.items()
        for label, number in {"": future.entry, **future.places}.items()
    }


def tables(objects: Objects, places: Mapping[int, int], count: int) -> list[str]:
    """The tables for the engine, as C. count: of places, with 0."""
    lines = [f"{{ &{each}, sizeof {each} }}," for each in objects.expressions]
    reads, writes = (
        ", ".join(f"{places.get(number, 0) >> kind & ALL:#x}ULL" for number in range(count)) for kind in (0, _WRITES)
    )
    return [
        "const struct __CSEQ_touchable __CSEQ_touchables[] = {", *lines, "{ 0, 0 }", "};",
        f"const unsigned long long __CSEQ_unnoticed = {objects.unnoticed:#x}ULL;",
        f"const unsigned long long __CSEQ_may_read[] = {{ {reads} }};",
        f"const unsigned long long __CSEQ_may_write[] = {{ {writes} }};",
    ]  # fmt: skip
