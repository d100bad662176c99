"""Instrument a sequentialized program to report what it does, in terms of the user's program."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.model.actions import ActionKind, Manner, ObjectKind
from cseq.model.origin import Origin
from cseq.model.trace import Action, Thread
from cseq.modules.analysis import marks, probes, threadends
from cseq.modules.analysis.places import addressed
from cseq.modules.analysis.probes import Probes
from cseq.modules.analysis.scalars import Indivisible, Scalars
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.user_printer import OURS, UserPrinter
from cseq.modules.library import lexicon, primitives
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives.object_types import LOCKS
from cseq.modules.tracing import evidence
from cseq.modules.tracing import observations as obs
from cseq.pipeline.translator import Rewriter, rebuilt, user_name

# When a call of the thread library does something without a reason, as its replay can see.

_WAKES = frozenset({"__cs_step_cond_wake", "__cs_step_cnd_wake"})

_TIMED = frozenset({"__cs_step_cond_timedwake", "__cs_step_cond_clockwake", "__cs_step_cnd_timedwake"})


def conditions(function: str, arguments: Sequence[c_ast.Node]) -> Iterator[tuple[ActionKind, c_ast.Node]]:
    """The condition, before the call, on which the action of this kind happens without a reason.

    For an attempt, it is the condition on which a failure has none.
    """
    name = primitives.without_variant(function)
    if name in _WAKES:
        yield ActionKind.WAKE, is_asleep(arguments)
    elif name == "mtx_trylock":
        mutex = arguments[0]
        own = c_ast.BinaryOp("+", build.ident(lexicon.THREAD), build.number(1))
        held = c_ast.BinaryOp("==", _member(mutex, "owner"), own)
        again = c_ast.BinaryOp("&&", c_ast.BinaryOp("==", _member(mutex, "type"), build.number(1)), held)
        is_free = c_ast.BinaryOp("==", _member(mutex, "owner"), build.number(0))
        yield ActionKind.TRY, c_ast.BinaryOp("||", is_free, again)


def has_deadline(function: str) -> bool:
    """Whether *function* ends a wait with a deadline: if it returns 0, that has the reason of one without."""
    return function in _TIMED


def is_asleep(arguments: Sequence[c_ast.Node]) -> c_ast.Node:
    """The condition, before a wait ends, on which no signal has reached the thread. *arguments*: of the call."""
    bit = c_ast.BinaryOp(">>", _member(arguments[0], "waiting"), build.ident(lexicon.THREAD))
    return c_ast.BinaryOp("&", bit, build.number(1))


def _member(pointer: c_ast.Node, name: str) -> c_ast.StructRef:
    return c_ast.StructRef(pointer, "->", build.ident(f"__cs_{name}"))


# What library calls do, for the reader of a counterexample.

_FREES = primitives.with_reusing("free") | {"__CSEQ_delete"}

FILL = frozenset({"memset", "memcpy", "memmove"})
"""Functions that store to the number of bytes given by their third argument, from where their first one points."""


def acts(function: str) -> tuple[Act, ...]:
    """The actions of a call of the library's *function*, in order."""
    return (Act(ActionKind.FREE),) if function in _FREES else primitives.acts(function)


@dataclass(frozen=True)
class Point:
    """A point of a thread's execution at which one of its statements begins.

    actions: what the statement does besides reading and writing; their objects and threads come next among the values.
    stands: whether the thread only stands before the statement in the last state. call: the library function that it
    is then about to call. created: the thread that it creates.
    number: identifies the point among all points. visible, more, function: as in a move (`cseq.model.trace.Move`).
    These four are for reproducers. hidden: the point is only for reproducers, and is not shown.
    """

    thread: Thread
    origin: Origin
    actions: tuple[Action, ...] = ()
    stands: bool = False
    call: str = ""
    created: Thread | None = None
    number: int = 0
    visible: bool = False
    more: bool = False
    function: str = ""
    hidden: bool = False


_MOST_MEMBERS, _MOST_FILLED = 16, 64
"""Limits on the scalars shown: of what the user reads or writes whole; of what `memset` or the like fills."""

_WORD = 64  # bits of a value that is shown


_END = Action(ActionKind.END)
_CANCELLED = Action(ActionKind.END, manner=Manner.CANCELLED)

_Point = TypeVar("_Point", bound=Point)


