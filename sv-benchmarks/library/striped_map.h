/*
 * A hash map from integers to integers, whose buckets share a few locks (stripes).
 */
#ifndef STRIPED_MAP_H
#define STRIPED_MAP_H

struct map;

struct map *map_new(void);
void map_free(struct map *m);

/* Set the value of a key, both 0 or more; what it was before, or -1. */
int map_put(struct map *m, int key, int value);

/* The value of the key, or -1. */
int map_get(struct map *m, int key);

/* Take the key out; what its value was, or -1. */
int map_remove(struct map *m, int key);

#endif
