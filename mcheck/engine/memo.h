/* What executions gave: keyed by the numbers of the components that were touched. Exact: the key is kept whole. */
#ifndef MC_MEMO_H
#define MC_MEMO_H

#include <stdbool.h>
#include <string.h>

#include "memory.h"

enum { MC_KEY = 6, MC_MEMO_START = 1024, MC_MEMO_MOST = 1 << 23 };

struct mc_memo_entry {
    uint32_t key[MC_KEY];
    uint32_t result; /* offset in the results, + 1; 0: free */
    uint32_t padding;
};

struct mc_memo {
    struct mc_memo_entry *entry;
    uint32_t mask, count;
    uint64_t bytes;
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
    h = (h ^ h >> 32 ^ key[2] ^ (uint64_t)key[3] << 32) * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 32 ^ key[4] ^ (uint64_t)key[5] << 32) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32);
}

static inline bool mc_same_key(const uint32_t *x, const uint32_t *y) { return memcmp(x, y, 4 * MC_KEY) == 0; }

/* The entry of this key, or the free one where it belongs. */
static inline struct mc_memo_entry *mc_memo_find(const struct mc_memo *m, const uint32_t *key)
{
    uint32_t i = mc_memo_home(key) & m->mask;
    while (m->entry[i].result && !mc_same_key(m->entry[i].key, key)) i = (i + 1) & m->mask;
    return &m->entry[i];
}

static inline void mc_memo_put(struct mc_memo *m, const uint32_t *key, uint32_t result)
{
    if ((m->count + 1) * 2 > m->mask) {
        struct mc_memo old = *m;
        if (old.mask + 1 >= MC_MEMO_MOST) { /* forget all: it is only a memory of what can be computed again */
            memset(m->entry, 0, sizeof *m->entry * (m->mask + 1ull));
            m->count = 0;
        } else {
            m->mask = old.mask * 2 + 1;
            m->entry = calloc(m->mask + 1ull, sizeof *m->entry);
            for (uint32_t i = 0; i <= old.mask; i++)
                if (old.entry[i].result) *mc_memo_find(m, old.entry[i].key) = old.entry[i];
            free(old.entry);
        }
    }
    struct mc_memo_entry *e = mc_memo_find(m, key);
    memcpy(e->key, key, 4 * MC_KEY);
    e->result = result;
    m->count++;
}

#endif
