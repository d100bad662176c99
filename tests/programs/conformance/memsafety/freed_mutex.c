/* a mutex in memory that has been freed
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

struct account { pthread_mutex_t lock; int balance; };

void *pay(void *arg)
{
    struct account *account = arg;
    pthread_mutex_lock(&account->lock); // FAIL
    account->balance++;
    pthread_mutex_unlock(&account->lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    account->balance = 0;
    pthread_create(&thread, NULL, pay, account);
    REPAIRED(pthread_join(thread, NULL);)
    free(account);
    BUGGY(pthread_join(thread, NULL);)
    return 0;
}
