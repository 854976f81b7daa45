/* Runs: states on disk, in order, each once. Where a key may be is known by the first key of each block, which is kept in
 * memory: so a few keys are found by reading a few blocks, and many by reading all of them one after the other. */
#ifndef MC_RUNS_H
#define MC_RUNS_H

#include "base/temp_file.h"

enum { MC_RUN_BLOCK = 512, MC_RUN_BUFFER = 8192 };

struct mc_run {
    struct mc_file file;
    uint64_t count;
    uint64_t *first; /* key of each block */
    uint64_t blocks, room;
};

/* A key's order keeps states together that share their left half. */
static inline uint64_t mc_key_of(uint64_t root) { return root << 32 | root >> 32; }
static inline uint64_t mc_root_of_key(uint64_t key) { return key << 32 | key >> 32; }

void mc_run_free(struct mc_run *r);
static inline uint64_t mc_run_memory(const struct mc_run *r) { return 8 * r->room; }

struct mc_run_writer {
    struct mc_run *run;
    uint64_t *buffer;
    uint64_t used;
    bool failed; /* no memory, or the disk's error */
};

bool mc_run_begin(struct mc_run_writer *w, struct mc_run *r, struct mc_disk *d);
void mc_run_add(struct mc_run_writer *w, uint64_t key); /* in order */
/* False: it failed, and the run is not there. */
bool mc_run_end(struct mc_run_writer *w);

struct mc_run_reader {
    const struct mc_run *run;
    uint64_t *buffer;
    uint64_t from, filled; /* the keys number from... are in the buffer */
    uint64_t at;           /* number of the next key */
    bool failed;
};

bool mc_run_open(struct mc_run_reader *r, const struct mc_run *run);
void mc_run_close(struct mc_run_reader *r);
/* The next key, if there is one. */
bool mc_run_next(struct mc_run_reader *r, uint64_t *key);
/* Is the key there? Then `at` is its number. Keys are asked for in order; `mc_run_rewind` lets it start again. */
bool mc_run_seek(struct mc_run_reader *r, uint64_t key);
void mc_run_rewind(struct mc_run_reader *r);

/* Several runs that have no key in common become one. False: failed, or `*stop`; they are as they were. */
bool mc_runs_join(struct mc_run *out, const struct mc_run *run, uint32_t runs, struct mc_disk *d, const _Atomic int *stop);

#endif
