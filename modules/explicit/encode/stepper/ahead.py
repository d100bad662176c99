"""What is made right before a statement of a step function: claims about it, reports on it, and what it accesses."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.explicit.encode.stepper.future_accesses import is_announced
from cseq.modules.library import lexicon

_FLAGS = 3  # arguments of a mark before its accesses


class Ahead:
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
