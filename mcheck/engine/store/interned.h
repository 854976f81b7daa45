/* Interned values of components, and interned pairs: the lower levels of the tree. Numbers count from 0 and stay.
 *
 * Several threads may look up and intern at once: a look-up takes no lock; what it misses is looked for once more under the
 * table's lock. Without a crew the table belongs to one thread. When there is no memory left, the crew is told, and what
 * comes back is the number of something else (without a crew: UINT32_MAX).
 */
#ifndef MC_VALUES_H
#define MC_VALUES_H

#include "base/thread_barrier.h"
#include "base/growing_memory.h"

static inline uint32_t mc_seen(const uint32_t *entry) { return __atomic_load_n(entry, __ATOMIC_ACQUIRE); }
static inline void mc_show(uint32_t *entry, uint32_t number) { __atomic_store_n(entry, number, __ATOMIC_RELEASE); }

/* An index by hash: numbers + 1; 0 is free. */
struct mc_index {
    uint32_t *entry;
    uint32_t mask;
};

/* More entries, all free. */
static inline bool mc_index_grow(struct mc_index *x)
{
    uint32_t mask = x->entry ? x->mask * 2 + 1 : 31;
    uint32_t *entry = mc_grown(x->entry, x->entry ? 4 * (x->mask + 1ull) : 0, 4 * (mask + 1ull));
    if (!entry) return false;
    memset(entry, 0, x->entry ? 4 * (x->mask + 1ull) : 0);
    x->entry = entry;
    x->mask = mask;
    mc_huge(entry, 4 * (mask + 1ull));
    return true;
}

static inline void mc_index_put(struct mc_index *x, uint32_t home, uint32_t number)
{
    uint32_t i = home & x->mask;
    while (x->entry[i]) i = (i + 1) & x->mask;
    x->entry[i] = number + 1;
}

static inline void mc_begin_growth(struct mc_crew *c)
{
    if (c) mc_alone(c);
}

static inline bool mc_end_growth(struct mc_crew *c, bool grown)
{
    if (!grown && c) c->out_of_memory = true;
    if (c) mc_together(c);
    return grown && !(c && c->out_of_memory);
}

/* How many there are is changed under the table's lock, and read without it by who only wants to know how much is taken. */
static inline uint32_t mc_count_of(const uint32_t *count) { return __atomic_load_n(count, __ATOMIC_RELAXED); }

static inline uint32_t mc_count_one_more(uint32_t *count)
{
    uint32_t n = *count + 1;
    __atomic_store_n(count, n, __ATOMIC_RELAXED);
    return n;
}

/* Room for half as many again. */
static inline uint64_t mc_more(uint64_t room, uint64_t least) { return room < least ? least : room + room / 2; }

/* --- byte strings of one size -------------------------------------------------------------------------------- */

struct mc_values {
    uint8_t *bytes;
    uint8_t *seen; /* by number: 1 if it is part of a state that was reached, not only of what was tried */
    uint32_t size, room;
    uint32_t bytes_room, seen_room; /* these may be ahead of `room`: what grows after them was refused */
    uint16_t *position; /* of a slot's component; NULL otherwise */
    const uint16_t *numbers; /* what its bytes stand for */
    uint32_t position_size;
    struct mc_index index;
    uint32_t *direct; /* of one or two bytes: number + 1, by content */
    struct mc_crew *crew;
    uint8_t apart[MC_APART];
    uint32_t count, lock; /* change with each new one */
    uint8_t behind[MC_APART];
};

enum { MC_DIRECT_CONTENT = 2 };

static inline uint64_t mc_contents(const struct mc_values *v) { return 1ull << 8 * v->size; }

static inline uint32_t mc_content(const struct mc_values *v, const uint8_t *bytes)
{
    return v->size == 1 ? bytes[0] : bytes[0] | (uint32_t)bytes[1] << 8;
}

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

static inline const uint8_t *mc_value(const struct mc_values *v, uint32_t number)
{
    return v->bytes + (uint64_t)number * v->size;
}

static inline uint64_t mc_values_bytes(const struct mc_values *v, uint32_t room) { return room ? (uint64_t)room * v->size + 8 : 0; }

/* False leaves what there is of use; it can be asked for again. */
static inline bool mc_values_room(struct mc_values *v, uint32_t room)
{
    if (v->bytes_room < room) {
        uint8_t *bytes = mc_grown(v->bytes, mc_values_bytes(v, v->bytes_room), mc_values_bytes(v, room));
        if (!bytes) return false;
        v->bytes = bytes, v->bytes_room = room;
    }
    if (v->seen_room < room) {
        uint8_t *seen = mc_grown(v->seen, v->seen_room, room);
        if (!seen) return false;
        v->seen = seen, v->seen_room = room;
    }
    if (v->position_size) {
        uint16_t *position = mc_grown(v->position, 2ull * v->room, 2ull * room);
        if (!position) return false;
        v->position = position;
    }
    v->room = room;
    return true;
}

