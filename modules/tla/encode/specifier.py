"""A program as a TLA+ specification."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from pycparser import c_ast

from cseq.c import build, parse
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.constant_propagation import Counting
from cseq.modules.analysis.creations import Creations, most_threads, reads_results
from cseq.modules.analysis.liveness import Liveness
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import calls
from cseq.modules.analysis.spurious import SPURIOUS
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.bytewise import Bytewise
from cseq.modules.core.definedness import DEFINEDNESS, Definedness
from cseq.modules.core.inliner.recursion import FRAMED
from cseq.modules.core.input_choices.input_choices import InputChoices
from cseq.modules.core.input_choices.samples import TABLE
from cseq.modules.core.uninitialised_reads import UninitialisedReads
from cseq.modules.frontend.merger.merger import SOURCES
from cseq.modules.frontend.observers.observers import INVARIANT, OBSERVED, PROP, ObserverCode, proposing
from cseq.modules.library import lexicon, primitives
from cseq.modules.library.assertions import Claims
from cseq.modules.library.primitives import STARTS, called, without_variant
from cseq.modules.tla.encode.bodies import NEW_THREAD, BodyContext, Statements
from cseq.modules.tla.encode.call_bodies import has_call, parameters
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.first_values import FirstValues, symbols_of
from cseq.modules.tla.encode.framed_calls import FramedCalls
from cseq.modules.tla.encode.functions import Functions, Rules
from cseq.modules.tla.encode.labels import Labels, places
from cseq.modules.tla.encode.locations import Flow, Point
from cseq.modules.tla.encode.looking import asking, looked, looking
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Scope
from cseq.modules.tla.encode.texts import quoted
from cseq.modules.tla.encode.tla_names import Identifiers, reserved
from cseq.modules.tla.spec import FRAMED_SPECIFICATION, SPECIFICATION, Operator, Specification, Statement
from cseq.options.bounds import THREADS
from cseq.options.properties import DEADLOCK, EXCUSED, PROPERTY, STRICT, UNREACH
from cseq.pipeline.facts import Gives, Needs, Uses
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator

_ACTIVE = "__cs_active"
_LIBRARY = "_library"
"""What the name of the library's module ends with."""


