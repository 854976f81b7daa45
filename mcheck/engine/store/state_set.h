/* The set of states: pairs (a, b) of 32-bit numbers, exactly, in 4 bytes each.
 *
 * The lower 17 bits of both are mixed to 34 bits by a permutation; a hash of the upper bits shifts these. The result says
 * the home line, by its size; what is left of it fits into the entry, with the upper bits and beside how many lines the
 * entry was moved (4 bits): so entry and line together say which pair it is, and nothing is lost. A line is 64 bytes, 16
 * entries: one miss of the cache for each look-up. An entry is 0 when it is free. Invariants: an entry is in the first line
 * from its home on that had room when it came; lines fill from their start.
 *
 * Homes keep their order when the table grows, so it grows in place (grown_set.h).
 */
#ifndef MC_ROOTS_H
#define MC_ROOTS_H

#include <stdbool.h>
#include <string.h>

#include "base/growing_memory.h"

enum { MC_LINE = 16, MC_MOST_MOVED = 14, MC_TAIL = 16, MC_HALF_BITS = 17, MC_MIXED_BITS = 34, MC_REST_BITS = 28 };
enum { MC_LEAST_LINES = 64 };

struct mc_roots {
    uint32_t *entry;
    uint64_t lines;                /* and MC_TAIL more at the end */
    uint32_t left_bits;            /* of the mixed number, in an entry */
    uint32_t a_upper, b_upper;     /* how many upper bits of each half an entry has room for */
    uint64_t limit;
    uint8_t apart[MC_APART];
    uint64_t count; /* kept by who inserts */
    uint8_t behind[MC_APART];
};

