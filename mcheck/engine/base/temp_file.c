/* Files without names, and what is counted of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail(struct mc_disk *d, int error)
{
    int none = 0;
    atomic_compare_exchange_strong_explicit(&d->error, &none, error, memory_order_relaxed, memory_order_relaxed);
    return false;
}

/* Without a name from the start where the system can do that; else it goes at once. */
static int open_nameless(const char *folder)
{
#ifdef O_TMPFILE
    int fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
#endif
    static const char name[] = "/lfc-XXXXXX";
    char *path = malloc(strlen(folder) + sizeof name);
    if (!path) return -1;
    strcpy(path, folder);
    strcat(path, name);
    int found = mkstemp(path);
    if (found >= 0) {
        unlink(path);
        fcntl(found, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return found;
}

bool mc_file_new(struct mc_disk *d, struct mc_file *f)
{
    *f = (struct mc_file){d, -1, 0};
    if (d->error) return false;
    f->fd = open_nameless(d->folder);
    return f->fd >= 0 || fail(d, errno);
}

void mc_file_free(struct mc_file *f)
{
    if (!f->disk || f->fd < 0) return;
    __atomic_fetch_sub(&f->disk->now, f->used, __ATOMIC_RELAXED);
    close(f->fd);
    *f = (struct mc_file){f->disk, -1, 0};
}

uint64_t mc_file_take(struct mc_file *f, uint64_t bytes)
{
    struct mc_disk *d = f->disk;
    uint64_t now = __atomic_add_fetch(&d->now, bytes, __ATOMIC_RELAXED), most = __atomic_load_n(&d->most, __ATOMIC_RELAXED);
    while (now > most && !__atomic_compare_exchange_n(&d->most, &most, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return __atomic_fetch_add(&f->used, bytes, __ATOMIC_RELAXED);
}

void mc_file_cut(struct mc_file *f, uint64_t used)
{
    if (f->fd < 0 || f->used <= used) return;
    __atomic_fetch_sub(&f->disk->now, f->used - used, __ATOMIC_RELAXED);
    f->used = used;
    if (ftruncate(f->fd, (off_t)used) != 0) fail(f->disk, errno);
}

bool mc_file_put(struct mc_file *f, uint64_t at, const void *data, uint64_t bytes)
{
    const uint8_t *from = data;
    __atomic_fetch_add(&f->disk->written, bytes, __ATOMIC_RELAXED);
    while (bytes > 0) {
        if (f->disk->error) return false;
        ssize_t n = pwrite(f->fd, from, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(f->disk, n < 0 ? errno : EIO);
        from += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return true;
}

bool mc_file_get(const struct mc_file *f, uint64_t at, void *data, uint64_t bytes)
{
    uint8_t *to = data;
    while (bytes > 0) {
        ssize_t n = pread(f->fd, to, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(f->disk, n < 0 ? errno : EIO);
        to += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return true;
}
