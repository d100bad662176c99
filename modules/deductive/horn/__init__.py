"""Proofs by constrained Horn clauses: what is unknown in them are the invariants, which a solver finds."""

from cseq.modules.deductive.horn.search import prove

__all__ = ["prove"]
