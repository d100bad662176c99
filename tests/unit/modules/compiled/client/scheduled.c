/* Small programs, one for each word that main may be given. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int flag, one, other, total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *loads(void *unused)
{
    while (atomic_load(&flag) == 0) {
    }
    return unused;
}

static void *yields(void *unused)
{
    while (atomic_load(&flag) == 0) {
        sched_yield();
    }
    return unused;
}

static void *tries(void *unused)
{
    while (pthread_mutex_trylock(&mutex) == EBUSY) {
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *locks(void *unused)
{
    int found = 0;
    while (found == 0) {
        pthread_mutex_lock(&mutex);
        found = atomic_load(&flag);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static long made;

static void *gives_up(void *unused)
{
    for (long n = 0; n < 10000000 && atomic_load(&flag) == 0; n++) {
    }
    return unused;
}

static void *counts_tries(void *unused)
{
    while (atomic_load(&flag) == 0 && made < 10000000) {
        made++;
    }
    return unused;
}

static void *counts(void *unused)
{
    for (int n = 0; n < 3000; n++) {
        atomic_fetch_add(&total, 1);
    }
    return unused;
}

static void *forever(void *unused)
{
    for (volatile int *never = NULL; never == NULL;) {
        __asm__ volatile("");
    }
    return unused;
}

static void *stores_one(void *unused)
{
    atomic_store(&one, 1);
    return unused;
}

static void *stores_other(void *unused)
{
    atomic_store(&other, 1);
    return unused;
}

static void *reads_one(void *unused)
{
    (void)atomic_load(&one);
    return unused;
}

static void *updates(void *unused)
{
    int before = atomic_load(&total);
    atomic_store(&total, before + 1);
    return unused;
}

static void *ab(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *ba(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&second);
    return unused;
}

static void both(void *(*first)(void *), void *(*last)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, last, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

/* Two threads wait for what the first one does later. */
static void awaited(void *(*waits)(void *), int yielding)
{
    pthread_t threads[2];
    pthread_mutex_lock(&mutex);
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, waits, NULL);
    pthread_mutex_unlock(&mutex);
    for (int n = 0; n < 3 && yielding; n++) {
        sched_yield();
    }
    usleep(100000);
    atomic_store(&flag, 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

static void leaves_processes(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            sleep(100);
        }
        _exit(0);
    }
    for (int n = 3; n < 1000; n++) {
        close(n);
    }
    if (chdir("/") != 0) {
        exit(3);
    }
    both(updates, updates);
}

int main(int count, char **words)
{
    const char *word = count > 1 ? words[1] : "";
    if (strcmp(word, "awaited") == 0) {
        awaited(loads, 0);
        atomic_store(&flag, 0);
        awaited(yields, 1);
        awaited(tries, 0);
        atomic_store(&flag, 0);
        awaited(locks, 1);
    } else if (strcmp(word, "livelock") == 0) {
        both(loads, yields);
    } else if (strcmp(word, "held") == 0) {
        pthread_mutex_lock(&mutex);
        both(tries, tries);
    } else if (strcmp(word, "patient") == 0) {
        both(gives_up, loads);
    } else if (strcmp(word, "counted") == 0) {
        both(counts_tries, loads);
    } else if (strcmp(word, "long") == 0) {
        both(counts, counts);
    } else if (strcmp(word, "silent") == 0) {
        both(forever, counts);
    } else if (strcmp(word, "apart") == 0) {
        both(stores_one, stores_other);
    } else if (strcmp(word, "readers") == 0) {
        both(reads_one, reads_one);
    } else if (strcmp(word, "reader") == 0) {
        both(stores_one, reads_one);
    } else if (strcmp(word, "circle") == 0) {
        both(ab, ba);
    } else if (strcmp(word, "processes") == 0) {
        leaves_processes();
    } else if (strcmp(word, "prints") == 0) {
        static char line[1 << 16];
        memset(line, 'x', sizeof line);
        for (int n = 0; n < 400; n++) {
            if (write(1, line, sizeof line) < 0) {
                return 3;
            }
        }
    } else if (strcmp(word, "status") == 0) {
        both(updates, updates);
        return atomic_load(&total) == 2 ? 5 : 6;
    }
    return 0;
}