class Specifier(Translator):
    """in: the core language, without calls of the user's functions. out: the same; the specification is a fact.

    Raises UnsupportedError, with the construct and its place, for what has no counterpart in TLA+.
    """

    takes = (PROPERTY, EXCUSED, THREADS, SPURIOUS, STRICT, PROP, INVARIANT)
    definedness = Needs(DEFINEDNESS)
    sources = Needs(SOURCES)
    framed = Uses(FRAMED, None)
    observed = Uses(OBSERVED, ObserverCode())
    specification = Gives(SPECIFICATION)
    specification_with_frames = Gives(FRAMED_SPECIFICATION)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Make the specification, and the one with frames if functions recurse; the program stays as it is."""
        try:
            self._specify(tree)
        except UnsupportedError as error:
            what = re.sub(r",$|,? (?:is|are) not supported(?: here)?$", "", error.message)
            message = f"a specification in TLA+ does not support {what}; -b native and -b cbmc may support it"
            raise UnsupportedError(message, error.origin) from None
        return tree

    def _specify(self, tree: c_ast.FileAST) -> None:
        self.specification = self._specified(tree, self.definedness, frozenset())
        self.specification_with_frames = None
        if self.framed is not None:
            own = replace(self.context, facts=self.context.facts.copy())
            value = Unit(tree=self.framed.tree)
            for stage in (Bytewise, InputChoices, UninitialisedReads):
                value = stage(own).run(value)
            functions = self.framed.functions
            self.specification_with_frames = self._specified(value.tree, own.facts[DEFINEDNESS], functions)

    def _specified(self, tree: c_ast.FileAST, definedness: Definedness, framed: frozenset[str]) -> Specification:
        """The specification of a program in which the functions *framed* have frames of their own."""
        plain = Symbols(tree, self.context.model)
        threads = sorted(threads_of(tree), key=lambda node: node.decl.name != "main")
        creations = Creations({node.decl.name: node for node in threads}, Counting(plain, Visibility(plain, tree)))
        most = 1 + most_threads(creations, self.parameter(THREADS)) if _ACTIVE in plain.types else 1
        keys = sum(call.name.name in primitives.DESTRUCTORS for node in threads for call in calls(node.body))
        enumerators = {
            lexicon.THREADS: most,
            lexicon.ZEROED: int(not self.parameter(STRICT)),
            lexicon.SPURIOUS: int(self.parameter(SPURIOUS)),
            lexicon.KEYS: max(keys, 1),
            lexicon.FREED: 1,
        }
        invariants = list(dict.fromkeys(self.parameter(INVARIANT)))
        needed = invariants or any("(" in text for text in self.parameter(PROP))  # perhaps a call
        functions = looking(self.observed.functions) if needed else []
        symbols = symbols_of(c_ast.FileAST([*tree.ext, *functions]), self.context.model, enumerators)
        rules = Rules(
            Claims(self.parameter(PROPERTY) == UNREACH, self.parameter(EXCUSED)),
            self.parameter(SPURIOUS),
            self.parameter(PROPERTY) == DEADLOCK,
            _samples(tree, symbols),
        )
        made = _Making(tree, symbols, threads, most, rules, definedness, framed)
        propositions = dict(_definition(text) for text in self.parameter(PROP))
        return made.specification(module_name(list(self.sources)), self.sources, propositions, invariants)


def _samples(tree: c_ast.FileAST, symbols: Symbols) -> tuple[int, ...]:
    """The numbers in the table of samples of the program, if it has one."""
    tables = [item for item in tree.ext if isinstance(item, c_ast.Decl) and item.name == TABLE]
    return tuple(symbols.constant(value) for item in tables for value in item.init.exprs)


class _Making:
    """Puts the specification of one program together."""

    def __init__(
        self,
        tree: c_ast.FileAST,
        symbols: Symbols,
        threads: list[c_ast.FuncDef],
        most: int,
        rules: Rules,
        definedness: Definedness,
        framed: frozenset[str],
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._threads = threads
        self._most = most
        self._identifiers = Identifiers(symbols)
        self._cells = Cells(symbols, self._identifiers)
        constants: dict[str, int | str] = {lexicon.THREAD: "self"}
        self._expressions = Expressions(symbols, self._identifiers, self._cells, definedness, constants, most)
        self._functions = Functions(symbols, self._identifiers, self._expressions, self._cells, rules, most)
        self._visibility = Visibility(symbols, tree)
        starts = {node.decl.name: (self._identifiers.tla(node.decl.name), _parameter(node)) for node in threads}
        self._starts = starts
        program = BodyContext(
            most,
            {name: (operator, None if decl is None else decl.type) for name, (operator, decl) in starts.items()},
            any(reads_results(node) for node in threads),
            frozenset(call.args.exprs[STARTS[lexicon.CREATE]].name for call in _creations(threads)) & framed,
        )
        self._framed = FramedCalls(framed, symbols, self._expressions, self._functions.calls, self._identifiers)
        self._statements = Statements(
            symbols, self._expressions, self._cells, self._functions, rules, program, self._framed
        )

    def specification(
        self,
        name: str,
        sources: Mapping[str, Sequence[str]],
        propositions: Mapping[str, str],
        invariants: Sequence[str] = (),
    ) -> Specification:
        """The specification, as a module of that name. propositions: names → C expressions. invariants: functions."""
        flows = {node.decl.name: Flow(node, self._framed.names) for node in self._threads}
        labels = Labels(self._identifiers.operator)
        for node in self._threads:
            labels.add(self._starts[node.decl.name][0], flows[node.decl.name].points, node.coord)
        values = FirstValues(self._symbols, self._identifiers, self._cells, self._expressions)
        observed = {
            word: self._proposition(word, text, number) for number, (word, text) in enumerate(propositions.items())
        }
        always = {word: self._invariant(word) for word in invariants}
        statements = [one for node in self._threads for one in self._of(node, flows[node.decl.name], labels)]
        frames = {self._starts[node.decl.name][0]: values.locals(node) for node in self._threads}
        return Specification(
            name=name,
            threads=self._most,
            entries={self._starts[name][0]: labels.label(flow.entry) for name, flow in flows.items()},
            frames=frames,
            parameters={
                operator: "" if decl is None or operator == "main" else self._identifiers.tla(decl.name)
                for operator, decl in self._starts.values()
            },
            globals=values.globals(self._tree),
            statements=statements,
            library=[*self._functions.operators, *self._new_thread()],
            constants=[Operator(one, (), text) for one, text in self._cells.constants.items()],
            propositions=observed,
            invariants=always,
            names=dict(self._identifiers.names),
            sources=dict(sources),
            creates=self._statements.creates,
            visible=self._noticed(flows, labels) if self._framed.names else None,
        )

    def _noticed(self, flows: Mapping[str, Flow], labels: Labels) -> frozenset[str]:
        """The labels of the statements that others may notice."""
        return frozenset(
            labels.label(point)
            for start, flow in flows.items()
            for point in flow.points
            if self._framed.is_noticed(point, start, self._visibility)
        )

    def _of(self, node: c_ast.FuncDef, flow: Flow, labels: Labels) -> list[Statement]:
        """The statements of a start function."""
        start = node.decl.name
        liveness = Liveness(node, self._symbols, self._visibility)
        # A local of a function that is inlined in several threads counts as one of the last of these.
        known = {decl.name for decl in _declared(node)} - liveness.locals
        found = []
        for point, origin in zip(flow.points, places(flow.points, node.coord), strict=True):
            whole = point.whole or point.node
            live = known if whole is None else known | liveness.before(whole)
            if point.is_return:
                live |= liveness.after(whole)
            found.append(
                Statement(
                    label=labels.label(point),
                    operator=labels.operator(point),
                    start=self._starts[start][0],
                    node=point.node or node,  # where there is no statement, as for places of a step program
                    origin=origin,
                    body=self._body(point, start, labels),
                    needed=frozenset(map(self._identifiers.tla, live)),
                    in_section=any(point.depths),
                )
            )
        return found

    def _body(self, point: Point, start: str, labels: Labels) -> str:
        try:
            return self._statements.body(point, start, labels.all)
        except UnsupportedError as error:
            names = [call.name.name for call in calls(point.node)] if point.node is not None else []
            if lexicon.is_ours(error.origin) and names:  # where in the function is of no interest
                function = called(names[0]) or without_variant(names[0])
                raise UnsupportedError(f"the function `{function}`", point.origin) from None
            raise UnsupportedError(error.message, error.origin or point.origin) from None

    def _proposition(self, word: str, text: str, number: int) -> Operator:
        """The operator that says whether the C expression *text* holds in a memory. number: of the proposition."""
        types = [node.name for node in self._tree.ext if isinstance(node, c_ast.Typedef)]
        function: Any = parse(f"int f(void) {{ return {text}; }}", typedefs=types).ext[-1]
        expression = function.body.block_items[0].expr
        if has_call(expression):
            called = self._functions.operator(looked(proposing(number)))
            return asking(self._identifiers.operator(word), called, f"{word}: {text}")
        condition = self._expressions.condition(expression, Scope())
        body = condition.text
        for guard in reversed(condition.guards):
            undefined = quoted(f"the proposition {word} has no value")
            body = f"IF {guard.condition} THEN {body}\nELSE Assert(FALSE, {undefined})"
        return Operator(self._identifiers.operator(word), ("m",), body, f"{word}: {text}")

    def _invariant(self, word: str) -> Operator:
        """The operator that says whether what the C function *word* returns differs from 0."""
        called = self._functions.operator(looked(word))
        return asking(self._identifiers.operator(f"Holds_{word}"), called, f"{word}()")

    def _new_thread(self) -> list[Operator]:
        """The operator that finds the number of a new thread, if there are any."""
        if not self._statements.creates:
            return []
        active = f"m.data.{self._identifiers.tla(_ACTIVE)}"
        body = (
            f"LET free == {{k \\in Threads : {active}[k] = 0}} IN\n"
            f"IF free = {{}} THEN {self._most} ELSE CHOOSE k \\in free : \\A other \\in free : k <= other"
        )
        comment = f"The number of the next thread; {self._most} if there cannot be more"
        return [Operator(NEW_THREAD, ("m",), body, comment)]


def _creations(threads: Sequence[c_ast.FuncDef]) -> Iterator[c_ast.FuncCall]:
    """The calls that create threads."""
    return (call for node in threads for call in calls(node.body) if build.is_call(call, lexicon.CREATE))


def _definition(text: str) -> tuple[str, str]:
    """The name of a proposition and its expression, from ``NAME=EXPR``."""
    name, _, expression = text.partition("=")
    return name.strip(), expression.strip()


def _declared(function: c_ast.FuncDef) -> list[c_ast.Decl]:
    """The parameters and the locals of a function."""
    items = function.body.block_items or []
    return [*parameters(function), *(item for item in items if isinstance(item, c_ast.Decl) and item.name)]


def _parameter(function: c_ast.FuncDef) -> c_ast.Decl | None:
    """The parameter of a start function that receives the argument."""
    return next(iter(parameters(function)), None) if function.decl.name != "main" else None


def module_name(files: Sequence[str]) -> str:
    """The name of the module for a program in these files: the stem of the first one, made an identifier."""
    stem = PurePosixPath(files[0].replace("\\", "/")).name.split(".")[0] if files else "program"
    name = re.sub(r"[^A-Za-z0-9_]", "_", stem)
    if not re.match(r"[A-Za-z]", name):
        name = f"program_{name}"
    return f"{name}_" if name in reserved() else name
