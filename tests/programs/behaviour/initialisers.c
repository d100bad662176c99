/* Initialisers: designators, nested braces and missing ones, strings, zeros for the rest. */
#include "show.h"

struct point { int x, y; };
struct deep { struct { int b, c; } a; int d[3]; struct point p; };
struct wrap { struct point in; int int_too; };
struct variant { union { int a; char b; }; int c; };
union either { int i; long long wide; };

int grid[][3] = {{1, 2, 3}, {4, 5, 6}};
char words[][6] = {"hello", "you"};
struct point corners[] = {[2] = {.y = 3}, [0] = {1}};
const int odd[] = {1, 3, 5};
const char *names[] = {"a", "bc"};
struct deep global = {.d[1] = 9, 8, .a.b = 1, 2};

static void local_arrays(void)
{
    int a[5] = {1, 2}, b[] = {[3] = 4, 5, [1] = 6}, c[2][3] = {1, 2, 3, 4}, d[][2] = {{1}, {2, 3}, 4};
    int e[][4] = {{1, 2, 3, 4}, {5}};
    char s[] = "text", t[8] = "ab", u[3] = "xyz", w[] = {'h', 'i', 0}, v[][4] = {"abc", "d"}, x[] = {"braced"};
    int many[100] = {[10] = 3, 4, [99] = 5};

    show(a[0] + a[1] * 10 + a[4]);
    show(sizeof b / sizeof b[0]);
    show(b[1] * 100 + b[3] * 10 + b[4] + b[0]);
    show(c[1][0] * 10 + c[1][2]);
    show(sizeof d / sizeof d[0]);
    show(d[0][1] + d[1][1] * 10 + d[2][0] * 100);
    show(sizeof e / sizeof e[0]);
    show(e[0][3] * 10 + e[1][0] + e[1][3]);
    show(sizeof s + s[2] + t[1] + t[5] + u[2] + sizeof w);
    show(sizeof v / sizeof v[0] + v[1][0] + sizeof x);
    show(many[10] + many[11] * 10 + many[99] * 100 + many[50]);
}

static void local_structs(int given)
{
    struct point p = {1}, q = {.y = given, .x = given + 1}, r = q, s[2] = {p, {5}}, z = {0};
    struct deep d = {.a.b = given, 2, .d = {[2] = 7}, {3, 4}}, e = {{1, 2}, {3}, 4, 5}, f = {1, 2, 3, 4, 5, 6, 7};
    struct wrap w = {q, 7}, ww = {.int_too = 8, .in.y = 9};
    struct variant v = {{1}, 2}, vv = {.a = 3, .c = 4}, vvv = {5, 6};
    union either u = {5}, uu = {.wide = 1LL << 40}, uuu = {.i = 6};
    struct point *pp = &(struct point){given, 4}, ppp = (struct point){.y = 8};
    int *array = (int[]){1, given, 3}, scalar = {42};
    const struct point fixed = {given, 2};
    struct { int a; struct point b[2]; } anonymous = {1, {{2, 3}, {.y = 4}}};

    show(p.y + q.x * 10 + q.y * 100 + r.x * 1000);
    show(s[0].x + s[1].x * 10 + s[1].y + z.y);
    show(d.a.b + d.a.c * 10 + d.d[2] * 100 + d.d[0] + d.p.x * 1000 + d.p.y * 10000);
    show(e.a.c + e.d[0] * 10 + e.p.x * 100 + e.d[2] + e.p.y * 1000);
    show(f.a.c + f.d[2] * 10 + f.p.y * 100);
    show(w.in.x + w.int_too * 100);
    show(ww.in.x + ww.in.y * 10 + ww.int_too * 100);
    show(v.a + v.c * 10);
    show(vv.a + vv.c * 10);
    show(vvv.a + vvv.c * 10);
    show(u.i);
    show(uu.wide);
    show(uuu.i);
    show(pp->x * 10 + pp->y + ppp.x + ppp.y);
    show(array[0] + array[1] * 10 + array[2] * 100 + scalar);
    show(fixed.x + anonymous.b[1].y + anonymous.b[1].x + anonymous.b[0].y * 10);
}

int main(void)
{
    show(sizeof grid / sizeof grid[0]);
    show(grid[1][2]);
    show(sizeof words + words[1][1]);
    show(sizeof corners / sizeof *corners + corners[2].y * 10 + corners[0].x + corners[1].x);
    show(odd[2] + names[1][1]);
    show(global.d[1] + global.d[2] * 10 + global.a.c * 100 + global.a.b * 1000);
    local_arrays();
    for (int i = 0; i < 2; i++)
        local_structs(i);
    return 0;
}
