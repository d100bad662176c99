"""Memory that is never freed: what is noted of blocks, and what is claimed where the process ends."""

import re
from pathlib import Path

import pytest

from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from tests.support.fake_engine import sent


def checked(folder: Path, statements: str) -> str:
    """What becomes of the statements of main where memory is checked; T stands for variables of ours."""
    program = f"#include <stdlib.h>\nint *g;\nint main(void) {{ {statements} return 0; }}\n"
    context, _ = sent(folder, program, property="valid-memsafety", checked=True, privatize=False)
    text = context.facts[SEQUENTIALIZED].text
    return re.sub(r"__cs_tmp_\d+", "T", text[text.index("static void main__cs0(void)") :])


def test_blocks_are_noted_where_they_are_allocated_and_freed(tmp_path: Path) -> None:
    text = checked(tmp_path, "int *p = malloc(4); free(p); g = calloc(2, 4);")
    notes = [line.strip() for line in text.splitlines() if re.search(r"__CSEQ_(new|delete)|__cs_(block|freed)", line)]
    assert notes == [
        "T = __CSEQ_new(4);",
        "__cs_block_0 = T;",
        "__cs_freed(p);",
        "__CSEQ_delete(p);",
        "T = __CSEQ_new_zeroed(((unsigned long) 2) * 4);",
        "__cs_block_1 = T;",
    ]


@pytest.mark.parametrize("end", ["", "exit(0);"])
def test_it_is_claimed_at_the_end_of_the_process_that_no_block_is_lost(tmp_path: Path, end: str) -> None:
    text = checked(tmp_path, f"g = malloc(4); {end}")
    allocated, _, behind = text.partition("__cs_block_0 = T;")
    assert "__cs_is_lost" not in allocated
    assert re.search(r'__CSEQ_(assert|unwound)\(!__cs_(is|may_be)_lost\(\), "', behind)


def test_where_nothing_is_allocated_nothing_is_claimed(tmp_path: Path) -> None:
    text = checked(tmp_path, "g = 0;")
    assert "_lost(" not in text
    assert "__cs_block" not in text
