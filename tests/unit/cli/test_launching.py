"""Programs that others start are explored in their place."""

from pathlib import Path

import pytest

from cseq.cli.main import main

SCRIPT = """\
#!/bin/sh
cd "$1"
./{name} 0 || exit 9
seen=$(./{name} deadlock 2>report)
echo "status $?, output $seen"
"""


def test_a_script_sees_tests(explorable: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "check.sh"
    script.write_text(SCRIPT.format(name=explorable.name))
    script.chmod(0o755)
    saved = tmp_path / "run.cseq"
    status = main(["run", "--runs", "30", f"--save={saved}", "--", str(script), str(explorable.parent)])
    out, err = capfd.readouterr()
    assert status == 1
    assert out == "runs 0\nstatus 1, output runs deadlock\n"
    assert "cseq: 2 programs explored: 1 with a violation" in err
    assert (tmp_path / f"run-{explorable.name}-2.cseq").is_file() and not saved.exists()
    assert "FALSE" in (explorable.parent / "report").read_text()
