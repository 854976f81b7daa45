/* Values of components where memory cannot be had, now here, now there: what was had is given back as it is, heap to the heap,
 * pages with their number, and once; and who asks again gets room, with what was in it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 64, ROOMS = 24 };

static struct {
    void *at;
    size_t bytes; /* 0: of the heap */
} live[MOST];
static int wrong, asked, fails_at;

static void is_there(void *p, size_t bytes)
{
    for (int i = 0; i < MOST; i++)
        if (!live[i].at) {
            live[i].at = p, live[i].bytes = bytes;
            return;
        }
    abort();
}

static bool was_there(void *p, size_t bytes)
{
    for (int i = 0; i < MOST; i++)
        if (p && live[i].at == p && live[i].bytes == bytes) {
            live[i].at = NULL;
            return true;
        }
    wrong++;
    return false;
}

static void *reallocated(void *p, size_t bytes)
{
    if (asked++ == fails_at) return NULL;
    if (p && !was_there(p, 0)) return NULL;
    void *q = realloc(p, bytes);
    is_there(q, 0);
    return q;
}

static void *mapped(void *at, size_t bytes, int may, int how, int file, off_t from)
{
    if (asked++ == fails_at) return MAP_FAILED;
    void *q = mmap(at, bytes, may, how, file, from);
    is_there(q, bytes);
    return q;
}

static void *remapped(void *p, size_t old, size_t new, int how)
{
    if (asked++ == fails_at || !was_there(p, old)) return MAP_FAILED;
    void *q = mremap(p, old, new, how);
    is_there(q, new);
    return q;
}

static void freed(void *p)
{
    if (p && was_there(p, 0)) free(p);
}

static void unmapped(void *p, size_t bytes)
{
    if (was_there(p, bytes)) munmap(p, bytes);
}

#define realloc reallocated
#define mmap mapped
#define mremap remapped
#define free freed
#define munmap unmapped
#include "store/interned.h"

/* With the request number `fail` refused; `again`: who was refused asks once more. Whether there was such a request. */
static bool tried(uint32_t size, uint32_t position_size, int fail, bool again)
{
    struct mc_values v;
    asked = 0, fails_at = fail;
    bool good = mc_values_new(&v, size, position_size, NULL, NULL);
    for (int i = 0; good && i < ROOMS; i++) {
        uint32_t room = (uint32_t)mc_more(v.room, 16);
        good = mc_values_room(&v, room) || (again && mc_values_room(&v, room));
        if (!good) break;
        for (uint32_t n = v.count; n < v.room; n++) {
            memset(v.bytes + (uint64_t)n * size, (int)(n % 251), size);
            v.seen[n] = (uint8_t)(n % 241);
        }
        v.count = v.room;
        for (uint32_t n = 0; n < v.count; n += 1 + n / 16)
            if (*mc_value(&v, n) != n % 251 || v.seen[n] != n % 241) wrong++;
    }
    mc_values_free(&v);
    for (int i = 0; i < MOST; i++) {
        if (live[i].at) wrong++;
        live[i].at = NULL;
    }
    return asked > fail;
}

int main(void)
{
    int requests = 0;
    for (uint32_t size = 2; size <= 24; size += 22)
        for (uint32_t position_size = 0; position_size <= 2; position_size += 2)
            for (int again = 0; again < 2; again++)
                for (int fail = 0; tried(size, position_size, fail, again); fail++) requests++;
    printf("%d refused, %d wrong\n", requests, wrong);
    return wrong != 0;
}
