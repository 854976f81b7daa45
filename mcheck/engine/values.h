/* Interned values of components, and interned pairs: the lower levels of the tree. Numbers count from 0. */
#ifndef MC_VALUES_H
#define MC_VALUES_H

#include <string.h>

#include "memory.h"

enum { MC_VALUES_ROOM_BITS = 34, MC_PAIRS_ROOM_BITS = 35 };

/* --- byte strings of one size -------------------------------------------------------------------------------- */

struct mc_values {
    uint8_t *bytes;
    uint32_t size, count;
    uint32_t *table; /* number + 1 */
    uint32_t mask;
    uint16_t *position; /* of a slot's component; NULL otherwise */
    uint32_t position_size;
};

static inline uint64_t mc_hash_bytes(const uint8_t *p, uint32_t n)
{
    uint64_t h = n;
    while (n >= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
        p += 8;
        n -= 8;
    }
    uint64_t w = 0;
    memcpy(&w, p, n);
    return mc_mix(h ^ w);
}

static inline void mc_values_new(struct mc_values *v, uint32_t size, uint32_t position_size)
{
    memset(v, 0, sizeof *v);
    v->size = size;
    v->position_size = position_size;
    v->bytes = mc_reserve(1ull << MC_VALUES_ROOM_BITS);
    if (position_size) v->position = mc_reserve(1ull << 33);
    v->mask = 63;
    v->table = calloc(v->mask + 1u, 4);
}

static inline void mc_values_free(struct mc_values *v)
{
    mc_release(v->bytes, 1ull << MC_VALUES_ROOM_BITS);
    mc_release(v->position, 1ull << 33);
    free(v->table);
}

static inline const uint8_t *mc_value(const struct mc_values *v, uint32_t number)
{
    return v->bytes + (uint64_t)number * v->size;
}

static inline void mc_values_grow(struct mc_values *v)
{
    uint32_t mask = v->mask * 2 + 1;
    uint32_t *table = calloc(mask + 1ull, 4);
    for (uint32_t n = 0; n < v->count; n++) {
        uint32_t i = (uint32_t)mc_hash_bytes(mc_value(v, n), v->size) & mask;
        while (table[i]) i = (i + 1) & mask;
        table[i] = n + 1;
    }
    free(v->table);
    v->table = table;
    v->mask = mask;
}

static inline uint32_t mc_intern_value(struct mc_values *v, const uint8_t *bytes)
{
    uint32_t i = (uint32_t)mc_hash_bytes(bytes, v->size) & v->mask;
    while (v->table[i]) {
        uint32_t n = v->table[i] - 1;
        if (memcmp(mc_value(v, n), bytes, v->size) == 0) return n;
        i = (i + 1) & v->mask;
    }
    uint32_t n = v->count++;
    memcpy(v->bytes + (uint64_t)n * v->size, bytes, v->size);
    if (v->position) v->position[n] = (uint16_t)(v->position_size == 1 ? bytes[0] : bytes[0] | bytes[1] << 8);
    v->table[i] = n + 1;
    if ((uint64_t)v->count * 2 > v->mask) mc_values_grow(v);
    return n;
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

struct mc_pairs {
    uint64_t *pair; /* left | right << 32 */
    uint32_t count;
    uint32_t *table;
    uint32_t mask;
};

static inline void mc_pairs_new(struct mc_pairs *p)
{
    memset(p, 0, sizeof *p);
    p->pair = mc_reserve(1ull << MC_PAIRS_ROOM_BITS);
    p->mask = 63;
    p->table = calloc(p->mask + 1u, 4);
}

static inline void mc_pairs_free(struct mc_pairs *p)
{
    mc_release(p->pair, 1ull << MC_PAIRS_ROOM_BITS);
    free(p->table);
}

static inline uint32_t mc_pair_home(uint64_t pair, uint32_t mask)
{
    uint64_t h = pair * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32) & mask;
}

static inline void mc_pairs_grow(struct mc_pairs *p)
{
    uint32_t mask = p->mask * 2 + 1;
    uint32_t *table = calloc(mask + 1ull, 4);
    for (uint32_t n = 0; n < p->count; n++) {
        uint32_t i = mc_pair_home(p->pair[n], mask);
        while (table[i]) i = (i + 1) & mask;
        table[i] = n + 1;
    }
    free(p->table);
    p->table = table;
    p->mask = mask;
}

static inline uint32_t mc_intern_pair(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    uint64_t pair = left | (uint64_t)right << 32;
    uint32_t i = mc_pair_home(pair, p->mask);
    while (p->table[i]) {
        uint32_t n = p->table[i] - 1;
        if (p->pair[n] == pair) return n;
        i = (i + 1) & p->mask;
    }
    uint32_t n = p->count++;
    p->pair[n] = pair;
    p->table[i] = n + 1;
    if ((uint64_t)p->count * 3 > (uint64_t)p->mask * 2) mc_pairs_grow(p);
    return n;
}

#endif
