/*
 * A lift goes between any floors for ever, while a passenger opens and shuts
 * its door.  It does not move with an open door.
 *
 * It starts when the door is shut.
 */
#include <assert.h>
#include <pthread.h>

enum state { WAITING, OPEN, MOVING };

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum state state = WAITING;
int door_is_open, floor_now;

void *motor(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        switch (state) {
        case WAITING:
            state = MOVING;
            break;
        case MOVING:
            assert(!door_is_open);
            floor_now = __VERIFIER_nondet_int();
            state = WAITING;
            break;
        case OPEN:
            break;
        }
        pthread_mutex_unlock(&lock);
    }
}

void *passenger(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (state == WAITING) {
            state = OPEN;
            door_is_open = 1;
        } else if (state == OPEN) {
            door_is_open = 0;
            state = WAITING;
        }
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, motor, NULL);
    pthread_create(&t2, NULL, passenger, NULL);
    pthread_join(t1, NULL);
    return 0;
}
