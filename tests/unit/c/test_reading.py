"""One file, preprocessed and parsed: with the system's headers where ours are not enough, and the compiler's errors."""

from pathlib import Path

import pytest

from cseq.c.reading import File
from cseq.model.errors import InputError, UnsupportedError

MORE = "#include <stdlib.h>\nstruct random_data data;\n"
"""Uses a type of the system's header that ours does not have."""


def written(folder: Path, text: str, name: str = "x.c") -> Path:
    (folder / name).write_text(text)
    return folder / name


def declared(tree: object) -> set[str]:
    return {node.name for node in tree.ext if getattr(node, "name", None)}  # type: ignore[attr-defined]


def test_more_of_the_system_s_headers(tmp_path: Path) -> None:
    assert "data" in declared(File(written(tmp_path, MORE)).parsed())


def test_more_headers_where_the_tree_is_not_enough(tmp_path: Path) -> None:
    path = written(tmp_path, "#include <string.h>\nint x;\n")
    asked = []

    def wants(tree: object) -> bool:
        asked.append(len(declared(tree)))
        return True

    more = File(path).parsed(wants_more=wants)
    assert len(asked) == 1 and len(declared(more)) > asked[0]


def test_the_preprocessed_text_is_prepared(tmp_path: Path) -> None:
    file = File(written(tmp_path, "int N;\n"), defines=["N=first"])
    assert declared(file.parsed(lambda text: text.replace("first", "second"))) == {"second"}


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("int x = 1\nint y;\n", InputError, "expected"),
        ('#include "nowhere.h"\n', InputError, "nowhere.h: No such file or directory"),
        ("int f(void) { return _Generic(1, int: 2)(3); }\n", InputError, "not a function"),
    ],
)
def test_errors_are_those_of_the_compiler(tmp_path: Path, text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        File(written(tmp_path, text)).parsed()
    assert not isinstance(caught.value, UnsupportedError)


def test_preprocessed_files_are_read_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        File(written(tmp_path, "struct random_data data;\n", "x.i")).parsed()
