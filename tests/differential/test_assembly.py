"""A sample of random x86 assembly means to CSeq what it does on the processor."""

from tests.differential.assembly import disagreements


def test_random_assembly(tmp_path):
    assert disagreements(6, 30, "native", tmp_path) == []
