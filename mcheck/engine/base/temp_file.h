/* Files for what has no room in memory. They lose their names as soon as they are open, so that nothing stays behind however
 * the process ends. The first thing that fails is kept in `error`; from then on nothing is written. */
#ifndef MC_DISK_H
#define MC_DISK_H

#include <stdbool.h>
#include <stdint.h>

struct mc_disk {
    char *folder; /* NULL: nothing goes to disk */
    _Atomic int error; /* the system's number of what failed first */
    uint64_t written, now, most; /* bytes: in all, that are there, that were there at most */
};

struct mc_file {
    struct mc_disk *disk;
    int fd; /* -1: none */
    uint64_t used;
};

bool mc_file_new(struct mc_disk *d, struct mc_file *f);
void mc_file_free(struct mc_file *f);
/* A place for so many bytes at the end. Several threads may ask. */
uint64_t mc_file_take(struct mc_file *f, uint64_t bytes);
/* Everything from `used` on goes. */
void mc_file_cut(struct mc_file *f, uint64_t used);
bool mc_file_put(struct mc_file *f, uint64_t at, const void *data, uint64_t bytes);
bool mc_file_get(const struct mc_file *f, uint64_t at, void *data, uint64_t bytes);

#endif
