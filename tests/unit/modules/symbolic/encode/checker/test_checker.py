"""Which claims are made before which statement, and in which order."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.model.errors import ChainError, UsageError
from cseq.modules.core.undefined_behaviour.checks import CHECKS
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.options.properties import MEMSAFETY, OVERFLOW
from cseq.pipeline.chain import load
from cseq.pipeline.stage import Context
from cseq.report.violations import claim as in_words
from tests.support.fake_engine import sent

HEAD = """\
struct pair { int one; unsigned bits : 3; struct pair *next; };
struct pair *p;
int a[4], t[2][3], i, j;
void *malloc(unsigned long); void free(void *);
"""


def claims(folder: Path, statement: str, property_: str, head: str = HEAD) -> list[tuple[str, str]]:
    """The conditions before *statement* in main, and what they report where they do not hold.

    T stands for variables of ours.
    """
    context, _ = sent(
        folder, f"{head}int main(void) {{ {statement} return 0; }}", property=property_, checked=True, privatize=False
    )
    lines = [line.strip() for line in context.facts[SEQUENTIALIZED].text.splitlines()]
    found = []
    for line in lines[lines.index("static void main__cs0(void)") :]:
        if line.startswith("__CSEQ_assert("):
            cond, _, name = line.removeprefix("__CSEQ_assert(").removesuffix(");").rpartition(", ")
            number = int(name.strip('"').removeprefix("check "))
            found.append((re.sub(r"__cs_tmp_\d+", "T", cond), in_words(context.facts[CHECKS][number].claim)))
    return found


@pytest.mark.parametrize(
    "statement, conditions",
    [
        ("i = a[3];", []),
        ("i = a[4];", ["0"]),
        ("a[0] = 1;", []),
        ("i = -1; a[i] = 1;", ["((unsigned long long) T) < 4"]),
        ("t[i][2] = 1;", ["((unsigned long long) T) < 2"]),
        ("t[1][i] = 1;", ["((unsigned long long) T) < 3"]),
        ("i = sizeof a[i];", []),
        ("int *q = &a[i];", []),
        ("int *q = a + i;", []),
        ("int *q = &p->one;", []),
        ("void *q = p->next;", ["__CSEQ_valid(0, T, &T->next, sizeof(T->next))"]),
        ("p->bits = 1;", ["__CSEQ_valid(0, T, &(*T), sizeof(*T))"]),
        ("free(p);", ["(T == 0) || __CSEQ_freeable(0, T)"]),
        ("int b[2] = { 1, 2 }, k = 1; i = k >= 0 && b[k];", ["(!(k >= 0)) || (((unsigned long long) k) < 2)"]),
        ("int b[2] = { 1, 2 }, k = 1; i = k < 0 ? 1 : b[k];", ["(k < 0) || (((unsigned long long) k) < 2)"]),
        ('i = "ab"[j];', ["((unsigned long long) T) < 3"]),
    ],
)
def test_accesses(tmp_path: Path, statement: str, conditions: list[str]) -> None:
    found = [cond for cond, _ in claims(tmp_path, statement, MEMSAFETY)]
    assert [cond for cond in found if "__cs_is_lost" not in cond] == conditions


@pytest.mark.parametrize(
    "statement, conditions",
    [
        ("i = j + 1;", ["!__CSEQ_overflow_plus((int) T, (int) 1)"]),
        ("i = 2147483646 + 1;", []),
        ("i = 2147483647 + 1;", ["0"]),
        ("unsigned u = 1u; u = u + 1;", []),
        ("char c = 1; c++;", ["!__CSEQ_overflow_plus((int) c, (int) 1)"]),
        ("long l = 2; l *= j;", ["!__CSEQ_overflow_mult((long) l, (long) j)"]),
        (
            "i = 7 / j;",
            ["T != 0", "(((int) 7) != ((-((int) ((~((unsigned int) 0)) >> 1))) - 1)) || (((int) T) != (-1))"],
        ),
        ("i = 7 % 2;", []),
        ("i = 7 / 0;", ["0"]),
        ("unsigned u = 7u % j;", ["j != 0"]),
        ("i = 1 >> j;", ["((unsigned long long) T) < 32"]),
        ("i = 1 << 31;", ["0"]),
        ("unsigned u = 1u << 31;", []),
        ("double d = 1.5; d = d / 0;", []),
        ("int *q = a; q = q + j; long d = q - a;", []),
        ("i = sizeof(j + 1);", []),
        ("if (j + 1) i = 0;", ["!__CSEQ_overflow_plus((int) j, (int) 1)"]),
        ("(void)(j + 1);", ["!__CSEQ_overflow_plus((int) T, (int) 1)"]),
    ],
)
def test_arithmetic(tmp_path: Path, statement: str, conditions: list[str]) -> None:
    assert [cond for cond, _ in claims(tmp_path, statement, OVERFLOW)] == conditions


@pytest.mark.parametrize(
    "statement, property_, text",
    [
        ("p->next->one = 1;", MEMSAFETY, "invalid write of `p->next->one`"),
        ("i = a[j];", MEMSAFETY, "`a[j]` is outside of the array, which has 4 elements"),
        ("i = a[j - 1];", OVERFLOW, "the value of `j - 1` does not fit into `int`"),
        ("i = 7 / j;", OVERFLOW, "division by zero in `7 / j`"),
        ("long l = 1L << j;", OVERFLOW, "a shift by less than 0 or by 64 or more bits in `1L << j`"),
    ],
)
def test_what_is_said(tmp_path: Path, statement: str, property_: str, text: str) -> None:
    assert text in [said for _, said in claims(tmp_path, statement, property_)]


def test_the_program_s_own_claims_are_taken_for_granted(tmp_path: Path) -> None:
    head = "void __VERIFIER_assert(int); int x;\n"
    assert claims(tmp_path, "__VERIFIER_assert(x == 1);", OVERFLOW, head) == []


def test_a_claim_stands_in_the_step_that_it_is_about(tmp_path: Path) -> None:
    text = """\
        #include <pthread.h>
        int *p, x;
        void *work(void *arg) { p = 0; *p = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }
        """
    after = """\
        __cs_1_2:
        if ((__cs_pc_1 > 2) || (2 >= __cs_cs_1)) goto __cs_1_3;
        __CSEQ_assert(__CSEQ_valid(0, __cs_tmp_1, &(*__cs_tmp_1), sizeof(*__cs_tmp_1)), "check 0");
        __CSEQ_assume(__CSEQ_valid(0, __cs_tmp_1, &(*__cs_tmp_1), sizeof(*__cs_tmp_1)));
        *__cs_tmp_1 = 1;
        """
    context, _ = sent(tmp_path, text, property=MEMSAFETY, checked=True, privatize=False)
    lines = [line.strip() for line in context.facts[SEQUENTIALIZED].text.splitlines()]
    assert dedent(after).strip() in "\n".join(lines)


def test_a_backend_that_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cseq.backends.cbmc.Cbmc.properties", frozenset({"unreach-call"}))
    with pytest.raises(UsageError, match="the backend `cbmc` cannot check no-overflow"):
        sent(tmp_path, "int main(void) { return 0; }", property=OVERFLOW, checked=True)


def test_a_chain_without_the_checker_proves_nothing(tmp_path: Path) -> None:
    chain = tmp_path / "my.chain"
    text = (Path(load("lazy").path)).read_text(encoding="utf-8")
    chain.write_text(text.replace("stage    checker when checked=True\n", ""), encoding="utf-8")
    (tmp_path / "program.c").write_text("int main(void) { return 0; }")
    context = Context(load(str(chain)).values({"property": OVERFLOW, "checked": True}), tmp_path)
    value: object = [str(tmp_path / "program.c")]
    with pytest.raises(ChainError, match="no stage of this chain supports the property no-overflow"):
        for _, stage in load(str(chain)).chosen(context.values):
            value = stage(context).run(value)
