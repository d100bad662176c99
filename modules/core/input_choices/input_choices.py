"""Branch over inputs that have few values."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.analysis.inputs import Inputs, is_undefined
from cseq.modules.analysis.liveness import whole_object
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import called
from cseq.modules.analysis.ranges import Range, Values
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.input_choices.deadlines import Deadlines
from cseq.modules.core.input_choices.independence import Independence
from cseq.modules.core.input_choices.libraryinputs import SPREAD, LibraryInputs
from cseq.modules.core.input_choices.samples import CONSTANTS, SAMPLING, Constants, Samples, Site, users
from cseq.modules.core.input_choices.solver import Solver, solver
from cseq.modules.frontend.observers.observers import OBSERVED, ObserverCode
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import without_variant
from cseq.options.bounds import SEED
from cseq.pipeline.facts import Fact, Gives, Uses
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Names, Translator, rebuilt


def parse_range(text: str) -> Range:
    """The two numbers of ``A..B``. ValueError for any other text."""
    first, dots, last = text.partition("..")
    try:
        range_ = int(first, 0), int(last, 0)
    except ValueError:
        dots = ""
    if not dots or range_[0] > range_[1]:
        raise ValueError(f"{text!r} is not a range of integers, such as 0..9")
    return range_


NONDET_RANGE: Parameter[str | None] = Parameter(
    "nondet_range", str, None, "restrict inputs with more than 256 relevant values to the range from A to B",
    ("--nondet-range",), "A..B", check=parse_range,
)  # fmt: skip

CHOICES = Fact[dict[c_ast.Node, str]]("choices")
"""The assignments that represent inputs, and the functions that return those."""


class InputChoices(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with choices instead of inputs.

    A choice is a call of ``__CSEQ_choose``, which returns one of a few numbers. Undefined values are not inputs, and
    stay. Of an input with too many values some are tried (`Samples`), unless the user has given a range for those.
    """

    takes = (NONDET_RANGE, SEED, SAMPLING)
    observed = Uses(OBSERVED, ObserverCode())
    choices = Gives(CHOICES)
    constants = Gives(CONSTANTS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the threads' functions."""
        threads = threads_of(tree)
        tree = c_ast.FileAST([Deadlines(node).visit(node) if node in threads else node for node in tree.ext])
        self.symbols = Symbols(tree, self.context.model)
        self._visibility = Visibility(self.symbols, tree)
        given = self.parameter(NONDET_RANGE)
        self._given = None if given is None else parse_range(given)
        self._tree = tree
        self._independence: Independence | None = None
        self._open: set[str] = set()
        self._samples: Samples | None = None
        self._solved: dict[int, list[int]] = {}
        self.constants = Constants(users(tree))
        result = self._rewritten(tree)
        if not self._sites:
            return result
        self._samples = Samples(self.constants, self._sites, self.parameter(SEED), self.parameter(SAMPLING))
        self._solve(tree)
        result = self._rewritten(tree)  # now that it is known how many inputs share the values
        if self._open:
            result.ext[:0] = self._samples.library(value for values in self._solved.values() for value in values)
        return result

    def _solve(self, tree: c_ast.FileAST) -> None:
        """Find values with which branches are taken."""
        z3 = solver()
        if z3 is None:
            self.context.warn("the Python package z3-solver is not installed: no values of inputs are solved for")
            return
        found = Solver(z3, self.symbols, self._sampled, self._open).solved(threads_of(tree))
        self._solved = {number: list(values) for number, values in found.items()}

    def _rewritten(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        self.choices = {}
        self._names = Names()
        self._sites: list[Site] = []
        self._sampled: set[int] = set()
        threads = threads_of(tree)
        known = {
            id(n): self._library_function(n) for n in tree.ext if isinstance(n, c_ast.FuncDef) and n not in threads
        }
        known.update({id(node): self._function(node) for node in threads})
        return c_ast.FileAST([known.get(id(node), node) for node in tree.ext])

    def _library_function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """Rewrite a library function; notes whether it, or one that it calls, takes an input with many values."""
        rewriter = LibraryInputs(self._open)
        result: c_ast.FuncDef = rewriter.visit(node)
        if rewriter.is_open or not self._open.isdisjoint(called(node.body)):
            self._open.add(node.decl.name)
        return result

    def _function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        self._weight = 1 if node.decl.name == "main" else 2
        self._inputs = Inputs(node, self.symbols, self._visibility)
        self._declarations: list[c_ast.Node] = []
        self._origin = node.coord
        body = self._block(node.body.block_items or [])
        return rebuilt(node, body=rebuilt(node.body, block_items=[*self._declarations, *body]))

    def _block(self, items: list[c_ast.Node]) -> list[c_ast.Node]:
        found: list[c_ast.Node] = []
        for position, item in enumerate(items):
            if is_input(item):
                found.extend(self._choice(item, items[position + 1 :]))
            else:
                found.extend(self._noted(item))
                found.append(self.visit(item))
        return found

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        items = node.block_items or []
        new = self._block(items)
        same = len(new) == len(items) and all(a is b for a, b in zip(new, items, strict=True))
        return node if same else rebuilt(node, block_items=new)

    def visit_While(self, node: c_ast.While) -> c_ast.While:
        self._weight += 2
        result: c_ast.While = self.generic_visit(node)
        self._weight -= 2
        return result

    def _noted(self, item: Any) -> list[c_ast.Node]:
        """The note before a statement that gets samples from a library function, or for memory of any contents."""
        call = item.rvalue if isinstance(item, c_ast.Assignment) else item
        if not isinstance(call, c_ast.FuncCall):
            return []
        name = call.name.name
        if name == lexicon.HAVOC and whole_object(call) is None:
            cut = Cut(Limit.SAMPLED, self._size, self._place(item))
            self._open.add(name)
        elif name in self._open:
            cut = Cut(Limit.SAMPLED_RESULT, 0, self._place(item), without_variant(name))
        else:
            return []
        self._sites.append(Site(self._weight))
        return [build.assign(self._temporary(), _samples_of(1, cut), item.coord)]

    @property
    def _size(self) -> int:
        return 0 if self._samples is None else self._samples.size

    def _place(self, node: c_ast.Node) -> str:
        origin: Origin | None = node.coord or self._origin  # main's parameters have none
        return "" if origin is None else f"{origin.file}:{origin.line}"

    def _choice(self, node: Any, rest: list[c_ast.Node]) -> list[c_ast.Node]:
        """The statements that replace the input of the statement *node*. rest: the statements after it."""
        chosen = self._chosen(node, rest)
        self.choices[chosen[-1]] = node.rvalue.name.name
        return chosen

    def _chosen(self, node: Any, rest: list[c_ast.Node]) -> list[c_ast.Node]:
        values = (
            self._inputs.values(node, rest, None) or self._few(node) or self._inputs.values(node, rest, self._given)
        )
        if values is None:
            self._sites.append(Site(self._weight))
            self._sampled.add(id(node))
            values = Values(((0, 0),), is_sampled=True)
            if self._samples is not None:
                values = self._samples.values(self._inputs.left, self._solved.get(id(node), ()))
        if values.is_sampled:
            chosen, cut = self._temporary(), Cut(Limit.SAMPLED, values.count, self._place(node))
            sampled = build.assign(chosen, _samples_of(values.count, cut), node.coord)
            return [sampled, rebuilt(node, rvalue=_value(values, chosen))]
        if values.count == 1 and not values.is_cut:
            return [rebuilt(node, rvalue=build.number(values.ranges[0][0]))]
        choice = build.call(lexicon.CHOOSE, build.number(values.count))
        if not values.is_cut and _value(values, choice) is choice:
            return [rebuilt(node, rvalue=choice)]
        chosen = self._temporary()
        count = values.count + values.is_cut
        out: list[c_ast.Node] = [build.assign(chosen, build.call(lexicon.CHOOSE, build.number(count)), node.coord)]
        if values.is_cut:
            within = c_ast.BinaryOp("<", chosen, build.number(values.count))
            cut = Cut(Limit.INPUTS, subject=self.parameter(NONDET_RANGE) or "")
            out.append(cuts.unwound(within, cut, node.coord))
        return [*out, rebuilt(node, rvalue=_value(values, chosen))]

    def _few(self, node: Any) -> Values | None:
        """The values that are enough for an input on whose value nothing depends; None if something does."""
        whole = self._inputs.range_of(basic(lexicon.NONDET_TYPES[node.rvalue.name.name.removeprefix(lexicon.NONDET)]))
        if whole is None or self.observed.text:
            return None
        if self._independence is None:
            objects = [n for n in users(self._tree) if isinstance(n, c_ast.Decl)]
            self._independence = Independence(threads_of(self._tree), objects, self.symbols)
        return self._independence.values(node, whole)

    def _temporary(self) -> c_ast.ID:
        name = self._names.temporary("choice")
        self._declarations.append(build.declare(name, basic("unsigned long")))
        return build.ident(name)


def _samples_of(count: int, cut: Cut) -> c_ast.FuncCall:
    return build.call(lexicon.SAMPLED, build.number(count), build.string(cut.key))


def is_input(node: c_ast.Node) -> bool:
    """Whether a statement assigns an input."""
    return (
        isinstance(node, c_ast.Assignment)
        and isinstance(node.rvalue, c_ast.FuncCall)
        and node.rvalue.name.name.startswith(lexicon.NONDET)
        and not is_undefined(node)
    )


def _value(values: Values, chosen: c_ast.Node) -> c_ast.Node:
    """The value that the number *chosen* represents, as an expression."""
    if values.mask:
        shift = (values.mask & -values.mask).bit_length() - 1
        lowest = values.mask >> shift
        if lowest & (lowest + 1):
            return build.call(SPREAD, chosen, build.number(values.mask))
        return c_ast.BinaryOp("<<", chosen, build.number(shift)) if shift else chosen
    passed = [
        sum((b - a) // values.step + 1 for a, b in values.ranges[:number]) for number in range(len(values.ranges))
    ]
    result: c_ast.Node | None = None
    for (first, last), before in reversed(list(zip(values.ranges, passed, strict=True))):
        value = build.number(first) if first == last else _moved(chosen, first - before * values.step, values.step)
        if result is not None:
            within = c_ast.BinaryOp("<", chosen, build.number(before + (last - first) // values.step + 1))
            value = c_ast.TernaryOp(within, value, result)
        result = value
    return result if result is not None else build.number(0)


def _moved(chosen: c_ast.Node, first: int, step: int) -> c_ast.Node:
    """``first + step * chosen``, as a number that is converted to the type of the assignment's target."""
    if step != 1:
        chosen = c_ast.BinaryOp("*", chosen, build.number(step))
    if first == 0:
        return chosen
    wide = c_ast.Cast(build.typename(basic("long long")), chosen)
    return c_ast.BinaryOp("+", wide, build.number(first if first > -(1 << 62) else first % (1 << 64)))
