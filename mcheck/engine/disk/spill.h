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
#include "store/sorted_runs.h"

struct mc_engine;
struct mc_searcher;

enum { MC_ON_DISK = UINT32_MAX };             /* instead of a searcher, in a mark: its steps are records in `states` */
enum { MC_CACHE_LINE = 8 };

struct mc_spill {
    struct mc_disk disk;
    bool active;
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

void mc_spill_free(struct mc_engine *e);
bool mc_may_spill(const struct mc_engine *e);
/* No thread works. Makes room in memory: the first time all that can goes to disk, later what is left is shared out anew.
 * False: there is no room, or the disk has an error, or it was interrupted. */
bool mc_spill(struct mc_engine *e);
/* Bytes that are left beside values, pairs, and what paths need; 0: too few. The cache goes. */
uint64_t mc_left_of_memory(struct mc_engine *e);
/* In memory, beside values, pairs, results and the ends of logs. */
uint64_t mc_spill_bytes(const struct mc_engine *e);

/* What a thread does instead of looking into the table: with a successor of its state, and with those that wait. */
void mc_take_beyond(struct mc_searcher *x, uint64_t root, uint32_t ordinal);
void mc_drain_beyond(struct mc_searcher *x, uint32_t pending);
/* spilled_levels.c: the candidates that are new become the next level. False: no memory; else `halt` may say that it was
 * not done, and the candidates are still there. */
bool mc_spilled_level(struct mc_engine *e);
bool mc_candidates_left(const struct mc_engine *e);
bool mc_add_run(struct mc_engine *e, const struct mc_run *r);
bool mc_each_run_root(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context);

#endif
