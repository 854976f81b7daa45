/* Sets of slots, numbered as they appear; number 0 is the empty one. */
#ifndef MC_MASKS_H
#define MC_MASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/slots.h"

enum { MC_MASK_WORDS = MC_MOST_SLOTS / 64 };

struct mc_mask { uint64_t w[MC_MASK_WORDS]; };

struct mc_masks {
    struct mc_mask *mask;
    uint32_t *table; /* number + 1 */
    uint32_t count, room; /* the table has twice as many places */
};

static inline bool mc_masks_new(struct mc_masks *m)
{
    m->count = 1;
    m->room = 64;
    m->mask = calloc(m->room, sizeof *m->mask);
    m->table = calloc(2ull * m->room, 4);
    return m->mask && m->table;
}

static inline void mc_masks_free(struct mc_masks *m)
{
    free(m->mask);
    free(m->table);
}

static inline bool mc_mask_empty(const struct mc_mask *m)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) any |= m->w[i];
    return any == 0;
}

static inline uint32_t mc_mask_home(const struct mc_mask *m, uint32_t room)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) h = (h ^ m->w[i]) * 0x9E3779B97F4A7C15u, h ^= h >> 32;
    return (uint32_t)h & (room * 2 - 1);
}

/* UINT32_MAX: no memory. */
static inline uint32_t mc_mask_number(struct mc_masks *m, const struct mc_mask *of)
{
    if (mc_mask_empty(of)) return 0;
    uint32_t i = mc_mask_home(of, m->room);
    for (; m->table[i]; i = (i + 1) & (m->room * 2 - 1))
        if (memcmp(&m->mask[m->table[i] - 1], of, sizeof *of) == 0) return m->table[i] - 1;
    uint32_t n = m->count++;
    m->mask[n] = *of;
    m->table[i] = n + 1;
    if (m->count == m->room) {
        struct mc_mask *wider = realloc(m->mask, sizeof *wider * m->room * 2);
        uint32_t *table = calloc(4ull * m->room, 4);
        if (wider) m->mask = wider;
        if (!wider || !table) {
            free(table);
            return UINT32_MAX;
        }
        free(m->table);
        m->table = table;
        m->room *= 2;
        for (uint32_t k = 1; k < m->count; k++) {
            uint32_t at = mc_mask_home(&m->mask[k], m->room);
            while (table[at]) at = (at + 1) & (m->room * 2 - 1);
            table[at] = k + 1;
        }
    }
    return n;
}

static inline void mc_mask_and(struct mc_mask *m, const struct mc_mask *with)
{
    for (uint32_t i = 0; i < MC_MASK_WORDS; i++) m->w[i] &= with->w[i];
}

#endif
