"""What other people's automation reads: the action, whose steps are run here as they stand, the hook, the image."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cseq.version import __version__
from tests.support.checkout import ROOT
from tests.support.shell import BUGGY, LAUNCHER, SEQUENTIAL

pytestmark = pytest.mark.engine

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SCRIPTS = PROJECT["scripts"]

PYTHON = """\
#!/bin/sh
[ "$*" = "-m venv $RUNNER_TEMP/cseq" ] || exec {python} "$@"
mkdir -p "$RUNNER_TEMP/cseq/bin"
printf '#!/bin/sh\\necho "$*" >"%s/pip"\\n' "$RUNNER_TEMP" >"$RUNNER_TEMP/cseq/bin/python"
chmod +x "$RUNNER_TEMP/cseq/bin/python"
ln -s {launcher} "$RUNNER_TEMP/cseq/bin/cseq"
"""


class Runner:
    """Runs the shell steps of the action, as GitHub does, with a pip and an apt-get that install nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "temporary"
        self.outputs: dict[str, str] = {}
        self.path = f"{folder / 'bin'}:{os.environ['PATH']}"
        for name in ("bin", "temporary"):
            (folder / name).mkdir()
        self.script("python3", PYTHON.format(python=sys.executable, launcher=LAUNCHER))
        self.script("sudo", f'#!/bin/sh\necho "$*" >>"{folder}/sudo"\n')

    def script(self, name: str, text: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def run(self, **given: str) -> list[subprocess.CompletedProcess[str]]:
        """What the shell steps did, up to the first that failed, with these inputs."""
        inputs = {name: each["default"] for name, each in ACTION["inputs"].items()} | given
        done = []
        for step in ACTION["runs"]["steps"]:
            if "run" not in step:
                continue
            done.append(self._step(step, inputs))
            if done[-1].returncode != 0:
                break
        return done

    def _step(self, step: dict[str, Any], inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
        known = {f"inputs.{name}": value for name, value in inputs.items()}
        known |= {f"steps.check.outputs.{name}": value for name, value in self.outputs.items()}
        known["github.action_path"] = str(ROOT)
        own = {
            name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], value)
            for name, value in step["env"].items()
        }
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # which would be a way to run what an input says
        files = {name: self.temporary / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env={**os.environ, **own, **{name: str(file) for name, file in files.items()}}
            | {"RUNNER_TEMP": str(self.temporary), "PATH": self.path},
            capture_output=True,
            text=True,
            check=False,
        )
        self.path = ":".join([*files["GITHUB_PATH"].read_text().split(), self.path])
        if step.get("id") == "check":
            lines = files["GITHUB_OUTPUT"].read_text().splitlines()
            self.outputs = {name: value for name, _, value in (line.partition("=") for line in lines)}
        return done


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_the_action_has_the_form_that_github_asks_for() -> None:
    checker = Path(sys.executable).parent / "check-jsonschema"
    command = [checker, "--builtin-schema", "vendor.github-actions", ROOT / "action.yml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert all(each["default"] is not None for each in ACTION["inputs"].values())


def test_a_violation_is_shown_and_fails_after_its_log_is_uploaded(runner: Runner) -> None:
    runner.script("cbmc", "#!/bin/sh\nexit 1\n")
    (runner.folder / "a b.c").write_text("broken")
    (runner.folder / "queue.c").write_text(BUGGY.replace("x == 2", "x == 2 + EXTRA"))
    done = runner.run(files="q*.c", arguments="-b native\n-D 'EXTRA=1 - 1'")
    assert [each.returncode for each in done] == [0, 0, 1]
    assert (runner.temporary / "pip").read_text() == f"-m pip install --quiet --disable-pip-version-check {ROOT}\n"
    assert not (runner.folder / "sudo").exists()
    assert done[1].stderr.startswith("queue.c:11: ")
    assert done[2].stdout == "::error::CSeq: there is a violation\n"
    assert runner.outputs == {"status": "1", "complete": "true"}
    log = json.loads((runner.folder / "cseq.sarif").read_text())
    assert len(log["runs"][0]["results"]) == 1
    upload = next(step for step in ACTION["runs"]["steps"] if "uses" in step)
    assert upload["if"] == "inputs.upload == 'true' && steps.check.outputs.complete == 'true'"


def test_no_answer_is_uploaded_where_there_is_none(runner: Runner) -> None:
    (runner.folder / "queue.c").write_text("this is no C\n")
    done = runner.run(files="queue.c")
    assert [each.returncode for each in done] == [0, 0, 2]
    assert runner.outputs == {"status": "2", "complete": "false"}


def test_no_violation_passes(runner: Runner) -> None:
    (runner.folder / "a.c").write_text(SEQUENTIAL)
    assert [each.returncode for each in runner.run(files="a.c", arguments="-b native", cbmc="false")] == [0, 0, 0]


@pytest.mark.parametrize("given", [{}, {"files": "a.c", "project": "build"}])
def test_there_is_one_thing_to_check(runner: Runner, given: dict[str, str]) -> None:
    done = runner.run(**given)
    assert [each.returncode for each in done] == [0, 2]
    assert done[1].stdout == "::error::CSeq: either files or project has to be given\n"


def test_a_project_is_named_by_its_database(runner: Runner) -> None:
    runner.run(files="a.c")  # installs
    (runner.temporary / "cseq/bin/cseq").unlink()
    (runner.temporary / "cseq/bin/cseq").write_text('#!/bin/sh\necho "$*" >words\nexit 3\n')
    (runner.temporary / "cseq/bin/cseq").chmod(0o755)
    runner.script("python3", f'#!/bin/sh\n[ "$2" = venv ] || exec {sys.executable} "$@"\n')
    done = runner.run(project="build/compile_commands.json", arguments="--baseline known.json --junit 'a b.xml'")
    words = (runner.folder / "words").read_text()
    assert words == "check --project build/compile_commands.json --sarif --baseline known.json --junit a b.xml\n"
    assert done[-1].stdout == "::error::CSeq: there is no verdict (exit status 3)\n"
    assert runner.outputs == {"status": "3", "complete": "false"}


def test_the_hook_starts_a_command_that_is_installed() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {"id", "name", "entry", "language"} <= hook.keys()
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert hook["entry"] in SCRIPTS


def test_the_image_is_made_of_what_there_is() -> None:
    text = (ROOT / "Dockerfile").read_text()
    first, *others = re.findall(r"/usr/local/src/cseq(/[\w./]+)?", text)
    assert (first, [each for each in others if each]) == ("", ["/setup/constraints.txt"])
    assert (ROOT / "setup/constraints.txt").is_file()
    (entry,) = re.findall(r'^ENTRYPOINT \["(\w+)"\]$', text, re.MULTILINE)
    assert entry in SCRIPTS
    (packages,) = re.findall(r"install -y --no-install-recommends (.*) \\\\?$", text, re.MULTILINE)
    assert {"cbmc", "gcc", "g++", "libc6-dev", "python3", "python3-venv"} == set(packages.split())
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ".*" in ignored  # neither the environment nor the history goes into the image


@pytest.mark.parametrize(
    ("schema", "path"), [("github-workflows", ".github/workflows/ci.yml"), ("citation-file-format", "CITATION.cff")]
)
def test_a_file_has_the_form_that_its_readers_ask_for(schema: str, path: str) -> None:
    checker = Path(sys.executable).parent / "check-jsonschema"
    command = [checker, "--builtin-schema", f"vendor.{schema}", ROOT / path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_hosted_ci_tests_each_python_that_is_supported() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    commands = {name: [step["run"] for step in job["steps"] if "run" in step][-1] for name, job in jobs.items()}
    assert commands == {"lint": "make lint", "test": "make test"}
    versions = jobs["test"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={versions[0]}"


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (__version__, PROJECT["license"])


def test_the_hooks_for_contributors_are_tools_of_the_environment() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        program, *_ = hook["entry"].split()
        assert program.startswith(".venv/bin/")
        assert hook["language"] == "system"
        assert Path(program).name == "python" or Path(program).name in (ROOT / "Makefile").read_text()
