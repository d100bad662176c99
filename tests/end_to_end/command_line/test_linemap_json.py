"""Programs for one verifier, and the line map beside them."""

import json
import re
import shlex
import subprocess
from typing import Any

import pytest

from cseq.backends.cbmc import engines_folder
from tests.support.shell import BUGGY, Shell

CORRECT = BUGGY.replace("x++;", "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();").replace(
    "int x;", "int x; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"
)


def saved(shell: Shell, text: str, *options: str) -> tuple[list[str], dict[str, Any]]:
    """The program that is printed for *text*, where its header says that it is to be saved, and its line map."""
    shell.file("prog.c", text)
    status, out, err = shell.run("prog.c", "--seq-only", "--linemap-json", "map.json", *options)
    assert (status, err) == (0, "")
    shell.file("prog.seq.c", out)
    return out.splitlines(), json.loads((shell.here / "map.json").read_text())


def commands(header: list[str]) -> list[list[str]]:
    """What the header says that checks the program."""
    end = header.index(" */")
    start = header.index(" * Saved as prog.seq.c it is checked by") + 1
    return [shlex.split(line.removeprefix(" * ")) for line in header[start:end]]


@pytest.mark.parametrize("version", ["6.6", "5.12"])
def test_cbmc_takes_the_program_as_it_is(shell: Shell, version: str) -> None:
    path = engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"
    if not path.is_file():
        pytest.skip(f"CBMC {version} is not installed (setup/provide-cbmc)")
    shell.environment["CSEQ_CBMC"] = str(path)
    for text, verdict in ((BUGGY, "failure"), (CORRECT, "success")):
        lines, linemap = saved(shell, text, "-b", "cbmc", "--rounds", "2")
        (command,) = commands(lines)
        done = subprocess.run(command, cwd=shell.here, capture_output=True, text=True, check=False)
        assert re.findall(r'"cProverStatus": "(\w+)"', done.stdout) == [verdict], done.stdout[-500:]
        (program,) = linemap["programs"]
        assert len(program["lines"]) == len(lines)
        claim = next(n for n, line in enumerate(lines) if "__CPROVER_assert(x == 2" in line)
        assert program["lines"][claim]["line"] == 11 and program["lines"][claim]["thread"] == 0


@pytest.mark.parametrize("option, name", [("--overflow", "no-overflow"), ("--memsafety", "valid-memsafety")])
def test_other_properties(shell: Shell, option: str, name: str) -> None:
    if not (engines_folder() / "cbmc-6.6").exists():
        pytest.skip("CBMC 6.6 is not installed (setup/provide-cbmc)")
    shell.environment["CSEQ_CBMC"] = str(engines_folder() / "cbmc-6.6" / "bin" / "cbmc")
    lines, linemap = saved(shell, BUGGY, "-b", "cbmc", option)
    done = subprocess.run(commands(lines)[0], cwd=shell.here, capture_output=True, text=True, check=False)
    assert '"cProverStatus"' in done.stdout
    assert linemap["programs"][0]["property"] == name


def test_what_a_verifier_cannot_check_is_refused(shell: Shell) -> None:
    shell.file("prog.c", BUGGY)
    message = shell.refuse("prog.c", "--seq-only", "-b", "2ls", "--memsafety")
    assert message == "cseq: error: the backend `2ls` cannot check valid-memsafety"


def test_the_map_of_a_program_for_any_verifier(shell: Shell) -> None:
    lines, linemap = saved(shell, BUGGY, "--rounds", "2")
    assert "A verifier of sequential C programs has to provide these functions" in "\n".join(lines[:3])
    (program,) = linemap["programs"]
    assert len(program["lines"]) == len(lines)
    assert linemap["schema"] == 1 and linemap["inputs"] == ["prog.c"] and linemap["parameters"]["rounds"] == 2
    assert [thread["function"] for thread in program["threads"]] == ["main", "add", "add"]
    found = [(line, text.strip()) for line, text in zip(program["lines"], lines, strict=True) if line and line["line"]]
    stores = [line for line, text in found if re.fullmatch(r"x = \w+ \+ 1;", text)]
    assert [line.pop("thread") for line in stores] == [1, 2]
    place = {"file": "prog.c", "line": 4, "column": None, "function": "add"}
    assert stores == [{**place, "calls": [], "iteration": []}] * 2
    assert program["lines"][0] is None


def test_calls_and_iterations(shell: Shell) -> None:
    loop = "int main(void) {\n  for (int i = 0; i < 2; i++)\n    up();\n  return 0; }\n"
    text = "int x; void up(void) { x = x + 1; }\n" + loop
    lines, linemap = saved(shell, text, "--exact-limit", "0", "--unwind", "2")
    found = [line for line, t in zip(linemap["programs"][0]["lines"], lines, strict=True) if t.strip() == "x = x + 1;"]
    call = {"function": "main", "file": "prog.c", "line": 4}
    assert [(line["line"], line["calls"], line["iteration"]) for line in found] == [(1, [call], [1]), (1, [call], [2])]


def test_the_map_of_an_ordinary_run(shell: Shell) -> None:
    locking = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    locked = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
    shell.file("prog.c", BUGGY.replace("int x;", locking).replace("x++;", locked))
    shell.engine("""echo '[{"cProverStatus": "success"}]'""")
    status, _, err = shell.run("prog.c", "--deadlock", "--linemap-json", "map.json", "--keep", "kept")
    assert (status, err) == (0, "unreach-call: UNKNOWN: no violation within 1 round\n")  # said as soon as it is known
    programs = json.loads((shell.here / "map.json").read_text())["programs"]
    assert [program["property"] for program in programs] == ["unreach-call", "no-deadlock"]
    for program in programs:
        kept = (shell.here / "kept" / program["property"] / "sequentialized.i").read_text().splitlines()
        assert len(program["lines"]) == len(kept)


def test_no_input_is_overwritten(shell: Shell) -> None:
    path = shell.file("prog.c", BUGGY)
    (shell.here / "link").symlink_to(path)
    message = shell.refuse("prog.c", "--seq-only", "--linemap-json", "link")
    assert message == "cseq: error: --linemap-json: link: is an input file, which is not overwritten"
    assert path.read_text() == BUGGY
    message = shell.refuse("prog.c", "--linemap-json", "none/map.json")
    assert message == "cseq: error: --linemap-json: none/map.json cannot be written"
