/*
 * A table is made when somebody needs it, once, with the help of a thread.
 *
 * The helper asks for the table itself.  It waits until the initialisation is done,
 * and that waits for the helper.
 *
 *   main: begins to initialise, creates t1, joins it | t1: waits for main to be done
 */
#include <pthread.h>

pthread_once_t table_once = PTHREAD_ONCE_INIT;
pthread_t helper_thread;
int table[2];

void *helper(void *arg);

static void make_table(void)
{
    pthread_create(&helper_thread, NULL, helper, NULL);
    table[0] = 1;
    pthread_join(helper_thread, NULL); // DEADLOCK
}

static int *get_table(void)
{
    pthread_once(&table_once, make_table); // DEADLOCK
    return table;
}

void *helper(void *arg)
{
    (void)arg;
    get_table()[1] = 2;
    return NULL;
}

int main(void)
{
    int *made = get_table();

    return made[0] + made[1] != 3;
}
