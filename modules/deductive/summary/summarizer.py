"""The summary of an accepted proof: the invariants that matter, in the user's terms.

Each statement of the summary follows from the invariants, and Z3 checks that again here. So it holds; but it may
be less than what was proved. Variables of ours and locals are projected away where that is cheap, and what speaks of
them otherwise is left out.
"""

import importlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cseq.model.origin import Origin, is_ours
from cseq.model.proof import LocalInvariant, ProofKind, ProofSummary, SharedInvariant
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.certificate.certifier import CheckResult
from cseq.modules.deductive.certificate.formulas import MalformedError, admitted
from cseq.modules.deductive.certificate.semantics import Evaluation, in_range, sort
from cseq.modules.deductive.certificate.stepping import Step
from cseq.modules.deductive.certificate.systemcheck import initially
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind, Place, Proof
from cseq.modules.deductive.summary.cexpressions import expression, is_expressible
from cseq.pipeline.translator import user_name

SECONDS = 2.0
"""For all questions to Z3 together."""

_EFFORT = 400_000  # for one question, in the units that Z3 counts: some 100 ms, whatever the load of the machine
_MILLISECONDS = 500  # for making one formula simpler
_MOST = 3  # invariants of shared variables
_LONGEST = 120  # characters of an expression
_OWNER = ".__cs_owner"  # of a mutex; 0 if no thread holds it
_LIBRARY = re.compile(r"(?:v\.)?(?P<user>.+?)\.__cs_\w+$")


def summarized(system: ts.System, proof: Proof, checked: CheckResult, seconds: float = SECONDS) -> ProofSummary:
    """The summary of the *proof*, which `check` has accepted with the result *checked*.

    seconds: after that, what has been found is enough.
    """
    assert checked.accepted
    summary = _Summary(system, proof, time.monotonic() + seconds)
    shared = tuple(summary.shared())
    throughout = " && ".join(_operand(invariant.value) for invariant in shared if not invariant.lock)
    return ProofSummary(
        kind=ProofKind(proof.invariant_kind.value),
        solvers=checked.solvers,
        by=proof.by,
        conditions=checked.conditions,
        unlimited=tuple(t.shown or t.name for t in system.templates if t.is_replicated),
        shared=shared,
        local=tuple(LocalInvariant(place, throughout) for place in summary.places()) if throughout else (),
    )


