"""The comment before a sequentialized program."""

from cseq.report.text import seqprogram

TEXT = """\
typedef unsigned int __CSEQ_bits_3;
int main(void) { x = __CSEQ_nondet_bits_3(); y = __CSEQ_nondet_ulong(); __CSEQ_assume(x < 2); __CSEQ_assert(y, "y"); }
"""


def test_what_a_verifier_has_to_provide() -> None:
    header = seqprogram.header(TEXT, ["a.c", "b.c"], {"rounds": 2, "unwind": 3, "timeout": None})
    assert "from a.c, b.c with --rounds 2, --unwind 3.\n" in header
    assert [line.partition(" /*")[0] for line in header.splitlines()[2:]] == [
        "void __CSEQ_assert(int condition, const char *what);",
        "void __CSEQ_assume(int condition);",
        "typedef unsigned int __CSEQ_bits_3;",
        "__CSEQ_bits_3 __CSEQ_nondet_bits_3(void);",
        "unsigned long __CSEQ_nondet_ulong(void);",
    ]


def test_a_file_name_does_not_end_the_comment() -> None:
    header = seqprogram.header("", ["a*/b.c"], {})
    assert header.count("*/") == 1 and header.endswith("*/\n")
