"""The merger: one unit from the user's files and the thread library."""

import re

import pytest
from pycparser import c_ast

from cseq.model.errors import InputError
from cseq.modules.frontend.merger.merger import SOURCES, Merger


def places(unit) -> list[str]:
    """The names and places of the declarations of the user's."""
    found = []
    for node in unit.tree.ext:
        name = node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None)
        if node.coord and "/pthread_stubs/" not in node.coord.file and not node.coord.file.startswith("<"):
            found.append(f"{name} {node.coord}")
    return found


# One file


def test_macros_are_expanded_and_lines_are_kept(merged):
    unit = merged(
        {
            "a.c": """\
            #define TWICE(x) ((x) * 2)

            int n = TWICE(3); /* a
               comment */ int m;

            int main(void)
            {
            #ifdef NOTHING
              return 1;
            #endif
              return TWICE(n);
            }
            """
        }
    )
    assert unit.text == "int n = 3 * 2;\nint m;\nint main(void)\n{\n  return n * 2;\n}\n"
    assert [origin.line for origin in unit.linemap] == [3, 4, 6, 6, 11, 6]


def test_the_user_s_headers_are_found_and_have_places_of_their_own(merged):
    files = {
        "lib/deep.h": "int deep;\n",
        "near.h": '#include "lib/deep.h"\nint near;\n',
        "a.c": '#include "near.h"\nint main(void) { return 0; }\n',
    }
    assert places(merged(files)) == ["deep lib/deep.h:1", "near near.h:2", "main a.c:2"]
    assert places(merged({**files, "a.c": '#include "deep.h"\nint main(void) { return 0; }\n'}, include=["lib"])) == [
        "deep lib/deep.h:1",
        "main a.c:2",
    ]


def test_macros_can_be_defined_from_outside(merged):
    unit = merged({"a.c": "int main(void) { return N + ON; }\n"}, define=["N=4", "ON"])
    assert "return 4 + 1;" in unit.text


@pytest.mark.parametrize("bits, size", [(32, 4), (64, 8)])
def test_the_data_model_is_seen_by_the_preprocessor(merged, bits, size):
    unit = merged({"a.c": "int main(void) { return __SIZEOF_LONG__; }\n"}, bits=bits)
    assert f"return {size};" in unit.text


def test_our_headers_stand_in_for_the_system_s(merged):
    source = (
        "#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\n#include <assert.h>\n"
        "int main(void) { assert(1); }\n"
    )
    assert '__CSEQ_check(1, "assertion: 1");' in merged({"a.c": source}).text


def test_what_our_headers_lack_comes_from_the_system_s(merged):
    source = (
        "#include <unistd.h>\n#include <pthread.h>\n#include <assert.h>\n"
        "intptr_t s;\nint main(void) { assert(s == 0); return (int)pthread_self(); }\n"
    )
    text = merged({"a.c": source}).text
    assert "__intptr_t intptr_t;" in text
    assert "typedef unsigned int pthread_t;" in text
    assert "__CSEQ_check(s == 0" in text


def test_functions_that_our_headers_lack_are_declared_by_the_system_s(merged):
    text = merged({"a.c": "#include <time.h>\nint main(void) { return mktime(0) == 0; }\n"}).text
    assert re.search(r"time_t mktime\(struct tm \*", text)


def test_headers_that_only_the_system_has(merged):
    text = merged({"a.c": "#include <ctype.h>\nint main(void) { return toupper('a'); }\n"}).text
    assert "toupper(int" in text


def test_the_sources_are_left_for_the_reports(translated):
    translated.write("int near; // of the header\n", "near.h")
    translated.write('#include "near.h"\n#include <stdlib.h>\nint main(void) { return 0; } // main\n', "a.c")
    context = translated.context()
    Merger(context).run(["a.c"])
    assert {file: lines[-1] for file, lines in context.facts[SOURCES].items()} == {
        "a.c": "int main(void) { return 0; } // main",
        "near.h": "int near; // of the header",
    }


# Several files


def test_files_follow_each_other_and_share_headers(merged):
    files = {
        "s.h": "struct s { int a; };\nextern int x;\nint f(struct s *p);\ntypedef struct s t;\nenum { A, B };\n",
        "a.c": '#include "s.h"\nint x;\nint main(void) { struct s v = {B}; return f(&v); }\n',
        "b.c": '#include "s.h"\nint f(t *p) { return p->a + x; }\n',
    }
    names = [place.split()[0] for place in places(merged(files))]
    assert names == ["None", "x", "f", "t", "None", "x", "main", "f"]


# The thread library


def test_of_the_library_comes_what_is_used(merged):
    source = "#include <pthread.h>\npthread_mutex_t m;\nint main(void) { pthread_mutex_lock(&m); return 0; }\n"
    unit = merged({"a.c": source})
    defined = {node.decl.name: node.coord for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)}
    assert defined.keys() == {"main", "pthread_mutex_lock"}
    assert defined["pthread_mutex_lock"].file == "<cseq>/mutex.c"


def test_what_the_library_uses_itself_comes_in_front_of_it(merged):
    source = "#include <pthread.h>\npthread_barrier_t b;\nint main(void) { pthread_barrier_wait(&b); }\n"
    unit = merged({"a.c": source})
    defined = [node.decl.name for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)]
    assert defined == ["main", "__cs_step_barrier_arrive", "__cs_step_barrier_leave", "pthread_barrier_wait"]