class _Summary:
    """The invariants of a proof, as formulas of Z3."""

    def __init__(self, system: ts.System, proof: Proof, end: float) -> None:
        self._z3 = importlib.import_module("z3")
        self._context = self._z3.Context()
        self._system = system
        self._proof = proof
        self._end = end
        self._names = {variable.name: variable for variable in system.shared}
        held = {lock for template in system.templates for place in template.locations.values() for lock in place.locks}
        self._locks = [v for v in system.shared if v.name in held or v.name.endswith(_OWNER)]
        self._told = {
            variable.name: variable
            for variable in system.shared
            if is_expressible(variable) and variable not in self._locks
        }
        self._checked = {
            variable.name
            for template in system.templates
            for edge in template.edges
            for action in edge.actions
            if isinstance(action, ts.Check)
            for value in ts.expressions(action)
            for variable in ts.read(value)
        }
        self._formulas: dict[tuple[Place, ...], Any] = {}
        self._ranges = self._read(
            [fact for v in system.shared if isinstance(v.type, ts.Scalar) and (fact := self._in_range(v)) is not None]
        )
        self._known_steps: list[tuple[Step, list[Any]]] | None = None
        if proof.arithmetic is not Arithmetic.BITS:
            self._initial = self._read([*initially(system, proof.arithmetic, "|{}|")])
            for key in proof.invariants:
                self._formulas[key] = self._formula(key)

    def _in_range(self, variable: ts.Variable) -> str | None:
        assert isinstance(variable.type, ts.Scalar)
        return in_range(f"|{variable.name}|", variable.type, self._proof.arithmetic)

    def _formula(self, key: tuple[Place, ...]) -> Any:
        """The invariant over shared variables, without the locals as far as that is cheap."""
        invariant = self._proof.invariants[key]
        constants = {
            symbol: f"|{variable.name}|" if variable.is_shared else f"|local {number}|"
            for number, (symbol, variable) in enumerate(invariant.parameters)
        }
        more = {
            constants[symbol]: sort(variable.type, self._proof.arithmetic)
            for symbol, variable in invariant.parameters
            if not variable.is_shared
        }
        try:
            return self._read([str(admitted(invariant.term, constants))], more)
        except MalformedError:
            return self._z3.BoolVal(True, self._context)

    def _read(self, facts: Sequence[str], more: dict[str, str] | None = None) -> Any:
        """The conjunction of formulas in SMT-LIB over the shared variables, and constants with their sorts."""
        z3 = self._z3
        sorts = {f"|{v.name}|": sort(v.type, self._proof.arithmetic) for v in self._system.shared} | (more or {})
        lines = [f"(declare-const {name} {sort_})" for name, sort_ in sorts.items()]
        lines += [f"(assert {fact})" for fact in facts]
        read_ = z3.parse_smt2_string("\n".join(lines), ctx=self._context)
        formula = z3.And(*read_) if len(read_) else z3.BoolVal(True, self._context)
        bound = [constant for constant in _constants(z3, formula) if constant.decl().name().startswith("local ")]
        return self._simplified(z3.Exists(bound, formula) if bound else formula, bool(bound))

    def _simplified(self, formula: Any, quantified: bool = False) -> Any:
        z3 = self._z3
        names = ["simplify", *(["qe-light"] if quantified else []), "simplify", "propagate-values", "ctx-simplify"]
        tactic = z3.TryFor(z3.Then(*(z3.Tactic(name, self._context) for name in names)), _MILLISECONDS)
        try:
            return tactic(formula).as_expr()
        except z3.Z3Exception:
            return formula

    def _implies(self, facts: Iterable[Any], formula: Any) -> bool:
        """Whether the facts are known to imply the formula."""
        if time.monotonic() > self._end:
            return False
        z3 = self._z3
        solver = z3.Solver(ctx=self._context)
        solver.set("rlimit", _EFFORT)
        solver.add(self._ranges, *facts, z3.Not(formula))
        return bool(solver.check() == z3.unsat)

    def _conjuncts(self, formula: Any) -> Iterator[Any]:
        """The conjuncts that have a C expression of some length."""
        z3 = self._z3
        for part in formula.children() if z3.is_and(formula) else [formula]:
            text = expression(part, self._told)
            if text is not None and text not in ("0", "1") and len(text) <= _LONGEST:
                yield part

    def _at(self, place: Place) -> list[Any]:
        """Formulas of which one holds whenever a thread is at the place. Empty if that is not known."""
        if self._proof.invariant_kind is not InvariantKind.PAIRS:
            return [formula for key, formula in self._formulas.items() if place in key]
        first = self._system.main.name
        partner = next(t.name for t in self._system.templates if (t.name == first) is not (place[0] == first))
        return [formula for key, formula in self._formulas.items() if place in key and partner in _names(key)]

    def _always(self) -> list[Any]:
        """Formulas of which one always holds; main is always somewhere. Empty if that is not known."""
        main = self._system.main
        if self._proof.invariant_kind is InvariantKind.PRODUCT:
            return [*self._formulas.values()]
        places = [(main.name, number) for number in main.locations]
        if self._proof.invariant_kind is InvariantKind.MODULAR and not all(
            (place,) in self._formulas for place in places
        ):
            return []
        return [formula for place in places for formula in self._at(place)]

    def shared(self) -> Iterator[SharedInvariant]:
        """What holds throughout, or whenever a lock is free; what the program checks comes first."""
        z3 = self._z3
        if self._proof.arithmetic is Arithmetic.BITS:
            return  # vectors are no numbers of C yet
        found: list[tuple[tuple[bool, bool, int], SharedInvariant]] = []
        proved: list[Any] = []
        for lock in (None, *self._locks):
            free = [] if lock is None else [self._free(lock)]
            candidates: dict[str, Any] = {}
            for formula in [*self._claims(), *self._formulas.values()]:
                here = formula if lock is None else self._simplified(z3.And(formula, *free))
                for part in self._conjuncts(here):
                    candidates.setdefault(str(part), part)
            for part in sorted(candidates.values(), key=lambda part: len(str(part))):
                if self._implies([*proved, *free], part):
                    continue
                about = _names_of(z3, part)
                whole = z3.Implies(z3.And(*free, z3.BoolVal(True, self._context)), part)
                if self._holds_within_steps(about, lock) and (self._is_known(whole) or self._is_kept(whole, proved)):
                    proved.append(whole)
                    text = expression(part, self._told)
                    assert text is not None
                    rank = (not about & self._checked, len(about) < 2, len(text))
                    found.append((rank, SharedInvariant(text, "" if lock is None else _lock_name(lock))))
        yield from (invariant for _, invariant in sorted(found, key=lambda pair: pair[0])[:_MOST])

    def _claims(self) -> Iterator[Any]:
        """The conditions that the program checks, of those about shared variables only."""
        for template in self._system.templates:
            for edge in template.edges:
                for action in edge.actions:
                    if isinstance(action, ts.Check) and all(
                        variable.is_shared for variable in ts.read(action.condition)
                    ):
                        yield self._read([self._term(action.condition)])

    def _term(self, condition: ts.Expression) -> str:
        """A condition as a term over the shared variables."""
        evaluation = Evaluation(
            self._proof.arithmetic,
            lookup=lambda variable: f"|{variable.name}|",
            named=lambda term, _: term,
            assumed=lambda _: None,
            needed=lambda _: None,  # what is made of this is only a candidate
        )
        return evaluation.term(condition)

    def _is_known(self, formula: Any) -> bool:
        """Whether the invariants say that a formula about shared variables always holds."""
        always = self._always()
        return bool(always) and all(self._implies([invariant], formula) for invariant in always)

    def _is_kept(self, formula: Any, proved: Sequence[Any]) -> bool:
        """Whether a formula about shared variables holds initially, and each step from within the invariants keeps it.

        proved: others that do.
        """
        z3 = self._z3
        if not self._implies([self._initial], formula):
            return False
        for step, facts in self._steps():
            if all(step.after[name] == step.before[name] for name in _names_of(z3, formula)):
                continue
            before, after = (
                [(z3.Const(v.name, self._sort(v)), z3.Const(terms[v.name], self._sort(v))) for v in self._system.shared]
                for terms in (step.before, step.after)
            )
            earlier = [z3.substitute(each, *before) for each in (*proved, formula)]
            if not self._implies([*facts, *earlier], z3.substitute(formula, *after)):
                return False
        return True

    def _steps(self) -> list[tuple[Step, list[Any]]]:
        """All edges as steps, with what is known of each: facts, and in modular proofs the invariant before it."""
        if self._known_steps is None:
            self._known_steps = []
            for template in self._system.templates:
                for edge in template.edges:
                    step = Step(self._system, template, edge, self._proof.arithmetic)
                    facts = list(step.facts)
                    invariant = self._proof.invariants.get(((template.name, edge.source),))
                    if invariant is not None:
                        terms = {symbol: step.before[variable.name] for symbol, variable in invariant.parameters}
                        facts.append(str(admitted(invariant.term, terms)))
                    lines = [f"(declare-const {name} {sort_})" for name, sort_ in step.constants.items()]
                    lines += [f"(assert {fact})" for fact in facts]
                    read_ = self._z3.parse_smt2_string("\n".join(lines), ctx=self._context)
                    self._known_steps.append((step, list(read_)))
        return self._known_steps

    def _sort(self, variable: ts.Variable) -> Any:
        """Z3's sort of the values of a variable."""
        z3 = self._z3
        type_ = variable.type
        element = type_.element if isinstance(type_, ts.Array) else type_
        sort_ = z3.BoolSort(self._context) if element == ts.BOOL else z3.IntSort(self._context)
        return z3.ArraySort(z3.IntSort(self._context), sort_) if isinstance(type_, ts.Array) else sort_

    def _free(self, lock: ts.Variable) -> Any:
        """That no thread holds a lock."""
        return self._read([f"(not |{lock.name}|)" if lock.type == ts.BOOL else f"(= |{lock.name}| 0)"])

    def places(self) -> Iterator[Origin]:
        """The places of the user's at which threads can stand, each once."""
        seen: set[tuple[str, int]] = set()
        for template in self._system.templates:
            for location in template.locations.values():
                origin = location.origin
                if origin is not None and not is_ours(origin) and (origin.file, origin.line) not in seen:
                    seen.add((origin.file, origin.line))
                    yield origin.plain()

    def _holds_within_steps(self, names: set[str], lock: ts.Variable | None) -> bool:
        """Whether what holds of these variables between steps (if *lock* is free) does so in the midst of them, too."""
        return all(
            _is_steady(template, edge, names, lock) for template in self._system.templates for edge in template.edges
        )


