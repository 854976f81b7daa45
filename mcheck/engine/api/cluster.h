/* A breadth-first search by several processes ("ranks"), on one machine or on several, each with an engine of its own of the same
 * program. A state belongs to the rank that a hash of its values names: it is stored, numbered and expanded there. Who calls
 * carries boxes of bytes from rank to rank and keeps the levels in step; what is in the boxes is the engines' affair. cluster/cluster.h
 * explains, docs/theory/distributed.md argues. */
#ifndef MC_API_CLUSTER_H
#define MC_API_CLUSTER_H

#include "api/engine.h"

enum { MC_MOST_CLUSTER = 4096 };

struct mc_cluster_options {
    uint32_t rank, ranks;
    uint32_t filter; /* so many states of others are remembered as handed over, at least (a power of two); 0: 4,096 */
    uint32_t most_on_ways; /* states of one level that are looked for backwards; 0: a million */
};

struct mc_cluster_counts {
    uint64_t handed_over, filtered; /* successors of others: sent, and not sent since they had been */
    uint64_t received, bytes, defined; /* states; bytes in boxes that were taken; values and pairs that were sent with them */
};

/* What ranks tell each other at the end of a level. */
struct mc_cluster_level {
    uint64_t fresh, stop; /* states of the next level; why this rank stops (enum mc_stop) */
    uint64_t errors, unclear; /* new ones; invariants of which an atom has faulted */
    struct mc_statistics statistics;
};

/* Before the search of one thread, instead of mc_search; the reductions may be those of dead variables. `folder`: for what is kept of
 * each state beside the table; NULL: in memory. Not 0: the system's number for why not. */
uint32_t mc_cluster_begin(struct mc_engine *e, const struct mc_cluster_options *o, const char *folder);
/* The same in engines that understand each other's boxes. */
uint64_t mc_cluster_likeness(const struct mc_engine *e);
/* From now on it may take so many seconds, and nothing has stopped it yet. */
void mc_cluster_go_on(struct mc_engine *e, double seconds);

/* Expands states of the level, so many chunks of 256 at most. How many are left; those of a search that has stopped, too. */
uint64_t mc_cluster_expand(struct mc_engine *e, uint32_t chunks);
/* All of them are done: what is on its way arrives in the table, or in a box. */
void mc_cluster_flush(struct mc_engine *e);
/* Why it stops (enum mc_stop), or MC_COMPLETE; and it stops. */
uint32_t mc_cluster_halted(const struct mc_engine *e);
void mc_cluster_halt(struct mc_engine *e, uint32_t why);

/* The box for a rank: its bytes, which leave it. */
uint64_t mc_cluster_waiting(const struct mc_engine *e, uint32_t rank);
void mc_cluster_take_box(struct mc_engine *e, uint32_t rank, uint8_t *bytes);
/* A box of this rank has come. False: it is none of an engine that is alike. */
uint32_t mc_cluster_receive(struct mc_engine *e, uint32_t rank, const uint8_t *bytes, uint64_t size);

/* Everybody's boxes are empty: what is new is the next level of this rank. How many states; UINT64_MAX: no memory. */
uint64_t mc_cluster_end_level(struct mc_engine *e);
/* Somebody has states in it. */
void mc_cluster_begin_level(struct mc_engine *e);
/* The level is only looked through for deadlocks; it is gone then. */
void mc_cluster_look_for_deadlocks(struct mc_engine *e);
/* Of the errors so far: do they end the search; may a deadlock be as near? */
uint32_t mc_cluster_has_enough(const struct mc_engine *e);
uint32_t mc_cluster_may_be_deadlock(const struct mc_engine *e);

/* Errors are those of this rank, until all are told to it: then they are these. And of which invariants an atom has faulted. */
uint32_t mc_cluster_set_errors(struct mc_engine *e, const struct mc_error *errors, uint32_t count, uint64_t unclear);
/* By which two errors of one level are told apart: the block of the state. */
uint32_t mc_cluster_block(struct mc_engine *e, uint64_t state, uint8_t *block);

/* What was reached: of this rank, as bytes; and what others have reached, into this one. */
uint64_t mc_cluster_seen_size(const struct mc_engine *e);
void mc_cluster_put_seen(const struct mc_engine *e, uint8_t *bytes);
uint32_t mc_cluster_add_seen(struct mc_engine *e, const uint8_t *bytes, uint64_t size);

/* Ways to states: backwards, level by level. Which level a state is of; it is one of those that are looked for. */
uint32_t mc_cluster_level_of(const struct mc_engine *e, uint64_t state);
uint32_t mc_cluster_look_for(struct mc_engine *e, uint64_t state);
/* The names of those of a level that this rank has, one after the other; then those of all ranks are looked for from the level
 * before on: its states with a step to one of them are looked for next. False: no memory. */
uint64_t mc_cluster_name_size(const struct mc_engine *e);
uint64_t mc_cluster_names(const struct mc_engine *e, uint32_t level);
void mc_cluster_put_names(struct mc_engine *e, uint32_t level, uint8_t *names);
uint32_t mc_cluster_look_before(struct mc_engine *e, uint32_t level, const uint8_t *names, uint64_t count);
/* Forwards: from the initial state by the first successor that is on a way. UINT32_MAX: this rank does not have the state. The
 * caller's rank goes on to the successor. */
void mc_cluster_way_begin(struct mc_engine *e, uint8_t *name);
uint32_t mc_cluster_way_step(struct mc_engine *e, uint32_t level, const uint8_t *name);
uint32_t mc_cluster_way_go(struct mc_engine *e, const uint8_t *name, uint32_t ordinal, uint8_t *next);
void mc_cluster_way_end(struct mc_engine *e);

/* Partial deadlocks, after a complete search: states are asked of others and answered, each for itself. First who is fine (as
 * search/partial_deadlock.c has it), until nothing changes; then who is stuck among the rest. */
enum mc_cluster_round { MC_ROUND_STATES = 0, MC_ROUND_ASK_FINE = 1, MC_ROUND_FINE = 2, MC_ROUND_ASK_STUCK = 3, MC_ROUND_STUCK = 4 };
uint32_t mc_cluster_stuck_begin(struct mc_engine *e);
/* What boxes hold from now on. */
void mc_cluster_round(struct mc_engine *e, uint32_t round);
/* Asks for some of what is left of the round; how much is left. */
uint64_t mc_cluster_ask(struct mc_engine *e, uint32_t states);
/* The answers go into the boxes. */
void mc_cluster_answer(struct mc_engine *e);
/* Since this was asked last. */
uint64_t mc_cluster_changed(struct mc_engine *e);
uint64_t mc_cluster_rest(struct mc_engine *e); /* not fine; they are listed now. UINT64_MAX: no memory */
/* How many slots are stuck at most in a state of this rank; the first level that has a state with so many (UINT32_MAX: none);
 * and those of a level are looked for. */
uint32_t mc_cluster_most_stuck(const struct mc_engine *e);
uint32_t mc_cluster_first_stuck(struct mc_engine *e, uint32_t count, uint32_t in_level);
/* Those of the state with this name. False: it is not here. */
uint32_t mc_cluster_stuck_slots(struct mc_engine *e, const uint8_t *name, uint8_t *slots);
void mc_cluster_stuck_end(struct mc_engine *e);

void mc_cluster_get_counts(const struct mc_engine *e, struct mc_cluster_counts *out);

#endif
