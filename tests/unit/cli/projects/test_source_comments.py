"""Comments to CSeq in the user's source."""

import pytest

from cseq.cli.projects.source_comments import remarks
from cseq.model.errors import InputError


def test_a_comment_is_about_its_line_or_the_next_one_with_code() -> None:
    text = """\
// cseq: rounds 3 unwind 5
char *s = "// cseq: nonsense"; /* " */
x++; // cseq: expect race, deadlock
// cseq: ignore data-race: statistics only: really

// another comment
y++; // says cseq: nothing
"""
    found = remarks("a.c", text)
    assert [(name, value, origin.line) for name, value, origin in found.bounds] == [("rounds", 3, 1), ("unwind", 5, 1)]
    assert [(one.line, one.kind, one.expected, one.reason) for one in found.remarks] == [
        (3, "race", True, ""),
        (3, "deadlock", True, ""),
        (7, "data-race", False, "statistics only: really"),
    ]


@pytest.mark.parametrize(
    ("comment", "kinds"),
    [
        ("expect FALSE assertion", ["assertion"]),
        ("expect FALSE race, deadlock", ["race", "deadlock"]),
        ("expect FALSE", ["violation"]),
    ],
)
def test_the_verdict_may_be_named(comment: str, kinds: list[str]) -> None:
    assert [one.kind for one in remarks("a.c", f"x++; // cseq: {comment}\n").remarks] == kinds


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("ignore race", "needs a reason"),
        ("ignore race:", "needs a reason"),
        ("expect trouble", "no kind of violation called `trouble`"),
        ("expect TRUE", "no kind of violation called `TRUE`"),
        ("rounds 0", "`rounds` is a number from 1, and not `0`"),
        ("rounds", "a comment to CSeq says"),
        ("hello there", "a comment to CSeq says"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(comment: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        remarks("a.c", f"int x;\nint y; // cseq: {comment}\n")
    assert str(caught.value.origin) == "a.c:2"
