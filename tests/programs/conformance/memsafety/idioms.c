/* correct programs: tags in pointers, offsets of members, lists, ends of arrays, memory that grows
 * --memsafety --rounds 1 --unwind 4 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../program.h"

struct link { struct link *next; };
struct item { int key; struct link link; };
struct buffer { size_t length, room; char *text; };

struct link *list;
struct buffer line;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct item *item_of(struct link *link)
{
    return (struct item *)((char *)link - offsetof(struct item, link));
}

static void insert(int key)
{
    struct item *item = malloc(sizeof *item);
    item->key = key;
    item->link.next = list;
    list = &item->link;
}

static void drop(int key)
{
    for (struct link **at = &list; *at != NULL; at = &(*at)->next)
        if (item_of(*at)->key == key) {
            struct item *item = item_of(*at);
            *at = item->link.next;
            free(item);
            return;
        }
}

static void append(struct buffer *to, char c)
{
    if (to->length == to->room) {
        to->room += 2;
        to->text = realloc(to->text, to->room);
    }
    to->text[to->length++] = c;
}

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    if (line.length < line.room)
        line.text[line.length++] = 'c';
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int numbers[3] = { 1, 2, 3 }, sum = 0;
    insert(1);
    insert(2);
    drop(1);
    drop(2);
    append(&line, 'a');
    append(&line, 'b');
    append(&line, 'c');
    for (int *at = numbers, *end = numbers + 3; at != end; at++)
        sum += *at;
    for (int *at = numbers + 3; at-- != numbers;)
        sum += *at;
    uintptr_t tagged = (uintptr_t)&sum | 1;
    *(int *)(tagged & ~(uintptr_t)1) = 0;
    char copy[4];
    memcpy(copy, line.text, 3);
    copy[3] = 0;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    TWINS(copy[line.length] = 0, copy[line.length - 1] = 0); // FAIL
    free(line.text);
    free(NULL);
    return 0;
}
