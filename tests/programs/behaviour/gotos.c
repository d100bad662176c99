/* Jumps forward: out of loops, over code, into branches, several to one label. */
#include "show.h"

static int search(int wanted)
{
    int i, j;

    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            if (i * j == wanted)
                goto found;
    return -1;
found:
    return i * 10 + j;
}

static int cleanup(int step)
{
    int done = 0;

    if (step == 0)
        goto out;
    done += 1;
    if (step == 1)
        goto undo;
    done += 10;
    if (step == 2) {
        done += 100;
        goto undo;
    }
    done += 1000;
    goto out;
undo:
    done = -done;
out:
    return done;
}

static int into(int how)
{
    int x = 0;

    if (how == 1)
        goto inside;
    x = 10;
    if (how == 2) {
        x += 5;
inside:
        x += 1;
    } else {
        x += 2;
    }
    return x;
}

int main(void)
{
    for (int i = 0; i < 12; i++)
        show(search(i));
    for (int i = 0; i < 4; i++)
        show(cleanup(i));
    for (int i = 0; i < 4; i++)
        show(into(i));
    goto over;
    show(1);
over:
    {
        goto end;
end:
        show(2);
    }
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            goto next;
        show(i);
next:;
    }
    goto last;
last:
    return 0;
}
