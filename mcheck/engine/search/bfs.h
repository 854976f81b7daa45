/* A breadth-first search in progress: what its parts (bfs.c, frontier.c, limits.c, errors.c, paths.c, partial_deadlock.c, and those
 * of disk/) share. */
#ifndef MC_SEARCH_H
#define MC_SEARCH_H

#include "base/byte_log.h"
#include "base/clock.h"
#include "base/external_sort.h"
#include "model/reduction.h"
#include "store/state_store.h"

enum { MC_REMEMBERED_LEAST = 1 << 22, MC_REMEMBERED_BYTES = 2 };
enum { MC_WINDOW = 64, MC_CHUNK = 256, MC_MOST_THREADS = 64 };
enum { MC_COUNTED_SHARE = 1024 }; /* a thread counts what it found once it is such a part of the table */

/* Some states of one level. */
struct mc_chunk {
    uint64_t first;      /* number of the first state */
    uint32_t count, done;
    uint64_t *root; /* NULL: on disk */
    uint64_t at;    /* there: place in the file of states */
};

struct mc_chunks {
    struct mc_chunk *at;
    uint64_t count, room;
};

/* From here on a thread's log speaks of the states from `first` on. */
struct mc_mark {
    uint64_t first, at, owner; /* state number; place in the log; finder of the state before in the log */
    uint32_t searcher;         /* MC_ON_DISK: `at` is a place in the file of states, `owner` what finders count from */
};

/* What a thread has done so far, as it shows it to the others after each chunk: its own counters are no one else's to read
 * while it works. Stored and loaded relaxed: each number is for itself, and is only compared with limits. */
struct mc_shown {
    _Atomic uint64_t fresh, transitions, expanded, ends, deadlocks, faults, executions, remembered, log_bytes, memo_bytes;
    _Atomic uint32_t assumed;
};

struct mc_engine;

/* A thread of the search, and what it has found. */
struct mc_searcher {
    struct mc_worker worker;
    struct mc_engine *e;
    uint32_t number;
    struct mc_pending window[MC_WINDOW * 2];
    uint32_t window_begin, window_used; /* of the half that is being filled */
    bool window_older;                  /* the other half is full */
    uint64_t owner, last_owner; /* state that is expanded; finder of the last state in the log */
    struct mc_chunks next;      /* of the next level */
    struct mc_stream log;
    uint64_t log_marked, owner_marked; /* the log and its finder at the start of the level */
    uint64_t fresh;                    /* states found in this level */
    uint64_t counted;                  /* of these, how many the table's count has */
    uint64_t transitions, expanded, ends, deadlocks, faults;
    uint64_t work_at_look; /* what was done when it looked at the clock */
    struct mc_error *errors; /* of each kind and place the least in canonical order; of this level */
    uint8_t *blocks;         /* of these */
    uint32_t error_count;
    uint64_t **spare; /* rooms of chunks that can be used again */
    uint32_t spares, spares_room;
    struct mc_record *candidate; /* once the search is on disk: see disk/spill.h */
    uint64_t candidates;
    struct mc_shown shown;
    _Atomic uint64_t share __attribute__((aligned(128))); /* the next chunk of its share of the level */
    uint64_t share_end;
    uint32_t looks_at; /* whose share it takes from: that of so many after it */
    pthread_t thread;
    bool runs;
} __attribute__((aligned(128)));

enum { MC_ON_DISK = UINT32_MAX }; /* instead of a searcher, in a mark: its steps are records in a file */

/* What the search asks of whoever keeps its states when memory is used up (disk/spill.h). */
struct mc_spill_ops {
    bool (*may_spill)(const struct mc_engine *e);
    /* No thread works. Makes room in memory: the first time all that can goes to disk, and the search is `on_disk` from then on.
     * False: there is no room, or the disk has an error, or it was interrupted. */
    bool (*spill)(struct mc_engine *e);
    /* What a thread does instead of looking into the table: with a successor of its state, and with those that wait. */
    void (*take)(struct mc_searcher *x, uint64_t root, uint32_t ordinal);
    void (*drain)(struct mc_searcher *x, uint32_t pending);
    /* The candidates that are new become the next level. False: no memory; else `halt` may say that it was not done, and the
     * candidates are still there. */
    bool (*end_level)(struct mc_engine *e);
    bool (*candidates_left)(const struct mc_engine *e);
    /* False: the disk's error. Of a chunk, so many roots; of a state, who found it (a place in the log's words). */
    bool (*read_chunk)(struct mc_engine *e, const struct mc_chunk *c, uint64_t *roots);
    bool (*read_finder)(const struct mc_engine *e, const struct mc_mark *m, uint64_t state, uint64_t *owner, uint32_t *ordinal);
    bool (*each_root)(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context);
    uint32_t (*find_stuck)(struct mc_engine *e, uint64_t *state, uint8_t *slots);
    uint64_t (*remembered)(const struct mc_engine *e); /* bytes of results that each thread may keep */
    void (*measure)(const struct mc_engine *e, struct mc_statistics *s); /* table (more), frontier, disk */
    int (*error)(const struct mc_engine *e);
    void (*free)(struct mc_engine *e);
};

/* And of whoever saves it (disk/checkpoint.h). */
struct mc_checkpoint_ops {
    void (*save)(struct mc_engine *e);
    double (*due)(const struct mc_engine *e);
    void (*free)(struct mc_engine *e);
};

