"""Make a sequentialized program tell what it does, in terms of the user's program."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pycparser import c_ast

from cseq.base.linemap import Origin
from cseq.base.trace import Thread
from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.modules.analysis import marks, probes, threadends
from cseq.modules.analysis.probes import Probes
from cseq.modules.analysis.scalars import Indivisible, Scalars
from cseq.modules.analysis.userprinter import OURS, UserPrinter
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon
from cseq.modules.replay import events, evidence
from cseq.pipeline.translator import Rewriter, rebuilt, user_name


@dataclass(frozen=True)
class Point:
    """A statement of a thread. event: what it does for the reader, where values do not say it.

    stands: whether the thread, in the last state, only stands in front of it. call: the function of the library that it
    calls then. created: the thread that it creates. acts: the kinds and names of what it does with threads and objects
    of the library; of each that has a name an ``about`` comes next among the values.
    number: its own, among all. visible, more, function: as in a move (`cseq.base.trace.Move`), for reproducers.
    hidden: only for these.
    """

    thread: Thread
    origin: Origin
    event: str = ""
    stands: bool = False
    call: str = ""
    created: Thread | None = None
    acts: tuple[tuple[str, str], ...] = ()
    number: int = 0
    visible: bool = False
    more: bool = False
    function: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Value:
    """A value that a statement reads or writes, or that is evidence for what the last state is like.

    kind: of an access (`cseq.base.trace.Access`), or ``input``, what a function for nondeterministic values returned.
    Or
        ``where``, the address of what the access that comes next is to, which other threads can reach; ``about``, that
        of what an action is about; ``result`` of the last action: its name is the kind of that where it is 0, its type
        where
        not.
        Or, as evidence (`modules/replay/evidence.py`): ``place``, the address of an object of the user's; ``object``,
        that of one that a call is about; ``state``, something that it is made of;
        ``ended``, whether a thread has; for data races, ``tells``, whether a thread has said by now what it is about
        to access (type: the function of the library that does), and ``access``, something of what the two have said
        (type: the number of the one).
    type: as `Symbols.arithmetic`, ``pointer``, or ``thread``, a pthread_t. For ``object`` its kind.
    """

    kind: str
    name: str
    type: str


EVIDENCE = frozenset({"place", "object", "state", "ended", "tells", "access"})
"""The kinds of values that are evidence, and nothing that the reader of a counterexample is shown."""

_MOST_MEMBERS, _MOST_FILLED = 16, 64
"""So many scalars are shown of what the user reads or writes whole, and of what `memset` and the like store."""


_Point = TypeVar("_Point", bound=Point)


class Tracer(Rewriter):
    """Puts a call in front of each of the user's statements, and one for each value that it reads or writes.

    probes: what the calls in marks say.
    evidence: whether to show what a report on the last state needs beside that. moves: what reproducers need.
    points, values: what the numbers in those calls stand for. types: of the objects that are a ``place``, by name.
    """

    def __init__(
        self,
        tree: c_ast.FileAST,
        threads: list[Thread],
        symbols: Symbols,
        probes: Probes,
        evidence: bool = False,
        moves: bool = False,
    ) -> None:
        super().__init__()
        self._moves = moves
        self._probes = probes
        self.points: list[Point] = []
        self.values: list[Value] = []
        self.types: dict[str, c_ast.Node] = {}
        self._evidence = evidence
        self._symbols = symbols
        self._visibility = Visibility(symbols, tree)
        self._scalars = Scalars(symbols)
        self._threads = threads
        self._thread = threads[0]
        self._meanings: dict[str, str] = {}

    def traced(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """The program with the calls in it."""
        remaining = iter(self._threads)
        nodes = []
        for node in tree.ext:
            if marks.is_thread(node):
                self._thread = next(remaining)
                body = self._block(node.body)
                nodes.append(rebuilt(node, body=self._with_places(body) if self._evidence else body))
            elif self._evidence and isinstance(node, c_ast.FuncDef) and node.decl.name == "main":
                nodes.append(rebuilt(node, body=self._asked(node.body, tree.ext)))
            else:
                nodes.append(node)
        self._note_more()
        return c_ast.FileAST(nodes)

    def _note_more(self) -> None:
        """Say of each point whether one comes behind it that others can notice, in the same statement."""
        if not self._moves:
            return
        last = {_statement(point): number for number, point in enumerate(self.points) if point.visible}
        self.points = [
            replace(point, more=last.get(_statement(point), 0) > number) for number, point in enumerate(self.points)
        ]

    def _asked(self, body: c_ast.Compound, ext: list[c_ast.Node]) -> c_ast.Compound:
        """The driver: it begins with the places of objects, and in the end says which threads have ended."""
        out: list[c_ast.Node] = []
        self._places([node for node in ext if isinstance(node, c_ast.Decl)], out)
        *before, judged, returned = body.block_items
        out.extend(before)
        if "__cs_finished" in self._symbols.types:
            for thread in self._threads:
                has_ended = c_ast.ArrayRef(build.ident("__cs_finished"), build.number(thread.number))
                self._value(Value("ended", str(thread.number), ""), has_ended, out)
        if probes.SAID[0] in self._symbols.types:
            for name, side in itertools.product(probes.SAID, (0, 1)):
                said = c_ast.ArrayRef(build.ident(name), build.number(side))
                self._value(Value("access", name, str(side)), said, out)
        return c_ast.Compound([*out, judged, returned], body.coord)

    def _with_places(self, body: c_ast.Compound) -> c_ast.Compound:
        """The function of a thread: it begins with the places of those locals that have addresses."""
        items = body.block_items
        local = [node for node in items if isinstance(node, c_ast.Decl)]
        out: list[c_ast.Node] = []
        addressed = _addressed(body)
        self._places([n for n in local if n.name in addressed or self._symbols.is_array(n.type)], out)
        return c_ast.Compound([*local, *out, *items[len(local) :]], body.coord)

    def _places(self, declared: list[c_ast.Decl], out: list[c_ast.Node]) -> None:
        for node in declared:
            if node.name is None or user_name(node.name) is None or {"extern", "typedef"} & set(node.storage):
                continue
            if not isinstance(node.type, c_ast.FuncDecl):
                self.types[node.name] = node.type
                self._value(Value("place", node.name, ""), _address(c_ast.UnaryOp("&", build.ident(node.name))), out)

    def _value(self, value: Value, shown: c_ast.Node, out: list[c_ast.Node]) -> None:
        out.append(build.call("__CSEQ_show", build.number(len(self.values)), shown))
        self.values.append(value)

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        out: list[c_ast.Node] = []
        for item in build.statements(node):
            self._statement(item, out)
        return c_ast.Compound(out, node.coord)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        if isinstance(node, c_ast.If) and node.coord is None and not isinstance(node.iftrue, c_ast.Goto):
            self._stands(node, out)
            return
        if isinstance(node, (c_ast.Decl, c_ast.Label, c_ast.Goto)) or node.coord is None:
            if self._moves and build.is_call(node, "__cs_step_exit"):
                self._hidden(Point(self._thread, Origin("", 0), acts=(("end", ""),)), node, out)
            out.append(node)
            return
        match node:
            case c_ast.Assignment():
                self._assignment(node, out)
            case c_ast.If():
                self._point(node, out)
                self._reads(node.cond, out)
                then = node.iftrue if isinstance(node.iftrue, c_ast.Goto) else self._block(node.iftrue)
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                out.append(rebuilt(node, iftrue=then, iffalse=otherwise))
            case c_ast.FuncCall():
                self._call(node, node, out)
                self._executed(node, node, out)
            case _:
                out.append(node)

    def _stands(self, node: c_ast.If, out: list[c_ast.Node]) -> None:
        """Where a thread may stand in the end, and what is done then."""
        place, *actions = node.iftrue.block_items
        call = next((item for item in actions if isinstance(item, c_ast.FuncCall)), None)
        inner: list[c_ast.Node] = [place]
        self._point(place, inner, stands=True, call=call.name.name if call is not None else "")
        if self._evidence and call is not None:
            for subject in evidence.subjects(call.name.name):
                self._sight(call, subject, inner)
                self._state(subject, inner)
        for action in actions:
            inner.append(action)
            if (told := self._probes.told(action)) is not None:
                name = self._text(told.place) if told.place is not None else ""
                self._value(Value("tells", name, told.function), build.ident(probes.HAS_TOLD), inner)
        out.append(rebuilt(node, iftrue=c_ast.Compound(inner, node.iftrue.coord)))

    def _executed(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """The statement *node*, a call, with the locks that it is about; behind it their state, and what it stores."""
        subjects = evidence.subjects(call.name.name) if self._evidence else []
        locks = [subject for subject in subjects if subject[2] in evidence.LOCKS]
        for subject in locks[:1]:  # no function has two
            self._sight(call, subject, out)
        out.append(node)
        for subject in locks[:1]:
            self._state(subject, out)
        self._stored(call, out)

    def _sight(self, call: c_ast.FuncCall, subject: tuple[int, str, str], out: list[c_ast.Node]) -> None:
        number, _, kind = subject
        argument = call.args.exprs[number]
        name = self._text(_pointed(argument))
        if kind != "thread":
            argument = _address(evidence.remembered(argument))
        self._value(Value("object", name, kind), argument, out)

    def _state(self, subject: tuple[int, str, str], out: list[c_ast.Node]) -> None:
        _, type_, kind = subject
        for name, shown in evidence.state_of(type_, kind):
            self._value(Value("state", name, ""), shown, out)

    def _point(
        self,
        node: Any,
        out: list[c_ast.Node],
        event: str = "",
        stands: bool = False,
        call: str = "",
        created: Thread | None = None,
        acts: tuple[tuple[str, str], ...] = (),
    ) -> None:
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        point = Point(self._thread, node.coord, event, stands, call, created, acts)
        self.points.append(self._watched(point, node))

    def _hidden(self, point: Point, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """What happens at *point*, in front of *node*, and is nothing that a reader is shown."""
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        self.points.append(replace(self._watched(point, node), hidden=True))

    def _watched(self, point: _Point, node: c_ast.Node) -> _Point:
        """What reproducers need of a point, in front of *node*."""
        if not self._moves:
            return point
        point = replace(point, number=len(self.points))
        call = node.rvalue if isinstance(node, c_ast.Assignment) else node
        if isinstance(call, c_ast.FuncCall):
            name = call.name.name
            silent = name.startswith(lexicon.NONDET) or (call.coord is None and name.startswith("__CSEQ_"))
            places = [node.lvalue] if isinstance(node, c_ast.Assignment) else []
            visible = not silent or any(self._visibility.is_visible(place) for place in places)
            return replace(point, visible=visible, function="" if silent else name)
        return replace(point, visible=self._is_seen(node))

    def _is_seen(self, node: c_ast.Node) -> bool:
        match node:
            case c_ast.Assignment():
                return self._visibility.is_visible(node.lvalue) or any(True for _ in self._visibility.loads(node))
            case c_ast.If() | c_ast.While():
                return any(True for _ in self._visibility.loads(node.cond))
            case c_ast.Return():
                return node.expr is not None and any(True for _ in self._visibility.loads(node.expr))
        return True

    def _show(
        self,
        kind: str,
        place: c_ast.Node,
        name: str,
        out: list[c_ast.Node],
        type_: str | None = None,
        most: int = _MOST_MEMBERS,
    ) -> None:
        resolved = self._symbols.resolve(self._symbols.type_of(place))
        if self._symbols.record(resolved) is not None or self._symbols.is_array(resolved):
            self._show_members(kind, place, name, out, most)
            return
        shown = (
            type_ or self._symbols.arithmetic(resolved) or ("pointer" if isinstance(resolved, c_ast.PtrDecl) else None)
        )
        if shown is None or shown.endswith("__int128") or OURS in name:
            return  # nothing that a word can hold, or nothing of the user's, such as the inside of a mutex
        if shown in ("float", "double", "long double"):
            value: c_ast.Node = build.call("__CSEQ_bits_of", place)
        elif shown == "pointer":
            value = _address(place)
        else:
            value = c_ast.Cast(build.typename(basic("long long")), place)
        if shown != "thread" and self._visibility.is_visible(place):
            has_address = self._symbols.bit_field(place) is None
            where = _address(c_ast.UnaryOp("&", place)) if has_address else build.number(0)
            self._value(Value("where", "", ""), where, out)
        self._value(Value(kind, name, shown), value, out)

    def _show_members(self, kind: str, record: c_ast.Node, name: str, out: list[c_ast.Node], most: int) -> None:
        """A struct or array that is read or written whole, by its first scalars; what is a union is not shown."""
        prefix = self._text(c_ast.StructRef(record, ".", build.ident("_")))[:-2]
        shown = name if name.endswith("()") else prefix
        with contextlib.suppress(Indivisible):
            for leaf in itertools.islice(self._scalars.scalars(record, self._symbols.type_of(record)), most):
                if self._symbols.record(self._symbols.type_of(leaf)) is None:
                    self._show(kind, leaf, shown + self._text(leaf).removeprefix(prefix), out)

    def _reads(self, node: c_ast.Node | None, out: list[c_ast.Node]) -> None:
        for load in self._visibility.loads(node):
            self._show("read", load, self._text(load), out)

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        if _is_beside(node.lvalue) or _is_beside(node.rvalue):
            self._beside(node, out)
            return
        if isinstance(node.rvalue, c_ast.FuncCall):
            self._call(node.rvalue, node, out)
        elif isinstance(node.lvalue, c_ast.ID) and node.lvalue.name == threadends.VALUE:
            self._end(node.rvalue, node, out)
            self._reads(node.rvalue, out)
        else:
            self._point(node, out)
            self._reads(node.rvalue, out)
        if isinstance(node.rvalue, c_ast.FuncCall):
            self._executed(node.rvalue, node, out)
        else:
            out.append(node)
        if isinstance(node.rvalue, c_ast.FuncCall) and node.rvalue.coord is not None:
            function = node.rvalue.name.name
            self._input(function, node.lvalue, out)
            if (kinds := events.outcomes(function)) is not None:
                self._value(Value("result", *kinds), node.lvalue, out)
        name = node.lvalue.name if isinstance(node.lvalue, c_ast.ID) else None
        if name is not None and name.startswith("__cs_ret_"):
            function = name.removeprefix("__cs_ret_").split("__cs", 1)[0]
            self._meanings[name] = f"{function}()"
            self._show("write", node.lvalue, f"{function}()", out)
        elif name is not None and user_name(name) is None:
            self._meanings[name] = OURS if isinstance(node.rvalue, c_ast.FuncCall) else self._text(node.rvalue)
        else:
            undefined = isinstance(node.rvalue, c_ast.FuncCall) and node.rvalue.coord is None
            self._show("undefined" if undefined else "write", node.lvalue, self._text(node.lvalue), out)

    def _input(self, function: str, place: c_ast.Node, out: list[c_ast.Node]) -> None:
        """What the call of *function*, if that is one for nondeterministic values, has just returned to *place*.

        The value of the place is not taken for it: it may have been converted.
        """
        words = lexicon.NONDET_TYPES.get(function.removeprefix(lexicon.NONDET))
        if words is None or not function.startswith(lexicon.NONDET):
            return
        value: c_ast.Node = build.ident("__CSEQ_taken")
        if words in ("float", "double"):
            if self._symbols.arithmetic(self._symbols.type_of(place)) != words:
                words = ""
            value = build.call("__CSEQ_bits_of", place)
        elif words.endswith(("*", "__int128")):
            words = ""
        else:
            if words == "_Bool":
                value = c_ast.BinaryOp("&", value, build.number(1))
            value = c_ast.Cast(build.typename(basic("long long")), c_ast.Cast(build.typename(basic(words)), value))
        self._value(Value("input", "", words), value if words else build.number(0), out)

    def _beside(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        """The bit-fields that are loaded and stored with the one that the user stores to: said once, without values."""
        if _is_beside(node.lvalue):
            last = out[-1] if out else None
            again = isinstance(last, c_ast.Assignment) and _is_beside(last.lvalue)
            self._point(node, out, "" if again else "loads the bit-fields next to it")
        out.append(node)

    def _call(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        if name == "__cs_step_create":
            started = self._threads[int(arguments[2].value)]
            self._point(node, out, f"creates {started}", created=started)
            return
        if name == "__cs_step_exit":
            self._end(arguments[0], node, out)
            return
        texts = [self._text(_pointed(argument)) for argument in arguments]
        acts = [(kind, texts[number]) for kind, number in events.actions(name)]
        if name in events.OF_THREADS:
            acts.append((events.OF_THREADS[name], ""))
        self._point(node, out, events.EVENTS.get(name, "").format(*texts), acts=tuple(acts))
        for _, number in events.actions(name):
            self._value(Value("about", "", ""), _address(arguments[number]), out)
        if name in events.NAME_A_THREAD:
            self._show("read", arguments[0], texts[0], out, type_="thread")
        elif name in (lexicon.ASSERT, lexicon.ASSUME):
            self._reads(arguments[0], out)

    def _stored(self, call: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """What the library has stored to an object whose address it was given."""
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        if name in events.STORE:
            place = build.addressed(arguments[events.STORE[name]])
        elif name in events.FILL:
            place = self._whole(arguments[0], self._symbols.constant_or_none(arguments[2]))
        else:
            return
        if place is not None:
            self._show("write", place, self._text(place), out, most=_MOST_FILLED)

    def _whole(self, pointer: c_ast.Node, size: int | None) -> c_ast.Node | None:
        """The object that *pointer* leads to, where it has *size* bytes, and its type is known."""
        bare = build.uncast(pointer)
        place = build.addressed(pointer) or (bare if self._symbols.is_array(self._symbols.type_of(bare)) else None)
        if place is None or size is None or self._symbols.sizeof(self._symbols.type_of(place)) != size:
            return None
        return place

    def _end(self, result: c_ast.Node, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """The end of the thread, or where it begins, if handlers and destructors come first."""
        if isinstance(result, c_ast.ID) and result.name == threadends.VALUE:
            return
        cancelled = self._symbols.constant_or_none(result.expr if isinstance(result, c_ast.Cast) else result) == -1
        self._point(node, out, "is cancelled" if cancelled else "ends", acts=(("end", ""),))

    def _text(self, node: c_ast.Node) -> str:
        """An expression as the user would write it."""
        return UserPrinter(self._meanings).visit(node)


def _statement(point: Point) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """What the points of one execution of a statement have in common."""
    return point.thread.number, point.origin.statement, point.origin.iteration


def _address(pointer: c_ast.Node) -> c_ast.Cast:
    """A pointer as a number."""
    return c_ast.Cast(build.typename(basic("unsigned long")), pointer)


def _addressed(node: c_ast.Node) -> set[str]:
    """The variables whose addresses are taken in *node*, or those of parts of them."""
    found: set[str] = set()
    for _, child in node.children():
        found |= _addressed(child)
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        place = node.expr
        while isinstance(place, (c_ast.ArrayRef, c_ast.StructRef)):
            place = place.name
        if isinstance(place, c_ast.ID):
            found.add(place.name)
    return found


def _is_beside(node: c_ast.Node) -> bool:
    """Whether *node* keeps a bit-field that lies in the same memory as the one that is stored to."""
    return isinstance(node, c_ast.ID) and node.name.startswith(f"__cs_{lexicon.BESIDE}_")


def _pointed(node: c_ast.Node) -> c_ast.Node:
    """What an argument points to, for naming it: ``m`` for ``&m``."""
    if isinstance(node, c_ast.Cast):
        node = node.expr
    return node.expr if isinstance(node, c_ast.UnaryOp) and node.op == "&" else node
