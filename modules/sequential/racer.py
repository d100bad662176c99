"""Mark the accesses to shared memory, for the detection of data races."""

from __future__ import annotations

from pycparser import c_ast

from cseq.modules.analysis import marks, probes
from cseq.modules.analysis.access_marks import AccessMarker
from cseq.modules.analysis.properties import RACE


class Racer(AccessMarker):
    """in: a bounded function per thread instance. out: the same, with a mark before each access to shared memory."""

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Mark the accesses; add the functions that judge the last state."""
        ext = self.marked(tree)
        marked = marks.with_judge(c_ast.FileAST(ext), marks.PREFIXES[RACE], (probes.ACCESSES,))
        return c_ast.FileAST(marks.before_threads(marked.ext, self.telling.functions))
