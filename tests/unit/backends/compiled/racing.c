/* Small programs for the search for data races: the name of one is the argument. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>

/* They are not static, so that no compiler knows who else reads them. */
int data, flag, count;
int64_t both; /* two counters of 4 bytes, each with operations of its own */
volatile int noted;
struct {
    char first, second;
} bytes;
struct {
    long parts[4];
} wide, copy;
__thread int own;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

#define LOAD(order) __atomic_load_n(&flag, __ATOMIC_##order)
#define STORE(value, order) __atomic_store_n(&flag, value, __ATOMIC_##order)
#define FENCE(order) __atomic_thread_fence(__ATOMIC_##order)
#define EXCHANGE(from, to, order, failure) \
    ({ \
        int expected = from; \
        __atomic_compare_exchange_n(&flag, &expected, to, 0, __ATOMIC_##order, __ATOMIC_##failure); \
    })
#define DROP(half) __atomic_fetch_sub((int *)&both + (half), 1, __ATOMIC_RELEASE)

static void use(int *place) { ++*place; }

static void with_mutex(void)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
}

/* The memory of a thread that nobody joins, after the last thing that others can wait for. */
static void on_own_stack(void)
{
    volatile char place[4096];
    sem_post(&done);
    for (unsigned n = 0; n < sizeof place; n++) {
        ((char *)place)[n] = 1;
    }
    int mine = 1;
    use(&mine);
    own++;
}

static void map_and_write(void)
{
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 1;
    munmap(page, 4096);
}

static void allocate_and_write(void)
{
    int *block = malloc(sizeof *block);
    use(block);
    free(block);
}

void AnnotateHappensBefore(const char *file, int line, const volatile void *place);
void AnnotateHappensAfter(const char *file, int line, const volatile void *place);

