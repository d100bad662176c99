/*
 * A table is made when somebody needs it, once, with the help of a thread.
 *
 * The helper is told where the table is, and does not ask.
 */
#include <pthread.h>

pthread_once_t table_once = PTHREAD_ONCE_INIT;
pthread_t helper_thread;
int table[2];

void *helper(void *arg)
{
    ((int *)arg)[1] = 2;
    return NULL;
}

static void make_table(void)
{
    pthread_create(&helper_thread, NULL, helper, table);
    table[0] = 1;
    pthread_join(helper_thread, NULL);
}

static int *get_table(void)
{
    pthread_once(&table_once, make_table);
    return table;
}

int main(void)
{
    int *made = get_table();

    return made[0] + made[1] != 3;
}
