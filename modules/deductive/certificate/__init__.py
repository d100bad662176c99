"""Proofs are checked: conditions are made anew from what a proof means, and two solvers have to confirm each."""

from cseq.modules.deductive.certificate.certifier import CheckResult, check

__all__ = ["CheckResult", "check"]
