"""Report the accesses of a step program to the monitor of robustness, with their memory orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.backends.native import EXPLORER
from cseq.c import Printer, build
from cseq.c.symbols import Symbols
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.dataflow import LimitReachedError
from cseq.modules.analysis.marks import is_thread
from cseq.modules.analysis.robustness import SYNCHRONISES, StaticRobustness
from cseq.modules.analysis.step_orders import GIVES, LOOKS, STEP_ORDERS, TAKES
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Instruction, Order
from cseq.modules.ir.lower import lower
from cseq.modules.ir.program import SectionKind
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import REUSING
from cseq.options.memory_models import ROBUSTNESS
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.translator import Translator, rebuilt

MONITORED = Fact[dict[str, int]]("monitored")
"""The settings of the monitor, by the names that it has for them."""

LOST = Cut(Limit.WEAK_ORDERS)
"""What cuts off an execution that may be one that is not sequentially consistent."""

MOST_THREADS = 16
_MOST_LOCATIONS = 40
_ELSEWHERE = 12
"""How many locations there may be behind pointers."""
_POINTER = 8

_UPDATES = frozenset({
    "pthread_mutex_lock", "mtx_lock", "pthread_spin_lock", "sem_wait", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
    "pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock", "sem_post", "pthread_rwlock_unlock",
    "pthread_cond_signal", "cnd_signal", "pthread_cond_broadcast", "cnd_broadcast",
})  # fmt: skip
_STEPS: dict[str, tuple[Order, ...]] = {
    **{name: STEP_ORDERS[name][:1] for name in _UPDATES},
    **dict.fromkeys(("__cs_step_cond_sleep", "__cs_step_cnd_sleep"), (LOOKS[0], GIVES[0])),
    **dict.fromkeys(("__cs_step_cond_wake", "__cs_step_cnd_wake"), (LOOKS[0], TAKES[0])),
}
"""Functions that are updates of the objects that their first arguments point to, with the orders of the updates.