/* And of whoever shares the states out among several processes (cluster/cluster.h): each state has one owner. */
struct mc_cluster_ops {
    void (*hand_over)(struct mc_searcher *x, uint64_t root); /* a successor that somebody else owns */
    uint64_t (*bytes)(const struct mc_engine *e);
    void (*free)(struct mc_engine *e);
};

/* States are numbered level by level; in a level thread by thread, in the order in which a thread found them. */
struct mc_engine {
    struct mc_space space;
    struct mc_store store;
    _Atomic int interrupted;
    _Atomic uint32_t halt; /* enum mc_stop: stop at once */
    struct mc_searcher **searcher;
    uint32_t threads, made, sharing; /* sharing: how many threads a level is shared out to */

    struct mc_statistics s __attribute__((aligned(128))); /* the first thread writes it while the others work */
    struct mc_chunks level __attribute__((aligned(128)));
    uint64_t level_states;
    struct mc_mark *marks;
    uint64_t marks_count, marks_room;
    double until; /* between actions; within one space.until counts */
    double rest;  /* 0: none is asked for */
    uint64_t measured_at;

    struct mc_error *errors;
    uint32_t products;        /* how many searches of products are at work, each in a thread; under the crew's mutex */
    struct mc_values letters; /* of the steps that the searches of products have come across; 8 bytes each */
    uint64_t levels_end; /* states of this level and the ones before */
    uint64_t *within;    /* by depth: `levels_end` when its level began; 0: not known */
    uint64_t within_room;
    bool is_ordered; /* its tree has a shape that is known */
    uint64_t most_transitions; /* 0: any number */
    uint64_t pause_at;         /* states; 0: never */
    void (*ask)(void); /* for better code; NULL: it has been asked for, or there is none */
    double ask_after;
    const struct mc_checkpoint_ops *saves; /* NULL: it is not saved */
    struct mc_checkpoint *checkpoint;
    const struct mc_spill_ops *spills; /* NULL: nothing goes to disk */
    struct mc_spill *spill;
    const struct mc_cluster_ops *shares; /* NULL: all states are here */
    struct mc_cluster *cluster;
    bool on_disk;
    bool only_deadlocks; /* the level is only looked through for these */
};

/* Beside enum mc_stop: the level goes on after it. */
enum { MC_HALT_TO_SAVE = 0xFF, MC_HALT_TO_SPILL = 0xFE };

enum { MC_ERRORS_ROOM = 1024 };

/* bfs.c; false without memory */
bool mc_make_searcher(struct mc_engine *e);
/* For who searches level by level himself, with one thread: until all of the chunk is done, or something stops it; a successor; what
 * is on its way into the table arrives there; what was found is the next level, and begins. */
void mc_expand_chunk(struct mc_searcher *x, struct mc_chunk *c);
void mc_take_successor(struct mc_searcher *x, uint64_t root, uint32_t ordinal);
void mc_flush_window(struct mc_searcher *x);
bool mc_next_level(struct mc_engine *e);
void mc_begin_level(struct mc_engine *e);
/* Of the errors that have been found so far, do they end the search; and may there be a deadlock as near as they are? */
bool mc_ends_with_errors(const struct mc_engine *e);
bool mc_may_be_deadlock(const struct mc_engine *e);
/* table.c: the whole batch, with what is to be said of each; the table grows where it must. How many have an answer: all but
 * where there is no memory. Who has counted what was fresh asks for room for more. */
uint32_t mc_insert_batch(struct mc_engine *e, const struct mc_pending *batch, uint32_t n, uint8_t *results);
void mc_count_fresh(struct mc_engine *e, uint64_t fresh);
/* frontier.c; false, NULL: without memory, or (mc_fetch_chunk) the disk's error */
bool mc_add_chunk(struct mc_chunks *c, struct mc_chunk x);
bool mc_add_mark(struct mc_engine *e, struct mc_mark m);
uint64_t *mc_chunk_room(struct mc_searcher *x);
void mc_give_back(struct mc_searcher *x, uint64_t *room);
bool mc_fetch_chunk(struct mc_searcher *x, struct mc_chunk *c);
/* limits.c: stop at once; the first to say so says why */
void mc_halt(struct mc_engine *e, uint32_t why);
/* By the thread itself, or while none works. */
void mc_show_counts(struct mc_searcher *x);
/* Bytes, which the statistics then have too. */
uint64_t mc_measure(struct mc_engine *e);
/* So many bytes more, before the search must stop, or go to disk? */
bool mc_room_for(struct mc_engine *e, uint64_t more);
void mc_halt_for_memory(struct mc_engine *e);
void mc_look_at_limits(struct mc_engine *e);
void mc_keep_memory_small(struct mc_searcher *x);
/* errors.c */
void mc_note_error(struct mc_searcher *x, uint32_t kind, const struct mc_successor *s);
void mc_gather_errors(struct mc_engine *e);
/* paths.c: every state's root by its number, found again from the log; NULL without memory. */
uint64_t *mc_all_roots(struct mc_engine *e);
static inline int mc_disk_error(const struct mc_engine *e) { return e->spills ? e->spills->error(e) : 0; }
static inline bool mc_candidates_left(const struct mc_engine *e) { return e->spills && e->spills->candidates_left(e); }
/* Every state, in no order. False: interrupted, or the states were not found by the breadth-first search. */
bool mc_each_root(struct mc_engine *e, void (*visit)(uint64_t root, void *context), void *context);

#endif
