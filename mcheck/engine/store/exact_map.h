/* References by keys that are too large for a table of their own. Exact: the key is kept whole. */
#ifndef MC_MEMO_H
#define MC_MEMO_H

#include <stdbool.h>
#include <string.h>

#include "base/growing_memory.h"

enum { MC_KEY = 3, MC_MEMO_START = 1024, MC_MEMO_MOST = 1 << 24 };

struct mc_memo_entry {
    uint32_t key[MC_KEY]; /* the first is 0 where nothing is */
    uint32_t reference;   /* see action_cache.h */
};

struct mc_memo {
    struct mc_memo_entry *entry;
    uint32_t mask, count;
};

static inline void mc_memo_new(struct mc_memo *m)
{
    m->mask = MC_MEMO_START - 1;
    m->count = 0;
    m->entry = calloc(MC_MEMO_START, sizeof *m->entry);
}

static inline uint32_t mc_memo_home(const uint32_t *key)
{
    uint64_t h = (key[0] | (uint64_t)key[1] << 32) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 32 ^ key[2]) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32);
}

/* The entry of this key, or the free one where it belongs. */
static inline struct mc_memo_entry *mc_memo_find(const struct mc_memo *m, const uint32_t *key)
{
    uint32_t i = mc_memo_home(key) & m->mask;
    while (m->entry[i].key[0] && memcmp(m->entry[i].key, key, 4 * MC_KEY)) i = (i + 1) & m->mask;
    return &m->entry[i];
}

/* The place of this key's reference, which is 0 if it was not there; good until the next one is asked for. NULL: the table
 * has as many as it may have. */
static inline uint32_t *mc_memo_place(struct mc_memo *m, const uint32_t *key)
{
    struct mc_memo_entry *e = mc_memo_find(m, key);
    if (e->key[0]) return &e->reference;
    if ((m->count + 1) * 2 > m->mask) {
        struct mc_memo old = *m;
        if (old.mask + 1 >= MC_MEMO_MOST) return NULL;
        m->mask = old.mask * 2 + 1;
        m->entry = calloc(m->mask + 1ull, sizeof *m->entry);
        for (uint32_t i = 0; i <= old.mask; i++)
            if (old.entry[i].key[0]) *mc_memo_find(m, old.entry[i].key) = old.entry[i];
        free(old.entry);
        e = mc_memo_find(m, key);
    }
    memcpy(e->key, key, 4 * MC_KEY);
    m->count++;
    return &e->reference;
}

#endif
