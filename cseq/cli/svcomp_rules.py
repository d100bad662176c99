"""The verdict that SV-COMP wants for an answer."""

from cseq.model.verdict import Outcome, Verdict


def reported(outcome: Outcome, misuse: bool = False) -> Verdict:
    """The verdict that the line reports for *outcome*: no property of SV-COMP is about misuse and crashes.

    misuse: these count as violations too.
    """
    part = decisive(outcome)
    beyond = part.violated is not None and part.violated.claim.is_beyond_svcomp
    return Verdict.UNKNOWN if part.verdict is Verdict.FALSE and beyond and not misuse else part.verdict


def decisive(outcome: Outcome) -> Outcome:
    """The part of *outcome* that the line is about."""
    return next((part for part in outcome.all() if part.verdict is Verdict.FALSE), outcome)
