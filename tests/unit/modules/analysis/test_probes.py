"""Library functions that tell which memory of the user's they access, and do nothing else."""

from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import Printer, build, print_unit
from cseq.modules.analysis.probes import MarkMeaning, Probes, ReportingCopies, access, of_primitive

PROGRAM = """\
#include <pthread.h>
#include <string.h>
char text[8], other[8]; void *result; pthread_t thread; pthread_mutex_t mutex;
int mine(int *p) { return *p; }
void *run(void *argument)
{
  strcpy(text, other);
  pthread_mutex_lock(&mutex);
  return 0;
}
int main(void)
{
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, &result);
  return 0;
}
"""


@pytest.fixture
def telling(translated: Any) -> ReportingCopies:
    return ReportingCopies(translated.unit("thread_instances", PROGRAM, unwind=1).tree)


def call(name: str, *arguments: str) -> c_ast.FuncCall:
    return build.call(name, *map(build.ident, arguments))


def texts(calls: list[c_ast.Node]) -> list[str]:
    return [Printer().visit(each) for each in calls]


def test_the_call_that_says_what_is_accessed() -> None:
    plain = access(build.ident("p"), build.number(4), writes=False)
    atomic = access(build.ident("p"), build.number(4), writes=True, atomic=True)
    assert texts([plain, atomic]) == [
        "__cs_race_accesses(__CSEQ_address(p), 4, 0, 0)",
        "__cs_race_accesses(__CSEQ_address(p), 4, 1, 1)",
    ]


@pytest.mark.parametrize(
    ("function", "accesses"),
    [
        (
            "memcpy",
            ["__cs_race_accesses(__CSEQ_address(p), n, 1, 0)", "__cs_race_accesses(__CSEQ_address(q), n, 0, 0)"],
        ),
        ("memset", ["__cs_race_accesses(__CSEQ_address(p), n, 1, 0)"]),
        ("free", ["__cs_race_accesses(__CSEQ_address(p), (p != 0) ? (__CSEQ_size(p)) : (0), 1, 0)"]),
        ("strange", []),
    ],
)
def test_what_engines_model_themselves(function: str, accesses: list[str]) -> None:
    probes = Probes()
    found = of_primitive(call(function, "p", "q", "n"), probes)
    assert texts(found) == accesses
    told = [probes.meaning(each) for each in found]
    places = [Printer().visit(each.place) for each in told if each is not None and each.place is not None]
    assert places == ["*p", "*q"][: len(accesses)]
    assert [each and each.function for each in told] == [function] * len(accesses)


def test_a_call_is_known_by_its_arguments() -> None:
    probes, here, there = Probes(), call("f", "p"), call("f", "p")
    told = MarkMeaning(build.ident("x"), "memset")
    probes.noted(here, told)
    copy = c_ast.FuncCall(build.ident("g"), here.args)
    assert probes.meaning(copy) is probes.meaning(here) is told
    assert probes.meaning(there) is None
    assert probes.meaning(build.call("f")) is None and probes.meaning(build.ident("x")) is None


def test_a_call_of_the_library_is_told_by_its_twin(telling: ReportingCopies) -> None:
    found = telling.call(call("strcpy", "text", "other"))
    assert texts(found) == ["__cs_tells_strcpy(text, other)"]
    assert telling.probes.meaning(found[0]) == MarkMeaning(None, "strcpy")


def test_functions_that_access_nothing_of_the_user_s_have_nothing_to_tell(telling: ReportingCopies) -> None:
    assert not telling.tells("pthread_mutex_lock") and telling.tells("pthread_join")
    assert telling.call(call("pthread_mutex_lock", "m")) == []
    assert telling.functions == []


def test_there_are_twins_of_the_library_s_functions_only(telling: ReportingCopies) -> None:
    assert telling.twin("mine") is None and telling.twin("nothing") is None
    assert not telling.tells("mine")
    assert telling.call(call("mine", "p")) == []


def test_twins_stand_behind_those_that_they_call(telling: ReportingCopies) -> None:
    telling.call(call("pthread_join", "t", "p"))
    names = [function.decl.name for function in telling.functions]
    assert names[-1] == "__cs_tells_pthread_join" and len(set(names)) == len(names)
    assert all(function.decl.storage == ["static"] for function in telling.functions)
    telling.call(call("pthread_join", "t", "q"))
    assert [function.decl.name for function in telling.functions] == names


def test_a_twin_stores_nothing_but_to_its_own_locals(telling: ReportingCopies) -> None:
    telling.call(call("strcpy", "text", "other"))
    text = print_unit(c_ast.FileAST(telling.functions))[0]
    stores = [line.strip() for line in text.splitlines() if " = " in line]
    assert stores and not [line for line in stores if line.startswith(("*", "to__cs", "from__cs", "text", "other"))]
    assert "1, 0)" in text and "0, 0)" in text  # it tells of a store and of a load


def test_a_twin_goes_the_way_that_the_function_would_go_now(telling: ReportingCopies) -> None:
    telling.call(call("pthread_join", "t", "p"))
    text = print_unit(c_ast.FileAST(telling.functions))[0]
    assert text.splitlines()[-7:] == [
        "  __CSEQ_assume(__cs_finished[thread__cs2 - 1]);",
        "  1;",
        "  if (result__cs2 != 0) {",
        "    __cs_result[thread__cs2 - 1], __cs_race_accesses(__CSEQ_address(&(*result__cs2)), "
        "sizeof(*result__cs2), 1, 0);",
        "  }",
        "  return 0;",
        "}",
    ]
