"""The table of kinds of violations in docs/sarif.md says what the rules of a log say."""

import json
import re
import subprocess
import sys

from tests.support.checkout import ROOT


def test_the_table_of_kinds_is_that_of_the_log() -> None:
    command = [sys.executable, str(ROOT / "cseq.py"), "-b", "native", "--sarif", "sv-benchmarks/lost_update_bad.c"]
    log = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout)
    rules = {
        rule["id"]: (
            rule["shortDescription"]["text"].rstrip("."),
            {
                tag.removeprefix("external/cwe/cwe-")
                for tag in rule["properties"]["tags"]
                if tag.startswith("external/")
            },
        )
        for rule in log["runs"][0]["tool"]["driver"]["rules"]
    }
    assert len(rules) > 40
    page = (ROOT / "docs" / "sarif.md").read_text(encoding="utf-8").partition("\n## Kinds of violations\n")[2]
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert {kind: (text, set(re.findall(r"\d+", numbers))) for kind, text, numbers in rows} == rules
