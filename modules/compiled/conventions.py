"""What programs for software verifiers mean by the names of their functions, which the runtime cannot see."""

from __future__ import annotations

import re
from pathlib import Path

_SECTION = re.compile(r"\b(?!__VERIFIER_atomic_(?:begin|end)\b)__VERIFIER_atomic_\w+\s*\([^;{}()]*\)\s*\{")
"""The beginning of a function that is an atomic section."""

_ASSUMPTION = re.compile(r"\bassume_abort_if_not\s*\(\s*(?:int|_Bool|bool)\s+(\w+)\s*\)\s*\{")
"""The beginning of a function that calls `abort` where what is assumed does not hold."""

_PRIMITIVES = """\
void __cseq_begin(void) __asm__("__VERIFIER_atomic_begin"); \
void __cseq_end(void) __asm__("__VERIFIER_atomic_end"); \
void __cseq_assume(int) __asm__("__VERIFIER_assume"); \
static inline __attribute__((unused)) void __cseq_leave(int *p) { (void)p; __cseq_end(); }
"""
_WHOLE = " __cseq_begin(); int __cseq_in __attribute__((cleanup(__cseq_leave), unused)) = 0; "


def with_sections(source: str, copy: Path) -> str:
    """The C file to compile: *source*, or *copy*, in which functions called __VERIFIER_atomic_… are atomic sections
    and `assume_abort_if_not` assumes. The lines of the copy are those of *source*, for messages and reports."""
    text = Path(source).read_text(encoding="utf-8", errors="surrogateescape")
    changed = _SECTION.sub(lambda found: found[0] + _WHOLE, text)
    changed = _ASSUMPTION.sub(lambda found: f"{found[0]} __cseq_assume({found[1]}); ", changed)
    if changed == text:
        return source
    shown = source.replace("\\", "\\\\").replace('"', '\\"')
    copy.write_text(f'{_PRIMITIVES}#line 1 "{shown}"\n{changed}', encoding="utf-8", errors="surrogateescape")
    return str(copy)
