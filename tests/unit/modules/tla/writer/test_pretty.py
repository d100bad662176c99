"""Where long lines of TLA+ are broken, and where they must not be."""

from cseq.modules.tla.writer import pretty

LONG = ", ".join(f"argument_number_{number}" for number in range(12))


def _words(lines: list[str]) -> str:
    return "".join("".join(lines).split())


def test_a_short_definition_is_one_line():
    assert pretty.definition("f(x)", "x + 1") == ["f(x) == x + 1"]


def test_a_definition_of_several_lines_keeps_its_layout():
    assert pretty.definition("f(x)", "\n    IF x\n      THEN 1\n      ELSE 2") == [
        "f(x) ==",
        "  IF x",
        "    THEN 1",
        "    ELSE 2",
    ]


def test_a_long_line_is_broken_where_little_is_nested():
    text = f"{{Goto(self, Store({LONG}), [m EXCEPT !.a = 1, !.b = {LONG}])}}"
    lines = pretty.indented(text, 2)
    assert len(lines) > 2
    assert max(map(len, lines)) <= pretty.WIDTH
    assert _words(lines) == _words([text])
    assert all(line.startswith("      ") for line in lines[1:])


def test_a_conditional_has_a_line_for_each_part():
    condition = "m.data.count < 4 /\\ f(IF a THEN b ELSE c)"
    text = f"IF {condition} THEN {{Goto(self, m, 1)}} ELSE IF x THEN {{f({'y' * 30})}} ELSE {{g({'z' * 30})}}"
    assert pretty.indented(text, 2) == [
        f"  IF {condition}",
        "  THEN {Goto(self, m, 1)}",
        f"  ELSE IF x THEN {{f({'y' * 30})}} ELSE {{g({'z' * 30})}}",
    ]


def test_a_conditional_within_brackets_stays_together():
    text = f"{{Goto(self, [m EXCEPT !.data.{'x' * 30} = 1], IF m.data.{'x' * 20} = 1 THEN f(1) ELSE g({'y' * 30}))}}"
    first, second = pretty.indented(text, 2)
    assert first.endswith("],")
    assert second.strip().startswith("IF ")


def test_a_list_of_conjuncts_keeps_its_layout():
    for text in (f"(/\\ a = <<{LONG}>> /\\ b)", f"IF x THEN \\/ f({LONG}) ELSE y"):
        assert pretty.indented(text, 2) == [f"  {text}"]
    first, *more = pretty.indented(f"/\\ x = f({LONG})\n/\\ y", 2)
    assert first.startswith("  /\\ x = f(")
    assert more[-1] == "  /\\ y"
    assert all(line.startswith("      ") for line in more[:-1])


def test_no_string_is_broken():
    label = pretty.quoted(f"a, b THEN c {'x' * 100}")
    lines = pretty.indented(f"{{Goto(self, m, {label})}}", 2)
    assert any(label in line for line in lines)


def test_cases():
    assert pretty.cases([("a", "1"), ("b", "IF c\nTHEN d\nELSE e")], "0") == (
        "CASE a -> 1\n  [] b ->\n         IF c\n         THEN d\n         ELSE e\n  [] OTHER -> 0"
    )


def test_what_is_listed():
    assert pretty.listed("S", ["1", "2"]) == ["S == {1, 2}"]
    words = [pretty.quoted("x" * 30) for _ in range(4)]
    assert pretty.listed("S", words, "[", "]") == ["S == [", *(f"  {word}," for word in words[:3]), f"  {words[3]}]"]


def test_comments_and_strings_are_ascii_and_end_where_they_should():
    assert pretty.remark("int  é;\n") == "\\* int \\xe9;"
    assert pretty.quoted('a"b\\c') == '"a\\"b\\\\c"'
    assert [line.count("*)") for line in pretty.boxed(["x *) y"])] == [1, 1, 1]
