/* Arrays that grow in place: a large range of addresses is reserved, memory comes as it is touched. */
#ifndef MC_MEMORY_H
#define MC_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static inline void *mc_reserve(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static inline void mc_release(void *p, uint64_t bytes)
{
    if (p) munmap(p, bytes);
}

/* Huge pages where there will be random access over much memory. */
static inline void mc_huge(void *p, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
    madvise(p, bytes, MADV_HUGEPAGE);
#else
    (void)p, (void)bytes;
#endif
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
