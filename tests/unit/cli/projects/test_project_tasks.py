from pathlib import Path

import pytest

from cseq.cli.projects.project_tasks import declarations, inputs_of
from cseq.model.errors import UsageError


def test_the_arguments_of_an_entry_are_inputs_of_their_types(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "void none(void) {}\nint f(unsigned a, _Bool b, unsigned c) { return a + b + c; }\nvoid g(int *p) {}\n"
    )
    assert inputs_of("none", str(file), 64, []) == []
    assert inputs_of("f", str(file), 64, []) == ["uint", "bool", "uint"]
    assert declarations(["uint", "bool", "uint"]) == [
        "extern unsigned __VERIFIER_nondet_uint(void);",
        "extern _Bool __VERIFIER_nondet_bool(void);",
    ]
    with pytest.raises(UsageError, match="`p` of `g` is not a number"):
        inputs_of("g", str(file), 64, [])
    with pytest.raises(UsageError, match="`h` is not defined"):
        inputs_of("h", str(file), 64, [])
