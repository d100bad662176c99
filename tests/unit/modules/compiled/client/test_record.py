"""The layout of the shared file is the same in Python and in C."""

import ctypes
import subprocess
from pathlib import Path

import pytest

from cseq.modules.compiled.client import record

pytestmark = pytest.mark.engine

STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "cs_choice": record.Choice,
    "cs_entry": record.Entry,
    "cs_frame": record.StackNode,
    "cs_side": record.Side,
    "cs_race": record.RaceRecord,
    "cs_thread_info": record.ThreadInfo,
    "cs_block_info": record.BlockInfo,
    "cs_request": record.RequestRecord,
    "cs_result": record.ResultRecord,
    "cs_brief": record.Brief,
    "cs_array": record.Array,
    "cs_module": record.ModuleRecord,
    "cs_shared": record.Shared,
}
NUMBERS = {
    "CS_MAGIC": record.MAGIC,
    "CS_LAYOUT": record.LAYOUT,
    "CS_MOST_THREADS": record.MOST_THREADS,
    "CS_MOST_WEIGHTS": record.MOST_WEIGHTS,
    **{f"CS_CHOICE_{member.name}": member.value for member in record.ChoiceKind},
    **{f"CS_ACCESS_{member.name}": member.value for member in record.AccessKind},
    **{f"CS_STRATEGY_{member.name}": member.value for member in record.Strategy},
    **{f"CS_{member.name}": member.value for member in (*record.EntryFlag, *record.RequestFlag)},
    **{f"CS_WORLD_{member.name}": member.value for member in record.World},
    **{f"CS_{member.name.lower()}": member.value for member in record.Op},
    **{f"CS_END_{member.name.lower()}": member.value for member in record.End},
    **{f"CS_MISUSE_{member.name.lower()}": member.value for member in record.Misuse},
}


def test_the_compiler_lays_the_structures_out_as_python_does(tmp_path: Path) -> None:
    expected: dict[str, int] = dict(NUMBERS)
    for tag, structure in STRUCTURES.items():
        expected[f"sizeof(struct {tag})"] = ctypes.sizeof(structure)
        for name, *_ in structure._fields_:
            expected[f"offsetof(struct {tag}, {name})"] = getattr(structure, name).offset
            expected[f"sizeof(((struct {tag} *)0)->{name})"] = getattr(structure, name).size
    lines = "".join(f'printf("%lld\\n", (long long)({expression}));\n' for expression in expected)
    source = tmp_path / "layout.c"
    source.write_text(
        f'#include <stddef.h>\n#include <stdio.h>\n#include "record.h"\nint main(void)\n{{\n{lines}return 0;\n}}\n'
    )
    program = tmp_path / "layout"
    subprocess.run(["gcc", f"-I{record.RUNTIME}", source, "-o", program], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    assert dict(zip(expected, map(int, printed), strict=True)) == expected
