/* States by number, with what a search notes of each: found by root, replaced in place, counted densely from 0. */
#ifndef MC_VISITS_H
#define MC_VISITS_H

#include "base/growing_memory.h"

enum { MC_ON_STACK = 1u << 31 };

/* An array of at least `wanted` items: false where memory ends. */
static inline bool mc_widen(void **at, uint64_t *room, uint64_t wanted, uint64_t size)
{
    if (__builtin_expect(wanted <= *room, 1)) return true;
    uint64_t more = *room < 1024 ? 1024 : *room + *room / 2;
    if (more < wanted) more = wanted;
    void *p = mc_grown(*at, *room * size, more * size);
    if (!p) return false;
    *at = p;
    *room = more;
    return true;
}

struct mc_visits {
    uint64_t *root;
    uint32_t *next; /* in the same bucket: number + 1 */
    uint32_t *info; /* MC_ON_STACK, and the number of the mask of slots that may be stuck there */
    uint32_t *bucket;
    uint32_t bucket_mask, count;
    uint64_t root_room, next_room, info_room;
};

static inline bool mc_visits_new(struct mc_visits *v)
{
    memset(v, 0, sizeof *v);
    v->bucket_mask = 1023;
    v->bucket = mc_grown(NULL, 0, 4 * (v->bucket_mask + 1ull));
    return v->bucket != NULL;
}

static inline void mc_visits_free(struct mc_visits *v)
{
    mc_release(v->root, 8 * v->root_room);
    mc_release(v->next, 4 * v->next_room);
    mc_release(v->info, 4 * v->info_room);
    if (v->bucket) mc_release(v->bucket, 4 * (v->bucket_mask + 1ull));
}

static inline uint64_t mc_visits_bytes(const struct mc_visits *v) { return 16ull * v->count + 4 * (v->bucket_mask + 1ull); }

static inline uint32_t *mc_visits_home(const struct mc_visits *v, uint64_t root)
{
    return &v->bucket[(uint32_t)mc_mix(root + 0x9E3779B97F4A7C15u) & v->bucket_mask];
}

/* UINT32_MAX: it is not there. */
static inline uint32_t mc_visits_find(const struct mc_visits *v, uint64_t root)
{
    for (uint32_t n = *mc_visits_home(v, root); n; n = v->next[n - 1])
        if (v->root[n - 1] == root) return n - 1;
    return UINT32_MAX;
}

static inline void mc_visits_link(struct mc_visits *v, uint32_t n)
{
    uint32_t *home = mc_visits_home(v, v->root[n]);
    v->next[n] = *home;
    *home = n + 1;
}

/* Of a state that is not there. False: no memory. */
static inline bool mc_visits_add(struct mc_visits *v, uint64_t root, uint32_t *number)
{
    uint64_t wanted = v->count + 1ull;
    void *root_at = v->root, *next_at = v->next, *info_at = v->info;
    bool wide = mc_widen(&root_at, &v->root_room, wanted, 8);
    v->root = root_at;
    wide = wide && mc_widen(&next_at, &v->next_room, wanted, 4);
    v->next = next_at;
    wide = wide && mc_widen(&info_at, &v->info_room, wanted, 4);
    v->info = info_at;
    if (!wide) return false;
    if (v->count > v->bucket_mask) {
        uint32_t *more = mc_grown(v->bucket, 4 * (v->bucket_mask + 1ull), 8 * (v->bucket_mask + 1ull));
        if (!more) return false;
        v->bucket = more;
        memset(more, 0, 4 * (v->bucket_mask + 1ull));
        v->bucket_mask = v->bucket_mask * 2 + 1;
        for (uint32_t n = 0; n < v->count; n++) mc_visits_link(v, n);
    }
    *number = v->count++;
    v->root[*number] = root;
    v->info[*number] = 0;
    mc_visits_link(v, *number);
    return true;
}

/* Another state gets this number. */
static inline void mc_visits_replace(struct mc_visits *v, uint32_t number, uint64_t root)
{
    uint32_t *at = mc_visits_home(v, v->root[number]);
    while (*at != number + 1) at = &v->next[*at - 1];
    *at = v->next[number];
    v->root[number] = root;
    v->info[number] = 0;
    mc_visits_link(v, number);
}

#endif
