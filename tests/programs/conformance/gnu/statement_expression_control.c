/* loops, `switch`, `return` and jumps in statement expressions
 * --rounds 2 --unwind 3 */
#include "../program.h"

#define FIRST_OVER(limit)                                                                                              \
    ({                                                                                                                 \
        int at_ = -1;                                                                                                  \
        for (int i_ = 0; i_ < 3; i_++) {                                                                               \
            if (values[i_] > (limit)) {                                                                                \
                at_ = i_;                                                                                              \
                break;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        at_;                                                                                                           \
    })

int values[3] = {1, 5, 9}, counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int add(int amount)
{
    int tries = 0;

    REPAIRED(pthread_mutex_lock(&lock);)
again:
    counter += ({
        if (amount > 2 && tries++ == 0)
            goto again;
        if (!amount)
            goto out;
        int seen;
        switch (amount) {
        case 1:
            seen = 1;
            break;
        default:
            seen = amount;
        }
        seen;
    });
out:
    REPAIRED(pthread_mutex_unlock(&lock);)
    return tries;
}

static int ended(int value)
{
    int n = 0;

    do {
        n++;
        n += ({ if (n == value) continue; 0; });
        ({ l: if (n == -1) goto l; if (value == 7) return 77; });
    } while (({ int m = n; m < value; }));
    return n;
}

void *worker(void *arg)
{
    add(1);
    return NULL;
}

int main(void)
{
    pthread_t t;

    assert(FIRST_OVER(4) == 1 && FIRST_OVER(9) == -1);
    assert(ended(1) == 1 && ended(7) == 77);
    assert(add(0) == 0 && counter == 0);
    pthread_create(&t, NULL, worker, NULL);
    assert(add(3) == 2);
    pthread_join(t, NULL);
    assert(counter == 4); // FAIL
    return 0;
}
