"""The texts of statements."""

import pytest


@pytest.mark.parametrize(
    ("declarations", "statement", "body"),
    [
        ("int x;", "x = 3;", '{Goto(self, [m EXCEPT !.data.x = 3], "x.c:4 in worker")}'),
        ("int x;", "while (x) ;", '{Goto(self, m, IF m.data.x # 0 THEN "x.c:3 in worker" ELSE "x.c:4 in worker")}'),
        ("int x;", "assert(x);", 'IF m.data.x = 0 THEN {Ends(m, "failed.assertion: x")}\n'
                                 'ELSE {Goto(self, m, "x.c:4 in worker")}'),
        ("pthread_mutex_t lock;", "pthread_mutex_lock(&lock);",
         'Then(self, pthread_mutex_lock(self, m, Global("lock")), "x.c:4 in worker")'),
        ("int x;", "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();",
         '{Goto(self, EntersSection(self, m), "x.c:3.2 in worker")}'),
        ("int x;", "exit(0);", "{Exits(m)}"),
        ("int *p;", "int *q = p; *q = 1;",
         '{Goto(self, [m EXCEPT !.stack[self][1].q = m.data.p], "x.c:3.2 in worker")}'),
    ],
)  # fmt: skip
def test_a_statement_is_the_set_of_the_memories_that_it_leads_to(bodies, declarations, statement, body):
    assert bodies(declarations, statement)["x.c:3 in worker"] == body


def test_the_last_statement_ends_the_thread(bodies):
    expected = "{IF Runs(n) THEN EndsThread(self, n) ELSE n : n \\in step_exit(self, m, Null)}"
    assert bodies("int x;", "")["x.c:4 in worker"] == expected


def test_what_a_pointer_leads_to_must_be_there(bodies):
    assert bodies("int *p;", "int *q = p; *q = 1;")["x.c:3.2 in worker"] == (
        "IF ~CanAccess(m, m.stack[self][1].q, Int32) THEN {Ends(m, Mishap(m, m.stack[self][1].q))}\n"
        'ELSE {Goto(self, Store(m, m.stack[self][1].q, Int32, 1), "x.c:4 in worker")}'
    )


def test_claims_that_are_not_checked_are_assumed(bodies):
    found = bodies("int x;", "assert(x);", property="no-deadlock")["x.c:3 in worker"]
    assert '"dropped"' in found and "failed" not in found


def test_a_statement_that_creates_a_thread(specified):
    found = specified("void *worker(void *arg) { return arg; }\nint x;\nint main(void) { pthread_t t; " + (
        "pthread_create(&t, 0, worker, &x); return 0; }"
    ))  # fmt: skip
    assert found.creates
    assert found.threads == 2
    body = found.statement(found.entries["main"]).body
    assert 'Begin(k, n, "worker", Global("x"))' in body
    assert 'Cuts(m, "cut.threads 1")' in body


def test_only_live_locals_are_needed(specified):
    found = specified(
        """
        int x;
        void *worker(void *arg) {
          int a = 1, b, *p = &b;
          x = a;
          x = *p;
          return 0;
        }
        int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }
        """
    )
    needed = {each.label: each.needed for each in found.statements}
    assert needed["x.c:4 in worker"] == {"a", "b", "p"}
    assert needed["x.c:6 in worker"] == {"b"}