class Tracer(Rewriter):
    """Inserts a call before each of the user's statements, and one for each value that the statement reads or writes.

    probes: the meaning of the calls in marks.
    evidence: whether to also show what a report on the last state needs. moves: whether to show what reproducers need.
    points, values: what the numbers in the inserted calls mean. types: of the objects that have a place, by name.
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
        self.values: list[obs.Observation] = []
        self.types: dict[str, c_ast.Node] = {}
        self._evidence = evidence
        self._symbols = symbols
        self._visibility = Visibility(symbols, tree)
        self._scalars = Scalars(symbols)
        self._threads = threads
        self._thread = threads[0]
        self._meanings: dict[str, str] = {}

    def traced(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """The program with the calls inserted."""
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
        """Set `more` of each point: whether a later point in the same statement is visible to other threads."""
        if not self._moves:
            return
        last = {_statement(point): number for number, point in enumerate(self.points) if point.visible}
        self.points = [
            replace(point, more=last.get(_statement(point), 0) > number) for number, point in enumerate(self.points)
        ]

    def _asked(self, body: c_ast.Compound, ext: list[c_ast.Node]) -> c_ast.Compound:
        """The driver, which first reports the places of objects, and at the end which threads have ended."""
        out: list[c_ast.Node] = []
        self._places([node for node in ext if isinstance(node, c_ast.Decl)], out)
        *before, judged, returned = body.block_items
        out.extend(before)
        if "__cs_finished" in self._symbols.types:
            for thread in self._threads:
                has_ended = c_ast.ArrayRef(build.ident("__cs_finished"), build.number(thread.number))
                self._value(obs.ThreadEnded(thread.number), has_ended, out)
        if probes.SAID[0] in self._symbols.types:
            for name, side in itertools.product(probes.SAID, (0, 1)):
                said = c_ast.ArrayRef(build.ident(name), build.number(side))
                self._value(obs.RaceVariable(name, side), said, out)
        return c_ast.Compound([*out, judged, returned], body.coord)

    def _with_places(self, body: c_ast.Compound) -> c_ast.Compound:
        """The function of a thread, which first reports the places of the locals whose addresses are used."""
        items = body.block_items
        local = [node for node in items if isinstance(node, c_ast.Decl)]
        out: list[c_ast.Node] = []
        with_address = addressed(body)
        self._places([n for n in local if n.name in with_address or self._symbols.is_array(n.type)], out)
        return c_ast.Compound([*local, *out, *items[len(local) :]], body.coord)

    def _places(self, declared: list[c_ast.Decl], out: list[c_ast.Node]) -> None:
        for node in declared:
            if node.name is None or user_name(node.name) is None or {"extern", "typedef"} & set(node.storage):
                continue
            if not isinstance(node.type, c_ast.FuncDecl):
                self.types[node.name] = node.type
                self._value(obs.ObjectAddress(node.name), _address(c_ast.UnaryOp("&", build.ident(node.name))), out)

    def _value(self, value: obs.Observation, shown: c_ast.Node, out: list[c_ast.Node]) -> None:
        out.append(build.call("__CSEQ_show", build.number(len(self.values)), shown))
        self.values.append(value)

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        return build.rewritten(node, self._statement)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        if isinstance(node, c_ast.If) and node.coord is None and not isinstance(node.iftrue, c_ast.Goto):
            self._stands(node, out)
            return
        if isinstance(node, (c_ast.Decl, c_ast.Label, c_ast.Goto)) or node.coord is None:
            if self._moves and build.is_call(node, lexicon.END_STEP):
                self._hidden(Point(self._thread, Origin("", 0), (_END,)), node, out)
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
        """A place where a thread may stand in the last state, and what is done if it does."""
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
            if (what := self._probes.meaning(action)) is not None:
                name = self._text(what.place) if what.place is not None else ""
                self._value(obs.RaceAnnouncement(name, what.function), build.ident(probes.HAS_TOLD), inner)
        out.append(rebuilt(node, iftrue=c_ast.Compound(inner, node.iftrue.coord)))

    def _executed(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """The call statement *node*: the locks that it uses before it; their state and what it stores after it."""
        subjects = evidence.subjects(call.name.name) if self._evidence else []
        locks = [subject for subject in subjects if subject[2] in LOCKS]
        for subject in locks[:1]:  # no function has two
            self._sight(call, subject, out)
        out.append(node)
        for subject in locks[:1]:
            self._state(subject, out)
        self._stored(call, out)

    def _sight(self, call: c_ast.FuncCall, subject: evidence.Parameter, out: list[c_ast.Node]) -> None:
        number, _, kind = subject
        argument = call.args.exprs[number]
        name = self._text(_pointed(argument))
        if kind is not ObjectKind.THREAD:
            argument = _address(evidence.remembered(argument))
        self._value(obs.LibraryObject(kind, name), argument, out)

    def _state(self, subject: evidence.Parameter, out: list[c_ast.Node]) -> None:
        _, type_, kind = subject
        for member, shown in evidence.state_of(type_, kind):
            self._value(obs.ObjectState(member), shown, out)
            if self._symbols.arithmetic(self._symbols.type_of(shown)) == "unsigned __int128":
                high = c_ast.BinaryOp(">>", shown, build.number(_WORD))
                self._value(obs.ObjectState(member, _WORD), high, out)

    def _point(
        self,
        node: Any,
        out: list[c_ast.Node],
        actions: tuple[Action, ...] = (),
        stands: bool = False,
        call: str = "",
        created: Thread | None = None,
    ) -> None:
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        point = Point(self._thread, node.coord, actions, stands, call, created)
        self.points.append(self._watched(point, node))

    def _hidden(self, point: Point, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Add *point* before *node*, for reproducers only: it is not shown to readers."""
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        self.points.append(replace(self._watched(point, node), hidden=True))

    def _watched(self, point: _Point, node: c_ast.Node) -> _Point:
        """*point*, which is before *node*, with what reproducers need."""
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
        most: int = _MOST_MEMBERS,
    ) -> None:
        resolved = self._symbols.resolve(self._symbols.type_of(place))
        if self._symbols.record(resolved) is not None or self._symbols.is_array(resolved):
            self._show_members(kind, place, name, out, most)
            return
        shown = self._symbols.arithmetic(resolved) or ("pointer" if isinstance(resolved, c_ast.PtrDecl) else None)
        if shown is None or shown.endswith("__int128") or OURS in name:
            return  # no scalar, or not the user's, such as the inside of a mutex
        if shown in ("float", "double", "long double"):
            value: c_ast.Node = build.call("__CSEQ_bits_of", place)
        elif shown == "pointer":
            value = _address(place)
        else:
            value = c_ast.Cast(build.typename(basic("long long")), place)
        if self._visibility.is_visible(place):
            has_address = self._symbols.bit_field(place) is None
            where = _address(c_ast.UnaryOp("&", place)) if has_address else build.number(0)
            self._value(obs.Address(), where, out)
        self._value(obs.AccessedValue(kind, name, shown), value, out)

    def _show_members(self, kind: str, record: c_ast.Node, name: str, out: list[c_ast.Node], most: int) -> None:
        """Show the first scalars of a struct or array that is read or written whole. Unions are not shown."""
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
            if (kinds := primitives.outcomes(function)) is not None:
                self._value(obs.Result(*kinds), node.lvalue, out)
            if has_deadline(function):
                in_time = c_ast.BinaryOp("==", node.lvalue, build.number(0))
                self._value(obs.SpuriousEvent(ActionKind.WAKE, if_asleep=True), in_time, out)
            if primitives.may_do_nothing(function):
                self._value(obs.Attempt(len(primitives.acts(function))), node.lvalue, out)
        name = node.lvalue.name if isinstance(node.lvalue, c_ast.ID) else None
        if name is not None and name.startswith(f"__cs_{lexicon.WEAK}_"):
            self._value(obs.SpuriousEvent(ActionKind.COMPARE_EXCHANGE), node.lvalue, out)
        if name is not None and name.startswith("__cs_ret_"):
            function = name.removeprefix("__cs_ret_").split("__cs", 1)[0]
            self._meanings[name] = f"{function}()"
            self._show("write", node.lvalue, f"{function}()", out)
        elif name is not None and user_name(name) is None:
            index = next((shown for prefix, shown in lexicon.INDICES.items() if name.startswith(prefix)), None)
            value = OURS if isinstance(node.rvalue, c_ast.FuncCall) else self._text(node.rvalue)
            self._meanings[name] = index or value
        else:
            undefined = isinstance(node.rvalue, c_ast.FuncCall) and node.rvalue.coord is None
            self._show("undefined" if undefined else "write", node.lvalue, self._text(node.lvalue), out)

    def _input(self, function: str, place: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Show the value that a call of *function*, if nondeterministic, has just returned to *place*.

        The value of the place itself is not used: it may have been converted.
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
        self._value(obs.Input(words), value if words else build.number(0), out)

    def _beside(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        """Show once, without values, the bit-fields that are loaded and stored with the one being stored to."""
        if _is_beside(node.lvalue):
            last = out[-1] if out else None
            again = isinstance(last, c_ast.Assignment) and _is_beside(last.lvalue)
            self._point(node, out, () if again else (Action(ActionKind.LOAD_BIT_FIELDS),))
        out.append(node)

    def _call(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        if name == lexicon.CREATE_STEP:
            started = self._threads[int(arguments[2].value)]
            self._point(node, out, created=started)
            return
        if name == lexicon.END_STEP:
            self._end(arguments[0], node, out)
            return
        texts = [self._text(_pointed(argument)) for argument in arguments]
        self._point(node, out, tuple(_action(act, texts) for act in acts(name)))
        for act in acts(name):
            if (act.kind.has_object or act.kind is ActionKind.FREE) and act.argument is not None:
                self._value(obs.Subject(), _address(arguments[act.argument]), out)
            elif act.kind.has_thread and act.argument is not None:
                thread = c_ast.Cast(build.typename(basic("long long")), arguments[act.argument])
                self._value(obs.Identifier(texts[act.argument]), thread, out)
        if has_deadline(name):
            self._value(obs.SleepState(), is_asleep(arguments), out)
        for kind, shown in conditions(name, arguments):
            self._value(obs.SpuriousEvent(kind), shown, out)
        if name in (lexicon.ASSERT, lexicon.ASSUME):
            self._reads(arguments[0], out)

    def _stored(self, call: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """Show what the library has stored to objects whose addresses it was given."""
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        places = [build.addressed(arguments[number]) for number in primitives.shows(name)]
        if name in FILL:
            places.append(self._whole(arguments[0], self._symbols.constant_or_none(arguments[2])))
        for place in places:
            if place is not None:
                self._show("write", place, self._text(place), out, most=_MOST_FILLED)

    def _whole(self, pointer: c_ast.Node, size: int | None) -> c_ast.Node | None:
        """The object that *pointer* points to, if it has *size* bytes and its type is known."""
        bare = build.uncast(pointer)
        place = build.addressed(pointer) or (bare if self._symbols.is_array(self._symbols.type_of(bare)) else None)
        if place is None or size is None or self._symbols.sizeof(self._symbols.type_of(place)) != size:
            return None
        return place

    def _end(self, result: c_ast.Node, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Show the end of the thread, or its beginning if cleanup handlers and destructors come first."""
        if isinstance(result, c_ast.ID) and result.name == threadends.VALUE:
            return
        cancelled = self._symbols.constant_or_none(result.expr if isinstance(result, c_ast.Cast) else result) == -1
        self._point(node, out, (_CANCELLED if cancelled else _END,))

    def _text(self, node: c_ast.Node) -> str:
        """An expression as the user would write it."""
        return UserPrinter(self._meanings).visit(node)


def _action(act: Act, texts: list[str]) -> Action:
    """The action that *act* is in a call with these arguments. Its object or thread is known only at run time."""
    name = "" if act.argument is None or act.kind.has_thread else texts[act.argument]
    return Action(act.kind, name, manner=act.manner, mode=act.mode)


def _statement(point: Point) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """What all points of one execution of a statement have in common."""
    return point.thread.number, point.origin.statement, point.origin.iteration


def _address(pointer: c_ast.Node) -> c_ast.Cast:
    """A pointer as a number."""
    return c_ast.Cast(build.typename(basic("unsigned long")), pointer)


def _is_beside(node: c_ast.Node) -> bool:
    """Whether *node* preserves a bit-field that shares its memory with the one being stored to."""
    return isinstance(node, c_ast.ID) and node.name.startswith(f"__cs_{lexicon.BESIDE}_")


def _pointed(node: c_ast.Node) -> c_ast.Node:
    """The expression that an argument points to, for naming it: ``m`` for ``&m``."""
    if isinstance(node, c_ast.Cast):
        node = node.expr
    return node.expr if isinstance(node, c_ast.UnaryOp) and node.op == "&" else node
