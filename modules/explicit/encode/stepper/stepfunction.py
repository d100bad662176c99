"""A start function turned into a function that makes one transition of a thread."""

from collections.abc import Collection, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Cut, Limit
from cseq.model.coverage import Point
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.analysis import cuts
from cseq.modules.analysis.coverage_points import Points
from cseq.modules.analysis.liveness import Liveness
from cseq.modules.analysis.movers import Movers
from cseq.modules.analysis.places import addressed, called, has_call
from cseq.modules.analysis.threadends import fits_a_pointer
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.explicit.encode import step_program
from cseq.modules.explicit.encode.check_instrumentation import LEAK
from cseq.modules.explicit.encode.step_accesses import StepAccesses
from cseq.modules.explicit.encode.stepper.frames import FRAME, InFrame, apart
from cseq.modules.explicit.encode.stepper.future_accesses import Futures, is_announced
from cseq.modules.explicit.encode.stepper.residues import Residues
from cseq.modules.library import lexicon, primitives, stubs
from cseq.modules.library.assertions import Claims
from cseq.options.mutual_exclusion import NOWHERE, Lines
from cseq.pipeline.translator import rebuilt, user_name

# What is made right before a statement of a step function: claims about it, reports on it, and what it accesses.

_FLAGS = 3  # arguments of a mark before its accesses


class StatementMarks:
    """Calls that stand before a statement and belong to it.

    reports: claims about the statement, and a traced program's reports on it. accesses: for data races. first: the
    first statement that these come from. has_other_marks: whether any so far found out itself what is accessed.
    """

    def __init__(self) -> None:
        self.reports: list[c_ast.Node] = []
        self.accesses: list[c_ast.Node] = []
        self.first: c_ast.Node | None = None
        self.has_other_marks = False

    def begin(self, call: Any) -> None:
        """Add the statement *call*."""
        self.first = self.first or call
        self._add(call)

    def condition(self, cond: c_ast.Node) -> c_ast.Node:
        """The condition of a loop without the calls before it, which are about it and are made each time."""
        if not isinstance(cond, c_ast.ExprList):
            return cond
        *before, cond = cond.exprs
        for call in before:
            self._add(call)
        return cond

    def flush(self, out: list[c_ast.Node]) -> None:
        """Put all that has been added into *out*."""
        out.extend(self.reports + self.accesses)
        self.reports, self.accesses, self.first = [], [], None

    def _add(self, call: Any) -> None:
        if build.is_call(call, lexicon.STANDS):
            marks = call.args.exprs[_FLAGS:]
            self.accesses.extend(marks)
            self.has_other_marks = self.has_other_marks or not all(map(is_announced, marks))
        elif build.is_call(call, lexicon.CHECKS):
            self.reports.extend(call.args.exprs)
        else:
            self.reports.append(call)


PLACE, LEFT, _DEPTH = "__cs_place", "__cs_left", "__cs_depth"