static inline uint64_t mc_mask(uint32_t bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static inline uint64_t mc_shift_of(uint64_t upper)
{
    upper *= 0x9E3779B97F4A7C15u;
    return (upper ^ upper >> 29) * 0xD6E8FEB86659FD93u >> (64 - MC_MIXED_BITS);
}

static inline uint64_t mc_half_folded(uint64_t x) { return x ^ x >> MC_HALF_BITS; }

/* 34 mixed bits, then the upper bits of a and of b. Each step can be undone. */
static inline uint64_t mc_permute(uint32_t a, uint32_t b)
{
    const uint64_t half = (1u << MC_HALF_BITS) - 1, all = mc_mask(MC_MIXED_BITS);
    uint64_t upper = (uint64_t)(a >> MC_HALF_BITS) | (uint64_t)(b >> MC_HALF_BITS) << 15;
    uint64_t x = mc_half_folded((a & half) << MC_HALF_BITS | (b & half));
    x = mc_half_folded(x * 0x14f6cdd1d & all);
    x = mc_half_folded(x * 0x6659fd93 & all);
    if (upper) x = (x + mc_shift_of(upper)) & all;
    return x | upper << MC_MIXED_BITS;
}

static inline uint64_t mc_unpermute(uint64_t mixed)
{
    const uint64_t half = (1u << MC_HALF_BITS) - 1, all = mc_mask(MC_MIXED_BITS);
    uint64_t upper = mixed >> MC_MIXED_BITS;
    uint64_t x = upper ? mixed - mc_shift_of(upper) : mixed;
    x = mc_half_folded(x & all) * 0x18b59a89b & all;
    x = mc_half_folded(x) * 0x2d81ecd35 & all;
    x = mc_half_folded(x);
    return (x >> MC_HALF_BITS | (upper & 0x7FFF) << MC_HALF_BITS) | ((x & half) | upper >> 15 << MC_HALF_BITS) << 32;
}

static inline uint64_t mc_permute_root(uint64_t root) { return mc_permute((uint32_t)root, (uint32_t)(root >> 32)); }

static inline uint64_t mc_lines_bytes(uint64_t lines) { return (lines + MC_TAIL) * 64; }
static inline uint64_t mc_roots_bytes(const struct mc_roots *r) { return mc_lines_bytes(r->lines); }

static inline uint64_t mc_home(const struct mc_roots *r, uint64_t mixed)
{
    return (mixed & mc_mask(MC_MIXED_BITS)) * r->lines >> MC_MIXED_BITS;
}

/* Is there room for the upper bits? */
static inline bool mc_fits(const struct mc_roots *r, uint64_t mixed)
{
    uint64_t upper = mixed >> MC_MIXED_BITS;
    return !((upper & 0x7FFF) >> r->a_upper | upper >> 15 >> r->b_upper);
}

static inline uint32_t mc_left_over(const struct mc_roots *r, uint64_t mixed)
{
    uint64_t rest = mixed & mc_mask(r->left_bits), upper = mixed >> MC_MIXED_BITS;
    if (upper) rest |= (upper & 0x7FFF) << r->left_bits | upper >> 15 << (r->left_bits + r->a_upper);
    return (uint32_t)rest;
}

/* The least of what has this home. */
static inline uint64_t mc_first_of(const struct mc_roots *r, uint64_t home)
{
    return ((home << MC_MIXED_BITS) + r->lines - 1) / r->lines;
}

static inline uint64_t mc_mixed_from(const struct mc_roots *r, uint64_t first, uint32_t entry)
{
    uint64_t rest = (entry - 1) & mc_mask(MC_REST_BITS);
    uint64_t mixed = first + ((rest - first) & mc_mask(r->left_bits));
    rest >>= r->left_bits;
    return mixed | ((rest & mc_mask(r->a_upper)) | rest >> r->a_upper << 15) << MC_MIXED_BITS;
}

/* What `mc_permute` gave, from an entry and its line. */
static inline uint64_t mc_mixed_of(const struct mc_roots *r, uint64_t line, uint32_t entry)
{
    return mc_mixed_from(r, mc_first_of(r, line - ((entry - 1) >> MC_REST_BITS)), entry);
}

/* The shape of a table with so many lines, for halves of so many numbers; false if entries are too small for that. */
static inline bool mc_shape(struct mc_roots *r, uint64_t lines, uint64_t a_count, uint64_t b_count)
{
    r->lines = lines;
    r->limit = (uint64_t)((double)lines * MC_LINE * 0.8);
    r->left_bits = MC_MIXED_BITS - (63 - (uint32_t)__builtin_clzll(lines));
    uint32_t a = 0, b = 0, room = MC_REST_BITS - r->left_bits;
    while (a < 15 && 1ull << (MC_HALF_BITS + a) < a_count) a++;
    while (b < 15 && 1ull << (MC_HALF_BITS + b) < b_count) b++;
    bool fits = a + b <= room;
    while (a + b < room && (a < 15 || b < 15)) { /* what is left over goes to both */
        if (a < 15 && (a <= b || b == 15)) a++;
        else b++;
    }
    r->a_upper = a;
    r->b_upper = b;
    return fits;
}

static inline bool mc_roots_new(struct mc_roots *r)
{
    memset(r, 0, sizeof *r);
    mc_shape(r, MC_LEAST_LINES, 1, 1);
    r->entry = mc_grown(NULL, 0, mc_roots_bytes(r));
    return r->entry != NULL;
}

static inline void mc_roots_free(struct mc_roots *r) { mc_release(r->entry, mc_roots_bytes(r)); }

/* What becomes of a state that is inserted: it is there already; it was not there; the table must grow first, for there is no room,
 * or its numbers are too large for the entries; and (state_store.h) another one stands for it, or another store keeps it. */
enum mc_inserted { MC_THERE, MC_FRESH, MC_FULL, MC_NARROW, MC_COVERED, MC_ELSEWHERE };

typedef uint64_t mc_two_entries __attribute__((may_alias));
typedef uint64_t mc_line_by_two __attribute__((vector_size(4 * MC_LINE)));
typedef uint32_t mc_line __attribute__((vector_size(4 * MC_LINE)));
typedef mc_line mc_line_there __attribute__((may_alias, aligned(4)));
typedef int32_t mc_line_is __attribute__((vector_size(4 * MC_LINE)));
typedef bool mc_line_flags __attribute__((ext_vector_type(MC_LINE)));

/* Each entry as it is now or was a moment ago, while other threads insert, and not all of the same moment: one may be free whose
 * successors are taken, and be taken by now. By two, so that they can be compared all at once:
 * what loads and stores eight bytes whole does so with their halves. */
static inline mc_line mc_loaded_line(const uint32_t *line)
{
#if defined __x86_64__ && !__has_feature(thread_sanitizer)
    return *(const volatile mc_line_there *)(const void *)line; /* in pieces of 16 bytes and more: each entry is loaded whole */
#endif
    mc_line_by_two two;
    for (uint32_t i = 0; i < MC_LINE / 2; i++) two[i] = __atomic_load_n((const mc_two_entries *)(const void *)line + i, __ATOMIC_RELAXED);
    return (mc_line)two;
}

/* A bit for each entry of which it is true. */
static inline uint32_t mc_entries_that(mc_line_is is)
{
    mc_line_flags flags = __builtin_convertvector(is, mc_line_flags);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

/* Other threads insert at the same time: entries never change once they are taken, and go to the first free one. So those before
 * `used` are not looked at again. Relaxed: an entry says all there is to know of its pair, nothing else is read because it is
 * there. */
static inline enum mc_inserted mc_insert_in_line(uint32_t *line, uint32_t used, uint32_t wanted)
{
    for (uint32_t i = used; i < MC_LINE; i++) {
        uint32_t there = __atomic_load_n(&line[i], __ATOMIC_RELAXED);
        if (!there && __atomic_compare_exchange_n(&line[i], &there, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return MC_FRESH;
        if (there == wanted) return MC_THERE;
    }
    return MC_FULL;
}

/* Full: the table must grow first. `shared`: other threads insert at the same time. */
static inline __attribute__((always_inline)) enum mc_inserted mc_insert(const struct mc_roots *r, uint64_t mixed, bool shared)
{
    uint64_t home = mc_home(r, mixed);
    uint32_t rest = mc_left_over(r, mixed);
    for (uint32_t moved = 0; moved <= MC_MOST_MOVED; moved++) {
        uint32_t *line = r->entry + (home + moved) * MC_LINE;
        uint32_t wanted = (moved << MC_REST_BITS | rest) + 1;
        uint32_t same = 0, used = 0;
        if (shared) {
            mc_line seen = mc_loaded_line(line);
            if (mc_entries_that(seen == wanted)) return MC_THERE;
            used = (uint32_t)__builtin_ctz(~mc_entries_that(seen != 0)); /* the first that was free when it was loaded */
            enum mc_inserted how = mc_insert_in_line(line, used, wanted);
            if (how != MC_FULL) return how;
            continue;
        }
        for (uint32_t i = 0; i < MC_LINE; i++) same |= (uint32_t)(line[i] == wanted);
        if (same) return MC_THERE;
        for (uint32_t i = 0; i < MC_LINE; i++) used += (uint32_t)(line[i] != 0);
        if (used == MC_LINE) continue;
        line[used] = wanted;
        return MC_FRESH;
    }
    return MC_FULL;
}

/* Where the pair is: the number of its entry; UINT64_MAX if it is not there. Others may insert at the same time. */
static inline uint64_t mc_find(const struct mc_roots *r, uint64_t mixed)
{
    uint64_t home = mc_home(r, mixed);
    uint32_t rest = mc_left_over(r, mixed);
    if (!mc_fits(r, mixed)) return UINT64_MAX;
    for (uint32_t moved = 0; moved <= MC_MOST_MOVED; moved++) {
        const uint32_t *line = r->entry + (home + moved) * MC_LINE;
        uint32_t wanted = (moved << MC_REST_BITS | rest) + 1;
        for (uint32_t i = 0; i < MC_LINE; i++)
            if (__atomic_load_n(&line[i], __ATOMIC_RELAXED) == wanted) return (home + moved) * MC_LINE + i;
    }
    return UINT64_MAX;
}

/* A pair that is not there yet. */
static inline bool mc_place(const struct mc_roots *r, uint64_t mixed)
{
    uint64_t home = mc_home(r, mixed);
    uint32_t rest = mc_left_over(r, mixed);
    for (uint32_t moved = 0; moved <= MC_MOST_MOVED; moved++) {
        uint32_t *line = r->entry + (home + moved) * MC_LINE, used = 0;
        for (uint32_t i = 0; i < MC_LINE; i++) used += (uint32_t)(line[i] != 0);
        if (used == MC_LINE) continue;
        line[used] = (moved << MC_REST_BITS | rest) + 1;
        return true;
    }
    return false;
}

#endif
