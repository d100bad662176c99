"""Verifiers that are only declared, on whole programs: real ones as if CSeq did not know them, and scripts."""

import json
import re
import shutil
from pathlib import Path

import pytest

import cseq
from cseq.backends import esbmc
from cseq.backends.cbmc import engines_folder
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.json import jsonreport
from cseq.report.text import terminal
from cseq.report.words import bound_text, description, message
from tests.support.checkout import ROOT

TASKS = ROOT / "sv-benchmarks"


def example() -> str:
    """The worked example of the manual."""
    text = (ROOT / "docs" / "backends.md").read_text()
    found = re.search(r"```toml\n(about = .*?)```", text, re.DOTALL)
    assert found is not None
    return found.group(1)


def verified(folder: Path, declaration: str, task: str, **parameters: object) -> Outcome:
    path = folder / "foreign.toml"
    path.write_text(declaration)
    return cseq.verify(TASKS / f"{task}.c", backend=str(path), **parameters)


@pytest.fixture
def cbmc(monkeypatch: pytest.MonkeyPatch) -> None:
    path = engines_folder() / "cbmc-6.6" / "bin" / "cbmc"
    if not path.is_file():
        pytest.skip("CBMC 6.6 is not installed (setup/provide-cbmc)")
    monkeypatch.setenv("CSEQ_FOREIGN", str(path))


@pytest.mark.usefixtures("cbmc")
def test_the_example_of_the_manual(tmp_path: Path) -> None:
    bad = verified(tmp_path, example(), "lost_update_bad", rounds=2)
    assert (bad.verdict, bad.backend, bad.unreplayed) == (Verdict.FALSE, "foreign", "")
    assert bad.counterexample is not None and str(bad.violated and bad.violated.origin).endswith("_bad.c:30")
    good = verified(tmp_path, example(), "lost_update_good", rounds=2, prove=True)
    assert good.verdict is Verdict.TRUE


