#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include "../result.h"

enum { ROOM = 4096 };

bool cs_publish(struct cs_notes *notes, struct cs_table *table, enum cs_noting what, struct cs_moment now,
                const char *text)
{
    size_t size = strlen(text) + 1;

    if (size > (size_t)(notes->end - notes->room)) {
        size_t room = size > ROOM ? size : ROOM;
        notes->room = cs_table_room(table, room);
        notes->end = notes->room ? notes->room + room : NULL;
        if (!notes->room)
            return false;
    }
    notes->noted[what][notes->count[what]++] = (struct cs_noted){now, memcpy(notes->room, text, size)};
    notes->room += size;
    return true;
}

void cs_keep_notes(struct cs_notes *notes)
{
    for (unsigned int what = 0; what < CS_NOTINGS; what++)
        for (unsigned int i = 0; i < notes->count[what]; i++) {
            const char *text = notes->noted[what][i].text;
            size_t size = strlen(text) + 1;
            notes->noted[what][i].text = memcpy(cs_allocate(size), text, size);
        }
    notes->room = notes->end = NULL;
}

static int compare(const struct cs_moment *one, const struct cs_moment *other)
{
    if (one->attempt != other->attempt)
        return one->attempt < other->attempt ? -1 : 1;
    if (one->depth != other->depth)
        return one->depth < other->depth ? -1 : 1;
    return one->rank < other->rank ? -1 : one->rank > other->rank;
}

void cs_gather(const struct cs_notes *notes, unsigned int processes, enum cs_noting what, const struct cs_moment *last,
               struct cs_texts *texts)
{
    struct cs_noted *noted = cs_allocate((size_t)processes * CS_MOST_TEXTS * sizeof *noted);
    size_t count = 0;

    for (unsigned int i = 0; i < processes; i++)
        for (unsigned int k = 0; k < notes[i].count[what]; k++) {
            const struct cs_noted *next = &notes[i].noted[what][k];
            size_t at = count++;
            /* What one process notes at a moment stays in its order. */
            for (; at > 0 && compare(&next->when, &noted[at - 1].when) < 0; at--)
                noted[at] = noted[at - 1];
            noted[at] = *next;
        }
    for (size_t i = 0; i < count && (!last || compare(&noted[i].when, last) <= 0); i++)
        cs_note(texts, noted[i].text);
    free(noted);
}
