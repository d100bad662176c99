"""What --memsafety and --overflow answer, from the program to the verdict."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.json import jsonreport
from cseq.report.words import description, message

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")

HEAD = "#include <pthread.h>\n#include <stdlib.h>\n"
TWO = """\
void *work(void *arg) {{ {work} return NULL; }}
int main(void)
{{
    pthread_t t;
    {before}
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    {behind}
    return 0;
}}
"""


def verified(
    folder: Path, before: str = "", work: str = "", behind: str = "", head: str = "", **options: object
) -> Outcome:
    """The outcome for a program of two threads; *before* and *behind* are what main does."""
    path = folder / "program.c"
    path.write_text(HEAD + head + TWO.format(before=before, work=work, behind=behind), encoding="utf-8")
    return cseq.verify(path, backend="cbmc", **options)


@pytest.mark.parametrize(
    "parts, claim",
    [
        ({"head": "int *p;\n", "before": "p = malloc(4);", "work": "*p = 1;", "behind": "free(p);"}, "memsafety"),
        ({"head": "int x;\n", "work": "x = x < 9 ? x + 1 : 0;"}, "overflow"),
    ],
)
def test_proofs(tmp_path: Path, parts: dict[str, str], claim: str) -> None:
    outcome = verified(tmp_path, **parts, rounds=9, **{claim: True})
    assert [part.verdict for part in outcome.all()] == [Verdict.TRUE, Verdict.TRUE], outcome.all()


def test_too_few_rounds_prove_nothing(tmp_path: Path) -> None:
    outcome = verified(tmp_path, head="int *p;\n", before="p = malloc(4);", work="*p = 1;", memsafety=True)
    assert outcome.of("valid-memsafety").verdict is not Verdict.TRUE


def test_an_invalid_free_is_a_question_of_its_own(tmp_path: Path) -> None:
    parts = {"head": "int *p;\n", "before": "p = malloc(4);", "work": "free(p);", "behind": "free(p);"}
    assert verified(tmp_path, **parts, rounds=9).verdict is Verdict.TRUE
    outcome = verified(tmp_path, **parts, rounds=9, memsafety=True)
    assert outcome.of("unreach-call").verdict is Verdict.TRUE
    part = outcome.of("valid-memsafety")
    assert part.violated is not None
    assert (part.violated.name, part.violated.part) == ("memsafety", "valid-free")
    assert description(part.violated).startswith("invalid free of `p` (the memory has been freed at ")
    assert outcome.exit_status == 1


def test_assertions_are_taken_for_granted(tmp_path: Path) -> None:
    head = "#include <assert.h>\nint a[2], i = 2;\n"
    outcome = verified(tmp_path, head=head, work="assert(i < 2); a[i] = 1;", rounds=9, memsafety=True)
    assert outcome.of("unreach-call").verdict is Verdict.FALSE
    assert outcome.of("valid-memsafety").verdict is Verdict.TRUE


RING = "struct ring { struct ring *other; } *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->other = b; b->other = a;"


@pytest.mark.parametrize("behind", [RING, "int *p = malloc(4); exit(1);"])
def test_where_leaks_are_not_told(tmp_path: Path, behind: str) -> None:
    part = verified(tmp_path, behind=behind, rounds=9, memsafety=True).of("valid-memsafety")
    assert (part.verdict, part.reason, part.exit_status) == (Verdict.UNKNOWN, Reason.BOUNDED, 0)
    assert message(part).startswith("no violation, but memory that is not freed may be lost")


@pytest.mark.parametrize(
    "parts",
    [
        {"head": "static char *kept;\n", "work": "kept = malloc(1);"},
        {"head": "struct { int n; void *kept[2]; } all[2];\n", "work": "all[1].kept[1] = malloc(1);"},
        {"head": "char *kept;\n", "work": "kept = malloc(3); kept = kept + 2;"},
    ],
)
def test_what_a_global_leads_to_is_no_leak(tmp_path: Path, parts: dict[str, str]) -> None:
    assert verified(tmp_path, **parts, rounds=9, memsafety=True).verdict is Verdict.TRUE


def test_a_leak_says_where_the_block_is_from(tmp_path: Path) -> None:
    part = verified(tmp_path, work="char *lost = malloc(1);", rounds=9, memsafety=True).of("valid-memsafety")
    assert part.violated is not None
    assert part.violated.origin is not None
    assert part.violated.part == "valid-memtrack"
    assert "(allocated at " in description(part.violated)
    assert "program.c:3)" in description(part.violated)
    assert part.violated.origin.function == "main"


def test_what_only_the_engine_can_tell_has_no_reason(tmp_path: Path) -> None:
    parts = {"head": "int a[2], b[9];\n", "work": "int *p = a; for (int i = 0; i < 3; i++) *p++ = b[i];"}
    part = verified(tmp_path, **parts, unwind=3, memsafety=True).of("valid-memsafety")
    assert part.verdict is Verdict.FALSE
    assert part.violated is not None
    assert description(part.violated).startswith("invalid write of ")
    assert part.violated.part == "valid-deref"


def test_the_call_path_to_a_violation(tmp_path: Path) -> None:
    head = "int x = 2147483646;\nstatic void add(int n)\n{\n    x += n;\n}\n"
    part = verified(tmp_path, head=head, work="add(1);", behind="add(1);", overflow=True).of("no-overflow")
    assert part.violated is not None
    assert part.violated.origin is not None
    assert (part.violated.origin.line, part.violated.origin.function) == (6, "add")
    assert [site.function for site in part.violated.origin.path] == ["main"]
    assert part.counterexample is not None
    assert part.counterexample.steps[-1].source == "x += n;"


def test_both_in_the_report(tmp_path: Path) -> None:
    for work, verdicts, name in (
        ("x = -2147483647 - 2 + x;", ["TRUE", "TRUE", "FALSE"], "overflow"),
        ("x = 1 / x;", ["FALSE", "TRUE", "FALSE"], "crash"),
    ):
        outcome = verified(tmp_path, head="int x;\n", work=work, memsafety=True, overflow=True, rounds=9)
        told = json.loads(jsonreport.render(outcome, ["program.c"], {}))
        assert [part["name"] for part in told["properties"]] == ["unreach-call", "valid-memsafety", "no-overflow"]
        assert [part["verdict"] for part in told["properties"]] == verdicts
        assert told["property"]["name"] == name


@pytest.mark.parametrize("bits", [32, 64])
def test_data_models(tmp_path: Path, bits: int) -> None:
    parts = {"head": "long x = 2147483647;\n", "work": "x = x + 1;"}
    part = verified(tmp_path, **parts, overflow=True, rounds=9, bits=bits).of("no-overflow")
    assert part.verdict is (Verdict.FALSE if bits == 32 else Verdict.TRUE)
    parts = {"work": "long *p = malloc(2 * sizeof(long)); p[1] = 1; p[2] = 1; free(p);"}
    part = verified(tmp_path, **parts, memsafety=True, bits=bits).of("valid-memsafety")
    assert part.violated is not None
    assert f"which has {2 * bits // 8} bytes" in description(part.violated)


def test_a_program_without_threads(tmp_path: Path) -> None:
    (tmp_path / "alone.c").write_text(
        dedent(
            """\
            #include <stdlib.h>
            int main(void)
            {
                int *p = malloc(sizeof(int));
                p = NULL;
                return 0;
            }
            """
        )
    )
    outcome = cseq.verify(tmp_path / "alone.c", backend="cbmc", memsafety=True)
    assert outcome.violated is not None
    assert outcome.violated.origin is not None
    assert outcome.violated.origin.line == 6


def test_what_is_not_seen_to_die_is_told(tmp_path: Path) -> None:
    before = """\
        for (int i = 0; i < 2; i++) {
            int inner = i;
            p = &inner;
            if (inner == 1)
                goto out;
        }
    out:
        p = alloca(4);
        """
    outcome = verified(tmp_path, head="#include <alloca.h>\nint *p;\n", before=before, memsafety=True)
    assert [caution.message for caution in outcome.warnings] == [
        "locals of blocks that a `goto` leaves are assumed to stay alive",
        "memory from `alloca` is assumed to stay alive when the function returns",
    ]
    assert verified(tmp_path, head="int *p;\n", before="p = &(int){1};", memsafety=True).warnings == []