/* What is said about the mutex leaves it as it is. */
static void with_annotated_mutex(void)
{
    pthread_mutex_lock(&mutex);
    AnnotateHappensAfter(__FILE__, __LINE__, &mutex);
    data++;
    AnnotateHappensBefore(__FILE__, __LINE__, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void write_before_flag(void)
{
    data = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    STORE(1, RELAXED);
}

static void read_after_flag(void)
{
    AnnotateHappensAfter(__FILE__, __LINE__, &flag);
    count = data;
}

static int *shared;

/* name, what its threads do */
#define PROGRAMS(P) \
    P(write_write, data = 1, data = 2, ) \
    P(write_read, data = 1, count = data, ) \
    P(read_read, if (data > 0) abort(), if (data > 1) abort(), ) \
    P(relaxed_flag, data = 1; STORE(1, RELAXED), if (LOAD(RELAXED)) count = data, ) \
    P(relaxed_load, data = 1; STORE(1, RELEASE), if (LOAD(RELAXED)) count = data, ) \
    P(release_acquire, data = 1; STORE(1, RELEASE), if (LOAD(ACQUIRE)) count = data, ) \
    P(total_order, data = 1; STORE(1, SEQ_CST), if (LOAD(SEQ_CST)) count = data, ) \
    P( \
        fences, data = 1; FENCE(RELEASE); STORE(1, RELAXED), if (LOAD(RELAXED)) { \
            FENCE(ACQUIRE); \
            count = data; \
        }, ) \
    P( \
        late_fence, data = 1; STORE(1, RELAXED); FENCE(RELEASE), if (LOAD(RELAXED)) { \
            FENCE(ACQUIRE); \
            count = data; \
        }, ) \
    P(early_fence, data = 1; FENCE(RELEASE); STORE(1, RELAXED), FENCE(ACQUIRE); if (LOAD(RELAXED)) count = data, ) \
    P(sequence, data = 1; STORE(1, RELEASE), EXCHANGE(1, 2, RELAXED, RELAXED), if (LOAD(ACQUIRE) == 2) count = data) \
    P(broken_sequence, data = 1; \
      STORE(1, RELEASE), if (LOAD(RELAXED) == 1) STORE(2, RELAXED), if (LOAD(ACQUIRE) == 2) count = data) \
    P(acquiring_failure, data = 1; STORE(1, RELEASE), if (!EXCHANGE(0, 0, RELAXED, ACQUIRE)) count = data, ) \
    P(relaxed_failure, data = 1; STORE(1, RELEASE), if (!EXCHANGE(0, 0, ACQUIRE, RELAXED)) count = data, ) \
    P(locked, with_mutex(), with_mutex(), with_mutex()) \
    P(annotated_mutex, with_annotated_mutex(), with_annotated_mutex(), with_annotated_mutex()) \
    P(annotated, write_before_flag(), if (LOAD(RELAXED)) read_after_flag(), ) \
    P(half_locked, with_mutex(), data++, ) \
    P(atomic_then_plain, STORE(1, SEQ_CST), flag = 2, ) \
    P(atomic_read_and_plain, if (LOAD(SEQ_CST) > 2) abort(), flag = 2, ) \
    P(plain_read_and_atomic, if (flag > 2) abort(), STORE(2, SEQ_CST), ) \
    P(volatile_flag, data = 1; noted = 1, if (noted) count = data, ) \
    P(neighbours, bytes.first = 1, bytes.second = 1, ) \
    P(overlapping, bytes.first = 1, memset(&bytes, 2, sizeof bytes), ) \
    P(structures, wide = copy, wide.parts[3] = 1, ) \
    P(parts, wide.parts[0] = 1, wide.parts[3] = 1, ) \
    P(spinning, data = 1; STORE(1, RELEASE), while (!LOAD(ACQUIRE)); count = data, ) \
    P(spinning_plainly, flag = 1, while (flag == 0) __asm__ volatile("" :: : "memory"), ) \
    P(reused_stack, on_own_stack(), on_own_stack(), on_own_stack()) \
    P(reused_mapping, map_and_write(), map_and_write(), map_and_write()) \
    P(recycled, allocate_and_write(), allocate_and_write(), allocate_and_write()) \
    P(freed, int *block = __atomic_load_n(&shared, __ATOMIC_ACQUIRE); \
      if (block != NULL) count = *block, free(__atomic_exchange_n(&shared, NULL, __ATOMIC_ACQUIRE)), ) \
    P(overlapping_counters, data = 1; DROP(0), copy.parts[0] = 1; \
      DROP(1), if (__atomic_load_n(&both, __ATOMIC_ACQUIRE) == 0) count = data + (int)copy.parts[0]) \
    P(written_at_last, EXCHANGE(0, 1, RELAXED, RELAXED) ? (void)(data = 1) : (void)0, \
      EXCHANGE(0, 1, RELAXED, RELAXED) ? (void)(data = 2) : (void)0, )

#define DEFINE(name, first, second, third) \
    static void *name##1(void *argument) \
    { \
        first; \
        return argument; \
    } \
    static void *name##2(void *argument) \
    { \
        second; \
        return argument; \
    } \
    static void *name##3(void *argument) \
    { \
        third; \
        return argument; \
    }
#define ENTRY(name, first, second, third) {#name, {name##1, name##2, name##3}},

PROGRAMS(DEFINE)

static const struct {
    const char *name;
    void *(*threads[3])(void *);
} programs[] = {PROGRAMS(ENTRY)};

int main(int count_of_arguments, char **arguments)
{
    both = ((int64_t)1 << 32) + 1;
    sem_init(&done, 0, 0);
    shared = calloc(1, sizeof *shared);
    for (unsigned n = 0; n < sizeof programs / sizeof programs[0]; n++) {
        if (count_of_arguments != 2 || strcmp(programs[n].name, arguments[1]) != 0) {
            continue;
        }
        if (strcmp(arguments[1], "reused_stack") == 0) { /* one after the other, but nothing says so */
            for (int k = 0; k < 3; k++) {
                pthread_t thread;
                pthread_create(&thread, NULL, programs[n].threads[k], NULL);
                pthread_detach(thread);
                sem_wait(&done);
                sched_yield();
                sched_yield();
            }
            return 0;
        }
        pthread_t threads[3];
        for (int k = 0; k < 3; k++) {
            pthread_create(&threads[k], NULL, programs[n].threads[k], NULL);
        }
        for (int k = 0; k < 3; k++) {
            pthread_join(threads[k], NULL);
        }
        return 0;
    }
    return 3;
}