class StepFunction:
    """The function that makes one transition of a thread that was started with the function *node*.

    It continues at the place that it is called with. There is a place before each statement visible to another thread,
    and where a loop might go on without one. At the next place the function stores the place's number in `AT` and
    returns. Locals are members of the thread's frame, which is a part of the state.

    called: its name. entry, last: the numbers of its first and last place; entry_name: the name of the first.
    futures: what the thread may still touch at each place.
    """

    def __init__(
        self,
        node: c_ast.FuncDef,
        steps: step_program.Steps,
        symbols: Symbols,
        visibility: Visibility,
        claims: Claims,
        kept: Collection[str] = (),
        movers: Movers | None = None,
        memory: bool = False,
        watched: Lines = NOWHERE,
        waits: bool = False,
        points: Points | None = None,
    ) -> None:
        self.name = node.decl.name
        self.is_main = self.name == "main"
        self.called = f"{step_program.RUN}{self.name}"
        self.frame_type = f"__cs_frame_of_{self.name}"
        in_union = f"__cs_frames[{lexicon.THREAD} - 1].{self.frame_type}"
        self.frame_place = "__cs_frame_of_main" if self.is_main else in_union
        self.entry_name = step_program.entry_name(self.name)
        self._node = node
        self._steps = steps
        self._symbols = symbols
        self._visibility = visibility
        self._touches = StepAccesses(symbols, visibility, memory)
        self._claims = claims
        self._points = points if points is not None else Points()
        self._movers = movers if movers is not None else Movers()
        self._entered: list[tuple[int, str]] = []  # places where control comes back, and their labels
        self._loops = 0
        self._ahead = StatementMarks()  # of the next statement
        self._memory = memory
        self._watched = watched
        # A choice after which the thread has to wait would otherwise be none: the transition that makes it has no end.
        self._stops_to_wait = waits and any(map(stubs.may_choose, called(node.body)))
        self.ended: dict[str, str] = {}  # locals whose lives end, and what says so
        self._labels: list[str] = []  # the user's, directly before the next statement
        self._has_sections = has_call(node.body, lexicon.ATOMIC_BEGIN)
        self.entry = steps.place(step_program.ControlPlace(self.name, node.coord, entry=True))
        self._locals = self._declared()
        self._liveness = Liveness(node, symbols, visibility)
        self._now: c_ast.Node | None = None  # the statement before which a place would be
        self._stops: list[tuple[c_ast.Compound, frozenset[str]]] = []  # where transitions end, and what is live there
        self._cleanings: list[list[c_ast.Node]] = []  # where the thread ends
        out: list[c_ast.Node] = []
        body = build.statements(node.body)
        self._block(body, out)
        if not body or not isinstance(body[-1], c_ast.Return):
            self._now = None
            self._return(c_ast.Return(None), out)
        self.last = len(steps.places) - 1
        places = {label: number for number, label in self._entered}
        self.futures = Futures(list(out), self.entry, places, self._ahead.has_other_marks)
        live = {name for _, names in self._stops for name in names}
        self._kept = {n: d for n, d in self._locals.items() if n in live or n not in self._liveness.locals or n in kept}
        self._clear(out)
        if self._kept:
            size = c_ast.UnaryOp("sizeof", c_ast.UnaryOp("*", build.ident(FRAME)))
            for cleaning in self._cleanings:
                cleaning.append(build.call("__builtin_memset", build.ident(FRAME), build.number(0), size))
        self.function = self._function(out)

    # The frame

    @property
    def has_frame(self) -> bool:
        """Whether any local has to be kept from one transition to the next."""
        return bool(self._kept)

    @property
    def shown(self) -> list[str]:
        """The locals in the frame that pointers may lead to."""
        return [name for name in self._kept if name not in self._liveness.locals]

    def _declared(self) -> dict[str, c_ast.Decl]:
        """The locals and parameters, by name."""
        parameters = self._node.decl.type.args.params if self._node.decl.type.args else []
        declared = [p for p in parameters if isinstance(p, c_ast.Decl) and p.name]
        declared += [item for item in self._node.body.block_items or [] if isinstance(item, c_ast.Decl)]
        return {decl.name: decl for decl in declared}

    def frame(self) -> list[c_ast.Node]:
        """The declaration of the frame type, and the initial values of thread-local objects."""
        declarations: list[c_ast.Node] = []
        if self._kept:
            members = [self._plain(decl) for decl in self._kept.values()]
            if self._memory:
                members = list(apart(members, self.reachable, self.ended))
            struct = c_ast.Struct(self.frame_type, members)
            declarations.append(c_ast.Decl(None, [], [], [], [], struct, None, None))
        for name, decl in self._locals.items():
            if decl.init is not None:
                initial = build.declare(self._initial(name), self._symbols.unqualified(decl.type), storage=["static"])
                declarations.append(rebuilt(initial, quals=["const"], init=decl.init))
        return declarations

    def _plain(self, decl: c_ast.Decl) -> c_ast.Decl:
        """The declaration of a local without storage class, qualifiers and initial value."""
        plain: c_ast.Decl = rebuilt(build.declare(decl.name, self._symbols.unqualified(decl.type)), align=decl.align)
        return plain

    @property
    def reachable(self) -> list[str]:
        """The members of the frame that pointers can lead to."""
        known = addressed(self._node.body) if self._memory else set()
        return [
            name
            for name, decl in self._kept.items()
            if name not in self._liveness.locals or name in known or self._symbols.is_array(decl.type)
        ]

    def _initial(self, name: str) -> str:
        """The name of the constant with which a thread-local object is initialised."""
        return f"__cs_initial_{name}_of_{self.name}"

    def _function(self, out: list[c_ast.Node]) -> c_ast.FuncDef:
        passing = [d for name, d in self._locals.items() if name not in self._kept]
        body: list[c_ast.Node] = [self._plain(decl) for decl in passing]
        if self._kept:
            type_ = c_ast.TypeDecl(FRAME, [], None, c_ast.Struct(self.frame_type, None))
            place = c_ast.UnaryOp("&", build.ident(self.frame_place))
            pointer = c_ast.PtrDecl([], type_)
            body.append(c_ast.Decl(FRAME, [], [], [], [], pointer, place, None))
        at_entry = c_ast.BinaryOp("==", build.ident(PLACE), build.number(self.entry))
        left = build.declare(LEFT, basic("unsigned int"))
        body.append(rebuilt(left, init=at_entry))
        cases = [c_ast.Case(build.number(number), [build.goto(label)]) for number, label in self._entered]
        body.append(c_ast.Switch(build.ident(PLACE), c_ast.Compound([*cases, c_ast.Default([c_ast.Break()])])))
        body.extend(self._begin())
        # The frame is zero when a thread begins; what is not in it is not.
        body.extend(self._cleared(d.name) for d in passing if is_thread_local(d) and d.init is None)
        body.extend(out)
        parameter = build.declare(PLACE, basic("unsigned int"))
        void = c_ast.TypeDecl(self.called, [], None, c_ast.IdentifierType(["void"]))
        declarator = c_ast.FuncDecl(c_ast.ParamList([parameter]), void)
        decl = c_ast.Decl(self.called, [], [], ["static"], [], declarator, None, None, coord=self._node.decl.coord)
        return c_ast.FuncDef(
            decl, None, InFrame({*self._kept, *self.ended.values()}).visit(c_ast.Compound(body)), self._node.coord
        )

    def _begin(self) -> list[c_ast.Node]:
        """A thread's first actions: it receives its argument, and its thread-local objects get their initial values."""
        out: list[c_ast.Node] = []
        parameters = self._node.decl.type.args.params if self._node.decl.type.args else []
        for position, parameter in enumerate(parameters):
            if self.is_main or not isinstance(parameter, c_ast.Decl) or not parameter.name:
                continue
            type_ = self._symbols.unqualified(parameter.type)
            if position > 0 or not fits_a_pointer(self._symbols, type_):
                raise UnsupportedError("a start function whose parameter is not a pointer", self._node.decl.coord)
            argument = c_ast.ArrayRef(build.ident("__cs_argument"), build.ident(lexicon.THREAD))
            value = c_ast.Cast(build.typename(build.renamed(type_, None)), argument)
            out.append(build.assign(build.ident(parameter.name), value))
        for name, decl in self._locals.items():
            if is_thread_local(decl) and decl.init is not None:
                size = c_ast.UnaryOp("sizeof", build.ident(name))
                whole = [c_ast.UnaryOp("&", build.ident(which)) for which in (name, self._initial(name))]
                out.append(build.call("__builtin_memcpy", *whole, size))
            elif is_thread_local(decl) and name not in self._kept:
                out.append(self._cleared(name))  # in a frame it is zero already
        return out

    # Places

    def _stop_at(self, origin: Origin | None, seldom: bool = False) -> tuple[c_ast.Node, c_ast.Node]:
        """Statements that leave the function at a new place, and the label at which it resumes there."""
        node = self._ahead.first or self._now or self._node
        place = step_program.ControlPlace(self.name, origin, labels=tuple(self._labels), node=node, seldom=seldom)
        number = self._steps.place(place)
        label = f"__cs_place_{number}"
        self._entered.append((number, label))
        here = c_ast.ArrayRef(build.ident(step_program.AT), build.ident(lexicon.THREAD))
        stop = c_ast.Compound([build.assign(here, build.number(number)), c_ast.Return(None)])
        self._stops.append((stop, self._live()))
        return stop, build.label(label)

    def _live(self) -> frozenset[str]:
        """The locals whose values are needed from the current statement on."""
        first = self._ahead.first or self._now
        return frozenset() if first is None else self._liveness.before(first)

    def _clear(self, out: list[c_ast.Node]) -> None:
        """Clear, at each stop in *out*, the locals that are dead there and may have a value."""
        resumes = {label: live for (_, label), (_, live) in zip(self._entered, self._stops, strict=True)}
        begun = frozenset(build.names(c_ast.Compound(self._begin())))
        residues = Residues(out, LEFT, [stop for stop, _ in self._stops], resumes, begun)
        for stop, live in self._stops:
            dead = residues.at(stop) & self._liveness.locals - live
            stop.block_items[:0] = [self._cleared(name) for name in self._kept if name in dead]

    def _cleared(self, name: str) -> c_ast.Node:
        """A statement that clears a dead local, so that equal states have equal bytes."""
        type_ = self._symbols.resolve(self._locals[name].type)
        if self._symbols.arithmetic(type_) or isinstance(type_, c_ast.PtrDecl):
            return build.assign(build.ident(name), build.number(0))
        whole = c_ast.UnaryOp("&", build.ident(name))
        return build.call("__builtin_memset", whole, build.number(0), c_ast.UnaryOp("sizeof", build.ident(name)))

    def _visible(self, out: list[c_ast.Node], origin: Origin | None, touched: Sequence[c_ast.Node] = ()) -> None:
        """A place before a visible statement: the transition ends there, if it has already made a visible step.

        touched: what the statement touches.
        """
        stop, label = self._stop_at(origin)
        out.append(self._unless_first(stop))
        out.append(label)
        self._ahead.flush(out)
        out.extend(touched)

    def _always(self, out: list[c_ast.Node], origin: Origin | None) -> None:
        """A place that ends every transition that reaches it."""
        stop, label = self._stop_at(origin)
        goes_on = [stop, label, build.assign(build.ident(LEFT), build.number(1))]
        out.extend([c_ast.If(self._outside(), build.block(goes_on), None)] if self._has_sections else goes_on)

    def _unless_first(self, stop: c_ast.Node) -> c_ast.Node:
        """The statement *stop*, made only if the transition has already made a visible step, outside of sections."""
        ends = c_ast.If(build.ident(LEFT), build.assign(build.ident(LEFT), build.number(0)), stop)
        return c_ast.If(self._outside(), build.block([ends]), None) if self._has_sections else ends

    def _outside(self) -> c_ast.Node:
        """The condition that control is outside of any atomic section."""
        return c_ast.BinaryOp("==", build.ident(_DEPTH), build.number(0))

    def _ends(self, cond: c_ast.Node, end: c_ast.Node, out: list[c_ast.Node], origin: Origin | None) -> None:
        """Where *cond*, which uses nothing shared, does not hold, the execution ends with *end*, in a step of its own.

        Other threads may first see what the transition did before.
        """
        stop, label = self._stop_at(origin, seldom=True)
        reports = list(self._ahead.reports)  # made again: they are to be this thread's last ones
        self._ahead.flush(out)
        out.append(build.branch(build.negation(cond), [self._unless_first(stop), label, *reports, end], None, origin))

    # Statements

    def _block(self, nodes: list[c_ast.Node], out: list[c_ast.Node]) -> None:
        for node in nodes:
            self._statement(node, out)

    def _inner(self, node: c_ast.Node | None) -> c_ast.Compound | None:
        return None if node is None else build.rewritten(node, self._statement)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        if build.is_call(node, *step_program.REPORTING):
            if self._ahead.reports or node.name.name == step_program.REPORTING[0]:
                self._ahead.begin(node)
            else:
                out.append(node)
            return
        if build.is_call(node, lexicon.STANDS, lexicon.CHECKS):
            self._ahead.begin(node)
            if node.name.name == lexicon.STANDS and not build.is_constant(node.args.exprs[0], 0):
                self._visible(out, node.coord)  # the thread stands at the mark
            return
        self._now = node
        self._steps.comes_to(node)
        if not isinstance(node, c_ast.Label):  # which has its statement's lines
            out.extend(self._steps.mark(point) for point in self._points.lines(node.coord))
        match node:
            case c_ast.Decl():
                return
            case c_ast.Label():
                self._ahead.flush(out)
                out.append(build.label(node.name, node.coord))
                if user_name(node.name) is not None:
                    self._labels.append(node.name)
                if any(step_program.is_label(node.name, kind) for kind in step_program.Label):
                    self._always(out, node.coord)
                if not isinstance(node.stmt, c_ast.EmptyStatement):
                    self._statement(node.stmt, out)
                return
            case c_ast.Compound():
                self._block(node.block_items or [], out)
                return
            case c_ast.EmptyStatement():
                return
            case c_ast.Assignment():
                self._assignment(node, out)
            case c_ast.FuncCall():
                self._call(node, node, out)
            case c_ast.If():
                self._before(self._unless_mover(node, self._touches.of(node.cond)), out, node.coord)
                out.extend(self._steps.mark(point) for point in self._points.guarded(node))
                out.append(c_ast.If(node.cond, self._inner(node.iftrue), self._inner(node.iffalse), node.coord))
            case c_ast.While():
                self._while(node, out)
            case c_ast.Goto():
                self._ahead.flush(out)
                out.append(node)
            case c_ast.Return():
                self._return(node, out)
            case _:
                raise UnsupportedError(f"a statement of kind {type(node).__name__} is not supported", node.coord)
        self._labels.clear()

    def _unless_mover(self, node: c_ast.Node, touched: list[c_ast.Node]) -> list[c_ast.Node]:
        """What the statement *node* touches, or nothing if that commutes with what others do meanwhile.

        Where two threads touch an object under a lock, they also touch the lock, and an engine sees that.
        """
        return [] if node in self._movers else touched

    def _before(self, touched: list[c_ast.Node], out: list[c_ast.Node], origin: Origin | None) -> None:
        """Insert before a statement a place, if it touches something shared, and the reports of what it touches."""
        if touched or self._ahead.accesses or origin in self._watched:
            self._visible(out, origin, touched)
        else:
            self._ahead.flush(out)

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        if isinstance(node.rvalue, c_ast.FuncCall) and not node.rvalue.name.name.startswith(lexicon.NONDET):
            self._call(node.rvalue, node, out)
            return
        touched = self._touches.of(node.rvalue) + self._touches.of_target(node)
        self._before(self._unless_mover(node, touched), out, node.coord)
        out.append(node)

    def _while(self, node: c_ast.While, out: list[c_ast.Node]) -> None:
        """Loops become jumps. A loop that might go on without a place gets one at its end."""
        self._loops += 1
        head, end = f"__cs_loop_{self._loops}", f"__cs_end_of_loop_{self._loops}"
        self._ahead.flush(out)
        out.append(build.label(head))
        cond = self._ahead.condition(node.cond)
        touched = self._unless_mover(node, self._touches.of(cond))
        marked = bool(self._ahead.accesses)
        self._before(touched, out, node.coord)
        out.append(build.jump_if(build.negation(cond), end, node.coord))
        inner = self._inner(node.stmt)
        assert inner is not None
        out.append(inner)
        if not touched and not marked:
            self._now = node
            stop, label = self._stop_at(node.coord, seldom=True)
            out.append(c_ast.If(build.call("__CSEQ_tired"), stop, None))
            out.append(label)
        out.append(build.goto(head))
        out.append(build.label(end))

    def _call(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Translate a statement that is a call, or the assignment of a call's result."""
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        match name:
            case lexicon.BEGINS | lexicon.ENDS if self._memory:
                self._life(arguments[0].expr, name == lexicon.ENDS, out)
            case lexicon.ACCESS | lexicon.BEGINS | lexicon.ENDS | lexicon.DEMAND:
                return
            case lexicon.COARSE:
                self._coarse(node, out)
            case lexicon.STOP:
                self._stop(out, node.coord)
            case lexicon.EXIT:
                self._exit(arguments[0], out, node.coord)
            case lexicon.ATOMIC_BEGIN:
                self._visible(out, node.coord)
                out.append(c_ast.UnaryOp("++", build.ident(_DEPTH)))
            case lexicon.ATOMIC_END:
                self._ahead.flush(out)
                out.append(c_ast.UnaryOp("--", build.ident(_DEPTH)))
            case lexicon.ASSERT | lexicon.ASSUME | cuts.UNWOUND:
                self._claim(call, out)
            case lexicon.CREATE:
                self._create(call, node, out)
            case _:
                if name == lexicon.SAMPLED:
                    cut = Cut.of(build.text(arguments[1]))
                    self._steps.bounds.setdefault(cut, Bound.of(cut))
                if name in primitives.DESTRUCTORS:
                    self._steps.keys += 1
                waits = stubs.may_wait(name)
                if waits and self._stops_to_wait:
                    self._always(out, node.coord)
                touched = self._touches.of_call(call)
                if isinstance(node, c_ast.Assignment):
                    touched = touched + self._touches.of_target(node)
                if node in self._movers:  # what it releases or wakes has to be known: others may wait for it
                    self._before([], out, node.coord)
                    out.extend(touched)
                elif waits:  # what the transition did before has been done, even if the thread never goes on
                    self._visible(out, node.coord, touched)
                else:
                    self._before(touched, out, node.coord)
                out.append(node)

    def _life(self, target: c_ast.ID, ends: bool, out: list[c_ast.Node]) -> None:
        """The life of a local begins, or ends, which others notice that have a pointer to it."""
        if target.name not in self._locals or target.name in self._liveness.locals:
            return
        ended = self.ended.setdefault(target.name, f"__cs_ended_{target.name}")
        mark = build.assign(target, build.number(0))
        self._before(self._touches.of_target(mark), out, None)
        out.append(build.assign(build.ident(ended), build.number(int(ends))))
        out.append(build.call("__CSEQ_changes", c_ast.UnaryOp("&", target)))

    def _claim(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """Translate an assertion, an assumption, or a bound."""
        name, given = node.name.name, node
        cond, *message = node.args.exprs
        if name == cuts.UNWOUND:
            cut = cuts.of(node)
            self._steps.bounds.setdefault(cut, Bound.of(cut, node.coord and node.coord.plain()))
        claimed = name == lexicon.ASSERT and self._claims.has(message[0])
        if name == lexicon.ASSERT and not claimed:
            node = build.call(lexicon.ASSUME, cond, origin=node.coord)
        assumed = self._points.assumption(given) if name == lexicon.ASSUME else None
        touched = self._touches.of(cond)
        if touched or claimed or node.coord in self._watched:
            self._before(self._unless_mover(given, touched) if claimed else touched, out, node.coord)
            self._mark(self._points.claim(given) if claimed else assumed, out)
            out.append(node)
        else:
            self._mark(assumed, out)
            end = rebuilt(node, args=c_ast.ExprList([build.number(0), *node.args.exprs[1:]]))
            self._ends(cond, end, out, node.coord)
        self._mark(assumed, out, passed=True)

    def _mark(self, point: Point | None, out: list[c_ast.Node], passed: bool = False) -> None:
        if point is not None:
            out.append(self._steps.mark(point, passed))

    def _coarse(self, node: Any, out: list[c_ast.Node]) -> None:
        cut = Cut(Limit.GRAIN, 1, node.args.exprs[0].value[1:-1])
        self._steps.bounds.setdefault(cut, Bound.of(cut, node.coord))
        out.append(build.call("__CSEQ_noted", build.string(cut.key), origin=node.coord))

    def _create(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Create a thread: it gets the next number, and begins at the entry of its start function."""
        thread, attr, start, argument = call.args.exprs
        cut = Cut(Limit.THREADS, self._steps.most_threads - 1)
        self._steps.bounds.setdefault(cut, Bound.of(cut, node.coord))
        created = build.call("__CSEQ_new_thread", build.string(cut.key))
        step = build.call(lexicon.CREATE_STEP, thread, attr, created, argument, origin=call.coord)
        touched = self._touches.of_creation(call)
        if isinstance(node, c_ast.Assignment):
            touched = touched + self._touches.of_target(node)
        self._before(touched, out, node.coord)
        out.append(rebuilt(node, rvalue=step) if isinstance(node, c_ast.Assignment) else step)
        # After the call, which refuses an identifier that is not stored in an object.
        begins = build.call("__CSEQ_starts", c_ast.ID(step_program.entry_name(start.name)))
        out.append(begins)
        self._mark(self._points.creation(call), out)

    def _return(self, node: c_ast.Return, out: list[c_ast.Node]) -> None:
        if self.is_main:
            self._before(self._touches.of(node.expr), out, node.coord)
            self._stop(out, node.coord, returns=True)
        else:
            self._exit(node.expr, out, node.coord)

    def _stop(self, out: list[c_ast.Node], origin: Origin | None, returns: bool = False) -> None:
        """End the process. returns: because main returns."""
        # Twice, as the explorer takes the end of the process by itself for one that nothing depends on.
        self._before([self._touches.everything()] * (2 if self._memory else 1), out, origin)
        if self._memory:
            out.append(build.call(lexicon.PROCESS_ENDS, build.number(int(returns)), build.string(LEAK)))
        out.append(build.call("__CSEQ_exit", origin=origin))

    def _dying(self) -> list[c_ast.Node]:
        """What the end of the thread touches because its locals end, where that matters."""
        names = [name for name in self._locals if self._memory and name not in self._liveness.locals]
        marks = [build.assign(build.ident(name), build.number(0)) for name in names]
        return [touch for mark in marks for touch in self._touches.of_target(mark)]

    def _exit(self, value: c_ast.Node | None, out: list[c_ast.Node], origin: Origin | None) -> None:
        """End the thread."""
        if lexicon.END_STEP not in self._symbols.functions:
            self._stop(out, origin)  # a cleanup handler of a program that does not end threads
            return
        fits = value is not None and fits_a_pointer(self._symbols, self._symbols.value_type(value))
        result = value if fits and value is not None else build.number(0)
        pointer = c_ast.Cast(build.typename(pointer_to(basic("void"))), result)
        self._before([*self._touches.of(value), self._touches.of_end(), *self._dying()], out, origin)
        if not fits and self._steps.reads_results:
            text = f"what a thread with the start function `{user_name(self.name)}` returns may not be defined"
            out.append(build.call("__CSEQ_refuse", build.string(text), origin=origin))
        out.append(build.call(lexicon.END_STEP, pointer, origin=origin))
        self._cleanings.append([])
        out.append(c_ast.Compound(self._cleanings[-1]))
        here = c_ast.ArrayRef(build.ident(step_program.AT), build.ident(lexicon.THREAD))
        out.append(build.assign(here, build.number(0)))
        if self._memory:
            out.append(build.call("__CSEQ_thread_ended", build.ident(lexicon.THREAD), build.string(LEAK)))
        out.append(c_ast.Return(None))
