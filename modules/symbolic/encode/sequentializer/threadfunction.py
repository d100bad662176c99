"""A thread instance as a function that resumes where it was switched out."""

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.model.verdict import Bound
from cseq.modules.analysis import cuts
from cseq.modules.analysis.initializers import undefined
from cseq.modules.analysis.lifetimes import dying
from cseq.modules.analysis.movers import Movers
from cseq.modules.analysis.threadends import fits_a_pointer, result
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon, primitives
from cseq.modules.library.assertions import ALL, Claims
from cseq.modules.symbolic.encode.sequentializer.resume import ends_from, skips
from cseq.pipeline.translator import Translator, rebuilt

MAIN = "main__cs0"
"""The function that main, as a thread, becomes; the others have the names of the instances of their functions."""
_EITHER = -1
"""The depth of atomic sections if it depends on the path that control took."""


def asserted(cond: c_ast.Node, message: c_ast.Node, origin: Origin | None, claims: Claims) -> list[c_ast.Node]:
    """An assertion, after which the execution only continues if it holds.

    claims: says whether the assertion is claimed; otherwise something else is checked, and it is assumed.
    """
    if build.is_constant(cond, 1):
        return []
    granted = build.call(lexicon.ASSUME, cond, origin=origin)
    return [build.call(lexicon.ASSERT, cond, message, origin=origin), granted] if claims.has(message) else [granted]