def _is_steady(template: ts.Template, edge: ts.Edge, names: set[str], lock: ts.Variable | None) -> bool:
    """Whether each store of an edge to these variables, but for the last, is made while it holds the *lock*."""
    holds = lock is not None and lock.name in template.locations[edge.source].locks
    loose = False  # a store was made without the lock, or the lock was given back after one
    for action in edge.actions:
        changed = ts.written(action)
        if changed is None or (changed != lock and changed.name not in names):
            continue
        if loose:
            return False
        if changed == lock:
            holds = not (
                isinstance(action, ts.Assign) and isinstance(action.value, ts.Number) and action.value.value == 0
            )
        loose = not holds
    return True


def _operand(text: str) -> str:
    """An expression as an operand of `&&`."""
    return f"({text})" if any(sign in text for sign in ("&&", "||", "?")) else text


def _names_of(z3: Any, formula: Any) -> set[str]:
    """The names of the constants in a formula."""
    return {constant.decl().name() for constant in _constants(z3, formula)}


def _names(key: tuple[Place, ...]) -> set[str]:
    return {name for name, _ in key}


def _constants(z3: Any, formula: Any) -> list[Any]:
    """The constants in a formula, each once."""
    found: dict[str, Any] = {}
    pending, seen = [formula], set()
    while pending:
        term = pending.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.decl().name()] = term
        pending += term.children()
    return list(found.values())


def _lock_name(lock: ts.Variable) -> str:
    """The user's name of a lock."""
    found = _LIBRARY.match(lock.name)
    named = found["user"] if found else lock.shown or lock.name
    return user_name(named) or named
