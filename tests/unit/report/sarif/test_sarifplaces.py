"""Places of the user's source as SARIF says them."""

import hashlib
from pathlib import Path

import pytest

from cseq.model.origin import Origin
from cseq.report.sarif.sarifplaces import ROOT, Places, text

TEXT = "int x;\n\n\tx++;  \n  y();\nlast();"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "a.c").write_text(TEXT)
    return Places(tmp_path, ("a.c",))


def test_the_root_is_a_folder(places: Places, tmp_path: Path) -> None:
    assert places.root == f"{tmp_path.as_uri()}/"


def test_files_are_numbered_in_the_order_in_which_they_are_met(places: Places) -> None:
    assert [places.artifact(file)["index"] for file in ("b.c", "a.c", "c.c", "b.c")] == [1, 0, 2, 1]
    assert [artifact["location"]["uri"] for artifact in places.artifacts()] == ["a.c", "b.c", "c.c"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a.c", "a.c"), ("./sub/../a.c", "a.c"), ("a b.c", "a%20b.c"), ("[1].c", "%5B1%5D.c"), ("a:b.c", "a%3Ab.c")],
)
def test_addresses_of_files_in_the_folder_are_relative(places: Places, file: str, uri: str) -> None:
    assert places.artifact(file)["uri"] == uri and places.artifact(file)["uriBaseId"] == ROOT


def test_addresses_of_other_files_are_absolute(places: Places, tmp_path: Path) -> None:
    assert places.artifact(str(tmp_path / "sub" / "b.c"))["uri"] == "sub/b.c"
    outside = places.artifact("/other/b c.c")
    assert outside["uri"] == "file:///other/b%20c.c" and "uriBaseId" not in outside
    assert places.artifact("../b.c")["uri"] == (tmp_path.parent / "b.c").as_uri()


def test_a_folder_whose_name_only_begins_alike_is_another_one(places: Places, tmp_path: Path) -> None:
    assert places.artifact(f"{tmp_path}-2/b.c")["uri"] == f"{tmp_path.as_uri()}-2/b.c"


def test_a_file_behind_a_link_is_in_the_folder(places: Places, tmp_path: Path) -> None:
    other = tmp_path.parent / f"{tmp_path.name}-link"
    other.symlink_to(tmp_path)
    assert places.artifact(str(other / "a.c"))["uri"] == "a.c"


def test_what_is_known_of_files(places: Places, tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text("")
    for file in ("b.h", "missing.c"):
        places.artifact(file)
    main, header, missing = places.artifacts()
    assert main == {
        "location": {"uri": "a.c", "uriBaseId": ROOT},
        "sourceLanguage": "c",
        "roles": ["analysisTarget"],
        "length": len(TEXT),
        "hashes": {"sha-256": hashlib.sha256(TEXT.encode()).hexdigest()},
    }
    assert "roles" not in header and header["length"] == 0
    assert set(missing) == {"location", "sourceLanguage"}


@pytest.mark.parametrize(
    ("line", "source", "region"),
    [
        (3, "x++;", {"startLine": 3, "startColumn": 2, "endColumn": 6, "snippet": {"text": "x++;"}}),
        (3, "", {"startLine": 3, "startColumn": 2, "endColumn": 6, "snippet": {"text": "x++;"}}),
        (5, " last(); ", {"startLine": 5, "startColumn": 1, "endColumn": 8, "snippet": {"text": "last();"}}),
        (3, "x--;", {"startLine": 3}),  # the file has changed since
        (2, "", {"startLine": 2}),
        (9, "", {"startLine": 9}),
    ],
)
def test_regions(places: Places, line: int, source: str, region: dict[str, object]) -> None:
    assert places.physical(Origin("a.c", line), source)["region"] == region


def test_a_place_without_a_line_has_no_region(places: Places) -> None:
    assert set(places.physical(Origin("a.c", 0))) == {"artifactLocation"}


def test_lines_that_cannot_be_printed_are_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_bytes(b"x = '\x1b';\r\nok;\r\n")
    places = Places(tmp_path, ())
    assert places.physical(Origin("a.c", 1))["region"] == {"startLine": 1}
    assert places.physical(Origin("a.c", 2))["region"]["snippet"] == {"text": "ok;"}
    assert "contextRegion" not in places.in_context(Origin("a.c", 2))


def test_the_lines_around_a_line(places: Places, tmp_path: Path) -> None:
    around = places.in_context(Origin("a.c", 3))["contextRegion"]
    assert around == {"startLine": 1, "endLine": 5, "snippet": {"text": TEXT}}
    (tmp_path / "b.c").write_text("".join(f"line {number};\n" for number in range(1, 20)))
    around = places.in_context(Origin("b.c", 10))["contextRegion"]
    assert (around["startLine"], around["endLine"]) == (7, 13)
    assert around["snippet"]["text"].splitlines() == [f"line {number};" for number in range(7, 14)]
    assert "contextRegion" not in places.in_context(Origin("a.c", 3), "x--;")


def test_a_location_with_its_function_and_what_is_said_of_it(places: Places) -> None:
    found = places.location(Origin("a.c", 3, function="f"), "main sets x = 1", "x++;", 7)
    assert found == {
        "id": 7,
        "physicalLocation": places.physical(Origin("a.c", 3), "x++;"),
        "logicalLocations": [{"name": "f", "fullyQualifiedName": "f", "kind": "function"}],
        "message": {"text": "main sets x = 1."},
    }
    assert set(places.location(Origin("a.c", 3))) == {"physicalLocation"}


def test_a_line_as_it_is_in_the_file(places: Places) -> None:
    assert [places.line(Origin("a.c", number)) for number in (0, 3, 4, 9)] == ["", "x++;", "y();", ""]
    assert places.line(Origin("missing.c", 1)) == "" and places.line(Origin(".", 1)) == ""


def test_where_nothing_is_known_it_is_in_the_first_of_the_inputs(places: Places, tmp_path: Path) -> None:
    assert places.unknown() == {"physicalLocation": {"artifactLocation": places.artifact("a.c")}}
    assert Places(tmp_path, ()).unknown() == {}


def test_messages_show_what_cannot_be_printed() -> None:
    assert text("a\x1bb") == {"text": "a\\x1bb"}