static inline bool mc_values_new(struct mc_values *v, uint32_t size, uint32_t position_size, const uint16_t *numbers,
                                 struct mc_crew *crew)
{
    memset(v, 0, sizeof *v);
    v->size = size;
    v->position_size = position_size;
    v->numbers = numbers;
    v->crew = crew;
    if (size && size <= MC_DIRECT_CONTENT && !(v->direct = mc_grown(NULL, 0, 4 * mc_contents(v)))) return false;
    return mc_values_room(v, 16) && mc_index_grow(&v->index);
}

static inline void mc_values_free(struct mc_values *v)
{
    mc_release(v->bytes, mc_values_bytes(v, v->bytes_room));
    mc_release(v->seen, v->seen_room);
    mc_release(v->position, 2ull * v->room);
    mc_release(v->index.entry, 4 * (v->index.mask + 1ull));
    if (v->direct) mc_release(v->direct, 4 * mc_contents(v));
}

static inline bool mc_values_full(const struct mc_values *v)
{
    return v->count == v->room || (uint64_t)v->count * 2 > v->index.mask;
}

static inline bool mc_values_grow(struct mc_values *v)
{
    bool grown = true;
    mc_begin_growth(v->crew);
    if (v->count == v->room) grown = mc_values_room(v, (uint32_t)mc_more(v->room, 16));
    if (grown && (uint64_t)v->count * 2 > v->index.mask) {
        grown = mc_index_grow(&v->index);
        for (uint32_t n = 0; grown && n < v->count; n++)
            mc_index_put(&v->index, (uint32_t)mc_hash_bytes(mc_value(v, n), v->size), n);
    }
    return mc_end_growth(v->crew, grown);
}

/* The number + 1, or 0; `*at` is where it would go. */
static inline uint32_t mc_find_value(const struct mc_values *v, const uint8_t *bytes, uint32_t hash, uint32_t *at)
{
    uint32_t n;
    *at = hash & v->index.mask;
    while ((n = mc_seen(&v->index.entry[*at])) && !mc_same(mc_value(v, n - 1), bytes, v->size))
        *at = (*at + 1) & v->index.mask;
    return n;
}

static inline uint32_t mc_intern_value(struct mc_values *v, const uint8_t *bytes)
{
    if (v->direct) {
        uint32_t known = mc_seen(&v->direct[mc_content(v, bytes)]);
        if (known) return known - 1;
    }
    uint32_t hash = (uint32_t)mc_hash_bytes(bytes, v->size), at;
    uint32_t n = mc_find_value(v, bytes, hash, &at);
    if (n) return n - 1;
    for (;;) {
        mc_lock(&v->lock);
        n = mc_find_value(v, bytes, hash, &at);
        if (n || !mc_values_full(v)) break;
        mc_unlock(&v->lock);
        if (!mc_values_grow(v)) return 0;
    }
    if (!n) {
        n = mc_count_one_more(&v->count);
        memcpy(v->bytes + (n - 1ull) * v->size, bytes, v->size);
        if (v->position) v->position[n - 1] = v->numbers[v->position_size == 1 ? bytes[0] : bytes[0] | bytes[1] << 8];
        mc_show(&v->index.entry[at], n);
        if (v->direct) mc_show(&v->direct[mc_content(v, bytes)], n);
    }
    mc_unlock(&v->lock);
    return n - 1;
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

/* While both sides have few values, the number of a pair is looked up directly, in a table of left by right; later by
 * hash. */
struct mc_pairs {
    uint64_t *pair; /* left | right << 32 */
    uint32_t *direct; /* number + 1; NULL: by hash */
    uint32_t left_bits, right_bits;
    struct mc_index index;
    uint32_t room;
    struct mc_crew *crew; /* NULL: one thread's own */
    uint8_t apart[MC_APART];
    uint32_t count, lock; /* change with each new one */
    uint8_t behind[MC_APART];
};

/* Beyond the first only while it is filled somewhat, beyond the second while it is filled well. */
enum { MC_DIRECT_FREE = 14, MC_DIRECT_BITS = 18, MC_DIRECT_MOST = 24 };

static inline bool mc_pairs_room(struct mc_pairs *p, uint32_t room)
{
    uint64_t *pair = mc_grown(p->pair, 8ull * p->room, 8ull * room);
    if (!pair) return false;
    p->pair = pair;
    p->room = room;
    mc_huge(pair, 8ull * room);
    return true;
}

static inline bool mc_pairs_new(struct mc_pairs *p)
{
    memset(p, 0, sizeof *p);
    p->left_bits = p->right_bits = 3;
    p->direct = mc_grown(NULL, 0, 4u << 6);
    return p->direct && mc_pairs_room(p, 64);
}

static inline uint64_t mc_direct_bytes(const struct mc_pairs *p) { return 4ull << (p->left_bits + p->right_bits); }

static inline void mc_pairs_free(struct mc_pairs *p)
{
    mc_release(p->pair, 8ull * p->room);
    if (p->direct) mc_release(p->direct, mc_direct_bytes(p));
    if (p->index.entry) mc_release(p->index.entry, 4 * (p->index.mask + 1ull));
}

static inline uint64_t mc_pairs_bytes(const struct mc_pairs *p)
{
    return 8ull * mc_count_of(&p->count) + (p->direct ? mc_direct_bytes(p) : 4 * (p->index.mask + 1ull));
}

static inline uint32_t mc_pair_home(uint64_t pair)
{
    uint64_t h = pair * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32);
}

