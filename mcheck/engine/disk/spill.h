/* A breadth-first search whose states have no room in memory any more.
 *
 * From then on the set of states lies on disk, as runs; the table makes room for a cache of states that have been come across.
 * What is not in the cache is a candidate: with its finder it is put into the thread's buffer, and from there, in order, to
 * disk. At the end of a level all candidates are read in order beside the runs; those that no run has are the next level,
 * and one more run. So a state may be come across as often as it likes, and is counted once; nothing depends on what the
 * cache keeps. Values and pairs stay in memory.
 */
#ifndef MC_SPILL_H
#define MC_SPILL_H

#include "base/external_sort.h"
#include "search/bfs.h"
#include "store/sorted_runs.h"

enum { MC_CACHE_LINE = 8 };

struct mc_spill {
    struct mc_disk disk;
    uint64_t *cache; /* lines of roots + 1 */
    uint64_t cache_lines;
    uint64_t room;   /* records in each thread's buffer */
    uint64_t remembered; /* bytes of results that each thread may keep */
    struct mc_pile candidates; /* key: the state; value: finder, from `level_first` on, and ordinal */
    struct mc_file states;     /* key: the root; value: as above; states found, by number, and chunks of the time before */
    struct mc_file logs;       /* of the time before */
    struct mc_run *run;
    uint32_t runs, runs_room;
    uint64_t level_first; /* number of the first state of the level that is expanded */
    uint64_t times;       /* that something had to go to disk */
};

/* Bytes that are left beside values, pairs, and what paths need; 0: too few. The cache goes. */
uint64_t mc_left_of_memory(struct mc_engine *e);

bool mc_add_run(struct mc_engine *e, const struct mc_run *r);

/* level.c; as in bfs.h */
bool mc_spilled_level(struct mc_engine *e);
bool mc_spilled_candidates_left(const struct mc_engine *e);
bool mc_each_run_root(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context);
/* partial_deadlock_on_disk.c; as mc_stuck */
uint32_t mc_stuck_on_disk(struct mc_engine *e, uint64_t *state, uint8_t *slots);
/* state_order.c */
/* Every state with its number, in the order of these, until `visit` returns false. False: no memory, the
 * disk's error, or interrupted. */
bool mc_each_by_number(struct mc_engine *e, bool (*visit)(uint64_t root, uint64_t number, void *context), void *context);

#endif