None of them fails, where mutexes are of the usual type. Attempts that may fail only read then: they are not followed.
"""

_JOINS = frozenset({"pthread_join", "thrd_join"})
_NOTHING = frozenset({"sched_yield", "thrd_yield", "malloc", "pthread_self", "thrd_current", "sleep", "usleep"})
_PREFIX = "__cs_robust_"
_TYPE = "__cs_type"
"""The member of a mutex that says whether it is one of the usual type."""


class RobustnessMonitor(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with calls before accesses.

    The calls are those of `backends/explorer/program/robustness.h`, which has the argument. What the static argument
    knows to be harmless is not reported: what is under one lock or of one thread, and counters. Refuses what the
    monitor does not follow.
    """

    takes = (ROBUSTNESS,)
    monitored = Gives(MONITORED)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Report the accesses in the functions of threads. Raises UnsupportedError."""
        if self.context.model.pointer != _POINTER:
            raise UnsupportedError("the monitor of robustness does not support programs for 32 bits", None)
        nodes = [rebuilt(node, body=_rotated(node.body)) if is_thread(node) else node for node in tree.ext]
        tree = c_ast.FileAST(nodes)
        symbols = Symbols(tree, self.context.model)
        visibility = Visibility(symbols, tree)
        try:
            argument = StaticRobustness(lower(tree, symbols, visibility))
        except LimitReachedError:
            raise UnsupportedError("the program is too long for the monitor of robustness", None) from None
        reporter = _Reporter(symbols, visibility, argument)
        made = [rebuilt(node, body=reporter.block(node.body)) if is_thread(node) else node for node in tree.ext]
        self.monitored = reporter.settings()
        return c_ast.FileAST(made)


class _Reporter:
    """Puts calls for the monitor before the accesses of threads."""

    def __init__(self, symbols: Symbols, visibility: Visibility, argument: StaticRobustness) -> None:
        self._symbols = symbols
        self._visibility = visibility
        self._argument = argument
        self._program = argument.program
        self._roots: dict[str, int] = {}
        self._is_elsewhere = False
        self._has = dict.fromkeys(("FENCES", "SC_FENCES", "SC", "PLAIN", "HEAP"), False)
        self._writes: set[bool] = set()  # whether they release
        self._plain = [each.number for each in argument.instructions if self._is_plain(each)]

    def settings(self) -> dict[str, int]:
        """The settings of the monitor."""
        locations = sum(self._roots.values()) + (_ELSEWHERE if self._is_elsewhere else 0)
        settings = {name: int(has) for name, has in self._has.items()}
        settings["SEQUENCES"] = int(len(self._writes) > 1)
        return {"LOCATIONS": min(max(locations, 1), _MOST_LOCATIONS), **settings}

    def _is_plain(self, instruction: Instruction) -> bool:
        """Whether it makes an access that is not atomic, and counts."""
        access = instruction.access
        if self._argument.is_harmless(instruction) or isinstance(instruction, ir.Call):
            return False
        return access is None or (access.kind is not AccessKind.CALL and not access.is_atomic)

    # Statements

    def block(self, node: c_ast.Node) -> c_ast.Compound:
        """The same with calls before the statements."""
        out: list[c_ast.Node] = []
        nodes = build.statements(node)
        position = 0
        while position < len(nodes):
            each: Any = nodes[position]
            if build.is_call(each, lexicon.ATOMIC_BEGIN):
                end = next(
                    (n for n in range(position, len(nodes)) if build.is_call(nodes[n], lexicon.ATOMIC_END)), None
                )
                if end is None:
                    raise self._refused("an atomic section", each)
                self._section(nodes[position : end + 1], out)
                position = end + 1
            else:
                self._statement(each, out)
                position += 1
        return c_ast.Compound(out, node.coord)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.If():
                self._report(self._accesses(node, self._visibility.loads(node.cond)), out)
                if not isinstance(node.iftrue, c_ast.Goto):
                    otherwise = None if node.iffalse is None else self.block(node.iffalse)
                    node = rebuilt(node, iftrue=self.block(node.iftrue), iffalse=otherwise)
            case c_ast.While():
                calls = self._accesses(node, self._visibility.loads(node.cond))
                cond = c_ast.ExprList([*calls, node.cond]) if calls else node.cond
                node = rebuilt(node, cond=cond, stmt=self.block(node.stmt))
            case c_ast.Label() if not isinstance(node.stmt, c_ast.EmptyStatement):
                out.append(rebuilt(node, stmt=c_ast.EmptyStatement()))
                self._statement(node.stmt, out)
                return
            case c_ast.Compound():
                node = self.block(node)
            case c_ast.Assignment(rvalue=c_ast.FuncCall()):
                self._call(node.rvalue, node, out)
                return
            case c_ast.FuncCall():
                self._call(node, node, out)
                return
            case c_ast.Assignment():
                self._report(self._accesses(node, self._visibility.loads(node.rvalue), node.lvalue), out)
            case c_ast.Return():
                self._report(self._accesses(node, self._visibility.loads(node.expr)), out)
        out.append(node)

    @staticmethod
    def _report(calls: list[c_ast.Node], out: list[c_ast.Node]) -> None:
        if calls:
            out.append(build.call(lexicon.CHECKS, *calls))

    def _accesses(
        self, node: c_ast.Node, loads: Iterable[c_ast.Node], target: c_ast.Node | None = None
    ) -> list[c_ast.Node]:
        """The calls for the accesses of the statement *node*, which loads *loads* and stores to *target*."""
        instructions = self._instructions(node)
        if all(map(self._argument.is_harmless, instructions)):
            return []
        found = [(load, "load") for load in loads]
        if target is not None:
            found += [(load, "load") for load in self._visibility.address_loads(target)]
            if self._visibility.is_visible(target):
                found.append((target, "store"))
        if not found:
            return []
        if len(found) > 1 or any(each.grain is not None for each in instructions):
            raise self._refused("a statement of several accesses", node)
        place, kind = found[0]
        orders = {each.access.order for each in instructions if each.access is not None}
        order = orders.pop() if len(orders) == 1 else Order.PLAIN
        return [self._access(kind, place, order, self._meets_plain(instructions))]

    def _access(self, kind: str, place: Any, order: Order, races: bool) -> c_ast.Node:
        """The call for an access to *place*."""
        if self._symbols.bit_field(place) is not None:
            raise self._refused("a bit-field", place)
        self._note_place(place)
        self._has["SC"] |= order is Order.SEQ_CST
        self._has["PLAIN"] |= races
        if kind != "load" and order is not Order.PLAIN:
            self._writes.add(order >= Order.RELEASE)
        return self._called(kind, place, int(order), int(races))

    @staticmethod
    def _called(kind: str, place: Any, *numbers: int) -> c_ast.FuncCall:
        where = c_ast.UnaryOp("&", place), c_ast.UnaryOp("sizeof", place)
        return build.call(_PREFIX + kind, *where, *map(build.number, numbers))

    def _note_place(self, place: Any) -> None:
        """Note how many locations there are where *place* is."""
        cells = 1
        while not isinstance(place, c_ast.ID):
            match place:
                case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(place.name)):
                    type_: Any = self._symbols.resolve(self._symbols.type_of(place.name))
                    cells *= self._symbols.constant_or_none(type_.dim) or _ELSEWHERE
                    place = place.name
                case c_ast.StructRef(type="."):
                    cells += 1
                    place = place.name
                case _:
                    self._is_elsewhere = True
                    return
        self._roots[place.name] = max(self._roots.get(place.name, 0), cells)

    def _instructions(self, node: c_ast.Node) -> list[Instruction]:
        return [self._program.instructions[number] for number in self._program.numbers.get(id(node), ())]

    def _meets_plain(self, instructions: Iterable[Instruction]) -> bool:
        """Whether another access to the same memory may not be atomic."""
        movers = self._argument.movers
        if not movers.finds_any:
            return bool(self._plain)
        return any(movers.may_meet(each.number, plain) for each in instructions for plain in self._plain)

    # Sections

    def _section(self, nodes: list[c_ast.Node], out: list[c_ast.Node]) -> None:
        """An atomic section: a fence, or an update, which may be under a condition."""
        begin = self._instructions(nodes[0])
        opens = next((each.opens for each in begin if isinstance(each, ir.Begin)), None)
        section = None if opens is None else self._program.sections[opens]
        access = None if section is None else section.access
        inside = [each for node in nodes[1:-1] for part in build.walk(node) for each in self._instructions(part)]
        if access is not None and access.kind is AccessKind.FENCE:
            self._has["FENCES"] = True
            self._has["SC_FENCES"] |= access.order is Order.SEQ_CST
            self._report([build.call(f"{_PREFIX}fence", build.number(int(access.order)))], out)
            out += nodes
            return
        if all(map(self._argument.is_harmless, inside)):
            out += nodes
            return
        if section is None or access is None or section.kind is not SectionKind.RMW or section.is_dynamic:
            raise self._refused("an atomic section", nodes[0])
        place = next((load for node in nodes for load in self._loads(node)), None)
        if place is None:
            raise self._refused("an atomic section", nodes[0])
        races = self._meets_plain(inside)
        update = self._access("update", place, access.order, races)
        position = next((n for n, node in enumerate(nodes) if isinstance(node, c_ast.If)), None)
        if position is None:
            self._report([update], out)
            out += nodes
            return
        condition: Any = nodes[position]
        if any(True for _ in self._visibility.loads(condition.cond)) or condition.iffalse is not None:
            raise self._refused("an atomic section", nodes[0])
        failure = access.order if access.failure is None else access.failure
        self._has["SC"] |= failure is Order.SEQ_CST
        self._report([self._called("compare", place, int(access.order), int(failure))], out)
        failed = self._called("failed", place, int(failure), int(races))
        made = build.call(lexicon.CHECKS, c_ast.TernaryOp(condition.cond, update, failed))
        # That a weak compare-exchange fails is chosen in the same step: it does not count as a part of the state.
        mark = next(
            (n for n in range(len(out) - 1, -1, -1) if not build.is_call(out[n], lexicon.CHECKS, lexicon.ACCESS)), -1
        )
        chosen = []
        if mark >= 0 and _is_choice(out[mark]):
            chosen = [out.pop(mark)]
        out += [nodes[0], *chosen, *nodes[1:position], made, *nodes[position:]]

    def _loads(self, node: Any) -> Iterator[c_ast.Node]:
        if isinstance(node, c_ast.Assignment):
            yield from self._visibility.loads(node.rvalue)

    # Calls

    def _call(self, call: c_ast.FuncCall, node: Any, out: list[c_ast.Node]) -> None:
        name = build.callee(call).removesuffix(REUSING)
        arguments = call.args.exprs if call.args is not None else []
        target = node.lvalue if isinstance(node, c_ast.Assignment) else None
        instructions = self._instructions(node)
        is_alone = all(self._argument.movers.is_alone(each.number) for each in instructions)
        after: list[c_ast.Node] = []
        if name in (lexicon.ASSERT, lexicon.ASSUME, "__CSEQ_unwound"):
            self._report(self._accesses(node, self._visibility.loads(arguments[0])), out)
            out.append(node)
            return
        if name == lexicon.EXIT:
            self._report(
                self._accesses(node, [load for each in arguments for load in self._visibility.loads(each)]), out
            )
            out.append(node)
            return
        if not is_alone and (name in _JOINS or name == lexicon.CREATE or self._loads_any(arguments)):
            raise self._refused(f"a call of `{name}`, whose arguments other threads access,", node)
        if name in _STEPS:
            calls = [self._step(argument, order) for argument, order in zip(arguments, _STEPS[name], strict=False)]
            self._report(calls, out)
        elif name in _JOINS:
            self._report([build.call(f"{_PREFIX}join", arguments[0])], out)
        elif name == lexicon.CREATE:
            self._report([build.call(f"{_PREFIX}create")], out)
        elif name == "malloc":
            if target is None or self._visibility.is_visible(target):
                raise self._refused("memory whose address is stored at once", node)
            after = [build.call(f"{_PREFIX}allocated", target)]
            self._is_elsewhere = self._has["PLAIN"] = self._has["HEAP"] = True
        elif name == "free":
            self._report([build.call(f"{_PREFIX}freed", arguments[0])], out)
            self._is_elsewhere = self._has["PLAIN"] = self._has["HEAP"] = True
        elif not self._is_followed(name) or not is_alone:
            raise self._refused(f"a call of `{name}`", node)
        if (name in _STEPS or name in _NOTHING) and target is not None and self._visibility.is_visible(target):
            raise self._refused("a result of the library that is stored at once", node)
        out.append(node)
        self._report(after, out)

    def _loads_any(self, arguments: Iterable[c_ast.Node]) -> bool:
        """Whether the arguments of a call load what other threads may change."""
        return any(True for argument in arguments for _ in self._visibility.loads(argument))

    @staticmethod
    def _is_followed(name: str) -> bool:
        """Whether a call does nothing but access memory, or is about objects that no other thread uses then."""
        ours = name.startswith("__CSEQ_") or name in _NOTHING or name in SYNCHRONISES
        return ours or name in lexicon.MODELLED - {"calloc"}

    def _step(self, argument: c_ast.Node, order: Order) -> c_ast.Node:
        place = build.addressed(argument) or c_ast.UnaryOp("*", argument)
        self._note_place(place)
        made = self._called("step", place, int(order))
        if any(member.name == _TYPE for member in self._symbols.members_of(self._symbols.type_of(place))):
            made.args.exprs.append(c_ast.StructRef(place, ".", c_ast.ID(_TYPE)))
        else:
            made.args.exprs.append(build.number(0))
        return made

    @staticmethod
    def _refused(what: str, node: c_ast.Node) -> UnsupportedError:
        return UnsupportedError(f"{what} is not followed by the monitor of robustness", node.coord)


def _is_choice(node: Any) -> bool:
    """Whether a statement chooses the value of one of our variables."""
    is_ours = isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID)
    return is_ours and node.lvalue.name.startswith("__cs_") and build.is_call(node.rvalue, lexicon.CHOOSE)


# Loops


def _rotated(body: c_ast.Compound) -> c_ast.Compound:
    """*body* with loops whose conditions are evaluated before them and at their ends evaluated in one place.

    A thread that waits for a value is then at the same place, whatever it has read.
    """
    counter = iter(range(1, 1 << 30))

    def rotated(node: Any) -> c_ast.Compound:
        out: list[c_ast.Node] = []
        for each in build.statements(node):
            match each:
                case c_ast.If() if not isinstance(each.iftrue, c_ast.Goto):
                    otherwise = None if each.iffalse is None else rotated(each.iffalse)
                    out.append(rebuilt(each, iftrue=rotated(each.iftrue), iffalse=otherwise))
                case c_ast.Compound():
                    out.append(rotated(each))
                case c_ast.While():
                    inner = rotated(each.stmt)
                    repeated = inner.block_items or []
                    before = out[len(out) - len(repeated) :] if repeated and len(out) >= len(repeated) else []
                    if (
                        before
                        and _text(before) == _text(repeated)
                        and any(build.is_call(n, lexicon.ACCESS) for n in before)
                    ):
                        done = f"__cs_waited_{next(counter)}"
                        leaves = build.jump_if(build.negation(each.cond), done, each.coord)
                        del out[-len(repeated) :]
                        always = c_ast.Constant("int", "1")
                        out.append(c_ast.While(always, c_ast.Compound([*repeated, leaves]), each.coord))
                        out.append(build.label(done))
                    else:
                        out.append(rebuilt(each, stmt=inner))
                case _:
                    out.append(each)
        return c_ast.Compound(out, node.coord)

    return rotated(body)


def _text(nodes: list[c_ast.Node]) -> str:
    return "\n".join(Printer().visit(node) for node in nodes)


# The text of the monitor

_MEMORY = "__cs_robust_memory"
_OLDS = 12 * 16
"""The bytes for the older stores of a location."""


def monitor_memory(settings: dict[str, int], threads: int) -> str:
    """The declaration of the room for the monitor of a program with so many *threads*."""
    locations, fences, strong = settings["LOCATIONS"], settings["SC_FENCES"], settings["SC"]
    view = locations * (1 + 2 * fences + 8 * settings["PLAIN"]) + 8
    thread = view * (1 + 2 * settings["FENCES"]) + locations * (1 + strong) + 8
    location = 32 + _OLDS + 8 + view * (1 + settings["SEQUENCES"]) + locations * (2 + 2 * fences + 2 * strong) + 8
    return f"unsigned long long {_MEMORY}[{(threads * thread + locations * location) // 8 + 2}];"


def monitor_text(settings: dict[str, int]) -> list[str]:
    """The lines to append to a step program."""
    text = (EXPLORER / "program" / "robustness.h").read_text(encoding="utf-8")
    defined = [f"#define __CS_{name} {value}" for name, value in settings.items()]
    return [*defined, f'#define __CS_LOST "{LOST.key}"', *text.splitlines()]
