#include "stock.h"

#include <pthread.h>

#ifdef SELLERS
#error "a flag of another file"
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items = ITEMS;

static int is_there(void)
{
    pthread_mutex_lock(&lock);
    int found = items > 0;
    pthread_mutex_unlock(&lock);
    return found;
}

int take(void)
{
#ifdef ONE_LOCK
    pthread_mutex_lock(&lock);
    int found = items > 0;
    items -= found;
    pthread_mutex_unlock(&lock);
    return found;
#else
    if (!is_there())
        return 0;
    pthread_mutex_lock(&lock);
    items--;
    pthread_mutex_unlock(&lock);
    return 1;
#endif
}

int left(void)
{
    pthread_mutex_lock(&lock);
    int found = items;
    pthread_mutex_unlock(&lock);
    return found;
}
