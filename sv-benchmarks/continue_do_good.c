/*
 * continue in a do loop goes to the condition, not to the top of the body.
 *
 * The taker looks into the mailbox until it finds a letter, at most twice.
 */
#include <assert.h>
#include <pthread.h>

int mailbox = 0;

void *taker(void *arg)
{
    int tries = 0;
    int letter;

    (void)arg;
    do {
        tries++;
        letter = mailbox;
        if (letter == 0)
            continue;
        mailbox = 0;
    } while (letter == 0 && tries < 2);
    assert(letter == 7 || tries == 2);
    return NULL;
}

void *giver(void *arg)
{
    (void)arg;
    mailbox = 7;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, taker, NULL);
    pthread_create(&t2, NULL, giver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
