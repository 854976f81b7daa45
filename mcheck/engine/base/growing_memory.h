/* Memory that grows in place: large blocks are moved by the system's page tables, so that the old and the new one are
 * never both there. New bytes are zero. What cannot be had is NULL; nobody guesses a size beforehand. */
#ifndef MC_MEMORY_H
#define MC_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MC_SMALL = 1 << 15 }; /* up to here from the heap */
enum { MC_APART = 128 }; /* bytes between what all threads read and what some change: a cache fetches its lines by two */

static inline uint64_t mc_pages(uint64_t bytes) { return (bytes + 4095) & ~4095ull; }

static inline void *mc_map(uint64_t bytes)
{
    void *p = mmap(NULL, mc_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static inline void mc_release(void *p, uint64_t bytes)
{
    if (!p) return;
    if (bytes <= MC_SMALL) free(p);
    else munmap(p, mc_pages(bytes));
}

/* A block of `old` bytes becomes one of `new` bytes, which is larger; NULL leaves the old one as it was. */
static inline void *mc_grown(void *p, uint64_t old, uint64_t new)
{
    if (new <= MC_SMALL) {
        uint8_t *q = realloc(p, new);
        if (q) memset(q + old, 0, new - old);
        return q;
    }
#ifdef MREMAP_MAYMOVE
    if (old > MC_SMALL) {
        void *q = mremap(p, mc_pages(old), mc_pages(new), MREMAP_MAYMOVE);
        return q == MAP_FAILED ? NULL : q;
    }
#endif
    void *q = mc_map(new);
    if (!q) return NULL;
    if (old) memcpy(q, p, old);
    mc_release(p, old);
    return q;
}

/* A range of addresses for what must never move: memory comes as it is touched. */
static inline void *mc_reserve(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Less than was asked for where the system counts every page that could be touched. */
static inline void *mc_reserve_most(uint64_t *bytes)
{
    void *p = mc_reserve(*bytes);
    while (!p && *bytes > 1u << 24) p = mc_reserve(*bytes /= 2);
    return p;
}

static inline void mc_unreserve(void *p, uint64_t bytes)
{
    if (p) munmap(p, bytes);
}

/* Huge pages where there will be random access over much memory. */
static inline void mc_huge(void *p, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (bytes >= 1u << 23) madvise(p, mc_pages(bytes), MADV_HUGEPAGE);
#else
    (void)p, (void)bytes;
#endif
}

/* Most pieces of a state are small. */
static inline void mc_copy(uint8_t *to, const uint8_t *from, uint32_t n)
{
    switch (n) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, n);
    }
}

static inline bool mc_same(const uint8_t *x, const uint8_t *y, uint32_t n)
{
    uint64_t a = 0, b = 0;
    switch (n) {
    case 1: return *x == *y;
    case 2: memcpy(&a, x, 2), memcpy(&b, y, 2); return a == b;
    case 4: memcpy(&a, x, 4), memcpy(&b, y, 4); return a == b;
    case 8: memcpy(&a, x, 8), memcpy(&b, y, 8); return a == b;
    default: return memcmp(x, y, n) == 0;
    }
}

static inline uint64_t mc_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    return x;
}

#endif
