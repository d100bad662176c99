"""What the calls of a structure return, as far as their types say."""

import json
import re
import subprocess
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from cseq.c.preprocess import compiler
from cseq.model.errors import InputError
from cseq.modules.linearizability.structure import Call


class Kind(Enum):
    """What a call returns. A pointer counts as a number below 4096, or as something that is not null."""

    NOTHING = "void"
    NUMBER = "number"
    POINTER = "pointer"


_KINDS = {1: Kind.NOTHING, 2: Kind.POINTER, 3: Kind.NUMBER}
"""By the size of an array that the compiler makes of the type."""

_PROBE = """\
char cseq_kind_{number}[__builtin_types_compatible_p(__typeof__({code}), void) ? 1
    : __builtin_classify_type(__builtin_choose_expr(
        __builtin_types_compatible_p(__typeof__({code}), void), 0, ({code}))) == 5 ? 2 : 3];
"""


def kinds(beginning: str, calls: Sequence[Call], folder: Path, options: Sequence[str] = ()) -> tuple[Kind, ...]:
    """What each of *calls* returns, by what the compiler says of their types.

    beginning: the C text that declares what they name. folder: for auxiliary files. options: of the compiler.
    Raises InputError with the compiler's first diagnostic.
    """
    source, target = folder / "kinds.c", folder / "kinds.o"
    probes = []
    for call in calls:
        line, file = (call.origin.line, call.origin.file) if call.origin is not None else (1, f"--op '{call.label}'")
        probes.append(f"#line {line} {json.dumps(file)}")
        if call.has_body:
            probes.append(f"long cseq_call_{call.number}(int CSEQ_THREAD) {call.code}")
        else:
            probes.append(_PROBE.format(number=call.number, code=call.code.replace("CSEQ_THREAD", "0")))
    source.write_text("\n".join([beginning, *probes]), encoding="utf-8")
    command = [compiler(), "-std=gnu11", "-w", "-fno-builtin", *options, "-c", str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(_complaint(done.stderr, source))
    sizes = subprocess.run(["nm", "-S", str(target)], capture_output=True, text=True, check=True).stdout
    known = {
        int(number): int(size, 16)
        for size, number in re.findall(r"^\S+ (\S+) \S cseq_kind_(\d+)$", sizes, re.MULTILINE)
    }
    return tuple(Kind.NUMBER if call.has_body else _KINDS[known[call.number]] for call in calls)


def _complaint(said: str, source: Path) -> str:
    """The first diagnostic that is an error, without the name of a file that the user does not know."""
    line = next((line for line in said.splitlines() if "error" in line), said.strip())
    return re.sub(rf"^{re.escape(str(source))}:\d+:\d+: (fatal )?error: ", "", line)
