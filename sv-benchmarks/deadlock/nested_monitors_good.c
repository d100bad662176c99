/*
 * A print spooler is a monitor, and the printer that it uses is another one.
 *
 * The printer is asked for, and given back, outside of the spooler's lock.
 */
#include <pthread.h>

pthread_mutex_t spooler = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t printer = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;
int in_use;
int jobs;

static void printer_take(void)
{
    pthread_mutex_lock(&printer);
    while (in_use)
        pthread_cond_wait(&given_back, &printer);
    in_use = 1;
    pthread_mutex_unlock(&printer);
}

static void printer_give_back(void)
{
    pthread_mutex_lock(&printer);
    in_use = 0;
    pthread_cond_signal(&given_back);
    pthread_mutex_unlock(&printer);
}

static void print_begin(void)
{
    printer_take();
    pthread_mutex_lock(&spooler);
    jobs++;
    pthread_mutex_unlock(&spooler);
}

static void print_end(void)
{
    pthread_mutex_lock(&spooler);
    jobs--;
    pthread_mutex_unlock(&spooler);
    printer_give_back();
}

void *user(void *arg)
{
    (void)arg;
    print_begin();
    print_end();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