def test_an_object_of_the_user_s_is_not_taken_for_a_function_of_the_library(merged):
    unit = merged({"a.c": "int pthread_join;\nint main(void) { return pthread_join; }\n"})
    assert [node.decl.name for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)] == ["main"]


def test_a_program_without_threads_gets_no_library(merged):
    assert (
        "__cs" not in merged({"a.c": "#include <pthread.h>\nint main(void) { return 0; }\n"}).text.split("int main")[1]
    )


def test_a_library_function_that_the_user_defines_is_the_user_s(merged):
    source = (
        "#include <pthread.h>\nint pthread_join(pthread_t t, void **r) { return 7; }\n"
        "int main(void) { return pthread_join(0, 0); }\n"
    )
    unit = merged({"a.c": source})
    assert [node.coord.file for node in unit.tree.ext if isinstance(node, c_ast.FuncDef)] == ["a.c", "a.c"]


# What is refused


def refusal(merged, files, kind=InputError, **parameters) -> str:
    with pytest.raises(kind) as caught:
        merged(files, **parameters)
    return str(caught.value)


@pytest.mark.parametrize(
    "source, message",
    [
        ("int f(void) { return 0; }\n", "a.c:1: there is no function `main`"),
        ("int main(void);\n", "a.c:1: there is no function `main`"),
        ("int main(void)\n{\n  return 1 +;\n}\n", "a.c:3: expected expression before ';' token"),
        ("int main(void)\n{\n  return x;\n}\n", "a.c:3: 'x' undeclared"),
        ('#include "nowhere.h"\nint main(void) { return 0; }\n', "a.c:1: nowhere.h: No such file or directory"),
        ("#if 1\nint main(void) { return 0; }\n", "a.c:1: unterminated #if"),
        ("int x;\n#error not here\n", "a.c:2: not here"),
        ("\nint __cs_x;\nint main(void) { return 0; }\n", "a.c:2: the name `__cs_x` is reserved for CSeq's own use"),
        ("int a,\n  b__cs2; int main(void) { return 0; }\n", "a.c:2: the name `b__cs2` is reserved for CSeq's own use"),
        ("\nint a__csb; int main(void) { return 0; }\n", "a.c:2: the name `a__csb` is reserved for CSeq's own use"),
        ("\nint x__cs_1; int main(void) { return 0; }\n", "a.c:2: the name `x__cs_1` is reserved for CSeq's own use"),
        ("\n\nvoid __CSEQ_f(void);\n", "a.c:3: the name `__CSEQ_f` is reserved for CSeq's own use"),
    ],
)
def test_bad_input_is_refused_with_its_place(merged, source, message, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert refusal(merged, {"a.c": source}).startswith(message)


def test_an_error_in_a_header_has_the_header_s_place(merged):
    files = {"bad.h": "\nint x = ;\n", "a.c": '#include "bad.h"\nint main(void) { return 0; }\n'}
    assert refusal(merged, files).startswith("bad.h:2: ")


def test_reserved_names_are_found_in_headers_and_in_files_with_odd_names(merged):
    main = '#include "my own.h"\nint main(void) { return 0; }\n'
    assert refusal(merged, {"my own.h": "\nint __cs_x;\n", "a.c": main}).startswith("my own.h:2: the name `__cs_x`")


def test_a_folder_with_a_space_in_its_name_is_a_folder(merged):
    unit = merged(
        {"my own/a b.c": "#include <pthread.h>\n#include <assert.h>\nint main(void) { assert(1); return 0; }\n"}
    )
    assert places(unit) == ["main my own/a b.c:3"]


@pytest.mark.parametrize(
    "content, message",
    [
        (None, "x.c: no such file"),
        (b"", "x.c: the file is empty"),
        (b" \n\t\n", "x.c: the file is empty"),
        (b"\x7fELF\0\0", "x.c: is a binary file, not C"),
    ],
)
def test_what_is_no_c_file(translated, tmp_path, content, message):
    if content is not None:
        (tmp_path / "x.c").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(translated.units("x.c", until="merger"))


def test_a_folder_is_no_c_file(translated, tmp_path):
    (tmp_path / "x.c").mkdir()
    with pytest.raises(InputError, match=r"x\.c: is a directory, not a C file"):
        list(translated.units("x.c", until="merger"))


def test_no_file_at_all(translated):
    with pytest.raises(InputError, match="no input file"):
        list(translated.units(until="merger"))


def test_functions_of_the_library_need_its_header(merged):
    message = refusal(merged, {"a.c": "int main(void) { pthread_mutex_lock(0); return 0; }\n"})
    assert "`pthread_mutex_lock` is called, but <pthread.h> is not included" in message


def test_a_function_that_its_header_does_not_declare_is_refused(merged):
    header = "int pthread_self(void);\n"
    files = {"a.c": f"{header}int main(void)\n{{\n  return pthread_join(0, 0) + pthread_self();\n}}\n"}
    message = refusal(merged, files)
    assert message.startswith("a.c:4: `pthread_join` is called, but no header that is included declares it")


def test_names_that_compilers_predefine_as_macros_get_others(translated):
    """What is made of a program is preprocessed again."""
    text = translated(
        "merger",
        """\
        #undef linux
        #undef unix
        struct s { int unix; };
        int linux;
        int main(void) { struct s i386_s = { 1 }; const char *t = "linux"; return linux + i386_s.unix; }
        """,
    )
    assert "int unix__cs9;" in text and "int linux__cs9;" in text and '"linux"' in text
    assert "return linux__cs9 + i386_s.unix__cs9;" in text
