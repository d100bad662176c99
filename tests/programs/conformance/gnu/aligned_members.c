/* `aligned` without a number, of bit-fields and of members of packed structs
 * --rounds 2 --unwind 1 */
#include <stddef.h>
#include <string.h>
#include "../program.h"

typedef int wide __attribute__((aligned(8)));

struct most {
    char tag;
} __attribute__((aligned));

struct fields {
    unsigned first : 3;
    unsigned second : 5 __attribute__((aligned(8)));
    wide third : 9;
    char last;
};

struct tight {
    char tag;
    int number __attribute__((aligned(2)));
    unsigned bits : 9 __attribute__((aligned(4)));
    char last;
} __attribute__((packed));

static struct fields fields = {1, 0, 3, 4};
static struct tight tight = {1, 0, 3, 4};
static unsigned char bytes[24], others[12];

static void *set(void *arg)
{
    fields.second = 2;
    tight.number = 2;
    return arg;
}

int main(void)
{
    START(thread, set);
    pthread_join(thread, 0);
    memcpy(bytes, &fields, sizeof fields);
    memcpy(others, &tight, sizeof tight);
    assert(sizeof fields == 24 && bytes[8] == 2 && bytes[16] == 3 && bytes[18] == 4);
    assert(sizeof tight == 12 && others[2] == 2 && others[8] == 3 && others[10] == 4);
    BUGGY(assert(sizeof(struct most) != 16 || offsetof(struct tight, number) != 2);) // FAIL
    REPAIRED(assert(sizeof(struct most) == 16 && offsetof(struct tight, number) == 2);)
    return 0;
}
