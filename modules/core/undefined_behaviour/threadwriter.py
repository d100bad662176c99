"""Write, before each statement of a thread's function, the claims that its expressions demand."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.model.claims import Claim
from cseq.model.origin import Origin
from cseq.modules.core.undefined_behaviour.accesses import FREEABLE, VALID, VALID_INSIDE
from cseq.modules.core.undefined_behaviour.checks import NAME, Check
from cseq.modules.core.undefined_behaviour.evaluation import Demand, Evaluation
from cseq.modules.core.user_printer import UserPrinter
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Rewriter, rebuilt, user_name

_NUMBERED = frozenset({VALID, VALID_INSIDE, FREEABLE})


class Writer:
    """Writes claims, and appends their meanings to *checks*."""

    def __init__(self, evaluation: Evaluation, checks: list[Check]) -> None:
        self.evaluation = evaluation
        self._checks = checks

    def claim(self, cond: c_ast.Node, claim: Claim, origin: Origin | None, part: str) -> list[c_ast.Node]:
        """Statements that claim *cond* and then assume it. part: of the property."""
        claimed = self.asserted(cond, claim, origin, part)
        return [claimed, build.call(lexicon.ASSUME, claimed.args.exprs[0])]

    def asserted(self, cond: c_ast.Node, claim: Claim, origin: Origin | None, part: str) -> c_ast.FuncCall:
        """The statement that claims *cond*."""
        number = len(self._checks)
        self._checks.append(Check(claim, part))
        cond = _ClaimNumbering(number).visit(cond)
        return build.call(lexicon.ASSERT, cond, build.string(f"{NAME}{number}"), origin=origin)


class _ClaimNumbering(Rewriter):
    """Gives the primitives in a condition the number of the claim."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        if node.name.name not in _NUMBERED:
            return node
        return build.call(node.name.name, build.number(self._number), *node.args.exprs)


class ThreadWriter(Writer):
    """Checks thread functions, whose statements are those of the core language."""

    def __init__(self, evaluation: Evaluation, checks: list[Check]) -> None:
        super().__init__(evaluation, checks)
        self._meanings: dict[str, str] = {}

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function with claims inserted."""
        return rebuilt(node, body=self._block(node.body))

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        return build.rewritten(node, self._statement)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.FuncCall():
                self._call(node, out)
            case _ if node.coord is None or isinstance(node, (c_ast.Decl, c_ast.Label, c_ast.Goto)):
                out.append(node)
            case c_ast.Assignment():
                self._assignment(node, out)
            case c_ast.If():
                self._demand(self.evaluation.value(node.cond), node.coord, out)
                out.append(self._branch(node))
            case _:
                out.append(node)

    def _branch(self, node: c_ast.If) -> c_ast.If:
        """A branch with claims in its parts."""
        then = node.iftrue if isinstance(node.iftrue, c_ast.Goto) else self._block(node.iftrue)
        otherwise = self._block(node.iffalse) if node.iffalse is not None else None
        branch: c_ast.If = rebuilt(node, iftrue=then, iffalse=otherwise)
        return branch

    def _demand(self, demands: Iterable[Demand], origin: Origin | None, out: list[c_ast.Node]) -> None:
        """Claim each of *demands* once."""
        for demand, claim in self._distinct(demands):
            out.extend(self.claim(demand.cond, claim, origin, demand.part))

    def _distinct(self, demands: Iterable[Demand]) -> Iterable[tuple[Demand, Claim]]:
        """Each of *demands* once, with its claim in the user's words."""
        claimed: set[str] = set()
        for demand in demands:
            key = Printer().visit(demand.cond)
            if key not in claimed:
                claimed.add(key)
                yield demand, replace(demand.claim, subject=UserPrinter(self._meanings).visit(demand.node))

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        self._before_assignment(node, out)
        out.append(node)
        self._mean(node)

    def _before_assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        value, store = self.evaluation.value(node.rvalue), self.evaluation.store(node.lvalue)
        self._demand([*value, *store], node.coord, out)

    def _mean(self, node: c_ast.Assignment) -> None:
        """Record what one of our variables stands for."""
        name = node.lvalue.name if isinstance(node.lvalue, c_ast.ID) else None
        if name is None or user_name(name) is not None:
            return
        if name.startswith("__cs_ret_"):
            self._meanings[name] = name.removeprefix("__cs_ret_").split("__cs", 1)[0] + "()"
        elif isinstance(node.rvalue, c_ast.FuncCall):
            self._meanings.pop(name, None)
        else:
            self._meanings[name] = UserPrinter(self._meanings).visit(node.rvalue)

    def _call(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        self._demand(self.evaluation.value(node), node.coord, out)
        out.append(node)
