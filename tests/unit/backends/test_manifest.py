"""Files that declare a verifier: what they may contain."""

from pathlib import Path

import pytest

from cseq.backends.registry import backend, known
from cseq.model.errors import UsageError
from cseq.modules.library.lexicon import NONDET_TYPES
from tests.unit.backends.test_declared import SMALL, toy


def refused(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        toy(folder, text)
    return str(caught.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ('about = "a verifier"', "about = a", "toy.toml:1: no TOML: invalid value"),
        ("[answer]", "[answer", 'toy.toml:8: no TOML: expected \']\' at the end of a table declaration'),
        ('about = "a verifier"\n', "", "toy.toml: `about` is missing"),
        ('about = "a verifier"', 'about = " "', "toy.toml:1: `about` is empty"),
        ("complete = true\n", "", "toy.toml: `complete` is missing"),
        ("complete = true", "complete = 1", "toy.toml:7: `complete` has to be true or false"),
        ('programs = ["toy"]', "programs = []", "toy.toml:2: `programs` has to be a list of texts"),
        ('programs = ["toy"]', "programs = [1]", "toy.toml:2: `programs` has to be a list of texts"),
        ('programs = ["toy"]', 'programs = "toy"', "toy.toml:2: `programs` has to be a list of texts"),
        ("complete", "compleat", "toy.toml:7: there is no `compleat` here (known: about, programs, version, prepare, "
         "command, model, timeout, memory, complete, tested, install, language, answer)"),
        ('"{program}"]', '"x"]', "toy.toml:3: `command` has to have {program} in it, the C file"),
        ('"{program}"]', '"{progam}"]', "toy.toml:3: `command`: nothing is known for {progam} (known: {bits}, "
         "{folder}, {program}, {property})"),
        ('"{model}", ', "", "toy.toml:3: `model` and {model} in `command` have to be used together"),
        ("model = { 32 =", "model = { 16 =", "toy.toml:4: there is no `16` here (known: 32, 64)"),
        ('safe = "^SAFE$"\n', "", "toy.toml: `safe` is missing"),
        ('safe = "^SAFE$"', 'safe = "("', "toy.toml:9: `safe` is not a regular expression: missing ), unterminated "
         "subpattern at position 0"),
        ('safe = "^SAFE$"', 'safe = "S?"', "toy.toml:9: `safe` matches the empty text, so everything"),
        ("(\\d+)", "\\d+", "toy.toml:15: `line` needs a group, in round brackets, for the number"),
        ("line =", "input =", "toy.toml:15: `input` needs the groups (?P<line>…) and (?P<value>…)"),
        ("safe = [0]", "safe = 0", "toy.toml:14: `safe` has to be a list of numbers"),
        ("safe = [0]", 'safe = ["0"]', "toy.toml:14: `safe` has to be a list of numbers"),
        ("[answer]", "[language]\nassert = 'x'\n[answer]", "toy.toml:9: `assert` has to have {condition} in it"),
        ("[answer]", "[language]\nnondet = 'x'\n[answer]", "toy.toml:9: `nondet` has to have {kind} in it"),
        ("[answer]", "[language]\nkinds = ['i']\n[answer]", "toy.toml:9: there is no kind `i` (known: "
         f"{', '.join(NONDET_TYPES)})"),
        ("[answer]", "[language.primitives]\nx = 'y'\n[answer]", "toy.toml:9: a primitive begins with __CSEQ_, `x` "
         "does not"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_declaration(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in SMALL
    assert refused(tmp_path, SMALL.replace(old, new, 1)).startswith(complaint)


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"2ls", "blitz", "cbmc", "cpachecker", "llbmc", "satabs", "smack", "symbiotic", "ultimate"} <= set(known())
    with pytest.raises(
        UsageError, match=r"there is no backend `nope` \(known: auto, native, spin, cbmc, .*a file that ends in .toml\)"
    ):
        backend("nope")
    with pytest.raises(UsageError, match=r"there is no file `nope.toml`"):
        backend("nope.toml")
    toy(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert backend("toy.toml").name == "toy"
