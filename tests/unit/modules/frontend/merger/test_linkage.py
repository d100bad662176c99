"""Weak names, aliases, and what runs before and after main."""

import pytest

from cseq.model.errors import UnsupportedError


def test_constructors_are_called_in_the_order_of_their_priorities(translated):
    text = translated(
        "merger",
        "int x;\n"
        "__attribute__((constructor)) static void second(void) { x = x * 10 + 2; }\n"
        "__attribute__((constructor(200))) static void first(void) { x = x * 10 + 1; }\n"
        "int main(void) { return x; }\n",
        "main",
    )
    assert text == "int main(void)\n{\n  first();\n  second();\n  return x;\n}\n"


def test_a_weak_function_that_nothing_defines_is_a_null_pointer(translated):
    text = translated(
        "merger", "extern int f(int) __attribute__((weak));\nint main(void) { return &f && f ? f(1) : 0; }\n"
    )
    assert "static int (* const f)(int) = 0;" in text
    assert "return (f && f) ? (f(1)) : (0);" in text


def test_a_function_of_the_library_is_there(translated):
    text = translated(
        "merger",
        "#include <pthread.h>\n#pragma weak pthread_self\n"
        "int main(void) { return pthread_self != 0 ? (int) pthread_self() : 0; }\n",
        "main",
    )
    assert "return (1 != 0) ? ((int) pthread_self()) : (0);" in text


def test_an_alias_is_its_target(translated):
    text = translated(
        "merger",
        'static int g(void) { return 1; }\nint f(void) __attribute__((alias("g")));\nint main(void) { return f(); }\n',
    )
    assert "return g();" in text and "f(" not in text.replace("if (", "")


def test_what_is_refused(translated):
    place = "program.c:1: "
    text = 'int f(void) __attribute__((alias("g")));\nint main(void) { return f(); }\n'
    message = "an alias of `g`, which is not defined here, is not supported"
    assert translated.refusal("merger", text, UnsupportedError) == place + message


def test_a_weak_object_that_nothing_defines_is_at_no_address(translated):
    text = translated("merger", "extern int x __attribute__((weak));\nint main(void) { return &x ? x : 0; }\n")
    assert "static int * const x = 0;" in text and "return (x) ? (*x) : (0);" in text


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_definition_overrides_a_weak_one_of_another_file(translated, tmp_path, order):
    texts = (
        "int f(void) __attribute__((weak));\nint f(void) { return 1; }\nint main(void) { return f(); }\n",
        "int f(void) { return 2; }\n",
    )
    paths = [tmp_path / f"{number}.c" for number in order]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.c").write_text(text)
    [(_, unit)] = [found for found in translated.units(*paths, unwind=1, rounds=1) if found[0] == "merger"]
    assert "return 2;" in unit.text and "return 1;" not in unit.text
