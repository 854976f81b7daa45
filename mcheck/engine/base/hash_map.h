/* Maps of 64-bit keys to numbers, and arrays that grow, for the check of an image. */
#ifndef MC_IMAGE_MAP_H
#define MC_IMAGE_MAP_H

#include "base/growing_memory.h"

#include <stdlib.h>

struct img_map_entry { uint64_t key; uint32_t value; }; /* key: 0 is free, else one more than it */
struct img_map { struct img_map_entry *entry; uint64_t mask, used; };

/* NULL: it is not there. */
static inline uint32_t *img_map_find(struct img_map *m, uint64_t key)
{
    if (!m->entry) return NULL;
    for (uint64_t i = mc_mix(key) & m->mask; m->entry[i].key; i = (i + 1) & m->mask)
        if (m->entry[i].key == key + 1) return &m->entry[i].value;
    return NULL;
}

/* Of a key that is not there; false: no memory. */
bool img_map_put(struct img_map *m, uint64_t key, uint32_t value);
void img_map_free(struct img_map *m);

static inline uint64_t img_mixed(uint64_t h, uint64_t v) { return mc_mix((h ^ v) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u); }

/* The array, with room for one more. */
void *img_room(void *at, uint32_t *room, uint32_t used, size_t size, bool *no_memory);

#endif
