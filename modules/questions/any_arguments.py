"""Search again with arguments, where a program that looks at its arguments was searched without any."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cseq.model.claims import Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Caution, Outcome, Reason, Verdict
from cseq.options.environment import ANY_ARGUMENTS, ARGUMENTS


def with_any_arguments(run: Callable[[dict[str, object]], Outcome], values: Mapping[str, object]) -> Outcome:
    """The outcome of *run* with *values*, or a violation that the program has only if it is given arguments.

    Of the arguments some are tried, so there is nothing else to learn from that search.
    """
    outcome = run(dict(values))
    is_given = ARGUMENTS.of(values) is not None or ANY_ARGUMENTS.of(values)
    is_left_out = any(bound.cut.limit is Limit.NO_ARGUMENTS for bound in outcome.bounds)
    if is_given or not is_left_out or outcome.verdict is not Verdict.UNKNOWN or outcome.reason is not Reason.BOUNDED:
        return outcome
    try:
        tried = run({**values, ANY_ARGUMENTS.name: True})
    except CSeqError as error:
        text = f"with {ANY_ARGUMENTS.options[0]} there is no answer: {error.message}"
        outcome.warnings.append(Caution(text, error.origin))
        return outcome
    return tried if tried.verdict is Verdict.FALSE else outcome