@pytest.mark.usefixtures("cbmc")
def test_a_bounded_verifier_proves_nothing(tmp_path: Path) -> None:
    bounded = example().replace("complete = true", "complete = false")
    good = verified(tmp_path, bounded, "lost_update_good", rounds=2, prove=True)
    assert (good.verdict, good.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert "foreign does not look at all executions" in [bound_text(bound) for bound in good.bounds]


@pytest.mark.usefixtures("cbmc")
def test_a_graphml_witness_of_cbmc(tmp_path: Path) -> None:
    text = example().replace('"--trace",', '"--graphml-witness", "{folder}/w.graphml",')
    text = re.sub(r"(?m)^input = .*$", 'witness = ["w.graphml"]', text)
    bad = verified(tmp_path, text, "lost_update_bad", rounds=2)
    assert bad.verdict is Verdict.FALSE and bad.counterexample is not None
    assert [step.origin.line for step in bad.counterexample.steps][-1] == 30


ESBMC = """\
about = "ESBMC, as if CSeq did not know it"
programs = ["esbmc"]
command = ["{model}", "{program}", "--witness-output-graphml", "{folder}/w.graphml", "--no-standard-checks"]
model = { 32 = ["--32"], 64 = ["--64"] }
complete = true
[language]
prologue = '''
void __VERIFIER_assume(int holds) { __ESBMC_assume(holds); }
void reach_error(void) { __ESBMC_assert(0, "reach_error"); }
'''
[answer]
safe = '^VERIFICATION SUCCESSFUL$'
violated = '^VERIFICATION FAILED$'
exit = { safe = [0], violated = [1] }
witness = ["w.graphml"]
"""


@pytest.mark.skipif(esbmc.BACKEND.find() is None, reason="ESBMC is not installed (setup/provide-esbmc)")
def test_a_graphml_witness_of_esbmc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CSEQ_FOREIGN", str(esbmc.BACKEND.find()))
    bad = verified(tmp_path, ESBMC, "lost_update_bad", rounds=2)
    assert bad.verdict is Verdict.FALSE and bad.counterexample is not None
    assert verified(tmp_path, ESBMC, "lost_update_good", rounds=2).reason is Reason.BOUNDED


@pytest.mark.skipif(shutil.which("2ls") is None, reason="2LS is not installed")
def test_2ls() -> None:
    bad = cseq.verify(TASKS / "lost_update_bad.c", backend="2ls", rounds=2)
    assert bad.verdict is Verdict.FALSE
    good = cseq.verify(TASKS / "lost_update_good.c", backend="2ls", rounds=2)
    assert (good.verdict, good.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)


SCRIPTED = """\
about = "a script"
programs = ["{script}"]
command = ["{{program}}"]
complete = true
[answer]
safe = "^SAFE$"
violated = "^UNSAFE"
unknown = "^UNKNOWN"
line = 'at line (\\d+)'
witness = ["w.yml"]
"""


def scripted(folder: Path, script: str, task: str = "lost_update_bad", **parameters: object) -> Outcome:
    """What comes of a verifier that is a shell script, which is given the program."""
    path = folder / "script"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return verified(folder, SCRIPTED.format(script=path), task, **{"rounds": 2, **parameters})


CLAIM = r"""line=$(grep -n 'reach_error(); /\* assertion' "$1" | cut -d: -f1)"""


def test_a_violation_of_which_only_the_line_is_told(tmp_path: Path) -> None:
    outcome = scripted(tmp_path, f'{CLAIM}; echo "UNSAFE at line $line"')
    assert (outcome.verdict, outcome.exit_status, outcome.counterexample) == (Verdict.FALSE, 1, None)
    assert outcome.violated is not None and description(outcome.violated) == "assertion `counter == 2`"
    assert outcome.unreplayed == "foreign reports no inputs" and outcome.kept is None
    assert [str(caution) for caution in outcome.warnings] == [
        "the violation is not replayed: foreign reports no inputs"
    ]
    told = f"FALSE: assertion `counter == 2` is violated at {TASKS}/lost_update_bad.c:30 in main\n"
    why = "(no counterexample, and not replayed: foreign reports no inputs)\n"
    assert terminal.render(outcome) == terminal.render(outcome, steps=True) == told + why
    assert terminal.render(outcome, details=True).startswith(told)
    report = json.loads(jsonreport.render(outcome))
    assert (report["replayed"], report["counterexample"], report["property"]["line"]) == (False, None, 30)


WITNESS = """\
cat > w.yml <<EOF
- entry_type: violation_sequence
  content:
  - segment:
    - waypoint: {type: function_return}
EOF
for pair in $values; do
cat >> w.yml <<EOF
  - segment:
    - waypoint:
        type: "function_return"
        action: "follow"
        constraint:
          value: "\\\\\\\\result == ${pair#*:}"
          format: "ext_c_expression"
        location:
          line: ${pair%:*}
EOF
done
"""
GUESSES = r"""guesses=$(grep -n '__cs_cs_[0-9] = __VERIFIER_nondet_uint' "$1" | cut -d: -f1); set -- "$1" $guesses"""


@pytest.mark.parametrize("last, verdict", [(6, Verdict.FALSE), (4, Verdict.UNKNOWN)])
def test_inputs_by_the_lines_of_their_calls(tmp_path: Path, last: int, verdict: Verdict) -> None:
    # Those of t1 and t2, which do not matter, are left out; the last guess decides whether main gets to its claim.
    values = f'values="$8:{last} $2:2 $3:1 $4:1 $5:2 $6:2 $7:2"'
    outcome = scripted(tmp_path, f"{GUESSES}\n{values}\n{WITNESS}\necho UNSAFE")
    assert outcome.verdict is verdict
    if verdict is Verdict.FALSE:
        assert outcome.counterexample is not None and outcome.unreplayed == ""
        assert {step.thread.number for step in outcome.counterexample.steps} == {0, 1, 2}
    else:
        assert outcome.reason is Reason.REPLAY and "does not report all inputs" in message(outcome)


def test_a_claim_that_the_witness_does_not_lead_to(tmp_path: Path) -> None:
    values = 'values="$8:4 $2:2 $3:1 $4:1 $5:2 $6:2 $7:2"'
    outcome = scripted(tmp_path, f'{CLAIM}; {GUESSES}\n{values}\n{WITNESS}\necho "UNSAFE at line $line"')
    assert (outcome.verdict, outcome.unreplayed) == (Verdict.FALSE, "foreign does not report all inputs")


@pytest.mark.parametrize(
    "place",
    [
        "1",
        "99999",
        '$(grep -n "static void increment" "$1" | head -1 | cut -d: -f1)',  # nothing is claimed there
        '$(grep -n "/* pthread_join: " "$1" | head -1 | cut -d: -f1)',  # in the library
        "",
    ],
)
def test_a_violation_elsewhere_is_no_verdict(tmp_path: Path, place: str) -> None:
    outcome = scripted(tmp_path, f'echo "UNSAFE at line {place}"')
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.REPLAY, 3)
    assert re.match(
        r"foreign reports a violation( \(pthread_join.*\))?, but not where in the program", message(outcome)
    )
    assert outcome.kept is not None
    shutil.rmtree(outcome.kept)


def test_a_verifier_that_gives_up(tmp_path: Path) -> None:
    outcome = scripted(tmp_path, "echo UNKNOWN, too hard")
    assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.BACKEND, 3)
    assert message(outcome) == "no verdict: foreign says: UNKNOWN, too hard"


def test_a_cut_is_claimed_in_the_second_question(tmp_path: Path) -> None:
    claim = CLAIM.replace("assertion", "cut.counted")
    script = f'case $1 in *sequentialized*) echo SAFE;; *) {claim}; echo "UNSAFE at line $line";; esac'
    outcome = scripted(tmp_path, script, "second_unwinding_good", rounds=40, exact_limit=0)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.UNWINDING)
    assert message(outcome) == "a bound is too small (the loop runs 2 times, and --unwind is 1)"
