/* A small stack machine, with a table of operations and an explicit stack. */
#include "show.h"

enum op { PUSH, ADD, MUL, DUP, SWAP, JNZ, HALT };
struct insn { enum op op; int arg; };
struct machine;
typedef void action(struct machine *, int);
struct machine { int stack[8], *top; const struct insn *pc; int running; action *actions[7]; };

static int pop(struct machine *m)
{
    return *--m->top;
}

static void push(struct machine *m, int value)
{
    *m->top++ = value;
}

static void add(struct machine *m, int arg)
{
    push(m, pop(m) + pop(m));
}

static void mul(struct machine *m, int arg)
{
    int b = pop(m);

    m->top[-1] *= b;
}

static void dup(struct machine *m, int arg)
{
    push(m, m->top[-1 - arg]);
}

static void swap(struct machine *m, int arg)
{
    int a = pop(m), b = pop(m);

    push(m, a), push(m, b);
}

static void jump(struct machine *m, int arg)
{
    if (pop(m))
        m->pc += arg;
}

static void halt(struct machine *m, int arg)
{
    m->running = 0;
}

static const struct insn program[] = {
    {PUSH, 1}, {PUSH, 3}, {SWAP}, {DUP, 1}, {MUL}, {SWAP}, {PUSH, -1}, {ADD}, {DUP}, {JNZ, -8}, {HALT},
};

static int run(const struct insn *code)
{
    struct machine m = {.pc = code, .running = 1, .actions = {push, add, mul, dup, swap, jump, halt}};
    int steps = 0;

    m.top = m.stack;
    while (m.running && steps++ < 40) {
        const struct insn *now = m.pc++;
        m.actions[now->op](&m, now->arg);
    }
    show(m.top - m.stack);
    show(m.stack[0]);
    return steps;
}

int main(void)
{
    show(run(program));
    show(run(&program[10]));
    return 0;
}
