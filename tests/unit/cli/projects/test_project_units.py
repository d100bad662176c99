from pathlib import Path

from cseq.cli.projects.project_units import looked_for


def test_headers_that_would_be_read_in_place_of_others(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    source, header = second / "a.c", second / "a.h"
    source.write_text('#include "a.h"\n')
    header.write_text("")
    found = set(looked_for([str(source), str(header)], ["-I", str(first)], lambda path: Path(path).exists()))
    assert f"{first}/a.h" in found
    assert f"{second}/a.h" not in found  # it exists
