"""A specification made by hand, for tests of what is made of it."""

from cseq.model.origin import Origin
from cseq.modules.tla.spec import Global, Local, Operator, Question, Specification, Statement

WORKER = "worker"

SOURCE = """#include <pthread.h>
int count;

void *worker(void *arg)
{
    int i = 0;
    while (i < 2) {
        int old = count;
        count = old + 1;
        i++;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
}
""".splitlines()


def counter(times: int = 2, workers: int = 2) -> Specification:
    """Threads that each increment an object *times* times, in two steps; main checks the sum."""

    def at(line: int, function: str) -> str:
        return f"x.c:{line} in {function}"

    def statement(number: int, line: int, body: str, *needed: str, start: str = "worker", at_: str = "") -> Statement:
        label = at_ or at(line, start)
        origin = Origin("x.c", line, function=start)
        return Statement(label, f"{start}_{number}", start, object(), origin, body, frozenset(needed))

    loop, read, write, more, end = (at(line, "worker") for line in (7, 8, 9, 10, 12))
    begun = "m"
    for thread in range(1, workers + 1):
        begun = f'UNION {{Begin({thread}, n, "worker", Null) : n \\in {begun}}}' if thread > 1 else (
            f'Begin({thread}, Goto(self, m, "{at(17, "main")}"), "worker", Null)')  # fmt: skip
    joined = f"\\A t \\in 1 .. {workers} : m.register[t] = <<>>"
    total = times * workers
    statements = [
        statement(1, 16, begun, start="main"),
        statement(2, 17, f'IF {joined} THEN {{Goto(self, m, "x.c:18 in main")}} ELSE {{}}', start="main"),
        statement(3, 18, f'IF m.data.count = {total} THEN {{Ends([m EXCEPT !.register[self] = <<>>, '
                  '!.stack[self] = <<>>], "ended")} ELSE {Ends(m, "failed.assertion: count == 4")}', start="main"),
        statement(4, 6, f'{{Goto(self, [m EXCEPT !.stack[self][1].i = 0], "{loop}")}}', "i"),
        statement(5, 7, f'{{Goto(self, m, IF m.stack[self][1].i < {times} THEN "{read}" ELSE "{end}")}}', "i"),
        statement(6, 8, f'{{Goto(self, [m EXCEPT !.stack[self][1].old = m.data.count], "{write}")}}', "i"),
        statement(7, 9, f'{{Goto(self, [m EXCEPT !.data.count = Increased(m.stack[self][1].old)], "{more}")}}',
                  "i", "old"),
        statement(8, 10, f'{{Goto(self, [m EXCEPT !.stack[self][1].i = @ + 1], "{loop}")}}', "i"),
        statement(9, 12, "{[m EXCEPT !.register[self] = <<>>, !.stack[self] = <<>>]}"),
    ]  # fmt: skip
    return Specification(
        "x",
        workers + 1,
        {"main": at(16, "main"), "worker": at(6, "worker")},
        {
            "main": [],
            "worker": [
                Local("arg", "Undef", ("Pointer",), True, "arg"),
                Local("i", "Undef", ("Int32",), True, "i"),
                Local("old", "Undef", ("Int32",), True, "old"),
            ],
        },
        {"worker": "arg"},
        [
            Global("count", "0", ("Int32",), True, "count", Origin("x.c", 2)),
            Global("Load", "[i \\in 0 .. 4 |-> 0]", ("Int8",) * 5, False, "Load", Origin("x.c", 2)),
            Global("active", "[i \\in 0 .. 2 |-> 0]", ("Int32", "Int32", "Int32"), False),
        ],
        statements,
        library=[Operator("Increased", ("n",), "n + unit", "One more.")],
        constants=[Operator("unit", (), "1"), Operator("node_next", (), "1")],
        names={"count": "count"},
        sources={"x.c": SOURCE},
    )


def unreduced(specification: Specification) -> Question:
    """A question about all states of a specification."""
    return Question(frozenset(each.label for each in specification.statements))
