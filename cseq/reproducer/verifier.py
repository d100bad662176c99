"""Definitions of the functions that programs leave to verifiers: inputs, claims, assumptions, and the like."""

import re
from collections.abc import Iterator, Sequence

from cseq.c import verification
from cseq.c.numbering import Text
from cseq.reproducer.turns import CannotReproduceError

_ERRORS = frozenset({"reach_error", "__VERIFIER_error"})
_NOTHING = frozenset({verification.ATOMIC_BEGIN, verification.ATOMIC_END, *verification.SECTIONS})
_CLAIMS = verification.ASSERTIONS - {"__CSEQ_check", "assert"}
_PREFIXES = ("__VERIFIER_", *verification.ANY_VALUE, "__CPROVER_", "__ESBMC_")
_VALUES = ("__VERIFIER_nondet_", *verification.ANY_VALUE)


def claims(text: str) -> bool:
    """Whether *text*, a statement, makes a claim with one of these functions."""
    return any(re.search(rf"\b{name}\s*\(", text) for name in _CLAIMS)


def wanted(texts: Sequence[Text]) -> list[str]:
    """The functions of verifiers that the program calls and does not define."""
    defined = {function.name for text in texts for function in text.functions}
    called = {call.name for text in texts for function in text.functions for call in function.calls}
    return sorted(name for name in called - defined if name in _ERRORS or name.startswith(_PREFIXES))


def prototypes(texts: Sequence[Text]) -> list[str]:
    """Prototypes of the wanted functions that the program does not even declare."""
    outside = "".join(_outside(text) for text in texts)
    names = [name for name in wanted(texts) if not re.search(rf"\b{name}\b", outside)]
    return [f"{_signature(name, name)};" for name in names]


def definitions(texts: Sequence[Text], regression: bool = False) -> Iterator[str]:
    """Definitions of the wanted functions, under names of ours, so that they fit any declaration.

    regression: for a program that may leave the schedule, so that the order of its threads does not suffice.
    """
    for name in wanted(texts):
        ours = f"cseq_{name.strip('_')}"
        yield f'{_signature(name, ours)} __asm__("{name}");'
        yield f"{_signature(name, ours)} {{ {(_test_body(name) if regression else None) or _body(name)} }}"


def _outside(text: Text) -> str:
    """The text outside of function bodies."""
    pieces, last = [], 0
    for _, first, end in text.bodies:
        pieces.append(text.text[last:first])
        last = end
    return "".join([*pieces, text.text[last:]])


def _type(name: str) -> str | None:
    """The type that a function for nondeterministic values returns; None for other functions."""
    prefix = next((prefix for prefix in _VALUES if name.startswith(prefix)), None)
    if prefix is None:
        return None
    try:
        kind = verification.nondet_kind(verification.NONDET + name.removeprefix(prefix))
    except KeyError:
        raise CannotReproduceError(f"it calls `{name}`, which the scheduler does not have") from None
    return verification.NONDET_TYPES[kind] if kind is not None else None


def _signature(name: str, called: str) -> str:
    parameters = "int cond" if name in _CLAIMS | verification.ASSUMPTIONS else "void"
    return f"{_type(name) or 'void'} {called}({parameters})"


def _test_body(name: str) -> str | None:
    """The body that a function has in a test; None if that is the usual one."""
    if name in verification.ASSUMPTIONS:
        return "if (!cond) cseq_unassumed();"
    if name in _NOTHING:
        return {verification.ATOMIC_BEGIN: "cseq_enter();", verification.ATOMIC_END: "cseq_exit();"}[
            verification.SECTIONS.get(name, name)
        ]
    return None


def _body(name: str) -> str:
    type_ = _type(name)
    if type_ is not None:
        return f"return ({type_}) cseq_input{'_double' if type_ in ('float', 'double') else ''}();"
    if name in verification.ASSUMPTIONS:
        return 'if (!cond) cseq_depart("an assumption does not hold", "");'
    if name in _CLAIMS:
        return "if (!cond) cseq_fail(cseq_plan.file, cseq_plan.line, cseq_names[0], cseq_plan.message);"
    if name in _ERRORS:
        return "cseq_abort();"
    if name in _NOTHING:
        return ""
    raise CannotReproduceError(f"it calls `{name}`, which the scheduler does not have")
