/* Records that are brought into order although memory has no room for them: sorted by parts, which lie in a file, and then
 * read together. */
#ifndef MC_PILES_H
#define MC_PILES_H

#include "base/temp_file.h"

struct mc_record { uint64_t key, value; };

/* In place, by key, then value; of each key only the first stays. How many stay. */
uint64_t mc_sort_records(struct mc_record *r, uint64_t count);
/* By key, then value; all stay. */
void mc_order_records(struct mc_record *r, uint64_t count);

struct mc_part { uint64_t at, count; }; /* place in the file */

struct mc_pile {
    struct mc_file file;
    struct mc_part *part;
    uint32_t parts, room, lock;
};

bool mc_pile_new(struct mc_disk *d, struct mc_pile *p);
void mc_pile_free(struct mc_pile *p);
/* Records that are in order already. Several threads may put. False: no memory, or the disk's error. */
bool mc_pile_put(struct mc_pile *p, const struct mc_record *r, uint64_t count);
void mc_pile_clear(struct mc_pile *p);

/* Ordered records, of a part or of memory (then all of them are in the buffer). */
struct mc_source {
    const struct mc_file *file;
    uint64_t at, left; /* what is not in the buffer yet */
    struct mc_record *buffer;
    uint64_t used, filled;
    bool owned;
};

/* All sources together, in order. */
struct mc_merge {
    struct mc_source *source;
    uint32_t *heap; /* sources that have more, the least first */
    uint32_t sources, room, heaped;
    uint64_t buffer; /* records of each source */
    bool failed;     /* no memory, or the disk's error */
};

/* About `bytes` are taken for buffers. `others`: how many sources beside the parts may be added. */
bool mc_merge_new(struct mc_merge *m, const struct mc_pile *p, uint32_t others, uint64_t bytes);
void mc_merge_free(struct mc_merge *m);
void mc_merge_add(struct mc_merge *m, struct mc_record *r, uint64_t count);
/* After the last source was added. */
void mc_merge_start(struct mc_merge *m);
/* False: there are no more, or `failed`. */
bool mc_merge_next(struct mc_merge *m, struct mc_record *out);

#endif
