"""Texts of C as strings of TLA+."""

from cseq.c import build
from cseq.modules.tla.encode.texts import quoted, spoken


def test_the_text_of_a_claim_keeps_its_quotes():
    text = 'assertion: c == "a\\n" && d'
    assert spoken(build.string(text)) == text
    assert quoted(spoken(build.string(text))) == r'"assertion: c == \"a\\n\" && d"'
    assert spoken(build.number(1)) == ""
