"""Proofs about transition systems: an invariant for each place, or for each combination of places, of threads.

What they have to satisfy (`start` stands for a template's first location, S for the shared variables, L for locals):

- *modular* (Owicki and Gries, Acta Informatica 1976): one invariant I_l(S, L) per location l of each template. It holds
  of main's start initially. An edge from l to m leads from I_l to I_m, and no check on it fails. A thread that an edge
  creates is at its start in the state after the edge, with any values of locals but its arguments. An edge of another
  thread, which is in I_k at the same time, keeps I_l. Another thread of the same template only exists if the template
  is replicated; its identity is different.
- *pairs* (Hoenicke, Majumdar, Podelski, POPL 2017, k = 2): one invariant I_lm(S, L1, L2) per two locations of two
  different threads; edges of either keep it, and so do those of a third thread, which is in it with both of them. It is
  symmetric if the templates are the same, so one of the two orders may be missing. Threads that
  have not begun are at `OUTSIDE`: one of each template that is not replicated, any number of those of one that is.
- *product*: one invariant per combination of locations of all threads, none of which is replicated; a thread that has
  not begun, or of which there is no edge left, is at `OUTSIDE`.

The values of integers of a type are always within it (see `Arithmetic`), so a proof may assume that of what it begins
with.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from cseq.modules.deductive.transitions import Edge, Variable

OUTSIDE = -1
"""The location of a thread that has not begun."""


class InvariantKind(StrEnum):
    """What the invariants of a proof are about."""

    MODULAR = "modular"
    PAIRS = "pairs"
    PRODUCT = "product"


class Arithmetic(StrEnum):
    """How the integers of C are understood. Sorts of SMT-LIB: `Bool` for `BOOL`; otherwise as below.

    Elements of arrays have the sort of their type, so an array is an `Array` from the sort of indices to that.
    """

    EXACT = "exact"
    """`Int`. It is an error if the mathematical result of an operator or a conversion is not within its type, signed or
    not; so nothing ever wraps around, and a proof holds for arithmetic that does. Where that is in a value which is
    only stored, the variable may have any value of its type instead, so a proof need not care for variables that do not
    matter to it. Indices are `Int`."""
    WRAPPING = "wrapping"
    """`Int`, reduced modulo 2^width after each operator. Indices are `Int`."""
    BITS = "bits"
    """`(_ BitVec width)`. Indices are `(_ BitVec 64)`."""


Place = tuple[str, int]
"""A template's name, and one of its locations or `OUTSIDE`."""


@dataclass(frozen=True)
class Invariant:
    """A formula about shared variables, and locals of the threads at the places that it belongs to.

    parameters: the symbols that it may use, with their variables: the name of the variable itself; or, of a local where
    the invariant is about several threads, the name, `!`, and the number of the thread in the key, from 1. term: the
    formula in SMT-LIB 2, made of core, integer, bit-vector and array operators (of Z3's model, made portable).
    """

    parameters: tuple[tuple[str, Variable], ...]
    term: str


@dataclass(frozen=True)
class Proof:
    """What is claimed to be an inductive invariant of a system. `certificate` decides whether it is one.

    A combination of places that has no entry is never reached: its invariant is false.
    """

    invariant_kind: InvariantKind
    arithmetic: Arithmetic
    invariants: dict[tuple[Place, ...], Invariant]
    by: str  # what found it: the name of a solver, or of a method


@dataclass(frozen=True)
class Attempt:
    """What came of looking for a proof.

    answer: "proved", with the proof; "refuted", if there is none of this kind, which says nothing of the program;
    "unknown"; or "timeout". seconds: CPU time. reason: why it is unknown. trace: if the abstraction has been refuted by
    a sequence of edges, those, each with its template.
    """

    answer: Literal["proved", "refuted", "unknown", "timeout"]
    proof: Proof | None = None
    seconds: float = 0.0
    reason: str = ""
    trace: tuple[tuple[str, Edge], ...] = ()