static inline bool mc_outside(const struct mc_pairs *p, uint32_t left, uint32_t right)
{
    return p->direct && (left >> p->left_bits || right >> p->right_bits);
}

/* The direct table has no place for this pair: a larger one, or none. */
static inline bool mc_pairs_widen(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    mc_release(p->direct, mc_direct_bytes(p));
    p->direct = NULL;
    while (left >> p->left_bits) p->left_bits++;
    while (right >> p->right_bits) p->right_bits++;
    uint32_t bits = p->left_bits + p->right_bits;
    uint64_t most = (bits > MC_DIRECT_BITS ? 48ull : 64ull) * p->count;
    if (bits > MC_DIRECT_FREE && (bits > MC_DIRECT_MOST || 1ull << bits > most)) return true;
    p->direct = mc_grown(NULL, 0, mc_direct_bytes(p));
    if (!p->direct) return false;
    for (uint32_t n = 0; n < p->count; n++)
        p->direct[(p->pair[n] & 0xFFFFFFFFu) << p->right_bits | p->pair[n] >> 32] = n + 1;
    return true;
}

static inline bool mc_index_full(const struct mc_pairs *p)
{
    return !p->direct && (!p->index.entry || p->count * 4ull > p->index.mask * 3ull);
}

static inline bool mc_pairs_full(const struct mc_pairs *p) { return p->count == p->room || mc_index_full(p); }

static __attribute__((noinline, unused)) bool mc_pairs_grow(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    bool grown = true;
    mc_begin_growth(p->crew);
    if (p->count == p->room) grown = mc_pairs_room(p, (uint32_t)mc_more(p->room, 64));
    if (grown && mc_outside(p, left, right)) grown = mc_pairs_widen(p, left, right);
    if (grown && mc_index_full(p)) {
        while (grown && mc_index_full(p)) grown = mc_index_grow(&p->index);
        for (uint32_t n = 0; grown && n < p->count; n++) mc_index_put(&p->index, mc_pair_home(p->pair[n]), n);
    }
    return mc_end_growth(p->crew, grown);
}

/* The number + 1, or 0; `*at` is where it would go. */
static inline uint32_t mc_find_pair(const struct mc_pairs *p, uint64_t pair, uint32_t **at)
{
    if (p->direct) {
        *at = &p->direct[(pair & 0xFFFFFFFFu) << p->right_bits | pair >> 32];
        return mc_seen(*at);
    }
    uint32_t i = mc_pair_home(pair) & p->index.mask, n;
    while ((n = mc_seen(&p->index.entry[i])) && p->pair[n - 1] != pair) i = (i + 1) & p->index.mask;
    *at = &p->index.entry[i];
    return n;
}

static __attribute__((noinline, unused)) uint32_t mc_intern_pair_slowly(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    uint64_t pair = left | (uint64_t)right << 32;
    uint32_t *at, n;
    if (p->index.entry && !p->direct && (n = mc_find_pair(p, pair, &at))) return n - 1;
    for (;;) {
        mc_lock(&p->lock);
        bool fits = !mc_outside(p, left, right) && (p->direct || p->index.entry);
        n = fits ? mc_find_pair(p, pair, &at) : 0;
        if (n || (fits && !mc_pairs_full(p))) break;
        mc_unlock(&p->lock);
        if (!mc_pairs_grow(p, left, right)) return p->crew ? 0 : UINT32_MAX;
    }
    if (!n) {
        n = mc_count_one_more(&p->count);
        p->pair[n - 1] = pair;
        mc_show(at, n);
    }
    mc_unlock(&p->lock);
    return n - 1;
}

/* May rest until another thread has let a table grow. */
static inline __attribute__((always_inline)) uint32_t mc_intern_pair(struct mc_pairs *p, uint32_t left, uint32_t right)
{
    if (__builtin_expect(p->direct && !(left >> p->left_bits) && !(right >> p->right_bits), 1)) {
        uint32_t n = mc_seen(&p->direct[left << p->right_bits | right]);
        if (__builtin_expect(n != 0, 1)) return n - 1;
    }
    return mc_intern_pair_slowly(p, left, right);
}

#endif
