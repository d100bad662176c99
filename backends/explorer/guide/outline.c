/* Reads outlines. */

#include "outline.h"

#include <stdlib.h>
#include <string.h>

#include "../way.h"

/* A set of threads, as a hexadecimal number. */
static __CSEQ_set read_set(char *words, char **end)
{
    static const char digits[] = "0123456789abcdef";
    __CSEQ_set set = 0;
    const char *digit;

    for (words += strspn(words, " "); *words && (digit = strchr(digits, *words)); words++)
        set = set << 4 | (__CSEQ_set)(digit - digits);
    *end = words;
    return set;
}

static void read_move(struct cs_outline *outline, char *words)
{
    struct cs_move move = {0};
    size_t room = 0;
    char *end;

    move.threads = read_set(words, &words);
    move.seldom = strtoul(words, &words, 10) != 0;
    for (;; words = end) {
        unsigned int place = (unsigned int)strtoul(words, &end, 10);
        if (end == words)
            break;
        move.places = cs_enough_room(move.places, move.count + 1, &room, sizeof *move.places);
        move.places[move.count++] = place;
    }
    outline->moves = cs_enough_room(outline->moves, outline->count + 1, &outline->room, sizeof *outline->moves);
    outline->moves[outline->count++] = move;
}

static void read_end(struct cs_outline *outline, char *words)
{
    static const char *const ends[] = {"violated", "crash", "invariant", "deadlock", "race", "repeated", "reached"};
    char *rest = words + strcspn(words, " ");

    if (*rest)
        *rest++ = 0;
    for (outline->end = CS_OUTLINE_VIOLATED; outline->end < CS_OUTLINE_ENDS && strcmp(words, ends[outline->end]);
         outline->end++)
        ;
    if (outline->end == CS_OUTLINE_DEADLOCK || outline->end == CS_OUTLINE_RACE)
        outline->threads = read_set(rest, &rest);
    else if (outline->end == CS_OUTLINE_REPEATED)
        outline->first = strtoul(rest, NULL, 10);
    else
        outline->text = rest;
}

bool cs_read_outline(struct cs_outline *outline, char *text)
{
    outline->end = CS_OUTLINE_ENDS;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strncmp(line, "move ", 5))
            read_move(outline, line + 5);
        else if (!strncmp(line, "ends ", 5))
            read_end(outline, line + 5);
        else
            return false;
    }
    for (size_t i = 0; i < outline->count; i++)
        if (!outline->moves[i].threads)
            return false;
    return outline->end < CS_OUTLINE_ENDS && outline->first <= outline->count;
}

size_t cs_round_length(const struct cs_outline *outline)
{
    return outline->end == CS_OUTLINE_REPEATED ? outline->count - outline->first : 0;
}

size_t cs_move_number(const struct cs_outline *outline, size_t move)
{
    return move < outline->count ? move : outline->first + (move - outline->first) % cs_round_length(outline);
}
