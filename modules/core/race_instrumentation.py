"""Marks before the accesses to shared memory, for the search for data races in both families of engines."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.layout import Field
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.modules.analysis import marks, probes
from cseq.modules.analysis.movers import NO_MOVERS, Movers
from cseq.modules.analysis.probes import PROBES, ReportingCopies
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.options.properties import RACE
from cseq.pipeline.facts import Gives
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt


class RaceInstrumenter(Translator):
    """Puts a mark before each access to shared memory in the functions of threads.

    A thread that is asked when it has reached a mark reports which bytes it is about to access, and how. What a call of
    the library accesses is reported by the library itself (`modules/analysis/probes.py`).
    """

    takes: ClassVar[tuple[Parameter[Any], ...]] = (NO_MOVERS,)
    probes = Gives(PROBES)

    def marked(self, tree: c_ast.FileAST) -> list[c_ast.Node]:
        """The declarations of the program, with marks in the functions of threads."""
        self._symbols = Symbols(tree, self.context.model)
        self._visibility = Visibility(self._symbols, tree)
        self.telling = ReportingCopies(tree)
        self.probes = self.telling.probes
        # What is always accessed under one lock is in no race.
        self.movers = Movers.of(tree, self._symbols, self._visibility, RACE, self.parameter(NO_MOVERS))
        self._accesses: dict[tuple[int, bool, bool], tuple[c_ast.Node, c_ast.Node]] = {}
        return [rebuilt(n, body=self._block(n.body)) if marks.is_thread(n) else n for n in tree.ext]

    # Statements

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        items = build.statements(node)
        return c_ast.Compound(self._statements(items), node.coord)

    def _statements(self, nodes: list[c_ast.Node]) -> list[c_ast.Node]:
        out: list[c_ast.Node] = []
        position = 0
        while position < len(nodes):
            node: Any = nodes[position]
            if build.is_call(node, lexicon.COARSE):
                self._coarse(node, nodes[position + 1], out)
                position += 2
                continue
            if not build.is_call(node, lexicon.ACCESS) or position + 1 == len(nodes):
                self._statement(node, False, out)
                position += 1
                continue
            # The next statement or atomic section is one access.
            out.append(node)
            atomic = not build.is_constant(node.args.exprs[0], 0)
            if build.is_call(nodes[position + 1], lexicon.ATOMIC_BEGIN):
                end = next(n for n in range(position, len(nodes)) if build.is_call(nodes[n], lexicon.ATOMIC_END))
                section = nodes[position + 1 : end + 1]
                self._mark(_Section(self, atomic).accesses(section), section[0], out, stays=not atomic)
                out.extend(section)
                position = end + 1
            else:
                self._statement(nodes[position + 1], atomic, out)
                position += 2
        return out

    def _coarse(self, _mark: c_ast.Node, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Add *node*, several steps that are one step here: it still reports all that they access."""
        self._statement(node, False, out)

    def _statement(self, node: Any, atomic: bool, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.If():
                self._mark(self.loads(node.cond, atomic), node, out, stays=not atomic)
                if not isinstance(node.iftrue, c_ast.Goto):
                    otherwise = None if node.iffalse is None else self._block(node.iffalse)
                    node = rebuilt(node, iftrue=self._block(node.iftrue), iffalse=otherwise)
            case c_ast.Compound():
                node = self._block(node)
            case c_ast.Assignment():
                self._mark(self.assignment(node, atomic), node, out, stays=not atomic and _is_plain(node.rvalue))
            case c_ast.FuncCall():
                self._mark(self._call(node, atomic), node, out, stays=not atomic and _is_plain(node))
            case c_ast.Return():
                self._mark(self.loads(node.expr, atomic), node, out)
        out.append(node)

    def _mark(self, actions: list[c_ast.Node], node: c_ast.Node, out: list[c_ast.Node], stays: bool = False) -> None:
        if actions and node not in self.movers:
            out.append(marks.mark(actions, node.coord, stays=stays))

    # What they access

    def loads(self, node: c_ast.Node | None, atomic: bool) -> list[c_ast.Node]:
        """What evaluating an expression loads."""
        return [access for load in self._visibility.loads(node) for access in self._access(load, False, atomic)]

    def assignment(self, node: c_ast.Assignment, atomic: bool) -> list[c_ast.Node]:
        """What an assignment loads and stores."""
        if isinstance(node.rvalue, c_ast.FuncCall):
            if node.rvalue.coord is None and node.rvalue.name.name.startswith(lexicon.NONDET):
                return []  # leaving a declared object undefined is not a store
            accesses = self._call(node.rvalue, False)
        else:
            accesses = self.loads(node.rvalue, atomic)
        for load in self._visibility.address_loads(node.lvalue):
            accesses += self._access(load, False, atomic)
        return accesses + (self._access(node.lvalue, True, atomic) if self._visibility.is_visible(node.lvalue) else [])

    def _call(self, node: c_ast.FuncCall, atomic: bool) -> list[c_ast.Node]:
        name = node.name.name
        arguments = node.args.exprs if node.args else []
        if node.coord is None and name in lexicon.WHOLE:
            return []
        accesses = [access for argument in arguments for access in self.loads(argument, atomic)]
        return accesses + (self._created(node) if name == lexicon.CREATE else self._by_library(node))

    def _by_library(self, call: c_ast.FuncCall) -> list[c_ast.Node]:
        """What a function of the library accesses through its pointer arguments."""
        return self.telling.call(call) if any(map(self._reaches, call.args.exprs if call.args else [])) else []

    def _created(self, call: c_ast.FuncCall) -> list[c_ast.Node]:
        """What pthread_create accesses. Only its pointers matter here, not which thread it creates."""
        thread, attr, _, argument = call.args.exprs
        if not (self._reaches(thread) or self._reaches(attr)):
            return []
        return self.telling.call(build.call(lexicon.CREATE_STEP, thread, attr, build.number(0), argument))

    def _reaches(self, argument: c_ast.Node) -> bool:
        """Whether *argument* leads to memory that other threads can access."""
        plain = build.uncast(argument)
        return not isinstance(plain, c_ast.Constant) and self._visibility.reaches_others(argument)

    def _access(self, place: c_ast.Node, writes: bool, atomic: bool) -> list[c_ast.Node]:
        key = (id(place), writes, atomic)
        known = self._accesses.get(key)
        if known is None:
            if _is_library_s(place):
                return []
            address, size = self._bytes(place)
            known = self._accesses[key] = (
                place,
                self.probes.noted(probes.access(address, size, writes, atomic), probes.MarkMeaning(place)),
            )
        return [known[1]]

    def _bytes(self, place: c_ast.Node) -> tuple[c_ast.Node, c_ast.Node]:
        """The address and the size of the memory that an access to *place* touches."""
        if self._symbols.bit_field(place) is None:
            return c_ast.UnaryOp("&", place), c_ast.UnaryOp("sizeof", place)
        assert isinstance(place, c_ast.StructRef)
        base = self._symbols.type_of(place.name)
        record = self._symbols.element(base) if place.type == "->" else base
        first, last = self._location(record, place.field.name)
        start = place.name if place.type == "->" else c_ast.UnaryOp("&", place.name)
        byte = c_ast.Cast(build.typename(pointer_to(basic("char"))), start)
        return c_ast.BinaryOp("+", byte, build.number(first)), build.number(last - first)

    def _location(self, record: c_ast.Node, name: str) -> tuple[int, int]:
        """The memory location of a bit-field (C11 §3.14): the bytes in its record at which it begins and ends."""
        start = end = 0
        location: list[Field] = []
        union = isinstance(self._symbols.record(record), c_ast.Union)
        for field in [*self._symbols.fields(record), None]:
            if field is None or not field.width or union:
                if any(member.member.name == name for member in location):
                    break
                location = []
            if field is None:
                break
            if field.width:
                location.append(field)
            elif field.member.name is None and any(m.name == name for m in self._symbols.members_of(field.type)):
                inner = self._location(field.type, name)
                return field.start // 8 + inner[0], field.start // 8 + inner[1]
        start, end = location[0].start, max(field.start + (field.width or 0) for field in location)
        return start // 8, -(-end // 8)


class _Section:
    """The accesses of an atomic section that is one access, as they are before it begins.

    Its temporaries have no values at that point, so each is replaced by the expression that it will be computed from.
    """

    def __init__(self, marker: RaceInstrumenter, atomic: bool) -> None:
        self._marker = marker
        self._atomic = atomic
        self._values = _Values()

    def accesses(self, nodes: Sequence[c_ast.Node]) -> list[c_ast.Node]:
        """The accesses of the statements *nodes*; those under a condition have size 0 where the condition is false."""
        found: dict[str, Any] = {}  # each memory location once; a store covers a load
        for access in self._all(nodes):
            address, size, writes, _ = access.args.exprs
            where = Printer().visit(c_ast.ExprList([address, size]))
            stored = where in found and not build.is_constant(found[where].args.exprs[2], 0)
            if where not in found or not (stored or build.is_constant(writes, 0)):
                found[where] = access
        return list(found.values())

    def _all(self, nodes: Sequence[c_ast.Node]) -> Iterator[Any]:
        for node in nodes:
            if isinstance(node, c_ast.Assignment):
                yield from self._marker.assignment(node, self._atomic)
                if isinstance(node.lvalue, c_ast.ID):
                    self._values.set(node.lvalue.name, node.rvalue)
            elif isinstance(node, c_ast.If):
                cond = self._values.visit(node.cond)
                for access in self._all(node.iftrue.block_items):
                    address, size, *how = access.args.exprs
                    sized = c_ast.TernaryOp(cond, size, build.number(0))
                    what = self._marker.probes.meaning(access) or probes.MarkMeaning()
                    yield self._marker.probes.noted(build.call(probes.ACCESSES, address, sized, *how), what)


class _Values(Rewriter):
    """Replaces variables by the values that were assigned to them."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, c_ast.Node] = {}

    def set(self, name: str, value: c_ast.Node) -> None:
        """Replace *name* by *value* from now on."""
        self._known[name] = self.visit(value)

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._known.get(node.name, node)


def _is_plain(node: c_ast.Node) -> bool:
    """Whether evaluating *node* orders nothing: it only accesses memory, and none of it atomically."""
    if not isinstance(node, c_ast.FuncCall):
        return True
    name = node.name.name
    ours = name in lexicon.MODELLED | lexicon.WHOLE | lexicon.LOCAL or name.startswith(lexicon.NONDET)
    return ours or (clibrary.is_modelled(name) and not stubs.objects(name))


def _is_library_s(place: c_ast.Node) -> bool:
    """Whether *place* is inside an object of the library, such as a mutex."""
    while isinstance(place, (c_ast.StructRef, c_ast.ArrayRef)):
        if isinstance(place, c_ast.StructRef) and place.field.name.startswith("__cs_"):
            return True
        place = place.name
    return False
