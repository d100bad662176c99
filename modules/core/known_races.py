"""Data races that are known already, so that a search is for others.

A race is known by the lines of its two accesses. Each pair of lines has two bits, one for either side; the mark before
an access says on which sides its line is. Two accesses are those of a known race if one of them is on one side of some
pair, and the other one on the other.
"""

from collections.abc import Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.model.origin import Origin
from cseq.model.trace import Race
from cseq.modules.library import lexicon
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, rebuilt

Line = tuple[str, int]
Pair = tuple[Line, Line]

KNOWN: Parameter[Sequence[Pair]] = Parameter("known_races", str, (), "data races that do not count", multiple=True)
"""The planner sets it when it asks for others."""

MOST = 30
"""How many pairs there are bits for."""

OF_COARSE: Parameter[bool] = Parameter("races_of_coarse", bool, False, "only races of steps that are several accesses")
"""The planner sets it when it asks whether other threads can notice the grain of such steps."""

TELLS = "__cs_race_known"
"""``TELLS(sides)``: the function that a mark calls before it reports accesses."""


def pair_of(race: Race) -> Pair:
    """The lines of both sides, in order."""
    one, other = sorted((side.origin.file, side.origin.line) for side in race.sides)
    return one, other


class KnownRaces(Rewriter):
    """Has the marks before accesses say which of the known races, the *pairs*, they may be a side of.

    No thread stays for good at an access any more: that what other threads could make it read makes no difference to
    the property was because there is a race then. Now this race may be one that is known.
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        super().__init__()
        self._pairs = pairs

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        """Change a mark."""
        if not build.is_call(node, lexicon.STANDS):
            return node
        alone, in_section, _, *actions = node.args.exprs
        if actions:
            actions = [build.call(TELLS, build.number(self._sides(node.coord))), *actions]
        return rebuilt(node, args=c_ast.ExprList([alone, in_section, build.number(0), *actions]))

    def _sides(self, origin: Origin | None) -> int:
        here = None if origin is None else (origin.file, origin.line)
        places = (line for pair in self._pairs for line in pair)
        return sum(1 << bit for bit, line in enumerate(places) if line == here)


class FineSteps(Rewriter):
    """Has the marks that do not say yet of which known races they are a side be on both sides of the same one.

    Two such accesses make no race then. No thread stays for good at an access, as for the races that are known.
    """

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        """Change a mark."""
        if not build.is_call(node, lexicon.STANDS):
            return node
        alone, in_section, _, *actions = node.args.exprs
        if actions and not build.is_call(actions[0], TELLS):
            actions = [build.call(TELLS, build.number(0b11)), *actions]
        return rebuilt(node, args=c_ast.ExprList([alone, in_section, build.number(0), *actions]))
