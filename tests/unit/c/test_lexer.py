"""Tokens: literals, and the places of what is none."""

import pytest

from cseq.c import parse, print_unit
from cseq.model.errors import UnsupportedError


def test_adjacent_strings_keep_their_escapes_apart():
    literal = parse(r'char s[] = "\x7f" "f\1" "2";').ext[0].init
    assert print_unit(parse(f"char s[] = {literal.value};"))[0] == print_unit(parse(r'char s[] = "\x7f" "f\1" "2";'))[0]


@pytest.mark.parametrize("literal", ['"ERROR"', 'L"R"', 'u8"R"', '"R\\"R"'])
def test_a_string_that_ends_in_r_is_no_raw_string(literal):
    assert literal in print_unit(parse(f"void *text = {literal};\n"))[0]


@pytest.mark.parametrize("prefix", ["R", "LR", "u8R", "UR", "uR"])
def test_a_raw_string_is_refused_with_its_place(prefix):
    with pytest.raises(UnsupportedError) as refusal:
        parse(f'int x;\nconst void *text = {prefix}"(a)";\n', "a.c")
    assert str(refusal.value) == "a.c:2: a raw string is not supported"
