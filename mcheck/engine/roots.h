/* The set of states: pairs (a, b) of 32-bit numbers, exactly, in 4 bytes each.
 *
 * A pair is mixed by a permutation of `bits` bits; the upper bits of the result are its home line, the others (28 at
 * most) are kept in the entry beside how many lines it was moved (4 bits): so entry and line together say which pair it
 * is, and nothing is lost. A line is 64 bytes, 16 entries: one miss of the cache for each look-up. An entry is 0 when it
 * is free. Invariant: an entry is in the first line from its home on that had room when it came.
 */
#ifndef MC_ROOTS_H
#define MC_ROOTS_H

#include <stdbool.h>
#include <string.h>

#include "memory.h"

enum { MC_LINE = 16, MC_MOST_MOVED = 14, MC_ROOT_ROOM_BITS = 37, MC_TAIL = 16 };

struct mc_roots {
    uint32_t *entry;
    uint32_t line_bits;        /* 2^line_bits lines, and MC_TAIL more at the end */
    uint32_t a_bits, b_bits;   /* line_bits + 28 in all */
    uint64_t count, limit;
};

static inline uint64_t mc_mask(uint32_t bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/* A permutation: each round adds a hash of one half to the other. */
static inline uint64_t mc_permute(const struct mc_roots *r, uint32_t a, uint32_t b)
{
    uint64_t x = a, y = b;
    uint64_t mx = mc_mask(r->a_bits), my = mc_mask(r->b_bits);
    y = (y + (x * 0x9E3779B97F4A7C15u >> 20)) & my;
    x = (x + (y * 0xD6E8FEB86659FD93u >> 21)) & mx;
    y = (y + (x * 0xC2B2AE3D27D4EB4Fu >> 22)) & my;
    x = (x + (y * 0x9E3779B97F4A7C15u >> 23)) & mx;
    return x << r->b_bits | y;
}

static inline void mc_unpermute(const struct mc_roots *r, uint64_t m, uint32_t *a, uint32_t *b)
{
    uint64_t mx = mc_mask(r->a_bits), my = mc_mask(r->b_bits);
    uint64_t x = m >> r->b_bits & mx, y = m & my;
    x = (x - (y * 0x9E3779B97F4A7C15u >> 23)) & mx;
    y = (y - (x * 0xC2B2AE3D27D4EB4Fu >> 22)) & my;
    x = (x - (y * 0xD6E8FEB86659FD93u >> 21)) & mx;
    y = (y - (x * 0x9E3779B97F4A7C15u >> 20)) & my;
    *a = (uint32_t)x;
    *b = (uint32_t)y;
}

static inline uint64_t mc_roots_bytes(const struct mc_roots *r) { return ((1ull << r->line_bits) + MC_TAIL) * 64; }

static inline void mc_roots_shape(struct mc_roots *r, uint32_t line_bits, uint32_t a_least, uint32_t b_least)
{
    uint32_t bits = line_bits + 28;
    r->line_bits = line_bits;
    uint32_t a = bits / 2;
    if (a > 32) a = 32;
    if (a < a_least) a = a_least;
    uint32_t b = bits - a;
    if (b > 32) b = 32, a = bits - 32 > 32 ? 32 : bits - 32;
    if (b < b_least) b = b_least, a = bits - b;
    r->a_bits = a;
    r->b_bits = b;
    r->limit = (uint64_t)((double)(1ull << line_bits) * MC_LINE * 0.86);
}

static inline void mc_roots_new(struct mc_roots *r, uint32_t line_bits)
{
    memset(r, 0, sizeof *r);
    mc_roots_shape(r, line_bits, 1, 1);
    r->entry = mc_reserve(1ull << MC_ROOT_ROOM_BITS);
    mc_huge(r->entry, 1ull << MC_ROOT_ROOM_BITS);
}

static inline void mc_roots_free(struct mc_roots *r) { mc_release(r->entry, 1ull << MC_ROOT_ROOM_BITS); }

static inline uint32_t mc_rest_bits(const struct mc_roots *r) { return r->a_bits + r->b_bits - r->line_bits; }

static inline uint64_t mc_home(const struct mc_roots *r, uint64_t mixed) { return mixed >> mc_rest_bits(r); }

/* True if the pair is new. `*full`: it could not be put anywhere; the table must grow first. */
static inline bool mc_insert(struct mc_roots *r, uint64_t mixed, bool *full)
{
    uint64_t home = mc_home(r, mixed);
    uint32_t rest = (uint32_t)(mixed & mc_mask(mc_rest_bits(r)));
    for (uint32_t moved = 0; moved <= MC_MOST_MOVED; moved++) {
        uint32_t *line = r->entry + (home + moved) * MC_LINE;
        uint32_t wanted = (moved << 28 | rest) + 1;
        uint32_t same = 0, free_at = 0;
        for (uint32_t i = 0; i < MC_LINE; i++) same |= (uint32_t)(line[i] == wanted) << i;
        if (same) return false;
        for (uint32_t i = 0; i < MC_LINE; i++) free_at |= (uint32_t)(line[i] == 0) << i;
        if (free_at) {
            line[__builtin_ctz(free_at)] = wanted;
            r->count++;
            return true;
        }
    }
    *full = true;
    return false;
}

/* Where the pair is: the number of its entry; UINT64_MAX if it is not there. */
static inline uint64_t mc_find(const struct mc_roots *r, uint64_t mixed)
{
    uint64_t home = mc_home(r, mixed);
    uint32_t rest = (uint32_t)(mixed & mc_mask(mc_rest_bits(r)));
    for (uint32_t moved = 0; moved <= MC_MOST_MOVED; moved++) {
        const uint32_t *line = r->entry + (home + moved) * MC_LINE;
        uint32_t wanted = (moved << 28 | rest) + 1;
        for (uint32_t i = 0; i < MC_LINE; i++)
            if (line[i] == wanted) return (home + moved) * MC_LINE + i;
    }
    return UINT64_MAX;
}

static inline uint64_t mc_mixed_of(const struct mc_roots *r, uint64_t line, uint32_t entry)
{
    uint32_t v = entry - 1;
    return (line - (v >> 28)) << mc_rest_bits(r) | (v & 0x0FFFFFFFu);
}

/* Twice the lines. `a_count`, `b_count`: how many numbers there are, so that the halves get enough bits. */
static inline bool mc_roots_grow(struct mc_roots *r, uint32_t a_count, uint32_t b_count)
{
    uint32_t a_least = 1, b_least = 1;
    while (a_least < 32 && (1ull << a_least) < (uint64_t)a_count * 2) a_least++;
    while (b_least < 32 && (1ull << b_least) < (uint64_t)b_count * 2) b_least++;
    uint32_t line_bits = r->line_bits + 1;
    while (line_bits + 28 < a_least + b_least) line_bits++;
    for (;; line_bits++) {
        struct mc_roots n;
        mc_roots_new(&n, line_bits);
        if (!n.entry) return false;
        mc_roots_shape(&n, line_bits, a_least, b_least);
        uint64_t lines = (1ull << r->line_bits) + MC_TAIL;
        bool full = false;
        for (uint64_t l = 0; l < lines && !full; l++) {
            for (uint32_t i = 0; i < MC_LINE && !full; i++) {
                uint32_t entry = r->entry[l * MC_LINE + i];
                if (!entry) break;
                uint32_t a, b;
                mc_unpermute(r, mc_mixed_of(r, l, entry), &a, &b);
                mc_insert(&n, mc_permute(&n, a, b), &full);
            }
            /* what has been moved is given back at once, so that both tables are never in memory whole */
            if ((l + 1) % (1u << 15) == 0) madvise(r->entry + (l + 1 - (1u << 15)) * MC_LINE, 64u << 15, MADV_DONTNEED);
        }
        if (full) { /* cannot happen at less than half load but by a freak of the hash */
            mc_roots_free(&n);
            return false;
        }
        mc_roots_free(r);
        *r = n;
        return true;
    }
}

#endif
