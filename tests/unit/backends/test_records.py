"""What programs that are replayed report: the words in C and in Python are the same, and lines are decoded."""

import re

import pytest

from cseq.backends.native import EXPLORER
from cseq.backends.records import Record, Tag, decoded, records


def test_both_sides_have_the_same_words() -> None:
    written = re.findall(r'#define __CSEQ_RECORD_(\w+) "(\w+)"', (EXPLORER / "records.h").read_text(encoding="utf-8"))
    assert dict(written) == {tag.name: tag.value for tag in Tag if tag not in (Tag.LATE, Tag.OTHER)}


def test_both_printers_write_no_other_words() -> None:
    for path in (EXPLORER / "follow.c", EXPLORER / "lasso.c", EXPLORER.parent / "native_runtime.h"):
        printed = re.findall(
            r'(?:printf|puts|__CSEQ_put|__CSEQ_record)\((?:"([^"]*)"|(__CSEQ_RECORD_\w+))', path.read_text()
        )
        assert len([name for _, name in printed if name]) >= 3
        assert {text for text, name in printed if not name} <= {"", " ", "\\n"}


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("at 1f", Record(Tag.AT, (31,))),
        ("value 2 ffffffffffffffff", Record(Tag.VALUE, (2, (1 << 64) - 1))),
        ("access 100 4 12", Record(Tag.ACCESS, (256, 4, 18))),
        ("memory freed a", Record(Tag.MEMORY, (10,), "freed")),
        ("memory null", Record(Tag.MEMORY, (), "null")),
        ("failed assertion: x == 2", Record(Tag.FAILED, text="assertion: x == 2")),
        ("ended", Record(Tag.ENDED)),
        ("late", Record(Tag.OTHER, text="late")),
        ("what the program prints", Record(Tag.OTHER, text="what the program prints")),
    ],
)
def test_a_line(line: str, record: Record) -> None:
    assert decoded(line) == record


def test_texts_may_have_line_breaks_of_other_kinds() -> None:
    assert records("at 0\nfailed a\x0cb\n") == [Record(Tag.AT, (0,)), Record(Tag.FAILED, text="a\x0cb")]
    assert records("") == [Record(Tag.OTHER)]
