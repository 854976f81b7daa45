/* A breadth-first search by several engines of one program, each with numbers of its own: they share the states out by who owns
 * them, and hand over what they find for others by name, in batches. Here all are in one process and take turns. */
#ifndef MC_RANKS_H
#define MC_RANKS_H

#include "api/engine.h"

enum { MC_MOST_RANKS = 64 };

/* A name is the values of all components, one after the other (model/state_name.h); of `size` bytes. Functions may be NULL. */
struct mc_ranks_options {
    uint32_t batch; /* states that are handed over at once; 0: 64 */
    uint32_t padding;
    /* Who owns it, of so many; NULL: a hash of the name says it. */
    uint32_t (*owner)(const uint8_t *name, uint64_t size, uint32_t ranks);
    /* Before it is expanded, a state may be split into others that stand for it together (each goes to its owner, and it is not
     * expanded itself): they are written one after the other, at most `room`. How many; 0: it is one. */
    uint32_t (*split)(const uint8_t *name, uint64_t size, uint8_t *parts, uint32_t room);
    /* Does a state that its owner has found before stand for this one, too? NULL: no state covers another one. */
    uint32_t (*covers)(const uint8_t *name, uint64_t size);
};

struct mc_ranks_counts {
    uint64_t states, transitions, ends, deadlocks, faults, depth;
    uint64_t handed_over, batches; /* states that went to another rank, and in how many batches */
    uint64_t covered, splits;
    uint64_t of_rank[MC_MOST_RANKS]; /* states that each owns */
};

/* Of engines that have not searched yet, without other reductions than dead variables (what these choose may depend on what one
 * engine has found). MC_COMPLETE, MC_MEMORY, or MC_BROKEN: an action is too large, or the engines are no such. */
uint32_t mc_ranks_search(struct mc_engine *const *engine, uint32_t ranks, const struct mc_ranks_options *o, struct mc_ranks_counts *out);

#endif
