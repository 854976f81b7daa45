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
    const uint16_t *numbers; /* what its bytes stand for */
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

static inline void mc_values_new(struct mc_values *v, uint32_t size, uint32_t position_size, const uint16_t *numbers)
{
    memset(v, 0, sizeof *v);
    v->size = size;
    v->position_size = position_size;
    v->numbers = numbers;
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
    if (v->position) v->position[n] = v->numbers[v->position_size == 1 ? bytes[0] : bytes[0] | bytes[1] << 8];
    v->table[i] = n + 1;
    if ((uint64_t)v->count * 2 > v->mask) mc_values_grow(v);
    return n;
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

/* While both sides have few values, the number of a pair is looked up directly, in a table of left by right; later by
 * hash. */
struct mc_pairs {
    uint64_t *pair; /* left | right << 32 */
    uint32_t count;
    uint32_t *direct; /* number + 1; NULL: by hash */
    uint32_t left_bits, right_bits;
    uint32_t *table;
    uint32_t mask;
};

enum { MC_DIRECT_BITS = 18 };

static inline void mc_pairs_new(struct mc_pairs *p)
{
    memset(p, 0, sizeof *p);
    p->pair = mc_reserve(1ull << MC_PAIRS_ROOM_BITS);
    p->left_bits = p->right_bits = 3;
    p->direct = calloc(1u << 6, 4);
}

static inline void mc_pairs_free(struct mc_pairs *p)
{
    mc_release(p->pair, 1ull << MC_PAIRS_ROOM_BITS);
    free(p->table);
    free(p->direct);
}

/* Bytes besides the pairs themselves. */
static inline uint64_t mc_pairs_index_bytes(const struct mc_pairs *p)
{
    return p->direct ? 4ull << (p->left_bits + p->right_bits) : 4ull * (p->mask + 1ull);
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

/* The direct table has no place for this pair: a larger one, or none. */
static inline void mc_pairs_widen(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    while (left >> p->left_bits) p->left_bits++;
    while (right >> p->right_bits) p->right_bits++;
    free(p->direct);
    p->direct = NULL;
    if (p->left_bits + p->right_bits <= MC_DIRECT_BITS) {
        p->direct = calloc(1ull << (p->left_bits + p->right_bits), 4);
        for (uint32_t n = 0; n < p->count; n++)
            p->direct[(p->pair[n] & 0xFFFFFFFFu) << p->right_bits | p->pair[n] >> 32] = n + 1;
        return;
    }
    p->mask = 31;
    while ((uint64_t)(p->count + 1) * 3 > (uint64_t)p->mask * 2) p->mask = p->mask * 2 + 1;
    p->mask = p->mask / 2;
    mc_pairs_grow(p);
}

static inline uint32_t mc_intern_pair_slowly(struct mc_pairs *p, uint32_t left, uint32_t right);

static inline __attribute__((always_inline)) uint32_t mc_intern_pair(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    if (__builtin_expect(p->direct && !(left >> p->left_bits) && !(right >> p->right_bits), 1)) {
        uint32_t n = p->direct[left << p->right_bits | right];
        if (__builtin_expect(n != 0, 1)) return n - 1;
    }
    return mc_intern_pair_slowly(p, left, right);
}

static inline __attribute__((noinline)) uint32_t mc_intern_pair_slowly(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    uint64_t pair = left | (uint64_t)right << 32;
    if (p->direct && (left >> p->left_bits || right >> p->right_bits)) mc_pairs_widen(p, left, right);
    if (p->direct) { /* the pair is new */
        uint32_t n = p->direct[left << p->right_bits | right];
        if (n) return n - 1;
        n = p->count++;
        p->pair[n] = pair;
        p->direct[left << p->right_bits | right] = n + 1;
        return n;
    }
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
