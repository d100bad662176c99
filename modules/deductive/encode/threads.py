"""The threads of a program as templates, and the calls that create them and wait for their ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from cseq.model.claims import Claim, Object, Reason, misuse
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis.points_to import uncast
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import (
    FALSE,
    TRUE,
    apply,
    choose,
    conjunction,
    convert,
    disjunction,
    equal,
    implication,
    negation,
)
from cseq.modules.deductive.encode.cells import Cells
from cseq.modules.deductive.encode.flow import FlowStep
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.statements import Statements
from cseq.modules.deductive.encode.unrolling import unrolled
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Const, Expr
from cseq.modules.ir.program import Template
from cseq.modules.ir.types import Record
from cseq.modules.library.assertions import Claims

_MOST = 16
"""The maximum number of threads that have a template of their own."""
_EDEADLK, _THRD_ERROR = 35, 2


@dataclass
class _JoinCall:
    """A call that joins or detaches the thread with the identifier *kept*; *place* is the step where it does."""

    kept: ts.Read
    is_live: ts.Read
    result: ts.Variable
    place: FlowStep
    claims: list[Claim]
    becomes: str
    origin: Origin | None


@dataclass
class Kind:
    """The threads of one template, and what creates them. chain: the start functions that lead to them."""

    template: ts.Template
    function: Template
    chain: tuple[str, ...] = ()

    @property
    def start(self) -> str:
        """The function with which they begin."""
        return self.chain[-1]

    @property
    def identity(self) -> ts.Expression:
        """The number of a thread."""
        if self.template.identity is not None:
            return ts.Read(self.template.identity)
        return ts.Number(self.template.number or 0, ts.UNBOUNDED)


@dataclass(frozen=True)
class Counts:
    """Ghosts that count the threads of all replicated templates: how many were created, have ended, were joined."""

    created: ts.Read
    ended: ts.Read
    joined: ts.Read

    @property
    def exists(self) -> ts.Expression:
        """Whether there is one that has not ended."""
        return apply(ts.Operator.LT, self.ended, self.created)


class Threads:
    """The templates of a program; `kinds` grows while statements are written that create threads."""

    def __init__(self, functions: Mapping[str, Template], cells: Cells, claims: Claims) -> None:
        self._functions = functions
        self._cells = cells
        self._claims = claims
        main = ts.Template("main", 0, 0, shown="main")
        self.kinds: list[Kind] = [Kind(main, functions.get(unrolled("main"), functions["main"]), ("main",))]
        self._asked: list[_JoinCall] = []
        self._begun: list[FlowStep] = []  # where threads begin and end that are some of many
        self._ended: list[tuple[FlowStep, bool]] = []  # and whether that looks at nothing that is shared
        self.counts: Counts | None = None

    @property
    def singles(self) -> list[Kind]:
        """The kinds of which there is one thread, main's excepted."""
        return [kind for kind in self.kinds[1:] if not kind.template.is_replicated]

    def kind(self, template: str) -> Kind:
        """The threads of *template*."""
        return next(kind for kind in self.kinds if kind.template.name == template)

    def ghost(self, what: str, kind: Kind) -> ts.Variable:
        """Whether something has happened to the only thread of *kind*: `created`, `finished`, `joined`, `detached`."""
        return self._cells.ghost(f"{what}.{kind.template.name}", ts.BOOL)

    # Creation

    def create(self, to: Statements, call: ir.Create) -> None:
        """Write a call of `pthread_create`."""
        start = call.start.name
        if start not in self._functions:
            raise refused("a thread whose start function is not known", call.origin)
        values = to.values
        value = values.value(call.argument)
        detached: ts.Expression = FALSE
        is_stored = not is_null(call.handle)
        values.check(values.truth(call.handle) if is_stored else FALSE, misuse("", Object.THREAD, Reason.MISSING))
        if not is_null(call.attributes):
            detached = self._attributes(to, call.attributes)
        creator = self.kind(values.template)
        kind = self._created(start, creator, to.in_loop)
        template = kind.template
        if template.is_replicated:
            number = values.unknown(ts.UNBOUNDED)
            values.before.append(ts.Assume(apply(ts.Operator.GT, number, self._last())))
        else:
            number = ts.Number((template.number or 0) + 1, ts.UNBOUNDED)
        arguments = tuple(self._arguments(kind, value, call.origin))
        to.act(ts.Create(template.name, arguments, call.origin))
        if template.is_replicated:
            self._begun.append(to.writer.at)
        else:
            to.act(ts.Assign(ts.Read(self.ghost("created", kind)), TRUE))
            if detached != FALSE:
                to.act(ts.Assign(ts.Read(self.ghost("detached", kind)), detached))
        if template.is_replicated and detached != FALSE:
            raise refused("attributes of threads that are created in a loop", call.origin)
        if is_stored:
            live = negation(detached) if template.is_replicated else FALSE
            to.assign(values.places(to.program.expressions.deref(call.handle)), number, live)
        to.store(call.result, ts.Number(0))

    def _attributes(self, to: Statements, attributes: Expr) -> ts.Expression:
        pool = to.program.expressions
        place = pool.deref(uncast(attributes))
        if not isinstance(place.type, Record):
            raise refused("attributes that are no object", to.values.origin)
        fields = place.type.fields

        def member(name: str) -> ts.Expression:
            return to.values.value(pool.read(pool.field(place, fields[name])))

        state = member("__cs_state")
        for value, is_wrong, reason in ((2, True, Reason.DESTROYED), (1, False, Reason.UNINITIALISED)):
            holds = equal(state, ts.Number(value, state.type))
            to.values.check(negation(holds) if is_wrong else holds, misuse("pthread_create", Object.ATTRIBUTES, reason))
        return convert(member("__cs_detached"), ts.BOOL)

    def _created(self, start: str, creator: Kind, in_loop: bool) -> Kind:
        repeated = in_loop or creator.template.is_replicated or start in creator.chain
        if not repeated:
            number = 1 + len(self.singles)
            if number > _MOST:
                repeated = True
            else:
                template = ts.Template(self._named(start), 0, number, shown=start)
                kind = Kind(
                    template, self._functions.get(unrolled(start), self._functions[start]), (*creator.chain, start)
                )
                self.kinds.append(kind)
                return kind
        for kind in self.kinds:
            if kind.function is self._functions[start] and kind.template.is_replicated:
                return kind
        template = ts.Template(self._named(start), 0, None, shown=start)
        template.identity = self._cells.ghost("identity", ts.UNBOUNDED, template.name)
        kind = Kind(template, self._functions[start], (*creator.chain, start))
        self.kinds.append(kind)
        return kind

    def _named(self, start: str) -> str:
        taken = {kind.template.name for kind in self.kinds}
        name, number = start, 1
        while name in taken:
            number += 1
            name = f"{start}.{number}"
        return name

    def _arguments(
        self, kind: Kind, value: ts.Expression, origin: Origin | None
    ) -> list[tuple[ts.Variable, ts.Expression]]:
        named = kind.function.parameters
        if len(named) > 1:
            raise UnsupportedError("a start function with several parameters", origin)
        if not named:
            return []
        variable = self._cells.variable(kind.template.name, named[0])
        assert isinstance(variable.type, ts.Scalar)
        return [(variable, convert(value, variable.type))]

    def _last(self) -> ts.Expression:
        """A number that no identifier of a thread with a template of its own exceeds."""
        return ts.Number(_MOST + 1, ts.UNBOUNDED)

    def begins(self, kind: Kind) -> list[ts.Assume]:
        """What is known of the identity of a thread when it begins."""
        identity = kind.template.identity
        return [] if identity is None else [ts.Assume(apply(ts.Operator.GT, ts.Read(identity), self._last()))]

    # Ends

    def end(self, to: Statements, value: Expr | None) -> None:
        """Write the end of a thread that returns *value*; or of the process, if main returns."""
        kind = self.kind(to.values.template)
        result = to.values.value(value) if value is not None else None
        to.act()
        if kind.template.is_replicated:
            is_local = result is None or not any(variable.is_shared for variable in ts.read(result))
            self._ended.append((to.writer.at, is_local))
        elif kind.template.name != "main":
            stored = ts.Read(self._result(kind))
            given = ts.Number(0, ts.UNBOUNDED) if result is None else result
            # Others only look at it once the thread has ended, and nothing else happens if it has not.
            to.writer.statement.mover = not any(variable.is_shared for variable in ts.read(given))
            to.act(
                ts.Assign(stored, convert(given, ts.Address.POINTER)),
                ts.Assign(ts.Read(self.ghost("finished", kind)), TRUE),
            )

    def _result(self, kind: Kind) -> ts.Variable:
        return self._cells.ghost(f"result.{kind.template.name}", ts.Address.POINTER)

    def detach(self, to: Statements, call: ir.Call) -> None:
        """Write a call of `pthread_detach`."""
        self._ask(to, call, (Reason.NONE_CREATED, Reason.DETACHED_TWICE, Reason.JOINED_TWICE), "detached")
        to.store(call.result, ts.Number(0))

    def join(self, to: Statements, call: ir.Call) -> None:
        """Write a call of `pthread_join`. Of threads that are some of many, it is known how many have ended."""
        to.writer.statement.waits = True
        values = to.values
        handle = convert(values.value(call.arguments[0]), ts.UNBOUNDED)
        source = to.handle(call.arguments[0])
        if source is not None:
            # Where an identifier is live, `create` has stored the number of one of many threads.
            known = implication(self._cells.is_live(source), apply(ts.Operator.GT, handle, self._last()))
            to.act(ts.Assume(known))
        myself = apply(ts.Operator.ADD, convert(values.identity, ts.UNBOUNDED), ts.Number(1, ts.UNBOUNDED))
        result = call.arguments[1]
        failed = _EDEADLK if call.function == "pthread_join" else _THRD_ERROR
        reasons = (Reason.NONE_CREATED, Reason.DETACHED, Reason.JOINED_TWICE)

        def wait() -> None:
            stored = self._ask(to, call, reasons, "joined")
            if not is_null(result):
                to.assign(values.places(to.program.expressions.deref(result)), ts.Read(stored))
            to.store(call.result, ts.Number(0))

        to.either(equal(handle, myself), lambda: to.store(call.result, ts.Number(failed)), wait)

    def _ask(self, to: Statements, call: ir.Call, reasons: tuple[Reason, ...], becomes: str) -> ts.Variable:
        """Write that a thread becomes joined or detached; the thread's result, if it is joined.

        Who the threads are is known when all statements are written: see `settle`.
        """
        values = to.values
        kept = ts.Read(self._cells.fresh(ts.UNBOUNDED, values.template))
        is_live = ts.Read(self._cells.fresh(ts.BOOL, values.template))
        result = self._cells.fresh(ts.Address.POINTER, values.template)
        source = to.handle(call.arguments[0])
        live = FALSE if source is None else self._cells.is_live(source)
        handle = convert(values.value(call.arguments[0]), ts.UNBOUNDED)
        to.act(ts.Assign(kept, handle), ts.Assign(is_live, live), ts.Havoc(ts.Read(result)))
        claims = [misuse(call.function, Object.THREAD, reason) for reason in reasons]
        self._asked.append(_JoinCall(kept, is_live, result, to.writer.at, claims, becomes, values.origin))
        to.writer.go_to(to.writer.new())
        if source is not None:
            to.act(*self._cells.set_live(source, FALSE, values.template))
        return result

    def settle(self) -> None:
        """Write what is claimed of threads that are joined or detached, and what is waited for."""
        for asked in self._asked:
            out, kept = asked.place.actions, asked.kept
            is_one = [(kind, equal(kept, _handle(kind))) for kind in self.singles]

            def never(what: str, is_one: list[tuple[Kind, ts.Expression]] = is_one) -> ts.Expression:
                return conjunction(
                    implication(condition, negation(ts.Read(self.ghost(what, kind)))) for kind, condition in is_one
                )

            exists = [conjunction([condition, ts.Read(self.ghost("created", kind))]) for kind, condition in is_one]
            others = apply(ts.Operator.GT, kept, self._last())
            if self._are_many:
                exists.append(others)
            for holds, claim in zip(
                (disjunction(exists), never("detached"), never("joined")), asked.claims, strict=True
            ):
                is_claimed = self._claims.has_key(claim.key)
                out.append(ts.Check(holds, claim, asked.origin) if is_claimed else ts.Assume(holds))
            if self._are_many and is_claimed:
                # Never assumed: a thread may be live although its identifier is not known to be that of one.
                out.append(ts.Check(implication(others, asked.is_live), claim, asked.origin))
            if asked.becomes == "joined":
                finished = (implication(condition, ts.Read(self.ghost("finished", kind))) for kind, condition in is_one)
                out.append(ts.Assume(conjunction(finished)))
                if self._are_many:
                    self._wait_for_one(out, conjunction([others, asked.is_live]))
                result: ts.Expression = ts.Read(asked.result)
                for kind, condition in is_one:
                    result = choose(condition, ts.Read(self._result(kind)), result)
                out.append(ts.Assign(ts.Read(asked.result), result))
            for kind, condition in is_one:
                flag = ts.Read(self.ghost(asked.becomes, kind))
                out.append(ts.Assign(flag, disjunction([flag, condition])))
        if self.counts is not None:
            for place in self._begun:
                place.actions.append(_counted(self.counts.created))
            for place, is_local in self._ended:
                # As where a thread with a template of its own ends.
                place.statement.mover = is_local
                place.actions.append(_counted(self.counts.ended))

    @property
    def _are_many(self) -> bool:
        return any(kind.template.is_replicated for kind in self.kinds)

    def _wait_for_one(self, out: list[ts.Action], is_one: ts.Expression) -> None:
        """Write that a thread is joined if *is_one*, which is one of many and has not been joined yet.

        A joined thread has ended, and no thread is joined twice, so never more are joined than have ended.
        """
        if self.counts is None:
            counts = (ts.Read(self._cells.ghost(what, ts.UNBOUNDED)) for what in ("created", "ended", "joined"))
            self.counts = Counts(*counts)
        ended, joined = self.counts.ended, self.counts.joined
        out.append(ts.Assume(implication(is_one, apply(ts.Operator.LT, joined, ended))))
        out.append(ts.Assign(joined, choose(is_one, _one_more(joined), joined)))


def is_null(pointer: Expr) -> bool:
    """Whether an argument is the null pointer."""
    node = uncast(pointer)
    return isinstance(node, Const) and node.value == 0


def _one_more(count: ts.Read) -> ts.Expression:
    return apply(ts.Operator.ADD, count, ts.Number(1, ts.UNBOUNDED))


def _counted(count: ts.Read) -> ts.Assign:
    return ts.Assign(count, _one_more(count))


def _handle(kind: Kind) -> ts.Expression:
    return ts.Number((kind.template.number or 0) + 1, ts.UNBOUNDED)
