/* A rank of a distributed search: what it keeps beside its engine's own tables.
 *
 * A state is handed over as the numbers of its two halves, which are the sender's. What a number stands for, a value's bytes or a
 * pair of numbers, is sent once to each rank, before it is used for the first time; the receiver interns it and remembers its own
 * number for it. So a state that is like others takes eight bytes. Boxes of one rank for another arrive in their order.
 *
 * Who owns a state: a hash of the values of its components, each with its place, summed up. The sum over a half is kept by the
 * number of the half, so that it costs two look-ups.
 */
#ifndef MC_CLUSTER_H
#define MC_CLUSTER_H

#include "api/cluster.h"
#include "base/temp_file.h"
#include "search/bfs.h"
#include "store/state_numbers.h"

struct mc_box { uint32_t *word; uint64_t used, room; };

/* Of a class of values, or of an inner node: what a rank has been sent, and which numbers of ours its own stand for, + 1. */
struct mc_known_to { uint64_t *sent; uint64_t sent_room; };
struct mc_known_from { uint32_t *own; uint64_t room; };

struct mc_peer {
    struct mc_box box, answers;
    struct mc_known_to *to;
    struct mc_known_from *from;
};

/* States of one level on a way to what is looked for: their roots, and the successor that leads on. */
struct mc_on_way { uint64_t *root; uint32_t *ordinal; uint64_t count, root_room, ordinal_room; };

struct mc_rank_stuck;

struct mc_cluster {
    uint32_t rank, ranks, kinds; /* classes, then inner nodes */
    struct mc_peer *peer;
    uint64_t *half_hash[2], half_room[2]; /* by number; 0: not known yet */
    uint64_t *filter, filter_mask;        /* roots + 1 that have been handed over */
    uint64_t expanded;                    /* chunks of the level */
    struct mc_disk disk;
    struct mc_file file;   /* roots by number */
    uint64_t *roots, roots_room, roots_count; /* without a folder */
    uint64_t *level, level_room, levels; /* number of each level's first state */
    struct mc_worker *own; /* that names states while another one expands */
    struct mc_on_way *way; /* by level */
    uint64_t ways_room, most_on_ways;
    struct mc_visits wanted; /* roots that are looked for in the level before */
    uint32_t round;
    struct mc_rank_stuck *stuck;
    struct mc_cluster_counts counts;
    bool no_memory;
};

/* exchange.c */
uint32_t mc_cluster_owner(struct mc_cluster *c, const struct mc_space *s, uint64_t root);
uint32_t *mc_cluster_room(struct mc_cluster *c, struct mc_box *box, uint64_t words);
/* The state, with everything that the rank does not know of it yet. */
void mc_cluster_put_root(struct mc_engine *e, uint32_t rank, uint64_t root);
/* rank.c: some roots by number, at most 256; how many */
uint64_t mc_cluster_roots(struct mc_engine *e, uint64_t first, uint64_t *roots);
/* stuck.c: what boxes hold in these rounds. `root`: of the state that is asked for; words that follow it. */
uint32_t mc_stuck_words(const struct mc_engine *e);
bool mc_stuck_asked(struct mc_engine *e, uint32_t rank, uint64_t root, const uint32_t *words);
bool mc_stuck_answered(struct mc_engine *e, const uint32_t *words, uint64_t count);

#endif
