"""The counter of lines tells code, comments, docstrings and blank lines apart."""

import pytest

from benchmarks.lines import counted

_PYTHON = '''"""A module,

of three lines."""
# alone
x = "# no comment"  # beside code
"""What x is."""

y = """a value
of two lines"""
'''
_C = """/* two
 * lines */
char *url = "http://x"; // beside code

// alone
int x; /* begins beside code
          and ends alone */
"""
_TLA = """(* two
lines *)
x == "(* a string *)" \\* beside code
\\* alone
"""


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".py", _PYTHON, {"code": 3, "comment": 1, "docstring": 3, "blank": 2}),
        (".c", _C, {"code": 2, "comment": 4, "blank": 1}),
        (".h", _C, {"code": 2, "comment": 4, "blank": 1}),
        (".tla", _TLA, {"code": 1, "comment": 3}),
    ],
)
def test_each_line_counts_once_by_what_is_on_it(suffix, text, expected):
    assert counted(suffix, text) == expected
