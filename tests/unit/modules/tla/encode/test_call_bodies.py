"""Calls inside of expressions."""

import re

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.model.errors import UnsupportedError
from cseq.modules.tla.encode.call_bodies import Names, has_call, parameters
from tests.support.checkout import ROOT


def test_a_choice_is_one_of_several_memories(specified):
    found = specified("pthread_mutex_t a; int main(void) { pthread_mutex_init(&a, 0); return 0; }")
    watch = next(each for each in found.library if each.name == "watch")
    assert watch.body.startswith("UNION {IF Returned(self, m2) # 0") or "Same(Returned(self, m2), 0)" in watch.body
    assert "m2 \\in Chooses(self, m, 2)" in watch.body


def test_a_call_that_may_not_be_made_is_made_under_its_condition(specified):
    found = specified((ROOT / "sv-benchmarks" / "self_equal_bad.c").read_text(encoding="utf-8"))
    bodies = [each.body for each in found.library if "is_unused(self, " in each.body]
    assert any("THEN is_unused(self, m" in body and "ELSE {Returns(self, m" in body for body in bodies)


def test_names_are_new():
    names = Names("m")
    assert [names.memory(), names.memory(), names.new("x"), names.memory(), names.new("x")] == [
        "m", "m2", "x", "m3", "x2"
    ]  # fmt: skip


def test_what_is_only_measured_is_not_called():
    function = parse("int f(int a, char *b) { a = sizeof(g(1)); a = b[g(2)]; }").ext[0]
    assert isinstance(function, c_ast.FuncDef)
    first, second = function.body.block_items
    assert not has_call(first) and has_call(second)
    assert [each.name for each in parameters(function)] == ["a", "b"]


def test_what_the_library_is_given_is_one_of_the_samples(specified):
    text = "#include <time.h>\nstruct timespec now; int main(void) { timespec_get(&now, 1); assert(now.tv_sec != 77); }"
    found = specified(text)
    values = [re.search(r"ChoosesFrom\(self, \w+, <<([-\d, ()]+)>>\)", each.body) for each in found.library]
    assert any(value is not None and "77" in value[1].split(", ") for value in values)


def test_what_only_the_library_calls_needs_no_declaration(specified):
    head = "void *mempcpy(void *, const void *, unsigned long);\nint main(void)"
    found = specified(head + ' { char s[4]; char *e = mempcpy(s, "abc", 3); assert(e == s + 3); }')
    assert any("CopyCells" in each.body for each in found.library)
    with pytest.raises(UnsupportedError, match="the function `strdup`"):
        specified('int main(void) { char *s = strdup("ab"); assert(s[1]); }')