class ThreadFunction:
    """One thread instance, with control code.

    A statement after a mark (``lexicon.STANDS``, see `modules/analysis/marks.py`) gets a label of its own. The contents
    of the mark are executed if the driver asks the thread what it is about to execute. A call of ours that is to be
    part of the next statement's step is an argument of ``lexicon.AHEAD``. The arguments after it are what to do if it
    does not return 0; after that the thread does nothing more.

    claims: which of the program's assertions are checked. limited: whether the driver says, where each context begins
        and ends, at least and at most (see `resume.py`).
    number: in the order of creation; main is 0. size: the number of labels.
    bounds: where ``__CSEQ_unwound`` cuts its executions off. keys: where it creates keys of thread-specific data.
    """

    def __init__(
        self,
        node: c_ast.FuncDef,
        numbers: dict[str, int],
        symbols: Symbols,
        visibility: Visibility,
        atomic_flag: bool = False,
        claims: Claims = ALL,
        lifetimes: bool = False,
        movers: Movers | None = None,
        limited: bool = False,
    ) -> None:
        self.name = node.decl.name
        self.number = numbers[self.name]
        self.called = MAIN if self.number == 0 else self.name
        self.pc, self.cs = f"__cs_pc_{self.number}", f"__cs_cs_{self.number}"
        self.bounds: list[Bound] = []
        self.keys: list[Origin | None] = []
        self.needs_atomic_flag = False
        self._atomic_flag = atomic_flag
        self._claims = claims
        self._lifetimes = lifetimes
        self._limited = limited
        self._movers = movers if movers is not None else Movers()
        self._dying: list[c_ast.Node] = []
        self._numbers = numbers
        self._symbols = symbols
        self._visibility = visibility
        self._counts: dict[tuple[int, int], int] = {}
        self._labels = 0
        self._stays = 0  # the number of labels at which a thread that is switched out stays
        self._alone = self.number == 0  # until main creates a thread, no thread can notice anything
        self._first = True
        self._labelled: tuple[list[c_ast.Node], int] | None = None  # where the next statement already has a label
        self._stand_actions: list[c_ast.Node] = []  # what to do if the thread stands at a label
        self._atomic = 0  # the number of atomic sections around the statement, or _EITHER
        self._jumps: dict[str, tuple[int, int]] = {}  # label → the count of labels, and the section, at its first goto
        self._exits = False
        self._stops = 0  # the number of places where it may stand for good
        self.function = self._translated(node)

    @property
    def is_marked(self) -> bool:
        """Whether there is any place where the thread can report that it stands."""
        return bool(self._stand_actions)

    @property
    def size(self) -> int:
        """The number of labels: also the value of the program counter when the thread has ended."""
        return self._labels

    @property
    def steps(self) -> int:
        """The number of labels from which the thread can continue, which is the most contexts that it can have."""
        return self._labels - self._stays

    @property
    def width(self) -> int:
        """The number of bits that the thread's control variables need."""
        return self.size.bit_length()

    def _label(self, number: int) -> str:
        return f"__cs_{self.number}_{number}"

    def _translated(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        items = node.body.block_items or []
        declarations = [rebuilt(item, storage=["static"]) for item in items if isinstance(item, c_ast.Decl)]
        out: list[c_ast.Node] = []
        self._switch_point(out)
        for position, parameter in enumerate(node.decl.type.args.params if node.decl.type.args else []):
            if isinstance(parameter, c_ast.Decl) and parameter.name:
                type_ = self._symbols.unqualified(parameter.type)
                declarations.append(build.declare(parameter.name, type_, storage=["static"]))
                out.extend(self._argument(position, parameter.name, type_))
        if self._lifetimes:
            self._dying = dying(self._visibility, declarations)
        falls_through = self._block([item for item in items if not isinstance(item, c_ast.Decl)], out)
        self._end(out, falls_through)
        if self._stand_actions:
            out.insert(0, build.jump_if(build.ident(lexicon.STANDING), f"__cs_standing_{self.number}"))
            out.extend(self._standing_section())
        void = c_ast.TypeDecl(self.called, [], None, c_ast.IdentifierType(["void"]))
        nothing = c_ast.ParamList([build.typename(c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["void"])))])
        declarator = c_ast.FuncDecl(nothing, void)
        decl = c_ast.Decl(self.called, [], [], ["static"], [], declarator, None, None, coord=node.decl.coord)
        return c_ast.FuncDef(decl, None, c_ast.Compound(declarations + out), node.coord)

    def _argument(self, position: int, name: str, type_: c_ast.Node) -> list[c_ast.Node]:
        """The value of a parameter of the start function: pthread_create's argument, or any value."""
        target = build.ident(name)
        if position > 0 or not fits_a_pointer(self._symbols, type_):
            return undefined(self._symbols, target, type_, None)
        argument = c_ast.ArrayRef(build.ident("__cs_argument"), build.number(self.number))
        return [build.assign(target, c_ast.Cast(build.typename(build.renamed(type_, None)), argument))]

    def _end(self, out: list[c_ast.Node], falls_through: bool) -> None:
        """The end of the thread: reached by falling through, by jumps, and by skipping all statements."""
        if falls_through:
            if self.number == 0:
                self._stop(None, out, returns=True)
            else:
                out.append(build.call(lexicon.END_STEP, result(self._symbols, None)))
                out.extend(self._dying)
        if self._exits:
            out.append(build.label(f"__cs_exit_{self.number}"))
            out.append(self._guard())
        out.append(build.label(self._label(self._labels)))

    def _standing_section(self) -> list[c_ast.Node]:
        """The code that runs when the driver asks what the thread is about to execute, after all rounds.

        The execution ends if the thread is at no mark: then it is not the thread that was asked for.
        """
        return [
            build.goto(f"__cs_stood_{self.number}"),
            build.label(f"__cs_standing_{self.number}"),
            *self._stand_actions,
            build.call(lexicon.ASSUME, build.number(0)),
            build.label(f"__cs_stood_{self.number}"),
        ]

    # Context switches

    def _switch_point(self, out: list[c_ast.Node], origin: Origin | None = None, stays: bool = False) -> None:
        """A label at which the thread can be switched out and in: it is skipped unless the next step is to be made now.

        stays: whether the thread can only be switched out there, for ever.
        """
        number = self._labels
        self._labels += 1
        skip = build.jump_if(skips(self.pc, self.cs, number, self._limited), self._label(number + 1), origin)
        out.append(c_ast.Label(self._label(number), skip, origin))
        if stays:
            self._stays += 1
            out.append(build.call(lexicon.ASSUME, c_ast.BinaryOp("!=", build.ident(self.pc), build.number(number))))

    def _guard(self, labels: int | None = None) -> c_ast.Node:
        """An assumption after labels that control may have skipped: the thread was not switched out at one of them.

        labels: the number of labels up to there; None for all so far.
        """
        known = self._labels if labels is None else labels
        return build.call(lexicon.ASSUME, ends_from(self.cs, known, self._limited))

    def _before_visible(
        self, out: list[c_ast.Node], origin: Origin | None, top: bool, node: c_ast.Node | None = None
    ) -> None:
        """Called before each statement that others can notice. node: the statement, if it may be a mover."""
        if self._labelled is not None and self._labelled[0] is out and self._labelled[1] == len(out):
            return
        if self._alone or self._atomic > 0 or (node is not None and node in self._movers):
            return
        if self._first and top:
            self._first = False  # the first step includes invisible statements before it
            return
        self._first = False
        self._switch_point(out, origin)

    # Statements

    def _block(self, nodes: list[c_ast.Node], out: list[c_ast.Node], top: bool = True) -> bool:
        """Translate a list of statements. Returns False if control cannot reach its end."""
        reachable = True
        for node in nodes:
            if isinstance(node, c_ast.Label):
                reachable = self._target(node, out, reachable)
            elif reachable or self._has_target(node):
                reachable = self._statement(node, out, top)
        return reachable

    def _has_target(self, node: c_ast.Node) -> bool:
        """Whether some jump leads into the block *node*, which is otherwise unreachable."""
        match node:
            case c_ast.Label():
                return node.name in self._jumps
            case c_ast.Compound():
                return any(self._has_target(item) for item in node.block_items or [])
            case c_ast.If():
                return any(self._has_target(part) for part in (node.iftrue, node.iffalse) if part is not None)
        return False

    def _target(self, node: c_ast.Label, out: list[c_ast.Node], reachable: bool) -> bool:
        jump = self._jumps.get(node.name)
        if jump is None:
            return reachable
        labels, section = jump
        self._merge(section if not reachable else self._atomic, section)
        out.append(build.label(node.name, node.coord))
        if labels < self._labels:
            out.append(self._guard())
        self._first = False
        return True

    def _merge(self, one: int, other: int) -> None:
        self._atomic = one if one == other else _EITHER
        if one != other:
            self.needs_atomic_flag = True

    def _jump(self, name: str) -> None:
        labels, section = self._jumps.get(name, (self._labels, self._atomic))
        if section != self._atomic:
            section = _EITHER
            self.needs_atomic_flag = True
        self._jumps[name] = (labels, section)

    def _statement(self, node: c_ast.Node, out: list[c_ast.Node], top: bool) -> bool:
        match node:
            case c_ast.Assignment():
                return self._assignment(node, out, top)
            case c_ast.FuncCall():
                return self._call(node, out, top)
            case c_ast.If():
                return self._if(node, out, top)
            case c_ast.Goto():
                self._jump(node.name)
                out.append(node)
                return False
            case c_ast.Return():
                return self._return(node, out, top)
            case c_ast.Compound():
                return self._block(node.block_items or [], out, top)
        raise Translator.unsupported(None, f"a statement of kind {type(node).__name__} after unrolling", node)  # type: ignore[arg-type]

    def _loads(self, node: c_ast.Node | None) -> int:
        key = (id(node), 0)
        if key not in self._counts:
            self._counts[key] = self._visibility.count(node)
        return self._counts[key]

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node], top: bool) -> bool:
        if isinstance(node.rvalue, c_ast.FuncCall) and not node.rvalue.name.name.startswith(lexicon.NONDET):
            visible = self._is_visible_call(node.rvalue) or self._visibility.is_visible(node.lvalue)
            if visible:
                self._before_visible(out, node.coord, top, node)
            out.append(rebuilt(node, rvalue=self._created(node.rvalue)))
            return True
        key = (id(node.lvalue), 1)
        if key not in self._counts:
            self._counts[key] = self._visibility.is_visible(node.lvalue) + sum(
                1 for _ in self._visibility.address_loads(node.lvalue)
            )
        if self._counts[key] or self._loads(node.rvalue):
            self._before_visible(out, node.coord, top, node)
        out.append(node)
        return True

    def _created(self, call: c_ast.FuncCall) -> c_ast.FuncCall:
        """The step that replaces pthread_create: the start function is identified by the thread's number."""
        if call.name.name != lexicon.CREATE:
            return call
        thread, attr, start, argument = call.args.exprs
        self._alone = self._first = False
        number = build.number(self._numbers[start.name])
        return build.call(lexicon.CREATE_STEP, thread, attr, number, argument, origin=call.coord)

    def _is_visible_call(self, call: c_ast.FuncCall) -> bool:
        name = call.name.name
        if name in primitives.DESTRUCTORS:
            self.keys.append(call.coord)
        if name in lexicon.LOCAL:
            return False
        if lexicon.is_contained(name):
            return any(map(self._visibility.reaches_others, call.args.exprs if call.args else []))
        return True

    def _call(self, node: c_ast.FuncCall, out: list[c_ast.Node], top: bool) -> bool:
        name = node.name.name
        if name == lexicon.STOP:
            self._stop(node.coord, out)
            return False
        if name == lexicon.EXIT:
            out.append(build.call(lexicon.END_STEP, node.args.exprs[0], origin=node.coord))
            out.extend(self._dying)
            return self._exit(node.coord, out)
        if name == lexicon.STANDS:
            self._mark(node, out)
            return True
        if name == lexicon.ACCESS:
            return True
        if name == lexicon.AHEAD:
            self._ahead(node, out, top)
            return True
        if name == lexicon.COARSE:
            if not self._alone and self._atomic <= 0:
                what = Cut(Limit.GRAIN, 1, node.args.exprs[0].value[1:-1])
                self.bounds.append(Bound.of(what, node.coord))
            return True
        if name in (lexicon.BEGINS, lexicon.ENDS, lexicon.DEMAND):
            out.append(node)
            return True
        if name == lexicon.ATOMIC_BEGIN:
            self._before_visible(out, node.coord, top)
            self._section(1, node, out)
            return True
        if name == lexicon.ATOMIC_END:
            self._section(-1, node, out)
            return True
        if name == cuts.UNWOUND:
            self._before_visible(out, node.coord, top)
            self._note_bound(node)
            out.append(node)
            return not build.is_constant(node.args.exprs[0], 0)
        if name in (lexicon.ASSERT, lexicon.ASSUME):
            # A failing assumption ends the execution. What was done before it must first be visible to others.
            cond, *message = node.args.exprs
            if name == lexicon.ASSUME or not self._claims.has(message[0]):
                self._before_visible(out, node.coord, top)
            elif self._loads(cond):
                self._before_visible(out, node.coord, top, node)
            out.extend(asserted(cond, message[0], node.coord, self._claims) if message else [node])
            return not build.is_constant(node.args.exprs[0], 0)
        whole = name in lexicon.WHOLE
        if self._visibility.is_visible(_object(node.args.exprs[0])) if whole else self._is_visible_call(node):
            self._before_visible(out, node.coord, top, node)
        out.append(self._created(node))
        return True

    def _mark(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """A label before the next statement, and what to do if the thread stands there.

        Inside an atomic section a thread can only stand if no other goes on: the driver ensures that.
        """
        always, in_section, stays, *actions = node.args.exprs
        if self._alone and build.is_constant(always, 0):
            return
        if self._atomic and in_section.value != '""':
            self.bounds.append(Bound.of(Cut.of(build.text(in_section)), node.coord))
            return
        if self._atomic:
            self.needs_atomic_flag = True
        here = c_ast.BinaryOp("==", build.ident(self.pc), build.number(self._labels))
        # The label has the place, for the replay; nothing after it is a step of the program.
        place = build.label(f"{lexicon.STANDS_AT}{self.number}_{self._labels}", node.coord)
        actions = [rebuilt(action, coord=None) for action in actions]
        if self._atomic > 0:
            actions.insert(0, build.assign(build.ident(lexicon.STANDING), build.number(lexicon.INSIDE)))
        self._stand_actions.append(build.branch(here, [place, *actions, build.goto(f"__cs_stood_{self.number}")]))
        self._first = False
        # The rest of a section is one step with what comes before it: a thread switched out in between only stands
        # there. The same holds for a thread switched out while no other exists: it makes no difference when it goes on.
        only_stands = self._atomic > 0 or self._alone or not build.is_constant(stays, 0)
        self._switch_point(out, node.coord, stays=only_stands)
        self._labelled = (out, len(out))

    def _ahead(self, node: c_ast.FuncCall, out: list[c_ast.Node], top: bool) -> None:
        """A call of ours, made first in the next statement's step, and what to do if it does not return 0.

        In that case the thread stays there for good: it does nothing more, as if it had ended, but to others it has not
        ended.
        """
        condition, *actions = node.args.exprs
        self._before_visible(out, node.coord, top)
        if actions and self._atomic <= 0:  # An atomic section in which the thread stops never begins.
            if self._atomic:
                outside = c_ast.BinaryOp("==", build.ident("__cs_atomic"), build.number(0))
                condition = c_ast.BinaryOp("&&", condition, outside)
            place = build.label(f"{lexicon.STANDS_AT}{self.number}_for_good_{self._stops}", node.coord)
            condition = build.branch(condition, [place, *actions, build.goto(f"__cs_exit_{self.number}")])
            self._exits = True
            self._stops += 1
        out.append(condition)
        self._labelled = (out, len(out))

    def _note_bound(self, node: c_ast.FuncCall) -> None:
        cut = cuts.of(node)
        certain = build.is_constant(node.args.exprs[0], 0) and cut.limit is Limit.COUNTED
        self.bounds.append(Bound.of(cut, node.coord, certain))

    def _section(self, change: int, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Enter or leave an atomic section; sections may be nested."""
        if self._atomic != _EITHER:
            self._atomic = max(self._atomic + change, 0)
        if self._atomic_flag:
            flag = build.ident("__cs_atomic")
            value = c_ast.BinaryOp("+" if change > 0 else "-", flag, build.number(1))
            out.append(build.assign(flag, value, node.coord))

    def _if(self, node: c_ast.If, out: list[c_ast.Node], top: bool) -> bool:
        if self._loads(node.cond):
            self._before_visible(out, node.coord, top, node)
        if isinstance(node.iftrue, c_ast.Goto) and node.iffalse is None:
            self._jump(node.iftrue.name)
            out.append(node)
            return True
        start, section = self._labels, self._atomic
        alone = self._alone
        then: list[c_ast.Node] = []
        then_reachable = self._block([node.iftrue], then, top=False)
        middle, then_section, then_alone = self._labels, self._atomic, self._alone
        self._atomic = section
        otherwise: list[c_ast.Node] = []
        else_reachable = True
        if node.iffalse is not None:
            else_reachable = self._block([node.iffalse], otherwise, top=False)
            if start < middle < self._labels:
                otherwise.insert(0, self._guard(middle))
        self._alone = alone and then_alone and self._alone
        out.append(build.branch(node.cond, then, otherwise or None, node.coord))
        if start < self._labels and (then_reachable or else_reachable):
            out.append(self._guard())
        if start < self._labels:
            self._first = False
        if then_reachable and else_reachable:
            self._merge(then_section, self._atomic)
        elif then_reachable:
            self._atomic = then_section
        return then_reachable or else_reachable

    def _return(self, node: c_ast.Return, out: list[c_ast.Node], top: bool) -> bool:
        if self.number == 0:
            if self._loads(node.expr):
                self._before_visible(out, node.coord, top)
            self._stop(node.coord, out, returns=True)
            return False
        if self._loads(node.expr):
            self._before_visible(out, node.coord, top)
        out.append(build.call(lexicon.END_STEP, result(self._symbols, node.expr), origin=node.coord))
        out.extend(self._dying)
        return self._exit(node.coord, out)

    def _exit(self, origin: Origin | None, out: list[c_ast.Node]) -> bool:
        self._exits = True
        if self._atomic_flag and self._atomic:
            out.append(build.assign(build.ident("__cs_atomic"), build.number(0), origin))
        out.append(build.goto(f"__cs_exit_{self.number}", origin))
        return False

    def _stop(self, origin: Origin | None, out: list[c_ast.Node], returns: bool = False) -> None:
        """The end of the process. It is a step of its own because it is visible: the other threads end with it.

        returns: whether main returns, which ends the lifetimes of its locals.
        """
        if not self._alone and self._atomic <= 0:
            self._first = False
            self._switch_point(out, origin)
        if self._lifetimes:
            out.append(build.call(lexicon.PROCESS_ENDS, build.number(int(returns)), origin=origin))
        out.append(build.call(lexicon.ASSUME, build.number(0), origin=origin))


def _object(node: c_ast.Node) -> c_ast.Node:
    """The object that ``&x`` or the array ``x`` refers to."""
    return node.expr if isinstance(node, c_ast.UnaryOp) and node.op == "&" else node
