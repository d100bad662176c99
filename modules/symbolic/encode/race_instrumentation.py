"""Mark the accesses to shared memory, for the detection of data races."""

from pycparser import c_ast

from cseq.modules.analysis import marks, probes
from cseq.modules.analysis.movers import NO_MOVERS
from cseq.modules.core.known_races import KNOWN, TELLS, KnownRaces
from cseq.modules.core.race_instrumentation import RaceInstrumenter
from cseq.options.properties import RACE


class RaceInstrumentation(RaceInstrumenter):
    """in: a bounded function per thread instance. out: the same, with a mark before each access to shared memory."""

    takes = (KNOWN, NO_MOVERS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Mark the accesses; add the functions that judge the last state."""
        ext = self.marked(tree)
        called = [probes.ACCESSES]
        if known := self.parameter(KNOWN):
            ext = [KnownRaces(known).visit(node) for node in ext]
            called.append(TELLS)
        marked = marks.with_judge(c_ast.FileAST(ext), marks.PREFIXES[RACE], called)
        return c_ast.FileAST(marks.before_threads(marked.ext, self.telling.functions))
