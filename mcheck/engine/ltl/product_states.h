/* The states that a search for cycles has met: (root, q) to numbers from 0 in the order of discovery. */
#ifndef MC_CYCLE_STATES_H
#define MC_CYCLE_STATES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cy_states {
    uint64_t *root;
    uint32_t *q;
    uint32_t *table; /* number + 1 */
    uint64_t mask;
    uint32_t count, room;
    bool broken; /* no memory */
};

enum { CY_START = 1024 };

static inline uint64_t cy_hash(uint64_t root, uint32_t q)
{
    uint64_t h = (root ^ (uint64_t)q << 40) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

static inline bool cy_states_new(struct cy_states *s)
{
    memset(s, 0, sizeof *s);
    s->room = CY_START;
    s->mask = CY_START * 2 - 1;
    s->root = malloc(sizeof *s->root * s->room);
    s->q = malloc(sizeof *s->q * s->room);
    s->table = calloc(s->mask + 1, sizeof *s->table);
    return s->root && s->q && s->table;
}

static inline void cy_states_free(struct cy_states *s)
{
    free(s->root);
    free(s->q);
    free(s->table);
}

static inline bool cy_states_grow(struct cy_states *s)
{
    uint32_t room = s->room * 2;
    uint64_t *root = room > s->room ? realloc(s->root, sizeof *root * room) : NULL;
    if (root) s->root = root;
    uint32_t *q = root ? realloc(s->q, sizeof *q * room) : NULL;
    if (q) s->q = q;
    uint32_t *table = q ? calloc((uint64_t)room * 2, sizeof *table) : NULL;
    if (!table) return false;
    free(s->table);
    s->table = table;
    s->room = room;
    s->mask = (uint64_t)room * 2 - 1;
    for (uint32_t n = 0; n < s->count; n++) {
        uint64_t i = cy_hash(s->root[n], s->q[n]) & s->mask;
        while (s->table[i]) i = (i + 1) & s->mask;
        s->table[i] = n + 1;
    }
    return true;
}

/* The number of the state; `*fresh`: it has just got it. */
static inline uint32_t cy_number(struct cy_states *s, uint64_t root, uint32_t q, bool *fresh)
{
    *fresh = false;
    if (s->count == s->room && !cy_states_grow(s)) {
        s->broken = true;
        return 0;
    }
    uint64_t i = cy_hash(root, q) & s->mask;
    while (s->table[i]) {
        uint32_t n = s->table[i] - 1;
        if (s->root[n] == root && s->q[n] == q) return n;
        i = (i + 1) & s->mask;
    }
    uint32_t n = s->count++;
    s->root[n] = root;
    s->q[n] = q;
    s->table[i] = n + 1;
    *fresh = true;
    return n;
}

/* UINT32_MAX: not there. */
static inline uint32_t cy_find(const struct cy_states *s, uint64_t root, uint32_t q)
{
    uint64_t i = cy_hash(root, q) & s->mask;
    while (s->table[i]) {
        uint32_t n = s->table[i] - 1;
        if (s->root[n] == root && s->q[n] == q) return n;
        i = (i + 1) & s->mask;
    }
    return UINT32_MAX;
}

#endif
