/* Structs by value: assigned, passed, returned, nested, in arrays; unions and anonymous members. */
#include "show.h"

struct point { int x, y; };
struct line { struct point from, to; char tag; };
union number { int i; unsigned char bytes[8]; long long wide; };
struct variant { char kind; union { int i; short s; }; struct { char a, b; }; };

struct point origin;
struct line lines[2];

static struct point make(int x, int y)
{
    struct point p;

    p.x = x;
    p.y = y;
    return p;
}

static struct point move(struct point p, int by)
{
    p.x += by;
    p.y -= by;
    return p;
}

static int length(const struct line *l)
{
    return (l->to.x - l->from.x) + (l->to.y - l->from.y);
}

int main(void)
{
    struct point p = make(3, 4), q = p, *r = &q;
    struct line l = {p, make(9, 9), 'x'};
    union number n;
    struct variant v;

    q.x++;
    r->y = 7;
    show(p.x * 1000 + p.y * 100 + q.x * 10 + q.y);
    p = move(q, 2);
    show(p.x * 10 + p.y);
    show(q.x);
    show(move(make(1, 2), 5).y);
    show(length(&l));
    lines[1] = l;
    lines[1].from = origin = p;
    lines[0] = lines[1];
    show(length(lines) * length(lines + 1));
    show((r->x == 4 ? p : q).x);
    show(lines[0].tag + sizeof lines);
    l.to = *r;
    (&l)->from.x = l.to.y;
    show(l.from.x + l.to.x);
    n.wide = 0;
    n.i = 0x01020304;
    show(n.bytes[0] + n.bytes[3] * 10 + n.wide);
    v.kind = 1;
    v.i = 0x10002;
    v.a = 4;
    v.b = 5;
    show(v.s + v.a * 10 + v.b * 100 + v.kind * 1000);
    show(sizeof v + sizeof(union number) * 100);
    return 0;
}
