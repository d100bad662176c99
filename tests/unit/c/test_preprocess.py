"""Files on their way in: which are C, which are preprocessed already, and where the compiler's complaints belong."""

from pathlib import Path

import pytest

from cseq.c.preprocess import Source, check_readable, is_preprocessed, without_comments
from cseq.model.errors import InputError
from cseq.pthread_stubs import INCLUDE


def written(folder: Path, text: str, name: str = "a.c") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def complaint(source: Source) -> str:
    with pytest.raises(InputError) as caught:
        source.check()
    source.close()
    return str(caught.value)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("int x; // one\nint y;", "int x;  \nint y;"),
        ("int /* a\nb */ x;", "int  \n x;"),
        ('char *s = "/* no */ // comment";', 'char *s = "/* no */ // comment";'),
        ("char c = '\"'; // \"\nint x;", "char c = '\"';  \nint x;"),
    ],
)
def test_comments_go_and_lines_stay(text: str, expected: str) -> None:
    stripped = without_comments(text)
    assert [line.rstrip() for line in stripped.split("\n")] == [line.rstrip() for line in expected.split("\n")]


def test_what_is_preprocessed_is_known_by_its_name_or_its_first_line(tmp_path: Path) -> None:
    assert is_preprocessed(written(tmp_path, "int x;", "a.i"))
    assert not is_preprocessed(written(tmp_path, "int x;", "a.c"))


@pytest.mark.parametrize("name, content", [("a.c", b"\0\0"), ("none.c", None)])
def test_what_is_no_file_of_c_is_said_in_words(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        check_readable(tmp_path / name)


def test_macros_headers_and_the_data_model(tmp_path: Path) -> None:
    written(tmp_path, "#define TWICE(x) ((x) * 2)\n", "own.h")
    path = written(tmp_path, '#include "own.h"\nint n = TWICE(N);\n#ifdef __LP64__\nint lp64;\n#endif\n')
    source = Source(path, INCLUDE, defines=["N=3"])
    text = source.text()
    source.check()
    source.close()
    assert "int n = ((3) * 2);" in text
    assert "int lp64;" in text


def test_our_headers_come_first_unless_the_system_s_are_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "#include <string.h>\n")
    texts = []
    for system in (False, True):
        source = Source(path, INCLUDE, system=system)
        texts.append(source.text())
        source.close()
    assert str(INCLUDE / "string.h") in texts[0]
    assert "/usr/include/string.h" in texts[1]


def test_a_complaint_has_the_place_in_the_user_s_files(tmp_path: Path) -> None:
    path = written(tmp_path, "int x;\nint y = z;\n")
    assert complaint(Source(path, INCLUDE)).startswith(f"{path}:2: ")
    written(tmp_path, "int y = ;\n", "own.h")
    assert complaint(Source(written(tmp_path, '\n#include "own.h"\n'), INCLUDE)).startswith(f"{tmp_path / 'own.h'}:1: ")


def test_an_error_of_the_user_s_is_its_text(tmp_path: Path) -> None:
    path = written(tmp_path, "\n#error not today\n")
    assert complaint(Source(path, INCLUDE)) == f"{path}:2: not today"


def test_closing_ends_the_compiler(tmp_path: Path) -> None:
    source = Source(written(tmp_path, "int x;\n"), INCLUDE)
    source.close()
    source.close()
    assert source._checking.poll() is not None
