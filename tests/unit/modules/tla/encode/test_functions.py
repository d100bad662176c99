"""Library functions that are one step, as operators."""

import re

import pytest

MAIN = "int main(void) {{ {} return 0; }}"


@pytest.fixture
def library(specified):
    """``library(declarations, statements)``: the operators that the statements of main need, by name."""

    def make(declarations: str, statements: str, **parameters: object) -> dict[str, str]:
        found = specified(declarations + MAIN.format(statements), **parameters)
        return {each.name: each.body for each in found.library}

    return make


def test_what_a_pointer_leads_to_is_checked_once(library):
    body = library("pthread_mutex_t a;", "pthread_mutex_lock(&a);")["pthread_mutex_lock"]
    assert body.count("Holds(m, mutex, mutex_kinds)") == 1
    assert "CanAccess" not in body and "Load" not in body
    assert "SetField(m, mutex, mutex_owner, " in body


def test_a_comment_is_the_prototype(specified):
    found = specified("pthread_mutex_t a;" + MAIN.format("pthread_mutex_lock(&a);"))
    comments = {each.name: each.comment for each in found.library}
    assert comments["pthread_mutex_lock"] == "int pthread_mutex_lock(pthread_mutex_t *mutex)"


def test_a_wait_has_no_successor(library):
    body = library("sem_t s;", "sem_init(&s, 0, 0); sem_wait(&s);")["sem_wait"]
    assert re.search(r"IF Same\(Load\(m, .*\), 0\) THEN \{\}|IF .* THEN \{\}", body)
    assert "{Returns(self, m2, 0)}" in body


def test_functions_come_after_those_that_they_call(specified):
    found = specified("pthread_mutex_t a;" + MAIN.format("pthread_mutex_init(&a, 0);"))
    names = [each.name for each in found.library]
    assert names.index("watch") < names.index("pthread_mutex_init")
    assert "\\in watch(self, m, " in found.library[names.index("pthread_mutex_init")].body


def test_misuse_is_claimed_or_assumed(library):
    for parameters, status in (({}, "failed.misuse"), ({"excused": True}, "dropped")):
        body = library("pthread_mutex_t a;", "pthread_mutex_lock(&a);", **parameters)["pthread_mutex_lock"]
        assert status in body
        assert ("failed.misuse" in body) == (not parameters)


@pytest.mark.parametrize("spurious", [False, True])
def test_waits_may_end_without_a_reason_only_where_that_is_wanted(library, spurious):
    operators = library(
        "pthread_mutex_t a; pthread_cond_t c;",
        "pthread_mutex_lock(&a); pthread_cond_wait(&c, &a);",
        spurious_wakeups=spurious,
    )
    assert operators["step_cond_wake"].count("THEN {}") == (1 if spurious else 2)


def test_loops_are_recursive(specified):
    found = specified('char a[4]; int main(void) { strcpy(a, "ab"); return strlen(a); }')
    recursive = [each for each in found.library if each.recursive]
    assert recursive
    for each in recursive:
        assert f"{each.name}(self, m" in each.body
